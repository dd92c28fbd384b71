// SPDX-License-Identifier: Apache-2.0
// Purpose: brings the partials of the loop-back's pre_reduce to the final_reduce that their tag names (doc/hub/reduce.md
//   section 2).
// Contract:
//   1. A partial is a packet: header, then its data flits. Out: a flit for each data flit; of one with a status, a flit of zeros.
//   2. The link is TAG bits 23:22, entry 21:8, generation 7:0. A link that is not there: the packet is taken, nothing else.
//   3. Links are served in the order of the packets. All outputs are registers, but tready: a gate of m_axis_own_tready.
// Cost: a flit a cycle, one cycle a packet for its header. 170 flops.
// Proved: formal/hub/formal_own_partials.v
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_hub_way.vh"

module moehub_own_partials #(
    parameter LINKS = 1 // 1..4
) (
    input  wire                                clk,
    input  wire                                rst,
    input  wire                                s_axis_partial_tvalid,
    output wire                                s_axis_partial_tready,
    input  wire [127:0]                        s_axis_partial_tdata,
    input  wire                                s_axis_partial_tlast,
    output wire [LINKS - 1:0]                  m_axis_own_tvalid,
    input  wire [LINKS - 1:0]                  m_axis_own_tready,
    output wire [`MOEHUB_WAY_RESULT_WIDTH - 1:0] m_axis_own_tdata,
    output wire                                m_axis_own_tlast
);
    generate
        if (LINKS < 1 || LINKS > 4) LINKS_must_be_1_to_4 u_rule ();
    endgenerate

    wire         flit_valid;
    wire         flit_taken;
    wire [127:0] flit;
    wire         flit_last;
    moehub_ready_buffer #(.WIDTH(129)) u_in (
        .clk(clk), .rst(rst), .in_valid(s_axis_partial_tvalid), .in_ready(s_axis_partial_tready),
        .in_data({s_axis_partial_tdata, s_axis_partial_tlast}), .out_valid(flit_valid), .out_ready(flit_taken),
        .out_data({flit, flit_last})
    );

    // ---- header -----------------------------------------------------------------------------------------------------------
    reg        inside_q; // the header went
    reg [23:0] tag_q;
    reg [3:0]  status_q;
    reg [1:0]  element_q;
    reg [8:0]  length_q;

    wire [23:0] tag     = inside_q ? tag_q : flit[`MOEHUB_HEADER_TAG_LSB +: `MOEHUB_HEADER_TAG_WIDTH];
    wire [3:0]  status  = inside_q ? status_q : flit[`MOEHUB_HEADER_STATUS_LSB +: `MOEHUB_HEADER_STATUS_WIDTH];
    wire [1:0]  element = inside_q ? element_q : flit[`MOEHUB_HEADER_ELEMENT_LSB +: `MOEHUB_HEADER_ELEMENT_WIDTH];
    wire [8:0]  length  = inside_q ? length_q : flit[`MOEHUB_HEADER_LENGTH_LSB +: `MOEHUB_HEADER_LENGTH_WIDTH];

    // ---- output register ------------------------------------------------------------------------------------------------------
    localparam [31:0] ALL_LINKS = LINKS;
    reg  [LINKS - 1:0]                    valid_q;
    reg  [`MOEHUB_WAY_RESULT_WIDTH - 1:0] result_q;
    reg                                   last_q;

    wire move  = (valid_q & ~m_axis_own_tready) == {LINKS{1'b0}};
    wire shows = flit_valid && (inside_q || flit_last) && {30'd0, tag[23:22]} < ALL_LINKS; // a header alone is a flit
    wire [3:0] link = 4'd1 << tag[23:22];

    assign flit_taken        = move;
    assign m_axis_own_tvalid = valid_q;
    assign m_axis_own_tdata  = result_q;
    assign m_axis_own_tlast  = last_q;
    always @(posedge clk) begin
        if (move && flit_valid) begin
            inside_q  <= !flit_last;
            tag_q     <= tag;
            status_q  <= status;
            element_q <= element;
            length_q  <= length;
            result_q  <= `MOEHUB_WAY_RESULT({2'd0, tag[21:8]}, tag[7:0], status, element, length, flit & {128{inside_q}});
            last_q    <= flit_last;
        end
        if (move) valid_q <= link[LINKS - 1:0] & {LINKS{shows}};
        if (rst) begin
            inside_q <= 1'b0;
            valid_q  <= {LINKS{1'b0}};
        end
    end
    wire unused_link = ^link;
endmodule

`default_nettype wire
