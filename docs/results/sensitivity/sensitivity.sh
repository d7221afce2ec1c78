#!/usr/bin/env bash
# sensitivity.sh experiment GPUSCHED NAME > NAME.yaml - a headline's experiment, as it stands and with each number of its GPU that
# is not calibrated halved, and doubled; NAME: one of `names`. sensitivity.sh noise NAME > NAME.yaml - its ensemble, or that of
# another page, from noise-NAME.yaml.
# sensitivity.sh table GPUSCHED NAME CSV - what came of the first, as Markdown. sensitivity.sh write GPUSCHED FOLDER - makes the
# tables of sensitivity.md, from sensitivity-NAME.csv, noise-NAME.txt, icc.sqlite and onac.sqlite in FOLDER.
# sensitivity.sh check GPUSCHED WORK - whether the page has each such value of the GPUs, as it is now, once, and no other.
set -euo pipefail

here=$(dirname "$0")
page=$here/../sensitivity.md
names="bcs claso claso-two-level icc perf-sat lcs onac laperm warp-policies" # on the page
noisy="bcs claso claso-full icc icc-energy perf-sat perf-sat-k20x onac onac-energy laperm laperm-groups warp-policies" # with ensembles there

# The GPU, what is set without the mechanism and with it, and which experiment has the programs.
of() {
    case $1 in
        claso) gpu=c2050 plain='scheduler: lrr' with="$plain, claso.active_levels: 1" programs=first-claso ;;
        claso-two-level) gpu=c2050 plain='scheduler: two-level-warps' with="$plain, claso.active_levels: 1" programs=first-claso ;;
        bcs) gpu=m2090 plain='scheduler: "global,gto"' with="$plain, dispatch.block: 2" programs=first-bcs ;;
        icc) gpu=icc plain='scheduler: distributed' with='scheduler: "distributed-block,icc-cc"' programs=first-icc ;;
        laperm) gpu=k20c plain='scheduler: laperm-rr, cdp.pending: 65536' with='scheduler: laperm, cdp.pending: 65536' programs=noise-laperm ;;
        warp-policies) gpu=m2090 plain='warp.policy: lrr' with='warp.policy: gto' programs=noise-warp-policies ;;
        onac) gpu=onac32 plain='scheduler: gto' with='scheduler: onac' programs=noise-onac ;;
        perf-sat | lcs) gpu=m2090 plain='scheduler: gto' with="scheduler: $1" programs=noise-perf-sat ;;
        *)
            echo "sensitivity.sh: $1: ${names// /, }" >&2
            exit 2
            ;;
    esac
}

# KEY VALUE of each that is not calibrated, but energies and what belongs to a part that is off, which change no time.
uncalibrated() {
    "$1" config show --gpu "$gpu" --sources | awk '
        /^[a-z0-9_]+:/ { group = $1; sub(/:$/, "", group); off = group == "energy" }
        /^  (mode: +off|on: +false) / { off = 1 }
        /^  [a-zA-Z0-9_]+: .*# not calibrated/ && !off { sub(/:$/, "", $1); print group "." $1, $2 }'
}

# KEY=VALUE for half and double each; only what the GPU may be.
varied() {
    uncalibrated "$1" | awk '$2 ~ /^[0-9]+$/ && $2 > 0 { if ($2 > 1) print $1 "=" int($2 / 2); print $1 "=" 2 * $2 }' |
        while read -r set; do
            if "$1" config show --gpu "$gpu" --set "$set" > /dev/null 2>&1; then echo "$set"; fi
        done
}

experiment() {
    printf 'title: %s, with values that are not calibrated\ngpus: [%s]\n' "$2" "$gpu"
    sed -n '/^size:/p; /^workloads:/,/^variants:/p' "configs/experiments/$programs.yaml"
    {
        echo
        varied "$1"
    } | while read -r set; do
        printf '  "%s": {%s%s}\n' "${set:-plain}" "$plain" "${set:+, ${set/=/: }}" "${set:-as is} with" "$with" "${set:+, ${set/=/: }}"
    done
    printf 'baseline: plain\nfigures: [cycles]\n'
}

case $1 in
    experiment)
        of "$3"
        experiment "$2" "$3"
        ;;
    table)
        of "$3"
        uncalibrated "$2" | awk -f "$here/sensitivity.awk" - FS=, "$4"
        ;;
    noise)
        if [ -e "configs/experiments/noise-$2.yaml" ]; then
            cat "configs/experiments/noise-$2.yaml"
        else
            sed '/^rtl:/d; /^units:/d; /^observe:/d' "configs/experiments/first-$2.yaml"
            echo 'seeds: 8'
        fi
        ;;
    write)
        for name in $noisy; do
            tb/drift/document.sh write "$page" "noise-$name" sed 's/^./    &/' "$3/noise-$name.txt"
        done
        for name in $names; do
            tb/drift/document.sh write "$page" "$name" "$0" table "$2" "$name" "$3/sensitivity-$name.csv"
        done
        tb/drift/document.sh write "$page" energies "$here/energies.sh" "$2" "$3"
        ;;
    check)
        n=0
        for name in $names; do
            of "$name"
            # A row of the table gives the value; the lists below it name those that have none to show.
            sed -n "/^<!-- $name -->\$/,/^<!-- end of $name -->\$/p" "$page" > "$3.page"
            # shellcheck disable=SC2016 # nothing is to be expanded
            sed -nE 's/^\| `([a-z0-9]+\.[a-zA-Z0-9_]+)` \| ([^ ]+) .*/\1 \2/p' "$3.page" | sort > "$3.rows"
            # shellcheck disable=SC2016 # nothing is to be expanded
            awk '!/^\|/' "$3.page" | grep -oE '`[a-z0-9]+\.[a-zA-Z0-9_]+`' | tr -d '`' | sort > "$3.listed" || true
            if [ ! -s "$3.rows" ] || [ ! -s "$3.listed" ]; then
                echo "$page: no table, or no lists below it, in <!-- $name -->"
                exit 1
            fi
            uncalibrated "$2" > "$3.keys"
            awk 'NR == FNR { listed[$1]; next } { print $1 in listed ? $1 : $0 }' "$3.listed" "$3.keys" | sort > "$3.wanted"
            sort "$3.rows" "$3.listed" | diff -U0 --label "$page, $name" --label "values of $gpu that are not calibrated" - "$3.wanted"
            n=$((n + $(wc -l < "$3.keys")))
        done
        # Each has a row for its half and one for twice as much, or is in the list below.
        # shellcheck disable=SC2016 # nothing is to be expanded
        sed -n '/^<!-- energies -->$/,/^<!-- end of energies -->$/p' "$page" |
            sed -nE 's/^\| `(energy\.[a-z0-9_]+)` \| ([^ ]+) \| ([^ ]+) .*/\1 \2 \3/p; s/`(energy\.[a-z0-9_]+)` \(([^)]+)\)/\n\1 \2\n/gp' |
            grep '^energy' | sort > "$3.energies" || { echo "$page: no energies"; exit 1; }
        "$here/energies.sh" keys "$2" | awk '
            NR == FNR { rows[$1] = rows[$1] != "" || NF == 3; next }
            !seen[$2, $3]++ { if (rows[$2]) printf "%s %g %g\n%s %g %g\n", $2, $3, $3 / 2, $2, $3, $3 * 2; else printf "%s %g\n", $2, $3 }' "$3.energies" - | sort |
            diff -U0 --label "$page, energies" --label "energies of icc and onac32 that are not calibrated" "$3.energies" -
        echo "checked: values=$n energies=$(wc -l < "$3.energies")"
        ;;
esac
