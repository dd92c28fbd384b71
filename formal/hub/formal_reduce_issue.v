// SPDX-License-Identifier: Apache-2.0
// moehub_reduce_issue: each reduce becomes one group, and of that one request up if it has remote targets and one copy to the
// loop-back if it has own ones; or, refused or without targets, one answer, and nothing else is touched.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_hub_way.vh"
module formal_reduce_issue #(
    parameter LINKS        = 1,
    parameter FINAL_GROUPS = 1
) (
    input wire                                      clk,
    input wire                                      rst,
    input wire [LINKS - 1:0]                        link_up,
    input wire                                      checked_valid,
    input wire [`MOEHUB_REDUCE_CHECKED_WIDTH - 1:0] checked,
    input wire [127:0]                              flit,
    input wire [LINKS - 1:0]                        reserve_ready,
    input wire [LINKS - 1:0]                        grant_valid,
    input wire [LINKS * `MOEHUB_GRANT_WIDTH - 1:0]  grants,
    input wire [LINKS - 1:0]                        freed,
    input wire [(LINKS + 1) * 4 - 1:0]              queue_used,
    input wire                                      answer_ready
);
`include "formal_reset.vh"
    wire                                     checked_ready;
    wire                                     released;
    wire [LINKS - 1:0]                       reserve_valid;
    wire [`MOEHUB_RESERVE_WIDTH - 1:0]       reserve;
    wire [LINKS - 1:0]                       grant_ready;
    wire [LINKS:0]                           write;
    wire                                     write_last;
    wire                                     answer_valid;
    wire [`MOEHUB_REDUCE_ANSWER_WIDTH - 1:0] answer;
    moehub_reduce_issue #(.LINKS(LINKS), .CONTEXTS(1), .FINAL_GROUPS(FINAL_GROUPS)) u_issue (
        .clk(clk), .rst(rst), .own(10'd2), .rounds(4'd0), .link_up(link_up), .checked_valid(checked_valid),
        .checked_ready(checked_ready), .checked(checked), .flit_read(), .flit_own(), .flit_number(), .flit(flit),
        .released(released), .m_axis_reserve_tvalid(reserve_valid), .m_axis_reserve_tready(reserve_ready),
        .m_axis_reserve_tdata(reserve), .s_axis_grant_tvalid(grant_valid), .s_axis_grant_tready(grant_ready),
        .s_axis_grant_tdata(grants), .freed_valid(freed), .queue_used(queue_used), .request_write(write), .request_data(),
        .request_last(write_last), .request_flits(), .answer_valid(answer_valid), .answer_ready(answer_ready),
        .answer(answer), .line_asked(), .sent_up(), .sent_loop(), .answered(), .no_group(), .no_room(), .refused(),
        .refused_header()
    );
    formal_stream_assert #(.WIDTH(`MOEHUB_REDUCE_ANSWER_WIDTH)) u_answer (
        .clk(clk), .rst(rst), .valid(answer_valid), .ready(answer_ready), .data(answer)
    );

    // ---- a link of the solver's choice; its groups -------------------------------------------------------------------------
    (* anyconst *) wire [1:0] link;
    always @* assume (link < LINKS);
    formal_stream_assert #(.WIDTH(`MOEHUB_RESERVE_WIDTH)) u_reserve (
        .clk(clk), .rst(rst), .valid(reserve_valid[link]), .ready(reserve_ready[link]), .data(reserve)
    );

    // ---- the reduce at hand, and what was done for it ----------------------------------------------------------------------
    wire [3:0]                               status;
    wire [5:0]                               remotes;
    wire [5:0]                               owns;
    wire [`MOEHUB_REDUCE_FIELDS_WIDTH - 1:0] fields;
    assign `MOEHUB_REDUCE_CHECKED(status, remotes, owns, fields) = checked;
    always @* assume (remotes <= 6'd32 && owns <= 6'd32);
    wire [`MOEHUB_GRANT_WIDTH - 1:0] grant;
    reg  [LINKS - 1:0]               owed_q = {LINKS{1'b0}}; // grants of reservations that were taken
    wire [LINKS - 1:0]               reserved = reserve_valid & reserve_ready;
    wire [LINKS - 1:0]               granted  = grant_valid & grant_ready;
    wire [3:0]                       grant_status;
    wire [15:0]                      unused_entry;
    wire [7:0]                       unused_generation;
    assign grant = grants >> (owed_q[0] ? 0 : LINKS > 1 && owed_q[LINKS > 1 ? 1 : 0] ? `MOEHUB_GRANT_WIDTH : 0);
    assign `MOEHUB_GRANT(grant_status, unused_entry, unused_generation) = grant;
    always @* assume ((grant_valid & ~owed_q) == {LINKS{1'b0}});

    wire       takes = checked_valid && checked_ready && !rst;
    wire       ok    = granted != {LINKS{1'b0}} && grant_status == 4'd`MOEHUB_STATUS_OK;
    reg        busy_q = 1'b0;
    reg        at_once_q;
    reg        has_up_q;
    reg        has_own_q;
    reg        ok_q;
    reg [LINKS - 1:0] link_q; // where its group was reserved
    reg [1:0]  groups_q; // up to 3 of each are counted
    reg [1:0]  ups_q;
    reg [1:0]  loops_q;
    reg [1:0]  answers_q;
    wire       ups_now   = write[LINKS - 1:0] != {LINKS{1'b0}} && write_last;
    wire       loop_now  = write[LINKS] && write_last;
    wire       answers   = answer_valid && answer_ready;
    wire [1:0] groups    = groups_q + {1'b0, reserved != {LINKS{1'b0}} && groups_q != 2'd3};
    wire [1:0] ups       = ups_q + {1'b0, ups_now && ups_q != 2'd3};
    wire [1:0] loops     = loops_q + {1'b0, loop_now && loops_q != 2'd3};
    wire [1:0] told      = answers_q + {1'b0, answers && answers_q != 2'd3};
    reg [2:0]  taken_q; // groups of the link that are not free
    always @(posedge clk) begin
        owed_q    <= (owed_q | reserved) & ~granted;
        busy_q    <= takes || (busy_q && !released);
        at_once_q <= takes ? status != 4'd`MOEHUB_STATUS_OK || (remotes == 6'd0 && owns == 6'd0) : at_once_q;
        has_up_q  <= takes ? remotes != 6'd0 : has_up_q;
        has_own_q <= takes ? owns != 6'd0 : has_own_q;
        ok_q      <= !takes && (ok_q || ok);
        if (reserved != {LINKS{1'b0}}) link_q <= reserved;
        groups_q  <= takes ? 2'd0 : groups;
        ups_q     <= takes ? 2'd0 : ups;
        loops_q   <= takes ? 2'd0 : loops;
        answers_q <= takes ? 2'd0 : told;
        taken_q   <= taken_q + {2'd0, granted[link] && ok} - {2'd0, freed[link]};
        if (rst) begin
            owed_q  <= {LINKS{1'b0}};
            busy_q  <= 1'b0;
            taken_q <= 3'd0;
        end
    end
    always @* assume (!freed[link] || (started_q && taken_q != 3'd0));

    wire ends = busy_q && released && !rst;
    always @* begin
        one_at_once: assert (!started_q || rst || !(busy_q && checked_ready));
        one_group:   assert (!ends || groups == {1'b0, !at_once_q});
        one_up:      assert (!ends || ups == {1'b0, ok_q && has_up_q});
        one_loop:    assert (!ends || loops == {1'b0, ok_q && has_own_q});
        one_answer:  assert (!ends || told == {1'b0, !ok_q});
        untouched:   assert (!started_q || reset_q || rst || (busy_q && !at_once_q) ||
            (reserve_valid == {LINKS{1'b0}} && write == {LINKS + 1{1'b0}}));
        told_then:   assert (!busy_q || !at_once_q || answer_valid);
        its_link:    assert (!busy_q || write[LINKS - 1:0] == {LINKS{1'b0}} || write[LINKS - 1:0] == link_q);
        has_group:   assert (!started_q || !reserve_valid[link] || taken_q < FINAL_GROUPS);
    end
    always @* begin
        both:       cover (ends && ok_q && has_up_q && has_own_q && ups_q == 2'd1);
        loop_alone: cover (ends && ok_q && !has_up_q && has_own_q);
        drains:     cover (ends && !at_once_q && !ok_q);
        at_once:    cover (ends && at_once_q);
        group_back: cover (started_q && reserve_valid[link] && taken_q == FINAL_GROUPS - 1 && freed[link] == 1'b0);
    end
endmodule
`default_nettype wire
