# ensembles.awk - the ensembles of sensitivity.md, which comes as kind=bands FILE, for bands.awk and ../first/first.awk. They
# define fail(what). What may be chance lies in the 95 % band that the baseline has.
#
# band_low[at], band_high[at]: relative to the baseline's median. Places: ENSEMBLE PROGRAM LABEL SIZE GPU; for the geometric
# mean, "geometric" in size "mean". The widest have no size and GPU, of all programs no program either, and of all labels "-".

kind == "bands" && /^<!-- noise-.* -->$/ {
    if (ensemble != "") fail(ensemble " does not end")
    ensemble = substr($0, 12)
    sub(/ -->$/, "", ensemble)
    group = ""
    next
}
kind == "bands" && /^<!-- end of noise-/ {
    if (ensemble == "") fail("the end of an ensemble without its beginning")
    if (!((ensemble SUBSEP SUBSEP "-") in band_low)) fail("no bands of " ensemble)
    ensemble = ""
    next
}
kind != "bands" && ensemble != "" { fail(ensemble " does not end") }
kind == "bands" && ensemble != "" && /^    [a-z0-9-]+(, .*)?$/ { read_group() }
kind == "bands" && ensemble != "" && /^      [a-z]/ { read_band() }

# GPU, or GPU, AXIS LABEL
function read_group(n, word) {
    n = split($0, word, " ")
    group = word[1]
    sub(/,$/, "", group)
    label = n > 1 ? word[n] : ""
    ensemble_gpu[ensemble] = group
}

# NAME SIZE MEDIAN [LOW, HIGH] of the baseline, then the variants.
function read_band(word, a, b) {
    split($0, word, " ")
    if (group == "") fail(ensemble " names no GPU")
    if (word[3] != "1.000" || word[4] !~ /^\[[0-9.]+,$/ || word[5] !~ /^[0-9.]+\]$/) fail("no band of " word[1])
    a = substr(word[4], 2) + 0
    b = word[5] + 0
    if (!(a > 0 && a <= 1 && b >= 1)) fail("no band around 1")
    widen(ensemble SUBSEP word[1] SUBSEP label SUBSEP word[2] SUBSEP group, a, b)
    if (word[1] != "geometric") widest(word[1], word[2], a, b)
}

function widest(program, size, a, b) {
    widen(ensemble SUBSEP program SUBSEP label, a, b)
    widen(ensemble SUBSEP program SUBSEP "-", a, b)
    widen(ensemble SUBSEP SUBSEP label, a, b)
    widen(ensemble SUBSEP SUBSEP "-", a, b)
    if (!((ensemble, label, program) in counted)) ensemble_programs[ensemble, label]++
    counted[ensemble, label, program]
    banded[ensemble, program]
    if (index(ensemble_sizes[ensemble], size) == 0)
        ensemble_sizes[ensemble] = ensemble_sizes[ensemble] (ensemble_sizes[ensemble] == "" ? "" : " and ") size
}

function widen(at, a, b) {
    if (!(at in band_low) || a < band_low[at]) band_low[at] = a
    if (!(at in band_high) || b > band_high[at]) band_high[at] = b
}

# Whether a change, in percent and as printed, lies in the band. What lies on its edge does, however the two are rounded.
function in_band(at, percent) {
    return at in band_low && 1 + percent / 100 > band_low[at] - 1e-6 && 1 + percent / 100 < band_high[at] + 1e-6
}
