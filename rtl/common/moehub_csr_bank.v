// SPDX-License-Identifier: Apache-2.0
// Purpose: the registers that every block has (doc/registers.md section 4): identity, parameters, interrupt, counters, error
//   latch, high-water marks, the start and end of a command. The block around it brings its own registers and commands.
// Contract:
//   1. A write takes effect as a whole, or answers SLVERR and changes nothing: an address that takes no write, a partial
//      strobe, COMMAND while one is busy.
//   2. A read is the bank's word and the block's own together; an address that neither has answers SLVERR.
//   3. SNAPSHOT copies all counters at one clock edge. Its response comes when the copy is whole; what a counter reads
//      meanwhile is undefined.
//   4. interrupt_request is high while a status bit is set whose mask bit is set; a bit that is set and cleared at once stays
//      set.
//   5. A command is offered once per accepted COMMAND, until it is taken, and busy until it is done.
// Cost: a read 6 cycles, a write 4, SNAPSHOT EVENTS + 8 more; the counters and their copy are memories (moehub_counter_memory).
// Limits: combinational from write_address and read_address through own_* to registers; one command at a time.
// Proved: formal/common/formal_csr_bank.v, formal_csr_snapshot.v
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_registers.vh"
`include "moehub_width.vh"

module moehub_csr_bank #(
    parameter [31:0] ID  = 0,
    parameter PARAMETERS = 1, // 1..24
    parameter EVENTS     = 1, // 1..64
    parameter INTERRUPTS = 3, // 3..32
    parameter [31:0] NO_INTERRUPTS = 0 // bits of INTERRUPT_STATUS below INTERRUPTS that are no fields: they are never raised
) (
    input  wire                         clk,
    input  wire                         rst,
    input  wire                         s_axil_awvalid,
    output wire                         s_axil_awready,
    input  wire [11:0]                  s_axil_awaddr,
    input  wire [2:0]                   s_axil_awprot,
    input  wire                         s_axil_wvalid,
    output wire                         s_axil_wready,
    input  wire [31:0]                  s_axil_wdata,
    input  wire [3:0]                   s_axil_wstrb,
    output wire                         s_axil_bvalid,
    input  wire                         s_axil_bready,
    output wire [1:0]                   s_axil_bresp,
    input  wire                         s_axil_arvalid,
    output wire                         s_axil_arready,
    input  wire [11:0]                  s_axil_araddr,
    input  wire [2:0]                   s_axil_arprot,
    output wire                         s_axil_rvalid,
    input  wire                         s_axil_rready,
    output wire [31:0]                  s_axil_rdata,
    output wire [1:0]                   s_axil_rresp,
    output wire                         interrupt_request,

    input  wire [PARAMETERS * 32 - 1:0] parameter_values, // constants
    input  wire [EVENTS - 1:0]          events,
    input  wire [INTERRUPTS - 1:0]      raised,           // bits 0 and 2 are the bank's own, 0 here
    input  wire [31:0]                  levels,           // two of 16 bits
    input  wire                         error_valid,
    input  wire [4:0]                   error_cause,
    input  wire [127:0]                 error_header,
    input  wire [21:0]                  error_name,       // what LATCH_NAME reads

    output wire                         command_valid,
    input  wire                         command_ready,
    output wire [3:0]                   command_operation,
    output wire                         command_start,    // the operands are those of this cycle
    input  wire                         command_done,     // not before it was taken
    input  wire                         command_refused,
    output wire                         command_busy,

    // the block's own registers
    output wire                         write,            // accepted, in this cycle, to whatever register
    output wire [11:0]                  write_address,
    output wire [31:0]                  write_data,
    input  wire                         own_writable,
    output wire [11:0]                  read_address,
    input  wire                         own_readable,
    input  wire [31:0]                  own_word          // 0 unless own_readable
);
    generate
        if (PARAMETERS < 1 || PARAMETERS > 24) PARAMETERS_must_be_1_to_24 u_rule ();
        if (EVENTS < 1 || EVENTS > 64) EVENTS_must_be_1_to_64 u_rule ();
        if (INTERRUPTS < 3 || INTERRUPTS > 32) INTERRUPTS_must_be_3_to_32 u_rule ();
    endgenerate

    localparam [INTERRUPTS - 1:0] FIELDS = ~NO_INTERRUPTS[INTERRUPTS - 1:0];
    localparam EVENT_INDEX_WIDTH     = `MOEHUB_INDEX_WIDTH(EVENTS);
    localparam PARAMETER_INDEX_WIDTH = `MOEHUB_INDEX_WIDTH(PARAMETERS);

    // ---- bus --------------------------------------------------------------------------------------------------------
    wire        write_valid;
    wire        write_full;
    reg         write_error_q;
    reg         copying_q; // counters, since SNAPSHOT
    wire        unused_read_valid;
    reg  [31:0] read_data_q;
    reg         read_error_q;

    moehub_axi_lite_slave #(.ADDRESS_WIDTH(12), .READ_LATENCY(2)) u_bus (
        .clk(clk), .rst(rst),
        .s_axil_awvalid(s_axil_awvalid), .s_axil_awready(s_axil_awready), .s_axil_awaddr(s_axil_awaddr),
        .s_axil_awprot(s_axil_awprot),
        .s_axil_wvalid(s_axil_wvalid), .s_axil_wready(s_axil_wready), .s_axil_wdata(s_axil_wdata), .s_axil_wstrb(s_axil_wstrb),
        .s_axil_bvalid(s_axil_bvalid), .s_axil_bready(s_axil_bready), .s_axil_bresp(s_axil_bresp),
        .s_axil_arvalid(s_axil_arvalid), .s_axil_arready(s_axil_arready), .s_axil_araddr(s_axil_araddr),
        .s_axil_arprot(s_axil_arprot),
        .s_axil_rvalid(s_axil_rvalid), .s_axil_rready(s_axil_rready), .s_axil_rdata(s_axil_rdata), .s_axil_rresp(s_axil_rresp),
        .write_valid(write_valid), .write_address(write_address), .write_data(write_data), .write_full(write_full),
        .write_error(write_error_q), .write_wait(copying_q),
        .read_valid(unused_read_valid), .read_address(read_address), .read_data(read_data_q), .read_error(read_error_q)
    );

    // ---- writes -----------------------------------------------------------------------------------------------------
    reg busy_q; // a command runs
    reg bank_writable;
    always @* begin
        case (write_address)
            `MOEHUB_CSR_INTERRUPT_STATUS, `MOEHUB_CSR_INTERRUPT_MASK, `MOEHUB_CSR_SNAPSHOT,
            `MOEHUB_CSR_LATCH_STATUS: bank_writable = 1'b1;
            `MOEHUB_CSR_COMMAND:      bank_writable = !busy_q;
            default:                  bank_writable = 1'b0;
        endcase
    end
    assign write = write_valid && write_full && (bank_writable || own_writable);

    always @(posedge clk) begin
        write_error_q <= !write;
    end

    // ---- commands ---------------------------------------------------------------------------------------------------
    reg       command_valid_q;
    reg [3:0] command_operation_q;
    reg       refused_q;

    assign command_start     = write && write_address == `MOEHUB_CSR_COMMAND;
    assign command_valid     = command_valid_q;
    assign command_operation = command_operation_q;
    assign command_busy      = busy_q;

    always @(posedge clk) begin
        if (command_start) begin
            command_valid_q     <= 1'b1;
            command_operation_q <= write_data[`MOEHUB_CSR_COMMAND_OPERATION];
            busy_q              <= 1'b1;
        end else if (command_ready) begin
            command_valid_q <= 1'b0;
        end
        if (command_done) begin
            busy_q    <= 1'b0;
            refused_q <= command_refused;
        end
        if (rst) begin
            command_valid_q <= 1'b0;
            busy_q          <= 1'b0;
            refused_q       <= 1'b0;
        end
    end

    // ---- error latch, interrupt, high-water marks -------------------------------------------------------------------
    wire         latched;
    wire         latch_caught;
    wire [4:0]   latch_cause;
    wire [127:0] latch_header;
    wire [21:0]  latch_name;
    wire         unlatch = write && write_address == `MOEHUB_CSR_LATCH_STATUS && write_data[`MOEHUB_CSR_LATCH_STATUS_LATCHED];

    moehub_error_latch #(.WIDTH(5 + 128 + 22)) u_latch (
        .clk(clk), .rst(rst), .error_valid(error_valid), .error({error_cause, error_header, error_name}), .clear(unlatch),
        .latched(latched), .caught(latch_caught), .first({latch_cause, latch_header, latch_name})
    );

    reg [INTERRUPTS - 1:0] interrupt_status_q;
    reg [INTERRUPTS - 1:0] interrupt_mask_q;
    reg                    interrupt_q;
    wire [31:0]            high_water;

    moehub_high_water #(.LEVELS(2)) u_high_water (.clk(clk), .rst(rst), .levels(levels), .marks(high_water));

    reg [INTERRUPTS - 1:0] set;
    always @* begin
        set = raised;
        set[`MOEHUB_CSR_INTERRUPT_STATUS_LATCHED] = latch_caught;
        set[`MOEHUB_CSR_INTERRUPT_STATUS_REFUSED] = command_done && command_refused;
    end
    wire                    write_status = write && write_address == `MOEHUB_CSR_INTERRUPT_STATUS;
    wire [INTERRUPTS - 1:0] cleared      = write_data[INTERRUPTS - 1:0] & {INTERRUPTS{write_status}};

    assign interrupt_request = interrupt_q;

    always @(posedge clk) begin
        interrupt_status_q <= (interrupt_status_q & ~cleared) | set;
        if (write && write_address == `MOEHUB_CSR_INTERRUPT_MASK) interrupt_mask_q <= write_data[INTERRUPTS - 1:0] & FIELDS;
        interrupt_q <= |(interrupt_status_q & interrupt_mask_q);
        if (rst) begin
            interrupt_status_q <= {INTERRUPTS{1'b0}};
            interrupt_mask_q   <= {INTERRUPTS{1'b0}};
            interrupt_q        <= 1'b0;
        end
    end

    // ---- reads, in two steps ------------------------------------------------------------------------------------------
    localparam [31:0] PARAMETERS_BYTES = 4 * PARAMETERS;
    localparam [31:0] COUNTERS_BYTES   = 8 * EVENTS;
    localparam [11:0] FIRST            = `MOEHUB_CSR_PARAMETER;
    localparam [11:0] COUNTERS         = `MOEHUB_CSR_COUNTER_LOW;

    wire aligned      = read_address[1:0] == 2'd0;
    wire is_parameter = aligned && read_address >= FIRST && read_address < FIRST + PARAMETERS_BYTES[11:0];
    wire is_counter   = aligned && read_address >= COUNTERS && read_address < COUNTERS + COUNTERS_BYTES[11:0];

    wire [PARAMETER_INDEX_WIDTH - 1:0] parameter_index =
        read_address[2 +: PARAMETER_INDEX_WIDTH] - FIRST[2 +: PARAMETER_INDEX_WIDTH];
    reg  [31:0] parameter_word;
    integer     i;
    always @* begin
        parameter_word = 32'd0;
        for (i = 0; i < PARAMETERS; i = i + 1)
            if (parameter_index == i[PARAMETER_INDEX_WIDTH - 1:0]) parameter_word = parameter_values[i * 32 +: 32];
    end

    wire        snapshot = write && write_address == `MOEHUB_CSR_SNAPSHOT;
    wire [47:0] counter;
    wire [EVENT_INDEX_WIDTH - 1:0] counter_index = read_address[3 +: EVENT_INDEX_WIDTH] - COUNTERS[3 +: EVENT_INDEX_WIDTH];
    wire        snapshot_done;

    // The address stands a cycle before it counts, as contract 2 of moehub_axi_lite_slave says: so does the counter.
    moehub_counter_memory #(.EVENTS(EVENTS)) u_counters (
        .clk(clk), .rst(rst), .events(events), .snapshot(snapshot), .snapshot_done(snapshot_done),
        .index(counter_index), .value(counter)
    );
    always @(posedge clk) begin
        copying_q <= snapshot || (copying_q && !snapshot_done);
        if (rst) copying_q <= 1'b0;
    end

    reg [31:0] bank_word;
    reg        bank_readable;
    always @* begin
        bank_readable = 1'b1;
        bank_word     = 32'd0;
        case (read_address)
            `MOEHUB_CSR_ID:                   bank_word = ID;
            `MOEHUB_CSR_VERSION: begin
                bank_word[`MOEHUB_CSR_VERSION_MAJOR] = 8'd`MOEHUB_VERSION_MAJOR;
                bank_word[`MOEHUB_CSR_VERSION_MINOR] = 8'd`MOEHUB_VERSION_MINOR;
                bank_word[`MOEHUB_CSR_VERSION_PATCH] = 8'd`MOEHUB_VERSION_PATCH;
            end
            `MOEHUB_CSR_INTERRUPT_STATUS:     bank_word[INTERRUPTS - 1:0] = interrupt_status_q;
            `MOEHUB_CSR_INTERRUPT_MASK:       bank_word[INTERRUPTS - 1:0] = interrupt_mask_q;
            `MOEHUB_CSR_COMMAND_STATUS: begin
                bank_word[`MOEHUB_CSR_COMMAND_STATUS_BUSY]    = busy_q;
                bank_word[`MOEHUB_CSR_COMMAND_STATUS_REFUSED] = refused_q;
            end
            `MOEHUB_CSR_LATCH_STATUS: begin
                bank_word[`MOEHUB_CSR_LATCH_STATUS_LATCHED] = latched;
                bank_word[`MOEHUB_CSR_LATCH_STATUS_CAUSE]   = latch_cause;
            end
            `MOEHUB_CSR_LATCH_HEADER:         bank_word = latch_header[31:0];
            `MOEHUB_CSR_LATCH_HEADER + 12'd4: bank_word = latch_header[63:32];
            `MOEHUB_CSR_LATCH_HEADER + 12'd8: bank_word = latch_header[95:64];
            `MOEHUB_CSR_LATCH_HEADER + 12'd12: bank_word = latch_header[127:96];
            `MOEHUB_CSR_LATCH_NAME:           bank_word = {10'd0, latch_name};
            `MOEHUB_CSR_HIGH_WATER:           bank_word = high_water;
            default:                          bank_readable = 1'b0;
        endcase
    end

    reg [31:0] counter_q;
    reg [31:0] parameter_q;
    reg [31:0] word_q;
    reg        is_counter_q;
    reg        is_parameter_q;
    reg        is_word_q;

    always @(posedge clk) begin
        counter_q      <= read_address[2] ? {16'd0, counter[47:32]} : counter[31:0];
        parameter_q    <= parameter_word;
        word_q         <= bank_word | own_word;
        is_counter_q   <= is_counter;
        is_parameter_q <= is_parameter;
        is_word_q      <= bank_readable || own_readable;

        read_data_q  <= (counter_q & {32{is_counter_q}}) | (parameter_q & {32{is_parameter_q}}) | (word_q & {32{is_word_q}});
        read_error_q <= !(is_counter_q || is_parameter_q || is_word_q);
    end
endmodule

`default_nettype wire
