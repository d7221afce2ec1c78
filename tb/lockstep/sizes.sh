#!/usr/bin/env bash
# sizes.sh WORK UNIT.cfg day|night NUMBER SEED GPUSCHED-UNIT UNIT MAKE_VARIABLE=VALUE... -- OPTION... - runs the
# lockstep of a unit at the sizes of a unit's file and at as many that are drawn with SEED; SEED=new: with a seed
# that was never used, which is said. night: at the sizes of the night, too.
set -euo pipefail

work=$1
list=$2
time=$3
number=$4
seed=$5
tool=$6
unit=$7
shift 7
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
    if [ "$time" = night ] && grep -qxF '[night sizes]' "$list"; then tb/cfg.sh "$list" 'night sizes'; fi
    "$tool" sizes "$unit" --number="$number" --seed="$seed"
} > "$sizes"
echo "drawn with SIZES_SEED=$seed, at the end of the list: $number"
env -u MAKEFLAGS -u MAKELEVEL make -s --no-print-directory "${variables[@]}" UNIT="$unit" SIZES="$work" libraries
"$tool" lockstep "$unit" --sizes="$sizes" "$@"
