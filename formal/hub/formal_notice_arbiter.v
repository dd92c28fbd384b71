// SPDX-License-Identifier: Apache-2.0
// moehub_notice_arbiter: every close and notify leaves once, at its way, in the order of its source; one waits for its way's room
// and for one notice of the other source there, and for nothing of another way.
`default_nettype none
`include "moehub_tile_tracker.vh"
module formal_notice_arbiter #(
    parameter LINKS = 1
) (
    input wire                                  clk,
    input wire                                  rst,
    input wire [1:0]                            asks,
    input wire [2 * `MOEHUB_NOTICE_WIDTH - 1:0] notices,
    input wire [LINKS:0]                        ready,
    input wire                                  mark
);
`include "formal_reset.vh"
    wire [1:0]                     taken;
    wire [LINKS:0]                 valid;
    wire [(LINKS + 1) * 128 - 1:0] flits;
    moehub_notice_arbiter #(.LINKS(LINKS)) u_arbiter (
        .clk(clk), .rst(rst), .s_axis_notice_tvalid(asks), .s_axis_notice_tready(taken), .s_axis_notice_tdata(notices),
        .m_axis_notice_tvalid(valid), .m_axis_notice_tready(ready), .m_axis_notice_tdata(flits)
    );

    // ---- a source and a way of the solver's choice; what stands stays until it is taken --------------------------------------
    (* anyconst *) wire       source;
    (* anyconst *) wire [2:0] way;
    always @* assume (way <= LINKS);
    wire [127:0] flit;
    wire [2:0]   names;
    wire [127:0] other_flit;
    wire [2:0]   other_names;
    assign `MOEHUB_NOTICE(flit, names) =
        source ? notices[`MOEHUB_NOTICE_WIDTH +: `MOEHUB_NOTICE_WIDTH] : notices[0 +: `MOEHUB_NOTICE_WIDTH];
    assign `MOEHUB_NOTICE(other_flit, other_names) =
        source ? notices[0 +: `MOEHUB_NOTICE_WIDTH] : notices[`MOEHUB_NOTICE_WIDTH +: `MOEHUB_NOTICE_WIDTH];
    reg [1:0]                            stood_q = 2'd0;
    reg [2 * `MOEHUB_NOTICE_WIDTH - 1:0] notices_q;
    always @(posedge clk) begin
        stood_q   <= rst ? 2'd0 : asks & ~taken;
        notices_q <= notices;
    end
    always @* begin
        if (stood_q[0]) assume (asks[0] && notices[0 +: `MOEHUB_NOTICE_WIDTH] == notices_q[0 +: `MOEHUB_NOTICE_WIDTH]);
        if (stood_q[1]) assume (asks[1] && notices[`MOEHUB_NOTICE_WIDTH +: `MOEHUB_NOTICE_WIDTH]
            == notices_q[`MOEHUB_NOTICE_WIDTH +: `MOEHUB_NOTICE_WIDTH]);
    end

    // ---- what is inside for the way, and one notice of it --------------------------------------------------------------
    wire stands = asks[source] && names == way;
    wire enters = stands && taken[source] && !rst;
    wire other  = asks[!source] && other_names == way && taken[!source] && !rst;
    wire leave  = valid[way] && ready[way] && !rst;
    reg [1:0]   inside_q = 2'd0;
    reg [1:0]   ahead_q;
    reg         marked_q = 1'b0;
    reg [127:0] marked_flit_q;
    reg [1:0]   passed_q = 2'd0; // notices of the other source at this way since that of the source stands
    reg         was_full_q = 1'b0;
    always @(posedge clk) begin
        inside_q <= inside_q + {1'd0, enters} + {1'd0, other} - {1'd0, leave};
        if (inside_q == 2'd2) was_full_q <= 1'b1;
        if (enters && mark && !marked_q) begin
            marked_q      <= 1'b1;
            marked_flit_q <= flit;
            ahead_q       <= inside_q - {1'd0, leave};
        end else if (marked_q && leave) begin
            ahead_q  <= ahead_q - 2'd1;
            marked_q <= ahead_q != 2'd0;
        end
        if (!stands || enters) passed_q <= 2'd0;
        else if (other && passed_q != 2'd3) passed_q <= passed_q + 2'd1;
        if (rst) begin
            inside_q <= 2'd0;
            marked_q <= 1'b0;
            passed_q <= 2'd0;
        end
    end

    always @* begin
        as_given:    assert (!(marked_q && ahead_q == 2'd0) || (valid[way] && flits[way * 128 +: 128] == marked_flit_q));
        none_lost:   assert (!started_q || valid[way] == (inside_q != 2'd0));
        one_turn:    assert (!(enters && other) && inside_q <= 2'd2);
        // Its way alone holds a notice up: with room there, it or the other source's goes in.
        own_way:     assert (!started_q || reset_q || rst || !stands || inside_q == 2'd2 || enters || other);
        waits_one:   assert (passed_q <= 2'd1);
        nowhere:     assert (!(asks[source] && names > LINKS) || taken[source]);
    end
    always @* begin
        full_leaves: cover (was_full_q && marked_q && ahead_q == 2'd0 && leave);
        others_full: cover (started_q && enters && (valid & ~(1 << way)) != {LINKS + 1{1'b0}}
            && (ready & ~(1 << way)) == {LINKS + 1{1'b0}});
        waited:      cover (passed_q == 2'd1 && enters);
        dropped:     cover (started_q && asks[source] && names > LINKS);
    end
endmodule
`default_nettype wire
