// SPDX-License-Identifier: Apache-2.0
// moehub_hub_report: of any errors in a cycle the candidate is the one with the smallest cause, under the right
// name; each cause is counted by its event, and a table's errors flag its context. Causes and names are said here once more,
// from the inputs of one cycle before (parity: two).
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_hub.vh"
`include "moehub_width.vh"
module formal_hub_report #(
    parameter CONTEXTS        = 2,
    parameter LOCAL_EXPERTS   = 3,
    parameter ROW_INDEX_WIDTH = 2
) (
    input wire                                clk,
    input wire                                rst,
    input wire [11:0]                         streams,
    input wire [`MOEHUB_TLB_EVENTS_WIDTH - 1:0] tlb_events,
    input wire                                refusal_valid,
    input wire [`MOEHUB_OFFENDER_WIDTH - 1:0] refusal,
    input wire                                read_error_valid,
    input wire                                read_error_repeated,
    input wire [`MOEHUB_ROW_NAME_WIDTH(CONTEXTS, LOCAL_EXPERTS, ROW_INDEX_WIDTH) - 1:0] read_error_name,
    input wire                                write_error_valid,
    input wire [`MOEHUB_ROW_NAME_WIDTH(CONTEXTS, LOCAL_EXPERTS, ROW_INDEX_WIDTH) - 1:0] write_error_name,
    input wire                                refused_valid,
    input wire [3:0]                          command_operation,
    input wire [7:0]                          command_context,
    input wire [15:0]                         command_index,
    input wire [`MOEHUB_HUB_MEMORIES - 1:0]   parity_errors
);
`include "formal_reset.vh"
    wire [`MOEHUB_HUB_EVENTS - 1:0] events;
    wire                            error_valid;
    wire [4:0]                      error_cause;
    wire [127:0]                    error_header;
    wire [15:0]                     error_expert;
    wire [5:0]                      error_port;
    wire [CONTEXTS - 1:0]           faults;
    moehub_hub_report #(.CONTEXTS(CONTEXTS), .LOCAL_EXPERTS(LOCAL_EXPERTS), .ROW_INDEX_WIDTH(ROW_INDEX_WIDTH)) u_report (
        .clk(clk), .rst(rst), .request_valid(streams[0]), .request_ready(streams[1]), .open(streams[2]),
        .waiting_free(streams[3]),
        .answer_valid(streams[4]), .answer_ready(streams[5]), .m_axi_arvalid(streams[6]), .m_axi_arready(streams[7]),
        .m_axi_awvalid(streams[8]), .m_axi_awready(streams[9]), .m_axi_wvalid(streams[10]), .m_axi_wready(streams[11]),
        .tlb_events(tlb_events), .refusal_valid(refusal_valid), .refusal(refusal),
        .read_error_valid(read_error_valid), .read_error_repeated(read_error_repeated), .read_error_name(read_error_name),
        .write_error_valid(write_error_valid), .write_error_name(write_error_name),
        .refused_valid(refused_valid), .command_operation(command_operation), .command_context(command_context),
        .command_index(command_index), .parity_errors(parity_errors), .events(events), .error_valid(error_valid),
        .error_cause(error_cause), .error_header(error_header), .error_expert(error_expert), .error_port(error_port),
        .faults(faults)
    );
    wire [3:0] refusal_status = refusal[`MOEHUB_HEADER_STATUS_LSB +: 4]; // the header is the lowest field
    always @* assume (!refusal_valid || (refusal_status >= 4'd1 && refusal_status <= 4'd7));

    // ---- causes of the cycle before, one bit each -------------------------------------------------------------------
    wire [`MOEHUB_INDEX_WIDTH(CONTEXTS) - 1:0]      read_context;
    wire [`MOEHUB_INDEX_WIDTH(LOCAL_EXPERTS) - 1:0] read_expert;
    wire [ROW_INDEX_WIDTH - 1:0]                    read_row;
    assign `MOEHUB_ROW_NAME(read_context, read_expert, read_row) = read_error_name;
    wire [`MOEHUB_INDEX_WIDTH(CONTEXTS) - 1:0]      write_context = write_error_name >> `MOEHUB_INDEX_WIDTH(LOCAL_EXPERTS)
                                                                                        >> ROW_INDEX_WIDTH;
    localparam [CONTEXTS - 1:0] ONE_CONTEXT = 1;
    reg [CONTEXTS - 1:0]              flagged_q = 0;
    reg [`MOEHUB_HUB_MEMORIES - 1:0]  parity_1_q = 0, parity_2_q = 0;
    reg [`MOEHUB_HUB_CAUSES - 1:0]    causes_q = 0; // but for parity
    reg [127:0]                       named_q;      // of a table read
    reg [15:0]                        expert_q;
    reg [`MOEHUB_TLB_EVENTS_WIDTH - 1:0] told_q = 0;
    wire [`MOEHUB_HUB_CAUSES - 1:0]   causes = causes_q | {|parity_2_q, {`MOEHUB_HUB_CAUSE_PARITY{1'b0}}};
    wire [`MOEHUB_HUB_CAUSES - 1:0]   counted_causes =
        {events[`MOEHUB_HUB_EVENT_PARITY], events[`MOEHUB_HUB_EVENT_CAUSES +: `MOEHUB_HUB_ORDER_CAUSES]};
    wire [`MOEHUB_HUB_CAUSES - 1:0]   now =
        ({11'd0, refusal_valid} << (refusal_status - 4'd1))
        | ({11'd0, read_error_valid && read_error_repeated} << `MOEHUB_HUB_CAUSE_REPEATED)
        | ({11'd0, read_error_valid && !read_error_repeated} << `MOEHUB_HUB_CAUSE_TABLE_READ)
        | ({11'd0, write_error_valid} << `MOEHUB_HUB_CAUSE_TABLE_WRITE) | ({11'd0, refused_valid} << `MOEHUB_HUB_CAUSE_COMMAND);
    always @(posedge clk) begin
        causes_q <= now;
        parity_1_q <= parity_errors;
        parity_2_q <= parity_1_q;
        named_q <= ({125'd0, read_context} << `MOEHUB_HEADER_CONTEXT_LSB) | ({126'd0, read_row} << `MOEHUB_HEADER_ROW_INDEX_LSB);
        expert_q <= read_expert;
        told_q   <= tlb_events;
        flagged_q <= (read_error_valid ? ONE_CONTEXT << read_context : 0)
                     | (write_error_valid ? ONE_CONTEXT << write_context : 0);
        if (rst) begin
            flagged_q  <= 0;
            causes_q   <= 0;
            parity_1_q <= 0;
            parity_2_q <= 0;
            told_q     <= 0;
        end
    end

    wire by_read = error_cause == `MOEHUB_HUB_CAUSE_REPEATED || error_cause == `MOEHUB_HUB_CAUSE_TABLE_READ;
    wire by_parity = error_cause == `MOEHUB_HUB_CAUSE_PARITY;
    localparam [`MOEHUB_HUB_CAUSES - 1:0] ONE = 1;
    localparam [`MOEHUB_HUB_MEMORIES - 1:0] ONE_MEMORY = 1;
    always @* if (started_q && !reset_q) begin
        smallest_cause: assert (error_valid == |causes
                                && (!error_valid || (causes[error_cause] && (causes & ((ONE << error_cause) - ONE)) == 0)));
        right_name:     assert (!error_valid || !by_read
                                || (error_header == named_q && error_expert == expert_q && error_port == 6'd0));
        right_memory:   assert (!error_valid || !by_parity
                                || (error_header == 128'd0 && error_port == 6'd0 && error_expert < `MOEHUB_HUB_MEMORIES
                                    && parity_2_q[error_expert[4:0]]
                                    && (parity_2_q & ((ONE_MEMORY << error_expert) - ONE_MEMORY)) == 0));
        flagged:        assert (faults == flagged_q);
        counted:        assert (counted_causes == causes && events[`MOEHUB_HUB_EVENT_LOOKUPS] == told_q[0]
                                && events[`MOEHUB_HUB_EVENT_MISSES] == told_q[1]
                                && events[`MOEHUB_HUB_EVENT_EVICTIONS] == told_q[2]
                                && events[`MOEHUB_HUB_EVENT_ALLOCATIONS] == told_q[3]);
    end
    always @* begin
        two_causes:   cover (error_valid && causes[`MOEHUB_HUB_CAUSE_FULL] && causes[`MOEHUB_HUB_CAUSE_TABLE_READ]
                             && told_q[2]);
        table_error:  cover (error_valid && by_read && named_q != 128'd0 && causes[`MOEHUB_HUB_CAUSE_COMMAND]);
        two_contexts: cover (faults[0] && faults[CONTEXTS - 1] && causes[`MOEHUB_HUB_CAUSE_REPEATED]
                             && causes[`MOEHUB_HUB_CAUSE_TABLE_WRITE]);
        two_memories: cover (error_valid && by_parity && parity_2_q[3] && parity_2_q[24] && !parity_2_q[0]);
    end
endmodule
`default_nettype wire
