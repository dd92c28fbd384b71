// SPDX-License-Identifier: Apache-2.0
// moehub_switch_csr against its register map (rtl/doc/reduction_buffer.md section 7, address_path.md section 8), written as
// a small model. Bus and counters are replaced (formal_seen_bus.v, formal_seen_counters.v); their own proofs are in common/.
`default_nettype none
`include "moehub_defines.vh"
module formal_switch_csr (
    input wire         clk,
    input wire         rst,
    input wire         write_valid,
    input wire [11:0]  write_address,
    input wire [31:0]  write_data,
    input wire [3:0]   write_strobes,
    input wire [11:0]  read_address,
    input wire         command_ready,
    input wire         command_done,
    input wire         command_refused,
    input wire         initialised,
    input wire         empty,
    input wire         draining,
    input wire [15:0]  occupancy,
    input wire [`MOEHUB_REDUCTION_EVENTS - 1:0] events,
    input wire         error_valid,
    input wire [4:0]   error_cause,
    input wire [127:0] error_header,
    input wire [5:0]   error_port
);
`include "formal_reset.vh"
    wire        interrupt_request, command_valid;
    wire [3:0]  command_operation;
    wire [31:0] command_data, read_data;
    wire [1:0]  bresp, rresp;
    moehub_switch_csr #(
        .ENTRIES(107), .PORTS(33), .PAYLOAD_BYTES(256), .FLIT_BYTES(32), .MAX_CONTRIBUTORS(31), .WITH_FP32(1), .GENERATION_WIDTH(7), .TAG_WIDTH(24)
    ) u_csr (
        .clk(clk), .rst(rst),
        .s_axil_awvalid(write_valid), .s_axil_awready(), .s_axil_awaddr(write_address), .s_axil_awprot(3'd0),
        .s_axil_wvalid(1'b0), .s_axil_wready(), .s_axil_wdata(write_data), .s_axil_wstrb(write_strobes),
        .s_axil_bvalid(), .s_axil_bready(1'b0), .s_axil_bresp(bresp),
        .s_axil_arvalid(1'b0), .s_axil_arready(), .s_axil_araddr(read_address), .s_axil_arprot(3'd0),
        .s_axil_rvalid(), .s_axil_rready(1'b0), .s_axil_rdata(read_data), .s_axil_rresp(rresp),
        .interrupt_request(interrupt_request),
        .command_valid(command_valid), .command_ready(command_ready), .command_operation(command_operation),
        .command_data(command_data), .command_done(command_done), .command_refused(command_refused),
        .initialised(initialised), .empty(empty), .draining(draining), .occupancy(occupancy),
        .events(events),
        .error_valid(error_valid), .error_cause(error_cause), .error_header(error_header), .error_port(error_port)
    );

    // ---- commands: one under way, from its write until it is done --------------------------------------------------------
    reg        busy_q, offered_q, refused_q;
    reg [3:0]  operation_q;
    reg [31:0] operand_q, data_q, timeout_q;
    wire       full    = write_valid && &write_strobes;
    wire       starts  = full && write_address == 12'h098 && !busy_q;
    always @* begin // the buffer ends a command after it has taken it
        assume (!command_ready || offered_q);
        assume (!command_done || (busy_q && !offered_q));
    end
    always @(posedge clk) begin
        if (full && write_address == 12'h088) data_q <= write_data;
        if (command_ready) offered_q <= 1'b0;
        if (command_done) begin
            busy_q    <= 1'b0;
            refused_q <= command_refused;
            if (operation_q == `MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET) timeout_q <= operand_q;
        end
        if (starts) begin
            busy_q      <= 1'b1;
            offered_q   <= 1'b1;
            operation_q <= write_data[3:0];
            operand_q   <= data_q;
        end
        if (rst) begin
            {busy_q, offered_q, refused_q} <= 3'd0;
            {data_q, timeout_q} <= 64'd0;
        end
    end

    // ---- error latch, interrupt, high-water mark -----------------------------------------------------------------------
    reg         latched_q, caught_q, drained_q, pin_q;
    reg [4:0]   cause_q;
    reg [127:0] header_q;
    reg [5:0]   port_q;
    reg [2:0]   status_q, mask_q;
    reg [15:0]  most_q;
    reg         snapshots_q;                              // how many, modulo 2
    reg [`MOEHUB_REDUCTION_EVENTS - 1:0] events_q;
    wire [2:0]  cleared = full && write_address == 12'h00c ? write_data[2:0] : 3'd0;
    wire        forget  = full && write_address == 12'h0c4 && write_data[0];
    wire        takes   = error_valid && (!latched_q || forget);
    always @(posedge clk) begin
        latched_q <= takes || (latched_q && !forget);
        caught_q  <= takes;
        if (takes) {cause_q, header_q, port_q} <= {error_cause, error_header, error_port};
        drained_q <= draining && empty;
        status_q  <= (status_q & ~cleared) | {command_done && command_refused, draining && empty && !drained_q, caught_q};
        if (full && write_address == 12'h010) mask_q <= write_data[2:0];
        pin_q     <= |(status_q & mask_q);
        if (occupancy > most_q) most_q <= occupancy;
        if (full && write_address == 12'h0c0) snapshots_q <= !snapshots_q;
        events_q  <= events;
        if (rst) begin
            {latched_q, caught_q, drained_q, pin_q, snapshots_q} <= 5'd0;
            {cause_q, header_q, port_q} <= 139'd0;
            {status_q, mask_q} <= 6'd0;
            most_q <= 16'd0;
        end
    end

    // ---- what a read must give, two cycles after its address ---------------------------------------------------------------
    wire [4:0]  index   = read_address[7:3];
    wire [47:0] counter = {events_q, events} ^ {3{snapshots_q, 10'd0, index}};
    reg [31:0] word;
    reg        exists;
    always @* begin
        exists = 1'b1;
        case (read_address)
            12'h000: word = `MOEHUB_ID_SWITCH;
            12'h004: word = {16'd`MOEHUB_VERSION_MAJOR, 8'd`MOEHUB_VERSION_MINOR, 8'd`MOEHUB_VERSION_PATCH};
            12'h008: word = {occupancy, 12'd0, busy_q, draining, empty, initialised};
            12'h00c: word = {29'd0, status_q};
            12'h010: word = {29'd0, mask_q};
            12'h020: word = 107;
            12'h024: word = 33;
            12'h028: word = 256;
            12'h02c: word = 32;
            12'h030: word = 31;
            12'h034: word = 1;
            12'h038: word = 7;
            12'h03c: word = 24;
            12'h088: word = data_q;
            12'h09c: word = {30'd0, refused_q, busy_q};
            12'h0a0: word = timeout_q;
            12'h0c4: word = {19'd0, cause_q, 7'd0, latched_q};
            12'h0c8: word = header_q[31:0];
            12'h0cc: word = header_q[63:32];
            12'h0d0: word = header_q[95:64];
            12'h0d4: word = header_q[127:96];
            12'h0d8: word = {10'd0, port_q, 16'd0};
            12'h0dc: word = {16'd0, most_q};
            default: begin // counters: as formal_seen_counters.v tells them
                exists = read_address[11:8] == 4'h1 && index < `MOEHUB_REDUCTION_EVENTS && read_address[1:0] == 2'd0;
                word   = read_address[2] ? {16'd0, counter[47:32]} : counter[31:0];
            end
        endcase
    end
    localparam [2:0] NONE = 0, CONSTANT = 1, COMMANDS = 2, LATCH = 3, INTERRUPT = 4, COUNTER = 5, STATUS = 6;
    reg [2:0] kind;
    always @* begin
        kind = read_address[11:8] != 4'h0 ? COUNTER
            : read_address < 12'h008 || read_address[7:5] == 3'd1 ? CONSTANT
            : read_address == 12'h008 || read_address == 12'h0dc ? STATUS
            : read_address < 12'h020 ? INTERRUPT
            : read_address < 12'h0c0 ? COMMANDS : LATCH;
        if (!exists) kind = NONE;
    end
    reg [34:0] one_q, two_q; // {kind, word}
    reg [1:0]  age_q = 2'd0; // cycles since reset
    always @(posedge clk) begin
        one_q <= {kind, word};
        two_q <= one_q;
        age_q <= rst ? 2'd0 : age_q + {1'b0, age_q != 2'd3};
    end
    wire [2:0] its_kind = two_q[34:32];
    wire       right    = !rresp[1] && read_data == two_q[31:0];

    reg write_q = 1'b0;
    reg legal_q; // the cycle before was a write, to a register that takes it
    always @(posedge clk) begin
        write_q <= write_valid && !rst;
        legal_q <= full && (write_address == 12'h00c || write_address == 12'h010 || write_address == 12'h088
            || (write_address == 12'h098 && !busy_q) || write_address == 12'h0c0 || write_address == 12'h0c4);
    end

    wire seen = age_q >= 2'd2;
    always @* begin
        reads_constant:  assert (!seen || its_kind != CONSTANT || right);
        reads_status:    assert (!seen || its_kind != STATUS || right);
        reads_command:   assert (!seen || its_kind != COMMANDS || right);
        reads_interrupt: assert (!seen || its_kind != INTERRUPT || right);
        reads_latch:     assert (!seen || its_kind != LATCH || right);
        reads_counter:   assert (!seen || its_kind != COUNTER || right);
        reads_none:      assert (!seen || its_kind != NONE || rresp[1]);
        writes:          assert (!write_q || bresp[1] == !legal_q);
        one_command:     assert (!started_q || reset_q || rst || (command_valid == offered_q
                             && (!offered_q || (command_operation == operation_q && command_data == operand_q))));
        interrupt:       assert (!started_q || interrupt_request == pin_q);
    end
    always @* begin
        constant:    cover (seen && its_kind == CONSTANT && read_data == 32'd31);
        high_water:  cover (seen && its_kind == STATUS && two_q[31:0] == 32'd77 && occupancy == 16'd5);
        timeout:     cover (seen && its_kind == COMMANDS && read_data == 32'h1234_5678 && timeout_q == 32'h1234_5678 && data_q == 32'd1);
        again:       cover (seen && its_kind == INTERRUPT && read_data == 32'd2 && drained_q);
        second:      cover (seen && its_kind == LATCH && read_data == 32'h5555_aaaa && header_q[31:0] != 32'h5555_aaaa);
        copied:      cover (seen && its_kind == COUNTER && read_data == 32'd47);
        absent:      cover (seen && its_kind == NONE && two_q[31:0] != 32'd0);
        refused:     cover (write_q && !legal_q && busy_q && offered_q);
        waits:       cover (started_q && !reset_q && offered_q && data_q != operand_q);
        raised:      cover (started_q && !reset_q && pin_q && mask_q == 3'd4);
    end
endmodule
`default_nettype wire
