// SPDX-License-Identifier: Apache-2.0
// Every deliberate bug of the project: one line each, name, number, what goes wrong.
// Simulation only: doc/faults.md says how they are built and selected. The C side reads this file too
// (sim/kit/fault_list.awk), so keep the form: `define MOEHUB_FAULT_<NAME> <number> // <what goes wrong>
// Numbers: 1-99 common parts, 100-299 hub, 300-499 switch, 500-599 arithmetic. 0 means none.
`ifndef MOEHUB_FAULT_LIST_VH
`define MOEHUB_FAULT_LIST_VH

`define MOEHUB_FAULT_FIFO_LOSES_ITEM         1 // an item that arrives while the FIFO has one free place is accepted and lost
`define MOEHUB_FAULT_FIFO_COUNT_STUCK        2 // count does not fall when an item leaves
`define MOEHUB_FAULT_FIFO_PAYLOAD_UNSTABLE   3 // the payload changes while the output is stalled
`define MOEHUB_FAULT_SKID_WITHDRAWS_VALID    4 // valid falls after a stalled cycle although nobody took the item
`define MOEHUB_FAULT_SKID_READY_LATE         5 // ready stays high for one more item when both places are taken
`define MOEHUB_FAULT_ARBITER_FIXED_PRIORITY  6 // the lowest requester always wins
`define MOEHUB_FAULT_ARBITER_TWO_GRANTS      7 // the wrap-around grant comes beside the masked one
`define MOEHUB_FAULT_MEMORY_READS_NEW        8 // a read of the address being written returns the new word
`define MOEHUB_FAULT_MEMORY_FORGETS_OUTPUT   9 // the read data change without read_enable
`define MOEHUB_FAULT_MEMORY_FLIPS_BIT       10 // bit 0 of every word is flipped on its way into the array (parity notices)
`define MOEHUB_FAULT_FIFO_STUCK             11 // the output of a FIFO never becomes valid (a deadlock for the watchdog)

`endif
