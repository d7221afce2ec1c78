#!/usr/bin/env bash
# libraries.sh GPUSCHED-UNIT RUNTIME - libraries of RTL that a run makes: by what is in the files, with
# nothing of the environment, whole or not at all, by one of many at once, and where they can be written.
# In a small clone, whose Verilog is changed. RUNTIME: the folder with the compiled runtime of Verilator.
set -uo pipefail

tool=$(realpath "$1")
runtime=$(realpath "$2")
source=$PWD
checks=0
failed=0
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
chmod 755 "$work"

check() {
    checks=$((checks + 1))
    "${@:2}" || { failed=$((failed + 1)); printf 'FAIL  %s\n' "$1"; cat "$work/out" "$work/err"; }
}

clone=$work/clone
mkdir -p "$clone/build"
cp -r "$source"/{Makefile,mk,cmodel,configs,rtl,tb} "$clone"
cp "$tool" "$clone/build"
cp -r "$runtime" "$clone/build"
# Its compiled headers halve the time of a library.
if [ -d "$runtime/../headers" ]; then ln -s "$runtime/../headers" "$clone/build/headers"; fi
ln -srfn "$clone" "$clone/build/checkout"
tool=$clone/build/gpusched-unit
verilog=$clone/rtl/units/coalesced_cache.v
size=(N_LINE=2 LINE_W=3)
library=$clone/build/rtl/coalesced_cache-N_LINE.2-LINE_W.3.so
unset GPUSCHED_DATA

# ends STATUS COMMAND... - its exit status; out, err.
ends() {
    local status=0
    "${@:2}" > "$work/out" 2> "$work/err" || status=$?
    check "$*: exit status $status" [ "$status" -eq "$1" ]
}
lockstep=("$tool" lockstep coalesced_cache "${size[@]}" --cycles=2000 --report="$work/report")
differ() { ! cmp -s "$1" "$2"; }
names() {
    check "the result names $1" grep -q "; RTL .*$1 $(sha256sum < "$clone/$1" | cut -c 1-12)\$" "$work/out"
}
built() { check "$1: built $2 times" [ "$(grep -c '^verilate' "$work/err")" -eq "$2" ]; }
inode() { stat -c %i "$library"; }

# ---- The environment --------------------------------------------------------------------------

ends 0 env RTL=/nowhere OUT=/nowhere/out UNIT=nobody PARAMS=X=1 BUILD=/nowhere/build SO=/nowhere/so MAKEFLAGS=-n \
    MAKEFILES=/nowhere CFLAGS=--no CXXFLAGS=--no CXX=false CPPFLAGS=--no SEED=x CYCLES=x MODE=x SIZES=/nowhere V=1 \
    SHELL=/bin/false "${lockstep[@]}"
names rtl/units/coalesced_cache.v
check 'the library is in its place' [ -s "$library" ]
check 'nothing is left beside it' [ "$(find "$clone/build/rtl" -type f ! -name '*.lock' ! -name '*.made' | wc -l)" -eq 1 ]

# ---- Logic that uses the clock ------------------------------------------------------------------

# Then the inputs' logic is evaluated at the rising edge, too: registers on a gated clock are the golden model's.
cp -p "$verilog" "$work/kept.v"
gate='wire gated = clk \& (lookup_valid_i | insert_valid_i | flush_i | rst_i);'
sed -i "s#^ *// ---- Clocked -*\$#$gate#; s/posedge clk)/posedge gated)/" "$verilog"
check 'the clock is gated' differ "$verilog" "$work/kept.v"
ends 0 "${lockstep[@]}"
names rtl/units/coalesced_cache.v
cp -p "$work/kept.v" "$verilog"
ends 0 "${lockstep[@]}"

# ---- What is in the files, and not their times --------------------------------------------------

before=$(inode)
touch "$verilog" "$clone/cmodel/base/unit.h"
ends 0 "${lockstep[@]}"
check 'a file with another time is the same file' [ "$(inode)" = "$before" ]
sed -i 's/module coalesced_cache/\/\/ changed\n&/' "$verilog"
touch -d '2001-01-01' "$verilog"
ends 0 "${lockstep[@]}"
check 'changed, with an old time, it is built again' [ "$(inode)" != "$before" ]
names rtl/units/coalesced_cache.v
before=$(inode)
# compiler FOLDER TEXT - a g++ there, whose version begins with the text. For Verilator's runtime, which takes ten times as
# long as the library, it takes what is there.
compiler() {
    mkdir "$1"
    cat > "$1/g++" << END
#!/bin/bash
[ "\$1" != --version ] || printf %s '$2'
case \${!#} in
    */verilated*.cpp)
        while [ "\$1" != -o ]; do shift; done
        file=\${!#}
        file=\${file##*/}
        exec cp '$runtime'/"\${file%.cpp}.o" "\$2"
        ;;
esac
exec $(command -v g++) "\$@"
END
    chmod +x "$1/g++"
}
compiler "$work/bin" changed
compiler "$work/back" ''
ends 0 env PATH="$work/bin:$PATH" "${lockstep[@]}"
check 'by another version of a tool it is built again' [ "$(inode)" != "$before" ]
ends 0 env PATH="$work/back:$PATH" "${lockstep[@]}"
ends 0 "${lockstep[@]}"

# ---- Without make, if all is as it was noted ---------------------------------------------------------

mkdir "$work/no-make"
printf '#!/bin/sh\nexit 1\n' > "$work/no-make/make"
chmod +x "$work/no-make/make"
without_make=(env PATH="$work/no-make:$PATH" "${lockstep[@]}")
ends 0 "${without_make[@]}"
# asks WHAT COMMAND... - after the command, make is asked.
asks() {
    cp -a "$clone" "$work/kept"
    "${@:2}"
    ends 2 "${without_make[@]}"
    check "$1: make is asked" grep -q 'make could not build' "$work/err"
    rm -rf "$clone"
    mv "$work/kept" "$clone"
}
asks 'other Verilog' sed -i '1i // other' "$verilog"
asks 'another port table' sed -i '1i /* other */' "$clone/cmodel/units/coalesced_cache_ports.def"
asks 'a file that may be found in its place' touch "$clone/rtl/units/other.v"
append() { printf 0 >> "$1"; }
asks 'another library' append "$library"
asks 'no note' rm "$library.made"
asks 'an empty note' truncate -s 0 "$library.made"
asks 'a note cut off' sed -i -n 1p "$library.made"
asks 'a note of another tool' sed -i 's/^\(tool .*\)$/\10/' "$library.made"
ends 2 env PATH="$work/no-make:$work/bin:$PATH" "${lockstep[@]}"
ends 0 "${without_make[@]}"

# ---- Damage ------------------------------------------------------------------------------------

cp "$library" "$work/good"
bytes=$(stat -c %s "$library")
spoil() { # NAME COMMAND... - a copy that the command changes is refused, and built again in its place
    cp "$work/good" "$work/bad.so"
    "${@:2}" "$work/bad.so"
    check "$1: is changed" differ "$work/good" "$work/bad.so"
    ends 2 "${lockstep[@]}" --rtl="$work/bad.so"
    check "$1: one line" [ "$(wc -l < "$work/err")" -eq 1 ]
    check "$1: it is named" grep -qF "$work/bad.so: " "$work/err"
    cp "$work/bad.so" "$library"
    ends 0 "${lockstep[@]}"
    check "$1: whole again" differ "$work/bad.so" "$library"
    check "$1: with its digest" [ "$(tail -c 77 "$library")" = "$(tail -c 77 "$work/good")" ]
}
spoil 'cut off' truncate -s $((bytes / 2))
zero() { dd if=/dev/zero of="$1" bs=4096 seek=4 count=$(((bytes - 100) / 4096 - 4)) conv=notrunc status=none; }
spoil 'code of zeros' zero
ends 2 "${lockstep[@]}" --rtl="$work/none.so"
check 'none: it is named' grep -qF "$work/none.so: No such file" "$work/err"
mkdir "$work/folder"
ends 2 "${lockstep[@]}" --rtl="$work/folder"
cp "$work/good" "$work/folder/${library##*/}"
ends 0 "${lockstep[@]}" --rtl="$work/folder"

# ---- Many at once ----------------------------------------------------------------------------------

rm "$library"
for i in 1 2 3; do
    { "${lockstep[@]}" > "$work/out.$i" 2> "$work/err.$i"; echo $? > "$work/status.$i"; } &
done
wait
cat "$work"/err.? > "$work/err"
check 'three at once' [ "$(cat "$work"/status.?)" = $'0\n0\n0' ]
built 'three at once' 1

# ---- A build folder that cannot be written ------------------------------------------------------------

as_other=()
if [ "$(id -u)" -eq 0 ]; then
    as_other=(setpriv --reuid=65534 --regid=65534 --clear-groups)
    mkdir -m 777 "$work/cache" "$work/home"
else
    mkdir "$work/cache" "$work/home"
fi
rm "$library"
mkdir "$work/cache/gpusched"
cp -rp "$clone/build/verilated" "$work/cache/gpusched" # the runtime, which takes ten times as long as the library
chmod -R a+rwX "$work/cache/gpusched"
chmod -R a-w "$clone/build"
ends 0 "${as_other[@]}" env HOME=/nowhere XDG_CACHE_HOME="$work/cache" "${lockstep[@]:0:6}"
names rtl/units/coalesced_cache.v
check 'the library is in the cache' [ -s "$work/cache/gpusched/rtl/${library##*/}" ]
mv "$work/cache/gpusched" "$work/kept"
mkdir "$work/home/.cache"
mv "$work/kept" "$work/home/.cache/gpusched"
ends 0 "${as_other[@]}" env -u XDG_CACHE_HOME HOME="$work/home" "${lockstep[@]:0:6}"
built 'from the cache' 0
names rtl/units/coalesced_cache.v
check 'the build folder is as it was' [ ! -e "$library" ]

printf 'libraries: %d checks, %d failed\n' "$checks" "$failed"
[ "$failed" -eq 0 ]
