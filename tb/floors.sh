#!/usr/bin/env bash
# floors.sh BUILD FILE... - the layout of cmodel and sim, by the #include lines of these files and
# by the symbols of their objects in BUILD/c:
#
#   - Floors: a folder includes its own floor and those below, and nothing includes tb.
#   - Circles: no folders call each other in a circle, and no more than two files within one. A
#     header that one component shares, and the lists that name all units, drivers, workloads and
#     commands, which a program puts together, make no circles.
#   - No folder holds more than 27 files of code; the files of a unit in cmodel/units count as one.
set -euo pipefail

build=$1
shift
here=$(dirname "$0")
lists='cmodel/units/unit_types cmodel/units/drivers/drivers sim/workloads/workload_list sim/gpusched/command/commands'

# Lines "include FROM TO", of paths as they stand; a file of a workload may name one in its folder.
includes() {
    grep -nE '^ *# *include "' "$@" /dev/null | sed -E 's/^([^:]*):[0-9]+: *# *include "([^"]*)".*/\1 \2/' |
        while read -r from to; do
            if [ -e "cmodel/$to" ]; then
                to=cmodel/$to
            elif [ -e "sim/$to" ]; then
                to=sim/$to
            elif [ -e "${from%/*}/$to" ]; then
                to=${from%/*}/$to
            fi
            echo "include $from $to"
        done
}

# Lines "call FROM TO SYMBOL".
calls() {
    local file objects=()
    for file in "$@"; do
        case $file in
            *.c) objects+=("$build/c/${file%.c}.o") ;;
            *.[yl]) objects+=("$build/c/gen/$(basename "${file%.*}").o") ;;
        esac
    done
    nm -A "${objects[@]}" | awk -v build="$build/c/" -v files="$*" '
        BEGIN {
            n = split(files, list, " ")
            for (i = 1; i <= n; i++) { # a generated file is where its grammar is
                name = list[i]
                if (sub(/\.[yl]$/, "", name)) { sub(/.*\//, "", name); grammar["gen/" name] = list[i] }
            }
        }
        {
            object = substr($1, length(build) + 1)
            sub(/\.o:.*/, "", object)
            file = object in grammar ? grammar[object] : object ".c"
        }
        $(NF - 1) ~ /[TDBRCV]/ { defined[$NF] = file }
        $(NF - 1) ~ /U$/ { used[NR] = file " " $NF }
        END {
            for (i in used) {
                split(used[i], part, " ")
                if (part[2] in defined && defined[part[2]] != part[1])
                    print "call", part[1], defined[part[2]], part[2]
            }
        }'
}

# A mistake of each kind is found.
planted=$(awk -v lists="$lists" -f "$here/floors.awk" tb/canary/floors.txt) && planted=none
for kind in 'is no floor below' 'has no floor' 'not in cmodel or sim' 'each other: cmodel/gpu/' \
    'in a circle: cmodel/exec/. cmodel/exec/. cmodel/exec/.' 'more than 27'; do
    grep -q "$kind" <<< "$planted" || { echo "floors.awk does not find: $kind"; exit 1; }
done
{
    printf 'file %s\n' "$@"
    includes "$@"
    calls "$@"
} | LC_ALL=C sort | awk -v lists="$lists" -f "$here/floors.awk"
