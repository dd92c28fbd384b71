// SPDX-License-Identifier: Apache-2.0
// Purpose: an output of the crossbar: grants one of the inputs that ask, takes the copy's rows and records from that one's buses.
// Contract:
//   1. It grants in turn of the inputs, while it is open: the copies granted have their turns for less than AHEAD cycles more,
//      the last of them has begun, room is high, and the last one's records have been told. soon_hungry: it will be open in the
//      next cycle, if it grants nothing before. soon: and to all inputs. While inputs are hungry for it, it grants them only,
//      from the next cycle on. FULL_FIRST 1: while none is hungry, inputs that were fullest in the last cycle come first, but
//      for each fourth grant, which has a turn of its own.
//   2. grant, granted and first are registers, high for a cycle: first cycles later is the copy's first turn. In the cycle
//      after granted the rows in proposals are those of the input's pass. A row is on the bus two cycles after its turn.
//   3. row_* are the rows of its copies, one copy after the other, each row once, in the cycle in which it is on the bus; row_end
//      is a copy's last cycle. A copy has three cycles at least.
//   4. record_* are the copies' records, in the order of the grants. sent tells a record a cycle before it is on the bus.
// Cost: a row is there two cycles after its turn, a record two after it is told.
// Limits: row_* are combinational from rows, which memories give: what takes them is a memory or a register.
// Proved: formal/switch/formal_crossbar_output.v
`default_nettype none
`include "moehub_crossbar.vh"
`include "moehub_width.vh"

module moehub_crossbar_output #(
    parameter PORTS      = 8,
    parameter DATA_WIDTH = 128,
    parameter AHEAD      = 6,
    parameter FULL_FIRST = 0
) (
    input  wire clk,
    input  wire rst,

    input  wire [5:0]                                     own_port,

    input  wire [PORTS - 1:0]                             asked,  // by the inputs
    input  wire [PORTS - 1:0]                             fullest, // inputs; FULL_FIRST 0: not looked at
    input  wire [PORTS - 1:0]                             hungry, // inputs whose hungry head is this output's
    input  wire [PORTS * `MOEHUB_PROPOSAL_WIDTH - 1:0]    proposals,
    input  wire [PORTS * `MOEHUB_CROSSBAR_ROW_WIDTH(DATA_WIDTH) - 1:0] rows,
    input  wire [PORTS * `MOEHUB_SENT_RECORD_WIDTH - 1:0] sent,
    output wire                                           soon,
    output wire                                           soon_hungry,
    output wire [PORTS - 1:0]                             grant,
    output wire [`MOEHUB_GRANT_FIRST_WIDTH - 1:0]         first,

    input  wire                                           room, // for one more copy
    output wire                                           granted,
    output wire                                           row_valid,
    output wire [3:0]                                     row_number,
    output wire [3:0]                                     row_rows, // of the copy
    output wire                                           row_last,
    output wire [DATA_WIDTH - 1:0]                        row_data,
    output wire                                           row_end,
    output wire                                           record_valid,
    output wire [`MOEHUB_COPY_RECORD_WIDTH - 1:0]         record
);
    localparam PROPOSAL_WIDTH = `MOEHUB_PROPOSAL_WIDTH;
    localparam FIRST_WIDTH    = `MOEHUB_GRANT_FIRST_WIDTH;
    localparam ROW_WIDTH      = `MOEHUB_CROSSBAR_ROW_WIDTH(DATA_WIDTH);
    localparam SENT_WIDTH     = `MOEHUB_SENT_RECORD_WIDTH;
    localparam [31:0] AHEAD_CYCLES = AHEAD;

    reg [4:0]         busy_q;        // cycles from now on until the copies granted so far have had their turns
    reg               soon_q;
    reg               soon_hungry_q;
    reg               open_q;
    reg [PORTS - 1:0] may_q;         // inputs that it may grant: all, or those that were hungry for it in the last cycle
    reg               records_due_q; // records of the copy granted last are to be told
    reg               granted_q;
    reg               granted_before_q;
    reg [PORTS - 1:0] granted_input_q; // of the copy granted last
    reg [3:0]         granted_rows_q;  // ... from the third cycle after the grant on
    reg               waits_q;       // it has not begun
    reg [2:0]         first_q;       // ... but does after so many cycles

    // ---- grant ------------------------------------------------------------------------------------------------------
    wire               any_valid;
    wire [PORTS - 1:0] any_grant;   // of all inputs the next one
    wire [FIRST_WIDTH - 1:0] any_first;
    wire               full_first;  // a full input comes first
    wire [PORTS - 1:0] request_grant;
    wire [`MOEHUB_INDEX_WIDTH(PORTS) - 1:0] unused_index;
    wire [PORTS * FIRST_WIDTH - 1:0] first_of; // by input, if that one is granted
    wire [PORTS * 4 - 1:0]     rows_of;
    wire [FIRST_WIDTH - 1:0]   first_new;
    wire [3:0]                 pass_rows;

    wire       begins    = waits_q && first_q == 3'd0;
    wire       open      = open_q && room;
    wire       granting  = open && any_valid;
    wire       kept      = |hungry; // for those inputs
    wire [4:0] busy_next = busy_q == 5'd0 ? 5'd0 : busy_q - 5'd1;

    genvar i;
    generate
        for (i = 0; i < PORTS; i = i + 1) begin : g_input
            wire [2:0] asked_wait = proposals[i * PROPOSAL_WIDTH + `MOEHUB_PROPOSAL_WAIT_LSB +: `MOEHUB_PROPOSAL_WAIT_WIDTH];
            assign first_of[i * FIRST_WIDTH +: FIRST_WIDTH] =
                asked_wait > busy_next[2:0] ? asked_wait : busy_next[2:0]; // open: busy_next is below AHEAD
            assign rows_of[i * 4 +: 4] = proposals[i * PROPOSAL_WIDTH + `MOEHUB_PROPOSAL_ROWS_LSB +: `MOEHUB_PROPOSAL_ROWS_WIDTH];
        end
    endgenerate

    moehub_arbiter #(.PORTS(PORTS)) u_turn (
        .clk(clk), .rst(rst), .request(asked & may_q), .advance(open && !full_first),
        .grant_valid(any_valid), .grant(any_grant), .grant_index(unused_index)
    );
    moehub_one_hot_mux #(.WIDTH(FIRST_WIDTH), .WAYS(PORTS)) u_first (
        .select(any_grant), .words(first_of), .word(any_first)
    );
    generate
        if (FULL_FIRST != 0) begin : g_full
            reg  [PORTS - 1:0] full_q;   // inputs that come first
            reg  [1:0]         grants_q; // counted
            wire [PORTS - 1:0] full_grant;
            wire [FIRST_WIDTH - 1:0] full_turn;
            wire [`MOEHUB_INDEX_WIDTH(PORTS) - 1:0] unused_full_index;

            always @(posedge clk) begin
                full_q <= fullest & {PORTS{!kept && grants_q != 2'd3}};
                if (granting) grants_q <= grants_q + 2'd1;
                if (rst) begin
                    full_q   <= {PORTS{1'b0}};
                    grants_q <= 2'd0;
                end
            end
            // Beside the choice among all: which of both it is comes last.
            moehub_arbiter #(.PORTS(PORTS)) u_full_turn (
                .clk(clk), .rst(rst), .request(asked & full_q), .advance(open),
                .grant_valid(full_first), .grant(full_grant), .grant_index(unused_full_index)
            );
            moehub_one_hot_mux #(.WIDTH(FIRST_WIDTH), .WAYS(PORTS)) u_full (
                .select(full_grant), .words(first_of), .word(full_turn)
            );
            assign request_grant = full_first ? full_grant : any_grant;
            assign first_new     = full_first ? full_turn : any_first;
        end else begin : g_turn
            wire unused = &{1'b0, fullest};
            assign full_first    = 1'b0;
            assign request_grant = any_grant;
            assign first_new     = any_first;
        end
    endgenerate
    // The input knows its pass's rows two cycles after the grant.
    moehub_one_hot_mux #(.WIDTH(4), .WAYS(PORTS)) u_rows_of (
        .select(granted_input_q), .words(rows_of), .word(pass_rows)
    );

    wire [3:0] granted_rows = granted_before_q ? pass_rows : granted_rows_q;
    wire [3:0] granted_span = `MOEHUB_SPAN(granted_rows);
    wire       record_ends;
    // Two cycles ahead of the grant: what holds then but for what is granted before.
    wire       opens = !granting && !granted_q && !granted_before_q && busy_q <= AHEAD_CYCLES[4:0] + 5'd1 &&
        !(waits_q && first_q > 3'd1) && room && (!records_due_q || record_ends);

    always @(posedge clk) begin
        // A grant's rows are known two cycles later: the cycles until its copy begins may be over by then. Nobody asks before.
        busy_q <= granted_q ? {2'd0, first_q} - 5'd1 : granted_before_q ? busy_q - 5'd1 + {1'b0, granted_span} : busy_next;
        records_due_q    <= granting || (records_due_q && !record_ends);
        granted_q        <= granting;
        granted_before_q <= granted_q;
        waits_q          <= granting || (waits_q && !begins);
        if (granting) granted_input_q <= request_grant;
        granted_rows_q <= granted_rows;
        soon_q         <= opens && !kept;
        soon_hungry_q  <= opens;
        open_q         <= soon_hungry_q && !granting;
        may_q          <= hungry | {PORTS{!kept}};
        if (rst) begin
            busy_q           <= 5'd0;
            soon_q           <= 1'b0;
            soon_hungry_q    <= 1'b0;
            open_q           <= 1'b0;
            may_q            <= {PORTS{1'b0}};
            records_due_q    <= 1'b0;
            granted_q        <= 1'b0;
            granted_before_q <= 1'b0;
            waits_q          <= 1'b0;
        end
    end

    always @(posedge clk) begin
        first_q <= waits_q ? first_q - {2'd0, first_q != 3'd0} : first_new; // of nobody, if nobody is granted
    end

    assign soon        = soon_q;
    assign soon_hungry = soon_hungry_q;
    assign grant       = granted_input_q & {PORTS{granted_q}};
    assign first       = first_q;
    assign granted     = granted_q;

    // ---- rows: one whose turn is in x is on the bus in x + 2 ----------------------------------------------------------
    reg               begins_q;
    reg [3:0]         window_q; // cycles of the copy, this one counted
    reg [3:0]         window_rows_q;
    reg [PORTS - 1:0] source_q;
    wire [ROW_WIDTH - 1:0] row;

    moehub_one_hot_mux #(.WIDTH(ROW_WIDTH), .WAYS(PORTS)) u_row (.select(source_q), .words(rows), .word(row));

    assign row_valid  = window_q != 4'd0 && row[`MOEHUB_CROSSBAR_ROW_VALID_LSB];
    assign row_number = row[`MOEHUB_CROSSBAR_ROW_NUMBER_LSB +: `MOEHUB_CROSSBAR_ROW_NUMBER_WIDTH];
    assign row_rows   = window_rows_q;
    assign row_last   = row[`MOEHUB_CROSSBAR_ROW_LAST_LSB];
    assign row_data   = row[`MOEHUB_CROSSBAR_ROW_DATA_LSB +: DATA_WIDTH];
    assign row_end    = window_q == 4'd1;

    always @(posedge clk) begin
        begins_q <= begins;
        if (window_q != 4'd0) window_q <= window_q - 4'd1;
        if (begins_q) begin
            window_q      <= granted_span;
            window_rows_q <= granted_rows;
            source_q      <= granted_input_q;
        end
        if (rst) begin
            begins_q <= 1'b0;
            window_q <= 4'd0;
        end
    end

    // ---- records: of the copy granted last; told in the cycle before they are on the bus -----------------------------
    wire [SENT_WIDTH - 1:0] sent_record;

    moehub_one_hot_mux #(.WIDTH(SENT_WIDTH), .WAYS(PORTS)) u_sent (.select(granted_input_q), .words(sent), .word(sent_record));

    wire record_told = records_due_q && sent_record[`MOEHUB_SENT_RECORD_VALID_LSB] &&
        sent_record[`MOEHUB_SENT_RECORD_OUTPUT_LSB +: `MOEHUB_SENT_RECORD_OUTPUT_WIDTH] == own_port;
    assign record_ends = record_told && sent_record[`MOEHUB_SENT_RECORD_END_LSB];

    reg                                    record_here_q; // on the bus
    reg                                    record_end_q;
    reg                                    record_valid_q;
    reg [`MOEHUB_COPY_RECORD_WIDTH - 1:0]  record_q;

    always @(posedge clk) begin
        record_here_q  <= record_told;
        record_end_q   <= record_ends;
        record_valid_q <= record_here_q;
        record_q       <= {record_end_q, sent_record[`MOEHUB_SENT_RECORD_KEPT_LSB +: `MOEHUB_SENT_RECORD_KEPT_WIDTH]};
        if (rst) begin
            record_here_q  <= 1'b0;
            record_valid_q <= 1'b0;
        end
    end

    assign record_valid = record_valid_q;
    assign record       = record_q;
endmodule

`default_nettype wire
