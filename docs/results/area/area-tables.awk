# area-tables.awk - awk -f tb/area/records.awk -f area-tables.awk -v table=NAME FILE.json: a table of docs/results/area.md:
# sizes, limits, operations or claims.

function bits_bytes(n) { return commas(n) " bits, " commas(int((n + 7) / 8)) " B" }
function total(kge, memory) { return sprintf("%.2f", kge + memory) }
function number(name) { return value(name) + 0 }
function is(text, unit, part) { return index(text, unit " ") == 1 && index(" " text " ", " " part " ") }
function row(a, b, c) { printf "| %s | %s | %s |\n", a, b, c }

BEGIN {
    if (table == "limits") print "| unit | size | FO4 | at most | kGE | at most | |\n|---|---|---:|---:|---:|---:|---|"
    if (table == "sizes")
        print "| unit | size | um2 | kGE | flip-flops | memory bits | FO4 | ns | MHz | slowest path |\n" \
            "|---|---|---:|---:|---:|---:|---:|---:|---:|---|"
    if (table == "operations") print "| unit | operation | cycles | at |\n|---|---|---:|---|"
    if (table == "claims") print "| what | the paper | here |\n|---|---:|---:|"
}
/"operation": / {
    least = value("least"); most = value("most")
    if (table == "operations")
        printf "| %s | %s | %s | %s |\n", value("unit"), value("operation"), least == most ? most : least " to " most, value("parameters")
    next
}
/^{/ {
    size = value("parameters"); unit = value("unit"); kge = total(number("kge"), number("memory_kge"))
    fo4_limit = value("fo4_limit"); kge_limit = value("kge_limit")
    fo4[unit " " size] = number("fo4"); flops[unit " " size] = number("flip_flops") + number("memory_bits"); ps = number("fo4_ps")
    memory[unit " " size] = number("memory_bits"); kges[unit " " size] = kge
    over = (fo4_limit != "" && number("fo4") > fo4_limit) || (kge_limit != "" && kge + 0 > kge_limit)
    if (table == "limits" && (fo4_limit != "" || kge_limit != ""))
        printf "| %s | %s | %s | %s | %s | %s | %s |\n", unit, size, value("fo4"), fo4_limit, kge, kge_limit, over ? "**exceeded**" : "within"
    if (table == "sizes")
        printf "| %s | %s | %s | %s | %s | %s | %s | %s | %s | `%s` to `%s` |\n", unit, size, commas(number("um2")), kge, \
            commas(number("flip_flops")), commas(number("memory_bits")), value("fo4"), value("ns"), value("mhz"), value("start"), value("end")
}
# The FO4 at 40 nm is between the two figures of docs/area.md: 0.36 ps a nm, and what this library has at 180 nm.
function cycle(f,    low, high) {
    low = f * 0.36 * 40 * 1.4 / 1000; high = f * ps / 180 * 40 * 1.4 / 1000
    return sprintf("%.2f to %.2f cycles (%.1f FO4)", low, high, f)
}
END {
    if (table != "claims") exit
    for (at in flops) {
        if (is(at, "claso", "N_CORE=16") && is(at, "claso", "CTA_W=16")) {
            if (is(at, "claso", "N_KERNEL=1")) one = flops[at]
            if (is(at, "claso", "N_KERNEL=2")) two = flops[at]
        }
        if (is(at, "icc", "N_ENTRY=48")) { merge = flops[at]; merge_fo4 = fo4[at] }
        if (is(at, "coalesced_cache", "N_LINE=24")) { tags = flops[at]; cache_fo4 = fo4[at] }
        if (is(at, "cluster_port", "N_ENTRY=48")) both_fo4 = fo4[at]
        if (is(at, "laperm_set", "N_ENTRY=128")) { queue = memory[at]; queue_kge = kges[at] }
    }
    if (!one || !two || !merge || !tags || !both_fo4 || !queue) { print "area-tables.awk: a size of the claims is not measured" > "/dev/stderr"; exit 1 }
    row("CLASO, registers for one more kernel, 16 cores, counts of 16 bits", "n_core + 1 = 17, " bits_bytes(17 * 16), bits_bytes(two - one))
    row("merge table, 48 entries, 41 bits, 5 SMs", bits_bytes(2208), bits_bytes(merge))
    row("coalesced cache, 24 lines: tags", bits_bytes(24 * 41), bits_bytes(tags))
    row("coalesced cache, with lines of 128 B, which are outside of the unit", "3.2 KB", bits_bytes(tags + 24 * 1024))
    row("merge table, a look-up at 1.4 GHz in 40 nm", "< 1 cycle", cycle(merge_fo4))
    row("coalesced cache, a look-up at 1.4 GHz in 40 nm", "< 1 cycle", cycle(cache_fo4))
    row("the two, one after the other, in cluster_port", "1 cycle each", cycle(both_fo4))
    row("LaPerm, 128 entries of an SM", bits_bytes(128 * 24 * 8), bits_bytes(queue))
    # 256 KB and 32 KB, by the model of memories of docs/area.md: 0.4 gates a bit.
    row("LaPerm, these with what keeps them in order, of the register file and the shared memory of an SM", "about 1 %", sprintf("%.1f %%", 100 * queue_kge / ((256 + 32) * 1024 * 8 * 0.4 / 1000)))
}
