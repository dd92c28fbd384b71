// SPDX-License-Identifier: Apache-2.0
// Purpose: takes the partial stream and says what becomes of each flit: the checks of reduction_buffer.md section 4, the set
//   of ports that have answered, completion and failure of entries. Knows nothing of elements.
// Contract:
//   1. partial_ready is high in every cycle after initialisation. A flit leaves 4 cycles later on flit_*, never stalling.
//   2. A packet is judged by its first flit; ADDS says that the flit's elements belong to the sum.
//   3. On a first flit, COMPLETES says that no port is missing any more; the entry is then no longer open.
//      On a last flit, FAILURE is the entry's failure including this packet's number of flits.
//   4. open_valid opens the first lines of a group with no port answered: they are reserved, and summing after the first
//      answer. expire_valid ends that of one entry; partials whose first flit is in stage 0 in that cycle or earlier still
//      see it open. completed_* says one cycle after stage 2 that an entry got its last answer, so a watcher can find out
//      whether one of those completed it.
//   5. timed_out_valid: the packet under way for the entry changes its record no more (it may have a new user).
//   6. partial_error: one for each packet that failed a check.
//   7. A group's last line has the record's length, the others the longest (plane/groups.md section 2).
//   8. look_entry is looked up in a cycle in which no packet is judged: look_ready. One cycle later look_missing are the ports
//      of its set that have not answered.
// How: 0 the flit as it came, memories addressed; 1 static checks; 2 the decision; 3 the outputs, answered set written.
//   The answered set is read in stage 0 and written in stage 3: three packets are under way, each forwarded from registers.
// Cost: GROUPS * (GENERATION_WIDTH + PORTS + 17 + log2 REQUEST_LINES) bits of reservation record, ENTRIES * (PORTS + 10) bits of
//   answered set (MAX_CONTRIBUTORS 64), 2 * ENTRIES flops; three stages of data.
// Proved: formal/switch/formal_reduction_check.v
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_reduction.vh"
`include "moehub_width.vh"

module moehub_reduction_check #(
    parameter ENTRIES          = 107,
    parameter REQUEST_LINES    = 1,
    parameter PORTS            = 64,
    parameter FLITS            = 8,  // of the longest partial
    parameter FLIT_BYTES       = 16,
    parameter GENERATION_WIDTH = 8,
    parameter PARITY           = 0
) (
    input  wire clk,
    input  wire rst,
    input  wire initialised,

    input  wire                                    partial_valid,
    output wire                                    partial_ready,
    output wire                                    partial_first, // the next flit is a packet's first: it alone has a header
    input  wire [15:0]                             partial_entry,
    input  wire [7:0]                              partial_generation,
    input  wire [`MOEHUB_INDEX_WIDTH(PORTS) - 1:0] partial_port,
    input  wire [3:0]                              partial_status,
    input  wire [1:0]                              partial_element,
    input  wire [8:0]                              partial_length,
    input  wire [8 * FLIT_BYTES - 1:0]             partial_data,
    input  wire                                    partial_last,

    input  wire                              record_valid,
    input  wire [`MOEHUB_RECORD_WIDTH - 1:0] record,

    input  wire                                                      open_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(ENTRIES / REQUEST_LINES) - 1:0] open_group,
    input  wire [2:0]                                                open_lines_less_1,
    input  wire                                                      expire_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(ENTRIES) - 1:0]                 expire_entry,
    input  wire                                                      timed_out_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(ENTRIES) - 1:0]                 timed_out_entry,
    output wire [(1 << `MOEHUB_INDEX_WIDTH(ENTRIES)) - 1:0]          is_open, // reserved or summing
    output wire                                                      completed_valid,
    output wire [`MOEHUB_INDEX_WIDTH(ENTRIES) - 1:0]                 completed_entry,

    input  wire                                      look_valid,
    output wire                                      look_ready,
    input  wire [`MOEHUB_INDEX_WIDTH(ENTRIES) - 1:0] look_entry,
    output wire [PORTS - 1:0]                        look_missing,

    output wire                            flit_valid,
    output wire [`MOEHUB_FLIT_WIDTH - 1:0] flit,
    output wire [8 * FLIT_BYTES - 1:0]     flit_data,

    output wire                             partial_error_valid,
    output wire [`MOEHUB_ERROR_WIDTH - 1:0] partial_error,

    output wire [1:0] parity_error // answered sets, records
);
    localparam GROUPS         = ENTRIES / REQUEST_LINES;
    localparam GROUP_WIDTH    = `MOEHUB_INDEX_WIDTH(GROUPS);
    localparam LINE_BITS      = $clog2(REQUEST_LINES); // none for one line
    localparam ENTRY_WIDTH    = `MOEHUB_INDEX_WIDTH(ENTRIES);
    localparam PORT_WIDTH     = `MOEHUB_INDEX_WIDTH(PORTS);
    localparam NUMBER_WIDTH   = `MOEHUB_INDEX_WIDTH(FLITS);
    localparam ROW_WIDTH      = `MOEHUB_INDEX_WIDTH(ENTRIES * FLITS);
    localparam DATA_WIDTH     = 8 * FLIT_BYTES;
    localparam SHIFT          = $clog2(FLIT_BYTES);
    localparam INDEX_WIDTH    = $clog2(FLITS + 1);       // index FLITS: beyond any payload
    localparam HEADER_WIDTH   = 16 + 8 + PORT_WIDTH + 4 + 2 + 9;
    localparam RECORD_WIDTH   = GENERATION_WIDTH + 2 + 1 + 8 + 6 + PORTS; // and LINE_BITS on top
    localparam ANSWERED_WIDTH = 1 + 2 + 7 + PORTS;     // complete, failure, number, set
    localparam LONGEST        = FLITS * FLIT_BYTES;
    localparam [2:0] LINE_MASK      = REQUEST_LINES[2:0] - 3'd1; // of an entry's number
    localparam [8:0] LONGEST_LESS_1 = LONGEST[8:0] - 9'd1;
    localparam [16:0] ENTRIES_17     = ENTRIES[16:0];
    localparam [INDEX_WIDTH - 1:0] INDEX_ONE      = 1;
    localparam [INDEX_WIDTH - 1:0] INDEX_OVER     = FLITS[INDEX_WIDTH - 1:0];
    localparam [PORTS - 1:0] PORT_0         = 1;

    // ---- the stream's ready and its packets' borders ------------------------------------------------------------------
    reg ready_q;
    reg first_q;

    wire accept = partial_valid && ready_q;

    always @(posedge clk) begin
        ready_q <= initialised;
        if (accept) first_q <= partial_last;
        if (rst) begin
            ready_q <= 1'b0;
            first_q <= 1'b1;
        end
    end

    assign partial_ready = ready_q;
    assign partial_first = first_q;

    // ---- stage 0: the flit as it came; the header of its packet stays until the next first flit -----------------
    reg                      s0_valid_q;
    reg                      s0_first_q;
    reg                      s0_last_q;
    reg [INDEX_WIDTH - 1:0]  s0_index_q;
    reg [HEADER_WIDTH - 1:0] s0_header_q;
    reg [DATA_WIDTH - 1:0]   s0_data_q;
    reg [DATA_WIDTH - 1:0]   s1_data_q;
    reg [DATA_WIDTH - 1:0]   s2_data_q;
    reg [DATA_WIDTH - 1:0]   s3_data_q;

    always @(posedge clk) begin
        s0_valid_q <= accept;
        if (accept) begin
            s0_first_q <= first_q;
            s0_last_q  <= partial_last;
            if (first_q) begin
                s0_index_q  <= {INDEX_WIDTH{1'b0}};
                s0_header_q <= {partial_entry, partial_generation, partial_port, partial_status, partial_element, partial_length};
            end else if (s0_index_q != INDEX_OVER) begin
                s0_index_q <= s0_index_q + INDEX_ONE;
            end
        end
        if (rst) s0_valid_q <= 1'b0;
    end

    // Data counts with its stage's valid alone: it is not held without one.
    always @(posedge clk) begin
        s0_data_q <= partial_data;
        s1_data_q <= s0_data_q;
        s2_data_q <= s1_data_q;
        s3_data_q <= s2_data_q;
    end

    wire [15:0]              s0_entry_all = s0_header_q[HEADER_WIDTH - 1 -: 16];
    wire [ENTRY_WIDTH - 1:0] s0_entry     = s0_entry_all[ENTRY_WIDTH - 1:0];
    wire                     s0_exists    = {1'b0, s0_entry_all} < ENTRIES_17;
    wire                     s0_judged    = s0_valid_q && s0_exists && (s0_first_q || s0_last_q);

    // The memories of records and answered sets are read for a packet, or else for whoever looks an entry up.
    wire                     s0_looks   = look_valid && !s0_judged;
    wire [16:0]              read_all   = s0_looks ? {{(17 - ENTRY_WIDTH){1'b0}}, look_entry} : {1'b0, s0_entry_all};
    wire [ENTRY_WIDTH - 1:0] read_entry = read_all[ENTRY_WIDTH - 1:0];
    wire [GROUP_WIDTH - 1:0] read_group = read_all[LINE_BITS +: GROUP_WIDTH];
    wire                     unused_all = &{1'b0, read_all};

    assign look_ready = !s0_judged;

    // ---- records and answered sets --------------------------------------------------------------------------------
    wire [RECORD_WIDTH + LINE_BITS - 1:0] record_rdata;
    wire [ANSWERED_WIDTH - 1:0]           answered_rdata;
    wire                                  record_parity;
    wire                                  answered_parity;
    wire [(1 << ENTRY_WIDTH) - 1:0]       is_reserved; // granted, and no answer written yet

    wire [GROUP_WIDTH - 1:0]      record_group         = record[`MOEHUB_RECORD_GROUP_LSB +: GROUP_WIDTH];
    wire [2:0]                    record_lines_less_1  = record[`MOEHUB_RECORD_LINES_LSB +: 3];
    wire [GENERATION_WIDTH - 1:0] record_generation    = record[`MOEHUB_RECORD_GENERATION_LSB +: GENERATION_WIDTH];
    wire [1:0]                    record_element       = record[`MOEHUB_RECORD_ELEMENT_LSB +: 2];
    wire                          record_out_fp32      = record[`MOEHUB_RECORD_OUT_FP32_LSB];
    wire [8:0]                    record_length_less_1 = record[`MOEHUB_RECORD_LENGTH_LSB +: 9] - 9'd1; // up to 255
    wire [5:0]                    record_others        = record[`MOEHUB_RECORD_OTHERS_LSB +: 6];
    wire [PORTS - 1:0]            record_contributors  = record[`MOEHUB_RECORD_CONTRIBUTORS_LSB +: PORTS];
    wire [RECORD_WIDTH + 2:0]     record_word          = {
        record_lines_less_1, record_generation, record_element, record_out_fp32, record_length_less_1[7:0], record_others,
        record_contributors
    };
    wire                          unused_record        = &{1'b0, record, record_length_less_1[8], record_word};

    moehub_memory_1r1w #(
        .WIDTH(RECORD_WIDTH + LINE_BITS), .DEPTH(GROUPS), .PARITY(`MOEHUB_PARITY_WIDTH(PARITY, RECORD_WIDTH + LINE_BITS))
    ) u_records (
        .clk(clk),
        .write_enable(record_valid), .write_address(record_group), .write_data(record_word[RECORD_WIDTH + LINE_BITS - 1:0]),
        .read_enable(s0_looks || (s0_valid_q && s0_first_q && s0_exists)), .read_address(read_group),
        .read_data(record_rdata), .parity_error(record_parity)
    );

    reg                         s3_write_q;
    reg  [ANSWERED_WIDTH - 1:0] s3_answered_q;
    wire [ENTRY_WIDTH - 1:0]    s3_entry;

    moehub_memory_1r1w #(
        .WIDTH(ANSWERED_WIDTH), .DEPTH(ENTRIES), .PARITY(`MOEHUB_PARITY_WIDTH(PARITY, ANSWERED_WIDTH))
    ) u_answered (
        .clk(clk),
        .write_enable(s3_write_q), .write_address(s3_entry), .write_data(s3_answered_q),
        .read_enable(s0_looks || s0_judged), .read_address(read_entry), .read_data(answered_rdata),
        .parity_error(answered_parity)
    );

    moehub_reduction_flags #(.ENTRIES(ENTRIES), .REQUEST_LINES(REQUEST_LINES)) u_reserved (
        .clk(clk), .rst(rst), .set_valid(open_valid), .set_group(open_group), .set_lines_less_1(open_lines_less_1),
        .clear_a_valid(s3_write_q), .clear_a_entry(s3_entry), .clear_b_valid(1'b0), .clear_b_entry({ENTRY_WIDTH{1'b0}}),
        .flags(is_reserved)
    );

    moehub_reduction_flags #(.ENTRIES(ENTRIES), .REQUEST_LINES(REQUEST_LINES)) u_open (
        .clk(clk), .rst(rst), .set_valid(open_valid), .set_group(open_group), .set_lines_less_1(open_lines_less_1),
        .clear_a_valid(completed_valid), .clear_a_entry(s3_entry),
        .clear_b_valid(expire_valid), .clear_b_entry(expire_entry),
        .flags(is_open)
    );

    // ---- stage 1: checks that need no other packet ------------------------------------------------------------------
    reg                      s1_valid_q;
    reg                      s1_first_q;
    reg                      s1_last_q;
    reg                      s1_judged_q;
    reg [INDEX_WIDTH - 1:0]  s1_index_q;
    reg [HEADER_WIDTH - 1:0] s1_header_q;
    reg                      s1_exists_q;
    reg                      s1_open_q;
    reg                      s1_reserved_q;
    reg                      s1_same_1_q; // the flit one stage ahead belongs to the same entry
    reg                      s1_same_2_q;
    reg                      s1_same_3_q;
    reg                      s1_looked_q; // the words that were read are not this flit's

    wire [15 - ENTRY_WIDTH:0] unused_s1_high;
    wire [ENTRY_WIDTH - 1:0]  s1_entry;
    wire [7:0]                s1_generation;
    wire [PORT_WIDTH - 1:0]   s1_port;
    wire [3:0]                s1_status;
    wire [1:0]                s1_element;
    wire [8:0]                s1_length;
    assign {unused_s1_high, s1_entry, s1_generation, s1_port, s1_status, s1_element, s1_length} = s1_header_q;

    wire [GENERATION_WIDTH - 1:0] r_generation;
    wire [1:0]                    r_element;
    wire                          r_out_fp32;
    wire [7:0]                    r_length_less_1;
    wire [5:0]                    r_others;
    wire [PORTS - 1:0]            r_contributors;
    wire [2:0]                    r_lines_less_1;
    assign {r_lines_less_1, r_generation, r_element, r_out_fp32, r_length_less_1, r_others, r_contributors}
        = {{(3 - LINE_BITS){1'b0}}, record_rdata};

    wire [PORTS - 1:0] s1_bit           = PORT_0 << s1_port;
    wire               s1_member        = |(s1_bit & r_contributors);
    wire [7:0]         r_generation_8   = {{(8 - GENERATION_WIDTH){1'b0}}, r_generation};
    wire [8:0]         s1_length_less_1 = s1_length - 9'd1;
    wire [2:0]         s1_line          = s1_header_q[HEADER_WIDTH - 16 +: 3] & LINE_MASK;
    wire               s1_last_line     = s1_line == r_lines_less_1;
    wire [7:0]         s1_expected      = s1_last_line ? r_length_less_1 : LONGEST_LESS_1[7:0]; // of the line, less one
    wire               s1_bad_length    = s1_last_line ? s1_length_less_1 != {1'b0, r_length_less_1}
        : s1_length_less_1 != LONGEST_LESS_1;

    wire               unused_expected  = &{1'b0, s1_expected};

    assign look_missing = r_contributors & ~(s1_reserved_q ? {PORTS{1'b0}} : answered_rdata[PORTS - 1:0]);

    // With ENTRIES 1, FLITS may need one bit more than ROW_WIDTH and lose it here. The only entry, 0, has base 0 all the same.
    wire [ROW_WIDTH - 1:0] s1_base = {{(ROW_WIDTH - ENTRY_WIDTH){1'b0}}, s1_entry} * FLITS[ROW_WIDTH - 1:0];

    // ---- stage 2: the decision; the packet's part is loaded by its first flit ---------------------------------------
    reg                        s2_valid_q;
    reg                        s2_first_q;
    reg                        s2_last_q;
    reg [INDEX_WIDTH - 1:0]    s2_index_q;
    reg                        s2_judged_q;
    reg                        s2_same_1_q;
    reg [ANSWERED_WIDTH - 1:0] s2_answered_q;
    reg [HEADER_WIDTH - 1:0]   s2_header_q;
    reg                        s2_exists_q;
    reg                        s2_stale_q;
    reg                        s2_foreign_q;
    reg                        s2_bad_status_q;
    reg                        s2_bad_type_q;
    reg                        s2_bad_length_q;
    reg [PORTS - 1:0]          s2_bit_q;
    reg [1:0]                  s2_element_q;
    reg                        s2_out_fp32_q;
    reg [NUMBER_WIDTH - 1:0]   s2_last_number_q;
    reg [SHIFT - 2:0]          s2_end_q;
    reg [5:0]                  s2_others_q;
    reg [ROW_WIDTH - 1:0]      s2_base_q; // row of the entry's first flit
    reg                        s2_timed_out_q;

    reg                      s3_valid_q;
    reg                      s3_first_q;
    reg                      s3_last_q;
    reg [ROW_WIDTH - 1:0]    s3_row_q;
    reg                      s3_tail_q;
    reg                      s3_adds_q;
    reg [HEADER_WIDTH - 1:0] s3_header_q;
    reg                      s3_accepted_q;   // of the packet
    reg                      s3_good_q;       // of the packet: no check of its first flit failed
    reg                      s3_summed_q;     // of the packet: good, and the entry had not failed before
    reg                      s3_starts_q;
    reg                      s3_completes_q;
    reg [1:0]                s3_element_q;
    reg                      s3_out_fp32_q;
    reg [NUMBER_WIDTH - 1:0] s3_last_number_q;
    reg [SHIFT - 2:0]        s3_end_q;
    reg                      s3_cause_valid_q;
    reg [3:0]                s3_cause_q;

    reg                        s4_write_q;
    reg [ANSWERED_WIDTH - 1:0] s4_answered_q;

    wire [ENTRY_WIDTH - 1:0] s2_entry = s2_header_q[HEADER_WIDTH - 16 +: ENTRY_WIDTH];
    assign s3_entry                   = s3_header_q[HEADER_WIDTH - 16 +: ENTRY_WIDTH];

    wire [ANSWERED_WIDTH - 1:0] s1_answered = (s1_same_2_q && s3_write_q) ? s3_answered_q
        : (s1_same_3_q && s4_write_q) ? s4_answered_q
        : s1_reserved_q ? {ANSWERED_WIDTH{1'b0}} : answered_rdata;

    wire               forward = s2_same_1_q && s3_write_q;
    wire               complete; // as the packets ahead have left it
    wire [1:0]         failure;
    wire [6:0]         number;
    wire [PORTS - 1:0] answered;
    assign {complete, failure, number, answered} = forward ? s3_answered_q : s2_answered_q;

    // The payload's last flit, from the length less one; one bit more for the index, which also counts what is beyond.
    wire [INDEX_WIDTH:0] s2_index_wide  = {1'b0, s2_index_q};
    wire [INDEX_WIDTH:0] s2_number_wide = {{(INDEX_WIDTH + 1 - NUMBER_WIDTH){1'b0}}, s2_last_number_q};
    wire                 s2_tail        = s2_index_wide == s2_number_wide;
    wire                 s2_beyond      = s2_index_wide > s2_number_wide;
    wire                 s2_early       = !s2_tail && !s2_beyond;
    wire                 s2_bad_frame   = s2_last_q && (s2_beyond || s2_early);

    wire duplicate  = |(answered & s2_bit_q);
    wire stale      = s2_stale_q || complete;
    wire bad_length = s2_bad_length_q || s2_bad_frame;
    wire accepted   = s2_exists_q && !stale && !s2_foreign_q && !duplicate;
    wire good       = accepted && !s2_bad_status_q && !s2_bad_type_q && !bad_length;
    wire completes  = accepted && number == {1'b0, s2_others_q};

    // A first flit judges; a later last flit can still find the number of flits wrong.
    wire judge      = s2_valid_q && s2_first_q;
    wire late_frame = s2_valid_q && !s2_first_q && s3_accepted_q && s3_good_q && s2_bad_frame;

    wire [1:0] new_failure = s2_first_q ? (!accepted || good ? 2'd0 : s2_bad_status_q ? 2'd1 : s2_bad_type_q ? 2'd2 : 2'd3)
        : late_frame ? 2'd3 : 2'd0;
    wire       least_is_new = new_failure != 2'd0 && (failure == 2'd0 || new_failure < failure);
    wire [1:0] least        = least_is_new ? new_failure : failure;

    wire [ANSWERED_WIDTH - 1:0] s2_answered = s2_first_q
        ? {completes, least, number + 7'd1, answered | s2_bit_q}
        : {complete, least, number, answered};

    wire packet_summed = s2_first_q ? good && least == 2'd0 : s3_summed_q;

    always @(posedge clk) begin
        // 0 -> 1
        s1_valid_q  <= s0_valid_q;
        s1_judged_q <= s0_judged;
        if (s0_valid_q) begin
            s1_first_q  <= s0_first_q;
            s1_last_q   <= s0_last_q;
            s1_index_q  <= s0_index_q;
            s1_header_q <= s0_header_q;
            s1_exists_q <= s0_exists;
        end
        s1_open_q     <= is_open[s0_entry];
        s1_reserved_q <= is_reserved[read_entry];
        s1_looked_q   <= s0_looks;
        s1_same_1_q   <= s1_judged_q && s0_entry == s1_entry;
        s1_same_2_q   <= s2_judged_q && s0_entry == s2_entry;
        s1_same_3_q   <= s3_write_q && s0_entry == s3_entry;

        // 1 -> 2
        s2_valid_q    <= s1_valid_q;
        s2_judged_q   <= s1_judged_q;
        s2_same_1_q   <= s1_same_1_q;
        s2_answered_q <= s1_answered;
        if (s1_valid_q) begin
            s2_first_q <= s1_first_q;
            s2_last_q  <= s1_last_q;
            s2_index_q <= s1_index_q;
        end
        if (timed_out_valid && timed_out_entry == s2_entry) s2_timed_out_q <= 1'b1;
        if (s1_valid_q && s1_first_q) begin
            s2_header_q <= s1_header_q;
            s2_exists_q <= s1_exists_q;
            s2_stale_q  <= !s1_open_q
                || (s1_generation != r_generation_8);
            s2_foreign_q     <= !s1_member;
            s2_bad_status_q  <= s1_status != 4'd`MOEHUB_STATUS_OK;
            s2_bad_type_q    <= s1_element != r_element;
            s2_bad_length_q  <= s1_bad_length;
            s2_bit_q         <= s1_bit;
            s2_element_q     <= r_element;
            s2_out_fp32_q    <= r_out_fp32;
            s2_last_number_q <= s1_expected[SHIFT +: NUMBER_WIDTH];
            s2_end_q         <= s1_expected[SHIFT - 1:1];
            s2_others_q      <= r_others;
            s2_base_q        <= s1_base;
            s2_timed_out_q   <= 1'b0;
        end

        // 2 -> 3
        s3_valid_q    <= s2_valid_q;
        s3_write_q    <= (judge && accepted) || (late_frame && !s2_timed_out_q);
        s3_answered_q <= s2_answered;
        if (s2_valid_q) begin
            s3_first_q <= s2_first_q;
            s3_last_q  <= s2_last_q;
            s3_row_q   <= s2_base_q + {{(ROW_WIDTH - NUMBER_WIDTH){1'b0}}, s2_index_q[NUMBER_WIDTH - 1:0]};
            s3_tail_q  <= s2_tail;
            s3_adds_q  <= packet_summed && !s2_beyond;
        end
        if (judge) begin
            s3_header_q      <= s2_header_q;
            s3_accepted_q    <= accepted;
            s3_good_q        <= good;
            s3_summed_q      <= packet_summed;
            s3_starts_q      <= number == 7'd0;
            s3_completes_q   <= completes;
            s3_element_q     <= s2_element_q;
            s3_out_fp32_q    <= s2_out_fp32_q;
            s3_last_number_q <= s2_last_number_q;
            s3_end_q         <= s2_end_q;
        end
        s3_cause_valid_q <= (judge && !good) || late_frame;
        s3_cause_q       <= !s2_first_q ? 4'd`MOEHUB_REDUCTION_CAUSE_PARTIAL_LENGTH
            : !s2_exists_q ? 4'd`MOEHUB_REDUCTION_CAUSE_ENTRY
            : stale ? 4'd`MOEHUB_REDUCTION_CAUSE_STALE
            : s2_foreign_q ? 4'd`MOEHUB_REDUCTION_CAUSE_FOREIGN
            : duplicate ? 4'd`MOEHUB_REDUCTION_CAUSE_DUPLICATE
            : s2_bad_status_q ? 4'd`MOEHUB_REDUCTION_CAUSE_PARTIAL_STATUS
            : s2_bad_type_q ? 4'd`MOEHUB_REDUCTION_CAUSE_PARTIAL_TYPE
            : 4'd`MOEHUB_REDUCTION_CAUSE_PARTIAL_LENGTH;

        s4_write_q    <= s3_write_q;
        s4_answered_q <= s3_answered_q;

        if (rst) begin
            s1_valid_q       <= 1'b0;
            s1_judged_q      <= 1'b0;
            s2_valid_q       <= 1'b0;
            s2_judged_q      <= 1'b0;
            s3_valid_q       <= 1'b0;
            s3_write_q       <= 1'b0;
            s3_cause_valid_q <= 1'b0;
            s4_write_q       <= 1'b0;
        end
    end

    // ---- parity: of words that were written and count ------------------------------------------------------------------
    // A record counts while its entry is open; a set once somebody has answered, for a packet that was accepted. What is read
    // for an entry that is looked up does not count.
    reg s2_answered_parity_q;

    always @(posedge clk) begin
        s2_answered_parity_q <= answered_parity && !s1_looked_q && !s1_reserved_q && (s1_open_q || !s1_first_q);
    end

    assign parity_error = {s2_answered_parity_q && (s2_first_q || s3_accepted_q), record_parity && s1_open_q && !s1_looked_q};

    // ---- outputs ------------------------------------------------------------------------------------------------------
    assign completed_valid = s3_valid_q && s3_first_q && s3_completes_q;
    assign completed_entry = s3_entry;

    assign flit_valid = s3_valid_q;
    assign flit_data  = s3_data_q;

    assign flit[`MOEHUB_FLIT_FIRST_LSB]            = s3_first_q;
    assign flit[`MOEHUB_FLIT_LAST_LSB]             = s3_last_q;
    assign flit[`MOEHUB_FLIT_ADDS_LSB]             = s3_valid_q && s3_adds_q;
    assign flit[`MOEHUB_FLIT_STARTS_LSB]           = s3_starts_q;
    assign flit[`MOEHUB_FLIT_COMPLETES_LSB]        = s3_completes_q;
    assign flit[`MOEHUB_FLIT_FAILURE_LSB +: 2]     = s3_answered_q[ANSWERED_WIDTH - 2 -: 2];
    assign flit[`MOEHUB_FLIT_ELEMENT_LSB +: 2]     = s3_element_q;
    assign flit[`MOEHUB_FLIT_OUT_FP32_LSB]         = s3_out_fp32_q;
    assign flit[`MOEHUB_FLIT_TAIL_LSB]             = s3_tail_q;
    assign flit[`MOEHUB_FLIT_END_LSB +: 5]         = {{(6 - SHIFT){1'b0}}, s3_end_q};
    assign flit[`MOEHUB_FLIT_UPPER_HALF_LSB]       = s3_end_q[SHIFT - 2];
    assign flit[`MOEHUB_FLIT_LAST_NUMBER_LSB +: 6] = {{(6 - NUMBER_WIDTH){1'b0}}, s3_last_number_q};
    assign flit[`MOEHUB_FLIT_ENTRY_LSB +: 12]      = {{(12 - ENTRY_WIDTH){1'b0}}, s3_entry};
    assign flit[`MOEHUB_FLIT_ROW_LSB +: 18]        = {{(18 - ROW_WIDTH){1'b0}}, s3_row_q};

    // ---- the error of a packet -----------------------------------------------------------------------------------------
    wire [23:0]             s3_tag; // entry and generation
    wire [PORT_WIDTH - 1:0] s3_port;
    wire [3:0]              s3_status;
    wire [1:0]              s3_type;
    wire [8:0]              s3_length;
    assign {s3_tag, s3_port, s3_status, s3_type, s3_length} = s3_header_q;

    reg [127:0] header;
    always @* begin
        header                                                             = 128'd0;
        header[`MOEHUB_HEADER_TYPE_LSB +: `MOEHUB_HEADER_TYPE_WIDTH]       = `MOEHUB_HEADER_TYPE_WIDTH'd`MOEHUB_PACKET_PARTIAL;
        header[`MOEHUB_HEADER_LENGTH_LSB +: `MOEHUB_HEADER_LENGTH_WIDTH]   = s3_length;
        header[`MOEHUB_HEADER_TAG_LSB +: `MOEHUB_HEADER_TAG_WIDTH]         = s3_tag;
        header[`MOEHUB_HEADER_STATUS_LSB +: `MOEHUB_HEADER_STATUS_WIDTH]   = s3_status;
        header[`MOEHUB_HEADER_ELEMENT_LSB +: `MOEHUB_HEADER_ELEMENT_WIDTH] = s3_type;
    end

    assign partial_error_valid                            = s3_cause_valid_q;
    assign partial_error[`MOEHUB_ERROR_HEADER_LSB +: 128] = header;
    assign partial_error[`MOEHUB_ERROR_CAUSE_LSB +: 5]    = {1'b0, s3_cause_q};
    assign partial_error[`MOEHUB_ERROR_PORT_LSB +: 6]     = {{(6 - PORT_WIDTH){1'b0}}, s3_port};
endmodule

`default_nettype wire
