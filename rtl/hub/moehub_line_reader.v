// SPDX-License-Identifier: Apache-2.0
// Purpose: reads the payload of checked stores into the line buffer, and frees the packets (doc/hub/ingress.md section 3, step
//   2).
// Contract:
//   1. Records are taken in their order. One that is refused and not counted frees its packet, nothing else; one that is refused
//      and counted takes a line of the buffer, without beats. Another one takes a line, and reads its flits from `body` on: the
//      byte-enable flit, if there is one, then the payload; one in each cycle in which port_free says that the port is.
//   2. beat_* write the buffer: beats of 32 bytes with their strobes; a half beat without flit has strobes 0.
//   3. whole: the next line of the buffer has all that line and bytes (strobes that are 1) say. released gives the oldest back.
//   4. free goes with the read of the last flit, or alone where none is read.
// How: the buffer's lines are taken in turn, so that they are filled and emptied in one order.
// Cost: a flit a cycle; two cycles from the read of the last flit to `whole`.
// Limits: read_valid is a gate of port_free; record_ready of both: internal.
`default_nettype none
`include "moehub_hub_way.vh"
`include "moehub_width.vh"

module moehub_line_reader #(
    parameter PLACES = 2048 // 1..8191
) (
    input  wire                                     clk,
    input  wire                                     rst,
    input  wire                                     record_valid,
    output wire                                     record_ready,
    input  wire [`MOEHUB_STORE_RECORD_WIDTH - 1:0]  record,
    input  wire                                     port_free,
    output wire                                     read_valid,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES) - 1:0] read_place,
    input  wire [127:0]                             read_data,
    output wire                                     free_valid,
    output wire [4:0]                               free_flits,
    output wire                                     beat_valid,
    output wire [`MOEHUB_INDEX_WIDTH(`MOEHUB_WAY_LINES) + 1:0] beat_address, // line, beat of it
    output wire [287:0]                             beat,         // strobes, data
    output wire                                     whole,
    output wire [`MOEHUB_LINE_WIDTH - 1:0]          line,
    output wire [7:0]                               bytes,
    input  wire                                     released
);
    localparam PLACE_WIDTH = `MOEHUB_INDEX_WIDTH(PLACES);
    localparam LINES       = `MOEHUB_WAY_LINES;
    localparam LINES_WIDTH = `MOEHUB_INDEX_WIDTH(LINES);
    localparam COUNT_WIDTH = $clog2(LINES + 1);
    localparam [31:0] ALL_LINES = LINES;
    localparam [31:0] LAST_LINE = LINES - 1;
    localparam [LINES_WIDTH - 1:0] LINE_ONE = 1;
    localparam [COUNT_WIDTH - 1:0] COUNT_ONE = 1;
    localparam [31:0] LAST = PLACES - 1;
    localparam [PLACE_WIDTH - 1:0] PLACE_ONE = 1;

    wire [12:0] body;
    wire [3:0]  flits;
    wire        refused;
    wire        counted;
    wire [2:0]  of_context;
    wire [5:0]  source;
    wire [31:0] row_index;
    wire [2:0]  offset;
    wire [3:0]  units;
    wire        enables;
    wire [5:0]  targets;
    assign `MOEHUB_STORE_RECORD(body, flits, refused, counted, of_context, source, row_index, offset, units, enables, targets) =
        record;

    // ---- which flit is read in this cycle -------------------------------------------------------------------------------
    reg [LINES_WIDTH - 1:0] fill_q;  // of the line that is filled next, or is being filled
    reg [COUNT_WIDTH - 1:0] used_q;  // lines that are being filled, or are whole
    reg                     line_free_q;
    reg [3:0]               index_q; // flits of the record that were read
    reg                     begun_q;   // some were
    reg                     final_q; // all but one were
    reg [PLACE_WIDTH - 1:0] place_q; // of the next one

    wire [3:0] last      = units - {3'd0, !enables};
    wire       read      = record_valid && !refused && (begun_q || line_free_q) && port_free;
    wire       ends      = read && (begun_q ? final_q : last == 4'd0);
    wire       drop      = record_valid && refused && (!counted || line_free_q);
    wire       claim     = (read && !begun_q) || (drop && counted);
    wire [PLACE_WIDTH - 1:0] place = begun_q ? place_q : body[PLACE_WIDTH - 1:0];

    wire [COUNT_WIDTH - 1:0] used_d = claim && !released ? used_q + COUNT_ONE : released && !claim ? used_q - COUNT_ONE : used_q;

    assign read_valid   = read;
    assign read_place   = place;
    assign record_ready = ends || drop;
    assign free_valid   = record_ready;
    assign free_flits   = {1'b0, flits};

    always @(posedge clk) begin
        if (read) begin
            index_q <= ends ? 4'd0 : index_q + 4'd1;
            begun_q   <= !ends;
            final_q <= index_q + 4'd1 == last;
            place_q <= place == LAST[PLACE_WIDTH - 1:0] ? {PLACE_WIDTH{1'b0}} : place + PLACE_ONE;
        end
        if (ends || (drop && counted)) fill_q <= fill_q == LAST_LINE[LINES_WIDTH - 1:0] ? {LINES_WIDTH{1'b0}} : fill_q + LINE_ONE;
        used_q      <= used_d;
        line_free_q <= used_d != ALL_LINES[COUNT_WIDTH - 1:0];
        if (rst) begin
            index_q <= 4'd0;
            begun_q   <= 1'b0;
            fill_q  <= {LINES_WIDTH{1'b0}};
            used_q  <= {COUNT_WIDTH{1'b0}};
            line_free_q <= 1'b1;
        end
    end

    // ---- stage 1: the flit is there -------------------------------------------------------------------------------------
    reg                            s1_valid_q;   // a payload flit
    reg                            s1_enables_q; // the byte-enable flit
    reg                            s1_first_q;   // of the payload
    reg                            s1_all_q;     // there is no byte-enable flit
    reg                            s1_last_q;    // a line is whole with it, or without a flit
    reg [LINES_WIDTH - 1:0]        s1_fill_q;
    reg [2:0]                      s1_unit_q;
    reg [`MOEHUB_LINE_WIDTH - 1:0] s1_line_q;

    wire       payload    = read && (begun_q || !enables);
    wire [3:0] number     = index_q - {3'd0, enables};
    wire [3:0] last_unit  = {1'b0, offset} + units - 4'd1;
    wire [1:0] first_beat = offset[2:1];
    wire [1:0] last_beat  = last_unit[2:1];

    always @(posedge clk) begin
        s1_valid_q   <= payload;
        s1_enables_q <= read && !payload;
        s1_first_q   <= number == 4'd0;
        s1_all_q     <= !enables;
        s1_last_q    <= ends || (drop && counted);
        s1_fill_q    <= fill_q;
        s1_unit_q    <= offset + number[2:0];
        s1_line_q    <= `MOEHUB_LINE(refused, of_context, source, row_index, first_beat, last_beat, targets);
        if (rst) begin
            s1_valid_q   <= 1'b0;
            s1_enables_q <= 1'b0;
            s1_last_q    <= 1'b0;
        end
    end

    reg [127:0] enables_q; // of the payload flits that are to come, the next one's lowest
    reg [127:0] lower_q;   // the lower half of a beat
    reg [15:0]  lower_strobes_q;
    reg [7:0]   bytes_q;   // so far

    wire [15:0]  strobes = s1_all_q ? 16'hffff : enables_q[15:0];
    wire         upper   = s1_unit_q[0];
    wire [6:0]   ones;
    wire [7:0]   bytes_d = (s1_first_q ? 8'd0 : bytes_q) + (s1_all_q ? 8'd16 : {1'b0, ones});
    wire [127:0] below   = s1_first_q ? 128'd0 : lower_q;
    wire [15:0]  below_strobes = s1_first_q ? 16'd0 : lower_strobes_q;
    moehub_count_ones #(.WIDTH(16)) u_ones (.bits(enables_q[15:0]), .count(ones));

    always @(posedge clk) begin
        if (s1_enables_q) enables_q <= read_data;
        else if (s1_valid_q) enables_q <= enables_q >> 16;
        if (s1_valid_q) begin
            lower_q         <= read_data;
            lower_strobes_q <= strobes;
            bytes_q         <= bytes_d;
        end
    end

    // ---- stage 2: the beat ----------------------------------------------------------------------------------------------
    reg                            beat_valid_q;
    reg [LINES_WIDTH + 1:0]        beat_address_q;
    reg [287:0]                    beat_q;
    reg                            whole_q;
    reg [`MOEHUB_LINE_WIDTH - 1:0] line_q;
    reg [7:0]                      line_bytes_q;

    assign beat_valid   = beat_valid_q;
    assign beat_address = beat_address_q;
    assign beat         = beat_q;
    assign whole        = whole_q;
    assign line         = line_q;
    assign bytes        = line_bytes_q;

    always @(posedge clk) begin
        beat_valid_q   <= s1_valid_q && (upper || s1_last_q);
        beat_address_q <= {s1_fill_q, s1_unit_q[2:1]};
        beat_q         <= upper ? {strobes, below_strobes, read_data, below} : {16'd0, strobes, 128'd0, read_data};
        whole_q        <= s1_last_q;
        line_q         <= s1_line_q;
        line_bytes_q   <= bytes_d;
        if (rst) begin
            beat_valid_q <= 1'b0;
            whole_q      <= 1'b0;
        end
    end

    wire unused_fields = ^{body, last_unit, number};
endmodule

`default_nettype wire
