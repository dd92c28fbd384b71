// SPDX-License-Identifier: Apache-2.0
// moehub_switch_top as software sees it, its register blocks replaced by ones that say who they are (formal_seen_registers.v):
// each access reaches the one block that doc/plane/switch.md section 8 names, and no other; where there is none it is answered
// with SLVERR.
`default_nettype none
module formal_switch_registers #(
    parameter PORTS = 2
) (
    input wire        clk,
    input wire        rst,
    input wire        awvalid,
    input wire [19:0] awaddr,
    input wire        wvalid,
    input wire        wdata, // bit 0
    input wire        bready,
    input wire        arvalid,
    input wire [19:0] araddr,
    input wire        rready
);
`include "formal_reset.vh"
    (* anyconst *) wire [7:0] watched; // a window: bits 19:12 of an address

    wire        awready, wready, bvalid, arready, rvalid;
    wire [1:0]  bresp, rresp;
    wire [31:0] rdata;

    moehub_switch_top #(
        .PORTS(PORTS), .REQUEST_LINES(1), .GROUPS(1), .PLACES_STORE(14), .PLACES_REQUEST(5), .PLACES_RESPONSE(17), .COPIES(12),
        .SLOTS(2), .REQUEST_SLOTS(2), .NOTICES(4), .BOUND(2), .GENERATION_WIDTH(1)
    ) u_top (
        .clk(clk), .rst(rst), .initialised(), .interrupt_request(), .link_up({PORTS{1'b0}}), .in_flit_valid({PORTS{1'b0}}),
        .in_flit_first({PORTS{1'b0}}), .in_flit_last({PORTS{1'b0}}), .in_flit_class({2 * PORTS{1'b0}}),
        .in_flit_data({128 * PORTS{1'b0}}), .in_credit_valid(), .in_credit_class(), .in_credit_flits(), .out_flit_valid(),
        .out_flit_first(), .out_flit_last(), .out_flit_class(), .out_flit_data(), .out_credit_valid({PORTS{1'b0}}),
        .out_credit_class({2 * PORTS{1'b0}}), .out_credit_flits({8 * PORTS{1'b0}}),
        .s_axil_awvalid(awvalid), .s_axil_awready(awready), .s_axil_awaddr(awaddr), .s_axil_awprot(3'd0),
        .s_axil_wvalid(wvalid), .s_axil_wready(wready), .s_axil_wdata({31'd0, wdata}), .s_axil_wstrb(4'd15),
        .s_axil_bvalid(bvalid), .s_axil_bready(bready), .s_axil_bresp(bresp),
        .s_axil_arvalid(arvalid), .s_axil_arready(arready), .s_axil_araddr(araddr), .s_axil_arprot(3'd0),
        .s_axil_rvalid(rvalid), .s_axil_rready(rready), .s_axil_rdata(rdata), .s_axil_rresp(rresp)
    );
    formal_stream_assume #(.WIDTH(20)) u_aw (.clk(clk), .rst(rst), .valid(awvalid), .ready(awready), .data(awaddr));
    formal_stream_assume #(.WIDTH(1)) u_w (.clk(clk), .rst(rst), .valid(wvalid), .ready(wready), .data(wdata));
    formal_stream_assume #(.WIDTH(20)) u_ar (.clk(clk), .rst(rst), .valid(arvalid), .ready(arready), .data(araddr));

    function is_block(input [7:0] window); // the plane's, or that of a port that there is
        is_block = window[7] ? window[6:0] == 7'd0 : window[6:1] < PORTS;
    endfunction

    reg        address_q = 1'b0, data_q = 1'b0;
    reg [7:0]  window_q;
    reg        refuses_q;
    reg [19:0] araddr_q;
    reg  [1:0] writes_q = 2'd0; // done, to the watched window
    wire       under_way = address_q && data_q && window_q == watched;
    wire [7:0] read_window = araddr_q[19:12];
    reg        since_q     = 1'b0; // one of them since the read was taken
    wire [1:0] more        = rdata[23:22] - writes_q;
    always @(posedge clk) begin
        if (awvalid && awready) begin
            address_q <= 1'b1;
            window_q  <= awaddr[19:12];
        end
        if (wvalid && wready) begin
            data_q    <= 1'b1;
            refuses_q <= wdata;
        end
        if (bvalid && bready) begin
            {address_q, data_q} <= 2'd0;
            if (window_q == watched) begin
                writes_q <= writes_q + 2'd1;
                since_q  <= 1'b1;
            end
        end
        if (arvalid && arready) begin
            araddr_q <= araddr;
            since_q  <= 1'b0;
        end
        if (rst) begin
            {address_q, data_q} <= 2'd0;
            writes_q <= 2'd0;
        end
    end

    always @* begin
        read_there:    assert (!started_q || !rvalid || !is_block(read_window) ||
            (rresp == 2'd0 && rdata[31:24] == read_window && rdata[11:0] == araddr_q[11:0]));
        read_nowhere:  assert (!started_q || !rvalid || is_block(read_window) || (rresp == 2'd2 && rdata == 32'd0));
        write_there:   assert (!started_q || !rvalid || !is_block(read_window) || read_window != watched ||
            since_q || more == 2'd0 || (more == 2'd1 && under_way));
        write_answer:  assert (!started_q || !bvalid || bresp == {!is_block(window_q) || refuses_q, 1'b0});
    end
    always @* begin
        read_last:     cover (rvalid && read_window == 2 * PORTS - 1 && araddr_q[11:0] == 12'hdef);
        no_port:       cover (rvalid && read_window == 2 * PORTS && started_q);
        two_written:   cover (rvalid && read_window == watched && watched == 8'h80 && writes_q == 2'd1 && more == 2'd1);
        wrote_nowhere: cover (bvalid && window_q == 8'hc0 && !refuses_q && started_q);
    end
endmodule
`default_nettype wire
