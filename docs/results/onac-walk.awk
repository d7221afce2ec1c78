# onac-walk.awk - the vectors of onac (docs/conformance.md) as a walk: for each sample that the unit compares, the number of the
# kernel that it detects, counted from 1, how many SMs ran, their IPC, and that of all. Of each kernel the last line has
# the result, `found` or `aborted`, in place of the IPCs.

# A register of the row, from the lowest bit and the width that the file's head says. A row's digits are hexadecimal, highest first.
function field(name, digit, bit, x, k) {
    for (k = width[name] - 1; k >= 0; k--) {
        bit = low[name] + k
        digit = index("0123456789abcdef", substr($4, length($4) - int(bit / 4), 1)) - 1
        x = 2 * x + int(digit / 2 ^ (bit % 4)) % 2
    }
    return x
}

$1 == "reg" { width[$2] = $3; low[$2] = $5; next }
$1 == "cycles" { rows = 1; next }
!rows || NF != 4 { next }
{
    state = substr($4, length($4)) # the lowest digit: state_q, 1 target, 7 test, 0 idle
    if (state == before) next
    if (state == 1 && before + 0 == 0) kernel++
    if (state == 7) printf "%d %d %.4f %.4f\n", kernel, field("number_q"), field("ipc_q") / 65536, field("all_ipc_q") / 65536
    if (state == 0 && before != "") print kernel, field("number_q"), field("aborted_q") ? "aborted" : "found"
    before = state
}
