// SPDX-License-Identifier: Apache-2.0
// Purpose: checks reservations, takes a group of entries for each good one and answers with a grant (reduction_buffer.md
//   section 3, plane/groups.md section 2).
// Contract:
//   1. One grant per reservation, in order; the first check that fails decides its status.
//   2. reserve_ready is high only while a free group is left for every reservation under way, and a place for its grant,
//      so nothing inside ever stalls; it is low while hold is high.
//   3. record is a granted reservation, one cycle before its grant can be seen; refused_error the error of a refused one.
//   4. granted_* tells in the same cycle that a good grant is taken, of which group and how many lines; open_* the same one
//      cycle later: from here on these lines are open.
//   5. occupancy: entries of groups recorded and not freed, one cycle late; empty: occupancy was 0 the cycle before.
// Cost: one reservation a cycle; 5 cycles from reserve to record, 1 more to grant_valid. Checks are spread over three
//   stages: eight 8-bit counts; their sum; the comparison.
// Proved: formal/switch/formal_reduction_reserve.v, formal_reduction_reserve_open.v
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_reduction.vh"
`include "moehub_width.vh"

module moehub_reduction_reserve #(
    parameter ENTRIES          = 107,
    parameter REQUEST_LINES    = 1,
    parameter PORTS            = 64,
    parameter PAYLOAD_BYTES    = 128,
    parameter MAX_CONTRIBUTORS = 64,
    parameter WITH_FP32        = 1,
    parameter GENERATION_WIDTH = 8,
    parameter TAG_WIDTH        = 24
) (
    input  wire                                    clk,
    input  wire                                    rst,
    input  wire                                    initialised,
    input  wire                                    hold,
    input  wire                                    draining,
    input  wire [`MOEHUB_INDEX_WIDTH(PORTS) - 1:0] own_port,

    input  wire                                            reserve_valid,
    output wire                                            reserve_ready,
    input  wire [9:0]                                      reserve_requester,
    input  wire [TAG_WIDTH - 1:0]                          reserve_tag,
    input  wire [1:0]                                      reserve_element,
    input  wire                                            reserve_out_fp32,
    input  wire [`MOEHUB_INDEX_WIDTH(REQUEST_LINES) - 1:0] reserve_lines_less_1,
    input  wire [8:0]                                      reserve_length, // of the last line
    input  wire [PORTS - 1:0]                              reserve_contributors,

    output wire        grant_valid,
    input  wire        grant_ready,
    output wire [3:0]  grant_status,
    output wire [15:0] grant_entry,
    output wire [7:0]  grant_generation,

    input  wire [`MOEHUB_INDEX_WIDTH(ENTRIES / REQUEST_LINES) - 1:0] head_group,
    input  wire [GENERATION_WIDTH - 1:0]                             head_generation,
    output wire                                                      take,
    input  wire                                                      freed_valid, // a group comes back

    output wire                                                      record_valid,
    output wire [`MOEHUB_RECORD_WIDTH - 1:0]                         record,
    output wire                                                      refused_valid,
    output wire [`MOEHUB_ERROR_WIDTH - 1:0]                          refused_error,
    output wire                                                      granted_valid,
    output wire [`MOEHUB_INDEX_WIDTH(ENTRIES / REQUEST_LINES) - 1:0] granted_group,
    output wire [2:0]                                                granted_lines_less_1,
    output wire                                                      open_valid,
    output wire [`MOEHUB_INDEX_WIDTH(ENTRIES / REQUEST_LINES) - 1:0] open_group,
    output wire [2:0]                                                open_lines_less_1,

    output wire [15:0] occupancy,
    output wire        empty
);
    localparam GROUPS       = ENTRIES / REQUEST_LINES;
    localparam GROUP_WIDTH  = `MOEHUB_INDEX_WIDTH(GROUPS);
    localparam LINE_WIDTH   = `MOEHUB_INDEX_WIDTH(REQUEST_LINES);
    localparam LINE_BITS    = $clog2(REQUEST_LINES); // none for one line
    localparam PORT_WIDTH   = `MOEHUB_INDEX_WIDTH(PORTS);
    localparam FIELDS_WIDTH = 10 + TAG_WIDTH + 2 + 1 + 9 + PORTS;
    localparam GRANT_WIDTH  = 4 + GROUP_WIDTH + GENERATION_WIDTH;
    localparam CREDIT_WIDTH = `MOEHUB_INDEX_WIDTH(GROUPS + 1);
    localparam [CREDIT_WIDTH - 1:0] CREDIT_0   = 0;
    localparam [CREDIT_WIDTH - 1:0] CREDIT_ONE = 1;
    localparam GRANTS       = 10; // the time from accept to the return of the grant's place, at one a cycle
    localparam MOST         = MAX_CONTRIBUTORS;
    localparam LONGEST      = PAYLOAD_BYTES;

    // ---- places: a group and a grant for each reservation under way ----------------------------------
    reg  [CREDIT_WIDTH - 1:0] credits_q;
    reg  [3:0]                inside_q; // accepted, grant not taken
    reg                       ready_q;
    reg                       filled_q; // credits were given once
    wire                      refuse;

    wire accept     = reserve_valid && ready_q;
    wire grant_pops = grant_valid && grant_ready;
    wire returned   = freed_valid ^ refuse;

    wire group_left = credits_q != CREDIT_0 && (credits_q != CREDIT_ONE || !accept);
    wire place_left = inside_q < GRANTS[3:0] - 4'd1 || (inside_q == GRANTS[3:0] - 4'd1 && !accept);

    reg [CREDIT_WIDTH - 1:0] credits_d;
    always @* begin
        credits_d = credits_q;
        if (!accept && freed_valid && refuse) credits_d = credits_q + CREDIT_ONE + CREDIT_ONE;
        else if (accept && !freed_valid && !refuse) credits_d = credits_q - CREDIT_ONE;
        else if (accept ^ returned) credits_d = credits_q + CREDIT_ONE;
        if (initialised && !filled_q) credits_d = GROUPS[CREDIT_WIDTH - 1:0];
    end

    always @(posedge clk) begin
        credits_q <= credits_d;
        filled_q  <= initialised;
        if (accept && !grant_pops) inside_q <= inside_q + 4'd1;
        if (grant_pops && !accept) inside_q <= inside_q - 4'd1;
        ready_q <= group_left && place_left && filled_q && !hold;
        if (rst) begin
            credits_q <= {CREDIT_WIDTH{1'b0}};
            filled_q  <= 1'b0;
            inside_q  <= 4'd0;
            ready_q   <= 1'b0;
        end
    end

    assign reserve_ready = ready_q;

    // ---- stage 0: as accepted ---------------------------------------------------------------------------
    // The number of lines goes on top of the fields, in as many bits as it needs.
    wire [2:0] lines_less_1 = REQUEST_LINES > 1 ? {{(3 - LINE_WIDTH){1'b0}}, reserve_lines_less_1} : 3'd0;
    wire [FIELDS_WIDTH + 2:0] fields = {
        lines_less_1, reserve_requester, reserve_tag, reserve_element, reserve_out_fp32, reserve_length, reserve_contributors
    };
    wire unused_lines = &{1'b0, reserve_lines_less_1, fields};

    reg                                  s0_valid_q;
    reg [FIELDS_WIDTH + LINE_BITS - 1:0] s0_fields_q;

    wire [1:0]         s0_element      = s0_fields_q[PORTS + 10 +: 2];
    wire [8:0]         s0_length       = s0_fields_q[PORTS +: 9];
    wire [PORTS - 1:0] s0_contributors = s0_fields_q[PORTS - 1:0];

    // ---- stage 1: types, lengths, own port, ports counted by eights ------------------------------------------
    reg                                  s1_valid_q;
    reg [FIELDS_WIDTH + LINE_BITS - 1:0] s1_fields_q;
    reg                                  s1_own_q;
    reg                                  s1_type_q;
    reg                                  s1_length_q;
    reg [8 * 4 - 1:0]                    s1_eights_q;

    wire [(1 << PORT_WIDTH) - 1:0] by_port = {{((1 << PORT_WIDTH) - PORTS){1'b0}}, s0_contributors};
    wire [63:0]                    padded  = {{(64 - PORTS){1'b0}}, s0_contributors};
    wire                           is_fp32 = s0_element == 2'd`MOEHUB_ELEMENT_FP32;
    wire                           odd     = s0_length[0] || (is_fp32 && s0_length[1]);

    function [3:0] count_8;
        input [7:0] set;
        reg [1:0] a;
        reg [1:0] b;
        reg [1:0] c;
        reg [1:0] d;
        begin
            a       = {1'b0, set[0]} + {1'b0, set[1]};
            b       = {1'b0, set[2]} + {1'b0, set[3]};
            c       = {1'b0, set[4]} + {1'b0, set[5]};
            d       = {1'b0, set[6]} + {1'b0, set[7]};
            count_8 = ({2'd0, a} + {2'd0, b}) + ({2'd0, c} + {2'd0, d});
        end
    endfunction

    wire [8 * 4 - 1:0] eights;
    genvar g;
    generate
        for (g = 0; g < 8; g = g + 1) begin : g_eight
            assign eights[g * 4 +: 4] = count_8(padded[g * 8 +: 8]);
        end
    endgenerate

    // ---- stage 2: the number of ports -------------------------------------------------------------------------
    reg                                  s2_valid_q;
    reg [FIELDS_WIDTH + LINE_BITS - 1:0] s2_fields_q;
    reg                                  s2_own_q;
    reg                                  s2_type_q;
    reg                                  s2_length_q;
    reg [5:0]                            s2_low_q;  // ports among the lower 32
    reg [5:0]                            s2_high_q;

    function [5:0] sum_4;
        input [15:0] counts;
        sum_4 = ({2'd0, counts[3:0]} + {2'd0, counts[7:4]}) + ({2'd0, counts[11:8]} + {2'd0, counts[15:12]});
    endfunction

    // ---- stage 3: the decision -----------------------------------------------------------------------------------
    reg                                  s3_valid_q;
    reg [FIELDS_WIDTH + LINE_BITS - 1:0] s3_fields_q;
    reg                                  s3_contributors_q;
    reg                                  s3_type_q;
    reg                                  s3_length_q;
    reg [5:0]                            s3_others_q;

    wire [6:0] s2_count   = {1'b0, s2_low_q} + {1'b0, s2_high_q};
    wire [6:0] s2_others  = s2_count - 7'd1;
    wire       unused_msb = s2_others[6]; // set only for an empty set

    wire s3_bad = draining || s3_contributors_q || s3_type_q || s3_length_q;

    assign take = s3_valid_q && !s3_bad;

    // ---- stage 4: the record ---------------------------------------------------------------------------------------
    reg                                  s4_record_q;
    reg                                  s4_refused_q;
    reg [1:0]                            s4_cause_q;
    reg [FIELDS_WIDTH + LINE_BITS - 1:0] s4_fields_q;
    reg [5:0]                            s4_others_q;
    reg [GROUP_WIDTH - 1:0]              s4_group_q;
    reg [GENERATION_WIDTH - 1:0]         s4_generation_q;

    always @(posedge clk) begin
        s0_valid_q  <= accept;
        s0_fields_q <= fields[FIELDS_WIDTH + LINE_BITS - 1:0];

        s1_valid_q  <= s0_valid_q;
        s1_fields_q <= s0_fields_q;
        s1_own_q    <= by_port[own_port];
        s1_type_q   <= s0_element == 2'd`MOEHUB_ELEMENT_BYTES || (is_fp32 && WITH_FP32 == 0);
        s1_length_q <= s0_length == 9'd0 || s0_length > LONGEST[8:0] || odd;
        s1_eights_q <= eights;

        s2_valid_q  <= s1_valid_q;
        s2_fields_q <= s1_fields_q;
        s2_own_q    <= s1_own_q;
        s2_type_q   <= s1_type_q;
        s2_length_q <= s1_length_q;
        s2_low_q    <= sum_4(s1_eights_q[15:0]);
        s2_high_q   <= sum_4(s1_eights_q[31:16]);

        s3_valid_q        <= s2_valid_q;
        s3_fields_q       <= s2_fields_q;
        s3_contributors_q <= s2_own_q || s2_count == 7'd0 || s2_count > MOST[6:0];
        s3_type_q         <= s2_type_q;
        s3_length_q       <= s2_length_q;
        s3_others_q       <= s2_others[5:0];

        s4_record_q  <= take;
        s4_refused_q <= s3_valid_q && s3_bad;
        s4_cause_q   <= draining ? 2'd`MOEHUB_REDUCTION_CAUSE_DRAINING
            : s3_contributors_q ? 2'd`MOEHUB_REDUCTION_CAUSE_CONTRIBUTORS
            : s3_type_q ? 2'd`MOEHUB_REDUCTION_CAUSE_TYPE : 2'd`MOEHUB_REDUCTION_CAUSE_LENGTH;
        s4_fields_q     <= s3_fields_q;
        s4_others_q     <= s3_others_q;
        s4_group_q      <= head_group;
        s4_generation_q <= head_generation;
        if (rst) begin
            s0_valid_q   <= 1'b0;
            s1_valid_q   <= 1'b0;
            s2_valid_q   <= 1'b0;
            s3_valid_q   <= 1'b0;
            s4_record_q  <= 1'b0;
            s4_refused_q <= 1'b0;
        end
    end

    assign refuse        = s4_refused_q;
    assign record_valid  = s4_record_q;
    assign refused_valid = s4_refused_q;

    wire [9:0]             s4_requester;
    wire [TAG_WIDTH - 1:0] s4_tag;
    wire [1:0]             s4_element;
    wire                   s4_out_fp32;
    wire [8:0]             s4_length;
    wire [PORTS - 1:0]     s4_contributors;
    wire [2:0]             s4_lines_less_1;
    assign {s4_lines_less_1, s4_requester, s4_tag, s4_element, s4_out_fp32, s4_length, s4_contributors}
        = {{(3 - LINE_BITS){1'b0}}, s4_fields_q};

    wire [63:0] s4_tag_64 = {{(64 - TAG_WIDTH){1'b0}}, s4_tag};

    assign record[`MOEHUB_RECORD_CONTRIBUTORS_LSB +: 64] = {{(64 - PORTS){1'b0}}, s4_contributors};
    assign record[`MOEHUB_RECORD_OTHERS_LSB +: 6]        = s4_others_q;
    assign record[`MOEHUB_RECORD_LENGTH_LSB +: 9]        = s4_length;
    assign record[`MOEHUB_RECORD_ELEMENT_LSB +: 2]       = s4_element;
    assign record[`MOEHUB_RECORD_OUT_FP32_LSB]           = s4_out_fp32;
    assign record[`MOEHUB_RECORD_REQUESTER_LSB +: 10]    = s4_requester;
    assign record[`MOEHUB_RECORD_TAG_LSB +: 64]          = s4_tag_64;
    assign record[`MOEHUB_RECORD_GROUP_LSB +: 12]        = {{(12 - GROUP_WIDTH){1'b0}}, s4_group_q};
    assign record[`MOEHUB_RECORD_GENERATION_LSB +: 8]    = {{(8 - GENERATION_WIDTH){1'b0}}, s4_generation_q};
    assign record[`MOEHUB_RECORD_LINES_LSB +: 3]         = s4_lines_less_1;

    reg [127:0] header;
    always @* begin
        header                                                               = 128'd0;
        header[`MOEHUB_HEADER_TYPE_LSB +: `MOEHUB_HEADER_TYPE_WIDTH]         = 4'd`MOEHUB_PACKET_LD_REDUCE;
        header[`MOEHUB_HEADER_OUT_FP32_LSB +: `MOEHUB_HEADER_OUT_FP32_WIDTH] = s4_out_fp32;
        header[`MOEHUB_HEADER_LENGTH_LSB +: `MOEHUB_HEADER_LENGTH_WIDTH]     = s4_length;
        header[`MOEHUB_HEADER_SOURCE_LSB +: `MOEHUB_HEADER_SOURCE_WIDTH]     = s4_requester;
        header[`MOEHUB_HEADER_TAG_LSB +: `MOEHUB_HEADER_TAG_WIDTH]           = s4_tag_64[`MOEHUB_HEADER_TAG_WIDTH - 1:0];
        header[`MOEHUB_HEADER_ELEMENT_LSB +: `MOEHUB_HEADER_ELEMENT_WIDTH]   = s4_element;
    end

    assign refused_error[`MOEHUB_ERROR_HEADER_LSB +: 128] = header;
    assign refused_error[`MOEHUB_ERROR_CAUSE_LSB +: 5]    = {3'd0, s4_cause_q};
    assign refused_error[`MOEHUB_ERROR_PORT_LSB +: 6]     = 6'd0;

    // ---- groups in use -------------------------------------------------------------------------------------------------
    reg [12:0] occupancy_q; // groups
    reg        empty_q;

    always @(posedge clk) begin
        if (record_valid && !freed_valid) occupancy_q <= occupancy_q + 13'd1;
        if (freed_valid && !record_valid) occupancy_q <= occupancy_q - 13'd1;
        empty_q <= occupancy_q == 13'd0;
        if (rst) begin
            occupancy_q <= 13'd0;
            empty_q     <= 1'b1;
        end
    end

    assign occupancy = {3'd0, occupancy_q} << LINE_BITS;
    assign empty     = empty_q;

    // ---- grants ------------------------------------------------------------------------------------------------------
    reg [3:0] status;
    always @* begin
        status = 4'd`MOEHUB_STATUS_OK;
        if (s4_refused_q) case (s4_cause_q)
            2'd`MOEHUB_REDUCTION_CAUSE_DRAINING:     status = 4'd`MOEHUB_STATUS_DRAINING;
            2'd`MOEHUB_REDUCTION_CAUSE_CONTRIBUTORS: status = 4'd`MOEHUB_STATUS_CONTRIBUTORS;
            2'd`MOEHUB_REDUCTION_CAUSE_TYPE:         status = 4'd`MOEHUB_STATUS_TYPE;
            default:                                 status = 4'd`MOEHUB_STATUS_LENGTH;
        endcase
    end

    wire [GRANT_WIDTH + 2:0] grant = {
        s4_lines_less_1, status,
        s4_refused_q ? {(GROUP_WIDTH + GENERATION_WIDTH){1'b0}} : {s4_group_q, s4_generation_q}
    };

    wire                                 unused_grant = &{1'b0, grant};
    wire [GRANT_WIDTH + LINE_BITS - 1:0] out;
    wire [2:0]                           out_lines_less_1;
    wire [GROUP_WIDTH - 1:0]             out_group;
    wire [GENERATION_WIDTH - 1:0]        out_generation;
    wire                          unused_ready; // never low: inside_q counts the places
    wire [3:0]                    unused_count;

    moehub_fifo #(.WIDTH(GRANT_WIDTH + LINE_BITS), .DEPTH(GRANTS)) u_grants (
        .clk(clk), .rst(rst),
        .in_valid(s4_record_q || s4_refused_q), .in_ready(unused_ready),
        .in_data(grant[GRANT_WIDTH + LINE_BITS - 1:0]),
        .out_valid(grant_valid), .out_ready(grant_ready), .out_data(out), .count(unused_count)
    );

    assign {out_lines_less_1, grant_status, out_group, out_generation} = {{(3 - LINE_BITS){1'b0}}, out};
    assign grant_entry      = {{(16 - GROUP_WIDTH){1'b0}}, out_group} << LINE_BITS; // of line 0
    assign grant_generation = {{(8 - GENERATION_WIDTH){1'b0}}, out_generation};

    assign granted_valid        = grant_pops && grant_status == 4'd`MOEHUB_STATUS_OK;
    assign granted_group        = out_group;
    assign granted_lines_less_1 = out_lines_less_1;

    reg                     open_valid_q;
    reg [GROUP_WIDTH - 1:0] open_group_q;
    reg [2:0]               open_lines_q; // less one
    always @(posedge clk) begin
        open_valid_q <= granted_valid;
        open_group_q <= out_group;
        open_lines_q <= out_lines_less_1;
        if (rst) open_valid_q <= 1'b0;
    end

    assign open_valid        = open_valid_q;
    assign open_group        = open_group_q;
    assign open_lines_less_1 = open_lines_q;
endmodule

`default_nettype wire
