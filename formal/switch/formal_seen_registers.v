// SPDX-License-Identifier: Apache-2.0
// A register block whose answers say who it is: what is read is its number, how many writes it has had (modulo 4) and the
// address; a write is answered with SLVERR if the data's bit 0 is set. It takes and answers when it likes.
`default_nettype none
`include "moehub_plane.vh"
module formal_seen_registers (
    input  wire                                    clk,
    input  wire                                    rst,
    input  wire [7:0]                              number,
    input  wire [`MOEHUB_BUS_WIDTH - 1:0]        bus,
    output wire [`MOEHUB_BUS_ANSWER_WIDTH - 1:0] answer
);
    wire        awvalid, wvalid, bready, arvalid, rready;
    wire [11:0] awaddr, araddr;
    wire [31:0] wdata;
    wire [3:0]  wstrb;
    (* anyseq *) wire [4:0] willing;

    reg        address_q = 1'b0, data_q = 1'b0, bvalid_q = 1'b0, read_q = 1'b0, rvalid_q = 1'b0, refused_q;
    reg [11:0] araddr_q;
    reg [1:0]  writes_q = 2'd0;

    wire awready = willing[0] && !address_q;
    wire wready  = willing[1] && !data_q;
    wire arready = willing[2] && !read_q;
    assign `MOEHUB_BUS(awvalid, awaddr, wvalid, wdata, wstrb, bready, arvalid, araddr, rready) = bus;
    assign answer = `MOEHUB_BUS_ANSWER(awready, wready, bvalid_q, {refused_q, 1'b0}, arready, rvalid_q,
        {number, writes_q, 10'd0, araddr_q}, 2'd0);

    always @(posedge clk) begin
        if (awvalid && awready) address_q <= 1'b1;
        if (wvalid && wready) begin
            data_q    <= 1'b1;
            refused_q <= wdata[0];
        end
        if (address_q && data_q && !bvalid_q && willing[3]) begin
            bvalid_q <= 1'b1;
            writes_q <= writes_q + 2'd1;
        end
        if (bvalid_q && bready) {address_q, data_q, bvalid_q} <= 3'd0;
        if (arvalid && arready) begin
            read_q   <= 1'b1;
            araddr_q <= araddr;
        end
        if (read_q && willing[4]) rvalid_q <= 1'b1;
        if (rvalid_q && rready) {read_q, rvalid_q} <= 2'd0;
        if (rst) begin
            {address_q, data_q, bvalid_q, read_q, rvalid_q} <= 5'd0;
            writes_q <= 2'd0;
        end
    end
endmodule
`default_nettype wire
