#!/usr/bin/env bats
# gpusched report FOLDER: the page of a single run has its numbers, its series and its CTAs, and says by the
# rule of docs/report.md what limits it; folders that are none are refused.

load helper

report() { ends "$1" report "${@:2}"; }

# cell PAGE XPATH - an element's text, without white space around it.
cell() { xmllint --xpath "normalize-space($2)" "$1" | sed 's/\xc2\xa0/ /g'; }

# is PAGE XPATH VALUE
is() {
    local found
    found=$(cell "$1" "$2")
    check "$1: $2" [ "$found" = "$3" ]
}

thousands() { sed ':a; s/\([0-9]\)\([0-9]\{3\}\)\($\|,\)/\1,\2\3/; ta' <<< "$1"; }

value() { jq -r "$1" run/result.json; }

@test "the page of a run has its numbers" {
    ends 0 run -q -g m2090 -w two-kernels -o run --series=500 --timeline
    report 0 run -o page.html
    mv out page.txt
    check 'well-formed' xmllint --noout page.html
    check 'nothing from elsewhere' fails grep -nE '<script|https?:|src=|@import|<link' page.html
    check 'no number that is none' fails grep -niE '[^a-z]-?(nan|inf)[^a-z]' page.html
    local answer
    answer=$(cell page.html '//h1/following-sibling::p[1]')
    printf '%s\n' "$answer" > err
    check 'the answer' says "two-kernels takes $(thousands "$(value .cycles.core)") cycles (" err
    check 'its rate' says ") at $(printf '%.3f' "$(value .derived.ipc)") warp instructions a cycle; it " err
    check 'on the terminal' [ "$(sed -n 2p page.txt)" = "$answer" ]
    check 'the page is named last' [ "$(tail -n 1 page.txt)" = 'page      page.html' ]
    is page.html '//h2[1]' m2090
    is page.html '//p[@class="state"]' 'Its results were not checked.'
    is page.html '//dt[.="not calibrated"]/following-sibling::dd' \
        "$(value .not_calibrated) of $(gpusched config keys | grep -c .) values"
    is page.html '//dt[.="L2 hits, of reads"]/following-sibling::dd' \
        "$(printf '%.1f %%' "$(value '.derived.l2_hit_rate * 100')")"
    is page.html '//h4[.="Launches"]/following-sibling::div[1]//tbody/tr[2]/td[9]' \
        "$(thousands "$(value '.kernels[1] | .ended - .first_cta')")"
    is page.html '//pre' 'gpusched run -q -g m2090 -w two-kernels -o run --series=500 --timeline'
    for part in 'Where the cycles went' 'Over time' 'CTAs on the SMs' 'What limits each run' 'NoC traffic' Energy 'By kernel'; do
        is page.html "count(//h4[.=\"$part\"])" 1
    done
    report 0 run/result.json -o again.html -q
    check 'quiet' [ ! -s out ]
    check 'the same bytes of its file' cmp page.html again.html
}

@test "without -o the page is report.html in the run's folder" {
    report 0 run/
    check 'it says where' [ "$(tail -n 1 out)" = 'page      run/report.html' ]
    check 'the same bytes' cmp page.html run/report.html
    rm run/report.html
    report 0 run/result.json -q
    check 'of its file, too' cmp page.html run/report.html
    (cd run && gpusched report result.json -q && gpusched report . > ../out)
    check 'of the folder one is in' [ "$(tail -n 1 out)" = 'page      ./report.html' ]
    rm run/report.html
    ln -s nowhere/report.html run/report.html
    refused 'run/report.html: cannot be written' report run
    rm run/report.html
}

@test "a launch has the size of its L1 where shared memory leaves it" {
    cat > carved.yaml << 'END'
kernels:
  - {name: none, grid: [80, 1, 1], block: [64, 1, 1], registers: 8, body: [{op: fp32}]}
  - {name: most, grid: [80, 1, 1], block: [64, 1, 1], registers: 8, shared_bytes: 49152, body: [{op: fp32}]}
END
    ends 0 run -g v100 -w ./carved.yaml -o carved
    mv out carved.txt
    report 0 carved -o carved.html
    local launches='//h4[.="Launches"]/following-sibling::div[1]/table'
    is carved.html "$launches//th[7]" 'L1 bytes / SM'
    # 128 KB less 0 and 96.
    is carved.html "$launches//tbody/tr[1]/td[7]" 131,072
    is carved.html "$launches//tbody/tr[2]/td[7]" 32,768
    is carved.html "count($launches//th) = count($launches//tbody/tr[1]/td)" true
    check 'its heading in the summary' [ "$(awk '$1 == "Kernel" { print $6, $7 }' carved.txt)" = 'L1 bytes' ]
    check 'its value there' [ "$(awk '$1 == "most" { print $6; exit }' carved.txt)" = 32,768 ]
    ends 0 run -g m2090 -w ./carved.yaml -o whole
    check 'no column without carve-outs' fails says 'L1 bytes' out
    report 0 whole -o whole.html
    is whole.html "count($launches//th[.='L1 bytes / SM'])" 0
}

@test "the series is drawn" {
    # The first class of the first interval, of 160 pixels and 1000 columns.
    local first last='//div[@class="panel"][h5="Scheduler cycles, by class"]'
    first=$(awk -F, 'NR == 2 { y = 160 * (1 - $3); x = $1 } { end = $1 } END { printf "M0 160.0V%.1fH%.1f", y, 1000 * x / end }' run/series.csv)
    is page.html "starts-with($last//*[name()=\"path\"][1]/@d, '$first')" true
    is page.html "count($last//*[name()=\"path\"])" 7
    is page.html 'count(//div[@class="panel"])' 6
    sed -i '3s/,[^,]*/,x/' run/series.csv
    refused_report 'run/series.csv:3: not a row as gpusched run --series writes it'
    sed -i 's/^cycle,/cycles,/' run/series.csv
    refused_report 'run/series.csv:1: not a row'
    rm run/series.csv
}

# On a GPU whose slices of the L2 have two channels of DRAM each.
@test "a row of the series that is the whole run has the run's figures" {
    ends 0 run -q -g v100 -w mix -o long --series=100000000
    local column
    for column in ipc l1_hit_rate l2_hit_rate dram_bus_share; do
        check "$column" [ "$(awk -F, -v c="$column" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == c) at = i }
            NR == 2 { printf "%.4f", $at } END { printf " of %d", NR }' long/series.csv)" = \
            "$(jq -r ".derived.$column" long/result.json | xargs printf '%.4f') of 2" ]
    done
}

refused_report() { refused "$1" report "${2:-run}" -o bad/page.html "${@:3}"; }

@test "CTAs of the timeline are drawn" {
    # Two CTAs in two slots of an SM, the second one in the second half, of another launch. A kernel's span is none.
    cat > run/timeline.json << 'END'
{"otherData":{"format":"gpusched-timeline 1"},
"traceEvents":[
{"ph":"X","pid":100,"tid":0,"ts":0,"dur":500,"name":"k[0]","args":{"kernel":0,"cta":[0,0,0]}},
{"ph":"X","pid":1,"tid":0,"ts":0,"dur":900,"name":"k","args":{}},
{"ph":"X","pid":100,"tid":1,"ts":500,"dur":500,"name":"k[0]","args":{"kernel":1,"cta":[0,0,0]}}
]}
END
    report 0 run -o ctas.html -q
    is ctas.html '(//*[@class="t0"])[1]/@d' 'M0 0m0 3h500'
    is ctas.html '(//*[@class="t1"])[1]/@d' 'M0 0m500 1h500'
    sed -i '5s/"dur":500/"dur":"500"/' run/timeline.json
    refused_report 'run/timeline.json:5: not an event as gpusched run --timeline writes it'
    rm run/timeline.json run/host.json
    report 0 run -o bare.html -q
    is bare.html 'count(//h4[.="CTAs on the SMs" or .="Over time"])' 0
    is bare.html '//h2[1]' GPU
}

@test "how a run ended and whether it is right stands first" {
    mkdir -p hung wrong
    jq '.end = "hung" | .message = "why"' run/result.json > hung/result.json
    jq '.verified = false | .check = "at 3"' run/result.json > wrong/result.json
    report 0 hung -o hung.html -q
    report 0 wrong -o wrong.html -q
    is hung.html '//p[@class="state"]/*[@class="failed"]' 'hung: why'
    is wrong.html '//p[@class="state"]' 'wrong: at 3'
}

# throttled RUN - its page, at which rows and heads of Throttles are looked at.
throttled() {
    report 0 "$1" -o "$1.html" -q
    check "$1: well-formed" xmllint --noout "$1.html"
    check "$1: no number that is none" fails grep -niE '[^a-z]-?(nan|inf)[^a-z]' "$1.html"
}
found='//h4[.="Throttles"]/following-sibling::div[1]//tbody/tr'
limits='//figure[.//h4="Limits of the SMs"]'

@test "what a throttle has found is on the page, and nothing without one" {
    is page.html 'count(//h4[.="Throttles" or .="Limits of the SMs"])' 0
    ends 0 run -q -g m2090 -w two-kernels --scheduler perf-sat --set lcs.on=true -o held
    throttled held
    is held.html "count($found)" 4
    is held.html "${found}[2]/td[2]" perf_sat
    is held.html "${found}[2]/td[3]" "$(jq -r '.by_kernel[0].throttles.perf_sat as $t | "\($t.ctas / $t.sms * 10 | round / 10) \($t.decided)"' \
        held/result.json | awk -v fit="$(jq '.kernels[0].ctas_per_sm' held/result.json)" \
        '{ printf "%.1f of %d CTAs per SM%s", $1, fit, $2 ? "" : ", undecided" }')"
    # What the page says of numbers that no run needs to come to.
    jq '.kernels[0].ctas_per_sm = 5 | .by_kernel[0].throttles = {perf_sat:
            {sms:16,decided:12,ctas:72,least:2,most:5,periods:40,limits:150,sms_at:[0,2,0,2,12]}}
        | .by_kernel[1].throttles = {dyncta: {sms:16,decided:0,ctas:32,least:1,most:4,periods:8,limits:9,sms_at:[0,16]}}' \
        held/result.json > one && mv one held/result.json
    throttled held
    local -a row=(two_kernels_first perf_sat '4.5 of 5 CTAs per SM' 2 5 '75.0 %' '2.5 periods per SM')
    row[0]=$(jq -r '.kernels[0].name' held/result.json)
    for i in "${!row[@]}"; do
        is held.html "${found}[1]/td[$((i + 1))]" "${row[i]}"
    done
    is held.html "starts-with(${found}[2]/td[3], '2.0 of ') and not(contains(${found}[2]/td[3], 'undecided'))" true
    is held.html "${found}[2]/td[6]" '–'
    is held.html "count($limits//*[name()=\"rect\"])" 4
    is held.html "$limits//div[@class='row'][1]//*[name()=\"text\"][3]" 12
    is held.html "number($limits//div[@class='row'][1]//*[name()=\"rect\"][3]/@height)" 27
}

@test "on how many SMs a kernel runs is on the page, and whether the detection was aborted" {
    mkdir -p found
    jq 'del(.by_kernel[].throttles) | .configuration.onac.mode = "seq-det" | .kernels = [.kernels[0]] | .by_kernel = .by_kernel[:1]
        | .by_kernel[0].cycles = 1000 | .kernels[0] += {detection:{sms:11,cycles:250,aborted:false}}' held/result.json > found/result.json
    throttled found
    is found.html "${found}[1]/td[2]" seq-det
    is found.html "${found}[1]/td[3]" '11.0 of 16 SMs'
    is found.html "${found}[1]/td[7]" "250 cycles, 25.0 % of the kernel's"
    is found.html 'count(//h4[.="Limits of the SMs"])' 0
    jq '.kernels += [.kernels[0] + {detection:{sms:16,cycles:750,aborted:true}}] | .by_kernel[0].cycles = 2000' found/result.json > one && mv one found/result.json
    throttled found
    local -a row=(seq-det '13.5 of 16 SMs, aborted in 1 of 2 launches' 11 16 '50.0 %' "500 cycles, 50.0 % of the kernel's")
    for i in "${!row[@]}"; do
        is found.html "${found}[1]/td[$((i + 2))]" "${row[i]}"
    done
    jq '.kernels = [.kernels[1]]' found/result.json > one && mv one found/result.json
    throttled found
    is found.html "${found}[1]/td[3]" 'all 16 SMs: the detection was aborted'
}

# A machine of 10 SMs with one scheduler, 100 cycles in each domain, 10 slices and clusters: 1000 is all.
setup_file() {
    cd "$BATS_FILE_TMPDIR" || return 1
    mkdir rule
    cat > blank.json << 'END'
{"format":"gpusched-result 1","workload":"w","size":null,"end":"done","message":"","verified":null,"check":null,
 "cycles":{"core":100,"noc":100,"l2":100,"dram":100},"derived":{"ipc":1,"seconds":1e-6},"energy":{},"kernels":[],
 "by_kernel":[{"name":"k","launches":1,"cycles":100,"energy":{"total":1},"sm":{},"cluster":{},"noc":{"flits":[0,0]},"l2":{},"dram":{}},
  {"name":"l","launches":1,"cycles":100,"energy":{"total":1},"sm":{},"cluster":{},"noc":{"flits":[0,0]},"l2":{},"dram":{}},
  {"name":null,"launches":0,"cycles":0,"energy":{"total":1},"sm":{},"cluster":{},"noc":{"flits":[0,0]},"l2":{},"dram":{}}],
 "sm":{"members":10,"total":{}},"cluster":{"members":10,"total":{}},"l2":{"members":10,"total":{}},"dram":{"members":10,"total":{}},
 "noc":{"members":2,"total":{},"each":{"packets":[0,0],"flits":[0,0]}},"configuration":{"warp":{"schedulers":1}}}
END
}

zeros='{issued:0,pipeline_alu:0,pipeline_memory:0,scoreboard_alu:0,scoreboard_memory:0,idle:0,paused:0,no_cta:0,ldst_busy:0,ldst_mshr:0,ldst_merge:0,ldst_queue:0}'

# limited TEXT SM REST - the run with these counts of its SMs, and what else jq sets, is limited so.
limited() {
    jq ".sm.total = $zeros + $2 | .l2.total = {busy:0,atomic_busy:0} | .dram.total = {bus:0} | ${3:-.}" blank.json > rule/result.json
    report 0 rule -o rule.html -q
    is rule.html '//h4[.="What limits each run"]/following-sibling::div[1]//td[@class="say"]' "$1"
}

@test "the rule says what limits a run, at its thresholds" {
    limited 'leaves most of the GPU empty: 50.0 % of SM cycles are without a CTA' '{issued:500,idle:500,no_cta:500}' '.dram.total.bus = 900'
    limited 'is limited by the DRAM data buses, which are busy for 80.0 % of the time' '{issued:900,idle:100,no_cta:100}' '.dram.total.bus = 800'
    limited 'is limited by the L2 slices, which are busy for 81.0 % of the time' '{issued:1000}' '.l2.total = {busy:410,atomic_busy:400} | .dram.total.bus = 800'
    limited 'is limited by the NoC requests, which are busy for 90.0 % of the time' '{issued:1000}' '.noc.each.flits = [900,0]'
    limited 'is limited by the NoC responses, which are busy for 90.0 % of the time' '{issued:1000}' '.noc.each.flits = [0,900]'
    limited 'is limited by issue: schedulers issue in 80.0 % of their cycles' '{issued:800,scoreboard_memory:200}' '.dram.total.bus = 799'
    limited 'loses most to memory under load: 20.1 % of scheduler cycles wait for it, and the DRAM data buses are busy for 60.0 % of the time' \
        '{issued:799,scoreboard_memory:201}' '.dram.total.bus = 600'
    limited 'loses most to the latency of memory: 40.0 % of scheduler cycles wait for it, and no part of it is busier than the L2 slices with 59.9 %' \
        '{issued:600,pipeline_memory:200,scoreboard_memory:200}' '.l2.total.busy = 599'
    limited 'loses most to load/store units that are full: 40.0 % of scheduler cycles wait for memory or for room in them, and most often they wait for an MSHR' \
        '{issued:600,pipeline_memory:201,scoreboard_memory:199,ldst_busy:5,ldst_mshr:9,ldst_queue:8}'
    limited 'loses most to busy arithmetic pipes: 40.0 % of scheduler cycles have operands, but no free pipe' '{issued:600,pipeline_alu:400}'
    limited 'loses most to the latency of arithmetic: 30.0 % of scheduler cycles wait for its results' '{issued:600,pipeline_alu:100,scoreboard_alu:300}'
    limited 'loses most to SMs whose warps have no instruction: 20.0 % of scheduler cycles' '{issued:690,idle:310,no_cta:110}'
    limited 'loses most to SMs without work: 20.0 % of SM cycles are without a CTA' '{issued:690,idle:310,no_cta:200}'
    limited 'loses most to paused SMs: 30.0 % of scheduler cycles' '{issued:700,paused:300}'
    jq '.cycles.core = 0' blank.json > rule/result.json
    report 0 rule -o rule.html -q
    is rule.html 'count(//h4[.="What limits each run"])' 0
}

@test "the rule holds for a kernel, of the SMs that have its CTAs" {
    # The first has half of all scheduler cycles, the second a tenth.
    jq ".sm.total = $zeros + {issued:600,idle:400} | .by_kernel[0].sm = $zeros + {issued:100,scoreboard_alu:401}
        | .by_kernel[1].sm = $zeros + {issued:100} | .l2.total = {busy:0,atomic_busy:0} | .dram.total = {bus:0}
        | .by_kernel[].l2 = {busy:0,atomic_busy:0} | .by_kernel[].dram = {bus:0}" blank.json > rule/result.json
    report 0 rule -o rule.html -q
    local says='//h4[.="By kernel"]/following-sibling::div[1]//tbody/tr'
    is rule.html "${says}[1]/td[last()]" 'loses most to SMs without work: 49.9 % of SM cycles are without its CTAs'
    is rule.html "${says}[2]/td[last()]" 'leaves most of the GPU empty: 90.0 % of SM cycles are without its CTAs'
    is rule.html "${says}[3]/td[last()]" ''
    jq '.by_kernel[0].sm.scoreboard_alu = 600' rule/result.json > two && mv two rule/result.json
    report 0 rule -o rule.html -q
    is rule.html "${says}[1]/td[last()]" 'loses most to the latency of arithmetic: 60.0 % of scheduler cycles wait for its results'
}

@test "what is no run is refused" {
    mkdir -p empty text format
    echo 'no JSON' > text/result.json
    echo '{"format": "gpusched-host 1"}' > format/result.json
    refused_report 'empty: there is no result.json; allowed: a folder that gpusched run -o has written' empty
    refused_report 'text/result.json:1: no JSON: ' text
    refused_report 'format/result.json: format: gpusched-host 1; allowed: gpusched-result 1' format
    refused_report 'none.json: No such file' none.json
    refused_report '--baseline: a single run has no variants' run --baseline=gto
    echo '{"format": "gpusched-result 1"}' > run/host.json
    refused_report 'run/host.json: format: gpusched-result 1; allowed: gpusched-host 1'
}
