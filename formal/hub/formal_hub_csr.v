// SPDX-License-Identifier: Apache-2.0
// moehub_hub_csr behind its bus (rtl/doc/address_path.md, section 8): which accesses are refused, what each register reads, one
// command at a time with the operands of its start, interrupt bits, error latch, high-water marks. Bus and counters are replaced
// (formal_seen_bus.v, formal_seen_counters.v): accesses come in any cycle, one of each kind.
`default_nettype none
`include "moehub_defines.vh"
module formal_hub_csr #(
    parameter CONTEXTS = 2
) (
    input wire                              clk,
    input wire                              rst,
    input wire                              write_valid,
    input wire [11:0]                       write_address,
    input wire [31:0]                       data,
    input wire [3:0]                        write_strobes,
    input wire [11:0]                       read_address,
    input wire                              command_ready,
    input wire                              result_valid,
    input wire                              result_refused,
    input wire                              result_in_flight,
    input wire [63:0]                       result_data0,
    input wire [63:0]                       result_data1,
    input wire                              initialised,
    input wire [CONTEXTS - 1:0]             in_flight,
    input wire [CONTEXTS - 1:0]             clear_needed,
    input wire [`MOEHUB_HUB_EVENTS - 1:0]   events,
    input wire [1:0]                        waiting_used,
    input wire [1:0]                        pending_used,
    input wire                              error_valid,
    input wire [4:0]                        error_cause,
    input wire [127:0]                      error_header,
    input wire [15:0]                       error_expert,
    input wire [5:0]                        error_port
);
`include "formal_reset.vh"
    wire        interrupt_request, command_valid, result_ready;
    wire [3:0]  command_operation;
    wire [7:0]  command_context;
    wire [15:0] command_index;
    wire [63:0] command_data0, command_data1;
    wire [31:0] read_data;
    wire [1:0]  bresp, rresp;

    moehub_hub_csr #(
        .CONTEXTS(CONTEXTS), .LOCAL_EXPERTS(3), .GPUS(5), .ROW_INDEX_WIDTH(7), .SLOT_WIDTH(9), .OFFSET_WIDTH(4), .ADDRESS_WIDTH(33),
        .SETS(8), .WAYS(4), .REPLACEMENT(1), .PORTS(6), .PENDING(2), .WAITING(3), .TAG_WIDTH(12), .AXI_DATA_WIDTH(64)
    ) u_csr (
        .clk(clk), .rst(rst), .interrupt_request(interrupt_request),
        .s_axil_awvalid(write_valid), .s_axil_awready(), .s_axil_awaddr(write_address), .s_axil_awprot(3'd0),
        .s_axil_wvalid(1'b0), .s_axil_wready(), .s_axil_wdata(data), .s_axil_wstrb(write_strobes),
        .s_axil_bvalid(), .s_axil_bready(1'b0), .s_axil_bresp(bresp),
        .s_axil_arvalid(1'b0), .s_axil_arready(), .s_axil_araddr(read_address), .s_axil_arprot(3'd0),
        .s_axil_rvalid(), .s_axil_rready(1'b0), .s_axil_rdata(read_data), .s_axil_rresp(rresp),
        .command_valid(command_valid), .command_ready(command_ready), .command_operation(command_operation),
        .command_context(command_context), .command_index(command_index), .command_data0(command_data0), .command_data1(command_data1),
        .result_valid(result_valid), .result_ready(result_ready), .result_refused(result_refused), .result_in_flight(result_in_flight),
        .result_data0(result_data0), .result_data1(result_data1), .initialised(initialised), .in_flight(in_flight),
        .clear_needed(clear_needed), .events(events), .waiting_used(waiting_used), .pending_used(pending_used),
        .error_valid(error_valid), .error_cause(error_cause), .error_header(error_header), .error_expert(error_expert),
        .error_port(error_port)
    );

    // ---- writes: which are taken ----------------------------------------------------------------------------------------------------------
    reg  busy_q;
    wire writable = write_address == 12'h00c || write_address == 12'h010
                 || (write_address >= 12'h080 && write_address <= 12'h094 && write_address[1:0] == 2'd0)
                 || (write_address == 12'h098 && !busy_q) || write_address == 12'h0c0 || write_address == 12'h0c4;
    wire taken    = write_valid && &write_strobes && writable;
    wire start    = taken && write_address == 12'h098;
    wire result   = result_valid && result_ready;
    wire snapshot = taken && write_address == 12'h0c0;
    wire unlatch  = taken && write_address == 12'h0c4 && data[0];
    wire [2:0] lowered = {3{taken && write_address == 12'h00c}} & data[2:0];

    // ---- the registers as the document has them --------------------------------------------------------------------------------------------
    reg [7:0]   context_q, started_context_q;
    reg [15:0]  index_q, started_index_q;
    reg [127:0] data_q, started_data_q, told_q; // {data1, data0}
    reg [3:0]   operation_q;
    reg         offered_q;                      // started and not taken
    reg         refused_q, seen_q;
    reg [2:0]   status_q, mask_q;
    reg         pin_q;
    reg         latched_q, caught_q;
    reg [154:0] first_q;                        // {cause, header, expert, port}
    reg [1:0]   waiting_q, pending_q;
    reg         snapshots_q;                    // how many, modulo 2
    reg [`MOEHUB_HUB_EVENTS - 1:0] events_q;
    wire        catch     = error_valid && (!latched_q || unlatch);
    wire        exhausted = result && !result_refused && operation_q == 4'd`MOEHUB_HUB_COMMAND_ADVANCE && started_context_q < CONTEXTS
                            && clear_needed[started_context_q[0]];
    reg         was_taken_q, start_q;
    reg         waits_q;                        // started two cycles ago or earlier, and without result
    always @(posedge clk) begin
        was_taken_q <= taken;
        start_q     <= start;
        if (taken) case (write_address)
            12'h010: mask_q          <= data[2:0];
            12'h080: context_q       <= data[7:0];
            12'h084: index_q         <= data[15:0];
            12'h088: data_q[31:0]    <= data;
            12'h08c: data_q[63:32]   <= data;
            12'h090: data_q[95:64]   <= data;
            12'h094: data_q[127:96]  <= data;
            12'h098: begin
                operation_q       <= data[3:0];
                started_context_q <= context_q;
                started_index_q   <= index_q;
                started_data_q    <= data_q;
            end
            default: ;
        endcase
        offered_q <= start || (offered_q && !command_ready);
        busy_q    <= start || (busy_q && !result);
        waits_q   <= busy_q && !result;
        if (result) {refused_q, seen_q, told_q} <= {result_refused, result_in_flight, result_data1, result_data0};
        caught_q  <= catch;
        latched_q <= catch || (latched_q && !unlatch);
        if (catch) first_q <= {error_cause, error_header, error_expert, error_port};
        status_q  <= (status_q & ~lowered) | {result && result_refused, exhausted, caught_q};
        pin_q     <= (status_q & mask_q) != 3'd0;
        if (waiting_used > waiting_q) waiting_q <= waiting_used;
        if (pending_used > pending_q) pending_q <= pending_used;
        snapshots_q <= snapshots_q ^ snapshot;
        events_q    <= events;
        if (rst) begin
            {context_q, index_q, data_q, told_q, first_q} <= 0;
            {offered_q, busy_q, waits_q, refused_q, seen_q, caught_q, latched_q, status_q, mask_q, pin_q, start_q} <= 0;
            {waiting_q, pending_q, snapshots_q} <= 5'd0;
        end
    end

    // ---- reads: what was at the address two cycles ago --------------------------------------------------------------------------------------
    wire [51:0] two_cycles = {events_q, events};
    wire [47:0] counter    = two_cycles[47:0] ^ {3{snapshots_q, 10'd0, read_address[7:3]}};
    reg [31:0] word;
    reg        known; // the register is there
    always @* begin
        known = 1'b1;
        case (read_address)
            12'h000: word = `MOEHUB_ID_HUB;
            12'h004: word = {8'd0, 8'd`MOEHUB_VERSION_MAJOR, 8'd`MOEHUB_VERSION_MINOR, 8'd`MOEHUB_VERSION_PATCH};
            12'h008: word = {8'd0, {8 - CONTEXTS{1'b0}}, clear_needed, {8 - CONTEXTS{1'b0}}, in_flight, 5'd0, busy_q, in_flight != 0, initialised};
            12'h00c: word = status_q;
            12'h010: word = mask_q;
            12'h020: word = CONTEXTS;
            12'h024: word = 3;
            12'h028: word = 5;
            12'h02c: word = 7;
            12'h030: word = 9;
            12'h034: word = 4;
            12'h038: word = 33;
            12'h03c: word = 8;
            12'h040: word = 4;
            12'h044: word = 1;
            12'h048: word = 6;
            12'h04c: word = 2;
            12'h050: word = 3;
            12'h054: word = 12;
            12'h058: word = 64;
            12'h080: word = context_q;
            12'h084: word = index_q;
            12'h088: word = data_q[31:0];
            12'h08c: word = data_q[63:32];
            12'h090: word = data_q[95:64];
            12'h094: word = data_q[127:96];
            12'h09c: word = {seen_q, refused_q, busy_q};
            12'h0a0: word = told_q[31:0];
            12'h0a4: word = told_q[63:32];
            12'h0a8: word = told_q[95:64];
            12'h0ac: word = told_q[127:96];
            12'h0c4: word = {first_q[154:150], 7'd0, latched_q};
            12'h0c8: word = first_q[53:22];
            12'h0cc: word = first_q[85:54];
            12'h0d0: word = first_q[117:86];
            12'h0d4: word = first_q[149:118];
            12'h0d8: word = {first_q[5:0], first_q[21:6]};
            12'h0dc: word = {14'd0, pending_q, 14'd0, waiting_q};
            default: begin
                known = read_address >= 12'h100 && read_address < 12'h100 + 8 * `MOEHUB_HUB_EVENTS && read_address[1:0] == 2'd0;
                word  = read_address[2] ? counter[47:32] : counter[31:0];
            end
        endcase
    end
    wire is_counter = read_address >= 12'h100;
    wire is_command = !is_counter && read_address[7:6] == 2'd2;
    wire is_latch   = !is_counter && read_address[7:6] == 2'd3;
    reg [31:0] word_1_q, word_2_q;
    reg        known_1_q, known_2_q, is_counter_1_q, is_counter_2_q, is_command_1_q, is_command_2_q, is_latch_1_q, is_latch_2_q;
    reg [1:0]  settled_q = 2'd0; // what was read two cycles ago was read behind the first reset
    always @(posedge clk) begin
        {word_1_q, word_2_q}   <= {word, word_1_q};
        {known_1_q, known_2_q} <= {known, known_1_q};
        {is_counter_1_q, is_counter_2_q} <= {is_counter, is_counter_1_q};
        {is_command_1_q, is_command_2_q} <= {is_command, is_command_1_q};
        {is_latch_1_q, is_latch_2_q} <= {is_latch, is_latch_1_q};
        settled_q <= {settled_q[0], started_q};
    end
    wire read_now = settled_q[1] && !reset_q;

    always @* if (started_q) begin
        write_refused:  assert (reset_q || bresp[1] == !was_taken_q);
        read_refused:   assert (!read_now || rresp[1] == !known_2_q);
        register_reads: assert (!read_now || !known_2_q || is_counter_2_q || is_command_2_q || is_latch_2_q || read_data == word_2_q);
        command_reads:  assert (!read_now || !known_2_q || !is_command_2_q || read_data == word_2_q);
        latch_reads:    assert (!read_now || !known_2_q || !is_latch_2_q || read_data == word_2_q);
        counter_reads:  assert (!read_now || !known_2_q || !is_counter_2_q || read_data == word_2_q);
        one_command:    assert (command_valid == offered_q && (!result_ready || busy_q) && (result_ready || !waits_q));
        operands:       assert (!offered_q || {command_operation, command_context, command_index, command_data1, command_data0}
                                              == {operation_q, started_context_q, started_index_q, started_data_q});
        pin:            assert (interrupt_request == pin_q);
    end
    always @* begin
        second_refused: cover (read_now && bresp[1] && !was_taken_q && busy_q && offered_q);
        two_started:    cover (read_now && start_q && operation_q == 4'd5 && refused_q && seen_q);
        operands_move:  cover (read_now && offered_q && started_context_q != context_q && started_data_q[127:96] != data_q[127:96] && started_data_q[127:96] != 0);
        tells_latch:    cover (read_now && known_2_q && latched_q && word_2_q == first_q[149:118] && word_2_q != 0 && !unlatch);
        tells_counter:  cover (read_now && known_2_q && is_counter_2_q && word_2_q == 32'h1234);
        raised:         cover (read_now && pin_q && status_q == 3'd7 && mask_q == 3'd2);
        both:           cover (read_now && lowered[0] && caught_q && status_q[0]);
        copied:         cover (read_now && is_counter_2_q && snapshots_q);
        beside:         cover (read_now && !known_2_q && word_2_q != 0);
    end
endmodule
`default_nettype wire
