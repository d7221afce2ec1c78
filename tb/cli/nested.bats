#!/usr/bin/env bats
# Kernels that launch kernels (tb/run/nested.cu, bfs_nested), as users of the command line meet them.

load helper

# nested STATUS KERNEL OPTION... - runs it with a buffer of 16 bytes.
nested() { ends "$1" run -q --ptx "$CLI_BUILD/nested.ptx" --kernel "$2" --grid 1 --block 1 --arg buf:16 "${@:3}"; }
value() { jq -c "$1" "$2/result.json"; }

@test "the result says of a child who has launched it, how deep, and from which SM" {
    nested 0 tree --arg i32:2 -g m2090 -o tree
    check 'the first is the host'"'"'s' [ "$(value '[.kernels[0] | has("parent")]' tree)" = '[false]' ]
    check 'its child' [ "$(value '.kernels[1] | [.parent, .depth, .priority, .sm]' tree)" = '[0,1,1,0]' ]
    check 'and the child of that' [ "$(value '.kernels[2] | [.parent, .depth, .priority, .sm]' tree)" = '[1,2,2,1]' ]
    check 'it arrives when its latency is over' \
        [ "$(value '.kernels[1] | .first_cta - .launched >= 20000 + 1700 + 200' tree)" = true ]
}

@test "latencies, levels and pending launches are keys of the configuration" {
    nested 0 nest --arg i32:0 -g m2090 --set cdp.launch_latency=0 --set cdp.lane_latency=0 --set cdp.depth=3 -o nest --save 0=nest.bin
    check 'three levels' [ "$(value '.kernels | length' nest)" -eq 4 ]
    check 'then error 65' [ "$(od -An -td4 nest.bin | tr -s ' ')" = ' 65 3 0 0' ]
    check 'in a short time' [ "$(value '.cycles.core < 10000' nest)" = true ]
    nested 0 many --arg i32:5 -g m2090 --set cdp.pending=2 --save 0=many.bin
    check 'three are refused' [ "$(od -An -td4 many.bin | tr -s ' ')" = ' 2 3 0 0' ]
}

@test "a program whose kernels launch kernels runs beside another" {
    ends 0 run -q -g m2090 -w bfs_nested+hotspot -o both
    check 'both are right' [ "$(value '[.programs[] | [.name, .verified]]' both)" = '[["bfs_nested",true],["hotspot",true]]' ]
    ends 0 run -q -g m2090 -w bfs_nested -o alone
    check 'each has its own kernels' \
        [ "$(value '[.programs[].launches]' both)" = "[$(value '.kernels | length' alone),2]" ]
    ends 0 run --functional -w bfs_nested+hotspot
    check 'without timing' says 'verified' out
}

@test "files over time and checks know children" {
    ends 0 run -q -g m2090 -w bfs_nested --timeline --series=1000 -o time
    check 'the timeline has each below the stream, with its parent' [ "$(jq '[.traceEvents[] | select(.ph == "X"
        and .pid == 1 and .name == "nested_edges") | select(.args | has("parent"))] | length' time/timeline.json)" \
        = "$(value '[.kernels[] | select(has("parent"))] | length' time)" ]
    check 'and two in one thread do not overlap' [ "$(jq '[.traceEvents[] | select(.ph == "X" and .pid == 1)]
        | group_by(.tid) | map(sort_by(.ts) | [.[:-1], .[1:]] | transpose
        | map(select(.[0].ts + .[0].dur > .[1].ts))) | flatten | length' time/timeline.json)" = 0 ]
    ends 0 run --functional --check -w bfs_nested
    check 'nothing is wrong' says 'checked: nothing found' out
    nested 1 with_event --functional --check
    check 'what children read' says ': check: slowly: CTA (0,0,0), thread (0,0,0): ' err
    check 'but not what the device runtime has written' says 'check: 2 found, at 2 places' err
}

@test "what is not modelled is refused where it is called" {
    nested 1 wait_once -g m2090
    check 'place' says ': wait_once: CTA (0,0,0), thread (0,0,0): ' err
    check 'function' says ': cudaDeviceSynchronize: a CTA that waits for its children has no timing; allowed: ' err
    nested 0 wait_once --functional
}
