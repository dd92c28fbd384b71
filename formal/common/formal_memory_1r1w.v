// SPDX-License-Identifier: Apache-2.0
// moehub_memory_1r1w against one solver-chosen word of it.
`default_nettype none
module formal_memory_1r1w #(
    parameter WIDTH  = 2,
    parameter DEPTH  = 3,
    parameter PARITY = 1
) (
    input wire                                        clk,
    input wire                                        rst,
    input wire                                        write_enable,
    input wire [(DEPTH > 1 ? $clog2(DEPTH) : 1) - 1:0] write_address,
    input wire [WIDTH - 1:0]                          write_data,
    input wire                                        read_enable,
    input wire [(DEPTH > 1 ? $clog2(DEPTH) : 1) - 1:0] read_address
);
`include "formal_reset.vh"
    localparam ADDRESS_WIDTH = DEPTH > 1 ? $clog2(DEPTH) : 1;
    wire [WIDTH - 1:0] read_data;
    wire               parity_error;
    moehub_memory_1r1w #(.WIDTH(WIDTH), .DEPTH(DEPTH), .PARITY(PARITY)) u_memory (
        .clk(clk), .write_enable(write_enable), .write_address(write_address), .write_data(write_data),
        .read_enable(read_enable), .read_address(read_address), .read_data(read_data), .parity_error(parity_error)
    );
    always @* begin
        assume (!write_enable || write_address < DEPTH);
        assume (!read_enable || read_address < DEPTH);
    end

    (* anyconst *) wire [ADDRESS_WIDTH - 1:0] place;

    reg               written_q = 1'b0; // the chosen word has been written
    reg [WIDTH - 1:0] word_q;           // ... with this
    reg               known_q = 1'b0;   // the latest read was of it
    reg [WIDTH - 1:0] expected_q;
    reg               fresh_q = 1'b0;   // ... in the cycle before
    reg               collided_q = 1'b0;
    reg [WIDTH - 1:0] last_q;
    reg               kept_q = 1'b0;    // no read in the cycle before
    always @(posedge clk) begin
        if (write_enable && write_address == place) begin
            written_q <= 1'b1;
            word_q    <= write_data;
        end
        if (read_enable) begin
            known_q    <= written_q && read_address == place;
            expected_q <= word_q;
            collided_q <= write_enable && write_address == read_address && write_data != word_q;
        end
        fresh_q <= read_enable;
        kept_q  <= started_q && !read_enable;
        last_q  <= read_data;
    end
    always @* begin
        reads_old:    assert (!known_q || read_data == expected_q);
        keeps_output: assert (!kept_q || read_data == last_q);
        parity_good:  assert (!(known_q && fresh_q) || !parity_error);
        parity_pulse: assert (!started_q || fresh_q || !parity_error);
    end
    always @* begin
        damaged:  cover (fresh_q && parity_error);
        collided: cover (known_q && collided_q);
        kept:     cover (kept_q && known_q);
        read:     cover (known_q && fresh_q);
    end
endmodule
`default_nettype wire
