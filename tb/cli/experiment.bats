#!/usr/bin/env bats
# gpusched experiment: the same CSV whatever the number of jobs and however often it was killed,
# failures that stop nothing, and input that is refused.

load helper

setup_file() {
    cd "$BATS_FILE_TMPDIR" || return 1
    cat > kernels.yaml << 'END'
kernels:
  - {name: long, grid: [2000, 1, 1], block: [256, 1, 1], registers: 24, launches: 1000,
     body: [{op: fp32, count: 1000, depends: 1}]}
END
    # Runs that hang, one that does not fit, runs that are right, and some that take too long.
    cat > failing.yaml << 'END'
gpus: [m2090]
workloads: [chase, hotspot, ./kernels.yaml]
variants:
  good:
  slow: {limit.watchdog: 1000, clock.dram: 82, dram.tCL: 100, dram.latency: 0}
  small: {sm.shared_bytes: 512}
baseline: good
END
    # A long one.
    sed 's/chase, hotspot, //; /slow:/d; /small:/d' failing.yaml > crash.yaml
    printf '%s\n' 'gpus: [m2090]' 'workloads: [dependent]' 'variants: {none: {}, beside: {rtl: shadow}}' > beside.yaml
}

experiment() { ends "$1" experiment "${@:2}"; }

# children_of PID - waits until it has some.
children_of() {
    local found=''
    for _ in {1..250}; do
        found=$(cat "/proc/$1/task/$1/children" 2> /dev/null) || break
        if [ -n "$found" ]; then break; fi
        sleep 0.02
    done
    echo "$found"
}

# gone PID... - none of them runs for long; who has lost its parent may stay as a zombie.
gone() {
    local process
    for process in "$@"; do
        for _ in {1..50}; do
            grep -qs '^State:[[:space:]]*[A-WYa-z]' "/proc/$process/status" || continue 2
            sleep 0.02
        done
        return 1
    done
}

# runs - how many smoke has.
runs() { grep -vc '^run,' four.csv; }

# done_in FOLDER - runs of the database that are done.
done_in() {
    gpusched experiment smoke -o "$1" --no-run --csv 2> /dev/null | grep -c ',done,' || true
}

@test "four jobs leave one database with all runs, as of gpusched run" {
    experiment 0 smoke -o four --jobs=4 --csv=four.csv
    check 'all runs are done' [ "$(done_in four)" -eq "$(runs)" ]
    check 'one file is left' [ "$(ls -A four)" = smoke.sqlite ]

    # As gpusched run has it.
    gpusched run -q -g m2090 -w tile --set warp.policy=lrr --set sm.cta_slots=2 -o single
    row=$(grep 'm2090,tile,,lrr,2,' four.csv)
    check 'cycles as of gpusched run' grep -q "\"core\": $(cut -d, -f9 <<< "$row")," single/result.json
    check 'ipc as of gpusched run' grep -q "\"ipc\": $(cut -d, -f10 <<< "$row")," single/result.json
}

@test "a killed experiment loses nothing that is finished" {
    # At random, with children and without, which then go by themselves. On a busy machine a
    # run may need longer than is waited for, so it is waited longer and longer.
    before=0
    resumed=0
    lost=''
    for kill in {1..20}; do
        setsid gpusched experiment smoke -o killed --jobs=1 > out 2> err 3>&- &
        pid=$!
        sleep "$(printf '0.%03d' $((RANDOM % (40 * kill + 200) + 50)))"
        if [ $((kill % 2)) -eq 0 ]; then kill -KILL -- "-$pid"; else kill -KILL "$pid"; fi || true
        wait "$pid" || true
        now=$(done_in killed)
        if [ "$now" -lt "$before" ]; then lost="$now after $before"; fi
        if [ "$now" -gt "$before" ] && [ "$now" -lt "$(runs)" ]; then resumed=$((resumed + 1)); fi
        before=$now
        if [ "$kill" -ge 4 ] && [ "$resumed" -ge 2 ]; then break; fi
    done
    check 'nothing finished is lost' [ "$lost" = '' ]
    check 'kills came in between' [ "$resumed" -ge 2 ]
}

@test "an interrupted experiment says so and leaves no run behind" {
    for quiet in '' --quiet; do
        env --default-signal=INT gpusched experiment smoke -o killed --jobs=2 ${quiet:+"$quiet"} > out 2> err 3>&- &
        pid=$!
        read -ra children < <(children_of "$pid")
        kill -INT "$pid"
        check "exit status of an interrupt $quiet" has_ended 1 "$pid"
        check "interrupted $quiet" grep -q 'interrupted' err
        check "an interrupted experiment leaves no run behind $quiet" gone "${children[@]}"
    done
}

@test "it goes on to the same bytes as without interruption" {
    before=$(done_in killed)
    experiment 0 smoke -o killed --jobs=1 --csv=killed.csv
    check 'finished runs are not repeated' grep -q "; $(($(runs) - before)) ended now" err
    check 'one job, killed: the same bytes as four jobs' cmp four.csv killed.csv
    experiment 0 smoke -o killed --csv
    check 'nothing is run twice' grep -q '; 0 ended now' err
    check 'CSV to stdout' cmp four.csv out
    experiment 0 smoke -o killed --table
    check 'a speedup of the baseline is 1' grep -q '^  geometric mean  1.000 ' out
}

@test "failures are named, stop nothing, and stay until they are wanted again" {
    experiment 1 failing.yaml -o failing --jobs=4 --timeout=3 --csv=failing.csv
    check 'a hang is named' grep -q 'chase,,slow,failed,"*hung at cycle' failing.csv
    check 'bad input is named' grep -q 'hotspot,small,small,failed,"*bad input: .*shared memory' failing.csv
    check 'and one more hang' grep -q 'hotspot,small,slow,failed,"*hung at cycle' failing.csv
    check 'a timeout is named' grep -q 'kernels,,good,failed,timeout: more than 3 seconds,' failing.csv
    check 'the rest is done' [ "$(grep -c ',done,,' failing.csv)" -eq 3 ]
    experiment 1 failing.yaml -o failing --timeout=3 --table
    check 'a table of what there is' grep -q 'geometric mean of 0 of 3' out
    check 'failures stay' grep -q '6 failed; 0 ended now' err
    experiment 1 failing.yaml -o failing --jobs=4 --timeout=3 --retry --csv=retry.csv
    check 'until they are wanted again' grep -q '6 failed; 6 ended now' err
    check 'and fail as before' cmp failing.csv retry.csv
}

@test "why a run has no result is not told by words: a kernel may be named as it likes" {
    cat > named.yaml << 'END'
kernels:
  - {name: no memory, grid: [1, 1, 1], block: [32, 1, 1], registers: 8, shared_bytes: 1024, body: [{op: fp32}]}
END
    cat > words.yaml << 'END'
gpus: [m2090]
workloads: [./named.yaml]
variants: {good: , small: {sm.shared_bytes: 512}}
baseline: good
END
    experiment 1 words.yaml -o words --csv=words.csv
    check 'words decide nothing' grep -q 'named,,small,failed,"*bad input: kernel no memory: ' words.csv
}

@test "a killed experiment leaves no run behind" {
    gpusched experiment crash.yaml -o crash > out 2> err 3>&- &
    pid=$!
    read -ra children < <(children_of "$pid")
    kill -KILL "$pid"
    wait "$pid" || true
    check 'there was a run' [ ${#children[@]} -eq 1 ]
    check 'a killed experiment leaves no run behind' gone "${children[@]}"
}

@test "two experiments do not write to one database" {
    gpusched experiment crash.yaml -o crash > out 2> err 3>&- &
    pid=$!
    read -ra children < <(children_of "$pid")
    experiment 2 crash.yaml -o crash --timeout=3
    check 'two at once' grep -q 'another gpusched experiment writes to it' err
    experiment 1 crash.yaml -o crash --no-run --csv
    check 'a look at it meanwhile' grep -q ',pending,' out
    kill -ABRT "${children[@]}"
    wait "$pid" || true
    experiment 1 crash.yaml -o crash --csv
    check 'a crash is named' grep -q ',failed,killed by signal 6 (Aborted),' out
}

@test "a run that is killed from outside is aborted and tried again" {
    gpusched experiment crash.yaml -o outside > out 2> err 3>&- &
    pid=$!
    read -ra children < <(children_of "$pid")
    kill -TERM "${children[@]}"
    check 'exit status of an experiment with a run that was killed' has_ended 1 "$pid"
    check 'says how to go on' grep -q 'the same command runs what was aborted once more' err
    experiment 1 crash.yaml -o outside --no-run --csv
    check 'a kill from outside is no failure' grep -q ',aborted,killed by signal 15 (Terminated),' out
    experiment 1 crash.yaml -o outside --timeout=1 --csv
    check 'the run is tried again' grep -q ',failed,timeout: more than 1 seconds,' out
}

@test "without make a run with RTL is aborted and the others are done" {
    mkdir empty
    exits 1 env PATH="$PWD/empty" "$(command -v gpusched)" experiment beside.yaml -o beside --csv
    check 'without RTL a run is aborted' grep -q ',beside,aborted,the RTL cannot be had: make could not build it,' out
    check 'and the others are done' grep -q ',none,done,,' out
}

@test "a run that cannot be started is aborted or started later" {
    no_process=(strace -qq -f -e 'trace=clone,clone3' -o /dev/null -e)
    exits 1 "${no_process[@]}" inject=clone,clone3:error=EAGAIN gpusched experiment beside.yaml -o unborn --csv
    check 'no process: why' grep -q ',none,aborted,it cannot be started: Resource temporarily unavailable,' out
    # One that cannot until another has ended.
    sed -i 's/{rtl: shadow}/{warp.policy: lrr}/' beside.yaml
    exits 0 "${no_process[@]}" inject=clone,clone3:error=EAGAIN:when=2 gpusched experiment beside.yaml -o unborn \
        --jobs=2 --csv
    check 'a process later: all runs are done' [ "$(grep -c ',done,,' out)" -eq 2 ]
}

@test "a result that is not as it was written is found and not used" {
    experiment 0 --check four/smoke.sqlite
    check 'a good database' grep -q "^four/smoke.sqlite: format 4; $(runs) runs: $(runs) done, 0 failed, 0 aborted; .*; nothing is wrong$" out
    sqlite3 four/smoke.sqlite "UPDATE results SET packed = packed || x'00'
        WHERE key = (SELECT key FROM grid WHERE id = 2)"
    experiment 1 --check four/smoke.sqlite
    check 'a changed result is found' grep -q 'result [0-9]*: not as it was written' out
    experiment 1 smoke -o four --no-run --csv
    check 'is named' grep -q 'four/smoke.sqlite: run 2 (.*): the result is not as it was written, and is not used' err
    check 'and not used' grep -q '^2,.*,pending,' out
    experiment 0 smoke -o four --csv
    check 'is run again' grep -q '; 1 ended now' err
    check 'and comes to the same' cmp four.csv out
    experiment 0 --check four/smoke.sqlite
    cp four/smoke.sqlite torn.sqlite
    dd if=/dev/urandom of=torn.sqlite bs=16384 seek=3 count=3 conv=notrunc 2> err
    experiment 1 --check torn.sqlite
    experiment 2 --check kernels.yaml
    check 'no database' grep -q 'not a database' err
    experiment 2 --check none.sqlite
    check 'none at all' grep -q 'none.sqlite: No such file' err
    experiment 2 smoke --check four/smoke.sqlite
}

@test "axes give files their names and what comes to the same is run once" {
    for n in 1 2; do
        sed "s/2000/$n/; s/1000, *$/1,/; s/count: 1000/count: 10/" kernels.yaml > "grid-$n.yaml"
    done
    cat > sweep.yaml << 'END'
gpus: [m2090]
workloads: ["./grid-{ctas}.yaml", dependent]
axes:
  ctas: {values: [1, 2]}
figures: [cycles, sm.ctas, kernels.0.ended, configuration.sm.count]
END
    experiment 0 sweep.yaml -o sweep --csv
    check 'one CTA' grep -q '^1,m2090,grid-1,,default,1,done,,[0-9]*,1,[0-9]*,16$' out
    check 'two CTAs' grep -q '^2,m2090,grid-2,,default,2,done,,[0-9]*,2,[0-9]*,16$' out
    experiment 0 sweep.yaml -o sweep --dry-run
    check 'the same run' grep -q 'dependent, default, ctas 2 (the same as 3)' out
    experiment 0 sweep.yaml -o sweep --table=ipc
    check 'another figure, axes across' grep -q 'm2090; across: ctas' out
    echo '# changed' >> grid-2.yaml
    experiment 0 sweep.yaml -o sweep
    check 'a changed file is run again' grep -q '; 1 ended now' err
}

# refuses TEXT LINE... - an experiment of these lines is refused.
refuses() {
    printf '%s\n' "${@:2}" > bad.yaml
    refused "$1" experiment bad.yaml -o bad
}

@test "a file of an experiment is refused by line and key" {
    local grid=('gpus: [m2090]' 'workloads: [mix]')
    refuses 'bad.yaml:1: the key workloads is missing' 'gpus: [m2090]'
    refuses 'bad.yaml:3: varants: no such key, the nearest is variants' "${grid[@]}" 'varants: {}'
    refuses 'bad.yaml:1: gpus.1: m209: no such GPU' 'gpus: [m2090, m209]' 'workloads: [mix]'
    refuses 'bad.yaml:1: gpus: m2090 is given; allowed: a list' 'gpus: m2090' 'workloads: [mix]'
    refuses 'bad.yaml:2: workloads.0: mixx: no such workload' 'gpus: [m2090]' 'workloads: [mixx]'
    refuses 'no --size' 'gpus: [m2090]' 'workloads: [{name: mix, size: small}]'
    refuses 'bad.yaml:3: size: huge' 'gpus: [m2090]' 'workloads: [hotspot]' 'size: huge'
    refuses 'hotspot: there is no --size=claso of it; allowed: small, medium' 'gpus: [m2090]' \
        'workloads: [hotspot]' 'size: claso'
    refuses 'bad.yaml:4: warp.polcy: no such key, the nearest is warp.policy' "${grid[@]}" 'settings:' \
        '  warp.polcy: lrr'
    refuses 'bad.yaml:5: warp.policy: "best" is given; allowed: lrr' "${grid[@]}" 'variants:' '  a:' \
        '  b: {warp.policy: best}'
    refuses 'bad.yaml:5: scheduler: best: no such scheduler' "${grid[@]}" 'variants:' '  a:' \
        '    scheduler: best'
    refuses 'bad.yaml:4: sm.threads' "${grid[@]}" 'axes:' '  n: {key: sm.warp_slots, values: [48, 8]}'
    refuses 'bad.yaml:5: variants: a is given twice, first in line 4' "${grid[@]}" 'variants:' '  a:' '  a:'
    refuses 'bad.yaml:3: baseline: b: no such variant' "${grid[@]}" 'baseline: b'
    refuses 'bad.yaml:4: axes: n has no key' "${grid[@]}" 'axes:' '  n: {values: [1]}'
    refuses 'axes.size' "${grid[@]}" 'axes:' '  size: {key: sm.count, values: [1]}'
    refuses 'is set by variant a as well' "${grid[@]}" 'variants: {a: {sm.count: 8}}' \
        'axes: {n: {key: sm.count, values: [8]}}'
    refuses 'bad.yaml:3: figures: cycls: no such figure, the nearest is cycles' "${grid[@]}" \
        'figures: [cycls]'
    refuses 'sm.idle, l2.idle' "${grid[@]}" 'figures: [idle]'
    refuses 'more than 1000000 runs' "${grid[@]}" 'axes:' \
        "  n: {key: sm.count, values: [$(seq -s, 1 1000)]}" \
        "  m: {key: sm.cta_slots, values: [$(seq -s, 1 1001)]}"
    # Workloads that are read for one GPU only may not be right for another.
    printf '%s\n' 'kernels:' '  - {name: k, grid: [1, 1, 1], block: [32, 1, 1], registers: 8,' \
        '     body: [{op: load, pattern: random, per: lane, footprint: 5000}]}' > lanes.yaml
    refuses 'lanes.yaml:3: kernels.0.body.0.footprint: 5000: at least 8192 bytes' 'gpus: [m2090]' \
        'workloads: [./lanes.yaml]' 'variants: {a: {}, b: {l1.line: 256, l2.line: 256, texture.line: 256, dram.atom: 0}}'
    refuses 'not YAML' 'gpus: ['
    refuses 'an alias' 'gpus: &a [m2090]' 'workloads: *a'
}

@test "a file that is no database stays" {
    mkdir foreign
    echo 'this is no database' > foreign/smoke.sqlite
    experiment 2 smoke -o foreign
    check 'no database' grep -q 'not a database' err
    check 'and it stays' grep -q 'this is no database' foreign/smoke.sqlite
}
