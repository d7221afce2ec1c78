#!/usr/bin/env bash
# bands.sh write PAGE... - marks the changes of time in PAGE.md that may be noise, by bands.awk. bands.sh check WORK - whether all
# pages of bands.tsv are marked so, and that a band, a mark or a change that is another is seen,
# and an ensemble that cannot be read.
set -euo pipefail

here=$(dirname "$0")
pages() { sed 1d "$here/bands.tsv" | cut -f 1 | uniq; }

# page NAME SENSITIVITY.md FILE.md - the page in FILE with its marks, and, as an error, how many cells there are, and how many marks.
page() {
    awk -v of="$1" -f "$here/ensembles.awk" -f "$here/bands.awk" kind=bands "$2" kind=where "$here/bands.tsv" kind=names "$here/../$1.md" kind=page "$3"
}

# differs NAME SENSITIVITY.md FILE.md [REFUSAL] - the page in FILE is not what its marks would be; or is refused with these words.
differs() {
    local status=0
    page "$1" "$2" "$3" > "$work/marked" 2> "$work/refused" || status=$?
    if [ -n "${4:-}" ]; then
        [ "$status" -ne 0 ] && grep -qF -- "$4" "$work/refused"
    else
        [ "$status" -eq 0 ] && ! cmp -s "$3" "$work/marked"
    fi
}

# seen NAME SED-OF-SENSITIVITY SED-OF-PAGE [REFUSAL]
seen() {
    sed "$2" "$here/../sensitivity.md" > "$work/bands.md"
    sed "$3" "$here/../$1.md" > "$work/page.md"
    ! { cmp -s "$here/../sensitivity.md" "$work/bands.md" && cmp -s "$here/../$1.md" "$work/page.md"; } || { echo "$1: $2$3 changes nothing"; exit 1; }
    differs "$1" "$work/bands.md" "$work/page.md" "${4:-}" || { echo "$1: $2$3 is not seen"; exit 1; }
    faults=$((faults + 1))
}

# unmarked NAME - a sed script that takes the first mark of each row from the page's tables that are marked here.
unmarked() {
    local part
    for part in $(awk -F '\t' -v page="$1" '$1 == page { print $2 }' "$here/bands.tsv" | uniq); do
        printf '/^<!-- %s -->$/,/^<!-- end of %s -->$/s/| ~\([-+]\)/| \\1/\n' "$part" "$part"
    done
}

# What is printed as the edge of a band lies in it, and 0.1 % more does not: 1 + percent / 100 is seldom the number of the band.
edges() {
    awk -f "$here/ensembles.awk" -f - << 'END'
function fail(what) { print "bands.sh: " what; exit 1 }
BEGIN {
    for (k = 1; k < 100; k++) {
        widen(k, sprintf("%.3f", 1 - k / 1000), sprintf("%.3f", 1 + k / 1000))
        for (sign = -1; sign <= 1; sign += 2) {
            if (!in_band(k, sprintf("%+.1f %%", sign * k / 10))) fail(sign * k / 10 " % is not in its band")
            if (in_band(k, sprintf("%+.1f %%", sign * (k + 1) / 10))) fail("0.1 % more than " sign * k / 10 " % is in its band")
        }
    }
    exit
}
END
}

case $1 in
    write)
        work=$(mktemp)
        trap 'rm -f "$work"' EXIT
        for name in "${@:2}"; do
            page "$name" "$here/../sensitivity.md" "$here/../$name.md" > "$work" 2> "$work.n" || { cat "$work.n" >&2; rm -f "$work.n"; exit 1; }
            rm -f "$work.n"
            cat "$work" > "$here/../$name.md"
        done
        ;;
    check)
        work=$2
        rm -rf "$work"
        mkdir -p "$work"
        cells=0 faults=0
        list=$(pages)
        [ -n "$list" ] || { echo "bands.tsv has no pages"; exit 1; }
        for name in $list; do
            page "$name" "$here/../sensitivity.md" "$here/../$name.md" > "$work/$name.md" 2> "$work/said" || { cat "$work/said"; exit 1; }
            diff -U0 --label "docs/results/$name.md" --label "its marks, by docs/results/sensitivity/bands.sh write $name" "$here/../$name.md" "$work/$name.md"
            read -r n _ < "$work/said"
            cells=$((cells + n))
            seen "$name" '' "$(unmarked "$name")"
        done
        seen icc 's/^\(      convolution_2d medium *1.000 \[\)0.9[0-9]*/\10.500/' ''
        # shellcheck disable=SC2016 # nothing is to be expanded
        seen claso '/^<!-- noise-claso-full -->/,$s/^      backprop claso/      back claso/' ''
        seen laperm '/^<!-- noise-laperm/,/^<!-- end of noise-laperm/d' '' 'has no ensemble laperm'
        # What cannot be read is refused, whatever the page is of.
        seen onac '/^<!-- noise-laperm/d' '' 'without its beginning'
        seen onac '/^<!-- end of noise-laperm/d' '' 'laperm does not end'
        seen onac '/^<!-- end of noise-warp-policies/d' '' 'warp-policies does not end'
        seen onac '/^    k20c$/d' '' 'laperm names no GPU'
        seen onac '/^      [a-z0-9_]* laperm /d' '' 'no bands of laperm'
        seen onac 's/^\(      bfs_cage15 laperm *1.000 \)\[[^]]*\]/\1/' '' 'no band of bfs_cage15'
        seen onac 's/^\(      bfs_cage15 laperm *1.000 \[\)[0-9.]*/\11.001/' '' 'no band around 1'
        edges
        echo "checked: cells=$cells faults=$faults"
        ;;
    *)
        echo "bands.sh: write or check" >&2
        exit 2
        ;;
esac
