// SPDX-License-Identifier: Apache-2.0
// What passes through the plane as one vector. What goes with a packet is its mark (doc/plane/link.md section 5): field F
// occupies bits [F_LSB + F_WIDTH - 1 : F_LSB]; the first fields of a request's mark are those of a store's.
`ifndef MOEHUB_PLANE_VH
`define MOEHUB_PLANE_VH

`include "moehub_width.vh"

// A switch knows which ports a request's ids name. A hub knows that it is the only one: there the set is one bit, 0.
`define MOEHUB_PORTS_SET_WIDTH(TOWARDS_HUB, PORTS) ((TOWARDS_HUB) == 1 ? 1 : (PORTS))

// ---- mark of a store and of a request ---------------------------------------------------------------------------------
`define MOEHUB_MARK_TARGETS_LSB 0 // ids, 1..32
`define MOEHUB_MARK_TARGETS_WIDTH 6
`define MOEHUB_MARK_COPIES_LSB 6 // GPUs that they name, 1..32
`define MOEHUB_MARK_COPIES_WIDTH 6
`define MOEHUB_STORE_MARK_WIDTH 12
// ---- mark of a request, further -----------------------------------------------------------------------------------------
`define MOEHUB_MARK_REFUSED_LSB 12 // malformed but answered: targets, copies and ports mean nothing
`define MOEHUB_MARK_REFUSED_WIDTH 1
`define MOEHUB_MARK_TAG_LSB 13
`define MOEHUB_MARK_TAG_WIDTH 24
`define MOEHUB_MARK_CONTEXT_LSB 37
`define MOEHUB_MARK_CONTEXT_WIDTH 3
`define MOEHUB_MARK_ROUND_LSB 40
`define MOEHUB_MARK_ROUND_WIDTH 4
`define MOEHUB_MARK_ELEMENT_LSB 44
`define MOEHUB_MARK_ELEMENT_WIDTH 2
`define MOEHUB_MARK_OUT_FP32_LSB 46
`define MOEHUB_MARK_OUT_FP32_WIDTH 1
`define MOEHUB_MARK_LENGTH_LSB 47 // as sent
`define MOEHUB_MARK_LENGTH_WIDTH 9
`define MOEHUB_MARK_PORTS_LSB 56 // the rest: the set of ports that the ids name
`define MOEHUB_REQUEST_MARK_WIDTH(TOWARDS_HUB, PORTS) (56 + `MOEHUB_PORTS_SET_WIDTH(TOWARDS_HUB, PORTS))
// ---- mark of a response ---------------------------------------------------------------------------------------------------
`define MOEHUB_MARK_PARTIAL_LSB 0 // it is a partial
`define MOEHUB_MARK_PARTIAL_WIDTH 1
`define MOEHUB_MARK_DESTINATION_LSB 1 // the rest: the port that it is for
`define MOEHUB_RESPONSE_MARK_WIDTH(PORTS) (1 + `MOEHUB_INDEX_WIDTH(PORTS))

// ---- register bus: AXI4-Lite of 12 address bits from moehub_axi_lite_decoder to a register block, and back ----------------
`define MOEHUB_BUS(awvalid, awaddr, wvalid, wdata, wstrb, bready, arvalid, araddr, rready) \
    {awvalid, awaddr, wvalid, wdata, wstrb, bready, arvalid, araddr, rready}
`define MOEHUB_BUS_WIDTH 65
`define MOEHUB_BUS_ANSWER(awready, wready, bvalid, bresp, arready, rvalid, rdata, rresp) \
    {awready, wready, bvalid, bresp, arready, rvalid, rdata, rresp}
`define MOEHUB_BUS_ANSWER_WIDTH 41

`endif
