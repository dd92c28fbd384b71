// SPDX-License-Identifier: Apache-2.0
// In place of moehub_al_walker, beside formal_table_at_once.vh: results at any time that it allows; no access to the memory,
// no parity.

    wire                    any_fill  = $anyseq;
    wire [1:0]              any_state = $anyseq;
    wire [SLOT_WIDTH - 1:0] any_slot  = $anyseq;
    assign fill_valid = any_fill;
    assign fill_entry = 0;
    assign fill_content = `MOEHUB_CONTENT(any_state, any_slot);
    assign {written_valid, written_entry, read_error_valid, read_error_repeated, read_error_name, write_error_valid,
            write_error_name, walker_parity} = 0;
    assign {m_axi_arvalid, m_axi_arid, m_axi_araddr, m_axi_rready, m_axi_awvalid, m_axi_awid, m_axi_awaddr, m_axi_wvalid,
            m_axi_wdata, m_axi_wstrb, m_axi_bready} = 0;
