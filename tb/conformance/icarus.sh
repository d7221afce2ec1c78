#!/usr/bin/env bash
# icarus.sh WORK FILE.vec BENCH.v UNIT.v PARAM=VALUE... - replays vectors under Icarus, as a
# third party would (ports only), and with our registers.
set -euo pipefail

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
for registers in '' -DREGISTERS; do
    iverilog -g2005 -Wall -Wno-sensitivity-entire-array "${search[@]}" $registers \
        "${@/#/-P$top.}" -s "$top" -o "$work.vvp" "$bench" "$rtl"
    vvp -N "$work.vvp" "+vectors=$vectors" > "$work.icarus" || { cat "$work.icarus"; exit 1; }
    grep '^PASS' "$work.icarus"
done
tested "$rtl"
