// SPDX-License-Identifier: Apache-2.0
// moehub_pre_reduce_sums with sums of two bits in place of its lanes' arithmetic: flits come as moehub_pre_reduce_places gives
// them. A line of the solver's choice leaves in its turn, whole, with the sum of its targets' flits, or as one flit with the
// status that it has: its own, or MEMORY when any beat of any target came with an error. It is told once, before it leaves.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_hub_way.vh"
module formal_pre_reduce_sums #(
    parameter PARTIAL_ROWS = 9
) (
    input wire                                clk,
    input wire                                rst,
    input wire                                send,       // a flit, when there may be one
    input wire                                new_last,   // the line's last target
    input wire [3:0]                          new_status, // of a line
    input wire [3:0]                          new_units,
    input wire                                new_ends,
    input wire                                new_counted,
    input wire [`MOEHUB_PARTIAL_WIDTH - 1:0]  new_partial,
    input wire                                error,
    input wire [1:0]                          data,
    input wire                                ready,
    input wire                                mark        // the line that begins is the one to look at
);
`include "formal_one_reset.vh"
    localparam [3:0] OK = 4'd`MOEHUB_STATUS_OK;

    // ---- what moehub_pre_reduce_places sends: a target's flits one after the other (its contract, 3 to 5) -----------------
    reg         begun_q = 0;   // inside a target's flits
    reg         line_q  = 0;   // inside a line, behind its first target
    reg [2:0]   number_q;
    reg [1:0]   gap_q   = 0;
    reg         last_q;
    reg [3:0]   status_q;
    reg [3:0]   units_q;
    reg         ends_q;
    reg         counted_q;
    reg [`MOEHUB_PARTIAL_WIDTH - 1:0] partial_q;
    wire        room;
    wire        begins  = send && !begun_q && (!line_q || gap_q == 0) && (!last || room) && started_q && !rst;
    wire        sends   = begins || (begun_q && send && !rst);
    wire [3:0]  status  = begun_q || line_q ? status_q : new_status;
    wire [3:0]  units   = begun_q || line_q ? units_q : new_units;
    wire        last    = begun_q ? last_q : status != OK || new_last;
    wire        first   = !line_q;
    wire        its_ends = begun_q || line_q ? ends_q : new_ends;
    wire        counted = begun_q || line_q ? counted_q : new_counted;
    wire [`MOEHUB_PARTIAL_WIDTH - 1:0] partial = begun_q || line_q ? partial_q : new_partial;
    wire [2:0]  number  = begun_q ? number_q : 3'd0;
    wire [2:0]  last_number = status != OK ? 3'd0 : units[2:0] - 3'd1;
    wire        ends    = sends && number == last_number;
    always @* assume (new_units >= 1 && new_units <= 3);
    always @* assume (!begun_q || send); // without a gap

    reg         s1_valid_q = 0;
    reg [`MOEHUB_READ_RECORD_WIDTH - 1:0] s1_record_q;
    reg [2:0]   s1_number_q;
    reg         s1_last_q;
    always @(posedge clk) begin
        if (sends) begin
            begun_q   <= !ends;
            line_q    <= line_q ? !(ends && last) : ends && !last;
            number_q  <= number + 3'd1;
            last_q    <= last;
            status_q  <= status;
            units_q   <= units;
            ends_q    <= its_ends;
            counted_q <= counted;
            partial_q <= partial;
        end
        gap_q       <= begins ? 2'd3 : gap_q - {1'b0, gap_q != 0};
        s1_valid_q  <= sends;
        s1_record_q <= `MOEHUB_READ_RECORD(status, first, last, units, its_ends, counted, partial);
        s1_number_q <= number;
        s1_last_q   <= ends;
        if (rst) begin
            begun_q    <= 0;
            line_q     <= 0;
            gap_q      <= 0;
            s1_valid_q <= 0;
        end
    end
    always @* assume (status == OK || !line_q);
    wire s1_reads = s1_valid_q && s1_record_q[3:0] == OK;

    wire         sum_valid, sum_last, partial_queued_valid, queued, queued_status, queued_error;
    wire [`MOEHUB_PARTIAL_WIDTH - 1:0] sum_partial;
    wire [3:0]   sum_status, sum_units;
    wire [127:0] sum_data, read_error_header;
    wire [2:0]   partial_queued_context;
    moehub_pre_reduce_sums #(.MAX_TARGETS(3), .LANE_BYTES(16), .PARTIAL_ROWS(PARTIAL_ROWS), .WITH_FP32(1)) u_sums (
        .clk(clk), .rst(rst), .room(room), .row_reserved(begins && last), .reserved_rows({1'b0, last_number} + 4'd1),
        .flit_valid(s1_valid_q), .flit_record(s1_record_q), .flit_number(s1_number_q), .flit_last(s1_last_q),
        .flit_error(s1_reads && error), .flit_data({126'd0, data}), .sum_valid(sum_valid), .sum_ready(ready),
        .sum_partial(sum_partial), .sum_status(sum_status), .sum_units(sum_units), .sum_data(sum_data), .sum_last(sum_last),
        .partial_queued_valid(partial_queued_valid), .partial_queued_context(partial_queued_context), .queued(queued),
        .queued_status(queued_status), .queued_error(queued_error), .read_error_header(read_error_header)
    );
    formal_stream_assert #(.WIDTH(9 + `MOEHUB_PARTIAL_WIDTH + 6)) u_sum (
        .clk(clk), .rst(rst), .valid(sum_valid), .ready(ready),
        .data({sum_last, sum_partial, sum_status, sum_units, sum_data[5:0]})
    );

    // ---- the line looked at, as it comes ------------------------------------------------------------------------------------
    (* anyconst *) wire [2:0] its_number; // the flit of it that is looked at
    wire [3:0] s1_status;
    wire       s1_first, s1_line_last, s1_ends, s1_counted;
    wire [3:0] s1_units;
    wire [`MOEHUB_PARTIAL_WIDTH - 1:0] s1_partial;
    assign `MOEHUB_READ_RECORD(s1_status, s1_first, s1_line_last, s1_units, s1_ends, s1_counted, s1_partial) = s1_record_q;

    reg  [3:0] lines_q  = 0; // inside: begun, and not left
    reg  [3:0] untold_q = 0; // ... and not told
    reg        looks_q  = 0;
    reg        comes_q  = 0; // its flits come
    reg  [3:0] before_q, untold_before_q;
    reg        told_q;
    reg        error_q;
    reg  [1:0] sum_q;
    reg  [3:0] its_status_q, its_units_q;
    reg        its_ends_q, its_counted_q;
    reg  [`MOEHUB_PARTIAL_WIDTH - 1:0] its_partial_q;
    reg  [2:0] flit_q;       // of the packet that leaves
    reg  [2:0] still_q  = 0; // cycles in which nothing came and nothing is inside
    reg        second_q = 0; // its second target has come

    wire line_begins = s1_valid_q && s1_first && s1_number_q == 0;
    wire leaves      = sum_valid && ready;
    wire line_leaves = leaves && sum_last;
    wire looks       = line_begins && mark && !looks_q;
    wire of_it       = looks || (comes_q && s1_valid_q);
    wire [3:0] expected = its_status_q != OK ? its_status_q : error_q ? 4'd`MOEHUB_STATUS_MEMORY : OK;
    wire its_turn    = looks_q && !comes_q && before_q == 0;
    wire its_telling = looks_q && !comes_q && !told_q && untold_before_q == 0 && queued;
    always @(posedge clk) begin
        lines_q  <= lines_q + {3'd0, line_begins} - {3'd0, line_leaves};
        untold_q <= untold_q + {3'd0, line_begins} - {3'd0, queued};
        if (leaves) flit_q <= sum_last ? 0 : flit_q + 3'd1;
        still_q  <= lines_q != 0 || s1_valid_q || sends || begun_q || line_q ? 0 : still_q != 7 ? still_q + 3'd1 : 7;
        if (looks) begin
            looks_q         <= 1;
            before_q        <= lines_q - {3'd0, line_leaves};
            untold_before_q <= untold_q - {3'd0, queued};
            told_q          <= 0;
            its_status_q    <= s1_status;
            its_units_q     <= s1_units;
            its_ends_q      <= s1_ends;
            its_counted_q   <= s1_counted;
            its_partial_q   <= s1_partial;
            second_q        <= 0;
        end else if (looks_q) begin
            if (line_leaves) before_q <= before_q - 4'd1;
            if (queued && untold_before_q != 0) untold_before_q <= untold_before_q - 4'd1;
            if (its_telling) told_q <= 1;
            if (line_leaves && its_turn) looks_q <= 0;
            if (of_it && !s1_first) second_q <= 1;
        end
        if (of_it) begin
            comes_q <= !(s1_last_q && s1_line_last);
            error_q <= (error_q && !looks) || (s1_reads && error);
            if (s1_number_q == its_number) sum_q <= s1_first ? data : sum_q + data;
        end
        if (rst) begin
            lines_q  <= 0;
            untold_q <= 0;
            looks_q  <= 0;
            comes_q  <= 0;
            flit_q   <= 0;
            still_q  <= 0;
        end
    end

    wire its = leaves && its_turn;
    always @* begin
        as_summed: assert (!its || expected != OK || flit_q != its_number || sum_data[1:0] == sum_q);
        status_is: assert (!its || sum_status == expected);
        fields_is: assert (!its || (sum_partial == its_partial_q && sum_units == its_units_q));
        size_is:   assert (!its || sum_last == (expected != OK || {1'b0, flit_q} + 4'd1 == its_units_q));
        told_is:   assert (!its_telling || (queued_status == (expected != OK) &&
                           queued_error == (its_status_q == OK && error_q) &&
                           partial_queued_valid == (its_ends_q && its_counted_q)));
        told_once: assert (!started_q || !queued || untold_q != 0);
        told_then: assert (!its || told_q);
        room_back: assert (still_q != 7 || room);
    end
    always @* begin
        summed:    cover (its && expected == OK && flit_q == its_number && flit_q != 0 && second_q);
        failed:    cover (its && its_status_q == OK && error_q && second_q);
        refused:   cover (its && its_status_q != OK && lines_q == 2);
        stays:     cover (still_q == 7 && told_q);
    end
endmodule
`default_nettype wire
