// SPDX-License-Identifier: Apache-2.0
// moehub_switch_port_report with the counters and the latch that hear it: numbers of events and causes are those of
// doc/plane/switch.md section 7, written here once more from the list there.
`default_nettype none
`include "moehub_crossbar.vh"
`include "moehub_defines.vh"
module formal_switch_port_report (
    input wire         clk,
    input wire         rst,
    input wire         clear, // of the latch, by software
    input wire [12:0]  causes, // the receiver's
    input wire         receiver_error_valid,
    input wire [3:0]   receiver_error_cause,
    input wire [127:0] receiver_error_header,
    input wire [2:0]   packets_in,
    input wire         flit_in,
    input wire [2:0]   initialised,
    input wire [38:0]  free_places,
    input wire [4:0]   crossbar_events,
    input wire         copy_granted,
    input wire         reserved,
    input wire         refused,
    input wire         refused_down,
    input wire         error_results,
    input wire         group_waits,
    input wire [2:0]   packets_out,
    input wire         flit_out,
    input wire         discarded,
    input wire [2:0]   blocked,
    input wire         idle,
    input wire         credit_overflow,
    input wire         command_done,
    input wire         command_refused
);
`include "formal_reset.vh"
    localparam PLACES_STORE    = 14;
    localparam PLACES_REQUEST  = 5;
    localparam PLACES_RESPONSE = 300;
    localparam LATCH_WIDTH     = 5 + 128;

    wire [`MOEHUB_SWITCH_PORT_EVENTS - 1:0] events;
    wire         error_valid;
    wire [4:0]   error_cause;
    wire [127:0] error_header;
    wire [47:0]  used_places;
    wire         empty;
    wire         latched;
    wire [4:0]   latched_cause;
    wire [127:0] latched_header;

    moehub_switch_port_report #(
        .PLACES_STORE(PLACES_STORE), .PLACES_REQUEST(PLACES_REQUEST), .PLACES_RESPONSE(PLACES_RESPONSE)
    ) u_report (
        .causes(causes), .packets_in(packets_in), .flit_in(flit_in), .receiver_error_valid(receiver_error_valid),
        .receiver_error_cause(receiver_error_cause), .receiver_error_header(receiver_error_header),
        .initialised(initialised), .free_places(free_places), .crossbar_events(crossbar_events), .copy_granted(copy_granted),
        .reserved(reserved), .refused(refused), .refused_down(refused_down), .error_results(error_results),
        .group_waits(group_waits), .packets_out(packets_out), .flit_out(flit_out), .discarded(discarded), .blocked(blocked),
        .idle(idle), .credit_overflow(credit_overflow), .command_done(command_done), .command_refused(command_refused),
        .events(events), .error_valid(error_valid), .error_cause(error_cause), .error_header(error_header),
        .used_places(used_places), .empty(empty)
    );
    moehub_error_latch #(.WIDTH(LATCH_WIDTH)) u_latch (
        .clk(clk), .rst(rst), .clear(clear), .error_valid(error_valid), .error({error_cause, error_header}),
        .latched(latched), .caught(), .first({latched_cause, latched_header})
    );

    // The receiver names one of its causes whenever it has one (formal_link_receiver, first_cause).
    always @* begin
        assume (receiver_error_valid == |causes);
        assume (!receiver_error_valid || causes[receiver_error_cause]);
    end

    // ---- the list of the page ---------------------------------------------------------------------------------------
    wire command = command_done && command_refused;
    reg [38:0] listed;
    always @* begin
        listed[12:0]  = causes; // 0..8 of a packet, BAD_CLASS, OUTSIDE, UNENDED, PLACE
        listed[13]    = credit_overflow;
        listed[14]    = discarded;
        listed[15]    = command;
        listed[18:16] = packets_in; // store, request, response class
        listed[21:19] = packets_out;
        listed[22]    = flit_in;
        listed[23]    = flit_out;
        listed[24]    = copy_granted;
        listed[25]    = reserved;
        listed[26]    = refused;
        listed[27]    = error_results;
        listed[30:28] = blocked;
        listed[31]    = idle;
        listed[32]    = crossbar_events[0]; // passes
        listed[33]    = crossbar_events[1]; // joins
        listed[34]    = crossbar_events[2]; // proposals without grant
        listed[35]    = crossbar_events[3]; // waited for a copy record
        listed[36]    = group_waits;
        listed[37]    = crossbar_events[4]; // target flits read
        listed[38]    = refused_down;
    end

    // ---- the latch of the page: the first offender since software freed it, of one cycle the smallest cause ---------
    wire [2:0]  others    = {command, discarded, credit_overflow}; // causes 15, 14, 13
    wire [4:0]  its_cause = |causes ? {1'b0, receiver_error_cause} : others[0] ? 5'd13 : others[1] ? 5'd14 : 5'd15;
    wire        somebody  = |causes || |others;
    reg         held_q = 1'b0;
    reg [4:0]   cause_q;
    reg [127:0] header_q;
    always @(posedge clk) begin
        if (clear || !held_q) begin
            held_q   <= somebody;
            cause_q  <= its_cause;
            header_q <= |causes ? receiver_error_header : 128'd0;
        end
        if (rst) held_q <= 1'b0;
    end
    reg took_with_clear_q = 1'b0; // an offender came in the cycle in which software freed the latch of another one
    always @(posedge clk) took_with_clear_q <= !rst && clear && held_q && somebody;

    wire [15:0] used_store    = initialised[0] ? PLACES_STORE - free_places[12:0] : 16'd0;
    wire [15:0] used_request  = initialised[1] ? PLACES_REQUEST - free_places[25:13] : 16'd0;
    wire [15:0] used_response = initialised[2] ? PLACES_RESPONSE - free_places[38:26] : 16'd0;
    always @* begin
        assume (free_places[12:0] <= PLACES_STORE && free_places[25:13] <= PLACES_REQUEST);
        assume (free_places[38:26] <= PLACES_RESPONSE);
    end

    always @* begin
        counted:        assert (events == listed);
        smallest_cause: assert (error_valid == somebody && (!error_valid || error_cause == its_cause));
        nothing_lost:   assert (!started_q || latched == held_q);
        latched_right:  assert (!started_q || !held_q || (latched_cause == cause_q && latched_header == header_q));
        used:           assert (used_places == {used_response, used_request, used_store});
        empty_right:    assert (empty == (initialised == 3'd7 && {used_response, used_request, used_store} == 48'd0));
    end
    always @* begin
        all_at_once:    cover (&others && |causes && refused && refused_down);
        with_clear:     cover (took_with_clear_q && held_q && cause_q == 5'd15);
        first_of_two:   cover (held_q && cause_q == 5'd13 && header_q == 128'd0 && error_valid && error_cause == 5'd3);
        all_used:       cover (used_response == 16'd300 && used_request == 16'd5 && initialised == 3'd7);
        none_used:      cover (empty);
    end
endmodule
`default_nettype wire
