// SPDX-License-Identifier: Apache-2.0
// moehub_crossbar with two ports: three packets of each input, with any ids of either output (its own too, so that passes are
// joined), in four rows. Every copy comes once, in order, with all its rows and just its ids; a packet is freed once, after them.
// Not here but in the bench (sim/bench/switch/crossbar.mk): packets that are not listed (requests, responses), more than 8 ids
// (lists of up to 32), DATA_WIDTH 64 and 128, heads that starve and lists that age, which take longer than the search looks.
`default_nettype none
`include "moehub_crossbar.vh"
module formal_crossbar (
    input wire       clk,
    input wire       rst,
    input wire [1:0] offered, // a packet comes
    input wire [1:0] wanted   // a copy would be taken
);
`include "formal_one_reset.vh"
    localparam PACKETS = 3; // of an input; its store has names for two
    localparam ROWS    = 4;

    // ids of packet s of input i: 8 bits, bits 3:0 of output 0
    (* anyconst *) wire [2 * PACKETS * 8 - 1:0] ids_of;

    wire [1:0]   packet_ready, targets_ready, read_valid, find_valid, find_name, free_valid, free_name, granted;
    wire [1:0]   row_valid, row_last, record_valid, row_end;
    wire [3:0]   read_place;
    wire [7:0]   row_number;
    wire [63:0]  row_data;
    wire [255:0] seen;
    wire [2 * `MOEHUB_CROSSBAR_EVENTS - 1:0] events;
    reg  [1:0]   packet_valid, packet_name, room;
    reg  [35:0]  packet_mark, find_mark;
    reg  [255:0] targets_data, read_data;
    reg  [3:0]   find_head;

    moehub_crossbar #(
        .PORTS(2), .DATA_WIDTH(32), .LOCAL_EXPERT_BITS(2), .MAX_TARGETS(8), .PLACES(2), .PACKETS(2), .COPIES(12), .SLOTS(2),
        .AHEAD(6)
    ) u_crossbar (
        .clk(clk), .rst(rst),
        .packet_valid(packet_valid), .packet_ready(packet_ready), .packet_name(packet_name), .packet_mark(packet_mark),
        .packet_listed(2'b11), .packet_place(4'd0),
        .targets_valid(packet_valid), .targets_ready(targets_ready), .targets_data(targets_data),
        .read_valid(read_valid), .read_place(read_place), .read_data(read_data), .read_next(4'd0),
        .find_valid(find_valid), .find_name(find_name), .find_head(find_head), .find_body(4'd0), .find_last(4'd0),
        .find_flits(10'd0), .find_mark(find_mark), .find_tag(48'd0),
        .free_valid(free_valid), .free_name(free_name), .free_head(), .free_last(), .free_flits(), .free_tag(),
        .free_places(4'd0), .events(events), .records_used(), .room(2'd0), .granted(granted), .row_valid(row_valid),
        .row_number(row_number), .row_last(row_last), .row_data(row_data),
        .copy_valid(record_valid), .copy_ready(room), .copy_data(seen), .copy_last(row_end), .copy_flits()
    );

    function [127:0] flit_of(input [7:0] ids); // the target flit
        integer b, n;
        begin
            flit_of = 0;
            n       = 0;
            for (b = 0; b < 8; b = b + 1)
                if (ids[b]) begin
                    flit_of = flit_of | (b << 16 * n);
                    n       = n + 1;
                end
        end
    endfunction
    function [3:0] ones(input [7:0] ids);
        ones = ids[0] + ids[1] + ids[2] + ids[3] + ids[4] + ids[5] + ids[6] + ids[7];
    endfunction
    function [17:0] mark_of(input [7:0] ids);
        mark_of = {6'd0, 5'd0, |ids[3:0] && |ids[7:4], !(|ids[3:0] && |ids[7:4]), 2'd0, ones(ids)} & 18'h3ffff;
    endfunction

    // ---- stores: packet s has the name and the place s mod 2 -------------------------------------------------------------
    reg [1:0] serial_q [0:1];   // the packet that comes next
    reg       held_q [0:1];     // it is offered
    reg [1:0] inside_q [0:1];   // names in use
    reg [1:0] named_0_q [0:1];  // the packet with the name 0
    reg [1:0] named_1_q [0:1];
    reg       found_q [0:1];    // name found last
    reg [1:0] read_q [0:1];     // packet read last
    reg [7:0] ids [0:1];        // of the packet that comes next
    reg [7:0] found_ids [0:1];

    // ---- outputs ------------------------------------------------------------------------------------------------------------
    reg [1:0] next_q [0:3];     // [i * 2 + o]: the first packet of input i whose copy for output o may still come
    reg       open_q [0:1];     // a copy's rows are coming
    reg       from_q [0:1];     // ... from this input
    reg [1:0] packet_q [0:1];   // ... of this packet
    reg [3:0] rows_q [0:1];     // ... those that came
    reg [3:0] ids_q [0:1];      // ids of the copy whose records are coming
    reg [1:0] taken_q [0:1];    // copies granted and not whole
    reg       rows_turn_q [0:1];
    reg       ids_turn_q [0:1];
    reg [1:0] rows_whole_q [0:1]; // by turn
    reg [1:0] ids_whole_q [0:1];
    reg [3:0] ids_here_q [0:3];  // [o * 2 + turn]
    reg [3:0] ids_want_q [0:3];
    reg       bad_rows, bad_order, bad_ids, bad_free, bad_find;
    reg [1:0] copies_q, joins_q;
    reg [1:0] found_packet;
    reg [1:0] s;
    reg       f;
    reg [3:0] here;
    reg [1:0] count;
    reg [3:0] ids_now;
    reg [1:0] whole;
    reg [26:0] record;

    integer i, o, k, t;
    integer i1, k1, i3, o3, k3, t3;
    always @* begin
        for (i1 = 0; i1 < 2; i1 = i1 + 1) begin
            ids[i1]                       = ids_of[(i1 * PACKETS + serial_q[i1]) * 8 +: 8];
            packet_valid[i1]              = started_q && serial_q[i1] != PACKETS && !inside_q[i1][serial_q[i1][0]] &&
                                           (held_q[i1] || offered[i1]);
            packet_name[i1]               = serial_q[i1][0];
            packet_mark[i1 * 18 +: 18]    = mark_of(ids[i1]);
            targets_data[i1 * 128 +: 128] = flit_of(ids[i1]);
            found_packet                 = found_q[i1] ? named_1_q[i1] : named_0_q[i1];
            found_ids[i1]                 = ids_of[(i1 * PACKETS + found_packet) * 8 +: 8];
            find_mark[i1 * 18 +: 18]      = mark_of(found_ids[i1]);
            find_head[i1 * 2 +: 2]        = {1'b0, found_q[i1]};
            for (k1 = 0; k1 < ROWS; k1 = k1 + 1) read_data[i1 * 128 + k1 * 32 +: 32] = {27'd0, i1[0], read_q[i1], k1[1:0]};
            room[i1]                      = wanted[i1] && taken_q[i1] < 2;
        end
        for (i1 = 0; i1 < 2 * PACKETS; i1 = i1 + 1) assume (ids_of[i1 * 8 +: 8] != 0);
    end

    always @* begin
        bad_rows  = 0;
        bad_order = 0;
        bad_ids   = 0;
        bad_free  = 0;
        bad_find  = 0;
        for (o = 0; o < 2; o = o + 1) begin
            f = row_data[o * 32 + 4];
            s = row_data[o * 32 + 2 +: 2];
            if (row_valid[o]) begin
                if (row_data[o * 32 +: 2] != row_number[o * 4 +: 2] || row_number[o * 4 +: 4] >= ROWS) bad_rows = 1;
                if (row_last[o] != (row_number[o * 4 +: 4] == ROWS - 1)) bad_rows = 1;
                if (open_q[o] && (f != from_q[o] || s != packet_q[o] || rows_q[o][row_number[o * 4 +: 2]])) bad_rows = 1;
                if (!open_q[o]) begin
                    if (s < next_q[{f, o[0]}] || s >= PACKETS) bad_order = 1;
                    if (ids_of[({2'd0, f} * PACKETS + s) * 8 + o * 4 +: 4] == 0) bad_order = 1;
                    for (t = 0; t < PACKETS; t = t + 1)
                        if (t >= next_q[{f, o[0]}] && t < s && ids_of[({2'd0, f} * PACKETS + t) * 8 + o * 4 +: 4] != 0)
                            bad_order = 1;
                end
            end
            here = rows_q[o] | (row_valid[o] ? 4'd1 << row_number[o * 4 +: 2] : 4'd0);
            if (row_end[o] && here != 4'b1111) bad_rows = 1;
            record = seen[o * 128 +: 27];
            count  = record[25:24];
            if (record_valid[o]) begin
                if (count == 0) bad_ids = 1;
                for (k = 0; k < 3; k = k + 1)
                    if (k < count && (record[k * 8 + 2 +: 6] != 0 || ids_q[o] >> record[k * 8 +: 2] != 0)) bad_ids = 1;
                    else if (k >= count && record[k * 8 +: 8] != 0) bad_ids = 1;
                if (count >= 2 && record[1:0] >= record[9:8]) bad_ids = 1;
                if (count == 3 && record[9:8] >= record[17:16]) bad_ids = 1;
            end
            for (t = 0; t < 2; t = t + 1)
                if (rows_whole_q[o][t] && ids_whole_q[o][t] && ids_here_q[o * 2 + t] != ids_want_q[o * 2 + t]) bad_ids = 1;
        end
        for (i = 0; i < 2; i = i + 1) begin
            s = free_name[i] ? named_1_q[i] : named_0_q[i];
            if (free_valid[i]) begin
                if (!inside_q[i][free_name[i]]) bad_free = 1;
                for (o = 0; o < 2; o = o + 1)
                    if (ids_of[(i * PACKETS + s) * 8 + o * 4 +: 4] != 0 && next_q[i * 2 + o] <= s) bad_free = 1;
            end
            if (find_valid[i] && !inside_q[i][find_name[i]]) bad_find = 1;
        end
    end

    always @(posedge clk) begin
        for (i3 = 0; i3 < 2; i3 = i3 + 1) begin
            held_q[i3] <= packet_valid[i3] && !packet_ready[i3];
            if (packet_valid[i3]) begin
                if (serial_q[i3][0]) named_1_q[i3] <= serial_q[i3];
                else named_0_q[i3] <= serial_q[i3];
            end
            if (packet_valid[i3] && packet_ready[i3]) serial_q[i3] <= serial_q[i3] + 1;
            if (packet_valid[i3] && packet_ready[i3]) inside_q[i3][serial_q[i3][0]] <= 1;
            if (free_valid[i3]) inside_q[i3][free_name[i3]] <= 0;
            if (find_valid[i3]) found_q[i3] <= find_name[i3];
            if (read_valid[i3]) read_q[i3] <= read_place[i3 * 2] ? named_1_q[i3] : named_0_q[i3];
            if (events[i3 * `MOEHUB_CROSSBAR_EVENTS + `MOEHUB_CROSSBAR_EVENT_JOINS] && joins_q != 3) joins_q <= joins_q + 1;
        end
        for (o3 = 0; o3 < 2; o3 = o3 + 1) begin
            if (row_valid[o3]) begin
                open_q[o3] <= 1;
                if (!open_q[o3]) begin
                    from_q[o3]   <= row_data[o3 * 32 + 4];
                    packet_q[o3] <= row_data[o3 * 32 + 2 +: 2];
                    next_q[{row_data[o3 * 32 + 4], o3[0]}] <= row_data[o3 * 32 + 2 +: 2] + 1;
                end
                rows_q[o3] <= rows_q[o3] | 4'd1 << row_number[o3 * 4 +: 2];
            end
            if (row_end[o3]) begin
                open_q[o3]      <= 0;
                rows_q[o3]      <= 0;
                rows_turn_q[o3] <= !rows_turn_q[o3];
                rows_whole_q[o3][rows_turn_q[o3]] <= 1;
                ids_want_q[o3 * 2 + rows_turn_q[o3]] <= ids_of[({2'd0, from_q[o3]} * PACKETS + packet_q[o3]) * 8 + o3 * 4 +: 4];
                if (copies_q != 3) copies_q <= copies_q + 1;
            end
            if (record_valid[o3]) begin
                ids_now = ids_q[o3];
                for (k3 = 0; k3 < 3; k3 = k3 + 1)
                    if (k3 < seen[o3 * 128 + 24 +: 2]) ids_now = ids_now | 4'd1 << seen[o3 * 128 + k3 * 8 +: 2];
                ids_q[o3] <= seen[o3 * 128 + 26] ? 4'd0 : ids_now;
                if (seen[o3 * 128 + 26]) begin
                    ids_turn_q[o3] <= !ids_turn_q[o3];
                    ids_whole_q[o3][ids_turn_q[o3]] <= 1;
                    ids_here_q[o3 * 2 + ids_turn_q[o3]] <= ids_now;
                end
            end
            whole = 0;
            for (t3 = 0; t3 < 2; t3 = t3 + 1)
                if (rows_whole_q[o3][t3] && ids_whole_q[o3][t3]) begin
                    rows_whole_q[o3][t3] <= 0;
                    ids_whole_q[o3][t3]  <= 0;
                    whole = whole + 1;
                end
            taken_q[o3] <= taken_q[o3] + granted[o3] - whole;
        end
        if (rst) begin
            copies_q <= 0;
            joins_q  <= 0;
            for (i3 = 0; i3 < 2; i3 = i3 + 1) begin
                serial_q[i3]       <= 0;
                held_q[i3]         <= 0;
                inside_q[i3]       <= 0;
                open_q[i3]         <= 0;
                rows_q[i3]         <= 0;
                ids_q[i3]          <= 0;
                taken_q[i3]        <= 0;
                rows_turn_q[i3]    <= 0;
                ids_turn_q[i3]     <= 0;
                rows_whole_q[i3]   <= 0;
                ids_whole_q[i3]    <= 0;
                next_q[2 * i3]     <= 0;
                next_q[2 * i3 + 1] <= 0;
            end
        end
    end

    always @* begin
        rows_once: assert (!started_q || !bad_rows);
        in_order:  assert (!started_q || !bad_order);
        just_ids:  assert (!started_q || !bad_ids);
        freed:     assert (!started_q || !bad_free);
        finds:     assert (!started_q || !bad_find);
    end
    always @* begin
        two_whole: cover (started_q && copies_q == 2);
        joined:    cover (started_q && joins_q == 1 && copies_q == 2);
        freed_one: cover (started_q && free_valid[0]);
        four_ids:  cover (started_q && ids_whole_q[1][0] && rows_whole_q[1][0] && ids_here_q[2] == 4'b1111);
    end
endmodule
`default_nettype wire
