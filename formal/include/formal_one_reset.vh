// SPDX-License-Identifier: Apache-2.0
// Reset in the first cycle only. One reset suffices: registers and memory words start with any value, so the run after a later
// reset is some other start's run. Properties that speak of cycles before a reset need formal_reset.vh.
`include "formal_reset.vh"
    always @* if (started_q) assume (!rst);
