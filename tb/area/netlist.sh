#!/usr/bin/env bash
# netlist.sh CASE LIBRARY UNIT.v PARAM=VALUE... - a unit of one size as cells of a library: CASE.v, and what Yosys
# says of it. LIBRARY: the folder that library.sh has made.
#
#   CASE.v        the netlist; a flip-flop is named after the register that it holds
#   CASE.stat     how many cells of each kind, and their area
#   CASE.memory   the memories before they become cells, as JSON
set -euo pipefail

case=$1
library=$2
rtl=$3
shift 3
unit=$(basename "$rtl" .v)
here=$(dirname "$0")
# shellcheck source=tb/verilog.sh
. tb/verilog.sh
look_for_parts "$rtl"
chparam=()
for param in "$@"; do
    chparam+=(-chparam "${param%=*}" "${param#*=}")
done
# What drives the inputs and what the outputs drive; ABC counts in femtofarad.
awk '
$1 == "load" { unit = $2 }
$1 == "driver" { print "set_driving_cell " $2; printf "set_load %.3f\n", $5 * unit }' "$library/facts" > "$case.constr"
yosys -q -l "$case.log" -p "read_verilog -DSYNTHESIS $rtl
    hierarchy -check $libdirs -top $unit ${chparam[*]}
    proc; flatten; opt; memory -nomap
    write_json $case.memory
    synth -flatten -top $unit -run :fine
    memory_map; opt -undriven -fine
    synth -top $unit -run fine:check
    dfflibmap -liberty $library/cells.lib; opt
    abc -liberty $library/cells.lib -constr $case.constr -script $here/abc.txt
    setundef -zero; opt_clean -purge
    read_liberty -lib -ignore_miss_func $library/cells.lib
    splitnets; opt_clean -purge
    rename -wire; rename -enumerate
    check -assert -mapped
    tee -q -o $case.stat stat -liberty $library/cells.lib
    write_verilog -noattr -noexpr -nohex -nodec $case.v" > "$case.yosys" 2>&1 ||
    { tail -n 5 "$case.yosys"; exit 1; }
