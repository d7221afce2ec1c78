#!/usr/bin/env bash
# sizes.sh SIZES.txt COMMAND... - says how the sizes were drawn, and runs the lockstep at all of them.
set -euo pipefail

grep '^# the last ' "$1"
exec "${@:2}" --sizes="$1"
