// SPDX-License-Identifier: Apache-2.0
// Purpose: accepts requests: each takes a waiting entry, whose name it keeps until its answer is computed.
// Contract:
//   1. request_ready is low when no entry is free and while `open` is low. Both take effect one cycle later.
//   2. accepted_* follows acceptance by one cycle, never stalled. done_id is free again from the cycle after done_valid on.
//   3. waiting_free: an entry is free in this cycle. waiting_used: entries in use.
// Cost: memory WAITING x the entry's name; a register for the request.
// Proved: formal/hub/formal_address_path.v (front_stays), formal/common/formal_free_list.v
`default_nettype none
`include "moehub_hub.vh"
`include "moehub_width.vh"

module moehub_acceptance #(
    parameter PORTS        = 16,
    parameter WAITING      = 128,
    parameter TAG_WIDTH    = 24,
    parameter LENGTH_WIDTH = 9,
    parameter PARITY       = 0
) (
    input  wire                                      clk,
    input  wire                                      rst,
    input  wire                                      open,
    input  wire                                      request_valid,
    output wire                                      request_ready,
    input  wire [`MOEHUB_REQUEST_WIDTH(PORTS, TAG_WIDTH, LENGTH_WIDTH) - 1:0] request,
    output wire                                      accepted_valid,
    output wire [`MOEHUB_INDEX_WIDTH(WAITING) - 1:0] accepted_id,
    output wire [`MOEHUB_REQUEST_WIDTH(PORTS, TAG_WIDTH, LENGTH_WIDTH) - 1:0] accepted_request,
    input  wire                                      done_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(WAITING) - 1:0] done_id,
    output wire                                      waiting_free,
    output wire [$clog2(WAITING + 1) - 1:0]          waiting_used,
    output wire                                      waiting_parity // an error in the list of free entries
);

    localparam ID_WIDTH = `MOEHUB_INDEX_WIDTH(WAITING);

    wire                  next_free;
    wire [ID_WIDTH - 1:0] id;
    reg                   request_ready_q;
    wire                  accept = request_valid && request_ready_q;
    assign request_ready = request_ready_q;

    moehub_free_list #(.ENTRIES(WAITING), .PARITY(PARITY)) u_waiting (
        .clk(clk), .rst(rst), .valid(waiting_free), .next_valid(next_free), .id(id), .take(accept),
        .put_valid(done_valid), .put_id(done_id), .used(waiting_used), .parity_error(waiting_parity)
    );

    reg                  s1_valid_q;
    reg [ID_WIDTH - 1:0] s1_id_q;
    reg [`MOEHUB_REQUEST_WIDTH(PORTS, TAG_WIDTH, LENGTH_WIDTH) - 1:0] s1_request_q;
    assign accepted_valid   = s1_valid_q;
    assign accepted_id      = s1_id_q;
    assign accepted_request = s1_request_q;

    always @(posedge clk) begin
        request_ready_q <= next_free && open;
        s1_valid_q      <= accept;
        if (rst) begin
            request_ready_q <= 1'b0;
            s1_valid_q      <= 1'b0;
        end
    end

    always @(posedge clk) begin
        s1_id_q      <= id;
        s1_request_q <= request;
    end
endmodule

`default_nettype wire
