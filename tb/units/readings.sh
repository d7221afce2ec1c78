#!/usr/bin/env bash
# readings.sh WORK COMPILE LIBRARIES MODEL.c UNIT.cfg OBJECT... - each line s/.../.../ of its [readings]
# is a wrong reading of a unit's page, planted in its golden model; what is above it says which.
# A reading that is planted in the RTL too passes the lockstep, so one of the unit's tests, whose
# objects are given, must fail. LIBRARIES: of all models, and what they need. WORK: a folder to work in.
set -euo pipefail

work=$1
compile=$2
libraries=$3
model=$4
cfg=$5
readings=$work/readings
shift 5
unit=$(basename "$model" .c)
n=0
missed=0
rm -rf "$work"
mkdir -p "$work"
tb/cfg.sh "$cfg" readings > "$readings"

# The first test that fails, on stdout.
found_by() {
    local object test
    for object in "$@"; do
        test=$(basename "$object" .o)
        # shellcheck disable=SC2086 # the compiler with its flags
        $compile -o "$work/$test" "$object" "$work/$unit.o" $libraries || exit 1
        if ! timeout 120 "$work/$test" > "$work/log" 2>&1; then
            if ! grep -q 'FAILED' "$work/log"; then
                echo "$test does not run: $(tail -1 "$work/log")" >&2
                exit 1
            fi
            echo "$test"
            return 0
        fi
    done
}

title=
while IFS= read -r line; do
    if [[ $line == '#'* ]]; then
        title=${line#'# '}
        continue
    fi
    n=$((n + 1))
    sed -e "$line" "$model" > "$work/$unit.c"
    if cmp -s "$model" "$work/$unit.c"; then
        echo "$cfg: changes nothing: $title"
        missed=$((missed + 1))
        continue
    fi
    # shellcheck disable=SC2086 # the same
    $compile -w -c -o "$work/$unit.o" "$work/$unit.c"
    test=$(found_by "$@")
    if [ -n "$test" ]; then
        printf '%-32s %s\n' "$test" "$title"
    else
        echo "not found: $title"
        missed=$((missed + 1))
    fi
done < "$readings"
echo "$unit: $((n - missed)) of $n wrong readings found by its tests"
echo "checked: readings=$n"
[ "$missed" -eq 0 ]
