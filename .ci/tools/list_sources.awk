# SPDX-License-Identifier: Apache-2.0
# Prints the source files of a file list, those of nested lists (-f LIST) included, each once.
#   awk -f list_sources.awk LIST
function print_sources(list,    line, count, words, i)
{
    while ((getline line < list) > 0) {
        sub(/\/\/.*/, "", line)
        count = split(line, words)
        for (i = 1; i <= count; i++) {
            if (words[i] == "-f")
                print_sources(words[++i])
            else if (words[i] !~ /^[+-]/ && !(words[i] in seen) && ++seen[words[i]])
                print words[i]
        }
    }
    close(list)
}
BEGIN { print_sources(ARGV[1]) }
