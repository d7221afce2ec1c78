#!/usr/bin/env bats
# Names and data: a bare name means the same in every folder, whatever lies there; the program finds its
# data from wherever it is called, in a clone that was moved, and by GPUSCHED_DATA; where it finds
# none it says so.
# shellcheck disable=SC2030,SC2031 # each test has a PATH of its own

load helper
unset GPUSCHED_DATA

setup_file() {
    mkdir "$BATS_FILE_TMPDIR"/{empty,decoys}
    # Files of all the names that are used, none of them good.
    cd "$BATS_FILE_TMPDIR/decoys" || return 1
    for name in m2090 chase hotspot smoke gto; do
        mkdir -p configs/{gpu,workloads,experiments} workloads build/workloads
        echo 'sm: {count: none}' | tee "$name" "configs/gpu/$name.yaml" "configs/workloads/$name.yaml" \
            "configs/experiments/$name.yaml" "workloads/$name.ptx" "build/workloads/$name.ptx" \
            > "$name.yaml"
    done
    cat > "$BATS_FILE_TMPDIR/empty/mine.yaml" << 'END'
gpus: [m2090, {name: c2050, settings: {warp.policy: lrr}}]
workloads: [chase]
END
    cp "$BATS_FILE_TMPDIR/empty/mine.yaml" .
}

# same ARGUMENT... - in an empty folder and among decoys: the same bytes, and exit status 0.
same() {
    local place
    for place in empty decoys; do
        cd "$BATS_FILE_TMPDIR/$place" || exit 1
        ends 0 "$@"
        cat out err > "$BATS_FILE_TMPDIR/$place.said"
    done
    check "$*: the same bytes in every folder" cmp "$BATS_FILE_TMPDIR/empty.said" "$BATS_FILE_TMPDIR/decoys.said"
}

@test "a bare name means the same in every folder" {
    same run --gpu m2090 --workload chase
    same run --gpu m2090 --workload hotspot --functional
    same config show m2090
    same config check m2090
    same config list
    same list gpus
    same list workloads
    same list experiments
    same experiment smoke --dry-run
}

@test "a file means the same in every folder" {
    same experiment ./mine.yaml --dry-run
}

@test "a name with a slash, or that ends with .yaml, is a file" {
    cd "$BATS_FILE_TMPDIR/decoys" || exit 1
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
}

@test "a clone that was moved uses its own data" {
    local clone="$BATS_FILE_TMPDIR/moved, it's a \$clone" original=$CLI_BUILD/gpusched
    mkdir -p "$BATS_FILE_TMPDIR/clone/build/workloads"
    cp -r "$CLI_SOURCE/configs" "$CLI_SOURCE/rtl" "$BATS_FILE_TMPDIR/clone"
    cp "$original" "$BATS_FILE_TMPDIR/clone/build"
    cp "$CLI_BUILD/workloads/hotspot.ptx" "$BATS_FILE_TMPDIR/clone/build/workloads"
    ln -srfn "$BATS_FILE_TMPDIR/clone" "$BATS_FILE_TMPDIR/clone/build/checkout"
    mv "$BATS_FILE_TMPDIR/clone" "$clone"
    cd "$BATS_FILE_TMPDIR/empty" || exit 1
    PATH=$clone/build:$PATH
    for workload in hotspot chase; do
        ends 0 run --gpu m2090 --workload "$workload"
        "$original" run --gpu m2090 --workload "$workload" > expected
        check "a moved clone runs $workload" cmp expected out
    done
    sed -i 's/^sm:/sm: nothing/' "$clone/configs/gpu/m2090.yaml"
    ends 2 run --gpu m2090 --workload chase
    check 'it uses its own data' grep -qF "$clone/configs/gpu/m2090.yaml" err
    mkdir links
    ln -s "$clone/build/gpusched" links/gpusched
    PATH=$PWD/links:$PATH
    ends 0 run --gpu c2050 --workload hotspot
}

# without TEXT - the program has no data, and says so.
without() { refused "$1" run --gpu m2090 --workload chase; }

@test "a program by itself needs GPUSCHED_DATA for all but its help" {
    # Outside of all build folders.
    local alone
    alone=$(realpath "$BATS_TEST_TMPDIR")
    cp "$CLI_BUILD/gpusched" "$alone"
    PATH=$alone:$PATH
    ends 0 --version
    ends 0 --help
    without "$alone: no data are found from here up; set GPUSCHED_DATA"
    for data in "$CLI_SOURCE" "$CLI_BUILD"; do
        export GPUSCHED_DATA=$data
        ends 0 run --gpu m2090 --workload hotspot --functional
    done
    export GPUSCHED_DATA=$alone
    without "$alone: GPUSCHED_DATA has no configs/gpu"
    export GPUSCHED_DATA=$BATS_FILE_TMPDIR/nowhere
    without "$BATS_FILE_TMPDIR/nowhere: GPUSCHED_DATA"
}
