#!/usr/bin/env bash
# noticed.sh WORK FLAT GPUSCHED-UNIT - what the checks of packaging must not pass over is noticed: each is planted in a copy, in
# the core files, Bender.yml and the lists of a unit; and tools that are missing, or do nothing. The copy has two units, and
# of the other Verilog what these need: the whole is read in package_cores.
# shellcheck disable=SC2016 # dollars of sed
set -euo pipefail

mkdir -p "$1"
work=$(realpath "$1")
flat=$(realpath "$2")
tool=$(realpath "$3")
rm -rf "$work"
mkdir -p "$work/tools" "$work/good/tb/drift"
cp -r rtl Bender.yml "$work/good"
cp -r tb/package tb/conformance tb/verilog.sh "$work/good/tb"
cp tb/drift/xml_ports.awk "$work/good/tb/drift"
cd "$work/good"
# shellcheck source=tb/package/files.sh
. tb/package/files.sh
mapfile -t kept < <(in_order rtl/units/icc.v rtl/units/sm_counter.v rtl/lib/fifo.v rtl/lib/reset_sync.v)
kept+=(rtl/formal/icc_properties.v rtl/formal/icc_ghost.v rtl/units/icc.core rtl/units/sm_counter.core rtl/lib/parts.core rtl/formal/ghosts.core)
mapfile -t gone < <(printf '%s\n' rtl/*/* | grep -vxF -f <(printf '%s\n' "${kept[@]}"))
rm "${gone[@]}"
for file in "${gone[@]}"; do printf '/[ /]%s$/d\n' "${file##*/}"; done > "$work/gone"
sed -i -f "$work/gone" Bender.yml rtl/*/*.core
tb/package/write.sh build/package "$tool" icc
cp -r "$work/good" "$work/copy"
cd "$work/copy"
cases=0
failed=0

# noticed WHAT TEXT COMMAND... - it fails, and a line of what it prints matches TEXT; then all is put back.
noticed() {
    cases=$((cases + 1))
    if "${@:3}" > "$work/said" 2>&1 || ! grep -qE -- "$2" "$work/said"; then
        failed=$((failed + 1))
        printf 'FAIL  not noticed: %s\n' "$1"
        sed 's/^/      /' "$work/said"
    fi
    rm -rf ./*
    cp -r "$work/good/." .
    rm -rf "$work/tools" && mkdir "$work/tools"
}
cores() { tb/package/cores.sh "$work/cores" "$flat" all rtl/*/*.core build/package/*.core; }
unit() { tb/package/unit.sh "$work/unit" build/package "$tool" icc; }
# spoil FILE SED... - must change the file.
spoil() {
    sed -i -E "${@:2}" "$1"
    ! cmp -s "$1" "$work/good/$1" || { echo "noticed.sh: $1 is as it was: ${*:2}"; exit 1; }
}
# silent TOOL... - they do nothing, and say that all is well. without TOOL - there is none.
silent() {
    local name
    for name; do
        printf '#!/bin/sh\nexit 0\n' > "$work/tools/$name"
        chmod +x "$work/tools/$name"
    done
}
without() {
    local folder
    for folder in /usr/bin /bin; do ln -sf "$folder"/* "$work/tools"; done
    rm -f "$work/tools/$1"
    PATH=$work/tools "${@:2}"
}
with() { PATH=$work/tools:$PATH "$@"; }

# Core files.
spoil rtl/units/icc.core 's/default: 48/default: 47/'
noticed 'a wrong value' 'icc.core: other parameters' cores
spoil rtl/units/icc.v '/^\/\/   N_ENTRY /s/1\.\.[0-9]*/1..7/'
noticed 'a range that has changed in the module' 'icc.core: the description of N_ENTRY' cores
spoil rtl/units/icc.core '/^  N_SM:/,/description/d'
noticed 'a parameter that is missing' 'icc.core: other parameters' cores
spoil rtl/units/icc.v 's/(parameter integer N_SM *=) 5/\1 6/'
noticed 'a value that has changed in the module' 'icc.core: other parameters' cores
spoil rtl/units/icc.core '/lint:/,/tools/s/, N_SM//'
noticed 'a parameter that a target has not' 'target lint: not all parameters' cores
spoil rtl/units/icc.core 's/icc\.v/ice.v/'
noticed 'a file that is not there' 'there is no rtl/units/ice.v' cores
spoil rtl/lib/parts.core '/cam\.v/d'
noticed 'a file in no core' 'rtl/lib/cam.v: in no core' cores
cp rtl/lib/cam.v rtl/lib/cap.v
noticed 'a new file' 'rtl/lib/cap.v: in no core' cores
rm rtl/units/icc.core
noticed 'a core that is missing' 'there is no rtl/units/icc.core' cores
spoil rtl/units/icc.core 's/gpusched:lib:parts/gpusched:lib:part/'
noticed 'a core that is not there' 'there is no core gpusched:lib:part$' cores
spoil rtl/units/icc.core 's/name: gpusched:units:icc/name: gpusched:units:sm_counter/'
noticed 'a name twice' 'is another core' cores
spoil rtl/units/icc.core 's/paramtype/paramtyp/'
noticed 'a misspelt key' 'no core has parameters.N_ENTRY.paramtyp$' cores
spoil rtl/units/icc.core '/synth:/,$d'
noticed 'a target that is missing' 'target synth: its toplevel' cores
spoil rtl/units/icc.core 's/toplevel: icc/toplevel: sm_counter/'
noticed 'another toplevel' 'target lint: its toplevel' cores
spoil rtl/units/icc.core 's/^    files:/   files:/'
noticed 'a file that is no YAML' 'cannot be read' cores
spoil rtl/units/icc.core '2s/^/name: icc\n/'
noticed 'a key twice' 'name is there twice' cores
: > rtl/units/icc.core
noticed 'an empty file' 'cannot be read' cores

# Bender.yml.
spoil Bender.yml '/cam\.v/d'
noticed 'Bender.yml without a file' 'Bender.yml: not each file of rtl once: > rtl/lib/cam.v$' cores
spoil Bender.yml 's,lib/cam,lib/cap,'
noticed 'a file that is not there in Bender.yml' 'Bender.yml: there is no rtl/lib/cap.v' cores
spoil Bender.yml '/cam\.v/d; $s,.*,&\n      - rtl/lib/cam.v,'
noticed 'Bender.yml in the wrong order' 'stands before rtl/lib/cam.v, which it needs' cores
spoil Bender.yml 's/^sources:/source:/'
noticed 'a misspelt key of Bender.yml' 'no manifest has source.0$' cores
rm Bender.yml
noticed 'Bender.yml gone' 'Bender.yml cannot be read' cores

# Tools: what one of them does not see, the next one does.
depend='/^    depend: .*parts/d'
spoil rtl/units/icc.core "$depend"
noticed 'a dependence that is missing' 'cam' cores
spoil rtl/units/icc.core "$depend"
silent verilator
noticed 'the same, for Icarus' 'cam' with cores
spoil rtl/units/icc.core "$depend"
silent verilator iverilog
noticed 'the same, for Yosys' 'cam' with cores
for name in verilator iverilog yosys; do
    noticed "no $name" "$name: (command )?not found" without $name cores
done
silent bender
noticed 'bender lists something else' 'rtl/lib/cam.v' with cores
printf '#!/bin/sh\necho fusesoc fails\nexit 1\n' > "$work/tools/fusesoc"
chmod +x "$work/tools/fusesoc"
noticed 'fusesoc fails' '^fusesoc fails$' with cores

# What is written for a unit.
spoil build/package/icc.f '/cam\.v/d'
noticed 'a list without a file' 'stands before a file that it needs, or one is missing' unit
spoil build/package/icc.f '/cam\.v/d; $s,$,\nrtl/lib/cam.v,'
noticed 'a list in the wrong order' 'stands before a file that it needs' unit
spoil build/package/icc.f '$s,.*,rtl/lib/fifo.v\n&,'
noticed 'a list with a file too many' '^-rtl/lib/fifo.v|^< rtl/lib/fifo.v' unit
spoil build/package/icc.f 's,lib/cam,lib/cap,'
noticed 'a list of a file that is not there' 'there is no rtl/lib/cap.v' unit
spoil build/package/icc_top.v 's/\.flush_i \(flush_i\)/.flush_i (request_write_i)/'
noticed 'a top with a wrong wire' 'flush_i' unit
spoil build/package/icc_top.v 's/(N_SM *= )5/\16/'
noticed 'a top with a wrong value' 'parameter N_SM' unit
spoil build/package/icc_top.v '/rst_i/s/\(rst\)/(1'"'b0)/"
noticed 'a top without a reset' "Signal is not used: 'rst'" unit
spoil build/package/icc_top.v 's/\.ASYNC \(RESET_ASYNC\)/.ASYNC (0)/'
noticed 'a top of one style' 'RESET_ASYNC|between two edges does not reset' unit
spoil build/package/icc.vec 's/ 01 / 00 /'
noticed 'a bench that fails' '^FAIL' unit
spoil build/package/icc.core 's/default: 48/default: 47/'
noticed 'a wrong value of a top' 'icc.core: other parameters' cores

echo "checked: cases=$cases"
[ "$failed" -eq 0 ]
