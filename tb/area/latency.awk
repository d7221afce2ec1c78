# latency.awk - in a file of vectors, how many cycles after START an END comes: awk -v start='a_i b_o' -v end=c_o. All ports of
# START are other than 0 in a cycle; the end is the first later one in which a port of END is. Prints the least
# and the most of them. What a reset comes between is not counted.
BEGIN { n_start = split(start, starts, " "); n_end = split(end, ends, " ") }
function place(name) { if (!(name in low)) { print "latency.awk: no port " name; bad = 1; exit 1 } }
# Whether a port is other than 0, bit by bit.
function on(name,    word, b, digit) {
    word = side[name] == "in" ? $2 : $3
    for (b = low[name]; b < low[name] + bits[name]; b++) {
        digit = index("0123456789abcdef", substr(word, length(word) - int(b / 4), 1)) - 1
        if (int(digit / 2 ^ (b % 4)) % 2) return 1
    }
    return 0
}
function all(list, n,    i) { for (i = 1; i <= n; i++) if (!on(list[i])) return 0; return 1 }
!running && ($1 == "in" || $1 == "out") { side[$2] = $1; bits[$2] = $3 * $4; low[$2] = $5 }
$1 == "cycles" { running = 1; for (i in starts) place(starts[i]); for (i in ends) place(ends[i]); next }
$1 == "total" { exit }
running {
    now++
    if ($1) { since = 0; next }
    if (since && all(ends, n_end)) {
        cycles = now - since
        if (!n || cycles < least) least = cycles
        if (cycles > most) most = cycles
        n++
        since = 0
    }
    if (!since && all(starts, n_start)) since = now
}
END {
    if (bad || !n) { if (!bad) print "latency.awk: " start " is never followed by " end; exit 1 }
    print least, most
}
