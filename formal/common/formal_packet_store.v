// SPDX-License-Identifier: Apache-2.0
// moehub_packet_store: places are conserved, a packet's flits are read back unchanged and in order, packets are told in the order
// in which they ended, each by a name of its own. One packet is followed, from its first flit to the flit read last; others come,
// are rejected, named and freed around it. The harness writes as a receiver does, and frees what `find` has shown.
// Of a flit one bit is looked at: the others go the same way.
`default_nettype none
`include "moehub_width.vh"
module formal_packet_store #(
    parameter LONGEST      = 2,
    parameter SHORTEST     = 1,
    parameter PLACES       = 3,
    parameter TARGET_QUEUE = 0
) (
    input wire                                                clk,
    input wire                                                rst,
    input wire                                                write_valid,
    input wire                                                write_bit,
    input wire [2:0]                                          write_targets,
    input wire                                                end_valid,
    input wire                                                end_good,
    input wire                                                end_mark,
    input wire                                                packet_ready,
    input wire                                                targets_ready,
    input wire                                                find_valid,
    input wire [`MOEHUB_INDEX_WIDTH(PLACES / SHORTEST) - 1:0] find_name,
    input wire                                                free_valid,
    input wire                                                follow, // this packet
    input wire                                                walk   // read the packet that is followed, from its head
);
`include "formal_reset.vh"
    localparam PACKETS     = PLACES / SHORTEST;
    localparam NAME_WIDTH  = `MOEHUB_INDEX_WIDTH(PACKETS);
    localparam PLACE_WIDTH = `MOEHUB_INDEX_WIDTH(PLACES + 1);

    wire                     initialised;
    wire                     space;
    wire                     packet_valid;
    wire [NAME_WIDTH - 1:0]  packet_name;
    wire [4:0]               packet_flits;
    wire                     packet_mark;
    wire                     packet_listed;
    wire                     targets_valid;
    wire [127:0]             targets_data;
    wire                     read_valid;
    wire [PLACE_WIDTH - 1:0] read_place;
    wire [127:0]             read_data;
    wire [PLACE_WIDTH - 1:0] read_next;
    wire [PLACE_WIDTH - 1:0] find_head;
    wire [PLACE_WIDTH - 1:0] find_body;
    wire [PLACE_WIDTH - 1:0] find_last;
    wire [4:0]               find_flits;
    wire                     find_mark;
    wire                     freed_valid;
    wire [5:0]               freed_flits;
    wire [PLACE_WIDTH - 1:0] free_places;
    wire [$clog2(PACKETS + 1) - 1:0] free_names;

    reg                     open_q = 1'b0; // a flit of a packet was written, and it has not ended
    reg [4:0]               flits_q; // of the packet begun last
    reg [2:0]               told_q; // target flits
    reg                     found_q = 1'b0; // find gives this name's packet now
    reg [NAME_WIDTH - 1:0]  found_name_q;
    wire                    write_first = !open_q || end_valid;

    moehub_packet_store #(
        .LONGEST(LONGEST), .SHORTEST(SHORTEST), .PLACES(PLACES), .TARGET_QUEUE(TARGET_QUEUE), .MARK_WIDTH(1)
    ) u_store (
        .clk(clk), .rst(rst), .initialised(initialised), .space(space), .write_valid(write_valid), .write_first(write_first),
        .write_targets(write_targets), .write_data({127'd0, write_bit}), .end_valid(end_valid), .end_good(end_good),
        .end_mark(end_mark), .packet_valid(packet_valid), .packet_ready(packet_ready), .packet_name(packet_name),
        .packet_flits(packet_flits), .packet_mark(packet_mark), .packet_listed(packet_listed), .targets_valid(targets_valid),
        .targets_ready(targets_ready), .targets_data(targets_data), .read_valid(read_valid), .read_place(read_place),
        .read_data(read_data), .read_next(read_next), .find_valid(find_valid), .find_name(find_name), .find_head(find_head),
        .find_body(find_body), .find_last(find_last), .find_flits(find_flits), .find_mark(find_mark), .free_valid(free_valid),
        .free_name(found_name_q), .free_head(find_head), .free_last(find_last), .free_flits(find_flits),
        .freed_valid(freed_valid), .freed_flits(freed_flits), .free_places(free_places), .free_names(free_names)
    );

    // ---- writer: a receiver -----------------------------------------------------------------------------------------
    always @* begin
        assume (!write_valid || (space && !rst));
        assume (!write_valid || write_first || flits_q < LONGEST);
        assume (!end_valid || (open_q && !rst));
        assume (!end_valid || !end_good || (flits_q >= SHORTEST && flits_q > {2'd0, told_q}));
    end
    always @(posedge clk) begin
        if (end_valid) open_q <= 1'b0;
        if (write_valid) begin
            open_q  <= 1'b1;
            flits_q <= write_first ? 5'd1 : flits_q + 5'd1;
            if (write_first) told_q <= write_targets;
        end
        if (rst) open_q <= 1'b0;
    end
    wire good = end_valid && end_good;
    wire bad  = end_valid && !end_good;

    // ---- places -----------------------------------------------------------------------------------------------------
    reg [7:0] used_q = 8'd0;
    reg [5:0] leaving_q = 6'd0; // flits of the packet that was freed in the last cycle
    reg [5:0] freed_q = 6'd0;
    reg [7:0] age_q = 8'd0; // cycles since reset
    wire [5:0] back = (bad ? {1'b0, flits_q} : 6'd0) + leaving_q;
    always @(posedge clk) begin
        leaving_q <= free_valid ? {1'b0, find_flits} : 6'd0;
        used_q    <= used_q + {7'd0, write_valid} - {2'd0, back};
        freed_q   <= back;
        if (age_q != 8'hff) age_q <= age_q + 8'd1;
        if (rst) begin
            leaving_q <= 6'd0;
            used_q    <= 8'd0;
            freed_q   <= 6'd0;
            age_q     <= 8'd0;
        end
    end

    // ---- names: from the packet stream until they are freed ---------------------------------------------------------
    reg [PACKETS - 1:0] live_q = {PACKETS{1'b0}};
    reg [4:0]           flits_of_q [0:PACKETS - 1];
    reg                 mark_of_q [0:PACKETS - 1];
    reg [7:0]           waiting_q = 8'd0; // packets that have ended, and have not been taken
    reg [7:0]           named_q = 8'd0; // the same and those taken
    reg                 prompt_q = 1'b0; // a packet that ended in the last cycle is the only one that waits
    wire taken = packet_valid && packet_ready && !rst;
    always @* begin
        assume (!find_valid || (find_name < PACKETS && live_q[find_name] && !rst));
        assume (!free_valid || (found_q && live_q[found_name_q] && !rst));
    end
    always @(posedge clk) begin
        if (find_valid) found_name_q <= find_name;
        found_q <= find_valid ? !(free_valid && find_name == found_name_q) : found_q && !free_valid;
        if (free_valid) live_q[found_name_q] <= 1'b0;
        if (taken) begin
            live_q[packet_name]     <= 1'b1;
            flits_of_q[packet_name] <= packet_flits;
            mark_of_q[packet_name]  <= packet_mark;
        end
        waiting_q <= waiting_q + {7'd0, good} - {7'd0, taken};
        named_q   <= named_q + {7'd0, good} - {7'd0, free_valid};
        prompt_q  <= good && (waiting_q == 8'd0 ? !taken : waiting_q == 8'd1 && taken);
        if (rst) begin
            live_q    <= {PACKETS{1'b0}};
            found_q   <= 1'b0;
            waiting_q <= 8'd0;
            named_q   <= 8'd0;
            prompt_q  <= 1'b0;
        end
    end

    // ---- the packet that is followed --------------------------------------------------------------------------------
    reg                     writing_q = 1'b0; // it is the open one
    reg                     queued_q = 1'b0; // it has ended and was not taken
    reg                     held_q = 1'b0; // it was taken, and not freed
    reg [LONGEST - 1:0]     bits_q; // of its flits
    reg [4:0]               its_flits_q;
    reg [2:0]               its_told_q;
    reg                     its_mark_q;
    reg [7:0]               ahead_q; // packets that will be taken before it
    reg [NAME_WIDTH - 1:0]  its_name_q;
    reg                     walking_q = 1'b0; // read_data is its flit number index_q, of place place_q
    reg [4:0]               index_q;
    reg [PLACE_WIDTH - 1:0] place_q;
    reg [PLACE_WIDTH - 1:0] last_q;
    reg [PLACE_WIDTH - 1:0] body_q;

    wire followed_q = writing_q || queued_q || held_q;
    wire begins     = write_valid && write_first && follow && !followed_q;
    wire its_end    = writing_q && good && waiting_q == 8'd0; // it shows as it ends
    wire its_turn   = taken && (its_end || (queued_q && ahead_q == 8'd0));
    wire its_find   = found_q && held_q && found_name_q == its_name_q;
    wire at_end     = index_q + 5'd1 == its_flits_q;
    wire starts     = walk && its_find && !walking_q && !free_valid;
    wire steps      = walk && walking_q && !at_end;
    assign read_valid = (starts || steps) && !rst;
    assign read_place = starts ? find_head : read_next;
    always @* assume (!free_valid || !(held_q && found_name_q == its_name_q && walking_q));
    always @(posedge clk) begin
        if (begins) begin
            writing_q  <= 1'b1;
            its_told_q <= write_targets;
            bits_q[0]  <= write_bit;
        end else if (writing_q && end_valid) begin
            writing_q   <= 1'b0;
            queued_q    <= end_good;
            its_flits_q <= flits_q;
            its_mark_q  <= end_mark;
            ahead_q     <= waiting_q - {7'd0, taken};
        end
        if (writing_q && write_valid && !write_first) bits_q[flits_q] <= write_bit;
        if (queued_q && taken) ahead_q <= ahead_q - 8'd1;
        if (its_turn) begin
            queued_q   <= 1'b0;
            held_q     <= 1'b1;
            its_name_q <= packet_name;
        end
        if (free_valid && held_q && found_name_q == its_name_q) held_q <= 1'b0;
        if (read_valid) begin
            index_q   <= starts ? 5'd0 : index_q + 5'd1;
            place_q   <= read_place;
            walking_q <= 1'b1;
        end else if (walk && walking_q && at_end) walking_q <= 1'b0;
        if (starts) begin
            last_q <= find_last;
            body_q <= find_body;
        end
        if (rst) begin
            writing_q <= 1'b0;
            queued_q  <= 1'b0;
            held_q    <= 1'b0;
            walking_q <= 1'b0;
        end
    end

    always @* begin
        conserved:   assert (!started_q || !initialised || {8'd0, free_places} + used_q == PLACES);
        overrun:     assert (!started_q || space == (initialised && free_places != {PLACE_WIDTH{1'b0}}));
        freed_told:  assert (!started_q || (freed_valid ? freed_flits == freed_q : freed_q == 6'd0));
        starts_up:   assert (!started_q || initialised == (age_q >= PLACES));
        names:       assert (!started_q || {8'd0, free_names} + named_q == PACKETS);
        own_name:    assert (!started_q || !packet_valid || (packet_name < PACKETS && !live_q[packet_name]));
        prompt:      assert (packet_valid || (!prompt_q && !(good && waiting_q == 8'd0)));
        none_made:   assert (!started_q || !packet_valid || waiting_q != 8'd0 || good);
        in_order:    assert (!(queued_q && ahead_q == 8'd0 && packet_valid)
                         || (packet_flits == its_flits_q && packet_mark == its_mark_q));
        at_once:     assert (!(its_end && packet_valid) || (packet_flits == flits_q && packet_mark == end_mark));
        found:       assert (!its_find || (find_flits == its_flits_q && find_mark == its_mark_q));
        found_other: assert (!(found_q && live_q[found_name_q])
                         || (find_flits == flits_of_q[found_name_q] && find_mark == mark_of_q[found_name_q]));
        unchanged:   assert (!walking_q || read_data[0] == bits_q[index_q]);
        last_place:  assert (!(walking_q && at_end) || place_q == last_q);
        body_place:  assert (!(walking_q && index_q == {2'd0, its_told_q} + 5'd1) || place_q == body_q);
    end
    reg full_q = 1'b0; // all places were in use
    reg rewound_q = 1'b0; // a packet was rejected while another is followed
    reg both_q = 1'b0; // a rewind and a splice in one cycle
    always @(posedge clk) begin
        if (used_q == PLACES) full_q <= 1'b1;
        if (bad && followed_q && !writing_q) rewound_q <= 1'b1;
        if (bad && leaving_q != 6'd0) both_q <= 1'b1;
        if (rst) {full_q, rewound_q, both_q} <= 3'd0;
    end
    always @* begin
        walked:      cover (walking_q && at_end && full_q && its_flits_q == LONGEST);
        all_named:   cover (named_q == PACKETS && waiting_q == 8'd0);
        met:         cover (both_q && used_q == 8'd0);
        freed_full:  cover (full_q && rewound_q && used_q == 8'd0);
        queued:      cover (queued_q && ahead_q != 8'd0 && taken);
        passed:      cover (its_end && taken && write_valid);
        has_body:    cover (walking_q && its_told_q != 3'd0 && index_q == {2'd0, its_told_q} + 5'd1);
    end
endmodule
`default_nettype wire
