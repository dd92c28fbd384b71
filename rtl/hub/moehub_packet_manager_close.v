// SPDX-License-Identifier: Apache-2.0
// Purpose: counts what was sent to whom, and tells it at the end of a context (doc/hub/packet_manager.md section 7).
// Contract:
//   1. add_*: more packets for a GPU of a context, at most once a cycle.
//   2. CLOSE and ABORT are taken the cycle after they came; `aborts` is high for the context in both cycles of an ABORT. Then,
//      once none of the context's entries is in use, a close for each peer in ascending order, and `closed`, once between
//      two ADVANCEs.
//   3. ADVANCE is taken when the context's pairs are 0 again.
//   4. A close waits for its taker, and holds up nothing but closes.
// Cost: CONTEXTS x GPUS words of 32 bits; a close every 4 cycles.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_packet_manager.vh"
`include "moehub_tile_tracker.vh"
`include "moehub_width.vh"

module moehub_packet_manager_close #(
    parameter LINKS    = 1, // 1..4
    parameter GPUS     = 8, // 2..64
    parameter CONTEXTS = 4  // 1..8
) (
    input  wire                                clk,
    input  wire                                rst,
    output wire                                initialised,
    input  wire                                start, // commands may come
    input  wire [9:0]                          own,
    input  wire [LINKS - 1:0]                  link_up,
    input  wire [CONTEXTS * 4 - 1:0]           rounds,
    input  wire [CONTEXTS * GPUS - 1:0]        peers,
    input  wire [CONTEXTS - 1:0]               used, // the context has entries in use, two cycles late
    input  wire                                s_axis_end_tvalid,
    output wire                                s_axis_end_tready,
    input  wire [`MOEHUB_END_COMMAND_WIDTH - 1:0] s_axis_end_tdata,
    output wire [CONTEXTS - 1:0]               aborts,
    output wire [CONTEXTS - 1:0]               closed,
    input  wire                                add_valid,
    input  wire [2:0]                          add_context,
    input  wire [5:0]                          add_gpu,
    input  wire [16:0]                         add_count,
    output wire                                m_axis_notice_tvalid,
    input  wire                                m_axis_notice_tready,
    output wire [`MOEHUB_NOTICE_WIDTH - 1:0]   m_axis_notice_tdata
);
    localparam WORDS      = CONTEXTS * GPUS;
    localparam WORD_WIDTH = `MOEHUB_INDEX_WIDTH(WORDS);
    localparam [31:0] GPUS_32  = GPUS;
    localparam [31:0] LINKS_32 = LINKS;
    localparam [31:0] LAST     = WORDS - 1;
    localparam [WORD_WIDTH - 1:0] WORD_ONE = 1;
    localparam [5:0] LAST_GPU = GPUS_32[5:0] - 6'd1;

    function [8:0] word_of(input [2:0] named_context, input [5:0] gpu);
        word_of = {6'd0, named_context} * GPUS_32[8:0] + {3'd0, gpu};
    endfunction

    // ---- commands -----------------------------------------------------------------------------------------------------
    wire [1:0]           what;
    wire [2:0]           of_context;
    reg                  ready_q;
    reg                  clears_q;
    reg [5:0]            cleared_q; // the GPU whose pairs are cleared
    reg [CONTEXTS - 1:0] asked_q;   // CLOSE or ABORT came
    reg [CONTEXTS - 1:0] asked_late_q;
    reg [CONTEXTS - 1:0] asked_later_q; // ... before what `used` shows
    reg [CONTEXTS - 1:0] begun_q;   // its closes
    assign `MOEHUB_END_COMMAND(what, of_context) = s_axis_end_tdata;
    wire taken   = s_axis_end_tvalid && ready_q;
    wire ends    = taken && what != 2'd`MOEHUB_END_ADVANCE;
    wire begins_command = s_axis_end_tvalid && !ready_q && start && !clears_q;
    wire clears  = clears_q && !adds_q;
    assign s_axis_end_tready = ready_q;

    genvar c;
    generate
        for (c = 0; c < CONTEXTS; c = c + 1) begin : g_context
            localparam [2:0] CONTEXT = c;
            wire mine = of_context == CONTEXT;
            assign aborts[c] = (begins_command || taken) && what == 2'd`MOEHUB_END_ABORT && mine;
            always @(posedge clk) begin
                if (ends && mine) asked_q[c] <= 1'b1;
                if (begins[c]) begun_q[c] <= 1'b1;
                if (taken && !ends && mine) begin
                    asked_q[c] <= 1'b0;
                    begun_q[c] <= 1'b0;
                end
                asked_late_q[c] <= asked_q[c];
                asked_later_q[c] <= asked_late_q[c] && asked_q[c];
                if (rst) begin
                    asked_q[c]   <= 1'b0;
                    asked_late_q[c] <= 1'b0;
                    asked_later_q[c] <= 1'b0;
                    begun_q[c]   <= 1'b0;
                end
            end
        end
    endgenerate

    // CLOSE and ABORT the cycle after they are there, ADVANCE when the last of the pairs is cleared.
    always @(posedge clk) begin
        ready_q <= 1'b0;
        if (begins_command) begin
            if (what == 2'd`MOEHUB_END_ADVANCE) begin
                clears_q  <= 1'b1;
                cleared_q <= 6'd0;
            end else ready_q <= 1'b1;
        end
        if (clears) begin
            cleared_q <= cleared_q + 6'd1;
            if (cleared_q == LAST_GPU) begin
                clears_q <= 1'b0;
                ready_q  <= 1'b1;
            end
        end
        if (rst) begin
            ready_q  <= 1'b0;
            clears_q <= 1'b0;
        end
    end

    // ---- pairs: read, and two cycles later added to and written -------------------------------------------------------
    reg                    initialised_q;
    reg [WORD_WIDTH - 1:0] start_q;
    reg                    reads_q; // its word is on the memory's output
    reg [WORD_WIDTH - 1:0] read_word_q;
    reg [16:0]             read_count_q;
    reg                    read_same_q; // the word before was the same one
    reg                    second_q;    // ... the second before
    reg                    adds_q;
    reg [WORD_WIDTH - 1:0] word_q;
    reg [16:0]             count_q;
    reg [31:0]             before_q;
    reg [31:0]             sum_q;
    wire [31:0]            pairs;
    wire [31:0]            sum      = before_q + {15'd0, count_q};
    wire [8:0]             add_name   = word_of(add_context, add_gpu);
    wire [8:0]             clear_name = word_of(of_context, cleared_q);
    wire [8:0]             look_name  = word_of(context_q, gpu_q);
    wire [WORD_WIDTH - 1:0] add_word  = add_name[WORD_WIDTH - 1:0];
    wire                   looks;   // for a close
    wire                   unused_parity;
    assign initialised = initialised_q;
    moehub_memory_1r1w #(.WIDTH(32), .DEPTH(WORDS), .PARITY(0)) u_pairs (
        .clk(clk), .write_enable(!initialised_q || adds_q || clears),
        .write_address(!initialised_q ? start_q : adds_q ? word_q : clear_name[WORD_WIDTH - 1:0]),
        .write_data(initialised_q && adds_q ? sum : 32'd0), .read_enable((add_valid || looks) && !rst),
        .read_address(add_valid ? add_word : look_name[WORD_WIDTH - 1:0]), .read_data(pairs), .parity_error(unused_parity)
    );
    always @(posedge clk) begin
        if (!initialised_q) start_q <= start_q + WORD_ONE;
        if (start_q == LAST[WORD_WIDTH - 1:0]) initialised_q <= 1'b1;
        reads_q      <= add_valid;
        read_word_q  <= add_word;
        read_count_q <= add_count;
        read_same_q  <= reads_q && read_word_q == add_word;
        second_q     <= adds_q && word_q == add_word;
        adds_q   <= reads_q;
        word_q   <= read_word_q;
        count_q  <= read_count_q;
        before_q <= read_same_q ? sum : second_q ? sum_q : pairs;
        sum_q    <= sum;
        if (rst) begin
            start_q       <= {WORD_WIDTH{1'b0}};
            initialised_q <= 1'b0;
            reads_q       <= 1'b0;
            adds_q        <= 1'b0;
        end
    end

    // ---- closes -------------------------------------------------------------------------------------------------------
    localparam [1:0] IDLE = 2'd0;
    localparam [1:0] LOOK = 2'd1; // is the next GPU a peer, and what was sent to it
    localparam [1:0] KNOW = 2'd2; // its pairs are there
    localparam [1:0] TELL = 2'd3;
    reg  [1:0]            state_q;
    reg  [2:0]            context_q;
    reg  [5:0]            gpu_q;
    reg  [CONTEXTS - 1:0] closed_q;
    reg  [CONTEXTS - 1:0] chosen_q;
    reg  [127:0]          close_q;
    reg  [2:0]            way_q;
    wire [CONTEXTS - 1:0] may = asked_q & asked_later_q & ~begun_q & ~used;
    wire                  some;
    wire [CONTEXTS - 1:0] grant;
    wire [CONTEXTS - 1:0] begins = grant & {CONTEXTS{state_q == IDLE}};
    wire [`MOEHUB_INDEX_WIDTH(CONTEXTS) - 1:0] pick;
    moehub_arbiter #(.PORTS(CONTEXTS)) u_turn (
        .clk(clk), .rst(rst), .request(may), .advance(state_q == IDLE), .grant_valid(some), .grant(grant), .grant_index(pick)
    );
    wire [7:0]            is_peer;
    wire [31:0]           rounds_8;
    generate
        for (c = 0; c < 8; c = c + 1) begin : g_peer
            if (c < CONTEXTS) begin : g_there
                wire [63:0] mine = {{(64 - GPUS){1'b0}}, peers[c * GPUS +: GPUS]};
                assign is_peer[c]           = mine[gpu_q];
                assign rounds_8[c * 4 +: 4] = rounds[c * 4 +: 4];
            end else begin : g_none
                assign is_peer[c]           = 1'b0;
                assign rounds_8[c * 4 +: 4] = 4'd0;
            end
        end
    endgenerate
    wire last = gpu_q == LAST_GPU;
    wire peer = is_peer[context_q];
    assign looks     = state_q == LOOK && peer;
    assign closed    = closed_q;

    // Its notice way: of the links from g mod LINKS on the first that is up.
    wire [5:0] first_link = gpu_q % LINKS_32[5:0];
    wire [7:0] up_of_8 = {{(8 - LINKS){1'b0}}, link_up};
    reg  [2:0] way;
    reg  [2:0] link;
    integer    i;
    always @* begin
        way  = first_link[2:0];
        link = 3'd0;
        for (i = LINKS - 1; i >= 0; i = i - 1) begin
            link = first_link[2:0] + i[2:0];
            if (link >= LINKS_32[2:0]) link = link - LINKS_32[2:0];
            if (up_of_8[link]) way = link;
        end
        if ({4'd0, gpu_q} == own) way = LINKS_32[2:0];
    end
    reg  [127:0] close;
    always @* begin
        close = 128'd0;
        close[`MOEHUB_HEADER_TYPE_LSB +: `MOEHUB_HEADER_TYPE_WIDTH]           = 4'd`MOEHUB_PACKET_CLOSE;
        close[`MOEHUB_HEADER_SOURCE_LSB +: `MOEHUB_HEADER_SOURCE_WIDTH]       = own;
        close[`MOEHUB_HEADER_CONTEXT_LSB +: `MOEHUB_HEADER_CONTEXT_WIDTH]     = context_q;
        close[`MOEHUB_HEADER_ROUND_LSB +: `MOEHUB_HEADER_ROUND_WIDTH]         = rounds_8[context_q * 4 +: 4];
        close[`MOEHUB_HEADER_OFFSET_LSB +: `MOEHUB_HEADER_OFFSET_WIDTH]       = {10'd0, gpu_q};
        close[`MOEHUB_HEADER_ROW_INDEX_LSB +: `MOEHUB_HEADER_ROW_INDEX_WIDTH] = pairs;
    end
    assign m_axis_notice_tvalid = state_q == TELL;
    assign m_axis_notice_tdata  = `MOEHUB_NOTICE(close_q, way_q);

    always @(posedge clk) begin
        closed_q <= {CONTEXTS{1'b0}};
        case (state_q)
            IDLE: if (some) begin
                state_q   <= LOOK;
                chosen_q  <= grant;
                context_q <= {{(3 - `MOEHUB_INDEX_WIDTH(CONTEXTS)){1'b0}}, pick};
                gpu_q     <= 6'd0;
            end
            LOOK: if (!peer) begin
                gpu_q <= gpu_q + 6'd1;
                if (last) begin
                    state_q  <= IDLE;
                    closed_q <= chosen_q;
                end
            end else if (!add_valid) state_q <= KNOW;
            KNOW: begin
                state_q <= TELL;
                close_q <= close;
                way_q   <= way;
            end
            default: if (m_axis_notice_tready) begin
                gpu_q   <= gpu_q + 6'd1;
                state_q <= last ? IDLE : LOOK;
                if (last) closed_q <= chosen_q;
            end
        endcase
        if (rst) begin
            state_q  <= IDLE;
            closed_q <= {CONTEXTS{1'b0}};
        end
    end
    wire unused = &{1'b0, add_name, clear_name, look_name, first_link[5:3]};
endmodule

`default_nettype wire
