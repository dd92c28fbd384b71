// SPDX-License-Identifier: Apache-2.0
// moehub_tile_tracker_report: a cycle after faults each cause is told, each flagged context, and the smallest cause with what its
// own fault names.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_tile_tracker.vh"
module formal_tile_tracker_report #(
    parameter CONTEXTS = 3
) (
    input wire                                         clk,
    input wire                                         rst,
    input wire [4:0]                                   fault_valid,
    input wire [5 * `MOEHUB_TRACKER_ERROR_WIDTH - 1:0] faults
);
`include "formal_reset.vh"
    wire [CONTEXTS - 1:0]                    fails;
    wire [`MOEHUB_TILE_TRACKER_CAUSES - 1:0] causes;
    wire                                     error_valid;
    wire [4:0]                               error_cause;
    wire [127:0]                             error_header;
    moehub_tile_tracker_report #(.CONTEXTS(CONTEXTS)) u_report (
        .clk(clk), .rst(rst), .fault_valid(fault_valid), .faults(faults), .fails(fails), .causes(causes),
        .error_valid(error_valid), .error_cause(error_cause), .error_header(error_header)
    );

    // The faults of a cycle ago; one of them, a cause and a context of the solver's choice.
    reg [4:0]                                   fault_valid_q = 5'd0;
    reg [5 * `MOEHUB_TRACKER_ERROR_WIDTH - 1:0] faults_q;
    always @(posedge clk) begin
        fault_valid_q <= rst ? 5'd0 : fault_valid;
        faults_q      <= faults;
    end
    (* anyconst *) wire [2:0] its_fault;
    (* anyconst *) wire [4:0] its_cause;
    (* anyconst *) wire [1:0] its_context;
    always @* assume (its_fault < 5 && its_cause < `MOEHUB_TILE_TRACKER_CAUSES && its_context < CONTEXTS);
    wire [4:0]  cause         [0:4];
    wire        flags         [0:4];
    wire [2:0]  fault_context [0:4];
    wire [5:0]  source        [0:4];
    wire [31:0] row_index     [0:4];
    wire [15:0] tag           [0:4];
    reg cause_told;
    reg context_flagged;
    reg any;
    genvar g;
    generate
        for (g = 0; g < 5; g = g + 1) begin : g_fault
            assign `MOEHUB_TRACKER_ERROR(cause[g], flags[g], fault_context[g], source[g], row_index[g], tag[g]) =
                faults_q[g * `MOEHUB_TRACKER_ERROR_WIDTH +: `MOEHUB_TRACKER_ERROR_WIDTH];
        end
    endgenerate
    integer i;
    always @* begin
        cause_told      = 1'b0;
        context_flagged = 1'b0;
        any             = 1'b0;
        for (i = 0; i < 5; i = i + 1) if (fault_valid_q[i]) begin
            cause_told      = cause_told || cause[i] == its_cause;
            context_flagged = context_flagged || (flags[i] && fault_context[i] == its_context);
            any             = any || cause[i] != `MOEHUB_TRACKER_NO_CAUSE;
        end
    end
    wire        its         = fault_valid_q[its_fault] && cause[its_fault] != `MOEHUB_TRACKER_NO_CAUSE;
    wire [31:0] told_causes = {{32 - `MOEHUB_TILE_TRACKER_CAUSES{1'b0}}, causes};
    // No two sources have the same cause.
    integer j;
    always @* for (i = 0; i < 5; i = i + 1) begin
        assume (cause[i] < `MOEHUB_TILE_TRACKER_CAUSES || cause[i] == `MOEHUB_TRACKER_NO_CAUSE);
        for (j = 0; j < i; j = j + 1)
            assume (!(fault_valid_q[i] && fault_valid_q[j] && cause[i] == cause[j]
                && cause[i] != `MOEHUB_TRACKER_NO_CAUSE));
    end

    reg [127:0] its_header;
    always @* begin
        its_header = 128'd0;
        its_header[`MOEHUB_HEADER_CONTEXT_LSB +: `MOEHUB_HEADER_CONTEXT_WIDTH]     = fault_context[its_fault];
        its_header[`MOEHUB_HEADER_SOURCE_LSB +: `MOEHUB_HEADER_SOURCE_WIDTH]       = {4'd0, source[its_fault]};
        its_header[`MOEHUB_HEADER_ROW_INDEX_LSB +: `MOEHUB_HEADER_ROW_INDEX_WIDTH] = row_index[its_fault];
        its_header[`MOEHUB_HEADER_TAG_LSB +: `MOEHUB_HEADER_TAG_WIDTH]             = {8'd0, tag[its_fault]};
    end

    always @* if (started_q) begin
        told:       assert (causes[its_cause] == cause_told);
        flagged:    assert (fails[its_context] == context_flagged);
        latches:    assert (error_valid == any);
        smallest:   assert (!(error_valid && its) || error_cause <= cause[its_fault]);
        header_its: assert (!(error_valid && its && error_cause == cause[its_fault]) || error_header == its_header);
        is_cause:   assert (!error_valid || told_causes[error_cause]);
    end
    always @* begin
        all_at_once: cover (started_q && (&fault_valid_q) && error_valid && its
            && error_cause == cause[its_fault] && its_fault == 3'd4);
    end
endmodule
`default_nettype wire
