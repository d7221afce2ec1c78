#!/usr/bin/env bats
# gpusched compare: the answer first, the keys and the counts that differ with the numbers of the results,
# the runs that two databases share, and unlike things refused.

load helper

setup_file() {
    cd "$BATS_FILE_TMPDIR" || return 1
    cat > tiny.yaml << 'END'
kernels:
  - {name: k, grid: [40, 1, 1], block: [64, 1, 1], registers: 8,
     body: [{op: fp32, count: 2}, {op: load, src: [r0], pattern: stream, region: 0}]}
END
    gpusched run -q -g c2050 -w ./tiny.yaml -o a
    gpusched run -q -g c2050 -w ./tiny.yaml -s l2.latency=90 -s warp.policy=gto -o b
}

thousands() { sed ':a; s/\([0-9]\)\([0-9]\{3\}\)\($\|,\)/\1,\2\3/; ta' <<< "$1"; }
cycles() { jq .cycles.core "$1/result.json"; }
# row NAME - the fields of a row of the last comparison.
row() { awk -v name="$1" '$1 == name { $1 = $1; print }' out; }

@test "the answer comes first, then the keys, then the counts" {
    ends 0 compare a b
    check 'the answer' [ "$(sed -n 1p out)" = "$(awk -v a="$(cycles a)" -v b="$(cycles b)" -v A="$(thousands "$(cycles a)")" -v B="$(thousands "$(cycles b)")" \
        'BEGIN { printf "B takes %.1f %% %s cycles than A: %s instead of %s.", 100 * (b > a ? b / a - 1 : 1 - b / a), (b > a ? "more" : "fewer"), B, A }')" ]
    check 'their names' [ "$(sed -n '3,4p' out)" = $'A  a\nB  b' ]
    check 'two keys' grep -q "^Configuration: 2 of $(gpusched config keys | grep -c .) values differ$" out
    check 'a number with its unit' [ "$(row l2.latency)" = "l2.latency $(jq .configuration.l2.latency a/result.json) 90 cycles" ]
    check 'a word' [ "$(row warp.policy)" = "warp.policy $(jq -r .configuration.warp.policy a/result.json) gto" ]
    check 'not what is the same' [ -z "$(row l1.ways)" ]
    check 'at most 96 columns' fails grep -nE '.{97}' out
}

@test "every count is that of the results, the largest change first" {
    ends 0 compare a b --all
    mv out all
    cp all out
    local names
    names=$(gpusched stats | awk '/^noc:/ { noc = 1; next } /^[a-z]/ { noc = 0 } /^  / { n += noc ? 2 : 1 } END { print n }')
    # Beside those of gpusched stats: cycles of four domains, 14 parts of energy with their sum and product.
    check 'how many' grep -qE "^Counts: [0-9]+ of $((names + 4 + 16)) differ, the largest change first$" out
    check 'a count of SMs' [ "$(row sm.warp_instructions | cut -d ' ' -f 2-4)" = \
        "$(thousands "$(jq .sm.total.warp_instructions a/result.json)") $(thousands "$(jq .sm.total.warp_instructions b/result.json)") equal" ]
    check 'of the NoC' [ "$(row noc.each.packets.1 | cut -d ' ' -f 2)" = "$(thousands "$(jq '.noc.each.packets[1]' a/result.json)")" ]
    check 'a change' [ "$(row cycles.core | cut -d ' ' -f 4,5)" = \
        "$(awk -v a="$(cycles a)" -v b="$(cycles b)" 'BEGIN { printf "%+.2f %%", 100 * (b / a - 1) }')" ]
    # Changes as factors, as far as they are printed: those from and to 0 before all, equal ones last.
    awk '/^  count/ { on = 1; next }
        on && /equal/ { f = 0 }
        on && /from 0|to 0/ { f = 1e9 }
        on && match($0, /x [0-9.e+]+/) { f = log(substr($0, RSTART + 2)) }
        on && match($0, /[-+][0-9.]+ %/) { f = log(1 + substr($0, RSTART) / 100); f = f < 0 ? -f : f }
        on { print f }' all > factors
    # shellcheck disable=SC2016 # awk's own
    check 'all are in order' awk 'NR > 1 && $1 > last + 2e-4 { exit 1 } { last = $1 }' factors
    check 'some differ, others do not' [ "$(head -n 1 factors)" != 0 ] && [ "$(tail -n 1 factors)" = 0 ]
    ends 0 compare a b
    check 'without --all none that is equal' fails grep -q ' equal' out
}

@test "a run is equal to itself" {
    ends 0 compare a a/result.json
    check 'the answer' grep -qxE 'A and B are equal in all [0-9]+ counts\.' out
    check 'no key' grep -q '^Configuration: 0 of' out
    check 'no count' grep -qE '^Counts: 0 of [0-9]+ differ$' out
}

@test "cycles that are equal are said once" {
    gpusched run -q -g c2050 -w ./tiny.yaml -s energy.fp32=20 -o dear
    ends 0 compare a dear
    check 'the answer' [ "$(sed -n 1p out)" = "B takes as many cycles as A: $(thousands "$(cycles a)")." ]
    check 'a count differs' grep -qE '^Counts: [1-9][0-9]* of' out
    mkdir near
    jq '.cycles.core = 1000000' a/result.json > dear/result.json
    jq '.cycles.core = 1000001' a/result.json > near/result.json
    ends 0 compare dear near
    check 'nearly equal ones are both said' [ "$(sed -n 1p out)" = 'B takes as many cycles as A: 1,000,001 instead of 1,000,000.' ]
}

@test "where core clocks differ, the time is said too" {
    gpusched run -q -g c2050 -w ./tiny.yaml -s clock.core=2300 -o fast
    local less
    less=$(jq -s '100 * (1 - .[1].derived.seconds / .[0].derived.seconds)' a/result.json fast/result.json)
    ends 0 compare a fast
    check 'more cycles, less time' grep -qE "^B takes [0-9.]+ % more cycles than A: [0-9,]+ instead of [0-9,]+\. As their core clocks differ, it takes $(printf '%.1f' "$less") % less time: [0-9.]+ [nu]s instead of [0-9.]+ [nu]s\.\$" out
    printf '%s\n' 'gpus: [c2050]' 'workloads: [./tiny.yaml, dependent]' > slow.yaml
    cp slow.yaml quick.yaml
    echo 'settings: {clock.core: 2300}' >> quick.yaml
    gpusched experiment slow.yaml -q > out
    gpusched experiment quick.yaml -q > out
    ends 0 compare slow quick
    local mean
    mean=$(gpusched query results/slow.sqlite "SELECT result FROM runs ORDER BY id" |
        jq -s --slurpfile b <(gpusched query results/quick.sqlite "SELECT result FROM runs ORDER BY id") \
            '. as $a | [range(2) | $b[.].derived.seconds / $a[.].derived.seconds] | 100 * (1 - (.[0] * .[1] | sqrt))')
    check 'of many runs' grep -qE "\)\. As their core clocks differ, it takes $(printf '%.1f' "$mean") % less time \(geometric mean\)\.\$" out
}

@test "other workloads are compared only if that is asked for" {
    sed 's/name: k/name: l/' tiny.yaml > other.yaml
    gpusched run -q -g c2050 -w ./other.yaml -o other
    refused 'A runs tiny, and B other; allowed: the same workload and size, or --other-workload' compare a other
    ends 0 compare a other --other-workload
    check 'compared' grep -qE '^A and B are equal in all' out
    mkdir hung
    jq '.end = "hung"' b/result.json > hung/result.json
    ends 0 compare a hung
    check 'a run that hung' [ "$(sed -n 1p out)" = 'B ended as hung: what follows was counted up to the ends.' ]
}

@test "two databases are compared in the runs that both have" {
    cat > one.yaml << 'END'
gpus: [c2050]
workloads: [./tiny.yaml, ./other.yaml]
variants: {gto: {warp.policy: gto}, lrr: {warp.policy: lrr}}
END
    sed 's/lrr: {warp.policy: lrr}/lrr: {warp.policy: lrr, l2.latency: 90}, old: {warp.policy: oldest}/' one.yaml > two.yaml
    gpusched experiment one.yaml -q > out
    gpusched experiment two.yaml -q > out
    ends 0 compare one results/two.sqlite
    check 'the answer' grep -qE '^B takes [0-9.]+ % fewer cycles than A \(geometric mean of 4 runs; from [0-9.]+ % fewer with c2050, tiny, lrr to as many with c2050, tiny, gto\)\.$' out
    local mean
    mean=$(sqlite3 results/one.sqlite "ATTACH 'results/two.sqlite' AS two" "SELECT printf('%+.2f %%',
        100 * (exp(avg(ln(g.value * 1.0 / f.value))) - 1)) FROM runs a JOIN two.runs b USING (gpu, workload, variant)
        JOIN figures f ON f.run = a.id AND f.name = 'cycles' JOIN two.figures g ON g.run = b.id AND g.name = 'cycles'")
    check 'the mean' [ "$(row cycles.core | cut -d ' ' -f 2,3)" = "$mean" ]
    check 'in how many runs' [ "$(row cycles.core | grep -oE '[0-9]+ of [0-9]+$')" = '2 of 4' ]
    check 'a key' [ "$(row l2.latency | grep -oE 'in .*')" = 'in 2 of 4 runs' ]
    check 'what only one has' grep -qx '4 runs compared; only A has 0, only B 2; not done in both: 0' out
    sqlite3 results/two.sqlite "UPDATE results SET packed = x'' WHERE key = (SELECT key FROM grid WHERE variant = 'lrr' LIMIT 1)"
    ends 1 compare one two
    check 'what is broken is not compared' grep -qx '3 runs compared; only A has 0, only B 2; not done in both: 1' out
    check 'and is named' grep -q 'the result is not as it was' err
}

@test "unlike things are refused" {
    mkdir -p empty
    sed 's/c2050/m2090/' one.yaml > far.yaml
    gpusched experiment far.yaml -q > out
    echo 'this is no database' > text.sqlite
    refused 'two runs or databases are needed: A B' compare
    refused 'two runs or databases are needed: A B' compare a
    refused 'c: two runs or databases are allowed' compare a b c
    refused 'a is a run, and one a database; allowed: two runs, or two databases' compare a one
    refused 'a is a run, and one a database; allowed: two runs, or two databases' compare one a
    refused 'empty: there is no result.json' compare a empty
    refused "nowhere: there is no results/nowhere.sqlite; allowed: a run's folder, a database, or an experiment" compare nowhere one
    refused 'not a database' compare text.sqlite one
    refused 'no run is done in both' compare one far
    refused '--other-workload is for two runs' compare one two --other-workload
    refused '--al=3: --all takes no value' compare a b --al=3
    refused '--each: no such option' compare a b --each
}
