// SPDX-License-Identifier: Apache-2.0
// moehub_reduction_timeout from any state, without reset: the 48-bit time may stand anywhere, so carries that no run from 0 ever
// reaches are looked at. An entry that opens expires when it is due, and not before.
`default_nettype none
module formal_reduction_timeout_clock #(
    parameter ENTRIES = 1,
    parameter TIMEOUT = 20 // longer than the run: does not end in it
) (
    input wire                                             clk,
    input wire                                             open_valid,
    input wire [(ENTRIES > 1 ? $clog2(ENTRIES) : 1) - 1:0] open_entry
);
    localparam ENTRY_WIDTH = ENTRIES > 1 ? $clog2(ENTRIES) : 1;
    localparam ROUND  = ENTRIES > 8 ? ENTRIES : 8;
    localparam SETTLE = 9; // cycles: what was in the pipeline has left, and the carries' flags belong to the time
    localparam [31:0] LATEST = ROUND + 12;

    (* anyconst *) wire [ENTRY_WIDTH - 1:0] chosen;

    reg [3:0]  settle_q  = 4'd0;
    wire       settled   = settle_q == SETTLE; // then the entry opens: later would be another state to start from
    reg        opened_q  = 1'b0; // the chosen entry
    reg        open_q = 1'b0;
    reg [31:0] age_q;            // from the cycle in which its grant was taken: one before open_valid
    wire [31:0] age = age_q + 32'd1;

    wire [(1 << ENTRY_WIDTH) - 1:0] is_open = {{((1 << ENTRY_WIDTH) - 1){1'b0}}, open_q} << chosen;
    wire                     expire_valid, unused_valid;
    wire [ENTRY_WIDTH - 1:0] expire_entry, unused_entry;
    moehub_reduction_timeout #(.ENTRIES(ENTRIES)) u_timeout (
        .clk(clk), .rst(1'b0), .timeout(TIMEOUT), .is_open(is_open), .open_valid(open_valid), .open_group(open_entry),
        .completed_valid(1'b0), .completed_entry({ENTRY_WIDTH{1'b0}}),
        .expire_valid(expire_valid), .expire_entry(expire_entry),
        .timed_out_valid(unused_valid), .timed_out_entry(unused_entry), .timed_out_error(),
        .is_quarantined({(1 << ENTRY_WIDTH){1'b0}}), .quarantine_over_valid(), .quarantine_over_group()
    );

    wire opens   = open_valid && open_entry == chosen;
    wire expires = expire_valid && expire_entry == chosen;
    always @* begin
        assume (chosen < ENTRIES && open_entry < ENTRIES);
        assume (opens == (settled && !opened_q));
    end
    always @(posedge clk) begin
        if (!settled) settle_q <= settle_q + 4'd1;
        opened_q  <= opened_q || opens;
        open_q <= (open_q || opens) && !(settled && expires);
        age_q     <= opens ? 32'd1 : age;
    end

    always @* begin
        due_not_before: assert (!settled || !expires || (open_q && age >= TIMEOUT));
        due_then:       assert (!open_q || age <= TIMEOUT + LATEST);
    end
    always @* begin
        ends:    cover (settled && expires);
        goes_on: cover (open_q && age > LATEST + 32'd1);
    end
endmodule
`default_nettype wire
