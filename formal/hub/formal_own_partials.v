// SPDX-License-Identifier: Apache-2.0
// moehub_own_partials: each data flit of a partial, or one flit of zeros of a partial that is a header alone, leaves once, in
// order, at the link of its tag with its entry and generation; a partial of a link that is not there is taken and gone.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_hub_way.vh"
module formal_own_partials #(
    parameter LINKS = 2
) (
    input wire               clk,
    input wire               rst,
    input wire               in_valid,
    input wire [127:0]       in_data,
    input wire               in_last,
    input wire [LINKS - 1:0] out_ready,
    input wire               mark
);
`include "formal_reset.vh"
    wire                                  in_ready;
    wire [LINKS - 1:0]                    out_valid;
    wire [`MOEHUB_WAY_RESULT_WIDTH - 1:0] out_data;
    wire                                  out_last;
    moehub_own_partials #(.LINKS(LINKS)) u_partials (
        .clk(clk), .rst(rst), .s_axis_partial_tvalid(in_valid), .s_axis_partial_tready(in_ready), .s_axis_partial_tdata(in_data),
        .s_axis_partial_tlast(in_last), .m_axis_own_tvalid(out_valid), .m_axis_own_tready(out_ready), .m_axis_own_tdata(out_data),
        .m_axis_own_tlast(out_last)
    );
    (* anyconst *) wire [1:0] link;
    always @* assume (link < LINKS);
    formal_stream_assert #(.WIDTH(`MOEHUB_WAY_RESULT_WIDTH + 1)) u_own (
        .clk(clk), .rst(rst), .valid(out_valid[link]), .ready(out_ready[link]), .data({out_last, out_data})
    );

    // ---- what each flit that is taken becomes: nothing, or a flit for a link --------------------------------------------------
    // After a reset a header comes first.
    reg         begun_q = 1'b0; // a header was taken, and its packet has not ended
    reg [127:0] header_q;
    wire [127:0] header = begun_q ? header_q : in_data;
    wire [23:0] tag     = header[`MOEHUB_HEADER_TAG_LSB +: `MOEHUB_HEADER_TAG_WIDTH];
    wire        taken   = in_valid && in_ready && !rst;
    wire        becomes = taken && (begun_q || in_last) && {30'd0, tag[23:22]} < LINKS;
    wire [`MOEHUB_WAY_RESULT_WIDTH - 1:0] result = `MOEHUB_WAY_RESULT({2'd0, tag[21:8]}, tag[7:0],
        header[`MOEHUB_HEADER_STATUS_LSB +: `MOEHUB_HEADER_STATUS_WIDTH],
        header[`MOEHUB_HEADER_ELEMENT_LSB +: `MOEHUB_HEADER_ELEMENT_WIDTH],
        header[`MOEHUB_HEADER_LENGTH_LSB +: `MOEHUB_HEADER_LENGTH_WIDTH], (begun_q ? in_data : 128'd0));
    wire        leaves  = (out_valid & out_ready) != {LINKS{1'b0}} && !rst;
    reg  [1:0]  inside_q = 2'd0; // flits for links
    reg         marked_q = 1'b0;
    reg  [1:0]  ahead_q;
    reg  [1:0]  link_q;
    reg  [`MOEHUB_WAY_RESULT_WIDTH - 1:0] result_q;
    reg         last_q;
    reg  [1:0]  waits_q = 2'd0; // cycles in which one was inside and none was shown
    wire        turn = marked_q && ahead_q == 2'd0;
    always @(posedge clk) begin
        if (taken) begun_q <= !in_last;
        if (taken && !begun_q) header_q <= in_data;
        inside_q <= inside_q + {1'b0, becomes} - {1'b0, leaves};
        if (becomes && mark && !marked_q) begin
            marked_q <= 1'b1;
            ahead_q  <= inside_q - {1'b0, leaves};
            link_q   <= tag[23:22];
            result_q <= result;
            last_q   <= in_last;
        end else if (marked_q && leaves) begin
            ahead_q  <= ahead_q - 2'd1;
            marked_q <= !turn;
        end
        waits_q <= inside_q != 2'd0 && out_valid == {LINKS{1'b0}} ? waits_q + {1'b0, waits_q != 2'd3} : 2'd0;
        if (rst) begin
            begun_q  <= 1'b0;
            inside_q <= 2'd0;
            marked_q <= 1'b0;
            waits_q  <= 2'd0;
        end
    end
    always @* if (started_q && !rst) begin
        as_sent:   assert (!(turn && out_valid != {LINKS{1'b0}})
            || (out_valid == 1 << link_q && out_data == result_q && out_last == last_q));
        no_more:   assert (out_valid == {LINKS{1'b0}} || inside_q != 2'd0);
        one_link:  assert ((out_valid & (out_valid - 1'b1)) == {LINKS{1'b0}});
        goes_on:   assert (waits_q <= 2'd1);
        takes:     assert (reset_q || in_ready || inside_q != 2'd0);
    end
    always @* if (started_q) begin
        second:  cover (turn && leaves && last_q && begun_q);
        alone:   cover (turn && leaves && result_q[27:24] != 4'd0);
        nowhere: cover (taken && !begun_q && in_last && !becomes);
    end
endmodule
`default_nettype wire
