// SPDX-License-Identifier: Apache-2.0
// Purpose: the oldest copy of an input for each output: offers them to the decision, sends the records of those granted.
// Contract:
//   1. begins: outputs whose heads are granted in this cycle (JOIN 0: one at most). Their records are sent, copy by copy: those
//      granted before in turn of the outputs; if there are none, the lowest of this cycle's. After a copy's last record its
//      list's next copy is the head, three cycles after that record was read.
//   2. load_* loads the head of an empty list; ready is low while the sequencer loads one.
//   3. hungry is a register: the output of a head that has starved (moehub_hungry_head), one at most.
//   4. sent tells a record's output and whether it ends its copy in the cycle of its read, its ids in the next.
//   5. join_ask: the outputs whose head is of the packet pass_name, as of the cycle before; join_soon: one of them will be open.
//      ask is the proposal of the cycle before; begin_new: the one before that becomes the pass in this cycle.
//   6. new_*: the packet chosen for a new pass and the outputs whose head it is (JOIN 0: one output), of this cycle.
//   7. The choice: the hungry head, if its output has soon_hungry; then a join has to be for it too. Else in each group of up to
//      8 outputs (o mod groups) the head of the oldest packet among those with soon; among the groups in turn, which advances
//      with new_advance.
// Cost: doc/plane/crossbar.md section 8.
// Proved: formal/switch/formal_crossbar_heads.v
`default_nettype none
`include "moehub_crossbar.vh"
`include "moehub_width.vh"

module moehub_crossbar_heads #(
    parameter PORTS    = 8,
    parameter JOIN     = 1,
    parameter WITH_IDS = 1,
    parameter PACKETS  = 682,
    parameter COPIES   = 1024
) (
    input  wire clk,
    input  wire rst,

    input  wire                                          load_valid,
    output wire                                          load_ready,
    input  wire [`MOEHUB_INDEX_WIDTH(PORTS) - 1:0]       load_output,
    input  wire [`MOEHUB_COPY_WIDTH((WITH_IDS != 0 ? COPIES : PACKETS), PACKETS) - 1:0] load_copy,

    output wire                                          sequence_valid,
    output wire                                          sequence_last,
    output wire [`MOEHUB_INDEX_WIDTH(PORTS) - 1:0]       sequence_output,
    output wire [`MOEHUB_INDEX_WIDTH(WITH_IDS != 0 ? COPIES : PACKETS) - 1:0] sequence_record,
    input  wire [`MOEHUB_COPY_RECORD_KEPT_WIDTH - 1:0]   record,
    input  wire                                          link_valid,
    input  wire [`MOEHUB_COPY_WIDTH((WITH_IDS != 0 ? COPIES : PACKETS), PACKETS) - 1:0] link,
    input  wire [PORTS - 1:0]                            aged,
    output wire [`MOEHUB_SENT_RECORD_WIDTH - 1:0]        sent,

    input  wire [PORTS - 1:0]                            soon,
    input  wire [PORTS - 1:0]                            soon_hungry,
    output wire [PORTS - 1:0]                            hungry,
    input  wire [PORTS - 1:0]                            begins,
    input  wire                                          begin_new,
    input  wire [PORTS - 1:0]                            ask,
    input  wire [`MOEHUB_INDEX_WIDTH(PACKETS) - 1:0]     pass_name,
    output wire [PORTS - 1:0]                            join_ask,
    output wire                                          join_soon,
    output wire                                          new_valid,
    output wire [PORTS - 1:0]                            new_ask,
    output wire [`MOEHUB_INDEX_WIDTH(PACKETS) - 1:0]     new_name,
    input  wire                                          new_advance
);
    localparam RECORDS       = WITH_IDS != 0 ? COPIES : PACKETS;
    localparam RECORD_WIDTH  = `MOEHUB_INDEX_WIDTH(RECORDS);
    localparam NAME_WIDTH    = `MOEHUB_INDEX_WIDTH(PACKETS);
    localparam ARRIVAL_WIDTH = `MOEHUB_ARRIVAL_WIDTH(PACKETS);
    localparam COPY_WIDTH    = `MOEHUB_COPY_WIDTH(RECORDS, PACKETS);
    localparam PORT_WIDTH    = `MOEHUB_INDEX_WIDTH(PORTS);
    localparam GROUPS        = (PORTS + 7) / 8;
    localparam [`MOEHUB_COPY_MORE_WIDTH - 1:0] MORE_ONE = 1;

    reg [PORTS - 1:0] head_valid_q;
    reg [PORTS - 1:0] pending_q; // granted before this cycle, its first record has not been chosen for reading

    // ---- sequencer s0: chooses a copy; s1: reads a record of it in each cycle; s2: the record is there ------------------
    reg                    s1_valid_q;
    reg                    s1_follows_q; // the record is the one to which the link just read leads
    reg [PORT_WIDTH - 1:0] s1_output_q;
    reg [RECORD_WIDTH - 1:0] s1_record_q;
    reg [`MOEHUB_COPY_MORE_WIDTH - 1:0] s1_more_q; // records after this one
    reg                    s2_last_q;    // a copy's last record was read in the last cycle
    reg [PORT_WIDTH - 1:0] s2_output_q;

    wire                      s1_last = s1_more_q == {`MOEHUB_COPY_MORE_WIDTH{1'b0}};
    wire                      choose  = !s1_valid_q || s1_last;
    wire                      waiting_valid;
    wire [PORTS - 1:0]        waiting_grant;
    wire [PORT_WIDTH - 1:0]   unused_waiting_output;
    wire [PORTS - 1:0]        begins_first; // of those that begin
    wire [PORTS - 1:0]        pending_grant = waiting_grant | (begins_first & {PORTS{!waiting_valid}}); // none waits: 0
    wire [PORT_WIDTH - 1:0]   pending_output;
    wire [PORTS * RECORD_WIDTH - 1:0] head_records;
    wire [PORTS * `MOEHUB_COPY_MORE_WIDTH - 1:0] head_mores;
    wire [RECORD_WIDTH - 1:0] pending_record;
    wire [`MOEHUB_COPY_MORE_WIDTH - 1:0] pending_more;
    wire [PORTS - 1:0]        pending = pending_q | begins;
    wire [PORTS - 1:0]        taken   = pending_grant & {PORTS{choose}};
    wire [RECORD_WIDTH - 1:0] link_record;
    wire [`MOEHUB_COPY_MORE_WIDTH - 1:0] unused_link_more;
    wire [NAME_WIDTH - 1:0]   unused_link_name;
    wire [ARRIVAL_WIDTH - 1:0] unused_link_arrival;

    assign `MOEHUB_COPY(link_record, unused_link_more, unused_link_name, unused_link_arrival) = link;

    moehub_arbiter #(.PORTS(PORTS)) u_sequence (
        .clk(clk), .rst(rst), .request(pending_q), .advance(choose),
        .grant_valid(waiting_valid), .grant(waiting_grant), .grant_index(unused_waiting_output)
    );
    // Grants come late in a cycle: those of this one are not in turn yet.
    generate
        if (JOIN != 0) begin : g_begins_first
            moehub_lowest_one #(.WIDTH(PORTS)) u_begins_first (.bits(begins), .lowest(begins_first));
        end else begin : g_begins_one
            assign begins_first = begins;
        end
    endgenerate
    moehub_one_hot_index #(.WIDTH(PORTS)) u_pending_output (.one_hot(pending_grant), .index(pending_output));
    moehub_one_hot_mux #(.WIDTH(RECORD_WIDTH), .WAYS(PORTS)) u_pending_record (
        .select(pending_grant), .words(head_records), .word(pending_record)
    );
    moehub_one_hot_mux #(.WIDTH(`MOEHUB_COPY_MORE_WIDTH), .WAYS(PORTS)) u_pending_more (
        .select(pending_grant), .words(head_mores), .word(pending_more)
    );

    assign sequence_valid  = s1_valid_q;
    assign sequence_last   = s1_last;
    assign sequence_output = s1_output_q;
    assign sequence_record = s1_follows_q ? link_record : s1_record_q;

    assign sent[`MOEHUB_SENT_RECORD_VALID_LSB] = s1_valid_q;
    assign sent[`MOEHUB_SENT_RECORD_OUTPUT_LSB +: `MOEHUB_SENT_RECORD_OUTPUT_WIDTH] = {{(6 - PORT_WIDTH){1'b0}}, s1_output_q};
    assign sent[`MOEHUB_SENT_RECORD_END_LSB] = s1_last;
    assign sent[`MOEHUB_SENT_RECORD_KEPT_LSB +: `MOEHUB_SENT_RECORD_KEPT_WIDTH] = record;

    // ---- heads: one is loaded in a cycle: the one that the sequencer's link led to, which comes from a memory and so waits in a
    // register; else the copy list's -----------------------------------------------------------------------------------
    reg                        next_valid_q;
    reg [PORT_WIDTH - 1:0]     next_output_q;
    reg [COPY_WIDTH - 1:0]     next_q;

    wire [PORTS - 1:0]         loads;
    wire [RECORD_WIDTH - 1:0]  loaded_record;
    wire [`MOEHUB_COPY_MORE_WIDTH - 1:0] loaded_more;
    wire [NAME_WIDTH - 1:0]    loaded_name;
    wire [ARRIVAL_WIDTH - 1:0] loaded_arrival;
    wire [PORTS * NAME_WIDTH - 1:0] head_names;
    wire [PORTS - 1:0]         older; // the head's packet came before the loaded one's, or is the same
    wire                       loaded_aged = next_valid_q && aged[next_output_q]; // a list that was empty is not aged
    reg  [PORTS - 1:0]         aged_before_q;
    wire [PORTS - 1:0]         ages = aged & ~aged_before_q;

    wire                       loaded_valid  = next_valid_q || load_valid;
    wire [PORT_WIDTH - 1:0]    loaded_output = next_valid_q ? next_output_q : load_output;

    assign load_ready = !next_valid_q;
    assign `MOEHUB_COPY(loaded_record, loaded_more, loaded_name, loaded_arrival) = next_valid_q ? next_q : load_copy;

    always @(posedge clk) begin
        s1_valid_q     <= !choose || (|pending);
        s2_last_q      <= s1_valid_q && s1_last;
        next_valid_q   <= s2_last_q && link_valid;
        aged_before_q  <= aged;
        head_valid_q   <= (head_valid_q & ~begins) | loads;
        pending_q      <= pending & ~taken;
        if (rst) begin
            s1_valid_q     <= 1'b0;
            s2_last_q      <= 1'b0;
            next_valid_q   <= 1'b0;
            head_valid_q   <= {PORTS{1'b0}};
            aged_before_q  <= {PORTS{1'b0}};
            pending_q      <= {PORTS{1'b0}};
        end
    end

    always @(posedge clk) begin
        s1_follows_q <= !choose;
        s1_more_q    <= choose ? pending_more : s1_more_q - MORE_ONE;
        if (choose) begin
            s1_output_q <= pending_output;
            s1_record_q <= pending_record;
        end
        s2_output_q   <= s1_output_q;
        next_output_q <= s2_output_q;
        next_q        <= link;
    end

    genvar o;
    generate
        for (o = 0; o < PORTS; o = o + 1) begin : g_head
            localparam [31:0] OUTPUT = o;
            reg [RECORD_WIDTH - 1:0]  record_q;
            reg [`MOEHUB_COPY_MORE_WIDTH - 1:0] more_q;
            reg [NAME_WIDTH - 1:0]    name_q;
            reg [ARRIVAL_WIDTH - 1:0] arrival_q;

            assign loads[o] = loaded_valid && loaded_output == OUTPUT[PORT_WIDTH - 1:0];
            always @(posedge clk) begin
                if (loads[o]) begin
                    record_q  <= loaded_record;
                    more_q    <= loaded_more;
                    name_q    <= loaded_name;
                    arrival_q <= loaded_arrival;
                end
            end
            assign head_records[o * RECORD_WIDTH +: RECORD_WIDTH] = record_q;
            assign head_mores[o * `MOEHUB_COPY_MORE_WIDTH +: `MOEHUB_COPY_MORE_WIDTH] = more_q;
            assign head_names[o * NAME_WIDTH +: NAME_WIDTH]       = name_q;

            wire [ARRIVAL_WIDTH - 1:0] later = loaded_arrival - arrival_q;
            assign older[o] = aged[o] || (!loaded_aged && !later[ARRIVAL_WIDTH - 1]);
        end
    endgenerate

    // ---- the head that has starved ----------------------------------------------------------------------------------
    wire hungry_soon = |(hungry & soon_hungry);

    moehub_hungry_head #(.PORTS(PORTS), .WATCH(`MOEHUB_HUNGRY_WATCH(PORTS))) u_hungry (
        .clk(clk), .rst(rst), .waits(head_valid_q), .begins(begins), .hungry(hungry)
    );

    // ---- choice: the hungry head; else the oldest of each group, the groups in turn ---------------------------------
    wire [PORTS - 1:0]  candidates = head_valid_q & soon;
    wire [PORTS - 1:0]  winners; // one of each group that has a candidate
    wire [PORTS - 1:0]  oldest; // of the group whose turn it is
    wire [PORTS - 1:0]  chosen = hungry_soon ? hungry : oldest;
    wire [GROUPS - 1:0] group_valid;
    wire [GROUPS - 1:0] group_grant;
    wire                group_any;
    wire [`MOEHUB_INDEX_WIDTH(GROUPS) - 1:0] unused_group;

    genvar g;
    genvar j;
    genvar k;
    generate
        for (g = 0; g < GROUPS; g = g + 1) begin : g_group
            localparam MEMBERS = (PORTS - g + GROUPS - 1) / GROUPS;
            wire [MEMBERS - 1:0]           members; // those that are candidates
            wire [MEMBERS * MEMBERS - 1:0] precedes;// [j * MEMBERS + k]: member j is a candidate and older than member k

            for (j = 0; j < MEMBERS; j = j + 1) begin : g_member
                assign members[j] = candidates[j * GROUPS + g];
                assign precedes[j * MEMBERS + j] = 1'b0;
                for (k = j + 1; k < MEMBERS; k = k + 1) begin : g_pair
                    reg older_q; // member j is older than member k
                    always @(posedge clk) begin
                        if (ages[j * GROUPS + g] && !aged[k * GROUPS + g]) older_q <= 1'b1;
                        if (ages[k * GROUPS + g] && !aged[j * GROUPS + g]) older_q <= 1'b0;
                        if (loads[k * GROUPS + g]) older_q <= older[j * GROUPS + g];
                        if (loads[j * GROUPS + g]) older_q <= !older[k * GROUPS + g];
                    end
                    assign precedes[j * MEMBERS + k] = members[j] && older_q;
                    assign precedes[k * MEMBERS + j] = members[k] && !older_q;
                end
            end
            for (k = 0; k < MEMBERS; k = k + 1) begin : g_oldest
                wire [MEMBERS - 1:0] others; // that are older: heads that aged one after the other, then by arrival
                for (j = 0; j < MEMBERS; j = j + 1) begin : g_other
                    assign others[j] = precedes[j * MEMBERS + k];
                end
                assign winners[k * GROUPS + g] = members[k] && !(|others);
                assign oldest[k * GROUPS + g]  = winners[k * GROUPS + g] && group_grant[g];
            end
            assign group_valid[g] = |members;
        end
    endgenerate

    moehub_arbiter #(.PORTS(GROUPS)) u_groups (
        .clk(clk), .rst(rst), .request(group_valid), .advance(new_advance && !hungry_soon),
        .grant_valid(group_any), .grant(group_grant), .grant_index(unused_group)
    );
    // ---- proposals: for the outputs whose head is the chosen one's packet; with the pass ------------------------------
    assign new_valid = hungry_soon || group_any;
    moehub_one_hot_mux #(.WIDTH(NAME_WIDTH), .WAYS(PORTS)) u_name (.select(chosen), .words(head_names), .word(new_name));

    generate
        if (JOIN == 0) begin : g_alone
            assign new_ask = chosen;
        end else if (PORTS <= 32) begin : g_pairs
            // Which heads are of one packet is found as they are loaded, so that nothing is compared after the choice.
            wire [PORTS * PORTS - 1:0] same;
            wire [PORTS - 1:0] loaded_same;
            wire [PORTS - 1:0] with_hungry; // heads of the hungry head's packet
            wire [PORTS - 1:0] with_oldest;
            for (o = 0; o < PORTS; o = o + 1) begin : g_ask
                assign loaded_same[o]      = head_names[o * NAME_WIDTH +: NAME_WIDTH] == loaded_name;
                assign same[o * PORTS + o] = 1'b1;
                assign with_hungry[o]      = |(hungry & same[o * PORTS +: PORTS]);
                assign with_oldest[o]      = |(oldest & same[o * PORTS +: PORTS]);
                assign new_ask[o]          = head_valid_q[o] && (hungry_soon ? with_hungry[o] : with_oldest[o]);
                for (j = o + 1; j < PORTS; j = j + 1) begin : g_pair
                    reg same_q;
                    always @(posedge clk) begin
                        if (loads[o]) same_q <= loaded_same[j];
                        if (loads[j]) same_q <= loaded_same[o];
                    end
                    assign same[o * PORTS + j] = same_q;
                    assign same[j * PORTS + o] = same_q;
                end
            end
        end else begin : g_names
            for (o = 0; o < PORTS; o = o + 1) begin : g_ask
                assign new_ask[o] = head_valid_q[o] && head_names[o * NAME_WIDTH +: NAME_WIDTH] == new_name;
            end
        end
        if (JOIN != 0) begin : g_join
            reg  [PORTS - 1:0] asked_q;     // heads of the packet proposed last
            reg  [PORTS - 1:0] with_pass_q; // heads of the pass's packet, as of the last cycle
            wire [PORTS - 1:0] with_pass;
            for (o = 0; o < PORTS; o = o + 1) begin : g_ask
                assign with_pass[o] = head_names[o * NAME_WIDTH +: NAME_WIDTH] == pass_name;
            end
            always @(posedge clk) begin
                asked_q     <= ask;
                with_pass_q <= (begin_new ? asked_q : head_valid_q & with_pass) & ~begins;
                if (rst) begin
                    asked_q     <= {PORTS{1'b0}};
                    with_pass_q <= {PORTS{1'b0}};
                end
            end
            assign join_ask = with_pass_q;
        end else begin : g_no_join
            wire unused = &{1'b0, pass_name, ask, begin_new};
            assign join_ask = {PORTS{1'b0}};
        end
    endgenerate
    assign join_soon = |(join_ask & (hungry_soon ? hungry : soon));
endmodule

`default_nettype wire
