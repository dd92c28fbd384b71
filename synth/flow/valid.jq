# SPDX-License-Identifier: Apache-2.0
# True when summary.json has its form: every key, of the right type, and numbers that can be true.
def number(lowest): type == "number" and . >= lowest;
length > 0 and all(.[];
    (.config | type == "string" and . != "")
    and (.liberty.name | type == "string") and (.liberty.sha256 | test("^[0-9a-f]{64}$"))
    and (.tool_versions.yosys | test("[0-9]")) and (.tool_versions.opensta | test("[0-9]"))
    and (.commit | type == "string" and . != "")
    and (.area_um2 | number(1)) and (.gate_equivalents | number(1))
    and (.flops | number(0)) and (.memory_bits | number(0))
    and (.fmax_mhz | number(1)) and (.wns_ns | type == "number")
    and (.critical_path.start | type == "string" and . != "") and (.critical_path.end | type == "string" and . != ""))
