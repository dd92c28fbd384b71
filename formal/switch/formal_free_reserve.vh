// SPDX-License-Identifier: Apache-2.0
// In place of moehub_reduction_reserve: a reservation with a good set is recorded in the cycle in which it is accepted, and
// its grant is there in the next one; others are not accepted. What the real one does, faster: a record, then a grant, then,
// two cycles after the record at the earliest, the opening; an entry only when one is free (formal_reduction_reserve, _open).

    localparam ENTRY_WIDTH = `MOEHUB_INDEX_WIDTH(ENTRIES); // one line a group
    reg [5:0] ports;
    integer   i;
    always @* begin
        ports = 6'd0;
        for (i = 0; i < PORTS; i = i + 1) ports = ports + {5'd0, reserve_contributors[i]};
    end
    wire good = ports != 6'd0 && ports <= MAX_CONTRIBUTORS && !reserve_contributors[own_port];

    reg [12:0]                   left_q;    // free entries
    reg                          granted_q; // a grant is offered
    reg [ENTRY_WIDTH - 1:0]      entry_q;
    reg [GENERATION_WIDTH - 1:0] generation_q;
    reg                          taken_q;
    reg [ENTRY_WIDTH - 1:0]      taken_entry_q;
    wire accept = reserve_valid && reserve_ready;
    always @(posedge clk) begin
        left_q        <= left_q + {12'd0, freed_valid} - {12'd0, accept};
        taken_q       <= granted_q && grant_ready;
        taken_entry_q <= entry_q;
        if (grant_ready) granted_q <= 1'b0;
        if (accept) begin
            granted_q    <= 1'b1;
            entry_q      <= head_group;
            generation_q <= head_generation;
        end
        if (rst) begin
            left_q    <= ENTRIES;
            granted_q <= 1'b0;
            taken_q   <= 1'b0;
        end
    end

    assign reserve_ready     = good && initialised && !hold && !draining && left_q != 13'd0 && !granted_q;
    assign take              = accept;
    assign grant_valid       = granted_q;
    assign grant_status      = `MOEHUB_STATUS_OK;
    assign grant_entry       = entry_q;
    assign grant_generation  = generation_q;
    assign record_valid      = accept;
    assign refused_valid     = 1'b0;
    assign refused_error     = 0;
    assign open_valid        = taken_q;
    assign open_group        = taken_entry_q;
    assign open_lines_less_1 = 3'd0;
    assign granted_valid     = granted_q && grant_ready;
    assign granted_group     = entry_q;
    assign granted_lines_less_1 = 3'd0;
    assign occupancy         = 16'd0; // not looked at
    assign empty             = 1'b0;

    wire [63:0] tag_64          = reserve_tag;
    wire [63:0] contributors_64 = reserve_contributors;
    wire [11:0] group_12        = head_group;
    wire [7:0]  generation_8    = head_generation;
    assign record[`MOEHUB_RECORD_CONTRIBUTORS_LSB +: 64] = contributors_64;
    assign record[`MOEHUB_RECORD_OTHERS_LSB +: 6]        = ports - 6'd1;
    assign record[`MOEHUB_RECORD_LENGTH_LSB +: 9]        = reserve_length;
    assign record[`MOEHUB_RECORD_ELEMENT_LSB +: 2]       = reserve_element;
    assign record[`MOEHUB_RECORD_OUT_FP32_LSB]           = reserve_out_fp32;
    assign record[`MOEHUB_RECORD_REQUESTER_LSB +: 10]    = reserve_requester;
    assign record[`MOEHUB_RECORD_TAG_LSB +: 64]          = tag_64;
    assign record[`MOEHUB_RECORD_GROUP_LSB +: 12]        = group_12;
    assign record[`MOEHUB_RECORD_LINES_LSB +: 3]         = 3'd0;
    assign record[`MOEHUB_RECORD_GENERATION_LSB +: 8]    = generation_8;
