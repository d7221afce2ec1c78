#!/usr/bin/env bash
# planted.sh WORK GPUSCHED-UNIT UNIT.v UNIT.cfg SIZES.cfg MOST SEEDS - plants the unit's defect in copies of the
# RTL, one for each size, and checks every part of what the lockstep then reports, for so many seeds over
# all sizes: those of SIZES.cfg, or MOST of them, which are spread over them and have the first and the last.
# Each report's vectors must replay to the same difference in the same cycle.
#
# A line "# at: CONDITION" of the defect says at which sizes the defect shows, as arithmetic with the unit's
# parameters. Other sizes get a defect that needs nothing: an output is inverted while the first two
# inputs of one bit are high.
set -euo pipefail

work=$1
tool=$2
rtl=$3
defect=$work/defect.sed
most=$6
seeds=$7
mapfile -t sizes < <(tb/cfg.sh "$5" sizes | sed 's/#.*//; /^ *$/d' |
    awk -v most="$most" '{ size[NR - 1] = $0 }
        END { n = NR < most ? NR : most; for (i = 0; i < n; i++) print size[n < 2 ? 0 : int(i * (NR - 1) / (n - 1))] }')
unit=$(basename "$rtl" .v)
build=$(realpath "$(dirname "$tool")")
rm -rf "$work"
mkdir -p "$work/own" "$work/any" "$work/so"
tb/cfg.sh "$4" defect > "$defect"

parts=0
part() {
    parts=$((parts + 1))
    "${@:2}" || { echo "${size[*]}, seed $seed: the report lacks: $1"; cat "$report"; exit 1; }
}
has() {
    grep -qE -- "$1" "$report"
}
# plant NAME SED - a spoiled copy, beside what the unit is made of.
plant() {
    cp "$(dirname "$rtl")"/*.v "$work/$1"
    sed -E "$2" "$rtl" > "$work/$1/$unit.v"
    ! cmp -s "$rtl" "$work/$1/$unit.v" || { echo "$defect: $1: changes nothing in $rtl"; exit 1; }
}
# What differs, as a report or a replay shows it.
table() {
    sed -n '/port\[element\]/,/^$/p' "$1"
}

# ---- Libraries of the spoiled copies, in a place of their own, quickly compiled ---------------
cp "$(dirname "$rtl")"/*.v "$work/own"
sed -f "$defect" "$rtl" > "$work/own/$unit.v"
! cmp -s "$rtl" "$work/own/$unit.v" || { echo "$defect changes nothing in $rtl"; exit 1; }
flags=$("$tool" ports "$unit" --format=rtl | awk '$1 == "input" && $3 == 1 && n++ < 2 { printf "%s%s", c, $2; c = ", " }')
# Without a flag, a bit of the first input.
flags=${flags:-$("$tool" ports "$unit" --format=rtl | awk '$1 == "input" && !n++ { print $2 "[0]" }')}
# The first output that the module itself assigns: a part may drive others.
output=$("$tool" ports "$unit" --format=rtl | awk '$1 == "output" { print $2 }' | while read -r name; do
    ! grep -q "assign $name *=" "$rtl" || { echo "$name"; break; }
done)
plant any "s/assign $output *=/& (\&{$flags}) ^/"
condition=$(sed -n 's/^# at: //p' "$defect")

kinds=()
files=()
declare -A wanted=()
for text in "${sizes[@]}"; do
    read -ra size <<< "$text"
    kind=own
    if [ -n "$condition" ] && ! (declare "${size[@]}" && ((condition))); then kind=any; fi
    file=$work/so/$kind/$("$tool" ports "$unit" "${size[@]}" --format=file).so
    kinds+=("$kind")
    files+=("$file")
    wanted[$kind]+="$file "
done
for kind in "${!wanted[@]}"; do
    read -ra libraries <<< "${wanted[$kind]}"
    env -u MAKEFLAGS make -s --no-print-directory BUILD="$build" UNIT="$unit" RTL="$work/$kind" OUT="$work/out" \
        SO="$work/so/$kind" CXXFLAGS=-O0 "${libraries[@]}"
done

# ---- The lockstep stops with a report, and its command replays it -----------------------------
try() {
    local status=0 cycle first wave from command
    report=$work/$seed.report
    "$tool" lockstep "$unit" "${size[@]}" --rtl="$library" --cycles=1000000 --seed="$seed" --report="$work/left" \
        > "$report" || status=$?
    part 'exit status 1' test "$status" -eq 1
    part 'the unit with its parameters' has "^DIFFERENCE $unit ${size[*]}\$"
    part 'the instance' has '^  instance   0, '
    part 'the Verilog with its digest' \
        has "^  rtl        (.*, )?$work/$kind/$unit\.v $(sha256sum < "$work/$kind/$unit.v" | cut -c 1-12)(, .*)?\$"
    part 'the stimulus and its seed' has "^  stimulus   mixed, seed $seed\$"
    part 'the cycle' has '^  cycle      [0-9]+, the last reset at cycle [0-9]+$'
    part 'what differs' has '^  (g_[a-z]+\[[0-9]+\]\.)?([a-z_]+\.)*[a-z_]+_[oq](\[[0-9]+\])* +[0-9]+ +[0-9]+$'
    cycle=$(sed -n 's/^  cycle      \([0-9]*\),.*/\1/p' "$report")
    from=$(sed -n 's/^  vectors .*, from the reset at cycle \([0-9]*\)$/\1/p' "$report")
    first=$((cycle - from < 15 ? from : cycle - 15))
    part 'up to 16 cycles of inputs' test "$(grep -cE '^ +[0-9]+     [01] ' "$report")" -eq $((cycle - first + 1))
    part 'the first of them' has "^ +$first     [01] "
    part 'the last of them, the differing cycle' has "^ +$cycle     [01] "
    part 'nothing after the command' test "$(tail -n 1 "$report" | cut -c1-12)" = '  replay    '

    # The waveform brackets the cycle: start and end times in the header of FST.
    wave=$(sed -n 's/^  waveform   \(.*\), one cycle is.*/\1/p' "$report")
    part 'a waveform from the first cycle shown' test "$(time_at 9)" -eq $((10 * first))
    part 'a waveform to after the difference' test "$(time_at 17)" -ge $((10 * cycle + 10))

    # The command replays it: to the same difference in the same cycle.
    command=$(sed -n 's/^  replay     //p' "$report")
    vectors=${command##* }
    status=0
    $command > "$report.replay" || status=$?
    part 'a replay that fails' test "$status" -eq 1
    part "a replay that fails in cycle $((cycle - from)) of the vectors" \
        grep -qx "  cycle      $((cycle - from)) of the vectors" "$report.replay"
    part 'the same difference' test "$(table "$report")" = "$(table "$report.replay")"
    part 'vectors that are the golden model'\''s' "$tool" replay --model "$vectors" > "$report.model"
}
time_at() {
    od -An -t u8 --endian=big -j "$1" -N 8 "$wave" | tr -d ' '
}

replays=0
n=${#sizes[@]}
for ((i = 0; i < n; i++)); do
    read -ra size <<< "${sizes[i]}"
    kind=${kinds[i]}
    library=${files[i]}
    for ((seed = i + 1; seed <= (seeds > n ? seeds : n); seed += n)); do
        try
        replays=$((replays + 1))
        if [ "$seed" -eq 1 ]; then # to no difference on the RTL as it is
            part 'a replay that passes on good RTL' "$tool" replay "$vectors"
        fi
    done
done
cat "$report"
own=$(grep -cx own <<< "$(printf '%s\n' "${kinds[@]}")" || true)
echo "$unit: $replays reports at $n sizes replayed to the same difference; at $own sizes the unit's own defect"
echo "checked: parts=$parts replays=$replays sizes=$n"
