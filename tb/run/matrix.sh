#!/usr/bin/env bash
# matrix.sh ROW WORK BUILD - makes the runs of a row of matrix.txt, whose columns stand between |, with
# programs of the folder BUILD:
#
#   name
#   program
#   GPU        of several the first one is compared, and lrr and gto are tried on all
#   workload   of configs/workloads, or a CUDA program; or nested/KERNEL of nested.cu, with a buffer and a 2
#   settings   KEY=VALUE, and options of gpusched run
#   ways       in which the run is repeated; each must give the same bytes as the first one, or be right:
#
#     again, naive, fuzz    once more; with all fast paths switched off; with spurious steps
#     sanitized             by a build with sanitizers and all assertions
#     ahead                 with a window of one instruction, and with one of 65,536
#     answered              no request to memory is left unanswered
#     functional, lrr, gto  verified: without timing, and with these warp policies
#     counts                each kernel executes as many warp instructions as the plain interpreter counts
#     rtl                   RTL of all units and of two of them, in the shadow and driving; with all cycles of the GPU
#     meets:CASE            beside RTL the run meets the case, a pattern of gpusched's list of what was met
#     record:UNIT           the unit's vectors replay on its golden model, and under Icarus on its RTL
#     night                 nothing: the row is left to make nightly
#     planted:UNIT-PARAMS   the defects of the unit's file are planted in its RTL, and found by the run and its replay
set -euo pipefail

IFS='|' read -r _ program gpu workload settings ways <<< "$1"
work=$2
build=$3
IFS=, read -ra gpus <<< "$gpu"
IFS=, read -ra settings <<< "$settings"
IFS=, read -ra ways <<< "$ways"
gpu=${gpus[0]}
gpusched=$build/$program
options=()
for setting in "${settings[@]}"; do
    case $setting in
        -) ;;
        --*) options+=("$setting") ;;
        *) options+=("--set=$setting") ;;
    esac
done
of=(--workload "$workload")
if [ "${workload%%/*}" = nested ]; then
    of=(--ptx "$build/nested.ptx" --kernel "${workload#*/}" --grid 4 --block 128 --arg buf:512 --arg i32:2)
fi
run=(run --gpu "$gpu" "${of[@]}" "${options[@]}")
rm -rf "$work"
mkdir -p "$work"
declare -A sum=()
what=()

# add WHAT NUMBER - to what has been checked.
add() {
    [ -n "${sum[$1]:-}" ] || what+=("$1")
    sum[$1]=$((${sum[$1]:-0} + $2))
}

wrong() {
    printf '%s: %s\n' "$1" "$way"
    exit 1
}

# ---- The same bytes ------------------------------------------------------------------------------

# first - the run that the others are compared with.
first() {
    [ ! -e "$work/first" ] || return 0
    "$gpusched" "${run[@]}" -o "$work/first" --quiet
    add runs 1
}

# same NAME - this run has written the files of the first one.
same() {
    local file
    for file in "$work"/first/*; do
        file=${file##*/}
        [ "$file" != host.json ] || continue
        cmp "$work/first/$file" "$work/$1/$file"
        add files 1
    done
    add runs 1
}

# once_more PROGRAM OPTION...
once_more() {
    first
    "$1" "${run[@]}" -o "$work/$way" --quiet "${@:2}"
    same "$way"
}

# ahead - the configuration in the result is another one.
ahead() {
    local window file
    first
    for window in 1 65536; do
        "$gpusched" "${run[@]}" -o "$work/ahead-$window" --quiet --set=warp.ahead=$window
        for file in "$work"/first/*; do
            file=${file##*/}
            [ "$file" != host.json ] || continue
            cmp <(sed 's/"ahead": *[0-9]*//' "$work/first/$file") <(sed 's/"ahead": *[0-9]*//' "$work/ahead-$window/$file")
            add files 1
        done
        add runs 1
    done
}

verified() {
    local on
    for on in "${gpus[@]}"; do
        "$gpusched" run --gpu "$on" --workload "$workload" "${options[@]}" --quiet --set warp.policy="$way" -o "$work/$on-$way"
        grep -q '"verified": true' "$work/$on-$way/result.json" || wrong "not verified on $on"
        add runs 1
    done
}

counts() {
    "$build/plain" "$workload" > "$work/plain"
    sed -n 's/.*{"name":"\([^"]*\)","stream":[0-9]*,"grid".*"warp_instructions":\([0-9]*\).*/\1 \2/p' "$work/first/result.json" > "$work/counts"
    if grep -q '"parent":' "$work/first/result.json"; then # children run in an order of their own
        sort -o "$work/plain" "$work/plain"
        sort -o "$work/counts" "$work/counts"
    fi
    diff "$work/plain" "$work/counts"
    add launches "$(wc -l < "$work/plain")"
}

# ---- RTL -------------------------------------------------------------------------------------------

# active UNITS - those of them that the configuration uses, a line each.
active() {
    if [ "$1" != all ]; then
        tr , '\n' <<< "$1"
        return
    fi
    if [[ ${settings[*]} = *icc.entries* ]]; then echo icc; fi
    if [[ ${settings[*]} = *icc.lines* ]]; then echo coalesced_cache; fi
    if [[ ${settings[*]} = *icc.* ]]; then echo cluster_port; fi
    if [[ ${settings[*]} = *dyncta.on* ]]; then echo dyncta; fi
    if [[ ${settings[*]} = *perf_sat.on* ]]; then echo perf_sat; fi
    if [[ ${settings[*]} = *onac.mode* ]]; then printf '%s\n' onac core_status; fi
    if [[ ${settings[*]} = *sm.monitor* ]]; then echo sm_monitor; fi
    if [[ ${settings[*]} = *lcs.on* ]]; then echo lcs; fi
    if [[ ${settings[*]} = *laperm.mode* ]]; then
        printf '%s\n' kmu kdu sm_free
        if [[ ${settings[*]} = *claso.active_levels* ]]; then echo claso; fi
        printf '%s\n' laperm_set laperm
        return
    fi
    echo sm_room
    echo cta_scheduler
    if [[ ${settings[*]} = *claso.active_levels* ]]; then echo claso; fi
    echo work_distributor
}

rtl() {
    local mode units compared cycles some=("cta_scheduler,claso")
    first
    if [[ ${settings[*]} = *laperm.mode* ]]; then some=("kmu,kdu" "sm_free,laperm"); fi
    for mode in shadow drive; do
        for units in all "${some[@]}"; do
            "$gpusched" "${run[@]}" -o "$work/$mode-$units" --rtl=$mode --units="$units" > "$work/said-$units"
            same "$mode-$units"
            compared=$(sed -n '/^RTL in lockstep/,$ s/^  \([a-z_]*\) * [0-9]* * [0-9,]* * 0  rtl.*\1\.v [0-9a-f]\{12\}.*$/\1/p' "$work/said-$units")
            [ "$compared" = "$(active "$units")" ] || wrong "compared are $compared"
        done
    done
    # Nothing is left out: all instances run in every cycle of the GPU, and in that of their reset.
    "$gpusched" "${run[@]}" -o "$work/every" --rtl=shadow --naive=step,skip > "$work/said-every"
    same every
    cycles=$(sed -n '/"cycles": {/,/}/ s/^ *"core": \([0-9]*\),$/\1/p' "$work/first/result.json")
    compared=$(sed -n '/^RTL in lockstep/,$ s/^  \([a-z_]*\)  *\([0-9]*\)  *\([0-9,]*\)  *0  rtl.*/\1 \2 \3/p' "$work/said-every" |
        tr -d , | awk -v all=$((cycles + 1)) '$3 == $2 * all { print $1 }')
    [ "$compared" = "$(active all)" ] || wrong "compared in every cycle are $compared"
    add cases 0
}

# meets CASE
meets() {
    sed -n '/^Met beside RTL/,/^RTL/p' "$work/said-all" > "$work/met"
    grep -qE "^  .*$1.* [1-9][0-9,]*$" "$work/met" || { cat "$work/met"; wrong 'the run does not meet this'; }
    add cases 1
}

# record UNIT
record() {
    local sizes verilog
    verilog=$(find rtl -name "$1.v")
    "$gpusched" record "${run[@]:1}" --unit="$1" --vectors="$work/run.vec" --quiet
    "$build/gpusched-unit" replay --model "$work/run.vec"
    mapfile -t sizes < <(sed -n 's/^param \([A-Z_]*\) \([0-9]*\)$/\1=\2/p;/^cycles$/q' "$work/run.vec")
    "$build/gpusched-unit" ports "$1" --format=bench | cat - tb/conformance/replay.v > "$work/$1_tb.v"
    tb/conformance/icarus.sh both "$work/run" "$work/run.vec" "$work/$1_tb.v" "$verilog" "${sizes[@]}"
    add replays 3
}

# ---- Planted defects ---------------------------------------------------------------------------------

# idle BUSY OUTPUT WRONG - sed that makes OUTPUT wrong in the 300th cycle in a row without BUSY.
idle() {
    local counter="always @(posedge clk) idle <= rst_i || ($1) ? 9'd0 : idle + {8'd0, idle != 9'd300};"
    printf '%s\n' "s/^    assign $2 *= \\(.*\\);/reg [8:0] idle; $counter assign $2 = (\\1) ^ $3;/"
}

# has WHAT PATTERN - the report has it.
has() {
    grep -qE -- "$2" "$work/report" || { cat "$work/report"; wrong "the report lacks $1"; }
}

# reported - of the run that ended with a difference.
reported() {
    local verilog=$work/rtl/$unit.v
    has 'the unit with its parameters' "^DIFFERENCE $unit $(tr .- '= ' <<< "$params")\$"
    has 'its Verilog' "^  rtl        $verilog $(sha256sum < "$verilog" | cut -c 1-12)(, .*)?\$"
    has 'where it ran' "^  run        $workload on $gpu, cycle [0-9]+$"
    has 'what differs' '^  ((g_[a-z]+\[[0-9]+\]\.)?u_[a-z]+\.)?[a-z_]+_[oq](\[[0-9]+\])* +[0-9]+ +[0-9]+$'
    has 'a waveform' '^  waveform   .*\.fst, one cycle is 10 time units$'
    [ ! -e "$work/out/result.json" ] || wrong 'results were written'
    [[ $(tail -n 1 "$work/report") = '  replay    '* ]] || wrong 'something after the report'
}

# replayed - by the report's command, to the same difference, and to none on the RTL as it is.
replayed() {
    local command status=0
    read -ra command < <(sed -n 's/^  replay     //p' "$work/report")
    "${command[@]}" > "$work/replay" || status=$?
    [ $status -eq 1 ] || wrong 'the replay does not fail'
    diff <(grep -A1 'port\[element\]' "$work/report") <(grep -A1 'port\[element\]' "$work/replay")
    "$build/gpusched-unit" replay "${command[-1]}" > /dev/null
}

# found DEFECT - the sed makes a difference, the run finds it, and its replay too.
found() {
    local status=0 verilog
    verilog=$(find rtl -name "$unit.v")
    rm -rf "$work"
    mkdir -p "$work/rtl"
    sed "$1" "$verilog" > "$work/rtl/$unit.v"
    ! cmp -s "$verilog" "$work/rtl/$unit.v" || wrong "the defect changes nothing in $verilog"
    env -u MAKEFLAGS make -s UNIT="$unit" RTL="$work/rtl" SO="$work/so" CXXFLAGS=-O1 "$work/so/$unit-$params.so"
    "$gpusched" "${run[@]}" --rtl=shadow --units="$unit" --rtl-file="$work/so/$unit-$params.so" \
        -o "$work/out" > "$work/report" || status=$?
    [ $status -eq 1 ] || { cat "$work/report"; wrong "exit status $status"; }
    reported
    replayed
    sed -n 1,8p "$work/report"
    add defects 1
}

# planted UNIT-PARAMS - those of the unit's file: a line of sed, which the kernel meets soon, or one for a defect that
# shows after 300 cycles in which the unit has nothing to do, in a register that its golden model does not have.
planted() {
    local defect busy output value
    unit=${1%%-*}
    params=${1#*-}
    while IFS= read -r defect; do
        case $defect in
            '#'*) ;;
            'idle: '*)
                IFS=$'\t' read -r busy output value < <(sed 's/^idle: //; s/  *|  */\t/g' <<< "$defect")
                found "$(idle "$busy" "$output" "$value")" ;;
            *) found "$defect" ;;
        esac
    done < <(tb/cfg.sh "tb/units/$unit/$unit.cfg" 'defect in a run')
}

# ---- The ways of this row ------------------------------------------------------------------------------

for way in "${ways[@]}"; do
    case $way in
        again) once_more "$gpusched" ;;
        naive) once_more "$gpusched" --naive ;;
        fuzz) once_more "$gpusched" --naive=fuzz ;;
        sanitized) once_more "$build/gpusched-sanitized" ;;
        answered) grep -q '"unanswered": 0' "$work/first/result.json" || wrong 'requests are unanswered' ;;
        functional)
            "$gpusched" run --workload "$workload" "${options[@]}" --functional
            add runs 1 ;;
        lrr | gto) verified ;;
        counts | rtl | ahead) "$way" ;;
        night) ;;
        meets:* | record:* | planted:*) "${way%%:*}" "${way#*:}" ;;
        *) wrong 'no such way' ;;
    esac
done
printf 'checked:'
for word in "${what[@]}"; do printf ' %s=%d' "$word" "${sum[$word]}"; done
echo
