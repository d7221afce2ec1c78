# vectors.awk - what scripts that read a unit's vectors share (docs/conformance.md): the widths and places of the registers, from
# the file's head, and the value of one in a row. Its rows alone, four words each, go on to the next file of the program.

# A register of the row, from the lowest bit and the width that the file's head says. A row's digits are hexadecimal, highest first.
function field(row, name, digit, bit, x, k) {
    for (k = width[name] - 1; k >= 0; k--) {
        bit = low[name] + k
        digit = index("0123456789abcdef", substr(row, length(row) - int(bit / 4), 1)) - 1
        x = 2 * x + int(digit / 2 ^ (bit % 4)) % 2
    }
    return x
}

$1 == "reg" { width[$2] = $3; low[$2] = $5; next }
$1 == "cycles" { rows = 1; next }
!rows || NF != 4 { next }
