// SPDX-License-Identifier: Apache-2.0
// Purpose: gives the accesses of one AXI4-Lite bus to the register blocks behind it.
// Contract:
//   1. An access goes to the block that write_block, read_block name (one hot, combinational from write_address, read_address),
//      with the lower 12 address bits, and has that block's response. None named: SLVERR, data 0, and no block hears of it.
//   2. One write and one read at a time, which do not wait for one another.
//   3. A block is an AXI4-Lite slave: block_bus holds one `MOEHUB_BUS a block, block_answer one `MOEHUB_BUS_ANSWER.
// Cost: 3 cycles more than the block takes. All outputs are registers; address and data of all blocks are the same ones.
// Limits: protection bits are ignored; a block that never answers holds the bus.
// Proved: formal/common/formal_axi_lite_decoder.v
`default_nettype none
`include "moehub_plane.vh"

module moehub_axi_lite_decoder #(
    parameter ADDRESS_WIDTH = 20, // 12..
    parameter BLOCKS        = 2   // 1..
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

    output wire [ADDRESS_WIDTH - 1:0] write_address,
    input  wire [BLOCKS - 1:0]        write_block,
    output wire [ADDRESS_WIDTH - 1:0] read_address,
    input  wire [BLOCKS - 1:0]        read_block,

    output wire [BLOCKS * `MOEHUB_BUS_WIDTH - 1:0]        block_bus,
    input  wire [BLOCKS * `MOEHUB_BUS_ANSWER_WIDTH - 1:0] block_answer
);
    generate
        if (ADDRESS_WIDTH < 12) ADDRESS_WIDTH_must_be_at_least_12 u_rule ();
        if (BLOCKS < 1) BLOCKS_must_be_at_least_1 u_rule ();
    endgenerate

    localparam [1:0] SLVERR = 2;

    wire unused_protection = &{1'b0, s_axil_awprot, s_axil_arprot};

    // ---- what each block says ------------------------------------------------------------------------------------------
    wire [BLOCKS - 1:0]      awready;
    wire [BLOCKS - 1:0]      wready;
    wire [BLOCKS - 1:0]      bvalid;
    wire [BLOCKS * 2 - 1:0]  bresp;
    wire [BLOCKS - 1:0]      arready;
    wire [BLOCKS - 1:0]      rvalid;
    wire [BLOCKS * 34 - 1:0] read_answers; // rdata, rresp

    // ---- writes: address and data are taken, then offered, then answered -----------------------------------------------
    reg                       awready_q;
    reg                       wready_q;
    reg                       address_held_q;
    reg                       data_held_q;
    reg [ADDRESS_WIDTH - 1:0] write_address_q;
    reg [31:0]                write_data_q;
    reg [3:0]                 write_strobes_q;
    reg                       write_starts_q;
    reg [BLOCKS - 1:0]        awvalid_q; // to the block
    reg [BLOCKS - 1:0]        wvalid_q;
    reg [BLOCKS - 1:0]        write_waits_q; // for its response: bready
    reg                       bvalid_q;
    reg [1:0]                 bresp_q;

    wire       address_taken = s_axil_awvalid && awready_q;
    wire       data_taken    = s_axil_wvalid && wready_q;
    wire       address_here  = address_held_q || address_taken;
    wire       data_here     = data_held_q || data_taken;
    wire       write_ends    = bvalid_q && s_axil_bready;
    wire       no_writer     = write_starts_q && write_block == {BLOCKS{1'b0}};
    wire       write_answer  = |(write_waits_q & bvalid);
    wire [1:0] answer_bresp;

    moehub_one_hot_mux #(.WIDTH(2), .WAYS(BLOCKS)) u_bresp (.select(write_waits_q), .words(bresp), .word(answer_bresp));

    always @(posedge clk) begin
        if (address_taken) write_address_q <= s_axil_awaddr;
        if (data_taken) begin
            write_data_q    <= s_axil_wdata;
            write_strobes_q <= s_axil_wstrb;
        end
        address_held_q <= address_here && !write_ends;
        data_held_q    <= data_here && !write_ends;
        awready_q      <= !address_here || write_ends;
        wready_q       <= !data_here || write_ends;
        write_starts_q <= address_here && data_here && !(address_held_q && data_held_q);
        awvalid_q      <= write_starts_q ? write_block : awvalid_q & ~awready;
        wvalid_q       <= write_starts_q ? write_block : wvalid_q & ~wready;
        write_waits_q  <= write_starts_q ? write_block : write_waits_q & ~bvalid;
        bvalid_q       <= write_answer || no_writer || (bvalid_q && !s_axil_bready);
        if (write_answer || no_writer) bresp_q <= no_writer ? SLVERR : answer_bresp;
        if (rst) begin
            address_held_q <= 1'b0;
            data_held_q    <= 1'b0;
            awready_q      <= 1'b0;
            wready_q       <= 1'b0;
            write_starts_q <= 1'b0;
            awvalid_q      <= {BLOCKS{1'b0}};
            wvalid_q       <= {BLOCKS{1'b0}};
            write_waits_q  <= {BLOCKS{1'b0}};
            bvalid_q       <= 1'b0;
        end
    end

    assign s_axil_awready = awready_q;
    assign s_axil_wready  = wready_q;
    assign s_axil_bvalid  = bvalid_q;
    assign s_axil_bresp   = bresp_q;
    assign write_address  = write_address_q;

    // ---- reads ---------------------------------------------------------------------------------------------------------
    reg                       arready_q;
    reg                       read_held_q;
    reg [ADDRESS_WIDTH - 1:0] read_address_q;
    reg                       read_starts_q;
    reg [BLOCKS - 1:0]        arvalid_q; // to the block
    reg [BLOCKS - 1:0]        read_waits_q; // for its response: rready
    reg                       rvalid_q;
    reg [31:0]                rdata_q;
    reg [1:0]                 rresp_q;

    wire        read_taken  = s_axil_arvalid && arready_q;
    wire        read_here   = read_held_q || read_taken;
    wire        read_ends   = rvalid_q && s_axil_rready;
    wire        no_reader   = read_starts_q && read_block == {BLOCKS{1'b0}};
    wire        read_answer = |(read_waits_q & rvalid);
    wire [31:0] answer_rdata;
    wire [1:0]  answer_rresp;

    moehub_one_hot_mux #(.WIDTH(34), .WAYS(BLOCKS)) u_read (
        .select(read_waits_q), .words(read_answers), .word({answer_rdata, answer_rresp})
    );

    always @(posedge clk) begin
        if (read_taken) read_address_q <= s_axil_araddr;
        read_held_q   <= read_here && !read_ends;
        arready_q     <= !read_here || read_ends;
        read_starts_q <= read_taken;
        arvalid_q     <= read_starts_q ? read_block : arvalid_q & ~arready;
        read_waits_q  <= read_starts_q ? read_block : read_waits_q & ~rvalid;
        rvalid_q      <= read_answer || no_reader || (rvalid_q && !s_axil_rready);
        if (read_answer || no_reader) begin
            rdata_q <= answer_rdata;
            rresp_q <= no_reader ? SLVERR : answer_rresp;
        end
        if (rst) begin
            read_held_q   <= 1'b0;
            arready_q     <= 1'b0;
            read_starts_q <= 1'b0;
            arvalid_q     <= {BLOCKS{1'b0}};
            read_waits_q  <= {BLOCKS{1'b0}};
            rvalid_q      <= 1'b0;
        end
    end

    assign s_axil_arready = arready_q;
    assign s_axil_rvalid  = rvalid_q;
    assign s_axil_rdata   = rdata_q;
    assign s_axil_rresp   = rresp_q;
    assign read_address   = read_address_q;

    // ---- blocks: address and data in registers that hold nothing, as their wires are the longest ------------------------
    reg [11:0] block_write_address_q;
    reg [31:0] block_write_data_q;
    reg [3:0]  block_write_strobes_q;
    reg [11:0] block_read_address_q;

    always @(posedge clk) begin
        block_write_address_q <= write_address_q[11:0];
        block_write_data_q    <= write_data_q;
        block_write_strobes_q <= write_strobes_q;
        block_read_address_q  <= read_address_q[11:0];
    end

    genvar b;
    generate
        for (b = 0; b < BLOCKS; b = b + 1) begin : g_block
            assign block_bus[b * `MOEHUB_BUS_WIDTH +: `MOEHUB_BUS_WIDTH] =
                `MOEHUB_BUS(awvalid_q[b], block_write_address_q, wvalid_q[b], block_write_data_q, block_write_strobes_q,
                    write_waits_q[b], arvalid_q[b], block_read_address_q, read_waits_q[b]);
            assign `MOEHUB_BUS_ANSWER(awready[b], wready[b], bvalid[b], bresp[b * 2 +: 2], arready[b], rvalid[b],
                read_answers[b * 34 + 2 +: 32], read_answers[b * 34 +: 2]) =
                block_answer[b * `MOEHUB_BUS_ANSWER_WIDTH +: `MOEHUB_BUS_ANSWER_WIDTH];
        end
    endgenerate
endmodule

`default_nettype wire
