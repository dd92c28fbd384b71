# SPDX-License-Identifier: Apache-2.0
# What tables of rates share: jq -L sim/kit, `include "digits";`.
# A number from 0 on, with three digits behind the point.
def digits: . * 1000 | round | tostring | (if length < 4 then "0" * (4 - length) + . else . end) | .[:-3] + "." + .[-3:];
