// SPDX-License-Identifier: Apache-2.0
// Purpose: the AXI4-Lite side of a register block: one write and one read at a time, each as a plain access.
// Contract:
//   1. write_valid is high for one cycle; write_address, write_data and write_full (all four bytes) are stable from then on
//      until the response. write_error, one cycle after write_valid, chooses SLVERR. The response comes in the cycle after the
//      first, from that one on, in which write_wait is low.
//   2. read_valid is high for one cycle; read_address is stable from one cycle before it until the response. read_data and
//      read_error are taken READ_LATENCY cycles after read_valid; with read_error the data is sent as 0.
//   3. Writes and reads do not wait for one another. awready, wready and arready are low while their access is under way.
// Cost: a write takes 4 cycles and those in which it waits, a read READ_LATENCY + 3. All outputs are registers.
// Limits: no access overlaps another of its kind; protection bits are ignored.
// Proved: formal/common/formal_axi_lite_slave.v
`default_nettype none

module moehub_axi_lite_slave #(
    parameter ADDRESS_WIDTH = 12,
    parameter READ_LATENCY  = 2 // 1..7
) (
    input  wire                       clk,
    input  wire                       rst,

    input  wire                       s_axil_awvalid,
    output wire                       s_axil_awready,
    input  wire [ADDRESS_WIDTH - 1:0] s_axil_awaddr,
    input  wire [2:0]                 s_axil_awprot,
    input  wire                       s_axil_wvalid,
    output wire                       s_axil_wready,
    input  wire [31:0]                s_axil_wdata,
    input  wire [3:0]                 s_axil_wstrb,
    output wire                       s_axil_bvalid,
    input  wire                       s_axil_bready,
    output wire [1:0]                 s_axil_bresp,
    input  wire                       s_axil_arvalid,
    output wire                       s_axil_arready,
    input  wire [ADDRESS_WIDTH - 1:0] s_axil_araddr,
    input  wire [2:0]                 s_axil_arprot,
    output wire                       s_axil_rvalid,
    input  wire                       s_axil_rready,
    output wire [31:0]                s_axil_rdata,
    output wire [1:0]                 s_axil_rresp,

    output wire                       write_valid,
    output wire [ADDRESS_WIDTH - 1:0] write_address,
    output wire [31:0]                write_data,
    output wire                       write_full,
    input  wire                       write_error,
    input  wire                       write_wait, // 0: each write is over at once

    output wire                       read_valid,
    output wire [ADDRESS_WIDTH - 1:0] read_address,
    input  wire [31:0]                read_data,
    input  wire                       read_error
);
    generate
        if (READ_LATENCY < 1 || READ_LATENCY > 7) READ_LATENCY_must_be_1_to_7 u_rule ();
    endgenerate

    localparam [1:0] OKAY   = 0;
    localparam [1:0] SLVERR = 2;

    wire unused_protection = &{1'b0, s_axil_awprot, s_axil_arprot};

    // ---- writes -------------------------------------------------------------------------------------------------
    reg                       awready_q;
    reg                       wready_q;
    reg                       address_held_q;
    reg                       data_held_q;
    reg [ADDRESS_WIDTH - 1:0] write_address_q;
    reg [31:0]                write_data_q;
    reg                       write_full_q;
    reg                       write_valid_q;
    reg                       write_answer_q; // write_error is valid
    reg                       write_waits_q;
    reg                       bvalid_q;
    reg [1:0]                 bresp_q;

    wire address_taken = s_axil_awvalid && awready_q;
    wire data_taken    = s_axil_wvalid && wready_q;
    wire address_here  = address_held_q || address_taken;
    wire data_here     = data_held_q || data_taken;
    wire write_ends    = bvalid_q && s_axil_bready;
    wire write_due     = write_answer_q || write_waits_q;

    always @(posedge clk) begin
        if (address_taken) write_address_q <= s_axil_awaddr;
        if (data_taken) begin
            write_data_q <= s_axil_wdata;
            write_full_q <= &s_axil_wstrb;
        end
        address_held_q <= address_here && !write_ends;
        data_held_q    <= data_here && !write_ends;
        awready_q      <= !address_here || write_ends;
        wready_q       <= !data_here || write_ends;
        write_valid_q  <= address_here && data_here && !(address_held_q && data_held_q);
        write_answer_q <= write_valid_q;
        write_waits_q  <= write_due && write_wait;
        bvalid_q       <= (write_due && !write_wait) || (bvalid_q && !s_axil_bready);
        if (write_answer_q) bresp_q <= write_error ? SLVERR : OKAY;
        if (rst) begin
            address_held_q <= 1'b0;
            data_held_q    <= 1'b0;
            awready_q      <= 1'b0;
            wready_q       <= 1'b0;
            write_valid_q  <= 1'b0;
            write_answer_q <= 1'b0;
            write_waits_q  <= 1'b0;
            bvalid_q       <= 1'b0;
        end
    end

    assign s_axil_awready = awready_q;
    assign s_axil_wready  = wready_q;
    assign s_axil_bvalid  = bvalid_q;
    assign s_axil_bresp   = bresp_q;
    assign write_valid    = write_valid_q;
    assign write_address  = write_address_q;
    assign write_data     = write_data_q;
    assign write_full     = write_full_q;

    // ---- reads --------------------------------------------------------------------------------------------------
    reg                       arready_q;
    reg                       read_busy_q;
    reg [ADDRESS_WIDTH - 1:0] read_address_q;
    reg [READ_LATENCY + 1:0]  read_step_q; // bit 1: read_valid; last: the answer is there
    reg                       rvalid_q;
    reg [31:0]                rdata_q;
    reg [1:0]                 rresp_q;

    wire read_taken = s_axil_arvalid && arready_q;
    wire read_ends  = rvalid_q && s_axil_rready;
    wire read_here  = read_busy_q || read_taken;
    wire read_done  = read_step_q[READ_LATENCY + 1];

    always @(posedge clk) begin
        if (read_taken) read_address_q <= s_axil_araddr;
        read_busy_q <= read_here && !read_ends;
        arready_q   <= !read_here || read_ends;
        read_step_q <= {read_step_q[READ_LATENCY:0], read_taken};
        rvalid_q    <= read_done || (rvalid_q && !s_axil_rready);
        if (read_done) begin
            rdata_q <= read_error ? 32'd0 : read_data;
            rresp_q <= read_error ? SLVERR : OKAY;
        end
        if (rst) begin
            read_busy_q <= 1'b0;
            arready_q   <= 1'b0;
            read_step_q <= {(READ_LATENCY + 2){1'b0}};
            rvalid_q    <= 1'b0;
        end
    end

    assign s_axil_arready = arready_q;
    assign s_axil_rvalid  = rvalid_q;
    assign s_axil_rdata   = rdata_q;
    assign s_axil_rresp   = rresp_q;
    assign read_valid     = read_step_q[1];
    assign read_address   = read_address_q;
endmodule

`default_nettype wire
