// SPDX-License-Identifier: Apache-2.0
// Purpose: keeps each request from its acceptance to its answer, and computes the answer: status, slot, address.
// Contract:
//   1. accepted_* stores a request under its id; value_* its status and slot where it need not wait; fill_* the result that
//      those who wait for a pending entry share.
//   2. ready_* names requests whose answer is known, in the order in which they leave; done_* gives an id back, consumed_* says
//      that one of the entry's waiting requests has read its result.
//   3. address = region base + slot * row size + offset for status OK, else address and slot are 0.
//   4. A request is only started while its answer has a place in the output FIFO (ANSWERS): the pipe never stalls.
//   5. The region bases live here; base_read (REGION_GET) gets its word, base_read_done, in a cycle in which no answer needs one.
// Cost: latency ready to answer: 6 + ceil(ADDRESS_WIDTH / 16); memories: WAITING x request, WAITING x value, PENDING x result,
//   regions x ADDRESS_WIDTH, ANSWERS x answer.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_width.vh"

module moehub_answer_pipe #(
    parameter CONTEXTS      = 4,
    parameter LOCAL_EXPERTS = 64,
    parameter SLOT_WIDTH    = 22,
    parameter OFFSET_WIDTH  = 14,
    parameter ADDRESS_WIDTH = 48,
    parameter PORTS         = 16,
    parameter PENDING       = 64,
    parameter WAITING       = 128,
    parameter TAG_WIDTH     = 24,
    parameter ANSWERS       = 32
) (
    input  wire                                      clk,
    input  wire                                      rst,
    input  wire [CONTEXTS * (OFFSET_WIDTH + 1) - 1:0] row_sizes,
    // region bases
    input  wire                                      base_write,
    input  wire [`MOEHUB_INDEX_WIDTH(CONTEXTS * LOCAL_EXPERTS) - 1:0] base_address,
    input  wire [ADDRESS_WIDTH - 1:0]                base_data,
    input  wire                                      base_read,
    output wire                                      base_read_done,
    output wire [ADDRESS_WIDTH - 1:0]                base_word,
    // what is known of a request
    input  wire                                      accepted_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(WAITING) - 1:0] accepted_id,
    input  wire                                      accepted_operation,
    input  wire                                      accepted_first,
    input  wire [2:0]                                accepted_context,
    input  wire [15:0]                               accepted_expert,
    input  wire [31:0]                               accepted_row_index,
    input  wire [15:0]                               accepted_offset,
    input  wire [8:0]                                accepted_length,
    input  wire [9:0]                                accepted_source,
    input  wire [`MOEHUB_INDEX_WIDTH(PORTS) - 1:0]   accepted_port,
    input  wire [TAG_WIDTH - 1:0]                    accepted_tag,
    input  wire                                      value_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(WAITING) - 1:0] value_id,
    input  wire [2:0]                                value_status,
    input  wire                                      value_first,
    input  wire [SLOT_WIDTH - 1:0]                   value_slot,
    input  wire                                      fill_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0] fill_entry,
    input  wire [1:0]                                fill_state,
    input  wire [SLOT_WIDTH - 1:0]                   fill_slot,
    // requests that can be answered
    input  wire                                      ready_valid,
    output wire                                      ready_ready,
    input  wire [`MOEHUB_INDEX_WIDTH(WAITING) - 1:0] ready_id,
    input  wire                                      ready_wait,
    input  wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0] ready_entry,
    output wire                                      done_valid,
    output wire [`MOEHUB_INDEX_WIDTH(WAITING) - 1:0] done_id,
    output wire                                      consumed_valid,
    output wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0] consumed_entry,
    // answers
    output wire                                      answer_valid,
    input  wire                                      answer_ready,
    output wire [3:0]                                answer_status,
    output wire [`MOEHUB_INDEX_WIDTH(PORTS) - 1:0]   answer_port,
    output wire [TAG_WIDTH - 1:0]                    answer_tag,
    output wire [SLOT_WIDTH - 1:0]                   answer_slot,
    output wire [ADDRESS_WIDTH - 1:0]                answer_address,
    output wire                                      answer_allocated,
    output wire [2:0]                                answer_context, // of the request: what is no longer in flight
    // answers with an error status
    output wire                                      error_valid,
    output wire [2:0]                                error_status,
    output wire [127:0]                              error_header,
    output wire [15:0]                               error_expert,
    output wire [5:0]                                error_port
);

    localparam CONTEXT_WIDTH = `MOEHUB_INDEX_WIDTH(CONTEXTS);
    localparam REGIONS       = CONTEXTS * LOCAL_EXPERTS;
    localparam REGION_WIDTH  = `MOEHUB_INDEX_WIDTH(REGIONS);
    localparam PORT_WIDTH    = `MOEHUB_INDEX_WIDTH(PORTS);
    localparam ENTRY_WIDTH   = `MOEHUB_INDEX_WIDTH(PENDING);
    localparam SIZE_WIDTH    = OFFSET_WIDTH + 1;
    localparam REQUEST_WIDTH = 1 + 1 + 3 + 16 + 32 + 16 + 9 + 10 + PORT_WIDTH + TAG_WIDTH;
    localparam BRIEF_WIDTH   = 3 + PORT_WIDTH + TAG_WIDTH + SLOT_WIDTH + 1 + 3;
    localparam CREDIT_WIDTH  = $clog2(ANSWERS + 1);
    localparam [31:0] EXPERTS_32 = LOCAL_EXPERTS;
    localparam [31:0] ANSWERS_32 = ANSWERS;
    localparam [CREDIT_WIDTH - 1:0] CREDIT_ONE = 1;

    // ---- stage 0: a request leaves the queue when its answer has a place --------------------------------------------------
    reg  [CREDIT_WIDTH - 1:0] outstanding_q;
    wire start  = ready_valid && ready_ready;
    wire answer = answer_valid && answer_ready;
    assign ready_ready = outstanding_q != ANSWERS_32[CREDIT_WIDTH - 1:0];

    always @(posedge clk) begin
        if (start && !answer) outstanding_q <= outstanding_q + CREDIT_ONE;
        if (answer && !start) outstanding_q <= outstanding_q - CREDIT_ONE;
        if (rst) outstanding_q <= {CREDIT_WIDTH{1'b0}};
    end

    // ---- stage 1: the request, its value, its result -----------------------------------------------------------------------
    reg                     valid_1_q;
    reg                     wait_1_q;
    reg [ENTRY_WIDTH - 1:0] entry_1_q;

    always @(posedge clk) begin
        valid_1_q <= start;
        if (rst) valid_1_q <= 1'b0;
    end
    always @(posedge clk) begin
        wait_1_q  <= ready_wait;
        entry_1_q <= ready_entry;
    end

    // Everything about the request is being read in this cycle.
    assign done_valid     = start;
    assign done_id        = ready_id;
    assign consumed_valid = valid_1_q && wait_1_q;
    assign consumed_entry = entry_1_q;

    wire                    operation_1;
    wire                    first_1;
    wire [2:0]              context_1;
    wire [15:0]             expert_1;
    wire [31:0]             row_index_1;
    wire [15:0]             offset_1;
    wire [8:0]              length_1;
    wire [9:0]              source_1;
    wire [PORT_WIDTH - 1:0] port_1;
    wire [TAG_WIDTH - 1:0]  tag_1;
    wire [2:0]              own_status_1;
    wire                    allocated_1;
    wire [SLOT_WIDTH - 1:0] own_slot_1;
    wire [1:0]              shared_state_1;
    wire [SLOT_WIDTH - 1:0] shared_slot_1;
    wire [3:0]              unused_parity_error;

    moehub_memory_1r1w #(.WIDTH(REQUEST_WIDTH), .DEPTH(WAITING)) u_requests (
        .clk(clk), .write_enable(accepted_valid), .write_address(accepted_id),
        .write_data({accepted_operation, accepted_first, accepted_context, accepted_expert, accepted_row_index, accepted_offset,
                     accepted_length, accepted_source, accepted_port, accepted_tag}),
        .read_enable(start && !rst), .read_address(ready_id),
        .read_data({operation_1, first_1, context_1, expert_1, row_index_1, offset_1, length_1, source_1, port_1, tag_1}),
        .parity_error(unused_parity_error[0])
    );
    moehub_memory_1r1w #(.WIDTH(4 + SLOT_WIDTH), .DEPTH(WAITING)) u_values (
        .clk(clk), .write_enable(value_valid), .write_address(value_id), .write_data({value_status, value_first, value_slot}),
        .read_enable(start && !rst), .read_address(ready_id), .read_data({own_status_1, allocated_1, own_slot_1}),
        .parity_error(unused_parity_error[1])
    );
    moehub_memory_1r1w #(.WIDTH(2 + SLOT_WIDTH), .DEPTH(PENDING)) u_results (
        .clk(clk), .write_enable(fill_valid), .write_address(fill_entry), .write_data({fill_state, fill_slot}),
        .read_enable(start && ready_wait && !rst), .read_address(ready_entry), .read_data({shared_state_1, shared_slot_1}),
        .parity_error(unused_parity_error[2])
    );

    wire [2:0] shared_status_1 = shared_state_1 == 2'd0 ? 3'd`MOEHUB_STATUS_OK
                               : shared_state_1 == 2'd1 ? 3'd`MOEHUB_STATUS_UNMAPPED : 3'd`MOEHUB_STATUS_MEMORY;
    wire [2:0] status_1 = wait_1_q ? shared_status_1 : own_status_1;
    wire       ok_1     = status_1 == 3'd`MOEHUB_STATUS_OK;
    wire [31:0] region_1 = {{32 - CONTEXT_WIDTH{1'b0}}, context_1[CONTEXT_WIDTH - 1:0]} * EXPERTS_32 + {16'd0, expert_1};

    // ---- stage 2: slot * row size begins; the region's base is read; the answer's other fields go to the output ----------------
    reg                      valid_2_q;
    reg                      ok_2_q;
    reg [2:0]                status_2_q;
    reg                      operation_2_q;
    reg                      first_2_q;
    reg [2:0]                context_2_q;
    reg [15:0]               expert_2_q;
    reg [31:0]               row_index_2_q;
    reg [15:0]               offset_2_q;
    reg [8:0]                length_2_q;
    reg [9:0]                source_2_q;
    reg [PORT_WIDTH - 1:0]   port_2_q;
    reg [TAG_WIDTH - 1:0]    tag_2_q;
    reg                      allocated_2_q;
    reg [SLOT_WIDTH - 1:0]   slot_2_q;
    reg [REGION_WIDTH - 1:0] region_2_q;
    reg [OFFSET_WIDTH - 1:0] offset_3_q;
    reg                      base_read_done_q;

    always @(posedge clk) begin
        valid_2_q        <= valid_1_q;
        base_read_done_q <= base_read && !(valid_2_q && ok_2_q);
        if (rst) begin
            valid_2_q        <= 1'b0;
            base_read_done_q <= 1'b0;
        end
    end
    always @(posedge clk) begin
        ok_2_q        <= ok_1;
        status_2_q    <= status_1;
        operation_2_q <= operation_1;
        first_2_q     <= first_1;
        context_2_q   <= context_1;
        expert_2_q    <= expert_1;
        row_index_2_q <= row_index_1;
        offset_2_q    <= offset_1;
        length_2_q    <= length_1;
        source_2_q    <= source_1;
        port_2_q      <= port_1;
        tag_2_q       <= tag_1;
        allocated_2_q <= allocated_1 && !wait_1_q;
        slot_2_q      <= (wait_1_q ? shared_slot_1 : own_slot_1) & {SLOT_WIDTH{ok_1}};
        region_2_q    <= region_1[REGION_WIDTH - 1:0];
        offset_3_q    <= offset_2_q[OFFSET_WIDTH - 1:0];
    end

    // A refused request may name any context; its product is not used.
    wire [CONTEXT_WIDTH - 1:0] factor_context_2 = context_2_q[CONTEXT_WIDTH - 1:0] & {CONTEXT_WIDTH{ok_2_q}};
    wire [SIZE_WIDTH - 1:0]    row_size_2 = row_sizes[factor_context_2 * SIZE_WIDTH +: SIZE_WIDTH];
    wire                       read_2     = valid_2_q && ok_2_q;

    assign base_read_done = base_read_done_q;
    moehub_memory_1r1w #(.WIDTH(ADDRESS_WIDTH), .DEPTH(REGIONS)) u_bases (
        .clk(clk), .write_enable(base_write), .write_address(base_address), .write_data(base_data),
        .read_enable((read_2 || base_read) && !rst), .read_address(read_2 ? region_2_q : base_address), .read_data(base_word),
        .parity_error(unused_parity_error[3])
    );

    wire                       sum_valid;
    wire                       sum_ok;
    wire [ADDRESS_WIDTH - 1:0] sum;
    moehub_multiply_add #(.A_WIDTH(SLOT_WIDTH), .B_WIDTH(SIZE_WIDTH), .SUM_WIDTH(ADDRESS_WIDTH), .SIDE_WIDTH(1)) u_address (
        .clk(clk), .rst(rst), .in_valid(valid_2_q), .in_a(slot_2_q), .in_b(row_size_2), .in_side(ok_2_q),
        .late_c(base_word), .late_d({{ADDRESS_WIDTH - OFFSET_WIDTH{1'b0}}, offset_3_q}),
        .out_valid(sum_valid), .out_side(sum_ok), .out_sum(sum)
    );

    // Both FIFOs hold the same requests in the same order; the address comes last.
    wire unused_brief_valid;
    wire [2:0] answer_status_3;
    wire unused_briefs_empty;
    moehub_memory_fifo #(.WIDTH(BRIEF_WIDTH), .DEPTH(ANSWERS)) u_briefs (
        .clk(clk), .rst(rst), .in_valid(valid_2_q), .in_data({status_2_q, port_2_q, tag_2_q, slot_2_q, allocated_2_q, context_2_q}),
        .out_valid(unused_brief_valid), .out_ready(answer),
        .out_data({answer_status_3, answer_port, answer_tag, answer_slot, answer_allocated, answer_context}), .empty(unused_briefs_empty)
    );
    wire unused_answer_addresses_empty;
    moehub_memory_fifo #(.WIDTH(ADDRESS_WIDTH), .DEPTH(ANSWERS)) u_answer_addresses (
        .clk(clk), .rst(rst), .in_valid(sum_valid), .in_data(sum & {ADDRESS_WIDTH{sum_ok}}),
        .out_valid(answer_valid), .out_ready(answer), .out_data(answer_address), .empty(unused_answer_addresses_empty)
    );
    assign answer_status = {1'b0, answer_status_3};

    // ---- error candidate ----------------------------------------------------------------------------------------------------------
    localparam PORT_PAD = 6 - PORT_WIDTH;
    localparam TAG_KEPT = TAG_WIDTH < `MOEHUB_HEADER_TAG_WIDTH ? TAG_WIDTH : `MOEHUB_HEADER_TAG_WIDTH;
    assign error_valid  = valid_2_q && !ok_2_q;
    assign error_status = status_2_q;
    assign error_expert = expert_2_q;
    generate
        if (PORT_PAD == 0) begin : g_port_full
            assign error_port = port_2_q;
        end else begin : g_port_padded
            assign error_port = {{PORT_PAD{1'b0}}, port_2_q};
        end
    endgenerate

    reg [127:0] header;
    always @* begin
        header = 128'd0;
        header[`MOEHUB_HEADER_TYPE_LSB +: `MOEHUB_HEADER_TYPE_WIDTH] =
            operation_2_q == 1'd`MOEHUB_REQUEST_READ_LOOKUP ? 4'd`MOEHUB_PACKET_LD_REDUCE : 4'd`MOEHUB_PACKET_ROW_STORE;
        header[`MOEHUB_HEADER_FIRST_LSB]                                           = first_2_q;
        header[`MOEHUB_HEADER_LENGTH_LSB +: `MOEHUB_HEADER_LENGTH_WIDTH]           = length_2_q;
        header[`MOEHUB_HEADER_SOURCE_LSB +: `MOEHUB_HEADER_SOURCE_WIDTH]           = source_2_q;
        header[`MOEHUB_HEADER_CONTEXT_LSB +: `MOEHUB_HEADER_CONTEXT_WIDTH]         = context_2_q;
        header[`MOEHUB_HEADER_TAG_LSB +: TAG_KEPT]                                 = tag_2_q[TAG_KEPT - 1:0];
        header[`MOEHUB_HEADER_STATUS_LSB +: `MOEHUB_HEADER_STATUS_WIDTH]           = {1'b0, status_2_q};
        header[`MOEHUB_HEADER_OFFSET_LSB +: `MOEHUB_HEADER_OFFSET_WIDTH]           = offset_2_q;
        header[`MOEHUB_HEADER_ROW_INDEX_LSB +: `MOEHUB_HEADER_ROW_INDEX_WIDTH]     = row_index_2_q;
    end
    assign error_header = header;

    wire unused = &{1'b0, region_1, unused_brief_valid, unused_parity_error};
endmodule

`default_nettype wire
