// SPDX-License-Identifier: Apache-2.0
// Purpose: brings the writes of a way together with their B responses, and tells the tile tracker (doc/hub/ingress.md section 3,
//   step 4).
// Contract:
//   1. room, room_two: at least one, two further records have a place. At most WRITES are inside.
//   2. Records leave in their order on `completed`: REFUSED ones at once, the others each with the error bit of its B response.
//   3. B is taken in every cycle after reset. One without a record is dropped.
//   4. last goes with a transfer of a packet's last record; bytes and refused with one of that kind; error_* with an error.
// Cost: three cycles from B to `completed`; WRITES records, WRITES bits; a record a cycle.
// Proved: formal/hub/formal_completed_writes.v
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_hub_way.vh"
`include "moehub_tile_tracker.vh"

module moehub_completed_writes #(
    parameter SLOT_WIDTH = 22, // 1..31
    parameter WRITES     = 256 // 2..1024
) (
    input  wire                                                clk,
    input  wire                                                rst,
    output wire                                                room,
    output wire                                                room_two,
    input  wire                                                write_valid,
    input  wire [`MOEHUB_WRITE_RECORD_WIDTH(SLOT_WIDTH) - 1:0] write_record,
    input  wire                                                m_axi_bvalid,
    output wire                                                m_axi_bready,
    input  wire [1:0]                                          m_axi_bresp,
    output wire                                                m_axis_completed_tvalid,
    input  wire                                                m_axis_completed_tready,
    output wire [`MOEHUB_COMPLETED_WIDTH(SLOT_WIDTH) - 1:0]    m_axis_completed_tdata,
    output wire                                                last,
    output wire [2:0]                                          last_context,
    output wire                                                bytes,
    output wire                                                refused,
    output wire                                                stalled,
    output wire                                                error_valid,
    output wire [127:0]                                        error_header,
    output wire [$clog2(WRITES + 1) - 1:0]                     used
);
    generate
        if (WRITES < 2 || WRITES > 1024) WRITES_must_be_2_to_1024 u_rule ();
    endgenerate

    localparam RECORD_WIDTH = `MOEHUB_WRITE_RECORD_WIDTH(SLOT_WIDTH);
    localparam COUNT_WIDTH  = $clog2(WRITES + 1);
    localparam [31:0] ALL = WRITES;
    localparam [COUNT_WIDTH - 1:0] ONE = 1;

    // ---- records, and the B responses that they wait for ------------------------------------------------------------------
    wire                      head_valid;
    wire                      head_moves;
    wire [RECORD_WIDTH - 1:0] head;
    wire                      b_valid;
    wire                      b_error;
    wire [3:0]                unused_of_fifos;

    wire [1:0] kind  = head[1:0];
    wire       waits = kind != 2'd`MOEHUB_COMPLETED_REFUSED;

    reg [COUNT_WIDTH - 1:0] used_q;
    reg [COUNT_WIDTH - 1:0] open_q; // writes whose B has not come
    reg                     room_q;
    reg                     room_two_q;
    reg                     bready_q;

    wire                    take_b = m_axi_bvalid && bready_q && open_q != {COUNT_WIDTH{1'b0}};
    wire                    opens  = write_valid && write_record[1:0] != 2'd`MOEHUB_COMPLETED_REFUSED;
    wire [COUNT_WIDTH - 1:0] used_d = write_valid && !head_moves ? used_q + ONE :
        head_moves && !write_valid ? used_q - ONE : used_q;

    assign room         = room_q;
    assign room_two     = room_two_q;
    assign m_axi_bready = bready_q;
    assign used         = used_q;

    always @(posedge clk) begin
        bready_q   <= 1'b1;
        used_q     <= used_d;
        room_q     <= used_d != ALL[COUNT_WIDTH - 1:0];
        room_two_q <= used_d < ALL[COUNT_WIDTH - 1:0] - ONE;
        if (opens && !take_b) open_q <= open_q + ONE;
        if (take_b && !opens) open_q <= open_q - ONE;
        if (rst) begin
            bready_q   <= 1'b0;
            used_q     <= {COUNT_WIDTH{1'b0}};
            open_q     <= {COUNT_WIDTH{1'b0}};
            room_q     <= 1'b0;
            room_two_q <= 1'b0;
        end
    end

    moehub_memory_fifo #(.WIDTH(RECORD_WIDTH), .DEPTH(WRITES), .LANDING(2)) u_records (
        .clk(clk), .rst(rst), .in_valid(write_valid), .in_data(write_record), .out_valid(head_valid), .out_ready(head_moves),
        .out_data(head), .empty(unused_of_fifos[0]), .parity_error(unused_of_fifos[1])
    );
    moehub_memory_fifo #(.WIDTH(1), .DEPTH(WRITES)) u_errors (
        .clk(clk), .rst(rst), .in_valid(take_b), .in_data(m_axi_bresp[1]), .out_valid(b_valid), .out_ready(head_moves && waits),
        .out_data(b_error), .empty(unused_of_fifos[2]), .parity_error(unused_of_fifos[3])
    );

    // ---- the record at the head goes when it is complete ----------------------------------------------------------------------
    reg                      valid_q;
    reg [RECORD_WIDTH - 1:0] record_q;
    reg                      error_q;

    wire leaves = valid_q && m_axis_completed_tready;
    assign head_moves = head_valid && (!waits || b_valid) && (!valid_q || leaves);

    always @(posedge clk) begin
        if (!valid_q || leaves) valid_q <= head_moves;
        if (head_moves) record_q <= head;
        if (head_moves) error_q <= waits && b_error;
        if (rst) valid_q <= 1'b0;
    end

    wire [1:0]              its_kind;
    wire                    its_last;
    wire [2:0]              its_context;
    wire [5:0]              its_source;
    wire [7:0]              its_expert;
    wire [SLOT_WIDTH - 1:0] its_slot;
    wire [7:0]              its_value;
    assign `MOEHUB_WRITE_RECORD(its_kind, its_last, its_context, its_source, its_expert, its_slot, its_value) = record_q;
    assign m_axis_completed_tvalid = valid_q;
    assign m_axis_completed_tdata  =
        `MOEHUB_COMPLETED(its_kind, its_context, its_source, its_expert, its_slot, its_value, error_q);

    // ---- what the tracker took ----------------------------------------------------------------------------------------------
    reg         last_q;
    reg         bytes_q;
    reg         refused_q;
    reg         stalled_q;
    reg         error_valid_q;
    reg [2:0]   taken_context_q;
    reg [5:0]   taken_source_q;
    reg [127:0] header;

    assign last         = last_q;
    assign last_context = taken_context_q;
    assign bytes        = bytes_q;
    assign refused      = refused_q;
    assign stalled      = stalled_q;
    assign error_valid  = error_valid_q;
    assign error_header = header;

    always @* begin
        header = 128'd0;
        header[`MOEHUB_HEADER_CONTEXT_LSB +: `MOEHUB_HEADER_CONTEXT_WIDTH] = taken_context_q;
        header[`MOEHUB_HEADER_SOURCE_LSB +: 6]                             = taken_source_q;
    end

    always @(posedge clk) begin
        last_q          <= leaves && its_last;
        bytes_q         <= leaves && its_kind == 2'd`MOEHUB_COMPLETED_BYTES;
        refused_q       <= leaves && its_kind == 2'd`MOEHUB_COMPLETED_REFUSED;
        stalled_q       <= valid_q && !m_axis_completed_tready;
        error_valid_q   <= leaves && error_q;
        taken_context_q <= its_context;
        taken_source_q  <= its_source;
        if (rst) begin
            last_q        <= 1'b0;
            bytes_q       <= 1'b0;
            refused_q     <= 1'b0;
            stalled_q     <= 1'b0;
            error_valid_q <= 1'b0;
        end
    end

    wire unused_response = m_axi_bresp[0];
endmodule

`default_nettype wire
