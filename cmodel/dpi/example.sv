// SPDX-License-Identifier: Apache-2.0
// The models from SystemVerilog: a row announced and found again in a hub, two partials summed in a switch port.
// Ends with the number of checks; any that fails, or none made, is an error. +break makes one fail, to show that it does.
`default_nettype none
`include "moehub_defines.vh"

module example;
  `include "moehub_dpi.svh"

  localparam int unsigned TABLE = 32'h1000;
  localparam int unsigned ROWS = 1000;
  localparam int unsigned ROW_SIZE = 14336;
  localparam int unsigned REGION = 32'h100000;

  int unsigned checks = 0;
  int unsigned failures = 0;

  task automatic check(input string what, input int unsigned got, input int unsigned expected);
    checks++;
    if (got != expected) begin
      failures++;
      $display("%s: got %0d, expected %0d", what, got, expected);
    end
  endtask

  // A command without results; all of the example's are accepted.
  task automatic command(input chandle hub, input int unsigned operation, input int unsigned index,
                         input int unsigned data0, input int unsigned data1_low, input int unsigned data1_high);
    int unsigned r0, r1, r2, r3;
    check("command refused", moehub_dpi_hub_command(hub, operation, 0, index, data0, 0, data1_low, data1_high, 0,
                                                    r0, r1, r2, r3), 0);
    check("command result", r0 | r1 | r2 | r3, 0);
  endtask

  task automatic touch(input chandle hub, input int unsigned first, input int unsigned row, input int unsigned offset,
                       input int unsigned expected_status, input int unsigned expected_slot);
    int unsigned status, allocated, slot, address_low, address_high;
    moehub_dpi_hub_request(hub, `MOEHUB_REQUEST_WRITE_TOUCH, first, 0, 3, row, offset, 128, 5, 0, 0, 0,
                           status, allocated, slot, address_low, address_high);
    check("status", status, expected_status);
    check("slot", slot, expected_slot);
    check("address", address_low, expected_status == `MOEHUB_STATUS_OK ? REGION + slot * ROW_SIZE + offset : 0);
    check("address, high half", address_high, 0);
    check("allocated", allocated, expected_status == `MOEHUB_STATUS_OK ? first : 0);
  endtask

  task automatic address_path;
    int unsigned low, high, known;
    chandle hub = moehub_dpi_hub_create(4, 64, 64, 20, 22, 14, 48, 128, 4, 0, 16, 32, 128, 24, 128);
    check("table memory", moehub_dpi_hub_map(hub, TABLE, 0, 32'h10000), 1);
    command(hub, `MOEHUB_HUB_COMMAND_CONTEXT_SET, 0, TABLE, ROWS, ROW_SIZE);
    command(hub, `MOEHUB_HUB_COMMAND_PEERS_SET, 0, 32'hFFFFFFFF, 0, 0);
    command(hub, `MOEHUB_HUB_COMMAND_REGION_SET, 3, REGION, 2, 0);
    command(hub, `MOEHUB_HUB_COMMAND_ACKNOWLEDGE_CLEAR, 0, 0, 0, 0);
    command(hub, `MOEHUB_HUB_COMMAND_ENABLE, 0, 0, 0, 0);
    touch(hub, 1, 700, 0, `MOEHUB_STATUS_OK, 0);
    touch(hub, 1, 42, 256, `MOEHUB_STATUS_OK, 1);
    touch(hub, 0, 700, 128, `MOEHUB_STATUS_OK, 0);
    touch(hub, 0, 43, 0, `MOEHUB_STATUS_UNMAPPED, 0);
    touch(hub, 1, 44, 0, `MOEHUB_STATUS_FULL, 0);
    check("entry of row 42", moehub_dpi_hub_table_entry(hub, TABLE + 4 * (3 * ROWS + 42), 0), (1 << 22) | 1);
    moehub_dpi_hub_counter(hub, `MOEHUB_HUB_EVENT_ALLOCATIONS, low, high);
    check("allocations", low, $test$plusargs("break") ? 3 : 2);
    check("allocations, high half", high, 0);
    check("read of ID", moehub_dpi_hub_csr_read(hub, 0, low, known), 0);
    check("ID", low, `MOEHUB_ID_HUB);
    check("bits of ID that are known", known, 32'hFFFFFFFF);
    moehub_dpi_hub_destroy(hub);
  endtask

  // 1.5 + 2 = 3.5 and -1 + 1 = 0, in bf16.
  task automatic reduction_buffer;
    int unsigned status, entry, generation, requester, tag_low, tag_high, element, length, flits;
    chandle port = moehub_dpi_switch_create(107, 64, 128, 16, 64, 1, 8, 24, 0);
    check("reserve", moehub_dpi_switch_reserve(port, 9, 77, 0, `MOEHUB_ELEMENT_BF16, 0, 4, 32'b110, 0,
                                               status, entry, generation), 1);
    check("grant", status, `MOEHUB_STATUS_OK);
    moehub_dpi_switch_partial_word(port, 0, 32'hBF80_3FC0);
    check("partial 1", moehub_dpi_switch_partial(port, entry, generation, 1, 0, `MOEHUB_ELEMENT_BF16, 4, 1),
          `MOEHUB_REDUCTION_CAUSES);
    check("no result yet", moehub_dpi_switch_result_take(port, entry, status, requester, tag_low, tag_high, element,
                                                         length, flits), 0);
    check("duplicate", moehub_dpi_switch_partial(port, entry, generation, 1, 0, `MOEHUB_ELEMENT_BF16, 4, 1),
          `MOEHUB_REDUCTION_CAUSE_DUPLICATE);
    moehub_dpi_switch_partial_word(port, 0, 32'h3F80_4000);
    check("partial 2", moehub_dpi_switch_partial(port, entry, generation, 2, 0, `MOEHUB_ELEMENT_BF16, 4, 1),
          `MOEHUB_REDUCTION_CAUSES);
    check("result", moehub_dpi_switch_result_take(port, entry, status, requester, tag_low, tag_high, element, length,
                                                  flits), 1);
    check("status", status, `MOEHUB_STATUS_OK);
    check("requester", requester, 9);
    check("tag", tag_low, 77);
    check("tag, high half", tag_high, 0);
    check("element", element, `MOEHUB_ELEMENT_BF16);
    check("flits", flits, 1);
    check("length", length, 4);
    check("sums", moehub_dpi_switch_result_word(port, 0), 32'h0000_4060);
    moehub_dpi_switch_destroy(port);
  endtask

  initial begin
    address_path;
    reduction_buffer;
    if (failures != 0 || checks == 0) $fatal(1, "%0d of %0d checks failed", failures, checks);
    $display("%0d checks passed", checks);
    $finish;
  end
endmodule

`default_nettype wire
