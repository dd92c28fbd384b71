// SPDX-License-Identifier: Apache-2.0
// moehub_hub_contexts, one context of the solver's choice (rtl/doc/hub/hub.md section 4): a clean context is in no round; nothing
// is advanced while it is enabled or in flight, nor before both have taken it; a refused command changes nothing; DISABLE stands
// for 8 cycles before its result; both streams keep their rules.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_packet_manager.vh"
`include "moehub_tile_tracker.vh"
`include "moehub_width.vh"
module formal_hub_contexts #(
    parameter CONTEXTS = 2,
    parameter LINKS    = 1,
    parameter GPUS     = 2
) (
    input wire                                clk,
    input wire                                rst,
    input wire                                command_valid,
    input wire [3:0]                          command_operation,
    input wire [7:0]                          command_context,
    input wire [15:0]                         command_index,
    input wire [63:0]                         command_data0,
    input wire [63:0]                         command_data1,
    input wire                                result_ready,
    input wire [CONTEXTS - 1:0]               address_enabled,
    input wire [CONTEXTS - 1:0]               closed,
    input wire [CONTEXTS - 1:0]               arrived,
    input wire [CONTEXTS - 1:0]               faults,
    input wire [(LINKS + 1) * CONTEXTS - 1:0] way_failed,
    input wire [CONTEXTS * GPUS - 1:0]        complete,
    input wire [CONTEXTS * 7 - 1:0]           rows,
    input wire [(LINKS + 1) * CONTEXTS - 1:0] way_stores_in_flight,
    input wire [(LINKS + 1) * CONTEXTS - 1:0] way_requests_in_flight,
    input wire [CONTEXTS - 1:0]               notifying,
    input wire                                blocks_initialised,
    input wire                                set_ready,
    input wire                                end_ready
);
`include "formal_reset.vh"
    localparam ADDRESS_WIDTH = 32;
    wire                        command_ready;
    wire                        result_valid;
    wire                        result_refused;
    wire                        result_in_flight;
    wire [63:0]                 result_data0;
    wire [63:0]                 result_data1;
    wire                        initialised;
    wire [CONTEXTS - 1:0]       enabled;
    wire [CONTEXTS - 1:0]       closing;
    wire [CONTEXTS - 1:0]       has_arrived;
    wire [CONTEXTS - 1:0]       has_failed;
    wire [CONTEXTS * 4 - 1:0]   rounds;
    wire [CONTEXTS * GPUS - 1:0] peers;
    wire [CONTEXTS * 5 - 1:0]   owner_shifts;
    wire [CONTEXTS - 1:0]       counts_tokens;
    wire [CONTEXTS * 16 - 1:0]  token_firsts;
    wire [CONTEXTS * ADDRESS_WIDTH - 1:0] list_bases;
    wire [CONTEXTS * 5 - 1:0]   list_shifts;
    wire [CONTEXTS * 4 - 1:0]   tile_shifts;
    wire [CONTEXTS * 16 - 1:0]  tile_firsts;
    wire [CONTEXTS * 17 - 1:0]  tile_counts;
    wire [CONTEXTS * 8 - 1:0]   computed_blocks;
    wire [CONTEXTS * 8 - 1:0]   finished_blocks;
    wire [CONTEXTS * 32 - 1:0]  arrival_timeouts;
    wire [CONTEXTS * 32 - 1:0]  token_timeouts;
    wire [CONTEXTS - 1:0]       stores_in_flight;
    wire [CONTEXTS - 1:0]       in_flight;
    wire                        set_valid;
    wire [`MOEHUB_SET_WIDTH - 1:0] set;
    wire                        end_valid;
    wire [`MOEHUB_END_COMMAND_WIDTH - 1:0] end_command;
    wire [`MOEHUB_HUB_CONTROL_EVENTS - 1:0] events;
    wire                        error_valid;
    wire [4:0]                  error_cause;
    wire [127:0]                error_header;
    wire                        became_failed;
    wire                        became_arrived;
    moehub_hub_contexts #(
        .LINKS(LINKS), .GPUS(GPUS), .CONTEXTS(CONTEXTS), .LOCAL_EXPERTS(3), .ROW_INDEX_WIDTH(5), .SLOT_WIDTH(4),
        .ADDRESS_WIDTH(ADDRESS_WIDTH), .TILES(5), .TOKENS(7)
    ) u_contexts (
        .clk(clk), .rst(rst), .own(10'd1), .command_valid(command_valid), .command_ready(command_ready),
        .command_operation(command_operation), .command_context(command_context), .command_index(command_index),
        .command_data0(command_data0), .command_data1(command_data1), .result_valid(result_valid), .result_ready(result_ready),
        .result_refused(result_refused), .result_in_flight(result_in_flight), .result_data0(result_data0),
        .result_data1(result_data1), .address_initialised(blocks_initialised), .tile_tracker_initialised(1'b1),
        .packet_manager_initialised(1'b1), .final_reduce_initialised({LINKS{1'b1}}), .initialised(initialised),
        .enabled(enabled), .closing(closing), .has_arrived(has_arrived), .has_failed(has_failed), .rounds(rounds), .peers(peers),
        .owner_shifts(owner_shifts), .counts_tokens(counts_tokens), .token_firsts(token_firsts), .list_bases(list_bases),
        .list_shifts(list_shifts), .tile_shifts(tile_shifts), .tile_firsts(tile_firsts), .tile_counts(tile_counts),
        .computed_blocks(computed_blocks), .finished_blocks(finished_blocks), .arrival_timeouts(arrival_timeouts),
        .token_timeouts(token_timeouts), .address_enabled(address_enabled), .closed(closed), .arrived(arrived), .faults(faults),
        .way_failed(way_failed), .packet_manager_failed({CONTEXTS{1'b0}}), .tile_tracker_failed({CONTEXTS{1'b0}}),
        .complete(complete), .rows(rows), .reduces_in_flight({CONTEXTS{1'b0}}), .way_stores_in_flight(way_stores_in_flight),
        .way_requests_in_flight(way_requests_in_flight), .notifying(notifying), .address_in_flight({CONTEXTS{1'b0}}),
        .stores_in_flight(stores_in_flight), .in_flight(in_flight), .m_axis_set_tvalid(set_valid),
        .m_axis_set_tready(set_ready), .m_axis_set_tdata(set), .m_axis_end_tvalid(end_valid), .m_axis_end_tready(end_ready),
        .m_axis_end_tdata(end_command), .events(events), .error_valid(error_valid), .error_cause(error_cause),
        .error_header(error_header), .became_failed(became_failed), .became_arrived(became_arrived)
    );
    formal_stream_assert #(.WIDTH(`MOEHUB_SET_WIDTH)) u_set (
        .clk(clk), .rst(rst), .valid(set_valid), .ready(set_ready), .data(set)
    );
    formal_stream_assert #(.WIDTH(`MOEHUB_END_COMMAND_WIDTH)) u_end (
        .clk(clk), .rst(rst), .valid(end_valid), .ready(end_ready), .data(end_command)
    );

    // ---- a command stands until it is taken, its operands until the result -------------------------------------------------
    wire [159:0] operands = {command_operation, 4'd0, command_context, command_index, command_data1, command_data0};
    reg  [159:0] operands_q;
    reg          stands_q = 1'b0; // from command_valid to the taking
    reg          runs_q = 1'b0;   // from there to the result
    wire         take = command_valid && command_ready && !rst;
    wire         over = result_valid && result_ready && !rst;
    always @(posedge clk) begin
        operands_q <= operands;
        stands_q   <= command_valid && !command_ready && !rst;
        runs_q     <= (runs_q || take) && !over && !rst;
    end
    always @* begin
        if (stands_q) assume (command_valid);
        if (stands_q || runs_q) assume (operands == operands_q);
        if (runs_q) assume (!command_valid);
    end

    // ---- one context: what of it the outputs show --------------------------------------------------------------------------
    (* anyconst *) wire [2:0] watched;
    always @* assume ({29'd0, watched} < CONTEXTS);
    wire mine = command_context == {5'd0, watched};
    (* hierconn *) wire [CONTEXTS - 1:0] \u_contexts.clean ;
    (* hierconn *) wire [CONTEXTS - 1:0] \u_contexts.has_closed ;
    (* hierconn *) wire [CONTEXTS - 1:0] \u_contexts.given ;
    (* hierconn *) wire                  \u_contexts.advanced ;
    wire [CONTEXTS - 1:0] cleans_all = \u_contexts.clean ;
    wire [CONTEXTS - 1:0] closed_all = \u_contexts.has_closed ;
    wire [CONTEXTS - 1:0] given_all  = \u_contexts.given ;
    wire its_clean  = cleans_all[watched];
    wire its_closed = closed_all[watched];
    wire its_given  = given_all[watched];
    wire its_stores = way_stores_in_flight[watched] || way_stores_in_flight[CONTEXTS + watched];
    wire its_others = way_requests_in_flight[watched] || way_requests_in_flight[CONTEXTS + watched]
        || rows[watched * 7 +: 7] != 7'd0 || notifying[watched];
    wire [31:0] its_state = {rounds[watched * 4 +: 4], peers[watched * GPUS +: GPUS], owner_shifts[watched * 5 +: 5],
        list_shifts[watched * 5 +: 5], tile_shifts[watched * 4 +: 4], counts_tokens[watched], its_given, enabled[watched]};
    wire [255:0] its_ranges = {token_firsts[watched * 16 +: 16], list_bases[watched * ADDRESS_WIDTH +: ADDRESS_WIDTH],
        tile_firsts[watched * 16 +: 16], tile_counts[watched * 17 +: 17], computed_blocks[watched * 8 +: 8],
        finished_blocks[watched * 8 +: 8], arrival_timeouts[watched * 32 +: 32], token_timeouts[watched * 32 +: 32]};

    reg         took_q = 1'b0;       // a command was taken in the cycle before
    reg         took_mine_q;         // ... of this context
    reg         advancing_q = 1'b0;  // a good ADVANCE of this context is told
    reg         set_taken_q;
    reg         end_taken_q;
    reg         flight_before_q = 1'b0; // what was in flight a cycle before
    reg         found_q;             // ... as the last command found it
    reg         enabled_then_q;
    reg [3:0]   operation_q;
    reg [31:0]  state_q;
    reg [255:0] ranges_q;
    reg         clean_before_q = 1'b1;
    reg         failed_before_q;
    reg [3:0]   disabled_q = 4'd0;   // cycles since DISABLE changed the state, up to 9
    wire advanced = \u_contexts.advanced ;
    wire advances = advanced && mine;
    always @(posedge clk) begin
        took_q          <= take;
        took_mine_q     <= mine;
        operation_q     <= command_operation;
        flight_before_q <= its_stores || its_others;
        if (take) begin
            found_q        <= flight_before_q || (closing[watched] && !its_closed);
            enabled_then_q <= enabled[watched];
            advancing_q    <= mine && command_operation == 4'd`MOEHUB_HUB_CONTROL_COMMAND_ADVANCE;
            set_taken_q    <= 1'b0;
            end_taken_q    <= 1'b0;
        end
        if (set_valid && set_ready) set_taken_q <= 1'b1;
        if (end_valid && end_ready) end_taken_q <= 1'b1;
        state_q         <= its_state;
        ranges_q        <= its_ranges;
        clean_before_q  <= its_clean;
        failed_before_q <= has_failed[watched];
        disabled_q      <= take ? 4'd0 : disabled_q + {3'd0, disabled_q != 4'd9};
        if (rst) begin
            took_q          <= 1'b0;
            advancing_q     <= 1'b0;
            flight_before_q <= 1'b0;
            clean_before_q  <= 1'b1;
        end
    end
    wire changed = its_state != state_q || its_ranges != ranges_q;
    wire accepted_mine = took_q && took_mine_q && !result_refused;
    wire running = started_q && !reset_q && !rst;

    // Commands 0 to 3, 5 and 6 that were accepted since reset.
    reg  [5:0] seen_q = 6'd0;
    wire [15:0] of_operation = 16'd1 << operation_q;
    wire [5:0] seen = seen_q | ({of_operation[6:5], of_operation[3:0]} & {6{accepted_mine}});
    always @(posedge clk) seen_q <= rst ? 6'd0 : seen;

    always @* if (running) begin
        clean_is:     assert (!its_clean || !(enabled[watched] || closing[watched] || its_closed || has_arrived[watched]
            || has_failed[watched]));
        was_given:    assert (!enabled[watched] || seen == 6'h3f);
        advance_free: assert (!advances || (advancing_q && !found_q && !enabled_then_q && !enabled[watched]));
        advance_told: assert (!advances || (set_taken_q && end_taken_q));
        cleans:       assert (!(its_clean && !clean_before_q) || (advancing_q && set_taken_q && end_taken_q));
        just_command: assert (!changed || accepted_mine);
        range_clean:  assert (its_ranges == ranges_q || clean_before_q);
        told_closing: assert (!(end_valid && end_command[4:2] == watched && end_command[1:0] != 2'd`MOEHUB_END_ADVANCE)
            || closing[watched]);
        lost_pulse:   assert (!clean_before_q || !has_failed[watched]);
        in_flight_is: assert (in_flight[watched] == (flight_before_q || (closing[watched] && !its_closed)));
        disable_over: assert (!(result_valid && runs_q && !result_refused
            && command_operation == 4'd`MOEHUB_HUB_CONTROL_COMMAND_DISABLE) || disabled_q >= 4'd8);
        foreign:      assert (!(took_q && result_refused) || !(set_valid || end_valid));
    end
    always @* begin
        cleaned:      cover (running && its_clean && !clean_before_q);
        enabled_on:   cover (running && enabled[watched] && !clean_before_q);
        refused_some: cover (running && took_q && result_refused && took_mine_q);
        refused_busy: cover (running && took_q && took_mine_q && result_refused && found_q && !enabled_then_q
            && operation_q == 4'd`MOEHUB_HUB_CONTROL_COMMAND_ADVANCE);
        closes:       cover (running && end_valid && closing[watched] && end_command[4:2] == watched);
        disabled_is:  cover (running && result_valid && runs_q && !result_refused && mine
            && command_operation == 4'd`MOEHUB_HUB_CONTROL_COMMAND_DISABLE);
        flags:        cover (running && has_failed[watched] && !failed_before_q);
    end
endmodule
`default_nettype wire
