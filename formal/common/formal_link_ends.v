// SPDX-License-Identifier: Apache-2.0
// A link with the store of one class behind it (requests, 5 places), whose ends are reset one by one while packets are on their
// way. Every packet is malformed, so each gives its places back as it ends, and they are granted again: whatever was cut off, in
// the end the sender holds all of them. Who resets an end takes link_up down (doc/plane/switch.md section 6), at once here.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_plane.vh"
module formal_link_ends #(
    parameter PLACES = 5
) (
    input wire       clk,
    input wire       rst,          // both ends
    input wire       reset_sender, // that end alone
    input wire       reset_receiver,
    input wire       link_up,
    input wire [2:0] new_flits, // of a packet that begins now
    input wire       packet_valid,
    input wire       packet_bit
);
`include "formal_one_reset.vh"
    localparam WIDTH = `MOEHUB_CREDITS_WIDTH;
    localparam [WIDTH - 1:0] ALL = PLACES;
    localparam PLACE_WIDTH = $clog2(PLACES + 1);
    wire rst_sender   = rst || reset_sender;
    wire rst_receiver = rst || reset_receiver;

    wire         packet_ready, flit_valid, flit_first, flit_last, credit_valid, write_first, end_good, initialised, space;
    wire         freed_valid;
    wire [1:0]   flit_class, credit_class;
    wire [127:0] flit_data, write_data;
    wire [7:0]   credit_flits;
    wire [3 * WIDTH - 1:0] credits;
    wire [2:0]   write_valid, write_targets, end_valid;
    wire [12:0]  causes;
    wire [5:0]   freed_flits;
    wire [PLACE_WIDTH - 1:0] free_places;
    wire [WIDTH - 1:0] in_hand = credits[WIDTH +: WIDTH];

    // ---- who offers packets ------------------------------------------------------------------------------------------
    reg [2:0] left_q = 3'd0; // flits of the packet that are to be offered
    reg       spoilt_q = 1'b0; // the link was low since it began: its rest is dropped
    reg       start_valid = 1'b0; // its first flit was offered in the last cycle
    reg [2:0] start_flits;
    wire       begins = packet_valid && left_q == 3'd0;
    wire [2:0] left   = begins ? new_flits : left_q;
    wire [2:0] takes  = start_valid ? start_flits : 3'd0;
    always @* begin
        assume (!begins || (link_up && new_flits != 3'd0 && new_flits <= `MOEHUB_REQUEST_LONGEST &&
            new_flits + takes <= in_hand));
        assume (!packet_valid || (packet_ready && !rst_sender));
    end
    always @(posedge clk) begin
        left_q      <= left - {2'd0, packet_valid};
        spoilt_q    <= left - {2'd0, packet_valid} != 3'd0 && (!link_up || spoilt_q);
        start_valid <= begins;
        if (begins) start_flits <= new_flits;
        if (rst_sender) begin
            left_q      <= 3'd0;
            spoilt_q    <= 1'b0;
            start_valid <= 1'b0;
        end
    end

    // The type, 15, is in the header's lowest bits.
    moehub_link_sender u_sender (
        .clk(clk), .rst(rst_sender), .link_up(link_up), .start_valid(start_valid), .start_class(2'd`MOEHUB_CLASS_REQUEST),
        .start_flits({2'd0, start_flits}), .packet_valid(packet_valid), .packet_ready(packet_ready),
        .packet_class(2'd`MOEHUB_CLASS_REQUEST), .packet_data({123'd0, packet_bit, 4'd15}), .packet_last(left == 3'd1),
        .flit_valid(flit_valid), .flit_class(flit_class), .flit_first(flit_first), .flit_last(flit_last), .flit_data(flit_data),
        .credit_valid(credit_valid), .credit_class(credit_class), .credit_flits(credit_flits), .credits(credits),
        .credit_overflow()
    );
    moehub_link_receiver u_receiver (
        .clk(clk), .rst(rst_receiver), .own(10'd0), .link_up(link_up), .flit_valid(flit_valid), .flit_class(flit_class),
        .flit_first(flit_first), .flit_last(flit_last), .flit_data(flit_data), .credit_valid(credit_valid),
        .credit_class(credit_class), .credit_flits(credit_flits), .initialised({1'b0, initialised, 1'b0}),
        .free_places({{WIDTH{1'b0}}, {(WIDTH - PLACE_WIDTH){1'b0}}, free_places, {WIDTH{1'b0}}}),
        .freed_valid({1'b0, freed_valid, 1'b0}), .freed_flits({6'd0, freed_flits, 6'd0}), .space({1'b0, space, 1'b0}),
        .write_valid(write_valid), .write_first(write_first), .write_targets(write_targets), .write_data(write_data),
        .end_valid(end_valid), .end_good(end_good), .end_mark_store(), .end_mark_request(), .end_mark_response(),
        .causes(causes), .packets(), .flit(), .error_valid(), .error_cause(), .error_header()
    );
    moehub_packet_store #(
        .LONGEST(`MOEHUB_REQUEST_LONGEST), .SHORTEST(`MOEHUB_REQUEST_SHORTEST), .PLACES(PLACES), .TARGET_QUEUE(0), .MARK_WIDTH(1)
    ) u_store (
        .clk(clk), .rst(rst_receiver), .initialised(initialised), .space(space), .write_valid(write_valid[1]),
        .write_first(write_first), .write_targets(write_targets), .write_data(write_data), .end_valid(end_valid[1]),
        .end_good(end_good), .end_mark(1'b0), .packet_valid(), .packet_ready(1'b0), .packet_name(), .packet_flits(),
        .packet_mark(), .packet_listed(), .packet_place(), .targets_valid(), .targets_ready(1'b0), .targets_data(),
        .read_valid(1'b0), .read_place({PLACE_WIDTH{1'b0}}), .read_data(), .read_next(), .find_valid(1'b0), .find_name(3'd0),
        .find_head(), .find_body(), .find_last(), .find_flits(), .find_mark(), .free_valid(1'b0), .free_name(3'd0),
        .free_head({PLACE_WIDTH{1'b0}}), .free_last({PLACE_WIDTH{1'b0}}), .free_flits(5'd0), .freed_valid(freed_valid),
        .freed_flits(freed_flits), .free_places(free_places), .free_names()
    );

    // ---- the link: low at both ends for four cycles at least, and while one is reset ---------------------------------
    reg [2:0] low_q = 3'd4;   // cycles that it has been low
    reg [3:0] quiet_q = 4'd0; // cycles in which nothing was started or sent
    always @* begin
        assume (low_q == 3'd0 || low_q == 3'd4 || !link_up);
        assume (!link_up || (!rst_sender && !rst_receiver));
    end
    always @(posedge clk) begin
        low_q   <= link_up ? 3'd0 : low_q == 3'd4 ? 3'd4 : low_q + 3'd1;
        quiet_q <= start_valid || packet_valid || left_q != 3'd0 || !link_up || !initialised ? 4'd0
            : quiet_q == 4'd15 ? 4'd15 : quiet_q + 4'd1;
        if (rst) low_q <= 3'd4;
    end

    // ---- flits on their way ------------------------------------------------------------------------------------------
    reg       sent_1_q = 1'b0; // on the wires
    reg       sent_2_q = 1'b0; // to be written now
    reg [1:0] bits_q;
    wire [WIDTH - 1:0] used = ALL - {{(WIDTH - PLACE_WIDTH){1'b0}}, free_places};
    always @(posedge clk) begin
        sent_1_q <= packet_valid && link_up && !spoilt_q;
        sent_2_q <= sent_1_q && link_up;
        bits_q   <= {bits_q[0], packet_bit};
        if (rst) begin
            sent_1_q <= 1'b0;
            sent_2_q <= 1'b0;
        end
    end

    // ---- what happened -----------------------------------------------------------------------------------------------
    reg dropped_q = 1'b0; // a packet of two flits or more was dropped, and the link has not been low since
    reg cut_sender_q = 1'b0;   // that end was reset while a packet was on its way
    reg cut_receiver_q = 1'b0;
    always @(posedge clk) begin
        if (end_valid[1] && !end_good && used >= 2) dropped_q <= 1'b1;
        if (!link_up) dropped_q <= 1'b0;
        if (reset_sender && left_q != 3'd0 && used != 0 && initialised) cut_sender_q <= 1'b1;
        if (reset_receiver && left_q != 3'd0 && used != 0 && initialised) cut_receiver_q <= 1'b1;
        if (rst) {dropped_q, cut_sender_q, cut_receiver_q} <= 3'd0;
    end

    always @* begin
        never_full:   assert (!started_q || !causes[`MOEHUB_LINK_CAUSE_PLACE]);
        each_written: assert (!started_q || rst_receiver || (write_valid == {1'b0, sent_2_q, 1'b0} &&
            (!sent_2_q || write_data == {123'd0, bits_q[1], 4'd15})));
        given_back:   assert (quiet_q < 4'd11 || in_hand == ALL);
    end
    always @* begin
        after_drop:     cover (quiet_q == 4'd11 && dropped_q);
        after_sender:   cover (quiet_q == 4'd11 && cut_sender_q && !cut_receiver_q);
        after_receiver: cover (quiet_q == 4'd11 && cut_receiver_q);
        written_again:  cover (sent_2_q && cut_receiver_q && !write_first);
    end
endmodule
`default_nettype wire
