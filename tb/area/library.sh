#!/usr/bin/env bash
# library.sh WORK LIBERTY - makes a library of cells ready to measure with, in WORK:
#
#   cells.lib   the library, by a name without blanks
#   facts       what liberty.awk finds in it, and a line "fo4 PICOSECONDS"
#
# FO4 is the delay of an inverter that drives four like itself: the mean of four stages in the middle of a chain
# of nine, for a rising and a falling edge. Of the library's inverters it is that of the fastest, so that a
# path is never said to be shorter in FO4 than it is.
set -euo pipefail

work=$1
liberty=$2
here=$(dirname "$0")
[ -f "$liberty" ] || { echo "library.sh: $liberty: no such library" >&2; exit 2; }
mkdir -p "$work"
ln -sf "$(realpath "$liberty")" "$work/cells.lib"
awk -f "$here/liberty.awk" "$work/cells.lib" > "$work/facts.now" || exit 2

# chain NAME IN OUT - nine stages; each drives the next and three that drive nothing.
chain() {
    local stage load from
    echo "wire $(printf "$1_%d, " {1..8})$1_9;"
    for stage in {1..9}; do
        from=$1_$((stage - 1))
        [ "$stage" -gt 1 ] || from=i
        echo "$1 $1_s$stage (.$2($from), .$3($1_$stage));"
        for load in 1 2 3; do
            [ "$stage" -gt 1 ] || continue
            echo "wire $1_d${stage}_$load; $1 $1_x${stage}_$load (.$2($from), .$3($1_d${stage}_$load));"
        done
    done
}
{
    echo 'module fo4 (i); input i;'
    while read -r _ name in out _; do
        chain "$name" "$in" "$out"
    done < <(grep '^inverter ' "$work/facts.now")
    echo endmodule
} > "$work/fo4.v"
{
    printf 'read_liberty %s\nread_verilog %s\nlink_design fo4\n' "$work/cells.lib" "$work/fo4.v"
    while read -r _ name _ out _; do
        for edge in rise fall; do
            echo "puts \"chain $name\""
            echo "report_checks -unconstrained -path_delay max -digits 6 -${edge}_from i -to ${name}_s9/$out"
        done
    done < <(grep '^inverter ' "$work/facts.now")
} > "$work/fo4.tcl"
sta -no_splash -exit "$work/fo4.tcl" > "$work/fo4.txt" 2>&1
awk '
FNR == NR { if ($1 == "time") unit = $2; next }
$1 == "chain" { name = $2 }
$4 ~ /_s[4-7]\// { sum[name] += $1; n[name]++ }
END {
    for (name in sum) {
        mean = sum[name] / n[name] * unit
        if (n[name] == 8 && mean > 0 && (!best || mean < best)) best = mean
    }
    if (!best) { print "library.sh: no FO4" > "/dev/stderr"; exit 2 }
    printf "fo4 %.3f\n", best
}' "$work/facts.now" "$work/fo4.txt" > "$work/fo4"
cat "$work/facts.now" "$work/fo4" > "$work/facts"
