// SPDX-License-Identifier: Apache-2.0
// In place of moehub_addr_alloc where only the order and number of requests matter: each gets a verdict, any one, one cycle
// later. No memory, no parity.

    wire [SLOT_WIDTH - 1:0] any_read_capacity = $anyseq;
    assign read_capacity = any_read_capacity;
    wire [31:0] any_read_next = $anyseq;
    assign read_next = any_read_next;
    wire [`MOEHUB_ROW_NAME_WIDTH(CONTEXTS, LOCAL_EXPERTS, ROW_INDEX_WIDTH) - 1:0] any_key_name = $anyseq;
    assign key_name = any_key_name;
    wire [31 - SLOT_WIDTH:0] any_key_epoch = $anyseq;
    assign key_epoch = any_key_epoch;
    wire [2:0] any_verdict_status = $anyseq;
    wire any_verdict_first = $anyseq;
    assign verdict_first = any_verdict_first;
    wire [SLOT_WIDTH - 1:0] any_verdict_value = $anyseq;
    wire unused_operation, unused_first;
    wire [2:0]  unused_context;
    wire [15:0] unused_expert, unused_offset;
    wire [31:0] unused_row_index;
    wire [LENGTH_WIDTH - 1:0] unused_length;
    wire [9:0]  unused_source;
    wire [`MOEHUB_INDEX_WIDTH(PORTS) - 1:0] port;
    wire [TAG_WIDTH - 1:0] unused_tag;
    assign `MOEHUB_REQUEST(unused_operation, unused_first, unused_context, unused_expert, unused_row_index, unused_offset,
                           unused_length, unused_source, port, unused_tag) = accepted_request;
    reg valid_q;
    reg [`MOEHUB_INDEX_WIDTH(WAITING) - 1:0] id_q;
    reg [`MOEHUB_INDEX_WIDTH(PORTS) - 1:0]   port_q;
    always @(posedge clk) begin
        valid_q        <= accepted_valid && !rst;
        {id_q, port_q} <= {accepted_id, port};
    end
    assign key_valid     = accepted_valid;
    assign verdict_valid = valid_q;
    assign verdict       = `MOEHUB_VERDICT(id_q, port_q, any_verdict_status, any_verdict_value);
    assign aau_parity    = 0;
