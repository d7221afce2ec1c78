#!/usr/bin/env bats
# gpusched experiment with RTL in lockstep and the times of CTAs: the same bytes whatever the number of
# jobs and interruptions, times that can be, and a defect that fails its run and no other.

load helper

experiment() { ends "$1" experiment "${@:2}"; }

are_there() {
    local file
    for file in "$@"; do
        [ -s "$file" ] || return 1
    done
}

# ask FOLDER QUERY - what its database answers; of a killed experiment as well.
ask() {
    gpusched query "$1/small.sqlite" "$2"
}

# is NAME VALUE FOLDER QUERY - the answer must be this.
is() {
    check "$1" [ "$(ask "$3" "$4")" = "$2" ]
}

# observed FOLDER - all that was watched.
observed() {
    ask "$1" 'SELECT run, name, value FROM observed ORDER BY run, name'
}

# A GPU of 6 SMs in 2 clusters, whose libraries nothing else uses.
plain() {
    cat << 'END'
gpus: [icc]
workloads: [stream, hotspot, {name: scan, size: medium}]
settings: {sm.count: 6, cluster.count: 2}
variants:
  plain:
  credits: {claso.active_levels: 1}
  merging: {dispatch.policy: distributed-block, icc.entries: 8, icc.lines: 4}
figures: [cycles, sm.ctas]
END
}

claso='claso-N_CORE.6-N_POOL.2-N_KERNEL.1-CTA_W.20-LEVEL_W.4'
parts=("$claso"
    cta_scheduler-N_SM.6-N_CLUSTER.2-N_KERNEL.1-CTA_W.20
    icc-N_ENTRY.8-N_SM.3-LINE_W.41
    coalesced_cache-N_LINE.4-LINE_W.41)
libraries=(sm_room-N_SM.6-N_KERNEL.1-REGISTER_W.16-SHARED_W.17-WARP_W.6-CTA_W.4
    work_distributor-N_SM.6-N_CLUSTER.2-N_KERNEL.1-CTA_W.20-LEVEL_W.4
    cluster_port-N_ENTRY.8-N_LINE.4-N_SM.3-LINE_W.41)
built=("${libraries[@]/#/$CLI_BUILD/rtl/}")
within=("${parts[@]/#/$CLI_BUILD/rtl/}") # compared in the RTL of their compositions

@test "without RTL nothing is watched and no library is built" {
    plain > small.yaml
    rm -f "${built[@]/%/.so}" "${within[@]/%/.so}"


    experiment 0 small.yaml -o two --csv=off.csv
    is 'nothing is watched unless it is wanted' '' two 'SELECT * FROM observed'
    check 'no library is built' fails grep -q librar err
    ask two 'SELECT id, result FROM runs ORDER BY id' > off.results
}

@test "with the RTL of all units each library is built once and the figures are the same" {
    printf '%s\n' 'rtl: shadow' 'units: all' 'observe: [ctas]' >> small.yaml
    # Killed while libraries are built: none is half there.
    setsid gpusched experiment small.yaml -o two > out 2> err 3>&- &
    pid=$!
    for ((n = 0; n < 300; n++)); do if grep -q '^building' err; then break; fi; sleep 0.1; done
    check 'libraries are being built' grep -q '^building' err
    kill -KILL -- "-$pid" || true
    wait "$pid" || true
    experiment 0 small.yaml -o two --jobs=2 --csv=two.csv
    check 'runs without RTL do not count' grep -q '; 9 ended now' err
    check 'the libraries are built before runs' grep -q '^building [1-3] of 3 libraries of RTL$' err
    check 'each of them once' [ -z "$(grep '^verilate' err | sort | uniq -d)" ]
    check 'all of them' are_there "${built[@]/%/.so}"
    check 'and none of a part' fails ls "${within[@]/%/.so}"
    check 'the same figures' cmp off.csv two.csv
    ask two 'SELECT id, result FROM runs ORDER BY id' > two.results
    check 'the same results' cmp off.results two.results
    experiment 0 small.yaml -o two
    check 'nothing is run twice' grep -q '; 0 ended now' err
    check 'and nothing is built' fails grep -q librar err
}

@test "every active unit was compared and equal" {
    is 'all units that are active' 'credits|claso,cta_scheduler,sm_room,work_distributor
merging|cluster_port,coalesced_cache,cta_scheduler,icc,sm_room,work_distributor
plain|cta_scheduler,sm_room,work_distributor' two "SELECT DISTINCT variant, (SELECT group_concat(unit) FROM
        (SELECT unit.value ->> 'unit' AS unit FROM json_each(observed.value) AS unit ORDER BY 1))
        FROM observed JOIN runs ON id = run WHERE name = 'lockstep' ORDER BY 1"
    is 'all runs' 9 two "SELECT count(*) FROM observed WHERE name = 'lockstep'"
    is 'cycles were compared, and were equal' 0 two "SELECT count(*) FROM observed, json_each(observed.value)
        AS unit WHERE name = 'lockstep' AND NOT (unit.value ->> 'cycles' > 10 AND unit.value ->> 'differences' = 0
        AND unit.value ->> 'mode' = 'shadow'
        AND unit.value ->> 'instances' = CASE WHEN unit.value ->> 'unit' IN ('cluster_port', 'icc', 'coalesced_cache')
        THEN 2 ELSE 1 END)"
}

spans="WITH span AS (SELECT run, number.key AS place, number.value ->> 0 AS kernel, number.value ->> 1 AS cta,
    number.value ->> 2 AS sm, number.value ->> 3 AS slot, number.value ->> 4 AS started,
    number.value ->> 5 AS ended FROM observed, json_each(observed.value, '\$.ctas') AS number
    WHERE name = 'ctas')"

@test "each CTA has a time of its own that can be" {
    is 'every CTA' 0 two "$spans SELECT count(*) FROM figures LEFT JOIN (SELECT run AS id, count(*) AS n
        FROM span GROUP BY run) ON id = run WHERE name = 'sm.ctas' AND n IS NOT value"
    is 'and each once' 0 two "$spans SELECT count(*) FROM (SELECT 1 FROM span GROUP BY run, kernel, cta
        HAVING count(*) <> 1)"
    is 'kernels have names' 0 two "$spans SELECT count(*) FROM span JOIN observed USING (run)
        WHERE name = 'ctas' AND json_extract(value, '\$.kernels[' || kernel || ']') IS NULL"
    is 'a CTA ends after its start' 0 two "$spans SELECT count(*) FROM span JOIN figures USING (run)
        WHERE name = 'cycles' AND (ended <= started OR ended > value + 1)"
    is 'on an SM that is there' 0 two "$spans SELECT count(*) FROM span WHERE sm >= 6 OR slot >= 8"
    is 'all SMs are used' 54 two "$spans SELECT count(*) FROM (SELECT DISTINCT run, sm FROM span)"
    is 'one in a slot at a time' 0 two "$spans SELECT count(*) FROM (SELECT started, lag(ended) OVER
        (PARTITION BY run, sm, slot ORDER BY started) AS before FROM span) WHERE before > started"
    is 'in the order of start' 0 two "$spans SELECT count(*) FROM (SELECT started, lag(started) OVER
        (PARTITION BY run ORDER BY place) AS before FROM span) WHERE before > started"
}

@test "the times are those of the timeline" {
    # As gpusched run has them.
    gpusched run -q -g icc -w stream --set sm.count=6 --set cluster.count=2 -o single --timeline
    sed -n 's/.*"pid":\([0-9]*\),"tid":\([0-9]*\),"ts":\([0-9]*\),"dur":\([0-9]*\),.*"cta":\[\([0-9]*\),0,0\].*/\5 \1 \2 \3 \4/p' \
        single/timeline.json | sort -n > timeline
    ask two "$spans SELECT cta || ' ' || (100 + sm) || ' ' || slot || ' ' || started || ' ' || (ended - started)
        FROM span WHERE run = 1" | sort -n > ctas
    check 'there is a timeline' [ -s timeline ]
    check 'the times of the timeline' cmp timeline ctas
}

# done_runs - how many the database has.
done_runs() {
    local n
    n=$(ask killed "SELECT count(*) FROM runs WHERE status = 'done'" 2> /dev/null) || true
    echo "${n:-0}"
}

@test "one job that is killed comes to the same bytes" {
    before=0
    for _ in 1 2; do
        setsid gpusched experiment small.yaml -o killed --jobs=1 > out 2> err 3>&- &
        pid=$!
        # Killed as soon as it has finished one run more, for a minute at most.
        for _ in {1..3000}; do
            if [ "$(done_runs)" -gt "$before" ]; then break; fi
            sleep 0.02
        done
        kill -KILL -- "-$pid" || true
        wait "$pid" || true
        now=$(done_runs)
        check 'something was finished' [ "$now" -gt "$before" ]
        is 'what was watched in it is there' "$((2 * now))" killed 'SELECT count(*) FROM observed'
        before=$now
    done
    check 'kills came in between' [ "$before" -lt 9 ]
    experiment 0 small.yaml -o killed --jobs=1 --csv=killed.csv
    check 'finished runs are not repeated' grep -q "; $((9 - before)) ended now" err
    check 'the same figures, one job' cmp two.csv killed.csv
    observed two > two.observed
    observed killed > killed.observed
    check 'the same bytes, one job' cmp two.observed killed.observed
}

@test "a variant has RTL and times of its own" {
    plain | sed 's/plain:/plain: {rtl: shadow, units: [cta_scheduler, claso]}/
    s/{claso/{rtl: shadow, units: [claso], observe: [ctas], claso/; s/\[stream.*/[hotspot]/' > small.yaml
    experiment 0 small.yaml -o own --quiet
    check 'quiet' [ ! -s err ]
    is 'what each variant asks for' 'credits|ctas|
credits|lockstep|claso
plain|lockstep|cta_scheduler' own "SELECT variant, name, (SELECT group_concat(unit.value ->> 'unit') FROM
        json_each(observed.value) AS unit WHERE name = 'lockstep') FROM observed JOIN runs ON id = run ORDER BY 1, 2"
    # A unit that a variant does not use makes it a run without RTL.
    plain | sed 's/\[stream.*/[hotspot]/' > small.yaml
    printf '%s\n' 'rtl: shadow' 'units: [claso]' >> small.yaml
    experiment 0 small.yaml -o own
    check 'only what is new is run' grep -q '; 2 ended now' err
    is 'only with credits' 'credits|lockstep' own 'SELECT variant, name FROM observed JOIN runs ON id = run'
}

@test "a defect fails its run and no other" {
    mkdir rtl
    sed "s/= (asked & above_now) == 0;/= (asked \& above_now \& some_now) != 0;/" "$CLI_SOURCE/rtl/units/claso.v" > rtl/claso.v
    check 'the defect changes the RTL' [ "$(cmp "$CLI_SOURCE/rtl/units/claso.v" rtl/claso.v | wc -l)" -eq 1 ]
    make -s -C "$CLI_SOURCE" UNIT=claso RTL="$PWD/rtl" SO="$PWD/so" "$PWD/so/$claso.so" 2> err
    experiment 1 small.yaml -o own --rtl-file="so/$claso.so" --csv
    check 'the run with credits fails' grep -qE ',credits,failed,"?RTL and golden model of claso differ in cycle [0-9]+: report in ' out
    check 'the others are done' [ "$(grep -c ',done,' out)" -eq 2 ]
    check 'it is said' grep -q 'RTL and golden model of claso differ in cycle' err
    is 'it has no result' 1 own "SELECT count(*) FROM runs WHERE status = 'failed' AND result IS NULL"
    is 'the difference is counted' 1 own "SELECT value ->> '\$[0].differences' FROM observed"
    experiment 1 small.yaml -o own --rtl-file="so/$claso.so" --retry
    check 'it fails again' grep -q '1 failed; 1 ended now' err
    is 'and is counted again' 1 own "SELECT value ->> '\$[0].differences' FROM observed"
    report=$(ask own "SELECT error FROM runs WHERE status = 'failed'")
    report=${report##*report in }
    check 'a report' grep -q '^DIFFERENCE claso N_CORE=6 N_POOL=2 N_KERNEL=1 CTA_W=20 LEVEL_W=4$' "$report"
    check 'of the run' grep -qE '^  run        hotspot on icc, cycle [0-9]+$' "$report"
    check 'with a waveform' [ -s "$(sed -n 's/^  waveform   \(.*\.fst\), .*/\1/p' "$report")" ]
    replay=$(sed -n 's/^  replay     //p' "$report")
    # shellcheck disable=SC2086 # words
    exits 1 $replay
    experiment 0 small.yaml -o own
    check 'of the RTL as it is, the result is there' grep -q '; 0 ended now' err
}

# refuses TEXT LINE... - an experiment with these lines is refused.
refuses() {
    printf '%s\n' 'gpus: [m2090]' 'workloads: [mix]' "${@:2}" > bad.yaml
    refused "$1" experiment bad.yaml -o bad
}

@test "what does not fit RTL is refused by line and key" {
    refuses 'bad.yaml:3: rtl: drive is given; allowed: off, shadow' 'rtl: drive'
    refuses 'bad.yaml:3: rtl: a list is given' 'rtl: [shadow]'
    refuses 'bad.yaml:4: units: claso is given; allowed: all, or a list of icc' 'rtl: shadow' 'units: claso'
    refuses 'bad.yaml:4: units.1: clasp: no such unit; allowed: icc' 'rtl: shadow' 'units: [claso, clasp]'
    refuses 'bad.yaml:4: units: a list of 0' 'rtl: shadow' 'units: []'
    refuses 'bad.yaml:3: units: is given without RTL; allowed: with rtl: shadow' 'units: all'
    refuses 'bad.yaml:3: observe: ctas is given; allowed: a list' 'observe: ctas'
    refuses 'bad.yaml:3: observe.0: warps is given; allowed: ctas, footprint' 'observe: [warps]'
    refuses 'bad.yaml:4: variants.a.units: is given without RTL' 'variants:' '  a: {units: all}'
    refuses 'bad.yaml:4: variants.a.rtl: on is given; allowed: off, shadow' 'variants:' '  a: {rtl: on}'
    refuses 'bad.yaml:3: rtl: no such key' 'settings: {rtl: shadow}'
}

@test "a library of RTL must be of the one unit that is active" {
    printf '%s\n' 'gpus: [m2090]' 'workloads: [mix]' 'rtl: shadow' > bad.yaml
    experiment 2 bad.yaml -o bad --rtl-file="so/$claso.so"
    check 'a library of one unit' grep -q 'units: 3 are active (GPU m2090, default); allowed with --rtl-file=FILE: 1' err
    printf '%s\n' 'units: [cta_scheduler]' >> bad.yaml
    experiment 2 bad.yaml -o bad --rtl-file=none.so
    check 'a library that is not there' grep -q 'none.so: No such file' err
    experiment 1 bad.yaml -o bad --rtl-file="so/$claso.so"
    check 'a library of another unit' grep -q 'the RTL cannot be had' err
}
