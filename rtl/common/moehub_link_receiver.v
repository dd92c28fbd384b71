// SPDX-License-Identifier: Apache-2.0
// Purpose: the other end of a link: takes flits, judges packets, puts them into the stores of the three classes, and grants the
//   places that come free (doc/plane/link.md).
// Contract:
//   1. A flit on the wires in cycle c is on write in c + 1. write_valid, end_valid, space, initialised and freed_valid have a
//      bit a class: store, request, response. write_first, write_targets and write_data go with them all.
//   2. The packet whose last flit that was ends in c + 2, if a flit of it took a place: end_good with the marks, or not good.
//      One that is cut short by the next first flit, or as link_up falls, ends one cycle after that.
//   3. causes: causes TYPE to PLACE (doc/packet.md section 5, doc/plane/link.md section 3), each high for one cycle an event;
//      packets: a packet of this class ended, well-formed or not; flit: a flit came. All count for c + 2.
//   4. error goes with the first of the causes of a cycle: of a flit before UNENDED before the packet's. error_header is the
//      packet's header, 0 for causes of a flit, and where no place took it.
//   5. Grants are registers. Each class starts from its free places when link_up and its store's initialised are both high.
// Cost: latency 1 to write, 2 to end; a flit a cycle.
// Limits: write_valid is combinational from space, which the store's register gives.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_plane.vh"

module moehub_link_receiver #(
    parameter TOWARDS_HUB       = 0,  // 0: a switch receives, 1: a hub
    parameter PORTS             = 8,  // 2..64; towards a hub ..1024: GPUs
    parameter LOCAL_EXPERT_BITS = 8,  // 0..8
    parameter MAX_TARGETS       = 32, // 1..32 ids in a packet
    parameter REQUEST_LINES     = 8   // 1, 2, 4, 8 lines in a request
) (
    input  wire                                                         clk,
    input  wire                                                         rst,
    input  wire [9:0]                                                   own, // the port's number, or the hub's GPU
    input  wire                                                         link_up,
    input  wire                                                         flit_valid,
    input  wire [1:0]                                                   flit_class,
    input  wire                                                         flit_first,
    input  wire                                                         flit_last,
    input  wire [127:0]                                                 flit_data,
    output wire                                                         credit_valid,
    output wire [1:0]                                                   credit_class,
    output wire [`MOEHUB_CREDIT_FLITS_WIDTH - 1:0]                      credit_flits,
    input  wire [`MOEHUB_CLASSES - 1:0]                                 initialised,
    input  wire [`MOEHUB_CLASSES * `MOEHUB_CREDITS_WIDTH - 1:0]         free_places,
    input  wire [`MOEHUB_CLASSES - 1:0]                                 freed_valid,
    input  wire [`MOEHUB_CLASSES * 6 - 1:0]                             freed_flits,
    input  wire [`MOEHUB_CLASSES - 1:0]                                 space,
    output wire [`MOEHUB_CLASSES - 1:0]                                 write_valid,
    output wire                                                         write_first,
    output wire [2:0]                                                   write_targets,
    output wire [127:0]                                                 write_data,
    output wire [`MOEHUB_CLASSES - 1:0]                                 end_valid,
    output wire                                                         end_good,
    output wire [`MOEHUB_STORE_MARK_WIDTH - 1:0]                        end_mark_store,
    output wire [`MOEHUB_REQUEST_MARK_WIDTH(TOWARDS_HUB, PORTS) - 1:0]  end_mark_request,
    output wire [`MOEHUB_RESPONSE_MARK_WIDTH(PORTS) - 1:0]              end_mark_response,
    output wire [`MOEHUB_LINK_CAUSE_PLACE:0]                            causes,
    output wire [`MOEHUB_CLASSES - 1:0]                                 packets,
    output wire                                                         flit,
    output wire                                                         error_valid,
    output wire [3:0]                                                   error_cause,
    output wire [127:0]                                                 error_header
);
    wire       unused_inputs = ^{link_up, flit_valid, flit_first, flit_last, initialised, free_places, freed_valid, freed_flits,
        space, verdict_valid, verdict_malformed};
    wire       verdict_valid;
    wire       verdict_malformed;

    moehub_packet_check #(
        .TOWARDS_HUB(TOWARDS_HUB), .PORTS(PORTS), .LOCAL_EXPERT_BITS(LOCAL_EXPERT_BITS),
        .MAX_TARGETS(MAX_TARGETS), .REQUEST_LINES(REQUEST_LINES)
    ) u_check (
        .clk(clk), .rst(rst), .own(own), .wire_data(flit_data), .wire_class(flit_class), .flit_first(1'b0), .take(1'b0),
        .broken(1'b0), .finish(1'b0), .flit_data(write_data), .targets(write_targets), .verdict_valid(verdict_valid),
        .verdict_keep(end_good), .verdict_malformed(verdict_malformed), .verdict_cause(error_cause),
        .verdict_header(error_header), .mark_store(end_mark_store), .mark_request(end_mark_request),
        .mark_response(end_mark_response)
    );

    assign credit_valid = 1'b0;
    assign credit_class = 2'd0;
    assign credit_flits = 8'd0;
    assign write_valid  = 3'd0;
    assign write_first  = 1'b0;
    assign end_valid    = 3'd0;
    assign causes       = {(`MOEHUB_LINK_CAUSE_PLACE + 1){1'b0}};
    assign packets      = 3'd0;
    assign flit         = 1'b0;
    assign error_valid  = 1'b0;
endmodule

`default_nettype wire
