#!/usr/bin/env bats
# An installation, used by another user from a folder of his own after it was moved: a workload, an
# experiment and its report, RTL beside a run, manual pages, completion, a C program with headers and
# library; and nothing is left when it is uninstalled.

load helper
root="$BATS_FILE_TMPDIR/place/moved here"

installation() { (cd "$CLI_SOURCE" && tb/install.sh "$1" "$CLI_BUILD" "$2"); }
sums() { find "$root" -type f -exec sha256sum {} + | sort; }

setup_file() {
    cd "$BATS_FILE_TMPDIR" || return 1
    installation install "$PWD/made/opt/gpu"
    mkdir -p place home/.cache/gpusched
    mv made/opt/gpu "$root"
    sums > before
    cp "$CLI_SOURCE/docs/examples/golden-c/merge.c" home
    # What Verilator's runtime is compiled to is the same everywhere and takes long.
    cp -rp "$CLI_BUILD/verilated" home/.cache/gpusched
}

# another COMMAND... - as another user, if there may be one; he may write in his own folder only.
another() (
    user=()
    if [ "$(id -u)" -eq 0 ]; then
        chmod 755 "$BATS_RUN_TMPDIR"
        chown -R nobody: home
        user=(setpriv --reuid=nobody --regid=nogroup --clear-groups)
    fi
    cd home || exit 1
    "${user[@]}" env -i PATH="$root/bin:/usr/bin:/bin" HOME="$PWD" "$@"
)
does() { exits 0 another "$@"; }
said() { check "it says $1" grep -q "$1" out; }

@test "it is all there, and names no folder of the build" {
    check 'nothing is left behind' [ -z "$(find made -type f)" ]
    check 'no path of the build is in the programs' fails grep -qF "$(realpath "$CLI_BUILD")" "$root"/bin/*
}

@test "another user runs it from where it was moved to" {
    does gpusched run --gpu m2090 --workload hotspot -o result
    said '^hotspot small on m2090: done$'
    does gpusched run --gpu m2090 --workload mix
    does gpusched experiment smoke -o grid --csv
    said ',done,'
    does gpusched report grid/smoke.sqlite -o smoke.html
    check 'a page' [ -s home/smoke.html ]
    does gpusched-unit ports claso
    does gpusched-unit vectors claso --cycles=100 -o claso.vec
    does gpusched-unit replay --model claso.vec
}

@test "its lists of files are taken by a simulator, and its core files are there" {
    (cd "$root/share/gpusched" && iverilog -g2005 -o "$BATS_TEST_TMPDIR/sim" -s icc_tb -f package/icc_sim.f \
        && vvp -N "$BATS_TEST_TMPDIR/sim" +vectors=package/icc.vec && iverilog -g2005 -t null -s icc_top -f package/icc_top.f) > out 2>&1
    said '^PASS 500 cycles$'
    check 'core files' [ -f "$root/share/gpusched/rtl/units/icc.core" ]
    check 'Bender.yml' [ -f "$root/share/gpusched/Bender.yml" ]
}

@test "RTL is built for a run in the user's own folder" {
    does gpusched run --gpu c2050 --workload hotspot --rtl=shadow --units=cta_scheduler
    said '^  cta_scheduler  *1  *[0-9,]*  *0  '
    check 'its RTL is cached at home' [ -n "$(find home/.cache/gpusched -name 'cta_scheduler-*.so')" ]
}

@test "manual pages, completion, headers and library can be used" {
    does man -M "$root/share/man" -w gpusched gpusched-run gpusched-unit
    does bash -c ". '$root/share/bash-completion/completions/gpusched' && complete -p gpusched"
    does cc -std=c11 -Wall -Wextra -Werror -I "$root/include/gpusched" -o merge merge.c -L "$root/lib" -lgpusched
    does ./merge
    said '^7 reads, 4 of them went to the network$'
}

@test "it is as it was, and is removed as a whole" {
    sums > after
    check 'the installation is as it was' cmp before after
    touch "$root/bin/another-program"
    installation uninstall "$root"
    check 'all of it is removed, and nothing else' [ "$(find "$root" -type f)" = "$root/bin/another-program" ]
}
