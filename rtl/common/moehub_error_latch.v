// SPDX-License-Identifier: Apache-2.0
// Purpose: keeps the first offender until software clears it.
// Contract: an offender that comes with clear is latched; caught is high for one cycle when one is latched.
// Cost: WIDTH + 2 flops.
// Proved: formal/common/formal_error_latch.v
`default_nettype none

module moehub_error_latch #(
    parameter WIDTH = 155 // cause, header, names
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               error_valid,
    input  wire [WIDTH - 1:0] error,
    input  wire               clear,
    output wire               latched,
    output wire               caught,
    output wire [WIDTH - 1:0] first
);

    reg               latched_q;
    reg               caught_q;
    reg [WIDTH - 1:0] first_q;

    wire catch = error_valid && (!latched_q || clear);

    always @(posedge clk) begin
        latched_q <= catch || (latched_q && !clear);
        caught_q  <= catch;
        if (catch) first_q <= error;
        if (rst) begin
            latched_q <= 1'b0;
            caught_q  <= 1'b0;
            first_q   <= {WIDTH{1'b0}};
        end
    end

    assign latched = latched_q;
    assign caught  = caught_q;
    assign first   = first_q;
endmodule

`default_nettype wire
