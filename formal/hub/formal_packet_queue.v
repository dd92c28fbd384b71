// SPDX-License-Identifier: Apache-2.0
// moehub_packet_queue: a flit of the solver's choice is read as it was written for as long as its packet is inside; places are
// counted exactly, so none is overwritten; a rejected packet leaves nothing.
`default_nettype none
`include "moehub_width.vh"
module formal_packet_queue #(
    parameter PLACES = 3
) (
    input wire                                     clk,
    input wire                                     rst,
    input wire                                     write_valid,
    input wire                                     write_first,
    input wire [127:0]                             write_data,
    input wire                                     end_valid,
    input wire                                     end_good,
    input wire                                     take,
    input wire                                     read_valid,
    input wire [`MOEHUB_INDEX_WIDTH(PLACES) - 1:0] read_place,
    input wire                                     free_valid,
    input wire [4:0]                               free_flits,
    input wire                                     mark
);
`include "formal_reset.vh"
    localparam PLACE_WIDTH = `MOEHUB_INDEX_WIDTH(PLACES);
    localparam COUNT_WIDTH = $clog2(PLACES + 1);
    wire                     space;
    wire [4:0]               ended_flits;
    wire                     packet_there;
    wire [127:0]             read_data;
    wire                     freed_valid;
    wire [5:0]               freed_flits;
    wire [COUNT_WIDTH - 1:0] free_places;
    moehub_packet_queue #(.PLACES(PLACES)) u_queue (
        .clk(clk), .rst(rst), .space(space), .write_valid(write_valid), .write_first(write_first), .write_data(write_data),
        .end_valid(end_valid), .end_good(end_good), .ended_flits(ended_flits), .packet_there(packet_there), .take(take),
        .read_valid(read_valid), .read_place(read_place), .read_data(read_data), .free_valid(free_valid), .free_flits(free_flits),
        .freed_valid(freed_valid), .freed_flits(freed_flits), .free_places(free_places)
    );

    // ---- what the neighbours do: packets one after the other, ended once, and freed in their order, whole or in pieces -
    reg [4:0] open_q  = 5'd0; // flits of the packet that has not ended
    reg [4:0] kept_q  = 5'd0; // flits of packets that ended well and were not freed
    reg [4:0] whole_q = 5'd0; // packets that were not taken
    wire rejects = end_valid && !end_good && !rst;
    wire keeps   = end_valid && end_good && !rst;
    wire writes  = write_valid && !rst;
    wire [4:0] frees = free_valid && !rst ? free_flits : 5'd0;
    always @* begin
        assume (!write_valid || space);
        assume (!end_valid || open_q != 5'd0);
        assume (!write_valid || write_first == (open_q == 5'd0 || end_valid));
        // What was not taken is not freed: it has a flit a packet at least.
        assume (!free_valid || (free_flits <= kept_q && kept_q - free_flits >= whole_q && free_flits != 5'd0));
        assume (!take || whole_q != 5'd0);
    end
    always @(posedge clk) begin
        open_q  <= rst ? 5'd0 : (end_valid ? 5'd0 : open_q) + {4'd0, writes};
        kept_q  <= rst ? 5'd0 : kept_q + (keeps ? open_q : 5'd0) - frees;
        whole_q <= rst ? 5'd0 : whole_q + {4'd0, keeps} - {4'd0, take};
    end

    // ---- one flit: its place, counted from the first packet's, and how many are before it -----------------------------------
    reg [PLACE_WIDTH - 1:0] next_q = 0; // the place of the next flit
    reg [PLACE_WIDTH - 1:0] begin_q;    // of the open packet
    reg                     inside_q = 1'b0;
    reg                     good_q   = 1'b0; // its packet ended well
    reg [4:0]               before_q;        // flits before it that were not freed
    reg [PLACE_WIDTH - 1:0] place_q;
    reg [127:0]             flit_q;
    reg                     read_q = 1'b0;
    reg                     wrapped_q = 1'b0;
    reg [5:0]               frees_q = 6'd0; // what came free in the last cycle
    reg [5:0]               freed_q = 6'd0; // in the one before
    wire [PLACE_WIDTH - 1:0] place = rejects ? begin_q : next_q;
    wire marks = writes && mark && !inside_q;
    always @(posedge clk) begin
        next_q <= rst ? 0 : !writes ? place : place == PLACES - 1 ? 0 : place + 1;
        if (writes && write_first) begin_q <= place;
        if (marks) begin
            inside_q <= 1'b1;
            good_q   <= 1'b0;
            place_q  <= place;
            flit_q   <= write_data;
            before_q <= kept_q + (rejects ? 5'd0 : open_q) - frees;
        end else if (inside_q) begin
            if (rejects && !good_q) inside_q <= 1'b0;
            if (keeps) good_q <= 1'b1;
            if (frees > before_q) inside_q <= 1'b0;
            before_q <= before_q - frees;
        end
        if (rst) inside_q <= 1'b0;
        read_q    <= inside_q && read_valid && read_place == place_q && !rst;
        wrapped_q <= !rst && (wrapped_q || (writes && place == PLACES - 1));
        frees_q   <= rst ? 6'd0 : {1'b0, frees} + (rejects ? {1'b0, open_q} : 6'd0);
        freed_q   <= rst ? 6'd0 : frees_q;
    end
    reg [127:0] flit_read_q;
    always @(posedge clk) flit_read_q <= flit_q;

    always @* if (started_q) begin
        as_written: assert (!read_q || read_data == flit_read_q);
        kept:       assert (!(inside_q && writes) || place != place_q || (rejects && !good_q));
        counts:     assert (free_places + frees_q == PLACES - kept_q - open_q && space == (free_places != 0));
        there_is:   assert (packet_there == (whole_q != 5'd0));
        ended_is:   assert (!end_valid || rst || ended_flits == open_q);
        freed_is:   assert (reset_q || (freed_valid == (freed_q != 6'd0) && (!freed_valid || freed_flits == freed_q)));
    end
    always @* begin
        reads:   cover (read_q && wrapped_q && good_q);
        both:    cover (started_q && rejects && free_valid && !rst);
        full:    cover (started_q && !space && inside_q && wrapped_q);
    end
endmodule
`default_nettype wire
