#!/usr/bin/env bats
# A fresh clone in a folder with odd characters in its name: it is built, moved, used without make, and
# not built again; a changed header still reaches what it must; RTL runs beside a kernel there.

load helper
unset GPUSCHED_DATA

@test "a clone is built, and used after it was moved" {
    local first="$PWD/a clone, \$(it's) [one]" second="$PWD/moved & [two]"
    mkdir -p "$first"
    (cd "$CLI_SOURCE" && cp -a Makefile Bender.yml mk cmodel configs docs rtl sim tb "$first")
    check 'it is built' make -j2 -C "$first" all
    mv "$first" "$second"
    exits 0 "$second/build/gpusched" run --gpu m2090 --workload hotspot -o here
    ends 0 run --gpu m2090 --workload hotspot -o there
    check 'the same bytes as elsewhere' cmp here/result.json there/result.json
    check 'it is not built again' make -C "$second" --question all
    touch "$second/cmodel/units/claso.h"
    check 'a changed header' fails make -C "$second" --question build/c/cmodel/units/claso.o
    check 'is compiled anew' make -j2 -C "$second" all
    exits 0 "$second/build/gpusched" run --gpu c2050 --workload hotspot --rtl=shadow --units=cta_scheduler
    check 'RTL beside it' grep -q '^  cta_scheduler  *1  *[0-9,]*  *0  ' out
}
