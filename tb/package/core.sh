#!/usr/bin/env bash
# core.sh UNIT.v DESCRIPTION - prints a core file for FuseSoC of a module of rtl/units or rtl/top, to begin with: make new
# writes it. From then on it is kept by hand, and tb/package/cores.sh compares it with the module.
set -euo pipefail

file=$1
unit=$(basename "$file" .v)
# shellcheck source=tb/package/files.sh
. tb/package/files.sh
quoted() { sed 's/.*/"&"/' | paste -sd, | sed 's/,/, /g'; }

depend=$(for part in $(needs "$file"); do name_of "$part"; done | sort -u | quoted)
names=$(literal_parameters "$file" | cut -d= -f1 | paste -sd, | sed 's/,/, /g')
cat << END_OF_HEAD
CAPI=2:
# docs/packaging.md says how this is used and checked; docs/units/$unit.md what the unit does.
name: gpusched:units:$unit
description: "$2"
filesets:
  rtl:
    files: [$unit.v]
    file_type: verilogSource-2005
END_OF_HEAD
[ -z "$depend" ] || echo "    depend: [$depend]"
echo parameters:
while IFS='=' read -r name value; do
    # shellcheck disable=SC2016 # the compiler's directive
    meaning=$(sed '/^`default_nettype/q' "$file" | sed -nE "s,^//   $name +(.*),\1,p" | head -n 1)
    printf '  %s:\n    datatype: int\n    paramtype: vlogparam\n    default: %s\n    description: "%s"\n' "$name" "$value" "${meaning:-$name}"
done < <(literal_parameters "$file")
cat << END_OF_TARGETS
targets:
  default:
    filesets: [rtl]
  lint:
    default_tool: verilator
    filesets: [rtl]
    toplevel: $unit
    parameters: [$names]
    tools:
      verilator:
        mode: lint-only
        verilator_options: [-Wall]
  synth:
    default_tool: yosys
    filesets: [rtl]
    toplevel: $unit
    parameters: [$names]
    tools:
      yosys:
        arch: xilinx
        output_format: json
END_OF_TARGETS
