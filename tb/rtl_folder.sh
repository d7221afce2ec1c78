#!/usr/bin/env bash
# rtl_folder.sh WORK BUILD - RTL=FOLDER is honoured by every check of Verilog: each says that it tested the
# module in that folder, with its digest; a defect there fails what compares behaviour; a module of
# another name fails everything; and where there is no such folder or file, nothing is run.
set -uo pipefail

work=$(realpath -m "$1")
build=$(realpath "$2")
checks=0
failed=0
rm -rf "$work"
mkdir -p "$work"/{copy,broken,renamed,empty,sizes}
said=$work/said
check() {
    checks=$((checks + 1))
    "${@:2}" || { failed=$((failed + 1)); printf 'FAIL  %s\n' "$1"; tail -n 30 "$said"; }
}

unit=coalesced_cache
case=$unit-N_LINE.2-LINE_W.3
printf '[sizes]\nN_LINE=2 LINE_W=3\n' > "$work/sizes/$unit.cfg"
cp rtl/*/*.v "$work/copy"
for file in "$work"/copy/*.v; do echo '// a copy' >> "$file"; done
sed -f <(tb/cfg.sh "tb/units/$unit/$unit.cfg" defect) "rtl/units/$unit.v" > "$work/broken/$unit.v"
sed "s/^module $unit/module other/" "rtl/units/$unit.v" > "$work/renamed/$unit.v"
check 'the defect changes something' eval "! cmp -s rtl/units/$unit.v '$work/broken/$unit.v'"

# made FOLDER WORD... - make with RTL=FOLDER; its status.
made() {
    env -u MAKEFLAGS -u MAKELEVEL make -k -s --no-print-directory BUILD="$build" RTL="$work/$1" OUT="$work/out-$1" \
        CXXFLAGS=-O0 CYCLES=20000 SIZES_DRAWN=0 SIZES="$work/sizes" "${@:2}" > "$said" 2>&1
}
logs=("lint-$case" "drift-$case" "paths-$unit" "drift_defects-$unit" "lockstep-$unit" "icarus-$case"
    "verilator-$case" "replay-$case" "systemc-$case" "planted-$unit" "prove-$unit-3-10-N_LINE.2-LINE_W.3")
# The logs that are there, of those.
passed() { (cd "$work/out-$1/log" 2> /dev/null && find . -type f ! -name '*.failed' -printf '%P\n' | sort | tr '\n' ' '); }
sorted() { printf '%s\n' "$@" | sort | tr '\n' ' '; }

# ---- A copy: every check says that it is what it tested --------------------------------------------

made copy UNIT=$unit "${logs[@]/#/$work/out-copy/log/}"
check 'a copy passes everything' [ "$(passed copy)" = "$(sorted "${logs[@]}")" ]
digest=$(sha256sum < "$work/copy/$unit.v" | cut -c 1-12)
for log in "${logs[@]}"; do
    case $log in
        planted-*) named="RTL $work/out-copy/$log/[a-z]*/$unit.v|rtl  .*/$unit.v" ;; # spoiled copies of it
        *) named="RTL .*$work/copy/$unit.v $digest" ;;
    esac
    check "$log names the file" grep -qE "$named" "$work/out-copy/log/$log"
    check "$log names no file of ours" eval "! grep -E 'RTL +rtl/' '$work/out-copy/log/$log' | grep -v '^equal.*vectors'"
done
made copy UNIT=cluster_port PARAMS='N_ENTRY=2 N_LINE=2 N_SM=2 LINE_W=3' lockstep
check 'a composition names its parts' grep -qE \
    "; RTL ($work/copy/[a-z_]*.v [0-9a-f]{12}, )*$work/copy/cluster_port.v [0-9a-f]{12}, $work/copy/coalesced_cache.v $digest, $work/copy/icc.v [0-9a-f]{12}(, $work/copy/[a-z_]*.v [0-9a-f]{12})*\$" "$said"

# ---- A defect ----------------------------------------------------------------------------------------

tried=("lint-$case" "drift-$case" "lockstep-$unit" "icarus-$case" "replay-$case" "systemc-$case")
made broken UNIT=$unit "${tried[@]/#/$work/out-broken/log/}"
check 'a defect fails what compares' [ "$(passed broken)" = "$(sorted "drift-$case" "lint-$case")" ]
made broken UNIT=$unit PARAMS='N_LINE=2 LINE_W=3' lockstep
check 'one size: it fails' [ $? -ne 0 ]
check 'one size: it says so' grep -q "^DIFFERENCE $unit N_LINE=2 LINE_W=3\$" "$said"
check 'one size: of this file' grep -q "^  rtl        $work/broken/$unit.v $(sha256sum < "$work/broken/$unit.v" | cut -c 1-12)," "$said"

# ---- A module of another name ----------------------------------------------------------------------------

made renamed UNIT=$unit "${logs[@]/#/$work/out-renamed/log/}"
check 'a module of another name passes nothing' [ "$(passed renamed)" = '' ]

# ---- No such file ------------------------------------------------------------------------------------------

for folder in nowhere empty; do
    for target in lint drift lockstep conformance systemc dpi planted prove; do
        made $folder UNIT=$unit $target
        check "$target, $folder: it fails" [ $? -eq 2 ]
        check "$target, $folder: one line that says so" [ "$(grep -c . "$said")" -eq 1 ]
        check "$target, $folder: where" grep -qF "RTL=$work/$folder: no file $unit.v is there" "$said"
        check "$target, $folder: nothing is made" [ ! -e "$work/out-$folder" ]
    done
done
made nowhere lint
check 'without UNIT: all units must be there' grep -qE "RTL=$work/nowhere: no file [a-z_]+.v is there" "$said"

printf 'rtl_folder: %d checks, %d failed\n' "$checks" "$failed"
[ "$failed" -eq 0 ]
