# measured.awk - from a library's facts, the cells of a netlist and its paths: a line that people read.
$1 == "area" { area[$2] = $3 }
$1 == "ff" { ff[$2] = 1 }
$1 == "nand2" { nand = $3 }
$1 == "time" { time = $2 }
$1 == "fo4" { fo4 = $2 }
NF == 2 && ($1 in ff) { n_ff += $2 }
/Chip area for/ { total = $NF }
NF == 4 && $1 ~ /^(reg|in)-(reg|out)$/ {
    line = line sprintf("  %s %.1f FO4", $1, $2 * time / fo4)
    if ($2 > worst) { worst = $2; from = $3; to = $4 }
}
END {
    printf "%s: %.2f kGE, %d flip-flops, %.1f FO4 = %.2f ns (%s -> %s); %s\n", case, total / nand / 1000, n_ff, \
        worst * time / fo4, worst * time / 1000, from, to, line
}
