#!/usr/bin/env bats
# What the surroundings do not give: memory (malloc), the disk (write, space), or their leave (kill).
# Whatever fails when: no crash and no hang; exit status 0 only with all of the output; a file is what
# it was, or whole; a failure of the surroundings is never an experiment's result; its database opens
# again, and ends with the same table. CLI_KIND is what fails. CLI_TRIES: places of a command at which
# it fails, drawn by CLI_SEED (new: by one that is drawn, and printed); 0: all, or 300 of more than 3000.
# CLI_FAULTS is the library that makes malloc fail, CLI_UNIT a unit.

load helper
kind=$CLI_KIND
tries=$CLI_TRIES
library=$CLI_FAULTS
saxpy=$CLI_BUILD/saxpy.ptx
unit=$CLI_UNIT
export LC_ALL=C

setup_file() {
    cd "$BATS_FILE_TMPDIR" || return 1
    cat > tiny.yaml << 'END'
kernels:
  - {name: k, grid: [20, 1, 1], block: [32, 1, 1], registers: 8,
     body: [{op: fp32, count: 2}, {op: load, src: [r0], pattern: stream, region: 0}]}
END
    cat > small.yaml << 'END'
gpus: [c2050]
workloads: [./tiny.yaml]
variants: {gto: {warp.policy: gto}, lrr: {warp.policy: lrr}}
baseline: gto
observe: [ctas]
END
    gpusched run -q -g c2050 -w ./tiny.yaml -o check --series=50 --timeline
    gpusched experiment small.yaml -q -o results --csv=small.csv
    gpusched experiment small.yaml -q --retry -o results
    observed results > small.observed
    test -s small.observed
    for part in 1 2; do
        gpusched experiment small.yaml -q -o . --part="$part/2"
    done
    sha256sum small.part-*.sqlite > parts.sum
    gpusched-unit vectors "$unit" --cycles=20 -o some.vec
}

# Each leaves what it writes in the folder at/. Help is not here: it is the
# C library's, which ends it with an assertion when there is no memory.
commands=(
    'gpusched --version' 'gpusched list gpus' 'gpusched list workloads'
    'gpusched stats' 'gpusched config show c2050 --scheduler=gto,claso -s l1.ways=8 --sources' 'gpusched config keys'
    'gpusched completion bash' 'gpusched experiment small.yaml --dry-run'
    'gpusched experiment small.yaml -q --no-run --csv=at/csv' 'gpusched experiment small.yaml -q --no-run --table'
    'gpusched experiment --check results/small.sqlite'
    'gpusched report small -q -o at/page' 'gpusched report small -o at/page'
    'gpusched report check -o at/page' 'gpusched compare check check --all' 'gpusched compare small small'
    "gpusched-unit ports $unit" "gpusched-unit vectors $unit --cycles=20 -o at/vec"
    'gpusched-unit replay some.vec --model'
    'gpusched run -q -g c2050 -w ./tiny.yaml -o at/run --timeline --series=10 --series-per-sm'
    'gpusched run -q -g c2050 -w ./tiny.yaml+./tiny.yaml -o at/run'
    'gpusched record -q -g c2050 -w ./tiny.yaml --unit=cta_scheduler --vectors=at/vec'
    "gpusched run -q -g c2050 --ptx $saxpy --kernel saxpy --grid 1 --block 32 --dynamic-shared 512 --arg i32:3 --arg buf:128:iota32 --arg buf:128 --arg i32:32 --save 2=at/save"
    'gpusched run -w hotspot --functional'
    "gpusched run -q -g k20c --ptx $CLI_BUILD/nested.ptx --kernel many --grid 1 --block 32 --arg buf:64 --arg i32:1 --save 0=at/save"
)
experiment='gpusched experiment small.yaml -q -o at/db --jobs=2 --csv=at/csv'
merge='gpusched experiment small.yaml -q -o at/db --csv=at/csv --merge small.part-1-of-2.sqlite small.part-2-of-2.sqlite'
# Those whose database is in at/db.
keeps() { [ "$line" = "$experiment" ] || [ "$line" = "$merge" ]; }

# observed FOLDER - when the CTAs of each run ran.
observed() { gpusched query "$1/small.sqlite" 'SELECT * FROM observed ORDER BY run, name'; }

# say TEXT - something is wrong; with what its command said on stderr.
say() { { printf '%s\n' "$1"; cat err; } >> problems; }

# fresh - the folder is empty.
fresh() { rm -rf at && mkdir at; }

# same - what is in it is as it must be; times and the command line differ.
same() { diff -r -x host.json -x db whole at > difference; }

# part - all files that are there are as they must be, and no others.
part() {
    local file
    while IFS= read -r file; do
        [ "${file##*/}" = host.json ] || cmp -s "whole/$file" "at/$file" || return 1
    done < <(cd at && find . -type f ! -path './db/*' ! -name printed)
}

# ended STATUS WHERE - judges a command that has ended so, its output in at/ and at/printed.
ended() {
    tried=$((tried + 1))
    case $1 in
        0) same || say "$line, $2: exit status 0 with incomplete output" ;;
        1 | 2) # The CSV of an experiment says what has been aborted.
            part || { [ "$1" -eq 1 ] && keeps; } || say "$line, $2: exit status $1, and half a file"
            # Only experiments end with 1, as long as runs are missing.
            [ "$1" -eq 2 ] || keeps || say "$line, $2: exit status 1"
            # It cannot say on stderr that nothing can be written, and an experiment says why in the CSV.
            [ -n "${mute:-}" ] || [ "$1" -eq 1 ] || grep -q -e "${reason:-.}" err || say "$line, $2: exit status $1 without the reason" ;;
        124) say "$line, $2: hangs" ;;
        *) say "$line, $2: exit status $1" ;;
    esac
}

# places COUNT - at which it fails: all, or as many as are tried, one drawn from each part.
places() {
    local n=$tries i
    # All of them take too long where a command has many.
    [ "$tries" -gt 0 ] || n=$(($1 > 3000 ? 300 : $1))
    if [ "$1" -le "$n" ]; then
        seq 1 "$1"
    else
        for ((i = 0; i < n; i++)); do
            echo $((i * $1 / n + 1 + (RANDOM * 32768 + RANDOM) % ((i + 1) * $1 / n - i * $1 / n)))
        done
    fi
}

# The command as it is.
reference() {
    read -ra words <<< "$line"
    fresh
    "${words[@]}" > at/printed 2> err || say "$line: fails by itself"
    rm -rf whole
    mv at whole
}

# merged WHERE - all of the parts is there or nothing, they are what they were, and they can be merged again.
merged() {
    local there=0
    [ ! -s at/db/small.sqlite ] || there=$(gpusched query at/db/small.sqlite \
        "SELECT count(*) FROM runs WHERE status <> 'pending'" 2> err) || there=0
    [ "$there" -eq 0 ] || [ "$there" -eq 2 ] || say "$line, $1: $there of 2 results are merged"
    sha256sum --quiet --check parts.sum > err 2>&1 || say "$line, $1: a part is another"
    "${words[@]}" > again 2> err || say "$line, $1: cannot be merged again"
}

# resumed WHERE - an experiment whose database is in at/db ends as it would have, and nothing of
# what came before counts.
resumed() {
    local failed
    if [ -s at/db/small.sqlite ]; then
        gpusched experiment --check at/db/small.sqlite > again 2> err \
            || { cat again >> err; say "$line, $1: the database is wrong"; }
        failed=$(sqlite3 at/db/small.sqlite "SELECT error FROM results WHERE status = 'failed'" 2> err)
        [ -z "$failed" ] || say "$line, $1: a failure of the surroundings is a result: $failed"
    fi
    if [ "$line" = "$merge" ]; then
        merged "$1"
    else
        gpusched experiment small.yaml -q -o at/db --csv=at/csv > again 2> err || say "$line, $1: cannot go on"
    fi
    cmp -s small.csv at/csv || say "$line, $1: goes on to another table"
    observed at/db > again 2> err || say "$line, $1: a wrong database in the end"
    cmp -s small.observed again || say "$line, $1: goes on to other CTAs"
    gpusched experiment --check at/db/small.sqlite > again 2> err || say "$line, $1: a wrong database in the end"
}


fail_malloc() {
    local n how total reason=memory
    rm -f total
    fresh
    FAULT_COUNT=$PWD/total LD_PRELOAD=$library "${words[@]}" > again 2> err
    total=$(cat total)
    for n in $(places "$total"); do
        for how in AT FROM; do
            fresh
            env "FAULT_$how=$n" LD_PRELOAD="$library" timeout 60 "${words[@]}" > at/printed 2> err
            ended $? "malloc $how $n of $total"
            ! keeps || resumed "malloc $how $n of $total"
        done
    done
}


# A call fails once, or it and all later ones, as when the disk is full. What cannot be written to
# stderr cannot be said.
fail_write() {
    local n call error total from mute
    for call in write pwrite64 fsync,fdatasync rename; do
        fresh
        strace -f -qq -e trace="$call" -o trace "${words[@]}" > again 2> err
        total=$(wc -l < trace)
        for n in $(places "$total"); do
            for error in ENOSPC EIO EINTR ENOSPC+; do
                fresh
                from=${error#"${error%+}"}
                mute=
                [ "$call" != write ] || mute=$from
                timeout 60 strace -f -qq -e trace="$call" -o trace \
                    -e inject="$call:error=${error%+}:when=$n$from" "${words[@]}" > at/printed 2> err
                ended $? "$call $n of $total: $error"
                ! keeps || resumed "$call $n of $total: $error"
            done
        done
    done
}

# No file may be larger than so many bytes: the last write is a short one.
fail_space() {
    local size largest
    largest=$(find whole -type f -printf '%s\n' | sort -n | tail -1)
    for size in $(places "$largest"); do
        fresh
        timeout 60 prlimit --fsize="$size" "${words[@]}" 2>&1 > at/printed | cat > err
        ended "${PIPESTATUS[0]}" "files of at most $size bytes"
        ! keeps || resumed "files of at most $size bytes"
    done
}


# At a random time of its life a signal: a run that hears it writes the statistics so far. timeout
# sends it: a child of this shell that has not become a command yet would do what the shell does.
fail_kill() {
    local i signal status took delay
    fresh
    took=$( { TIMEFORMAT=%3R; time "${words[@]}" > again 2> err; } 2>&1)
    took=$((10#${took/./} + 1))
    for ((i = 0; i < (tries == 0 ? 20 : tries); i++)); do
        for signal in KILL TERM INT; do
            fresh
            delay=$((RANDOM % took + 1)) # 0 is never
            timeout --foreground --preserve-status --signal=$signal \
                "$(printf '%d.%03d' $((delay / 1000)) $((delay % 1000)))" \
                env --default-signal=INT "${words[@]}" > at/printed 2> err
            status=$?
            tried=$((tried + 1))
            case $status in
                0) same || say "$line, SIG$signal: exit status 0 with incomplete output" ;;
                1) grep -qE 'interrupted' err || say "$line, SIG$signal: exit status 1" ;;
                137 | 143 | 130)
                    find at -name '.gpusched-*' -delete
                    part || say "$line, SIG$signal: half a file" ;;
                *) say "$line, SIG$signal: exit status $status" ;;
            esac
            ! keeps || resumed "SIG$signal"
        done
    done
}

# survives - the command of $line does.
survives() {
    : > problems
    tried=0
    reference
    "fail_$kind"
    [ "$tried" -gt 0 ] || say "$line: nothing was tried"
    mv problems err
    [ ! -s err ]
}

@test "every command survives what the surroundings do not give" {
    local seed=$CLI_SEED line tried all=0
    [ "$seed" != new ] || seed=$RANDOM
    RANDOM=$seed
    printf '# seed %d\n' "$seed" >&3
    for line in "${commands[@]}" "$experiment" "$merge"; do
        check "$kind: $line" survives
        all=$((all + tried))
    done
    printf '# places %d\n' "$all" >&3
    # How many places there are depends on how often a command asks.
    printf 'checked: tests=%d tries=%d\n' $((${#commands[@]} + 2)) $((tries > 0 ? tries : 1)) >&3
}
