#!/usr/bin/env bash
# headers.sh COMPILER OPTION... -- HEADER... - each header compiles alone, and twice.
set -euo pipefail

compile=()
while [ "$1" != -- ]; do
    compile+=("$1")
    shift
done
shift
for header in "$@"; do
    printf '#include "%s"\n#include "%s"\nextern int not_empty;\n' "$header" "$header" | "${compile[@]}" -x c -fsyntax-only - \
        || { echo "$header does not compile alone"; exit 1; }
done
