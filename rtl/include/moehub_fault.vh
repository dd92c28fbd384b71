// SPDX-License-Identifier: Apache-2.0
// Deliberate bugs for testing the checkers; see doc/faults.md. In every normal build, synthesis and proofs included,
// MOEHUB_FAULT_DECLARE is nothing and MOEHUB_FAULT(n) is the constant 0.
// With +define+MOEHUB_FAULTS each module that declares it reads the number once from the plusarg +moehub_fault=N.
// With MOEHUB_FAULT_ONE=N bug N is built in: a proof of what it breaks must then fail.
`ifndef MOEHUB_FAULT_VH
`define MOEHUB_FAULT_VH
`include "moehub_fault_list.vh"

`ifdef MOEHUB_FAULTS
`define MOEHUB_FAULT_DECLARE \
    integer moehub_fault; \
    initial if (!$value$plusargs("moehub_fault=%d", moehub_fault)) moehub_fault = 0; \
    wire moehub_fault_unused = &{1'b0, moehub_fault};
`define MOEHUB_FAULT(n) (moehub_fault == n)
`elsif MOEHUB_FAULT_ONE
`define MOEHUB_FAULT_DECLARE
`define MOEHUB_FAULT(n) (`MOEHUB_FAULT_ONE == n)
`else
`define MOEHUB_FAULT_DECLARE
`define MOEHUB_FAULT(n) 1'b0
`endif

`endif
