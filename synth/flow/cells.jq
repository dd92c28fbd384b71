# SPDX-License-Identifier: Apache-2.0
# A Yosys netlist in JSON -> {module: {cell type: count}}, black boxes left out. (`stat -json` of some releases is not JSON when
# there is a hierarchy.)
.modules | with_entries(select(.value.attributes.blackbox == null))
| map_values(reduce .cells[].type as $type ({}; .[$type] += 1))
