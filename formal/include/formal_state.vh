// SPDX-License-Identifier: Apache-2.0
// What is known of every reachable state of a type's sum (rtl/doc/arithmetic.md), for modules with parameters
// MAX_CONTRIBUTORS, BINS and ELEMENT. reachable(state, n) takes in every state after n elements; that it does is proved:
// formal_accumulate, property stays_reachable.
    localparam BIN_WIDTH   = `MOEHUB_BIN_WIDTH(MAX_CONTRIBUTORS);
    localparam STATE_WIDTH = `MOEHUB_STATE_WIDTH(BINS, MAX_CONTRIBUTORS);
    localparam [4:0] LAST_TOP = ELEMENT == `MOEHUB_ELEMENT_FP16 ? 2 : ELEMENT == `MOEHUB_ELEMENT_FP32 ? 17 : 16;

    function reachable(input [STATE_WIDTH - 1:0] state, input [10:0] elements);
        reg signed [30:0] bin;
        reg signed [30:0] bound;
        reg [4:0]         state_top;
        integer           b;
        begin
            state_top = state[STATE_WIDTH - 3 -: 5];
            bound     = elements * 31'd65535;
            reachable = state_top <= LAST_TOP;
            for (b = 0; b < BINS; b = b + 1) begin // bin b counted from the top
                bin = {{(31 - BIN_WIDTH){state[(BINS - b) * BIN_WIDTH - 1]}}, state[(BINS - 1 - b) * BIN_WIDTH +: BIN_WIDTH]};
                if (bin > bound || bin < -bound) reachable = 1'b0;
                if (state_top < b && bin != 31'sd0) reachable = 1'b0; // below position 0 there is nothing
            end
        end
    endfunction
