// SPDX-License-Identifier: Apache-2.0
// moehub_list_check: every id of a list is written once, remote and own ids packed each in their order, the rest of their flits
// 0; the verdict is that of the whole list; a flit is read once, in order, and not overwritten before. It keeps the contract of
// formal_any_list_check.vh. One list of the solver's choice, of any count, checked again and again.
`default_nettype none
module formal_list_check #(
    parameter FLITS = 1, // of the longest list
    parameter MOST  = 8, // ids of the longest list
    parameter GPUS  = 3,
    parameter LOCAL_EXPERT_BITS = 3
) (
    input wire         clk,
    input wire         rst,
    input wire         starts,
    input wire         new_immediate,
    input wire [5:0]   new_count,
    input wire [15:0]  new_id,
    input wire         read_ready,
    input wire         write_ready,
    input wire [127:0] other_data
);
`include "formal_reset.vh"
    (* anyconst *) wire [128 * FLITS - 1:0] list;
    (* anyconst *) wire [GPUS - 1:0]        peers;
    (* anyconst *) wire [9:0]               own;

    // ---- one list at a time ----------------------------------------------------------------------------------------------
    reg         busy_q = 1'b0;
    reg         immediate_q;
    reg [5:0]   count_q;
    reg [15:0]  id_q;
    wire        start     = starts && !busy_q && !rst;
    wire        immediate = busy_q ? immediate_q : new_immediate;
    wire [5:0]  count     = busy_q ? count_q : new_count;
    wire [15:0] id        = busy_q ? id_q : new_id;
    always @* assume (count != 6'd0 && count <= MOST && (!immediate || count == 6'd1));
    wire         read_valid;
    wire [1:0]   read_number;
    wire         write_valid;
    wire         write_own;
    wire [1:0]   write_number;
    wire [127:0] write_data;
    wire         done;
    wire         malformed;
    wire         peer;
    wire [5:0]   remotes;
    wire [5:0]   owns;
    reg          data_q = 1'b0; // of a flit, in this cycle
    reg  [1:0]   number_q;
    wire [127:0] read_data = data_q ? list >> (128 * number_q) : other_data;
    moehub_list_check #(.GPUS(GPUS), .LOCAL_EXPERT_BITS(LOCAL_EXPERT_BITS)) u_check (
        .clk(clk), .rst(rst), .start(start), .immediate(immediate), .id(id), .count(count), .own(own), .peers(peers),
        .read_valid(read_valid), .read_ready(read_ready), .read_number(read_number), .read_data(read_data),
        .write_valid(write_valid), .write_ready(write_ready), .write_own(write_own), .write_number(write_number),
        .write_data(write_data), .done(done), .malformed(malformed), .peer(peer), .remotes(remotes), .owns(owns)
    );

    // ---- what the page says of this list ---------------------------------------------------------------------------------
    wire [16 * 8 * FLITS - 1:0] ids = immediate ? {112'd0, id} : list;
    (* anyconst *) wire [4:0]   place; // of one of its ids
    reg        says_malformed;
    reg        says_peer;
    reg [5:0]  says_remotes;
    reg [5:0]  says_owns;
    reg [5:0]  rank; // of that id, among those of its kind
    reg        of_own;
    reg [15:0] now;
    integer    i;
    always @* begin
        says_malformed = 1'b0;
        says_peer      = 1'b0;
        says_remotes   = 6'd0;
        says_owns      = 6'd0;
        rank           = 6'd0;
        of_own         = 1'b0;
        for (i = 0; i < MOST; i = i + 1) begin
            now = ids[16 * i +: 16];
            if (i < count) begin
                if (i != 0 && now <= ids[16 * (i == 0 ? 0 : i - 1) +: 16]) says_malformed = 1'b1;
                if (now >> LOCAL_EXPERT_BITS >= GPUS || !(peers >> (now >> LOCAL_EXPERT_BITS) & 1'b1)) says_peer = 1'b1;
                if (i == place) of_own = now >> LOCAL_EXPERT_BITS == own;
                if (i == place) rank = now >> LOCAL_EXPERT_BITS == own ? says_owns : says_remotes;
                if (now >> LOCAL_EXPERT_BITS == own) says_owns = says_owns + 6'd1;
                else says_remotes = says_remotes + 6'd1;
            end
        end
    end
    wire [15:0] its_id = ids >> (16 * place);
    wire        has_id = {1'b0, place} < count;

    // ---- reads and writes ------------------------------------------------------------------------------------------------
    (* anyconst *) wire       flit_own; // one flit that may be written, and one place of it
    (* anyconst *) wire [1:0] flit_number;
    (* anyconst *) wire [2:0] flit_place;
    wire [5:0] kind_ids = flit_own ? says_owns : says_remotes;
    wire       holds    = {1'b0, flit_number, 3'd0} < kind_ids;
    wire       used     = {1'b0, flit_number, flit_place} < kind_ids;
    reg [2:0]  read_q;    // flits that were asked
    reg        written_q; // that flit
    reg        twice_q;
    reg [15:0] value_q;   // in its place
    reg [6:0]  work_q = 7'd0; // cycles in which nobody kept it waiting
    wire       writes   = write_valid && write_ready && !rst;
    wire       reads    = read_valid && read_ready && !rst;
    wire       waits    = (read_valid && !read_ready) || (write_valid && !write_ready);
    wire       of_flit  = writes && write_own == flit_own && write_number == flit_number;
    always @(posedge clk) begin
        busy_q <= !rst && (start || (busy_q && !done));
        if (start) begin
            immediate_q <= new_immediate;
            count_q     <= new_count;
            id_q        <= new_id;
        end
        data_q   <= reads;
        number_q <= read_number;
        read_q   <= start ? 3'd0 : read_q + {2'd0, reads};
        if (of_flit) value_q <= write_data[16 * flit_place +: 16];
        written_q <= !start && (written_q || of_flit);
        twice_q   <= !start && (twice_q || (of_flit && written_q));
        work_q    <= rst || start ? 7'd0 : work_q + {6'd0, work_q != 7'd127 && !waits};
    end

    wire ends = busy_q && done && !rst;
    always @* if (started_q && !rst) begin
        done_once:   assert (!done || busy_q);
        idle_quiet:  assert (busy_q || (!read_valid && !write_valid));
        in_order:    assert (!read_valid || (!immediate_q && {1'b0, read_number} == read_q && {read_number, 3'd0} < count_q));
        not_ahead:   assert (!write_valid || write_own || immediate_q || {1'b0, write_number} < read_q);
        over:        assert (!done || !write_valid);
        verdict:     assert (!ends || (malformed == says_malformed && peer == says_peer));
        numbers:     assert (!ends || (remotes == says_remotes && owns == says_owns));
        its_place:   assert (!(ends && has_id && of_own == flit_own && rank == {1'b0, flit_number, flit_place})
            || (written_q && value_q == its_id));
        rest_empty:  assert (!(ends && holds && !used) || (written_q && value_q == 16'd0));
        written_once: assert (!ends || (written_q == holds && !twice_q));
        in_time:     assert (!busy_q || work_q <= count_q + 4 * FLITS + 8);
    end
    always @* if (started_q) begin
        both:      cover (ends && count_q == MOST && says_remotes == 6'd2 && says_owns != 6'd0 && !malformed && !peer);
        all_own:   cover (ends && count_q == MOST && says_remotes == 6'd0 && !malformed && !peer);
        bad:       cover (ends && malformed && !peer && count_q == 6'd3);
        at_once:   cover (ends && immediate_q && owns == 6'd1);
    end
endmodule
`default_nettype wire
