// SPDX-License-Identifier: Apache-2.0
// moehub_answer_pipe: the requests that are started are answered in that order, once each, with the status and slot
// that are known of them; the address is base + slot * stride + offset and lies inside the region and the slot's row, base and
// stride those of the request's stage.
// The solver marks one request. What the AAU and the AL-TLB promise is assumed: an OK request names a region, a byte
// range inside the row, a slot below the capacity (formal_addr_alloc.v, status_is and below; formal_al_walker.v,
// fill_right); regions change while nothing is started.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_hub.vh"
module formal_answer_pipe #(
    parameter LOCAL_EXPERTS = 1, // 1 or 2
    parameter STAGES        = 1, // 1, or 2 with one region
    parameter SLOT_WIDTH    = 2,
    parameter OFFSET_WIDTH  = 1,
    parameter ADDRESS_WIDTH = 5,
    parameter WAITING       = 2,
    parameter PENDING       = 1, // 1 or 2
    parameter ANSWERS       = 2,
    parameter BOUND         = 8  // 6 + ceil(ADDRESS_WIDTH / 16), and one for each answer before it
) (
    input wire                       clk,
    input wire                       rst,
    input wire [STAGES * (OFFSET_WIDTH + 1) - 1:0] row_sizes,
    input wire                       base_write,
    input wire                       base_address,
    input wire [ADDRESS_WIDTH - 1:0] base_data,
    input wire [SLOT_WIDTH - 1:0]    base_capacity, // of the region that is written
    input wire                       base_read,
    input wire                       accepted_valid,
    input wire                       accepted_id,
    input wire                       accepted_operation,
    input wire [2:0]                 accepted_context,
    input wire [15:0]                accepted_expert,
    input wire [15:0]                accepted_offset,
    input wire [8:0]                 accepted_length,
    input wire                       accepted_port,
    input wire                       accepted_tag,
    input wire                       value_valid,
    input wire                       value_id,
    input wire [2:0]                 value_status,
    input wire                       value_first,
    input wire [SLOT_WIDTH - 1:0]    value_slot,
    input wire                       fill_valid,
    input wire                       fill_entry,
    input wire [1:0]                 fill_state,
    input wire [SLOT_WIDTH - 1:0]    fill_slot,
    input wire                       ready_valid,
    input wire                       ready_id,
    input wire                       ready_wait,
    input wire                       ready_entry,
    input wire                       answer_ready,
    input wire                       mark
);
`include "formal_reset.vh"
    localparam SIZE_WIDTH = OFFSET_WIDTH + 1;
    localparam WIDE       = ADDRESS_WIDTH + SLOT_WIDTH + SIZE_WIDTH; // no sum wraps
    localparam COUNT      = 4;

    wire                       ready_ready, done_valid, done_id, consumed_valid, consumed_entry;
    wire                       answer_valid, answer_port, answer_tag, answer_allocated, error_valid, base_read_done;
    wire [2:0]                 answer_status;
    wire [SLOT_WIDTH - 1:0]    answer_slot;
    wire [ADDRESS_WIDTH - 1:0] answer_address, base_word;
    wire [2:0]                 answer_context;
    wire [`MOEHUB_OFFENDER_WIDTH - 1:0] refusal;
    wire [2:0]                 error_status = refusal[`MOEHUB_HEADER_STATUS_LSB +: 3]; // of its header, the lowest field
    wire                       region = LOCAL_EXPERTS * STAGES > 1 && base_address; // or stage: whose base

    moehub_answer_pipe #(
        .CONTEXTS(1), .LOCAL_EXPERTS(LOCAL_EXPERTS), .SLOT_WIDTH(SLOT_WIDTH), .OFFSET_WIDTH(OFFSET_WIDTH),
        .ADDRESS_WIDTH(ADDRESS_WIDTH), .PORTS(2), .PENDING(PENDING), .WAITING(WAITING), .TAG_WIDTH(1), .STAGES(STAGES),
        .ANSWERS(ANSWERS)
    ) u_pipe (
        .clk(clk), .rst(rst), .row_sizes(row_sizes),
        .base_write(base_write), .base_address(region), .region_base(base_data), .base_read(base_read),
        .base_read_done(base_read_done), .base_word(base_word),
        .accepted_valid(accepted_valid), .accepted_id(accepted_id),
        .accepted_request(`MOEHUB_REQUEST(accepted_operation, 1'b0, accepted_context, accepted_expert, 32'd0, accepted_offset,
                                          accepted_length, 10'd0,
                                          accepted_port, accepted_tag)),
        .value_valid(value_valid), .value_id(value_id), 
        .value(`MOEHUB_VALUE(value_status, value_first, value_slot)),
        .fill_valid(fill_valid), .fill_entry(fill_entry), .fill_content(`MOEHUB_CONTENT(fill_state, fill_slot)),
        .ready_valid(ready_valid), .ready_ready(ready_ready), 
        .ready_waiter(`MOEHUB_WAITER(ready_id, ready_wait, ready_entry)),
        .done_valid(done_valid), .done_id(done_id), .consumed_valid(consumed_valid), .consumed_entry(consumed_entry),
        .answer_valid(answer_valid), .answer_ready(answer_ready),
        .answer(`MOEHUB_ANSWER(answer_status, answer_port, answer_tag, answer_slot, answer_allocated, answer_context)),
        .answer_address(answer_address), .refusal_valid(error_valid), .refusal(refusal)
    );
    formal_stream_assert #(.WIDTH(3 + 2 + SLOT_WIDTH + ADDRESS_WIDTH + 1)) u_answer (
        .clk(clk), .rst(rst), .valid(answer_valid), .ready(answer_ready),
        .data({answer_status, answer_port, answer_tag, answer_slot, answer_address, answer_allocated})
    );

    // ---- what is known of the requests, by name, and of the regions -----------------------------------------------
    localparam REQUEST = 1 + 1 + 1 + 3 + 16 + 16 + 9;
    localparam VALUE   = 3 + 1 + SLOT_WIDTH;
    localparam RESULT  = 2 + SLOT_WIDTH;
    localparam PLACE   = ADDRESS_WIDTH + SLOT_WIDTH;
    reg [2 * REQUEST - 1:0] requests_q;
    reg [2 * VALUE - 1:0]   values_q;
    reg [2 * RESULT - 1:0]  results_q;
    reg [2 * PLACE - 1:0]   regions_q;
    reg [1:0]               accepted_q = 2'd0, valued_q = 2'd0, filled_q = 2'd0, placed_q = 2'd0; // written at least once
    always @(posedge clk) begin
        if (accepted_valid) accepted_q[accepted_id] <= 1'b1;
        if (value_valid) valued_q[value_id] <= 1'b1;
        if (fill_valid) filled_q[fill_entry] <= 1'b1;
        if (base_write) placed_q[region] <= 1'b1;
        if (accepted_valid)
            requests_q[accepted_id * REQUEST +: REQUEST] <=
                {accepted_operation, accepted_port, accepted_tag, accepted_context, accepted_expert, accepted_offset,
                 accepted_length};
        if (value_valid) values_q[value_id * VALUE +: VALUE] <= {value_status, value_first, value_slot};
        if (fill_valid) results_q[fill_entry * RESULT +: RESULT] <= {fill_state, fill_slot};
        if (base_write) regions_q[region * PLACE +: PLACE] <= {base_data, base_capacity};
    end

    wire                    start = ready_valid && ready_ready && !rst;
    wire                    asked_operation, asked_port, asked_tag;
    wire [2:0]              asked_context;
    wire [15:0]             asked_expert, asked_offset;
    wire [8:0]              asked_length;
    wire [2:0]              own_status;
    wire                    own_first;
    wire [SLOT_WIDTH - 1:0] own_slot, shared_slot, capacity;
    wire [1:0]              shared_state;
    wire [ADDRESS_WIDTH - 1:0] base;
    assign {asked_operation, asked_port, asked_tag, asked_context, asked_expert, asked_offset, asked_length} =
        requests_q[ready_id * REQUEST +: REQUEST];
    assign {own_status, own_first, own_slot} = values_q[ready_id * VALUE +: VALUE];
    assign {shared_state, shared_slot}       = results_q[ready_entry * RESULT +: RESULT];
    wire                    stage = STAGES > 1 && asked_operation;
    wire                    place = stage || (LOCAL_EXPERTS > 1 && asked_expert[0]);
    wire [SIZE_WIDTH - 1:0] row_size = row_sizes[stage * SIZE_WIDTH +: SIZE_WIDTH];
    wire [SIZE_WIDTH - 1:0] stride   = STAGES > 1 ? (row_size + 127) / 128 * 128 : row_size;
    assign {base, capacity}                  = regions_q[place * PLACE +: PLACE];
    wire [2:0] status = !ready_wait          ? own_status
                      : shared_state == 2'd0 ? 3'd`MOEHUB_STATUS_OK
                      : shared_state == 2'd1 ? 3'd`MOEHUB_STATUS_UNMAPPED : 3'd`MOEHUB_STATUS_MEMORY;
    wire                    ok   = status == 3'd`MOEHUB_STATUS_OK;
    wire [SLOT_WIDTH - 1:0] slot = ready_wait ? shared_slot : own_slot;

    reg [2:0]            started_count_q = 3'd0; // started and not answered
    reg [STAGES * SIZE_WIDTH - 1:0] row_sizes_q;
    reg                  asks_base_q = 1'b0, base_region_q;
    wire                 busy = started_count_q != 3'd0 || start;
    always @* begin
        assume (ready_entry < PENDING && fill_entry < PENDING);
        if (start) assume (accepted_q[ready_id] && valued_q[ready_id] && (!ready_wait || filled_q[ready_entry]));
        if (start && ok) begin
            assume (placed_q[place]);
            assume (asked_context == 3'd0 && asked_expert < LOCAL_EXPERTS && slot < capacity);
            assume (asked_length != 9'd0 && {1'b0, asked_offset} + {8'd0, asked_length} <= {{17 - SIZE_WIDTH{1'b0}}, row_size});
        end
        assume (row_sizes[0 +: SIZE_WIDTH] != 0 && row_sizes[0 +: SIZE_WIDTH] <= 1 << OFFSET_WIDTH);
        assume (row_sizes[(STAGES - 1) * SIZE_WIDTH +: SIZE_WIDTH] != 0
                && row_sizes[(STAGES - 1) * SIZE_WIDTH +: SIZE_WIDTH] <= 1 << OFFSET_WIDTH);
        if (busy) assume (!base_write);
        if (started_count_q != 3'd0) assume (row_sizes == row_sizes_q);
        if (rst || base_write) assume (!base_read);
        if (asks_base_q && !base_read_done) assume (base_read && region == base_region_q);
    end

    // ---- the marked request ---------------------------------------------------------------------------------------
    wire answer = answer_valid && answer_ready && !rst;
    reg                        marked_q = 1'b0;
    reg [2:0]                  ahead_q;
    reg [3:0]                  age_q;
    reg                        port_q, tag_q, allocated_q, ok_q;
    reg [2:0]                  status_q;
    reg [SLOT_WIDTH - 1:0]     slot_q, capacity_q;
    reg [ADDRESS_WIDTH - 1:0]  base_q;
    reg [OFFSET_WIDTH - 1:0]   offset_q;
    reg [OFFSET_WIDTH:0]       length_q;
    reg [SIZE_WIDTH - 1:0]     row_size_q, stride_q;
    reg                        stage_q;
    reg                        ended_q = 1'b0;
    wire                       mine = marked_q && answer && ahead_q == 3'd0;
    reg [2:0]                  waits_q = 3'd0; // started one and two cycles ago, with a pending entry
    reg                        entry_1_q;
    reg [3:0]                  error_1_q, error_2_q;
    always @(posedge clk) begin
        row_sizes_q     <= row_sizes;
        started_count_q <= started_count_q + {2'd0, start} - {2'd0, answer};
        asks_base_q     <= base_read && !base_read_done;
        base_region_q   <= region;
        waits_q         <= {waits_q[1:0], start && ready_wait};
        entry_1_q       <= ready_entry;
        error_1_q       <= {start && !ok, status};
        error_2_q       <= error_1_q;
        ended_q         <= mine;
        if (start && mark && !marked_q) begin
            marked_q    <= 1'b1;
            ahead_q     <= started_count_q - {2'd0, answer};
            age_q       <= 4'd0;
            port_q      <= asked_port;
            tag_q       <= asked_tag;
            ok_q        <= ok;
            status_q    <= status;
            allocated_q <= own_first && !ready_wait;
            slot_q      <= ok ? slot : 0;
            capacity_q  <= capacity;
            base_q      <= base;
            offset_q    <= asked_offset[OFFSET_WIDTH - 1:0];
            length_q    <= asked_length[OFFSET_WIDTH:0];
            row_size_q  <= row_size;
            stride_q    <= stride;
            stage_q     <= stage;
        end else if (marked_q) begin
            if (answer) ahead_q <= ahead_q - 3'd1;
            if (mine) marked_q <= 1'b0;
            age_q <= answer_ready ? age_q + {3'd0, age_q != 4'd15} : 4'd0;
        end
        if (rst) begin
            started_count_q <= 3'd0;
            asks_base_q     <= 1'b0;
            marked_q        <= 1'b0;
            waits_q         <= 3'd0;
            error_1_q       <= 4'd0;
            error_2_q       <= 4'd0;
        end
    end
    // All in WIDE bits. Software's duty: the region ends below 2^ADDRESS_WIDTH.
    wire [WIDE - 1:0] wide_base   = base_q;
    wire [WIDE - 1:0] row_start   = wide_base + slot_q * stride_q;
    wire [WIDE - 1:0] row_end     = row_start + row_size_q;
    wire [WIDE - 1:0] region_end  = wide_base + capacity_q * stride_q;
    wire [WIDE - 1:0] wide_sum    = row_start + offset_q;
    wire [WIDE - 1:0] first_byte  = answer_address;
    wire [WIDE - 1:0] bytes_end   = first_byte + length_q;
    wire              region_fits = region_end <= {{WIDE - ADDRESS_WIDTH - 1{1'b0}}, 1'b1, {ADDRESS_WIDTH{1'b0}}};
    wire [SLOT_WIDTH - 1:0] other_slot = $anyconst;
    wire [WIDE - 1:0] other_start = wide_base + other_slot * stride_q;

    always @* if (started_q && !reset_q) begin
        right_status:  assert (!mine || answer_status == {1'b0, status_q});
        right_slot:    assert (!mine || answer_slot == slot_q);
        right_names:   assert (!mine || {answer_port, answer_tag} == {port_q, tag_q});
        right_allocated: assert (!mine || answer_allocated == allocated_q);
        right_address: assert (!mine || answer_address == (ok_q ? wide_sum[ADDRESS_WIDTH - 1:0] : 0));
        inside_row:    assert (!mine || !ok_q || !region_fits
                               || (first_byte >= row_start && bytes_end <= row_end && bytes_end <= region_end));
        rows_apart:    assert (!mine || !ok_q || !region_fits || other_slot == slot_q || other_slot >= capacity_q
                               || bytes_end <= other_start || first_byte >= other_start + row_size_q);
        none_invented: assert (!answer_valid || started_count_q != 3'd0);
        room:          assert (started_count_q <= ANSWERS);
        in_time:       assert (!marked_q || age_q <= BOUND);
        consumed_once: assert (consumed_valid == waits_q[0] && (!consumed_valid || consumed_entry == entry_1_q));
        error_once:    assert (error_valid == error_2_q[3] && (!error_valid || error_status == error_2_q[2:0]));
        base_told:     assert (!base_read_done || !asks_base_q || !placed_q[base_region_q]
                               || base_word == regions_q[base_region_q * PLACE + SLOT_WIDTH +: ADDRESS_WIDTH]);
    end
    always @* begin
        far_row:       cover (mine && ok_q && region_fits && slot_q == 2 && offset_q == 1 && base_q != 0);
        refused:       cover (mine && !ok_q && waits_q[2]);
        behind_one:    cover (marked_q && ahead_q == 3'd1 && answer);
        all_started:   cover (started_count_q == ANSWERS && marked_q);
        far_combine:   cover (mine && ok_q && region_fits && stage_q && slot_q == 2 && offset_q == 1 && base_q != 0
                              && row_sizes[0 +: SIZE_WIDTH] != row_size_q && stride_q != row_size_q);
        allocates:     cover (mine && allocated_q);
        base_read_late: cover (base_read_done && asks_base_q && answer_valid);
        waited:        cover (mine && ok_q && !allocated_q && slot_q == 1);
    end
endmodule
`default_nettype wire
