// SPDX-License-Identifier: Apache-2.0
// Purpose: reserves a group of reduction entries for each request of a port, or answers it with error results
//   (doc/plane/request_unit.md).
// Contract:
//   1. Each request taken from `packet` gives exactly one of: a transfer on `copies`; `lines` transfers on `error`, line 0 first,
//      after which its places are freed. Both begin in the order of the requests.
//   2. It is answered with MALFORMED if its mark says refused, with TIMEOUT if it names a port that is down in the cycle in which
//      it is taken, with the grant's status if the reservation is not granted. Only in the first two cases it reserves nothing.
//   3. The patch of a granted request, {entry, generation}, is written before it is on `copies`: find_tag is the patch of
//      copy_find_name in the cycle after copy_find_valid, until the next.
//   4. freed_valid says that the copies of a request have left, with its patch: its entry is given once on `released`.
//   5. A grant is taken when its request is the oldest that is inside: so a group's time does not begin while the requests before
//      wait for their answers to leave. Only a reservation that was refused may wait here after its grant.
//   6. reserved, refused, refused_down, error_results are high for one cycle an event: a grant OK, a request that is answered,
//      one of them with TIMEOUT for a port that is down, a transfer on error. group_waits: a reservation waits for a free group.
//   7. All outputs are registers, packet_ready an AND of two.
// How: every request goes through a queue of 4 between reserve and grant, refused ones too; the queue's head waits for its grant.
// Cost: a request a cycle into the queue; from packet to reserve 1 cycle, from grant to copies 1, to error 1. A refused request
//   takes lines + 4 cycles. Memory bits: PLACES * 24 patches, GROUPS * 16 released entries.
// Limits: at most GROUPS groups are in use. A request may name as many packets as there are places.
// Proved: formal/switch/formal_request_unit.v, formal_request_unit_flow.v
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_plane.vh"
`include "moehub_width.vh"

module moehub_request_unit #(
    parameter PORTS         = 8,   // 2..64
    parameter REQUEST_LINES = 8,   // 1, 2, 4, 8
    parameter GROUPS        = 13,  // 1..4096 / REQUEST_LINES
    parameter PLACES        = 256  // 5..8191 of the port's requests; as many names
) (
    input  wire                                                  clk,
    input  wire                                                  rst,
    input  wire [9:0]                                            own,  // port
    input  wire [PORTS - 1:0]                                    down, // ports that are down

    // ---- from the store
    input  wire                                                  packet_valid,
    output wire                                                  packet_ready,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES) - 1:0]              packet_name,
    input  wire [`MOEHUB_REQUEST_MARK_WIDTH(0, PORTS) - 1:0]     packet_mark,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]          packet_place, // of the flit after the header

    // ---- reduction buffer
    output wire                                                  reserve_valid,
    input  wire                                                  reserve_ready,
    output wire [9:0]                                            reserve_requester,
    output wire [30:0]                                           reserve_tag,  // round, context, tag
    output wire [1:0]                                            reserve_element,
    output wire                                                  reserve_out_fp32,
    output wire [8:0]                                            reserve_length, // bytes of the last line
    output wire [`MOEHUB_INDEX_WIDTH(REQUEST_LINES) - 1:0]       reserve_lines_less_1,
    output wire [PORTS - 1:0]                                    reserve_contributors,
    input  wire                                                  grant_valid,
    output wire                                                  grant_ready,
    input  wire [3:0]                                            grant_status,
    input  wire [15:0]                                           grant_entry,
    input  wire [7:0]                                            grant_generation,
    output wire                                                  released_valid,
    input  wire                                                  released_ready,
    output wire [15:0]                                           released_entry,

    // ---- request crossbar
    output wire                                                  copies_valid,
    input  wire                                                  copies_ready,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES) - 1:0]              copies_name,
    output wire [`MOEHUB_STORE_MARK_WIDTH - 1:0]                 copies_mark,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]          copies_place,
    input  wire                                                  copy_find_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES) - 1:0]              copy_find_name,
    output wire [23:0]                                           find_tag,
    input  wire                                                  freed_valid,
    input  wire [23:0]                                           freed_tag,

    // ---- places of refused requests: moehub_places_share
    output wire                                                  find_valid,
    input  wire                                                  find_ready,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES) - 1:0]              find_name,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]          find_head,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]          find_last,
    input  wire [4:0]                                            find_flits,
    output wire                                                  free_valid,
    input  wire                                                  free_ready,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES) - 1:0]              free_name,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]          free_head,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]          free_last,
    output wire [4:0]                                            free_flits,

    // ---- egress
    output wire                                                  error_valid,
    input  wire                                                  error_ready,
    output wire [127:0]                                          error_data,

    output wire                                                  reserved,
    output wire                                                  refused,
    output wire                                                  refused_down,
    output wire                                                  error_results,
    output wire                                                  group_waits
);
    generate
        if (PORTS < 2 || PORTS > 64) PORTS_must_be_2_to_64 u_rule ();
        if (REQUEST_LINES != 1 && REQUEST_LINES != 2 && REQUEST_LINES != 4 && REQUEST_LINES != 8)
            REQUEST_LINES_must_be_1_2_4_or_8 u_rule ();
        if (GROUPS < 1 || GROUPS * REQUEST_LINES > 4096) GROUPS_must_be_1_to_4096_over_REQUEST_LINES u_rule ();
        if (PLACES < 5 || PLACES > 8191) PLACES_must_be_5_to_8191 u_rule ();
    endgenerate

    localparam NAME_WIDTH  = `MOEHUB_INDEX_WIDTH(PLACES);
    localparam PLACE_WIDTH = `MOEHUB_INDEX_WIDTH(PLACES + 1);
    localparam LINES_WIDTH = `MOEHUB_INDEX_WIDTH(REQUEST_LINES);
    localparam MARK_WIDTH  = `MOEHUB_STORE_MARK_WIDTH;
    localparam [31:0] MOST = REQUEST_LINES - 1;
    // What becomes of a request, as far as it is known when it is taken.
    localparam [1:0] RESERVES  = 0;
    localparam [1:0] MALFORMED = 1;
    localparam [1:0] DOWN      = 2;

    // ---- request taken -----------------------------------------------------------------------------------------------
    wire [23:0]        tag      = packet_mark[`MOEHUB_MARK_TAG_LSB +: `MOEHUB_MARK_TAG_WIDTH];
    wire [2:0]         context_name = packet_mark[`MOEHUB_MARK_CONTEXT_LSB +: `MOEHUB_MARK_CONTEXT_WIDTH];
    wire [3:0]         round    = packet_mark[`MOEHUB_MARK_ROUND_LSB +: `MOEHUB_MARK_ROUND_WIDTH];
    wire [1:0]         element  = packet_mark[`MOEHUB_MARK_ELEMENT_LSB +: `MOEHUB_MARK_ELEMENT_WIDTH];
    wire               out_fp32 = packet_mark[`MOEHUB_MARK_OUT_FP32_LSB];
    wire [8:0]         length   = packet_mark[`MOEHUB_MARK_LENGTH_LSB +: `MOEHUB_MARK_LENGTH_WIDTH]; // units of 16 bytes
    wire [PORTS - 1:0] ports    = packet_mark[`MOEHUB_MARK_PORTS_LSB +: PORTS];
    wire               bad      = packet_mark[`MOEHUB_MARK_REFUSED_LSB];

    // A line has 8 units. Length 0 counts as one line.
    wire [8:0] length_less_1 = length == 9'd0 ? 9'd0 : length - 9'd1;
    wire       too_long      = {26'd0, length_less_1[8:3]} > MOST;
    wire [2:0] lines_less_1  = too_long ? MOST[2:0] : length_less_1[5:3];
    wire [3:0] last_units    = {1'b0, length_less_1[2:0]} + 4'd1;

    wire [1:0] fate = bad ? MALFORMED : |(ports & down) ? DOWN : RESERVES;
    wire       queue_ready;
    wire       unused_lines_bits = ^lines_less_1; // all of them only with 8 lines
    wire       reserve_in_ready;
    wire       accept = packet_valid && packet_ready;

    assign packet_ready = queue_ready && reserve_in_ready;

    moehub_skid_buffer #(.WIDTH(43 + LINES_WIDTH + PORTS)) u_reserve (
        .clk(clk), .rst(rst), .in_valid(accept && fate == RESERVES), .in_ready(reserve_in_ready),
        .in_data({round, context_name, tag, element, out_fp32, 1'b0, last_units, 4'd0, lines_less_1[LINES_WIDTH - 1:0], ports}),
        .out_valid(reserve_valid), .out_ready(reserve_ready),
        .out_data({reserve_tag, reserve_element, reserve_out_fp32, reserve_length, reserve_lines_less_1, reserve_contributors})
    );
    assign reserve_requester = own;

    // ---- queue between reserve and grant -----------------------------------------------------------------------------
    wire                     head_valid;
    wire                     head_taken;
    wire [1:0]               head_fate;
    wire [NAME_WIDTH - 1:0]  head_name;
    wire [PLACE_WIDTH - 1:0] head_place;
    wire [MARK_WIDTH - 1:0]  head_mark;
    wire [30:0]              head_tag;
    wire [1:0]               head_element; // of a result
    wire [2:0]               head_lines_less_1;
    wire [2:0]               unused_count;

    moehub_fifo #(.WIDTH(38 + NAME_WIDTH + PLACE_WIDTH + MARK_WIDTH), .DEPTH(4)) u_queue (
        .clk(clk), .rst(rst), .in_valid(accept), .in_ready(queue_ready),
        .in_data({fate, packet_name, packet_place, packet_mark[MARK_WIDTH - 1:0], round, context_name, tag,
            out_fp32 ? 2'd`MOEHUB_ELEMENT_FP32 : element, lines_less_1}),
        .out_valid(head_valid), .out_ready(head_taken),
        .out_data({head_fate, head_name, head_place, head_mark, head_tag, head_element, head_lines_less_1}), .count(unused_count)
    );

    wire        waits_grant = head_valid && head_fate == RESERVES;
    wire        copies_in_ready;
    wire        grant_due = waits_grant && copies_in_ready; // granted, the head goes on at once
    wire        grant_in_ready;
    wire        granted_valid;
    wire        granted_taken;
    wire [3:0]  granted_status;
    wire [23:0] granted_patch;

    assign grant_ready = grant_in_ready && grant_due;

    moehub_ready_buffer #(.WIDTH(28)) u_grant (
        .clk(clk), .rst(rst), .in_valid(grant_valid && grant_due), .in_ready(grant_in_ready),
        .in_data({grant_status, grant_entry, grant_generation}),
        .out_valid(granted_valid), .out_ready(granted_taken), .out_data({granted_status, granted_patch})
    );

    wire       granted_ok = granted_status == 4'd`MOEHUB_STATUS_OK;
    wire       answer_idle;
    wire       goes       = waits_grant && granted_valid && granted_ok; // then it has just been granted, and copies_in_ready
    wire       answers    = head_valid && (!waits_grant || (granted_valid && !granted_ok));
    wire       answer     = answers && answer_idle;
    wire [3:0] status     = head_fate == MALFORMED ? 4'd`MOEHUB_STATUS_MALFORMED :
                            head_fate == DOWN ? 4'd`MOEHUB_STATUS_TIMEOUT : granted_status;

    assign head_taken    = goes || answer;
    assign granted_taken = head_taken && waits_grant;

    // ---- granted: patch, then to the copy list -----------------------------------------------------------------------
    wire unused_patch_parity;

    moehub_memory_1r1w #(.WIDTH(24), .DEPTH(PLACES)) u_patch (
        .clk(clk), .write_enable(goes), .write_address(head_name), .write_data(granted_patch),
        .read_enable(copy_find_valid && !rst), .read_address(copy_find_name), .read_data(find_tag),
        .parity_error(unused_patch_parity)
    );
    moehub_skid_buffer #(.WIDTH(NAME_WIDTH + PLACE_WIDTH + MARK_WIDTH)) u_copies (
        .clk(clk), .rst(rst), .in_valid(goes), .in_ready(copies_in_ready), .in_data({head_name, head_place, head_mark}),
        .out_valid(copies_valid), .out_ready(copies_ready), .out_data({copies_name, copies_place, copies_mark})
    );

    // ---- not granted: error results, then the places -----------------------------------------------------------------
    localparam [2:0] IDLE  = 0;
    localparam [2:0] LINES = 1; // results are sent
    localparam [2:0] FIND  = 2;
    localparam [2:0] FOUND = 3;
    localparam [2:0] FREE  = 4;

    reg [2:0]               state_q;
    reg [2:0]               lines_left_q; // beside the one that is sent
    reg [23:0]              answer_tag_q;
    reg [6:0]               answer_round_context_q;
    reg [1:0]               answer_element_q;
    reg [3:0]               answer_status_q;
    reg [NAME_WIDTH - 1:0]  answer_name_q;
    reg [PLACE_WIDTH - 1:0] free_head_q;
    reg [PLACE_WIDTH - 1:0] free_last_q;
    reg [4:0]               free_flits_q;

    assign answer_idle = state_q == IDLE;
    assign error_valid = state_q == LINES;
    assign find_valid  = state_q == FIND;
    assign find_name   = answer_name_q;
    assign free_valid  = state_q == FREE;
    assign free_name   = answer_name_q;
    assign free_head   = free_head_q;
    assign free_last   = free_last_q;
    assign free_flits  = free_flits_q;

    wire sent = error_valid && error_ready;

    moehub_result_header u_header (
        .own(own), .tag(answer_tag_q), .context_name(answer_round_context_q[2:0]), .round(answer_round_context_q[6:3]),
        .element(answer_element_q), .status(answer_status_q), .length(9'd0), .header(error_data)
    );

    always @(posedge clk) begin
        if (answer) begin
            state_q                                <= LINES;
            lines_left_q                           <= head_lines_less_1;
            {answer_round_context_q, answer_tag_q} <= head_tag;
            answer_element_q                       <= head_element;
            answer_status_q                        <= status;
            answer_name_q                          <= head_name;
        end
        if (sent) begin
            answer_tag_q <= answer_tag_q + 24'd1;
            lines_left_q <= lines_left_q - 3'd1;
            if (lines_left_q == 3'd0) state_q <= FIND;
        end
        if (find_valid && find_ready) state_q <= FOUND;
        if (state_q == FOUND) begin
            state_q      <= FREE;
            free_head_q  <= find_head;
            free_last_q  <= find_last;
            free_flits_q <= find_flits;
        end
        if (free_valid && free_ready) state_q <= IDLE;
        if (rst) state_q <= IDLE;
    end

    // ---- entries of the groups whose copies have left ----------------------------------------------------------------
    wire unused_released_parity;
    wire unused_released_empty;
    wire unused_generation = ^freed_tag[7:0];

    moehub_memory_fifo #(.WIDTH(16), .DEPTH(GROUPS), .LANDING(2)) u_released (
        .clk(clk), .rst(rst), .in_valid(freed_valid), .in_data(freed_tag[23:8]),
        .out_valid(released_valid), .out_ready(released_ready), .out_data(released_entry),
        .empty(unused_released_empty), .parity_error(unused_released_parity)
    );

    // ---- events ------------------------------------------------------------------------------------------------------
    reg reserved_q;
    reg refused_q;
    reg refused_down_q;
    reg error_results_q;
    reg group_waits_q;

    assign reserved      = reserved_q;
    assign refused       = refused_q;
    assign refused_down  = refused_down_q;
    assign error_results = error_results_q;
    assign group_waits   = group_waits_q;

    always @(posedge clk) begin
        reserved_q      <= goes;
        refused_q       <= answer;
        refused_down_q  <= answer && head_fate == DOWN;
        error_results_q <= sent;
        group_waits_q   <= reserve_valid && !reserve_ready;
        if (rst) begin
            reserved_q      <= 1'b0;
            refused_q       <= 1'b0;
            refused_down_q  <= 1'b0;
            error_results_q <= 1'b0;
            group_waits_q   <= 1'b0;
        end
    end
endmodule

`default_nettype wire
