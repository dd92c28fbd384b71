// SPDX-License-Identifier: Apache-2.0
// moehub_list_port: every read leaves once, with its reader's id; data come to the reader that their id names, a cycle later,
// whatever the others do; a reader waits for at most one read of each other one.
`default_nettype none
module formal_list_port #(
    parameter ADDRESS_WIDTH = 32
) (
    input wire                           clk,
    input wire                           rst,
    input wire [2:0]                     asks,
    input wire [3 * ADDRESS_WIDTH - 1:0] addresses,
    input wire                           arready,
    input wire                           rvalid,
    input wire [1:0]                     rid,
    input wire [127:0]                   rdata,
    input wire [1:0]                     rresp,
    input wire                           mark
);
`include "formal_reset.vh"
    wire [2:0]                 taken;
    wire [2:0]                 data_valid;
    wire [127:0]               data;
    wire [1:0]                 data_response;
    wire                       arvalid;
    wire [1:0]                 arid;
    wire [ADDRESS_WIDTH - 1:0] araddr;
    wire                       rready;
    moehub_list_port #(.ADDRESS_WIDTH(ADDRESS_WIDTH)) u_port (
        .clk(clk), .rst(rst), .read_valid(asks), .read_ready(taken), .read_address(addresses), .data_valid(data_valid),
        .data(data), .data_response(data_response), .m_axi_list_arvalid(arvalid), .m_axi_list_arready(arready),
        .m_axi_list_arid(arid), .m_axi_list_araddr(araddr), .m_axi_list_rvalid(rvalid), .m_axi_list_rready(rready),
        .m_axi_list_rid(rid), .m_axi_list_rdata(rdata), .m_axi_list_rresp(rresp)
    );
    formal_stream_assert #(.WIDTH(ADDRESS_WIDTH + 2)) u_ar (
        .clk(clk), .rst(rst), .valid(arvalid), .ready(arready), .data({arid, araddr})
    );

    // ---- one reader of the solver's choice: its read stands until it is taken ------------------------------------------------
    (* anyconst *) wire [1:0] reader;
    always @* assume (reader <= 2'd2);
    wire                       stands  = asks[reader];
    wire [ADDRESS_WIDTH - 1:0] address = addresses[reader * ADDRESS_WIDTH +: ADDRESS_WIDTH];
    wire                       enters  = stands && taken[reader] && !rst;
    wire                       any     = |(asks & taken) && !rst;
    wire                       leave   = arvalid && arready && !rst;
    reg                        stood_q = 1'b0;
    reg [ADDRESS_WIDTH - 1:0]  address_q;
    reg [1:0]                  inside_q = 2'd0;
    reg [1:0]                  ahead_q;
    reg                        marked_q = 1'b0;
    reg [ADDRESS_WIDTH - 1:0]  marked_address_q;
    reg [1:0]                  passed_q = 2'd0;
    reg                        was_full_q = 1'b0;
    reg                        came_q = 1'b0; // data of the reader, a cycle ago
    reg [127:0]                rdata_q;
    reg [1:0]                  rresp_q;
    always @(posedge clk) begin
        stood_q   <= stands && !taken[reader] && !rst;
        address_q <= address;
        inside_q  <= inside_q + {1'd0, any} - {1'd0, leave};
        if (inside_q == 2'd2) was_full_q <= 1'b1;
        if (enters && mark && !marked_q) begin
            marked_q         <= 1'b1;
            marked_address_q <= address;
            ahead_q          <= inside_q - {1'd0, leave};
        end else if (marked_q && leave) begin
            ahead_q  <= ahead_q - 2'd1;
            marked_q <= ahead_q != 2'd0;
        end
        if (!stands || enters) passed_q <= 2'd0;
        else if (any && passed_q != 2'd3) passed_q <= passed_q + 2'd1;
        came_q  <= rvalid && rready && rid == reader && !rst;
        rdata_q <= rdata;
        rresp_q <= rresp;
        if (rst) begin
            inside_q <= 2'd0;
            marked_q <= 1'b0;
            passed_q <= 2'd0;
        end
    end
    always @* if (stood_q) assume (stands && address == address_q);

    always @* begin
        as_asked:    assert (!(marked_q && ahead_q == 2'd0) || (arvalid && arid == reader && araddr == marked_address_q));
        none_lost:   assert (!started_q || arvalid == (inside_q != 2'd0));
        one_turn:    assert ((taken & (taken - 3'd1)) == 3'd0 && (taken & ~asks) == 3'd0);
        waits:       assert (passed_q <= 2'd2);
        data_comes:  assert (!started_q || (data_valid[reader] == came_q
            && (!came_q || (data == rdata_q && data_response == rresp_q))));
        never_waits: assert (rready);
    end
    always @* begin
        full_leaves: cover (was_full_q && marked_q && ahead_q == 2'd0 && leave);
        waited_long: cover (passed_q == 2'd2 && enters);
        comes:       cover (started_q && came_q && inside_q == 2'd2);
    end
endmodule
`default_nettype wire
