#!/usr/bin/env bash
# within.sh WORK BUILD - beside its composition a part is compared in the composition's RTL, with nothing less than
# alone: a defect in the part, or a golden part of the GPU that is upset, makes a run with all units say what a run
# with the part alone does, byte for byte. And what only the part's input ports show is found in the composition.
# The defects are in the repository's libraries of a copy of the build folder.
set -euo pipefail

work=$1
build=$(realpath "$2")
options=(-g icc -w exchange --set sm.count=12 --set cluster.count=3 --set claso.active_levels=1 --set icc.entries=8
    --set icc.lines=4 --rtl=shadow --quiet)
port='cluster_port-N_ENTRY.8-N_LINE.4-N_SM.4-LINE_W.41'
distributor='work_distributor-N_SM.12-N_CLUSTER.3-N_KERNEL.1-CTA_W.20-LEVEL_W.4'
rm -rf "$work"
mkdir -p "$work"
parts=0

wrong() {
    echo "$1"
    exit 1
}

# differs NAME PROGRAM UNITS OPTION... - the run ends with a difference; what it says.
differs() {
    local status=0
    "$2" run "${options[@]}" --units="$3" "${@:4}" > "$work/$1.said" 2> "$work/$1.errors" || status=$?
    [ "$status" -eq 1 ] || { cat "$work/$1.said" "$work/$1.errors"; wrong "$1: exit status $status"; }
    [ ! -s "$work/$1.errors" ] || { cat "$work/$1.errors"; wrong "$1: something on stderr"; }
}

# copy - a build folder with the libraries as they are.
copy() {
    rm -rf "$work/build"
    mkdir -p "$work/build/rtl"
    ln -s "$(realpath "$build/checkout")" "$work/build/checkout"
    ln -s "$build/workloads" "$work/build/workloads"
    cp "$build/gpusched" "$work/build/"
    cp "$build/rtl/"*.so "$build/rtl/"*.made "$work/build/rtl/"
}

# spoil UNIT SED LIBRARY... - these have the defect in the unit's Verilog, and say that they have not: their last line
# is that of the library as it is.
spoil() {
    local verilog library
    verilog=$(find rtl -name "$1.v")
    rm -rf "$work/rtl"
    mkdir -p "$work/rtl"
    sed "$2" "$verilog" > "$work/rtl/$1.v"
    ! cmp -s "$verilog" "$work/rtl/$1.v" || wrong "the defect changes nothing in $verilog"
    copy
    for library in "${@:3}"; do
        verilog=$(find rtl -name "${library%%-*}.v")
        cp -n "$verilog" "$work/rtl/"
        env -u MAKEFLAGS make -s BUILD="$build" UNIT="${library%%-*}" RTL="$work/rtl" SO="$work/so" CXXFLAGS=-O1 \
            "$work/so/$library.so"
        { head -c -77 "$work/so/$library.so"; tail -c 77 "$build/rtl/$library.so"; } > "$work/build/rtl/$library.so"
    done
}

# part UNIT PARAMETERS COMPOSITION SED - its defect, alone and in its composition.
part() {
    local threads
    spoil "$1" "$4" "$1-$2" "$3"
    differs "$1" "$work/build/gpusched" "$1"
    head -n 1 "$work/$1.said" | grep -q "^DIFFERENCE $1 " || wrong "$1: not the part"
    for threads in 1 2; do
        differs "$1-$threads" "$work/build/gpusched" all --rtl-threads=$threads
        cmp "$work/$1.said" "$work/$1-$threads.said"
        parts=$((parts + 1))
    done
    sed -n '1p; s/^  run .*, //p; /port\[element\]/,/^$/p' "$work/$1.said"
}

# The libraries, which these runs build; all units are said to be compared, and where.
for units in icc coalesced_cache cta_scheduler claso; do
    "$build/gpusched" run "${options[@]}" --units=$units
done
"$build/gpusched" run "${options[@]:0:${#options[@]}-1}" > "$work/equal"
for units in icc:cluster_port coalesced_cache:cluster_port cta_scheduler:work_distributor claso:work_distributor; do
    grep -qE "^  ${units%:*} .* 0  rtl/units/${units%:*}.v [0-9a-f]{12}, in that of ${units#*:}\$" "$work/equal" || {
        cat "$work/equal"
        wrong "${units%:*} is not said to be compared in ${units#*:}"
    }
    parts=$((parts + 1))
done

# A register of a part, and an output that no output of the composition shows.
part icc N_ENTRY.8-N_SM.4-LINE_W.41 "$port" \
    's/^        closed_d = (closed_q | closing) & stay;/        closed_d = closed_q \& stay;/'
part coalesced_cache N_LINE.4-LINE_W.41 "$port" 's/^    wire used = read && !fifo_i;/    wire used = 1'"'"'b0;/'
part claso N_CORE.12-N_POOL.3-N_KERNEL.1-CTA_W.20-LEVEL_W.4 "$distributor" \
    's/= (asked & above_now) == 0;/= (asked \& above_now \& some_now) != 0;/'
part cta_scheduler N_SM.12-N_CLUSTER.3-N_KERNEL.1-CTA_W.20 "$distributor" \
    's/^\(    assign {dispatch_kernel_o.* = {from_q, stolen_q, \)to_q};/\1{N_SM{1'"'"'b0}}};/'

# A wire to a part that carries something else while it says nothing.
spoil cluster_port "s/\\.insert_line_i  (reply_line_i)/.insert_line_i (reply_valid_i ? reply_line_i : {LINE_W{1'b1}})/" "$port"
differs wire "$work/build/gpusched" all
head -n 1 "$work/wire.said" | grep -q '^DIFFERENCE cluster_port ' || wrong 'wire: not the composition'
grep -qE '^  u_cache\.insert_line_i +0 +2199023255551$' "$work/wire.said" || { cat "$work/wire.said"; wrong 'wire: not what differs'; }
"$work/build/gpusched" run "${options[@]}" --units=coalesced_cache
parts=$((parts + 3))

# The coalesced cache of a cluster, in the GPU.
differs upset "$build/gpusched-upset" coalesced_cache
differs upset-all "$build/gpusched-upset" all
cmp "$work/upset.said" "$work/upset-all.said"
parts=$((parts + 1))
echo "checked: parts=$parts"
