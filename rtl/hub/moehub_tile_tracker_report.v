// SPDX-License-Identifier: Apache-2.0
// Purpose: what went wrong: flags of contexts, counts of causes, and the candidate for the error latch.
// Contract:
//   1. faults has five sources: tokens, arrival, timers, list, tiles; each may have one in a cycle, and none has a cause of
//      another. Tiles come last: theirs are known latest.
//   2. fails: a pulse for each context that one of them flags, one cycle later. causes: likewise, a bit a cause.
//   3. error_*: of the causes of a cycle the smallest, beside causes. error_header has the packet header's layout; what is not
//      known is 0.
// Cost: a register for each output.
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

    localparam SOURCES = 5;
    localparam CAUSES  = `MOEHUB_TILE_TRACKER_CAUSES;

    reg  [7:0]                 flag_set;
    reg  [31:0]                cause_set;
    reg  [SOURCES * 32 - 1:0]  source_causes; // of each source, one bit
    reg  [SOURCES * 128 - 1:0] headers;
    reg  [4:0]                 cause;
    reg                        flags;
    reg  [2:0]                 named_context;
    reg  [5:0]                 source;
    reg  [31:0]                row_index;
    reg  [15:0]                tag;
    integer i;
    always @* begin
        flag_set      = 8'd0;
        cause_set     = 32'd0;
        source_causes = {SOURCES * 32{1'b0}};
        headers       = {SOURCES * 128{1'b0}};
        cause         = 5'd0;
        flags         = 1'b0;
        named_context = 3'd0;
        source        = 6'd0;
        row_index     = 32'd0;
        tag           = 16'd0;
        for (i = 0; i < SOURCES; i = i + 1) begin
            `MOEHUB_TRACKER_ERROR(cause, flags, named_context, source, row_index, tag) =
                faults[i * `MOEHUB_TRACKER_ERROR_WIDTH +: `MOEHUB_TRACKER_ERROR_WIDTH];
            if (fault_valid[i]) begin
                cause_set[cause] = 1'b1;
                source_causes[i * 32 +: 32] = 32'd1 << cause;
                if (flags) flag_set[named_context] = 1'b1;
            end
            headers[i * 128 + `MOEHUB_HEADER_CONTEXT_LSB +: `MOEHUB_HEADER_CONTEXT_WIDTH]     = named_context;
            headers[i * 128 + `MOEHUB_HEADER_SOURCE_LSB +: `MOEHUB_HEADER_SOURCE_WIDTH]       = {4'd0, source};
            headers[i * 128 + `MOEHUB_HEADER_ROW_INDEX_LSB +: `MOEHUB_HEADER_ROW_INDEX_WIDTH] = row_index;
            headers[i * 128 + `MOEHUB_HEADER_TAG_LSB +: `MOEHUB_HEADER_TAG_WIDTH]             = {8'd0, tag};
        end
    end

    // As bits: five comparisons, one after the other, would be the longest path of the hub.
    wire [CAUSES - 1:0] smallest;
    moehub_lowest_one #(.WIDTH(CAUSES)) u_smallest (.bits(cause_set[CAUSES - 1:0]), .lowest(smallest));
    wire [3:0] smallest_cause;
    moehub_one_hot_index #(.WIDTH(CAUSES)) u_cause (.one_hot(smallest), .index(smallest_cause));
    reg  [SOURCES - 1:0] named; // the source that has it
    always @* for (i = 0; i < SOURCES; i = i + 1) named[i] = |(source_causes[i * 32 +: CAUSES] & smallest);
    wire [127:0] header;
    moehub_one_hot_mux #(.WIDTH(128), .WAYS(SOURCES)) u_header (.select(named), .words(headers), .word(header));

    always @(posedge clk) begin
        fails_q        <= flag_set[CONTEXTS - 1:0];
        causes_q       <= cause_set[CAUSES - 1:0];
        error_valid_q  <= |smallest;
        error_cause_q  <= {1'b0, smallest_cause};
        error_header_q <= header;
        if (rst) begin
            fails_q       <= {CONTEXTS{1'b0}};
            causes_q      <= {CAUSES{1'b0}};
            error_valid_q <= 1'b0;
        end
    end
    assign fails        = fails_q;
    assign causes       = causes_q;
    assign error_valid  = error_valid_q;
    assign error_cause  = error_cause_q;
    assign error_header = error_header_q;

    wire unused = &{1'b0, cause_set, source_causes, flag_set};
endmodule

`default_nettype wire
