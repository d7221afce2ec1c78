#!/usr/bin/env bash
# lint_tools.sh - the tools of lint.sh find the mistakes that are planted in their canaries.
set -euo pipefail

canary() {
    [ -s "$1" ] || { echo "there is no $1"; exit 1; }
    command -v "$2" > /dev/null || { echo "there is no $2"; exit 1; }
    if said=$("${@:2}" 2>&1) && [ -z "$said" ]; then
        echo "$2 finds nothing in $1"
        exit 1
    fi
}
canary tb/canary/lint.v verilator --lint-only -Wall tb/canary/lint.v
canary tb/canary/lint.v iverilog -g2005 -Wall -t null tb/canary/lint.v
canary tb/canary/drive.v yosys -q -e . -p 'read_verilog tb/canary/drive.v; hierarchy -top drive; proc; check -assert'
