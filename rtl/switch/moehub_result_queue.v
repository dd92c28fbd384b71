// SPDX-License-Identifier: Apache-2.0
// Purpose: rows of results on their way to the taker; a packet counts only when its last row commits it.
// Contract:
//   1. A row with row_first starts a packet and drops the rows of one that was never committed. row_commit makes the packet,
//      this row its last, visible to the taker. Every row has a place: the user counts fetched and dropped.
//   2. A row leaves as one flit, or two with row_two: the lower half of row_data first. out_last marks a packet's last flit.
//   3. out_* are registers. out_ready decides in the same cycle whether the memory is read.
// Cost: ROWS * (HEAD_WIDTH + DATA_WIDTH * 2 + 2) bits; one row in a cycle, one flit out a cycle without bubble; 4 cycles
//   from commit to out_valid. No moehub_memory_fifo: rows are withdrawn, and what is there is counted a cycle late.
// Proved: formal/switch/formal_result_queue.v
`default_nettype none
`include "moehub_width.vh"

module moehub_result_queue #(
    parameter ROWS       = 40,
    parameter HEAD_WIDTH = 50,
    parameter DATA_WIDTH = 128, // of a flit
    parameter PARITY     = 0
) (
    input  wire                          clk,
    input  wire                          rst,
    input  wire                          row_valid,
    input  wire                          row_first,
    input  wire                          row_commit,
    input  wire                          row_two,
    input  wire [HEAD_WIDTH - 1:0]       row_head,
    input  wire [2 * DATA_WIDTH - 1:0]   row_data,
    output wire                          fetched,
    output wire [$clog2(ROWS + 1) - 1:0] dropped,
    output wire                          out_valid,
    input  wire                          out_ready,
    output wire [HEAD_WIDTH - 1:0]       out_head,
    output wire [DATA_WIDTH - 1:0]       out_data,
    output wire                          out_last,
    output wire                          parity_error
);

    localparam ADDRESS_WIDTH = `MOEHUB_INDEX_WIDTH(ROWS);
    localparam COUNT_WIDTH   = $clog2(ROWS + 1);
    localparam WORD_WIDTH    = 2 + HEAD_WIDTH + 2 * DATA_WIDTH;
    localparam LAST          = ROWS - 1;
    localparam [ADDRESS_WIDTH - 1:0] ADDRESS_ONE = 1;
    localparam [COUNT_WIDTH - 1:0] COUNT_0     = 0;
    localparam [COUNT_WIDTH - 1:0] COUNT_ONE   = 1;

    function [ADDRESS_WIDTH - 1:0] after;
        input [ADDRESS_WIDTH - 1:0] address;
        after = address == LAST[ADDRESS_WIDTH - 1:0] ? {ADDRESS_WIDTH{1'b0}} : address + ADDRESS_ONE;
    endfunction

    // ---- rows in -------------------------------------------------------------------------------------------------
    reg [ADDRESS_WIDTH - 1:0] begin_q;     // place of the first row that is not committed
    reg [ADDRESS_WIDTH - 1:0] write_q;
    reg [COUNT_WIDTH - 1:0]   uncommitted_q; // rows
    reg [COUNT_WIDTH - 1:0]   committed_q; // rows committed in the last cycle
    reg [COUNT_WIDTH - 1:0]   dropped_q;

    wire [ADDRESS_WIDTH - 1:0] place       = row_first ? begin_q : write_q;
    wire [ADDRESS_WIDTH - 1:0] next        = after(place);
    wire [COUNT_WIDTH - 1:0]   uncommitted = (row_first ? COUNT_0 : uncommitted_q) + COUNT_ONE;

    always @(posedge clk) begin
        committed_q <= row_valid && row_commit ? uncommitted : COUNT_0;
        dropped_q   <= row_valid && row_first ? uncommitted_q : COUNT_0;
        if (row_valid) begin
            write_q       <= next;
            uncommitted_q <= row_commit ? COUNT_0 : uncommitted;
            if (row_commit) begin_q <= next;
        end
        if (rst) begin
            begin_q       <= {ADDRESS_WIDTH{1'b0}};
            write_q       <= {ADDRESS_WIDTH{1'b0}};
            uncommitted_q <= COUNT_0;
            committed_q   <= COUNT_0;
            dropped_q     <= COUNT_0;
        end
    end

    assign dropped = dropped_q;

    // ---- rows out ------------------------------------------------------------------------------------------------
    // Count and place move a cycle after the fetch, so that neither lies on the path from the read data to the next fetch.
    reg [ADDRESS_WIDTH - 1:0] read_q;
    reg [COUNT_WIDTH - 1:0]   ready_rows_q; // committed, not fetched before the last cycle
    reg                       fetched_q;
    reg                       held_q;       // the read data is a row that is not wholly sent
    reg                       second_q;     // its first flit is sent

    wire [WORD_WIDTH - 1:0]     held_rdata;
    wire                        held_end;
    wire                        held_two;
    wire [HEAD_WIDTH - 1:0]     held_head;
    wire [2 * DATA_WIDTH - 1:0] held_data;
    assign {held_end, held_two, held_head, held_data} = held_rdata;

    reg                    out_valid_q;
    reg [HEAD_WIDTH - 1:0] out_head_q;
    reg [DATA_WIDTH - 1:0] out_data_q;
    reg                    out_last_q;

    wire                       moves      = !out_valid_q || out_ready;
    wire                       sends      = held_q && moves;
    wire                       row_ends   = !held_two || second_q;
    wire                       more       = ready_rows_q != COUNT_0 && !(ready_rows_q == COUNT_ONE && fetched_q);
    wire [ADDRESS_WIDTH - 1:0] read_place = fetched_q ? after(read_q) : read_q;
    wire                       fetch      = more && (!held_q || (sends && row_ends));

    moehub_memory_1r1w #(
        .WIDTH(WORD_WIDTH), .DEPTH(ROWS), .PARITY(`MOEHUB_PARITY_WIDTH(PARITY, WORD_WIDTH))
    ) u_rows (
        .clk(clk),
        .write_enable(row_valid), .write_address(place), .write_data({row_commit, row_two, row_head, row_data}),
        .read_enable(fetch), .read_address(read_place), .read_data(held_rdata), .parity_error(parity_error)
    );

    always @(posedge clk) begin
        ready_rows_q <= ready_rows_q + committed_q - {{(COUNT_WIDTH - 1){1'b0}}, fetched_q};
        fetched_q    <= fetch;
        read_q       <= read_place;
        held_q       <= fetch || (held_q && !(sends && row_ends));
        if (sends) second_q <= !row_ends;
        if (rst) begin
            ready_rows_q <= COUNT_0;
            fetched_q    <= 1'b0;
            read_q       <= {ADDRESS_WIDTH{1'b0}};
            held_q       <= 1'b0;
            second_q     <= 1'b0;
        end
    end

    assign fetched = fetched_q;

    always @(posedge clk) begin
        if (moves) begin
            out_valid_q <= held_q;
            out_head_q  <= held_head;
            out_data_q  <= second_q ? held_data[DATA_WIDTH +: DATA_WIDTH] : held_data[0 +: DATA_WIDTH];
            out_last_q  <= held_end && row_ends;
        end
        if (rst) out_valid_q <= 1'b0;
    end

    assign out_valid = out_valid_q;
    assign out_head  = out_head_q;
    assign out_data  = out_data_q;
    assign out_last  = out_last_q;
endmodule

`default_nettype wire
