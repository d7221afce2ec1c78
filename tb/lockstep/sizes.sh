#!/usr/bin/env bash
# sizes.sh WORK UNIT.cfg NUMBER SEED GPUSCHED-UNIT UNIT MAKE_VARIABLE=VALUE... -- OPTION... - runs the
# lockstep of a unit at the sizes of a unit's file and at as many that are drawn with SEED; SEED=new: with a seed
# that was never used, which is said. A WORK whose name ends with long: those of the night, too.
set -euo pipefail

work=$1
list=$2
number=$3
seed=$4
tool=$5
unit=$6
shift 6
variables=()
while [ "$1" != -- ]; do
    variables+=("$1")
    shift
done
shift
[ "$seed" != new ] || seed=$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')
mkdir -p "$work"
sizes=$work/$unit.cfg
{
    echo '[sizes]'
    tb/cfg.sh "$list" sizes
    case $work in *long) ! grep -qxF '[night sizes]' "$list" || tb/cfg.sh "$list" 'night sizes' ;; esac
    "$tool" sizes "$unit" --number="$number" --seed="$seed"
} > "$sizes"
echo "the last $number sizes are drawn with SIZES_SEED=$seed"
env -u MAKEFLAGS -u MAKELEVEL make -s --no-print-directory "${variables[@]}" UNIT="$unit" SIZES="$work" libraries
"$tool" lockstep "$unit" --sizes="$sizes" "$@"
