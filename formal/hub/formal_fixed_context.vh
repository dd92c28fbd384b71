// SPDX-License-Identifier: Apache-2.0
// In place of moehub_context_table in the proofs of the whole address path: one context of one stage, its registers and
// regions chosen by the solver and constant, ready a few cycles after reset instead of after a dozen commands. No command is ever
// taken, but requests may be shut out at any time, as a command would.

    localparam [3:0] WALK = SETS > LOCAL_EXPERTS ? SETS : LOCAL_EXPERTS; // at most 15

    wire                                  chosen_enabled    = $anyconst;
    wire [31 - SLOT_WIDTH:0]              chosen_epoch      = $anyconst;
    wire [ADDRESS_WIDTH - 1:0]            chosen_table      = $anyconst;
    wire [ROW_INDEX_WIDTH:0]              chosen_limit      = $anyconst;
    wire [OFFSET_WIDTH:0]                 chosen_size       = $anyconst;
    wire [31:0]                           chosen_peers      = $anyconst;
    wire [LOCAL_EXPERTS * ADDRESS_WIDTH - 1:0] chosen_bases = $anyconst;
    wire [LOCAL_EXPERTS * SLOT_WIDTH - 1:0] chosen_capacities = $anyconst;
    // What CONTEXT_SET accepts, after ACKNOWLEDGE_CLEAR.
    always @* begin
        assume (chosen_epoch != 0);
        assume (chosen_table[1:0] == 2'd0);
        assume (chosen_limit <= 1 << ROW_INDEX_WIDTH);
        assume (chosen_size != 0 && chosen_size <= 1 << OFFSET_WIDTH);
    end

    reg [3:0] walk_q;
    reg       initialised_q, open_q;
    wire      any_open = $anyseq;
    wire      walking = walk_q != WALK;
    always @(posedge clk) begin
        if (walking) walk_q <= walk_q + 4'd1;
        initialised_q <= !walking;
        open_q        <= !walking && any_open;
        if (rst) begin
            walk_q <= 4'd0;
            initialised_q <= 1'b0;
            open_q <= 1'b0;
        end
    end

    assign command_ready      = 1'b0;
    assign result_valid       = 1'b0;
    assign result_refused     = 1'b0;
    assign result_in_flight   = 1'b0;
    assign result_data0       = 64'd0;
    assign result_data1       = 64'd0;
    assign initialised        = initialised_q;
    assign open               = open_q;
    assign enabled            = chosen_enabled;
    assign clear_needed       = 1'b0;
    assign epochs             = chosen_epoch;
    assign table_bases        = chosen_table;
    assign row_limits         = chosen_limit;
    assign row_sizes          = chosen_size;
    assign set_clear          = walking && walk_q < SETS;
    assign set_address        = walk_q;
    assign invalidate_start   = 1'b0;
    assign invalidate_context = 0;
    assign region_write       = walking && walk_q < LOCAL_EXPERTS;
    assign next_clear         = region_write;
    assign region_read        = 1'b0;
    assign region_address     = walk_q;
    assign base_write         = region_write;
    assign base_address       = walk_q;
    assign region_base        = chosen_bases[walk_q * ADDRESS_WIDTH +: ADDRESS_WIDTH];
    assign region_capacity    = chosen_capacities[walk_q * SLOT_WIDTH +: SLOT_WIDTH];
    assign base_read          = 1'b0;
    assign peers_write        = walking && walk_q == 0;
    assign peers_address      = 0;
    assign peers_word         = chosen_peers;
    assign refused_valid      = 1'b0;
