# SPDX-License-Identifier: Apache-2.0
# Area and clock of all configurations.   gnuplot -e "data='..'; out='..'" plot.gnuplot
# data: a line a configuration: name, gate equivalents of logic, those of flip-flops, reached MHz, target MHz.
rows = system(sprintf("wc -l < '%s'", data)) + 0
set terminal svg size 260 + 28 * rows, 760 font "sans,12" background "white"
set output out
set multiplot
set style fill solid
set boxwidth 0.7
set grid ytics
set lmargin at screen 0.1
set rmargin at screen 0.97
set xrange [-0.7:rows - 0.3]

set tmargin at screen 0.93
set bmargin at screen 0.62
set key at screen 0.97, screen 0.98 horizontal
set ylabel "gate equivalents"
set logscale y
set yrange [50:*]
set format x ""
plot data using 0:2 with boxes linecolor rgb "#4c72b0" title "logic, memories apart", \
     '' using 0:3 with boxes linecolor rgb "#dd8452" title "of it flip-flops"

set tmargin at screen 0.54
set bmargin at screen 0.24
set key at screen 0.97, screen 0.59 horizontal
set ylabel "MHz"
unset logscale y
set yrange [0:*]
set xtics rotate by 60 right noenhanced
plot data using 0:4:xtic(1) with boxes linecolor rgb "#55a868" title "reached by the netlist made for the target", \
     '' using 0:5 with lines linewidth 2 linecolor rgb "black" title "target"
unset multiplot
