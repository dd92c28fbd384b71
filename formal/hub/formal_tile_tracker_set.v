// SPDX-License-Identifier: Apache-2.0
// moehub_tile_tracker_set: every word is cleared before anything is taken; an item does just what it says and is taken when that
// is done: one region, all of a context's, or ADVANCE, whose restart comes once, with nothing of the context on its way, and
// whose sweeps begin only then.
`default_nettype none
`include "moehub_tile_tracker.vh"
module formal_tile_tracker_set #(
    parameter CONTEXTS      = 2,
    parameter LOCAL_EXPERTS = 3,
    parameter WORDS         = 5
) (
    input wire                           clk,
    input wire                           rst,
    input wire                           set_valid,
    input wire [`MOEHUB_SET_WIDTH - 1:0] set,
    input wire [CONTEXTS - 1:0]          held,
    input wire [CONTEXTS - 1:0]          sweeping,
    input wire [2:0]                     cleared
);
`include "formal_reset.vh"
    localparam EMPTY = 15; // cycles in which whatever has entered a pipeline leaves it

    wire                  initialised;
    wire                  walking;
    wire [16:0]           walk;
    wire                  set_ready;
    wire                  region_write;
    wire [2:0]            region_context;
    wire [15:0]           region_expert;
    wire [15:0]           region_first;
    wire [16:0]           region_count;
    wire [CONTEXTS - 1:0] stop;
    wire [CONTEXTS - 1:0] restart;
    wire [2:0]            clear;
    wire [2:0]            clear_context;
    moehub_tile_tracker_set #(.CONTEXTS(CONTEXTS), .LOCAL_EXPERTS(LOCAL_EXPERTS), .WORDS(WORDS)) u_set (
        .clk(clk), .rst(rst), .initialised(initialised), .walking(walking), .walk(walk), .s_axis_set_tvalid(set_valid),
        .s_axis_set_tready(set_ready), .s_axis_set_tdata(set), .region_write(region_write), .region_context(region_context),
        .region_expert(region_expert), .region_first(region_first), .region_count(region_count), .held(held),
        .sweeping(sweeping), .cleared(cleared), .stop(stop), .restart(restart), .clear(clear), .clear_context(clear_context)
    );
    formal_stream_assume #(.WIDTH(`MOEHUB_SET_WIDTH)) u_in (
        .clk(clk), .rst(rst), .valid(set_valid), .ready(set_ready), .data(set)
    );
    wire [1:0]  what;
    wire [2:0]  named_context;
    wire [15:0] expert;
    wire [15:0] first;
    wire [16:0] count;
    assign `MOEHUB_SET(what, named_context, expert, first, count) = set;
    always @* assume (!set_valid || (what <= 2'd`MOEHUB_SET_ADVANCE && named_context < CONTEXTS));
    wire is_region   = what == 2'd`MOEHUB_SET_REGION;
    wire is_regions  = what == 2'd`MOEHUB_SET_CLEAR_REGIONS;
    wire is_advance  = what == 2'd`MOEHUB_SET_ADVANCE;
    wire [CONTEXTS - 1:0] its = {{CONTEXTS - 1{1'b0}}, 1'b1} << named_context;

    // ---- after reset -----------------------------------------------------------------------------------------------------
    reg [16:0] words_q  = 17'd0; // cleared
    reg        walked_q = 1'b0;  // all of them
    wire       last = words_q == WORDS - 1;
    always @(posedge clk) begin
        if (!walked_q) words_q <= words_q + 17'd1;
        walked_q <= !rst && (walked_q || last);
        if (rst) words_q <= 17'd0;
    end

    // ---- an item, from when it is offered until it is taken ----------------------------------------------------------------
    reg [2:0]  written_q   = 3'd0;  // regions written for it, 7 at most
    reg        restarted_q = 1'b0;
    reg [4:0]  empty_q     = 5'd0;  // cycles of stop with nothing of the context on its way, EMPTY at most
    reg        emptied_q   = 1'b0;  // so many, a cycle ago
    reg [2:0]  cleared_q   = 3'd0;  // sweeps that were done after the restart
    reg        stop_q      = 1'b0;
        reg [4:0]  waits_q     = 5'd0;  // cycles without anything to wait for
    wire       waits = |(its & (held | sweeping)) || (restarted_q && (clear & ~cleared) != 3'd0) || region_write;
    always @(posedge clk) begin
        written_q   <= written_q + {2'd0, region_write && written_q != 3'd7};
        restarted_q <= restarted_q || |restart;
        empty_q     <= |(its & (held | sweeping)) || stop == {CONTEXTS{1'b0}} ? 5'd0 : empty_q == EMPTY ? EMPTY : empty_q + 5'd1;
        emptied_q   <= empty_q == EMPTY;
        cleared_q   <= cleared_q | (clear & cleared);
        stop_q      <= |stop;
        waits_q     <= waits ? 5'd0 : waits_q + 5'd1;
        if (rst || !set_valid || set_ready || !walked_q) begin
            written_q   <= 3'd0;
            restarted_q <= 1'b0;
            empty_q     <= 5'd0;
            emptied_q   <= 1'b0;
            cleared_q   <= 3'd0;
            waits_q     <= 5'd0;
        end
        if (rst) stop_q <= 1'b0;
    end
    wire works = set_valid && walked_q;

    always @* if (started_q) begin
        walks:          assert (walking == !walked_q && initialised == walked_q);
        walks_all:      assert (!walking || walk == words_q);
        takes_why:      assert (!set_ready || works);
        region_why:     assert (!region_write || (works && !is_advance));
        region_is:      assert (!(region_write && is_region) || (region_expert == expert && region_first == first
            && region_count == count && region_context == named_context && written_q == 3'd0));
        regions_is:     assert (!(region_write && is_regions) || (region_expert == written_q && region_first == 16'd0
            && region_count == 17'd0 && region_context == named_context && written_q < LOCAL_EXPERTS));
        region_done:    assert (!(set_ready && is_region) || written_q == 3'd1);
        regions_done:   assert (!(set_ready && is_regions) || written_q == LOCAL_EXPERTS);
        stops_its:      assert (stop == {CONTEXTS{1'b0}} || (works && is_advance && stop == its));
        restarts_its:   assert (restart == {CONTEXTS{1'b0}} || (restart == stop && !restarted_q && emptied_q));
        clears_why:     assert (clear == 3'd0 || (|stop && restarted_q && clear_context == named_context));
        clears_then:    assert (!(restarted_q && stop_q) || clear == ~cleared_q);
        advance_done:   assert (!(set_ready && is_advance) || (restarted_q && cleared_q == 3'd7 && stop == {CONTEXTS{1'b0}}));
        in_time:        assert (waits_q <= EMPTY + 7);
    end
    always @* begin
        second:   cover (started_q && region_write && is_region && expert == 16'd2 && named_context == 3'd1);
        regions:  cover (started_q && set_ready && is_regions);
        advanced: cover (started_q && set_ready && is_advance && named_context == 3'd1);
    end
endmodule
`default_nettype wire
