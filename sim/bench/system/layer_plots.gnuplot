# SPDX-License-Identifier: Apache-2.0
# gnuplot -e 'folder="..";gpus=N;planes=N;width=CYCLES' layer_plots.gnuplot: reads use.dat (cycle, up and down of each link of
# each GPU), latency.dat, tiles.dat of the folder
set terminal svg size 900,320 font 'sans,12' background 'white'
set grid
set key outside right
set output folder.'/use.svg'
set title 'Use of each link, fused'
set xlabel 'cycle'
set ylabel 'flits per cycle'
of_link(i) = planes == 1 ? sprintf('GPU %d', i) : sprintf('GPU %d link %d', i / planes, i % planes)
plot for [i=0:gpus*planes-1] folder.'/use.dat' using 1:(column(2+2*i)) with lines title of_link(i).' up', \
     for [i=0:gpus*planes-1] folder.'/use.dat' using 1:(column(3+2*i)) with lines dashtype 2 title of_link(i).' down'
set output folder.'/latency.svg'
set title 'Cycles from a row to its visibility, fused'
set xlabel 'cycles'
set ylabel 'rows'
set style fill solid 0.6
set boxwidth width
plot folder.'/latency.dat' using ($1+width/2.0):2 with boxes notitle
set output folder.'/tiles.svg'
set title 'Tiles ready so far, all GPUs, fused'
set xlabel 'cycle'
set ylabel 'tiles'
plot folder.'/tiles.dat' using 1:2 with steps notitle
