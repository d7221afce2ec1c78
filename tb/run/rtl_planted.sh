#!/usr/bin/env bash
# rtl_planted.sh WORK GPUSCHED GPUSCHED-UNIT UNIT - defects planted in the unit are found by a real
# kernel's run, with the whole report: one that the kernel meets soon, and one that shows after 300
# cycles in which the unit has nothing to do, in a register that its golden model does not have.
set -euo pipefail

work=$1
gpusched=$2
tool=$3
unit=$4
run=(-g c2050 -w hotspot --set claso.active_levels=1)
report=$work/report
rm -rf "$work"
mkdir -p "$work/rtl"

# ---- The parameters are those of the GPU ---------------------------------------------------------
case $unit in
    cta_scheduler) params='N_SM.14-N_CLUSTER.14-N_KERNEL.16-CTA_W.32' ;;
    cluster_port)
        params='N_ENTRY.48-N_LINE.24-N_SM.5-LINE_W.41'
        run=(-g icc -w hotspot --set dispatch.policy=distributed-block --set icc.entries=48 --set icc.lines=24) ;;
    claso) params='N_CORE.14-N_POOL.14-N_KERNEL.16-CTA_W.32-LEVEL_W.4' ;;
    *) params='N_SM.14-N_CLUSTER.14-N_KERNEL.16-CTA_W.32-LEVEL_W.4' ;;
esac
rtl=$(find rtl -name "$unit.v")
spoiled=$work/so/$unit-$params.so

# idle BUSY OUTPUT WRONG - sed that makes OUTPUT wrong in the 300th cycle in a row without BUSY.
idle() {
    local counter="always @(posedge clk) idle <= rst_i || ($1) ? 9'd0 : idle + {8'd0, idle != 9'd300};"
    printf '%s\n' "s/^    assign $2 *= \\(.*\\);/reg [8:0] idle; $counter assign $2 = (\\1) ^ $3;/"
}

# ---- A library of the spoiled copy, and a run with it ----------------------------------------------
has() {
    grep -qE -- "$2" "$report" || { echo "the report lacks: $1"; cat "$report"; exit 1; }
}

# found DEFECT - the sed makes a difference, the run finds it, and its replay too.
found() {
    local status=0 command
    sed "$1" "$rtl" > "$work/rtl/$unit.v"
    if cmp -s "$rtl" "$work/rtl/$unit.v"; then
        echo "the defect changes nothing in $rtl"
        exit 1
    fi
    rm -rf "$work/so" "$work/out"
    env -u MAKEFLAGS make -s UNIT="$unit" RTL="$work/rtl" SO="$work/so" CXXFLAGS=-O1 "$spoiled"
    "$gpusched" run "${run[@]}" --rtl=shadow --units="$unit" --rtl-file="$spoiled" \
        -o "$work/out" > "$report" || status=$?
    test "$status" -eq 1 || { echo "exit status $status"; cat "$report"; exit 1; }
    has 'the unit with its parameters' "^DIFFERENCE $unit $(tr .- '= ' <<< "$params")\$"
    has 'its Verilog' "^  rtl        $work/rtl/$unit\.v $(sha256sum < "$work/rtl/$unit.v" | cut -c 1-12)(, .*)?\$"
    has 'where it ran' "^  run        ${run[3]} on ${run[1]}, cycle [0-9]+$"
    has 'what differs' '^  (u_[a-z]+\.)?[a-z_]+_[oq](\[[0-9]+\])* +[0-9]+ +[0-9]+$'
    has 'a waveform' '^  waveform   .*\.fst, one cycle is 10 time units$'
    test ! -e "$work/out/result.json" || { echo 'results were written'; exit 1; }
    test "$(tail -n 1 "$report" | cut -c1-12)" = '  replay    ' || { echo 'something after it'; exit 1; }

    # The command replays it: to the same difference, and to none on the RTL as it is.
    command=$(sed -n 's/^  replay     //p' "$report")
    status=0
    $command > "$report.replay" || status=$?
    test "$status" -eq 1 || { echo 'the replay does not fail'; exit 1; }
    test "$(grep -A1 'port\[element\]' "$report")" = "$(grep -A1 'port\[element\]' "$report.replay")"
    "$tool" replay "${command##* }" > /dev/null
    sed -n 1,8p "$report"
}

case $unit in
    cta_scheduler) # the clusters' pointer moves under every policy
        found 's/if (split_now) cluster_turn_q\[kernel_i\]/cluster_turn_q[kernel_i]/'
        found "$(idle dispatch_valid dispatch_valid_o "(idle == 9'd300)")" ;;
    claso) # a single CTA that needs a global credit does not pay it
        found "s/consume_more_i} >= asked_free;/consume_more_i} > asked_free;/"
        found "$(idle consume_valid_i allow_one_o "{N_CORE{idle == 9'd300}}")" ;;
    cluster_port) # what waits for an earlier answer is sent all the same
        found 's/wire send     = request_valid_i \&\& !answered/wire send     = request_valid_i \&\& !hit/'
        found "$(idle 'request_valid_i || reply_valid_i' request_taken_o "(idle == 9'd300)")" ;;
    *) # the next SM pays
        found "s/consume_core_i  (dispatch_sm_o)/consume_core_i  (dispatch_sm_o + 1'b1)/"
        found "$(idle dispatch_valid_o credit_error_o "(idle == 9'd300)")" ;;
esac
echo "checked: defects=2"
