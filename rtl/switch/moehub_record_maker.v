// SPDX-License-Identifier: Apache-2.0
// Purpose: cuts the ids of an input's packets into records: up to three ids that follow one another in one target flit and belong
//   to one GPU.
// Contract:
//   1. record_valid: record_output, ids and count are those of the next record, unused ids 0; name and copies are its packet's.
//      taken goes on to the next one. All are of this cycle's registers.
//   2. first, last: it is the packet's first record, its last. starts: it is a copy's first.
//   3. A packet stays until its last target flit is in the register, and so is gone before its last records are taken.
// How: a target flit in a register, with a bit for each id that says whether it belongs to the GPU of the id before it. A one-hot
//   place goes from record to record.
// Cost: a cycle from the target flit to its first record; a record a cycle.
`default_nettype none
`include "moehub_crossbar.vh"
`include "moehub_width.vh"

module moehub_record_maker #(
    parameter LOCAL_EXPERT_BITS = 8,
    parameter READ_REGISTER     = 1, // 0, 1: of moehub_target_reader
    parameter PLACES            = 2048,
    parameter NAME_WIDTH        = 10
) (
    input  wire clk,
    input  wire rst,

    input  wire                                          packet_valid,
    output wire                                          packet_ready,
    input  wire [NAME_WIDTH - 1:0]                       packet_name,
    input  wire [5:0]                                    packet_ids, // their number
    input  wire [5:0]                                    packet_copies,
    input  wire                                          packet_listed,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]  packet_place,

    input  wire                                          targets_valid,
    output wire                                          targets_ready,
    input  wire [127:0]                                  targets_data,

    output wire                                          target_read_valid,
    input  wire                                          target_read_ready,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]  target_read_place,
    input  wire [127:0]                                  read_data,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]  read_next,

    output wire                                          record_valid,
    output wire [NAME_WIDTH - 1:0]                       name,
    output wire [5:0]                                    copies,
    output wire                                          first,
    output wire                                          last,
    output wire                                          starts,
    output wire [5:0]                                    record_output,
    output wire [23:0]                                   ids,
    output wire [1:0]                                    count,
    input  wire                                          taken
);
    localparam [15:0] LOCAL_MASK = (1 << LOCAL_EXPERT_BITS) - 1;

    // ---- the target flit that comes ----------------------------------------------------------------------------------
    reg  [1:0] flits_q; // of the packet, that have come
    reg        valid_q;
    wire       flit_valid;
    wire [127:0] flit;
    wire       start = flits_q == 2'd0;
    wire [2:0] left_eights = packet_ids[5:3] - {1'b0, flits_q};
    wire       final_flit  = left_eights == 3'd0 || (left_eights == 3'd1 && packet_ids[2:0] == 3'd0);
    wire       flit_ends; // the record is the last one of the flit in the register
    wire       load = flit_valid && (!valid_q || (taken && flit_ends));

    moehub_target_reader #(.READ_REGISTER(READ_REGISTER), .PLACES(PLACES)) u_targets (
        .clk(clk), .rst(rst), .wanted(packet_valid), .start(start), .idle(!valid_q), .listed(packet_listed), .place(packet_place),
        .targets_valid(targets_valid), .targets_ready(targets_ready), .targets_data(targets_data),
        .target_read_valid(target_read_valid), .target_read_ready(target_read_ready),
        .target_read_place(target_read_place), .read_data(read_data), .read_next(read_next),
        .flit_valid(flit_valid), .flit(flit), .taken(load)
    );

    assign packet_ready = load && final_flit;

    // ---- the target flit in the register -----------------------------------------------------------------------------
    reg [63:0] locals_q;
    reg [47:0] gpus_q;
    reg [7:0]  there_q;   // ids of the packet
    reg [7:0]  follows_q; // id n belongs to the GPU of the id before it
    reg [7:0]  at_q;      // the next record's first id
    reg        first_q;
    reg        final_q;   // the packet's last flit
    reg [NAME_WIDTH - 1:0] name_q;
    reg [5:0]  copies_q;

    wire [63:0] locals;
    wire [47:0] gpus;
    wire [7:0]  there = left_eights != 3'd0 ? 8'hff : ~(8'hff << packet_ids[2:0]);
    wire [7:0]  follows;

    genvar n;
    generate
        for (n = 0; n < 8; n = n + 1) begin : g_id
            wire [15:0] own = flit[n * 16 +: 16] & LOCAL_MASK;
            wire [15:0] gpu = flit[n * 16 +: 16] >> LOCAL_EXPERT_BITS;
            wire        unused = &{1'b0, own[15:8], gpu[15:6]};
            assign locals[n * 8 +: 8] = own[7:0];
            assign gpus[n * 6 +: 6]   = gpu[5:0];
            if (n == 0) begin : g_first
                assign follows[n] = !start && gpu[5:0] == gpus_q[42 +: 6]; // the flit before is full
            end else begin : g_next
                assign follows[n] = there[n] && gpu[5:0] == gpus[n * 6 - 6 +: 6];
            end
        end
    endgenerate

    // ---- the record --------------------------------------------------------------------------------------------------
    // Ids ascend, so a GPU's ids stand together.
    wire       two   = |(at_q & {1'b0, follows_q[7:1]});
    wire       three = two && |(at_q & {2'b00, follows_q[7:2]});
    wire [7:0] next  = (three ? {at_q[4:0], 3'd0} : two ? {at_q[5:0], 2'd0} : {at_q[6:0], 1'b0}) & there_q;
    wire [7:0] id_1;
    wire [7:0] id_2;
    wire [7:0] id_3;

    moehub_one_hot_mux #(.WIDTH(6), .WAYS(8)) u_output (.select(at_q), .words(gpus_q), .word(record_output));
    moehub_one_hot_mux #(.WIDTH(8), .WAYS(8)) u_id_1 (.select(at_q), .words(locals_q), .word(id_1));
    moehub_one_hot_mux #(.WIDTH(8), .WAYS(8)) u_id_2 (.select(at_q), .words({8'd0, locals_q[63:8]}), .word(id_2));
    moehub_one_hot_mux #(.WIDTH(8), .WAYS(8)) u_id_3 (.select(at_q), .words({16'd0, locals_q[63:16]}), .word(id_3));

    assign flit_ends    = next == 8'd0;
    assign record_valid = valid_q;
    assign name         = name_q;
    assign copies       = copies_q;
    assign first        = first_q;
    assign last         = flit_ends && final_q;
    assign starts       = !(|(at_q & follows_q));
    assign ids          = {id_3 & {8{three}}, id_2 & {8{two}}, id_1};
    assign count        = {two, three || !two};

    always @(posedge clk) begin
        valid_q <= load || (valid_q && !(taken && flit_ends));
        if (load) flits_q <= final_flit ? 2'd0 : flits_q + 2'd1;
        if (rst) begin
            valid_q <= 1'b0;
            flits_q <= 2'd0;
        end
    end

    always @(posedge clk) begin
        if (taken) begin
            at_q    <= next;
            first_q <= 1'b0;
        end
        if (load) begin
            locals_q  <= locals;
            gpus_q    <= gpus;
            there_q   <= there;
            follows_q <= follows;
            at_q      <= 8'd1;
            first_q   <= start;
            final_q   <= final_flit;
            name_q    <= packet_name;
            copies_q  <= packet_copies;
        end
    end
endmodule

`default_nettype wire
