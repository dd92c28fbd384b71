# SPDX-License-Identifier: Apache-2.0
# Bins: area against the worst error, a point a K.   gnuplot -e "data='..'; out='..'" bins.gnuplot
set terminal svg size 700,480 font "sans,12" background "white"
set output out
set logscale y
set format y "10^{%T}"
set xlabel "gate equivalents of a bf16 lane with bypass"
set ylabel "worst error / largest input"
set title "Bins K = 2, 3, 4: area against error"
set grid
set key top right
set offsets graph 0.1, graph 0.2, graph 0.1, graph 0.1
plot data using 2:3 with linespoints pointtype 7 title "bf16", '' using 2:4 with linespoints pointtype 5 title "fp32", \
     '' using 2:3:(sprintf("  K = %d, %d MHz", $1, $5)) with labels left offset 0,0.8 notitle
