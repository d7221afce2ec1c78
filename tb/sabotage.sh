#!/usr/bin/env bash
# sabotage.sh WORK BUILD SHARE - make test on a copy of the checkout, after it has passed there, with one
# thing after the other spoiled: source, tests, lists of checks, logs, tools. Each time a check
# that ought to notice must fail, and the count must not pass. SHARE: one thing in so many is spoiled.
# shellcheck disable=SC2016 # dollars and backquotes of sed and Verilog
set -uo pipefail

work=$(realpath -m "$1")
build=$(realpath "$2")
share=$3
rm -rf "$work"
mkdir -p "$work/clone/build" "$work/good" "$work/tools"
cp -a Makefile Bender.yml mk .ci .clang-format .clang-tidy cmodel configs docs rtl sim tb "$work/clone"
for part in c gen verilated flags libgolden.new libgolden.a gpusched gpusched-unit; do
    cp -a "$build/$part" "$work/clone/build"
done
cd "$work/clone" || exit 1
unset MAKEFLAGS MAKELEVEL MFLAGS GPUSCHED_DATA
things=0
checks=0
failed=0

# tested NAME... - make test of these checks, as the user would; what it says: said.
tested() {
    has_built=true
    make test ONLY="$*" > "$work/said" 2>&1
}

# ---- A few checks of each kind, at one size ----------------------------------------------------

unit=icc
case=$unit-N_ENTRY.1-N_SM.1-LINE_W.1
test=report_ctas
cfg=tb/units/$unit/$unit.cfg
sed -i '1,/^\[area\]/{/^[0-9A-Z]/{/N_ENTRY=1 N_SM=1 /!d};/^\[night .*\]/d}' $cfg
proof=$(tb/cfg.sh $cfg proofs | sed -n '/^[0-9]/p' | tr ' =' '-.')
all=("unit-$test" "lint-$case" "drift-$case" "paths-$unit" "cfg-$unit" "icarus-$case" "replay-$case"
    "prove-$unit-$proof" run_queries)

tested "${all[@]}"
names=$(sed -n 's/^pass  \([^ ]*\) .*/\1/p' "$work/said" | sort)
if [ "$names" != "$(printf '%s\n' "${all[@]}" | sort)" ]; then
    cat "$work/said"
    exit 1
fi
# Of these checks alone, at this size.
tb/ledger.sh tb/ledger.txt "${all[@]/#/build/log/}" || exit 1
tested "${all[@]}" || { cat "$work/said"; exit 1; }
cp -a Makefile mk cmodel docs rtl sim tb build "$work/good"

# ---- Sabotage ------------------------------------------------------------------------------------

# noticed WHAT TEXT NAME... - make test must fail, with NAME..., of which the first one fails
# with TEXT; then all is put back.
noticed() {
    ! is_due || must_fail "$@"
    put_back Makefile mk cmodel docs rtl sim tb
    rm -f "$work/tools"/*
}
# put_back FILE... - these, and what is built. Where nothing was built since, it is those that have changed, and are few, or
# are gone.
put_back() {
    local file
    if $has_built; then
        rm -rf build "$@"
    else
        find "$@" build/log build/cache -type f -cnewer "$work/then" 2> /dev/null | while IFS= read -r file; do rm "$file"; done
    fi
    cp -an "$work/good/." .
    has_built=false
    touch -d '1 second ago' "$work/then"
}
# must_fail WHAT TEXT NAME...
must_fail() {
    local what=$1 text=$2 status=0
    shift 2
    checks=$((checks + 1))
    tested "$@" && status=1
    grep -q "^not passed: $1: " "$work/said" || status=1
    grep -qE -- "$text" "$work/said" || status=1
    tail -n 1 "$work/said" | grep -qE ' [1-9][0-9]* failed$|^make: ' || status=1
    if [ "$status" -ne 0 ]; then
        failed=$((failed + 1))
        printf 'FAIL  not noticed: %s (%s)\n' "$what" "$1"
        sed 's/^/      /' "$work/said"
    fi
}
# The first of each `share` things.
is_due() { [ $((things++ % share)) -eq 0 ]; }
# spoil FILE SED... - must change the file.
spoil() {
    sed -i -E "${@:2}" "$1"
    ! cmp -s "$1" "$work/good/$1" || { echo "sabotage: $1 is as it was: ${*:2}"; exit 1; }
}
# silent TOOL NAME - the tool does nothing and says that all is well, and the check is made anew.
silent() {
    printf '#!/bin/sh\nexit 0\n' > "$work/tools/$1"
    chmod +x "$work/tools/$1"
    rm -f "build/log/$2" build/rtl/$case.so
    PATH=$work/tools:$PATH noticed "$1 does nothing" "${3:-.}" "$2"
}

# Tests.
source=tb/gpusched/${test}_test.c
first=$(sed -n 's/^ *cmocka_unit_test(\(.*\)),$/\1/p' $source | head -n 1)
spoil $source '1i no C at all'
noticed 'a test that does not compile' 'cannot be built' "unit-$test"
spoil $source "/cmocka_unit_test\($first\)/d; s/^static void $first/__attribute__((unused)) &/"
noticed 'a deleted test' 'fewer than the ledger has' "unit-$test"
spoil $source '/^int main/,/^\{/s/^\{/{ if (sizeof "" != 0u) { return 0; }/'
noticed 'a program that runs no test' 'does not say what was checked' "unit-$test"
spoil $source "/^static void $first/,/^\{/s/^\{/{ skip();/"
noticed 'a skipped test' 'tests were skipped' "unit-$test"
rm $source
noticed 'a removed program' 'it is in the ledger, and no check any more' "unit-$test" "paths-$unit"

# Logs.
: > "build/log/unit-$test"
noticed 'an emptied log' 'its log is damaged' "unit-$test"
spoil "build/log/unit-$test" '$s/tests=.*/tests=1/'
noticed 'a log of fewer tests' 'fewer than the ledger has' "unit-$test"
spoil tb/ledger.txt "/^unit-$test /d"
noticed 'a check that the ledger has not' 'it is not in the ledger' "unit-$test"
spoil tb/ledger.txt "/^unit-$test /s/=.*/=1/"
noticed 'a test more than the ledger has' 'more than the ledger has' "unit-$test"
rm tb/ledger.txt
noticed 'a ledger that is gone' 'it is not in the ledger' "unit-$test"

# Results that are kept, and files whose times say nothing.
# runs WHAT SAID NAME - make test must pass, and make the check as it is SAID.
runs() {
    ! is_due || must_pass "$@"
    put_back
}
must_pass() {
    checks=$((checks + 1))
    if ! tested "$3" || ! grep -q "^$2  $3 " "$work/said"; then
        failed=$((failed + 1))
        printf 'FAIL  %s: not: %s\n' "$1" "$2"
        sed 's/^/      /' "$work/said"
    fi
}
rm "build/log/unit-$test"
runs 'a result is there' 'pass (as before)' "unit-$test"
touch rtl/units/$unit.v tb/drift/paths.sh
runs 'a file with another time is the same file' 'pass (as before)' "paths-$unit"
rm "build/log/unit-$test"
sed -i 's/^checked: .*/checked: tests=99/' "build/cache/unit-$test"/*
runs 'a result that was edited' pass "unit-$test"
rm "build/log/unit-$test"
truncate -s -9 "build/cache/unit-$test"/*
runs 'a result that was cut off' pass "unit-$test"
rm "build/log/paths-$unit"
tee "build/cache/paths-$unit"/* < "$(echo "build/cache/drift-$case"/*)" > /dev/null
runs 'the result of another check' pass "paths-$unit"
spoil $source "/^static void $first/,/^\{/s/^\{/{ assert_true(false);/"
tested "unit-$test"
noticed 'a failure, the second time' '1 failed' "unit-$test"
spoil rtl/units/$unit.v '1i no Verilog at all'
touch -d 2001-01-01 rtl/units/$unit.v
noticed 'RTL with an old time' 'see above' "paths-$unit"
spoil $source '1i no C at all'
touch -d 2001-01-01 $source
noticed 'a test with an old time' 'cannot be built' "unit-$test"

# RTL, and lists.
spoil rtl/units/$unit.v '1i no Verilog at all'
noticed 'RTL with a mistake in it' 'cannot be built' "replay-$case" "icarus-$case"
rm rtl/units/$unit.v
noticed 'RTL that is gone' 'which is gone|cannot be built' "paths-$unit"
spoil rtl/units/$unit.v '/^`ifdef FORMAL/,/^`endif/d'
noticed 'no properties' 'no assertions' "prove-$unit-$proof"
for list in "sizes drift-$case" "proofs prove-$unit-$proof"; do
    section="/^\[${list% *}\]/,/^\[/"
    : > $cfg
    noticed 'an empty file' 'it is in the ledger, and no check any more' "${list#* }" "unit-$test"
    spoil $cfg "/^\[${list% *}\]/d"
    noticed 'a section that is gone' 'it is in the ledger, and no check any more' "${list#* }" "unit-$test"
    spoil $cfg "${section}s/^[0-9A-Z]/# &/"
    noticed 'a list with a size less' 'it is in the ledger, and no check any more' "${list#* }" "unit-$test"
    spoil $cfg "${section}s/^[0-9A-Z]/  &/"
    if is_due && ! tested "${list#* }"; then
        failed=$((failed + 1))
        echo 'FAIL  an indented list is another one'
    fi
    cp -a "$work/good/$cfg" $cfg
done
spoil $cfg '/^\[sizes\]/d'
noticed 'a file without sizes' 'there is no \[sizes\]' "cfg-$unit"
spoil $cfg '/^\[area\]/d'
noticed 'a unit whose area is not measured' 'there is no \[area\]' "cfg-$unit"
spoil mk/checks.mk 's/^(STAGES := .*) drift/\1/'
noticed 'a kind of checks that is left out' 'it is in the ledger, and no check any more' "drift-$case" "unit-$test"

# The checks themselves.
printf '#!/bin/sh\nexit 0\n' > tb/drift/ports.sh
noticed 'a script that checks nothing' 'does not say what was checked' "drift-$case"

# Tests of the command line.
cli=tb/cli/queries.bats
spoil $cli 's/-eq 2 ]/-eq 7 ]/'
noticed 'an assertion that does not hold' '^# FAIL: there are two: ' run_queries
spoil $cli '/there are two/d'
noticed 'a deleted assertion' 'fewer than the ledger has' run_queries
spoil $cli 's/^( *)check .the same bytes. /\1/'
noticed 'an assertion without a name' 'fewer than the ledger has' run_queries
spoil $cli '/^@test "a result/,$s/^    .*/    true/'
noticed 'a test that does nothing' 'a test without an assertion' run_queries
spoil $cli 's/^@test .*/&\n    skip/'
noticed 'a skipped test of the command line' 'tests were skipped' run_queries
spoil $cli '/^@test/,$d'
noticed 'a file without tests' 'does not say what was checked' run_queries
rm $cli
noticed 'a file of tests that is gone' 'it is in the ledger, and no check any more' run_queries "unit-$test"

# Tools.
for tool in verilator iverilog yosys; do silent $tool "lint-$case" 'finds nothing in'; done
silent verilator "drift-$case"
silent verilator "replay-$case"
silent iverilog "icarus-$case"
silent vvp "icarus-$case"
for tool in yosys yosys-smtbmc yosys-abc z3; do silent $tool "prove-$unit-$proof"; done
silent yosys "paths-$unit" 'wrote no cone'
silent bats run_queries 'does not say what was checked'
rm -f build/test/$test build/c/${source%.c}.o
silent gcc "unit-$test"
for pair in 'clang lint_clang' 'clang-format lint_format' 'shellcheck lint_shell' \
    'clang-tidy lint_tidy-sim.unit'; do
    silent "${pair% *}" "${pair#* }" 'finds nothing in'
done

printf 'sabotage: %d checks, %d failed\n' "$checks" "$failed"
[ "$failed" -eq 0 ]
