#!/usr/bin/env bash
# noticed.sh WORK LIBERTY - what make area must not pass over is noticed: a unit that is slower or larger than its limit,
# logs that are missing or failed, a unit without sizes, tools and libraries that are missing. Each is planted.
set -euo pipefail

work=$1
liberty=$2
here=$(dirname "$0")
rm -rf "$work"
mkdir -p "$work/slow" "$work/tools" "$work/log"
size=(N_SCHEDULER=1 COUNT_W=8)
cases=0
failed=0

# ends STATUS TEXT COMMAND... - it ends with STATUS, and a line of what it prints matches TEXT.
ends() {
    local status=0
    cases=$((cases + 1))
    "${@:3}" > "$work/said" 2>&1 || status=$?
    if [ "$status" -ne "$1" ] || ! grep -qE -- "$2" "$work/said"; then
        failed=$((failed + 1))
        echo "FAIL  status $status, not $1, or no line matches $2: ${*:3}"
        sed 's/^/      /' "$work/said"
    fi
}
# measured FOLDER FO4 KGE - the unit in a folder, with limits.
measured() {
    "$here/measure.sh" -l "$liberty" -w "$work" -f "$2" -g "$3" "$1/sm_counter.v" "${size[@]}"
}

# With what it needs, rounded up, a unit passes.
measured rtl/units - - > "$work/log/area-now"
fo4=$(sed -n 's/^record: .*"fo4": \([0-9]*\)\..*/\1/p' "$work/log/area-now")
kge=$(sed -n 's/^record: .*"kge": \([0-9.]*\).*/\1/p' "$work/log/area-now")
fo4=$((fo4 + 1))
ends 0 '^record: ' measured rtl/units "$fo4" "$kge"
sed 's/cycles_q\[c\] + schedulers;/cycles_q[c] + schedulers * ((cycles_q[c] * cycles_q[c]) ^ 3);/' rtl/units/sm_counter.v \
    > "$work/slow/sm_counter.v"
! cmp -s rtl/units/sm_counter.v "$work/slow/sm_counter.v" || { echo 'noticed.sh: nothing is slower'; exit 1; }
ends 1 " FO4, and the limit is $fo4\$" measured "$work/slow" "$fo4" -
ends 1 " kGE, and the limit is $kge\$" measured "$work/slow" - "$kge"

# The table.
measured "$work/slow" "$fo4" - > "$work/log/area-slow.failed" 2>&1 || true
report=("$here/report.sh" "$work/out.json")
ends 0 '^all 0 sizes' "${report[@]}" sm_counter "$work/log/area-now"
ends 1 "^  sm_counter .* FO4 of $fo4\$" "${report[@]}" sm_counter "$work/log/area-now" "$work/log/area-slow"
ends 1 '^not measured: area-none$' "${report[@]}" sm_counter "$work/log/area-now" "$work/log/area-none"
ends 1 '^no size in \[area\]: claso$' "${report[@]}" 'sm_counter claso' "$work/log/area-now"

# Tools and libraries.
for tool in yosys yosys-abc iverilog; do ln -s "$(type -P "$tool")" "$work/tools/$tool"; done
ends 2 '^missing: sta ' env PATH="$work/tools" "$BASH" "$here/tools.sh" "$liberty"
ends 2 "^missing: $work/none.lib " "$here/measure.sh" -l "$work/none.lib" rtl/units/sm_counter.v "${size[@]}"
grep -v 'function' "$liberty" > "$work/without.lib"
ends 2 'there is no NAND' "$here/measure.sh" -l "$work/without.lib" -w "$work" rtl/units/sm_counter.v "${size[@]}"
printf '#!/bin/sh\nexit 0\n' > "$work/tools/sta"
chmod +x "$work/tools/sta"
ends 1 '^timing.sh: OpenSTA shows no path' env PATH="$work/tools:$PATH" "$here/measure.sh" -l "$liberty" -w "$work" \
    rtl/units/sm_counter.v "${size[@]}"
echo "checked: cases=$cases"
[ "$failed" -eq 0 ]
