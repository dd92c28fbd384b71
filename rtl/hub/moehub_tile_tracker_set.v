// SPDX-License-Identifier: Apache-2.0
// Purpose: what moehub_hub_contexts sets: regions, and ADVANCE of a context; and the walk after reset.
// Contract:
//   1. After reset every memory is cleared, word `walk` in each cycle while walking; initialised is high from then on.
//   2. An item of `set` is taken in the cycle after it is done: ready is a pulse.
//   3. ADVANCE: stop of the context is high from its begin to its end. When none of the context's words is on its way any more
//      (held,
//      sweeping low, and the pipelines had time to empty) restart is a pulse; then clear, until all three sweeps are cleared.
//   4. The user's duty: nothing of the context is in flight.
// Cost: LOCAL_EXPERTS cycles for cleared regions, one for a region; ADVANCE 40 beside its sweeps.
// Proved: formal/hub/formal_tile_tracker_set.v
`default_nettype none
`include "moehub_tile_tracker.vh"

module moehub_tile_tracker_set #(
    parameter CONTEXTS      = 4,
    parameter LOCAL_EXPERTS = 64,
    parameter WORDS         = 4096 // of the largest memory
) (
    input  wire                             clk,
    input  wire                             rst,
    output wire                             initialised,
    output wire                             walking,
    output wire [16:0]                      walk,
    input  wire                             s_axis_set_tvalid,
    output wire                             s_axis_set_tready,
    input  wire [`MOEHUB_SET_WIDTH - 1:0]   s_axis_set_tdata,
    output wire                             region_write,
    output wire [2:0]                       region_context,
    output wire [15:0]                      region_expert,
    output wire [15:0]                      region_first,
    output wire [16:0]                      region_count,
    input  wire [CONTEXTS - 1:0]            held,      // an event of the context has left its ring and is not offered yet
    input  wire [CONTEXTS - 1:0]            sweeping,
    input  wire [2:0]                       cleared,   // pulses: tiles, arrival, tokens
    output wire [CONTEXTS - 1:0]            stop,
    output wire [CONTEXTS - 1:0]            restart,
    output wire [2:0]                       clear,
    output wire [2:0]                       clear_context
);
    localparam [31:0] EXPERTS_32 = LOCAL_EXPERTS;
    localparam [31:0] LAST_32    = WORDS - 1;
    localparam [2:0] WALK    = 3'd0;
    localparam [2:0] IDLE    = 3'd1;
    localparam [2:0] REGIONS = 3'd2;
    localparam [2:0] STOP    = 3'd3;
    localparam [2:0] RESTART = 3'd4;
    localparam [2:0] CLEAR   = 3'd5;
    localparam [2:0] DONE    = 3'd6;
    localparam [3:0] EMPTY   = 4'd15; // cycles in which whatever has entered a pipeline leaves it

    wire [1:0]  what;
    wire [2:0]  named_context;
    wire [15:0] expert;
    wire [15:0] first;
    wire [16:0] count;
    assign `MOEHUB_SET(what, named_context, expert, first, count) = s_axis_set_tdata;

    reg  [2:0]            state_q;
    reg  [16:0]           walk_q;
    reg  [3:0]            empty_q;
    reg                   initialised_q;
    reg                   ready_q;
    reg                   region_write_q;
    reg  [15:0]           region_expert_q;
    reg  [CONTEXTS - 1:0] stop_q;
    reg  [2:0]            clear_context_q; // of the item, stable from long before clear
    reg  [CONTEXTS - 1:0] restart_q;
    reg  [2:0]            clear_q;
    wire [7:0]            one_hot = 8'd1 << named_context;
    wire                  is_region = what == 2'd`MOEHUB_SET_REGION;

    assign initialised       = initialised_q;
    assign walking           = state_q == WALK;
    assign walk              = walk_q;
    assign s_axis_set_tready = ready_q;
    assign region_write      = region_write_q;
    assign region_context    = named_context;
    assign region_expert     = region_expert_q;
    assign region_first      = is_region ? first : 16'd0;
    assign region_count      = is_region ? count : 17'd0;
    assign stop              = stop_q;
    assign restart           = restart_q;
    assign clear             = clear_q;
    assign clear_context     = clear_context_q;

    always @(posedge clk) begin
        ready_q        <= 1'b0;
        region_write_q <= 1'b0;
        restart_q      <= {CONTEXTS{1'b0}};
        clear_context_q <= named_context;
        case (state_q)
            WALK: begin
                walk_q <= walk_q + 17'd1;
                if ({15'd0, walk_q} == LAST_32) begin
                    state_q       <= IDLE;
                    initialised_q <= 1'b1;
                end
            end
            IDLE: if (s_axis_set_tvalid && !ready_q) begin
                walk_q <= 17'd0;
                case (what)
                    2'd`MOEHUB_SET_CLEAR_REGIONS: state_q <= REGIONS;
                    2'd`MOEHUB_SET_REGION: begin
                        region_write_q  <= 1'b1;
                        region_expert_q <= expert;
                        state_q         <= DONE;
                    end
                    default: begin
                        stop_q  <= one_hot[CONTEXTS - 1:0];
                        empty_q <= 4'd0;
                        state_q <= STOP;
                    end
                endcase
            end
            REGIONS: begin
                walk_q          <= walk_q + 17'd1;
                region_write_q  <= 1'b1;
                region_expert_q <= walk_q[15:0];
                if ({15'd0, walk_q} == EXPERTS_32 - 32'd1) state_q <= DONE;
            end
            STOP: begin
                empty_q <= |(stop_q & (held | sweeping)) ? 4'd0 : empty_q + 4'd1;
                if (empty_q == EMPTY) begin
                    state_q   <= RESTART;
                    restart_q <= stop_q;
                end
            end
            RESTART: begin
                clear_q <= 3'b111;
                state_q <= CLEAR;
            end
            CLEAR: begin
                clear_q <= clear_q & ~cleared;
                if (clear_q == 3'd0) begin
                    stop_q  <= {CONTEXTS{1'b0}};
                    state_q <= DONE;
                end
            end
            default: begin
                ready_q <= 1'b1;
                state_q <= IDLE;
            end
        endcase
        if (rst) begin
            state_q        <= WALK;
            walk_q         <= 17'd0;
            initialised_q  <= 1'b0;
            ready_q        <= 1'b0;
            region_write_q <= 1'b0;
            stop_q         <= {CONTEXTS{1'b0}};
            restart_q      <= {CONTEXTS{1'b0}};
            clear_q        <= 3'd0;
        end
    end

    wire unused = &{1'b0, one_hot};
endmodule

`default_nettype wire
