// SPDX-License-Identifier: Apache-2.0
// Purpose: what went wrong: flags of contexts, counts of causes, and the candidate for the error latch.
// Contract:
//   1. faults has five sources: tokens, arrival, timers, list, tiles; each may have one in a cycle, and none has a cause of
//      another. Tiles come last: theirs are known latest.
//   2. fails: a pulse for each context that one of them flags, one cycle later. causes: likewise, a bit a cause.
//   3. error_*: of the causes of a cycle the smallest, beside causes. error_header has the packet header's layout; what is not
//      known is 0.
// Cost: a register for each output.
// Proved: formal/hub/formal_tile_tracker_report.v
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_tile_tracker.vh"

module moehub_tile_tracker_report #(
    parameter CONTEXTS = 4
) (
    input  wire                                         clk,
    input  wire                                         rst,
    input  wire [4:0]                                   fault_valid,
    input  wire [5 * `MOEHUB_TRACKER_ERROR_WIDTH - 1:0] faults,
    output wire [CONTEXTS - 1:0]                        fails,
    output wire [`MOEHUB_TILE_TRACKER_CAUSES - 1:0]     causes,
    output wire                                         error_valid,
    output wire [4:0]                                   error_cause,
    output wire [127:0]                                 error_header
);
    reg  [CONTEXTS - 1:0]                        fails_q;
    reg  [`MOEHUB_TILE_TRACKER_CAUSES - 1:0]     causes_q;
    reg                                          error_valid_q;
    reg  [4:0]                                   error_cause_q;
    reg  [127:0]                                 error_header_q;

    // The causes of a cycle are all compared at once: each fault but one finds another that is before it.
    localparam WIDTH = `MOEHUB_TRACKER_ERROR_WIDTH;
    reg  [7:0]                                   flag_set;
    reg  [31:0]                                  cause_set;
    reg  [5 * 5 - 1:0]                           cause_of;
    reg  [4:0]                                   first; // one-hot
    reg  [WIDTH - 1:0]                           chosen;
    reg  [127:0]                                 header;
    reg  [4:0]                                   cause;
    reg                                          flags;
    reg  [2:0]                                   named_context;
    reg  [5:0]                                   source;
    reg  [31:0]                                  row_index;
    reg  [15:0]                                  tag;
    integer i;
    integer j;
    always @* begin
        flag_set  = 8'd0;
        cause_set = 32'd0;
        cause_of  = 25'd0;
        first     = fault_valid;
        chosen    = {WIDTH{1'b0}};
        for (i = 0; i < 5; i = i + 1) begin
            `MOEHUB_TRACKER_ERROR(cause, flags, named_context, source, row_index, tag) = faults[i * WIDTH +: WIDTH];
            cause_of[i * 5 +: 5] = cause;
            if (fault_valid[i]) cause_set[cause] = 1'b1;
            if (fault_valid[i] && flags) flag_set[named_context] = 1'b1;
            for (j = 0; j < i; j = j + 1) if (fault_valid[i] && fault_valid[j]) begin
                if (cause < cause_of[j * 5 +: 5]) first[j] = 1'b0;
                else first[i] = 1'b0;
            end
        end
        for (i = 0; i < 5; i = i + 1) chosen = chosen | (faults[i * WIDTH +: WIDTH] & {WIDTH{first[i]}});
        `MOEHUB_TRACKER_ERROR(cause, flags, named_context, source, row_index, tag) = chosen;
        header    = 128'd0;
        header[`MOEHUB_HEADER_CONTEXT_LSB +: `MOEHUB_HEADER_CONTEXT_WIDTH]     = named_context;
        header[`MOEHUB_HEADER_SOURCE_LSB +: `MOEHUB_HEADER_SOURCE_WIDTH]       = {4'd0, source};
        header[`MOEHUB_HEADER_ROW_INDEX_LSB +: `MOEHUB_HEADER_ROW_INDEX_WIDTH] = row_index;
        header[`MOEHUB_HEADER_TAG_LSB +: `MOEHUB_HEADER_TAG_WIDTH]             = {8'd0, tag};
    end
    wire [`MOEHUB_TILE_TRACKER_CAUSES - 1:0]     told = cause_set[`MOEHUB_TILE_TRACKER_CAUSES - 1:0]; // not NO_CAUSE

    always @(posedge clk) begin
        fails_q        <= flag_set[CONTEXTS - 1:0];
        causes_q       <= told;
        error_valid_q  <= told != {`MOEHUB_TILE_TRACKER_CAUSES{1'b0}};
        error_cause_q  <= cause;
        error_header_q <= header;
        if (rst) begin
            fails_q       <= {CONTEXTS{1'b0}};
            causes_q      <= {`MOEHUB_TILE_TRACKER_CAUSES{1'b0}};
            error_valid_q <= 1'b0;
        end
    end
    assign fails        = fails_q;
    assign causes       = causes_q;
    assign error_valid  = error_valid_q;
    assign error_cause  = error_cause_q;
    assign error_header = error_header_q;

    wire unused = &{1'b0, cause_set, flag_set};
endmodule

`default_nettype wire
