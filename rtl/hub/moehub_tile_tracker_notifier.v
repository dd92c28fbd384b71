// SPDX-License-Identifier: Apache-2.0
// Purpose: the notify machine: tells the owners of a finished tile's rows.
// Contract:
//   1. Tiles in the order of their LOOKs, contexts in turn. For each row of a tile, in order, the row list's word is read, and a
//      notify is offered, or LIST is told (doc/hub/tile_tracker.md section 8).
//   2. An address is asked only while one of PLACES places is free for what comes back: m_axi_list_rready is never low.
//   3. At most TILES_AHEAD tiles are in the machine, from the turn of their context until their last word is judged and its
//      notify taken. notifying: a context's ring is not empty, or a tile of it is in the machine.
//   4. The notice's way is chosen when it is offered; from then on it stays with its payload until ready.
// How: who asks goes ahead of who tells by up to PLACES beats and TILES_AHEAD tiles: it takes a tile from a ring, looks at it,
//   puts what the teller needs into a FIFO, asks for its beats, and takes the next. A beat's word passes three stages:
//   1: the word   2: its owner   3: is the owner a peer? The notify, or the fault
// Cost: PLACES beats of 130 bits, TILES_AHEAD tiles of 19; a notify a cycle where memory and the stream do not wait, three
//   cycles from beat to notify; about 18 cycles a tile, and two a beat, to ask.
// Proved: formal/hub/formal_tile_tracker_notifier.v
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_tile_tracker.vh"
`include "moehub_width.vh"

module moehub_tile_tracker_notifier #(
    parameter LINKS         = 1,
    parameter GPUS          = 8,
    parameter CONTEXTS      = 4,
    parameter ADDRESS_WIDTH = 48,
    parameter TILE_WIDTH    = 10 // of a tile's number
) (
    input  wire                                clk,
    input  wire                                rst,
    input  wire [9:0]                          own,
    input  wire [LINKS - 1:0]                  link_up,
    // contexts
    input  wire [CONTEXTS * 4 - 1:0]           rounds,
    input  wire [CONTEXTS * GPUS - 1:0]        peers,
    input  wire [CONTEXTS * 5 - 1:0]           owner_shifts,
    input  wire [CONTEXTS * 4 - 1:0]           tile_shifts,
    input  wire [CONTEXTS * ADDRESS_WIDTH - 1:0] list_bases,
    input  wire [CONTEXTS * 5 - 1:0]           list_shifts,
    // ring and tile
    input  wire [CONTEXTS - 1:0]               filled,
    output wire                                pop,
    output wire [2:0]                          pop_context,
    input  wire [8 + TILE_WIDTH - 1:0]         ring_word,
    output wire                                look_ask,
    input  wire                                look_take,
    output wire [`MOEHUB_TILE_OPERATION_WIDTH - 1:0] look,
    input  wire                                look_valid,
    input  wire [`MOEHUB_TILE_WIDTH - 1:0]     tile,
    // row list
    output wire                                m_axi_list_arvalid,
    input  wire                                m_axi_list_arready,
    output wire [ADDRESS_WIDTH - 1:0]          m_axi_list_araddr,
    input  wire                                m_axi_list_rvalid,
    input  wire [127:0]                        m_axi_list_rdata,
    input  wire [1:0]                          m_axi_list_rresp,
    // what goes out
    output wire                                m_axis_notices_tvalid,
    input  wire                                m_axis_notices_tready,
    output wire [`MOEHUB_NOTICE_WIDTH - 1:0]   m_axis_notices_tdata,
    output wire                                sent, // event
    output wire                                fault_valid,
    output wire [`MOEHUB_TRACKER_ERROR_WIDTH - 1:0] fault,
    output wire [CONTEXTS - 1:0]               notifying
);
    localparam PLACES        = 64;
    localparam TILES_AHEAD   = 16;
    localparam CONTEXT_WIDTH = `MOEHUB_INDEX_WIDTH(CONTEXTS);
    localparam PEER_WIDTH    = `MOEHUB_INDEX_WIDTH(GPUS);
    localparam [31:0] GPUS_32  = GPUS;
    localparam [31:0] LINKS_32 = LINKS;
    localparam [2:0] CHOOSE = 3'd0;
    localparam [2:0] POP    = 3'd1;
    localparam [2:0] WORD   = 3'd2;
    localparam [2:0] ASK    = 3'd3;
    localparam [2:0] LOOK   = 3'd4;
    localparam [2:0] FIRST  = 3'd5;
    localparam [2:0] ROWS   = 3'd6;

    // ---- who asks: a tile ---------------------------------------------------------------------------------------------
    reg  [2:0]                 state_q;
    reg  [1:0]                 wait_q;
    reg                        pop_q;
    reg  [CONTEXT_WIDTH - 1:0] context_q;
    reg  [CONTEXTS - 1:0]      notifying_q;
    reg  [7:0]                 expert_q;
    reg  [15:0]                tile_q;
    reg                        flagged_q;
    reg  [30:0]                slot_q;      // next to be asked for
    reg  [12:0]                asked_left_q; // words not asked for
    reg  [4:0]                 inside_q;    // tiles in the machine
    wire [CONTEXTS - 1:0]      held;        // contexts that have one
    wire                       granted;
    wire [CONTEXTS - 1:0]      grant;
    wire [CONTEXT_WIDTH - 1:0] grant_index;
    wire                       chooses = state_q == CHOOSE && inside_q != TILES_AHEAD[4:0];
    moehub_arbiter #(.PORTS(CONTEXTS)) u_turn (
        .clk(clk), .rst(rst), .request(filled), .advance(chooses), .grant_valid(granted), .grant(grant),
        .grant_index(grant_index)
    );
    wire [12:0] tile_rows;
    wire [30:0] unused_balance;
    wire [7:0]  unused_computed;
    wire [7:0]  unused_finished;
    wire [1:0]  unused_state;
    wire        tile_flagged;
    assign `MOEHUB_TILE(tile_rows, unused_balance, unused_computed, unused_finished, unused_state, tile_flagged) = tile;
    wire [2:0]  context_wide = {{3 - CONTEXT_WIDTH{1'b0}}, context_q};
    wire [15:0] ring_tile    = {{16 - TILE_WIDTH{1'b0}}, ring_word[TILE_WIDTH - 1:0]};

    assign pop         = pop_q;
    assign pop_context = context_wide;
    assign look_ask    = state_q == ASK;
    assign look        = `MOEHUB_TILE_OPERATION(3'd`MOEHUB_TILE_LOOK, context_wide, {8'd0, expert_q}, {16'd0, tile_q}, 6'd0,
        8'd`MOEHUB_LOOK_NOTIFY, 1'b0);
    assign notifying   = notifying_q;

    // ---- addresses ahead ----------------------------------------------------------------------------------------------
    wire [ADDRESS_WIDTH - 1:0] address;
    reg  [ADDRESS_WIDTH - 1:0] address_q; // of slot_q, a cycle later
    reg                        asked_q;   // slot_q has just moved
    moehub_row_list_address #(.ADDRESS_WIDTH(ADDRESS_WIDTH)) u_address (
        .list_base(list_bases[context_q * ADDRESS_WIDTH +: ADDRESS_WIDTH]), .list_shift(list_shifts[context_q * 5 +: 5]),
        .expert(expert_q), .slot(slot_q), .address(address)
    );
    reg                        arvalid_q;
    reg  [ADDRESS_WIDTH - 1:0] araddr_q;
    reg  [6:0]                 places_q; // asked for and not emptied
    wire                       beat_leaves;
    wire [12:0]                in_beat  = 13'd4 - {11'd0, address_q[3:2]}; // the beat's words from this one on
    wire                       last_ask = asked_left_q <= in_beat;
    wire                       asks     = state_q == ROWS && !asked_q && asked_left_q != 13'd0 && places_q != PLACES[6:0]
        && (!arvalid_q || m_axi_list_arready);
    assign m_axi_list_arvalid = arvalid_q;
    assign m_axi_list_araddr  = araddr_q;

    // ---- beats, in order ----------------------------------------------------------------------------------------------
    wire         beat_valid;
    wire [129:0] beat;
    wire         unused_empty;
    wire         unused_parity;
    moehub_memory_fifo #(.WIDTH(130), .DEPTH(PLACES)) u_beats (
        .clk(clk), .rst(rst), .in_valid(m_axi_list_rvalid), .in_data({m_axi_list_rresp, m_axi_list_rdata}),
        .out_valid(beat_valid), .out_ready(beat_leaves), .out_data(beat), .empty(unused_empty), .parity_error(unused_parity)
    );

    // ---- tiles whose words are to be told, in the order in which they were asked for ----------------------------------
    wire                       queues = state_q == FIRST && asked_left_q != 13'd0;
    wire                       empties = state_q == FIRST && asked_left_q == 13'd0; // nothing to tell
    wire                       next_valid;
    wire                       next_take;
    wire [18:0]                next_tile;
    wire                       unused_next_empty;
    wire                       unused_next_parity;
    moehub_memory_fifo #(.WIDTH(19), .DEPTH(TILES_AHEAD)) u_tiles (
        .clk(clk), .rst(rst), .in_valid(queues), .in_data({context_wide, flagged_q, address_q[3:2], asked_left_q}),
        .out_valid(next_valid), .out_ready(next_take), .out_data(next_tile), .empty(unused_next_empty),
        .parity_error(unused_next_parity)
    );

    // ---- who tells: the oldest of them --------------------------------------------------------------------------------
    reg  [2:0]                 told_context_q;
    reg                        told_flagged_q;
    reg  [12:0]                told_left_q; // words that have not entered stage 1
    reg                        told_some_q; // there is one
    reg                        told_one_q;  // ... and no other
    reg  [1:0]                 told_lane_q; // of the next of them in its beat
    reg                        s1_valid_q;
    reg                        s1_last_q;
    reg                        s1_flagged_q;
    reg  [2:0]                 s1_context_q;
    reg                        s1_error_q;
    reg  [31:0]                s1_row_index_q;
    reg                        s2_valid_q;
    reg                        s2_last_q;
    reg                        s2_flagged_q;
    reg  [2:0]                 s2_context_q;
    reg                        s2_error_q;
    reg  [31:0]                s2_row_index_q;
    reg  [31:0]                s2_owner_q;
    reg                        s3_valid_q; // offered
    reg                        s3_last_q;  // of its tile: offered, or a fault
    reg  [2:0]                 s3_context_q;
    reg  [`MOEHUB_NOTICE_WIDTH - 1:0] s3_notice_q;
    reg                        fault_q;
    reg                        sent_q;
    wire                       go    = !s3_valid_q || m_axis_notices_tready; // the stages move
    wire                       tells = beat_valid && told_some_q && go;
    wire                       tells_last = tells && told_one_q;
    wire                       leaves = s3_last_q && go; // a tile leaves the machine
    assign beat_leaves = tells && (told_lane_q == 2'd3 || told_one_q);
    assign next_take   = !told_some_q || tells_last;

    always @(posedge clk) begin
        pop_q <= 1'b0;
        case (state_q)
            CHOOSE: if (chooses && granted) begin
                context_q <= grant_index;
                pop_q     <= 1'b1;
                wait_q    <= 2'd0;
                state_q   <= POP;
            end
            POP: begin
                wait_q <= wait_q + 2'd1;
                if (wait_q == 2'd2) state_q <= WORD;
            end
            WORD: begin
                expert_q <= ring_word[TILE_WIDTH +: 8];
                tile_q   <= ring_tile;
                slot_q   <= {15'd0, ring_tile} << tile_shifts[context_q * 4 +: 4];
                state_q  <= ASK;
            end
            ASK: if (look_take) state_q <= LOOK;
            LOOK: if (look_valid) begin
                flagged_q    <= tile_flagged;
                asked_left_q <= tile_rows;
                state_q      <= FIRST;
            end
            FIRST: state_q <= empties ? CHOOSE : ROWS;
            default: if (asked_left_q == 13'd0) state_q <= CHOOSE;
        endcase
        address_q <= address;
        asked_q   <= asks;
        if (m_axi_list_arready) arvalid_q <= 1'b0;
        if (asks) begin
            arvalid_q    <= 1'b1;
            araddr_q     <= {address_q[ADDRESS_WIDTH - 1:4], 4'd0};
            slot_q       <= slot_q + {18'd0, in_beat};
            asked_left_q <= last_ask ? 13'd0 : asked_left_q - in_beat;
        end
        places_q <= places_q + {6'd0, asks} - {6'd0, beat_leaves};
        inside_q <= inside_q + {4'd0, chooses && granted} - {4'd0, empties} - {4'd0, leaves};
        notifying_q <= filled | held;
        if (rst) begin
            state_q     <= CHOOSE;
            pop_q       <= 1'b0;
            inside_q    <= 5'd0;
            notifying_q <= {CONTEXTS{1'b0}};
            arvalid_q   <= 1'b0;
            asked_q     <= 1'b0;
            places_q    <= 7'd0;
        end
    end

    // ---- tiles of each context in the machine -------------------------------------------------------------------------
    genvar c;
    generate
        for (c = 0; c < CONTEXTS; c = c + 1) begin : g_context
            reg  [4:0] inside_of_q;
            wire       enters_of  = chooses && granted && grant[c];
            wire       empties_of = empties && context_wide == c[2:0];
            wire       leaves_of  = leaves && s3_context_q == c[2:0];
            assign held[c] = inside_of_q != 5'd0;
            always @(posedge clk) begin
                inside_of_q <= inside_of_q + {4'd0, enters_of} - {4'd0, empties_of} - {4'd0, leaves_of};
                if (rst) inside_of_q <= 5'd0;
            end
        end
    endgenerate

    // ---- words --------------------------------------------------------------------------------------------------------
    wire [CONTEXT_WIDTH - 1:0] s1_context = s1_context_q[CONTEXT_WIDTH - 1:0];
    wire [CONTEXT_WIDTH - 1:0] s2_context = s2_context_q[CONTEXT_WIDTH - 1:0];
    wire [PEER_WIDTH - 1:0] s2_peer  = s2_owner_q[PEER_WIDTH - 1:0];
    wire                    s2_known = s2_owner_q < GPUS_32 && peers[{29'd0,
        s2_context_q} * GPUS_32 + {{32 - PEER_WIDTH{1'b0}}, s2_peer}];
    wire                    s2_good  = s2_known && !s2_error_q;
    reg  [127:0]            notify;
    always @* begin
        notify = 128'd0;
        notify[`MOEHUB_HEADER_TYPE_LSB +: `MOEHUB_HEADER_TYPE_WIDTH]           = `MOEHUB_PACKET_NOTIFY;
        notify[`MOEHUB_HEADER_SOURCE_LSB +: `MOEHUB_HEADER_SOURCE_WIDTH]       = own;
        notify[`MOEHUB_HEADER_CONTEXT_LSB +: `MOEHUB_HEADER_CONTEXT_WIDTH]     = s2_context_q;
        notify[`MOEHUB_HEADER_STATUS_LSB +: `MOEHUB_HEADER_STATUS_WIDTH]       =
            s2_flagged_q ? 4'd`MOEHUB_STATUS_PARTIAL : 4'd`MOEHUB_STATUS_OK;
        notify[`MOEHUB_HEADER_OFFSET_LSB +: `MOEHUB_HEADER_OFFSET_WIDTH]       = s2_owner_q[15:0];
        notify[`MOEHUB_HEADER_ROW_INDEX_LSB +: `MOEHUB_HEADER_ROW_INDEX_WIDTH] = s2_row_index_q;
        notify[`MOEHUB_HEADER_STAGE_LSB +: `MOEHUB_HEADER_STAGE_WIDTH]         = 1'd`MOEHUB_STAGE_COMBINE;
        notify[`MOEHUB_HEADER_ROUND_LSB +: `MOEHUB_HEADER_ROUND_WIDTH]         = rounds[s2_context * 4 +: 4];
    end

    // The notice way: from the link of the owner's number on, the first that is up; if none is, that one.
    reg  [2:0]  s2_way;
    reg  [31:0] link;
    reg         found;
    integer     i;
    always @* begin
        s2_way = 3'd0;
        found  = 1'b0;
        link   = 32'd0;
        for (i = 0; i < LINKS; i = i + 1) begin
            link = ({26'd0, s2_owner_q[5:0]} + i[31:0]) % LINKS_32; // a peer is below 64
            if (i == 0 || (!found && link_up[link[`MOEHUB_INDEX_WIDTH(LINKS) - 1:0]])) s2_way = link[2:0];
            if (link_up[link[`MOEHUB_INDEX_WIDTH(LINKS) - 1:0]]) found = 1'b1;
        end
        if (s2_owner_q == {22'd0, own}) s2_way = LINKS_32[2:0];
    end

    always @(posedge clk) begin
        if (tells) begin
            told_left_q <= told_left_q - 13'd1;
            told_one_q  <= told_left_q == 13'd2;
            told_lane_q <= told_lane_q + 2'd1;
        end
        if (next_take) begin
            {told_context_q, told_flagged_q, told_lane_q} <= next_tile[18:13];
            told_left_q <= next_tile[12:0];
            told_one_q  <= next_tile[12:0] == 13'd1;
            told_some_q <= next_valid; // a tile without rows never comes here
        end
        fault_q <= 1'b0;
        sent_q  <= 1'b0;
        if (go) begin
            s1_valid_q     <= tells;
            s1_last_q      <= tells_last;
            s1_flagged_q   <= told_flagged_q;
            s1_context_q   <= told_context_q;
            s1_error_q     <= beat[129:128] != 2'd0;
            s1_row_index_q <= beat[told_lane_q * 32 +: 32];
            s2_valid_q     <= s1_valid_q;
            s2_last_q      <= s1_last_q;
            s2_flagged_q   <= s1_flagged_q;
            s2_context_q   <= s1_context_q;
            s2_error_q     <= s1_error_q;
            s2_row_index_q <= s1_row_index_q;
            s2_owner_q     <= s1_row_index_q >> owner_shifts[s1_context * 5 +: 5];
            s3_valid_q     <= s2_valid_q && s2_good;
            s3_last_q      <= s2_valid_q && s2_last_q;
            s3_context_q   <= s2_context_q;
            s3_notice_q    <= `MOEHUB_NOTICE(notify, s2_way);
            fault_q        <= s2_valid_q && !s2_good;
            sent_q         <= s2_valid_q && s2_good;
        end
        if (rst) begin
            told_some_q <= 1'b0;
            s1_valid_q <= 1'b0;
            s2_valid_q <= 1'b0;
            s3_valid_q <= 1'b0;
            s3_last_q  <= 1'b0;
            fault_q    <= 1'b0;
            sent_q     <= 1'b0;
        end
    end
    reg [31:0] fault_row_index_q;
    reg [2:0]  fault_context_q;
    always @(posedge clk) begin
        fault_row_index_q <= s2_row_index_q;
        fault_context_q   <= s2_context_q;
    end

    assign m_axis_notices_tvalid = s3_valid_q;
    assign m_axis_notices_tdata  = s3_notice_q;
    assign sent                  = sent_q;
    assign fault_valid           = fault_q;
    assign fault = `MOEHUB_TRACKER_ERROR(
        5'd`MOEHUB_TILE_TRACKER_CAUSE_LIST, 1'b1, fault_context_q, 6'd0, fault_row_index_q, 16'd0);

    wire unused = &{1'b0, address_q, link, s1_context_q, s2_context_q};
endmodule

`default_nettype wire
