#!/usr/bin/env bash
# places.sh FOLDER GPUSCHED - names and data: a bare name means the same in every folder, whatever
# lies there; the program finds its data from wherever it is called, in a clone that was moved, and
# by GPUSCHED_DATA; where it finds none it says so.
set -uo pipefail

here=$(dirname "$(realpath "$0")")
gpusched=$(realpath "$2")
build=$(dirname "$gpusched")
source=$PWD
rm -rf "$1"
mkdir -p "$1/empty" "$1/decoys"
work=$(realpath "$1")
# shellcheck source=tb/run/checks.sh
source "$here/checks.sh"
unset GPUSCHED_DATA

# ---- Bare names --------------------------------------------------------------------------

# Files of all the names that are used, none of them good.
cd "$work/decoys" || exit 1
for name in m2090 chase hotspot smoke gto; do
    mkdir -p configs/{gpu,workloads,experiments} workloads build/workloads
    echo 'sm: {count: none}' | tee "$name" "configs/gpu/$name.yaml" "configs/workloads/$name.yaml" \
        "configs/experiments/$name.yaml" "workloads/$name.ptx" "build/workloads/$name.ptx" \
        > "$name.yaml"
done

# same ARGUMENT... - in an empty folder and among decoys: the same bytes, and exit status 0.
same() {
    local place
    for place in empty decoys; do
        cd "$work/$place" || exit 1
        ends 0 "$@"
        cat out err > "$work/$place.said"
    done
    check "$*: not the same bytes in every folder" cmp "$work/empty.said" "$work/decoys.said"
}

same run --gpu m2090 --workload chase
same run --gpu m2090 --workload hotspot --functional
same config show m2090
same config check m2090
same config list
same list gpus
same list workloads
same list experiments
same experiment smoke --dry-run
cat > "$work/empty/mine.yaml" << 'END'
gpus: [m2090, {name: c2050, settings: {warp.policy: lrr}}]
workloads: [chase]
END
cp "$work/empty/mine.yaml" "$work/decoys"
same experiment ./mine.yaml --dry-run

# A name with a slash, or that ends with .yaml, is a file.
cd "$work/decoys" || exit 1
ends 2 run --gpu ./m2090 --workload chase
check 'a name with a slash is a file' grep -qF 'm2090:1: sm.count' err
ends 2 run --gpu m2090.yaml --workload chase
check 'a name that ends with .yaml is a file' grep -qF 'm2090.yaml:1: sm.count' err
ends 2 run --gpu m2090 --workload chase.yaml
check 'so it is for workloads' grep -qF 'chase.yaml:1: ' err
ends 2 experiment smoke.yaml
check 'and for experiments' grep -qF 'smoke.yaml:1: ' err
for kind in '--gpu none.yml --workload chase' '--gpu m2090 --workload none.yml'; do
    # shellcheck disable=SC2086 # words
    ends 2 run $kind
    check "$kind: other endings are names" grep -qF 'none.yml: no such' err
done

# ---- A clone that was moved ------------------------------------------------------------------

clone="$work/moved, it's a \$clone"
mkdir -p "$work/clone/build/workloads"
cp -r "$source/configs" "$source/rtl" "$work/clone"
cp "$gpusched" "$work/clone/build"
cp "$build/workloads/hotspot.ptx" "$work/clone/build/workloads"
ln -srfn "$work/clone" "$work/clone/build/checkout"
mv "$work/clone" "$clone"
cd "$work/empty" || exit 1
original=$gpusched
gpusched=$clone/build/gpusched
for workload in hotspot chase; do
    ends 0 run --gpu m2090 --workload "$workload"
    "$original" run --gpu m2090 --workload "$workload" > expected
    check "a moved clone runs $workload" cmp expected out
done
sed -i 's/^sm:/sm: nothing/' "$clone/configs/gpu/m2090.yaml"
ends 2 run --gpu m2090 --workload chase
check 'it uses its own data' grep -qF "$clone/configs/gpu/m2090.yaml" err
ln -s "$clone/build/gpusched" link
gpusched=$work/empty/link
ends 0 run --gpu c2050 --workload hotspot

# ---- GPUSCHED_DATA ----------------------------------------------------------------------------------

# A program by itself, outside of all build folders.
alone=$(mktemp -d)
trap 'rm -rf "$alone"' EXIT
cp "$original" "$alone"
gpusched=$alone/gpusched
# alone TEXT - it cannot run, and says one line with the text.
alone() {
    local text=$1
    ends 2 run --gpu m2090 --workload chase
    check "no data: one line that says $text" grep -qF "$text" err
    check "no data: one line" [ "$(wc -l < err)" -eq 1 ]
    check 'no data: nothing on stdout' [ ! -s out ]
}
ends 0 --version
ends 0 --help
alone "$alone: no data are found from here up; set GPUSCHED_DATA"
for data in "$source" "$build"; do
    export GPUSCHED_DATA=$data
    ends 0 run --gpu m2090 --workload hotspot --functional
done
export GPUSCHED_DATA=$alone
alone "$alone: GPUSCHED_DATA has no configs/gpu"
export GPUSCHED_DATA=$work/nowhere
alone "$work/nowhere: GPUSCHED_DATA"

printf 'places: %d checks, %d failed\n' "$checks" "$failed"
[ "$failed" -eq 0 ]
