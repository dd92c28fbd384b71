# SPDX-License-Identifier: Apache-2.0
# "words width" lines -> a Verilog module moehub_ram_<words>x<width> for each: the array of moehub_memory_1r1w with its output
# register. A word that is read and written in one cycle is read old. Several netlists of one program may have the same one.
{
    bits = 1
    while (2 ^ bits < $1) bits++
    printf "`ifndef MOEHUB_RAM_%dX%d\n`define MOEHUB_RAM_%dX%d\n", $1, $2, $1, $2
    printf "module moehub_ram_%dx%d (\n", $1, $2
    print "    input wire clk, input wire write_enable, input wire read_enable,"
    printf "    input wire [%d:0] write_address, input wire [%d:0] read_address,\n", bits - 1, bits - 1
    printf "    input wire [%d:0] write_data, output reg [%d:0] read_data\n);\n", $2 - 1, $2 - 1
    printf "    reg [%d:0] words_q [0:%d];\n", $2 - 1, $1 - 1
    print "    always @(posedge clk) begin"
    print "        if (write_enable) words_q[write_address] <= write_data;"
    print "        if (read_enable) read_data <= words_q[read_address];"
    print "    end\nendmodule\n`endif"
}
