#!/usr/bin/env bash
# operations.sh LOG... - the table of cycles in docs/results/area.md, from what tb/area/latency.sh has said in these logs.
set -euo pipefail

here=$(dirname "$0")
sed -n 's/^latency: //p' "$@" | awk -v table=operations -f tb/area/records.awk -f "$here/area-tables.awk"
