// SPDX-License-Identifier: Apache-2.0
// Yosys technology map: the one memory of a wrapper, its output register merged, becomes a moehub_ram.
// Port and parameter names are those of Yosys' internal cell $mem_v2.
module \$mem_v2 (RD_CLK, RD_EN, RD_ARST, RD_SRST, RD_ADDR, RD_DATA, WR_CLK, WR_EN, WR_ADDR, WR_DATA);
    parameter MEMID                = "";
    parameter SIZE                 = 0;
    parameter OFFSET               = 0;
    parameter ABITS                = 0;
    parameter WIDTH                = 0;
    parameter INIT                 = 0;
    parameter RD_PORTS             = 0;
    parameter RD_CLK_ENABLE        = 0;
    parameter RD_CLK_POLARITY      = 0;
    parameter RD_TRANSPARENCY_MASK = 0;
    parameter RD_COLLISION_X_MASK  = 0;
    parameter RD_WIDE_CONTINUATION = 0;
    parameter RD_CE_OVER_SRST      = 0;
    parameter RD_ARST_VALUE        = 0;
    parameter RD_SRST_VALUE        = 0;
    parameter RD_INIT_VALUE        = 0;
    parameter WR_PORTS             = 0;
    parameter WR_CLK_ENABLE        = 0;
    parameter WR_CLK_POLARITY      = 0;
    parameter WR_PRIORITY_MASK     = 0;
    parameter WR_WIDE_CONTINUATION = 0;

    input              RD_CLK, RD_EN, RD_ARST, RD_SRST, WR_CLK;
    input  [ABITS-1:0] RD_ADDR, WR_ADDR;
    input  [WIDTH-1:0] WR_EN, WR_DATA;
    output [WIDTH-1:0] RD_DATA;

    wire _TECHMAP_FAIL_ = RD_PORTS != 1 || WR_PORTS != 1 || RD_CLK_ENABLE != 1 || WR_CLK_ENABLE != 1 || OFFSET != 0
                          || RD_TRANSPARENCY_MASK != 0;

    moehub_ram #(.WORDS(SIZE), .WIDTH(WIDTH), .ADDRESS_BITS(ABITS)) _TECHMAP_REPLACE_ (
        .clk(RD_CLK),
        .write_enable(WR_EN[0]), .write_address(WR_ADDR), .write_data(WR_DATA),
        .read_enable(RD_EN), .read_address(RD_ADDR), .read_data(RD_DATA)
    );
endmodule
