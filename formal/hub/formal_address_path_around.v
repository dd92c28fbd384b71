// SPDX-License-Identifier: Apache-2.0
// The address path around its table: formal_address_path.v with formal_table_at_once.v in place of AL-TLB and walker. Both have
// the same words in the table at first.
`default_nettype none
module formal_address_path_around #(
    parameter PORTS   = 1, // 1 or 2
    parameter ANSWERS = 2
) (
    input wire clk,
    input wire rst
);
    wire         request_valid     = $anyseq;
    wire         request_operation = $anyseq;
    wire         request_first     = $anyseq;
    wire [2:0]   request_context   = $anyseq;
    wire [15:0]  request_expert    = $anyseq;
    wire [31:0]  request_row_index = $anyseq;
    wire [15:0]  request_offset    = $anyseq;
    wire [8:0]   request_length    = $anyseq;
    wire [9:0]   request_source    = $anyseq;
    wire         request_port      = $anyseq;
    wire [0:0]   request_tag       = $anyseq;
    wire         answer_ready      = $anyseq;
    wire         arready           = $anyseq;
    wire         awready           = $anyseq;
    wire         wready            = $anyseq;
    wire         read_choice       = $anyseq;
    wire         read_now          = $anyseq;
    wire         write_choice      = $anyseq;
    wire         write_now         = $anyseq;
    wire [29:0]  other_epoch       = $anyseq;
    wire         mark              = $anyseq;
    formal_address_path #(.PORTS(PORTS), .ANSWERS(ANSWERS)) u_whole (
        .clk(clk), .rst(rst), .request_valid(request_valid), .request_operation(request_operation),
        .request_first(request_first), .request_context(request_context), .request_expert(request_expert),
        .request_row_index(request_row_index), .request_offset(request_offset), .request_length(request_length),
        .request_source(request_source), .request_port(request_port), .request_tag(request_tag), .answer_ready(answer_ready),
        .arready(arready), .awready(awready), .wready(wready), .read_choice(read_choice), .read_now(read_now),
        .write_choice(write_choice), .write_now(write_now), .other_epoch(other_epoch), .mark(mark)
    );
    (* hierconn *) wire [5:0] \u_whole.initial_words ;
    (* hierconn *) wire [5:0] \u_whole.u_path.u_al_tlb.initial_words ;
    always @* assume (\u_whole.initial_words == \u_whole.u_path.u_al_tlb.initial_words );
endmodule
`default_nettype wire
