# SPDX-License-Identifier: Apache-2.0
# gnuplot -e 'folder="..";gpus=N;width=CYCLES' layer_plots.gnuplot: reads use.dat (cycle, up and down of each GPU), latency.dat,
# occupancy.dat of the folder
set terminal svg size 900,320 font 'sans,12' background 'white'
set grid
set key outside right
set output folder.'/use.svg'
set title 'Use of each link, fused'
set xlabel 'cycle'
set ylabel 'flits per cycle'
plot for [g=0:gpus-1] folder.'/use.dat' using 1:(column(2+2*g)) with lines title sprintf('GPU %d up', g), \
     for [g=0:gpus-1] folder.'/use.dat' using 1:(column(3+2*g)) with lines dashtype 2 title sprintf('GPU %d down', g)
set output folder.'/latency.svg'
set title 'Cycles from a row to its visibility, fused'
set xlabel 'cycles'
set ylabel 'rows'
set style fill solid 0.6
set boxwidth width
plot folder.'/latency.dat' using ($1+width/2.0):2 with boxes notitle
set output folder.'/occupancy.svg'
set title 'Tiles ready so far, all GPUs, fused'
set xlabel 'cycle'
set ylabel 'tiles'
plot folder.'/occupancy.dat' using 1:2 with steps notitle
