// SPDX-License-Identifier: Apache-2.0
// Purpose: what happened in the address path: events for the counters, and the candidate for the error latch.
// Contract:
//   1. events: one bit per event, high for one cycle, one cycle after what it counts; order: doc/address_path.md section 7.
//   2. error_*: of the errors of a cycle the one with the smallest cause, one cycle later. error_header has the packet header's
//      layout; what is not known of the offender is 0.
//   3. A memory word that fails its parity is an event, and the cycle's largest cause, two cycles after the read;
//      error_expert is the number of the memory, the smallest of several (doc/address_path.md section 10).
//   4. A refused command is named by its operands, which are stable while it is judged.
//   5. faults: a bit for each context, high in the cycle of the event of a REPEATED, TABLE_READ or TABLE_WRITE of its table.
// Cost: a register for each output.
// Proved: formal/hub/formal_hub_report.v
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_hub.vh"
`include "moehub_width.vh"

module moehub_hub_report #(
    parameter CONTEXTS        = 4,
    parameter LOCAL_EXPERTS   = 64,
    parameter ROW_INDEX_WIDTH = 20
) (
    input  wire                              clk,
    input  wire                              rst,
    // streams: accepted, stalled
    input  wire                              request_valid,
    input  wire                              request_ready,
    input  wire                              open,         // no command shuts requests out
    input  wire                              waiting_free,
    input  wire                              answer_valid,
    input  wire                              answer_ready,
    input  wire                              m_axi_arvalid,
    input  wire                              m_axi_arready,
    input  wire                              m_axi_awvalid,
    input  wire                              m_axi_awready,
    input  wire                              m_axi_wvalid,
    input  wire                              m_axi_wready,
    // AL-TLB
    input  wire [`MOEHUB_TLB_EVENTS_WIDTH - 1:0] tlb_events,
    // an answer with an error status
    input  wire                              refusal_valid,
    input  wire [`MOEHUB_OFFENDER_WIDTH - 1:0] refusal,
    // walker
    input  wire                              read_error_valid,
    input  wire                              read_error_repeated, // else TABLE_READ
    input  wire [`MOEHUB_ROW_NAME_WIDTH(CONTEXTS, LOCAL_EXPERTS, ROW_INDEX_WIDTH) - 1:0] read_error_name,
    input  wire                              write_error_valid,
    input  wire [`MOEHUB_ROW_NAME_WIDTH(CONTEXTS, LOCAL_EXPERTS, ROW_INDEX_WIDTH) - 1:0] write_error_name,
    // a refused command
    input  wire                              refused_valid,
    input  wire [3:0]                        command_operation,
    input  wire [7:0]                        command_context,
    input  wire [15:0]                       command_index,
    // memories, by number
    input  wire [`MOEHUB_HUB_MEMORIES - 1:0] parity_errors,
    output wire [`MOEHUB_HUB_EVENTS - 1:0]   events,
    output wire                              error_valid,
    output wire [4:0]                        error_cause,
    output wire [127:0]                      error_header,
    output wire [15:0]                       error_expert,
    output wire [5:0]                        error_port,
    output wire [CONTEXTS - 1:0]             faults
);

    localparam CONTEXT_WIDTH = `MOEHUB_INDEX_WIDTH(CONTEXTS);
    localparam EXPERT_WIDTH  = `MOEHUB_INDEX_WIDTH(LOCAL_EXPERTS);

    function [127:0] name_header(input [3:0] kind, input [2:0] number, input [31:0] row_index);
        begin
            name_header = 128'd0;
            name_header[`MOEHUB_HEADER_TYPE_LSB +: `MOEHUB_HEADER_TYPE_WIDTH]           = kind;
            name_header[`MOEHUB_HEADER_CONTEXT_LSB +: `MOEHUB_HEADER_CONTEXT_WIDTH]     = number;
            name_header[`MOEHUB_HEADER_ROW_INDEX_LSB +: `MOEHUB_HEADER_ROW_INDEX_WIDTH] = row_index;
        end
    endfunction

    // ---- who it was -------------------------------------------------------------------------------------------------
    wire [5:0]   refusal_port;
    wire [15:0]  refusal_expert;
    wire [127:0] refusal_header;
    assign `MOEHUB_OFFENDER(refusal_port, refusal_expert, refusal_header) = refusal;
    // Status 1..7 are the causes 0..6.
    wire [2:0] refusal_cause = refusal_header[`MOEHUB_HEADER_STATUS_LSB +: 3] - 3'd1;

    wire [CONTEXT_WIDTH - 1:0]   read_context;
    wire [EXPERT_WIDTH - 1:0]    read_expert;
    wire [ROW_INDEX_WIDTH - 1:0] read_row_index;
    wire [CONTEXT_WIDTH - 1:0]   write_context;
    wire [EXPERT_WIDTH - 1:0]    write_expert;
    wire [ROW_INDEX_WIDTH - 1:0] write_row_index;
    assign `MOEHUB_ROW_NAME(read_context, read_expert, read_row_index)    = read_error_name;
    assign `MOEHUB_ROW_NAME(write_context, write_expert, write_row_index) = write_error_name;

    // ... as wide as in a header
    wire [63:0] read_context_wide  = {{64 - CONTEXT_WIDTH{1'b0}}, read_context};
    wire [63:0] write_context_wide = {{64 - CONTEXT_WIDTH{1'b0}}, write_context};
    wire [63:0] read_row_wide      = {{64 - ROW_INDEX_WIDTH{1'b0}}, read_row_index};
    wire [63:0] write_row_wide     = {{64 - ROW_INDEX_WIDTH{1'b0}}, write_row_index};

    // The parity trees end in registers.
    reg  [`MOEHUB_HUB_MEMORIES - 1:0] parity_q;
    wire [`MOEHUB_HUB_MEMORIES - 1:0] parity_lowest;
    wire [4:0]                        parity_memory;
    wire                              parity_failed = |parity_q;
    moehub_lowest_one #(.WIDTH(`MOEHUB_HUB_MEMORIES)) u_lowest (.bits(parity_q), .lowest(parity_lowest));
    moehub_one_hot_index #(.WIDTH(`MOEHUB_HUB_MEMORIES)) u_memory (.one_hot(parity_lowest), .index(parity_memory));

    always @(posedge clk) begin
        parity_q <= parity_errors;
        if (rst) parity_q <= {`MOEHUB_HUB_MEMORIES{1'b0}};
    end

    // ---- events -----------------------------------------------------------------------------------------------------
    wire lookup;
    wire miss;
    wire evict;
    wire first;
    wire waited_line;
    wire waited_entry;
    assign `MOEHUB_TLB_EVENTS(waited_entry, waited_line, first, evict, miss, lookup) = tlb_events;

    reg [`MOEHUB_HUB_EVENTS - 1:0] events_q;
    assign events = events_q;

    always @(posedge clk) begin
        events_q[`MOEHUB_HUB_EVENT_REQUESTS]     <= request_valid && request_ready;
        events_q[`MOEHUB_HUB_EVENT_LOOKUPS]      <= lookup;
        events_q[`MOEHUB_HUB_EVENT_HITS]         <= lookup && !miss;
        events_q[`MOEHUB_HUB_EVENT_MISSES]       <= miss;
        events_q[`MOEHUB_HUB_EVENT_EVICTIONS]    <= evict;
        events_q[`MOEHUB_HUB_EVENT_TABLE_READS]  <= first || miss;
        events_q[`MOEHUB_HUB_EVENT_TABLE_WRITES] <= first;
        events_q[`MOEHUB_HUB_EVENT_ALLOCATIONS]  <= first;
        events_q[`MOEHUB_HUB_EVENT_CAUSES +: 7]  <= {6'd0, refusal_valid} << refusal_cause;
        events_q[`MOEHUB_HUB_EVENT_CAUSES + `MOEHUB_HUB_CAUSE_REPEATED]    <= read_error_valid && read_error_repeated;
        events_q[`MOEHUB_HUB_EVENT_CAUSES + `MOEHUB_HUB_CAUSE_TABLE_READ]  <= read_error_valid && !read_error_repeated;
        events_q[`MOEHUB_HUB_EVENT_CAUSES + `MOEHUB_HUB_CAUSE_TABLE_WRITE] <= write_error_valid;
        events_q[`MOEHUB_HUB_EVENT_CAUSES + `MOEHUB_HUB_CAUSE_COMMAND]     <= refused_valid;
        events_q[`MOEHUB_HUB_EVENT_REQUEST_STALLED]     <= request_valid && !request_ready;
        events_q[`MOEHUB_HUB_EVENT_ANSWER_STALLED]      <= answer_valid && !answer_ready;
        events_q[`MOEHUB_HUB_EVENT_TABLE_READ_STALLED]  <= m_axi_arvalid && !m_axi_arready;
        events_q[`MOEHUB_HUB_EVENT_TABLE_WRITE_STALLED] <= (m_axi_awvalid && !m_axi_awready) || (m_axi_wvalid && !m_axi_wready);
        events_q[`MOEHUB_HUB_EVENT_WAITED_VICTIM]       <= waited_line;
        events_q[`MOEHUB_HUB_EVENT_WAITED_PENDING]      <= waited_entry;
        events_q[`MOEHUB_HUB_EVENT_WAITED_WAITING]      <= request_valid && open && !waiting_free;
        events_q[`MOEHUB_HUB_EVENT_PARITY]              <= parity_failed;
        if (rst) events_q <= {`MOEHUB_HUB_EVENTS{1'b0}};
    end

    // ---- contexts whose tables cannot be trusted --------------------------------------------------------------------
    reg [CONTEXTS - 1:0] faults_q;
    assign faults = faults_q;
    genvar c;
    generate
        for (c = 0; c < CONTEXTS; c = c + 1) begin : g_context
            localparam [31:0] NAME = c;
            wire read_here  = read_error_valid && read_context == NAME[CONTEXT_WIDTH - 1:0];
            wire write_here = write_error_valid && write_context == NAME[CONTEXT_WIDTH - 1:0];
            always @(posedge clk) begin
                faults_q[c] <= read_here || write_here;
                if (rst) faults_q[c] <= 1'b0;
            end
        end
    endgenerate

    // ---- candidate for the error latch: the smallest cause of the cycle ---------------------------------------------
    reg         error_valid_q;
    reg [4:0]   error_cause_q;
    reg [127:0] error_header_q;
    reg [15:0]  error_expert_q;
    reg [5:0]   error_port_q;
    assign error_valid  = error_valid_q;
    assign error_cause  = error_cause_q;
    assign error_header = error_header_q;
    assign error_expert = error_expert_q;
    assign error_port   = error_port_q;

    always @(posedge clk) begin
        error_valid_q <= refusal_valid || read_error_valid || write_error_valid || refused_valid || parity_failed;
        if (rst) error_valid_q <= 1'b0;
    end

    always @(posedge clk) begin
        error_port_q <= 6'd0;
        if (refusal_valid) begin
            error_cause_q  <= {2'd0, refusal_cause};
            error_header_q <= refusal_header;
            error_expert_q <= refusal_expert;
            error_port_q   <= refusal_port;
        end else if (read_error_valid) begin
            error_cause_q  <= read_error_repeated ? 5'd`MOEHUB_HUB_CAUSE_REPEATED : 5'd`MOEHUB_HUB_CAUSE_TABLE_READ;
            error_header_q <= name_header(4'd0, read_context_wide[2:0], read_row_wide[31:0]);
            error_expert_q <= {{16 - EXPERT_WIDTH{1'b0}}, read_expert};
        end else if (write_error_valid) begin
            error_cause_q  <= 5'd`MOEHUB_HUB_CAUSE_TABLE_WRITE;
            error_header_q <= name_header(4'd0, write_context_wide[2:0], write_row_wide[31:0]);
            error_expert_q <= {{16 - EXPERT_WIDTH{1'b0}}, write_expert};
        end else if (refused_valid) begin
            error_cause_q  <= 5'd`MOEHUB_HUB_CAUSE_COMMAND;
            error_header_q <= name_header(command_operation, command_context[2:0], 32'd0);
            error_expert_q <= command_index;
        end else begin
            error_cause_q  <= 5'd`MOEHUB_HUB_CAUSE_PARITY;
            error_header_q <= 128'd0;
            error_expert_q <= {11'd0, parity_memory};
        end
    end

    wire unused = &{1'b0, command_context[7:3], read_context_wide, write_context_wide, read_row_wide, write_row_wide};
endmodule

`default_nettype wire
