# energies.awk - the table of energies.sh: the keys of energies, as kind=keys; papers.tsv, for which kernels are of type A, as
# kind=papers; and the runs, as kind=runs: GPU, program or kernel, variant, status, the parts of its energy in joule, of which the
# last two are static, and before these the lanes of special functions and of tensors, whose energies are parts of `arithmetic`.

BEGIN {
    n_part = split("instruction registers arithmetic shared l1 constant texture icc noc l2 dram sm_static sfu_lanes tensor_lanes other_static dram_static", name, " ")
    for (i = 1; i <= n_part; i++) column[name[i]] = i + 4
    n_die = 10 # the first parts have the factor energy.scale
    n_shown = split("icc db,icc db-icc,icc db-icc-cc,onac32 onac,onac32 seq-det", shown, ",")
    baseline["icc"] = "distributed"; baseline["onac32"] = "max"
}

function fail(what) { print "energies.awk: " what > "/dev/stderr"; failed = 1; exit 1 }

# A key has one value on all of these GPUs.
kind == "keys" {
    if ($2 in value && value[$2] != $3 + 0) fail($2 " differs between the GPUs")
    if (!($2 in value)) order[++n_key] = $2
    value[$2] = $3 + 0
    next
}
kind == "papers" { if ($1 == "thesis Table 4.4" && $12 == "A") type_a[$4]; next }
{
    if ($4 != "done") fail("a run of " $2 " is not done")
    if ($1 == "onac32" && !($2 in type_a)) next
    at = $1 SUBSEP $2 SUBSEP $3
    ran[at]
    for (i = 1; i <= n_part; i++) part[at, name[i]] = $(i + 4)
    if (!(($1, $2) in seen)) program[$1, ++programs[$1]] = $2
    seen[$1, $2]
}

# What a key makes of a run's energy. The coalesced cache is counted with energy.icc.
function product(at, key, i, sum) {
    sub(/^energy\./, "", key)
    if (key == "scale") for (i = 1; i <= n_die; i++) sum += part[at, name[i]]
    else if ((at, key "_lanes") in part) sum = part[at, key "_lanes"] * value["energy." key] * value["energy.scale"] * 1e-12
    else {
        if (!(key in column)) fail("no part of " key)
        sum = part[at, key]
    }
    return sum + 0
}
function energy(at, key, factor, i, sum) {
    if (!(at in ran)) { gsub(SUBSEP, ", ", at); fail("no run of " at) }
    for (i = 1; i <= n_part; i++) if (name[i] !~ /_lanes$/) sum += part[at, name[i]]
    return sum + (key == "" ? 0 : (factor - 1) * product(at, key))
}
# The arithmetic mean of the programs' changes, in percent.
function change(what, key, factor, w, i, gpu, sum) {
    split(what, w, " ")
    gpu = w[1]
    if (!programs[gpu]) fail("no runs on " gpu)
    for (i = 1; i <= programs[gpu]; i++)
        sum += 100 * (energy(gpu SUBSEP program[gpu, i] SUBSEP w[2], key, factor) / energy(gpu SUBSEP program[gpu, i] SUBSEP baseline[gpu], key, factor) - 1)
    return sum / programs[gpu]
}
function size(x) { return x < 0 ? -x : x }
function moves(key, i, x, most) {
    for (i = 1; i <= n_shown; i++) {
        x = size(change(shown[i], key, 0.5) - change(shown[i])); if (x > most) most = x
        x = size(change(shown[i], key, 2) - change(shown[i])); if (x > most) most = x
    }
    return most + 0
}
function row(key, factor, i) {
    printf "| `%s` | %g | %g |", key, value[key], factor * value[key]
    for (i = 1; i <= n_shown; i++) printf " %+.1f %% |", change(shown[i], key, factor)
    print ""
}

END {
    if (failed) exit 1
    if (!n_key) fail("no keys")
    print "| value | as it is | changed to | DB | DB+ICC | DB+ICC+CC | ONAC | Seq-Det |\n|---|---:|---:|---:|---:|---:|---:|---:|"
    printf "| all | as they are | |"
    for (i = 1; i <= n_shown; i++) printf " %+.1f %% |", change(shown[i])
    print ""
    for (i = 1; i <= n_key; i++) by[i] = moves(order[i])
    for (i = 1; i <= n_key; i++)
        for (k = i + 1; k <= n_key; k++)
            if (by[k] > by[i]) { x = by[i]; by[i] = by[k]; by[k] = x; x = order[i]; order[i] = order[k]; order[k] = x }
    for (i = 1; i <= n_key && by[i] >= 0.05; i++) { row(order[i], 0.5); row(order[i], 2) }
    for (k = i; k <= n_key; k++) few = few (few == "" ? "" : ", ") "`" order[k] "` (" value[order[k]] ")"
    print "\nMoves all of these by less than 0.05 points: " (few == "" ? "none" : few) "."
}
