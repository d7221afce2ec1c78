#!/usr/bin/env bash
# replay.sh WORK LIBRARY CELLS.v FILE.vec BENCH.v UNIT.v PARAM=VALUE... - replays vectors on the netlist that is measured,
# under Icarus. LIBRARY: the folder that library.sh has made; CELLS.v: its cells, as their makers describe them.
#
# In silicon a flip-flop is 0 or 1 before anything is written into it, and a netlist does not hide an X as RTL does: so all
# begin at 0, and in another run at 1. The first edge of clock, clear and set, from X, does
# not change that.
#
# Then an inverter of the netlist becomes a buffer, and the vectors must not pass: of up to twelve, from one end of the
# netlist to the other, one must be noticed. Not all are: some matter only to what the vectors do not reach.
set -euo pipefail

work=$1
library=$2
cells=$3
vectors=$4
bench=$5
rtl=$6
shift 6
here=$(dirname "$0")
unit=$(basename "$rtl" .v)
[ -f "$cells" ] || { echo "replay.sh: missing: $cells (make deps installs qflow-tech-osu018)"; exit 2; }
case=$work/$unit$(printf -- '-%s' "${@/=/.}")
mkdir -p "$work"
"$here/netlist.sh" "$case" "$library" "$rtl" "$@"
# The bench gives parameters, which a netlist has no more.
given=$(printf 'parameter %s;' "$@")
sed "0,/);\$/s//); $given/" "$case.v" > "$case.netlist.v"

for start in 0 1; do
    sed "s/^   reg    out;\$/& initial out = 1'b$start;/
        s/^   ?  f   ?   ?   ?   : ?  :  -  ;/&\n? (x?) ? ? ? : ? : -;\n? ? (x?) ? ? : ? : -;\n? ? ? (x?) ? : ? : -;/" \
        "$cells" > "$case.cells$start.v"
    ! cmp -s "$cells" "$case.cells$start.v" || { echo "replay.sh: $cells has no flip-flop"; exit 1; }
done

# replays NETLIST START - what the bench says of it.
replays() {
    iverilog -g2005 -Ttyp "${params[@]}" -s "${unit}_tb" -o "$case.vvp" "$bench" "$1" "$case.cells$2.v" > "$case.said" 2>&1 &&
        vvp -N "$case.vvp" "+vectors=$vectors" > "$case.said"
}
params=("${@/#/-P${unit}_tb.}")
for start in 0 1; do
    replays "$case.netlist.v" "$start" || { cat "$case.said"; exit 1; }
    grep '^PASS' "$case.said"
done

mapfile -t inverters < <(grep -nE '^  INVX1 ' "$case.netlist.v" | cut -d : -f 1)
tries=$((${#inverters[@]} < 12 ? ${#inverters[@]} : 12))
for ((i = 0; i < tries; i++)); do
    line=${inverters[$((i * (${#inverters[@]} - 1) / (tries > 1 ? tries - 1 : 1)))]}
    sed "${line}s/INVX1/BUFX2/" "$case.netlist.v" > "$case.broken.v"
    if ! replays "$case.broken.v" 0 && grep -q '^FAIL cycle [0-9]*: mismatch' "$case.said"; then
        echo "a broken inverter of the netlist is noticed: $(grep '^FAIL' "$case.said")"
        echo "checked: cycles=$(awk '$1 == "total" { print 2 * $2 }' "$vectors") broken=1"
        exit 0
    fi
done
echo "of $tries broken inverters of the netlist none is noticed"
exit 1
