// SPDX-License-Identifier: Apache-2.0
// moehub_reduction_buffer, its data path and commands abstracted: the solver marks one reservation; the harness judges every
// partial as rtl/doc/reduction_buffer.md section 4 says and knows what the one result of that reservation must be.
`default_nettype none
`include "moehub_defines.vh"
module formal_reduction_buffer #(
    parameter ENTRIES          = 2,
    parameter PORTS            = 2,
    parameter FLITS            = 1,
    parameter GENERATION_WIDTH = 1,
    parameter MAX_CONTRIBUTORS = 2,
    parameter NARROW           = 0, // 1: every reservation is good but for its set; fields no wider than a check needs
    parameter ANSWER_WITHIN    = 40 // cycles in which the taker is ready
) (
    input wire                          clk,
    input wire                          rst,
    input wire                          mark,
    input wire                          hold,
    input wire                          reserve_valid,
    input wire                          in_tag,
    input wire [1:0]                    in_element,
    input wire                          in_out_fp32,
    input wire [8:0]                    in_length,
    input wire [PORTS - 1:0]            reserve_contributors,
    input wire                          grant_ready,
    input wire                          partial_valid,
    input wire [2:0]                    in_entry,
    input wire [GENERATION_WIDTH:0]     in_generation,
    input wire [$clog2(PORTS) - 1:0]    partial_port,
    input wire                          partial_failed,
    input wire [1:0]                    in_partial_element,
    input wire [8:0]                    in_partial_length,
    input wire [1:0]                    partial_data,
    input wire                          partial_last,
    input wire                          result_ready
);
`include "formal_one_reset.vh"
    localparam PORT_WIDTH = $clog2(PORTS);
    localparam [PORTS - 1:0] PORT_0 = 1;

    localparam [PORT_WIDTH - 1:0] LAST_PORT = PORTS - 1;
    localparam [8:0]              LONGEST   = 4 * FLITS;
    wire       reserve_tag      = in_tag && NARROW == 0;
    wire [1:0] reserve_element  = NARROW == 0 ? in_element : 2'd0;
    wire       reserve_out_fp32 = in_out_fp32 && NARROW == 0;
    wire [8:0] reserve_length   = NARROW == 0 ? in_length : FLITS > 1 && in_length[0] ? 9'd2 : LONGEST;
    wire [2:0] partial_entry    = NARROW == 0 ? in_entry : in_entry & (ENTRIES > 1 ? 3'd3 : 3'd1);
    wire [1:0] partial_element  = NARROW == 0 ? in_partial_element : {1'b0, in_partial_element[0]};
    wire [8:0] partial_length   = NARROW == 0 ? in_partial_length : in_partial_length[0] ? 9'd2 : LONGEST;
    wire [GENERATION_WIDTH:0] partial_generation =
        {in_generation[GENERATION_WIDTH] && NARROW == 0, in_generation[GENERATION_WIDTH - 1:0]};

    (* anyconst *) wire [PORT_WIDTH - 1:0] any_port;
    (* anyconst *) wire                    any_draining;
    wire [PORT_WIDTH - 1:0] own_port = NARROW == 0 ? any_port : LAST_PORT;
    wire                    draining = any_draining && NARROW == 0;
    (* anyconst *) wire [3:0]              timeout; // 0: never
    always @* begin
        assume (own_port < PORTS);
        assume (partial_port < PORTS);
    end

    wire        reserve_ready, grant_valid, partial_ready, result_valid, result_last, timeout_valid;
    wire [3:0]  grant_status, result_status;
    wire [15:0] grant_entry, result_entry, timeout_entry;
    wire [7:0]  grant_generation;
    wire [9:0]  result_requester, result_length;
    wire        result_tag;
    wire [1:0]  result_element;
    wire [31:0] result_data;

    formal_stream_assume #(.WIDTH(13 + PORTS)) u_reserve (
        .clk(clk), .rst(rst), .valid(reserve_valid), .ready(reserve_ready),
        .data({reserve_tag, reserve_element, reserve_out_fp32, reserve_length, reserve_contributors})
    );
    formal_stream_assume #(.WIDTH(19 + GENERATION_WIDTH + PORT_WIDTH)) u_partial (
        .clk(clk), .rst(rst), .valid(partial_valid), .ready(partial_ready),
        .data({partial_entry, partial_generation, partial_port, partial_failed, partial_element, partial_length, partial_data,
               partial_last})
    );
    formal_stream_assert #(.WIDTH(58)) u_result (
        .clk(clk), .rst(rst), .valid(result_valid), .ready(result_ready),
        .data({result_tag, result_status, result_element, result_length, result_entry[7:0], result_data, result_last})
    );
    formal_stream_assert #(.WIDTH(20)) u_grant (
        .clk(clk), .rst(rst), .valid(grant_valid), .ready(grant_ready), .data({grant_status, grant_entry[7:0], grant_generation})
    );

    moehub_reduction_buffer #(
        .ENTRIES(ENTRIES), .PORTS(PORTS), .PAYLOAD_BYTES(4 * FLITS), .FLIT_BYTES(4), .MAX_CONTRIBUTORS(MAX_CONTRIBUTORS),
        .WITH_FP32(0), .GENERATION_WIDTH(GENERATION_WIDTH), .TAG_WIDTH(1)
    ) u_buffer (
        .clk(clk), .rst(rst), .own_port(own_port),
        .reserve_valid(reserve_valid), .reserve_ready(reserve_ready), .reserve_requester(10'd0), .reserve_tag(reserve_tag),
        .reserve_element(reserve_element), .reserve_out_fp32(reserve_out_fp32), .reserve_lines_less_1(1'b0),
        .reserve_length(reserve_length),
        .reserve_contributors(reserve_contributors),
        .grant_valid(grant_valid), .grant_ready(grant_ready), .grant_status(grant_status), .grant_entry(grant_entry),
        .grant_generation(grant_generation),
        .partial_valid(partial_valid), .partial_ready(partial_ready), .partial_entry({13'd0, partial_entry}),
        .partial_generation({{(7 - GENERATION_WIDTH){1'b0}}, partial_generation}), .partial_port(partial_port),
        .partial_status({1'b0, partial_failed, 2'd0}), .partial_element(partial_element), .partial_length(partial_length),
        .partial_data({30'd0, partial_data}), .partial_last(partial_last),
        .result_valid(result_valid), .result_ready(result_ready), .result_requester(result_requester), .result_tag(result_tag),
        .result_status(result_status), .result_element(result_element), .result_length(result_length),
        .result_entry(result_entry), .result_data(result_data), .result_last(result_last),
        .command_valid(hold), .command_ready(), .command_operation({3'd0, draining}), .command_data({28'd0, timeout}),
        .released_valid(1'b0), .released_ready(), .released_entry(16'd0), .port_timeout(32'd0), .freed_valid(), .freed_entry(),
        .missing_valid(), .missing_ports(), .command_done(), .command_refused(), .initialised(), .empty(), .draining(),
        .occupancy(),
        .timeout_valid(timeout_valid), .timeout_entry(timeout_entry),
        .events(), .error_valid(), .error_cause(), .error_header(), .error_port()
    );

    // ---- entries in use, seen from outside: from the grant taken to the result taken -------------------------------
    wire accept = reserve_valid && reserve_ready;
    wire pops   = grant_valid && grant_ready;
    wire gives  = pops && grant_status == 4'd`MOEHUB_STATUS_OK;
    wire leaves = result_valid && result_ready && result_last;

    reg [ENTRIES - 1:0] in_use_q;
    reg [3:0]           in_use_count_q;
    reg [3:0]           pending_q; // accepted, grant not taken
    reg [3:0]           idle_q;    // cycles in which a reservation had every reason to be accepted
    reg [7:0]           start_q = 8'd0;
    wire may_reserve = {1'b0, in_use_count_q} + {1'b0, pending_q} < ENTRIES && !hold;
    always @(posedge clk) begin
        if (gives) in_use_q[grant_entry] <= 1'b1;
        if (leaves) in_use_q[result_entry] <= 1'b0;
        in_use_count_q <= in_use_count_q + {3'd0, gives} - {3'd0, leaves};
        pending_q      <= pending_q + {3'd0, accept} - {3'd0, pops};
        idle_q         <= !may_reserve || reserve_ready ? 4'd0 : idle_q + {3'd0, idle_q != 4'd15};
        start_q        <= start_q + {7'd0, start_q != 8'd255};
        if (rst) begin
            in_use_q       <= {ENTRIES{1'b0}};
            in_use_count_q <= 4'd0;
            pending_q      <= 4'd0;
            idle_q         <= 4'd0;
            start_q        <= 8'd0;
        end
    end

    // ---- the marked reservation -------------------------------------------------------------------------------------
    reg                        marked_q  = 1'b0;
    reg                        granted_q = 1'b0;
    reg                        open_q    = 1'b0;      // its grant was taken, its result not
    reg                        done_q    = 1'b0;
    reg [3:0]                  ahead_q;
    reg                        tag_q;
    reg [1:0]                  element_q;
    reg                        out_fp32_q;
    reg [8:0]                  length_q;
    reg [PORTS - 1:0]          set_q;
    reg [15:0]                 entry_q;
    reg [7:0]                  generation_q;
    reg [7:0]                  age_q;       // cycles since its grant was taken
    wire its_grant  = grant_valid && marked_q && !granted_q && ahead_q == 4'd0;
    wire its_result = result_valid && open_q && result_entry == entry_q;
    always @(posedge clk) begin
        if (accept && mark && !marked_q) begin
            marked_q   <= 1'b1;
            ahead_q    <= pending_q - {3'd0, pops};
            tag_q      <= reserve_tag;
            element_q  <= reserve_element;
            out_fp32_q <= reserve_out_fp32;
            length_q   <= reserve_length;
            set_q      <= reserve_contributors;
        end
        if (pops && marked_q && !granted_q) begin
            ahead_q      <= ahead_q - 4'd1;
            granted_q    <= its_grant;
            open_q       <= its_grant && grant_status == 4'd`MOEHUB_STATUS_OK;
            entry_q      <= grant_entry;
            generation_q <= grant_generation;
        end
        age_q <= open_q ? age_q + {7'd0, age_q != 8'd255} : 8'd1;
        if (its_result && result_ready && result_last) begin
            open_q <= 1'b0;
            done_q <= 1'b1;
        end
        if (rst) begin
            marked_q  <= 1'b0;
            granted_q <= 1'b0;
            open_q    <= 1'b0;
            done_q    <= 1'b0;
        end
    end

    integer                i;
    reg [4:0]              ports;
    always @* begin
        ports = 5'd0;
        for (i = 0; i < PORTS; i = i + 1) ports = ports + {4'd0, set_q[i]};
    end
    wire [3:0] right_status = draining ? `MOEHUB_STATUS_DRAINING
        : ports == 5'd0 || ports > MAX_CONTRIBUTORS || set_q[own_port] ? `MOEHUB_STATUS_CONTRIBUTORS
        : element_q > 2'd1 ? `MOEHUB_STATUS_TYPE
        : length_q == 9'd0 || length_q > 4 * FLITS || length_q[0] ? `MOEHUB_STATUS_LENGTH : `MOEHUB_STATUS_OK;

    // ---- partials, looked at four cycles after they came: then the timeouts before them are known --------------------
    localparam SEEN = 9 + PORTS;
    reg              first_q; // the next flit is the first of a packet
    reg [4 * SEEN - 1:0] seen_q;
    wire             flit = partial_valid && partial_ready;
    always @(posedge clk) begin
        if (flit) first_q <= partial_last;
        seen_q <= {seen_q[3 * SEEN - 1:0], flit, first_q,
            open_q && {13'd0, partial_entry} == entry_q && partial_generation == generation_q,
            PORT_0 << partial_port, partial_failed, partial_element != element_q, partial_length != length_q, partial_data,
            partial_last};
        if (rst) begin
            first_q <= 1'b1;
            seen_q  <= {4 * SEEN{1'b0}};
        end
    end
    wire             came, first, hit, bad_status, bad_type, bad_length, last;
    wire [PORTS - 1:0] port_bit;
    wire [1:0]       data;
    assign {came, first, hit, port_bit, bad_status, bad_type, bad_length, data, last} = seen_q[3 * SEEN +: SEEN];

    reg [PORTS - 1:0]     answered_q;
    reg [1:0]             failure_q;  // 0 none, 1 PARTIAL, 2 TYPE, 3 LENGTH
    reg                   complete_q = 1'b0; // its last packet has ended
    reg                   late_q = 1'b0;     // timed out
    reg                   packet_q;   // the packet under way belongs to it
    reg [1:0]             index_q;
    reg [2 * FLITS - 1:0] sums_q;
    reg                   odd_ones_q; // a partial was stale, foreign or a duplicate

    wire       expires  = timeout_valid && open_q && timeout_entry == entry_q;
    wire       waits    = open_q && answered_q != set_q && !late_q && !expires;
    wire       answers  = came && first && hit && waits && |(port_bit & set_q & ~answered_q);
    wire       goes_on  = came && !first && packet_q && !late_q && !expires;
    wire [1:0] index    = first ? 2'd0 : index_q;
    wire [8:0] number   = {7'd0, index} + 9'd1;
    wire       bad_frame = last && number != (length_q + 9'd3) >> 2;
    wire [1:0] fails    = !(answers || goes_on) ? 2'd0
        : answers && bad_status ? 2'd1 : answers && bad_type ? 2'd2 : (answers && bad_length) || bad_frame ? 2'd3 : 2'd0;
    wire [PORTS - 1:0] answered = answered_q | (answers ? port_bit : {PORTS{1'b0}});
    always @(posedge clk) begin
        if (came) index_q <= index + {1'b0, index != 2'd3};
        if (came && first) packet_q <= answers;
        answered_q <= answered;
        if (fails != 2'd0 && (failure_q == 2'd0 || fails < failure_q)) failure_q <= fails;
        if ((answers || goes_on) && last && answered == set_q) complete_q <= 1'b1;
        if (expires) late_q <= 1'b1;
        for (i = 0; i < FLITS; i = i + 1)
            if ((answers || goes_on) && index == i) sums_q[2 * i +: 2] <= sums_q[2 * i +: 2] + data;
        if (came && first && open_q && hit && !answers) odd_ones_q <= 1'b1;
        if (!open_q) begin
            answered_q <= {PORTS{1'b0}};
            failure_q  <= 2'd0;
            complete_q <= 1'b0;
            late_q     <= 1'b0;
            packet_q   <= 1'b0;
            sums_q     <= {2 * FLITS{1'b0}};
            odd_ones_q <= 1'b0;
        end
    end

    // ---- its result -------------------------------------------------------------------------------------------------
    reg [2:0] out_index_q;
    reg [7:0] waited_q = 8'd0; // cycles in which the taker was ready since it was due
    wire      due = complete_q || late_q;
    always @(posedge clk) begin
        if (its_result && result_ready) out_index_q <= out_index_q + 3'd1;
        if (due && result_ready && !its_result) waited_q <= waited_q + {7'd0, waited_q != 8'd255};
        if (!open_q) begin
            out_index_q <= 3'd0;
            waited_q    <= 8'd0;
        end
    end
    wire       good       = due && !late_q && failure_q == 2'd0;
    wire [3:0] its_status = late_q ? `MOEHUB_STATUS_TIMEOUT : failure_q == 2'd1 ? `MOEHUB_STATUS_PARTIAL
        : failure_q == 2'd2 ? `MOEHUB_STATUS_TYPE : failure_q == 2'd3 ? `MOEHUB_STATUS_LENGTH : `MOEHUB_STATUS_OK;
    wire [9:0] its_length = !good ? 10'd0 : out_fp32_q ? {length_q, 1'b0} : {1'b0, length_q};
    wire [9:0] its_flits  = good ? (its_length + 10'd3) >> 2 : 10'd1;
    wire [1:0] its_row    = out_fp32_q ? out_index_q[2:1] : out_index_q[1:0];
    wire [1:0] its_sum    = sums_q >> {its_row, 1'b0};
    wire [31:0] its_data  = good ? {26'd0, out_fp32_q && out_index_q[0], out_fp32_q, element_q, its_sum} : 32'd0;

    always @* begin
        grant_right:   assert (!its_grant || grant_status == right_status);
        grant_free:    assert (!grant_valid || grant_status != 4'd0 || rst || !started_q
                           || (grant_entry < ENTRIES && !in_use_q[grant_entry]));
        result_owed:   assert (!result_valid || !started_q || (result_entry < ENTRIES && in_use_q[result_entry]));
        result_due:    assert (!its_result || due);
        result_status_right: assert (!its_result || !due || result_status == its_status);
        result_names:  assert (!its_result || !due || (result_tag == tag_q && result_length == its_length
                           && result_element == (out_fp32_q ? 2'd2 : element_q)));
        result_flits:  assert (!its_result || !due || result_last == ({7'd0, out_index_q} + 10'd1 == its_flits));
        result_sum:    assert (!its_result || !due || result_data == its_data);
        one_right:     assert (!its_result || (due && result_status == its_status && result_data[5:0] == its_data[5:0]
                           && result_last == ({7'd0, out_index_q} + 10'd1 == its_flits)));
        timeout_right: assert (!expires || (!complete_q && !late_q && answered_q != set_q));
        timeout_early: assert (!expires || (timeout != 4'd0 && age_q >= {4'd0, timeout}));
        answered_in_time: assert (waited_q < ANSWER_WITHIN);
        partials_never_wait: assert (start_q < ENTRIES + 4 || partial_ready);
        entries_come_back: assert (start_q < ENTRIES + 4 || idle_q < 4'd6);
    end
    always @* begin
        sum_of_two: cover (its_result && result_last && good && &answered_q[1:0] && ports > 1 && sums_q[1:0] == 2'd3);
        any_result: cover (started_q && leaves);
        its_error:  cover (its_result && due && failure_q == 2'd3);
        its_odd:    cover (its_result && good && odd_ones_q);
        its_late:   cover (its_result && late_q);
        wide:       cover (its_result && good && out_fp32_q && out_index_q == 3'd1);
        reused:     cover (its_result && due && generation_q == 8'd1);
        all_in_use: cover (&in_use_q);
        granted:    cover (its_grant && grant_status == 4'd0);
        ready:      cover (start_q == ENTRIES + 4);
    end
endmodule
`default_nettype wire
