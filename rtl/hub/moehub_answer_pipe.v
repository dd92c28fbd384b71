// SPDX-License-Identifier: Apache-2.0
// Purpose: keeps each request from its acceptance to its answer, and computes the answer: status, slot, address.
// Contract:
//   1. accepted_* stores a request under its id; value_* its status and slot where it need not wait; fill_* the result that
//      those who wait for a pending entry share.
//   2. ready_* names requests whose answer is known, in the order in which they leave; done_* gives an id back, consumed_* says
//      that one of the entry's waiting requests has read its result.
//   3. address = base + slot * stride + offset for status OK, else address and slot are 0. Base and stride are those of the
//      request's stage. With one stage the stride is the row size, with two that rounded up to a multiple of 128, as it was a
//      cycle before.
//   4. A request is only started while its answer has a place in the output FIFO (ANSWERS): the pipe never stalls.
//   5. The bases live here, of region r and stage s at r * STAGES + s; base_read (REGION_GET) gets its word, base_read_done, in a
//      cycle in which no answer needs one.
// How: stage 1 reads the request, its value and its result; 2 chooses between the two; 3 reads the base and begins to multiply.
// Cost: latency ready to answer: 5 + STAGES + ceil(ADDRESS_WIDTH / 16); memories: WAITING x request, WAITING x value,
//   PENDING x result, STAGES x regions x ADDRESS_WIDTH, ANSWERS x answer.
// Proved: formal/hub/formal_answer_pipe.v
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_hub.vh"
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
    parameter STAGES        = 1,
    parameter LENGTH_WIDTH  = 9,
    parameter ANSWERS       = 32,
    parameter PARITY        = 0
) (
    input  wire                                      clk,
    input  wire                                      rst,
    input  wire [CONTEXTS * STAGES * (OFFSET_WIDTH + 1) - 1:0] row_sizes,
    // region bases
    input  wire                                      base_write,
    input  wire [`MOEHUB_INDEX_WIDTH(CONTEXTS * LOCAL_EXPERTS * STAGES) - 1:0] base_address,
    input  wire [ADDRESS_WIDTH - 1:0]                region_base,
    input  wire                                      base_read,
    output wire                                      base_read_done,
    output wire [ADDRESS_WIDTH - 1:0]                base_word,
    // what is known of a request
    input  wire                                      accepted_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(WAITING) - 1:0] accepted_id,
    input  wire [`MOEHUB_REQUEST_WIDTH(PORTS, TAG_WIDTH, LENGTH_WIDTH) - 1:0] accepted_request,
    input  wire                                      value_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(WAITING) - 1:0] value_id,
    input  wire [`MOEHUB_VALUE_WIDTH(SLOT_WIDTH) - 1:0] value,
    input  wire                                      fill_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0] fill_entry,
    input  wire [`MOEHUB_CONTENT_WIDTH(SLOT_WIDTH) - 1:0] fill_content,
    // requests that can be answered
    input  wire                                      ready_valid,
    output wire                                      ready_ready,
    input  wire [`MOEHUB_WAITER_WIDTH(WAITING, PENDING) - 1:0] ready_waiter,
    output wire                                      done_valid,
    output wire [`MOEHUB_INDEX_WIDTH(WAITING) - 1:0] done_id,
    output wire                                      consumed_valid,
    output wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0] consumed_entry,
    // answers
    output wire                                      answer_valid,
    input  wire                                      answer_ready,
    output wire [`MOEHUB_ANSWER_WIDTH(PORTS, TAG_WIDTH, SLOT_WIDTH) - 1:0] answer,
    output wire [ADDRESS_WIDTH - 1:0]                answer_address,
    // an answer with an error status
    output wire                                      refusal_valid,
    output wire [`MOEHUB_OFFENDER_WIDTH - 1:0]       refusal,
    // errors: addresses, answers, bases, results, values, requests
    output wire [5:0]                                answers_parity
);

    localparam CONTEXT_WIDTH = `MOEHUB_INDEX_WIDTH(CONTEXTS);
    localparam REGIONS       = CONTEXTS * LOCAL_EXPERTS;
    localparam REGION_WIDTH  = `MOEHUB_INDEX_WIDTH(REGIONS);
    localparam BASE_WIDTH    = `MOEHUB_INDEX_WIDTH(REGIONS * STAGES);
    localparam PORT_WIDTH    = `MOEHUB_INDEX_WIDTH(PORTS);
    localparam ENTRY_WIDTH   = `MOEHUB_INDEX_WIDTH(PENDING);
    localparam SIZE_WIDTH    = OFFSET_WIDTH + 1;
    localparam ID_WIDTH      = `MOEHUB_INDEX_WIDTH(WAITING);
    localparam CREDIT_WIDTH  = $clog2(ANSWERS + 1);
    localparam [31:0] EXPERTS_32 = LOCAL_EXPERTS;
    localparam [31:0] STAGES_32  = STAGES;
    localparam [31:0] ANSWERS_32 = ANSWERS;
    localparam [CREDIT_WIDTH - 1:0] CREDIT_ONE = 1;

    wire [ID_WIDTH - 1:0]    ready_id;
    wire                     ready_waits;
    wire [ENTRY_WIDTH - 1:0] ready_entry;
    assign `MOEHUB_WAITER(ready_id, ready_waits, ready_entry) = ready_waiter;

    // ---- a request leaves the queue when its answer has a place -----------------------------------------------------
    reg  [CREDIT_WIDTH - 1:0] outstanding_q;
    wire start    = ready_valid && ready_ready;
    wire answered = answer_valid && answer_ready;
    assign ready_ready = outstanding_q != ANSWERS_32[CREDIT_WIDTH - 1:0];

    always @(posedge clk) begin
        if (start && !answered) outstanding_q <= outstanding_q + CREDIT_ONE;
        if (answered && !start) outstanding_q <= outstanding_q - CREDIT_ONE;
        if (rst) outstanding_q <= {CREDIT_WIDTH{1'b0}};
    end

    // ---- stage 1: the request, its value, its result are read -------------------------------------------------------
    reg                     s1_valid_q;
    reg                     s1_wait_q;
    reg [ENTRY_WIDTH - 1:0] s1_entry_q;

    always @(posedge clk) begin
        s1_valid_q <= start;
        if (rst) s1_valid_q <= 1'b0;
    end
    always @(posedge clk) begin
        s1_wait_q  <= ready_waits;
        s1_entry_q <= ready_entry;
    end

    // Everything about the request is being read in this cycle.
    assign done_valid     = start;
    assign done_id        = ready_id;
    assign consumed_valid = s1_valid_q && s1_wait_q;
    assign consumed_entry = s1_entry_q;

    wire                    s1_operation_rdata;
    wire                    s1_first_rdata;
    wire [2:0]              s1_context_rdata;
    wire [15:0]             s1_expert_rdata;
    wire [31:0]             s1_row_index_rdata;
    wire [15:0]             s1_offset_rdata;
    wire [LENGTH_WIDTH - 1:0] s1_length_rdata;
    wire [9:0]              s1_source_rdata;
    wire [PORT_WIDTH - 1:0] s1_port_rdata;
    wire [TAG_WIDTH - 1:0]  s1_tag_rdata;
    wire [2:0]              s1_own_status_rdata;
    wire                    s1_allocated_rdata;
    wire [SLOT_WIDTH - 1:0] s1_own_slot_rdata;
    wire [1:0]              s1_shared_state_rdata;
    wire [SLOT_WIDTH - 1:0] s1_shared_slot_rdata;

    moehub_memory_1r1w #(
        .WIDTH(`MOEHUB_REQUEST_WIDTH(PORTS, TAG_WIDTH, LENGTH_WIDTH)), .DEPTH(WAITING), .PARITY(PARITY)
    ) u_requests (
        .clk(clk), .write_enable(accepted_valid), .write_address(accepted_id), .write_data(accepted_request),
        .read_enable(start && !rst), .read_address(ready_id),
        .read_data(`MOEHUB_REQUEST(s1_operation_rdata, s1_first_rdata, s1_context_rdata, s1_expert_rdata, s1_row_index_rdata,
                                   s1_offset_rdata, s1_length_rdata, s1_source_rdata, s1_port_rdata, s1_tag_rdata)),
        .parity_error(answers_parity[0])
    );
    moehub_memory_1r1w #(.WIDTH(`MOEHUB_VALUE_WIDTH(SLOT_WIDTH)), .DEPTH(WAITING), .PARITY(PARITY)) u_values (
        .clk(clk), .write_enable(value_valid), .write_address(value_id), .write_data(value),
        .read_enable(start && !rst), .read_address(ready_id),
        .read_data(`MOEHUB_VALUE(s1_own_status_rdata, s1_allocated_rdata, s1_own_slot_rdata)),
        .parity_error(answers_parity[1])
    );
    moehub_memory_1r1w #(.WIDTH(`MOEHUB_CONTENT_WIDTH(SLOT_WIDTH)), .DEPTH(PENDING), .PARITY(PARITY)) u_results (
        .clk(clk), .write_enable(fill_valid), .write_address(fill_entry), .write_data(fill_content),
        .read_enable(start && ready_waits && !rst), .read_address(ready_entry),
        .read_data(`MOEHUB_CONTENT(s1_shared_state_rdata, s1_shared_slot_rdata)), .parity_error(answers_parity[2])
    );

    wire [2:0]  s2_shared_status = s1_shared_state_rdata == 2'd`MOEHUB_CONTENT_MAPPED   ? 3'd`MOEHUB_STATUS_OK
                                 : s1_shared_state_rdata == 2'd`MOEHUB_CONTENT_UNMAPPED ? 3'd`MOEHUB_STATUS_UNMAPPED
                                 :                                                        3'd`MOEHUB_STATUS_MEMORY;
    wire [2:0]  s2_status = s1_wait_q ? s2_shared_status : s1_own_status_rdata;
    wire        s2_ok     = s2_status == 3'd`MOEHUB_STATUS_OK;
    wire [31:0] s2_region = {{32 - CONTEXT_WIDTH{1'b0}}, s1_context_rdata[CONTEXT_WIDTH - 1:0]} * EXPERTS_32
                            + {16'd0, s1_expert_rdata};

    // ---- stage 2: own value or shared result ------------------------------------------------------------------------
    reg                      s2_valid_q;
    reg                      s2_ok_q;
    reg [2:0]                s2_status_q;
    reg                      s2_operation_q;
    reg                      s2_first_q;
    reg [2:0]                s2_context_q;
    reg [15:0]               s2_expert_q;
    reg [31:0]               s2_row_index_q;
    reg [15:0]               s2_offset_q;
    reg [LENGTH_WIDTH - 1:0] s2_length_q;
    reg [9:0]                s2_source_q;
    reg [PORT_WIDTH - 1:0]   s2_port_q;
    reg [TAG_WIDTH - 1:0]    s2_tag_q;
    reg                      s2_allocated_q;
    reg [SLOT_WIDTH - 1:0]   s2_slot_q;
    reg [REGION_WIDTH - 1:0] s2_region_q;
    reg [CONTEXT_WIDTH - 1:0] s2_factor_context_q; // a refused request may name any context: 0, its product is not used

    always @(posedge clk) begin
        s2_valid_q <= s1_valid_q;
        if (rst) s2_valid_q <= 1'b0;
    end
    always @(posedge clk) begin
        s2_ok_q        <= s2_ok;
        s2_status_q    <= s2_status;
        s2_operation_q <= s1_operation_rdata;
        s2_first_q     <= s1_first_rdata;
        s2_context_q   <= s1_context_rdata;
        s2_expert_q    <= s1_expert_rdata;
        s2_row_index_q <= s1_row_index_rdata;
        s2_offset_q    <= s1_offset_rdata;
        s2_length_q    <= s1_length_rdata;
        s2_source_q    <= s1_source_rdata;
        s2_port_q      <= s1_port_rdata;
        s2_tag_q       <= s1_tag_rdata;
        s2_allocated_q <= s1_allocated_rdata && !s1_wait_q;
        s2_slot_q      <= (s1_wait_q ? s1_shared_slot_rdata : s1_own_slot_rdata) & {SLOT_WIDTH{s2_ok}};
        s2_region_q    <= s2_region[REGION_WIDTH - 1:0];
        s2_factor_context_q <= s1_context_rdata[CONTEXT_WIDTH - 1:0] & {CONTEXT_WIDTH{s2_ok}};
    end

    // ---- stage 3: slot * stride begins; the stage's base is read; the answer's other fields go to the output --------
    wire                       s3_stage    = `MOEHUB_STAGE(STAGES, s2_operation_q);
    wire [31:0]                s3_size_at  = {{32 - CONTEXT_WIDTH{1'b0}}, s2_factor_context_q} * STAGES_32 + {31'd0, s3_stage};
    wire [SIZE_WIDTH - 1:0]    s3_stride;
    wire [31:0]                s3_base_at  = {{32 - REGION_WIDTH{1'b0}}, s2_region_q} * STAGES_32 + {31'd0, s3_stage};
    generate
        if (STAGES == 1) begin : g_stride_any
            assign s3_stride = row_sizes[s3_size_at * SIZE_WIDTH +: SIZE_WIDTH];
        end else begin : g_stride_lines
            // Row sizes are stable while their context is enabled: rounded ahead, they are off the multiplication's path.
            reg  [CONTEXTS * STAGES * 11 - 1:0] lines_q;
            wire [17:0]                         rounded = {lines_q[s3_size_at * 11 +: 11], 7'd0};
            genvar i;
            for (i = 0; i < CONTEXTS * STAGES; i = i + 1) begin : g_row_size
                // The largest row is a multiple of 128 itself: nothing is carried out.
                wire [17:0] wide = {{18 - SIZE_WIDTH{1'b0}}, row_sizes[i * SIZE_WIDTH +: SIZE_WIDTH]};
                always @(posedge clk) begin
                    lines_q[i * 11 +: 11] <= wide[17:7] + {10'd0, |wide[6:0]};
                end
            end
            assign s3_stride = rounded[SIZE_WIDTH - 1:0];
            wire unused = &{1'b0, rounded};
        end
    endgenerate

    // With two stages the choice among strides has a cycle of its own.
    wire                      factor_valid;
    wire                      factor_ok;
    wire [SLOT_WIDTH - 1:0]   factor_slot;
    wire [SIZE_WIDTH - 1:0]   factor_stride;
    wire [BASE_WIDTH - 1:0]   factor_base_at;
    wire [OFFSET_WIDTH - 1:0] factor_offset;
    generate
        if (STAGES == 1) begin : g_factors_now
            assign factor_valid   = s2_valid_q;
            assign factor_ok      = s2_ok_q;
            assign factor_slot    = s2_slot_q;
            assign factor_stride  = s3_stride;
            assign factor_base_at = s3_base_at[BASE_WIDTH - 1:0];
            assign factor_offset  = s2_offset_q[OFFSET_WIDTH - 1:0];
        end else begin : g_factors_kept
            reg                      valid_q;
            reg                      ok_q;
            reg [SLOT_WIDTH - 1:0]   slot_q;
            reg [SIZE_WIDTH - 1:0]   stride_q;
            reg [BASE_WIDTH - 1:0]   base_at_q;
            reg [OFFSET_WIDTH - 1:0] offset_q;
            always @(posedge clk) begin
                valid_q   <= s2_valid_q;
                ok_q      <= s2_ok_q;
                slot_q    <= s2_slot_q;
                stride_q  <= s3_stride;
                base_at_q <= s3_base_at[BASE_WIDTH - 1:0];
                offset_q  <= s2_offset_q[OFFSET_WIDTH - 1:0];
                if (rst) valid_q <= 1'b0;
            end
            assign factor_valid   = valid_q;
            assign factor_ok      = ok_q;
            assign factor_slot    = slot_q;
            assign factor_stride  = stride_q;
            assign factor_base_at = base_at_q;
            assign factor_offset  = offset_q;
        end
    endgenerate

    wire                      factor_reads = factor_valid && factor_ok;
    reg  [OFFSET_WIDTH - 1:0] late_offset_q;
    reg                       base_read_done_q;
    always @(posedge clk) begin
        late_offset_q    <= factor_offset;
        base_read_done_q <= base_read && !factor_reads;
        if (rst) base_read_done_q <= 1'b0;
    end
    assign base_read_done = base_read_done_q;
    moehub_memory_1r1w #(.WIDTH(ADDRESS_WIDTH), .DEPTH(REGIONS * STAGES), .PARITY(PARITY)) u_bases (
        .clk(clk), .write_enable(base_write), .write_address(base_address), .write_data(region_base),
        .read_enable((factor_reads || base_read) && !rst), .read_address(factor_reads ? factor_base_at : base_address),
        .read_data(base_word), .parity_error(answers_parity[3])
    );

    wire                       sum_valid;
    wire                       sum_ok;
    wire [ADDRESS_WIDTH - 1:0] sum;
    moehub_multiply_add #(.A_WIDTH(SLOT_WIDTH), .B_WIDTH(SIZE_WIDTH), .SUM_WIDTH(ADDRESS_WIDTH), .SIDE_WIDTH(1)) u_address (
        .clk(clk), .rst(rst), .in_valid(factor_valid), .in_a(factor_slot), .in_b(factor_stride), .in_side(factor_ok),
        .late_c(base_word), .late_d({{ADDRESS_WIDTH - OFFSET_WIDTH{1'b0}}, late_offset_q}),
        .out_valid(sum_valid), .out_side(sum_ok), .out_sum(sum)
    );

    // Both FIFOs hold the same requests in the same order; the address comes last.
    wire unused_brief_valid;
    wire unused_briefs_empty;
    moehub_memory_fifo #(.WIDTH(`MOEHUB_ANSWER_WIDTH(PORTS, TAG_WIDTH, SLOT_WIDTH)), .DEPTH(ANSWERS), .PARITY(PARITY)) u_briefs (
        .clk(clk), .rst(rst), .in_valid(s2_valid_q),
        .in_data(`MOEHUB_ANSWER(s2_status_q, s2_port_q, s2_tag_q, s2_slot_q, s2_allocated_q, s2_context_q)),
        .out_valid(unused_brief_valid), .out_ready(answered), .out_data(answer), .empty(unused_briefs_empty),
        .parity_error(answers_parity[4])
    );
    wire unused_answer_addresses_empty;
    moehub_memory_fifo #(.WIDTH(ADDRESS_WIDTH), .DEPTH(ANSWERS), .PARITY(PARITY)) u_answer_addresses (
        .clk(clk), .rst(rst), .in_valid(sum_valid), .in_data(sum & {ADDRESS_WIDTH{sum_ok}}),
        .out_valid(answer_valid), .out_ready(answered), .out_data(answer_address), .empty(unused_answer_addresses_empty),
        .parity_error(answers_parity[5])
    );

    // ---- who was refused --------------------------------------------------------------------------------------------
    localparam TAG_KEPT = TAG_WIDTH < `MOEHUB_HEADER_TAG_WIDTH ? TAG_WIDTH : `MOEHUB_HEADER_TAG_WIDTH;
    wire [63:0] port_wide = {{64 - PORT_WIDTH{1'b0}}, s2_port_q};
    // The header's field has nine bits; a longer read is told by its 16 bytes.
    wire [15:0] length_wide = {{16 - LENGTH_WIDTH{1'b0}}, s2_length_q};
    wire [8:0]  length_told = s3_stage ? length_wide[12:4] : length_wide[8:0];
    reg [127:0] header;
    always @* begin
        header = 128'd0;
        header[`MOEHUB_HEADER_TYPE_LSB +: `MOEHUB_HEADER_TYPE_WIDTH] =
            s2_operation_q == 1'd`MOEHUB_REQUEST_READ_LOOKUP ? 4'd`MOEHUB_PACKET_LD_REDUCE : 4'd`MOEHUB_PACKET_ROW_STORE;
        header[`MOEHUB_HEADER_FIRST_LSB]                                           = s2_first_q;
        header[`MOEHUB_HEADER_LENGTH_LSB +: `MOEHUB_HEADER_LENGTH_WIDTH]           = length_told;
        header[`MOEHUB_HEADER_SOURCE_LSB +: `MOEHUB_HEADER_SOURCE_WIDTH]           = s2_source_q;
        header[`MOEHUB_HEADER_CONTEXT_LSB +: `MOEHUB_HEADER_CONTEXT_WIDTH]         = s2_context_q;
        header[`MOEHUB_HEADER_TAG_LSB +: TAG_KEPT]                                 = s2_tag_q[TAG_KEPT - 1:0];
        header[`MOEHUB_HEADER_STATUS_LSB +: `MOEHUB_HEADER_STATUS_WIDTH]           = {1'b0, s2_status_q};
        header[`MOEHUB_HEADER_OFFSET_LSB +: `MOEHUB_HEADER_OFFSET_WIDTH]           = s2_offset_q;
        header[`MOEHUB_HEADER_ROW_INDEX_LSB +: `MOEHUB_HEADER_ROW_INDEX_WIDTH]     = s2_row_index_q;
    end
    assign refusal_valid = s2_valid_q && !s2_ok_q;
    assign refusal       = `MOEHUB_OFFENDER(port_wide[5:0], s2_expert_q, header);

    wire unused = &{1'b0, port_wide, s2_region, s3_base_at, length_wide, unused_brief_valid};
endmodule

`default_nettype wire
