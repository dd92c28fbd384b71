// SPDX-License-Identifier: Apache-2.0
// moehub_context_table: every command is judged and takes effect as in rtl/doc/address_path.md section 5, one at a time, while no
// request is in the front. Operands are free in their low bits and one bit beyond each limit; the rest of them is 0. With two
// stages (rtl/doc/hub/address_stages.md) low bits are those of a multiple of 16 or 128, and one that makes it none.
`default_nettype none
`include "moehub_defines.vh"
module formal_context_table #(
    parameter LOCAL_EXPERTS = 2, // 1 or 2
    parameter CONTEXTS      = 2, // 1 or 2
    parameter STAGES        = 1, // 1 or 2
    parameter BOUND         = 20
) (
    input wire       clk,
    input wire       rst,
    input wire       command_valid,
    input wire [3:0] operation,
    input wire [1:0] context,
    input wire [1:0] index,
    input wire       combine,  // bit 15 of the index, with two stages
    input wire [3:0] base,
    input wire [2:0] size,
    input wire [2:0] low,      // of row limit and capacity
    input wire [1:0] high,     // bits 31 and 30 of both
    input wire       result_ready,
    input wire       front_empty,
    input wire [CONTEXTS - 1:0] in_flight,
    input wire       busy_ends,
    input wire       base_free,
    input wire [(STAGES > 1 ? 8 : 3) - 1:0] base_word
);
`include "formal_reset.vh"
    localparam ADDRESS_WIDTH   = STAGES > 1 ? 8 : 3;
    localparam OFFSET_WIDTH    = STAGES > 1 ? 5 : 1;
    localparam SIZE_WIDTH      = OFFSET_WIDTH + 1;
    localparam SIZES_WIDTH     = STAGES * SIZE_WIDTH; // of a context
    localparam ROW_INDEX_WIDTH = 1;
    localparam SLOT_WIDTH      = 30; // two bits of epoch
    localparam REGIONS         = CONTEXTS * LOCAL_EXPERTS;
    localparam REGION_WIDTH    = REGIONS > 1 ? $clog2(REGIONS) : 1;
    localparam BASE_WIDTH      = REGIONS * STAGES > 1 ? $clog2(REGIONS * STAGES) : 1;

    wire        command_ready, result_valid, result_refused, result_in_flight, initialised, open;
    wire [63:0] result_data0, result_data1;
    wire [CONTEXTS - 1:0]     enabled, clear_needed;
    wire [2 * CONTEXTS - 1:0] epochs, row_limits;
    wire [SIZES_WIDTH * CONTEXTS - 1:0]   row_sizes;
    wire [ADDRESS_WIDTH * CONTEXTS - 1:0] table_bases;
    wire        set_clear, set_address, invalidate_start, invalidate_context, region_write, next_clear, region_read, base_read;
    wire        peers_write, peers_address, refused_valid, base_write;
    wire [BASE_WIDTH - 1:0]    base_address;
    wire [REGION_WIDTH - 1:0] region_address;
    wire [ADDRESS_WIDTH - 1:0] region_base;
    wire [SLOT_WIDTH - 1:0] region_capacity;
    wire [31:0] peers_word;
    reg         busy_q = 1'b0, base_read_done_q = 1'b0;
    wire [15:0] wide_index = {STAGES > 1 && combine, 13'd0, index};
    wire [63:0] data0      = STAGES > 1 ? {55'd0, base[3:2], 5'd0, base[1:0]} : {60'd0, base};
    wire [16:0] wide_size  = STAGES > 1 ? {11'd0, size[2:1], 3'd0, size[0]} : {14'd0, size};

    moehub_context_table #(
        .CONTEXTS(CONTEXTS), .LOCAL_EXPERTS(LOCAL_EXPERTS), .GPUS(2), .ROW_INDEX_WIDTH(ROW_INDEX_WIDTH), .SLOT_WIDTH(SLOT_WIDTH),
        .OFFSET_WIDTH(OFFSET_WIDTH), .ADDRESS_WIDTH(ADDRESS_WIDTH), .SETS(2), .STAGES(STAGES)
    ) u_contexts (
        .clk(clk), .rst(rst), .command_valid(command_valid), .command_ready(command_ready), .command_operation(operation),
        .command_context({6'd0, context}), .command_index(wide_index), .command_data0(data0),
        .command_data1({15'd0, wide_size, high, 27'd0, low}),
        .result_valid(result_valid), .result_ready(result_ready), .result_refused(result_refused),
        .result_in_flight(result_in_flight), .result_data0(result_data0), .result_data1(result_data1), .initialised(initialised),
        .open(open), .front_empty(front_empty), .in_flight(in_flight), .enabled(enabled), .clear_needed(clear_needed),
        .epochs(epochs), .table_bases(table_bases), .row_limits(row_limits), .row_sizes(row_sizes), .set_clear(set_clear),
        .set_address(set_address), .invalidate_start(invalidate_start), .invalidate_context(invalidate_context),
        .invalidate_busy(busy_q), .region_write(region_write), .next_clear(next_clear), .region_read(region_read),
        .region_address(region_address), .base_write(base_write), .base_address(base_address),
        .region_base(region_base), .region_capacity(region_capacity),
        .read_capacity({SLOT_WIDTH{1'b0}}), .read_next(32'd0), .base_read(base_read), .base_read_done(base_read_done_q),
        .base_word(base_word), .peers_write(peers_write), .peers_address(peers_address), .peers_word(peers_word),
        .refused_valid(refused_valid)
    );
    // The AL-TLB's walk over its sets, and the answer pipe's free cycle: both end at any time.
    always @(posedge clk) begin
        busy_q           <= !rst && (invalidate_start || (busy_q && !busy_ends));
        base_read_done_q <= !rst && base_read && base_free;
    end
    formal_stream_assume #(.WIDTH(19)) u_command (
        .clk(clk), .rst(rst), .valid(command_valid), .ready(command_ready),
        .data({operation, context, combine, index, base, size, low})
    );
    formal_stream_assume #(.WIDTH(2)) u_high (.clk(clk), .rst(rst), .valid(command_valid), .ready(command_ready), .data(high));
    formal_stream_assert #(.WIDTH(2 + 64 + 64)) u_result (
        .clk(clk), .rst(rst), .valid(result_valid), .ready(result_ready),
        .data({result_refused, result_in_flight, result_data0, result_data1})
    );

    // ---- the specification ----------------------------------------------------------------------------------------
    reg [CONTEXTS - 1:0]     enabled_q, clear_q, advance_q;
    reg [2 * CONTEXTS - 1:0] epochs_q, limits_q;
    reg [SIZES_WIDTH * CONTEXTS - 1:0]   sizes_q;
    reg [ADDRESS_WIDTH * CONTEXTS - 1:0] bases_q;
    reg [CONTEXTS - 1:0]     in_flight_q; // commands are judged by the cycle before their acceptance

    wire accept   = command_valid && command_ready && !rst;
    wire in_range = context < CONTEXTS;
    wire number   = in_range && context[0];
    wire [1:0] epoch = epochs_q[number * 2 +: 2];
    wire flush    = operation == 4'd`MOEHUB_HUB_COMMAND_FLUSH;
    wire harmless = operation == 4'd`MOEHUB_HUB_COMMAND_DISABLE || operation == 4'd`MOEHUB_HUB_COMMAND_CONTEXT_GET
        || operation == 4'd`MOEHUB_HUB_COMMAND_REGION_GET;
    wire busy     = flush ? in_flight_q != 0 : in_range && in_flight_q[number];
    wire [31:0] value = {high, 27'd0, low};
    wire beyond   = data0 >= 1 << ADDRESS_WIDTH;
    wire bad_size = wide_size == 17'd0 || wide_size > 1 << OFFSET_WIDTH || (STAGES > 1 && wide_size % 16 != 0);
    wire bad_base = wide_index >= LOCAL_EXPERTS || beyond || (STAGES > 1 && data0 % 128 != 0);
    wire [15:0] asked_expert = STAGES > 1 ? wide_index % 32768 : wide_index;
    reg refuse;
    always @* begin
        case (operation)
            4'd`MOEHUB_HUB_COMMAND_CONTEXT_SET:
                refuse = data0[1:0] != 2'd0 || beyond || bad_size || value > 1 << ROW_INDEX_WIDTH;
            4'd`MOEHUB_HUB_COMMAND_PEERS_SET:         refuse = wide_index != 16'd0;
            4'd`MOEHUB_HUB_COMMAND_REGION_SET:        refuse = bad_base || high != 2'd0;
            4'd`MOEHUB_HUB_COMMAND_STAGE_SET:         refuse = STAGES == 1 || wide_index > 16'd1 || bad_size;
            4'd`MOEHUB_HUB_COMMAND_BASE_SET:          refuse = STAGES == 1 || bad_base;
            4'd`MOEHUB_HUB_COMMAND_ENABLE:            refuse = clear_q[number] || advance_q[number];
            4'd`MOEHUB_HUB_COMMAND_ADVANCE:           refuse = clear_q[number];
            4'd`MOEHUB_HUB_COMMAND_ACKNOWLEDGE_CLEAR: refuse = !clear_q[number];
            4'd`MOEHUB_HUB_COMMAND_REGION_GET:        refuse = asked_expert >= LOCAL_EXPERTS;
            4'd`MOEHUB_HUB_COMMAND_DISABLE, 4'd`MOEHUB_HUB_COMMAND_FLUSH, 4'd`MOEHUB_HUB_COMMAND_CONTEXT_GET: refuse = 1'b0;
            default:                                  refuse = 1'b1;
        endcase
        if (flush) refuse = enabled_q != 0 || in_flight_q != 0;
        else if (!in_range) refuse = 1'b1;
        else if (!harmless && (enabled_q[number] || in_flight_q[number])) refuse = 1'b1;
    end
    wire does = accept && !refuse;
    wire region_set  = does && operation == 4'd`MOEHUB_HUB_COMMAND_REGION_SET;
    wire base_set    = does && operation == 4'd`MOEHUB_HUB_COMMAND_BASE_SET;
    wire peers_set   = does && operation == 4'd`MOEHUB_HUB_COMMAND_PEERS_SET;
    wire acknowledge = does && operation == 4'd`MOEHUB_HUB_COMMAND_ACKNOWLEDGE_CLEAR;
    wire get         = does && operation == 4'd`MOEHUB_HUB_COMMAND_CONTEXT_GET;
    wire [16:0] told_size = sizes_q[(number * STAGES + (STAGES > 1 && wide_index == 16'd1)) * SIZE_WIDTH +: SIZE_WIDTH];
    wire [31:0] word = (number * LOCAL_EXPERTS + index) * STAGES; // of stage 0 of the region
    reg  [31:0] second_word_q, asked_word_q;
    reg  [ADDRESS_WIDTH - 1:0] second_base_q;
    reg         second_q = 1'b0; // the cycle after a REGION_SET: the base of stage 1

    reg                pending_q = 1'b0, refused_q, was_busy_q, acknowledge_q = 1'b0, acknowledged_q, region_get_q;
    reg                walking_q = 1'b1; // the walk after reset and FLUSH
    reg                number_q;
    reg [63:0]         data0_q, data1_q;
    reg [7:0]          settled_q = 8'd0; // the front was empty and closed in the last cycles
    reg [4:0]          age_q = 5'd0;
    reg                refused_set_q = 1'b0, wrapped_q = 1'b0, flushed_q = 1'b0;
    reg [CONTEXTS - 1:0] enabled_before_q = 0;
    localparam LIMITS_LSB = SIZES_WIDTH * CONTEXTS, BASES_LSB = LIMITS_LSB + 2 * CONTEXTS;
    localparam EPOCHS_LSB = BASES_LSB + ADDRESS_WIDTH * CONTEXTS;
    reg [EPOCHS_LSB + 2 * CONTEXTS - 1:0] layout_before_q; // {epochs, table bases, row limits, row sizes}
    wire               initialised_now = initialised && !walking_q;
    always @(posedge clk) begin
        in_flight_q <= in_flight;
        settled_q   <= {settled_q[6:0], front_empty && !open};
        enabled_before_q <= enabled;
        layout_before_q  <= {epochs, table_bases, row_limits, row_sizes};
        if (does) begin
            case (operation)
                4'd`MOEHUB_HUB_COMMAND_CONTEXT_SET: begin
                    bases_q[number * ADDRESS_WIDTH +: ADDRESS_WIDTH] <= data0[ADDRESS_WIDTH - 1:0];
                    limits_q[number * 2 +: 2] <= value[1:0];
                    sizes_q[number * SIZES_WIDTH +: SIZES_WIDTH] <= {STAGES{wide_size[SIZE_WIDTH - 1:0]}};
                    clear_q[number]           <= 1'b1;
                end
                4'd`MOEHUB_HUB_COMMAND_STAGE_SET:
                    sizes_q[(number * STAGES + wide_index) * SIZE_WIDTH +: SIZE_WIDTH] <= wide_size[SIZE_WIDTH - 1:0];
                4'd`MOEHUB_HUB_COMMAND_REGION_SET: advance_q[number] <= 1'b1;
                4'd`MOEHUB_HUB_COMMAND_ENABLE:     enabled_q[number] <= 1'b1;
                4'd`MOEHUB_HUB_COMMAND_DISABLE:    enabled_q[number] <= 1'b0;
                4'd`MOEHUB_HUB_COMMAND_ADVANCE:
                    if (epoch == 2'd3) clear_q[number] <= 1'b1;
                    else begin
                        epochs_q[number * 2 +: 2] <= epoch + 2'd1;
                        advance_q[number]         <= 1'b0;
                    end
                4'd`MOEHUB_HUB_COMMAND_ACKNOWLEDGE_CLEAR: begin
                    epochs_q[number * 2 +: 2] <= 2'd1;
                    clear_q[number]           <= 1'b0;
                    advance_q[number]         <= 1'b0;
                end
                default: ;
            endcase
        end
        if (accept) begin
            pending_q      <= 1'b1;
            refused_q      <= refuse;
            was_busy_q     <= busy;
            number_q       <= number;
            acknowledged_q <= acknowledge;
            region_get_q   <= does && operation == 4'd`MOEHUB_HUB_COMMAND_REGION_GET;
            data0_q        <= get ? bases_q[number * ADDRESS_WIDTH +: ADDRESS_WIDTH] : 64'd0;
            data1_q        <= get ? {enabled_q[number], clear_q[number], advance_q[number], busy, 9'd0, epoch, told_size, 30'd0,
                                     limits_q[number * 2 +: 2]} : 64'd0;
            asked_word_q   <= word + (STAGES > 1 && combine);
        end else if (result_valid && result_ready) pending_q <= 1'b0;
        acknowledge_q <= acknowledge;
        second_q      <= STAGES > 1 && region_set;
        second_word_q <= word + 1;
        second_base_q <= data0[ADDRESS_WIDTH - 1:0];
        if (does && flush) walking_q <= 1'b1;
        else if (!initialised) walking_q <= 1'b0; // from here on the output tells
        age_q <= command_valid && front_empty && result_ready && busy_ends && base_free && !walking_q && initialised && !accept
                 ? age_q + {4'd0, age_q != 5'd31} : 5'd0;
        if (accept && refuse && operation == 4'd`MOEHUB_HUB_COMMAND_REGION_SET && in_flight_q[0] && !enabled_q[0]
            && context == 2'd0)
            refused_set_q <= 1'b1;
        if (does && operation == 4'd`MOEHUB_HUB_COMMAND_ADVANCE && epoch == 2'd3) wrapped_q <= 1'b1;
        if (does && flush && epochs_q != 0) flushed_q <= 1'b1;
        if (rst || (does && flush)) begin
            {enabled_q, advance_q} <= 0;
            clear_q   <= {CONTEXTS{1'b1}};
            {epochs_q, limits_q, sizes_q, bases_q} <= 0;
        end
        if (rst) begin
            pending_q     <= 1'b0;
            walking_q     <= 1'b1;
            acknowledge_q <= 1'b0;
            second_q      <= 1'b0;
            age_q         <= 5'd0;
        end
    end

    // ---- a region that the solver chooses: the walks reach it -----------------------------------------------------
    wire [REGION_WIDTH - 1:0] region = $anyconst;
    wire my_context = region / LOCAL_EXPERTS == number_q;
    reg  cleared_q = 1'b0, forgotten_q = 1'b0;
    always @* assume (region < REGIONS);
    always @(posedge clk) begin
        if (next_clear && region_address == region) forgotten_q <= 1'b1;
        if (region_write && region_address == region && region_capacity == 0 && next_clear) cleared_q <= 1'b1;
        if (accept) forgotten_q <= 1'b0;
        if (rst || (does && flush)) cleared_q <= 1'b0;
    end

    reg region_written_q = 1'b0; // by a command, since the walk
    always @(posedge clk) region_written_q <= !(rst || (does && flush)) && (region_written_q || region_set);
    // A base likewise.
    wire [BASE_WIDTH - 1:0] place = $anyconst;
    reg  base_cleared_q = 1'b0, base_written_q = 1'b0;
    always @* assume (place < REGIONS * STAGES);
    always @(posedge clk) begin
        if (base_write && base_address == place && region_base == 0) base_cleared_q <= 1'b1;
        base_written_q <= base_written_q || region_set || base_set;
        if (rst || (does && flush)) {base_cleared_q, base_written_q} <= 2'd0;
    end
    wire [CONTEXTS - 1:0] used_epochs;
    genvar c;
    generate
        for (c = 0; c < CONTEXTS; c = c + 1) begin : g_used
            assign used_epochs[c] = epochs[c * 2 +: 2] != 2'd0;
        end
    endgenerate

    always @* if (started_q && !reset_q && !rst) begin
        one_result:    assert (!result_valid || pending_q);
        one_command:   assert (!accept || (!pending_q && initialised_now));
        judged:        assert (!result_valid || (result_refused == refused_q && result_in_flight == was_busy_q));
        context_is:    assert ({enabled, clear_needed, epochs} == {enabled_q, clear_q, epochs_q});
        layout_is:     assert ({table_bases, row_limits, row_sizes} == {bases_q, limits_q, sizes_q});
        told:          assert (!result_valid || region_get_q || {result_data0, result_data1} == {data0_q, data1_q});
        region_set_right: assert (!initialised_now || (region_write == region_set && (!region_write
                                  || (region_address == number * LOCAL_EXPERTS + index && region_capacity == value[29:0]))));
        bases_right:   assert (!initialised_now
                               || (base_write == (region_set || base_set || second_q)
                                   && (!base_write || {base_address, region_base} == (second_q
                                       ? {second_word_q[BASE_WIDTH - 1:0], second_base_q}
                                       : {word[BASE_WIDTH - 1:0] | base_set, data0[ADDRESS_WIDTH - 1:0]}))));
        base_asked:    assert (!base_read || base_address == asked_word_q);
        peers_set_right:  assert (!initialised_now
                                  || (peers_write == peers_set
                                      && (!peers_write || (peers_address == number && peers_word == data0[31:0]))));
        forgets_own:   assert (!initialised_now || !next_clear
                               || (pending_q && acknowledged_q && region_address / LOCAL_EXPERTS == number_q));
        invalidates:   assert (invalidate_start == acknowledge_q && (!invalidate_start || invalidate_context == number_q));
        forgets_all:   assert (!result_valid || !acknowledged_q || !my_context || forgotten_q);
        clears_all:    assert (!initialised_now || cleared_q || region_set || region_written_q);
        clears_bases:  assert (!initialised_now || base_cleared_q || region_set || base_set || base_written_q);
        settled:       assert (!accept || &settled_q[7:1]); // judged in the cycle before acceptance
        quiet_front:   assert (!initialised_now || !open
                               || !(region_write || base_write || next_clear || peers_write || set_clear || busy_q));
        never_epoch_0: assert ((enabled & ~used_epochs) == 0);
        keeps_enabled: assert (!enabled[0] || !enabled_before_q[0]
                               || {epochs[1:0], table_bases[ADDRESS_WIDTH - 1:0], row_limits[1:0], row_sizes[SIZES_WIDTH - 1:0]}
                               == {layout_before_q[EPOCHS_LSB +: 2], layout_before_q[BASES_LSB +: ADDRESS_WIDTH],
                                   layout_before_q[LIMITS_LSB +: 2], layout_before_q[SIZES_WIDTH - 1:0]});
        in_time:       assert (age_q <= BOUND);
    end
    always @* begin
        enables:       cover (enabled[0] && epochs[1:0] == 2'd2);
        gated:         cover (refused_set_q && result_valid && enabled == 0);
        wraps:         cover (wrapped_q && clear_needed[0] && epochs[1:0] == 2'd3);
        flushes:       cover (flushed_q && initialised_now && result_valid);
        forgets:       cover (result_valid && acknowledged_q && forgotten_q && started_q);
        tells:         cover (result_valid && data1_q[63] && data0_q[ADDRESS_WIDTH - 1]);
        two_sizes:     cover (enabled[0] && row_sizes[0 +: SIZE_WIDTH] != row_sizes[SIZES_WIDTH - 1 -: SIZE_WIDTH]);
        tells_combine: cover (result_valid && number_q == 1'b0 && data1_q[32 +: SIZE_WIDTH] != 0
                              && data1_q[32 +: SIZE_WIDTH] != row_sizes[0 +: SIZE_WIDTH]);
        sets_second:   cover (second_q && base_write && region_base != 0);
        sets_base:     cover (base_set && base_write && region_base != 0);
        asks_base:     cover (base_read && asked_word_q[0]);
        sets_region:   cover (region_write && initialised_now && region_capacity == 3);
        sets_peers:    cover (peers_write && initialised_now && peers_word != 0);
        refuses:       cover (result_valid && refused_q && !was_busy_q);
        commands:      cover (accept);
    end
endmodule
`default_nettype wire
