# perf-sat-walk.awk - the vectors of perf_sat (docs/conformance.md) as a walk: for each period that the unit judges, the number of
# the kernel, counted from 1, the number of the period, the CTAs that ran in it, its cycles, the schedulers that stalled in them,
# added up, and the CTAs from then on, with `ends` if the detection ends there.

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
$2 ~ /[13579bdf]$/ { kernel++; period = 0 } # the lowest bit of the inputs: restart_i
$3 ~ /^[89a-f]/ { # the highest of the outputs: judged_o
    printf "%d %d %d %d %d %d%s\n", kernel, ++period, field(before, "limit_q"), field(before, "period_q"), field(before, "stalled_q"),
        field($4, "limit_q"), field($4, "phase_q") == 0 ? " ends" : ""
}
{ before = $4 }
