# silicon.awk - a part of silicon.md as Markdown: headline-SIZE, medium or paper; or chart, "H100 model" of each kernel of a size, sizes
# apart by two empty lines. From silicon-h100.csv and the lines of silicon.sh measure.

FNR == 1 { file++ }
file == 1 && FNR == 1 && $7 != "cycles" { fail("its 7th column is not cycles") }
file == 1 && FNR > 1 {
    k = $2 "/" $1 "/" $3
    order[++n] = k
    launches[k] = $4
    registers[k] = $5
    cycles[k] = $7
    instructions[k] = $8
    l1[k] = $9 > 0 ? $10 / $9 : ""
    dram[k] = $13
}
file == 2 {
    k = $2 "/" $1 "/" $3
    if (!(k in cycles)) fail(k " has not been measured on the H100")
    if (launches[k] != $4) fail(k " has " $4 " launches, and " launches[k] " on the H100")
    ours[k] = $5
    our_instructions[k] = $6
    our_registers[k] = $7
    our_l1[k] = $9 > 0 ? $10 / $9 : ""
    our_dram[k] = $11
}

function fail(what) {
    print FILENAME ": " what > "/dev/stderr"
    failed = 1
    exit 1
}
function commas(x, text) {
    text = sprintf("%d", x)
    while (text ~ /[0-9][0-9][0-9][0-9](,|$)/) sub(/[0-9][0-9][0-9](,|$)/, ",&", text)
    return text
}
function percent(x) { return x == "" ? "" : sprintf("%.0f %%", 100 * x) }
function magnitude(x) { return x < 0 ? -x : x }
# Kernels of a size that the model has run as a whole.
function is_of(k, size) {
    if (index(k, size "/") != 1) return 0
    if (!(k in ours)) fail(k " has not been run")
    return 1
}

# One sentence on a size.
function headline(size, i, k, m, x, y, near, error, sum, sx, sy, sxx, syy, sxy, programs, part, seen) {
    for (i = 1; i <= n; i++) {
        k = order[i]
        if (!is_of(k, size)) continue
        m++
        split(k, part, "/")
        if (!(part[2] in seen)) programs++
        seen[part[2]]
        x = log(cycles[k])
        y = log(ours[k])
        near += magnitude(ours[k] / cycles[k] - 1) <= 0.25
        error += magnitude(ours[k] / cycles[k] - 1)
        sum += y - x
        sx += x; sy += y; sxx += x * x; syy += y * y; sxy += x * y
    }
    if (m == 0) fail("no kernel in size " size)
    printf "Size `%s`: of %d kernels of %d programs %d take within 25 %% of the H100's cycles. ", size, m, programs, near
    printf "The arithmetic mean error is %.0f %%, the geometric mean of model over H100 %.2f, and the correlation of the logarithms %.3f.\n",
        100 * error / m, exp(sum / m), (m * sxy - sx * sy) / sqrt((m * sxx - sx * sx) * (m * syy - sy * sy))
}

# Kernels with the largest ratio first.
function table(size, i, j, k, m, row, part) {
    print "| program | kernel | launches | H100 cycles | model | ratio | warp instructions | model | L1 hits | model | DRAM MB | model | registers | model |"
    print "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
    for (i = 1; i <= n; i++) {
        k = order[i]
        if (!is_of(k, size)) continue
        row[++m] = k
        for (j = m; j > 1 && ours[row[j]] / cycles[row[j]] > ours[row[j - 1]] / cycles[row[j - 1]]; j--) {
            k = row[j]; row[j] = row[j - 1]; row[j - 1] = k
        }
    }
    if (m == 0) fail("no kernel in size " size)
    for (i = 1; i <= m; i++) {
        k = row[i]
        split(k, part, "/")
        printf "| %s | `%s` | %d | %s | %s | %.2f | %s | %s | %s | %s | %.2f | %.2f | %d | %d |\n", part[2], part[3], launches[k],
            commas(cycles[k]), commas(ours[k]), ours[k] / cycles[k], commas(instructions[k]), commas(our_instructions[k]),
            percent(l1[k]), percent(our_l1[k]), dram[k] / 1e6, our_dram[k] / 1e6, registers[k], our_registers[k]
    }
}

END {
    if (failed) exit 1
    if (part ~ /^headline-/) headline(substr(part, 10))
    else if (part == "chart") {
        for (s = 1; s <= 2; s++) {
            size = s == 1 ? "medium" : "paper"
            for (i = 1; i <= n; i++) if (is_of(order[i], size)) print cycles[order[i]], ours[order[i]]
            print "\n"
        }
    } else table(part)
}
