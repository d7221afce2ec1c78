#!/usr/bin/env bash
# write.sh FOLDER GPUSCHED-UNIT UNIT - writes into FOLDER what another project takes of a unit. Paths are relative to this folder's
# root, where the tools that read the lists are to be run.
#
#   UNIT.f         the Verilog files of the unit, each after those that it needs
#   UNIT_top.v     the unit with an active-low reset; UNIT_top.f: its files
#   UNIT_sim.f     bench and unit: UNIT_tb.v replays the vectors in UNIT.vec
#   UNIT.core      for FuseSoC: top, and the bench
set -euo pipefail

folder=$1
tool=$2
unit=$3
# shellcheck source=tb/package/files.sh
. tb/package/files.sh
mkdir -p "$folder"

file=$(file_of "$unit")
[ -n "$file" ] || { echo "write.sh: there is no rtl/*/$unit.v" >&2; exit 2; }
# list NAME WHAT FILE... - a list of files.
list() {
    {
        printf '// %s\n' "$2"
        printf '%s\n' "${@:3}"
    } > "$folder/$1"
}

mapfile -t files < <(in_order "$file")
list "$unit.f" "$unit, its parts first" "${files[@]}"
awk -v unit="$unit" -f tb/package/top.awk "$file" > "$folder/${unit}_top.v"
mapfile -t tops < <(in_order "$file" rtl/lib/reset_sync.v)
list "${unit}_top.f" "${unit}_top, its parts first" "${tops[@]}" "$folder/${unit}_top.v"
"$tool" vectors "$unit" --cycles=500 --output="$folder/$unit.vec"
"$tool" ports "$unit" --format=bench | cat - tb/conformance/replay.v > "$folder/${unit}_tb.v"
list "${unit}_sim.f" "${unit}_tb and what it tests; +vectors=$folder/$unit.vec" "${files[@]}" "$folder/${unit}_tb.v"

mapfile -t params < <(literal_parameters "$folder/${unit}_top.v")
names=$(printf '%s, ' "${params[@]%=*}")
names=${names%, }
free=${names%, RESET_ASYNC*}
{
    cat << END_OF_HEAD
CAPI=2:
# Written by make package; docs/packaging.md.
name: gpusched:top:$unit
description: $unit with an active-low reset, and its bench
filesets:
  top:
    files: [${unit}_top.v]
    file_type: verilogSource-2005
    depend: ["$(name_of "$file")", "gpusched:lib:parts"]
  bench:
    files: [${unit}_tb.v]
    file_type: verilogSource-2005
    depend: ["$(name_of "$file")"]
  vectors:
    files:
      - $unit.vec: {file_type: user, copyto: $unit.vec}
parameters:
  vectors:
    datatype: str
    paramtype: plusarg
    default: $unit.vec
    description: the file of vectors
END_OF_HEAD
    for param in "${params[@]}"; do
        printf '  %s:\n    datatype: int\n    paramtype: vlogparam\n    default: %s\n' "${param%=*}" "${param#*=}"
    done
    cat << END_OF_TARGETS
targets:
  default:
    filesets: [top]
  lint:
    default_tool: verilator
    filesets: [top]
    toplevel: ${unit}_top
    parameters: [$names]
    tools:
      verilator:
        mode: lint-only
        verilator_options: [-Wall]
  sim:
    default_tool: icarus
    filesets: [bench, vectors]
    toplevel: ${unit}_tb
    parameters: [vectors, $free]
    tools:
      icarus:
        iverilog_options: [-g2005]
  synth:
    default_tool: yosys
    filesets: [top]
    toplevel: ${unit}_top
    parameters: [$names]
    tools:
      yosys:
        arch: xilinx
        output_format: json
END_OF_TARGETS
} > "$folder/$unit.core"
