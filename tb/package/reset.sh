#!/usr/bin/env bash
# reset.sh WORK RESET_SYNC.v BENCH.v - the reset of each style between clock edges, under Icarus; and that the bench finds
# what is planted in it: a reset that waits for a clock, one that is released without a clock or too early, a glitch.
set -euo pipefail

work=$1
part=$2
bench=$3
rm -rf "$work"
mkdir -p "$work"
styles=('ASYNC=0 STAGES=2' 'ASYNC=1 STAGES=2' 'ASYNC=1 STAGES=3' 'ASYNC=1 STAGES=4')

# simulated FILE.v PARAM=VALUE...
simulated() {
    local file=$1
    shift
    iverilog -g2005 -Wall -Wno-timescale "${@/#/-Preset_bench.}" -s reset_bench -o "$work/bench" "$file" "$bench" > "$work/said" 2>&1 || true
    if [ -s "$work/said" ]; then
        cat "$work/said"
        return 2
    fi
    vvp -N "$work/bench"
}
checks=0
for style in "${styles[@]}"; do
    read -ra params <<< "$style"
    said=$(simulated "$part" "${params[@]}") || { printf "%s\n" "$said"; exit 1; }
    printf '%s\n' "$said"
    [[ $said =~ ^PASS\ .*,\ ([0-9]+)\ checks$ ]] || exit 1
    checks=$((checks + BASH_REMATCH[1]))
done

# planted STYLE SCRIPT - the bench fails in a module that the script of sed has changed.
cases=0
planted() {
    local params
    read -ra params <<< "$1"
    cases=$((cases + 1))
    sed "$2" "$part" > "$work/planted.v"
    ! cmp -s "$part" "$work/planted.v" || { echo "reset.sh: $2 changes nothing"; exit 1; }
    said=$(simulated "$work/planted.v" "${params[@]}") || { printf '%s\n' "$said"; exit 1; }
    grep -q '^FAIL reset_sync ' <<< "$said" || { printf 'not found with %s: %s\n%s\n' "$1" "$2" "$said"; exit 1; }
}
planted "${styles[0]}" 's/held_q <= !rst_ni/held_q <= rst_ni/'
planted "${styles[0]}" 's/assign rst_o = held_q;/assign rst_o = held_q || !rst_ni;/'
planted "${styles[0]}" 's/always @(posedge clk) held_q/always @(posedge clk or negedge rst_ni) held_q/'
for style in "${styles[@]:1}"; do
    planted "$style" 's/ or negedge rst_ni//'
    planted "$style" 's/assign rst_o = held_q\[STAGES-1\]/assign rst_o = held_q[STAGES-2]/'
    planted "$style" 's/assign rst_o = held_q\[STAGES-1\]/assign rst_o = held_q[STAGES-1] \&\& !rst_ni/'
    planted "$style" 's/{STAGES{1.b1}};/{{STAGES-1{1'"'b0}}, 1'b1};/"
    planted "$style" 's/negedge rst_ni/posedge rst_ni/'
done
echo "checked: styles=${#styles[@]} checks=$checks planted=$cases"
