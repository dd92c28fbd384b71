// SPDX-License-Identifier: Apache-2.0
// moehub_header_check: the cause is that of the tables of doc/packet.md, sections 3 and 5, written here once more type by type,
// as masks and bounds; and a header without a cause has the flits that section 1 says.
`default_nettype none
`include "moehub_defines.vh"
module formal_header_check #(
    parameter TOWARDS_HUB       = 0,
    parameter PORTS             = 8,
    parameter LOCAL_EXPERT_BITS = 8,
    parameter MAX_TARGETS       = 32,
    parameter REQUEST_LINES     = 8
) (
    input wire [127:0] header,
    input wire [1:0]   flit_class,
    input wire [9:0]   own
);
    wire       malformed;
    wire [3:0] cause;
    wire [4:0] flits;
    wire [2:0] target_flits;
    wire [5:0] targets;

    moehub_header_check #(
        .TOWARDS_HUB(TOWARDS_HUB), .PORTS(PORTS), .LOCAL_EXPERT_BITS(LOCAL_EXPERT_BITS), .MAX_TARGETS(MAX_TARGETS),
        .REQUEST_LINES(REQUEST_LINES)
    ) u_check (
        .header(header), .flit_class(flit_class), .own(own), .malformed(malformed), .cause(cause), .flits(flits),
        .target_flits(target_flits), .targets(targets)
    );

    function [127:0] bits(input integer high, input integer low); // these bits are 1
        integer i;
        for (i = 0; i < 128; i = i + 1) bits[i] = i >= low && i <= high;
    endfunction

    localparam [127:0] HINTS     = bits(8, 6); // FIRST, BYTE_ENABLES, NOP
    localparam [127:0] OUT_FP32  = bits(9, 9);
    localparam [127:0] STATUS    = bits(59, 56);
    localparam [127:0] ELEMENT   = bits(61, 60);
    localparam [127:0] OPERATION = bits(63, 62);
    localparam [127:0] SUM       = bits(62, 62);
    localparam [127:0] ROW_INDEX = bits(111, 80);
    localparam [127:0] STAGE     = bits(112, 112);
    localparam [127:0] ZERO      = bits(127, 123);
    localparam [127:0] COMPACT_STAGE = bits(101, 101);

    localparam [3:0] NONE = 4'd15;

    // The fixed bits of a type, and what they are. Both formats of a copy.
    reg         compact;
    reg [127:0] fixed;
    reg [127:0] value;
    reg [1:0]   its_class;
    reg         known;
    reg [9:0]   length;
    reg [6:0]   count;
    reg [16:0]  offset;
    reg [10:0]  source;
    reg [6:0]   lines; // and target flits: rounded up
    reg [3:0]   target_flits_of;
    reg         length_good;
    reg         source_good;
    reg         count_good;
    reg         target_good;
    reg [3:0]   expected;
    reg [6:0]   expected_flits;
    reg [7:0]   id_0;
    reg [7:0]   id_1;
    reg [7:0]   id_2;

    always @* begin
        compact     = header[5:4] == 2'd1 && TOWARDS_HUB == 1;
        length      = header[18:10];
        source      = header[28:19];
        offset      = compact ? {3'd0, header[70:64], 7'd0} : {1'b0, header[79:64]};
        count       = compact ? header[103:102] : header[118:113];
        lines       = (length + 10'd7) >> 3;
        target_flits_of = compact ? 4'd0 : (count + 7'd7) >> 3;
        {id_2, id_1, id_0} = header[127:104];
        known       = 1'b1;
        its_class   = 2'd2;
        fixed       = OPERATION | (compact ? COMPACT_STAGE : STAGE | ZERO);
        value       = 128'd0;
        length_good = length == 0;
        count_good  = count == 0;
        target_good = TOWARDS_HUB == 1 ? offset == own : offset < PORTS && offset != own;
        case (header[3:0])
        4'd1, 4'd2: begin // stores
            its_class   = 2'd0;
            fixed       = fixed | OUT_FP32 | STATUS;
            length_good = length >= 16 && length <= 128 && length[3:0] == 0 && offset[3:0] == 0 && offset[6:0] + length <= 128;
            count_good  = header[3:0] == 4'd1 ? count == 1 : count >= 1 && count <= MAX_TARGETS;
        end
        4'd3: begin // ld_reduce
            its_class   = 2'd1;
            fixed       = fixed | HINTS | STATUS;
            value       = SUM | (compact ? COMPACT_STAGE : STAGE);
            length_good = length >= 1 && length <= 8 * REQUEST_LINES && offset[6:0] == 0 &&
                (compact || offset[16:7] + {3'd0, lines} <= 512);
            count_good  = count >= 1 && count <= MAX_TARGETS;
        end
        4'd4, 4'd5: begin // partial, result
            known       = (header[3:0] == 4'd5) == (TOWARDS_HUB == 1);
            fixed       = fixed | HINTS | ROW_INDEX | (header[3:0] == 4'd4 ? OUT_FP32 : 128'd0);
            value       = STAGE;
            length_good = header[59:56] != 4'd0 ? length == 0
                : length >= 16 && length <= (header[3:0] == 4'd5 ? 256 : 128) && length[3:0] == 0;
        end
        4'd7: fixed = fixed | HINTS | OUT_FP32 | STATUS | ELEMENT; // close
        4'd8: begin // notify
            fixed = fixed | HINTS | OUT_FP32 | ELEMENT;
            value = STAGE;
        end
        default: known = 1'b0;
        endcase
        if (TOWARDS_HUB == 0) source_good = source == own;
        else if (header[3:0] == 4'd5) source_good = source == own;
        else source_good = source < PORTS && source != own;
        if (its_class != 2'd2) target_good = !compact || (
            id_0 >> LOCAL_EXPERT_BITS == 0 && id_1 >> LOCAL_EXPERT_BITS == 0 && id_2 >> LOCAL_EXPERT_BITS == 0 &&
            (count < 2 ? id_1 == 0 : id_1 > id_0) && (count < 3 ? id_2 == 0 : id_2 > id_1));

        if (!known) expected = 4'd0;
        else if (flit_class != its_class) expected = 4'd1;
        else if (header[5:4] != 2'd0 && !(compact && its_class != 2'd2)) expected = 4'd2;
        else if ((header & fixed) != value || ((its_class == 2'd1 || header[3:0] == 4'd4 || header[3:0] == 4'd5)
                && header[61:60] == 2'd3)) expected = 4'd3;
        else if (!source_good) expected = 4'd4;
        else if (!length_good) expected = 4'd5;
        else if (!count_good) expected = 4'd6;
        else if (!target_good) expected = 4'd7;
        else expected = NONE;
        expected_flits = 7'd1 + target_flits_of + header[7] + (its_class == 2'd1 ? 7'd0 : (length + 10'd15) >> 4);
    end

    always @* begin
        right_cause:   assert (malformed ? cause == expected : expected == NONE);
        right_flits:   assert (expected != NONE || flits == expected_flits);
        right_targets: assert (expected != NONE || (targets == count && target_flits == target_flits_of));
    end
endmodule
`default_nettype wire
