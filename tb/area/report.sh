#!/usr/bin/env bash
# report.sh FILE.json 'UNIT...' LOG... - what the logs of measure.sh say, as JSON, and as a table behind one line: every
# unit is within its limits, or which are not. Ends with 1 if one exceeds its limit, has no size with a limit, or if a log
# is missing; one that failed is LOG.failed.
set -euo pipefail

json=$1
units=$2
shift 2
here=$(dirname "$0")
work=$(mktemp)
trap 'rm -f "$work"' EXIT
wrong=()
for log; do
    [ -f "$log" ] || log=$log.failed
    if [ ! -f "$log" ] || ! grep -hE '^(record|latency): ' "$log" >> "$work"; then wrong+=("not measured: $(basename "$log" .failed)"); fi
done
for unit in $units; do
    grep -q "^record: {\"unit\": \"$unit\"" "$work" || wrong+=("no size in [area]: $unit")
done
mkdir -p "$(dirname "$json")"
sed 's/^[a-z]*: //' "$work" | sed '1s/^/[\n/; $!s/$/,/; $s/$/\n]/' > "$json"
status=0
awk -f "$here/records.awk" -f "$here/table.awk" "$json" || status=1
for line in "${wrong[@]}"; do
    echo "$line"
    status=1
done
echo "$json"
exit "$status"
