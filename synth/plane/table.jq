# SPDX-License-Identifier: Apache-2.0
# plane.json and the parts' records -> Markdown.
include "die";
include "parts";
def port_cells: [.port, .stores, .requests, .responses];
($parts[0][0]) as $first
| ($first | title("Switch planes")),
  "Each part alone, once, times its number. k gate equivalents without memories; kbit of memory. Columns up to *of all",
  "crossbars* are of one port.\n",
  "| ports | port | crossbar of stores | of requests | of responses | of all crossbars | memory of a port | whole plane "
    + "| memory of the plane |",
  "|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
  (.[] | "| \(.ports) | \(.port.gate_equivalents | thousand) | \(.stores.gate_equivalents | thousand) "
    + "| \(.requests.gate_equivalents | thousand) | \(.responses.gate_equivalents | thousand) "
    + "| \([.stores, .requests, .responses] | map(.gate_equivalents) | add | thousand) "
    + "| \(port_cells | map(.memory_bits) | add | thousand) | \(.plane.gate_equivalents | thousand) "
    + "| \(.plane.memory_bits | thousand) |"),
  "\n## Share of a switch die of \(switch_mm2) mm2\n",
  assumptions,
  "\n| ports | logic mm2 | memory mm2 | logic % of die | with memories % of die |",
  "|--:|--:|--:|--:|--:|",
  (.[] | "| \(.ports) | \(.plane | share(switch_mm2)) |"),
  "\nDySHARP's switch (arXiv 2605.05607): < 0.01 mm2, < 0.1 % of \(switch_mm2) mm2, for the control of multicast and reduction "
    + "alone:",
  "links, packet stores, crossbars and reduction buffers, which a plane here has, are not in it.\n",
  ($parts[0] | part_rows)
