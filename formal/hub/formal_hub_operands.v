// SPDX-License-Identifier: Apache-2.0
// moehub_hub_operands: which operands a command of the control window must refuse, as the table of rtl/doc/hub/hub.md section 4
// says it, in numbers wide enough for every sum and shift. What it refuses is of the operands of the cycle before.
`default_nettype none
`include "moehub_defines.vh"
module formal_hub_operands #(
    parameter GPUS            = 5,
    parameter LOCAL_EXPERTS   = 3,
    parameter ROW_INDEX_WIDTH = 9,
    parameter SLOT_WIDTH      = 13,
    parameter ADDRESS_WIDTH   = 33,
    parameter TILES           = 200,
    parameter TOKENS          = 300
) (
    input wire        clk,
    input wire [9:0]  own,
    input wire [3:0]  operation,
    input wire [15:0] index,
    input wire [63:0] data0,
    input wire [63:0] data1,
    input wire [3:0]  tile_shift,
    input wire [4:0]  list_shift,
    input wire [16:0] tile_count
);
    wire refuse;
    moehub_hub_operands #(
        .GPUS(GPUS), .LOCAL_EXPERTS(LOCAL_EXPERTS), .ROW_INDEX_WIDTH(ROW_INDEX_WIDTH), .SLOT_WIDTH(SLOT_WIDTH),
        .ADDRESS_WIDTH(ADDRESS_WIDTH), .TILES(TILES), .TOKENS(TOKENS)
    ) u_operands (
        .clk(clk), .own(own), .operation(operation), .index(index), .data0(data0), .data1(data1), .tile_shift(tile_shift),
        .list_shift(list_shift), .tile_count(tile_count), .refuse(refuse)
    );
    always @* assume (own < GPUS);

    // ---- operands of the cycle before ---------------------------------------------------------------------------------
    reg        started_q = 1'b0;
    reg [9:0]  own_q;
    reg [15:0] index_q;
    reg [63:0] data0_q, data1_q;
    reg [3:0]  tile_shift_q;
    reg [4:0]  list_shift_q;
    reg [16:0] tile_count_q;
    always @(posedge clk) begin
        started_q <= 1'b1;
        {own_q, index_q, data0_q, data1_q} <= {own, index, data0, data1};
        {tile_shift_q, list_shift_q, tile_count_q} <= {tile_shift, list_shift, tile_count};
    end

    // ---- the table --------------------------------------------------------------------------------------------------
    localparam [95:0] ONE = 1;
    wire [95:0] first      = data0_q[31:16];
    wire [95:0] region     = data0_q[15:0];
    wire [95:0] count      = data0_q[48:32];
    wire [31:0] alignment  = data1_q[4:0] + 32'd2 + $clog2(LOCAL_EXPERTS);
    wire        unaligned  = |(data0_q & ((ONE << alignment) - ONE));
    wire        no_peer    = !data0_q[own_q[5:0]];
    wire        rows       = ((own_q + ONE) << data0_q[4:0]) > (ONE << ROW_INDEX_WIDTH);
    wire        tokens     = data0_q[5] && first + (ONE << data0_q[4:0]) > TOKENS;
    wire        list       = data1_q[4:0] > SLOT_WIDTH || alignment > ADDRESS_WIDTH || unaligned
                             || data0_q >= (ONE << ADDRESS_WIDTH);
    wire        tiles      = data0_q[3:0] > 12 || first + count > TILES;
    wire        of_region  = index_q >= LOCAL_EXPERTS || region + count > tile_count_q
                             || (count << tile_shift_q) > (ONE << list_shift_q);
    wire        blocks     = data0_q[7:0] == 0 || data0_q[15:8] == 0;
    wire        timeouts   = data0_q[31:0] == 0 || data0_q[31:0] > 33'h080000000 || data0_q[63:32] == 0
                             || data0_q[63:32] > 33'h080000000;

    always @* if (started_q) begin
        peers_own:    assert (operation != `MOEHUB_HUB_CONTROL_COMMAND_PEERS_SET || refuse == no_peer);
        owner_fits:   assert (operation != `MOEHUB_HUB_CONTROL_COMMAND_OWNER_SET || refuse == (rows || tokens));
        list_fits:    assert (operation != `MOEHUB_HUB_CONTROL_COMMAND_LIST_SET || refuse == list);
        tiles_fit:    assert (operation != `MOEHUB_HUB_CONTROL_COMMAND_TILES_SET || refuse == tiles);
        region_fits:  assert (operation != `MOEHUB_HUB_CONTROL_COMMAND_REGION_TILES_SET || refuse == of_region);
        blocks_some:  assert (operation != `MOEHUB_HUB_CONTROL_COMMAND_BLOCKS_SET || refuse == blocks);
        timeouts_fit: assert (operation != `MOEHUB_HUB_CONTROL_COMMAND_TIMEOUTS_SET || refuse == timeouts);
        others:       assert (operation < `MOEHUB_HUB_CONTROL_COMMAND_ENABLE || refuse == (operation > 12));
    end
    always @* if (started_q) begin
        at_its_end: cover (!refuse && operation == `MOEHUB_HUB_CONTROL_COMMAND_REGION_TILES_SET && index_q == LOCAL_EXPERTS - 1
                           && region + count == tile_count_q && (count << tile_shift_q) == (ONE << list_shift_q));
        all_rows:   cover (!refuse && operation == `MOEHUB_HUB_CONTROL_COMMAND_OWNER_SET && own_q == 3 && data0_q[5]
                           && ((own_q + ONE) << data0_q[4:0]) == (ONE << ROW_INDEX_WIDTH));
        far_list:   cover (!refuse && operation == `MOEHUB_HUB_CONTROL_COMMAND_LIST_SET && data1_q[4:0] == SLOT_WIDTH
                           && data0_q[ADDRESS_WIDTH - 1]);
        last_tile:  cover (!refuse && operation == `MOEHUB_HUB_CONTROL_COMMAND_TILES_SET && first + count == TILES
                           && data0_q[3:0] == 12);
        longest:    cover (!refuse && operation == `MOEHUB_HUB_CONTROL_COMMAND_TIMEOUTS_SET && data0_q == 64'h8000000080000000);
        any_peers:  cover (!refuse && operation == `MOEHUB_HUB_CONTROL_COMMAND_PEERS_SET && own_q == GPUS - 1);
    end
endmodule
`default_nettype wire
