// SPDX-License-Identifier: Apache-2.0
// moehub_crossbar_heads: outputs are open or not as they like, copies come with any arrival numbers that may be there together,
// lists age at any time. Whether a packet is chosen and which depends on the outputs that are open alone: one that is not is
// in no other's way. Of the heads that are open the oldest of a group is chosen.
`default_nettype none
`include "moehub_crossbar.vh"
`include "moehub_width.vh"
module formal_crossbar_heads #(
    parameter PORTS = 3,
    parameter JOIN  = 1
) (
    input wire                                     clk,
    input wire                                     rst,
    input wire                                     load_valid,
    input wire [`MOEHUB_INDEX_WIDTH(PORTS) - 1:0]  load_output,
    input wire [`MOEHUB_COPY_WIDTH(12, 2) - 1:0]   load_copy,
    input wire                                     link_valid,
    input wire [`MOEHUB_COPY_WIDTH(12, 2) - 1:0]   link,
    input wire [PORTS - 1:0]                       aged,
    input wire [PORTS - 1:0]                       soon,
    input wire [PORTS - 1:0]                       soon_hungry,
    input wire [PORTS - 1:0]                       granted,
    input wire                                     begin_new,
    input wire [PORTS - 1:0]                       ask,
    input wire                                     pass_name,
    input wire                                     new_advance,
    input wire [`MOEHUB_ARRIVAL_WIDTH(2) - 1:0]    earliest // no copy of a list that is not aged came before
);
`include "formal_one_reset.vh"
    localparam COPY_WIDTH = `MOEHUB_COPY_WIDTH(12, 2);
    localparam AGES       = `MOEHUB_ARRIVAL_WIDTH(2);
    localparam PORT_WIDTH = `MOEHUB_INDEX_WIDTH(PORTS);
    localparam GROUPS     = (PORTS + 7) / 8;

    wire                    load_ready, sequence_valid, sequence_last, new_valid, new_name, join_soon;
    wire [PORT_WIDTH - 1:0] sequence_output;
    wire [PORTS - 1:0]      hungry, join_ask, new_ask;
    reg  [PORTS - 1:0]      heads_q;  // outputs with a head
    wire [PORTS - 1:0]      begins = heads_q & granted & (JOIN != 0 ? {PORTS{1'b1}} : ~granted + 1'b1);

    moehub_crossbar_heads #(.PORTS(PORTS), .JOIN(JOIN), .WITH_IDS(1), .PACKETS(2), .COPIES(12)) u_heads (
        .clk(clk), .rst(rst), .load_valid(load_valid), .load_ready(load_ready), .load_output(load_output), .load_copy(load_copy),
        .sequence_valid(sequence_valid), .sequence_last(sequence_last), .sequence_output(sequence_output), .sequence_record(),
        .record(26'd0), .link_valid(link_valid), .link(link), .aged(aged), .sent(),
        .soon(soon), .soon_hungry(soon_hungry), .hungry(hungry), .begins(begins), .begin_new(begin_new), .ask(ask),
        .pass_name(pass_name), .join_ask(join_ask), .join_soon(join_soon),
        .new_valid(new_valid), .new_ask(new_ask), .new_name(new_name), .new_advance(new_advance)
    );

    // ---- heads: the copy list's at once, the sequencer's three cycles after its copy's last record was read ---------------
    reg                    ended_q, next_q;
    reg [PORT_WIDTH - 1:0] ended_output_q, next_output_q;
    reg [COPY_WIDTH - 1:0] next_copy_q;
    reg [AGES - 1:0]       arrival_q [0:PORTS - 1];
    reg                    name_q [0:PORTS - 1];
    wire                    loads  = next_q || load_valid;
    wire [PORT_WIDTH - 1:0] port = next_q ? next_output_q : load_output;
    wire [COPY_WIDTH - 1:0] copy   = next_q ? next_copy_q : load_copy;
    wire [AGES - 1:0]       arrival = copy[COPY_WIDTH - 1 -: AGES];
    wire [PORTS - 1:0]      loaded = loads ? {{(PORTS - 1){1'b0}}, 1'b1} << port : {PORTS{1'b0}};
    reg  [PORTS - 1:0]      aged_q;
    always @(posedge clk) begin
        ended_q        <= sequence_valid && sequence_last;
        ended_output_q <= sequence_output;
        next_q         <= ended_q && link_valid;
        next_output_q  <= ended_output_q;
        next_copy_q    <= link;
        heads_q        <= (heads_q & ~begins) | loaded;
        aged_q         <= aged;
        if (loads) arrival_q[port] <= arrival;
        if (loads) name_q[port] <= copy[COPY_WIDTH - 1 - AGES];
        if (rst) begin
            heads_q <= 0;
            ended_q <= 0;
            next_q  <= 0;
            aged_q  <= 0;
        end
    end

    // ---- what may come (moehub_copy_list, moehub_list_age) -----------------------------------------------------------------
    integer i, j, k;
    always @* begin
        assume (loads == 0 || port < PORTS);
        assume (!loads || !heads_q[port]);                   // a list's next copy comes when the one before has begun
        assume (next_q || !load_valid || !aged[load_output]);   // a list that was empty is not aged
        assume ((aged_q & ~aged & heads_q) == 0);               // a list's last old copy has been read
        for (i = 0; i < PORTS; i = i + 1)
            assume (aged[i] || !heads_q[i] || (arrival_q[i] - earliest) >> (AGES - 1) == 0);
        assume (!loads || aged[port] || (arrival - earliest) >> (AGES - 1) == 0);
    end

    // ---- what is chosen ------------------------------------------------------------------------------------------------------
    wire [PORTS - 1:0] open = heads_q & soon;
    wire hungry_open        = (hungry & soon_hungry) != 0;
    wire [PORTS - 1:0] asked_open = hungry_open ? new_ask & hungry & soon_hungry : new_ask & open;
    reg  [PORTS - 1:0] preceded; // another open head of its group goes first, whatever the order of ages
    reg                oldest;   // an open head with the chosen name is not
    always @* begin
        preceded = 0;
        oldest   = 0;
        for (k = 0; k < PORTS; k = k + 1) begin
            for (j = 0; j < PORTS; j = j + 1)
                if (j != k && j % GROUPS == k % GROUPS && open[j] && !aged[k] &&
                    (aged[j] || (arrival_q[k] != arrival_q[j] && (arrival_q[k] - arrival_q[j]) >> (AGES - 1) == 0)))
                    preceded[k] = 1;
            if (open[k] && !preceded[k] && name_q[k] == new_name && new_ask[k]) oldest = 1;
        end
    end

    wire runs = started_q && !rst;
    // Lists that age in this cycle are ordered with the next one.
    wire steady = (aged & ~aged_q) == 0;
    always @* begin
        open_found:   assert (!runs || open == 0 || new_valid);
        closed_never: assert (!runs || !new_valid || open != 0 || hungry_open);
        open_asked:   assert (!runs || !new_valid || asked_open != 0);
        heads_alone:  assert (!runs || !new_valid || (new_ask & ~heads_q) == 0);
        oldest_first: assert (!runs || !steady || !new_valid || hungry_open || oldest);
        join_open:    assert (!runs || !join_soon || (join_ask & (hungry_open ? hungry : soon)) != 0);
    end
    always @* begin
        one_closed: cover (runs && steady && new_valid && !hungry_open && (heads_q & ~soon) != 0 && (open & (open - 1)) != 0);
        with_aged:  cover (runs && steady && new_valid && !hungry_open && (aged & open) != 0 && (open & ~aged) != 0);
        joins:      cover (runs && join_soon && (join_ask & ~soon) != 0);
    end
endmodule
`default_nettype wire
