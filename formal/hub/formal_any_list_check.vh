// SPDX-License-Identifier: Apache-2.0
// In place of moehub_list_check in the proof of moehub_reduce_lists: any check that keeps its contract. It reads flits in their
// order, each once and none of an immediate list, writes a remote flit when that flit was read and an own one at any time, ends
// when it likes, and says anything. That moehub_list_check keeps the contract: formal_list_check.v.

    wire         any_read     = $anyseq;
    wire         any_write    = $anyseq;
    wire         any_done     = $anyseq;
    wire         any_own      = $anyseq;
    wire [1:0]   any_number   = $anyseq;
    wire [127:0] any_data     = $anyseq;
    wire [13:0]  any_verdict  = $anyseq;

    reg        busy_q = 1'b0;
    reg  [2:0] read_q; // flits that were read
    wire [5:0] more   = count + 6'd7;
    wire       all    = immediate || read_q == more[5:3];
    always @(posedge clk) begin
        busy_q <= !rst && (start || (busy_q && !done));
        if (start) read_q <= 3'd0;
        else if (read_valid && read_ready) read_q <= read_q + 3'd1;
    end
    always @* assume (!write_valid || write_own || immediate || {1'b0, write_number} < read_q);

    assign read_valid   = busy_q && any_read && !all;
    assign read_number  = read_q[1:0];
    assign write_valid  = busy_q && any_write;
    assign write_own    = any_own;
    assign write_number = any_number;
    assign write_data   = any_data;
    assign done         = busy_q && any_done && !write_valid && all;
    assign {malformed, peer, remotes, owns} = any_verdict;
    wire unused = ^{id, own, peers, read_data, more[2:0]};
