#!/usr/bin/env bash
# pairs.sh EVERY GPUSCHED WORK [shadow] - runs the workloads with the pairs of mechanisms of pairs.txt, on each of its GPUs. A run
# must come to its end with the right result, and its kernels must have as many CTAs, and execute as many warp
# instructions, as with none of the mechanisms. With EVERY 1 each workload meets each pair on each GPU. With n it meets
# one in n of them, and the next workload the next ones, so that each pair, GPU and workload has its turn. With `shadow` the
# RTL of all units is beside them, and must not differ; a unit's library is built when it is first met.
set -euo pipefail

every=$1
gpusched=$2
work=$3
rtl=${4:-}
table=$(dirname "$0")/pairs.txt
seconds=300 # for a run; it takes less than one
[ -z "$rtl" ] || seconds=3600 # of libraries, a dozen
rm -rf "$work"
mkdir -p "$work"

gpus=() pairs=() failed=0 runs=0
declare -A base=() settings=() schedulers=() beside=() grid=() met=() units=()
while read -r kind name first second third; do
    case $kind in
        gpu) gpus+=("$name") base[$name]=$first settings[$name]=$second ;;
        grid) grid[$name]=:$first ;;
        pair) pairs+=("$name") schedulers[$name]=$first settings[$name]=$second beside[$name]=$third ;;
        '' | '#'*) ;;
        *) echo "$table: no such row: $kind" && exit 1 ;;
    esac
done < "$table"
# A name, and what is said of its result: that of a described kernel is not checked.
mapfile -t workloads < <("$gpusched" list workloads |
    awk '/^[A-Z]/ { said = /^CUDA/ ? "true" : "null" } /^  [a-z0-9]/ { print $1, said }')

# wrong TEXT - is said of the run.
wrong() {
    echo "$1" >> "$work/said"
    false
}

# run FILE WORKLOAD VERIFIED GPU KEYS OPTION... - to its end; then the file has what its kernels did, a line each.
run() {
    local file=$work/$1 workload=$2 verified=$3 gpu=$4 options=("${@:6}") key
    for key in ${settings[$gpu]//,/ } ${5//,/ }; do
        [ "$key" = - ] || options+=("--set=$key")
    done
    [ -n "$rtl" ] || options+=(--quiet)
    options=(run --gpu "${base[$gpu]}" --workload "$workload" "${options[@]}")
    runs=$((runs + 1))
    rm -f "$work/result.json"
    timeout "$seconds" "$gpusched" "${options[@]}" -o "$work" > "$work/said" 2>&1 ||
        { wrong "exit status $?: gpusched ${options[*]}" || return 1; }
    for key in '"end": "done"' '"unanswered": 0' "\"verified\": $verified"; do
        grep -q "^ $key" "$work/result.json" || { wrong "the result lacks $key" || return 1; }
    done
    sed -n 's/^  {"name":"\([^"]*\)".*"grid":\([^]]*]\).*"ctas":\(.*\),"warp_instructions":\([0-9]*\).*/\1 \2 \3 \4/p' \
        "$work/result.json" | LC_ALL=C sort > "$file"
    [ -s "$file" ] || wrong 'no kernel ran'
}

# same NAME BESIDE - the kernels of the last run did what those of both do alone.
same() {
    local alone=("$work/of-$1")
    if [ "$2" != - ]; then alone+=("$work/of-$2"); fi
    LC_ALL=C sort "${alone[@]}" | diff - "$work/now" >> "$work/said" || wrong 'kernels did something else'
}

# compared - the units beside which RTL has run in the last run are noted: all that it lists, and there is one.
compared() {
    local unit listed
    [ -n "$rtl" ] || return 0
    sed -n '/^RTL in lockstep/,$ s/^  \([a-z_]*\)  *[0-9]*  *[0-9,]*  *0  rtl.*/\1/p' "$work/said" > "$work/units"
    while read -r unit; do units[$unit]=1; done < "$work/units"
    listed=$(sed '1,/^RTL in lockstep/d' "$work/said" | grep -c '^  [a-z_]*  *[0-9]') || true
    [ "$listed" -gt 0 ] || wrong 'no RTL has run' || return 1
    [ "$(wc -l < "$work/units")" -eq "$listed" ] || wrong 'a unit has no RTL that has run'
}

# meet PAIR GPU WORKLOAD VERIFIED
meet() {
    local pair=$1 gpu=$2 name=$3 other=${beside[$1]} workload=$3${grid[$3]:-}
    if [ "$other" != - ]; then workload+=+$other; fi
    met[$pair]=1 met[$gpu]=1 met[$name]=1
    if ! run now "$workload" "$4" "$gpu" "${settings[$pair]}" --scheduler="${schedulers[$pair]}" ${rtl:+"--rtl=$rtl"} ||
        ! same "$name" "$other" || ! compared; then
        failed=$((failed + 1))
        sed '/inputs of the last/,$d' "$work/said" | tail -n 40
        printf 'FAIL: %s with %s on %s\n' "$name" "$pair" "$gpu"
    fi
}

for row in "${workloads[@]}"; do
    read -r name verified <<< "$row"
    run "of-$name" "$name${grid[$name]:-}" "$verified" "${gpus[0]}" - || { cat "$work/said" && exit 1; }
done
at=0
for row in "${workloads[@]}"; do
    read -r name verified <<< "$row"
    turn=$((at++))
    for pair in "${pairs[@]}"; do
        for gpu in "${gpus[@]}"; do
            if [ $((turn++ % every)) -eq 0 ]; then meet "$pair" "$gpu" "$name" "$verified"; fi
        done
    done
done
for name in "${pairs[@]}" "${gpus[@]}" "${workloads[@]% *}"; do
    [ -n "${met[$name]:-}" ] || { failed=$((failed + 1)) && printf 'FAIL: %s has had no turn\n' "$name"; }
done
[ "$failed" -eq 0 ] || { printf '%d of %d runs failed\n' "$failed" "$runs" && exit 1; }
printf 'checked: runs=%d pairs=%d gpus=%d workloads=%d%s\n' "$runs" ${#pairs[@]} ${#gpus[@]} ${#workloads[@]} "${rtl:+ units=${#units[@]}}"
