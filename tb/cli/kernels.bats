#!/usr/bin/env bats
# What belongs to each kernel, in result.json and in the summary: over all kernels, and what is of none, it is the
# whole.

load helper

# Two kernels in a stream of their own each, one of them launched twice, and one after both.
setup_file() {
    cd "$BATS_FILE_TMPDIR" || return 1
    cat > mixed.yaml << 'END'
kernels:
  - {name: sums, stream: 1, grid: [30, 1, 1], block: [64, 1, 1], registers: 8, body: [{op: fp32, count: 60}]}
  - {name: reads, stream: 2, grid: [40, 1, 1], block: [32, 1, 1], registers: 8, body: [{op: load, pattern: random, footprint: 1048576}]}
  - {name: sums, stream: 1, grid: [10, 1, 1], block: [64, 1, 1], registers: 8, body: [{op: fp32, count: 60}]}
END
    gpusched run -g c2050 -w ./mixed.yaml -o out > said
}

# sums GROUP - the group's counts over all kernels are its totals.
sums() {
    jq -e --arg g "$1" '. as $r | [.[$g].total | to_entries[]
        | .key as $k | .value == ([$r.by_kernel[][$g][$k] | if type == "array" then add else . end] | add)]
        | length > 2 and all' out/result.json > answer
}

@test "kernels and what is of none come to the whole" {
    for group in sm cluster noc l2 dram; do
        check "$group" sums "$group"
    done
    check energy jq -e '(([.by_kernel[].energy.total] | add) / .energy.total - 1) | fabs < 1e-9' out/result.json
}

@test "launches of a name in a stream are one kernel, and the last item is of none" {
    check names [ "$(jq -c '[.by_kernel[].name]' out/result.json)" = '["sums","reads",null]' ]
    check launches [ "$(jq -c '[.by_kernel[].launches]' out/result.json)" = '[2,1,0]' ]
    check CTAs [ "$(jq -c '[.by_kernel[].sm.ctas]' out/result.json)" = '[40,40,0]' ]
    check 'instructions of each' jq -e '.by_kernel[0].sm | .fp32 == 40 * 2 * 60 and .load == 0' out/result.json
    check 'misses of data of one' jq -e '[.by_kernel[].sm.l1_miss > 0] == [false, true, false]' out/result.json
    gpusched run -q -g c2050 --set icache.bytes=0 -w ./mixed.yaml -o data
    check 'requests of one' jq -e '[.by_kernel[].noc.packets[0] > 0] == [false, true, false]' data/result.json
    check 'cycles of two launches' jq -e '.by_kernel[0].cycles == ([.kernels[0, 2] | .ended - .first_cta] | add)' out/result.json
}

@test "the summary has a line for each" {
    check heading grep -q '^By kernel  .*  % of its scheduler cycles  .*% hits in$' said
    check sums grep -qE '^  1: sums +2 +[0-9],[0-9]{3} +[0-9.]+ +0.0 ' said
    check reads grep -qE '^  2: reads +1 +80 ' said
    check none grep -qE '^  \(no kernel\) +0 +0 ' said
    check 'each as wide' [ "$(sed -n '/stream: kernel/,/^$/p' said | awk 'NF { print length }' | sort -u | wc -l)" -eq 1 ]
}
