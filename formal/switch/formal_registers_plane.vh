// SPDX-License-Identifier: Apache-2.0
// In place of moehub_switch_plane_csr: its bus alone.

    wire [`MOEHUB_BUS_ANSWER_WIDTH - 1:0] answer;
    assign `MOEHUB_BUS_ANSWER(s_axil_awready, s_axil_wready, s_axil_bvalid, s_axil_bresp, s_axil_arready, s_axil_rvalid,
        s_axil_rdata, s_axil_rresp) = answer;
    formal_seen_registers u_plane (
        .clk(clk), .rst(rst), .number(8'h80),
        .bus(`MOEHUB_BUS(s_axil_awvalid, s_axil_awaddr, s_axil_wvalid, s_axil_wdata, s_axil_wstrb, s_axil_bready, s_axil_arvalid,
            s_axil_araddr, s_axil_rready)),
        .answer(answer)
    );
