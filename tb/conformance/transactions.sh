#!/usr/bin/env bash
# transactions.sh WORK UNIT_TOOL RUNTIME - the bench that replays transactions: our modules pass at some sizes, and so does one
# with another latency, under Icarus and under Verilator; other decisions, and damaged files, do not. RUNTIME: the folder with
# the compiled runtime of Verilator.
set -euo pipefail

work=$1
tool=$2
runtime=$3
theirs=docs/examples/third-party-rtl/cta_scheduler.v
# shellcheck source=tb/verilog.sh
. tb/verilog.sh
rm -rf "$work"
mkdir -p "$work/mine"
cases=0
failed=0

wrong() {
    failed=$((failed + 1))
    printf 'FAIL  %s\n' "$@"
    sed 's/^/      /' "$work/said"
}

# transactions UNIT CYCLES PARAM=VALUE... - in $work/file.txn; the bench in $work/UNIT_tb.v, and in all its parameters.
transactions() {
    "$tool" vectors "$1" "${@:3}" --transactions --cycles="$2" --output="$work/file.txn"
    "$tool" ports "$1" --format=transactions-bench | cat - tb/conformance/replay.v tb/conformance/replay_transactions.v > "$work/$1_tb.v"
    mapfile -t all < <(sed -n 's/^param \([A-Z_]*\) \(.*\)/\1=\2/p' "$work/file.txn")
}

# build UNIT FILE... - under Icarus. replay [+rest=N] - what it prints.
build() {
    iverilog -g2005 "${search[@]}" "${all[@]/#/-P$1_tb.}" -s "$1_tb" -o "$work/bench" "$work/$1_tb.v" "${@:2}"
}
replay() {
    vvp -N "$work/bench" "+vectors=$work/file.txn" "$@"
}

# passes NAME COMMAND... - it ends well, and every channel has had transactions.
passes() {
    cases=$((cases + 1))
    if ! "${@:2}" > "$work/said" 2>&1; then
        wrong "$1: does not pass"
    elif ! grep -qE '^PASS [1-9][0-9]* steps, [1-9][0-9]* cycles, transactions( [a-z]+ [1-9][0-9]*,?)+$' "$work/said"; then
        wrong "$1: does not say so"
    fi
}

# fails NAME TEXT COMMAND... - it does not, and prints a line that is matched.
fails() {
    cases=$((cases + 1))
    if "${@:3}" > "$work/said" 2>&1; then
        wrong "$1: not found"
    elif ! grep -qE "^$2\$" "$work/said"; then
        wrong "$1: no line matches $2"
    fi
}

# Ours.
for size in 'cta_scheduler 500 N_SM=1 N_CLUSTER=1 N_KERNEL=1 CTA_W=1' 'cta_scheduler 1500 N_SM=60 N_CLUSTER=12 N_KERNEL=4' \
    'work_distributor 1500 N_SM=7 N_CLUSTER=3 N_KERNEL=2 CTA_W=9'; do
    # shellcheck disable=SC2086 # words
    set -- $size
    file=$(echo rtl/*/"$1".v)
    look_for_parts "$file"
    transactions "$@"
    build "$1" "$file"
    passes "$size" replay +rest=200
done

# Another's, whose dispatch comes a cycle later.
sed 's/^module cta_scheduler/module other_scheduler/' rtl/units/cta_scheduler.v > "$work/mine/other_scheduler.v"
transactions cta_scheduler 1500 N_SM=6 N_CLUSTER=2 N_KERNEL=2

# late SCRIPT - changed by a script of sed, and built.
late() {
    sed "$1" "$theirs" > "$work/mine/cta_scheduler.v"
    if [ -n "$1" ] && cmp -s "$theirs" "$work/mine/cta_scheduler.v"; then
        wrong "$1: the script changes nothing"
    fi
    build cta_scheduler "$work/mine/cta_scheduler.v" "$work/mine/other_scheduler.v"
}
late ''
passes 'a cycle later' replay +rest=200
passes 'a cycle later, all of the rest' replay
passes 'a cycle later, Verilator' tb/conformance/verilator.sh "$work/verilator" "$runtime" "$work/file.txn" "$work/cta_scheduler_tb.v" \
    "$work/mine/cta_scheduler.v" "${all[@]}"
cp "$work/file.txn" "$work/short"

of='FAIL step [0-9]+, cycle [0-9]+: transaction [0-9]+ of channel'
late 's/assign dispatch_sm_o *= shows ? sm/& - (sm == N_SM - 1)/'
fails 'another SM' "$of dispatch: mismatch" replay
fails 'another SM, by its port' 'cycle [0-9]+: dispatch_sm_o: expected 5, got 4' replay
late 's/shows = valid && seen_q;/shows = valid \&\& seen_q \&\& cta != 2;/'
fails 'a CTA that does not come' "$of dispatch: does not come for 10000 cycles" replay
late 's/shows = valid && seen_q;/shows = (valid \&\& seen_q) || (room_i == 0 \&\& limit_i != 0);/'
fails 'one too many' "$of dispatch: not expected in this step" replay
late 's/launch_valid_i  *(launch_valid_i)/launch_valid_i (1'"'"'b0)/; s/launch_ready_o  *(launch_ready_o)/launch_ready_o ()/; s/^    wire  *valid;/&\n    assign launch_ready_o = 0;/'
fails 'an offer that is not taken' 'FAIL step [0-9]+, cycle [0-9]+: the offer is not taken for 10000 cycles' replay
late 's/^    wire  *valid;/&\n    reg unknown;/; s/shows = valid && seen_q;/shows = valid \&\& unknown;/'
fails 'an X' "$of dispatch: its valid or ready is unknown" replay

late ''
sed -i 's/^\(expect 2 .*\)0$/\11/' "$work/file.txn"
fails 'a damaged file' 'FAIL step [0-9]+, cycle [0-9]+: the vector file is damaged: its checksum is not right' replay
head -n 60 "$work/short" > "$work/file.txn"
fails 'a file without its end' 'FAIL step [0-9]+, cycle [0-9]+: the vector file is damaged.*' replay
rm "$work/file.txn"
fails 'no file' 'FAIL: \+vectors=FILE names no file that can be read' replay
"$tool" vectors cta_scheduler "${all[@]}" --output="$work/file.txn" --cycles=100
fails 'vectors of cycles' 'FAIL step 0, cycle 0: no transactions in the file' replay
"$tool" vectors cta_scheduler "${all[@]}" --output="$work/file.txn" --transactions --mode=idle --cycles=10
fails 'a channel without transactions' "$of [a-z]*: no transaction in the whole file" replay
echo "checked: cases=$cases"
[ "$failed" -eq 0 ]
