// SPDX-License-Identifier: Apache-2.0
// In place of moehub_memory_1r1w: of a memory of flits or of results the first KEPT words alone, of others all. What is written
// beyond is forgotten, and what is read there is any value: so a property that holds here holds with the whole memory. One
// request and its answers do not get further: two rows of results (40), six places of responses (18), three of requests (6); of
// stores and notices there are none.

    localparam KEPT = WIDTH < 128 ? DEPTH : DEPTH == 40 ? 2 : DEPTH == 18 ? 6 : DEPTH == 6 ? 3 : 1;
    reg [WIDTH - 1:0] words_q [0:KEPT - 1];
    reg [WIDTH - 1:0] read_word_q;
    (* anyseq *) wire [WIDTH - 1:0] beyond;

    always @(posedge clk) begin
        if (write_enable && write_address < KEPT) words_q[write_address] <= write_data;
        if (read_enable) read_word_q <= read_address < KEPT ? words_q[read_address] : beyond;
    end

    assign read_data    = read_word_q;
    assign parity_error = 1'b0;
