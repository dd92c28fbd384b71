// SPDX-License-Identifier: Apache-2.0
// Reset in the first cycle only. Nothing is lost where the properties speak of no cycle before a reset: registers and memory words
// start with anything, so the run after a later reset is the run of another start.
`include "formal_reset.vh"
    always @* if (started_q) assume (!rst);
