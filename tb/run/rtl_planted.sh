#!/usr/bin/env bash
# rtl_planted.sh WORK GPUSCHED GPUSCHED-UNIT UNIT - the unit's planted defect is found by a real
# kernel's run, with the whole report.
set -euo pipefail

work=$1
gpusched=$2
tool=$3
unit=$4
run=(-g c2050 -w hotspot --set claso.active_levels=1)
report=$work/report
rm -rf "$work"
mkdir -p "$work/rtl"

# ---- A library of the spoiled copy: the parameters are those of the GPU ------------------
case $unit in
    cta_scheduler) params='N_SM.14-N_CLUSTER.14-N_KERNEL.16-CTA_W.32' ;;
    cluster_port)
        params='N_ENTRY.48-N_LINE.24-N_SM.5-LINE_W.41'
        run=(-g icc -w hotspot --set dispatch.policy=distributed-block --set icc.entries=48 --set icc.lines=24) ;;
    claso) params='N_CORE.14-N_POOL.14-N_KERNEL.16-CTA_W.32-LEVEL_W.4' ;;
    *) params='N_SM.14-N_CLUSTER.14-N_KERNEL.16-CTA_W.32-LEVEL_W.4' ;;
esac
# Defects that a real kernel meets soon.
case $unit in
    cta_scheduler) # the clusters' pointer moves under every policy
        defect='s/if (dispatch && split_now) cluster_turn_d/if (dispatch) cluster_turn_d/' ;;
    claso) # a single CTA that needs a global credit does not pay it
        defect="s/consume_more_i} >= asked_free;/consume_more_i} > asked_free;/" ;;
    cluster_port) # what waits for an earlier answer is sent all the same
        defect='s/wire send     = request_valid_i \&\& !answered/wire send     = request_valid_i \&\& !hit/' ;;
    *) # the next SM pays
        defect="s/consume_core_i  (dispatch_sm_o)/consume_core_i  (dispatch_sm_o + 1'b1)/" ;;
esac
rtl=$(find rtl -name "$unit.v")
sed "$defect" "$rtl" > "$work/rtl/$unit.v"
if cmp -s "$rtl" "$work/rtl/$unit.v"; then
    echo "the defect changes nothing in $rtl"
    exit 1
fi
spoiled=$work/so/$unit-$params.so
env -u MAKEFLAGS make -s UNIT="$unit" RTL="$work/rtl" SO="$work/so" "$spoiled"

# ---- A run with the unit ------------------------------------------------------------------------
status=0
"$gpusched" run "${run[@]}" --rtl=shadow --units="$unit" --rtl-file="$spoiled" \
    -o "$work/out" > "$report" || status=$?
has() {
    grep -qE -- "$2" "$report" || { echo "the report lacks: $1"; cat "$report"; exit 1; }
}
test "$status" -eq 1 || { echo "exit status $status"; cat "$report"; exit 1; }
has 'the unit with its parameters' "^DIFFERENCE $unit $(tr .- '= ' <<< "$params")\$"
has 'its Verilog' "^  rtl        $work/rtl/$unit\.v $(sha256sum < "$work/rtl/$unit.v" | cut -c 1-12)(, .*)?\$"
has 'where it ran' "^  run        ${run[3]} on ${run[1]}, cycle [0-9]+$"
has 'what differs' '^  (u_[a-z]+\.)?[a-z_]+_[oq](\[[0-9]+\])* +[0-9]+ +[0-9]+$'
has 'a waveform' '^  waveform   .*\.fst, one cycle is 10 time units$'
test ! -e "$work/out/result.json" || { echo 'results were written'; exit 1; }
test "$(tail -n 1 "$report" | cut -c1-12)" = '  replay    ' || { echo 'something after it'; exit 1; }

# ---- The command replays it: to the same difference, and to none on the RTL as it is --------------
command=$(sed -n 's/^  replay     //p' "$report")
status=0
$command > "$report.replay" || status=$?
test "$status" -eq 1 || { echo 'the replay does not fail'; exit 1; }
test "$(grep -A1 'port\[element\]' "$report")" = "$(grep -A1 'port\[element\]' "$report.replay")"
"$tool" replay "${command##* }" > /dev/null
sed -n 1,8p "$report"
echo "checked: defects=1"
