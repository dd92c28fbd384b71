// SPDX-License-Identifier: Apache-2.0
// moehub_packet_manager_lists: one flit of one entry. Whoever reads it gets what was written there last. Memory's answers are
// always written, the check waits for them; ways read first, each in its turn, then the check, then who adds up pairs.
`default_nettype none
`include "moehub_width.vh"
module formal_packet_manager_lists #(
    parameter LINKS = 1,
    parameter ROWS  = 1
) (
    input wire                                                   clk,
    input wire                                                   rst,
    input wire                                                   data_valid,
    input wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0]                 data_entry,
    input wire [1:0]                                             data_number,
    input wire [127:0]                                           data,
    input wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0]                 check_entry,
    input wire                                                   check_write_valid,
    input wire                                                   check_write_own,
    input wire [1:0]                                             check_write_number,
    input wire [127:0]                                           check_write_data,
    input wire                                                   check_read_valid,
    input wire [1:0]                                             check_read_number,
    input wire [LINKS:0]                                         way_valid,
    input wire [(LINKS + 1) * `MOEHUB_INDEX_WIDTH(ROWS) - 1:0]   way_entry,
    input wire [(LINKS + 1) * 2 - 1:0]                           way_number,
    input wire                                                   leave_valid,
    input wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0]                 leave_entry,
    input wire [2:0]                                             leave_number
);
`include "formal_reset.vh"
    localparam ENTRY_WIDTH = `MOEHUB_INDEX_WIDTH(ROWS);
    localparam WAYS        = LINKS + 1;
    localparam [WAYS - 1:0] ONE = 1;

    wire            check_write_ready;
    wire            check_read_ready;
    wire [LINKS:0]  way_ready;
    wire            leave_ready;
    wire [127:0]    flit;
    moehub_packet_manager_lists #(.LINKS(LINKS), .ROWS(ROWS)) u_lists (
        .clk(clk), .rst(rst), .data_valid(data_valid), .data_entry(data_entry), .data_number(data_number), .data(data),
        .check_entry(check_entry), .check_write_valid(check_write_valid), .check_write_ready(check_write_ready),
        .check_write_own(check_write_own), .check_write_number(check_write_number), .check_write_data(check_write_data),
        .check_read_valid(check_read_valid), .check_read_ready(check_read_ready), .check_read_number(check_read_number),
        .way_valid(way_valid), .way_ready(way_ready), .way_entry(way_entry), .way_number(way_number),
        .leave_valid(leave_valid), .leave_ready(leave_ready), .leave_entry(leave_entry), .leave_number(leave_number),
        .flit(flit)
    );

    // ---- one flit ----------------------------------------------------------------------------------------------------------
    (* anyconst *) wire [ENTRY_WIDTH - 1:0] its_entry;
    (* anyconst *) wire [2:0]               its_number; // of eight: own ids from 4 on
    (* anyconst *) wire [6:0]               its_bit;
    wire by_memory = data_valid && data_entry == its_entry && {1'b0, data_number} == its_number;
    wire by_check  = check_write_valid && check_write_ready && check_entry == its_entry
        && {check_write_own, check_write_number} == its_number;
    reg       by_way;
    reg [1:0] a_number;
    integer w;
    always @* begin
        by_way = 1'b0;
        for (w = 0; w < WAYS; w = w + 1) begin
            a_number = way_number[w * 2 +: 2];
            if (way_valid[w] && way_ready[w] && way_entry[w * ENTRY_WIDTH +: ENTRY_WIDTH] == its_entry
                && its_number == {w == LINKS, a_number}) by_way = 1'b1;
        end
    end
    wire for_check = check_read_valid && check_read_ready && check_entry == its_entry && {1'b0, check_read_number} == its_number;
    wire for_leave = leave_valid && leave_ready && leave_entry == its_entry && leave_number == its_number;
    reg       written_q = 1'b0;
    reg       word_q;
    reg       read_q = 1'b0; // in the cycle before, by a way, by the check, for pairs
    reg       for_check_q = 1'b0;
    reg       for_leave_q = 1'b0;
    reg       expected_q;
    reg       remote_q = 1'b0; // what the check wrote
    always @(posedge clk) begin
        if (by_memory || by_check) begin
            written_q <= 1'b1;
            word_q    <= by_memory ? data[its_bit] : check_write_data[its_bit];
            remote_q  <= by_check;
        end
        read_q      <= written_q && !rst && (by_way || for_check || for_leave);
        for_check_q <= written_q && !rst && for_check;
        for_leave_q <= written_q && !rst && for_leave;
        expected_q  <= word_q;
    end
    always @* begin
        assume (its_entry < ROWS);
        assume (!data_valid || data_entry < ROWS);
        assume (!(check_write_valid || check_read_valid) || check_entry < ROWS);
        assume (!leave_valid || leave_entry < ROWS);
        for (w = 0; w < WAYS; w = w + 1) assume (!way_valid[w] || way_entry[w * ENTRY_WIDTH +: ENTRY_WIDTH] < ROWS);
    end

    // ---- a way that asks: reads of others since then -----------------------------------------------------------------------
    (* anyconst *) wire [2:0] its_way;
    always @* assume (its_way < WAYS);
    reg [2:0] passed_q = 3'd0;
    always @(posedge clk) begin
        if (!way_valid[its_way] || way_ready[its_way] || rst) passed_q <= 3'd0;
        else if (passed_q != 3'd7) passed_q <= passed_q + 3'd1;
    end

    always @* if (started_q) begin
        as_written:   assert (!read_q || flit[its_bit] == expected_q);
        memory_first: assert (check_write_ready != data_valid);
        one_way:      assert ((way_ready & (way_ready - ONE)) == {WAYS{1'b0}} && (way_ready & ~way_valid) == {WAYS{1'b0}});
        ways_first:   assert ((way_valid == {WAYS{1'b0}}) == (way_ready == {WAYS{1'b0}}));
        in_turn:      assert (passed_q < WAYS);
        then_check:   assert (check_read_ready == (way_valid == {WAYS{1'b0}}));
        then_pairs:   assert (leave_ready == (way_valid == {WAYS{1'b0}} && !check_read_valid));
    end
    always @* begin
        by_own:   cover (started_q && read_q && !for_check_q && !for_leave_q && its_number[2] && expected_q);
        of_check: cover (started_q && read_q && for_check_q && remote_q);
        of_pairs: cover (started_q && read_q && for_leave_q);
        waits:    cover (started_q && passed_q == LINKS && way_ready[its_way]);
        all_ask:  cover (started_q && data_valid && check_write_valid && check_read_valid && leave_valid && (&way_valid));
    end
endmodule
`default_nettype wire
