// SPDX-License-Identifier: Apache-2.0
// moehub_link_receiver against any sender: each flit is treated as the table of doc/plane/link.md section 3 says, which is
// written here once more as it stands: flit by flit, in the order of its lines. Stores are free: space may come and go.
`default_nettype none
`include "moehub_defines.vh"
module formal_link_receiver (
    input wire         clk,
    input wire         rst,
    input wire         link_up,
    input wire         flit_valid,
    input wire [1:0]   flit_class,
    input wire         flit_first,
    input wire         flit_last,
    input wire [127:0] flit_data,
    input wire [2:0]   space
);
`include "formal_reset.vh"
    wire [2:0]   write_valid;
    wire         write_first;
    wire [127:0] write_data;
    wire [2:0]   end_valid;
    wire         end_good;
    wire [12:0]  causes;
    wire [2:0]   packets;
    wire         flit;
    wire         error_valid;
    wire [3:0]   error_cause;
    wire [127:0] error_header;

    moehub_link_receiver u_receiver (
        .clk(clk), .rst(rst), .own(10'd0), .link_up(link_up), .flit_valid(flit_valid), .flit_class(flit_class),
        .flit_first(flit_first), .flit_last(flit_last), .flit_data(flit_data), .credit_valid(), .credit_class(), .credit_flits(),
        .initialised(3'd0), .free_places(39'd0), .freed_valid(3'd0), .freed_flits(18'd0), .space(space),
        .write_valid(write_valid), .write_first(write_first), .write_targets(), .write_data(write_data), .end_valid(end_valid),
        .end_good(end_good), .end_mark_store(), .end_mark_request(), .end_mark_response(), .causes(causes), .packets(packets),
        .flit(flit), .error_valid(error_valid), .error_cause(error_cause), .error_header(error_header)
    );

    // The flit of the last cycle, and what is on the wires now: a first flit, or link_up low, ends the packet of the former.
    reg         here_q = 1'b0;
    reg [1:0]   class_q;
    reg         first_q;
    reg         last_q;
    reg [127:0] data_q;

    // ---- the table, for the flit of the last cycle ------------------------------------------------------------------
    reg        open_q = 1'b0;
    reg [1:0]  its_class_q; // of the packet begun last
    reg [4:0]  places_q; // that it has
    reg        broken_q;

    reg        bad_class;
    reg        outside;
    reg        unended; // ended the packet before, one cycle ago
    reg        place;
    reg        stores;
    reg        ends;
    reg        open;
    reg        broken;
    reg [1:0]  its_class;
    reg [4:0]  places;
    reg        writes_first;
    wire [4:0] longest = its_class == 2'd0 ? 5'd14 : its_class == 2'd1 ? 5'd5 : 5'd17;

    always @* begin
        bad_class = 1'b0;
        outside   = 1'b0;
        place     = 1'b0;
        stores    = 1'b0;
        ends      = 1'b0;
        open      = open_q;
        broken    = broken_q;
        its_class = its_class_q;
        places    = places_q;
        writes_first = 1'b0;
        if (here_q) begin
            if (class_q == 2'd3 || (!first_q && open_q && class_q != its_class_q)) begin
                bad_class = 1'b1;
                broken    = broken_q || open_q;
            end else if (!open_q && !first_q) outside = 1'b1;
            else begin
                if (first_q) begin // a packet that was open has been ended by it
                    open      = 1'b1;
                    broken    = 1'b0;
                    its_class = class_q;
                    places    = 5'd0;
                end
                if (!space[its_class]) begin
                    place  = 1'b1;
                    broken = 1'b1;
                end else if (places == longest) broken = 1'b1;
                else begin
                    stores       = 1'b1;
                    writes_first = places == 5'd0;
                    places       = places + 5'd1;
                end
                if (last_q) begin
                    ends = 1'b1;
                    open = 1'b0;
                end
            end
        end
    end
    wire cuts = open && (!link_up || (flit_valid && flit_first && flit_class != 2'd3));
    wire ended = ends || cuts;

    reg       ended_q = 1'b0;
    reg       unended_q = 1'b0;
    reg       ended_broken_q;
    reg       ended_stored_q;
    reg [1:0] ended_class_q;
    reg       bad_class_q = 1'b0;
    reg       outside_q = 1'b0;
    reg       place_q = 1'b0;
    reg       came_q = 1'b0;
    always @(posedge clk) begin
        here_q         <= flit_valid && link_up && !rst;
        class_q        <= flit_class;
        first_q        <= flit_first;
        last_q         <= flit_last;
        data_q         <= flit_data;
        open_q         <= open && !cuts && !rst;
        broken_q       <= broken;
        its_class_q    <= its_class;
        places_q       <= places;
        ended_q        <= ended && !rst;
        unended_q      <= cuts && link_up && !rst;
        ended_broken_q <= broken || cuts;
        ended_stored_q <= places != 5'd0;
        ended_class_q  <= its_class;
        bad_class_q    <= bad_class && !rst;
        outside_q      <= outside && !rst;
        place_q        <= place && !rst;
        came_q         <= here_q && !rst;
    end
    wire [2:0] class_bit = 3'd1 << its_class;
    wire [2:0] ended_bit = 3'd1 << ended_class_q;
    wire       of_a_flit = bad_class_q || outside_q || place_q;

    always @* begin
        writes:      assert (!started_q || write_valid == (stores ? class_bit : 3'd0));
        begins:      assert (!started_q || !stores || (write_first == writes_first && write_data == data_q));
        ends_told:   assert (!started_q || end_valid == (ended_q && ended_stored_q ? ended_bit : 3'd0));
        counted:     assert (!started_q || (packets == (ended_q ? ended_bit : 3'd0) && flit == came_q));
        link_causes: assert (!started_q || causes[12:9] == {place_q, unended_q, outside_q, bad_class_q});
        one_verdict: assert (!started_q || (causes[8:0] & (causes[8:0] - 9'd1)) == 9'd0);
        malformed:   assert (!(ended_q && ended_broken_q) || (causes[8:0] != 9'd0 && (!end_good || ended_class_q == 2'd1)));
        kept_whole:  assert (!(ended_q && end_good) || causes[8:0] == 9'd0 || ended_class_q == 2'd1);
        first_cause: assert (!started_q || (error_valid == (causes != 13'd0) && (!error_valid || causes[error_cause])
                         && (!of_a_flit || (error_cause >= 4'd9 && error_cause != 4'd11 && error_header == 128'd0))
                         && (of_a_flit || !unended_q || error_cause == 4'd11)));
    end
    reg longest_q = 1'b0;
    always @(posedge clk) longest_q <= !rst && (longest_q || (places == 5'd5 && its_class == 2'd1));
    always @* begin
        cut_by_next:  cover (unended_q && ended_stored_q && place_q);
        cut_by_link:  cover (ended_q && !unended_q && ended_broken_q && !came_q);
        too_long:     cover (longest_q && here_q && broken && places == 5'd5 && its_class == 2'd1 && ends);
        no_header:    cover (stores && writes_first && !first_q);
        wrong_class:  cover (bad_class_q && ended_q && ended_stored_q);
    end
endmodule
`default_nettype wire
