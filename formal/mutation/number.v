// SPDX-License-Identifier: Apache-2.0
// Which mutation is active: the plusarg +moehub_mutant=N of the simulation; 0: none. A number that no mutation has ends the run.
`default_nettype none
module moehub_mutant_number #(
    parameter WIDTH = 8,
    parameter COUNT = 200
) (
    output wire [WIDTH - 1:0] number
);
    integer value;
    initial begin
        if (!$value$plusargs("moehub_mutant=%d", value)) value = 0;
        if (value < 0 || value > COUNT) begin
            $display("%m: there is no mutant %0d, the last is %0d", value, COUNT);
            $finish;
        end
    end
    assign number = value[WIDTH - 1:0];
endmodule
`default_nettype wire
