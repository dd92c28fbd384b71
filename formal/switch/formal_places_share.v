// SPDX-License-Identifier: Apache-2.0
// moehub_places_share: both users get what they ask for. The store is one that knows of each packet its own name.
`default_nettype none
module formal_places_share #(
    parameter WIDTH = 3
) (
    input wire               clk,
    input wire               rst,
    input wire               crossbar_find_valid,
    input wire [WIDTH - 1:0] crossbar_find_name,
    input wire               crossbar_free_valid,
    input wire [WIDTH - 1:0] crossbar_free_name,
    input wire [WIDTH - 1:0] crossbar_free_packet,
    input wire               find_valid,
    input wire [WIDTH - 1:0] find_name,
    input wire               free_valid,
    input wire [WIDTH - 1:0] free_name,
    input wire [WIDTH - 1:0] free_packet
);
`include "formal_reset.vh"
    wire               find_ready;
    wire               free_ready;
    wire               store_find_valid;
    wire [WIDTH - 1:0] store_find_name;
    reg  [WIDTH - 1:0] store_found_q;
    wire               store_free_valid;
    wire [WIDTH - 1:0] store_free_name;
    wire [WIDTH - 1:0] store_free_packet;
    moehub_places_share #(.NAME_WIDTH(WIDTH), .FREE_WIDTH(WIDTH)) u_share (
        .crossbar_find_valid(crossbar_find_valid), .crossbar_find_name(crossbar_find_name),
        .crossbar_free_valid(crossbar_free_valid), .crossbar_free_name(crossbar_free_name),
        .crossbar_free_packet(crossbar_free_packet), .find_valid(find_valid), .find_ready(find_ready), .find_name(find_name),
        .free_valid(free_valid), .free_ready(free_ready), .free_name(free_name), .free_packet(free_packet),
        .store_find_valid(store_find_valid), .store_find_name(store_find_name),
        .store_free_valid(store_free_valid), .store_free_name(store_free_name), .store_free_packet(store_free_packet)
    );

    reg               asked_q = 1'b0; // the crossbar's find was in the last cycle
    reg [WIDTH - 1:0] asked_name_q;
    reg               other_q = 1'b0; // the other one's find was taken in the last cycle
    reg [WIDTH - 1:0] other_name_q;
    always @(posedge clk) begin
        if (store_find_valid) store_found_q <= store_find_name;
        asked_q      <= !rst && crossbar_find_valid;
        asked_name_q <= crossbar_find_name;
        other_q      <= !rst && find_valid && find_ready;
        other_name_q <= find_name;
    end
    always @* assume (!rst || !crossbar_find_valid);

    wire crossbars_free = store_free_valid && store_free_name == crossbar_free_name && store_free_packet == crossbar_free_packet;
    wire others_free    = store_free_valid && store_free_name == free_name && store_free_packet == free_packet;
    always @* begin
        crossbar_finds: assert (!asked_q || store_found_q == asked_name_q);
        other_finds:    assert (!other_q || store_found_q == other_name_q);
        finds_in_turn:  assert (find_ready == !crossbar_find_valid);
        frees:          assert (crossbar_free_valid ? crossbars_free && !free_ready
                                                    : free_ready && (free_valid ? others_free : !store_free_valid));
    end
    always @* begin
        both_find:  cover (asked_q && find_valid && find_ready && find_name != asked_name_q);
        both_free:  cover (crossbar_free_valid && free_valid && crossbar_free_name != free_name);
    end
endmodule
`default_nettype wire
