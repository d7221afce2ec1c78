#!/usr/bin/env bash
# icarus.sh WAYS WORK FILE.vec BENCH.v UNIT.v PARAM=VALUE... - replays vectors under Icarus. WAYS: registers, with ours
# compared too, or both, which is that and as a third party would, by the ports only.
set -euo pipefail

case $1 in
    registers) ways=(-DREGISTERS) ;;
    both) ways=(-DPORTS_ONLY -DREGISTERS) ;;
    *) echo "icarus.sh: $1: registers or both" >&2; exit 2 ;;
esac
shift
work=$1
vectors=$2
bench=$3
rtl=$4
shift 4
top=$(basename "$bench" .v)
# shellcheck source=tb/verilog.sh
. tb/verilog.sh
look_for_parts "$rtl"

rm -f "$work.vvp" "$work.icarus"
for registers in "${ways[@]}"; do
    iverilog -g2005 -Wall -Wno-sensitivity-entire-array "${search[@]}" "$registers" \
        "${@/#/-P$top.}" -s "$top" -o "$work.vvp" "$bench" "$rtl"
    vvp -N "$work.vvp" "+vectors=$vectors" > "$work.icarus" || { cat "$work.icarus"; exit 1; }
    grep '^PASS' "$work.icarus"
done
tested "$rtl"
