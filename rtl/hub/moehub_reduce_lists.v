// SPDX-License-Identifier: Apache-2.0
// Purpose: takes reduces, reads their target lists, judges them in their order (doc/hub/reduce.md section 1, 1 and 2).
// Contract:
//   1. A reduce is taken when one of REDUCES slots is free and the reads of those before are sent. What its own fields show,
//      CONTEXT, TYPE, LENGTH, RANGE, is judged then; with one of them, an immediate or a count of 0 nothing is read.
//   2. list reads have one beat of 16 bytes; their data come in order, and have no ready.
//   3. checked is a stream, in the order of the reduces: the status, and the numbers of remote and own ids, which mean
//      something where it is OK.
//   4. Of the oldest slot that was not released, flit_read names a flit (own, number), and flit has it in the next cycle; the
//      check waits. released: its slot is free.
//   5. taken, taken_context, taken_lines: a reduce was taken in this cycle; lines that its results will have.
// Cost: REDUCES x 8 x 128 bits of lists, REDUCES records; a reduce in ids + 4 cycles and 4 a flit of its list.
// Limits: taken is a gate of s_axis_reduce_tvalid: internal.
// Proved: formal/hub/formal_reduce_lists.v
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_hub_way.vh"
`include "moehub_width.vh"

module moehub_reduce_lists #(
    parameter GPUS              = 8,
    parameter CONTEXTS          = 4,
    parameter LOCAL_EXPERT_BITS = 8,
    parameter MAX_TARGETS       = 32,
    parameter REQUEST_LINES     = 8,
    parameter OFFSET_WIDTH      = 14,
    parameter ADDRESS_WIDTH     = 48,
    parameter REDUCES           = 16,
    parameter WITH_FP32         = 1
) (
    input  wire                                             clk,
    input  wire                                             rst,
    input  wire [9:0]                                       own,
    input  wire [CONTEXTS - 1:0]                            enabled,
    input  wire [CONTEXTS * 5 - 1:0]                        owner_shifts,
    input  wire [CONTEXTS * GPUS - 1:0]                     peers,
    input  wire [CONTEXTS * (OFFSET_WIDTH + 1) - 1:0]       row_sizes,

    input  wire                                             s_axis_reduce_tvalid,
    output wire                                             s_axis_reduce_tready,
    input  wire [`MOEHUB_REDUCE_WIDTH(ADDRESS_WIDTH) - 1:0] s_axis_reduce_tdata,
    output wire                                             taken,
    output wire [2:0]                                       taken_context,
    output wire [3:0]                                       taken_lines,

    output wire                                             m_axi_list_arvalid,
    input  wire                                             m_axi_list_arready,
    output wire [ADDRESS_WIDTH - 1:0]                       m_axi_list_araddr,
    input  wire                                             m_axi_list_rvalid,
    input  wire [127:0]                                     m_axi_list_rdata,
    input  wire [1:0]                                       m_axi_list_rresp,

    output wire                                             checked_valid,
    input  wire                                             checked_ready,
    output wire [`MOEHUB_REDUCE_CHECKED_WIDTH - 1:0]        checked,
    input  wire                                             flit_read,
    input  wire                                             flit_own,
    input  wire [1:0]                                       flit_number,
    output wire [127:0]                                     flit,
    input  wire                                             released
);
    localparam SLOT_WIDTH   = `MOEHUB_INDEX_WIDTH(REDUCES);
    localparam COUNT_WIDTH  = $clog2(REDUCES + 1);
    localparam WORD_WIDTH   = `MOEHUB_INDEX_WIDTH(REDUCES * 8);
    localparam SIZE_WIDTH   = OFFSET_WIDTH + 1;
    localparam RECORD_WIDTH = `MOEHUB_REDUCE_RECORD_WIDTH;
    localparam FIELDS_WIDTH = `MOEHUB_REDUCE_FIELDS_WIDTH;
    localparam [31:0] ALL_SLOTS    = REDUCES;
    localparam [31:0] LAST         = REDUCES - 1;
    localparam [31:0] ALL_CONTEXTS = CONTEXTS;
    localparam [31:0] MOST_TARGETS = MAX_TARGETS;
    localparam [31:0] LAST_LINE    = REQUEST_LINES - 1;
    localparam [31:0] MOST_LENGTH  = 8 * REQUEST_LINES;
    localparam [SLOT_WIDTH - 1:0] SLOT_ONE = 1;

    function [SLOT_WIDTH - 1:0] after(input [SLOT_WIDTH - 1:0] slot);
        after = slot == LAST[SLOT_WIDTH - 1:0] ? {SLOT_WIDTH{1'b0}} : slot + SLOT_ONE;
    endfunction

    // ---- contexts, filled up to 8 -------------------------------------------------------------------------------------------
    wire [7:0]                  enabled_8;
    wire [8 * 5 - 1:0]          shifts_8;
    wire [8 * 64 - 1:0]         peers_8;
    wire [8 * SIZE_WIDTH - 1:0] sizes_8;
    genvar c;
    generate
        for (c = 0; c < 8; c = c + 1) begin : g_context
            if (c < CONTEXTS) begin : g_has
                assign enabled_8[c]                          = enabled[c];
                assign shifts_8[c * 5 +: 5]                  = owner_shifts[c * 5 +: 5];
                assign peers_8[c * 64 +: 64]                 = {{64 - GPUS{1'b0}}, peers[c * GPUS +: GPUS]};
                assign sizes_8[c * SIZE_WIDTH +: SIZE_WIDTH] = row_sizes[c * SIZE_WIDTH +: SIZE_WIDTH];
            end else begin : g_has
                assign enabled_8[c]                          = 1'b0;
                assign shifts_8[c * 5 +: 5]                  = 5'd0;
                assign peers_8[c * 64 +: 64]                 = 64'd0;
                assign sizes_8[c * SIZE_WIDTH +: SIZE_WIDTH] = {SIZE_WIDTH{1'b0}};
            end
        end
    endgenerate

    // ---- taking: stage 0, and what is known of it, stages 1 and 2 ---------------------------------------------------------
    localparam [1:0] IDLE  = 2'd0;
    localparam [1:0] FETCH = 2'd1; // its context's values
    localparam [1:0] JUDGE = 2'd2;
    localparam [1:0] READ  = 2'd3; // reads are sent

    reg [1:0]                                       state_q;
    reg                                             ready_q;
    reg [`MOEHUB_REDUCE_WIDTH(ADDRESS_WIDTH) - 1:0] reduce_q;
    reg [SLOT_WIDTH - 1:0]                          slot_q; // that is taken next, or at hand
    reg                                             enabled_q;
    reg [31:0]                                      owner_q;
    reg [SIZE_WIDTH - 1:0]                          size_q;
    reg [12:0]                                      end_q; // of what is asked, in units of 16 bytes

    wire [2:0]                 of_context;
    wire                       immediate;
    wire [5:0]                 count;
    wire [ADDRESS_WIDTH - 1:0] address;
    wire [15:0]                id;
    wire [31:0]                row_index;
    wire [8:0]                 line;
    wire [8:0]                 length;
    wire [1:0]                 element;
    wire [23:0]                tag;
    assign `MOEHUB_REDUCE(of_context, immediate, count, address, id, row_index, line, length, element, tag) = reduce_q;

    wire        bad_context = !enabled_q || {29'd0, of_context} >= ALL_CONTEXTS;
    wire        bad_type    = element == 2'd`MOEHUB_ELEMENT_BYTES || (WITH_FP32 == 0 && element == 2'd`MOEHUB_ELEMENT_FP32);
    wire        bad_length  = length == 9'd0 || {23'd0, length} > MOST_LENGTH;
    wire        bad_list    = !immediate && ({26'd0, count} > MOST_TARGETS || address[3:0] != 4'd0);
    wire [31:0] size        = {{32 - SIZE_WIDTH{1'b0}}, size_q};
    wire        bad_range   = owner_q != {22'd0, own} || {15'd0, end_q, 4'd0} > size || bad_list;
    wire [3:0]  verdict     = bad_context ? 4'd`MOEHUB_STATUS_CONTEXT : bad_type ? 4'd`MOEHUB_STATUS_TYPE
        : bad_length ? 4'd`MOEHUB_STATUS_LENGTH : bad_range ? 4'd`MOEHUB_STATUS_RANGE : 4'd`MOEHUB_STATUS_OK;
    wire        reads       = verdict == 4'd`MOEHUB_STATUS_OK && !immediate && count != 6'd0;

    wire [2:0]  new_context;
    wire        unused_immediate;
    wire [5:0]  unused_count;
    wire [ADDRESS_WIDTH - 1:0] unused_address;
    wire [15:0] unused_id;
    wire [31:0] unused_row_index;
    wire [8:0]  unused_line;
    wire [8:0]  new_length;
    wire [1:0]  unused_element;
    wire [23:0] unused_tag;
    assign `MOEHUB_REDUCE(new_context, unused_immediate, unused_count, unused_address, unused_id, unused_row_index, unused_line,
        new_length, unused_element, unused_tag) = s_axis_reduce_tdata;
    wire [8:0] new_length_before = new_length - 9'd1;
    wire       unused_new_length = ^new_length_before[2:0];

    assign taken         = s_axis_reduce_tvalid && ready_q;
    assign taken_context = new_context;
    assign taken_lines   = new_length == 9'd0 ? 4'd1
        : new_length_before[8:3] > {3'd0, LAST_LINE[2:0]} ? {1'b0, LAST_LINE[2:0]} + 4'd1 : {1'b0, new_length_before[5:3]} + 4'd1;
    assign s_axis_reduce_tready = ready_q;

    reg [1:0]             number_q; // of the flit that is read next
    reg                   ask_q;
    reg [ADDRESS_WIDTH - 1:0] ask_address_q;
    reg [COUNT_WIDTH - 1:0]   used_q;

    wire [5:0] count_before = count - 6'd1;
    wire       sent         = ask_q && m_axi_list_arready;
    wire       all_sent     = sent && number_q == count_before[4:3];
    wire       unused_before = ^{count_before[5], count_before[2:0]};
    wire       judged       = state_q == JUDGE;
    wire       next         = (judged && !reads) || all_sent;
    wire [COUNT_WIDTH - 1:0] used = used_q + {{COUNT_WIDTH - 1{1'b0}}, taken} - {{COUNT_WIDTH - 1{1'b0}}, released};
    assign m_axi_list_arvalid = ask_q;
    assign m_axi_list_araddr  = ask_address_q;
    always @(posedge clk) begin
        ready_q <= ((state_q == IDLE && !taken) || next) && used != ALL_SLOTS[COUNT_WIDTH - 1:0];
        used_q  <= used;
        case (state_q)
            IDLE: if (taken) state_q <= FETCH;
            FETCH: state_q <= JUDGE;
            JUDGE: state_q <= reads ? READ : IDLE;
            default: if (all_sent) state_q <= IDLE;
        endcase
        if (taken) reduce_q <= s_axis_reduce_tdata;
        if (taken) enabled_q <= enabled_8[new_context];
        owner_q <= row_index >> shifts_8[of_context * 5 +: 5];
        size_q  <= sizes_8[of_context * SIZE_WIDTH +: SIZE_WIDTH];
        end_q   <= {1'b0, line, 3'd0} + {4'd0, length};
        ask_q   <= (judged && reads) || (ask_q && !all_sent);
        if (judged) begin
            ask_address_q <= address;
            number_q      <= 2'd0;
        end else if (sent) begin
            ask_address_q <= ask_address_q + {{ADDRESS_WIDTH - 5{1'b0}}, 5'd16};
            number_q      <= number_q + 2'd1;
        end
        if (next) slot_q <= after(slot_q);
        if (rst) begin
            state_q <= IDLE;
            ready_q <= 1'b0;
            used_q  <= {COUNT_WIDTH{1'b0}};
            ask_q   <= 1'b0;
            slot_q  <= {SLOT_WIDTH{1'b0}};
        end
    end

    // ---- what memory returns ------------------------------------------------------------------------------------------------
    // A read's item enters when the read is offered, so that it is there before the data, however fast they come.
    wire                  asks       = (judged && reads) || (sent && !all_sent);
    wire [1:0]            ask_number = judged ? 2'd0 : number_q + 2'd1;
    wire                  unused_data_valid;
    wire [SLOT_WIDTH - 1:0] data_slot;
    wire [1:0]            data_number;
    wire                  data_last;
    wire [1:0]            unused_of_reads;
    wire                  unused_response = m_axi_list_rresp[0];
    moehub_memory_fifo #(.WIDTH(SLOT_WIDTH + 3), .DEPTH(4 * REDUCES)) u_reads (
        .clk(clk), .rst(rst), .in_valid(asks), .in_data({slot_q, ask_number, ask_number == count_before[4:3]}),
        .out_valid(unused_data_valid),
        .out_ready(m_axi_list_rvalid), .out_data({data_slot, data_number, data_last}), .empty(unused_of_reads[0]),
        .parity_error(unused_of_reads[1])
    );

    reg [SLOT_WIDTH - 1:0] check_q;                                   // the slot that is checked
    wire                   taken_over = checked_valid && checked_ready;

    reg [REDUCES - 1:0] whole_q; // judged, and the list is there
    reg [REDUCES - 1:0] error_q; // of one of its reads
    always @(posedge clk) begin
        if (judged) begin
            whole_q[slot_q] <= !reads;
            error_q[slot_q] <= 1'b0;
        end
        if (taken_over) whole_q[check_q] <= 1'b0;
        if (m_axi_list_rvalid) begin
            if (data_last) whole_q[data_slot] <= 1'b1;
            if (m_axi_list_rresp[1]) error_q[data_slot] <= 1'b1;
        end
        if (rst) whole_q <= {REDUCES{1'b0}};
    end

    // ---- records ------------------------------------------------------------------------------------------------------------
    wire [FIELDS_WIDTH - 1:0] fields = `MOEHUB_REDUCE_FIELDS(of_context, row_index, line, length, element, tag);
    wire [RECORD_WIDTH - 1:0] record;
    wire                      record_read;
    wire                      unused_record_parity;
    moehub_memory_1r1w #(.WIDTH(RECORD_WIDTH), .DEPTH(REDUCES), .PARITY(0)) u_records (
        .clk(clk), .write_enable(judged), .write_address(slot_q),
        .write_data(`MOEHUB_REDUCE_RECORD(verdict, immediate, count, id, fields)), .read_enable(record_read && !rst),
        .read_address(check_q), .read_data(record), .parity_error(unused_record_parity)
    );
    wire [3:0]                record_status;
    wire                      record_immediate;
    wire [5:0]                record_count;
    wire [15:0]               record_id;
    wire [FIELDS_WIDTH - 1:0] record_fields;
    assign `MOEHUB_REDUCE_RECORD(record_status, record_immediate, record_count, record_id, record_fields) = record;
    wire [2:0]  record_context;
    wire [31:0] unused_record_row;
    wire [8:0]  unused_record_line;
    wire [8:0]  unused_record_length;
    wire [1:0]  unused_record_element;
    wire [23:0] unused_record_tag;
    assign `MOEHUB_REDUCE_FIELDS(record_context, unused_record_row, unused_record_line, unused_record_length,
        unused_record_element, unused_record_tag) = record_fields;

    // ---- check, one list at a time --------------------------------------------------------------------------------------------
    localparam [1:0] WAIT  = 2'd0; // for a list
    localparam [1:0] START = 2'd1;
    localparam [1:0] CHECK = 2'd2;
    localparam [1:0] OFFER = 2'd3;

    reg [1:0] check_state_q;
    reg [3:0] status_q;
    reg [5:0] remotes_q;
    reg [5:0] owns_q;

    wire        check_done;
    wire        malformed;
    wire        peer;
    wire [5:0]  remotes;
    wire [5:0]  owns;
    wire        check_read_valid;
    wire [1:0]  check_read_number;
    wire        check_write_valid;
    wire        check_write_own;
    wire [1:0]  check_write_number;
    wire [127:0] check_write_data;
    wire [3:0]  early = record_status != 4'd`MOEHUB_STATUS_OK ? record_status
        : error_q[check_q] ? 4'd`MOEHUB_STATUS_MEMORY : 4'd`MOEHUB_STATUS_OK;
    wire        walks = early == 4'd`MOEHUB_STATUS_OK && (record_immediate || record_count != 6'd0);

    assign record_read   = check_state_q == WAIT && whole_q[check_q];
    assign checked_valid = check_state_q == OFFER;
    assign checked       = `MOEHUB_REDUCE_CHECKED(status_q, remotes_q, owns_q, record_fields);
    always @(posedge clk) begin
        case (check_state_q)
            WAIT: if (whole_q[check_q]) check_state_q <= START;
            START: begin
                check_state_q <= walks ? CHECK : OFFER;
                status_q      <= early;
                remotes_q     <= 6'd0;
                owns_q        <= 6'd0;
            end
            CHECK: if (check_done) begin
                check_state_q <= OFFER;
                status_q  <= malformed ? 4'd`MOEHUB_STATUS_MALFORMED : peer ? 4'd`MOEHUB_STATUS_PEER : 4'd`MOEHUB_STATUS_OK;
                remotes_q <= remotes;
                owns_q    <= owns;
            end
            default: if (taken_over) check_state_q <= WAIT;
        endcase
        if (taken_over) check_q <= after(check_q);
        if (rst) begin
            check_state_q <= WAIT;
            check_q       <= {SLOT_WIDTH{1'b0}};
        end
    end
    moehub_list_check #(.GPUS(GPUS), .LOCAL_EXPERT_BITS(LOCAL_EXPERT_BITS)) u_check (
        .clk(clk), .rst(rst), .start(check_state_q == START && walks), .immediate(record_immediate), .id(record_id),
        .count(record_immediate ? 6'd1 : record_count), .own(own), .peers(peers_8[record_context * 64 +: GPUS]),
        .read_valid(check_read_valid), .read_ready(!flit_read), .read_number(check_read_number), .read_data(flit),
        .write_valid(check_write_valid), .write_ready(!m_axi_list_rvalid), .write_own(check_write_own),
        .write_number(check_write_number), .write_data(check_write_data), .done(check_done), .malformed(malformed), .peer(peer),
        .remotes(remotes), .owns(owns)
    );

    // ---- lists: memory's answers write first, requests read first -------------------------------------------------------------
    reg  [SLOT_WIDTH - 1:0] oldest_q;
    wire [SLOT_WIDTH + 2:0] write_word = m_axi_list_rvalid ? {data_slot, 1'b0, data_number}
        : {check_q, check_write_own, check_write_number};
    wire [SLOT_WIDTH + 2:0] read_word = flit_read ? {oldest_q, flit_own, flit_number} : {check_q, 1'b0, check_read_number};
    wire                    unused_word = ^{write_word, read_word};
    wire                    unused_parity;
    moehub_memory_1r1w #(.WIDTH(128), .DEPTH(8 * REDUCES), .PARITY(0)) u_flits (
        .clk(clk), .write_enable(m_axi_list_rvalid || check_write_valid), .write_address(write_word[WORD_WIDTH - 1:0]),
        .write_data(m_axi_list_rvalid ? m_axi_list_rdata : check_write_data),
        .read_enable((flit_read || check_read_valid) && !rst), .read_address(read_word[WORD_WIDTH - 1:0]), .read_data(flit),
        .parity_error(unused_parity)
    );
    always @(posedge clk) begin
        if (released) oldest_q <= after(oldest_q);
        if (rst) oldest_q <= {SLOT_WIDTH{1'b0}};
    end
endmodule

`default_nettype wire
