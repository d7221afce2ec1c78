#!/usr/bin/env bash
# derived.sh WORK - a register that only the RTL has: the check of drift passes a module that has it and proves it,
# and fails without the row, without the register, and where no assertion names it. A register of a part that has its
# name as a net of the module is one of the module. The program that prints the port table is played by a script.
set -euo pipefail

work=$1
rm -rf "$work"
mkdir -p "$work"
n=0

cat > "$work/ahead.v" << 'END'
module ahead #(
    parameter integer W = 6
) (
    input  wire         clk,
    input  wire         rst_i,
    input  wire [W-1:0] number_i,
    output wire         zero_o
);
    generate
        if (W < 1) begin : g_check
            ahead_needs_W_from_1 u_stop ();
        end
    endgenerate

    reg [W-1:0] last_q;
    reg         zero_q; // zero_q is assert-ed below

    always @(posedge clk) begin
        last_q <= rst_i ? {W{1'b0}} : number_i;
        zero_q <= rst_i || number_i == {W{1'b0}};
    end
    assign zero_o = zero_q;

`ifdef FORMAL
    reg f_started = 1'b0;
    always @(posedge clk) f_started <= 1'b1;
    always @* begin
        if (!f_started) assume (rst_i);
        if (f_started)
            a_zero : assert (zero_q
                             == (last_q == 0));
    end
`endif
endmodule
END
cat > "$work/good" << 'END'
parameter W 6
input number_i 6
output zero_o 1
register last_q 6
register zero_q 1
END
cp "$work/ahead.v" "$work/good.v"
cp "$work/good" "$work/table"
cat > "$work/tool" << 'END'
#!/usr/bin/env bash
case "$*" in
    *--format=rtl*) cat "${0%/*}/table" ;;
    *--format=derived*) echo zero_q ;;
esac
END
chmod +x "$work/tool"

# fails WHAT TEXT - the check, on what is in WORK now; then all is put back.
fails() {
    if tb/drift/ports.sh "$work/tool" "$work/ahead.v" W=6 > "$work/log" 2>&1; then
        echo "$1: not noticed"
        exit 1
    fi
    grep -q -e "$2" "$work/log" || { echo "$1: no $2"; cat "$work/log"; exit 1; }
    cp "$work/good.v" "$work/ahead.v"
    cp "$work/good" "$work/table"
    n=$((n + 1))
    echo "$1: noticed as $(grep -m 1 -e "$2" "$work/log")"
}

tb/drift/ports.sh "$work/tool" "$work/ahead.v" W=6
tb/formal/prove.sh "$work" "$work/ahead.v" 2 2 W=3 > "$work/proof" || { cat "$work/proof"; exit 1; }
sed -i '/^register zero_q/d' "$work/table"
fails 'a register without a row' '^+register zero_q 1'
sed -i 's/zero_q/last_zero/g' "$work/ahead.v"
fails 'a row without its register' '^-register zero_q 1'
sed -i 's/zero_q  *<=.*/zero_q <= last_q == 0;/; s/reg         zero_q/reg [1:0] zero_q/' "$work/ahead.v"
fails 'a register of another width' '^+register zero_q 2'
sed -i '/a_zero/,/;/d' "$work/ahead.v"
fails 'no assertion' '^-assertion zero_q'
sed -i 's/a_zero : assert (zero_q/a_last : assert (last_q == last_q); \/\/ assert (zero_q/; s/^ *== (last_q == 0));//' "$work/ahead.v"
fails 'an assertion in a comment' '^-assertion zero_q'
sed -i 's/== (last_q == 0));/== 1'"'"'b0);/' "$work/ahead.v"
fails 'an assertion of a constant' '^-assertion zero_q'
sed -i 's/a_zero : assert/a_zero : assume/' "$work/ahead.v"
fails 'an assumption' '^-assertion zero_q'
sed -i 's/zero_q$/other_zero_q/; s/ifdef FORMAL/&\n    wire other_zero_q = zero_q;/' "$work/ahead.v"
fails 'another name' '^-assertion zero_q'
# That it is the right function is for the proof.
sed -i 's/== (last_q == 0)/== (last_q == 1)/' "$work/ahead.v"
if tb/formal/prove.sh "$work" "$work/ahead.v" 2 2 W=3 > "$work/proof" 2>&1 || ! grep -q 'Assert failed.*a_zero' "$work/proof"; then
    echo 'a wrong function is not found by the proof'
    exit 1
fi

# The same register in a part, of which an output drives a net of its name.
cat > "$work/past.v" << 'END'
module past (
    input  wire clk,
    input  wire zero_i,
    output wire zero_o,
    output wire none_o
);
    reg zero_q;
    always @(posedge clk) zero_q <= zero_i;
    assign zero_o = zero_q;
    assign none_o = !zero_q;
endmodule
END
part='past u_past (.clk(clk), .zero_i(rst_i || number_i == {W{1'"'b0}}), .zero_o(zero_q), .none_o());"
sed "s/^    reg  *zero_q;.*/    wire zero_q;/; s/^        zero_q <= .*//; s/^    assign zero_o/    $part\n&/" "$work/good.v" > "$work/ahead.v"
cp "$work/ahead.v" "$work/good.v"
tb/drift/ports.sh "$work/tool" "$work/ahead.v" W=6
sed -i 's/\.zero_o(zero_q), \.none_o()/.zero_o(), .none_o(zero_q)/' "$work/ahead.v"
fails 'another output of the part' '^-register zero_q 1'
sed -i 's/zero_q <= zero_i/other_q <= zero_i/; s/reg zero_q/reg other_q; wire zero_q = other_q/' "$work/past.v"
fails 'no register in the part' '^-register zero_q 1'
echo "checked: defects=$((n + 1))"
