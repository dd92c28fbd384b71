// SPDX-License-Identifier: Apache-2.0
// moehub_final_reduce around any buffer (formal_any_buffer.vh): each grant is that of its reservation, in order; each line of a
// granted group gives one sum, with its reservation's context and tag, with its line, and with what its parts were: those of the
// network and those of the own experts that name it. One reservation, one of its lines and one bit of its flits are watched.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_hub_way.vh"
module formal_final_reduce #(
    parameter FINAL_GROUPS  = 2,
    parameter REQUEST_LINES = 1,
    parameter WITH_FP32     = 1,
    parameter NAME          = 165, // byte of the tag and of the generation that are watched: constants, for PDR
    parameter ENTRY         = 0,   // and the entry
    parameter BIT           = 0    // of a flit
) (
    input wire                                  clk,
    input wire                                  rst,
    input wire                                  reserve_valid,
    input wire [`MOEHUB_RESERVE_WIDTH - 1:0]    reserve,
    input wire                                  grant_ready,
    input wire [1:0]                            part_valid, // own, result
    input wire [`MOEHUB_WAY_RESULT_WIDTH - 1:0] result,
    input wire [`MOEHUB_WAY_RESULT_WIDTH - 1:0] own_part,
    input wire [1:0]                            part_last,
    input wire                                  reduced_ready
);
`include "formal_reset.vh"
    localparam PART_WIDTH = `MOEHUB_WAY_RESULT_WIDTH;
    (* anyconst *) wire [9:0] own; // names the flit that the buffer keeps: number 2:0, port 3
    wire                               reserve_ready;
    wire                               grant_valid;
    wire [`MOEHUB_GRANT_WIDTH - 1:0]   grant;
    wire                               freed_valid;
    wire [1:0]                         part_ready;
    wire                               reduced_valid;
    wire [127:0]                       reduced_data;
    wire [`MOEHUB_REDUCED_WIDTH - 1:0] reduced;
    wire                               reduced_last;
    wire                               initialised;
    wire                               timeout_valid;
    wire [15:0]                        timeout_entry;
    moehub_final_reduce #(.FINAL_GROUPS(FINAL_GROUPS), .REQUEST_LINES(REQUEST_LINES), .WITH_FP32(WITH_FP32)) u_final (
        .clk(clk), .rst(rst), .own(own), .s_axil_awvalid(1'b0), .s_axil_awready(), .s_axil_awaddr(12'd0), .s_axil_awprot(3'd0),
        .s_axil_wvalid(1'b0), .s_axil_wready(), .s_axil_wdata(32'd0), .s_axil_wstrb(4'd0), .s_axil_bvalid(), .s_axil_bready(1'b0),
        .s_axil_bresp(), .s_axil_arvalid(1'b0), .s_axil_arready(), .s_axil_araddr(12'd0), .s_axil_arprot(3'd0), .s_axil_rvalid(),
        .s_axil_rready(1'b0), .s_axil_rdata(), .s_axil_rresp(), .interrupt_request(), .s_axis_reserve_tvalid(reserve_valid),
        .s_axis_reserve_tready(reserve_ready), .s_axis_reserve_tdata(reserve), .m_axis_grant_tvalid(grant_valid),
        .m_axis_grant_tready(grant_ready), .m_axis_grant_tdata(grant), .freed_valid(freed_valid),
        .s_axis_result_tvalid(part_valid[0]), .s_axis_result_tready(part_ready[0]), .s_axis_result_tdata(result),
        .s_axis_result_tlast(part_last[0]), .s_axis_own_tvalid(part_valid[1]), .s_axis_own_tready(part_ready[1]),
        .s_axis_own_tdata(own_part), .s_axis_own_tlast(part_last[1]), .m_axis_reduced_tvalid(reduced_valid),
        .m_axis_reduced_tready(reduced_ready), .m_axis_reduced_tdata(reduced_data), .m_axis_reduced_tuser(reduced),
        .m_axis_reduced_tlast(reduced_last), .initialised(initialised), .timeout_valid(timeout_valid),
        .timeout_entry(timeout_entry)
    );
    formal_stream_assume #(.WIDTH(PART_WIDTH + 1)) u_result (
        .clk(clk), .rst(rst), .valid(part_valid[0]), .ready(part_ready[0]), .data({part_last[0], result})
    );
    formal_stream_assume #(.WIDTH(PART_WIDTH + 1)) u_own (
        .clk(clk), .rst(rst), .valid(part_valid[1]), .ready(part_ready[1]), .data({part_last[1], own_part})
    );
    formal_stream_assert #(.WIDTH(`MOEHUB_GRANT_WIDTH)) u_grant (
        .clk(clk), .rst(rst), .valid(grant_valid), .ready(grant_ready), .data(grant)
    );
    formal_stream_assert #(.WIDTH(2 + `MOEHUB_REDUCED_WIDTH)) u_reduced (
        .clk(clk), .rst(rst), .valid(reduced_valid), .ready(reduced_ready), .data({reduced_last, reduced_data[BIT], reduced})
    );

    // ---- reservations, and that of the tag that is watched: nobody else's -------------------------------------------------
    wire [2:0]  new_context;
    wire [23:0] new_tag;
    wire [1:0]  new_element;
    wire [2:0]  new_lines;
    wire [8:0]  new_length;
    wire [1:0]  new_set;
    assign `MOEHUB_RESERVE(new_context, new_tag, new_element, new_lines, new_length, new_set) = reserve;
    wire [3:0]  status;
    wire [15:0] entry;
    wire [7:0]  generation;
    assign `MOEHUB_GRANT(status, entry, generation) = grant;
    localparam [23:0] TAG        = NAME * 65793; // three times this byte
    localparam [7:0]  GENERATION = NAME;
    localparam [2:0]  LINE       = ENTRY % REQUEST_LINES;
    always @* assume ({29'd0, new_lines} < REQUEST_LINES);
    wire [3:0] new_verdict = new_set == 2'd0 ? 4'd`MOEHUB_STATUS_CONTRIBUTORS
        : new_element == 2'd`MOEHUB_ELEMENT_BYTES || (new_element == 2'd`MOEHUB_ELEMENT_FP32 && WITH_FP32 == 0)
            ? 4'd`MOEHUB_STATUS_TYPE
        : new_length == 9'd0 || new_length > 9'd128 || new_length[0] || (new_element == 2'd`MOEHUB_ELEMENT_FP32 && new_length[1])
            ? 4'd`MOEHUB_STATUS_LENGTH : 4'd`MOEHUB_STATUS_OK;
    wire       reserves = reserve_valid && reserve_ready && !rst;
    wire       grants   = grant_valid && grant_ready && !rst;
    reg  [2:0] pending_q = 3'd0; // taken, and not granted
    reg  [2:0] in_use_q  = 3'd0; // groups that were granted, and not freed
    reg        marked_q  = 1'b0; // its reservation was taken
    reg        granted_q = 1'b0; // and granted, or refused
    reg        has_q;            // a group: ENTRY is in it, and GENERATION is its own
    reg  [2:0] ahead_q;
    reg  [2:0] context_q;
    reg  [1:0] element_q;
    reg  [2:0] lines_q;
    reg  [8:0] length_q;
    reg  [1:0] set_q;
    reg  [3:0] verdict_q;
    reg        any_group_q;      // whether it has one at all
    wire       marks = reserves && new_tag == TAG;
    wire       turn  = marked_q && !granted_q && ahead_q == 3'd0;
    always @* assume (!marks || !marked_q);
    always @(posedge clk) begin
        pending_q <= pending_q + {2'd0, reserves} - {2'd0, grants};
        in_use_q  <= in_use_q + {2'd0, grants && status == 4'd`MOEHUB_STATUS_OK} - {2'd0, freed_valid};
        if (marks) begin
            marked_q  <= 1'b1;
            ahead_q   <= pending_q - {2'd0, grants};
            context_q <= new_context;
            element_q <= new_element;
            lines_q   <= new_lines;
            length_q  <= new_length;
            set_q     <= new_set;
            verdict_q <= new_verdict;
        end else if (marked_q && !granted_q && grants) begin
            ahead_q   <= ahead_q - 3'd1;
            granted_q <= turn;
        end
        if (turn && grants) begin
            any_group_q <= status == 4'd`MOEHUB_STATUS_OK;
            has_q       <= status == 4'd`MOEHUB_STATUS_OK && generation == GENERATION
                && entry + {13'd0, LINE} == ENTRY && LINE <= lines_q;
        end
        if (rst) begin
            pending_q <= 3'd0;
            in_use_q  <= 3'd0;
            marked_q  <= 1'b0;
            granted_q <= 1'b0;
        end
    end

    // ---- parts of its line: the first of each port counts -----------------------------------------------------------------
    wire       watched = granted_q && has_q;
    wire [8:0] its_length = LINE == lines_q ? length_q : 9'd128;
    wire [3:0] its_flits  = (its_length + 9'd15) >> 4;
    reg  [1:0] open_q  = 2'd0; // inside a packet
    reg  [1:0] counts_q;       // that counts
    reg  [1:0] bad_q;          // and that does not fit
    reg  [7:0] number_q;       // its flits, up to 9
    reg  [1:0] begun_q;
    reg  [1:0] ended_q;
    reg  [2:0] fails_q;        // status, type, length
    reg        bit_q;
    reg        timed_q;
    reg        told_q = 1'b0;  // its sum left
    reg  [3:0] flit_q;         // flits of its sum
    reg  [1:0]                    counts;
    reg  [1:0]                    misfit;
    reg  [7:0]                    number;
    reg  [2:0]                    fails;
    reg  [1:0]                    named;
    reg  [1:0]                    taken;
    reg  [15:0]                   part_entry;
    reg  [7:0]                    part_generation;
    reg  [3:0]                    part_status;
    reg  [1:0]                    part_element;
    reg  [8:0]                    part_length;
    reg  [127:0]                  part_data;
    reg                           new_bit;
    reg                           new_bit_valid;
    integer                       p;
    always @* begin
        fails         = fails_q;
        new_bit       = 1'b0;
        new_bit_valid = 1'b0;
        for (p = 0; p < 2; p = p + 1) begin
            `MOEHUB_WAY_RESULT(part_entry, part_generation, part_status, part_element, part_length, part_data) =
                p == 1 ? own_part : result;
            taken[p]  = part_valid[p] && part_ready[p] && !rst;
            named[p]  = part_valid[p] && !open_q[p] && part_entry == ENTRY && part_generation == GENERATION;
            counts[p] = open_q[p] ? counts_q[p] : named[p] && watched && set_q[p] && !begun_q[p];
            misfit[p] = open_q[p] ? bad_q[p] : part_status != 4'd0 || part_element != element_q || part_length != its_length;
            number[p * 4 +: 4] = open_q[p] ? number_q[p * 4 +: 4] : 4'd0;
            if (taken[p] && counts[p]) begin
                if (!open_q[p] && part_status != 4'd0) fails[0] = 1'b1;
                else if (!open_q[p] && part_element != element_q) fails[1] = 1'b1;
                else if (!open_q[p] && part_length != its_length) fails[2] = 1'b1;
                if (!misfit[p] && part_last[p] && number[p * 4 +: 4] + 4'd1 != its_flits) fails[2] = 1'b1;
                if (own[3] == p && number[p * 4 +: 4] == {1'b0, own[2:0]}) begin
                    new_bit       = part_data[BIT];
                    new_bit_valid = 1'b1;
                end
            end
        end
    end
    always @* assume (watched || named == 2'd0); // before the grant nobody knows the name

    // ---- sums -------------------------------------------------------------------------------------------------------------
    wire [3:0]  sum_status;
    wire [1:0]  sum_element;
    wire [8:0]  sum_length;
    wire [2:0]  sum_line;
    wire [23:0] sum_tag;
    wire [2:0]  sum_context;
    assign `MOEHUB_REDUCED(sum_status, sum_element, sum_length, sum_line, sum_tag, sum_context) = reduced;
    wire       its_tag = reduced_valid && sum_tag == TAG;
    wire       its     = its_tag && watched && sum_line == LINE;
    wire       leaves  = its && reduced_ready && !rst;
    wire       ok      = sum_status == 4'd`MOEHUB_STATUS_OK;
    wire [3:0] expected = timed_q ? 4'd`MOEHUB_STATUS_TIMEOUT : fails_q[0] ? 4'd`MOEHUB_STATUS_PARTIAL
        : fails_q[1] ? 4'd`MOEHUB_STATUS_TYPE : fails_q[2] ? 4'd`MOEHUB_STATUS_LENGTH : 4'd`MOEHUB_STATUS_OK;
    always @(posedge clk) begin
        for (p = 0; p < 2; p = p + 1) begin
            if (taken[p]) begin
                open_q[p]   <= !part_last[p];
                counts_q[p] <= counts[p];
                bad_q[p]    <= misfit[p];
                number_q[p * 4 +: 4] <= number[p * 4 +: 4] == 4'd9 ? 4'd9 : number[p * 4 +: 4] + 4'd1;
                if (counts[p]) begun_q[p] <= 1'b1;
                if (counts[p] && part_last[p]) ended_q[p] <= 1'b1;
            end
        end
        fails_q <= fails;
        if (new_bit_valid) bit_q <= new_bit;
        if (watched && !told_q && timeout_valid && timeout_entry == ENTRY) timed_q <= 1'b1;
        if (leaves) flit_q <= flit_q + 4'd1;
        if (leaves && reduced_last) told_q <= 1'b1;
        if (!granted_q) begin
            begun_q <= 2'd0;
            ended_q <= 2'd0;
            fails_q <= 3'd0;
            timed_q <= 1'b0;
            flit_q  <= 4'd0;
            told_q  <= 1'b0;
        end
        if (rst) begin
            open_q <= 2'd0;
            told_q <= 1'b0;
        end
    end

    // ---- parts wait for each other alone ----------------------------------------------------------------------------------
    (* anyconst *) wire side;
    reg  [1:0] low_q   = 2'd0; // cycles, up to 3, in which side was not ready
    reg  [1:0] both_q  = 2'd0; // in which neither was
    reg  [1:0] took_q  = 2'd0; // the other was taken: in the last cycle, in that before
    reg  [2:0] stood_q = 3'd0; // cycles, up to 7, in which a sum was not taken
    wire       counted = initialised && !rst;
    always @(posedge clk) begin
        low_q   <= counted && !part_ready[side] ? low_q + {1'b0, low_q != 2'd3} : 2'd0;
        both_q  <= counted && part_ready == 2'd0 ? both_q + {1'b0, both_q != 2'd3} : 2'd0;
        took_q  <= {took_q[0], taken[!side]};
        stood_q <= !rst && reduced_valid && !reduced_ready ? stood_q + {2'd0, stood_q != 3'd7} : 3'd0;
    end

    always @* if (started_q && !rst) begin
        grant_asked: assert (!grant_valid || pending_q != 3'd0);
        verdict:     assert (!(turn && grant_valid) || status == verdict_q || status == 4'd`MOEHUB_STATUS_DRAINING);
        group_begin: assert (!(turn && grant_valid) || {16'd0, entry} % REQUEST_LINES == 0);
        groups_is:   assert (in_use_q <= FINAL_GROUPS && (!freed_valid || in_use_q != 3'd0));
        reserved:    assert (!its_tag || (granted_q && any_group_q && sum_line <= lines_q));
        once:        assert (!its || !told_q);
        none_lost:   assert (!(watched && in_use_q == 3'd0) || told_q);
        its_fields:  assert (!its || (sum_context == context_q && sum_element == element_q));
        its_status:  assert (!its || sum_status == expected);
        status_part: assert (!its || (sum_status == 4'd`MOEHUB_STATUS_TIMEOUT) == timed_q);
        status_type: assert (!its || timed_q || (sum_status == 4'd`MOEHUB_STATUS_PARTIAL) == fails_q[0]);
        its_size:    assert (!its || (sum_length == (ok ? its_length : 9'd0)
            && reduced_last == (!ok || flit_q + 4'd1 == its_flits)));
        has_parts:   assert (!its || timed_q || (set_q & ~ended_q) == 2'd0);
        as_sent:     assert (!(its && ok && set_q[own[3]] && {1'b0, own[2:0]} < its_flits)
            || reduced_data[BIT] == (bit_q ^ flit_q[BIT % 4]));
        parts_go:    assert (low_q < 2'd3 || open_q[!side] || took_q != 2'd0);
        one_goes:    assert (both_q < 2'd2);
    end
    always @* if (started_q) begin
        both:     cover (leaves && reduced_last && ok && set_q == 2'd3 && own[3] && flit_q == 4'd1);
        one:      cover (leaves && reduced_last && ok && set_q == 2'd2 && LINE + 1 == REQUEST_LINES);
        fails_so: cover (leaves && sum_status == 4'd`MOEHUB_STATUS_TYPE && set_q == 2'd3);
        late:     cover (leaves && sum_status == 4'd`MOEHUB_STATUS_TIMEOUT && begun_q == 2'd1);
        second:   cover (turn && grants && in_use_q + 1 == FINAL_GROUPS);
        refused:  cover (turn && grants && status == 4'd`MOEHUB_STATUS_LENGTH);
        all_free: cover (told_q && watched && ok && in_use_q == 3'd0);
        stands:   cover (stood_q == 3'd7 && taken == 2'd3 && open_q != 2'd0);
        waited:   cover (low_q == 2'd3 && both_q == 2'd0);
    end
endmodule
`default_nettype wire
