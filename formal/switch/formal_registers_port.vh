// SPDX-License-Identifier: Apache-2.0
// In place of moehub_switch_port: its two register blocks alone.

    formal_seen_registers u_buffer (
        .clk(clk), .rst(rst), .number({own[6:0], 1'b0}), .bus(registers_bus[`MOEHUB_BUS_WIDTH - 1:0]),
        .answer(registers_answer[`MOEHUB_BUS_ANSWER_WIDTH - 1:0])
    );
    formal_seen_registers u_port (
        .clk(clk), .rst(rst), .number({own[6:0], 1'b1}), .bus(registers_bus[`MOEHUB_BUS_WIDTH +: `MOEHUB_BUS_WIDTH]),
        .answer(registers_answer[`MOEHUB_BUS_ANSWER_WIDTH +: `MOEHUB_BUS_ANSWER_WIDTH])
    );
