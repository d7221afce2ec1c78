#!/usr/bin/env bash
# difference.sh WORK WORK_DISTRIBUTOR.v - what the platform of a c2050 prints when its RTL has the defect that the unit's file
# plants, a stolen block that pays a credit, as the page shows it. The platform stays in WORK/platform.
set -euo pipefail

work=$1
rtl=$2
spoiled=$work/platform/c2050
export SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1
mkdir -p "$work/rtl"

fail() {
    printf 'difference.sh: %s\n' "$1" >&2
    exit 1
}
planted=$work/rtl/work_distributor.v
sed -f <(tb/cfg.sh tb/units/work_distributor/work_distributor.cfg defect) "$rtl" > "$work/planted.v"
cmp -s "$work/planted.v" "$planted" || cp "$work/planted.v" "$planted" # what is there need not be built again
! cmp -s "$rtl" "$planted" || fail "the defect changes nothing in $rtl"
env -u MAKEFLAGS make -s UNIT=work_distributor RTL="$work/rtl" OUT="$work" "$spoiled" >&2

# Blocks, credits and stealing: all that the unit does.
rm -f "$work/spoiled.json"
status=0
"$spoiled" c2050 hotspot rtl claso.active_levels=1 dispatch.policy=distributed-block dispatch.steal=true \
    -o "$work/spoiled.json" > "$work/report" 2>&1 || status=$?
[ "$status" -eq 1 ] || fail "exit status $status, not 1; $work/report has what it said"
[ ! -e "$work/spoiled.json" ] || fail "results in spite of a difference"
sed -e '/^DIFFERENCE/,$!d' -e 's/^\(.\)/    \1/' "$work/report"
