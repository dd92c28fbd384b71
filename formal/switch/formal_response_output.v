// SPDX-License-Identifier: Apache-2.0
// moehub_response_output behind an output of the crossbar: partials right away, notices in order, places that are never short.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_width.vh"
module formal_response_output #(
    parameter PORTS   = 4,
    parameter NOTICES = 4
) (
    input wire         clk,
    input wire         rst,
    input wire         initialised,
    input wire         granted,
    input wire         row_valid,
    input wire [3:0]   row_number,
    input wire         row_last,
    input wire [127:0] row_data,
    input wire         notice_ready
);
`include "formal_reset.vh"
    wire                                    room;
    wire                                    partial_valid;
    wire [15:0]                             partial_entry;
    wire [7:0]                              partial_generation;
    wire [`MOEHUB_INDEX_WIDTH(PORTS) - 1:0] partial_port;
    wire [3:0]                              partial_status;
    wire [1:0]                              partial_element;
    wire [8:0]                              partial_length;
    wire [127:0]                            partial_data;
    wire                                    partial_last;
    wire                                    notice_valid;
    wire [127:0]                            notice_data;
    moehub_response_output #(.PORTS(PORTS), .NOTICES(NOTICES)) u_output (
        .clk(clk), .rst(rst), .initialised(initialised), .room(room), .granted(granted), .row_valid(row_valid),
        .row_number(row_number), .row_last(row_last), .row_data(row_data), .partial_valid(partial_valid),
        .partial_entry(partial_entry), .partial_generation(partial_generation), .partial_port(partial_port),
        .partial_status(partial_status), .partial_element(partial_element), .partial_length(partial_length),
        .partial_data(partial_data), .partial_last(partial_last), .notice_valid(notice_valid), .notice_ready(notice_ready),
        .notice_data(notice_data)
    );
    formal_stream_assert #(.WIDTH(3)) u_notice (
        .clk(clk), .rst(rst), .valid(notice_valid), .ready(notice_ready), .data(notice_data[34:32])
    );

    // ---- the crossbar's output: grants only while there is room, rows in order
    wire first    = row_valid && row_number == 4'd0;
    wire partial  = row_data[3:0] == 4'd`MOEHUB_PACKET_PARTIAL;
    wire notice   = first && !partial;
    reg       room_q = 1'b0;
    reg       granted_q = 1'b0;
    reg [2:0] coming_q = 3'd0; // granted, row 0 not seen
    reg [3:0] expects_q = 4'd0; // number of the next row
    reg [2:0] sent_q = 3'd0;   // number of the next notice
    always @(posedge clk) begin
        room_q    <= !rst && room;
        granted_q <= granted;
        coming_q  <= coming_q + {2'd0, granted} - {2'd0, first};
        if (row_valid) expects_q <= row_last ? 4'd0 : row_number + 4'd1;
        if (notice) sent_q <= sent_q + 3'd1;
        if (rst) begin
            coming_q  <= 3'd0;
            expects_q <= 4'd0;
            sent_q    <= 3'd0;
            granted_q <= 1'b0;
        end
    end
    always @* begin
        assume (!granted || (room_q && !granted_q));
        assume (!rst || (!granted && !row_valid));
        assume (!row_valid || row_number == expects_q);
        assume (!first || coming_q != 3'd0);
        assume (!row_valid || row_number != 4'd8 || row_last);
        assume (!notice || (row_last && row_data[34:32] == sent_q));
    end

    // ---- partials: what was on the bus in the last cycle, header fields of the last row 0
    reg         valid_q = 1'b0;
    reg [127:0] header_q;
    reg [127:0] row_q;
    reg         last_q;
    always @(posedge clk) begin
        valid_q <= !rst && row_valid && (first ? partial && row_last : 1'b1);
        if (first) header_q <= row_data;
        row_q   <= row_data;
        last_q  <= row_last;
    end

    // ---- notices: inside the queue
    reg [2:0] inside_q = 3'd0;
    reg [2:0] taken_q = 3'd0; // number of the next one that is taken
    reg       was_q = 1'b0;   // one was inside, a cycle ago
    reg       initialised_q = 1'b0;
    wire      take = notice_valid && notice_ready;
    always @(posedge clk) begin
        inside_q      <= inside_q + {2'd0, notice} - {2'd0, take};
        was_q         <= inside_q != 3'd0 && !(take && inside_q == 3'd1);
        initialised_q <= initialised;
        if (take) taken_q <= taken_q + 3'd1;
        if (rst) begin
            inside_q      <= 3'd0;
            was_q         <= 1'b0;
            taken_q       <= 3'd0;
            initialised_q <= 1'b0;
        end
    end

    wire fields_right = partial_entry == header_q[55:40] && partial_generation == header_q[39:32] &&
        partial_port == header_q[19 +: `MOEHUB_INDEX_WIDTH(PORTS)] && partial_status == header_q[59:56] &&
        partial_element == header_q[61:60] && partial_length == header_q[18:10];
    reg  empty_q;
    always @(posedge clk) empty_q <= first;
    always @* begin
        partials:      assert (!started_q || partial_valid == valid_q);
        fields:        assert (!started_q || !partial_valid || fields_right);
        payload:       assert (!started_q || !partial_valid ||
            (partial_last == last_q && partial_data == (empty_q ? 128'd0 : row_q)));
        fits:          assert (inside_q <= NOTICES);
        notices_order: assert (!started_q || !take || notice_data[34:32] == taken_q);
        notices_there: assert (!started_q || (notice_valid ? inside_q != 3'd0 : !was_q));
        room_exact:    assert (!started_q || room == (initialised_q && {1'b0, inside_q} + {1'b0, coming_q} < NOTICES));
    end
    always @* begin
        full:         cover (inside_q == NOTICES);
        full_coming:  cover (inside_q == 3'd2 && coming_q == 3'd2);
        empty_one:    cover (partial_valid && empty_q && partial_last);
        next_at_once: cover (partial_valid && partial_last && !empty_q && first);
    end
endmodule
`default_nettype wire
