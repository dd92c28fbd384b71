// SPDX-License-Identifier: Apache-2.0
// moehub_axi_lite_decoder with two blocks, which bits 13:12 of an address name, 2 and 3 neither: each access goes to its block
// once, with its address and data, and has that block's answer; the stream rules on all channels.
`default_nettype none
`include "moehub_plane.vh"
module formal_axi_lite_decoder (
    input wire        clk,
    input wire        rst,
    input wire        awvalid,
    input wire [13:0] awaddr,
    input wire        wvalid,
    input wire [31:0] wdata,
    input wire [3:0]  wstrb,
    input wire        bready,
    input wire        arvalid,
    input wire [13:0] araddr,
    input wire        rready,
    input wire [1:0]  block_awready,
    input wire [1:0]  block_wready,
    input wire [1:0]  block_bvalid,
    input wire [3:0]  block_bresp,
    input wire [1:0]  block_arready,
    input wire [1:0]  block_rvalid,
    input wire [63:0] block_rdata,
    input wire [3:0]  block_rresp
);
`include "formal_reset.vh"
    localparam BUS    = `MOEHUB_BUS_WIDTH;
    localparam ANSWER = `MOEHUB_BUS_ANSWER_WIDTH;

    wire                  awready, wready, bvalid, arready, rvalid;
    wire [1:0]            bresp, rresp;
    wire [31:0]           rdata;
    wire [13:0]           write_address, read_address;
    wire [2 * BUS - 1:0]  block_bus;
    wire [2 * ANSWER - 1:0] block_answer;
    wire [1:0]            block_awvalid, block_wvalid, block_bready, block_arvalid, block_rready;
    wire [23:0]           block_awaddr, block_araddr;
    wire [63:0]           block_wdata;
    wire [7:0]            block_wstrb;
    wire [1:0]            write_block = {write_address[13:12] == 2'd1, write_address[13:12] == 2'd0};
    wire [1:0]            read_block  = {read_address[13:12] == 2'd1, read_address[13:12] == 2'd0};

    moehub_axi_lite_decoder #(.ADDRESS_WIDTH(14), .BLOCKS(2)) u_decoder (
        .clk(clk), .rst(rst),
        .s_axil_awvalid(awvalid), .s_axil_awready(awready), .s_axil_awaddr(awaddr), .s_axil_awprot(3'd0),
        .s_axil_wvalid(wvalid), .s_axil_wready(wready), .s_axil_wdata(wdata), .s_axil_wstrb(wstrb),
        .s_axil_bvalid(bvalid), .s_axil_bready(bready), .s_axil_bresp(bresp),
        .s_axil_arvalid(arvalid), .s_axil_arready(arready), .s_axil_araddr(araddr), .s_axil_arprot(3'd0),
        .s_axil_rvalid(rvalid), .s_axil_rready(rready), .s_axil_rdata(rdata), .s_axil_rresp(rresp),
        .write_address(write_address), .write_block(write_block), .read_address(read_address), .read_block(read_block),
        .block_bus(block_bus), .block_answer(block_answer)
    );
    formal_stream_assume #(.WIDTH(14)) u_aw (.clk(clk), .rst(rst), .valid(awvalid), .ready(awready), .data(awaddr));
    formal_stream_assume #(.WIDTH(36)) u_w (.clk(clk), .rst(rst), .valid(wvalid), .ready(wready), .data({wstrb, wdata}));
    formal_stream_assume #(.WIDTH(14)) u_ar (.clk(clk), .rst(rst), .valid(arvalid), .ready(arready), .data(araddr));
    formal_stream_assert #(.WIDTH(2)) u_b (.clk(clk), .rst(rst), .valid(bvalid), .ready(bready), .data(bresp));
    formal_stream_assert #(.WIDTH(34)) u_r (.clk(clk), .rst(rst), .valid(rvalid), .ready(rready), .data({rresp, rdata}));

    genvar b;
    generate
        for (b = 0; b < 2; b = b + 1) begin : g_block
            assign `MOEHUB_BUS(block_awvalid[b], block_awaddr[b * 12 +: 12], block_wvalid[b], block_wdata[b * 32 +: 32],
                block_wstrb[b * 4 +: 4], block_bready[b], block_arvalid[b], block_araddr[b * 12 +: 12], block_rready[b]) =
                block_bus[b * BUS +: BUS];
            assign block_answer[b * ANSWER +: ANSWER] = `MOEHUB_BUS_ANSWER(block_awready[b], block_wready[b], block_bvalid[b],
                block_bresp[b * 2 +: 2], block_arready[b], block_rvalid[b], block_rdata[b * 32 +: 32], block_rresp[b * 2 +: 2]);
            formal_stream_assert #(.WIDTH(12)) u_aw (
                .clk(clk), .rst(rst), .valid(block_awvalid[b]), .ready(block_awready[b]), .data(block_awaddr[b * 12 +: 12])
            );
            formal_stream_assert #(.WIDTH(36)) u_w (
                .clk(clk), .rst(rst), .valid(block_wvalid[b]), .ready(block_wready[b]),
                .data({block_wstrb[b * 4 +: 4], block_wdata[b * 32 +: 32]})
            );
            formal_stream_assert #(.WIDTH(12)) u_ar (
                .clk(clk), .rst(rst), .valid(block_arvalid[b]), .ready(block_arready[b]), .data(block_araddr[b * 12 +: 12])
            );
            formal_stream_assume #(.WIDTH(2)) u_b (
                .clk(clk), .rst(rst), .valid(block_bvalid[b]), .ready(block_bready[b]), .data(block_bresp[b * 2 +: 2])
            );
            formal_stream_assume #(.WIDTH(34)) u_r (
                .clk(clk), .rst(rst), .valid(block_rvalid[b]), .ready(block_rready[b]),
                .data({block_rresp[b * 2 +: 2], block_rdata[b * 32 +: 32]})
            );
        end
    endgenerate

    // ---- the write under way: taken, by the block too, answered by it
    reg        address_q = 1'b0, data_q = 1'b0, told_address_q = 1'b0, told_data_q = 1'b0, answered_q = 1'b0;
    reg [13:0] awaddr_q;
    reg [31:0] wdata_q;
    reg [3:0]  wstrb_q;
    reg [1:0]  bresp_q;
    reg [2:0]  late_q = 3'd0; // cycles in which neither the block nor the taker is waited for
    wire [1:0] named    = {awaddr_q[13:12] == 2'd1, awaddr_q[13:12] == 2'd0};
    wire       nobody   = named == 2'd0;
    wire       blocks   = |(block_awvalid & ~block_awready) || |(block_wvalid & ~block_wready) ||
        (|block_bready && told_address_q && told_data_q && !(|(block_bready & block_bvalid))); // it keeps the write
    wire       answers  = |(block_bvalid & block_bready);
    always @(posedge clk) begin
        if (awvalid && awready) begin
            address_q <= 1'b1;
            awaddr_q  <= awaddr;
        end
        if (wvalid && wready) begin
            data_q  <= 1'b1;
            wdata_q <= wdata;
            wstrb_q <= wstrb;
        end
        if (|(block_awvalid & block_awready)) told_address_q <= 1'b1;
        if (|(block_wvalid & block_wready)) told_data_q <= 1'b1;
        if (answers) begin
            answered_q <= 1'b1;
            bresp_q    <= block_bvalid[0] ? block_bresp[1:0] : block_bresp[3:2];
        end
        late_q <= !(address_q && data_q && !bvalid) ? 3'd0 : blocks ? late_q : late_q + 3'd1;
        if (rst || (bvalid && bready)) {address_q, data_q, told_address_q, told_data_q, answered_q, late_q} <= 8'd0;
    end
    always @* assume ((block_bvalid & ~(named & {2{address_q && told_address_q && told_data_q && !answered_q}})) == 2'd0);

    // ---- the read under way
    reg        read_q = 1'b0, told_read_q = 1'b0, read_answered_q = 1'b0;
    reg [13:0] araddr_q;
    reg [33:0] answer_q;
    reg [2:0]  read_late_q = 3'd0;
    wire [1:0] named_reader = {araddr_q[13:12] == 2'd1, araddr_q[13:12] == 2'd0};
    wire       read_nobody  = named_reader == 2'd0;
    wire       read_blocks  = |(block_arvalid & ~block_arready) ||
        (|block_rready && told_read_q && !(|(block_rready & block_rvalid)));
    always @(posedge clk) begin
        if (arvalid && arready) begin
            read_q   <= 1'b1;
            araddr_q <= araddr;
        end
        if (|(block_arvalid & block_arready)) told_read_q <= 1'b1;
        if (|(block_rvalid & block_rready)) begin
            read_answered_q <= 1'b1;
            answer_q        <= block_rvalid[0] ? {block_rdata[31:0], block_rresp[1:0]} : {block_rdata[63:32], block_rresp[3:2]};
        end
        read_late_q <= !(read_q && !rvalid) ? 3'd0 : read_blocks ? read_late_q : read_late_q + 3'd1;
        if (rst || (rvalid && rready)) {read_q, told_read_q, read_answered_q, read_late_q} <= 6'd0;
    end
    always @* assume ((block_rvalid & ~(named_reader & {2{read_q && told_read_q && !read_answered_q}})) == 2'd0);

    wire [11:0] its_awaddr = block_awvalid[0] ? block_awaddr[11:0] : block_awaddr[23:12];
    wire [31:0] its_wdata  = block_wvalid[0] ? block_wdata[31:0] : block_wdata[63:32];
    wire [3:0]  its_wstrb  = block_wvalid[0] ? block_wstrb[3:0] : block_wstrb[7:4];
    wire [11:0] its_araddr = block_arvalid[0] ? block_araddr[11:0] : block_araddr[23:12];

    always @* begin
        write_named:   assert (!started_q || ((block_awvalid | block_wvalid) & ~(named & {2{address_q && data_q}})) == 2'd0);
        write_once:    assert (!started_q || (!(|block_awvalid && told_address_q) && !(|block_wvalid && told_data_q)));
        write_content: assert (!started_q || ((!(|block_awvalid) || its_awaddr == awaddr_q[11:0])
            && (!(|block_wvalid) || (its_wdata == wdata_q && its_wstrb == wstrb_q))));
        write_answer:  assert (!started_q || !bvalid || (nobody ? bresp == 2'd2 : answered_q && bresp == bresp_q));
        write_in_time: assert (late_q <= 3'd3);
        write_alone:   assert (!started_q || (!(awready && address_q) && !(wready && data_q)));
        write_open:    assert (!started_q || reset_q || ((awready || address_q) && (wready || data_q)));
        read_named:    assert (!started_q || (block_arvalid & ~(named_reader & {2{read_q}})) == 2'd0);
        read_once:     assert (!started_q || !(|block_arvalid && told_read_q));
        read_content:  assert (!started_q || !(|block_arvalid) || its_araddr == araddr_q[11:0]);
        read_answer:   assert (!started_q || !rvalid ||
            (read_nobody ? {rdata, rresp} == 34'd2 : read_answered_q && {rdata, rresp} == answer_q));
        read_in_time:  assert (read_late_q <= 3'd3);
        read_alone:    assert (!started_q || !(arready && read_q));
        read_open:     assert (!started_q || reset_q || arready || read_q);
        quiet:         assert (!started_q || !reset_q || {awready, wready, bvalid, arready, rvalid, block_awvalid, block_wvalid,
            block_bready, block_arvalid, block_rready} == 15'd0);
    end
    always @* begin
        write_nowhere: cover (bvalid && nobody && bready && address_q);
        write_upper:   cover (bvalid && named[1] && bresp_q == 2'd2 && wdata_q == 32'h12345678);
        next_write:    cover (told_data_q && !told_address_q && awvalid);
        read_nowhere:  cover (rvalid && read_nobody && rready && read_q);
        read_upper:    cover (rvalid && named_reader[1] && answer_q[33:2] == 32'h12345678);
        next_read:     cover (told_read_q && arvalid && bvalid);
    end
endmodule
`default_nettype wire
