// SPDX-License-Identifier: Apache-2.0
// moehub_csr_bank with its bus and its counters: the response to SNAPSHOT comes when the copy is whole, EVENTS + 8
// cycles later than that to any other write (when it is whole: counter_memory). The master takes every response at once.
`default_nettype none
`include "moehub_registers.vh"
module formal_csr_snapshot #(
    parameter EVENTS = 1
) (
    input wire        clk,
    input wire        rst,
    input wire        awvalid,
    input wire [11:0] awaddr,
    input wire        wvalid,
    input wire [3:0]  wstrb
);
`include "formal_reset.vh"
    wire        awready, wready, bvalid, write;
    wire [11:0] write_address;
    moehub_csr_bank #(.ID(0), .PARAMETERS(1), .EVENTS(EVENTS), .INTERRUPTS(3)) u_bank (
        .clk(clk), .rst(rst),
        .s_axil_awvalid(awvalid), .s_axil_awready(awready), .s_axil_awaddr(awaddr), .s_axil_awprot(3'd0),
        .s_axil_wvalid(wvalid), .s_axil_wready(wready), .s_axil_wdata(32'd0), .s_axil_wstrb(wstrb),
        .s_axil_bvalid(bvalid), .s_axil_bready(1'b1), .s_axil_bresp(),
        .s_axil_arvalid(1'b0), .s_axil_arready(), .s_axil_araddr(12'd0), .s_axil_arprot(3'd0),
        .s_axil_rvalid(), .s_axil_rready(1'b0), .s_axil_rdata(), .s_axil_rresp(),
        .interrupt_request(), .parameter_values(32'd0), .events({EVENTS{1'b0}}), .raised(3'd0), .levels(32'd0),
        .error_valid(1'b0), .error_cause(5'd0), .error_header(128'd0), .error_name(22'd0),
        .command_valid(), .command_ready(1'b1), .command_operation(), .command_start(), .command_done(1'b0),
        .command_refused(1'b0), .command_busy(),
        .write(write), .write_address(write_address), .write_data(), .own_writable(1'b0),
        .read_address(), .own_readable(1'b0), .own_word(32'd0)
    );
    formal_stream_assume #(.WIDTH(12)) u_aw (.clk(clk), .rst(rst), .valid(awvalid), .ready(awready), .data(awaddr));
    formal_stream_assume #(.WIDTH(4)) u_w (.clk(clk), .rst(rst), .valid(wvalid), .ready(wready), .data(wstrb));

    // ---- the write under way
    reg       address_q = 1'b0, data_q = 1'b0, copies_q = 1'b0; // it is a SNAPSHOT that was accepted
    reg [6:0] age_q = 7'd0; // cycles since address and data were both taken
    always @(posedge clk) begin
        if (awvalid && awready) address_q <= 1'b1;
        if (wvalid && wready) data_q <= 1'b1;
        if (write && write_address == `MOEHUB_CSR_SNAPSHOT) copies_q <= 1'b1;
        age_q <= address_q && data_q ? age_q + 7'd1 : 7'd0;
        if (rst || bvalid) {address_q, data_q, copies_q, age_q} <= 10'd0;
    end
    always @* begin
        snapshot_last: assert (!started_q || !bvalid || !copies_q || age_q == EVENTS + 10);
        others_first:  assert (!started_q || !bvalid || copies_q || age_q == 7'd2);
        answered:      assert (age_q <= EVENTS + 10);
    end
    always @* begin
        copied:  cover (bvalid && copies_q);
        another: cover (bvalid && !copies_q && wstrb == 4'hf);
    end
endmodule
`default_nettype wire
