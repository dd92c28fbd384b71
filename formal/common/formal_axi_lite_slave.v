// SPDX-License-Identifier: Apache-2.0
// moehub_axi_lite_slave: each write is done once, with its address and data, and answered once; reads likewise; both within
// a bound; the stream rules on all five channels.
`default_nettype none
module formal_axi_lite_slave #(
    parameter ADDRESS_WIDTH = 2,
    parameter READ_LATENCY  = 2
) (
    input wire                       clk,
    input wire                       rst,
    input wire                       awvalid,
    input wire [ADDRESS_WIDTH - 1:0] awaddr,
    input wire                       wvalid,
    input wire [31:0]                wdata,
    input wire [3:0]                 wstrb,
    input wire                       bready,
    input wire                       arvalid,
    input wire [ADDRESS_WIDTH - 1:0] araddr,
    input wire                       rready,
    input wire                       write_error,
    input wire                       write_wait,
    input wire [31:0]                read_data,
    input wire                       read_error
);
`include "formal_reset.vh"
    wire                       awready, wready, bvalid, arready, rvalid;
    wire [1:0]                 bresp, rresp;
    wire [31:0]                rdata, write_data;
    wire                       write_valid, write_full, read_valid;
    wire [ADDRESS_WIDTH - 1:0] write_address, read_address;

    moehub_axi_lite_slave #(.ADDRESS_WIDTH(ADDRESS_WIDTH), .READ_LATENCY(READ_LATENCY)) u_slave (
        .clk(clk), .rst(rst),
        .s_axil_awvalid(awvalid), .s_axil_awready(awready), .s_axil_awaddr(awaddr), .s_axil_awprot(3'd0),
        .s_axil_wvalid(wvalid), .s_axil_wready(wready), .s_axil_wdata(wdata), .s_axil_wstrb(wstrb),
        .s_axil_bvalid(bvalid), .s_axil_bready(bready), .s_axil_bresp(bresp),
        .s_axil_arvalid(arvalid), .s_axil_arready(arready), .s_axil_araddr(araddr), .s_axil_arprot(3'd0),
        .s_axil_rvalid(rvalid), .s_axil_rready(rready), .s_axil_rdata(rdata), .s_axil_rresp(rresp),
        .write_valid(write_valid), .write_address(write_address), .write_data(write_data), .write_full(write_full),
        .write_error(write_error), .write_wait(write_wait),
        .read_valid(read_valid), .read_address(read_address), .read_data(read_data), .read_error(read_error)
    );
    formal_stream_assume #(.WIDTH(ADDRESS_WIDTH)) u_aw (.clk(clk), .rst(rst), .valid(awvalid), .ready(awready), .data(awaddr));
    formal_stream_assume #(.WIDTH(36)) u_w (.clk(clk), .rst(rst), .valid(wvalid), .ready(wready), .data({wstrb, wdata}));
    formal_stream_assume #(.WIDTH(ADDRESS_WIDTH)) u_ar (.clk(clk), .rst(rst), .valid(arvalid), .ready(arready), .data(araddr));
    formal_stream_assert #(.WIDTH(2)) u_b (.clk(clk), .rst(rst), .valid(bvalid), .ready(bready), .data(bresp));
    formal_stream_assert #(.WIDTH(34)) u_r (.clk(clk), .rst(rst), .valid(rvalid), .ready(rready), .data({rresp, rdata}));

    // ---- the write under way: address and data taken, done, its error bit known -----------------------------------
    reg                       address_q = 1'b0, data_q = 1'b0, done_q = 1'b0, judged_q = 1'b0, refused_q;
    reg [ADDRESS_WIDTH - 1:0] awaddr_q;
    reg [31:0]                wdata_q;
    reg [3:0]                 wstrb_q;
    reg [2:0]                 write_late_q = 3'd0; // cycles since both are there, without a response, but for those to wait
    reg                       waited_q = 1'b0, answered_before_q = 1'b0; // in the last cycle
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
        if (write_valid) done_q <= 1'b1;
        if (done_q && !judged_q) begin
            judged_q  <= 1'b1;
            refused_q <= write_error;
        end
        write_late_q <= !(address_q && data_q && !bvalid) ? 3'd0 : done_q && write_wait ? write_late_q : write_late_q + 3'd1;
        waited_q          <= write_wait;
        answered_before_q <= bvalid;
        if (rst || (bvalid && bready)) {address_q, data_q, done_q, judged_q, write_late_q} <= 7'd0;
    end

    // ---- the read under way ------------------------------------------------------------------------------------------
    reg                       read_q = 1'b0, asked_q = 1'b0, answered_q = 1'b0, read_refused_q;
    reg [ADDRESS_WIDTH - 1:0] araddr_q;
    reg [31:0]                answer_q;
    reg [3:0]                 age_q       = 4'd0; // cycles since read_valid, 1 in the cycle after it
    reg [3:0]                 read_wait_q = 4'd0;
    always @(posedge clk) begin
        if (arvalid && arready) begin
            read_q   <= 1'b1;
            araddr_q <= araddr;
        end
        if (read_valid) asked_q <= 1'b1;
        age_q <= read_valid || (age_q != 4'd0 && age_q != 4'd15) ? age_q + 4'd1 : age_q;
        if (age_q == READ_LATENCY) begin
            answered_q     <= 1'b1;
            answer_q       <= read_data;
            read_refused_q <= read_error;
        end
        read_wait_q <= read_q && !rvalid ? read_wait_q + 4'd1 : 4'd0;
        if (rst || (rvalid && rready)) {read_q, asked_q, answered_q, age_q, read_wait_q} <= 11'd0;
    end

    always @* begin
        write_once:    assert (!started_q || !write_valid || (address_q && data_q && !done_q));
        write_content: assert (!started_q || !(write_valid || done_q)
                               || (write_address == awaddr_q && write_data == wdata_q && write_full == &wstrb_q));
        write_answer:  assert (!started_q || !bvalid || (judged_q && bresp == {refused_q, 1'b0}));
        write_in_time: assert (write_late_q <= 3'd2);
        write_waits:   assert (!started_q || !bvalid || answered_before_q || !waited_q);
        write_alone:   assert (!started_q || (!(awready && address_q) && !(wready && data_q)));
        read_once:     assert (!started_q || !read_valid || (read_q && !asked_q));
        read_content:  assert (!started_q || !read_q || read_address == araddr_q);
        read_answer:   assert (!started_q || !rvalid || (answered_q && rresp == {read_refused_q, 1'b0}
                                                          && rdata == (read_refused_q ? 32'd0 : answer_q)));
        read_in_time:  assert (read_wait_q <= READ_LATENCY + 2);
        read_alone:    assert (!started_q || !(arready && read_q));
        open:          assert (!started_q || reset_q
                               || ((address_q || awready) && (data_q || wready) && (read_q || arready)));
        quiet:         assert (!started_q || !reset_q || {awready, wready, arready, write_valid, read_valid} == 5'd0);
    end
    always @* begin
        write_refused: cover (bvalid && refused_q && bready);
        data_first:    cover (write_valid && awvalid && wstrb_q == 4'hf);
        next_write:    cover (done_q && awvalid);
        write_waited:  cover (write_late_q == 3'd1 && waited_q && done_q && awvalid && !bvalid && judged_q && !write_wait);
        read_refused:  cover (rvalid && read_refused_q && rready && answer_q != 32'd0);
        read_waits:    cover (read_q && asked_q && arvalid);
        reset_again:   cover (reset_q && started_q && awvalid == 1'b0);
    end
endmodule
`default_nettype wire
