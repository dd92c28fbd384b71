// SPDX-License-Identifier: Apache-2.0
// In place of moehub_switch_port_csr: no registers, no command; interrupt_request is high while the events of all causes have
// come an odd number of times.

    reg  odd_q;
    always @(posedge clk) odd_q <= !rst && odd_q ^ (^events[`MOEHUB_SWITCH_PORT_CAUSES - 1:0]);
    assign interrupt_request = odd_q;
    assign {s_axil_awready, s_axil_wready, s_axil_bvalid, s_axil_arready, s_axil_rvalid} = 5'd0;
    assign {s_axil_bresp, s_axil_rdata, s_axil_rresp} = 36'd0;
    assign {command_valid, command_operation, command_data} = 37'd0;
