#!/usr/bin/env bash
# machine.sh measure GPUSCHED WORK > MEASURED.tsv - runs configs/fidelity/machine.yaml on every GPU, and on some with a value
# changed, and prints gpu, figure, value, and what the keys sum up to. A changed one is named with what is changed, as `c2050 l2.mshrs=64`.
# machine.sh check|write MEASURED.tsv - whether the tables of machine.md are those of these figures, or makes them so.
# machine.sh PART MEASURED.tsv - prints one. The published figures and their sources are published.tsv.
set -euo pipefail

here=$(dirname "$0")
published=$here/published.tsv

# What the table of limits changes on a GPU.
limits='c2050 l2.mshrs=64
c2050 dram.latency=0
c2050 noc.queues=output
c2050 noc.channel_bytes=40
c2050 noc.reply_queue=32
c2050 l2.hash=true
c2050 dram.atom=0
c2050 dram.queue=64
c2050 l1.mshrs=64
c2050 noc.header_bytes=0
c2050 l2.slices=12
c2050 clock.l2=1150
m2090 l2.slices=6
m2090 clock.noc=650
m2090 noc.channel_bytes=40
m2090 noc.queues=output
m2090 clock.l2=1300
m2090 l1.mshrs=64
gtx480 l2.mshrs=32
gtx480 l2.mshrs=512
gtx480 noc.channel_bytes=32
gtx480 dram.bank_interleave=0
k20x l1.mshrs=32
k20x l2.mshrs=32
k20x noc.channel_bytes=40
k20x dram.queue=16
icc dram.queue=64 l2.mshrs=128
icc dram.data_rate=1
fermi-30 dram.queue=64'

# one GPUSCHED WORK GPU [KEY=VALUE...] - its figures. Every fetch hits, and comes before a warp has run out of instructions: the
# chains are loops on real hardware, and written out here.
one() {
    local name="${*:3}"
    local out="$2/${name// /,}"
    local set=() setting
    for setting in "${@:4}"; do set+=(--set "$setting"); done
    "$1" run --gpu "$3" --workload configs/fidelity/machine.yaml --set icache.bytes=0 --set fetch.groups=2 "${set[@]}" --quiet -o "$out"
    "$1" config show --gpu "$3" "${set[@]}" --sources > "$out/config"
    awk -v gpu="$name" -f "$here/machine-configured.awk" -f "$here/machine.awk" "$out/config" "$out/result.json"
}

case $1 in
    measure)
        export -f one
        export here
        { for gpu in configs/gpu/*.yaml; do basename "$gpu" .yaml; done && echo "$limits"; } > "$3/runs"
        # shellcheck disable=SC2016 # the inner shell expands them
        xargs -P "$(nproc)" -d '\n' -n 1 bash -euc 'one "$0" "$1" $2 > "$1/$2.tsv"' "$2" "$3" < "$3/runs"
        while read -r run; do cat "$3/$run.tsv"; done < "$3/runs"
        ;;
    check | write)
        for part in headline agreement published latencies kinds rates limits power; do
            tb/drift/document.sh "$1" "$here/../machine.md" "$part" "$0" "$part" "$2"
        done
        ;;
    *) awk -F '\t' -v part="$1" -f "$here/machine-tables.awk" "$published" "$2" ;;
esac
