// SPDX-License-Identifier: Apache-2.0
// Purpose: judges a packet's header flit: what a receiver checks of it, and what it says about the packet.
// Contract:
//   1. malformed and cause: the first that applies of the causes TYPE to COUNT and, for a response and for FORMAT 1, TARGET
//      (doc/packet.md section 5). flit_class is the class in which the flit came; own is the port's number, or the hub's GPU.
//   2. flits (of the whole packet), target_flits and targets (ids) mean something only without a cause.
// Cost: combinational.
// Proved: formal/common/formal_header_check.v
`default_nettype none
`include "moehub_defines.vh"

module moehub_header_check #(
    parameter TOWARDS_HUB       = 0,  // 0: a switch receives, 1: a hub
    parameter LOOP_BACK         = 0,  // 0, 1: a hub receives what it sends to itself (doc/hub/ingress.md section 1)
    parameter PORTS             = 8,  // 2..64; towards a hub ..1024: GPUs
    parameter LOCAL_EXPERT_BITS = 8,  // 0..8
    parameter MAX_TARGETS       = 32, // 1..32 ids in a packet
    parameter REQUEST_LINES     = 8   // 1, 2, 4, 8 lines in a request
) (
    input  wire [127:0] header,
    input  wire [1:0]   flit_class,
    input  wire [9:0]   own,
    output wire         malformed,
    output wire [3:0]   cause,
    output wire [4:0]   flits,
    output wire [2:0]   target_flits,
    output wire [5:0]   targets
);
    generate
        if (TOWARDS_HUB != 0 && TOWARDS_HUB != 1) TOWARDS_HUB_must_be_0_or_1 u_rule ();
        if (LOOP_BACK != 0 && (LOOP_BACK != 1 || TOWARDS_HUB != 1)) LOOP_BACK_must_be_0_or_towards_a_hub_1 u_rule ();
        if (PORTS < 2 || PORTS > (TOWARDS_HUB == 1 ? 1024 : 64)) PORTS_must_be_2_to_64_or_towards_a_hub_to_1024 u_rule ();
        if (LOCAL_EXPERT_BITS < 0 || LOCAL_EXPERT_BITS > 8) LOCAL_EXPERT_BITS_must_be_0_to_8 u_rule ();
        if (MAX_TARGETS < 1 || MAX_TARGETS > 32) MAX_TARGETS_must_be_1_to_32 u_rule ();
        if (REQUEST_LINES != 1 && REQUEST_LINES != 2 && REQUEST_LINES != 4 && REQUEST_LINES != 8)
            REQUEST_LINES_must_be_1_2_4_or_8 u_rule ();
    endgenerate

    localparam HUB  = TOWARDS_HUB == 1;
    localparam LOOP = LOOP_BACK == 1;
    localparam [31:0] ALL_PORTS     = PORTS;
    localparam [31:0] MOST_TARGETS  = MAX_TARGETS;
    localparam [31:0] MOST_LENGTH   = 8 * REQUEST_LINES; // of a request: units of 16 bytes
    localparam [7:0]  BEYOND_LOCALS = 8'hff << LOCAL_EXPERT_BITS; // bits that no local id has

    // ---- fields -----------------------------------------------------------------------------------------------------
    wire [3:0]  packet_type  = header[`MOEHUB_HEADER_TYPE_LSB +: `MOEHUB_HEADER_TYPE_WIDTH];
    wire [1:0]  format       = header[`MOEHUB_HEADER_FORMAT_LSB +: `MOEHUB_HEADER_FORMAT_WIDTH];
    wire        byte_enables = header[`MOEHUB_HEADER_BYTE_ENABLES_LSB];
    wire        out_fp32     = header[`MOEHUB_HEADER_OUT_FP32_LSB];
    wire [8:0]  length       = header[`MOEHUB_HEADER_LENGTH_LSB +: `MOEHUB_HEADER_LENGTH_WIDTH];
    wire [9:0]  source       = header[`MOEHUB_HEADER_SOURCE_LSB +: `MOEHUB_HEADER_SOURCE_WIDTH];
    wire [3:0]  status       = header[`MOEHUB_HEADER_STATUS_LSB +: `MOEHUB_HEADER_STATUS_WIDTH];
    wire [1:0]  element      = header[`MOEHUB_HEADER_ELEMENT_LSB +: `MOEHUB_HEADER_ELEMENT_WIDTH];
    wire [1:0]  operation    = header[`MOEHUB_HEADER_OPERATION_LSB +: `MOEHUB_HEADER_OPERATION_WIDTH];
    wire [15:0] offset       = header[`MOEHUB_HEADER_OFFSET_LSB +: `MOEHUB_HEADER_OFFSET_WIDTH];
    wire [31:0] row_index    = header[`MOEHUB_HEADER_ROW_INDEX_LSB +: `MOEHUB_HEADER_ROW_INDEX_WIDTH];
    wire [4:0]  zero         = header[`MOEHUB_HEADER_ZERO_LSB +: `MOEHUB_HEADER_ZERO_WIDTH];
    wire [23:0] locals       = header[`MOEHUB_COMPACT_TARGETS_LSB +: `MOEHUB_COMPACT_TARGETS * `MOEHUB_COMPACT_TARGET_WIDTH];
    wire        compact      = HUB && format == 2'd`MOEHUB_FORMAT_COMPACT;
    wire        stage        = compact ? header[`MOEHUB_COMPACT_STAGE_LSB] : header[`MOEHUB_HEADER_STAGE_LSB];
    wire [5:0]  count        = compact ? {4'd0, header[`MOEHUB_COMPACT_TARGET_COUNT_LSB +: `MOEHUB_COMPACT_TARGET_COUNT_WIDTH]}
        : header[`MOEHUB_HEADER_TARGET_COUNT_LSB +: `MOEHUB_HEADER_TARGET_COUNT_WIDTH];
    wire        any_hint     = header[`MOEHUB_HEADER_FIRST_LSB] || header[`MOEHUB_HEADER_NOP_LSB] || byte_enables;

    wire row_store = packet_type == 4'd`MOEHUB_PACKET_ROW_STORE;
    wire store     = packet_type == 4'd`MOEHUB_PACKET_MULTIMEM_STORE || row_store;
    wire request   = packet_type == 4'd`MOEHUB_PACKET_LD_REDUCE;
    wire partial   = !HUB && packet_type == 4'd`MOEHUB_PACKET_PARTIAL;
    wire result    = HUB && !LOOP && packet_type == 4'd`MOEHUB_PACKET_RESULT;
    wire sum       = partial || result;
    wire close     = packet_type == 4'd`MOEHUB_PACKET_CLOSE;
    wire notify    = packet_type == 4'd`MOEHUB_PACKET_NOTIFY;
    wire notice    = close || notify;
    wire response  = sum || notice;

    // ---- what a field may hold --------------------------------------------------------------------------------------
    wire [1:0] type_class = store ? 2'd`MOEHUB_CLASS_STORE : request ? 2'd`MOEHUB_CLASS_REQUEST : 2'd`MOEHUB_CLASS_RESPONSE;

    wire bad_element   = ((request || sum) && element == 2'd`MOEHUB_ELEMENT_BYTES) || (notice && element != 2'd0);
    wire bad_operation = operation != (request ? 2'd`MOEHUB_OPERATION_SUM : 2'd`MOEHUB_OPERATION_NONE);
    wire bad_stage     = stage == (store || close); // dispatch is 0, combine 1
    wire not_zero      = (any_hint && !store) || (out_fp32 && !request && !result) ||
        (status != 4'd0 && !sum && !notify) || (row_index != 32'd0 && sum) || (zero != 5'd0 && !compact);

    wire is_own     = source == own;
    wire no_gpu     = {1'b0, source} >= ALL_PORTS[10:0];
    wire bad_source = HUB && !LOOP && !result ? is_own || no_gpu : !is_own;

    // Lengths in units of 16 bytes; those of requests are told so. What ends beyond its line, or its row, is too long.
    wire [4:0] units       = length[8:4];
    wire       whole_units = length[3:0] == 4'd0 && units != 5'd0;
    wire [5:0] line_end    = {3'd0, offset[6:4]} + {1'b0, units};
    wire       bad_place   = !compact && (offset[3:0] != 4'd0 || line_end > 6'd8);
    wire       bad_store   = !whole_units || units > 5'd8 || bad_place;
    wire [9:0] row_end     = {1'b0, offset[15:7]} + {4'd0, length[8:3]} + {9'd0, length[2:0] != 3'd0};
    wire       bad_lines   = !compact && (offset[6:0] != 7'd0 || row_end > 10'd`MOEHUB_ROW_LINES);
    wire       bad_request = length == 9'd0 || length > MOST_LENGTH[8:0] || bad_lines;
    wire       bad_sum     = status != 4'd0 ? length != 9'd0 : !whole_units || units > (HUB ? 5'd16 : 5'd8);
    wire       bad_length  = store ? bad_store : request ? bad_request : sum ? bad_sum : length != 9'd0;

    wire bad_count = response ? count != 6'd0 : row_store ? count != 6'd1 : count == 6'd0 || count > MOST_TARGETS[5:0];

    wire        own_offset    = offset == {6'd0, own};
    wire        bad_offset    = HUB ? !own_offset : own_offset || offset >= ALL_PORTS[15:0];
    wire [23:0] beyond_locals = {3{BEYOND_LOCALS}};
    wire        bad_locals    = (locals & beyond_locals) != 24'd0 ||
        (count[1] ? locals[15:8] <= locals[7:0] : locals[15:8] != 8'd0) ||
        (count[1:0] == 2'd3 ? locals[23:16] <= locals[15:8] : locals[23:16] != 8'd0);

    // ---- the first cause that applies -------------------------------------------------------------------------------
    wire [7:0] applies;
    assign applies[`MOEHUB_PACKET_CAUSE_TYPE]   = !store && !request && !response;
    assign applies[`MOEHUB_PACKET_CAUSE_CLASS]  = flit_class != type_class;
    assign applies[`MOEHUB_PACKET_CAUSE_FORMAT] = format != 2'd`MOEHUB_FORMAT_FULL && (!compact || response);
    assign applies[`MOEHUB_PACKET_CAUSE_FIELD]  = bad_element || bad_operation || bad_stage || not_zero;
    assign applies[`MOEHUB_PACKET_CAUSE_SOURCE] = bad_source;
    assign applies[`MOEHUB_PACKET_CAUSE_LENGTH] = bad_length;
    assign applies[`MOEHUB_PACKET_CAUSE_COUNT]  = bad_count;
    assign applies[`MOEHUB_PACKET_CAUSE_TARGET] = (response && bad_offset) || (compact && bad_locals);

    wire [7:0] first;
    wire [2:0] number;
    moehub_lowest_one #(.WIDTH(8)) u_first (.bits(applies), .lowest(first));
    moehub_one_hot_index #(.WIDTH(8)) u_number (.one_hot(first), .index(number));

    assign malformed = |applies;
    assign cause     = {1'b0, number};

    // ---- what it says about the packet ------------------------------------------------------------------------------
    assign targets      = count;
    assign target_flits = compact ? 3'd0 : count[5:3] + {2'd0, count[2:0] != 3'd0};
    assign flits        = 5'd1 + {2'd0, target_flits} + {4'd0, byte_enables} + (request ? 5'd0 : units);

    wire unused_fields = ^header; // context, tag, round and, of FORMAT 1, line and row index: any
endmodule

`default_nettype wire
