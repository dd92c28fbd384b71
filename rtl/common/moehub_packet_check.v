// SPDX-License-Identifier: Apache-2.0
// Purpose: judges a packet while its flits pass: header, target flits, number of flits; and says what goes with it (its mark).
// Contract:
//   1. wire_data and wire_class are the flit on the wires in cycle c; all other inputs speak of it in c + 1: flit_first (it is
//      the first of its packet), take (it takes a place; what takes none is not looked at), broken (its packet broke a rule of
//      the link), finish (its packet ends; also without a flit).
//   2. flit_data is the flit in c + 1; targets, with flit_first, how many target flits follow the header.
//   3. verdict_valid comes one cycle after finish. verdict_malformed with verdict_cause: the first cause that applies
//      (doc/packet.md section 5). verdict_keep: the packet is kept, as it is well-formed or refused but answered. The marks
//      of the three classes (doc/plane/link.md section 5), and the header, which is 0 if it took no place, stand beside.
// Cost: latency 2 from wires to verdict; registers of one packet.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_plane.vh"

module moehub_packet_check #(
    parameter TOWARDS_HUB       = 0,  // 0: a switch receives, 1: a hub
    parameter PORTS             = 8,  // 2..64; towards a hub ..1024: GPUs
    parameter LOCAL_EXPERT_BITS = 8,  // 0..8
    parameter MAX_TARGETS       = 32, // 1..32 ids in a packet
    parameter REQUEST_LINES     = 8   // 1, 2, 4, 8 lines in a request
) (
    input  wire                                                          clk,
    input  wire                                                          rst,
    input  wire [9:0]                                                    own, // the port's number, or the hub's GPU
    input  wire [127:0]                                                  wire_data,
    input  wire [1:0]                                                    wire_class,
    input  wire                                                          flit_first,
    input  wire                                                          take,
    input  wire                                                          broken,
    input  wire                                                          finish,
    output wire [127:0]                                                  flit_data,
    output wire [2:0]                                                    targets,
    output wire                                                          verdict_valid,
    output wire                                                          verdict_keep,
    output wire                                                          verdict_malformed,
    output wire [3:0]                                                    verdict_cause,
    output wire [127:0]                                                  verdict_header,
    output wire [`MOEHUB_STORE_MARK_WIDTH - 1:0]                         mark_store,
    output wire [`MOEHUB_REQUEST_MARK_WIDTH(TOWARDS_HUB, PORTS) - 1:0]   mark_request,
    output wire [`MOEHUB_RESPONSE_MARK_WIDTH(PORTS) - 1:0]               mark_response
);
    wire       malformed;
    wire [3:0] cause;
    wire [4:0] flits;
    wire [2:0] target_flits;
    wire [5:0] ids;
    wire       unused_inputs = ^{clk, rst, flit_first, take, broken, finish, malformed, cause, flits, target_flits, ids};

    moehub_header_check #(
        .TOWARDS_HUB(TOWARDS_HUB), .PORTS(PORTS), .LOCAL_EXPERT_BITS(LOCAL_EXPERT_BITS),
        .MAX_TARGETS(MAX_TARGETS), .REQUEST_LINES(REQUEST_LINES)
    ) u_header (
        .header(wire_data), .flit_class(wire_class), .own(own), .malformed(malformed), .cause(cause), .flits(flits),
        .target_flits(target_flits), .targets(ids)
    );

    assign flit_data         = 128'd0;
    assign targets           = 3'd0;
    assign verdict_valid     = 1'b0;
    assign verdict_keep      = 1'b0;
    assign verdict_malformed = 1'b0;
    assign verdict_cause     = 4'd0;
    assign verdict_header    = 128'd0;
    assign mark_store        = {`MOEHUB_STORE_MARK_WIDTH{1'b0}};
    assign mark_request      = {`MOEHUB_REQUEST_MARK_WIDTH(TOWARDS_HUB, PORTS){1'b0}};
    assign mark_response     = {`MOEHUB_RESPONSE_MARK_WIDTH(PORTS){1'b0}};
endmodule

`default_nettype wire
