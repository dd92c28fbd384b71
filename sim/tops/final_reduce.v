// SPDX-License-Identifier: Apache-2.0
// Purpose: the last step of a hub's sums: own partials to the final_reduce of each link, and link 0's sums joined with what is
//   answered at once (doc/hub/reduce.md sections 1 to 3). Beside their ports what the model is told: which part the buffer takes,
//   which entry leaves, which group is free again.
`default_nettype none
`include "moehub_hub_way.vh"

module final_reduce #(
    parameter LINKS         = 1,  // 1..4
    parameter FINAL_GROUPS  = 13, // 1..4096 / REQUEST_LINES
    parameter REQUEST_LINES = 8,  // 1, 2, 4, 8
    parameter WITH_FP32     = 1   // 0, 1
) (
    input  wire                                          clk,
    input  wire                                          rst,
    input  wire [9:0]                                    own,
    input  wire [LINKS - 1:0]                            axil_links, // whose registers are meant: one

    input  wire                                          s_axil_awvalid,
    output wire                                          s_axil_awready,
    input  wire [11:0]                                   s_axil_awaddr,
    input  wire [2:0]                                    s_axil_awprot,
    input  wire                                          s_axil_wvalid,
    output wire                                          s_axil_wready,
    input  wire [31:0]                                   s_axil_wdata,
    input  wire [3:0]                                    s_axil_wstrb,
    output wire                                          s_axil_bvalid,
    input  wire                                          s_axil_bready,
    output reg  [1:0]                                    s_axil_bresp,
    input  wire                                          s_axil_arvalid,
    output wire                                          s_axil_arready,
    input  wire [11:0]                                   s_axil_araddr,
    input  wire [2:0]                                    s_axil_arprot,
    output wire                                          s_axil_rvalid,
    input  wire                                          s_axil_rready,
    output reg  [31:0]                                   s_axil_rdata,
    output reg  [1:0]                                    s_axil_rresp,
    output wire [LINKS - 1:0]                            interrupt_request,

    input  wire [LINKS - 1:0]                            reserve_valid,
    output wire [LINKS - 1:0]                            reserve_ready,
    input  wire [LINKS * `MOEHUB_RESERVE_WIDTH - 1:0]    reserve_data,
    output wire [LINKS - 1:0]                            grant_valid,
    input  wire [LINKS - 1:0]                            grant_ready,
    output wire [LINKS * `MOEHUB_GRANT_WIDTH - 1:0]      grant_data,
    input  wire [LINKS - 1:0]                            result_valid,
    output wire [LINKS - 1:0]                            result_ready,
    input  wire [LINKS * `MOEHUB_WAY_RESULT_WIDTH - 1:0] result_data,
    input  wire [LINKS - 1:0]                            result_last,
    input  wire                                          partial_valid,
    output wire                                          partial_ready,
    input  wire [127:0]                                  partial_data,
    input  wire                                          partial_last,
    input  wire                                          answered_valid,
    output wire                                          answered_ready,
    input  wire [127:0]                                  answered_data,
    input  wire [`MOEHUB_REDUCED_WIDTH - 1:0]            answered_user,
    input  wire                                          answered_last,
    output wire [LINKS - 1:0]                            reduced_valid,
    input  wire [LINKS - 1:0]                            reduced_ready,
    output wire [LINKS * 128 - 1:0]                      reduced_data,
    output wire [LINKS * `MOEHUB_REDUCED_WIDTH - 1:0]    reduced_user,
    output wire [LINKS - 1:0]                            reduced_last,

    output wire [LINKS - 1:0]                            initialised,
    output wire [LINKS - 1:0]                            timeout_valid,
    output wire [LINKS * 16 - 1:0]                       timeout_entry,
    output wire [LINKS - 1:0]                            freed_valid,
    output wire [LINKS * 16 - 1:0]                       freed_entry,
    output wire [LINKS - 1:0]                            own_waits,  // an own partial, for final_reduce
    output wire [LINKS - 1:0]                            part_taken, // a flit, by the buffer
    output wire [LINKS - 1:0]                            part_last,
    output wire [LINKS - 1:0]                            part_of_own,
    output wire [LINKS - 1:0]                            left, // a sum's last flit
    output wire [LINKS * 16 - 1:0]                       left_entry,
    output wire                                          joined_answer // link 0's flit is of an answer
);
    wire [LINKS - 1:0]                    own_valid;
    wire [LINKS - 1:0]                    own_ready;
    wire [`MOEHUB_WAY_RESULT_WIDTH - 1:0] own_data;
    wire                                  own_last;
    moehub_own_partials #(.LINKS(LINKS)) u_own_partials (
        .clk(clk), .rst(rst), .s_axis_partial_tvalid(partial_valid), .s_axis_partial_tready(partial_ready),
        .s_axis_partial_tdata(partial_data), .s_axis_partial_tlast(partial_last), .m_axis_own_tvalid(own_valid),
        .m_axis_own_tready(own_ready), .m_axis_own_tdata(own_data), .m_axis_own_tlast(own_last)
    );

    assign own_waits = own_valid;

    wire [LINKS - 1:0]                         sum_valid;
    wire [LINKS - 1:0]                         sum_ready;
    wire [LINKS * 128 - 1:0]                   sum_data;
    wire [LINKS * `MOEHUB_REDUCED_WIDTH - 1:0] sum_user;
    wire [LINKS - 1:0]                         sum_last;
    wire [LINKS - 1:0]                         awready;
    wire [LINKS - 1:0]                         wready;
    wire [LINKS - 1:0]                         bvalid;
    wire [LINKS * 2 - 1:0]                     bresp;
    wire [LINKS - 1:0]                         arready;
    wire [LINKS - 1:0]                         rvalid;
    wire [LINKS * 32 - 1:0]                    rdata;
    wire [LINKS * 2 - 1:0]                     rresp;
    genvar l;
    generate
        for (l = 0; l < LINKS; l = l + 1) begin : g_link
            moehub_final_reduce #(.FINAL_GROUPS(FINAL_GROUPS), .REQUEST_LINES(REQUEST_LINES), .WITH_FP32(WITH_FP32)) u_final (
                .clk(clk), .rst(rst), .own(own), .s_axil_awvalid(s_axil_awvalid && axil_links[l]), .s_axil_awready(awready[l]),
                .s_axil_awaddr(s_axil_awaddr), .s_axil_awprot(s_axil_awprot), .s_axil_wvalid(s_axil_wvalid && axil_links[l]),
                .s_axil_wready(wready[l]), .s_axil_wdata(s_axil_wdata), .s_axil_wstrb(s_axil_wstrb), .s_axil_bvalid(bvalid[l]),
                .s_axil_bready(s_axil_bready && axil_links[l]), .s_axil_bresp(bresp[2 * l +: 2]),
                .s_axil_arvalid(s_axil_arvalid && axil_links[l]), .s_axil_arready(arready[l]), .s_axil_araddr(s_axil_araddr),
                .s_axil_arprot(s_axil_arprot), .s_axil_rvalid(rvalid[l]), .s_axil_rready(s_axil_rready && axil_links[l]),
                .s_axil_rdata(rdata[32 * l +: 32]), .s_axil_rresp(rresp[2 * l +: 2]), .interrupt_request(interrupt_request[l]),
                .s_axis_reserve_tvalid(reserve_valid[l]), .s_axis_reserve_tready(reserve_ready[l]),
                .s_axis_reserve_tdata(reserve_data[l * `MOEHUB_RESERVE_WIDTH +: `MOEHUB_RESERVE_WIDTH]),
                .m_axis_grant_tvalid(grant_valid[l]), .m_axis_grant_tready(grant_ready[l]),
                .m_axis_grant_tdata(grant_data[l * `MOEHUB_GRANT_WIDTH +: `MOEHUB_GRANT_WIDTH]), .freed_valid(freed_valid[l]),
                .s_axis_result_tvalid(result_valid[l]), .s_axis_result_tready(result_ready[l]),
                .s_axis_result_tdata(result_data[l * `MOEHUB_WAY_RESULT_WIDTH +: `MOEHUB_WAY_RESULT_WIDTH]),
                .s_axis_result_tlast(result_last[l]), .s_axis_own_tvalid(own_valid[l]), .s_axis_own_tready(own_ready[l]),
                .s_axis_own_tdata(own_data), .s_axis_own_tlast(own_last), .m_axis_reduced_tvalid(sum_valid[l]),
                .m_axis_reduced_tready(sum_ready[l]), .m_axis_reduced_tdata(sum_data[128 * l +: 128]),
                .m_axis_reduced_tuser(sum_user[l * `MOEHUB_REDUCED_WIDTH +: `MOEHUB_REDUCED_WIDTH]),
                .m_axis_reduced_tlast(sum_last[l]), .initialised(initialised[l]), .timeout_valid(timeout_valid[l]),
                .timeout_entry(timeout_entry[16 * l +: 16])
            );
            assign freed_entry[16 * l +: 16] = u_final.u_buffer.freed_entry;
            assign part_taken[l]             = u_final.u_buffer.partial_valid && u_final.u_buffer.partial_ready;
            assign part_last[l]              = u_final.u_buffer.partial_last;
            assign part_of_own[l]            = u_final.of_own;
            assign left[l]                   = sum_valid[l] && sum_ready[l] && sum_last[l];
            assign left_entry[16 * l +: 16]  = u_final.u_buffer.result_entry;
            if (l > 0) begin : g_alone
                assign reduced_valid[l]                                                   = sum_valid[l];
                assign sum_ready[l]                                                       = reduced_ready[l];
                assign reduced_data[128 * l +: 128]                                       = sum_data[128 * l +: 128];
                assign reduced_user[l * `MOEHUB_REDUCED_WIDTH +: `MOEHUB_REDUCED_WIDTH]   =
                    sum_user[l * `MOEHUB_REDUCED_WIDTH +: `MOEHUB_REDUCED_WIDTH];
                assign reduced_last[l]                                                    = sum_last[l];
            end
        end
    endgenerate

    localparam JOINED = 128 + `MOEHUB_REDUCED_WIDTH;
    moehub_packet_join #(.WIDTH(JOINED)) u_reduced (
        .clk(clk), .rst(rst), .in_valid({answered_valid, sum_valid[0]}), .in_ready({answered_ready, sum_ready[0]}),
        .in_data({answered_user, answered_data, sum_user[`MOEHUB_REDUCED_WIDTH - 1:0], sum_data[127:0]}),
        .in_last({answered_last, sum_last[0]}), .out_valid(reduced_valid[0]), .out_ready(reduced_ready[0]),
        .out_data({reduced_user[`MOEHUB_REDUCED_WIDTH - 1:0], reduced_data[127:0]}), .out_last(reduced_last[0]),
        .out_port(joined_answer)
    );

    // ---- registers of one link ----------------------------------------------------------------------------------------------
    assign s_axil_awready = |(awready & axil_links);
    assign s_axil_wready  = |(wready & axil_links);
    assign s_axil_bvalid  = |(bvalid & axil_links);
    assign s_axil_arready = |(arready & axil_links);
    assign s_axil_rvalid  = |(rvalid & axil_links);
    integer i;
    always @* begin
        s_axil_bresp = 2'd0;
        s_axil_rdata = 32'd0;
        s_axil_rresp = 2'd0;
        for (i = 0; i < LINKS; i = i + 1)
            if (axil_links[i]) begin
                s_axil_bresp = bresp[2 * i +: 2];
                s_axil_rdata = rdata[32 * i +: 32];
                s_axil_rresp = rresp[2 * i +: 2];
            end
    end
endmodule

`default_nettype wire
