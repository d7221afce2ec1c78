#!/usr/bin/env bash
# rtl_library.sh SAY LIBRARY.so UNIT.v SEARCH PARAMS CXX CXXFLAGS INCLUDES TOOLS DEPENDENCY... -
# verilates a unit with these parameters to a library that gpusched and gpusched-unit load (rtl.h).
#
# The library ends with a line that has the digest of all that it is made of: Verilog, parameters, the
# sources of ours in DEPENDENCY, flags, and the versions of the tools, which file TOOLS has. One that
# ends with the right line is left alone. Any number of these scripts may be asked for the same library at
# once: one of them builds it. It gets its name when it is whole. SAY=say: what is built is named.
# SEARCH: options for where modules are looked for. Objects among the dependencies are linked.
#
# THEIRS=UNIT in the environment: another's module of this name, in any number of files in place of UNIT.v. The library
# says that it is another's (rtl.h), and is built whatever is there, since nobody knows on which other files it depends.
# REGISTERS=no: none of its registers are public. FROM: the folder that is left out of the names of its files.
set -euo pipefail

say=$1
library=$2
read -ra verilog <<< "$3"
read -ra search <<< "$4"
read -ra params <<< "$5"
read -ra cxx <<< "$6"
read -ra flags <<< "$7"
read -ra includes <<< "$8"
tools=$9
shift 9
theirs=${THEIRS-}
unit=${theirs:-$(basename "${verilog[0]}" .v)}
public=(cmodel/lockstep/registers.vlt)
[ "${REGISTERS-}" != no ] || public=()
dependencies=("$@")
objects=()
for file in "$@"; do
    case $file in *.o) objects+=("$file") ;; esac
done

digest=$(
    {
        printf '%s\n' "$unit ${params[*]}" "${flags[*]}"
        cat "$tools"
        sha256sum "$0" "${verilog[@]}" "$@" | sed 's/ .*\// /'
        echo "${verilog[*]}"
    } | sha256sum | cut -d ' ' -f 1
)
last="gpusched-rtl $digest"
is_there() { [ "$(tail -c ${#last} "$library" 2> /dev/null | tr -d '\0')" = "$last" ]; }

# names FOLDER - of its Verilog files.
names() {
    [ ! -d "$1" ] || (cd "$1" && find . -maxdepth 1 -name '*.v' | sed 's/^..//' | LC_ALL=C sort)
}
# What it is made of, for who asks without make (rtl_made.h). It gets its name when it is whole.
note() {
    local file folder tool path
    {
        printf 'gpusched-made %s\n' "$digest"
        sha256sum "$0" "${verilog[@]}" "$tools" Makefile mk/*.mk "${dependencies[@]}" | sed 's/^\([0-9a-f]*\)  /file \1 /'
        for folder in "${search[@]}"; do
            [ "$folder" != -y ] || continue
            printf 'names %s %s\n' "$(names "$folder" | sha256sum | cut -d ' ' -f 1)" "$folder"
        done
        for tool in verilator verilator_bin "${cxx[0]}"; do
            path=$(type -P "$tool") && path=$(stat -L -c "$path %s %.9Y" "$path") || path=-
            printf 'tool %s %s\n' "$tool" "$path"
        done
    } > "$library.made.$$"
    mv "$library.made.$$" "$library.made"
}

# In a folder that cannot be written, who asks goes on to ask make.
if [ -z "$theirs" ]; then
    if is_there; then
        note 2> /dev/null || true
        exit 0
    fi
    mkdir -p "$(dirname "$library")"
    exec 9> "$library.lock"
    flock 9
    if is_there; then exit 0; fi
fi
[ "$say" != say ] || printf '%-9s %s\n' verilate "rtl/$(basename "$library")" >&2

work=$library.work
rm -rf "$work"
mkdir -p "$work"
trap 'rm -rf "$work"' EXIT
root=$(verilator -getenv VERILATOR_ROOT)/include
# The ports of a composition's parts can be seen, so that a part is compared there.
if [ -z "$theirs" ]; then
    {
        echo '`verilator_config'
        sed -n 's/^PART([a-z_0-9]*, *\([a-z_0-9]*\),.*/\1/p' "cmodel/units/${unit}_ports.def" | while read -r part; do
            printf 'public_flat_rd -module "%s" -var "%s"\n' "$part" '*_i' "$part" '*_o'
        done
    } > "$work/parts.vlt"
    public+=("$work/parts.vlt")
fi
# The elements of an array stay instances, with inputs and registers of their own side by side. So Verilator makes one
# piece of code for all of them, unless they call functions of Verilog; within the array each would have its own.
array=()
if [ -z "$theirs" ] && grep -q '^PARTS(' "cmodel/units/${unit}_ports.def"; then
    {
        echo '`verilator_config'
        sed -n 's/^PARTS([a-z_0-9]*, *\([a-z_0-9]*\),.*/no_inline -module "\1"\npublic_flat_rd -module "\1" -var "*_i"/p' \
            "cmodel/units/${unit}_ports.def"
    } > "$work/array.vlt"
    array=("$work/array.vlt")
fi
verilator --cc -O3 --x-assign fast --x-initial fast --noassert --trace-fst --trace-max-array 4096 \
    --trace-max-width 8192 --prefix Vdut -Wno-fatal -Wno-lint -Wno-style "${search[@]}" \
    "${params[@]/#/-G}" --top-module "$unit" --Mdir "$work" "${public[@]}" "${array[@]}" "${verilog[@]}"

# Verilator evaluates all logic from inputs at every evaluation. That comes to what is there already while the inputs
# stay, as they do from a cycle's evaluation to its rising edge (rtl_unit.cpp), unless that logic uses the clock.
uses_clock() {
    awk '/^[A-Z].*___ico_.*\{$/ { inside = 1 } inside && /[>.]clk[^A-Za-z0-9_]/ { found = 1 } /^}/ { inside = 0 }
        END { exit !found }' "$work"/Vdut*.cpp
}
guard=
if ! uses_clock; then
    guard=yes
    sed -i 's/^\( *\)Vdut___024root___eval_triggers__ico(vlSelf);$/\1if (rtl_inputs_stay(vlSelf)) break;\n&/' "$work"/Vdut___024root__*.cpp
fi

# The files that Verilator has read, with their digests.
sed -n 's/^S .*"\(.*\.s\?vh\?\)"$/\1/p' "$work/Vdut__verFiles.dat" | while IFS= read -r file; do
    printf '%s%s %s' "${comma-}" "${file#"${FROM-}"/}" "$(sha256sum < "$file" | cut -c 1-12)"
    comma=', '
done > "$work/source"
# All in one file: half of the time goes into headers.
# Only what depends on a register or an input that has changed, in RTL of which we know what it may be.
cp "$work/Vdut___024root.h" "$work/header"
sed -i -E 's/^( *VL_IN[0-9W]*\()([A-Za-z0-9_]+)(,[^;]*);$/&\n\1rtl_before_\2\3{};/' "$work/Vdut___024root.h"
if [ -z "$guard" ] || [ -n "$theirs" ] || [ ${#array[@]} -gt 0 ] \
    || ! awk -f cmodel/lockstep/rtl_guard.awk "$work/header" "$work"/Vdut*.cpp > "$work/module.cpp"; then
    {
        printf '#include <cstring>\n#include "Vdut___024root.h"\n'
        printf '[[maybe_unused]] static bool rtl_inputs_stay(Vdut___024root *vlSelf)\n{\n    if (vlSelf->clk) return true;\n    bool stay = true;\n'
        sed -n -E 's/^ *VL_IN[0-9W]*\(([A-Za-z0-9_]+),.*/\1/p' "$work/header" | while IFS= read -r port; do
            now="vlSelf->$port" before="vlSelf->rtl_before_$port"
            printf '    stay = stay && std::memcmp(&%s, &%s, sizeof %s) == 0;\n' "$before" "$now" "$now"
            printf '    std::memcpy(&%s, &%s, sizeof %s);\n' "$before" "$now" "$now"
        done
        printf '    return stay;\n}\n'
        cat "$work"/Vdut*.cpp
    } > "$work/module.cpp"
fi
if [ -n "$guard" ] && [ ${#array[@]} -gt 0 ]; then
    headers=$(find "$work" -name 'Vdut_[!_]*.h' ! -name '*___024root.h' | sort)
    # shellcheck disable=SC2086 # a file each
    sed -i 's/^    \/\/ INTERNAL VARIABLES$/    char rtl_before[32]{};\n&/' $headers
    # shellcheck disable=SC2086
    awk -f cmodel/lockstep/rtl_array.awk $headers "$work/module.cpp" > "$work/array.cpp"
    mv "$work/array.cpp" "$work/module.cpp"
fi
# At each dump all values are given, as the golden model's are (rtl_unit.cpp): a waveform has some twenty cycles, and code
# that compares each value with the last one would take a fifth of the time.
sed -i -e '/^void Vdut___024root__trace_chg_sub_[0-9]*(.*{$/,/^}/d' -e 's/__trace_chg_sub_/__trace_full_sub_/' "$work/module.cpp"
# What runs once, or for a waveform, is not optimized: that would take as long as the rest.
sed -i 's/^void Vdut___024root__trace/VL_ATTR_COLD &/' "$work/module.cpp"
{
    printf '#include "rtl_headers.hpp"\n#undef VL_ATTR_COLD\n#define VL_ATTR_COLD __attribute__((cold, optimize("O0")))\n'
    # One piece of code for all elements would be one for each again.
    [ ${#array[@]} = 0 ] || printf '#undef VL_INLINE_OPT\n#define VL_INLINE_OPT __attribute__((noinline))\n'
    echo '#include "module.cpp"'
    echo '#include "cmodel/lockstep/rtl_unit.cpp"'
} > "$work/all.cpp"
{
    echo 'extern "C" __attribute__((visibility("default"))) const char rtl_source[] ='
    printf 'R"(%s)";\n' "$(cat "$work/source")"
    [ -z "$theirs" ] || echo 'extern "C" __attribute__((visibility("default"))) const bool rtl_theirs = true;'
} > "$work/source.cpp"
# Where the headers have been compiled with these flags, they are in the first of these folders.
"${cxx[@]}" -std=c++17 "${flags[@]}" -fPIC -fvisibility=hidden -shared -DUNIT="$unit" -I"${tools%/*}/../headers" \
    -Icmodel/lockstep -I"$work" -I"$root" -I"$root/vltstd" "${includes[@]}" -o "$work/part" "$work/all.cpp" "$work/source.cpp" "${objects[@]}" -lz
printf '%s' "$last" >> "$work/part"
mv "$work/part" "$library"
[ -n "$theirs" ] || note
