// SPDX-License-Identifier: Apache-2.0
// moehub_hungry_head: heads come and begin as they like. How long a head waits until it is hungry or begins has a bound; hungry
// is one head, which has waited for a watch, and it stays for a watch. When it alone begins, the next one follows at once.
`default_nettype none
module formal_hungry_head #(
    parameter PORTS = 2,
    parameter WATCH = 3
) (
    input wire               clk,
    input wire               rst,
    input wire [PORTS - 1:0] load, // a head comes
    input wire [PORTS - 1:0] take  // an output would begin its copy
);
`include "formal_reset.vh"
    localparam BOUND = 2 * WATCH * PORTS; // and no fewer: below two watches until it starves, two for each of the others

    reg  [PORTS - 1:0] waits_q = 0;
    wire [PORTS - 1:0] begins  = waits_q & take;
    wire [PORTS - 1:0] hungry;
    moehub_hungry_head #(.PORTS(PORTS), .WATCH(WATCH)) u_hungry (
        .clk(clk), .rst(rst), .waits(waits_q), .begins(begins), .hungry(hungry)
    );

    (* anyconst *) wire [5:0] port;
    always @* assume (port < PORTS);
    wire waits_on = waits_q >> port & ~(begins >> port) & 1;

    reg [7:0]         age_q    = 0; // cycles that the port's head waits
    reg [7:0]         since_q  = 0; // ... and is not hungry
    reg [7:0]         stay_q   = 0; // cycles that this one is hungry
    reg [PORTS - 1:0] last_q   = 0; // hungry in the cycle before, and not begun
    reg               served_q = 0; // the hungry head began, and no other
    wire              same     = hungry == last_q;
    always @(posedge clk) begin
        waits_q  <= (waits_q & ~begins) | load;
        age_q    <= !waits_on ? 0 : age_q != 255 ? age_q + 1 : 255;
        since_q  <= !waits_on || (hungry >> port & 1) != 0 ? 0 : since_q + 1;
        stay_q   <= !same ? 1 : stay_q != 255 ? stay_q + 1 : 255;
        last_q   <= hungry & ~begins;
        served_q <= hungry != 0 && begins == hungry;
        if (rst) begin
            waits_q  <= 0;
            age_q    <= 0;
            since_q  <= 0;
            last_q   <= 0;
            served_q <= 0;
        end
    end

    wire runs = started_q && !reset_q;
    always @* begin
        bounded: assert (!runs || since_q <= BOUND);
        one:     assert (!runs || (hungry & (hungry - 1)) == 0);
        waits:   assert (!runs || (hungry & ~waits_q) == 0);
        late:    assert (!runs || (hungry >> port & 1) == 0 || age_q > WATCH + 1);
        stays:   assert (!runs || last_q == 0 || same || stay_q >= WATCH);
        next:    assert (!runs || !served_q || since_q <= 2 * WATCH || hungry != 0);
    end
    always @* begin
        moved:   cover (runs && last_q != 0 && hungry != 0 && !same);
        starved: cover (runs && since_q > 2 * WATCH);
        served:  cover (runs && served_q && since_q > 2 * WATCH);
    end
endmodule
`default_nettype wire
