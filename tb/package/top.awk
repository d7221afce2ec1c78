# top.awk -v unit=UNIT - from the head of a unit's module: a module UNIT_top with the same parameters and ports, but an
# active-low reset, rst_ni, and parameters RESET_ASYNC and RESET_STAGES (rtl/lib/reset_sync.v). It has no logic of its own.
/^module / {
    printf "// %s_top - %s with an active-low reset, rst_ni. Written by make package; docs/packaging.md.\n\n", unit, unit
    print "`default_nettype none\n\nmodule " unit "_top #("
    on = 1
    next
}
!on || done { next }
/^ *parameter / {
    match($0, /integer +[A-Z_]+/)
    name = substr($0, RSTART, RLENGTH)
    sub(/.* /, "", name)
    params[++n_param] = name
    sub(/,? *(\/\/.*)?$/, ",")
    print
    next
}
/^\) \($/ {
    print "    parameter integer RESET_ASYNC = 0,"
    print "    parameter integer RESET_STAGES = 2"
    print
    next
}
/^ *(input|output) / {
    name = $0
    sub(/,? *(\/\/.*)?$/, "", name)
    sub(/.* /, "", name)
    ports[++n_port] = name
    sub(/ rst_i/, " rst_ni")
    print
    next
}
/^\);$/ {
    print
    print "\n    wire rst;\n"
    print "    reset_sync #(\n        .ASYNC (RESET_ASYNC),\n        .STAGES (RESET_STAGES)\n    ) u_reset ("
    print "        .clk (clk),\n        .rst_ni (rst_ni),\n        .rst_o (rst)\n    );\n"
    print "    " unit " #("
    for (i = 1; i <= n_param; i++) printf "        .%s (%s)%s\n", params[i], params[i], i < n_param ? "," : ""
    print "    ) u_" unit " ("
    for (i = 1; i <= n_port; i++)
        printf "        .%s (%s)%s\n", ports[i], ports[i] == "rst_i" ? "rst" : ports[i], i < n_port ? "," : ""
    print "    );\n\nendmodule\n\n`default_nettype wire"
    done = 1
}
