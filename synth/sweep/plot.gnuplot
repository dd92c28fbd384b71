# SPDX-License-Identifier: Apache-2.0
# One plot: curves in blocks of `data` (title line, then x y), knees in `knees` (x y), the papers' size at x = paper.
#   gnuplot -e "data='..'; knees='..'; paper=512; name='..'; xname='..'; yname='..'; out='..'; curves=N" plot.gnuplot
set terminal svg size 900,560 font "sans,12" background "white"
set output out
set logscale x 2
set xlabel xname
set ylabel yname
set title name noenhanced
set key below noenhanced
set grid
set yrange [0:1.05]
set arrow from paper, graph 0 to paper, graph 1 nohead dashtype 2 linecolor rgb "gray40"
set label sprintf("  papers: %g", paper) at paper, graph 0.04 textcolor rgb "gray40"
plot for [i = 0:curves - 1] data index i using 1:2 with linespoints pointtype 7 pointsize 0.5 title columnheader(1), \
     knees using 1:2 with points pointtype 6 pointsize 2 linewidth 2 linecolor rgb "black" title "knee"
