#!/usr/bin/env bash
# clone.sh WORK GPUSCHED - a fresh clone in a folder with odd characters in its name: it is built, moved, used
# without make, and not built again; a changed header still reaches what it must; RTL runs beside a
# kernel there.
set -uo pipefail

work=$(realpath -m "$1")
original=$(realpath "$2")
rm -rf "$work"
first="$work/a clone, \$(it's) [one]"
second="$work/moved & [two]"
mkdir -p "$first"
# shellcheck source=tb/run/checks.sh
. "$(dirname "$0")/checks.sh"
unset MAKEFLAGS MAKELEVEL MFLAGS GPUSCHED_DATA

cp -a Makefile mk cmodel configs docs rtl sim tb "$first"
cd "$first" || exit 1
check 'it is built' make -j2 all
mv "$first" "$second"
cd "$work" || exit 1
gpusched=$second/build/gpusched
ends 0 run --gpu m2090 --workload hotspot -o here
"$original" run --gpu m2090 --workload hotspot -o there > /dev/null
check 'the same bytes as elsewhere' cmp here/result.json there/result.json
cd "$second" || exit 1
check 'it is not built again' make --question all
touch cmodel/units/claso.h
check 'a changed header' sh -c '! make --question build/c/cmodel/units/claso.o'
check 'is compiled anew' make -j2 all
cd "$work" || exit 1
ends 0 run --gpu c2050 --workload hotspot --rtl=shadow --units=cta_scheduler
check 'RTL beside it' grep -q '^  cta_scheduler  *1  *[0-9,]*  *0  ' out

printf 'clone: %d checks, %d failed\n' "$checks" "$failed"
[ "$failed" -eq 0 ]
