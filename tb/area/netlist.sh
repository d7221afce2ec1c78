#!/usr/bin/env bash
# netlist.sh CASE LIBRARY UNIT.v PARAM=VALUE... - a unit of one size as cells of a library: CASE.v, and what Yosys
# says of it. LIBRARY: the folder that library.sh has made.
#
#   CASE.v        the netlist; a flip-flop is named after the register that it holds, and memories are flip-flops
#   CASE.cells    how many cells of each kind; "memory NAME WORDS WIDTH" of each memory that is apart, by the rule of
#                 memories.awk, whose cells are then not counted; "logic AREA" of all cells that are counted
set -euo pipefail

case=$1
library=$2
rtl=$3
shift 3
unit=$(basename "$rtl" .v)
here=$(dirname "$0")
libdirs=''
# shellcheck source=tb/verilog.sh
. tb/verilog.sh
look_for_parts "$rtl"
set_params "$@"
# What drives the inputs and what the outputs drive; ABC counts in femtofarad.
awk '
$1 == "load" { unit = $2 }
$1 == "driver" { print "set_driving_cell " $2; printf "set_load %.3f\n", $5 * unit }' "$library/facts" > "$case.constr"

# cells NAME APART WRITE - the design as cells, in NAME.stat; APART and WRITE: more commands, for the memories and at
# the end. A name is an argument without blanks.
cells() {
    yosys -q -l "$1.log" -p "read_verilog -DSYNTHESIS $rtl
        hierarchy -check $libdirs -top $unit ${chparam[*]}
        proc; flatten; opt; memory -nomap
        write_json $case.memory; $2
        synth -flatten -top $unit -run :fine
        memory_map; opt -undriven -fine
        synth -top $unit -run fine:check
        dfflibmap -liberty $library/cells.lib; opt
        abc -liberty $library/cells.lib -constr $case.constr -script $here/abc.txt
        setundef -zero; opt_clean -purge
        read_liberty -lib -ignore_miss_func $library/cells.lib
        splitnets; opt_clean -purge
        rename -wire; rename -enumerate
        check -assert
        tee -q -o $1.stat stat -liberty $library/cells.lib; $3" > "$1.yosys" 2>&1 ||
        { tail -n 5 "$1.yosys"; exit 1; }
}
cells "$case" '' "write_verilog -noattr -noexpr -nohex -nodec $case.v"
awk -f "$here/memories.awk" "$case.memory" > "$case.cells"
stat=$case.stat
if [ -s "$case.cells" ]; then
    cells "$case.apart" "read_verilog -lib $here/apart_box.v; techmap -map $here/apart.v t:\$mem_v2" ''
    stat=$case.apart.stat
fi
awk 'NF == 2 && $2 ~ /^[0-9]+$/; /Chip area for/ { print "logic", $NF }' "$stat" >> "$case.cells"
