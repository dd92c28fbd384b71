// SPDX-License-Identifier: Apache-2.0
// moehub_addr_alloc: every verdict is that of a region table read and written at once, in the order of acceptance. Regions, next
// slots, peers and the context change only while nothing is inside, to anything; after reset they are all written once.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_hub.vh"
module formal_addr_alloc #(
    parameter CONTEXTS        = 1, // 1 or 2
    parameter LOCAL_EXPERTS   = 2, // 1 or 2
    parameter GPUS            = 2,
    parameter ROW_INDEX_WIDTH = 1,
    parameter SLOT_WIDTH      = 2,
    parameter OFFSET_WIDTH    = 4,
    parameter STAGES          = 1, // 1 or 2
    parameter LENGTH_WIDTH    = 9
) (
    input wire                                    clk,
    input wire                                    rst,
    input wire [CONTEXTS - 1:0]                   enabled,
    input wire [CONTEXTS * 2 - 1:0]               epochs, // the two low bits; the others are 0
    input wire [CONTEXTS * (ROW_INDEX_WIDTH + 1) - 1:0] row_limits,
    input wire [CONTEXTS * STAGES * (OFFSET_WIDTH + 1) - 1:0] row_sizes,
    input wire                                    region_write,
    input wire                                    next_clear,
    input wire                                    region_read,
    input wire [1:0]                              region_address,
    input wire [SLOT_WIDTH - 1:0]                 region_capacity,
    input wire                                    peers_write,
    input wire                                    peers_address,
    input wire [31:0]                             peers_word,
    input wire                                    accepted_valid,
    input wire                                    accepted_id,
    input wire                                    accepted_operation,
    input wire                                    accepted_first,
    input wire [2:0]                              accepted_context,
    input wire [15:0]                             accepted_expert,
    input wire [31:0]                             accepted_row_index,
    input wire [15:0]                             accepted_offset,
    input wire [LENGTH_WIDTH - 1:0]               accepted_length,
    input wire [9:0]                              accepted_source,
    input wire                                    accepted_port,
    input wire                                    mark
);
`include "formal_reset.vh"
    localparam REGIONS      = CONTEXTS * LOCAL_EXPERTS;
    localparam REGION_WIDTH = REGIONS > 1 ? $clog2(REGIONS) : 1;
    localparam EPOCH_WIDTH  = 32 - SLOT_WIDTH;
    localparam WALK         = 4; // cycles after reset in which everything is written
    localparam LIMIT_WIDTH  = ROW_INDEX_WIDTH + 1;
    localparam SIZE_WIDTH   = OFFSET_WIDTH + 1;

    reg [2:0] walk_q = 3'd0;
    reg [5:0] inside_q = 6'd0; // accepted one to six cycles ago
    wire walking = walk_q != WALK;
    wire quiet   = inside_q == 6'd0 && !accepted_valid;
    always @(posedge clk) begin
        if (walking) walk_q <= walk_q + 3'd1;
        inside_q <= {inside_q[4:0], accepted_valid};
        if (rst) begin
            walk_q   <= 3'd0;
            inside_q <= 6'd0;
        end
    end
    reg [CONTEXTS - 1:0]               enabled_q;
    reg [CONTEXTS * 2 - 1:0]           epochs_q;
    reg [CONTEXTS * LIMIT_WIDTH - 1:0] row_limits_q;
    reg [CONTEXTS * STAGES * SIZE_WIDTH - 1:0] row_sizes_q;
    always @(posedge clk) {enabled_q, epochs_q, row_limits_q, row_sizes_q} <= {enabled, epochs, row_limits, row_sizes};
    always @* begin
        assume (region_address < REGIONS && peers_address < CONTEXTS);
        if (rst) assume (!accepted_valid && !region_write && !next_clear && !peers_write && !region_read);
        else if (walking) begin
            assume (!accepted_valid && !region_read && region_write && next_clear && peers_write);
            assume (region_address == walk_q % REGIONS && peers_address == walk_q % CONTEXTS);
        end else begin
            if (!quiet) assume (!region_write && !next_clear && !peers_write && !region_read);
            if (!quiet && started_q)
                assume ({enabled_q, epochs_q, row_limits_q, row_sizes_q} == {enabled, epochs, row_limits, row_sizes});
        end
    end

    wire                    verdict_valid, verdict_id, verdict_port, verdict_first;
    wire [2:0]              verdict_status;
    wire [SLOT_WIDTH - 1:0] verdict_value;
    wire [SLOT_WIDTH - 1:0] read_capacity;
    wire [31:0]             read_next;
    wire [CONTEXTS * EPOCH_WIDTH - 1:0] wide_epochs;
    genvar c;
    generate
        for (c = 0; c < CONTEXTS; c = c + 1) begin : g_context
            assign wide_epochs[c * EPOCH_WIDTH +: EPOCH_WIDTH] = epochs[c * 2 +: 2];
        end
    endgenerate

    moehub_addr_alloc #(
        .CONTEXTS(CONTEXTS), .LOCAL_EXPERTS(LOCAL_EXPERTS), .GPUS(GPUS), .ROW_INDEX_WIDTH(ROW_INDEX_WIDTH),
        .SLOT_WIDTH(SLOT_WIDTH), .OFFSET_WIDTH(OFFSET_WIDTH), .PORTS(2), .WAITING(2), .TAG_WIDTH(1), .STAGES(STAGES),
        .LENGTH_WIDTH(LENGTH_WIDTH)
    ) u_alloc (
        .clk(clk), .rst(rst), .enabled(enabled), .epochs(wide_epochs), .row_limits(row_limits), .row_sizes(row_sizes),
        .region_write(region_write), .next_clear(next_clear), .region_read(region_read),
        .region_address(region_address[REGION_WIDTH - 1:0]), .region_capacity(region_capacity), .read_capacity(read_capacity),
        .read_next(read_next), .peers_write(peers_write), .peers_address(peers_address), .peers_word(peers_word),
        .accepted_valid(accepted_valid), .accepted_id(accepted_id),
        .accepted_request(`MOEHUB_REQUEST(accepted_operation, accepted_first, accepted_context, accepted_expert,
                                          accepted_row_index, accepted_offset, accepted_length, accepted_source,
                                          accepted_port, 1'b0)),
        .verdict_valid(verdict_valid), .verdict_first(verdict_first),
        .verdict(`MOEHUB_VERDICT(verdict_id, verdict_port, verdict_status, verdict_value))
    );

    // ---- the specification: the checks at acceptance; the region table five cycles later, in the same order -----------------
    reg [4 * SLOT_WIDTH - 1:0] capacities_q;
    reg [4 * SLOT_WIDTH - 1:0] nexts_q;
    reg [4 * 2 - 1:0]          next_epochs_q;
    reg [2 * 32 - 1:0]         peers_q;

    wire                    here     = accepted_context < CONTEXTS;
    wire                    number   = here && CONTEXTS > 1 ? accepted_context[0] : 1'b0;
    wire                    expert   = accepted_expert < LOCAL_EXPERTS;
    wire [1:0]              region   = number * LOCAL_EXPERTS + accepted_expert[0];
    wire [SLOT_WIDTH - 1:0] capacity = capacities_q[region * SLOT_WIDTH +: SLOT_WIDTH];
    wire [LIMIT_WIDTH - 1:0] limit   = row_limits[number * LIMIT_WIDTH +: LIMIT_WIDTH];
    // The stage is the operation. `other`: of the other stage, if there are two.
    wire                    stage    = STAGES > 1 && accepted_operation;
    wire                    opposite = STAGES > 1 && !accepted_operation;
    wire [SIZE_WIDTH - 1:0] size     = row_sizes[(number * STAGES + stage) * SIZE_WIDTH +: SIZE_WIDTH];
    wire [SIZE_WIDTH - 1:0] other    = row_sizes[(number * STAGES + opposite) * SIZE_WIDTH +: SIZE_WIDTH];
    wire [16:0]             bytes_end = {1'b0, accepted_offset} + accepted_length;
    wire [2:0] refusal = !here || !enabled[number]                                           ? 3'd`MOEHUB_STATUS_CONTEXT
                       : accepted_source >= GPUS || !peers_q[{number, accepted_source[4:0]}] ? 3'd`MOEHUB_STATUS_PEER
                       : !expert || capacity == 0                                            ? 3'd`MOEHUB_STATUS_EXPERT
                       : accepted_row_index >= limit || accepted_length == 0
                         || bytes_end > {12'd0, size} ? 3'd`MOEHUB_STATUS_RANGE
                       :                                                                       3'd`MOEHUB_STATUS_OK;
    wire grows = accepted_first && accepted_operation == 1'd`MOEHUB_REQUEST_WRITE_TOUCH;

    localparam CARRY = 1 + 1 + 1 + 1 + 3 + 1 + 2 + 2 + SLOT_WIDTH;
    reg [5 * CARRY - 1:0] delay_q; // one CARRY a cycle
    reg [4:0]             valid_q = 5'd0;
    wire                    late_id, late_port, late_grows, late_inside; // late_inside: of the other stage's row
    wire [2:0]              late_refusal;
    wire [1:0]              late_region, late_epoch;
    wire [SLOT_WIDTH - 1:0] late_capacity;
    wire                    late_number;
    assign {late_id, late_port, late_grows, late_inside, late_refusal, late_number, late_region, late_epoch, late_capacity} =
        delay_q[4 * CARRY +: CARRY];
    wire [SLOT_WIDTH - 1:0] next   = next_epochs_q[late_region * 2 +: 2] == late_epoch
                                     ? nexts_q[late_region * SLOT_WIDTH +: SLOT_WIDTH] : 0;
    wire                    asks   = late_refusal == 3'd`MOEHUB_STATUS_OK && late_grows;
    wire                    take   = valid_q[4] && asks && next != late_capacity;
    wire [2:0]              status = asks && next == late_capacity ? 3'd`MOEHUB_STATUS_FULL : late_refusal;

    reg                     full_q = 1'b0, read_q = 1'b0, advanced_q = 1'b0;
    reg [1:0]               read_region_q;
    reg [2:0]               taken_q = 3'd0; // in consecutive cycles
    always @(posedge clk) begin
        delay_q <= {delay_q[4 * CARRY - 1:0], accepted_id, accepted_port, grows, bytes_end <= {12'd0, other},
                    refusal, number, region,
                    epochs[number * 2 +: 2], capacity};
        valid_q <= {valid_q[3:0], accepted_valid};
        if (rst) valid_q <= 5'd0;
        if (take) begin
            nexts_q[late_region * SLOT_WIDTH +: SLOT_WIDTH] <= next + 1'b1;
            next_epochs_q[late_region * 2 +: 2]             <= late_epoch;
        end
        if (region_write) capacities_q[region_address * SLOT_WIDTH +: SLOT_WIDTH] <= region_capacity;
        if (next_clear) begin
            nexts_q[region_address * SLOT_WIDTH +: SLOT_WIDTH] <= 0;
            next_epochs_q[region_address * 2 +: 2]             <= 2'd0;
        end
        if (peers_write) peers_q[peers_address * 32 +: 32] <= peers_word;
        read_q        <= region_read;
        read_region_q <= region_address;
        taken_q       <= rst ? 3'd0 : take ? taken_q + {2'd0, taken_q != 3'd7} : 3'd0;
        if (take && next_epochs_q[late_region * 2 +: 2] != late_epoch && next_epochs_q[late_region * 2 +: 2] != 2'd0)
            advanced_q <= 1'b1;
    end

    // Any two grants of a region in an epoch; the first one is the solver's choice. A region whose capacity changes
    // gives no slots before its context's next epoch: ENABLE is refused until then (formal_context_table.v,
    // context_is).
    reg [3:0]              stale_q;
    wire                   fresh = next_epochs_q[late_region * 2 +: 2] != late_epoch;
    reg                    granted_q = 1'b0;
    reg [1:0]              granted_region_q, granted_epoch_q;
    reg [SLOT_WIDTH - 1:0] granted_slot_q;
    wire                   again = granted_q && verdict_first && late_region == granted_region_q && late_epoch == granted_epoch_q;
    always @(posedge clk) begin
        if (verdict_first && mark && !granted_q && (fresh || !stale_q[late_region])) begin
            granted_q        <= 1'b1;
            granted_region_q <= late_region;
            granted_epoch_q  <= late_epoch;
            granted_slot_q   <= verdict_value;
        end
        // A next slot is forgotten by ACKNOWLEDGE_CLEAR, and when the epoch has moved on.
        if (rst || next_clear || region_write) granted_q <= 1'b0;
        if (region_write) stale_q[region_address] <= 1'b1;
        if (take && fresh) stale_q[late_region] <= 1'b0;
        if (next_clear) stale_q[region_address] <= 1'b0;
        if (granted_q && verdict_first && late_region == granted_region_q && late_epoch != granted_epoch_q) granted_q <= 1'b0;
    end

    always @* if (started_q) begin
        one_verdict: assert (verdict_valid == valid_q[4]
                             && (!verdict_valid || {verdict_id, verdict_port} == {late_id, late_port}));
        status_is: assert (!verdict_valid || verdict_status == status);
        grants:    assert (verdict_first == take);
        value:     assert (!verdict_valid || verdict_status != 3'd`MOEHUB_STATUS_OK
                           || verdict_value == (take ? next : late_capacity));
        below:     assert (!verdict_first || verdict_value < late_capacity);
        touches:   assert (!verdict_first || late_grows);                                     // a read never allocates
        // nor does a refused request
        refused:   assert (!verdict_valid || verdict_status == 3'd`MOEHUB_STATUS_OK || !verdict_first);
        distinct:  assert (!again || verdict_value != granted_slot_q);
        later:     assert (!again || verdict_value > granted_slot_q);
        read_back: assert (!read_q || reset_q || (read_capacity == capacities_q[read_region_q * SLOT_WIDTH +: SLOT_WIDTH]
                           && read_next
                               == {next_epochs_q[read_region_q * 2 +: 2], nexts_q[read_region_q * SLOT_WIDTH +: SLOT_WIDTH]}));
    end
    always @* begin
        three_in_a_row: cover (taken_q == 3'd3);
        full:           cover (verdict_valid && verdict_status == 3'd`MOEHUB_STATUS_FULL && late_capacity == 2);
        granted_again:  cover (again);
        second_epoch:   cover (advanced_q);
        other_stage:    cover (verdict_valid && verdict_status == 3'd`MOEHUB_STATUS_RANGE && late_inside && late_grows);
        refused_range:  cover (verdict_valid && verdict_status == 3'd`MOEHUB_STATUS_RANGE && late_grows);
        reads:          cover (read_q && read_next[SLOT_WIDTH - 1:0] == 2);
    end
endmodule
`default_nettype wire
