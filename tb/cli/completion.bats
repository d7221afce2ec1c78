#!/usr/bin/env bats
# The script of `gpusched completion bash`: shellcheck has nothing to say, and bash offers what it should
# for command lines with the cursor at their end. In an expected list, ... stands for whatever else there is.

load helper

setup_file() {
    cd "$BATS_FILE_TMPDIR" || return 1
    touch 'my gpu.yaml' mine.yaml
    mkdir moved
    gpusched completion bash > script
}

# As bash-completion does it, from a function.
load_script() {
    # shellcheck disable=SC1091 # made above
    source ./script
}

# Splits a line as bash does, at blanks and around = and :, and asks for completions.
complete_line() {
    local word
    COMP_LINE=$1
    COMP_POINT=${#1}
    COMP_WORDBREAKS=$' \t\n"\'><=;|&(:'
    COMP_WORDS=()
    while IFS= read -r word; do
        COMP_WORDS+=("$word")
    done < <(grep -oE '[=:]+|[^=: ]+' <<< "$1")
    [[ $1 != *' ' ]] || COMP_WORDS+=('')
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    COMPREPLY=()
    _gpusched
}

# offers LINE WORD... - exactly these are offered; with ... at the end, these and others.
offers() { check "$1" completes "$@"; }
completes() {
    local reply word
    complete_line "$1"
    shift
    reply=" ${COMPREPLY[*]} "
    printf 'offered are%s\n' "$reply" > err
    for word; do
        [[ $word == ... || $reply == *" $word "* ]] || return 1
    done
    [[ ${*: -1} == ... || ${#COMPREPLY[@]} -eq $# ]]
}

@test "the script is the same each time, and clean" {
    check 'the same bytes' cmp script <(gpusched completion bash)
    check 'shellcheck has nothing to say' shellcheck --shell=bash script
}

@test "commands are offered" {
    load_script
    mapfile -t commands < <(gpusched --help | awk '/^Commands:/ { on = 1; next } /^$/ { on = 0 } on { print $1 }')
    offers 'gpusched ' "${commands[@]}" --help --version
    offers 'gpusched exp' experiment
    offers 'gpusched r' run record report rtl
    offers 'gpusched nothing --' # no such command
}

@test "options and values of run and record are offered" {
    load_script
    offers 'gpusched run ' --gpu= --workload= --quiet --series --series= ...
    offers 'gpusched run --se' --set= --series --series= --series-per-sm
    offers 'gpusched record --vec' --vectors=
    offers 'gpusched run --size=' small medium paper claso th3 th42 th44 icc laperm
    offers 'gpusched run --size m' medium
    offers 'gpusched run -g m20' m2090 m2090-64w
    offers 'gpusched run --gpu=zz' # no such name, no such file
    offers 'gpusched run --gpu=m20' m2090 m2090-64w
    offers 'gpusched run -g mi' mine.yaml
    offers 'gpusched run --scheduler=distributed' distributed distributed-block
    offers 'gpusched run --scheduler gto,clas' gto,claso gto,claso20
    offers 'gpusched run -g my' 'my gpu.yaml'
    offers 'gpusched run -g c2050 -w hot' hotspot
    offers 'gpusched run -g c2050 --workload=stre' stream streams stream_x_words
    offers 'gpusched run --quiet -o mo' moved
    offers 'gpusched run -o mi' # a file is no folder
    offers 'gpusched run --rtl=d' drive
    offers 'gpusched run --units=claso,wo' claso,work_distributor
    offers 'gpusched run --naive=step,sk' step,skip
    offers 'gpusched run --set warp.po' warp.policy=
    offers 'gpusched run --set warp.policy=l' lrr
    offers 'gpusched run --set=warp.policy=two' two-level-rr two-level-gto
    offers 'gpusched run -s dram.policy=' fr-fcfs fcfs
    offers 'gpusched run --save 2=mi' mine.yaml
    offers 'gpusched run --series -g k20' k20c k20x
    offers 'gpusched record --unit=c' coalesced_cache cluster_port core_status cta_scheduler claso
}

@test "options and values of other commands are offered" {
    load_script
    offers 'gpusched config show icc --scheduler mi' mine.yaml
    offers 'gpusched experiment sm' smoke
    offers 'gpusched experiment mi' mine.yaml
    offers 'gpusched experiment smoke --table=l1' l1_hit_rate
    offers 'gpusched sweep hot' hotspot
    offers 'gpusched sweep hotspot --over=' ctas cores
    offers 'gpusched sweep hotspot -g onac' onac32
    offers 'gpusched sweep --re' --retry --refresh
    offers 'gpusched report mo' moved
    offers 'gpusched report mi' mine.yaml
    offers 'gpusched compare sm' smoke
    offers 'gpusched compare --quiet' # no such option
    offers 'gpusched compare moved m' 'my gpu.yaml' mine.yaml moved
    offers 'gpusched compare --all moved sm' smoke
    offers 'gpusched compare moved --' --all --other-workload --help
    offers 'gpusched report out m' # only one
    offers 'gpusched config ' show keys list check
    offers 'gpusched config show a1' a100
    offers 'gpusched config check mi' mine.yaml
    offers 'gpusched config keys --format=' text markdown
    offers 'gpusched list ' workloads gpus schedulers experiments units
    offers 'gpusched completion ' bash
    offers 'gpusched stats --for' --format=
}

@test "each name that is offered is listed, and the other way round" {
    load_script
    for kind in gpus schedulers experiments; do
        case $kind in
        gpus) line='gpusched run --gpu ' names=$(gpusched config list) ;;
        schedulers) line='gpusched run --scheduler ' names=$(gpusched list schedulers | awk '{ print $1 }') ;;
        *) line='gpusched experiment ' names=$(gpusched list experiments | awk '{ print $1 }') ;;
        esac
        mapfile -t names <<< "$names"
        offers "$line" "${names[@]}"
    done
    mapfile -t names < <(gpusched list workloads | sed -n 's/^  \([a-z0-9_-][a-z0-9_-]*\) .*/\1/p')
    check 'there are workloads' [ "${#names[@]}" -ge 40 ]
    offers 'gpusched run -w ' "${names[@]}"
}

@test "a word is completed before the end of the line" {
    load_script
    complete_line 'gpusched run -g m20'
    COMP_LINE+=' --quiet'
    COMP_WORDS+=(--quiet)
    _gpusched
    check 'within a line' [ "${COMPREPLY[*]}" = 'm2090 m2090-64w' ]
}
