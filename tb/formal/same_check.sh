#!/usr/bin/env bash
# same_check.sh WORK UNIT.v DEFECT - make same: a unit whose registers have other names, and one whose logic is in a part,
# are proved to be the same; a planted difference (DEFECT, of sed), other ports and a version that is not there are told.
set -euo pipefail

work=$1
rtl=$2
defect=$3
unit=$(basename "$rtl" .v)
size=(N_SM=2 N_CLUSTER=2 N_KERNEL=1 CTA_W=2)
rm -rf "$work"
mkdir -p "$work/old"

# gives WHAT STATUS TEXT OLD - make same of the unit with OLD.
gives() {
    local status=0
    tb/formal/same.sh "$work/made" "$rtl" "$4" "${size[@]}" > "$work/log" 2>&1 || status=$?
    if [ "$status" -ne "$2" ] || ! grep -q -e "$3" "$work/log"; then
        echo "$1: status $status in place of $2, or not $3"
        cat "$work/log"
        exit 1
    fi
    echo "$1: $(grep -m 1 -e "$3" "$work/log")"
}
# was WHAT SCRIPT - OLD is the unit with this done to it.
was() {
    sed -E "$2" "$rtl" > "$work/old/$unit.v"
    ! cmp -s "$rtl" "$work/old/$unit.v" || { echo "$1: $2 changes nothing"; exit 1; }
}

was renamed 's/\b([a-z_]+)_q\b/held_\1/g'
gives 'registers with other names' 0 '^same ' "$work/old/$unit.v"
was spoiled "$defect"
gives 'a planted difference' 1 '_o differs in cycle [1-9]' "$work/old/$unit.v"
was wider 's/^( *output wire )( *)(launch_error_o)/\1[1:0] \3/'
gives 'another width of a port' 2 'its ports are not those' "$work/old/$unit.v"
gives 'no such version' 2 'neither a file nor a revision' nothing-of-the-kind

# A revision, whose parts are its own: the last is of a part that is spoiled.
cp -r rtl "$work/clone"
export GIT_DIR=$work/git GIT_WORK_TREE=$work GIT_CONFIG_GLOBAL=/dev/null
export GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@t GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@t
git init -q
commit() {
    rm -rf "$work/rtl"
    cp -r "$work/clone" "$work/rtl"
    git add rtl && git commit -q -m "$1"
}
commit good
gives 'a revision' 0 '^same ' HEAD
sed -i 's/assign sm_o = policy_i\[1\]/assign sm_o = policy_i[0]/' "$work/clone/lib/cta_pick.v"
commit spoiled
gives 'a revision with another part' 1 '_o differs in cycle [1-9]' HEAD
gives 'the one before' 0 '^same ' HEAD~1
echo "checked: comparisons=7"
