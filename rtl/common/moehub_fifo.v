// SPDX-License-Identifier: Apache-2.0
// Purpose: a FIFO of flops with registered handshakes: the queue between any two blocks.
//   Place 0 is the output register; when it is taken, every item moves down one place.
// Contract:
//   1. Items leave in the order in which they entered, unchanged; at most DEPTH are inside.
//   2. in_ready, out_valid, out_data and count are registers: no combinational path from any input to any output.
//   3. in_ready is high exactly while count < DEPTH (and low in reset and in the cycle after it).
//   4. An item that enters an empty FIFO is at the output in the next cycle.
//   5. count is the number of items inside, the one at the output included.
// Cost: latency 1; one item a cycle sustained for DEPTH >= 2, every second cycle for DEPTH 1 (in_ready is a register);
//   DEPTH * (WIDTH + 1) flops, each data flop behind two 2-way multiplexers.
// Limits: flops, so for shallow queues; deep ones want moehub_memory_1r1w.
// Proved: formal/common/formal_fifo.v
`default_nettype none

module moehub_fifo #(
    parameter WIDTH = 32, // 1..
    parameter DEPTH = 4   // 1.., any, not only powers of two
) (
    input  wire                           clk,
    input  wire                           rst,
    input  wire                           in_valid,
    output wire                           in_ready,
    input  wire [WIDTH - 1:0]             in_data,
    output wire                           out_valid,
    input  wire                           out_ready,
    output wire [WIDTH - 1:0]             out_data,
    output wire [$clog2(DEPTH + 1) - 1:0] count
);
    generate
        if (WIDTH < 1) WIDTH_must_be_at_least_1 u_rule ();
        if (DEPTH < 1) DEPTH_must_be_at_least_1 u_rule ();
    endgenerate

    localparam COUNT_WIDTH = $clog2(DEPTH + 1);
    localparam [COUNT_WIDTH - 1:0] ONE = 1;
    localparam [DEPTH - 1:0] PLACE_0 = 1;

    reg                     in_ready_q;
    reg [DEPTH - 1:0]       occupied_q; // thermometer: places 0 .. count-1
    reg [DEPTH - 1:0]       occupied_d;
    reg [COUNT_WIDTH - 1:0] count_q;
    reg [COUNT_WIDTH - 1:0] count_d;

    assign in_ready  = in_ready_q;
    assign out_valid = occupied_q[0];
    assign count     = count_q;

    wire enter = in_valid && in_ready_q;
    wire leave = out_valid && out_ready;

    wire [DEPTH - 1:0] one_fewer = occupied_q >> 1;           // bit i: the place above i is occupied
    wire [DEPTH - 1:0] one_more  = (occupied_q << 1) | PLACE_0;

    always @* begin
        occupied_d = occupied_q;
        count_d    = count_q;
        if (enter && !leave) begin
            occupied_d = one_more;
            count_d    = count_q + ONE;
        end else if (leave && !enter) begin
            occupied_d = one_fewer;
            count_d    = count_q - ONE;
        end
    end

    always @(posedge clk) begin
        in_ready_q <= !occupied_d[DEPTH - 1];
        occupied_q <= occupied_d;
        count_q    <= count_d;
        if (rst) begin
            in_ready_q <= 1'b0;
            occupied_q <= {DEPTH{1'b0}};
            count_q    <= {COUNT_WIDTH{1'b0}};
        end
    end

    wire [(DEPTH + 1) * WIDTH - 1:0] items; // place DEPTH is the input
    assign items[DEPTH * WIDTH +: WIDTH] = in_data;
    assign out_data = items[WIDTH - 1:0];

    genvar i;
    generate
        for (i = 0; i < DEPTH; i = i + 1) begin : g_place
            reg [WIDTH - 1:0] item_q;
            wire load = leave || (in_valid && !occupied_q[i]);
            always @(posedge clk) begin
                if (load) item_q <= one_fewer[i] ? items[(i + 1) * WIDTH +: WIDTH] : in_data;
            end
            assign items[i * WIDTH +: WIDTH] = item_q;
        end
    endgenerate
endmodule

`default_nettype wire
