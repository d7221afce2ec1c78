#!/usr/bin/env bats
# Kernels that launch kernels (tb/run/nested.cu, bfs_citation), as users of the command line meet them.

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
    check 'in a short time' [ "$(value '.cycles.core < 20000' nest)" = true ]
    nested 0 many --arg i32:5 -g m2090 --set cdp.pending=2 --save 0=many.bin
    check 'three are refused' [ "$(od -An -td4 many.bin | tr -s ' ')" = ' 2 3 0 0' ]
}

@test "levels, pending launches and instructions are limited without timing as with it" {
    nested 0 nest --arg i32:0 --functional --set cdp.depth=3 --save 0=nest.bin
    check 'three levels, then error 65' [ "$(od -An -td4 nest.bin | tr -s ' ')" = ' 65 3 0 0' ]
    nested 0 many --arg i32:5 --functional --set cdp.pending=2 --save 0=many.bin
    check 'three are refused' [ "$(od -An -td4 many.bin | tr -s ' ')" = ' 2 3 0 0' ]
    nested 1 nest --arg i32:0 --functional --set limit.instructions=10
    check 'the eleventh instruction' says 'the kernel has executed 10 warp instructions, its limit' err
    for way in --functional --gpu=m2090; do
        nested 1 nest --arg i32:0 "$way" --set limit.instructions=100
        check "those of a tree, $way" grep -qE 'nest: CTA \(0,0,0\), thread \(0,0,0\): .*nested.ptx:[0-9]+: nest of the host and all that it has led to \(launches: [1-9][0-9]*\) have executed 100 warp instructions, their limit' err
    done
    nested 2 nest --arg i32:0 --functional --set sm.count=2
    check 'what takes time is refused' says 'gpusched run: --functional takes no time, so it goes without --set=sm.count=2; allowed: cdp.depth, cdp.pending and limit.instructions' err
    nested 2 nest --arg i32:0 --functional -o none
    check 'a result too' says 'gpusched run: --functional takes no time, so it goes without -o' err
}

@test "a program whose kernels launch kernels runs beside another" {
    ends 0 run -q -g m2090 -w bfs_citation+hotspot -o both
    check 'both are right' [ "$(value '[.programs[] | [.name, .verified]]' both)" = '[["bfs_citation",true],["hotspot",true]]' ]
    ends 0 run -q -g m2090 -w bfs_citation -o alone
    check 'each has its own kernels' \
        [ "$(value '[.programs[].launches]' both)" = "[$(value '.kernels | length' alone),2]" ]
    ends 0 run --functional -w bfs_citation+hotspot
    check 'without timing' says 'verified' out
}

@test "files over time and checks know children" {
    ends 0 run -q -g m2090 -w bfs_citation --timeline --series=1000 -o time
    check 'the timeline has each below the stream, with its parent' [ "$(jq '[.traceEvents[] | select(.ph == "X"
        and .pid == 1 and .name == "bfs_edges") | select(.args | has("parent"))] | length' time/timeline.json)" \
        = "$(value '[.kernels[] | select(has("parent"))] | length' time)" ]
    check 'the tail is between the last ends of CTAs of two SMs' [ "$(jq '[.traceEvents[] | select(.ph == "X" and .pid >= 100)]
        | group_by(.pid) | map(map(.ts + .dur) | max) | max - min' time/timeline.json)" = "$(value '.derived.tail' time)" ]
    check 'and two in one thread do not overlap' [ "$(jq '[.traceEvents[] | select(.ph == "X" and .pid == 1)]
        | group_by(.tid) | map(sort_by(.ts) | [.[:-1], .[1:]] | transpose
        | map(select(.[0].ts + .[0].dur > .[1].ts))) | flatten | length' time/timeline.json)" = 0 ]
    ends 0 run --functional --check -w bfs_citation
    check 'nothing is wrong' says 'checked: nothing found' out
    nested 1 with_event --functional --check
    check 'what children read' says ': check: slowly: CTA (0,0,0), thread (0,0,0): ' err
    check 'but not what the device runtime has written' says 'check: 2 found, at 2 places' err
}

# rates FOLDER FILTER - hits of reads in L1 and L2, of the kernels that the filter chooses; in units of 1e-9.
rates() { value "[.by_kernel[] | select(.name != null and $2)] | def sum(f): map(f) | add; [sum(.sm.l1_hit) / sum(.sm.l1_hit + .sm.l1_miss + .sm.l1_merge), sum(.l2.hit) / sum(.l2.hit + .l2.miss + .l2.merge)] | map(. * 1e9 | round)" "$1"; }
said() { value ".nested.$2 | [.l1_hit_rate, .l2_hit_rate] | map(. * 1e9 | round)" "$1"; }

@test "a run tells kernels of the host from those that kernels have launched" {
    ends 0 run -g m2090 -w bfs_citation -o sides
    check 'launches' [ "$(value '[.nested.host.launches, .nested.children.launches]' sides)" = "$(value '[([.kernels[] | select(has("parent") | not)] | length), ([.kernels[] | select(has("parent"))] | length)]' sides)" ]
    check 'CTAs' [ "$(value '.nested.host.ctas + .nested.children.ctas' sides)" = "$(value '.sm.total.ctas' sides)" ]
    check 'hits of children' [ "$(said sides children)" = "$(rates sides '.name == "bfs_edges"')" ]
    check 'hits of the others' [ "$(said sides host)" = "$(rates sides '.name != "bfs_edges"')" ]
    check 'on the SM of the direct parent' [ "$(value '.nested.children | .on_sm * .ctas | round' sides)" = "$(value '[.kernels[].ctas_on_sm // 0] | add' sides)" ]
    check 'not all' [ "$(value '.nested.children.on_sm | . > 0 and . < 1' sides)" = true ]
    check 'in words' says '  of kernels ' out
    ends 0 run -q -g m2090 -w bfs_citation --set sm.count=1 --set cluster.count=1 -o one
    check 'with one SM all' [ "$(value '.nested.children.on_sm' one)" = 1 ]
    ends 0 run -g m2090 -w hotspot -o others
    check 'without children nothing' [ "$(value 'has("nested")' others)" = false ]
    check 'in words neither' fails says 'of kernels' out
}

# The ratios of two parents with 4 blocks each; the first has children with {2, 4}, {3, 5} and {4, 5, 6}.
family() { ends 0 run "$@" --ptx "$CLI_BUILD/nested.ptx" --kernel parent_blocks --grid 2 --block 1 --arg buf:8192 --arg u64:15 --arg u64:20 --arg u64:112 --arg i32:1 --footprint; }

@test "a run says how much memory parents and children share" {
    family -g m2090 -o family
    check 'who' [ "$(value '.footprint.all | [.kernels, .parents, .direct_parents, .children]' family)" = '[1,2,1,3]' ]
    check 'parent and children: 2 of 5 blocks' [ "$(value '.footprint.all.parent_child | [(.ratio * 1000 | round), .of]' family)" = '[400,1]' ]
    check 'siblings: 1/4, 1/4, 2/4' [ "$(value '.footprint.all.child_sibling | [(.ratio * 1000 | round), .of]' family)" = '[333,1]' ]
    check 'parents: 3 of 4 blocks' [ "$(value '.footprint.all.parent_parent | [(.ratio * 1000 | round), .of]' family)" = '[750,1]' ]
    check 'of one level' [ "$(value '.footprint | [.block_bytes, (.levels | length), .levels[0] == .all]' family)" = '[128,1,true]' ]
    grep -A 1 '^Shared footprint' out > timed
    check 'in words' says '  level 0                  1         2         1         3         40.0 %         33.3 %         75.0 %' timed
    family --functional
    check 'the same without timing' [ "$(grep -A 1 '^Shared footprint' out)" = "$(< timed)" ]
    ends 0 report family -o family.html
    check 'on the page' [ "$(xmllint --xpath 'normalize-space(//h4[.="Shared footprint"]/following::tbody[1])' family.html | sed 's/\xc2\xa0/ /g')" = '0121340.0 %33.3 %75.0 %' ]
}

@test "levels of children that launch have their own ratios, and their sums" {
    nested 0 tree --arg i32:2 -g m2090 --footprint -o levels
    check 'two levels' [ "$(value '[.footprint.levels[] | [.direct_parents, .children]]' levels)" = '[[1,1],[1,1]]' ]
    check 'all' [ "$(value '.footprint.all | [.direct_parents, .children, .parent_child.ratio, .child_sibling]' levels)" = '[2,2,1,{"ratio":null,"of":0}]' ]
    ends 0 run --functional --ptx "$CLI_BUILD/nested.ptx" --kernel tree --grid 1 --block 1 --arg buf:16 --arg i32:2 --footprint
    check 'in words' [ "$(grep -c '^  \(level 0\|level 1\|all\)  .* 100.0 %' out)" -eq 3 ]
}

@test "without launches by kernels there is nothing to share, and without kernels' code no footprint" {
    ends 0 run -g m2090 -w hotspot --footprint -o none
    check 'in words' says 'Shared footprint: no kernel has launched one' out
    check 'in the result' [ "$(value '.footprint | [.levels, .all.direct_parents, .all.parent_child.ratio]' none)" = '[[],0,null]' ]
    ends 0 run -q -g m2090 -w hotspot -o unasked
    check 'nobody has asked' [ "$(value 'has("footprint")' unasked)" = false ]
    check 'and nothing else differs' [ "$(jq -S 'del(.footprint)' none/result.json)" = "$(jq -S . unasked/result.json)" ]
    ends 2 run -g m2090 -w two-kernels --footprint
    check 'a described kernel' says 'two-kernels: --footprint is for CUDA workloads and --ptx' err
}

@test "a CTA leaves its SM to wait for its children, and comes back" {
    waits() { ends "$1" run -q --ptx "$CLI_BUILD/nested.ptx" --kernel wait_often --grid 1 --block 128 --arg buf:16 --arg i32:3 "${@:2}"; }
    waits 0 -g m2090 -o waits --timeline --save 0=waits.bin
    check 'it has left as often as it waits' [ "$(value '[.kernels[] | .left]' waits)" = '[3,null,null,null]' ]
    check 'the timeline has it four times' [ "$(jq '[.traceEvents[] | select(.ph == "X" and .name == "wait_often[0]")] | length' waits/timeline.json)" = 4 ]
    check 'the right result' [ "$(od -An -td4 waits.bin | tr -s ' ')" = ' 1 15 0 0' ]
    waits 0 --functional --save 0=plain.bin
    check 'the same without timing' cmp waits.bin plain.bin
    waits 0 -g m2090 --set dispatch.block=2 --set dispatch.strict_pairs=true --save 0=pairs.bin
    check 'one of a strict pair too' cmp waits.bin pairs.bin
    waits 0 -g m2090 --set cdp.swap_bytes=64 --save 0=saved.bin
    check 'with what it has in memory' cmp waits.bin saved.bin
    waits 2 -g m2090 --set sm.count=64 --set cluster.count=64 --set cdp.swap_bytes=64
    check 'which takes an input of the crossbars' says 'cdp.swap_bytes: the crossbars have inputs for 64 clusters and no other; allowed: 0, or at most 63 clusters' err
}

@test "the timeline has what kernels launch below them, by depth" {
    ends 0 run -q --ptx "$CLI_BUILD/nested.ptx" --kernel tree --grid 2 --block 3 --arg buf:16 --arg i32:2 -g k20c --scheduler laperm \
        --timeline -o drawn
    # Of each span of a kernel: its row's name and place, and what the result says of the kernel.
    jq -c --slurpfile result drawn/result.json '
        [.traceEvents[] | select(.pid == 1 and .ph == "M")] as $rows
        | def row(name; $tid): $rows[] | select(.name == name and .tid == $tid) | .args;
        [.traceEvents[] | select(.pid == 1 and .ph == "X")
         | $result[0].kernels[.args.kernel] as $kernel
         | { tid, ts, dur, parent: .args.parent, kernel: .args.kernel, name: row("thread_name"; .tid).name,
             place: row("thread_sort_index"; .tid).sort_index, depth: ($kernel.depth // 0), by: $kernel.parent }]
        ' drawn/timeline.json > rows
    check 'each kernel once' [ "$(jq -c '[length, (map(.kernel) | unique | length)]' rows)" = '[25,25]' ]
    check 'with the kernel that has launched it' [ "$(jq 'all(.parent == .by)' rows)" = true ]
    check 'in a row of its depth, whose place is that far below the stream' \
        [ "$(jq 'all(.name == (if .depth == 0 then "stream 0" else "launched at depth \(.depth)" end) and .place == .depth)' rows)" = true ]
    check 'rows for as many as ran at once' [ "$(jq 'group_by(.depth) | map(map(.tid) | unique | length) | .[0] == 1 and .[1] > 1 and .[2] > 1' rows)" = true ]
    check 'no two of a row at once' [ "$(jq 'group_by(.tid) | map(sort_by(.ts) | [.[:-1], .[1:]] | transpose | all(.[0].ts + .[0].dur <= .[1].ts)) | all' rows)" = true ]
    check 'none before the kernel that has launched it' [ "$(jq '. as $all | all(.[]; .parent as $p | $p == null or .ts > ($all[] | select(.kernel == $p)).ts)' rows)" = true ]
}

@test "a run with LaPerm says how full its queues were" {
    nested 0 tree --arg i32:2 -g k20c --scheduler laperm -o queues
    check 'of both units' [ "$(value '.nested.queues | map_values(keys)' queues)" = '{"kmu":["in_memory","on_chip"],"laperm":["in_memory","queue_0","sets"]}' ]
    check 'one kernel of the host at a time' [ "$(value '.nested.queues.laperm.queue_0.most' queues)" = 1 ]
    check 'means are below the most' [ "$(value '[.nested.queues[][] | .mean > .most] | any' queues)" = false ]
    ends 0 run -g k20c --scheduler laperm --ptx "$CLI_BUILD/nested.ptx" --kernel tree --grid 1 --block 1 --arg buf:16 --arg i32:2
    check 'in words' says '  laperm, queue 0 ' out
    ends 0 report queues -o queues.html
    check 'on the page' [ "$(xmllint --xpath 'count(//h4[.="Queues"]/following::tbody[1]/tr)' queues.html)" = 5 ]
    nested 0 tree --arg i32:2 -g k20c -o without
    check 'without LaPerm nothing' [ "$(value '.nested | has("queues")' without)" = false ]
}

@test "the management unit fills to the last handle but one, and nothing is lost" {
    local bits rtl
    for bits in 5 6 7; do
        for rtl in shadow drive; do
            nested 0 many --arg i32:12 --block 32 -g k20c --scheduler laperm --set sm.count=1 --set cluster.count=1 --set sm.cta_slots=1 \
                --set dispatch.kernels=2 --set laperm.levels=1 --set cdp.launch_latency=0 --set cdp.lane_latency=0 \
                --set laperm.handle_bits=$bits --rtl=$rtl --units=kmu --save 0=full.bin -o "full-$bits-$rtl"
            check "of 2^$bits handles, those of kernels in memory and of 7 on chip: $rtl" \
                [ "$(value '.nested.queues.kmu.in_memory.most' "full-$bits-$rtl")" -eq $(((1 << bits) - 8)) ]
            check "each of 384 has run: $bits, $rtl" [ "$(od -An -td4 full.bin | tr -s ' ')" = ' 384 0 0 0' ]
        done
    done
}

# mixed MODE FOLDER OPTION... - with eight records in memory, two slots, and one place on chip.
mixed() {
    ends 0 run -q --ptx "$CLI_BUILD/nested.ptx" --kernel mixed --grid 4 --block 1 --arg buf:16 --arg i32:30 --arg i32:40 -g k20c \
        --scheduler "laperm$1" --set sm.count=1 --set cluster.count=1 --set sm.cta_slots=2 --set dispatch.kernels=2 \
        --set laperm.entries=1 --set laperm.handle_bits=3 --set cdp.launch_latency=100 --set cdp.lane_latency=0 \
        --set dispatch.launch_latency=0 --save 0=mixed.bin -o "$2" "${@:3}"
}

@test "while memory for launches is full others wait, and all come to their end" {
    # Kernels have the records, and wait for the slot of the kernel that groups have joined for which there is no place.
    local mode rtl
    for mode in -rr -tb-pri -smx-bind ''; do
        for rtl in shadow drive; do
            mixed "$mode" "$rtl" --rtl=$rtl --units=kmu,laperm
            check "children, CTAs of groups, and parents: laperm$mode, $rtl" [ "$(od -An -td4 mixed.bin | tr -s ' ')" = ' 120 320 4 0' ]
            check "groups were in memory: laperm$mode, $rtl" [ "$(value '.nested.queues.laperm.in_memory.most > 0' $rtl)" = true ]
        done
        mixed "$mode" step --naive=step
        check "the same in every cycle: laperm$mode" [ "$(jq -S . step/result.json)" = "$(jq -S . drive/result.json)" ]
    done
}

@test "what cannot be with LaPerm is refused at once" {
    ends 2 run -g k20c -w bfs_citation --scheduler laperm,distributed
    check 'another policy' says 'gpusched run: laperm.mode: it dispatches with ' err
    check 'what is allowed' says '; allowed: ' err
    ends 0 run -q -g k20c -w bfs_citation --scheduler laperm,claso -o credits
    check 'with credits it comes to its end' [ "$(value .verified credits)" = true ]
    ends 0 run -q -g k20c -w bfs_citation --scheduler laperm,claso --set dispatch.kernels=128 -o more
    check 'with credits of as many kernels as there may be' [ "$(value .verified more)" = true ]
}

@test "an experiment keeps what its runs share, if its file asks" {
    printf '%s\n' 'gpus: [k20c]' 'workloads: [bfs_citation]' 'variants:' '  plain:' '  asked: {observe: [footprint]}' > shares.yaml
    ends 0 experiment shares.yaml -o shares
    ends 0 run -q -g k20c -w bfs_citation --footprint -o one
    check 'as a run says' [ "$(gpusched query shares/shares.sqlite "SELECT json_extract(result, '\$.footprint') FROM runs WHERE variant = 'asked'" | jq -S .)" = "$(jq -S .footprint one/result.json)" ]
    check 'others have none' [ "$(gpusched query shares/shares.sqlite "SELECT json_type(result, '\$.footprint') IS NULL FROM runs WHERE variant = 'plain'")" = 1 ]
    printf '%s\n' 'gpus: [k20c]' 'workloads: [two-kernels]' 'observe: [footprint]' > described.yaml
    ends 2 experiment described.yaml -o described
    check 'a described kernel' says 'described.yaml:2: workloads.0: two-kernels: --footprint is for CUDA workloads and --ptx' err
}
