# claso-runs.awk - read by the scripts of claso.md, before what each of them does: the runs of an experiment's CSV, by workload/variant,
# and the workloads in the order in which they come.

NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
{
    if ($column["status"] != "done") { print "run " $1 " is not done" > "/dev/stderr"; bad = 1 }
    name = $column["workload"]
    if (!(name in seen)) { seen[name]; workload[++n] = name }
    at = name "/" $column["variant"]
    cycles[at] = $column["cycles"]
    idle[at] = $column["sm.no_cta"]
    wait[at] = $column["sm.scoreboard_alu"]
}
