#!/usr/bin/env bash
# silent.sh CANARY[,CANARY] FILE... -- COMMAND... - a tool that says nothing when all is well. In the command,
# {} stands for the files. It must have nothing to say about the files, and something about the
# canaries, in each of which a mistake is planted: otherwise it does not look at all.
set -uo pipefail

IFS=, read -ra canaries <<< "$1"
shift
files=()
while [ "$1" != -- ]; do
    files+=("$1")
    shift
done
shift

# with FILE... - the command, of these files.
with() {
    local word words=()
    for word in "${command[@]}"; do
        if [ "$word" = '{}' ]; then words+=("$@"); else words+=("$word"); fi
    done
    "${words[@]}" 2>&1
}
command=("$@")
for canary in "${canaries[@]}"; do
    if said=$(with "$canary") || [ -z "$said" ]; then
        echo "$1 finds nothing in $canary"
        exit 1
    fi
done
said=$(with "${files[@]}") || { printf '%s\n' "$said"; exit 1; }
printf 'checked: files=%d\n' "${#files[@]}"
