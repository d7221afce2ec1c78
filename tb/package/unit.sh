#!/usr/bin/env bash
# unit.sh WORK FOLDER GPUSCHED-UNIT UNIT - what write.sh has written into FOLDER for a unit is right: each list has all files
# and no other, in an order in which each file elaborates with those before it; the three tools take it; the bench
# passes. The top has the ports of the port table and an active-low reset, connects each to the unit's of the same name,
# and resets the unit in both styles: with the clock, and by a pulse between two of its edges.
set -euo pipefail

work=$1
folder=$2
tool=$3
unit=$4
rm -rf "$work"
mkdir -p "$work"
top=${unit}_top
# shellcheck source=tb/package/files.sh
. tb/package/files.sh
# shellcheck source=tb/verilog.sh
. tb/verilog.sh
file=$(file_of "$unit")
search=() # which this sets
look_for_parts "$file"

# ---- The lists -----------------------------------------------------------------------------------

# Each is whole and in order, and Icarus, Verilator and Yosys take it.
lists=0
for module in "$unit" "$top" "${unit}_tb"; do
    list=$folder/${module/%_tb/_sim}.f
    lists=$((lists + 1))
    grep -v '^//' "$list" > "$work/files"
    while read -r one; do
        [ -f "$one" ] || { echo "$list: there is no $one"; exit 1; }
    done < "$work/files"
    before=()
    while read -r one; do
        before+=("$one")
        iverilog -g2005 -t null -s "$(basename "$one" .v)" "${before[@]}" > "$work/said" 2>&1 \
            || { cat "$work/said"; echo "$list: $one stands before a file that it needs, or one is missing"; exit 1; }
    done < "$work/files"
    # Which files Icarus reads when it looks for them itself.
    iverilog -g2005 -t null -M "$work/found" "${search[@]}" -y "$folder" -s "$module" "${before[-1]}"
    diff --label "$list" --label "what $module is made of" <(sort "$work/files") <(sort -u "$work/found")
    iverilog -g2005 -t null -s "$module" -f "$list"
    [ "$module" != "${unit}_tb" ] || continue
    verilator --lint-only -Wall --top-module "$module" -f "$list"
    yosys -q -p "read_verilog ${before[*]}; hierarchy -check -top $module; proc; check -assert"
done
iverilog -g2005 -o "$work/sim" -s "${unit}_tb" -f "$folder/${unit}_sim.f"
vvp -N "$work/sim" "+vectors=$folder/$unit.vec" > "$work/said" || { cat "$work/said"; exit 1; }
grep '^PASS' "$work/said"

# ---- The top -------------------------------------------------------------------------------------

"$tool" ports "$unit" --format=rtl > "$work/table"
params=$(sed -n 's/^parameter \([A-Z_]*\) .*/\1/p' "$work/table" | tr '\n' ' ')
verilator --xml-only -Wno-fatal -Wno-lint --xml-output "$work/xml" --top-module "$top" -f "$folder/$top.f"
awk -v params="$params RESET_ASYNC RESET_STAGES" -f tb/drift/xml_ports.awk "$work/xml" > "$work/top"
diff --label 'port table, with a reset' --label "$top" -U0 \
    <({ grep '^parameter' "$work/table"; printf 'parameter RESET_ASYNC 0\nparameter RESET_STAGES 2\ninput rst_ni 1\n'
        grep -E '^(input|output)' "$work/table"; }) "$work/top"

# Which wire is at which port, and the other way round.
awk -v instance="u_$unit" '
function name() { match($0, / name="[^"]*"/); return substr($0, RSTART + 7, RLENGTH - 8) }
/<instance / { on = name() == instance }
/<\/instance>/ { on = 0 }
on && /<port / { port = name(); print port, (getline > 0 && /<varref/) ? name() : "?" }' "$work/xml" | sort > "$work/wires"
diff --label 'ports of the unit' --label "what $top connects them to" \
    <({ printf 'clk clk\nrst_i rst\n'; sed -nE 's/^(input|output) ([^ ]*) .*/\2 \2/p' "$work/table"; } | sort) "$work/wires"

# The reset. What is valid, merged or kept is high, so that outputs show the state: before the first reset, something unknown.
# Only where a launch alone makes all known, with no cycle of reset, it is low.
# reset_bench HIGH
reset_bench() {
    printf 'module reset_top_bench;\n'
    printf 'reg clk = 0, rst_ni = 1, failed = 0; integer style;\n'
    awk '$1 == "output" { printf "wire [%d:0] a_%s, s_%s;\n", $3 - 1, $2, $2 }' "$work/table"
    for style in a s; do
        printf '%s #(.RESET_ASYNC(%d)) u_%s (.clk(clk), .rst_ni(rst_ni)' "$top" "$([ $style = s ] || echo 1)" "$style"
        awk -v style=$style -v high="$1" '
        $1 == "input" { printf ", .%s(%d'"'"'d%d)", $2, $3, high && $2 ~ /_valid_i$|^(merge|keep)_i$/ }
        $1 == "output" { printf ", .%s(%s_%s)", $2, style, $2 }' "$work/table"
        printf ');\n'
        awk -v style=$style '$1 == "output" { printf "%s%s_%s", n++ ? ", " : "wire " style " = ^{", style, $2 } END { print "};" }' "$work/table"
    done
    cat << 'END_OF_BENCH'
task is(input unknown, input bit, input [60*8-1:0] text);
    if ((bit === 1'bx) !== unknown) begin $display("FAIL %0s", text); failed = 1; end
endtask
task cycle; begin #5 clk = 1; #5 clk = 0; end endtask
initial begin
    repeat (9) cycle;
    is(1, a, "asynchronous: known without a reset");
    is(1, s, "synchronous: known without a reset");
    #1 rst_ni = 0; #1 rst_ni = 1;
    cycle; cycle; cycle; #1;
    is(0, a, "asynchronous: a pulse between two edges does not reset the unit");
    is(1, s, "synchronous: a pulse between two edges resets the unit");
    rst_ni = 0; cycle; rst_ni = 1; cycle; #1;
    is(0, s, "synchronous: a cycle of reset does not reset the unit");
    is(0, a, "asynchronous: something is unknown after the second reset");
    if (!failed) $display("PASS both styles of reset");
    $finish;
end
endmodule
END_OF_BENCH
}
for high in 1 0; do
    reset_bench $high > "$work/reset_top_bench.v"
    iverilog -g2005 -o "$work/reset" -s reset_top_bench -f "$folder/$top.f" "$work/reset_top_bench.v"
    vvp -N "$work/reset" > "$work/said"
    grep -q '^FAIL synchronous: known without a reset' "$work/said" || break
done
cat "$work/said"
grep -q '^PASS' "$work/said"
tested "$file"
echo "checked: lists=$lists ports=$(grep -cE '^(input|output)' "$work/table") styles=2"
