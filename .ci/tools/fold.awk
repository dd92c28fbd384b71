# SPDX-License-Identifier: Apache-2.0
# -v indent=N: the words behind the first N columns of each line, in lines of at most 100 columns; those that go on are indented.
{
    line = substr($0, 1, indent)
    count = split(substr($0, indent + 1), words, " ")
    for (i = 1; i <= count; i++) {
        if (i > 1 && length(line) + 1 + length(words[i]) > 100) {
            print line
            line = sprintf("%*s%s", indent, "", words[i])
        } else
            line = line (i > 1 ? " " : "") words[i]
    }
    print line
}
