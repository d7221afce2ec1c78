#!/usr/bin/env bash
# queries.sh GPUSCHED EXPERIMENTS_MD - the SQL of the page, exactly as it is printed there, on a
# database that has something for each query: every statement gives rows.
set -uo pipefail

gpusched=$(realpath "$1")
page=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tb/run/checks.sh
. "$(dirname "$0")/checks.sh"
cd "$work" || exit 1

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
ends 0 experiment smoke.yaml -q
# What needs RTL, and what has failed.
sqlite3 results/smoke.sqlite "INSERT INTO result_observed SELECT id, 'lockstep',
    '[{\"unit\":\"claso\",\"mode\":\"shadow\",\"instances\":1,\"cycles\":8467,\"differences\":0}]' FROM results;
    UPDATE results SET status = 'failed', error = 'why' WHERE key = (SELECT key FROM grid WHERE id = 4)"

# Each block of SQL begins with a remark; a statement ends with a semicolon.
sed -n '/^    -- /,/^$/s/^    //p' "$page" > statements
n=0
statement=''
while IFS= read -r line; do
    statement+=$line$'\n'
    [[ $line == *\; ]] || continue
    n=$((n + 1))
    rows=$(sqlite3 -bail results/smoke.sqlite <<< "$statement" 2> err)
    check "gives rows: $statement" [ -n "$rows" ]
    check "no error: $statement" [ ! -s err ]
    statement=''
done < statements
check 'all statements end' [ -z "$statement" ]
check 'there are six' [ "$n" -eq 6 ]
"$gpusched" run -q -g c2050 -w ./tiny.yaml -s sm.cta_slots=2 -s warp.policy=lrr -o single
check 'a result as a file is that of gpusched run' cmp single/result.json result.json

printf 'queries: %d checks, %d failed\n' "$checks" "$failed"
[ "$failed" -eq 0 ]
