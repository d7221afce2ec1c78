#!/usr/bin/env bash
# many.sh WORK BUILD RUNS [SECONDS] - what an experiment of many runs costs: bytes of its database per run,
# and the time and memory of its CSV, its table, its page and its start. Its results are those of real runs, in turn.
# A run may take 2048 bytes. A command may take SECONDS of the processor, and 60 MB with 400 bytes per run,
# but no more than 500 MB. Prints what was measured.
set -euo pipefail

work=$1 build=$(realpath "$2") runs=$3 seconds=${4:-}
rm -rf "$work"
mkdir -p "$work"
cd "$work"

gpusched() { "$build/gpusched" "$@"; }
fail() { echo "many.sh: $*" >&2; exit 1; }

cat > real.yaml << 'END'
gpus: [m2090]
workloads: [{name: hotspot, size: small}, {name: bfs, size: small}]
variants: {gto: {warp.policy: gto}, lrr: {warp.policy: lrr}}
axes: {ctas: {key: sm.cta_slots, values: [2, 3, 4, 8]}, queue: {key: dram.queue, values: [8, 32]}}
END
gpusched experiment real.yaml -o . -q
# Two workloads and variants; and 100 values of one axis.
cat > many.yaml << END
gpus: [m2090]
workloads: [{name: hotspot, size: small}, {name: bfs, size: small}]
variants: {gto: {warp.policy: gto}, lrr: {warp.policy: lrr}}
axes:
  seed_of_run: {key: jitter.seed, values: [$(seq -s, 0 $((runs / 400 - 1)))]}
  ctas_most: {key: limit.watchdog, values: [$(seq -s, 1000001 1000100)]}
baseline: gto
END
"$build/many" time "$build/many" fill many.yaml many.sqlite real.sqlite 2> took || { cat took; exit 1; }
bytes=$(($(stat -c %s many.sqlite) / runs))
printf '%d runs: %d bytes per run; filled in %s s\n' "$runs" "$bytes" "$(cut -d ' ' -f 1 took)"
[ "$bytes" -le 2048 ] || fail "$bytes bytes per run; allowed: at most 2048"

# timed NAME COMMAND... - its output is in NAME.
timed() {
    local took clock processor memory most=$((60 + 400 * runs / 1000000))
    "$build/many" time "$build/gpusched" "${@:2}" > "$1" 2> err || { cat err; exit 1; }
    took=$(tail -n 1 err)
    read -r clock processor memory <<< "$took"
    printf '%s: %s s, %s s of the processor, %s MB\n' "$1" "$clock" "$processor" "$memory"
    [ "$memory" -le $((most < 500 ? most : 500)) ] || fail "$1: $memory MB; allowed: at most $((most < 500 ? most : 500))"
    [ -z "$seconds" ] || [ "${processor%.*}" -lt "$seconds" ] || fail "$1: $processor s; allowed: below $seconds"
}
timed csv experiment many.yaml -o . -q --no-run --csv
timed table experiment many.yaml -o . -q --no-run --table
[ "$(wc -l < csv)" -eq $((runs + 1)) ] || fail "the CSV has $(wc -l < csv) lines"
[ "$(grep -c ',done,,[0-9]' csv)" -eq "$runs" ] || fail 'not all runs are done'
[ "$(grep -c '^  hotspot small  *1.000 ' table)" -eq $((runs / 4)) ] || fail 'the table has other rows'
# The page has sums, which are those of the CSV.
timed page report many.sqlite -o page.html
xmllint --noout page.html
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { of = $at["workload"] "," $at["seed_of_run"] "," $at["ctas_most"] }
    $at["variant"] == "gto" { base[of] = $at["cycles"] }
    $at["variant"] == "lrr" {
        ratio = base[of] / $at["cycles"]
        sum += log(ratio)
        if (n++ == 0 || ratio < low) { low = ratio; low_run = $1 }
        if (n == 1 || ratio > high) { high = ratio; high_run = $1 }
    }
    END { printf "lrr is %.3f times as fast as gto (geometric mean of %d pairs of runs; %.3f in run %d to %.3f in run %d).\n",
        exp(sum / n), n, low, low_run, high, high_run }' csv > said
[ "$(wc -c < page.html)" -lt 100000 ] || fail 'the page has a line for each run'
grep -qF -f said page || fail "the answer is not: $(cat said)"
! "$build/gpusched" report many.sqlite -o none.html --baseline=best 2> err || fail 'there is no such baseline'
grep -q -e '--baseline=best: no such variant; the first is gto' err || fail "$(cat err)"
# A result that is not as it was written is named, and counts as not run.
cp many.sqlite other.sqlite
sqlite3 other.sqlite "UPDATE results SET error = 'x' WHERE id = 5"
ended=0
"$build/gpusched" report other.sqlite -q -o other.html 2> err || ended=$?
[ "$ended" -eq 1 ] || fail "exit status $ended of a page without a result"
grep -q "<b>$((runs - 1)) of $runs</b> runs done, 1 not run yet" other.html || fail 'the result is on the page'
rm other.sqlite
# A result is the bytes that it was.
for i in 1 7 "$runs"; do
    gpusched query many.sqlite "SELECT result FROM runs WHERE id = $i" > result
    gpusched query real.sqlite "SELECT result FROM temp.stored ORDER BY id LIMIT 1 OFFSET ($i - 1) % 32" > real
    [ -s real ] || fail 'a result is empty'
    cmp result real
done
# What is done is not run again.
timed start experiment many.yaml -o . --jobs=1
grep -q "$runs of $runs runs done, 0 failed; 0 ended now" err || fail 'the start runs something'
gpusched experiment many.yaml -o . -q --no-run --csv > again
cmp again csv || fail 'the start has changed the CSV'
echo "checked: runs=$runs"
