// SPDX-License-Identifier: Apache-2.0
// What rtl/doc/registers.md says of a register bank, as a small model and what must follow from it: which accesses are refused,
// what each register reads two cycles later, one command at a time, interrupt bits, error latch, high-water marks, counters.
// The harness of the bank alone (formal_csr_bank.v) and those of the blocks around it (formal_hub_csr.v, formal_switch_csr.v)
// instantiate it. Bus and counters are replaced (formal_seen_bus.v, formal_seen_counter_memory.v): accesses come in any cycle,
// one of each kind. A counter is what it should be where its address stood in the cycle before, as the bus sees to.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_registers.vh"
module formal_csr_rules #(
    parameter [31:0] ID  = 0,
    parameter PARAMETERS = 1,
    parameter EVENTS     = 26,
    parameter INTERRUPTS = 3
) (
    input wire                         clk,
    input wire                         rst,
    // the accesses, and what came back
    input wire                         write_valid,
    input wire [11:0]                  write_address,
    input wire [31:0]                  write_data,
    input wire [3:0]                   write_strobes,
    input wire                         write_error,
    input wire [11:0]                  read_address,
    input wire [31:0]                  read_data,
    input wire                         read_error,
    input wire                         interrupt_request,
    // what the block tells its bank, by the document
    input wire [PARAMETERS * 32 - 1:0] parameter_values,
    input wire [EVENTS - 1:0]          events,
    input wire [INTERRUPTS - 1:0]      raised,
    input wire [31:0]                  levels,
    input wire                         error_valid,
    input wire [4:0]                   error_cause,
    input wire [127:0]                 error_header,
    input wire [21:0]                  error_name,
    input wire                         command_valid,
    input wire                         command_ready,
    input wire [3:0]                   command_operation,
    input wire                         command_done,
    input wire                         command_refused,
    input wire                         own_writable,
    input wire                         own_readable,
    input wire [31:0]                  own_word,
    // for the block's own model
    output wire                        taken,   // a write takes effect
    output wire                        start,   // and starts a command
    output wire                        busy,
    output wire                        offered, // started and not taken
    output wire [3:0]                  operation,
    output wire                        pin      // what interrupt_request is
);
`include "formal_reset.vh"

    // ---- writes: which are taken; commands --------------------------------------------------------------------------------
    reg       busy_q, offered_q, refused_q;
    reg [3:0] operation_q;
    wire      bank_writable = write_address == `MOEHUB_CSR_INTERRUPT_STATUS || write_address == `MOEHUB_CSR_INTERRUPT_MASK
        || (write_address == `MOEHUB_CSR_COMMAND && !busy_q) || write_address == `MOEHUB_CSR_SNAPSHOT
        || write_address == `MOEHUB_CSR_LATCH_STATUS;
    assign taken     = write_valid && write_strobes == 4'hf && (bank_writable || own_writable);
    assign start     = taken && write_address == `MOEHUB_CSR_COMMAND;
    assign busy      = busy_q;
    assign offered   = offered_q;
    assign operation = operation_q;

    reg was_taken_q, start_q;
    always @(posedge clk) begin
        was_taken_q <= taken;
        start_q     <= start && !rst;
        if (command_ready) offered_q <= 1'b0;
        if (command_done) {busy_q, refused_q} <= {1'b0, command_refused};
        if (start) {busy_q, offered_q, operation_q} <= {2'b11, write_data[3:0]};
        if (rst) {busy_q, offered_q, refused_q} <= 3'd0;
    end
    always @* assume (!command_done || busy_q);

    // ---- interrupt, error latch, high-water marks, snapshots -----------------------------------------------------------------
    reg [INTERRUPTS - 1:0] status_q, mask_q;
    reg                    pin_q, latched_q, caught_q;
    reg [154:0]            first_q;     // {cause, header, name}
    reg [15:0]             most_0_q, most_1_q;
    reg                    snapshots_q; // how many, modulo 2
    reg [EVENTS - 1:0]     events_q;
    assign pin = pin_q;
    wire                    lowers  = taken && write_address == `MOEHUB_CSR_INTERRUPT_STATUS;
    wire [INTERRUPTS - 1:0] lowered = {INTERRUPTS{lowers}} & write_data[INTERRUPTS - 1:0];
    wire                    unlatch = taken && write_address == `MOEHUB_CSR_LATCH_STATUS && write_data[0];
    wire                    catch   = error_valid && (!latched_q || unlatch);
    always @(posedge clk) begin
        status_q  <= (status_q & ~lowered) | raised | {{INTERRUPTS - 3{1'b0}}, command_done && command_refused, 1'b0, caught_q};
        if (taken && write_address == `MOEHUB_CSR_INTERRUPT_MASK) mask_q <= write_data[INTERRUPTS - 1:0];
        pin_q     <= (status_q & mask_q) != 0;
        caught_q  <= catch;
        latched_q <= catch || (latched_q && !unlatch);
        if (catch) first_q <= {error_cause, error_header, error_name};
        if (levels[15:0] > most_0_q) most_0_q <= levels[15:0];
        if (levels[31:16] > most_1_q) most_1_q <= levels[31:16];
        snapshots_q <= snapshots_q ^ (taken && write_address == `MOEHUB_CSR_SNAPSHOT);
        events_q    <= events;
        if (rst) begin
            {status_q, mask_q} <= {2 * INTERRUPTS{1'b0}};
            {pin_q, latched_q, caught_q, snapshots_q} <= 4'd0;
            {first_q, most_0_q, most_1_q} <= 187'd0;
        end
    end

    // ---- reads: what is at the address now ------------------------------------------------------------------------------------
    localparam [2:0] NONE = 0, CONSTANT = 1, STATUS = 2, INTERRUPT = 3, COMMANDS = 4, LATCH = 5, COUNTER = 6, OWN = 7;
    wire [11:0] behind_parameters = read_address - `MOEHUB_CSR_PARAMETER;
    wire [11:0] behind_counters   = read_address - `MOEHUB_CSR_COUNTER_LOW;
    wire        aligned           = read_address[1:0] == 2'd0;
    wire        is_parameter      = aligned && read_address >= `MOEHUB_CSR_PARAMETER && behind_parameters < 4 * PARAMETERS;
    wire        is_counter        = aligned && read_address >= `MOEHUB_CSR_COUNTER_LOW && behind_counters < 8 * EVENTS;
    wire [95:0] two_cycles        = {events_q, events}; // as formal_seen_counter_memory.v tells them
    reg  [8:0]  asked_q;          // the counter of the cycle before
    wire [15:0] asked             = {snapshots_q, 6'd0, asked_q};
    wire [47:0] counter           = two_cycles[47:0] ^ {3{asked}};
    always @* begin // the block has its registers elsewhere, and its word is 0 where it has none
        assume (!own_readable || !(is_parameter || is_counter));
        assume (own_readable || own_word == 32'd0);
    end
    reg [31:0] word;
    reg [2:0]  kind;
    integer    i;
    always @* begin
        word = 32'd0;
        case (read_address)
            `MOEHUB_CSR_ID:               {kind, word} = {CONSTANT, ID};
            `MOEHUB_CSR_VERSION:
                {kind, word} = {CONSTANT, 8'd0, 8'd`MOEHUB_VERSION_MAJOR, 8'd`MOEHUB_VERSION_MINOR, 8'd`MOEHUB_VERSION_PATCH};
            `MOEHUB_CSR_INTERRUPT_STATUS: {kind, word} = {INTERRUPT, {32 - INTERRUPTS{1'b0}}, status_q};
            `MOEHUB_CSR_INTERRUPT_MASK:   {kind, word} = {INTERRUPT, {32 - INTERRUPTS{1'b0}}, mask_q};
            `MOEHUB_CSR_COMMAND_STATUS:   {kind, word} = {COMMANDS, 30'd0, refused_q, busy_q};
            `MOEHUB_CSR_LATCH_STATUS:     {kind, word} = {LATCH, 19'd0, first_q[154:150], 7'd0, latched_q};
            `MOEHUB_CSR_LATCH_HEADER:     {kind, word} = {LATCH, first_q[53:22]};
            `MOEHUB_CSR_LATCH_HEADER + 12'd4:  {kind, word} = {LATCH, first_q[85:54]};
            `MOEHUB_CSR_LATCH_HEADER + 12'd8:  {kind, word} = {LATCH, first_q[117:86]};
            `MOEHUB_CSR_LATCH_HEADER + 12'd12: {kind, word} = {LATCH, first_q[149:118]};
            `MOEHUB_CSR_LATCH_NAME:       {kind, word} = {LATCH, 10'd0, first_q[21:0]};
            `MOEHUB_CSR_HIGH_WATER:       {kind, word} = {STATUS, most_1_q, most_0_q};
            default:                      kind = own_readable ? OWN : NONE;
        endcase
        word = word | own_word;
        for (i = 0; i < PARAMETERS; i = i + 1)
            if (is_parameter && behind_parameters == 4 * i) {kind, word} = {CONSTANT, parameter_values[i * 32 +: 32]};
        if (is_counter) {kind, word} = {COUNTER, read_address[2] ? {16'd0, counter[47:32]} : counter[31:0]};
    end

    reg [35:0] one_q, two_q;      // {its address stood, kind, word} one and two cycles ago
    reg [1:0]  settled_q = 2'd0;  // what was read two cycles ago was read behind the first reset
    always @(posedge clk) begin
        {two_q, one_q} <= {one_q, asked_q == behind_counters[11:3], kind, word};
        asked_q        <= behind_counters[11:3];
        settled_q      <= {settled_q[0], started_q};
    end
    wire       seen     = settled_q[1] && !reset_q;
    wire       stood    = two_q[35];
    wire [2:0] its_kind = two_q[34:32];
    wire       right    = !read_error && read_data == two_q[31:0];

    always @* begin
        writes:          assert (!started_q || reset_q || write_error == !was_taken_q);
        reads_constant:  assert (!seen || its_kind != CONSTANT || right);
        reads_status:    assert (!seen || its_kind != STATUS || right);
        reads_interrupt: assert (!seen || its_kind != INTERRUPT || right);
        reads_command:   assert (!seen || its_kind != COMMANDS || right);
        reads_latch:     assert (!seen || its_kind != LATCH || right);
        reads_counter:   assert (!seen || its_kind != COUNTER || !stood || right);
        reads_own:       assert (!seen || its_kind != OWN || right);
        reads_none:      assert (!seen || read_error == (its_kind == NONE));
        one_command:     assert (!started_q || (command_valid == offered_q && (!offered_q || command_operation == operation_q)));
        interrupt:       assert (!started_q || interrupt_request == pin_q);
    end
    always @* begin
        refused:       cover (seen && write_error && !was_taken_q && busy_q && offered_q);
        constant:      cover (seen && its_kind == CONSTANT && read_data == parameter_values[PARAMETERS * 32 - 1 -: 32]);
        high_water:    cover (seen && its_kind == STATUS && two_q[1:0] == 2'd2 && levels[15:0] == 16'd1);
        again:         cover (seen && lowered[0] && caught_q && status_q[0]);
        command_reads: cover (seen && its_kind == COMMANDS && two_q[1:0] == 2'd3);
        second:        cover (seen && its_kind == LATCH && two_q[31:0] == 32'h5555_aaaa && first_q[53:22] != 32'h5555_aaaa);
        copied:        cover (seen && its_kind == COUNTER && read_data == 32'h1234 && snapshots_q);
        own_reads:     cover (seen && its_kind == OWN && read_data == 32'd5);
        absent:        cover (seen && its_kind == NONE && one_q[34:32] != NONE && was_taken_q);
        started_again: cover (seen && start_q && operation_q == 4'd5 && refused_q);
        raised_masked: cover (seen && pin_q && status_q[2:0] == 3'd7 && mask_q[2:0] == 3'd2);
    end
endmodule
`default_nettype wire
