#!/usr/bin/env bats
# Several programs at once: each is right, has its own streams, and issues what it issues alone; the same bytes each time.

load helper

setup_file() {
    cd "$BATS_FILE_TMPDIR" || return 1
    timeout 60 gpusched run -g m2090 -w hotspot+bfs+stream -o three > said
    timeout 60 gpusched run -g m2090 -w hotspot -o one -q
    timeout 60 gpusched run -g m2090 -w bfs -o two -q
}

# instructions FOLDER STREAM - of all kernels of a stream, or of all.
instructions() {
    jq --argjson s "$2" '[.by_kernel[] | select($s == null or .stream == $s) | .sm.warp_instructions] | add' "$1/result.json"
}

@test "each program is right, and has its own stream" {
    check programs [ "$(jq -c '[.programs[] | [.name, .size, .launches, .verified]]' three/result.json)" \
        = '[["hotspot","small",2,true],["bfs","small",14,true],["stream",null,1,null]]' ]
    check 'all of them' jq -e '.verified and .end == "done" and .unanswered == 0' three/result.json > answer
    check streams [ "$(jq -c '[.kernels[].stream] | unique' three/result.json)" = '[0,1,2]' ]
    check 'what hotspot issues' [ "$(instructions three 0)" -eq "$(instructions one null)" ]
    check 'what bfs issues' [ "$(instructions three 1)" -eq "$(instructions two null)" ]
    for i in 0 1 2; do
        check "cycles to the end of the last kernel of $i" [ "$(jq ".programs[$i].cycles" three/result.json)" -eq \
            "$(jq "[.kernels[] | select(.stream == $i) | .ended - 1] | max" three/result.json)" ]
    done
    check 'they run at once' jq -e '([.programs[].cycles] | max) == .cycles.core or
        ([.programs[].cycles] | add) > .cycles.core' three/result.json > answer
    check 'a line for each' [ "$(sed -n '/^Program/,/^$/p' said | grep -c ' right$\| not checked$')" -eq 3 ]
}

@test "the same bytes in every mode, and each time" {
    for mode in step skip poll scan count fuzz all; do
        ends 0 run -q -g m2090 -w hotspot+bfs+stream -o again "$([ $mode = all ] && echo --naive || echo --naive=$mode)"
        check "$mode" cmp three/result.json again/result.json
    done
    ends 0 run -q -g m2090 -w hotspot+bfs+stream -o again
    check again cmp three/result.json again/result.json
}

@test "described kernels lie in regions of their own" {
    cat > reads.yaml << 'END'
kernels:
  - {name: k, grid: [1, 1, 1], block: [32, 1, 1], registers: 8, body: [{op: load, region: 11}, {op: load, region: 0}]}
END
    # Two of the same program share no line: nothing that one reads is there for the other.
    ends 0 run -q -g m2090 --set icache.bytes=0 -w ./reads.yaml+./reads.yaml -o both
    check 'no line of the other' jq -e '.l2.total.hit == 0 and .l2.total.merge == 0 and .l2.total.miss == 4' both/result.json > answer
    refused 'together with those before it its kernels name more than 32 regions' \
        run -g m2090 -w ./reads.yaml+./reads.yaml+./reads.yaml
    refused 'described kernels name 24 regions; beside a CUDA workload 16 are allowed' \
        run -g m2090 -w ./reads.yaml+./reads.yaml+hotspot
}

@test "the slowdown is against a run alone" {
    ends 0 run -q -g m2090 -w hotspot+bfs --alone -o slow
    check cycles [ "$(jq '.programs[1].alone' slow/result.json)" -eq "$(jq '.kernels | map(.ended) | max - 1' two/result.json)" ]
    check ratio jq -e '.programs | all(.slowdown - .cycles / .alone | fabs < 1e-11)' slow/result.json > answer
    # Beside bfs hotspot is some percent faster than alone; beside itself it is not.
    ends 0 run -q -g m2090 -w hotspot+hotspot --alone -o slow
    check slowdown jq -e '.programs | all(.slowdown >= 1 and .slowdown == (.cycles / .alone * 1e11 | round / 1e11))' slow/result.json > answer
}

@test "one after the other without timing" {
    ends 0 run --functional -w hotspot+bfs
    check verified says 'verified: hotspot: ' out
    check 'both of them' says '; bfs: ' out
}

@test "a wrong list is refused" {
    refused 'a + stands between two workloads' run -g m2090 -w hotspot+
    refused 'a + stands between two workloads' run -g m2090 -w +hotspot
    refused 'nosuch: no such workload' run -g m2090 -w hotspot+nosuch
    refused 'at most 8 workloads at once' run -g m2090 -w bfs+bfs+bfs+bfs+bfs+bfs+bfs+bfs+bfs
    refused 'described kernels have no --size' run -g m2090 -w stream+tile --size=small
    refused 'bfs:3: only described kernels take a number of CTAs' run -g m2090 -w bfs:3+stream
    refused '--functional is not possible' run --functional -w hotspot+stream
    refused '--alone is for several workloads' run -g m2090 -w hotspot --alone
    refused '--functional takes no time, so it goes without --alone' run -w hotspot+bfs --functional --alone
}

@test "a signal ends all, and what there is is written" {
    cat > long.yaml << 'END'
kernels:
  - {name: long, grid: [60000, 1, 1], block: [512, 1, 1], registers: 8, body: [{repeat: 100, body: [{op: fp32, count: 100}]}]}
END
    exits 1 timeout --preserve-status -k 60 -s INT 2 gpusched run -q -g m2090 -w hotspot+./long.yaml+bfs -o stopped
    check stopped [ "$(jq -r .end stopped/result.json)" = stopped ]
    check 'what has not been checked' jq -e '.verified == null and .programs[2].verified == null' stopped/result.json > answer
    check 'it comes to the whole' jq -e '([.by_kernel[].sm.issued] | add) == .sm.total.issued' stopped/result.json > answer
}

@test "an experiment runs several at once, too, with figures of each" {
    printf '%s\n' 'gpus: [m2090]' 'workloads: [hotspot, hotspot+bfs, "stream:30+hotspot"]' 'variants: {plain: }' \
        'figures: [cycles, programs.0.cycles, programs.1.cycles]' > two.yaml
    ends 0 experiment two.yaml -o two --csv=two.csv
    gpusched run -q -g m2090 -w hotspot+bfs -o pair
    row="2,m2090,hotspot+bfs,small,plain,done,,$(jq -r '[.cycles.core, .programs[].cycles] | join(",")' pair/result.json)"
    check 'as gpusched run' grep -qxF "$row" two.csv
    check 'a described kernel and a CUDA program' grep -qE '^3,m2090,stream:30\+hotspot,small,plain,done,,[0-9]+,[0-9]+,[0-9]+$' two.csv
    check 'one program has none' grep -qE '^1,m2090,hotspot,small,plain,done,,[0-9]+,,$' two.csv
    # What a run depends on: the file of each program.
    cp "$CLI_SOURCE/configs/workloads/stream.yaml" mine.yaml
    sed -i 's/^workloads.*/workloads: [hotspot+.\/mine.yaml]/' two.yaml
    ends 0 experiment two.yaml -o two
    check 'another workload is run' grep -q '; 1 ended now' err
    ends 0 experiment two.yaml -o two
    check 'and not again' grep -q '; 0 ended now' err
    sed -i 's/count: 8/count: 9/' mine.yaml
    ends 0 experiment two.yaml -o two
    check 'with another file it is' grep -q '; 1 ended now' err
    sed -i 's/hotspot+/hotspot+nothing+/' two.yaml
    refused 'two.yaml:2: workloads.0: nothing: no such workload' experiment two.yaml -o two
}
