# perf-sat-walk.awk - the vectors of perf_sat (after vectors.awk) as a walk: for each period that the unit judges, the number of
# the kernel, counted from 1, the number of the period, the CTAs that ran in it, its cycles, the schedulers that stalled in them,
# added up, and the CTAs from then on, with `ends` if the detection ends there.

$2 ~ /[13579bdf]$/ { kernel++; period = 0 } # the lowest bit of the inputs: restart_i
$3 ~ /^[89a-f]/ { # the highest of the outputs: judged_o
    printf "%d %d %d %d %d %d%s\n", kernel, ++period, field(before, "limit_q"), field(before, "period_q"), field(before, "stalled_q"),
        field($4, "limit_q"), field($4, "phase_q") == 0 ? " ends" : ""
}
{ before = $4 }
