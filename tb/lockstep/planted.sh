#!/usr/bin/env bash
# planted.sh WORK GPUSCHED-UNIT UNIT.v DEFECT.sed PARAM=VALUE... - plants a defect in a copy
# of the RTL, and checks every part of what the lockstep then reports.
set -euo pipefail

work=$1
tool=$2
rtl=$3
defect=$4
shift 4
unit=$(basename "$rtl" .v)
report=$work/$unit.report
mkdir -p "$work/rtl"

parts=0
part() {
    parts=$((parts + 1))
    "${@:2}" || { echo "the report lacks: $1"; cat "$report"; exit 1; }
}
has() {
    grep -qE -- "$1" "$report"
}

# ---- A library of the spoiled copy, in a place of its own -----------------------------
sed -f "$defect" "$rtl" > "$work/rtl/$unit.v"
if cmp -s "$rtl" "$work/rtl/$unit.v"; then
    echo "$defect changes nothing in $rtl"
    exit 1
fi
case=$unit$(printf -- '-%s' "${@/=/.}")
spoiled=$work/so/$case.so
env -u MAKEFLAGS make -s RTL="$work/rtl" SO="$work/so" "$spoiled"

# ---- The lockstep stops with a report --------------------------------------------------
status=0
"$tool" lockstep "$unit" "$@" --rtl="$spoiled" --cycles=1000000 --seed=7 --report="$work" \
    > "$report" || status=$?
part 'exit status 1' test "$status" -eq 1
part 'the unit with its parameters' has "^DIFFERENCE $unit $*\$"
part 'the instance' has '^  instance   0, '
part 'the stimulus and its seed' has '^  stimulus   mixed, seed 7$'
part 'the cycle' has '^  cycle      [0-9]+, the last reset at cycle [0-9]+$'
part 'what differs' has '^  ([a-z_]+\.)*[a-z_]+_[oq](\[[0-9]+\])* +[0-9]+ +[0-9]+$'
cycle=$(sed -n 's/^  cycle      \([0-9]*\),.*/\1/p' "$report")
first=$((cycle - 15))
part '16 cycles of inputs' test "$(grep -cE '^ +[0-9]+     [01] ' "$report")" -eq 16
part 'the first of them' has "^ +$first     [01] "
part 'the last of them, the differing cycle' has "^ +$cycle     [01] "
part 'nothing after the command' test "$(tail -n 1 "$report" | cut -c1-12)" = '  replay    '

# ---- The waveform brackets the cycle: start and end times in the header of FST -----------
wave=$(sed -n 's/^  waveform   \(.*\), one cycle is.*/\1/p' "$report")
time_at() {
    od -An -t u8 --endian=big -j "$1" -N 8 "$wave" | tr -d ' '
}
part 'a waveform from the first cycle shown' test "$(time_at 9)" -eq $((10 * first))
part 'a waveform to after the difference' test "$(time_at 17)" -ge $((10 * cycle + 10))

# ---- The command replays it: to the same difference on the spoiled RTL ---------------------
command=$(sed -n 's/^  replay     //p' "$report")
status=0
$command > "$report.replay" || status=$?
part 'a replay that fails' test "$status" -eq 1
part 'the same difference' test "$(grep -A3 'port\[element\]' "$report" | head -n 2)" \
    = "$(grep -A3 'port\[element\]' "$report.replay" | head -n 2)"
# ... and to none on the RTL as it is.
part 'a replay that passes on good RTL' "$tool" replay "${command##* }"
cat "$report"
echo "checked: parts=$parts"
