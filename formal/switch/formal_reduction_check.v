// SPDX-License-Identifier: Apache-2.0
// moehub_reduction_check: one solver-chosen entry, every packet for it judged by the harness as
// rtl/doc/reduction_buffer.md section 4 says; flits are compared where they leave, four cycles after they came.
// Fields are as narrow as their checks allow: two lengths (one of one flit, the longest), two types, two statuses, and one
// bit of an entry's number beyond those that exist. With LOOKS somebody looks entries up at any time.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_reduction.vh"
module formal_reduction_check #(
    parameter ENTRIES          = 2,
    parameter REQUEST_LINES    = 1,
    parameter LOOKS            = 0,
    parameter PORTS            = 2,
    parameter FLITS            = 1,
    parameter GENERATION_WIDTH = 1
) (
    input wire                      clk,
    input wire                      rst,
    input wire                      partial_valid,
    input wire [(ENTRIES > 1 ? $clog2(ENTRIES) : 1) - 1:0] partial_entry,
    input wire                      partial_beyond, // the entry's number has an upper bit
    input wire [GENERATION_WIDTH - 1:0] partial_generation,
    input wire [$clog2(PORTS) - 1:0] partial_port,
    input wire                      partial_failed,
    input wire                      partial_element,
    input wire                      partial_long,
    input wire                      partial_data,
    input wire                      partial_last,
    input wire                      record_valid,
    input wire [(ENTRIES / REQUEST_LINES > 1 ? $clog2(ENTRIES / REQUEST_LINES) : 1) - 1:0] record_group,
    input wire [2:0]                record_lines,
    input wire [GENERATION_WIDTH - 1:0] record_generation,
    input wire                      record_element,
    input wire                      record_out_fp32,
    input wire                      record_long,
    input wire [PORTS - 1:0]        record_set,
    input wire                      open_valid,
    input wire [(ENTRIES / REQUEST_LINES > 1 ? $clog2(ENTRIES / REQUEST_LINES) : 1) - 1:0] open_group,
    input wire                      look,
    input wire [(ENTRIES > 1 ? $clog2(ENTRIES) : 1) - 1:0] look_entry,
    input wire                      expire_valid,
    input wire [(ENTRIES > 1 ? $clog2(ENTRIES) : 1) - 1:0] expire_entry
);
`include "formal_reset.vh"
    localparam ENTRY_WIDTH  = ENTRIES > 1 ? $clog2(ENTRIES) : 1;
    localparam GROUPS       = ENTRIES / REQUEST_LINES;
    localparam GROUP_WIDTH  = GROUPS > 1 ? $clog2(GROUPS) : 1;
    localparam [ENTRIES + 7:0] GROUP_0 = (1 << REQUEST_LINES) - 1;
    localparam PORT_WIDTH   = $clog2(PORTS);
    localparam NUMBER_WIDTH = FLITS > 1 ? $clog2(FLITS) : 1;
    localparam ROW_WIDTH    = ENTRIES * FLITS > 1 ? $clog2(ENTRIES * FLITS) : 1;
    localparam [PORTS - 1:0] PORT_0 = 1;
    localparam [PORTS - 1:0] NOBODY = 0;

    reg  first_q; // the next flit is the first of a packet
    wire flit_valid, flit_first, flit_last, flit_adds, flit_starts, flit_completes, flit_out_fp32, completed_valid;
    wire [1:0] flit_failure, flit_element;
    wire [ENTRY_WIDTH - 1:0] flit_entry, completed_entry;
    wire [ROW_WIDTH - 1:0]   flit_row;
    wire [NUMBER_WIDTH - 1:0] flit_last_number;
    wire [31:0] flit_data;
    wire [(1 << ENTRY_WIDTH) - 1:0] is_open;
    wire        cause_valid;
    wire [3:0]  cause;
    reg [4:0]   members;
    reg         timed_out_valid;
    reg [ENTRY_WIDTH - 1:0] timed_out_entry;
    integer     i;
    always @* begin
        members = 5'd0;
        for (i = 0; i < PORTS; i = i + 1) members = members + {4'd0, record_set[i]};
    end
    wire [5:0] others = {1'b0, members} - 6'd1;
    wire [7:0] record_length_less_1 = record_long ? 4 * FLITS - 1 : 8'd1;
    wire [8:0] partial_length       = partial_long ? 4 * FLITS : 9'd2;

    wire [63:0] set_64        = record_set;
    wire [11:0] group_12      = record_group;
    wire [7:0]  generation_8  = record_generation;
    wire [8:0]  record_length = record_length_less_1 + 9'd1;
    wire [`MOEHUB_RECORD_WIDTH - 1:0] record;
    assign record[`MOEHUB_RECORD_CONTRIBUTORS_LSB +: 64] = set_64;
    assign record[`MOEHUB_RECORD_OTHERS_LSB +: 6]        = others;
    assign record[`MOEHUB_RECORD_LENGTH_LSB +: 9]        = record_length;
    assign record[`MOEHUB_RECORD_ELEMENT_LSB +: 2]       = {1'b0, record_element};
    assign record[`MOEHUB_RECORD_OUT_FP32_LSB]           = record_out_fp32;
    assign record[`MOEHUB_RECORD_REQUESTER_LSB +: 10]    = 0;
    assign record[`MOEHUB_RECORD_TAG_LSB +: 64]          = 0;
    assign record[`MOEHUB_RECORD_GROUP_LSB +: 12]        = group_12;
    assign record[`MOEHUB_RECORD_LINES_LSB +: 3]         = record_lines;
    assign record[`MOEHUB_RECORD_GENERATION_LSB +: 8]    = generation_8;
    wire [`MOEHUB_FLIT_WIDTH - 1:0]  flit;
    wire [`MOEHUB_ERROR_WIDTH - 1:0] partial_error;
    assign flit_first       = flit[`MOEHUB_FLIT_FIRST_LSB];
    assign flit_last        = flit[`MOEHUB_FLIT_LAST_LSB];
    assign flit_adds        = flit[`MOEHUB_FLIT_ADDS_LSB];
    assign flit_starts      = flit[`MOEHUB_FLIT_STARTS_LSB];
    assign flit_completes   = flit[`MOEHUB_FLIT_COMPLETES_LSB];
    assign flit_failure     = flit[`MOEHUB_FLIT_FAILURE_LSB +: 2];
    assign flit_element     = flit[`MOEHUB_FLIT_ELEMENT_LSB +: 2];
    assign flit_out_fp32    = flit[`MOEHUB_FLIT_OUT_FP32_LSB];
    assign flit_last_number = flit[`MOEHUB_FLIT_LAST_NUMBER_LSB +: NUMBER_WIDTH];
    assign flit_entry       = flit[`MOEHUB_FLIT_ENTRY_LSB +: ENTRY_WIDTH];
    assign flit_row         = flit[`MOEHUB_FLIT_ROW_LSB +: ROW_WIDTH];
    assign cause            = partial_error[`MOEHUB_ERROR_CAUSE_LSB +: 4];

    wire partial_ready, partial_first;
    wire came = partial_valid && partial_ready; // taken
    wire look_ready;
    wire [PORTS - 1:0] look_missing;
    reg  [3 * GROUPS - 1:0] lines_q; // of the record, less one
    wire [2:0] open_lines = lines_q[3 * open_group +: 3];
    moehub_reduction_check #(
        .ENTRIES(ENTRIES), .REQUEST_LINES(REQUEST_LINES), .PORTS(PORTS), .FLITS(FLITS), .FLIT_BYTES(4),
        .GENERATION_WIDTH(GENERATION_WIDTH)
    ) u_check (
        .clk(clk), .rst(rst), .initialised(1'b1),
        .partial_valid(partial_valid), .partial_ready(partial_ready), .partial_first(partial_first),
        .partial_entry({{(15 - ENTRY_WIDTH){1'b0}}, partial_beyond, partial_entry}),
        .partial_generation({{(8 - GENERATION_WIDTH){1'b0}}, partial_generation}), .partial_port(partial_port),
        .partial_status({3'd0, partial_failed}), .partial_element({1'b0, partial_element}), .partial_length(partial_length),
        .partial_data({31'd0, partial_data}), .partial_last(partial_last),
        .record_valid(record_valid), .record(record),
        .open_valid(open_valid), .open_group(open_group), .open_lines_less_1(open_lines),
        .expire_valid(expire_valid), .expire_entry(expire_entry),
        .timed_out_valid(timed_out_valid), .timed_out_entry(timed_out_entry),
        .is_open(is_open), .completed_valid(completed_valid), .completed_entry(completed_entry),
        .look_valid(look && LOOKS != 0), .look_ready(look_ready), .look_entry(look_entry), .look_missing(look_missing),
        .flit_valid(flit_valid), .flit(flit), .flit_data(flit_data), .partial_error_valid(cause_valid),
        .partial_error(partial_error)
    );

    (* anyconst *) wire [ENTRY_WIDTH - 1:0] chosen;

    // ---- the life of an entry, as the rest of the buffer drives it: recorded, opened at least two cycles later, complete or
    //      expired, free again when nothing of it is under way. For every entry, so that others behave too. ---------------
    reg [ENTRIES - 1:0] recorded_q;  // recorded, not open yet
    reg [ENTRIES - 1:0] recorded_2_q;
    reg [ENTRIES - 1:0] open_q;
    reg [ENTRIES - 1:0] closing_q [0:4]; // complete or expired so many cycles ago: not to be recorded again
    reg [3:0]           expires_q;   // expired so many cycles ago; not complete since
    reg [4 * ENTRY_WIDTH - 1:0] expired_q;
    wire [ENTRIES - 1:0] ENTRY_0 = 1;
    wire [7:0]           lines     = ~(8'hfe << open_lines);
    wire [ENTRIES - 1:0] records   = record_valid ? GROUP_0 << record_group * REQUEST_LINES : 0; // all lines of the group
    wire [ENTRIES - 1:0] whole     = open_valid ? GROUP_0 << open_group * REQUEST_LINES : 0;
    wire [ENTRIES - 1:0] opens     = open_valid ? {{ENTRIES{1'b0}}, lines} << open_group * REQUEST_LINES : 0;
    wire [ENTRIES - 1:0] expires   = expire_valid ? ENTRY_0 << expire_entry : 0;
    wire [ENTRIES - 1:0] completes = completed_valid ? ENTRY_0 << completed_entry : 0;
    reg  [ENTRIES - 1:0] passing_q; // its last packet has not ended: it cannot be free
    wire ends = flit_valid && flit_last;
    always @* begin
        assume (chosen < ENTRIES && partial_port < PORTS && record_group < GROUPS && open_group < GROUPS
                && expire_entry < ENTRIES && look_entry < ENTRIES && record_lines < REQUEST_LINES);
        assume (!record_valid || members != 5'd0);
        assume (!rst || (!record_valid && !open_valid && !expire_valid && !partial_valid));
        assume ((records & (recorded_q | open_q | opens | completes | passing_q
            | closing_q[0] | closing_q[1] | closing_q[2] | closing_q[3] | closing_q[4])) == 0);
        assume ((opens & ~recorded_2_q) == 0);
        assume ((expires & ~open_q) == 0);
        // One expires at a time, as moehub_reduction_timeout's round of eight cycles has it for one entry.
        assume (!expire_valid || expires_q == 4'd0 || ENTRIES > 1);
    end
    always @(posedge clk) begin
        recorded_q   <= (recorded_q | records) & ~whole;
        recorded_2_q <= recorded_q & ~whole;
        if (record_valid) lines_q[3 * record_group +: 3] <= record_lines;
        open_q       <= (open_q | opens) & ~completes & ~expires;
        closing_q[0] <= completes | expires;
        closing_q[1] <= closing_q[0];
        closing_q[2] <= closing_q[1];
        closing_q[3] <= closing_q[2];
        closing_q[4] <= closing_q[3];
        passing_q    <= (passing_q | completes) & ~(ends ? {ENTRIES{1'b1}} : {ENTRIES{1'b0}});
        // Timed out three cycles after it expired, if no partial has completed it.
        expires_q    <= {expires_q[2:0] & ~{completed_valid && completed_entry == expired_q[2 * ENTRY_WIDTH +: ENTRY_WIDTH],
            completed_valid && completed_entry == expired_q[ENTRY_WIDTH +: ENTRY_WIDTH],
            completed_valid && completed_entry == expired_q[0 +: ENTRY_WIDTH]},
            expire_valid && !(completed_valid && completed_entry == expire_entry)};
        expired_q    <= {expired_q[3 * ENTRY_WIDTH - 1:0], expire_entry};
        if (rst) begin
            recorded_q   <= 0;
            recorded_2_q <= 0;
            open_q       <= 0;
            passing_q    <= 0;
            for (i = 0; i < 5; i = i + 1) closing_q[i] <= 0;
            expires_q    <= 4'd0;
        end
    end
    always @* begin
        timed_out_valid = expires_q[3];
        timed_out_entry = expired_q[3 * ENTRY_WIDTH +: ENTRY_WIDTH];
    end

    // ---- its record ---------------------------------------------------------------------------------------------------
    reg [PORTS - 1:0]            set_q;
    reg [GENERATION_WIDTH - 1:0] generation_q;
    reg                          element_q;
    reg                          out_fp32_q;
    reg                          long_q;
    always @(posedge clk) if (records[chosen]) begin
        set_q        <= record_set;
        generation_q <= record_generation;
        element_q    <= record_element;
        out_fp32_q   <= record_out_fp32;
        long_q       <= record_long || record_lines != (chosen & (REQUEST_LINES - 1)); // all but the last line are the longest
    end

    // ---- packets: one cycle after they came (the memories are read), whether the entry waits; then where they leave ----
    localparam CAME = 7 + ENTRY_WIDTH + 1 + GENERATION_WIDTH + PORTS;
    localparam SEEN = 10 + PORTS;
    reg [CAME - 1:0]     came_q = 0;
    reg [3 * SEEN - 1:0] seen_q = 0;
    wire                 c_valid, c_first, c_failed, c_element, c_long, c_data, c_last, c_beyond;
    wire [ENTRY_WIDTH - 1:0] c_entry;
    wire [GENERATION_WIDTH - 1:0] c_generation;
    wire [PORTS - 1:0]   c_port;
    assign {c_valid, c_first, c_beyond, c_entry, c_generation, c_port, c_failed, c_element, c_long, c_data, c_last} = came_q;
    wire c_exists = !c_beyond && c_entry < ENTRIES;
    wire c_hit    = open_q[chosen] && c_generation == generation_q;
    always @(posedge clk) begin
        if (came) first_q <= partial_last;
        came_q <= {came, first_q, partial_beyond, partial_entry, partial_generation, PORT_0 << partial_port, partial_failed,
            partial_element, partial_long, partial_data, partial_last};
        seen_q <= {seen_q[2 * SEEN - 1:0], c_valid, c_first, c_exists && c_entry == chosen, c_exists, c_hit, c_port,
            c_failed, c_element != element_q, c_long != long_q, c_data, c_last};
        if (rst) begin
            first_q <= 1'b1;
            came_q  <= 0;
            seen_q  <= 0;
        end
    end
    wire               valid, first, mine, exists, hit, failed, bad_type, bad_length, data, last;
    wire [PORTS - 1:0] its_port;
    assign {valid, first, mine, exists, hit, its_port, failed, bad_type, bad_length, data, last} = seen_q[2 * SEEN +: SEEN];

    // ---- the verdict ----------------------------------------------------------------------------------------------------
    reg [PORTS - 1:0] answered_q;
    reg [1:0]         failure_q;
    reg               packet_q = 1'b0; // the packet under way was accepted for the chosen entry
    reg               good_q;    // ... and every check of its first flit held
    reg               sums_q;    // ... and the entry had not failed
    reg               mine_q = 1'b0;   // the packet under way names the chosen entry
    reg               timed_out_q;    // ... which timed out meanwhile
    reg [1:0]         index_q;
    reg               completed_q;
    wire [1:0] index     = first ? 2'd0 : index_q;
    wire [1:0] flits     = long_q ? FLITS : 2'd1;
    wire       bad_frame = last && {1'b0, index} + 3'd1 != {1'b0, flits};
    wire       accepted  = valid && first && mine && hit && !completed_q && |(its_port & set_q) && !(|(its_port & answered_q));
    wire       dies      = timed_out_valid && timed_out_entry == chosen;
    wire       goes_on   = valid && !first && packet_q && !timed_out_q;
    wire       good      = accepted && !failed && !bad_type && !bad_length && !bad_frame;
    wire [1:0] new_failure = accepted ? (failed ? 2'd1 : bad_type ? 2'd2 : bad_length || bad_frame ? 2'd3 : 2'd0)
        : goes_on && good_q && bad_frame ? 2'd3 : 2'd0;
    wire [1:0] failure   = new_failure != 2'd0 && (failure_q == 2'd0 || new_failure < failure_q) ? new_failure : failure_q;
    wire [PORTS - 1:0] answered = accepted ? answered_q | its_port : answered_q;
    wire       sums      = first ? good && failure == 2'd0 : sums_q;
    wire       full      = answered == set_q;
    always @(posedge clk) begin
        if (valid) index_q <= index + {1'b0, index != 2'd3};
        if (valid && first) begin
            packet_q <= accepted;
            good_q   <= good;
            sums_q   <= sums;
            mine_q   <= mine;
            timed_out_q   <= 1'b0;
        end
        if (dies) timed_out_q <= 1'b1;
        answered_q <= answered;
        failure_q  <= failure;
        if (accepted && full) completed_q <= 1'b1;
        if (records[chosen]) begin
            answered_q  <= NOBODY;
            failure_q   <= 2'd0;
            completed_q <= 1'b0;
        end
        if (rst) packet_q <= 1'b0;
    end

    // ---- an opening ends once: complete, or timed out -------------------------------------------------------------------
    reg  live_q;
    wire completes_it = completed_valid && completed_entry == chosen;
    always @(posedge clk) begin
        if (completes_it || dies) live_q <= 1'b0;
        if (opens[chosen]) live_q <= 1'b1;
        if (rst) live_q <= 1'b0;
    end

    // ---- who is looked up: from the cycle after its timeout until its group is recorded again ----------------------------
    reg late_q, looked_q;
    always @(posedge clk) begin
        late_q   <= (late_q || dies) && !records[chosen];
        looked_q <= look && LOOKS != 0 && look_ready && look_entry == chosen && late_q && !records[chosen];
        if (rst) begin
            late_q   <= 1'b0;
            looked_q <= 1'b0;
        end
    end

    wire [3:0] right_cause = !hit || completed_q ? `MOEHUB_REDUCTION_CAUSE_STALE
        : !(|(its_port & set_q)) ? `MOEHUB_REDUCTION_CAUSE_FOREIGN
        : |(its_port & answered_q) ? `MOEHUB_REDUCTION_CAUSE_DUPLICATE
        : failed ? `MOEHUB_REDUCTION_CAUSE_PARTIAL_STATUS
        : bad_type ? `MOEHUB_REDUCTION_CAUSE_PARTIAL_TYPE : `MOEHUB_REDUCTION_CAUSE_PARTIAL_LENGTH;
    wire its_first = valid && first && mine;
    wire its_other = valid && !first && mine_q && (packet_q ? !timed_out_q : 1'b1);

    // ---- what moehub_reduction_schedule and _waiting take for granted of the flits, of whatever entry ------------------------
    reg                      before_completes_q, before_adds_q;
    reg [ENTRY_WIDTH - 1:0]  before_entry_q;
    reg [NUMBER_WIDTH - 1:0] before_number_q;
    reg [1:0]                before_failure_q; // said with the first flit and again with the last
    always @(posedge clk) if (flit_valid) begin
        before_completes_q <= flit_completes;
        before_adds_q      <= flit_first ? flit_adds : before_adds_q && flit_adds;
        before_entry_q     <= flit_entry;
        before_number_q    <= flit_last_number;
        if (flit_first) before_failure_q <= flit_failure;
    end
    wire first_as_said = !flit_completes || flit_adds == (flit_failure == 2'd0);
    wire next_as_said  = flit_completes == before_completes_q && (!flit_completes || (flit_entry == before_entry_q
        && flit_last_number == before_number_q && flit_adds == (before_adds_q && index <= before_number_q)
        && (!flit_last || flit_failure == before_failure_q || (before_failure_q == 2'd0 && flit_failure == 2'd3))));
    wire last_as_said  = !(flit_last && flit_completes && flit_failure == 2'd0) || index == flit_last_number;

    always @* begin
        hands_on:   assert (!valid || ((first ? first_as_said : next_as_said) && last_as_said));
        in_time:    assert (!started_q || reset_q || flit_valid == valid);
        says_open:  assert (!started_q || reset_q || is_open[chosen] == open_q[chosen]);
        as_it_came: assert (!valid || (flit_first == first && flit_last == last && flit_data == {31'd0, data}));
        no_entry:   assert (!(valid && first && !exists) || (!flit_adds && !flit_completes && cause_valid
                        && cause == `MOEHUB_REDUCTION_CAUSE_ENTRY));
        adds:       assert (!its_first || flit_adds == sums);
        adds_on:    assert (!its_other || flit_adds == (packet_q && sums_q && index < flits));
        starts:     assert (!(its_first && accepted) || flit_starts == (answered_q == NOBODY));
        completes_right: assert (!its_first || flit_completes == (accepted && full));
        completed_pulse: assert (!valid || !first || completed_valid == flit_completes);
        fails:      assert (!(its_first && accepted) || flit_failure == failure);
        fails_on:   assert (!(goes_on && mine_q && last) || flit_failure == failure);
        names:      assert (!((its_first && accepted) || (goes_on && mine_q))
                            || (flit_entry == chosen && flit_element == {1'b0, element_q}
                        && flit_out_fp32 == out_fp32_q && (index >= FLITS || flit_row == chosen * FLITS + index)));
        causes:     assert (!its_first || (cause_valid == !good && (good || cause == right_cause)));
        missing:    assert (!started_q || reset_q || !looked_q || look_missing == (set_q & ~answered_q));
        one_end:    assert (!started_q || reset_q || ((live_q || !(completes_it || dies)) && !(completes_it && dies)));
    end
    always @* begin
        second:     cover (its_first && accepted && full && answered_q != NOBODY && failure == 2'd0);
        full_failed: cover (its_first && accepted && full && answered_q != NOBODY && failure == 2'd1 && good);
        duplicate:  cover (its_first && hit && !completed_q && !accepted && |(its_port & answered_q) && !failed);
        foreign:    cover (its_first && hit && !(|(its_port & set_q)));
        old_one:    cover (its_first && !hit && open_q[chosen]);
        after_timeout: cover (its_first && answered_q != NOBODY && !hit);
        adds_two:   cover (valid && !first && flit_adds);
        odd_frame:  cover (goes_on && mine_q && last && failure == 2'd3);
        absent:     cover (valid && first && !exists);
        late_one:   cover (started_q && !reset_q && live_q && completes_it && expires_q[2]
                           && expired_q[2 * ENTRY_WIDTH +: ENTRY_WIDTH] == chosen);
        any:        cover (its_first && accepted);
        looked_half: cover (started_q && !reset_q && looked_q && answered_q != NOBODY);
        looked_none: cover (started_q && !reset_q && looked_q && answered_q == NOBODY);
        not_asked:  cover (its_first && !hit && open_q != 0 && |(its_port & set_q) && !failed); // another line is open
        other_line: cover (its_first && accepted && full && (open_q & ~(ENTRY_0 << chosen)) != 0);
    end
endmodule
`default_nettype wire
