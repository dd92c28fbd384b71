// SPDX-License-Identifier: Apache-2.0
// In place of moehub_finalize: the state of formal_small_accumulate leaves as it is, in the cycle in which it comes.

    assign out_valid = in_valid && enable;
    assign out_word  = {30'd0, in_state[1:0]};
