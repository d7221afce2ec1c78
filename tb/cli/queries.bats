#!/usr/bin/env bats
# The SQL of docs/experiments.md, exactly as it is printed there, on a database that has something for
# each query: every statement gives rows. So does every query of results.

load helper

# For the queries of what needs RTL, and of what has failed.
setup_file() {
    cd "$BATS_FILE_TMPDIR" || return 1
    cat > tiny.yaml << 'END'
kernels:
  - {name: k, grid: [20, 1, 1], block: [32, 1, 1], registers: 8, body: [{op: fp32, count: 2}]}
END
    cat > smoke.yaml << 'END'
gpus: [c2050]
workloads: [./tiny.yaml]
variants: {gto: {warp.policy: gto}, lrr: {warp.policy: lrr}}
axes: {ctas: {key: sm.cta_slots, values: [2, 8]}}
observe: [ctas]
baseline: gto
END
    gpusched experiment smoke.yaml -q
    cp results/smoke.sqlite clean.sqlite
    sqlite3 results/smoke.sqlite "INSERT INTO result_observed SELECT id, 'lockstep',
        '[{\"unit\":\"claso\",\"mode\":\"shadow\",\"instances\":1,\"cycles\":8467,\"differences\":0}]' FROM results;
        UPDATE results SET status = 'failed', error = 'why' WHERE key = (SELECT key FROM grid WHERE id = 4)"
}

# Each block of SQL begins with a remark; a statement ends with a semicolon.
@test "every statement of the page gives rows" {
    local n=0 statement='' rows
    sed -n '/^    -- /,/^$/s/^    //p' "$CLI_SOURCE/docs/experiments.md" > statements
    while IFS= read -r line; do
        statement+=$line$'\n'
        [[ $line == *\; ]] || continue
        n=$((n + 1))
        rows=$(sqlite3 -bail results/smoke.sqlite <<< "$statement" 2> err) || true
        check "gives rows: $statement" [ -n "$rows" ]
        check "no error: $statement" [ ! -s err ]
        statement=''
    done < statements
    check 'all statements end' [ -z "$statement" ]
    check 'there are four' [ "$n" -eq 4 ]
}

@test "every query of results gives rows, and changes nothing" {
    local n=0 line rows before
    before=$(sha256sum clean.sqlite)
    sed -n 's/^    gpusched query/gpusched query/p' "$CLI_SOURCE/docs/experiments.md" > commands
    while IFS= read -r line; do
        n=$((n + 1))
        rows=$(eval "${line/smoke/clean.sqlite}" 2> err; cat result.json 2> /dev/null) || true
        check "gives rows: $line" [ -n "$rows" ]
    done < commands
    check 'there are two' [ "$n" -eq 2 ]
    check 'one line for each run' [ "$(gpusched query clean.sqlite 'SELECT id, result ->> "$.cycles.core" FROM runs' 2> err | grep -cE '^[1-4]\|[0-9]+$')" -eq 4 ]
    check 'another sign between columns' [ "$(gpusched query clean.sqlite -s ', ' 'SELECT 1, NULL, "a"; SELECT 2' 2> err | tr '\n' ';')" = '1, , a;2;' ]
    exits 2 gpusched query clean.sqlite 'DELETE FROM grid'
    check 'it writes nothing' grep -q 'attempt to write a readonly database' err
    exits 2 gpusched query clean.sqlite 'SELECT absent FROM runs'
    check 'it says what is wrong' grep -q 'clean.sqlite: no such column: absent' err
    exits 2 gpusched query none 'SELECT 1'
    exits 2 gpusched query clean.sqlite
    exits 1 gpusched query smoke 'SELECT count(result) FROM runs'
    check 'what is not as it was written has no result' [ "$(cat out)" = 0 ]
    check 'nothing has changed' [ "$before" = "$(sha256sum clean.sqlite)" ]
}

@test "a result as a file is that of gpusched run" {
    ends 0 run -q -g c2050 -w ./tiny.yaml -s sm.cta_slots=2 -s warp.policy=lrr -o single
    check 'the same bytes' cmp single/result.json result.json
}
