#!/usr/bin/env bash
# cfg.sh GPUSCHED-UNIT UNIT.cfg - a unit's file says all that its checks need, from sizes to a defect. Its
# sections are those that are read, and the unit accepts every line of parameters. None of the unit's files still has
# a place that make new has left to be written.
set -euo pipefail

tool=$1
file=$2
unit=$(basename "$file" .cfg)
failed=0
fail() {
    failed=1
    echo "$file: $1"
}

while IFS= read -r section; do
    case $section in
        '[sizes]' | '[night sizes]' | '[proofs]' | '[night proofs]' | '[defect]' | '[defect in a run]' | '[readings]' | '[proof readings]' | \
            '[reached]' | '[night reached]' | '[reached readings]' | '[area]' | '[netlist]' | '[latency]' | '[timed]') ;;
        *) fail "$section: no check reads such a section" ;;
    esac
done < <(grep -E '^ *\[' "$file")
[ -z "$(grep -E '^\[' "$file" | sort | uniq -d)" ] || fail 'a section stands twice'

# areas - the sizes whose area is measured: parameters, the most FO4 and the most kGE, and night; one of the
# others has a limit. Sets areas.
areas() {
    local line size fo4 kge rest limited=0
    areas=0
    while IFS='|' read -r size fo4 kge rest; do
        areas=$((areas + 1))
        read -ra line <<< "$size"
        "$tool" ports "$unit" "${line[@]}" --format=file > /dev/null || fail "[area]: $size: see above"
        for limit in "${fo4// /}" "${kge// /}"; do
            [[ $limit =~ ^(-|[0-9]+(\.[0-9]+)?)$ ]] || fail "[area]: $size: '$limit' is no limit: a number, or -"
        done
        [[ ${rest// /} =~ ^(night)?$ ]] || fail "[area]: $size: '${rest## }' after its two limits; only night may stand there"
        [ "${fo4// /}" = - ] || [ -n "$rest" ] || limited=1
    done < <(tb/cfg.sh "$file" area | sed 's/#.*//; /^ *$/d')
    [ "$areas" -gt 0 ] || fail '[area] is needed'
    [ "$limited" -eq 1 ] || fail '[area]: no size that is not of the night has a limit in FO4'
}

# lines SECTION WORDS - the parameters of a section's lines, behind so many words; sets n.
lines() {
    local line
    n=0
    while read -ra line; do
        n=$((n + 1))
        "$tool" ports "$unit" "${line[@]:$2}" --format=file > /dev/null || fail "[$1]: ${line[*]}: see above"
    done < <(tb/cfg.sh "$file" "$1" | sed 's/#.*//; /^ *$/d')
    [ "$n" -gt 0 ] || fail "[$1] is needed"
}
lines sizes 0
sizes=$n
if grep -qxF '[night sizes]' "$file"; then
    lines 'night sizes' 0
    sizes=$((sizes + n))
fi
lines proofs 2
proofs=$n
if grep -qxF '[night proofs]' "$file"; then
    lines 'night proofs' 2
    proofs=$((proofs + n))
fi
lines netlist 0
areas
tb/cfg.sh "$file" latency > /dev/null || failed=1
tb/cfg.sh "$file" defect > /dev/null || failed=1
written=("cmodel/units/$unit".{h,c} "cmodel/units/${unit}_ports.def" rtl/*/"$unit.v" "tb/units/$unit"/* "docs/units/$unit.md")
for one in "${written[@]}"; do
    [ -f "$one" ] || { fail "$one: no such file"; continue; }
    ! grep -qw TODO "$one" || fail "$one still has a TODO"
done
echo "checked: sizes=$sizes proofs=$proofs areas=$areas"
[ "$failed" -eq 0 ]
