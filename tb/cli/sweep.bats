#!/usr/bin/env bats
# gpusched sweep: each count is the run that gpusched run makes with it, the same bytes whatever the
# number of jobs and however often it was begun, charts that are well-formed, failures, and input
# that is refused.

load helper

setup_file() {
    cd "$BATS_FILE_TMPDIR" || return 1
    cat > small.yaml << 'END'
kernels:
  - {name: small, grid: [48, 1, 1], block: [128, 1, 1], registers: 16, shared_bytes: 12000,
     body: [{op: load, count: 4}, {op: fp32, count: 20, depends: 1}, {op: store}]}
END
    sed 's/small/<b> & "c"/; s/48/2/' small.yaml > '<b> & "c".yaml'
    cat > gap.yaml << 'END'
kernels:
  - {name: gap, grid: [6, 1, 1], block: [32, 1, 1], registers: 16, body: [{op: fp32, count: 2, depends: 1}]}
END
}

sweep() { ends "$1" sweep ./small.yaml -g m2090 -s sm.count=4 -s cluster.count=4 "${@:2}"; }
sql() { gpusched query "$1" "$2"; }
# begins PATTERN FILE - its first line is like that.
# shellcheck disable=SC2053 # a pattern
begins() { [[ $(head -n 1 "$2") == $1 ]]; }
# row COUNT WORD FILE - a word of the row of a count.
row() { awk -v count="$1" -v word="$2" '$1 == count { gsub(",", ""); print $word }' "$3"; }

# are_shares FILE - the classes of each row.
are_shares() {
    awk '$1 ~ /^[0-9]+$/ { all = 0; for (i = 5; i <= 10; i++) all += $i; if (all < 99.6 || all > 100.4) exit 1 }' "$1"
}

# rises_evenly FILE - static power.
rises_evenly() {
    awk '$1 ~ /^[0-9]+$/ { p[$1] = $13 }
        END { d = p[2] - p[1]; exit !(d > 1 && p[4] - p[1] > 3 * d - 0.2 && p[4] - p[1] < 3 * d + 0.2) }' "$1"
}

# as_run COUNT KEY FILE - the row has the cycles and the IPC of a run with this count.
as_run() {
    gpusched run -q -g m2090 -w ./small.yaml -s sm.count=4 -s cluster.count=4 -s "$2=$1" -o single
    check "$2=$1: cycles as of gpusched run" grep -q "\"core\": $(row "$1" 2 "$3")," single/result.json
    check "$2=$1: IPC as of gpusched run" \
        [ "$(printf '%.3f' "$(sed -n 's/^  "ipc": \(.*\),$/\1/p' single/result.json)")" = "$(row "$1" 3 "$3")" ]
}

@test "over CTAs every count up to those that fit is run, as by gpusched run" {
    sweep 0 --over=ctas -o ctas
    cp out ctas.txt
    check 'the answer is first' begins 'small on m2090: the optimum is ? CTAs per SM, of Nmax 4; type *' out
    check 'a row for each count' [ "$(awk '$1 ~ /^[0-9]+$/ { printf "%s ", $1 }' out)" = '1 2 3 4 ' ]
    check 'one optimum' [ "$(grep -c ' optimum$' out)" -eq 1 ]
    check 'the last is what speed is relative to' [ "$(row 4 4 out)" = 1.000 ]
    check 'shares come to 100 %' are_shares out
    for count in 1 2 4; do as_run "$count" sm.cta_slots ctas.txt; done
}

@test "the folder gets file, database, CSV and chart" {
    name=sweep-ctas-small-m2090
    check 'these four' [ "$(ls ctas)" = "$(printf '%s\n' "$name".{csv,sqlite,svg,yaml})" ]
    check 'a line a count' lines 5 "ctas/$name.csv"
    check 'the chart is well-formed' xmllint --noout "ctas/$name.svg"
    check 'no number that is none' fails grep -iE 'nan|inf' "ctas/$name.svg"
    check 'two panels, each with the optimum' [ "$(grep -c stroke-dasharray "ctas/$name.svg")" -eq 2 ]
    check 'four counts below each' [ "$(grep -c '"middle">[1-4]</text>' "ctas/$name.svg")" -eq 8 ]
    ends 0 experiment --check "ctas/$name.sqlite"
    check 'the file is that of an experiment' gpusched experiment "ctas/$name.yaml" -o ctas 2> err
    check 'which has nothing left to run' says '4 of 4 runs done, 0 failed; 0 ended now' err
    ends 0 report "ctas/$name.sqlite" -o page.html
}

@test "the number of jobs changes nothing" {
    for jobs in 1 2; do
        sweep 0 --over=ctas -o "jobs$jobs" -j "$jobs"
        check "$jobs: what is said" cmp out ctas.txt
        check "$jobs: CSV" cmp {ctas,jobs$jobs}/sweep-ctas-small-m2090.csv
        check "$jobs: chart" cmp {ctas,jobs$jobs}/sweep-ctas-small-m2090.svg
    done
}

@test "what is done is not run again" {
    sweep 0 --over=ctas -o ctas
    check 'all are done' says '4 of 4 runs done, 0 failed, 0 aborted; 0 ended now' err
    check 'the same is said' cmp out ctas.txt
    sweep 0 --over=ctas -o again --to=2
    check 'two, and the one that says how many fit' says '; 3 ended now' err
    check 'no type without all' says 'there is no type without runs of 1 to Nmax' out
    sweep 0 --over=ctas -o again
    check 'the other two' says '; 2 ended now' err
    check 'as if it had been run at once' cmp out ctas.txt
    sweep 0 --over=ctas -o ctas -q
    check 'quiet' [ ! -s err ]
}

@test "an interrupted sweep goes on" {
    cp small.yaml long.yaml
    sed -i 's/\[48, /[2000, /; s/count: 20/count: 2000/' long.yaml
    gpusched sweep ./long.yaml -g m2090 --over=ctas -o long -j 1 > out 2> err &
    until [ "$(sql long/sweep-ctas-long-m2090.sqlite 'SELECT count(*) FROM results' 2> none)" = 1 ]; do sleep 0.02; done
    kill -TERM $!
    check 'it ends with 1' has_ended 1 $!
    check 'it says so' says 'interrupted, the same command goes on' err
    check 'nothing is said of what is not known' [ ! -s out ]
    ends 0 sweep ./long.yaml -g m2090 --over=ctas -o long
    check 'and goes on' says '4 of 4 runs done' err
    check 'without what was done' says '; 4 ended now' err
}

@test "over cores every number of SMs is run, as by gpusched run" {
    sweep 0 --over=cores -o cores
    cp out cores.txt
    check 'the answer is first' begins 'small on m2090: the optimum is ? of 4 SMs, the fewest within 2 % of the speed of 4*' out
    check 'a row for each count' [ "$(awk '$1 ~ /^[0-9]+$/ { printf "%s ", $1 }' out)" = '1 2 3 4 ' ]
    for count in 1 3 4; do as_run "$count" sm.active cores.txt; done
    check 'the last is what energy is relative to' [ "$(row 4 15 out)" = 1.000 ]
    database=cores/sweep-cores-small-m2090.sqlite
    check 'the others are gated' [ "$(sql $database "SELECT group_concat(value / cycles) FROM (SELECT f.value,
        c.value AS cycles FROM figures f JOIN figures c USING (run) WHERE f.name = 'sm.gated' AND c.name = 'cycles'
        ORDER BY run)")" = 3,2,1,0 ]
    check 'schedulers of gated SMs do not count' [ "$(row 1 5 out)" = "$(sql $database "SELECT printf('%.1f', 50.0 * f.value /
        c.value) FROM figures f JOIN figures c USING (run) WHERE f.name = 'sm.issued' AND c.name = 'cycles' AND run = 1")" ]
    check 'AMAT and its part are those of the run' [ "$(row 1 11 out) $(row 1 12 out)" = "$(sql $database "SELECT printf('%.1f %.1f', l.value, l.value
        * o.value / m.value) FROM figures l JOIN figures o USING (run) JOIN figures m USING (run) WHERE run = 1
        AND l.name = 'derived.miss_latency' AND o.name = 'sm.miss_overlapped' AND m.name = 'sm.miss_latency'")" ]
    check 'static power rises as the SMs that are on' rises_evenly out
    check 'the chart is well-formed' xmllint --noout cores/sweep-cores-small-m2090.svg
    check 'five panels' [ "$(grep -c stroke-dasharray cores/sweep-cores-small-m2090.svg)" -eq 5 ]
    sweep 0 --over=cores -o some --from=2 --to=3 -s sm.active=3
    check 'some of some' [ "$(awk '$1 ~ /^[0-9]+$/ { printf "%s ", $1 }' out)" = '2 3 ' ]
    check 'all of them are three' says 'of 3 SMs, the fewest within 2 % of the speed of 3' out
}

# by_rule COLUMN FILE - the optimum of a kernel's curve over CTAs, from its cycles in the CSV.
by_rule() {
    awk -F, -v name="$1" '$1 == name { n = $5; cycles[n] = $6 }
        END { for (i = 1; i < n && 100 * cycles[i] >= 102 * cycles[i + 1]; i++); print i, n }' "$2"
}

# has_all_cycles FILE - those of two schedulers of four SMs, of each kernel whose name has no comma.
has_all_cycles() { awk -F, 'NR > 1 && $1 ~ /^[a-z]*$/ && $7 + $8 + $9 + $10 + $11 + $12 + $13 != 2 * 4 * $6 { exit 1 }' "$1"; }

@test "each of several kernels has its own optimum, type and curve" {
    # Of the second at most two fit; the third's name has signs that CSV and XML have a use for.
    { cat small.yaml; sed -n '2,3s/small/large/; s/12000/20000/; s/48/20/; s/count: 4/count: 12/; 2,3p' small.yaml
        sed -n '2,3s/name: small/name: "<b> \\"c\\", d"/; 2,3p' small.yaml; } > several.yaml
    ends 0 sweep ./several.yaml -g m2090 -s sm.count=4 -s cluster.count=4 --over=ctas -o several
    local csv=several/sweep-ctas-several-m2090.kernels.csv database=several/sweep-ctas-several-m2090.sqlite name
    check 'a row for each kernel' [ "$(grep -cE '  (C-strong|C-weak|MEM|none)$' out)" -eq 3 ]
    check 'a line for each count of each' [ "$(tail -n +2 $csv | wc -l)" -eq 10 ]
    for name in small large; do
        check "$name: optimum and last count" [ "$(by_rule $name $csv)" = "$(awk -v name=$name '$1 == name { print $4, $2 }' out)" ]
        check "$name: the same in the CSV" [ "$(awk -F, -v name="$name" '$1 == name { print $3, $2; exit }' $csv)" = "$(by_rule $name $csv)" ]
        check "$name: cycles and stalls of the runs" [ "$(awk -F, -v name="$name" '$1 == name { printf "%d %d;", $6, $8 + $9 + $10 + $11 }' $csv)" \
            = "$(sql $database "SELECT group_concat((k.value ->> 'cycles') || ' ' || ((k.value ->> '\$.sm.pipeline_alu') + (k.value ->> '\$.sm.pipeline_memory')
                + (k.value ->> '\$.sm.scoreboard_alu') + (k.value ->> '\$.sm.scoreboard_memory')) || ';', '')
                FROM runs, json_each(runs.result, '\$.by_kernel') k WHERE k.value ->> 'name' = '$name' AND runs.ctas <= $(by_rule $name $csv | cut -d ' ' -f 2)")" ]
    done
    check 'the second ends at two' [ "$(by_rule large $csv | cut -d ' ' -f 2)" -eq 2 ]
    check 'all schedulers of all SMs' has_all_cycles $csv
    check 'the chart is well-formed' xmllint --noout several/*.svg
    check 'it has the panel' grep -q 'Speed of each kernel' several/*.svg
    check 'a name is shown as it is' grep -qF '>&lt;b&gt; &#34;c&#34;, d</text>' several/*.svg
    check 'also in the CSV' grep -qF '"<b> ""c"", d",4,' $csv
    ends 0 sweep ./several.yaml -g m2090 -s sm.count=4 -s cluster.count=4 --over=cores -o several
    check 'over cores without a type' [ "$(grep -cE '^(small|large|<b>).* [0-9.]+ +[0-9.]+$' out)" -eq 3 ]
}

@test "settings and schedulers are those of gpusched run" {
    sweep 0 --over=ctas -o set --scheduler=lrr -s sm.cta_slots=2 -s l1.ways=2 -s l1.ways=1
    check 'CTA slots limit the counts' says 'of Nmax 2;' out
    database=set/sweep-ctas-small-m2090.sqlite
    check 'the last of two values holds' [ "$(sql $database "SELECT DISTINCT result ->> '$.configuration.l1.ways' FROM runs")" = 1 ]
    check 'the scheduler' [ "$(sql $database "SELECT DISTINCT result ->> '$.configuration.warp.policy' FROM runs")" = lrr ]
}

@test "a name means nothing to a chart or a file's name" {
    ends 0 sweep './<b> & "c".yaml' -g m2090 -s sm.count=1 -s cluster.count=1 --over=ctas -o odd
    check 'no sign in the name' [ -e odd/sweep-ctas--b-----c--m2090.svg ]
    check 'well-formed' xmllint --noout odd/*.svg
    check 'shown as it is' [ "$(xmllint --xpath 'string(/*/*[1])' odd/*.svg)" = '<b> & "c" on m2090' ]
}

@test "runs that fail leave no answer and no chart" {
    gap=(sweep ./gap.yaml -g m2090 -o gap --over=ctas -s sm.count=1 -s cluster.count=1)
    ends 0 "${gap[@]}"
    ends 1 "${gap[@]}" -s fp32.latency=1023 -s limit.watchdog=1000
    check 'it says which' says 'ctas 1: hung at cycle' err
    check 'no answer' [ ! -s out ]
    check 'no chart of other runs' [ ! -e gap/sweep-ctas-gap-m2090.svg ]
    check 'CSV says it' grep -q ',failed,"hung' gap/sweep-ctas-gap-m2090.csv
}

@test "what is wrong is refused" {
    good=(sweep ./small.yaml -g m2090)
    refused 'a workload is needed' sweep -g m2090 --over=ctas
    refused '--gpu=GPU|FILE is missing' sweep ./small.yaml --over=ctas
    refused '--over=ctas|cores is missing' "${good[@]}"
    refused '--over=warps: allowed: ctas, cores' "${good[@]}" --over=warps
    refused 'more: one workload is allowed' "${good[@]}" more --over=ctas
    refused 'no-such-workload' sweep no-such-workload -g m2090 --over=ctas
    refused 'no-such-gpu' sweep ./small.yaml -g no-such-gpu --over=ctas
    refused '--size=huge: allowed: small, medium' "${good[@]}" --over=ctas --size=huge
    refused '--size' "${good[@]}" --over=ctas --size=small
    refused '--scheduler=gto: given twice; allowed: once, --scheduler=lrr,gto' "${good[@]}" --over=ctas --scheduler=lrr --scheduler=gto
    refused 'no-such-scheduler' "${good[@]}" --over=ctas --scheduler=no-such-scheduler
    refused 'sm.coun' "${good[@]}" --over=ctas -s sm.coun=4
    refused 'sm.active: 17 is more than sm.count; allowed: at most 16' "${good[@]}" --over=cores -s sm.active=17
    refused '--from=0: a whole number from 1 to 192 is allowed' "${good[@]}" --over=ctas --from=0
    refused '--to=1 is less than --from=2' "${good[@]}" --over=ctas --from=2 --to=1
    refused '--to=9: the CTA slots of an SM are 8; allowed: 1 to 8' "${good[@]}" --over=ctas --to=9
    refused '--from=17: the SMs are 16; allowed: 1 to 16' "${good[@]}" --over=cores --from=17
    refused 'onac.mode: a detection among sm.active = 1 SMs' "${good[@]}" --over=cores --scheduler=onac
    refused '--jobs=0' "${good[@]}" --over=ctas --jobs=0
    refused '/nowhere/out' "${good[@]}" --over=ctas -o /nowhere/out
    refused '/dev/null' "${good[@]}" --over=ctas -o /dev/null
    refused '--tables' "${good[@]}" --over=ctas --tables
    # This is known after the first runs.
    ends 2 "${good[@]}" --over=ctas --to=5 -o late
    check 'it says what is allowed' says '--to=5: the CTAs that fit on an SM are 4; allowed: 1 to 4' err
    check 'no answer' [ ! -s out ]
}
