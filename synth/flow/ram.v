// SPDX-License-Identifier: Apache-2.0
// The array inside a memory wrapper, as synthesis sees it: a black box.
(* blackbox *)
module moehub_ram #(
    parameter WORDS        = 1,
    parameter WIDTH        = 1,
    parameter ADDRESS_BITS = 1
) (
    input  wire                      clk,
    input  wire                      write_enable,
    input  wire [ADDRESS_BITS - 1:0] write_address,
    input  wire [WIDTH - 1:0]        write_data,
    input  wire                      read_enable,
    input  wire [ADDRESS_BITS - 1:0] read_address,
    output wire [WIDTH - 1:0]        read_data
);
endmodule
