# latency.awk - in a file of vectors, how many cycles after START an END comes: awk -v start='a_i b_o' -v end=c_o. All ports of
# START are other than 0 in a cycle; the end is the first later one in which a port of END is. Prints the least
# and the most of them. What a reset comes between is not counted. With awk -v look='MASK NUMBER VALID' how many cycles before
# VALID comes, and NUMBER with it, that bit of MASK is set each time: the only such number below 16, twice.
BEGIN {
    n_start = split(start, starts, " "); n_end = split(end, ends, " "); n_look = split(look, looks, " ")
    FAR = 16
}
function place(name) { if (!(name in low)) { print "latency.awk: no port " name; bad = 1; exit 1 } }
# A bit of a port.
function is_set(name, bit,    word, b, digit) {
    word = side[name] == "in" ? $2 : $3
    b = low[name] + bit
    digit = index("0123456789abcdef", substr(word, length(word) - int(b / 4), 1)) - 1
    return int(digit / 2 ^ (b % 4)) % 2
}
# Whether a port is other than 0.
function on(name,    b) {
    for (b = 0; b < bits[name]; b++) if (is_set(name, b)) return 1
    return 0
}
function number(name,    b, n) {
    for (b = bits[name] - 1; b >= 0; b--) n = 2 * n + is_set(name, b)
    return n + 0
}
function all(list, n,    i) { for (i = 1; i <= n; i++) if (!on(list[i])) return 0; return 1 }
# VALID has come: which of the cycles before had the bit of MASK?
function back(bit,    k) {
    n++
    for (k = 0; k < FAR && k < lived; k++) if (!((now - k, bit) in mask)) missed[k]++
}
function remember(    b) {
    for (b = 0; b < bits[looks[1]]; b++) {
        delete mask[now - FAR, b]
        if (is_set(looks[1], b)) mask[now, b]
    }
}
!running && ($1 == "in" || $1 == "out") { side[$2] = $1; bits[$2] = $3 * $4; low[$2] = $5 }
$1 == "cycles" { running = 1; for (i in starts) place(starts[i]); for (i in ends) place(ends[i]); for (i in looks) place(looks[i]); next }
$1 == "total" { exit }
running && n_look {
    now++
    lived = $1 ? 0 : lived + 1
    remember()
    if (on(looks[3]) && !shown && lived > FAR) back(number(looks[2]))
    shown = on(looks[3])
    next
}
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
    if (bad) exit 1
    if (!n) { print "latency.awk: " (n_look ? looks[3] " never comes" : start " is never followed by " end); exit 1 }
    if (n_look) {
        for (k = 0; k < FAR; k++) if (!(k in missed)) { fits++; least = most = k }
        if (fits != 1) { print "latency.awk: " look ": " fits + 0 " numbers of cycles fit, and not one"; exit 1 }
    }
    print least, most
}
