# claso-runs.awk - read by the scripts of claso.md, before what each of them does: the runs of experiments' CSVs, by workload/variant
# or, with an axis `below`, workload/below/variant, and the workloads in the order in which they come. Those with several seeds are
# medians, and have the edges of the 95 % band of their cycles.

FNR == 1 { split("", column); for (i = 1; i <= NF; i++) column[$i] = i; next }
{
    gsub(/"lrr,dyncta"/, "dyncta") # the one value with a comma
    if ($column["status"] != "done") { print "run " $1 " is not done" > "/dev/stderr"; bad = 1 }
    name = $column["workload"]
    if (!(name in seen)) { seen[name]; workload[++n] = name }
    at = name "/" ("below" in column ? $column["below"] "/" : "") $column["variant"]
    cycles[at] = $column["cycles"]
    idle[at] = $column["sm.no_cta"]
    wait[at] = $column["sm.scoreboard_alu"]
    if ("cycles low" in column) { low[at] = $column["cycles low"]; high[at] = $column["cycles high"] }
}
