// SPDX-License-Identifier: Apache-2.0
// Purpose: takes the rows of an output of the response crossbar apart: partials for the reduction buffer, closes and notifies for
//   the egress (doc/plane/switch.md section 2).
// Contract:
//   1. Row 0 of a partial is its header: it is taken aside. Each payload row is one flit of `partial` in the next cycle, with the
//      header's fields, the last row as partial_last. A partial without payload is one flit of zeros, in the cycle after row 0.
//   2. It never waits: partial has no ready.
//   3. partial_port is the header's SOURCE, which the header check has found to be the port that the packet came through.
//   4. The row of a close or a notify goes to `notice`, a stream, in order.
//   5. A place among the NOTICES is reserved by `granted`, and given back in the cycle of a partial's row 0, or when a notice is
//      taken. room is a register: there is a place, and the reduction buffer is initialised. It falls in the cycle after a
//      `granted` that took the last place.
// Cost: latency 1 for partials, 2 for notices, a row a cycle; NOTICES * 128 memory bits.
// Limits: a copy's rows come in order, row 0 first, after its `granted`; a close or a notify is one row.
// Proved: formal/switch/formal_response_output.v
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_width.vh"

module moehub_response_output #(
    parameter PORTS   = 8, // 2..64
    parameter NOTICES = 16 // 4..64 closes and notifies that wait for the link
) (
    input  wire                                    clk,
    input  wire                                    rst,
    input  wire                                    initialised, // the reduction buffer
    output wire                                    room,        // for one more copy
    input  wire                                    granted,     // a copy will come
    input  wire                                    row_valid,
    input  wire [3:0]                              row_number,
    input  wire                                    row_last,
    input  wire [127:0]                            row_data,
    output wire                                    partial_valid,
    output wire [15:0]                             partial_entry,
    output wire [7:0]                              partial_generation,
    output wire [`MOEHUB_INDEX_WIDTH(PORTS) - 1:0] partial_port,
    output wire [3:0]                              partial_status,
    output wire [1:0]                              partial_element,
    output wire [8:0]                              partial_length,
    output wire [127:0]                            partial_data,
    output wire                                    partial_last,
    output wire                                    notice_valid,
    input  wire                                    notice_ready,
    output wire [127:0]                            notice_data
);
    generate
        if (PORTS < 2 || PORTS > 64) PORTS_must_be_2_to_64 u_rule ();
        if (NOTICES < 4 || NOTICES > 64) NOTICES_must_be_4_to_64 u_rule ();
    endgenerate

    localparam PORT_WIDTH = `MOEHUB_INDEX_WIDTH(PORTS);
    localparam [31:0] PLACES = NOTICES;

    wire first   = row_valid && row_number == 4'd0;
    wire partial = row_data[`MOEHUB_HEADER_TYPE_LSB +: `MOEHUB_HEADER_TYPE_WIDTH] == 4'd`MOEHUB_PACKET_PARTIAL;

    // ---- partials --------------------------------------------------------------------------------------------------------
    reg                    partial_valid_q;
    reg [23:0]             tag_q;
    reg [PORT_WIDTH - 1:0] port_q;
    reg [3:0]              status_q;
    reg [1:0]              element_q;
    reg [8:0]              length_q;
    reg [127:0]            data_q;
    reg                    last_q;

    always @(posedge clk) begin
        partial_valid_q <= first ? partial && row_last : row_valid;
        if (first) begin
            tag_q     <= row_data[`MOEHUB_HEADER_TAG_LSB +: `MOEHUB_HEADER_TAG_WIDTH];
            port_q    <= row_data[`MOEHUB_HEADER_SOURCE_LSB +: PORT_WIDTH];
            status_q  <= row_data[`MOEHUB_HEADER_STATUS_LSB +: `MOEHUB_HEADER_STATUS_WIDTH];
            element_q <= row_data[`MOEHUB_HEADER_ELEMENT_LSB +: `MOEHUB_HEADER_ELEMENT_WIDTH];
            length_q  <= row_data[`MOEHUB_HEADER_LENGTH_LSB +: `MOEHUB_HEADER_LENGTH_WIDTH];
        end
        data_q <= first ? 128'd0 : row_data;
        last_q <= row_last;
        if (rst) partial_valid_q <= 1'b0;
    end

    assign partial_valid      = partial_valid_q;
    assign partial_entry      = tag_q[23:8];
    assign partial_generation = tag_q[7:0];
    assign partial_port       = port_q;
    assign partial_status     = status_q;
    assign partial_element    = element_q;
    assign partial_length     = length_q;
    assign partial_data       = data_q;
    assign partial_last       = last_q;

    // ---- notices ---------------------------------------------------------------------------------------------------------
    reg [6:0] reserved_q; // places
    reg       room_q;

    wire       given_back = first && partial;
    wire       taken      = notice_valid && notice_ready;
    wire [6:0] reserved_d = reserved_q + {6'd0, granted} - {6'd0, given_back} - {6'd0, taken};
    wire       unused_empty;
    wire       unused_parity;

    assign room = room_q;

    moehub_memory_fifo #(.WIDTH(128), .DEPTH(NOTICES)) u_notices (
        .clk(clk), .rst(rst), .in_valid(first && !partial), .in_data(row_data),
        .out_valid(notice_valid), .out_ready(notice_ready), .out_data(notice_data),
        .empty(unused_empty), .parity_error(unused_parity)
    );

    always @(posedge clk) begin
        reserved_q <= reserved_d;
        room_q     <= initialised && reserved_d < PLACES[6:0];
        if (rst) begin
            reserved_q <= 7'd0;
            room_q     <= 1'b0;
        end
    end
endmodule

`default_nettype wire
