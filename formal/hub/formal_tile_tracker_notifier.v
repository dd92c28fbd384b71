// SPDX-License-Identifier: Apache-2.0
// moehub_tile_tracker_notifier: tiles are taken one by one, contexts in turn; each tile's beats are asked for in order, once,
// where there is a place; each word is told once, in order, as a notify to its owner or as a fault; who has a tile in the
// machine is notifying. One tile and one word of it are the solver's choice.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_tile_tracker.vh"
module formal_tile_tracker_notifier #(
    parameter LINKS         = 2,
    parameter GPUS          = 3,
    parameter CONTEXTS      = 2,
    parameter TILE_WIDTH    = 2,
    parameter ADDRESS_WIDTH = 32,
    parameter MOST_ROWS     = 5,  // of a tile
    parameter WORDS         = 1   // 0: no word's data are followed
) (
    input wire                                clk,
    input wire                                rst,
    input wire [LINKS - 1:0]                  link_up,
    input wire [CONTEXTS * 4 - 1:0]           rounds,
    input wire [CONTEXTS * GPUS - 1:0]        peers,
    input wire [CONTEXTS * 5 - 1:0]           owner_shifts,
    input wire [CONTEXTS * 4 - 1:0]           tile_shifts,
    input wire [CONTEXTS * ADDRESS_WIDTH - 1:0] list_bases,
    input wire [CONTEXTS * 5 - 1:0]           list_shifts,
    input wire [CONTEXTS - 1:0]               filled,
    input wire [8 + TILE_WIDTH - 1:0]         ring_word,
    input wire                                look_take,
    input wire                                look_valid,
    input wire [`MOEHUB_TILE_WIDTH - 1:0]     tile,
    input wire                                arready,
    input wire                                rvalid,
    input wire [127:0]                        rdata,
    input wire [1:0]                          rresp,
    input wire                                tready,
    input wire                                mark
);
`include "formal_reset.vh"
    (* anyconst *) wire [9:0]  own;
    (* anyconst *) wire [12:0] its_number; // of the word that is watched, in its tile
    wire                                      pop;
    wire [2:0]                                pop_context;
    wire                                      look_ask;
    wire [`MOEHUB_TILE_OPERATION_WIDTH - 1:0] look;
    wire                                      arvalid;
    wire [ADDRESS_WIDTH - 1:0]                araddr;
    wire                                      tvalid;
    wire [`MOEHUB_NOTICE_WIDTH - 1:0]         tdata;
    wire                                      sent;
    wire                                      fault_valid;
    wire [`MOEHUB_TRACKER_ERROR_WIDTH - 1:0]  fault;
    wire [CONTEXTS - 1:0]                     notifying;
    moehub_tile_tracker_notifier #(
        .LINKS(LINKS), .GPUS(GPUS), .CONTEXTS(CONTEXTS), .ADDRESS_WIDTH(ADDRESS_WIDTH), .TILE_WIDTH(TILE_WIDTH)
    ) u_notifier (
        .clk(clk), .rst(rst), .own(own), .link_up(link_up), .rounds(rounds), .peers(peers), .owner_shifts(owner_shifts),
        .tile_shifts(tile_shifts), .list_bases(list_bases), .list_shifts(list_shifts), .filled(filled), .pop(pop),
        .pop_context(pop_context), .ring_word(ring_word), .look_ask(look_ask), .look_take(look_take), .look(look),
        .look_valid(look_valid), .tile(tile), .m_axi_list_arvalid(arvalid), .m_axi_list_arready(arready),
        .m_axi_list_araddr(araddr), .m_axi_list_rvalid(rvalid), .m_axi_list_rdata(rdata), .m_axi_list_rresp(rresp),
        .m_axis_notices_tvalid(tvalid), .m_axis_notices_tready(tready), .m_axis_notices_tdata(tdata), .sent(sent),
        .fault_valid(fault_valid), .fault(fault), .notifying(notifying)
    );
    formal_stream_assert #(.WIDTH(ADDRESS_WIDTH)) u_ar (.clk(clk), .rst(rst), .valid(arvalid), .ready(arready), .data(araddr));
    formal_stream_assert #(.WIDTH(`MOEHUB_NOTICE_WIDTH)) u_notices (
        .clk(clk), .rst(rst), .valid(tvalid), .ready(tready), .data(tdata)
    );

    // ---- rings: filled until the pop of the last word, seen two cycles later; a word comes three cycles after its pop -------
    reg  [CONTEXTS - 1:0] filled_q = {CONTEXTS{1'b0}};
    reg  [CONTEXTS - 1:0] pop_1_q  = {CONTEXTS{1'b0}}; // by context
    reg  [CONTEXTS - 1:0] pop_2_q  = {CONTEXTS{1'b0}};
    reg                   pop_3_q  = 1'b0;
    wire [CONTEXTS - 1:0] pops     = pop && !rst ? {{CONTEXTS - 1{1'b0}}, 1'b1} << pop_context : {CONTEXTS{1'b0}};
    always @* begin
        assume ((filled_q & ~filled & ~pop_2_q) == {CONTEXTS{1'b0}});
        assume (!reset_q || filled == {CONTEXTS{1'b0}});
    end
    always @(posedge clk) begin
        filled_q <= filled & {CONTEXTS{!rst}};
        pop_1_q  <= pops;
        pop_2_q  <= pop_1_q & {CONTEXTS{!rst}};
        pop_3_q  <= |pop_2_q && !rst;
    end

    // ---- the tile that was taken last: popped, looked at, its beats asked for -----------------------------------------------
    localparam [2:0] IDLE   = 3'd0;
    localparam [2:0] POPPED = 3'd1; // its ring's word is to come
    localparam [2:0] WAITS  = 3'd2; // for its turn to be looked at
    localparam [2:0] LOOKED = 3'd3; // its rows are to come
    localparam [2:0] ASKS   = 3'd4; // for its beats
    reg  [2:0]              phase_q = IDLE;
    reg  [2:0]              tile_context_q;
    reg  [7:0]              expert_q;
    reg  [TILE_WIDTH - 1:0] number_q;
    reg  [12:0]             rows_q;
    reg  [12:0]             asked_q;   // its beats that were offered
    reg                     ar_stalled_q = 1'b0;
    wire [12:0]             rows;
    wire [30:0]             unused_balance;
    wire [7:0]              unused_computed;
    wire [7:0]              unused_finished;
    wire [1:0]              unused_state;
    wire                    flagged;
    assign `MOEHUB_TILE(rows, unused_balance, unused_computed, unused_finished, unused_state, flagged) = tile;
    always @* begin
        assume (!look_take || look_ask);
        assume (!look_valid || phase_q == LOOKED);
        assume (!look_valid || (rows <= MOST_ROWS && rows <= 13'd1 << tile_shifts[tile_context_q * 4 +: 4]));
        assume (!pop_3_q || ring_word[TILE_WIDTH +: 8] < 8'd4);
    end
    // Addresses of words: of the tile's first one, and of the one that is watched. A beat's words are four.
    wire [ADDRESS_WIDTH - 1:0] base = list_bases[tile_context_q * ADDRESS_WIDTH +: ADDRESS_WIDTH];
    wire [4:0]  shift     = list_shifts[tile_context_q * 5 +: 5];
    wire [31:0] in_list   = ~(32'hffffffff << shift);
    wire [31:0] first     = {{32 - TILE_WIDTH{1'b0}}, number_q} << tile_shifts[tile_context_q * 4 +: 4];
    wire [31:0] its_slot  = first + {19'd0, its_number};
    wire [ADDRESS_WIDTH - 1:0] first_at = base + ({24'd0, expert_q} << shift) * 4 + (first & in_list) * 4;
    wire [ADDRESS_WIDTH - 1:0] its_at   = base + ({24'd0, expert_q} << shift) * 4 + (its_slot & in_list) * 4;
    wire [12:0] its_beat  = ({11'd0, first_at[3:2]} + its_number) >> 2;
    wire [12:0] all_beats = ({11'd0, first_at[3:2]} + rows_q + 13'd3) >> 2;
    wire        offers    = arvalid && !ar_stalled_q && !rst;
    wire        last      = offers && asked_q + 13'd1 == all_beats;
    always @(posedge clk) begin
        ar_stalled_q <= arvalid && !arready && !rst;
        asked_q      <= look_valid ? 13'd0 : asked_q + {12'd0, offers};
        case (phase_q)
            IDLE: if (pop) begin
                phase_q        <= POPPED;
                tile_context_q <= pop_context;
            end
            POPPED: if (pop_3_q) begin
                phase_q              <= WAITS;
                {expert_q, number_q} <= ring_word;
            end
            WAITS: if (look_take) phase_q <= LOOKED;
            LOOKED: if (look_valid) begin
                phase_q <= rows == 13'd0 ? IDLE : ASKS;
                rows_q  <= rows;
            end
            default: if (last) phase_q <= IDLE;
        endcase
        if (rst) phase_q <= IDLE;
    end

    // ---- the registers of contexts stay while they are notifying ---------------------------------------------------------
    reg [CONTEXTS - 1:0]        notifying_q = {CONTEXTS{1'b0}};
    reg [CONTEXTS * 4 - 1:0]    rounds_q;
    reg [CONTEXTS * GPUS - 1:0] peers_q;
    reg [CONTEXTS * 5 - 1:0]    owner_shifts_q;
    reg [CONTEXTS * 4 - 1:0]    tile_shifts_q;
    reg [CONTEXTS * ADDRESS_WIDTH - 1:0] list_bases_q;
    reg [CONTEXTS * 5 - 1:0]    list_shifts_q;
    reg [LINKS - 1:0]           link_up_q;
    localparam [ADDRESS_WIDTH - 1:0] OF_FOUR = -16;
    integer c;
    always @* for (c = 0; c < CONTEXTS; c = c + 1) begin
`ifndef FORMAL_MUTANTS
        assume (tile_shifts[c * 4 +: 4] <= 4'd3 && list_shifts[c * 5 +: 5] <= 5'd6);
`endif
        assume ({1'b0, tile_shifts[c * 4 +: 4]} <= list_shifts[c * 5 +: 5]);      // a tile is within the list
        assume ((list_bases[c * ADDRESS_WIDTH +: ADDRESS_WIDTH] & ~(OF_FOUR << list_shifts[c * 5 +: 5])) == 0); // experts
        assume (owner_shifts[c * 5 +: 5] >= 5'd14);                               // at most 18 bits of owner
        if (WORDS == 0 ? phase_q != IDLE && tile_context_q == c : notifying_q[c]) begin // covers_ask: the first is less
            assume (rounds[c * 4 +: 4] == rounds_q[c * 4 +: 4] && peers[c * GPUS +: GPUS] == peers_q[c * GPUS +: GPUS]);
            assume (owner_shifts[c * 5 +: 5] == owner_shifts_q[c * 5 +: 5]);
            assume (tile_shifts[c * 4 +: 4] == tile_shifts_q[c * 4 +: 4]);
            assume (list_bases[c * ADDRESS_WIDTH +: ADDRESS_WIDTH] == list_bases_q[c * ADDRESS_WIDTH +: ADDRESS_WIDTH]);
            assume (list_shifts[c * 5 +: 5] == list_shifts_q[c * 5 +: 5]);
        end
    end
    always @(posedge clk) begin
        notifying_q    <= notifying & {CONTEXTS{!rst}};
        rounds_q       <= rounds;
        peers_q        <= peers;
        owner_shifts_q <= owner_shifts;
        tile_shifts_q  <= tile_shifts;
        list_bases_q   <= list_bases;
        list_shifts_q  <= list_shifts;
        link_up_q      <= link_up;
    end

    // ---- what is to come, and what is to be told ----------------------------------------------------------------------------
    reg  [15:0] to_come_q  = 16'd0; // beats whose address was taken
    reg  [15:0] untold_q   = 16'd0; // words
    reg         stalled_q  = 1'b0;  // a notify was offered and not taken
    wire        takes      = arvalid && arready && !rst;
    wire        comes      = rvalid && !rst;
    wire        fresh      = tvalid && !stalled_q && !rst; // a notify is offered
    wire        told       = (sent || fault_valid) && !rst; // a word
    always @* begin
        assume (!rvalid || to_come_q != 16'd0);
        assume (rresp != 2'd1); // no exclusive reads
    end
    always @(posedge clk) begin
        to_come_q <= to_come_q + {15'd0, takes} - {15'd0, comes};
        untold_q  <= untold_q + (look_valid ? {3'd0, rows} : 16'd0) - {15'd0, told};
        stalled_q <= tvalid && !tready && !rst;
        if (rst) begin
            to_come_q <= 16'd0;
            untold_q  <= 16'd0;
        end
    end

    // ---- a tile that is marked at its LOOK, and a word of it ----------------------------------------------------------------
    reg         its_q = 1'b0;     // until it was told
    reg  [2:0]  its_context_q;
    reg         its_flagged_q;
    reg  [1:0]  its_lane_q;
    reg  [15:0] ahead_q;          // words before it that were not told
    reg         its_asked_q;      // its beat's address was offered
    reg  [15:0] beats_ahead_q;    // ... beats before it that have not come
    reg         its_come_q;
    reg  [31:0] its_row_q;
    reg         its_error_q;
    reg  [3:0]  waits_q = 4'd0;   // cycles in which it could be told
    wire        marks     = look_valid && mark && !its_q && its_number < rows && !rst;
    wire        its_offer = its_q && !its_asked_q && offers && asked_q == its_beat;
    wire        its_come  = its_q && its_asked_q && !its_come_q && comes && beats_ahead_q == 16'd0;
    wire        its_told  = its_q && told && ahead_q == 16'd0;
    always @(posedge clk) begin
        if (marks) begin
            its_q         <= 1'b1;
            its_context_q <= tile_context_q;
            its_flagged_q <= flagged;
            ahead_q       <= untold_q + {3'd0, its_number} - {15'd0, told};
            its_asked_q   <= 1'b0;
            its_come_q    <= 1'b0;
        end else if (its_q) begin
            if (its_offer) begin
                its_asked_q   <= 1'b1;
                its_lane_q    <= its_at[3:2];
                beats_ahead_q <= to_come_q - {15'd0, comes};
            end
            if (its_asked_q && comes) beats_ahead_q <= beats_ahead_q - 16'd1;
            if (its_come) begin
                its_come_q  <= 1'b1;
                its_row_q   <= rdata >> (its_lane_q * 32);
                its_error_q <= rresp[1];
            end
            if (told) ahead_q <= ahead_q - 16'd1;
            if (its_told) its_q <= 1'b0;
        end
        waits_q <= its_q && its_come_q && ahead_q == 16'd0 && !its_told && !(tvalid && !tready)
            ? waits_q + {3'd0, waits_q != 4'd15} : tvalid && !tready ? waits_q : 4'd0;
        if (rst) begin
            its_q   <= 1'b0;
            waits_q <= 4'd0;
        end
    end

    // The beat that the stand-in for the FIFO keeps is its one. A block of mutants has the FIFO, and no names inside.
`ifndef FORMAL_MUTANTS
    (* hierconn *) wire \u_notifier.u_beats.g_marked.mark ;
    always @* assume (WORDS == 0 || \u_notifier.u_beats.g_marked.mark == its_come);
`endif

    // ---- how it is to be told, by what was a cycle ago ----------------------------------------------------------------------
    wire [31:0] owner   = its_row_q >> owner_shifts_q[its_context_q * 5 +: 5];
    wire        is_peer = owner < GPUS && |(peers_q >> (its_context_q * GPUS + owner) & 1'b1);
    wire        good    = is_peer && !its_error_q;
    reg  [2:0]  its_way;
    reg  [31:0] link;
    integer     i;
    always @* begin
        its_way = owner % LINKS;
        link    = 32'd0;
        for (i = LINKS - 1; i >= 0; i = i - 1) begin // the first counts last
            link = (owner + i) % LINKS;
            if (link_up_q[link]) its_way = link[2:0];
        end
        if (owner == {22'd0, own}) its_way = LINKS;
    end
    wire [127:0] its_flit = {5'd0, rounds_q[its_context_q * 4 +: 4], 6'd0, 1'b1, its_row_q, owner[15:0], 4'd0,
        its_flagged_q ? 4'd12 : 4'd0, 24'd0, its_context_q, own, 15'd0, 4'd8};

    // ---- tiles of each context in the machine -------------------------------------------------------------------------------
    reg  [3:0] waits_turn_q = 4'd0; // pops of others while its ring is filled
    (* anyconst *) wire [2:0] its_turn;
    always @* assume (its_turn < CONTEXTS);
    reg  [3:0] idle_q = 4'd0;      // cycles without a tile
    reg  [3:0] ready_q = 4'd0;     // ... with a ring that is filled
    reg  [3:0] asks_late_q = 4'd0; // cycles in which it could ask for a beat
    reg        look_waits_q = 1'b0;
    reg  [`MOEHUB_TILE_OPERATION_WIDTH - 1:0] look_q;
    wire       empty = phase_q == IDLE && !pop && untold_q == 16'd0 && !tvalid && !rst;
    always @(posedge clk) begin
        waits_turn_q <= rst || !filled[its_turn] || pops[its_turn] ? 4'd0 : waits_turn_q + {3'd0, pop};
        idle_q       <= empty && filled == {CONTEXTS{1'b0}} ? idle_q + {3'd0, idle_q != 4'd15} : 4'd0;
        ready_q      <= phase_q == IDLE && !pop && has_tile_room && !rst && filled != {CONTEXTS{1'b0}}
            ? ready_q + {3'd0, ready_q != 4'd15} : 4'd0;
        asks_late_q  <= phase_q == ASKS && !arvalid && has_room && !rst ? asks_late_q + {3'd0, asks_late_q != 4'd15} : 4'd0;
        look_waits_q <= look_ask && !look_take && !rst;
        look_q       <= look;
    end
    // Known of every state: without it the engine counts one by one.
`ifdef FORMAL_MUTANTS
    wire agrees   = 1'b1;
    wire fits     = 1'b1;
    wire has_room = 1'b1;
    wire has_tile_room = empty;
`else
    (* hierconn *) wire [2:0]  \u_notifier.state_q ;
    (* hierconn *) wire [1:0]  \u_notifier.wait_q ;
    (* hierconn *) wire [$clog2(CONTEXTS) - 1:0]  \u_notifier.context_q ;
    (* hierconn *) wire [7:0]  \u_notifier.expert_q ;
    (* hierconn *) wire [15:0] \u_notifier.tile_q ;
    (* hierconn *) wire [30:0] \u_notifier.slot_q ;
    (* hierconn *) wire [12:0] \u_notifier.asked_left_q ;
    (* hierconn *) wire [ADDRESS_WIDTH - 1:0] \u_notifier.address_q ;
    (* hierconn *) wire        \u_notifier.asked_q ;
    wire [12:0] offered    = asked_q + {12'd0, offers};
    wire [12:0] words_past = offered == 13'd0 ? 13'd0 : offered * 13'd4 - {11'd0, first_at[3:2]};
    wire [30:0] next_slot  = first[30:0] + {18'd0, words_past};
    wire [ADDRESS_WIDTH - 1:0] next_at = base + ({24'd0, expert_q} << shift) * 4 + ({1'b0, next_slot} & in_list) * 4;
    wire        same_next  = pop_context == \u_notifier.context_q && |(filled_q & pops);
    wire        at_first   = \u_notifier.slot_q == first[30:0];
    (* hierconn *) wire [6:0]  \u_notifier.places_q ;
    (* hierconn *) wire [6:0]  \u_notifier.u_beats.inside_q ;
    (* hierconn *) wire [6:0]  \u_notifier.u_beats.visible_q ;
    wire [15:0] held_places = to_come_q + {15'd0, arvalid} + {9'd0, \u_notifier.u_beats.inside_q };
    wire        fits        = held_places == {9'd0, \u_notifier.places_q } && held_places <= 16'd64
        && \u_notifier.u_beats.visible_q <= \u_notifier.u_beats.inside_q ;
    wire        has_room    = held_places < 16'd64;
    reg  agrees;
    always @* begin
        agrees = \u_notifier.asked_q == offers && pop == (\u_notifier.state_q == 3'd1 && \u_notifier.wait_q == 2'd0)
            && (|pop_1_q) == (\u_notifier.state_q == 3'd1 && \u_notifier.wait_q == 2'd1)
            && (|pop_2_q) == (\u_notifier.state_q == 3'd1 && \u_notifier.wait_q == 2'd2)
            && pop_3_q == (\u_notifier.state_q == 3'd2) && (\u_notifier.state_q == 3'd6 || !offers);
        if (phase_q != IDLE) agrees = agrees && tile_context_q == \u_notifier.context_q && tile_context_q < CONTEXTS;
        if (phase_q == WAITS || phase_q == LOOKED || phase_q == ASKS) agrees = agrees && expert_q < 8'd4
            && expert_q == \u_notifier.expert_q && {{16 - TILE_WIDTH{1'b0}}, number_q} == \u_notifier.tile_q ;
        if (phase_q == ASKS) agrees = agrees && rows_q != 13'd0 && rows_q <= MOST_ROWS
            && rows_q <= 13'd1 << tile_shifts[tile_context_q * 4 +: 4] && asked_q < all_beats;
        case (\u_notifier.state_q )
            3'd0: agrees = agrees && phase_q == IDLE;
            3'd1: agrees = agrees && (\u_notifier.wait_q == 2'd0 ? phase_q == IDLE && same_next
                : \u_notifier.wait_q != 2'd3 && phase_q == POPPED);
            3'd2: agrees = agrees && phase_q == POPPED;
            3'd3: agrees = agrees && phase_q == WAITS && at_first;
            3'd4: agrees = agrees && phase_q == LOOKED && at_first;
            3'd5: agrees = agrees && (\u_notifier.asked_left_q == 13'd0 ? phase_q == IDLE
                : phase_q == ASKS && asked_q == 13'd0 && rows_q == \u_notifier.asked_left_q && at_first
                    && \u_notifier.address_q == next_at);
            3'd6: agrees = agrees && phase_q == ASKS && (offered == all_beats ? \u_notifier.asked_left_q == 13'd0 && offers
                : \u_notifier.asked_left_q == rows_q - words_past && \u_notifier.slot_q == next_slot
                    && (offers || \u_notifier.address_q == next_at));
            default: agrees = 1'b0;
        endcase
    end

    (* hierconn *) wire [4:0] \u_notifier.inside_q ;
    wire has_tile_room = \u_notifier.inside_q != 5'd16;
`endif
    wire [2:0]  look_kind;
    wire [2:0]  look_context;
    wire [15:0] look_expert;
    wire [31:0] look_place;
    wire [5:0]  look_source;
    wire [7:0]  look_value;
    wire        look_error;
    assign `MOEHUB_TILE_OPERATION(look_kind, look_context, look_expert, look_place, look_source, look_value, look_error) = look;
    wire [4:0]  fault_cause;
    wire        fault_flags;
    wire [2:0]  fault_context;
    wire [5:0]  fault_source;
    wire [31:0] fault_row;
    wire [15:0] fault_tag;
    assign `MOEHUB_TRACKER_ERROR(fault_cause, fault_flags, fault_context, fault_source, fault_row, fault_tag) = fault;

    always @* if (started_q && !rst) begin
        asker:        assert (agrees);
        pops_why:     assert (agrees && (!pop || (phase_q == IDLE && |(filled_q & pops))));
        in_turn:      assert (waits_turn_q < CONTEXTS);
        look_why:     assert (agrees && (!look_ask || phase_q == WAITS));
        look_stays:   assert (!look_waits_q || (look_ask && look == look_q));
        look_is:      assert (agrees && (!look_ask || (look_kind == `MOEHUB_TILE_LOOK && look_context == tile_context_q
            && look_expert == {8'd0, expert_q} && look_place == {{32 - TILE_WIDTH{1'b0}}, number_q}
            && look_value == `MOEHUB_LOOK_NOTIFY)));
        looks_then:   assert (phase_q != WAITS || look_ask);
        asks_why:     assert (agrees && (!offers || (phase_q == ASKS && asked_q < all_beats)));
        its_address:  assert (agrees && (!its_offer || araddr == {its_at[ADDRESS_WIDTH - 1:4], 4'd0}));
        sent_is:      assert (sent == fresh && !(sent && fault_valid));
        no_more:      assert (!told || untold_q != 16'd0);
        has_come:     assert (!its_told || its_come_q);
        its_kind:     assert (!its_told || sent == good);
        its_notice:   assert (!(its_told && sent) || tdata[127:0] == its_flit);
        is_way:       assert (!(its_told && sent) || tdata[130:128] == its_way);
        its_fault:    assert (!(its_told && fault_valid) || (fault_cause == `MOEHUB_TILE_TRACKER_CAUSE_LIST && fault_flags
            && fault_context == its_context_q && fault_row == its_row_q && fault_source == 6'd0 && fault_tag == 16'd0));
        told_soon:    assert (waits_q < 4'd9);
        covers_ring:  assert ((filled_q & ~notifying) == {CONTEXTS{1'b0}});
        has_place:    assert (fits);
        covers_ask:   assert (phase_q == IDLE || notifying[tile_context_q]);
        covers_word:  assert (!its_q || notifying[its_context_q]);
        covers_offer: assert (!tvalid || notifying[tdata[31:29]]);
        idle_then:    assert (idle_q < 4'd4 || notifying == {CONTEXTS{1'b0}});
        pops_then:    assert (agrees && ready_q < 4'd6);
        asks_soon:    assert (agrees && fits && asks_late_q < 4'd6);
    end
    always @* if (started_q) begin
        second_turn:  cover (pop && waits_turn_q == 4'd1 && pop_context != 3'd0);
        look_late:    cover (look_take && look_waits_q && expert_q == 8'd3 && number_q != {TILE_WIDTH{1'b0}});
        second_beat:  cover (its_offer && its_beat == 13'd1 && araddr[31]);
        notified:     cover (its_told && sent && its_number == 13'd2 && its_flagged_q && tdata[128]);
        not_good:     cover (its_told && fault_valid && its_number == 13'd1 && is_peer);
        its_second:   cover (its_told && sent && its_number == 13'd4);
        of_next:      cover (its_told && !tready && phase_q == ASKS && tile_context_q != its_context_q);
        rests:        cover (idle_q == 4'd4 && look_q != 0);
    end
endmodule
`default_nettype wire
