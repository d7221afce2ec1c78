#!/usr/bin/env bats
# gpusched experiment --engine=slurm on a cluster of two nodes, which is on this machine: the same bytes as
# without, whoever is killed meanwhile.

load helper

setup_file() {
    cd "$BATS_FILE_TMPDIR" || return 1
    "$CLI_SOURCE/tb/run/cluster.sh" start "$BATS_FILE_TMPDIR/cluster" $$ || return 1
    gpusched experiment smoke -q -o whole --csv=whole.csv
}

teardown_file() { "$CLI_SOURCE/tb/run/cluster.sh" stop "$BATS_FILE_TMPDIR/cluster"; }

cluster() { "$CLI_SOURCE/tb/run/cluster.sh" "$1" "$BATS_FILE_TMPDIR/cluster" "${@:2}"; }
with_slurm() { env SLURM_CONF="$BATS_FILE_TMPDIR/cluster/slurm.conf" "$@"; }
experiment() { exits "$1" with_slurm gpusched experiment smoke --engine=slurm "${@:2}"; }

# submit FOLDER - starts a process that waits for tasks, $pid.
submit() {
    env --default-signal=INT,HUP SLURM_CONF="$BATS_FILE_TMPDIR/cluster/slurm.conf" \
        gpusched experiment smoke --engine=slurm -o "$1" > submit.out 2> submit.err 3>&- &
    pid=$!
}

# same FOLDER - it has what one process comes to without Slurm, and nothing else is left.
same() {
    check "$1: the same CSV" cmp whole.csv "$1.csv"
    check "$1: the same content" cmp <(content whole/smoke.sqlite) <(content "$1/smoke.sqlite")
    check "$1: no result twice" [ "$(sqlite3 "$1/smoke.sqlite" 'SELECT count(*) FROM results')" -eq 32 ]
    check "$1: only attempts are left" [ "$(ls -A "$1/smoke.slurm")" = attempts ]
    check "$1: one file of the database" [ "$(ls -A "$1")" = "smoke.slurm
smoke.sqlite" ]
}

# until_running FOLDER NODE - a task has begun there, and has not ended: $task.
until_running() {
    local file
    for _ in {1..400}; do
        for file in "$1"/smoke.slurm/*.attempts; do
            task=${file%.attempts}
            if grep -qs "$2: begins" "$file" && ! grep -q "$2: ends" "$file"; then return 0; fi
        done
        sleep 0.02
    done
    return 1
}

# freeze FOLDER NODE - a task that runs there is stopped, with two runs or more to do: it may end one when it goes on.
freeze() {
    local processes results
    for _ in {1..100}; do
        until_running "$1" "$2" || return 1
        mapfile -t processes < <(pgrep -f -- "--runs=$task.runs")
        if [ ${#processes[@]} -gt 0 ] && kill -STOP "${processes[@]}" 2> /dev/null; then
            results=$(sqlite3 "file:$task.sqlite?mode=ro" 'SELECT count(*) FROM results' 2> /dev/null) || results=all
            if [ "$results" != all ] && [ $((results + 1)) -lt "$(wc -l < "$task.runs")" ]; then return 0; fi
            kill -CONT "${processes[@]}" 2> /dev/null || true
        fi
    done
    return 1
}

in_queue() { with_slurm squeue --noheader --array | wc -l; }
# A task that has ended stays in the queue until its node has said so.
queue_empties() {
    for _ in {1..60}; do
        [ "$(in_queue)" -gt 0 ] || return 0
        sleep 0.5
    done
    return 1
}

@test "tasks of Slurm come to the same bytes as one process" {
    experiment 0 -o plain --csv=plain.csv
    same plain
    check 'the tasks ended by themselves' [ "$(grep -c 'ends with status 0' plain/smoke.slurm/attempts)" -ge 2 ]
    check 'on both nodes' [ "$(grep -o 'n[12]: begins' plain/smoke.slurm/attempts | sort -u | wc -l)" -eq 2 ]
    experiment 0 -o plain
    check 'nothing is run twice' grep -q '; 0 ended now' err
}

@test "Ctrl-C and --cancel end the tasks, and nothing finished is lost" {
    submit stopped
    check 'a task runs' until_running stopped n1
    kill -INT "$pid"
    check 'exit status after Ctrl-C' has_ended 1 "$pid"
    check 'it says so' grep -q 'interrupted, the same command goes on' submit.err
    check 'no task is left' queue_empties
    before=$(sqlite3 stopped/smoke.sqlite "SELECT count(*) FROM runs WHERE status = 'done'")
    check 'not all is done' [ "$before" -lt 32 ]
    submit stopped
    # What is left may be so short that it is one task.
    check 'a task runs again' freeze stopped 'n[12]'
    kill -HUP "$pid"
    check 'exit status after a hangup' has_ended 1 "$pid"
    check 'the job goes on' [ "$(in_queue)" -ge 1 ]
    submit stopped
    sleep 1
    experiment 0 -o stopped --cancel
    check 'it was cancelled' grep -q 'cancelled, what has been done is kept' err
    check 'exit status of who waited for it' has_ended 1 "$pid"
    check 'nothing is left in the queue' queue_empties
    after=$(sqlite3 stopped/smoke.sqlite "SELECT count(*) FROM runs WHERE status = 'done'")
    check 'nothing finished is lost' [ "$after" -ge "$before" ]
    experiment 0 -o stopped --csv=stopped.csv --nodes=1 --partition=all
    check 'only the rest is run' grep -q "; $((32 - after)) ended now" err
    same stopped
}

@test "a lost node, a killed task and a killed submitter change nothing" {
    submit lost
    check 'a task runs on one node' freeze lost n1
    on_lost=${task##*/}
    check 'a task runs on the other node' freeze lost n2
    killed=${task##*/}
    kill -KILL "$pid"
    wait "$pid" || true
    cluster lose n1
    check 'the job goes on' [ "$(in_queue)" -ge 1 ]
    with_slurm scancel --state=RUNNING --user="$(id -un)"
    experiment 0 -o lost --csv=lost.csv
    same lost
    check 'the task of the lost node was begun again' \
        grep -q "task $on_lost, attempt 2, n2: ends with status 0" lost/smoke.slurm/attempts
    check 'the killed task did not end by itself' grep -q "^task $killed: Slurm has it no more" lost/smoke.slurm/attempts
    check 'a second array did its runs' grep -q 'task 2-1, attempt 1, n2: ends with status 0' lost/smoke.slurm/attempts
    check 'why is kept' grep -q 'CANCELLED' lost/smoke.slurm/attempts
    cluster back n1
}

# processor COMMAND... - its seconds of the processor in milliseconds, with those of its processes.
processor() {
    local TIMEFORMAT='%U %S'
    { time "$@" > out 2> err; } 2>&1 | awk '{ printf "%d\n", 1000 * ($1 + $2) }'
}

@test "short runs of which nothing is known are few tasks, and are merged as they are packed" {
    printf '%s\n' 'gpus: [m2090]' 'workloads: [dependent]' 'variants: {gto: {warp.policy: gto}, lrr: {warp.policy: lrr}}' \
        "axes: {ctas: {key: limit.watchdog, values: [$(seq -s, 1000001 1000100)]}}" > short.yaml
    # The axis has the name that content asks for.
    alone=$(processor gpusched experiment short.yaml -q -o alone --csv=alone.csv)
    merging=$(processor with_slurm gpusched experiment short.yaml --engine=slurm -q -o short --csv=short.csv)
    check 'the same CSV' cmp alone.csv short.csv
    check 'the same content' cmp <(content alone/short.sqlite) <(content short/short.sqlite)
    check '200 runs' [ "$(sqlite3 short/short.sqlite 'SELECT count(*) FROM results')" -eq 200 ]
    tasks=$(grep -c ' begins$' short/short.slurm/attempts)
    echo "# $tasks tasks; ms of the processor: $alone to run all, $merging to wait for tasks and merge them" >&3
    check 'several tasks' [ "$tasks" -ge 4 ]
    check 'few tasks' [ "$tasks" -le 12 ]
    check 'merging takes less than an eighth of running' [ $((8 * merging)) -lt "$alone" ]
    # A task has the grid of its own runs alone.
    check 'a list of runs' [ "$(head -n 3 <(gpusched query short/short.sqlite 'SELECT key FROM runs') | tee three.runs | wc -l)" -eq 3 ]
    ends 0 experiment short.yaml -q --runs=three.runs
    check 'its grid' [ "$(sqlite3 three.sqlite 'SELECT count(*) FROM grid')" -eq 3 ]
}

@test "RTL runs beside the model in tasks" {
    printf '%s\n' 'gpus: [c2050]' 'workloads: [dependent]' 'rtl: shadow' 'units: [cta_scheduler]' > beside.yaml
    exits 0 gpusched experiment beside.yaml -q -o beside-alone --csv=alone.csv
    exits 0 with_slurm gpusched experiment beside.yaml --engine=slurm -q -o beside --csv=beside.csv
    check 'the same CSV' cmp alone.csv beside.csv
    observed='SELECT name, value FROM observed'
    check 'it was compared' grep -q '"unit":"cta_scheduler".*"differences":0' \
        <(gpusched query beside/beside.sqlite "$observed")
    check 'the same clock cycles' cmp <(gpusched query beside-alone/beside.sqlite "$observed") \
        <(gpusched query beside/beside.sqlite "$observed")
}

@test "a task does not run what is another program by now" {
    printf '%s\n' 'gpus: [m2090]' 'workloads: [dependent, stream]' > two.yaml
    mkdir own
    cp "$(command -v gpusched)" own
    cp own/gpusched next
    echo >> next
    with_slurm scontrol update NodeName=n1,n2 State=DRAIN Reason=test
    with_slurm env GPUSCHED_DATA="$CLI_SOURCE" own/gpusched experiment two.yaml --engine=slurm -o other \
        2> other.err 3>&- &
    pid=$!
    for _ in {1..100}; do
        [ "$(in_queue)" -lt 1 ] || break
        sleep 0.1
    done
    check 'tasks wait' [ "$(in_queue)" -ge 1 ]
    mv next own/gpusched
    with_slurm scontrol update NodeName=n1,n2 State=RESUME
    check 'exit status' has_ended 1 "$pid"
    check 'nothing is done' grep -q ': 0 of 2 runs done, 0 failed, 2 aborted' other.err
    check 'where it says why' grep -q 'the tasks of Slurm ended without it; .*attempts has why' other.err
    check 'why' grep -q 'gpusched experiment: --build=[0-9a-f]*: this program is [0-9a-f]*' other/two.slurm/attempts
    check 'not done' [ ! -e other/two.slurm/job ]
    ends 2 experiment two.yaml --build=0 -o none
    check 'nothing is written' [ ! -e none ]
}

@test "what Slurm refuses is said in one line, and can be done later" {
    experiment 2 -o refused --partition=none
    check 'what sbatch says' grep -q '^gpusched experiment: sbatch: .*nvalid partition' err
    check 'one line' lines 1 err
    check 'no job is kept' [ ! -e refused/smoke.slurm/job ]
    experiment 2 -o refused --cancel
    check 'nothing to cancel' grep -q 'Slurm has no tasks of it' err
    mkdir without
    ln -s "$(command -v gpusched)" without
    exits 2 env PATH="$PWD/without" gpusched experiment smoke --engine=slurm -o none
    check 'without Slurm' grep -q "^gpusched experiment: --engine=slurm: sbatch is not installed; Debian's package slurm-client" err
    check 'nothing is written' [ ! -e none ]
}
