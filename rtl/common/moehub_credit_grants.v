// SPDX-License-Identifier: Apache-2.0
// Purpose: grants the places of three stores that came free to the sender at the other end of the link.
// Contract:
//   1. owed, a class: 0 while link_up or the store's initialised is low; in the first cycle in which both are high it is loaded
//      with free_places; from the next cycle on it rises by freed, and falls by what is granted.
//   2. A grant is min(owed, 255) places of one class; classes that are owed something take turns, class 0 first after reset.
//      It is on the wires in the next cycle. While link_up is low nothing is granted.
//   3. freed tells of places in the first cycle in which free_places shows them: so none is granted twice.
// Cost: one grant a cycle, latency 2 from freed to the wires; three counters of 13 bits.
// Proved: formal/common/formal_link.v, formal_link_ends.v
`default_nettype none
`include "moehub_defines.vh"

module moehub_credit_grants (
    input  wire                                                  clk,
    input  wire                                                  rst,
    input  wire                                                  link_up,
    input  wire [`MOEHUB_CLASSES - 1:0]                          initialised,
    input  wire [`MOEHUB_CLASSES * `MOEHUB_CREDITS_WIDTH - 1:0]  free_places,
    input  wire [`MOEHUB_CLASSES - 1:0]                          freed_valid,
    input  wire [`MOEHUB_CLASSES * 6 - 1:0]                      freed_flits,
    output wire                                                  credit_valid,
    output wire [1:0]                                            credit_class,
    output wire [`MOEHUB_CREDIT_FLITS_WIDTH - 1:0]               credit_flits
);
    localparam CLASSES     = `MOEHUB_CLASSES;
    localparam WIDTH       = `MOEHUB_CREDITS_WIDTH;
    localparam GRANT_WIDTH = `MOEHUB_CREDIT_FLITS_WIDTH;
    localparam [GRANT_WIDTH - 1:0] MOST = {GRANT_WIDTH{1'b1}};

    wire [CLASSES - 1:0]               wants;
    wire [CLASSES - 1:0]               grant;
    wire                               grant_valid;
    wire [1:0]                         grant_class;
    wire [CLASSES * GRANT_WIDTH - 1:0] amounts; // what each would get
    wire [GRANT_WIDTH - 1:0]           amount;

    moehub_arbiter #(.PORTS(CLASSES)) u_turn (
        .clk(clk), .rst(rst), .request(wants), .advance(link_up), .grant_valid(grant_valid), .grant(grant),
        .grant_index(grant_class)
    );
    moehub_one_hot_mux #(.WIDTH(GRANT_WIDTH), .WAYS(CLASSES)) u_amount (.select(grant), .words(amounts), .word(amount));

    genvar c;
    generate
        for (c = 0; c < CLASSES; c = c + 1) begin : g_class
            reg               running_q; // the link and the store were there in the last cycle too
            reg [WIDTH - 1:0] owed_q;
            reg               wants_q; // owed_q is not 0: kept beside it, as the choice is no place for a look at 13 bits

            wire                     many  = owed_q[WIDTH - 1:GRANT_WIDTH] != {(WIDTH - GRANT_WIDTH){1'b0}};
            wire [GRANT_WIDTH - 1:0] most  = many ? MOST : owed_q[GRANT_WIDTH - 1:0];
            wire [WIDTH - 1:0]       freed = freed_valid[c] ? {{(WIDTH - 6){1'b0}}, freed_flits[c * 6 +: 6]} : {WIDTH{1'b0}};
            wire [WIDTH - 1:0]       rest  = (many ? owed_q - {{(WIDTH - GRANT_WIDTH){1'b0}}, MOST} : {WIDTH{1'b0}}) + freed;
            wire [WIDTH - 1:0]       more  = owed_q + freed;
            wire                     runs  = link_up && initialised[c];

            assign wants[c] = wants_q;
            assign amounts[c * GRANT_WIDTH +: GRANT_WIDTH] = most;

            always @(posedge clk) begin
                running_q <= runs;
                if (!runs) owed_q <= {WIDTH{1'b0}};
                else if (!running_q) owed_q <= free_places[c * WIDTH +: WIDTH];
                else owed_q <= grant[c] ? rest : more;
                wants_q <= runs && (!running_q ? |free_places[c * WIDTH +: WIDTH] : many || |freed || (wants_q && !grant[c]));
                if (rst) begin
                    running_q <= 1'b0;
                    owed_q    <= {WIDTH{1'b0}};
                    wants_q   <= 1'b0;
                end
            end
        end
    endgenerate

    reg                     credit_valid_q;
    reg [1:0]               credit_class_q;
    reg [GRANT_WIDTH - 1:0] credit_flits_q;

    assign credit_valid = credit_valid_q;
    assign credit_class = credit_class_q;
    assign credit_flits = credit_flits_q;

    always @(posedge clk) begin
        credit_valid_q <= grant_valid && link_up;
        credit_class_q <= grant_class;
        credit_flits_q <= amount;
        if (rst) credit_valid_q <= 1'b0;
    end
endmodule

`default_nettype wire
