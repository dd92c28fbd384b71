// SPDX-License-Identifier: Apache-2.0
// moehub_tile_tracker_token_turns: each operation is one source's item, unchanged, and each item that is taken is an operation at
// once; who asks without a pause has a turn in time.
`default_nettype none
`include "moehub_tile_tracker.vh"
module formal_tile_tracker_token_turns #(
    parameter LINKS = 1,
    parameter WAITS = 8 // cycles at most until a source that asks without a pause has its turn
) (
    input wire                                            clk,
    input wire                                            rst,
    input wire                                            open,
    input wire                                            expect_valid,
    input wire [`MOEHUB_EXPECTED_WIDTH - 1:0]             expected,
    input wire [LINKS:0]                                  notify_valid,
    input wire [(LINKS + 1) * `MOEHUB_NOTIFIED_WIDTH - 1:0] notify,
    input wire [1:0]                                      ask,
    input wire [2 * `MOEHUB_TOKEN_OPERATION_WIDTH - 1:0]  asks
);
`include "formal_reset.vh"
    localparam WAYS = LINKS + 1;
    wire                                       expect_ready;
    wire [WAYS - 1:0]                          notify_ready;
    wire [1:0]                                 take;
    wire                                       operation_valid;
    wire [`MOEHUB_TOKEN_OPERATION_WIDTH - 1:0] operation;
    moehub_tile_tracker_token_turns #(.LINKS(LINKS)) u_turns (
        .clk(clk), .rst(rst), .open(open), .s_axis_expect_tvalid(expect_valid), .s_axis_expect_tready(expect_ready),
        .s_axis_expect_tdata(expected), .s_axis_notify_tvalid(notify_valid), .s_axis_notify_tready(notify_ready),
        .s_axis_notify_tdata(notify), .ask(ask), .take(take), .asks(asks), .operation_valid(operation_valid),
        .operation(operation)
    );
    genvar w;
    generate
        for (w = 0; w < WAYS; w = w + 1) begin : g_way
            formal_stream_assume #(.WIDTH(`MOEHUB_NOTIFIED_WIDTH)) u_notify (
                .clk(clk), .rst(rst), .valid(notify_valid[w]), .ready(notify_ready[w]),
                .data(notify[w * `MOEHUB_NOTIFIED_WIDTH +: `MOEHUB_NOTIFIED_WIDTH])
            );
        end
    endgenerate
    formal_stream_assume #(.WIDTH(`MOEHUB_EXPECTED_WIDTH)) u_expect (
        .clk(clk), .rst(rst), .valid(expect_valid), .ready(expect_ready), .data(expected)
    );

    // ---- what was, a cycle ago ---------------------------------------------------------------------------------------------
    reg                                           open_q  = 1'b0;
    reg  [1:0]                                    took_q  = 2'd0;
    reg  [WAYS:0]                                 ready_q = {WAYS + 1{1'b0}};
    reg  [2 * `MOEHUB_TOKEN_OPERATION_WIDTH - 1:0] asks_q;
    always @(posedge clk) begin
        open_q  <= open;
        took_q  <= take & {2{!rst}};
        ready_q <= {notify_ready, expect_ready} & {WAYS + 1{!rst}};
        asks_q  <= asks;
    end

    (* anyconst *) wire [1:0] its_way;
    (* anyconst *) wire       its_inner;
    always @* assume (its_way < WAYS);
    wire [2:0]  expect_context;
    wire [15:0] expect_token;
    wire [5:0]  expect_count;
    assign `MOEHUB_EXPECTED(expect_context, expect_token, expect_count) = expected;
    wire [2:0]  named_context;
    wire [5:0]  source;
    wire [31:0] row_index;
    wire        failed;
    assign `MOEHUB_NOTIFIED(named_context, source, row_index, failed) =
        notify[its_way * `MOEHUB_NOTIFIED_WIDTH +: `MOEHUB_NOTIFIED_WIDTH];

    wire [WAYS + 2:0] turns = {took_q, notify_ready, expect_ready};
    reg  [4:0]        expect_waits_q = 5'd0;
    reg  [4:0]        notify_waits_q = 5'd0;
    reg  [4:0]        inner_waits_q  = 5'd0;
    always @(posedge clk) begin
        expect_waits_q <= open && expect_valid && !expect_ready && !rst ? expect_waits_q + 5'd1 : 5'd0;
        notify_waits_q <= open && notify_valid[its_way] && !notify_ready[its_way] && !rst ? notify_waits_q + 5'd1 : 5'd0;
        inner_waits_q  <= open && ask[its_inner] && !take[its_inner] && !rst ? inner_waits_q + 5'd1 : 5'd0;
    end

    always @* if (started_q) begin
        takes_why:    assert ((notify_ready & ~notify_valid) == {WAYS{1'b0}} && (!expect_ready || expect_valid)
            && (ready_q & {notify_ready, expect_ready}) == {WAYS + 1{1'b0}});
        asked:        assert ((take & ~ask) == 2'd0);
        opened:       assert (open_q || {notify_ready, expect_ready} == {WAYS + 1{1'b0}});
        opened_inner: assert (open || take == 2'd0);
        one:          assert ((turns & (turns - 1'b1)) == {WAYS + 3{1'b0}});
        then:         assert (operation_valid == |turns);
        expect_is:    assert (!expect_ready || operation == `MOEHUB_TOKEN_OPERATION(
            3'd`MOEHUB_TOKEN_EXPECT, expect_context, {16'd0, expect_token}, 6'd0, expect_count, 1'b0));
        notify_is:    assert (!notify_ready[its_way] || operation == `MOEHUB_TOKEN_OPERATION(
            3'd`MOEHUB_TOKEN_NOTIFY, named_context, row_index, source, 6'd0, failed));
        inner_is:     assert (!took_q[its_inner] || operation ==
            asks_q[its_inner * `MOEHUB_TOKEN_OPERATION_WIDTH +: `MOEHUB_TOKEN_OPERATION_WIDTH]);
        expect_waits: assert (expect_waits_q <= WAITS);
        notify_waits: assert (notify_waits_q <= WAITS);
        inner_waits:  assert (inner_waits_q <= WAITS);
    end
    always @* begin
        of_way: cover (started_q && notify_ready[1] && its_way == 2'd1 && notify_waits_q == 5'd3);
        inner:  cover (started_q && took_q[1] && its_inner && (&ask));
        expects: cover (started_q && expect_ready && expect_count == 6'd5);
    end
endmodule
`default_nettype wire
