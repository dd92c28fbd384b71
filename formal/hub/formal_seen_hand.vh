// SPDX-License-Identifier: Apache-2.0
// In place of moehub_packet_manager_hand: what it is told is what it tells. Up to two links.

    assign valid   = fills;
    assign slot    = clear ? clear_slot : step_slot;
    assign entry   = step_entry;
    assign line    = stops ? ~step_line : step_line;
    assign reasons = owed_many;
