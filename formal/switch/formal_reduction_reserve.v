// SPDX-License-Identifier: Apache-2.0
// moehub_reduction_reserve: the solver marks one reservation: its grant, in order and right, its record; entries are taken
// only while some are free, and reservations are accepted while some are. Entries come in groups of REQUEST_LINES.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_reduction.vh"
module formal_reduction_reserve #(
    parameter ENTRIES          = 2,
    parameter REQUEST_LINES    = 1, // 1, 2
    parameter PORTS            = 2,
    parameter MAX_CONTRIBUTORS = 1,
    parameter PAYLOAD_BYTES    = 4,
    parameter WITH_FP32        = 0,
    parameter NO_FIFO          = 0 // 1: formal_grant_wire.vh is in place of the FIFO of grants
) (
    input wire               clk,
    input wire               rst,
    input wire               mark,
    input wire               hold,
    input wire               draining,
    input wire               reserve_valid,
    input wire               reserve_tag,
    input wire [1:0]         reserve_element,
    input wire               reserve_out_fp32,
    input wire [8:0]         reserve_length,
    input wire               reserve_lines_less_1,
    input wire [PORTS - 1:0] reserve_contributors,
    input wire               grant_ready,
    input wire [1:0]         head_group,
    input wire               head_generation,
    input wire               freed_valid
);
`include "formal_reset.vh"
    localparam PORT_WIDTH  = $clog2(PORTS);
    localparam GROUPS      = ENTRIES / REQUEST_LINES;
    localparam GROUP_WIDTH = GROUPS > 1 ? $clog2(GROUPS) : 1;
    localparam NAMES       = 13 + PORTS;
    (* anyconst *) wire [PORT_WIDTH - 1:0] own_port;

    reg         initialised_q = 1'b0;
    wire        takes_grant   = grant_ready || NO_FIFO != 0;
    wire        reserve_ready, grant_valid, take, record_valid, refused_valid, record_tag, record_out_fp32;
    wire        record_generation;
    wire [3:0]  grant_status;
    wire [15:0] grant_entry;
    wire [7:0]  grant_generation;
    wire [GROUP_WIDTH - 1:0] record_group;
    wire [2:0]  record_lines;
    wire [5:0]  record_others;
    wire [1:0]  refused_cause, record_element;
    wire [9:0]  record_requester;
    wire [8:0]  record_length;
    wire [PORTS - 1:0] record_contributors;

    wire [`MOEHUB_RECORD_WIDTH - 1:0] record;
    wire [`MOEHUB_ERROR_WIDTH - 1:0]  refused_error;

    moehub_reduction_reserve #(
        .ENTRIES(ENTRIES), .REQUEST_LINES(REQUEST_LINES), .PORTS(PORTS), .PAYLOAD_BYTES(PAYLOAD_BYTES),
        .MAX_CONTRIBUTORS(MAX_CONTRIBUTORS), .WITH_FP32(WITH_FP32), .GENERATION_WIDTH(1), .TAG_WIDTH(1)
    ) u_reserve (
        .clk(clk), .rst(rst), .initialised(initialised_q), .hold(hold), .draining(draining), .own_port(own_port),
        .reserve_valid(reserve_valid), .reserve_ready(reserve_ready), .reserve_requester(10'd0), .reserve_tag(reserve_tag),
        .reserve_element(reserve_element), .reserve_out_fp32(reserve_out_fp32), .reserve_length(reserve_length),
        .reserve_lines_less_1(reserve_lines_less_1), .reserve_contributors(reserve_contributors),
        .grant_valid(grant_valid), .grant_ready(takes_grant), .grant_status(grant_status), .grant_entry(grant_entry),
        .grant_generation(grant_generation),
        .head_group(head_group[GROUP_WIDTH - 1:0]), .head_generation(head_generation), .take(take), .freed_valid(freed_valid),
        .record_valid(record_valid), .record(record), .refused_valid(refused_valid), .refused_error(refused_error),
        .granted_valid(), .granted_group(), .granted_lines_less_1(),
        .open_valid(), .open_group(), .open_lines_less_1(), .occupancy(), .empty()
    );
    assign refused_cause = refused_error[`MOEHUB_ERROR_CAUSE_LSB +: 2];
    assign record_group  = record[`MOEHUB_RECORD_GROUP_LSB +: GROUP_WIDTH];
    assign record_lines  = record[`MOEHUB_RECORD_LINES_LSB +: 3];
    assign record_generation   = record[`MOEHUB_RECORD_GENERATION_LSB];
    assign record_others       = record[`MOEHUB_RECORD_OTHERS_LSB +: 6];
    assign record_requester    = record[`MOEHUB_RECORD_REQUESTER_LSB +: 10];
    assign record_tag          = record[`MOEHUB_RECORD_TAG_LSB];
    assign record_element      = record[`MOEHUB_RECORD_ELEMENT_LSB +: 2];
    assign record_out_fp32     = record[`MOEHUB_RECORD_OUT_FP32_LSB];
    assign record_length       = record[`MOEHUB_RECORD_LENGTH_LSB +: 9];
    assign record_contributors = record[`MOEHUB_RECORD_CONTRIBUTORS_LSB +: PORTS];
    formal_stream_assume #(.WIDTH(NAMES + 1)) u_reserve_in (
        .clk(clk), .rst(rst), .valid(reserve_valid), .ready(reserve_ready),
        .data({reserve_lines_less_1, reserve_tag, reserve_element, reserve_out_fp32, reserve_length, reserve_contributors})
    );
    formal_stream_assert #(.WIDTH(7)) u_grant (
        .clk(clk), .rst(rst), .valid(grant_valid), .ready(takes_grant),
        .data({grant_status, grant_entry[1:0], grant_generation[0]})
    );

    wire accept = reserve_valid && reserve_ready && !rst;
    wire pops   = grant_valid && takes_grant && !rst;

    // ---- groups: free, taken; any that is taken may come back ----------------------------------------------------
    reg [3:0] free_q    = GROUPS;  // in the free list
    reg [3:0] inside_q  = 4'd0;    // accepted, grant not taken
    reg [3:0] idle_q    = 4'd0;    // cycles with nothing inside, a group free, and no reservation accepted
    always @* begin
        assume (own_port < PORTS);
        assume (!freed_valid || free_q != GROUPS);
    end
    always @(posedge clk) begin
        initialised_q <= 1'b1;
        free_q    <= free_q + {3'd0, freed_valid} - {3'd0, take};
        inside_q  <= inside_q + {3'd0, accept} - {3'd0, pops};
        idle_q    <= hold || inside_q != 4'd0 || free_q == 4'd0 || reserve_ready ? 4'd0 : idle_q + {3'd0, idle_q != 4'd15};
        if (rst) begin
            initialised_q <= 1'b0;
            free_q    <= GROUPS;
            inside_q  <= 4'd0;
            idle_q    <= 4'd0;
        end
    end

    // ---- the marked reservation ---------------------------------------------------------------------------------------
    reg               marked_q = 1'b0;
    reg [3:0]         ahead_q  = 4'd0; // grants before its own
    reg [3:0]         stage_q  = 4'd0; // cycles since it was accepted
    reg [NAMES - 1:0] names_q;
    reg               lines_q;
    reg [1:0]         head_q;
    reg               generation_q;
    reg               drains_q;        // draining in the cycle of the decision
    always @(posedge clk) begin
        if (marked_q) stage_q <= stage_q + {3'd0, stage_q != 4'd15};
        if (stage_q == 4'd4) begin
            head_q       <= head_group;
            generation_q <= head_generation;
            drains_q     <= draining;
        end
        if (accept && mark && !marked_q) begin
            marked_q <= 1'b1;
            ahead_q  <= inside_q - {3'd0, pops};
            stage_q  <= 4'd1;
            lines_q  <= reserve_lines_less_1 && REQUEST_LINES > 1;
            names_q  <= {reserve_tag, reserve_element, reserve_out_fp32, reserve_length, reserve_contributors};
        end else if (marked_q && pops) begin
            ahead_q  <= ahead_q - 4'd1;
            marked_q <= ahead_q != 4'd0;
        end
        if (rst) marked_q <= 1'b0;
    end
    wire [8:0]         length  = names_q[PORTS +: 9];
    wire [1:0]         element = names_q[PORTS + 10 +: 2];
    wire [PORTS - 1:0] set     = names_q[PORTS - 1:0];
    reg [4:0]          ports;
    integer            i;
    always @* begin
        ports = 5'd0;
        for (i = 0; i < PORTS; i = i + 1) ports = ports + {4'd0, set[i]};
    end
    wire [8:0] size  = element == 2'd`MOEHUB_ELEMENT_FP32 ? 9'd4 : 9'd2;
    wire [3:0] right = drains_q ? `MOEHUB_STATUS_DRAINING
        : ports == 5'd0 || ports > MAX_CONTRIBUTORS || set[own_port] ? `MOEHUB_STATUS_CONTRIBUTORS
        : element == 2'd`MOEHUB_ELEMENT_BYTES || (element == 2'd`MOEHUB_ELEMENT_FP32 && WITH_FP32 == 0) ? `MOEHUB_STATUS_TYPE
        : length == 9'd0 || length > PAYLOAD_BYTES || (length & (size - 9'd1)) != 9'd0 ? `MOEHUB_STATUS_LENGTH
                                                                                       : `MOEHUB_STATUS_OK;
    wire good      = right == `MOEHUB_STATUS_OK;
    wire its_grant = marked_q && ahead_q == 4'd0 && grant_valid;
    wire its_record = marked_q && stage_q == 4'd5; // the cycle before its grant can be seen

    always @* begin
        grant_right:  assert (!its_grant || grant_status == right);
        grant_names:  assert (!its_grant
                              || (good ? grant_entry == {14'd0, head_q[GROUP_WIDTH - 1:0]} * REQUEST_LINES
                                  && grant_generation[0] == generation_q
                          : grant_entry == 16'd0 && grant_generation == 8'd0));
        grant_in_time: assert (!marked_q || ahead_q != 4'd0 || stage_q < 4'd6 || grant_valid);
        one_grant:    assert (NO_FIFO == 0 || its_grant == its_record);
        grants_fit:   assert (inside_q <= 4'd10);
        record_right: assert (!its_record || (record_valid == good && refused_valid == !good));
        record_names: assert (!its_record || !good
                              || (record_group == head_q[GROUP_WIDTH - 1:0] && record_generation == generation_q
                          && record_lines == {2'd0, lines_q}
                          && record_others + 6'd1 == ports
                          && {record_tag, record_element, record_out_fp32, record_length, record_contributors} == names_q));
        no_overdraw:  assert (!started_q || !take || free_q != 4'd0);
        entry_left:   assert (idle_q < 4'd9);
        no_grant_unasked: assert (!started_q || !grant_valid || inside_q != 4'd0);
    end
    always @* begin
        refused_own:  cover (its_grant && right == `MOEHUB_STATUS_CONTRIBUTORS && set[own_port]);
        refused_many: cover (its_grant && right == `MOEHUB_STATUS_CONTRIBUTORS && ports > MAX_CONTRIBUTORS && !set[own_port]);
        refused_odd:  cover (its_grant && right == `MOEHUB_STATUS_LENGTH && length[0]);
        refused_drain: cover (its_grant && right == `MOEHUB_STATUS_DRAINING);
        granted:      cover (its_grant && good && ahead_q == 4'd0);
        all_taken:    cover (started_q && free_q == 4'd0);
        many:         cover (its_grant && inside_q == 4'd10);
        taken:        cover (take && free_q == 4'd1);
    end
endmodule
`default_nettype wire
