// SPDX-License-Identifier: Apache-2.0
// Purpose: plays a recording of a bench (--record, kit/recorder.h) to the same top in any Verilog simulator and compares
//   every valid and ready with the recorded one, from the first clock edge in reset on. An x is a difference.
//   iverilog -g2005 -DREPLAY='"FILE.vh"' -Irtl/include -s replay <sources of the top> sim/tops/replay.v
// Limits: a testbench; ends with $finish after "replay: N cycles, M differences".
`default_nettype none
`include `REPLAY

module replay;
    reg                                 clk;
    reg  [`REPLAY_INPUT_BITS + `REPLAY_OUTPUT_BITS - 1:0] recording [0:`REPLAY_CYCLES - 1];
    reg  [`REPLAY_INPUT_BITS - 1:0]     stimulus;
    reg  [`REPLAY_OUTPUT_BITS - 1:0]    expected;
    wire [`REPLAY_OUTPUT_BITS - 1:0]    got;
    integer                             cycle;
    integer                             differences;
    reg                                 known; // a clock edge in reset has been

    `REPLAY_PADDING

    `REPLAY_TOP u_top (`REPLAY_PORTS);

    initial begin
        $readmemh(`REPLAY_FILE, recording);
        clk = 1'b0;
        known = 1'b0;
        differences = 0;
        for (cycle = 0; cycle < `REPLAY_CYCLES; cycle = cycle + 1) begin
            {stimulus, expected} = recording[cycle];
            #1;
            if (known && got !== expected) begin
                if (differences < 10) $display("replay: cycle %0d: valid and ready are %h, recorded %h", cycle, got, expected);
                differences = differences + 1;
            end
            clk = 1'b1;
            #1;
            if (u_top.rst) known = 1'b1;
            clk = 1'b0;
        end
        $display("replay: %0d cycles, %0d differences", `REPLAY_CYCLES, differences);
        $finish;
    end
endmodule

`default_nettype wire
