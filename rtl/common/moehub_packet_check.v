// SPDX-License-Identifier: Apache-2.0
// Purpose: judges a packet while its flits pass: header, target flits, number of flits; and says what goes with it (its mark).
// Contract:
//   1. wire_data and wire_class are the flit on the wires in cycle c; all other inputs speak of it in c + 1: flit_first (it is
//      the first of its packet), take (it takes a place; what takes none is not looked at), broken (its packet broke a rule of
//      the link), finish (its packet ends; also without a flit).
//   2. flit_data is the flit in c + 1; targets, with flit_first, how many target flits follow the header. taken is the number of
//      flits of the packet begun last that took a place before c + 1.
//   3. verdict_valid comes one cycle after finish. verdict_malformed with verdict_cause: the first cause that applies
//      (doc/packet.md section 5). verdict_keep: the packet is kept, as it is well-formed or refused but answered. The marks
//      of the three classes (doc/plane/link.md section 5), and the header, which is 0 if it took no place, stand beside.
// Cost: latency 2 from wires to verdict; registers of one packet.
// Proved: formal/common/formal_packet_check.v
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_plane.vh"

module moehub_packet_check #(
    parameter TOWARDS_HUB       = 0,  // 0: a switch receives, 1: a hub
    parameter LOOP_BACK         = 0,  // 0, 1: a hub receives what it sends to itself (doc/hub/ingress.md section 1)
    parameter PORTS             = 8,  // 2..64; towards a hub ..1024: GPUs
    parameter LOCAL_EXPERT_BITS = 8,  // 0..8
    parameter MAX_TARGETS       = 32, // 1..32 ids in a packet
    parameter REQUEST_LINES     = 8   // 1, 2, 4, 8 lines in a request
) (
    input  wire                                                          clk,
    input  wire                                                          rst,
    input  wire [9:0]                                                    own, // the port's number, or the hub's GPU
    input  wire [127:0]                                                  wire_data,
    input  wire [1:0]                                                    wire_class,
    input  wire                                                          flit_first,
    input  wire                                                          take,
    input  wire                                                          broken,
    input  wire                                                          finish,
    output wire [127:0]                                                  flit_data,
    output wire [2:0]                                                    targets,
    output wire [4:0]                                                    taken,
    output wire                                                          verdict_valid,
    output wire                                                          verdict_keep,
    output wire                                                          verdict_malformed,
    output wire [3:0]                                                    verdict_cause,
    output wire [127:0]                                                  verdict_header,
    output wire [`MOEHUB_STORE_MARK_WIDTH - 1:0]                         mark_store,
    output wire [`MOEHUB_REQUEST_MARK_WIDTH(TOWARDS_HUB, PORTS) - 1:0]   mark_request,
    output wire [`MOEHUB_RESPONSE_MARK_WIDTH(PORTS) - 1:0]               mark_response
);
    localparam HUB          = TOWARDS_HUB == 1;
    localparam IDS          = `MOEHUB_TARGETS_PER_FLIT;
    localparam ID_WIDTH     = `MOEHUB_TARGET_WIDTH;
    localparam SET_WIDTH    = `MOEHUB_PORTS_SET_WIDTH(TOWARDS_HUB, PORTS);
    localparam NUMBER_WIDTH = `MOEHUB_INDEX_WIDTH(PORTS);
    localparam [31:0] ALL_PORTS = PORTS;

    // ---- stage 0, the wires: the flit as a header, and as a target flit, each id beside the one below it ------------
    wire       malformed;
    wire [3:0] cause;
    wire [4:0] flits;
    wire [2:0] target_flits;
    wire [5:0] ids;

    moehub_header_check #(
        .TOWARDS_HUB(TOWARDS_HUB), .LOOP_BACK(LOOP_BACK), .PORTS(PORTS), .LOCAL_EXPERT_BITS(LOCAL_EXPERT_BITS),
        .MAX_TARGETS(MAX_TARGETS), .REQUEST_LINES(REQUEST_LINES)
    ) u_header (
        .header(wire_data), .flit_class(wire_class), .own(own), .malformed(malformed), .cause(cause), .flits(flits),
        .target_flits(target_flits), .targets(ids)
    );

    wire [IDS - 1:0] wrong_gpu;
    wire [IDS - 1:0] not_zero;
    wire [IDS - 1:1] rises;
    wire [IDS - 1:1] another_gpu;

    genvar i;
    generate
        for (i = 0; i < IDS; i = i + 1) begin : g_wires
            wire [ID_WIDTH - 1:0] id  = wire_data[i * ID_WIDTH +: ID_WIDTH];
            wire [ID_WIDTH - 1:0] gpu = id >> LOCAL_EXPERT_BITS;
            assign wrong_gpu[i] = HUB ? gpu != {6'd0, own} : gpu == {6'd0, own} || gpu >= ALL_PORTS[15:0];
            assign not_zero[i]  = id != {ID_WIDTH{1'b0}};
            if (i > 0) begin : g_beside
                assign rises[i]       = id > g_wires[i - 1].id;
                assign another_gpu[i] = gpu != g_wires[i - 1].gpu;
            end
        end
    endgenerate

    reg [127:0]     s1_data_q;
    reg             s1_malformed_q;
    reg [3:0]       s1_cause_q;
    reg [4:0]       s1_flits_q;
    reg [2:0]       s1_target_flits_q;
    reg [5:0]       s1_ids_q;
    reg [IDS - 1:0] s1_wrong_gpu_q;
    reg [IDS - 1:0] s1_not_zero_q;
    reg [IDS - 1:1] s1_rises_q;
    reg [IDS - 1:1] s1_another_gpu_q;

    always @(posedge clk) begin
        s1_data_q         <= wire_data;
        s1_malformed_q    <= malformed;
        s1_cause_q        <= cause;
        s1_flits_q        <= flits;
        s1_target_flits_q <= target_flits;
        s1_ids_q          <= ids;
        s1_wrong_gpu_q    <= wrong_gpu;
        s1_not_zero_q     <= not_zero;
        s1_rises_q        <= rises;
        s1_another_gpu_q  <= another_gpu;
    end

    assign flit_data = s1_data_q;
    assign targets   = s1_target_flits_q;

    // ---- stage 1: the packet, with this flit if it takes a place ----------------------------------------------------
    reg                  headless_q; // its header took no place
    reg                  malformed_q;
    reg [3:0]            cause_q;
    reg                  wrong_q; // a target flit of it was wrong
    reg                  broken_q;
    reg [4:0]            taken_q;
    reg [4:0]            flits_q;
    reg [5:0]            ids_left_q; // ids in target flits that are to come
    reg                  ids_begun_q;
    reg [ID_WIDTH - 1:0] last_id_q;
    reg [5:0]            copies_q;
    reg [127:0]          header_q;

    wire                  ids_come  = take && !flit_first && ids_left_q != 6'd0;
    wire [ID_WIDTH - 1:0] s1_id     = s1_data_q[ID_WIDTH - 1:0];
    wire                  s1_rises  = !ids_begun_q || s1_id > last_id_q;
    wire                  s1_beside = ids_begun_q && s1_id >> LOCAL_EXPERT_BITS == last_id_q >> LOCAL_EXPERT_BITS;

    wire [IDS - 1:0] used; // the ids of this flit that count
    wire [IDS - 1:0] s1_wrong = (used & (s1_wrong_gpu_q | ~{s1_rises_q, s1_rises})) | (~used & s1_not_zero_q);
    wire [IDS - 1:0] s1_new   = used & {s1_another_gpu_q, !s1_beside};

    generate
        for (i = 0; i < IDS; i = i + 1) begin : g_used
            assign used[i] = ids_left_q > i;
        end
    endgenerate

    wire [6:0] s1_new_gpus;
    wire       unused_new = s1_new_gpus[6];
    moehub_count_ones #(.WIDTH(IDS)) u_new (.bits(s1_new), .count(s1_new_gpus));

    wire       s1_request  = s1_data_q[`MOEHUB_HEADER_TYPE_LSB +: `MOEHUB_HEADER_TYPE_WIDTH] == 4'd`MOEHUB_PACKET_LD_REDUCE;
    wire       header_request =
        header_q[`MOEHUB_HEADER_TYPE_LSB +: `MOEHUB_HEADER_TYPE_WIDTH] == 4'd`MOEHUB_PACKET_LD_REDUCE;
    wire       headless_d  = flit_first ? !take : headless_q;
    wire       malformed_d = flit_first ? s1_malformed_q : malformed_q;
    wire [3:0] cause_d     = flit_first ? s1_cause_q : cause_q;
    wire       wrong_d     = !flit_first && (wrong_q || (ids_come && |s1_wrong));
    wire       broken_d    = broken || (!flit_first && broken_q);
    wire [4:0] taken_d     = (flit_first ? 5'd0 : taken_q) + {4'd0, take};
    wire [4:0] flits_d     = flit_first ? s1_flits_q : flits_q;
    wire       request_d   = flit_first ? s1_request : header_request;

    always @(posedge clk) begin
        headless_q  <= headless_d;
        malformed_q <= malformed_d;
        cause_q     <= cause_d;
        wrong_q     <= wrong_d;
        broken_q    <= broken_d;
        taken_q     <= taken_d;
        flits_q     <= flits_d;
        if (flit_first) begin
            header_q    <= take ? s1_data_q : 128'd0;
            ids_left_q  <= take && s1_target_flits_q != 3'd0 ? s1_ids_q : 6'd0;
            ids_begun_q <= 1'b0;
            copies_q    <= s1_target_flits_q == 3'd0 ? 6'd1 : 6'd0; // FORMAT 1 names one GPU
        end else if (ids_come) begin
            ids_left_q  <= ids_left_q[5:3] == 3'd0 ? 6'd0 : ids_left_q - 6'd8;
            ids_begun_q <= 1'b1;
            copies_q    <= copies_q + s1_new_gpus[5:0];
        end
        if (ids_come) last_id_q <= s1_data_q[(IDS - 1) * ID_WIDTH +: ID_WIDTH];
    end

    assign taken = taken_q;

    // ---- the verdict, of what stage 1 knows -------------------------------------------------------------------------
    reg       verdict_valid_q;
    reg       verdict_malformed_q;
    reg [3:0] verdict_cause_q;
    reg       verdict_refused_q;

    wire       early     = !headless_d && malformed_d;
    wire       frame     = headless_d || broken_d || taken_d != flits_d;
    wire [3:0] cause_now = early ? cause_d :
        wrong_d && !headless_d ? 4'd`MOEHUB_PACKET_CAUSE_TARGET : 4'd`MOEHUB_PACKET_CAUSE_FRAME;
    wire       answered  = !HUB && !headless_d && request_d && (!malformed_d || cause_d >= 4'd`MOEHUB_PACKET_CAUSE_SOURCE);

    always @(posedge clk) begin
        verdict_valid_q     <= finish;
        verdict_malformed_q <= early || wrong_d || frame;
        verdict_cause_q     <= cause_now;
        verdict_refused_q   <= answered && (early || wrong_d || frame);
        if (rst) verdict_valid_q <= 1'b0;
    end

    assign verdict_valid     = verdict_valid_q;
    assign verdict_malformed = verdict_malformed_q;
    assign verdict_cause     = verdict_cause_q;
    assign verdict_keep      = !verdict_malformed_q || verdict_refused_q;
    assign verdict_header    = header_q;

    // ---- marks: they stand in header_q until a cycle after the verdict ----------------------------------------------
    wire       compact = HUB && header_q[`MOEHUB_HEADER_FORMAT_LSB];
    wire [5:0] count   = compact ? {4'd0, header_q[`MOEHUB_COMPACT_TARGET_COUNT_LSB +: `MOEHUB_COMPACT_TARGET_COUNT_WIDTH]}
        : header_q[`MOEHUB_HEADER_TARGET_COUNT_LSB +: `MOEHUB_HEADER_TARGET_COUNT_WIDTH];
    wire [3:0] round   = compact ? header_q[`MOEHUB_COMPACT_ROUND_LSB +: `MOEHUB_COMPACT_ROUND_WIDTH]
        : header_q[`MOEHUB_HEADER_ROUND_LSB +: `MOEHUB_HEADER_ROUND_WIDTH];
    wire [SET_WIDTH - 1:0] ports;

    genvar p;
    generate
        if (HUB) begin : g_hub
            assign ports = 1'b0;
        end else begin : g_switch
            reg  [PORTS - 1:0] ports_q;
            wire [PORTS - 1:0] named; // by the ids of this flit
            for (p = 0; p < PORTS; p = p + 1) begin : g_port
                localparam [31:0] NUMBER = p;
                wire [IDS - 1:0] names;
                for (i = 0; i < IDS; i = i + 1) begin : g_id
                    assign names[i] = used[i] &&
                        s1_data_q[i * ID_WIDTH + LOCAL_EXPERT_BITS +: NUMBER_WIDTH] == NUMBER[NUMBER_WIDTH - 1:0];
                end
                assign named[p] = |names;
            end
            always @(posedge clk) begin
                if (flit_first) ports_q <= {PORTS{1'b0}};
                else if (ids_come) ports_q <= ports_q | named;
            end
            assign ports = ports_q;
        end
    endgenerate

    assign mark_store[`MOEHUB_MARK_TARGETS_LSB +: `MOEHUB_MARK_TARGETS_WIDTH] = count;
    assign mark_store[`MOEHUB_MARK_COPIES_LSB +: `MOEHUB_MARK_COPIES_WIDTH]   = copies_q;

    assign mark_request[`MOEHUB_STORE_MARK_WIDTH - 1:0]           = mark_store;
    assign mark_request[`MOEHUB_MARK_REFUSED_LSB]                 = verdict_refused_q;
    assign mark_request[`MOEHUB_MARK_TAG_LSB +: `MOEHUB_MARK_TAG_WIDTH] =
        header_q[`MOEHUB_HEADER_TAG_LSB +: `MOEHUB_HEADER_TAG_WIDTH];
    assign mark_request[`MOEHUB_MARK_CONTEXT_LSB +: `MOEHUB_MARK_CONTEXT_WIDTH] =
        header_q[`MOEHUB_HEADER_CONTEXT_LSB +: `MOEHUB_HEADER_CONTEXT_WIDTH];
    assign mark_request[`MOEHUB_MARK_ROUND_LSB +: `MOEHUB_MARK_ROUND_WIDTH] = round;
    assign mark_request[`MOEHUB_MARK_ELEMENT_LSB +: `MOEHUB_MARK_ELEMENT_WIDTH] =
        header_q[`MOEHUB_HEADER_ELEMENT_LSB +: `MOEHUB_HEADER_ELEMENT_WIDTH];
    assign mark_request[`MOEHUB_MARK_OUT_FP32_LSB]                = header_q[`MOEHUB_HEADER_OUT_FP32_LSB];
    assign mark_request[`MOEHUB_MARK_LENGTH_LSB +: `MOEHUB_MARK_LENGTH_WIDTH] =
        header_q[`MOEHUB_HEADER_LENGTH_LSB +: `MOEHUB_HEADER_LENGTH_WIDTH];
    assign mark_request[`MOEHUB_MARK_PORTS_LSB +: SET_WIDTH]      = ports;

    assign mark_response[`MOEHUB_MARK_PARTIAL_LSB] =
        header_q[`MOEHUB_HEADER_TYPE_LSB +: `MOEHUB_HEADER_TYPE_WIDTH] == 4'd`MOEHUB_PACKET_PARTIAL;
    assign mark_response[`MOEHUB_MARK_DESTINATION_LSB +: NUMBER_WIDTH] = header_q[`MOEHUB_HEADER_OFFSET_LSB +: NUMBER_WIDTH];
endmodule

`default_nettype wire
