// SPDX-License-Identifier: Apache-2.0
// moehub_crossbar_output: inputs ask, are hungry, send rows and records as they like. A time line of the cycles to come says
// which input's row has its turn in each: a grant books its copy's cycles there when the rows of the input's pass are known, in
// the cycle after it, and the row two cycles after a turn is that input's.
`default_nettype none
`include "moehub_crossbar.vh"
module formal_crossbar_output #(
    parameter PORTS   = 2,
    parameter AHEAD   = 3,
    parameter LONGEST = 4, // rows of a packet
    parameter FULL_FIRST = 0
) (
    input wire                                             clk,
    input wire                                             rst,
    input wire [PORTS - 1:0]                               asked,
    input wire [PORTS - 1:0]                               fullest,
    input wire [PORTS - 1:0]                               hungry,
    input wire [PORTS * `MOEHUB_PROPOSAL_WIDTH - 1:0]      proposals,
    input wire [PORTS * `MOEHUB_CROSSBAR_ROW_WIDTH(1) - 1:0] rows,
    input wire [PORTS * `MOEHUB_SENT_RECORD_WIDTH - 1:0]   sent,
    input wire                                             room
);
`include "formal_reset.vh"
    localparam ROW_WIDTH  = `MOEHUB_CROSSBAR_ROW_WIDTH(1);
    localparam SENT_WIDTH = `MOEHUB_SENT_RECORD_WIDTH;
    localparam CYCLES     = AHEAD + LONGEST; // of the time line
    localparam FIRST_MOST = AHEAD < 8 ? AHEAD - 1 : 7; // without ids, as with AHEAD 8 and 9, no reader has a cycle: AHEAD - 2

    wire               soon, soon_hungry, granted, row_valid, row_last, row_data, row_end, record_valid;
    wire [PORTS - 1:0] grant;
    wire [2:0]         first;
    wire [3:0]         row_number, row_rows;
    wire [`MOEHUB_COPY_RECORD_WIDTH - 1:0] record;
    moehub_crossbar_output #(.PORTS(PORTS), .DATA_WIDTH(1), .AHEAD(AHEAD), .FULL_FIRST(FULL_FIRST)) u_output (
        .clk(clk), .rst(rst), .own_port(6'd1), .asked(asked), .fullest(fullest), .hungry(hungry),
        .proposals(proposals), .rows(rows), .sent(sent), .soon(soon), .soon_hungry(soon_hungry), .grant(grant), .first(first),
        .room(room), .granted(granted), .row_valid(row_valid), .row_number(row_number), .row_rows(row_rows), .row_last(row_last),
        .row_data(row_data), .row_end(row_end), .record_valid(record_valid), .record(record)
    );

    integer i;
    always @* begin
        for (i = 0; i < PORTS; i = i + 1) begin
            assume (proposals[i * `MOEHUB_PROPOSAL_WIDTH + `MOEHUB_PROPOSAL_WAIT_LSB +: 3] <= FIRST_MOST);
            assume (proposals[i * `MOEHUB_PROPOSAL_WIDTH + `MOEHUB_PROPOSAL_ROWS_LSB +: 4] <= LONGEST);
            assume (proposals[i * `MOEHUB_PROPOSAL_WIDTH + `MOEHUB_PROPOSAL_ROWS_LSB +: 4] != 0);
        end
    end

    // ---- the time line, as of the cycle before ------------------------------------------------------------------------
    reg                        granted_q = 0; // in the cycle before
    reg [PORTS - 1:0]          grant_q;
    reg [2:0]                  first_q;
    reg [CYCLES - 1:0]         booked_q = 0; // a row has its turn so many cycles after that one
    reg [CYCLES - 1:0]         ends_q   = 0; // ... the copy's last
    reg [CYCLES * PORTS - 1:0] source_q = 0;
    reg [CYCLES - 1:0]         booked;
    reg [CYCLES - 1:0]         ends;
    reg [CYCLES * PORTS - 1:0] source;
    reg                        overlaps;
    wire [3:0] pass_rows = grant_q[0] ? proposals[`MOEHUB_PROPOSAL_ROWS_LSB +: 4]
                                      : proposals[`MOEHUB_PROPOSAL_WIDTH + `MOEHUB_PROPOSAL_ROWS_LSB +: 4];
    wire [3:0] span = pass_rows < 3 ? 3 : pass_rows;
    integer c;
    always @* begin
        booked   = booked_q;
        ends     = ends_q;
        source   = source_q;
        overlaps = 0;
        for (c = 0; c < CYCLES; c = c + 1)
            if (granted_q && c >= first_q && c < first_q + span) begin
                if (booked_q[c]) overlaps = 1;
                booked[c]                   = 1;
                ends[c]                     = c + 1 == first_q + span;
                source[c * PORTS +: PORTS] = grant_q;
            end
    end

    reg                      read_q     = 0; // had its turn two cycles before: is on the bus
    reg                      read_end_q = 0;
    reg [PORTS - 1:0]        read_source_q = 0;
    wire [ROW_WIDTH - 1:0]   bus_row = read_source_q[0] ? rows[0 +: ROW_WIDTH] : rows[ROW_WIDTH +: ROW_WIDTH];
    reg [PORTS - 1:0]        asked_q    = 0;
    reg [PORTS - 1:0]        hungry_q   = 0;
    reg [PORTS - 1:0]        hungry_before_q = 0;
    reg [PORTS - 1:0]        full_q     = 0;
    reg [PORTS - 1:0]        full_before_q = 0;
    reg [1:0]                grants_q   = 0; // up to the cycle before
    reg [1:0]                grants_before_q = 0;
    reg [3:0]                passed_q   = 0; // grants to the other one in each of which input 0 asked
    reg                      may_q      = 0; // soon_hungry was high in the cycle before, and nothing was granted in it
    reg                      must_q     = 0; // ... and then one that it may grant asked, and it had room
    reg                      due_q      = 0; // records of the copy granted last are to be told
    reg [PORTS - 1:0]        last_q     = 0; // the input granted last
    reg                      told_q     = 0; // it told a record for this output in the cycle before
    reg                      told_end_q;
    reg                      sent_q     = 0; // ... and sent it then
    reg [`MOEHUB_COPY_RECORD_WIDTH - 1:0] sent_record_q;
    reg [1:0]                copies_q   = 0;

    wire [PORTS - 1:0]     now      = granted ? grant : last_q;
    wire [SENT_WIDTH - 1:0] of_last = now[0] ? sent[0 +: SENT_WIDTH] : sent[SENT_WIDTH +: SENT_WIDTH];
    wire                   due      = granted || due_q;
    wire                   record_here = due && of_last[0] && of_last[1 +: 6] == 6'd1;

    always @(posedge clk) begin
        booked_q      <= booked >> 1;
        ends_q        <= ends >> 1;
        source_q      <= source >> PORTS;
        read_q        <= booked[0];
        read_end_q    <= ends[0];
        read_source_q <= source[0 +: PORTS];
        granted_q     <= granted;
        grant_q       <= grant;
        first_q       <= first;
        asked_q       <= asked;
        hungry_q      <= hungry;
        hungry_before_q <= hungry_q;
        full_q        <= fullest;
        full_before_q <= full_q;
        grants_q      <= grants_q + {1'b0, granted};
        grants_before_q <= grants_q;
        if (granted) passed_q <= !asked_q[0] || grant[0] || hungry_before_q != 0 ? 0 : passed_q + 1;
        may_q         <= soon_hungry;
        must_q        <= may_q && !granted && |(asked & (hungry_q != 0 ? hungry_q : asked)) && room;
        due_q         <= due && !(record_here && of_last[`MOEHUB_SENT_RECORD_END_LSB]);
        last_q        <= now;
        told_q        <= record_here;
        told_end_q    <= of_last[`MOEHUB_SENT_RECORD_END_LSB];
        sent_q        <= told_q;
        sent_record_q <= {told_end_q, of_last[`MOEHUB_SENT_RECORD_KEPT_LSB +: `MOEHUB_SENT_RECORD_KEPT_WIDTH]};
        if (granted && copies_q != 3) copies_q <= copies_q + 1;
        if (rst) begin
            booked_q <= 0;
            ends_q   <= 0;
            source_q <= 0;
            read_q   <= 0;
            asked_q  <= 0;
            may_q    <= 0;
            must_q   <= 0;
            due_q    <= 0;
            told_q   <= 0;
            sent_q   <= 0;
            granted_q <= 0;
            copies_q <= 0;
            grants_q <= 0;
            grants_before_q <= 0;
            passed_q <= 0;
        end
    end

    wire runs = started_q && !reset_q;
    always @* begin
        one_grant:  assert (!runs || (granted == |grant && (grant & (grant - 1)) == 0 && (grant & ~asked_q) == 0));
        no_overlap: assert (!runs || !overlaps);
        near:       assert (!runs || !granted_q || (first_q <= FIRST_MOST && booked_q >> (AHEAD - 2) == 0));
        row_there:  assert (!runs || row_valid == (read_q && bus_row[`MOEHUB_CROSSBAR_ROW_VALID_LSB]));
        row_right:  assert (!runs || !row_valid || {row_data, row_number, row_last} == bus_row[ROW_WIDTH - 1:1]);
        row_ends:   assert (!runs || row_end == (read_q && read_end_q));
        records:    assert (!runs || (record_valid == sent_q && (!sent_q || record == sent_record_q)));
        waits:      assert (!runs || !granted || !due_q);
        soon_opens: assert (!runs || !must_q || granted);
        keeps:      assert (!runs || hungry_q == 0 || !soon);
        keeps_on:   assert (!runs || hungry_before_q == 0 || (grant & ~hungry_before_q) == 0);
        full_ones:  assert (!runs || FULL_FIRST == 0 || !granted || hungry_before_q != 0 || grants_before_q == 3 ||
                            (asked_q & full_before_q) == 0 || (grant & full_before_q) != 0);
        passed:     assert (!runs || passed_q < 8);
    end
    always @* begin
        ahead:      cover (runs && granted_q && booked_q[0] && first_q == FIRST_MOST && copies_q == 3);
        circles:    cover (runs && row_end && copies_q == 3 && !bus_row[0]);
        kept:       cover (runs && granted && hungry_before_q == 1 && asked_q == 3 && copies_q == 2);
        others_too: cover (runs && granted && hungry_before_q == 0 && full_before_q == 1 && asked_q == 3 && grant == 2);
        promised:   cover (runs && must_q && copies_q == 2);
        recorded:   cover (runs && record_valid && copies_q == 2);
    end
endmodule
`default_nettype wire
