#!/usr/bin/env bash
# latency.sh WORK GPUSCHED-UNIT UNIT.cfg PARAM=VALUE... - how many cycles each operation of a unit takes, a line of JSON each: the
# rows of [latency], "OPERATION | START | END".
#
#   INPUT | OUTPUT            by the port table: 0 if the output depends on the input in its own cycle, and otherwise 1,
#                             for the output depends on registers, which an edge writes
#   after A B | C             measured in vectors of the golden model: from a cycle in which A and B are other than 0 to the
#                             next in which C is
#   look MASK NUMBER | VALID  measured likewise: so many cycles before NUMBER comes with VALID, bit NUMBER of MASK is set each
#                             time; of no other number of cycles is that so
set -euo pipefail

work=$1
tool=$2
cfg=$3
shift 3
here=$(dirname "$0")
unit=$(basename "$cfg" .cfg)
case=$work/$unit$(printf -- '-%s' "${@/=/.}")
mkdir -p "$work"
ports=$("$tool" ports "$unit" --format=rtl)
paths=$("$tool" ports "$unit" --format=paths)
# vectors MODE PARAM=VALUE... - those of the mode, once.
vectors() {
    [ -f "$case-$1.vec" ] || "$tool" vectors "$unit" "${@:2}" --cycles=20000 --mode="$1" --output="$case-$1.vec" > /dev/null
}
rm -f "$case"-{mixed,bursty}.vec
rows=0
while IFS='|' read -r operation start end; do
    read -r operation <<< "$operation"
    read -r start <<< "$start"
    read -r end <<< "$end"
    case $start in
        'after '*)
            vectors mixed "$@"
            cycles=$(awk -v start="${start#after }" -v end="$end" -f "$here/latency.awk" "$case-mixed.vec") || { echo "$cycles"; exit 1; }
            ;;
        'look '*)
            vectors bursty "$@"
            cycles=$(awk -v look="${start#look } $end" -f "$here/latency.awk" "$case-bursty.vec") || { echo "$cycles"; exit 1; }
            ;;
        *)
            for port in "$start" "$end"; do
                grep -q "[^ ]*put $port\b" <<< "$ports" || { echo "$cfg: [latency]: $port: no such port"; exit 1; }
            done
            cycles='1 1'
            if grep -qx "$start $end" <<< "$paths"; then cycles='0 0'; fi
            ;;
    esac
    printf 'latency: {"unit": "%s", "parameters": "%s", "operation": "%s", "least": %d, "most": %d}\n' "$unit" "$*" "$operation" \
        "${cycles% *}" "${cycles#* }"
    rows=$((rows + 1))
done < <(tb/cfg.sh "$cfg" latency | sed 's/#.*//; /^ *$/d')
rm -f "$case"-{mixed,bursty}.vec
echo "checked: operations=$rows"
