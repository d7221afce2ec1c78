#!/usr/bin/env bash
# commands.sh GPUSCHED UNIT_TOOL - the help of both programs and of every command, for docs/commands.md.
set -euo pipefail

gpusched=$1
tool=$2

# show TITLE COMMAND... - what it prints, as a block.
show() {
    printf '## %s\n\n' "$1"
    shift
    "$@" | sed 's/^./    &/'
    echo
}

show gpusched "$gpusched" --help
for command in $("$gpusched" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
    show "gpusched $command" "$gpusched" "$command" --help
done
show gpusched-unit "$tool" --help | sed '$d'
