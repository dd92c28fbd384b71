# SPDX-License-Identifier: Apache-2.0
# What waited at most in a layer, of its JSON: at least a row, a line, a sum; and no more than the hub has room for.
.hub as $hub | .gpus as $gpus | def room($name): $hub | capture("\\b" + $name + "=(?<n>[0-9]+)").n | tonumber;
def most($name): .occupancy[$name].most;
most("packet manager: rows open") >= 1 and most("packet manager: rows open") <= 8
and most("packet manager: lines that wait, of 8 flits") >= 1
and most("packet manager: lines that wait, of 8 flits") <= room("LINES")
and most("link: lines read for sums") >= 1 and most("link: lines read for sums") <= room("READ_LINES")
and most("link: flits of stores") >= 3 and most("loop-back: flits of stores") >= 3
and most("link: writes without a response") >= 1 and most("final_reduce of a link: lines of sums") >= 1
and ([.occupancy[] | .gpu < $gpus] | all)
