// SPDX-License-Identifier: Apache-2.0
// moehub_link_sender against moehub_link_receiver (doc/plane/link.md): a sender that is offered packets with credits never meets
// a full store and never breaks a rule of the link, whenever link_up falls; credits are for free places, and in the end for all
// of them.
// Stores are counters: what has been written is freed in any order and number.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_plane.vh"
module formal_link #(
    parameter PLACES_STORE    = 14,
    parameter PLACES_REQUEST  = 5,
    parameter PLACES_RESPONSE = 17
) (
    input wire        clk,
    input wire        rst,
    input wire        link_up,
    input wire [1:0]  new_class, // of a packet that begins now
    input wire [4:0]  new_flits,
    input wire        packet_valid,
    input wire        packet_bit,
    input wire [2:0]  initialises,
    input wire [2:0]  free_valid,
    input wire [17:0] free_flits
);
`include "formal_reset.vh"
    localparam WIDTH = `MOEHUB_CREDITS_WIDTH;

    wire         packet_ready;
    wire         flit_valid;
    wire [1:0]   flit_class;
    wire         flit_first;
    wire         flit_last;
    wire [127:0] flit_data;
    wire         credit_valid;
    wire [1:0]   credit_class;
    wire [7:0]   credit_flits;
    wire [3 * WIDTH - 1:0] credits;
    wire         credit_overflow;
    wire [2:0]   write_valid;
    wire         write_first;
    wire [127:0] write_data;
    wire [2:0]   end_valid;
    wire [12:0]  causes;
    wire [2:0]   packets;
    wire [2:0]   space;
    wire [3 * WIDTH - 1:0] free_places;
    reg  [2:0]   initialised_q = 3'd0;
    reg  [2:0]   freed_valid_q = 3'd0;
    reg  [17:0]  freed_flits_q;

    // ---- who offers packets -----------------------------------------------------------------------------------------
    reg  [4:0] left_q = 5'd0; // flits of the packet that are to be offered
    reg        start_valid = 1'b0; // its first flit was offered in the last cycle
    reg  [1:0] start_class;
    reg  [4:0] start_flits;
    wire       begins = packet_valid && left_q == 5'd0;
    wire [4:0] left   = begins ? new_flits : left_q;
    wire [1:0] class_now = begins ? new_class : start_class;
    wire [4:0] longest = new_class == 2'd0 ? 5'd14 : new_class == 2'd1 ? 5'd5 : 5'd17;
    wire [4:0] takes   = start_valid && start_class == new_class ? start_flits : 5'd0;
    always @* begin
        assume (!begins || (link_up && new_class != 2'd3 && new_flits != 5'd0 && new_flits <= longest
            && new_flits + takes <= credits[new_class * WIDTH +: WIDTH]));
        assume (!packet_valid || (packet_ready && !rst));
    end
    always @(posedge clk) begin
        left_q      <= left - {4'd0, packet_valid};
        start_valid <= begins;
        if (begins) begin
            start_class <= new_class;
            start_flits <= new_flits;
        end
        if (rst) begin
            left_q      <= 5'd0;
            start_valid <= 1'b0;
        end
    end

    moehub_link_sender u_sender (
        .clk(clk), .rst(rst), .link_up(link_up), .start_valid(start_valid), .start_class(start_class), .start_flits(start_flits),
        .packet_valid(packet_valid), .packet_ready(packet_ready), .packet_class(class_now), .packet_data({127'd0, packet_bit}),
        .packet_last(left == 5'd1), .flit_valid(flit_valid), .flit_class(flit_class), .flit_first(flit_first),
        .flit_last(flit_last), .flit_data(flit_data), .credit_valid(credit_valid), .credit_class(credit_class),
        .credit_flits(credit_flits), .credits(credits), .credit_overflow(credit_overflow)
    );
    moehub_link_receiver u_receiver (
        .clk(clk), .rst(rst), .own(10'd0), .link_up(link_up), .flit_valid(flit_valid), .flit_class(flit_class),
        .flit_first(flit_first), .flit_last(flit_last), .flit_data(flit_data), .credit_valid(credit_valid),
        .credit_class(credit_class), .credit_flits(credit_flits), .initialised(initialised_q), .free_places(free_places),
        .freed_valid(freed_valid_q), .freed_flits(freed_flits_q), .space(space), .write_valid(write_valid),
        .write_first(write_first), .write_targets(), .write_data(write_data), .end_valid(end_valid), .end_good(),
        .end_mark_store(), .end_mark_request(), .end_mark_response(), .causes(causes), .packets(packets), .flit(),
        .error_valid(), .error_cause(), .error_header()
    );

    // ---- the link: it falls at both ends, for four cycles at least --------------------------------------------------
    reg [2:0] low_q = 3'd4; // cycles that it has been low
    reg [3:0] quiet_q = 4'd0; // cycles in which nothing was started, sent or freed
    reg       fell_q = 1'b0; // since reset
    always @* assume (low_q == 3'd0 || low_q == 3'd4 || !link_up);
    always @(posedge clk) begin
        low_q   <= link_up ? 3'd0 : low_q == 3'd4 ? 3'd4 : low_q + 3'd1;
        quiet_q <= start_valid || packet_valid || left_q != 5'd0 || free_valid != 3'd0 || !link_up || initialised_q != 3'd7 || rst
            ? 4'd0 : quiet_q == 4'd15 ? 4'd15 : quiet_q + 4'd1;
        initialised_q <= initialised_q | initialises;
        freed_valid_q <= free_valid;
        freed_flits_q <= free_flits;
        if (low_q == 3'd0 && !link_up) fell_q <= 1'b1;
        if (rst) begin
            initialised_q <= 3'd0;
            freed_valid_q <= 3'd0;
            quiet_q       <= 4'd0;
            fell_q        <= 1'b0;
            low_q         <= 3'd4;
        end
    end

    // ---- stores, class by class; what was started and has not been written ------------------------------------------
    wire [2:0] overdrawn;
    wire [2:0] all_there;
    wire [2:0] emptied;
    genvar c;
    generate
        for (c = 0; c < 3; c = c + 1) begin : g_class
            localparam [WIDTH - 1:0] PLACES = c == 0 ? PLACES_STORE : c == 1 ? PLACES_REQUEST : PLACES_RESPONSE;
            reg [WIDTH - 1:0] used_q = 0;
            reg [WIDTH - 1:0] flying_q = 0;
            wire [5:0] freed = free_valid[c] ? free_flits[6 * c +: 6] : 6'd0;
            always @* assume (freed <= used_q && (!free_valid[c] || freed != 6'd0) && !(rst && free_valid[c]));
            always @(posedge clk) begin
                used_q   <= used_q + write_valid[c] - freed;
                flying_q <= !link_up ? 0 : flying_q + (start_valid && start_class == c ? start_flits : 5'd0) - write_valid[c];
                if (rst) begin
                    used_q   <= 0;
                    flying_q <= 0;
                end
            end
            assign free_places[c * WIDTH +: WIDTH] = PLACES - used_q;
            assign space[c]     = initialised_q[c] && used_q != PLACES;
            assign overdrawn[c] = link_up && low_q == 3'd0 && credits[c * WIDTH +: WIDTH] + flying_q + used_q > PLACES;
            assign all_there[c] = credits[c * WIDTH +: WIDTH] + used_q == PLACES;
            assign emptied[c]   = credits[c * WIDTH +: WIDTH] == 0 && used_q != 0;
        end
    endgenerate

    reg [5:0] started_packets_q = 6'd0;
    reg [5:0] ended_packets_q = 6'd0;
    reg [1:0] bits_q; // of the flits taken one and two cycles ago
    always @(posedge clk) begin
        started_packets_q <= started_packets_q + {5'd0, start_valid};
        ended_packets_q   <= ended_packets_q + {5'd0, |packets};
        bits_q            <= {bits_q[0], packet_bit};
        if (rst) begin
            started_packets_q <= 6'd0;
            ended_packets_q   <= 6'd0;
        end
    end

    always @* begin
        not_overdrawn: assert (!started_q || overdrawn == 3'd0);
        never_full:    assert (!started_q || !causes[`MOEHUB_LINK_CAUSE_PLACE]);
        no_rule_broken: assert (!started_q || causes[11:9] == 3'd0);
        no_overflow:   assert (!started_q || !credit_overflow);
        all_come_back: assert (quiet_q < 4'd10 || all_there == 3'd7);
        all_end:       assert (quiet_q < 4'd5 || fell_q || ended_packets_q == started_packets_q);
        unchanged:     assert (write_valid == 3'd0 || write_data == {127'd0, bits_q[1]});
    end
    always @* begin
        used_up:   cover (emptied[1] && !fell_q && started_q);
        came_back: cover (fell_q && quiet_q == 4'd10);
        restarted: cover (fell_q && |packets && link_up && started_packets_q == 6'd2);
        ended:     cover (quiet_q == 4'd5 && ended_packets_q == 6'd2 && !fell_q);
    end
endmodule
`default_nettype wire
