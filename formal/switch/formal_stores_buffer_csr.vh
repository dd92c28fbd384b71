// SPDX-License-Identifier: Apache-2.0
// In place of moehub_switch_csr: no registers, no command.

    assign {s_axil_awready, s_axil_wready, s_axil_bvalid, s_axil_arready, s_axil_rvalid} = 5'd0;
    assign {s_axil_bresp, s_axil_rdata, s_axil_rresp} = 36'd0;
    assign interrupt_request = 1'b0;
    assign {command_valid, command_operation, command_data} = 37'd0;
