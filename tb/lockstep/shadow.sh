#!/usr/bin/env bash
# shadow.sh WORK BUILD - what a run with RTL in the shadow says does not depend on the number of threads
# that compare, and its memory does not grow with the cycles compared; and the GPU's golden models are compared, too. Two defects are planted in one
# run: each unit alone differs in another cycle, and together the first of these is reported.
set -euo pipefail

work=$1
build=$(realpath "$2")
gpu=icc
set=(--set sm.count=12 --set cluster.count=3 --set claso.active_levels=1 --set icc.entries=8 --set icc.lines=4)
claso='claso-N_CORE.12-N_POOL.3-N_KERNEL.1-CTA_W.20-LEVEL_W.4'
port='cluster_port-N_ENTRY.8-N_LINE.4-N_SM.4-LINE_W.41'
rm -rf "$work"
mkdir -p "$work/so"
parts=0

wrong() {
    echo "$1"
    exit 1
}

# spoil UNIT LIBRARY SED - plants the defect.
spoil() {
    local verilog
    verilog=$(find rtl -name "$1.v")
    mkdir -p "$work/rtl-$1"
    sed "$3" "$verilog" > "$work/rtl-$1/$1.v"
    ! cmp -s "$verilog" "$work/rtl-$1/$1.v" || wrong "the defect changes nothing in $verilog"
    env -u MAKEFLAGS make -s BUILD="$build" UNIT="$1" RTL="$work/rtl-$1" SO="$work/so" CXXFLAGS=-O1 "$work/so/$2.so"
}
spoil claso "$claso" 's/= (asked & above_now) == 0;/= (asked \& above_now \& some_now) != 0;/'
# In a cycle that is left out: the 30th in a row in which the port has nothing to do.
spoil cluster_port "$port" "s/^    assign request_taken_o *= \\(.*\\);/reg [8:0] idle; always @(posedge clk) idle <= rst_i || (request_valid_i || reply_valid_i) ? 9'd0 : idle + {8'd0, idle != 9'd30}; assign request_taken_o = (\\1) ^ (idle == 9'd30);/"

# differs NAME UNITS OPTION - the run ends with a difference; what it says, and its vectors.
differs() {
    local status=0
    "$build/gpusched" run -g $gpu -w hotspot "${set[@]}" --rtl=shadow --units="$2" --rtl-file="$work/so" \
        "$3" --quiet > "$work/$1.said" 2> "$work/$1.errors" || status=$?
    [ "$status" -eq 1 ] || wrong "$1: exit status $status"
    [ ! -s "$work/$1.errors" ] || { cat "$work/$1.errors"; wrong "$1: something on stderr"; }
    cp "$(sed -n 's/^  vectors    \(.*\), from .*/\1/p' "$work/$1.said")" "$work/$1.vec"
}
where() {
    sed -n 's/^  run .*, cycle \([0-9]*\)$/\1/p' "$work/$1.said"
}
differs claso claso --rtl-threads=1
differs port cluster_port --rtl-threads=1
for threads in 1 2 4; do
    for again in 1 2; do
        differs both-$threads-$again claso,cluster_port --rtl-threads=$threads
        cmp "$work/both-1-1.said" "$work/both-$threads-$again.said"
        cmp "$work/both-1-1.vec" "$work/both-$threads-$again.vec"
        parts=$((parts + 2))
    done
done
first=$(($(where claso) < $(where port) ? $(where claso) : $(where port)))
[ "$(where claso)" -ne "$(where port)" ] || wrong 'both differ in the same cycle'
[ "$(where both-1-1)" -eq "$first" ] || wrong 'not the first difference is reported'
# Where RTL drives, it is compared at once, and the run is repeated all the same.
differs drive claso --rtl=drive
"$build/gpusched-unit" replay --model "$work/drive.vec" > "$work/drive.model"
replay=0
"$build/gpusched-unit" replay --rtl="$work/so/$claso.so" "$work/drive.vec" > "$work/drive.replay" || replay=$?
[ "$replay" -eq 1 ] || wrong 'drive: the replay does not fail'
parts=$((parts + 2))
echo "claso differs in cycle $(where claso), cluster_port in $(where port), both in $first"

# Without a defect.
for threads in 1 2 4; do
    "$build/gpusched" run -g $gpu -w hotspot "${set[@]}" --rtl=shadow --rtl-threads=$threads > "$work/equal-$threads"
    cmp "$work/equal-1" "$work/equal-$threads"
    parts=$((parts + 1))
done

# A golden model of the GPU that is upset differs from its twin: the RTL alone would not show it.
status=0
"$build/gpusched-upset" run -g $gpu -w exchange "${set[@]}" --set icache.bytes=0 --set l2.interleave=128 --rtl=shadow \
    --units=cluster_port --quiet > "$work/upset" || status=$?
[ "$status" -eq 1 ] || wrong "upset: exit status $status"
head -n 1 "$work/upset" | grep -q '^DIFFERENCE cluster_port ' || wrong 'upset: no difference'
grep -qx '  model      of the run, against another with the same inputs' "$work/upset" || wrong 'upset: of what'
grep -qE '^  request_[a-z]+_o +[0-9]+ +[0-9]+$' "$work/upset" || wrong 'upset: not what differs'
cat "$work/upset"
parts=$((parts + 4))

# peak CTAS - the most memory of a run with so many, in KiB; with the cycles compared.
peak() {
    "$build/gpusched" run -g $gpu -w "stream:$1" "${set[@]}" --rtl=shadow -o "$work/$1" > "$work/$1.said" 2> /dev/null
    echo $(($(sed -n 's/.*"peak_memory_bytes": *\([0-9]*\).*/\1/p' "$work/$1/host.json") / 1024))
}
few=$(peak 2000)
many=$(peak 48000)
compared=$(sed -n 's/^  cluster_port *3 *\([0-9,]*\) .*/\1/p' "$work/48000.said" | tr -d ,)
echo "$few KiB with 2000 CTAs, $many KiB with 48000, in which $compared cycles of the ports are compared"
[ "$compared" -gt 10000000 ] || wrong 'too few cycles'
[ $((many - few)) -lt 4096 ] || wrong 'the memory grows with the cycles'
echo "checked: parts=$parts"
