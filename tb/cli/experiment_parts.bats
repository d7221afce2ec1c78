#!/usr/bin/env bats
# gpusched experiment in parts, each with a database of its own, which are merged: the same bytes as in one
# process, conflicts that are named, and databases that are refused.

load helper

setup_file() {
    cd "$BATS_FILE_TMPDIR" || return 1
    gpusched experiment smoke -q -o whole --csv=whole.csv
    for part in 1 2 3; do
        gpusched experiment smoke -q -o parts --part="$part/3"
    done
    # One that takes too long.
    cat > long.yaml << 'END'
kernels:
  - {name: long, grid: [2000, 1, 1], block: [256, 1, 1], registers: 24, launches: 1000,
     body: [{op: fp32, count: 1000, depends: 1}]}
END
    printf '%s\n' 'gpus: [m2090]' 'workloads: [dependent, ./long.yaml]' > late.yaml
    for seconds in 1 2; do
        gpusched experiment late.yaml -q -o "late-$seconds" --timeout="$seconds" || [ $? -eq 1 ]
    done
}

experiment() { ends "$1" experiment "${@:2}"; }

results() { sqlite3 "$1" 'SELECT count(*) FROM results'; }

@test "parts that are merged come to the same bytes as one process" {
    for part in 1 2 3; do
        check "part $part has its runs" [ "$(results parts/smoke.part-$part-of-3.sqlite)" -eq $((part < 3 ? 11 : 10)) ]
        experiment 0 smoke -o parts --part="$part/3"
        check "and no more: part $part" grep -q '; 0 ended now' err
    done
    experiment 1 smoke -o merged --csv=one.csv --merge parts/smoke.part-1-of-3.sqlite
    check 'the runs of one part' [ "$(grep -c ',done,' one.csv)" -eq 11 ]
    check 'are those of every third line' cmp <(sed 1d whole.csv | sed -n '1~3p') <(grep ',done,' one.csv)
    experiment 0 smoke -o merged --csv=merged.csv --merge parts/smoke.part-{1,2,3}-of-3.sqlite
    check 'a part is accepted once' grep -q '32 of 32 runs done, 0 failed; 21 merged now' err
    check 'the same CSV' cmp whole.csv merged.csv
    check 'the same content' cmp <(content whole/smoke.sqlite) <(content merged/smoke.sqlite)
    experiment 0 smoke -o whole --no-run --table
    mv out whole.table
    experiment 0 smoke -o merged --no-run --table
    check 'the same table' cmp whole.table out
    experiment 0 --check merged/smoke.sqlite
    check 'the database is whole' grep -q '32 results, .*; nothing is wrong' out
    experiment 0 smoke -o merged --merge whole/smoke.sqlite parts/smoke.part-2-of-3.sqlite
    check 'what is there is not counted twice' grep -q '; 0 merged now' err
    check 'and the database stays' cmp <(content whole/smoke.sqlite) <(content merged/smoke.sqlite)
    experiment 0 smoke -o merged
    check 'nothing is left to run' grep -q '; 0 ended now' err
}

@test "a list of keys gives the runs and the name of the database" {
    sqlite3 whole/smoke.sqlite 'SELECT key FROM runs WHERE id IN (2, 5, 7)' > some.runs
    experiment 0 smoke --runs=some.runs
    check 'these runs' grep -q '^some.sqlite: 3 of 3 runs done' err
    check 'no others' [ "$(results some.sqlite)" -eq 3 ]
    check 'its grid is the list' [ "$(sqlite3 some.sqlite 'SELECT group_concat(id) FROM grid')" = 2,5,7 ]
    experiment 0 --check some.sqlite
    cp some.sqlite fewer.sqlite
    sqlite3 fewer.sqlite 'DELETE FROM grid WHERE id = 5'
    experiment 1 --check fewer.sqlite
    check 'one is missing' grep -q 'the grid has 2 runs; 3 were listed' out
    experiment 0 smoke -o parts --part=2/3 --dry-run
    check 'a list of a part' [ "$(grep -c ' done ' out)" -eq 11 ]
    echo 0123456789abcdef0123456789abcdef >> some.runs
    refused 'some.runs:4: 0123456789abcdef0123456789abcdef: no run of this experiment has this key' \
        experiment smoke --runs=some.runs
    refused '--runs: none.runs: No such file or directory' experiment smoke --runs=none.runs
}

@test "no run is started after the time that is given" {
    sed 's/long,/longer,/' long.yaml > longer.yaml
    printf '%s\n' 'gpus: [m2090]' 'workloads: [./long.yaml, ./longer.yaml]' > later.yaml
    experiment 1 later.yaml -o later --jobs=1 --timeout=2 --for=1
    check 'one of two' grep -q '0 of 2 runs done, 1 failed; 1 ended now' err
}

@test "a run with two results is a conflict, which names both files, and nothing is merged" {
    experiment 1 late.yaml -o both --merge late-1/late.sqlite late-2/late.sqlite
    check 'the run and the files' grep -q \
        '^run 2 (m2090, long, default): late-1/late.sqlite and late-2/late.sqlite have different results$' err
    check 'nothing is merged' grep -q '0 of 2 runs done, 0 failed; 0 merged now; in conflict, so nothing is merged$' err
    check 'nothing is in the database' [ "$(results both/late.sqlite)" -eq 0 ]
    cp -r late-1 first
    experiment 1 late.yaml -o first --merge late-2/late.sqlite
    check 'with the database itself' grep -q 'long, default): first/late.sqlite and late-2/late.sqlite have' err
    check 'it stays as it was' cmp <(sqlite3 first/late.sqlite .dump) <(sqlite3 late-1/late.sqlite .dump)
    experiment 1 late.yaml -o both --merge late-2/late.sqlite
    check 'a failure is a result' grep -q '1 of 2 runs done, 1 failed; 2 merged now' err
}

@test "what was aborted gives way to a result" {
    printf '%s\n' 'gpus: [m2090]' 'workloads: [./long.yaml]' > killed.yaml
    gpusched experiment killed.yaml -q -o killed > out 2> err 3>&- &
    pid=$!
    for _ in {1..250}; do
        read -ra children < <(cat "/proc/$pid/task/$pid/children") || true
        [ "${#children[@]}" -eq 0 ] || break
        sleep 0.02
    done
    kill -TERM "${children[@]}"
    wait "$pid" || true
    experiment 1 late.yaml -o way --merge killed/killed.sqlite
    check 'its reason is kept' grep -q 'killed by signal 15' err
    experiment 1 late.yaml -o way --merge late-1/late.sqlite
    check 'until there is a result' grep -q 'timeout: more than 1 seconds' err
    experiment 1 late.yaml -o way --merge killed/killed.sqlite
    check 'which stays' grep -q 'timeout: more than 1 seconds' err
}

@test "a result that is not as it was written is not merged" {
    cp parts/smoke.part-1-of-3.sqlite changed.sqlite
    sqlite3 changed.sqlite "UPDATE results SET status = 'failed', error = 'changed' WHERE id = 2"
    experiment 1 smoke -o unchanged --merge changed.sqlite
    check 'it is named' grep -q 'changed.sqlite: run .*: the result is not as it was written, and is not used' err
    check 'and not merged' grep -q '10 of 32 runs done, 0 failed; 10 merged now' err
}

@test "what is no database of an experiment is refused before anything is written" {
    echo 'this is no database' > text.sqlite
    sqlite3 other.sqlite 'CREATE TABLE a (b)'
    : > empty.sqlite
    cp parts/smoke.part-1-of-3.sqlite newer.sqlite
    sqlite3 newer.sqlite 'PRAGMA user_version = 99'
    local good=parts/smoke.part-1-of-3.sqlite
    for bad in 'text.sqlite: file is not a database' "other.sqlite: this is another program's database" \
        'empty.sqlite: nothing has run yet' 'newer.sqlite: this is of another version of gpusched experiment' \
        'none.sqlite: No such file or directory'; do
        experiment 2 smoke -o bad --merge "$good" "${bad%%:*}"
        check "$bad" says "--merge: $bad" err
        check "one line: $bad" lines 1 err
        check "nothing written: $bad" [ ! -e bad/smoke.sqlite ]
    done
}

@test "options that do not go together are refused" {
    for part in 3 4/3 0/3 1/0 /3 1/ 1/3x -1/3 1/1000001 1/99999999999; do
        refused "--part: $part is given; allowed: K/N" experiment smoke --part="$part"
    done
    refused '--part goes without --runs' experiment smoke --part=1/3 --runs=some.runs
    refused '--part goes without --merge' experiment smoke --part=1/3 --merge whole/smoke.sqlite
    refused '--csv of a part; allowed: of all, after --merge' experiment smoke --part=1/3 --csv
    refused '--merge: no database is named' experiment smoke --merge
    refused '--merge goes without --retry' experiment smoke --retry --merge whole/smoke.sqlite
    refused 'whole/smoke.sqlite: one experiment is allowed' experiment smoke whole/smoke.sqlite
    refused '--for goes with runs on this machine' experiment smoke --for=2 --dry-run
    refused '--nodes goes with --engine=slurm' experiment smoke --nodes=2
    refused '--engine: pbs is given; allowed: local, slurm' experiment smoke --engine=pbs
}
