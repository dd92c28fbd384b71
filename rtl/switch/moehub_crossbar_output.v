// SPDX-License-Identifier: Apache-2.0
// Purpose: an output of the crossbar: grants one of the inputs that ask, takes the copy's rows and records from that one's buses.
// Contract:
//   1. It grants in turn of the inputs, while it is open: the copies granted are read for less than AHEAD cycles more, none of
//      them begins after this cycle, room is high, and the last one's records have all come. While inputs are hungry for it, it
//      grants them only. soon_hungry: it will be open in the next cycle, if it grants nothing before. soon: and to all inputs.
//   2. grant, granted, granted_rows and first are registers, high for a cycle: first cycles later the copy's first row is read.
//   3. row_* are the rows of its copies, one copy after the other, each row once; row_end is its last cycle. A copy has three
//      cycles at least.
//   4. record_* are the copies' records, in the order of the grants.
// Cost: a row is in the register two cycles after its read.
// Proved: formal/switch/formal_crossbar_output.v
`default_nettype none
`include "moehub_crossbar.vh"
`include "moehub_width.vh"

module moehub_crossbar_output #(
    parameter PORTS      = 8,
    parameter DATA_WIDTH = 128,
    parameter AHEAD      = 6
) (
    input  wire clk,
    input  wire rst,

    input  wire [5:0]                                     own_port,

    input  wire [PORTS - 1:0]                             asked,  // by the inputs
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
    output wire [3:0]                                     granted_rows,
    output wire                                           row_valid,
    output wire [3:0]                                     row_number,
    output wire                                           row_last,
    output wire [DATA_WIDTH - 1:0]                        row_data,
    output wire                                           row_end,
    output wire                                           record_valid,
    output wire [`MOEHUB_COPY_RECORD_WIDTH - 1:0]         record
);
    localparam PROPOSAL_WIDTH = `MOEHUB_PROPOSAL_WIDTH;
    localparam ROW_WIDTH      = `MOEHUB_CROSSBAR_ROW_WIDTH(DATA_WIDTH);
    localparam SENT_WIDTH     = `MOEHUB_SENT_RECORD_WIDTH;
    localparam [31:0] AHEAD_CYCLES = AHEAD;

    reg [4:0]         busy_q;        // cycles from now on in which copies granted so far are read
    reg               soon_q;
    reg               soon_hungry_q;
    reg               records_due_q; // records of the copy granted last are to come
    reg               granted_q;
    reg [PORTS - 1:0] granted_input_q; // of the copy granted last
    reg [3:0]         granted_rows_q;
    reg               waits_q;       // its first row has not been read
    reg [2:0]         first_q;       // ... but is after so many cycles

    // ---- grant ------------------------------------------------------------------------------------------------------
    wire               request_valid;
    wire [PORTS - 1:0] request_grant;
    wire [`MOEHUB_INDEX_WIDTH(PORTS) - 1:0] unused_index;
    wire [PROPOSAL_WIDTH - 1:0] proposal;

    wire begins  = waits_q && first_q == 3'd0; // its first row is read in this cycle
    wire open    = busy_q < AHEAD_CYCLES[4:0] && room && !records_due_q && (!waits_q || begins);
    wire granting = open && request_valid;
    wire kept     = |hungry; // for those inputs

    moehub_arbiter #(.PORTS(PORTS)) u_turn (
        .clk(clk), .rst(rst), .request(asked & (hungry | {PORTS{!kept}})), .advance(open),
        .grant_valid(request_valid), .grant(request_grant), .grant_index(unused_index)
    );
    moehub_one_hot_mux #(.WIDTH(PROPOSAL_WIDTH), .WAYS(PORTS)) u_proposal (
        .select(request_grant), .words(proposals), .word(proposal)
    );

    wire [2:0] asked_wait = proposal[`MOEHUB_PROPOSAL_WAIT_LSB +: `MOEHUB_PROPOSAL_WAIT_WIDTH];
    wire [3:0] asked_rows = proposal[`MOEHUB_PROPOSAL_ROWS_LSB +: `MOEHUB_PROPOSAL_ROWS_WIDTH];
    wire [4:0] busy_next  = busy_q == 5'd0 ? 5'd0 : busy_q - 5'd1;
    wire [2:0] first_new  = asked_wait > busy_next[2:0] ? asked_wait : busy_next[2:0]; // open: busy_next is below AHEAD
    wire [3:0] asked_span = `MOEHUB_SPAN(asked_rows);
    wire       record_ends;
    // A cycle ahead of `open`: what holds then but for what others grant.
    wire       opens = !granting && busy_next <= AHEAD_CYCLES[4:0] && !(waits_q && first_q > 3'd2) && room &&
        (!records_due_q || record_ends);

    always @(posedge clk) begin
        busy_q        <= granting ? {2'd0, first_new} + {1'b0, asked_span} : busy_next;
        records_due_q <= granting || (records_due_q && !record_ends);
        granted_q     <= granting;
        waits_q       <= granting || (waits_q && !begins);
        if (first_q != 3'd0) first_q <= first_q - 3'd1;
        if (granting) begin
            first_q         <= first_new;
            granted_input_q <= request_grant;
            granted_rows_q  <= asked_rows;
        end
        soon_q        <= opens && !kept;
        soon_hungry_q <= opens;
        if (rst) begin
            busy_q        <= 5'd0;
            soon_q        <= 1'b0;
            soon_hungry_q <= 1'b0;
            records_due_q <= 1'b0;
            granted_q     <= 1'b0;
            waits_q       <= 1'b0;
            first_q       <= 3'd0;
        end
    end

    assign soon         = soon_q;
    assign soon_hungry  = soon_hungry_q;
    assign grant        = granted_input_q & {PORTS{granted_q}};
    assign first        = first_q;
    assign granted      = granted_q;
    assign granted_rows = granted_rows_q;

    // ---- rows: those on the bus in this cycle were read in the last -------------------------------------------------
    reg [3:0]         window_q; // cycles of the copy, this one counted
    reg [PORTS - 1:0] source_q;
    wire [ROW_WIDTH - 1:0] row;

    moehub_one_hot_mux #(.WIDTH(ROW_WIDTH), .WAYS(PORTS)) u_row (.select(source_q), .words(rows), .word(row));

    reg                    row_valid_q;
    reg [3:0]              row_number_q;
    reg                    row_last_q;
    reg [DATA_WIDTH - 1:0] row_data_q;
    reg                    row_end_q;

    always @(posedge clk) begin
        if (window_q != 4'd0) window_q <= window_q - 4'd1;
        if (begins) begin
            window_q <= `MOEHUB_SPAN(granted_rows_q);
            source_q <= granted_input_q;
        end
        row_valid_q  <= window_q != 4'd0 && row[`MOEHUB_CROSSBAR_ROW_VALID_LSB];
        row_end_q    <= window_q == 4'd1;
        row_number_q <= row[`MOEHUB_CROSSBAR_ROW_NUMBER_LSB +: `MOEHUB_CROSSBAR_ROW_NUMBER_WIDTH];
        row_last_q   <= row[`MOEHUB_CROSSBAR_ROW_LAST_LSB];
        row_data_q   <= row[`MOEHUB_CROSSBAR_ROW_DATA_LSB +: DATA_WIDTH];
        if (rst) begin
            window_q    <= 4'd0;
            row_valid_q <= 1'b0;
            row_end_q   <= 1'b0;
        end
    end

    assign row_valid  = row_valid_q;
    assign row_number = row_number_q;
    assign row_last   = row_last_q;
    assign row_data   = row_data_q;
    assign row_end    = row_end_q;

    // ---- records: of the copy granted last; no other is granted before they are here --------------------------------
    wire [SENT_WIDTH - 1:0] sent_record;

    moehub_one_hot_mux #(.WIDTH(SENT_WIDTH), .WAYS(PORTS)) u_sent (.select(granted_input_q), .words(sent), .word(sent_record));

    wire record_here = records_due_q && sent_record[`MOEHUB_SENT_RECORD_VALID_LSB] &&
        sent_record[`MOEHUB_SENT_RECORD_OUTPUT_LSB +: `MOEHUB_SENT_RECORD_OUTPUT_WIDTH] == own_port;
    assign record_ends = record_here && sent_record[`MOEHUB_SENT_RECORD_RECORD_LSB + `MOEHUB_COPY_RECORD_END_LSB];

    reg                                    record_valid_q;
    reg [`MOEHUB_COPY_RECORD_WIDTH - 1:0]  record_q;

    always @(posedge clk) begin
        record_valid_q <= record_here;
        record_q       <= sent_record[`MOEHUB_SENT_RECORD_RECORD_LSB +: `MOEHUB_COPY_RECORD_WIDTH];
        if (rst) record_valid_q <= 1'b0;
    end

    assign record_valid = record_valid_q;
    assign record       = record_q;
endmodule

`default_nettype wire
