// SPDX-License-Identifier: Apache-2.0
// Purpose: checks a target list and splits it into remote and own ids (doc/hub/packet_manager.md section 3).
// Contract:
//   1. start begins a list of count (1..MAX_TARGETS) ids; count, own, peers and, with immediate, id are stable until done.
//   2. Flit n of the list is asked by read_valid with read_number n; taken with read_ready, it is on read_data in the
//      next cycle. With immediate nothing is read: the list is id.
//   3. Remote ids, packed, are written to flits 0.. of remote, own ids to those of own (write_own); unused places of a
//      flit that holds ids are 0. A remote flit is never written before the flit of that number has been read.
//   4. done is a pulse after the last write was taken; malformed, peer, remotes and owns are then those of the whole list, and
//      stay until start. malformed: ids do not ascend strictly. peer: an id's GPU is >= GPUS or no peer.
// Cost: an id a cycle, and three to four cycles a flit.
// Limits: one list at a time.
// Proved: formal/hub/formal_list_check.v
`default_nettype none

module moehub_list_check #(
    parameter GPUS              = 8, // 2..64
    parameter LOCAL_EXPERT_BITS = 8  // 0..8
) (
    input  wire              clk,
    input  wire              rst,
    input  wire              start,
    input  wire              immediate,
    input  wire [15:0]       id,
    input  wire [5:0]        count,
    input  wire [9:0]        own,
    input  wire [GPUS - 1:0] peers,
    output wire              read_valid,
    input  wire              read_ready,
    output wire [1:0]        read_number,
    input  wire [127:0]      read_data,
    output wire              write_valid,
    input  wire              write_ready,
    output wire              write_own,
    output wire [1:0]        write_number,
    output wire [127:0]      write_data,
    output wire              done,
    output wire              malformed,
    output wire              peer,
    output wire [5:0]        remotes,
    output wire [5:0]        owns
);
    generate
        if (GPUS < 2 || GPUS > 64) GPUS_must_be_2_to_64 u_rule ();
        if (LOCAL_EXPERT_BITS < 0 || LOCAL_EXPERT_BITS > 8) LOCAL_EXPERT_BITS_must_be_0_to_8 u_rule ();
    endgenerate

    localparam [2:0] IDLE  = 3'd0;
    localparam [2:0] READ  = 3'd1; // asks for a flit
    localparam [2:0] DATA  = 3'd2; // it is there
    localparam [2:0] IDS   = 3'd3; // one a cycle
    localparam [2:0] WRITE = 3'd4; // a flit that is full
    localparam [2:0] REST  = 3'd5; // flits that are not
    localparam [31:0] GPUS_32 = GPUS;

    reg [2:0]   state_q;
    reg [127:0] flit_q;      // ids that were not looked at, next lowest
    reg [5:0]   looked_q;    // ids that were
    reg [127:0] remote_q;
    reg [127:0] own_q;
    reg [5:0]   remotes_q;
    reg [5:0]   owns_q;
    reg [15:0]  before_q;
    reg         malformed_q;
    reg         peer_q;
    reg         done_q;
    reg         full_own_q;  // which flit is full
    reg         remote_left_q; // a flit of remote ids is not written
    reg         own_left_q;

    wire [15:0] now        = flit_q[15:0];
    wire [15:0] gpu        = now >> LOCAL_EXPERT_BITS;
    wire        of_own     = gpu == {6'd0, own};
    wire [63:0] all_peers  = {{(64 - GPUS){1'b0}}, peers};
    wire        is_peer    = {16'd0, gpu} < GPUS_32 && all_peers[gpu[5:0]];
    wire        last       = looked_q + 6'd1 == count;
    wire        flit_ends  = last || looked_q[2:0] == 3'd7;
    wire        fills      = of_own ? owns_q[2:0] == 3'd7 : remotes_q[2:0] == 3'd7;
    wire [1:0]  after      = full_own_q ? owns_q[4:3] : remotes_q[4:3]; // the flit that is full is the one before
    wire        rest_own   = !remote_left_q;

    assign read_valid   = state_q == READ;
    assign read_number  = looked_q[4:3];
    assign write_valid  = state_q == WRITE || (state_q == REST && (remote_left_q || own_left_q));
    assign write_own    = state_q == WRITE ? full_own_q : rest_own;
    assign write_number = state_q == WRITE ? after - 2'd1 : rest_own ? owns_q[4:3] : remotes_q[4:3];
    assign write_data   = write_own ? own_q : remote_q;
    assign done         = done_q;
    assign malformed    = malformed_q;
    assign peer         = peer_q;
    assign remotes      = remotes_q;
    assign owns         = owns_q;

    always @(posedge clk) begin
        done_q <= 1'b0;
        case (state_q)
            // start comes late in its cycle: what is no output is made ready while nothing goes on.
            IDLE: begin
                if (start) state_q <= immediate ? IDS : READ;
                flit_q        <= {112'd0, id};
                looked_q      <= 6'd0;
                remote_q      <= 128'd0;
                own_q         <= 128'd0;
                remote_left_q <= 1'b0;
                own_left_q    <= 1'b0;
            end
            READ: if (read_ready) state_q <= DATA;
            DATA: begin
                flit_q  <= read_data;
                state_q <= IDS;
            end
            IDS: begin
                flit_q      <= {16'd0, flit_q[127:16]};
                looked_q    <= looked_q + 6'd1;
                before_q    <= now;
                malformed_q <= malformed_q || (looked_q != 6'd0 && now <= before_q);
                peer_q      <= peer_q || !is_peer;
                full_own_q  <= of_own;
                if (of_own) begin
                    own_q[owns_q[2:0] * 16 +: 16] <= now;
                    owns_q     <= owns_q + 6'd1;
                    own_left_q <= !fills;
                end else begin
                    remote_q[remotes_q[2:0] * 16 +: 16] <= now;
                    remotes_q     <= remotes_q + 6'd1;
                    remote_left_q <= !fills;
                end
                state_q <= fills ? WRITE : last ? REST : flit_ends ? READ : IDS;
            end
            WRITE: if (write_ready) begin
                if (full_own_q) own_q <= 128'd0;
                else remote_q <= 128'd0;
                state_q <= looked_q == count ? REST : looked_q[2:0] == 3'd0 ? READ : IDS;
            end
            default: begin
                if (write_ready && remote_left_q) remote_left_q <= 1'b0;
                else if (write_ready) own_left_q <= 1'b0;
                if (!remote_left_q && !own_left_q) begin
                    state_q <= IDLE;
                    done_q  <= 1'b1;
                end
            end
        endcase
        if (start && state_q == IDLE) begin
            remotes_q   <= 6'd0;
            owns_q      <= 6'd0;
            malformed_q <= 1'b0;
            peer_q      <= 1'b0;
        end
        if (rst) begin
            state_q <= IDLE;
            done_q  <= 1'b0;
        end
    end
endmodule

`default_nettype wire
