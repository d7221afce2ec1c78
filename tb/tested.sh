#!/usr/bin/env bash
# tested.sh UNIT.v COMMAND... - runs a check of a unit's Verilog, and says which files it was about.
set -euo pipefail

# shellcheck source=tb/verilog.sh
. tb/verilog.sh
"${@:2}"
look_for_parts "$1"
tested "$1"
