#!/usr/bin/env bats
# Where output goes: every command of both programs prints to a full disk, to nothing, to a pipe whose
# reader has gone, to a closed descriptor, over the allowed size, and to a FIFO; and every command that
# writes a file writes a new one, an old one, a FIFO and links. What cannot be written is exit status 2
# and one sentence. CLI_UNIT is a unit, CLI_PARAMS its parameters, CLI_RTL the library of its RTL.
# shellcheck disable=SC2030,SC2031 # each test has a line of its own

load helper
saxpy=$CLI_BUILD/saxpy.ptx
read -ra params <<< "$CLI_PARAMS"

setup_file() {
    cd "$BATS_FILE_TMPDIR" || return 1
    cat > tiny.yaml << 'END'
kernels:
  - {name: k, grid: [2, 1, 1], block: [32, 1, 1], registers: 8, body: [{op: fp32, count: 2}]}
END
    cat > small.yaml << 'END'
gpus: [c2050]
workloads: [./tiny.yaml]
variants: {gto: {warp.policy: gto}, lrr: {warp.policy: lrr}}
baseline: gto
END
    gpusched experiment small.yaml -q
    gpusched run -q -g c2050 -w ./tiny.yaml -o check --series=50 --timeline
    gpusched-unit vectors "$CLI_UNIT" --cycles=20 -o some.vec
    sed 's/2, 1, 1/60000, 1, 1/; s/count: 2/count: 2000/' tiny.yaml > long.yaml
    mkfifo pipe said
}

run="gpusched run -g c2050 -w ./tiny.yaml"
read -ra loud <<< "$run"
printing=(
    'gpusched --help' 'gpusched --version' 'gpusched-unit --help' 'gpusched-unit --version'
    'gpusched run --help' 'gpusched record --help' 'gpusched experiment --help'
    'gpusched report --help' 'gpusched compare --help' 'gpusched list --help' 'gpusched config --help'
    'gpusched stats --help' 'gpusched bench --help' 'gpusched completion --help'
    "$run" 'gpusched run -w hotspot --functional'
    "gpusched record -g c2050 -w ./tiny.yaml --unit=cta_scheduler --vectors=v"
    'gpusched experiment small.yaml -q --csv' 'gpusched experiment small.yaml -q --table'
    'gpusched experiment small.yaml -q --no-run --csv' 'gpusched experiment small.yaml --dry-run'
    'gpusched report small -o page.html' 'gpusched report check -o page.html'
    'gpusched compare check check' 'gpusched compare small small --all'
    'gpusched list gpus' 'gpusched list workloads' 'gpusched config show c2050'
    'gpusched config keys' 'gpusched config list' 'gpusched stats' 'gpusched completion bash'
    "gpusched-unit ports $CLI_UNIT" "gpusched-unit replay some.vec --model"
)
# A @ is where the file goes.
writing=(
    "gpusched record -q -g c2050 -w ./tiny.yaml --unit=cta_scheduler --vectors=@"
    "gpusched run -q -g c2050 --ptx $saxpy --kernel saxpy --grid 1 --block 32 --dynamic-shared 512
     --arg i32:3 --arg buf:128:iota32 --arg buf:128 --arg i32:32 --save 2=@"
    'gpusched experiment small.yaml -q --no-run --csv=@'
    'gpusched report small -q -o @' 'gpusched report check -q -o @'
    "gpusched-unit vectors $CLI_UNIT --cycles=20 -o @"
)

# said LINES TEXT - on stderr there are so many lines, with this text.
said() { lines "$1" err && says "$2" err; }

# ends_with STATUS LINES TEXT NAME COMMAND... - how a command ends, how many lines it says on
# stderr, and what is in them. What it prints goes where the caller sends it. stderr is a pipe:
# a limit of files is none of it.
ends_with() {
    local wanted=$1 lines=$2 text=$3 name=$4 status=0
    shift 4
    cat said > err &
    "$@" 2> said || status=$?
    wait $!
    check "$name: exit status" [ "$status" -eq "$wanted" ]
    check "$name: on stderr $text" said "$lines" "$text"
}

# A pipe whose reader has gone becomes descriptor 9.
no_reader() {
    # shellcheck disable=SC2094 # both ends are meant
    exec 8<> pipe 9> pipe 8>&-
}

@test "what is printed goes whole or not at all" {
    no_reader
    for line in "${printing[@]}"; do
        read -ra command <<< "$line"
        sentence='standard output: cannot be written'
        check "$line: exit status" "${command[@]}" > plain 2> err
        check "$line: prints something" [ -s plain ]
        ends_with 2 1 "$sentence: No space left on device" "$line > /dev/full" "${command[@]}" > /dev/full
        ends_with 2 1 "$sentence: Bad file descriptor" "$line >&-" "${command[@]}" >&-
        ends_with 0 0 '' "$line > /dev/null" "${command[@]}" > /dev/null
        ends_with 141 0 '' "$line, no reader" "${command[@]}" >&9
        ends_with 141 0 '' "$line, no reader, SIGPIPE ignored" env --ignore-signal=PIPE "${command[@]}" >&9
        case $line in
            # These write files as well, which are larger.
            *record* | *report* | *experiment*) ;;
            *) ends_with 2 1 "$sentence: File too large" "$line over the allowed size" \
                prlimit --fsize=4 "${command[@]}" > limited ;;
        esac
        mkfifo fifo
        timeout 20 cat fifo > copy &
        reader=$!
        ends_with 0 0 '' "$line > FIFO" "${command[@]}" > fifo
        wait "$reader"
        case $line in
            *'run -g'*) ;; # says how long it took
            *) check "$line: a FIFO gets the same bytes" cmp plain copy ;;
        esac
        rm -f fifo
    done
}

# cycles FILE - of the first row.
cycles() { awk '$2 == 30 { gsub(/,/, ""); print $4 }' "$1"; }

@test "a bench may be of another GPU" {
    gpusched bench compute --runs=1 > plain
    gpusched bench compute --runs=1 --set fp32.interval=8 > slower
    check 'slower pipes take more cycles' test "$(cycles slower)" -gt "$(cycles plain)"
}

@test "a bench and a lockstep say that nothing can be written" {
    # Those that take long.
    ends_with 2 1 'No space left on device' 'bench > /dev/full' gpusched bench tile --runs=1 > /dev/full
    ends_with 0 1 'cycles a second' 'lockstep > /dev/null' gpusched-unit lockstep "$CLI_UNIT" "${params[@]}" --cycles=10 --rtl="$CLI_RTL" > /dev/null
    ends_with 2 2 'No space left on device' 'lockstep > /dev/full' \
        gpusched-unit lockstep "$CLI_UNIT" "${params[@]}" --cycles=10 --rtl="$CLI_RTL" > /dev/full
}

# write NAME FILE STATUS LINES TEXT - the command of $line writes this file.
write() {
    local words
    read -ra words -d '' <<< "${line//@/$2}" || true
    ends_with "$3" "$4" "$5" "$line: $1" "${limit[@]}" "${words[@]}"
}
# names FOLDER - its files in a line.
names() { find "$1" -mindepth 1 -printf '%P\n' | LC_ALL=C sort | tr '\n' ' '; }
# is_link NAME TARGET
is_link() { [ "$(readlink "$1")" = "$2" ]; }

@test "what is written goes whole or not at all" {
    folder=0
    for line in "${writing[@]}"; do
        limit=()
        folder=$((folder + 1))
        mkdir "$folder"
        # The 1 is of a living process, of which there is always one; the others have gone.
        sh -c 'echo $$' > gone
        touch "$folder"/{.gpusched-"$(cat gone)"-1.part,.gpusched-"$(cat gone)"-2.part.hier,.gpusched-1-7.part} \
            "$folder"/{.gpusched-x-1.part,.gpusched-1.part,mine.part}
        write 'new file' "$folder/new" 0 0 ''
        check "$line: has written something" [ -s "$folder/new" ]
        check "$line: only what killed processes left is gone" [ "$(names "$folder")" = \
            '.gpusched-1-7.part .gpusched-1.part .gpusched-x-1.part mine.part new ' ]
        rm -f "$folder"/.gpusched* "$folder/mine.part"
        echo old > "$folder/old"
        chmod 640 "$folder/old"
        ln "$folder/old" "$folder/same"
        write 'old file' "$folder/old" 0 0 ''
        check "$line: the old file is replaced" cmp "$folder/new" "$folder/old"
        check "$line: as a whole" [ "$(cat "$folder/same")" = old ]
        check "$line: with its permissions" [ "$(stat -c %a "$folder/old")" = 640 ]
        mkfifo "$folder/fifo"
        timeout 20 cat "$folder/fifo" > copy &
        reader=$!
        write 'FIFO' "$folder/fifo" 0 0 ''
        wait "$reader"
        check "$line: a FIFO gets the same bytes" cmp "$folder/new" copy
        check "$line: and stays" [ -p "$folder/fifo" ]
        touch "$folder/target"
        ln -s target "$folder/link"
        write 'link' "$folder/link" 0 0 ''
        check "$line: a link stays" is_link "$folder/link" target
        check "$line: and its file has the bytes" cmp "$folder/new" "$folder/target"
        ln -s /dev/null "$folder/null"
        write 'null device' "$folder/null" 0 0 ''
        check "$line: a device stays" is_link "$folder/null" /dev/null
        ln -s /dev/full "$folder/full"
        write 'full device' "$folder/full" 2 1 'No space left on device'
        check "$line: and stays" is_link "$folder/full" /dev/full
        write 'no folder' "$folder/none/none/file" 2 1 "$folder/none"
        write 'a folder' "$folder" 2 1 "$folder"
        # stdout is a file that has something, and gets more.
        echo begin > out
        write 'stdout' /dev/stdout 0 0 '' >> out
        check "$line: stdout goes on" cmp out <(echo begin; cat "$folder/new")
        limit=(prlimit --fsize=64)
        cp "$folder/new" before
        left=$(names "$folder")
        write 'over the allowed size' "$folder/new" 2 1 'File too large'
        check "$line: the old file stays" cmp before "$folder/new"
        check "$line: nothing else is left" [ "$(names "$folder")" = "$left" ]
    done
}

@test "a run's files go whole or not at all" {
    read -ra command <<< "$run -q --timeline --series=10 --series-per-sm"
    "${command[@]}" -o whole
    mkdir places
    ln -s ../target.json places/timeline.json
    mkfifo places/series.csv
    timeout 20 cat places/series.csv > copy &
    check 'a run writes what is there' "${command[@]}" -o places
    wait $!
    check 'result.json' cmp whole/result.json places/result.json
    check 'a FIFO gets series.csv' cmp whole/series.csv copy
    check 'a link stays' is_link places/timeline.json ../target.json
    check 'and its file gets the timeline' cmp whole/timeline.json target.json
    rm -f places/series.csv places/timeline.json
    rm -f before
    cp -r whole before
    for size in 0 1 400 5000; do
        ends_with 2 1 'File too large' "a run over $size bytes" prlimit --fsize=$size "${command[@]}" -o whole
        check 'the results of the earlier run stay' diff -r before whole
        ends_with 2 1 'File too large' "a run over $size bytes" prlimit --fsize=$size "${command[@]}" -o never
        check 'and no folder is made' [ ! -e never ]
    done
}

# What is printed is not needed for what is written.
@test "a run that cannot print has its results" {
    no_reader
    ends_with 2 1 'No space left' 'a run on a full terminal' "${loud[@]}" -o full > /dev/full
    check 'has its results' cmp whole/result.json full/result.json
    ends_with 141 0 '' 'a run that nobody reads' "${loud[@]}" -o unread >&9
    check 'has its results as well' cmp whole/result.json unread/result.json
}

@test "a signal stops a run with its statistics so far" {
    for signal in INT TERM; do
        env --default-signal=$signal gpusched run -g c2050 -w ./long.yaml -q -o "$signal" 2> err 3>&- &
        pid=$!
        # Its temporaries are there, but not yet its first cycle: so it is asked until it hears.
        for _ in {1..200}; do
            if [ -d "$signal" ]; then break; fi
            sleep 0.02
        done
        sleep 0.5
        kill -$signal "$pid"
        check "SIG$signal: exit status" has_ended 1 "$pid"
        check "SIG$signal: the statistics so far" grep -q '"end": "stopped"' "$signal/result.json"
        check "SIG$signal: says so" grep -q 'stopped at cycle .*: interrupted' err
    done
}

@test "a killed run leaves a temporary, which the next one removes" {
    gpusched run -g c2050 -w ./long.yaml -q --timeline -o killed 2> err 3>&- &
    pid=$!
    for _ in {1..200}; do
        if compgen -G 'killed/.gpusched-*' > /dev/null; then break; fi
        sleep 0.02
    done
    kill -KILL "$pid"
    wait "$pid" || true
    check 'a killed run leaves a temporary' [ "$(names killed | wc -w)" -eq 1 ]
    "${loud[@]}" -q -o killed
    check 'which the next one removes' [ "$(names killed)" = 'host.json result.json ' ]
}
