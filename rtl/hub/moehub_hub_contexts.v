// SPDX-License-Identifier: Apache-2.0
// Purpose: what the hub's blocks share about a context, and the commands of the control window that set it (doc/hub/hub.md
//   section 4).
// Contract:
//   1. A command is taken (command_ready) when all blocks are initialised; its operands stand still from command_valid to the
//      result. It is judged in that cycle, and refused, or changes the state from the next cycle on. One at a time.
//   2. set and end are told after that; ADVANCE makes its context clean when both were taken. The result comes then, of DISABLE 8
//      cycles later.
//   3. in_flight: anything of the context in any block, two cycles late, or its closes that are still to be sent.
//   4. Pulses of a context that is clean are lost. became_*: pulses a cycle after the state bit rose.
//   5. events, error_*: pulses in the cycle after a command was taken. All outputs are registers, or gates of registers.
// How: a context's flops are in moehub_hub_context, what operands are out of range in moehub_hub_operands.
// Cost: 5 cycles from command_valid to the result, if nobody is told. 225 flops beside those of the contexts.
// Limits: own is below GPUS: the integrator's duty.
// Proved: formal/hub/formal_hub_contexts.v
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_packet_manager.vh"
`include "moehub_tile_tracker.vh"
`include "moehub_width.vh"

module moehub_hub_contexts #(
    parameter LINKS           = 1,    // 1..4
    parameter GPUS            = 8,    // 2..64
    parameter CONTEXTS        = 4,    // 1..8
    parameter LOCAL_EXPERTS   = 64,   // 1..256
    parameter ROW_INDEX_WIDTH = 20,   // 1..32
    parameter SLOT_WIDTH      = 22,   // 1..31
    parameter ADDRESS_WIDTH   = 48,   // 32..64
    parameter TILES           = 1024, // 1..65536
    parameter TOKENS          = 4096  // 1..65536
) (
    input  wire                                     clk,
    input  wire                                     rst,
    input  wire [9:0]                               own, // GPU

    // ---- commands, of the registers
    input  wire                                     command_valid,
    output wire                                     command_ready,
    input  wire [3:0]                               command_operation,
    input  wire [7:0]                               command_context,
    input  wire [15:0]                              command_index,
    input  wire [63:0]                              command_data0,
    input  wire [63:0]                              command_data1,
    output wire                                     result_valid,
    input  wire                                     result_ready,
    output wire                                     result_refused,
    output wire                                     result_in_flight,
    output wire [63:0]                              result_data0,
    output wire [63:0]                              result_data1,

    // ---- initialisation: each block's output `initialised`
    input  wire                                     address_initialised,
    input  wire                                     tile_tracker_initialised,
    input  wire                                     packet_manager_initialised,
    input  wire [LINKS - 1:0]                       final_reduce_initialised, // of each link
    output wire                                     initialised, // register: all of them; to the ways, and STATUS

    // ---- state of contexts, registers: names and widths of the blocks' ports
    output wire [CONTEXTS - 1:0]                    enabled,
    output wire [CONTEXTS - 1:0]                    closing,           // packet manager
    output wire [CONTEXTS - 1:0]                    has_arrived,       // ways, tile tracker
    output wire [CONTEXTS - 1:0]                    has_failed,        // tile tracker
    output wire [CONTEXTS * 4 - 1:0]                rounds,
    output wire [CONTEXTS * GPUS - 1:0]             peers,
    output wire [CONTEXTS * 5 - 1:0]                owner_shifts,
    output wire [CONTEXTS - 1:0]                    counts_tokens,     // tile tracker
    output wire [CONTEXTS * 16 - 1:0]               token_firsts,      // tile tracker
    output wire [CONTEXTS * ADDRESS_WIDTH - 1:0]    list_bases,        // ways, tile tracker
    output wire [CONTEXTS * 5 - 1:0]                list_shifts,       // ways, tile tracker
    output wire [CONTEXTS * 4 - 1:0]                tile_shifts,       // tile tracker, as all from here on
    output wire [CONTEXTS * 16 - 1:0]               tile_firsts,
    output wire [CONTEXTS * 17 - 1:0]               tile_counts,
    output wire [CONTEXTS * 8 - 1:0]                computed_blocks,
    output wire [CONTEXTS * 8 - 1:0]                finished_blocks,
    output wire [CONTEXTS * 32 - 1:0]               arrival_timeouts,
    output wire [CONTEXTS * 32 - 1:0]               token_timeouts,

    // ---- what the blocks tell of contexts
    input  wire [CONTEXTS - 1:0]                    address_enabled,             // address path: enabled
    input  wire [CONTEXTS - 1:0]                    closed,                      // packet manager: pulses, as to the tile tracker
    input  wire [CONTEXTS - 1:0]                    arrived,                     // tile tracker: pulses
    input  wire [CONTEXTS - 1:0]                    faults,                      // address path: pulses that flag
    input  wire [(LINKS + 1) * CONTEXTS - 1:0]      way_failed,                  // failed of each way: pulses that flag
    input  wire [CONTEXTS - 1:0]                    packet_manager_failed,       // the same
    input  wire [CONTEXTS - 1:0]                    tile_tracker_failed,         // the same
    input  wire [CONTEXTS * GPUS - 1:0]             complete,                    // tile tracker: its peers' pairs are all handled

    // ---- what is in flight
    input  wire [CONTEXTS * 7 - 1:0]                rows,                        // packet manager
    input  wire [CONTEXTS - 1:0]                    reduces_in_flight,           // reduce_request: in_flight
    input  wire [(LINKS + 1) * CONTEXTS - 1:0]      way_stores_in_flight,        // stores_in_flight of each way
    input  wire [(LINKS + 1) * CONTEXTS - 1:0]      way_requests_in_flight,      // requests_in_flight of each way
    input  wire [CONTEXTS - 1:0]                    notifying,                   // tile tracker
    input  wire [CONTEXTS - 1:0]                    address_in_flight,           // address path: in_flight
    output wire [CONTEXTS - 1:0]                    stores_in_flight,            // register: of all ways, for the tile tracker
    output wire [CONTEXTS - 1:0]                    in_flight,                   // register: anything

    // ---- what is told to the blocks
    output wire                                     m_axis_set_tvalid,           // tile tracker
    input  wire                                     m_axis_set_tready,
    output wire [`MOEHUB_SET_WIDTH - 1:0]           m_axis_set_tdata,
    output wire                                     m_axis_end_tvalid,           // packet manager
    input  wire                                     m_axis_end_tready,
    output wire [`MOEHUB_END_COMMAND_WIDTH - 1:0]   m_axis_end_tdata,

    // ---- what happened
    output wire [`MOEHUB_HUB_CONTROL_EVENTS - 1:0]  events,
    output wire                                     error_valid,
    output wire [4:0]                               error_cause,
    output wire [127:0]                             error_header,
    output wire                                     became_failed,               // pulse: some context was flagged that was not
    output wire                                     became_arrived               // the same, arrived
);
    generate
        if (LINKS < 1 || LINKS > 4) LINKS_must_be_1_to_4 u_rule ();
        if (GPUS < 2 || GPUS > 64) GPUS_must_be_2_to_64 u_rule ();
        if (CONTEXTS < 1 || CONTEXTS > 8) CONTEXTS_must_be_1_to_8 u_rule ();
        if (LOCAL_EXPERTS < 1 || LOCAL_EXPERTS > 256) LOCAL_EXPERTS_must_be_1_to_256 u_rule ();
        if (ROW_INDEX_WIDTH < 1 || ROW_INDEX_WIDTH > 32) ROW_INDEX_WIDTH_must_be_1_to_32 u_rule ();
        if (SLOT_WIDTH < 1 || SLOT_WIDTH > 31) SLOT_WIDTH_must_be_1_to_31 u_rule ();
        if (ADDRESS_WIDTH < 32 || ADDRESS_WIDTH > 64) ADDRESS_WIDTH_must_be_32_to_64 u_rule ();
        if (TILES < 1 || TILES > 65536) TILES_must_be_1_to_65536 u_rule ();
        if (TOKENS < 1 || TOKENS > 65536) TOKENS_must_be_1_to_65536 u_rule ();
    endgenerate

    localparam [2:0] IDLE   = 3'd0;
    localparam [2:0] LOOK   = 3'd1; // at the operands
    localparam [2:0] JUDGE  = 3'd2; // them
    localparam [2:0] TAKE   = 3'd3; // the command is taken
    localparam [2:0] TELL   = 3'd4; // tile tracker, packet manager
    localparam [2:0] PAUSE  = 3'd5; // of DISABLE: what was checked before comes to be in flight
    localparam [2:0] RESULT = 3'd6;

    localparam [2:0] LAST_PAUSE = 3'd7;

    reg  [2:0] state_q;
    reg  [2:0] pause_q;
    reg        initialised_q;
    wire       take = state_q == TAKE;

    // ---- the command ----------------------------------------------------------------------------------------------------
    wire is_list_set   = command_operation == 4'd`MOEHUB_HUB_CONTROL_COMMAND_LIST_SET;
    wire is_tiles_set  = command_operation == 4'd`MOEHUB_HUB_CONTROL_COMMAND_TILES_SET;
    wire is_region_set = command_operation == 4'd`MOEHUB_HUB_CONTROL_COMMAND_REGION_TILES_SET;
    wire is_setting    = command_operation <= 4'd`MOEHUB_HUB_CONTROL_COMMAND_ENABLE;
    wire is_enable     = command_operation == 4'd`MOEHUB_HUB_CONTROL_COMMAND_ENABLE;
    wire is_disable    = command_operation == 4'd`MOEHUB_HUB_CONTROL_COMMAND_DISABLE;
    wire is_advance    = command_operation == 4'd`MOEHUB_HUB_CONTROL_COMMAND_ADVANCE;
    wire is_close      = command_operation == 4'd`MOEHUB_HUB_CONTROL_COMMAND_CLOSE;
    wire is_abort      = command_operation == 4'd`MOEHUB_HUB_CONTROL_COMMAND_ABORT;
    wire is_get        = command_operation == 4'd`MOEHUB_HUB_CONTROL_COMMAND_CONTEXT_GET;

    wire [CONTEXTS - 1:0] names; // one hot; none: there is no such context
    reg  [CONTEXTS - 1:0] named_q; // the same, a cycle later
    wire [CONTEXTS - 1:0] clean;
    wire [CONTEXTS - 1:0] has_closed;
    wire [CONTEXTS - 1:0] given;
    wire                  its_enabled         = |(named_q & enabled);
    wire                  its_clean           = |(named_q & clean);
    wire                  its_closing         = |(named_q & closing);
    wire                  its_closed          = |(named_q & has_closed);
    wire                  its_arrived         = |(named_q & has_arrived);
    wire                  its_failed          = |(named_q & has_failed);
    wire                  its_given           = |(named_q & given);
    wire                  its_in_flight       = |(named_q & in_flight);
    wire                  its_address_enabled = |(named_q & address_enabled);

    // ---- why it is refused: by its operands, known a cycle before; by its context's state -----------------------------------
    wire [25:0] its_shape;
    reg  [25:0] its_shape_q; // tile_count, list_shift, tile_shift of the named context
    wire        refuse_operands;
    reg         bad_q;
    moehub_one_hot_mux #(.WIDTH(4), .WAYS(CONTEXTS)) u_tile_shift (
        .select(names), .words(tile_shifts), .word(its_shape[3:0])
    );
    moehub_one_hot_mux #(.WIDTH(5), .WAYS(CONTEXTS)) u_list_shift (
        .select(names), .words(list_shifts), .word(its_shape[8:4])
    );
    moehub_one_hot_mux #(.WIDTH(17), .WAYS(CONTEXTS)) u_tile_count (
        .select(names), .words(tile_counts), .word(its_shape[25:9])
    );
    moehub_hub_operands #(
        .GPUS(GPUS), .LOCAL_EXPERTS(LOCAL_EXPERTS), .ROW_INDEX_WIDTH(ROW_INDEX_WIDTH), .SLOT_WIDTH(SLOT_WIDTH),
        .ADDRESS_WIDTH(ADDRESS_WIDTH), .TILES(TILES), .TOKENS(TOKENS)
    ) u_operands (
        .clk(clk), .own(own), .operation(command_operation), .index(command_index), .data0(command_data0), .data1(command_data1),
        .tile_shift(its_shape_q[3:0]), .list_shift(its_shape_q[8:4]), .tile_count(its_shape_q[25:9]), .refuse(refuse_operands)
    );

    wire bad_state = (is_setting && !its_clean) || (is_enable && !(its_address_enabled && its_given))
        || (is_advance && (its_enabled || its_in_flight)) || (is_close && (!its_enabled || its_closing))
        || (is_abort && (its_clean || its_closed));
    wire refuse    = bad_q || bad_state;
    wire accept    = take && !refuse;

    // ---- contexts -------------------------------------------------------------------------------------------------------
    wire advanced = state_q == TELL && !m_axis_set_tvalid && !m_axis_end_tvalid && is_advance;
    wire [15:0] operations = 16'd1 << command_operation;
    wire [CONTEXTS - 1:0] flags; // pulses that flag
    genvar c;
    genvar w;
    generate
        for (c = 0; c < CONTEXTS; c = c + 1) begin : g_context
            localparam [31:0] NUMBER = c;
            wire [LINKS:0] of_ways_failed;
            for (w = 0; w <= LINKS; w = w + 1) begin : g_way
                assign of_ways_failed[w] = way_failed[w * CONTEXTS + c];
            end
            assign names[c] = command_context == NUMBER[7:0];
            assign flags[c] = faults[c] || (|of_ways_failed) || packet_manager_failed[c] || tile_tracker_failed[c];
            moehub_hub_context #(.GPUS(GPUS), .ADDRESS_WIDTH(ADDRESS_WIDTH)) u_context (
                .clk(clk), .rst(rst), .accept(operations & {16{accept && named_q[c]}}), .advance(advanced && named_q[c]),
                .data0(command_data0), .data1(command_data1), .closed(closed[c]), .arrived(arrived[c]), .failed(flags[c]),
                .enabled(enabled[c]), .clean(clean[c]), .closing(closing[c]), .has_closed(has_closed[c]),
                .has_arrived(has_arrived[c]), .has_failed(has_failed[c]), .given(given[c]), .round(rounds[c * 4 +: 4]),
                .peers(peers[c * GPUS +: GPUS]), .owner_shift(owner_shifts[c * 5 +: 5]), .counts_tokens(counts_tokens[c]),
                .token_first(token_firsts[c * 16 +: 16]), .list_base(list_bases[c * ADDRESS_WIDTH +: ADDRESS_WIDTH]),
                .list_shift(list_shifts[c * 5 +: 5]), .tile_shift(tile_shifts[c * 4 +: 4]),
                .tile_first(tile_firsts[c * 16 +: 16]), .tile_count(tile_counts[c * 17 +: 17]),
                .computed_blocks(computed_blocks[c * 8 +: 8]), .finished_blocks(finished_blocks[c * 8 +: 8]),
                .arrival_timeout(arrival_timeouts[c * 32 +: 32]), .token_timeout(token_timeouts[c * 32 +: 32])
            );
        end
    endgenerate

    // ---- what is in flight ----------------------------------------------------------------------------------------------
    reg  [CONTEXTS - 1:0] stores_q;
    reg  [CONTEXTS - 1:0] others_q;
    wire [CONTEXTS - 1:0] stores;
    wire [CONTEXTS - 1:0] others;
    generate
        for (c = 0; c < CONTEXTS; c = c + 1) begin : g_flight
            wire [LINKS:0] of_ways_stores;
            wire [LINKS:0] of_ways_requests;
            for (w = 0; w <= LINKS; w = w + 1) begin : g_way
                assign of_ways_stores[w]   = way_stores_in_flight[w * CONTEXTS + c];
                assign of_ways_requests[w] = way_requests_in_flight[w * CONTEXTS + c];
            end
            assign stores[c] = |of_ways_stores;
            assign others[c] = (|of_ways_requests) || rows[c * 7 +: 7] != 7'd0 || reduces_in_flight[c] || notifying[c]
                || address_in_flight[c];
        end
    endgenerate
    always @(posedge clk) begin
        stores_q <= stores;
        others_q <= others;
        if (rst) begin
            stores_q <= {CONTEXTS{1'b0}};
            others_q <= {CONTEXTS{1'b0}};
        end
    end
    assign stores_in_flight = stores_q;
    assign in_flight        = stores_q | others_q | (closing & ~has_closed);

    // ---- one command at a time ------------------------------------------------------------------------------------------
    wire tells_set = is_list_set || is_tiles_set || is_region_set || is_advance;
    wire tells_end = is_close || is_abort || is_advance;
    reg                                   set_valid_q;
    reg  [`MOEHUB_SET_WIDTH - 1:0]        set_q;
    reg                                   end_valid_q;
    reg  [`MOEHUB_END_COMMAND_WIDTH - 1:0] end_q;
    wire [1:0] set_what = is_advance ? 2'd`MOEHUB_SET_ADVANCE : is_region_set ? 2'd`MOEHUB_SET_REGION
        : 2'd`MOEHUB_SET_CLEAR_REGIONS;
    wire [1:0] end_what = is_advance ? 2'd`MOEHUB_END_ADVANCE : is_abort ? 2'd`MOEHUB_END_ABORT : 2'd`MOEHUB_END_CLOSE;

    always @(posedge clk) begin
        if (m_axis_set_tready) set_valid_q <= 1'b0;
        if (m_axis_end_tready) end_valid_q <= 1'b0;
        pause_q <= pause_q + 3'd1;
        case (state_q)
            IDLE:    if (command_valid && initialised_q) state_q <= LOOK;
            LOOK:    state_q <= JUDGE;
            JUDGE:   state_q <= TAKE;
            TAKE: begin
                pause_q     <= 3'd0;
                set_valid_q <= !refuse && tells_set;
                end_valid_q <= !refuse && tells_end;
                state_q     <= refuse ? RESULT : tells_set || tells_end ? TELL : is_disable ? PAUSE : RESULT;
            end
            TELL:    if (!set_valid_q && !end_valid_q) state_q <= RESULT;
            PAUSE:   if (pause_q == LAST_PAUSE) state_q <= RESULT;
            default: if (result_ready) state_q <= IDLE;
        endcase
        if (rst) begin
            state_q     <= IDLE;
            set_valid_q <= 1'b0;
            end_valid_q <= 1'b0;
        end
    end
    always @(posedge clk) begin
        named_q     <= names;
        its_shape_q <= its_shape;
        if (state_q == JUDGE) bad_q <= refuse_operands || named_q == {CONTEXTS{1'b0}};
        if (take) begin
            set_q <= `MOEHUB_SET(set_what, command_context[2:0], command_index, command_data0[15:0], command_data0[48:32]);
            end_q <= `MOEHUB_END_COMMAND(end_what, command_context[2:0]);
        end
    end

    assign command_ready     = take;
    assign m_axis_set_tvalid = set_valid_q;
    assign m_axis_set_tdata  = set_q;
    assign m_axis_end_tvalid = end_valid_q;
    assign m_axis_end_tdata  = end_q;

    // ---- the result -----------------------------------------------------------------------------------------------------
    wire [GPUS - 1:0] its_missing;
    wire [6:0]        its_rows;
    reg               refused_q;
    reg               found_in_flight_q;
    reg  [GPUS - 1:0] missing_q;
    reg  [13:0]       seen_q; // rows; in flight; state
    moehub_one_hot_mux #(.WIDTH(GPUS), .WAYS(CONTEXTS)) u_missing (
        .select(named_q), .words(peers & ~complete), .word(its_missing)
    );
    moehub_one_hot_mux #(.WIDTH(7), .WAYS(CONTEXTS)) u_rows (.select(named_q), .words(rows), .word(its_rows));

    always @(posedge clk) begin
        if (take) begin
            refused_q         <= refuse;
            found_in_flight_q <= its_in_flight;
            missing_q         <= its_missing & {GPUS{is_get && !refuse}};
            seen_q            <= {14{is_get && !refuse}}
                & {its_rows, its_in_flight, its_failed, its_arrived, its_closed, its_closing, its_clean, its_enabled};
        end
    end
    assign result_valid     = state_q == RESULT;
    assign result_refused   = refused_q;
    assign result_in_flight = found_in_flight_q;
    assign result_data1     = {41'd0, seen_q[13:7], 9'd0, seen_q[6:0]};
    generate
        if (GPUS >= 64) begin : g_missing_64
            assign result_data0 = missing_q[63:0];
        end else begin : g_missing
            assign result_data0 = {{64 - GPUS{1'b0}}, missing_q};
        end
    endgenerate

    // ---- what happened --------------------------------------------------------------------------------------------------
    reg                  taken_q;
    reg                  refusal_q;
    reg  [CONTEXTS - 1:0] failed_before_q;
    reg  [CONTEXTS - 1:0] arrived_before_q;
    reg  [3:0]           operation_q;
    reg  [2:0]           context_q;
    reg  [127:0]         header;

    always @(posedge clk) begin
        initialised_q    <= address_initialised && tile_tracker_initialised && packet_manager_initialised
            && (&final_reduce_initialised);
        taken_q          <= take;
        refusal_q        <= take && refuse;
        failed_before_q  <= has_failed;
        arrived_before_q <= has_arrived;
        if (rst) begin
            initialised_q    <= 1'b0;
            taken_q          <= 1'b0;
            refusal_q        <= 1'b0;
            failed_before_q  <= {CONTEXTS{1'b0}};
            arrived_before_q <= {CONTEXTS{1'b0}};
        end
    end
    always @(posedge clk) begin
        if (take) {operation_q, context_q} <= {command_operation, command_context[2:0]};
    end
    always @* begin
        header = 128'd0;
        header[`MOEHUB_HEADER_TYPE_LSB +: `MOEHUB_HEADER_TYPE_WIDTH]       = operation_q;
        header[`MOEHUB_HEADER_CONTEXT_LSB +: `MOEHUB_HEADER_CONTEXT_WIDTH] = context_q;
    end
    assign initialised  = initialised_q;
    assign error_valid  = refusal_q;
    assign error_cause  = 5'd`MOEHUB_HUB_CONTROL_CAUSE_COMMAND;
    assign error_header = header;
    assign events[`MOEHUB_HUB_CONTROL_EVENT_COMMANDS] = taken_q;
    assign events[`MOEHUB_HUB_CONTROL_EVENT_REFUSED]  = refusal_q;
    assign became_failed  = |(has_failed & ~failed_before_q);
    assign became_arrived = |(has_arrived & ~arrived_before_q);
endmodule

`default_nettype wire
