# SPDX-License-Identifier: Apache-2.0
# Pairs the memories of two sides: "cell type" lines of both files -> "base_cell now_cell name" lines. Cells of one name belong
# together, the others of a type in the order of their names. Status 1, with a message, where a type is not there as often on both
# sides.
function sorted(list, n,    i, j, t) {
    for (i = 2; i <= n; i++)
        for (j = i; j > 1 && list[j] < list[j - 1]; j--) { t = list[j]; list[j] = list[j - 1]; list[j - 1] = t }
}
NR == FNR { base[$1] = $2; count[$2]++; next }
{ now[$1] = $2; count[$2]-- }
END {
    for (type in count)
        if (count[type]) {
            printf "memories of type %s: %s\n", type, count[type] < 0 ? -count[type] " more" : count[type] " fewer"
            exit 1
        }
    for (cell in now) if (base[cell] == now[cell]) { print cell, cell, "memory_" ++pairs; delete base[cell]; delete now[cell] }
    for (type in count) {
        left = right = 0
        for (cell in base) if (base[cell] == type) a[++left] = cell
        for (cell in now) if (now[cell] == type) b[++right] = cell
        sorted(a, left); sorted(b, right)
        for (i = 1; i <= left; i++) print a[i], b[i], "memory_" ++pairs
    }
}
