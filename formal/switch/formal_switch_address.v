// SPDX-License-Identifier: Apache-2.0
// moehub_switch_address: every address names the block that doc/plane/switch.md section 8 says, written here once more field by
// field, and no other.
`default_nettype none
module formal_switch_address #(
    parameter PORTS = 2
) (
    input wire [19:0] address,
    input wire [31:0] number // of a block
);
    wire [2 * PORTS:0] block;
    moehub_switch_address #(.PORTS(PORTS)) u_address (.address(address), .block(block));

    wire       of_plane  = address[19];
    wire [5:0] port      = address[18:13];
    wire       of_port   = address[12]; // else of its reduction buffer
    wire       is_plane  = of_plane && address[18:12] == 7'd0;
    wire       is_port   = !of_plane && port < PORTS;
    wire [31:0] named    = is_plane ? 2 * PORTS : 2 * port + of_port;
    wire       somebody  = is_plane || is_port;
    wire       in_range  = number <= 2 * PORTS;
    always @* begin
        right_window: assert (!in_range || block[number] == (somebody && number == named));
        last_window:  cover (in_range && somebody && named == 2 * PORTS - 1 && number == named);
    end
endmodule
`default_nettype wire
