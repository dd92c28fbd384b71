// SPDX-License-Identifier: Apache-2.0
// Purpose: the stores that are in the pipeline, or wait to be tried again (doc/hub/packet_manager.md section 4).
// Contract:
//   1. next_valid: a store that is not in the pipeline; next_place names it. `issue` puts it there. `read` with its place shows
//      its mask in the next cycle, data_read with its place its data, until it was taken.
//   2. done: the oldest store was taken. again: it must wait; it and all behind it are not in the pipeline any more.
//   3. s_axis_store_tready is a register.
// Cost: 8 places; a store a cycle sustained.
// Proved: formal/hub/formal_packet_manager_ring.v
`default_nettype none
`include "moehub_packet_manager.vh"

module moehub_packet_manager_ring #(
    parameter STORE_BYTES = 32 // 16, 32, 64, 128
) (
    input  wire                                                clk,
    input  wire                                                rst,
    input  wire                                                initialised,
    input  wire                                                s_axis_store_tvalid,
    output wire                                                s_axis_store_tready,
    input  wire [`MOEHUB_ROW_STORE_WIDTH(STORE_BYTES) - 1:0]   s_axis_store_tdata,
    output wire                                                next_valid,
    output wire [2:0]                                          next_place,
    output wire [15:0]                                         next_handle,
    output wire [15:0]                                         next_offset,
    output wire                                                next_nop,
    input  wire                                                issue,
    input  wire                                                read,
    input  wire [2:0]                                          read_place,
    output wire [STORE_BYTES - 1:0]                            read_mask,
    input  wire                                                data_read,
    input  wire [2:0]                                          data_place,
    output wire [8 * STORE_BYTES - 1:0]                        data_there,
    input  wire                                                done,
    input  wire                                                again
);
    wire [15:0]                    handle;
    wire [15:0]                    offset;
    wire                           nop;
    wire [STORE_BYTES - 1:0]       mask;
    wire [8 * STORE_BYTES - 1:0]   data;
    assign `MOEHUB_ROW_STORE(handle, offset, nop, mask, data) = s_axis_store_tdata;

    reg [8 * 33 - 1:0] names_q;  // what is looked at before the data
    reg [2:0]          tail_q;   // the next place to fill
    reg [2:0]          next_q;
    reg [2:0]          oldest_q;
    reg [3:0]          inside_q;
    reg [3:0]          ahead_q;  // not in the pipeline
    reg                ready_q;

    wire       enter       = s_axis_store_tvalid && ready_q;
    wire [3:0] held        = inside_q + {3'd0, enter} - {3'd0, done};
    wire [1:0] unused_parity;

    assign s_axis_store_tready = ready_q;
    assign next_valid = ahead_q != 4'd0;
    assign next_place = next_q;
    assign {next_nop, next_offset, next_handle} = names_q[next_q * 33 +: 33];

    always @(posedge clk) begin
        if (enter) begin
            names_q[tail_q * 33 +: 33] <= {nop, offset, handle};
            tail_q <= tail_q + 3'd1;
        end
        oldest_q <= oldest_q + {2'd0, done};
        inside_q <= held;
        ready_q  <= initialised && held < 4'd8;
        next_q   <= again ? oldest_q : next_q + {2'd0, issue};
        ahead_q  <= again ? held : ahead_q + {3'd0, enter} - {3'd0, issue};
        if (rst) begin
            tail_q   <= 3'd0;
            next_q   <= 3'd0;
            oldest_q <= 3'd0;
            inside_q <= 4'd0;
            ahead_q  <= 4'd0;
            ready_q  <= 1'b0;
        end
    end

    moehub_memory_1r1w #(.WIDTH(STORE_BYTES), .DEPTH(8), .PARITY(0)) u_masks (
        .clk(clk), .write_enable(enter), .write_address(tail_q), .write_data(mask), .read_enable(read && !rst),
        .read_address(read_place), .read_data(read_mask), .parity_error(unused_parity[0])
    );
    moehub_memory_1r1w #(.WIDTH(8 * STORE_BYTES), .DEPTH(8), .PARITY(0)) u_data (
        .clk(clk), .write_enable(enter), .write_address(tail_q), .write_data(data), .read_enable(data_read && !rst),
        .read_address(data_place), .read_data(data_there), .parity_error(unused_parity[1])
    );
endmodule

`default_nettype wire
