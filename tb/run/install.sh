#!/usr/bin/env bash
# install.sh BUILD - an installation, used by another user from a folder of his own after it was
# moved: a workload, an experiment and its report, RTL beside a run, manual pages, completion, a C
# program with headers and library; and nothing is left when it is uninstalled.
set -uo pipefail

build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tb/run/checks.sh
. "$(dirname "$0")/checks.sh"
unset GPUSCHED_DATA

out=$work/made
tb/install.sh install "$build" "$out/opt/gpu" || exit 1
mkdir -p "$work/place" "$work/home"
mv "$out/opt/gpu" "$work/place/moved here"
root="$work/place/moved here"
check 'nothing is left behind' [ -z "$(find "$out" -type f)" ]
check 'no path of the build is in the programs' \
    sh -c "! grep -qF '$(realpath "$build")' '$root'/bin/*"
cp docs/examples/golden-c/merge.c "$work/home"
find "$root" -type f -exec sha256sum {} + | sort > "$work/before"

# Another user, if there may be one; he may write in his own folder only.
user=()
# What Verilator's runtime is compiled to is the same everywhere and takes long.
mkdir -p "$work/home/.cache/gpusched"
cp -rp "$build/verilated" "$work/home/.cache/gpusched"
chmod 755 "$work"
if [ "$(id -u)" -eq 0 ]; then
    chown -R nobody: "$work/home"
    user=(setpriv --reuid=nobody --regid=nogroup --clear-groups)
fi
cd "$work/home" || exit 1
# another COMMAND... - as this user; stdout and stderr: out, err.
another() {
    checks=$((checks + 1))
    "${user[@]}" env -i PATH="$root/bin:/usr/bin:/bin" HOME="$work/home" "$@" > ../out 2> ../err \
        || { cd ..; say "$*"; cd home || exit 1; }
}
said() { check "it says $1" grep -q "$1" ../out; }

another gpusched run --gpu m2090 --workload hotspot -o result
said '^hotspot small on m2090: done$'
another gpusched run --gpu m2090 --workload mix
another gpusched experiment smoke -o grid --csv
said ',done,'
another gpusched report grid/smoke.sqlite -o smoke.html
check 'a page' [ -s smoke.html ]
another gpusched-unit ports claso
another gpusched-unit vectors claso --cycles=100 -o claso.vec
another gpusched-unit replay --model claso.vec
another gpusched run --gpu c2050 --workload hotspot --rtl=shadow --units=cta_scheduler
said '^  cta_scheduler  *1  *[0-9,]*  *0  '
check 'its RTL is cached at home' [ -n "$(find .cache/gpusched -name 'cta_scheduler-*.so')" ]
another man -M "$root/share/man" -w gpusched gpusched-run gpusched-unit
another bash -c ". '$root/share/bash-completion/completions/gpusched' && complete -p gpusched"
another cc -std=c11 -Wall -Wextra -Werror -I "$root/include/gpusched" -o merge merge.c -L "$root/lib" -lgpusched
another ./merge
said '^7 reads, 4 of them went to the network$'
cd - > /dev/null || exit 1

find "$root" -type f -exec sha256sum {} + | sort > "$work/after"
check 'the installation is as it was' cmp "$work/before" "$work/after"
touch "$root/bin/another-program"
tb/install.sh uninstall "$build" "$root"
check 'all of it is removed, and nothing else' [ "$(find "$root" -type f)" = "$root/bin/another-program" ]

printf 'install: %d checks, %d failed\n' "$checks" "$failed"
[ "$failed" -eq 0 ]
