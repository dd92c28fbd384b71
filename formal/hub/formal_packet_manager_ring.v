// SPDX-License-Identifier: Apache-2.0
// moehub_packet_manager_ring: one store of the solver's choice. As long as it was not taken it is shown in its turn, by one and
// the same place, which has its mask and data; it is tried again with all behind it where one must wait. Eight places.
`default_nettype none
`include "moehub_packet_manager.vh"
module formal_packet_manager_ring #(
    parameter STORE_BYTES = 16
) (
    input wire                                              clk,
    input wire                                              rst,
    input wire                                              initialised,
    input wire                                              valid,
    input wire [`MOEHUB_ROW_STORE_WIDTH(STORE_BYTES) - 1:0] store,
    input wire                                              issue,
    input wire                                              read,
    input wire [2:0]                                        read_place,
    input wire                                              data_read,
    input wire [2:0]                                        data_place,
    input wire                                              done,
    input wire                                              again,
    input wire                                              choose // of the store that enters: this one
);
`include "formal_reset.vh"
    localparam PLACES = 8;
    wire                         ready;
    wire                         next_valid;
    wire [2:0]                   next_place;
    wire [15:0]                  next_handle;
    wire [15:0]                  next_offset;
    wire                         next_nop;
    wire [STORE_BYTES - 1:0]     read_mask;
    wire [8 * STORE_BYTES - 1:0] data_there;
    moehub_packet_manager_ring #(.STORE_BYTES(STORE_BYTES)) u_ring (
        .clk(clk), .rst(rst), .initialised(initialised), .s_axis_store_tvalid(valid), .s_axis_store_tready(ready),
        .s_axis_store_tdata(store), .next_valid(next_valid), .next_place(next_place), .next_handle(next_handle),
        .next_offset(next_offset), .next_nop(next_nop), .issue(issue), .read(read), .read_place(read_place),
        .read_mask(read_mask), .data_read(data_read), .data_place(data_place), .data_there(data_there), .done(done),
        .again(again)
    );

    // ---- how many there are, oldest first: first those in the pipeline -----------------------------------------------------
    reg [3:0]  inside_q = 4'd0;
    reg [3:0]  issued_q = 4'd0;
    reg        opens_q  = 1'b0; // it was initialised in the cycle before
    wire       enter    = valid && ready && !rst;
    always @(posedge clk) begin
        inside_q <= inside_q + enter - done;
        issued_q <= again ? 4'd0 : issued_q + issue - done;
        opens_q  <= initialised && !rst;
        if (rst) begin
            inside_q <= 4'd0;
            issued_q <= 4'd0;
        end
    end
    always @* begin
        assume (!issue || next_valid);
        assume (!(done || again) || issued_q != 4'd0);
        assume (!(done && again));
    end

    // ---- the chosen one ----------------------------------------------------------------------------------------------------
    wire [15:0]                  handle;
    wire [15:0]                  offset;
    wire                         nop;
    wire [STORE_BYTES - 1:0]     mask;
    wire [8 * STORE_BYTES - 1:0] data;
    assign `MOEHUB_ROW_STORE(handle, offset, nop, mask, data) = store;
    reg                          inside_1_q = 1'b0; // it is inside
    reg [3:0]                    older_q;           // stores inside that are older
    reg [2:0]                    place_q;           // its place: they are given in turn
    // A bit of each of its fields.
    (* anyconst *) wire [5:0]    of_name;
    (* anyconst *) wire [6:0]    of_mask;
    (* anyconst *) wire [9:0]    of_data;
    always @* assume (of_name < 33 && of_mask < STORE_BYTES && of_data < 8 * STORE_BYTES);
    wire [32:0]                  name = {nop, offset, handle};
    wire [32:0]                  next_name = {next_nop, next_offset, next_handle};
    reg                          name_q;
    reg                          mask_q;
    reg                          data_q;
    reg                          read_q      = 1'b0; // its mask was read in the cycle before
    reg                          data_read_q = 1'b0;
    reg                          again_q     = 1'b0; // it was in the pipeline and must be tried again
    wire                         is_next = inside_1_q && older_q == issued_q;
    wire                         leaves  = inside_1_q && done && older_q == 4'd0;
    wire [3:0]                   before  = inside_q - issued_q; // stores that are shown before one that enters
    wire                         starts  = enter && choose && !inside_1_q;
    always @(posedge clk) begin
        inside_1_q <= (inside_1_q || starts) && !leaves;
        if (starts) begin
            older_q <= inside_q - done;
            place_q <= next_place + before[2:0];
            name_q  <= name[of_name];
            mask_q  <= mask[of_mask];
            data_q  <= data[of_data];
        end else begin
            older_q <= older_q - done;
        end
        read_q      <= inside_1_q && read && read_place == place_q && !rst;
        data_read_q <= inside_1_q && data_read && data_place == place_q && !rst;
        again_q     <= inside_1_q && !leaves && !rst && (again_q || (again && older_q < issued_q));
        if (rst) inside_1_q <= 1'b0;
    end

    always @* if (started_q) begin
        there_is:  assert (next_valid == (inside_q != issued_q));
        its_name:  assert (!is_next || next_name[of_name] == name_q);
        its_place: assert (!is_next || next_place == place_q);
        its_mask:  assert (!read_q || read_mask[of_mask] == mask_q);
        its_data:  assert (!data_read_q || data_there[of_data] == data_q);
        fits:      assert (inside_q <= PLACES);
        takes:     assert (ready == (opens_q && inside_q < PLACES));
    end
    always @* begin
        tried_again: cover (started_q && is_next && again_q && older_q != 4'd0 && place_q == 3'd0);
        read_full:   cover (started_q && read_q && data_read_q && again_q && inside_q == PLACES);
    end
endmodule
`default_nettype wire
