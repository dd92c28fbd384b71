// SPDX-License-Identifier: Apache-2.0
// moehub_tile_tracker_command: each command is refused or asks its pipeline alone, once, for what it names; its result is what
// the pipeline told, and stays until it is taken.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_tile_tracker.vh"
module formal_tile_tracker_command #(
    parameter CONTEXTS = 3,
    parameter GPUS     = 5,
    parameter TILES    = 6,
    parameter TOKENS   = 7
) (
    input wire                                clk,
    input wire                                rst,
    input wire                                open,
    input wire                                command_valid,
    input wire [3:0]                          command_operation,
    input wire [7:0]                          command_context,
    input wire [15:0]                         command_index,
    input wire                                result_ready,
    input wire [2:0]                          turn, // their turns come, if it asks
    input wire [2:0]                          told, // an operation that had its turn is answered
    input wire [`MOEHUB_TILE_WIDTH - 1:0]     tile,
    input wire [`MOEHUB_ARRIVED_WIDTH - 1:0]  arrival,
    input wire                                arrival_complete,
    input wire [`MOEHUB_TOKEN_WIDTH - 1:0]    token
);
`include "formal_reset.vh"
    wire                                         command_ready;
    wire                                         result_valid;
    wire                                         result_refused;
    wire [63:0]                                  result_data0;
    wire [63:0]                                  result_data1;
    wire [2:0]                                   ask;
    wire [2:0]                                   take = ask & turn;
    wire [`MOEHUB_TILE_OPERATION_WIDTH - 1:0]    tile_get;
    wire [`MOEHUB_ARRIVAL_OPERATION_WIDTH - 1:0] arrival_get;
    wire [`MOEHUB_TOKEN_OPERATION_WIDTH - 1:0]   token_get;
    reg  [2:0]                                   took_q = 3'd0;
    wire [2:0]                                   got = took_q & told;
    moehub_tile_tracker_command #(.CONTEXTS(CONTEXTS), .GPUS(GPUS), .TILES(TILES), .TOKENS(TOKENS)) u_command (
        .clk(clk), .rst(rst), .open(open), .command_valid(command_valid), .command_ready(command_ready),
        .command_operation(command_operation), .command_context(command_context), .command_index(command_index),
        .result_valid(result_valid), .result_ready(result_ready), .result_refused(result_refused), .result_data0(result_data0),
        .result_data1(result_data1), .ask(ask), .take(take), .tile_get(tile_get), .arrival_get(arrival_get),
        .token_get(token_get), .got(got), .tile(tile), .arrival(arrival), .arrival_complete(arrival_complete), .token(token)
    );
    formal_stream_assume #(.WIDTH(4)) u_command_in (
        .clk(clk), .rst(rst), .valid(command_valid), .ready(command_ready), .data(command_operation)
    );
    formal_stream_assert #(.WIDTH(129)) u_result (
        .clk(clk), .rst(rst), .valid(result_valid), .ready(result_ready), .data({result_refused, result_data1, result_data0})
    );

    // Operands stay until the result is taken.
    wire [27:0] operands = {command_operation, command_context, command_index};
    reg  [27:0] operands_q;
    reg         runs_q = 1'b0; // a command was offered, and its result is not taken
    wire        taken = result_valid && result_ready;
    always @(posedge clk) begin
        operands_q <= operands;
        runs_q     <= !rst && (runs_q || command_valid) && !taken;
        took_q     <= rst ? 3'd0 : (took_q | take) & ~got;
    end
    always @* assume (!runs_q || operands == operands_q);

    // ---- what the command names ------------------------------------------------------------------------------------------
    wire names_tile  = command_operation == 4'd`MOEHUB_TILE_TRACKER_COMMAND_TILE_GET && command_index < TILES;
    wire names_peer  = command_operation == 4'd`MOEHUB_TILE_TRACKER_COMMAND_PEER_GET && command_index < GPUS
        && command_context < CONTEXTS;
    wire names_token = command_operation == 4'd`MOEHUB_TILE_TRACKER_COMMAND_TOKEN_GET && command_index < TOKENS;
    wire [2:0] names = {names_token, names_peer, names_tile};

    reg        began_q = 1'b0; // the command was taken, its result not
    reg        asked_q = 1'b0; // it had its turn
    reg        got_q   = 1'b0; // its answer came
    reg [63:0] its_data0_q;
    reg [63:0] its_data1_q;
    wire       begins = command_valid && command_ready;
    wire [12:0] rows;
    wire [30:0] balance;
    wire [7:0]  computed;
    wire [7:0]  finished;
    wire [1:0]  state;
    wire        flagged;
    assign `MOEHUB_TILE(rows, balance, computed, finished, state, flagged) = tile;
    wire [31:0] handled;
    wire [31:0] announced;
    wire        closed;
    assign `MOEHUB_ARRIVED(handled, announced, closed) = arrival;
    wire [5:0]  left;
    wire        token_failed;
    wire [1:0]  token_state;
    assign `MOEHUB_TOKEN(left, token_failed, token_state) = token;
    reg  [4:0] waits_q = 5'd0; // cycles with nothing to wait for
    always @(posedge clk) begin
        began_q <= !rst && (began_q || begins) && !taken;
        asked_q <= !rst && (asked_q || |take) && !taken;
        got_q   <= !rst && (got_q || |got) && !taken;
        if (got[0]) begin // the page's section 9
            its_data0_q <= {29'd0, flagged, state, finished, computed, 3'd0, rows};
            its_data1_q <= {{33{balance[30]}}, balance};
        end
        if (got[1]) begin
            its_data0_q <= {announced, handled};
            its_data1_q <= {62'd0, arrival_complete, closed};
        end
        if (got[2]) begin
            its_data0_q <= {45'd0, token_state, token_failed, 10'd0, left};
            its_data1_q <= 64'd0;
        end
        waits_q <= !command_valid && !runs_q || !open || result_valid || (ask & ~turn) != 3'd0 || (took_q & ~told) != 3'd0
            ? 5'd0 : waits_q + 5'd1;
        if (rst) waits_q <= 5'd0;
    end

    wire [2:0]  tile_kind;
    wire [2:0]  tile_context;
    wire [15:0] tile_expert;
    wire [31:0] tile_place;
    wire [5:0]  tile_source;
    wire [7:0]  tile_value;
    wire        tile_error;
    assign `MOEHUB_TILE_OPERATION(tile_kind, tile_context, tile_expert, tile_place, tile_source, tile_value, tile_error) =
        tile_get;
    wire [1:0]  arrival_kind;
    wire [2:0]  arrival_context;
    wire [5:0]  arrival_peer;
    wire [31:0] arrival_count;
    assign `MOEHUB_ARRIVAL_OPERATION(arrival_kind, arrival_context, arrival_peer, arrival_count) = arrival_get;
    wire [2:0]  token_kind;
    wire [2:0]  token_context;
    wire [31:0] token_place;
    wire [5:0]  token_source;
    wire [5:0]  token_count;
    wire        token_fails;
    assign `MOEHUB_TOKEN_OPERATION(token_kind, token_context, token_place, token_source, token_count, token_fails) = token_get;

    reg open_q = 1'b0; // a cycle ago
    always @(posedge clk) open_q <= open;
    always @* if (started_q) begin
        takes_open:  assert (!command_ready || (open_q && command_valid && !began_q));
        asks_own:    assert (ask == 3'd0 || (ask == names && !asked_q && (began_q || begins)));
        asks_then:   assert (!begins || ask == names);
        ask_stays:   assert (!began_q || asked_q || result_valid || ask == names);
        gets:        assert ((!ask[0] || (tile_kind == `MOEHUB_TILE_GET && tile_place == {16'd0, command_index}))
            && (!ask[1] || (arrival_kind == `MOEHUB_ARRIVAL_GET && arrival_context == command_context[2:0]
                && arrival_peer == command_index[5:0]))
            && (!ask[2] || (token_kind == `MOEHUB_TOKEN_GET && token_place == {16'd0, command_index})));
        refused:     assert (!result_valid || result_refused == (names == 3'd0));
        refused_0:   assert (!(result_valid && result_refused) || {result_data1, result_data0} == 128'd0);
        result_why:  assert (!result_valid || (began_q || begins) && (names == 3'd0 || got_q));
        is_told:     assert (!(result_valid && !result_refused) || {result_data1, result_data0} == {its_data1_q, its_data0_q});
        in_time:     assert (waits_q <= 5'd3);
    end
    always @* begin
        of_tile:  cover (started_q && taken && names_tile && command_index == 16'd5);
        of_peer:  cover (started_q && taken && names_peer && command_context == 8'd2);
        of_token: cover (started_q && taken && names_token && command_index == 16'd6);
        refuses:  cover (started_q && taken && result_refused);
    end
endmodule
`default_nettype wire
