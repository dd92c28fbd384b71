// SPDX-License-Identifier: Apache-2.0
// Purpose: cuts the ids of an input's packets into records: up to three ids that follow one another in one target flit and belong
//   to one GPU.
// Contract:
//   1. record_valid: record_output, ids and count are those of the packet's next record, unused ids 0; starts and last: it is the
//      packet's first, its last. taken goes on to the next one. The packet stays until its last record is taken.
//   2. end_known: record_end says whether the next record is another copy's. It is not known of the last record of a target flit
//      that is not the packet's last: the next record's output tells it.
// Cost: combinational from the target flit to the record.
`default_nettype none
`include "moehub_crossbar.vh"
`include "moehub_width.vh"

module moehub_record_maker #(
    parameter LOCAL_EXPERT_BITS = 8,
    parameter PLACES            = 2048
) (
    input  wire clk,
    input  wire rst,

    input  wire                                          packet_valid,
    input  wire [5:0]                                    packet_ids, // their number
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
    output wire                                          starts,
    output wire                                          last,
    output wire [5:0]                                    record_output,
    output wire [23:0]                                   ids,
    output wire [1:0]                                    count,
    output wire                                          end_known,
    output wire                                          record_end,
    input  wire                                          taken
);
    localparam [15:0] LOCAL_MASK = (1 << LOCAL_EXPERT_BITS) - 1;

    reg  [5:0] made_q; // ids of the packet that are in records
    wire [5:0] left = packet_ids - made_q;
    wire [127:0] flit;
    wire       flit_ends;

    moehub_target_reader #(.PLACES(PLACES)) u_targets (
        .clk(clk), .rst(rst), .wanted(packet_valid), .start(starts), .listed(packet_listed), .place(packet_place),
        .targets_valid(targets_valid), .targets_ready(targets_ready), .targets_data(targets_data),
        .target_read_valid(target_read_valid), .target_read_ready(target_read_ready),
        .target_read_place(target_read_place), .read_data(read_data), .read_next(read_next),
        .flit_valid(record_valid), .flit(flit), .taken(taken && flit_ends)
    );

    // The next id and the three after it. same: it is in this flit, of this packet, and of the first one's GPU.
    wire [175:0] window = {48'd0, flit} >> {made_q[2:0], 4'd0};
    wire [3:0]   there;
    wire [3:0]   same;
    wire [31:0]  locals;
    wire         unused_window = &{1'b0, window[175:64]};

    genvar n;
    generate
        for (n = 0; n < 4; n = n + 1) begin : g_id
            localparam [31:0] N = n;
            wire [15:0] id  = window[n * 16 +: 16];
            wire [15:0] own = id & LOCAL_MASK;
            wire [15:0] gpu = id >> LOCAL_EXPERT_BITS;
            wire        unused = &{1'b0, own[15:8], gpu[15:6]};
            assign there[n] = {1'b0, made_q[2:0]} + N[3:0] < 4'd8 && left > N[5:0];
            assign same[n]  = there[n] && gpu[5:0] == record_output;
            assign locals[n * 8 +: 8] = own[7:0];
            if (n == 0) begin : g_first
                assign record_output = gpu[5:0];
            end
        end
    endgenerate

    // Ids ascend, so a GPU's ids stand together: the number of those that are the same is that of the record's.
    assign count      = same[1] && same[2] ? 2'd3 : same[1] ? 2'd2 : 2'd1;
    assign ids        = {same[1] && same[2] ? locals[23:16] : 8'd0, same[1] ? locals[15:8] : 8'd0, locals[7:0]};
    assign starts     = made_q == 6'd0;
    assign last       = left == {4'd0, count};
    assign flit_ends  = !there[count];
    assign end_known  = last || !flit_ends;
    assign record_end = last || !same[count];

    wire unused_locals = &{1'b0, locals[31:24], same[0]};

    always @(posedge clk) begin
        if (taken) made_q <= last ? 6'd0 : made_q + {4'd0, count};
        if (rst) made_q <= 6'd0;
    end
endmodule

`default_nettype wire
