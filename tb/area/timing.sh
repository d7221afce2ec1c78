#!/usr/bin/env bash
# timing.sh CASE LIBRARY UNIT - the slowest paths of a netlist, CASE.v, in CASE.paths: a line of four for each kind of
# path there is, "KIND DELAY START END", in the library's unit of time. Kinds: reg-reg, in-reg, reg-out, in-out.
#
# Ideal wires and an ideal clock; inputs come at the edge, through the library's driver, and outputs are needed at the
# next edge and drive such a driver. A delay has the clock's way through the first flip-flop in it, and the time
# that the last one needs before its edge.
set -euo pipefail

case=$1
library=$2
unit=$3
period=$(awk '$1 == "time" { print 100000 / $2 }' "$library/facts")
read -r _ driver _ out load <<< "$(grep '^driver ' "$library/facts")"
cat > "$case.tcl" << END
read_liberty $library/cells.lib
read_verilog $case.v
link_design $unit
create_clock -name clk -period $period [get_ports clk]
set ins [list]
foreach p [all_inputs] { if {[get_property \$p full_name] ne "clk"} { lappend ins \$p } }
set_input_delay 0 -clock clk \$ins
set_driving_cell -lib_cell $driver -pin $out \$ins
set_output_delay 0 -clock clk [all_outputs]
set_load -pin_load $load [all_outputs]
set from [all_registers -clock_pins]
set to [all_registers -data_pins]
proc kind {name from to} {
    puts "kind \$name"
    report_checks -path_delay max -from \$from -to \$to -digits 4
}
kind reg-reg \$from \$to
kind in-reg \$ins \$to
kind reg-out \$from [all_outputs]
kind in-out \$ins [all_outputs]
END
sta -no_splash -exit "$case.tcl" > "$case.sta" 2>&1
awk -v period="$period" '
$1 == "kind" { kind = $2 }
$1 == "Startpoint:" { start = $2; sub(/\\.*/, "", start) }
$1 == "Endpoint:" { end = $2; sub(/\\.*/, "", end) }
$2 == "slack" { printf "%s %.4f %s %s\n", kind, period - $1, start, end; n++ }
END { exit !n }' "$case.sta" > "$case.paths" || { echo "timing.sh: OpenSTA shows no path:"; tail -n 5 "$case.sta"; exit 1; }
