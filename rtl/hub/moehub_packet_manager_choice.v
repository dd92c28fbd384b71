// SPDX-License-Identifier: Apache-2.0
// Purpose: which line leaves next on each way, and which is discarded (doc/hub/packet_manager.md section 5).
// Contract:
//   1. became: a line became ready, for each kind of its row. While stand_still no store begins and the hand stands still.
//   2. wants[w], w = 0..LINKS: way w has no next line; low from the cycle after its lock. The discards of each kind
//      want always.
//   3. Requesters are the ways, then discards up, then discards loop. One that has a line is served a cycle, in turn;
//      those of a kind not in two cycles that follow each other, so that bits are set between them.
//   4. Its row: of those that were open a cycle before, of the way (discard: aborted, of the kind), with a line without nop, the
//      one of the lowest row index, of several the lowest entry; if there is none, with nop. Its line: the lowest.
//   5. lock, five cycles later: requester, kind, entry, line. It must be taken. A word that another requester emptied meanwhile
//      gives none, and its requester is served again.
//   take: an entry has a new row; indices show its row index from the next cycle on, and it has no ready line for four cycles.
//   6. some: for what leaves: entry e has ready lines, bits 4e up, 4e + 1 up with nop, 4e + 2 loop, 4e + 3 loop with nop.
// How: turn; lowest row; its word, two cycles; its lowest line.
// Cost: latency 5 from turn to lock, and 2 from became to turn. A comparison of ROW_INDEX_WIDTH a row, a flop of each two rows.
// Proved: formal/hub/formal_packet_manager_choice.v
`default_nettype none
`include "moehub_width.vh"

module moehub_packet_manager_choice #(
    parameter LINKS           = 1,  // 1..4
    parameter ROWS            = 32, // 1..64
    parameter OFFSET_WIDTH    = 14, // 7..16
    parameter ROW_INDEX_WIDTH = 20  // 1..32
) (
    input  wire                                                    clk,
    input  wire                                                    rst,
    output wire                                                    initialised,
    // row entries
    input  wire [ROWS - 1:0]                                       open,    // and not aborted
    input  wire [ROWS - 1:0]                                       aborted,
    input  wire [2 * ROWS - 1:0]                                   links,
    input  wire                                                    take,
    input  wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0]                  take_entry,
    input  wire [ROW_INDEX_WIDTH - 1:0]                            take_row_index,
    input  wire [ROWS * ROW_INDEX_WIDTH - 1:0]                     indices,
    output wire [4 * ROWS - 1:0]                                   some,
    // lines that became ready
    input  wire                                                    became_valid,
    input  wire [1:0]                                              became_kinds,
    input  wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0]                  became_entry,
    input  wire                                                    became_nop,
    input  wire [`MOEHUB_INDEX_WIDTH(1 << (OFFSET_WIDTH - 7)) - 1:0] became_line,
    output wire                                                    stand_still,
    // ways
    input  wire [LINKS:0]                                          wants,
    output wire                                                    lock_valid,
    output wire [2:0]                                              lock_requester,
    output wire                                                    lock_kind,
    output wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0]                  lock_entry,
    output wire [`MOEHUB_INDEX_WIDTH(1 << (OFFSET_WIDTH - 7)) - 1:0] lock_line
);
    generate
        if (LINKS < 1 || LINKS > 4) LINKS_must_be_1_to_4 u_rule ();
        if (ROWS < 1 || ROWS > 64) ROWS_must_be_1_to_64 u_rule ();
        if (OFFSET_WIDTH < 7 || OFFSET_WIDTH > 16) OFFSET_WIDTH_must_be_7_to_16 u_rule ();
        if (ROW_INDEX_WIDTH < 1 || ROW_INDEX_WIDTH > 32) ROW_INDEX_WIDTH_must_be_1_to_32 u_rule ();
    endgenerate

    localparam ENTRY_WIDTH = `MOEHUB_INDEX_WIDTH(ROWS);
    localparam LINE_WIDTH  = `MOEHUB_INDEX_WIDTH(1 << (OFFSET_WIDTH - 7));
    localparam REQUESTERS  = LINKS + 3;
    localparam STEPS       = 5; // from turn to lock

    // ---- ready bits of both kinds -------------------------------------------------------------------------------------------
    wire [1:0]                  clear_done;
    wire [1:0]                  still;
    wire [1:0]                  found;
    wire [2 * LINE_WIDTH - 1:0] lines;
    wire [4 * ROWS - 1:0]       has; // by kind, entry, nop
    reg                         read_valid_q;
    reg                         read_nop_q;
    reg [ENTRY_WIDTH - 1:0]     entry_q;
    reg [3 * STEPS - 1:0]       requester_q; // by step, that after the turn lowest
    wire                        read_kind = of_loop(requester_q[3 +: 3]);

    genvar k;
    generate
        for (k = 0; k < 2; k = k + 1) begin : g_kind
            localparam [0:0] KIND = k;
            moehub_packet_manager_ready #(.ROWS(ROWS), .OFFSET_WIDTH(OFFSET_WIDTH)) u_ready (
                .clk(clk), .rst(rst), .initialised(clear_done[k]), .enter_valid(became_valid && became_kinds[k]),
                .enter_entry(became_entry), .enter_nop(became_nop), .enter_line(became_line), .stand_still(still[k]),
                .choose_valid(read_valid_q && read_kind == KIND), .choose_entry(entry_q), .choose_nop(read_nop_q),
                .found(found[k]), .line(lines[k * LINE_WIDTH +: LINE_WIDTH]), .some(has[k * 2 * ROWS +: 2 * ROWS])
            );
        end
    endgenerate
    assign initialised = clear_done == 2'b11;
    assign stand_still = still != 2'b00;

    // The last way is the loop-back, the last requester its discards.
    function of_loop;
        input [2:0] number;
        begin
            of_loop = {29'd0, number} == LINKS || {29'd0, number} == LINKS + 2;
        end
    endfunction

    // ---- turn ---------------------------------------------------------------------------------------------------------
    wire [REQUESTERS - 1:0]        request;
    wire [REQUESTERS - 1:0]        grant;
    wire [`MOEHUB_INDEX_WIDTH(REQUESTERS) - 1:0] unused_grant_index; // has 2 bits or 3
    wire [2:0]                     requester;
    wire                           grant_valid;
    wire [REQUESTERS * ROWS - 1:0] masked; // rows of the requester that is served
    wire [REQUESTERS - 1:0]        nops;
    reg  [ROWS - 1:0]              rows_d;
    reg  [REQUESTERS - 1:0]        busy_q;
    reg  [1:0]                     served_q; // kinds that were served in the last cycle

    genvar r;
    genvar e;
    generate
        for (r = 0; r < REQUESTERS; r = r + 1) begin : g_requester
            localparam LOOP    = r == LINKS || r == LINKS + 2 ? 1 : 0;
            localparam DISCARD = r > LINKS ? 1 : 0;
            wire [ROWS - 1:0] mine;
            wire [ROWS - 1:0] plain;
            wire [ROWS - 1:0] with_nop;
            if (DISCARD != 0) begin : g_discard
                assign mine = aborted;
            end else if (LOOP != 0) begin : g_loop
                assign mine = open;
            end else begin : g_link
                localparam [1:0] LINK = r;
                for (e = 0; e < ROWS; e = e + 1) begin : g_its
                    assign mine[e] = open[e] && links[2 * e +: 2] == LINK;
                end
            end
            for (e = 0; e < ROWS; e = e + 1) begin : g_row
                reg mine_q;
                always @(posedge clk) begin
                    mine_q <= mine[e];
                end
                assign plain[e]    = mine_q && has[LOOP * 2 * ROWS + 2 * e];
                assign with_nop[e] = mine_q && has[LOOP * 2 * ROWS + 2 * e + 1];
            end
            wire wanted;
            if (DISCARD != 0) begin : g_always
                assign wanted = 1'b1;
            end else begin : g_wants
                assign wanted = wants[r];
            end
            assign nops[r]    = plain == {ROWS{1'b0}};
            assign request[r] = wanted && !busy_q[r] && !served_q[LOOP] && (!nops[r] || with_nop != {ROWS{1'b0}});
            assign masked[r * ROWS +: ROWS] = {ROWS{grant[r]}} & (nops[r] ? with_nop : plain);
        end
    endgenerate
    moehub_arbiter #(.PORTS(REQUESTERS)) u_turn (
        .clk(clk), .rst(rst), .request(request), .advance(1'b1), .grant_valid(grant_valid), .grant(grant),
        .grant_index(unused_grant_index)
    );
    moehub_one_hot_index #(.WIDTH(8)) u_requester (.one_hot({{8 - REQUESTERS{1'b0}}, grant}), .index(requester));

    integer i;
    always @* begin
        rows_d = {ROWS{1'b0}};
        for (i = 0; i < REQUESTERS; i = i + 1) rows_d = rows_d | masked[i * ROWS +: ROWS];
    end

    // ---- lowest row ---------------------------------------------------------------------------------------------------
    reg  [ROWS - 1:0]        rows_q;
    wire [ROWS - 1:0]        lowest_row;
    wire [ENTRY_WIDTH - 1:0] lowest_entry;
    moehub_packet_manager_order #(.ROWS(ROWS), .ROW_INDEX_WIDTH(ROW_INDEX_WIDTH)) u_order (
        .clk(clk), .put_valid(take), .put_entry(take_entry), .put_index(take_row_index), .indices(indices), .wanted(rows_q),
        .lowest(lowest_row)
    );
    moehub_one_hot_index #(.WIDTH(ROWS)) u_entry (.one_hot(lowest_row), .index(lowest_entry));

    // ---- steps --------------------------------------------------------------------------------------------------------
    reg [STEPS - 1:0]           valid_q;
    reg                         nop_q;
    reg [3 * ENTRY_WIDTH - 1:0] later_entry_q;
    wire [2:0]                  last_requester = requester_q[3 * (STEPS - 1) +: 3];
    wire                        last_kind      = of_loop(last_requester);

    generate
        for (r = 0; r < REQUESTERS; r = r + 1) begin : g_busy
            localparam [2:0] NUMBER = r;
            always @(posedge clk) begin
                if (valid_q[STEPS - 1] && last_requester == NUMBER) busy_q[r] <= 1'b0;
                if (grant[r]) busy_q[r] <= 1'b1;
                if (rst) busy_q[r] <= 1'b0;
            end
        end
    endgenerate

    always @(posedge clk) begin
        served_q      <= {grant_valid && of_loop(requester), grant_valid && !of_loop(requester)};
        valid_q       <= {valid_q[STEPS - 2:0], grant_valid};
        requester_q   <= {requester_q[3 * (STEPS - 1) - 1:0], requester};
        rows_q        <= rows_d;
        nop_q         <= (grant & nops) != {REQUESTERS{1'b0}};
        read_valid_q  <= valid_q[0];
        read_nop_q    <= nop_q;
        entry_q       <= lowest_entry;
        later_entry_q <= {later_entry_q[2 * ENTRY_WIDTH - 1:0], entry_q};
        if (rst) begin
            served_q     <= 2'b00;
            valid_q      <= {STEPS{1'b0}};
            read_valid_q <= 1'b0;
        end
    end

    generate
        for (e = 0; e < ROWS; e = e + 1) begin : g_some
            assign some[4 * e +: 4] = {has[2 * ROWS + 2 * e +: 2], has[2 * e +: 2]};
        end
    endgenerate

    assign lock_valid     = found[last_kind] && valid_q[STEPS - 1];
    assign lock_requester = last_requester;
    assign lock_kind      = last_kind;
    assign lock_entry     = later_entry_q[2 * ENTRY_WIDTH +: ENTRY_WIDTH];
    assign lock_line      = lines[last_kind * LINE_WIDTH +: LINE_WIDTH];
endmodule

`default_nettype wire
