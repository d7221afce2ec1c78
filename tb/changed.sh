#!/usr/bin/env bash
# changed.sh NOTE PATH... - make goes by times, and does not see a file that was replaced by an older one (mv, cp -p, tar,
# rsync -t). NOTE has the digests of all files under the PATHs at the last run, and that run's time. A file
# whose content is not in it, although its time is older, gets the time of now.
set -euo pipefail

note=$1
shift
mkdir -p "${note%/*}"
find "$@" -path 'docs/examples/*/out' -prune -o -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum > "$note.now"
if [ -f "$note" ]; then
    awk 'NR == FNR { seen[$0]; next } !($0 in seen)' "$note" "$note.now" | cut -c 67- | while IFS= read -r file; do
        [ "$file" -nt "$note" ] || { echo "$file has changed, with an old time; it gets the time of now"; touch "$file"; }
    done
fi
mv "$note.now" "$note"
