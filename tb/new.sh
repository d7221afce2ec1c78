#!/usr/bin/env bash
# new.sh UNIT TABLE BUILD - writes what a unit consists of, to begin with: header, model, module, core file, test, file of
# its checks, page. The port table is TABLE, or if that is empty cmodel/units/UNIT_ports.def. No file is overwritten;
# what is written is removed again if the table is wrong.
set -euo pipefail

unit=$1
table=$2
build=$3
def=cmodel/units/${unit}_ports.def
usage() {
    echo "make new: $1" >&2
    exit 2
}
[[ $unit =~ ^[a-z][a-z_]*$ ]] || usage "UNIT='$unit': a name of small letters and _ is needed"
folder=units # where its module goes; a composition's to rtl/top
! grep -qs '^PART(' "${table:-$def}" || folder=top
files=("cmodel/units/$unit".{h,c} "rtl/$folder/$unit".{v,core} "tb/units/$unit/${unit}_test.c" "tb/units/$unit/$unit.cfg" "docs/units/$unit.md")
[ -z "$table" ] || files+=("$def")
for file in "${files[@]}"; do
    [ ! -e "$file" ] || usage "$file is there already, and is not overwritten"
done
[ -f "${table:-$def}" ] || usage "${table:-$def}: there is no such table; TABLE=FILE names one"

done=false
remove() {
    $done && return
    rm -f "${files[@]}" "$build"/?/cmodel/units/{unit_types,"$unit"}.[do] # the list of units is made again
    rmdir "tb/units/$unit" 2> /dev/null || true
}
trap remove EXIT
mkdir -p "tb/units/$unit"
[ -z "$table" ] || cp "$table" "$def"
# fill FILE - the template on stdin, for this unit, goes to the file's end.
fill() {
    sed "s/@unit@/$unit/g; s/@folder@/$folder/g; s/@UNIT@/${unit^^}/g" >> "$1"
}
# has PATTERN - the table has such a row.
has() { grep -q "^$1(" "$def"; }

fill "cmodel/units/$unit.h" << 'END'
/*
 * @unit@ - TODO: what it is, in a sentence.
 *
 * Golden model of @unit@.v, whose header repeats the sections below. Fields and their
 * meaning: @unit@_ports.def; types and functions: unit.h.
 *
 * Contract
 *   TODO: what the unit does in a cycle, and what it promises.
 *   Illegal    TODO: what illegal stimulus does. It never corrupts the state.
 *
 * Reset
 *   All registers are 0. The memories keep what they hold.
 *
 * Source
 *   TODO: paper and section.
 *
 * Deviations
 *   - TODO: what differs from the source, and each gap of the source with the reading built.
 */

#ifndef @UNIT@_H
#define @UNIT@_H

END
# Its parts are declared before it.
parts=$(sed -n 's/^PARTS*([a-z_]*, *\([a-z_]*\),.*/#include "units\/\1.h"/p' "$def" | sort -u)
[ -z "$parts" ] || printf '%s\n\n' "$parts" >> "cmodel/units/$unit.h"
fill "cmodel/units/$unit.h" << 'END'
#define UNIT @unit@
#include "base/unit_declare.h"

#endif
END
fill "cmodel/units/$unit.c" << 'END'
/* @unit@ - TODO: what this file has; see @unit@.h. */

#include "units/@unit@.h"

END
# A composition shows its parts to who watches them.
if has PART; then
    fill "cmodel/units/$unit.c" << 'END'
void @unit@_eval_watched(const struct @unit@ *unit, const struct @unit@_in *in, struct @unit@_out *out,
    struct @unit@_next *next, const struct unit_watch *watch)
{
    memset(out, 0, sizeof *out);
    @unit@_hold(unit, next);
    (void)in; /* TODO: outputs from unit and in; what the edge changes in next. */
    (void)watch; /* TODO: to @unit@_eval_ and the name of each part. */
}

#define UNIT_COMPOSITION

END
else
    fill "cmodel/units/$unit.c" << 'END'
void @unit@_eval(const struct @unit@ *unit, const struct @unit@_in *in, struct @unit@_out *out,
    struct @unit@_next *next)
{
    memset(out, 0, sizeof *out);
    @unit@_hold(unit, next);
    (void)in; /* TODO: outputs from unit and in; what the edge changes in next. */
}

END
fi
! has QUIET || fill "cmodel/units/$unit.c" << 'END'
bool @unit@_quiet(const struct @unit@ *unit, const struct @unit@_in *in)
{
    (void)unit;
    (void)in;
    return false; /* TODO: true where no edge changes anything while these inputs hold. */
}

END
! has ADVANCE || fill "cmodel/units/$unit.c" << 'END'
void @unit@_advance(struct @unit@ *unit, const struct @unit@_in *in, uint64_t n)
{
    struct @unit@_out out;
    struct @unit@_next next;

    while (n-- > 0u) { /* TODO: all edges at once. */
        @unit@_eval(unit, in, &out, &next);
        @unit@_tick(unit, &next);
    }
}

END
! has '\(EVENT\|PARTS*\)' || fill "cmodel/units/$unit.c" << 'END'
void @unit@_count(const struct @unit@ *unit, const struct @unit@_in *in, const struct @unit@_out *out,
    struct @unit@_events *events)
{
    (void)unit;
    (void)in;
    (void)out;
    (void)events; /* TODO: counts what this cycle meets, and passes the call on to the parts. */
}

#define UNIT_OWN_COUNT
END
fill "cmodel/units/$unit.c" << 'END'
#define UNIT @unit@
#include "base/unit_define.h"
END
sed -i '0,/#include/s//#include <string.h>\n\n#include/' "cmodel/units/$unit.c"
fill "tb/units/$unit/${unit}_test.c" << 'END'
/* Tests of @unit@'s golden model. TODO: worked examples of the source, each a sentence. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include "units/@unit@.h"

static void without_inputs_nothing_changes_after_a_reset(void **state)
{
    const char *const standard[] = { NULL };
    struct fault fault;
    struct unit *const unit = unit_open("@unit@", standard, &fault);
    const struct @unit@_state reset = *(const struct @unit@_state *)unit_state(unit);

    (void)state;
    unit_eval(unit);
    unit_edge(unit, false);
    assert_memory_equal(&reset, unit_state(unit), sizeof reset);
    unit_close(unit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_inputs_nothing_changes_after_a_reset),
    };
    return cmocka_run_group_tests_name("@unit@", tests, NULL, NULL);
}
END
clang-format -i "cmodel/units/$unit.c" "tb/units/$unit/${unit}_test.c" 2> /dev/null || true # it is no must to have
fill "docs/units/$unit.md" << 'END'
# @unit@: TODO, what the unit does

TODO: what the unit is for, in a paragraph.

## Where it sits in the GPU

TODO.

## Source and deviations

TODO. RTL (register-transfer level Verilog): [@unit@.v](../../rtl/@folder@/@unit@.v). Golden model:
[@unit@.h](../../cmodel/units/@unit@.h), [@unit@.c](../../cmodel/units/@unit@.c).

## How it works

TODO.

## Ports

<!-- ports -->
<!-- end of ports -->

## Timing

TODO.

## How it is checked

    make test UNIT=@unit@

TODO: what the tests and the proofs show.
END

# What needs the table is written by the program that reads it.
tool=$build/gpusched-unit
env -u MAKEFLAGS -u MAKELEVEL -u UNIT -u TABLE make -s --no-print-directory BUILD="$build" "$tool" 2> "tb/units/$unit/log" \
    || { grep -v '^\(compile\|archive\|link\)' "tb/units/$unit/log" >&2; rm "tb/units/$unit/log"; exit 2; }
rm "tb/units/$unit/log"
"$tool" ports "$unit" --format=module > "rtl/$folder/$unit.v"
tb/drift/header.sh write "$tool" "rtl/$folder/$unit.v" "cmodel/units/$unit.h"
tb/package/core.sh "rtl/$folder/$unit.v" "$unit" > "rtl/$folder/$unit.core"
tb/drift/document.sh write "docs/units/$unit.md" ports "$tool" ports "$unit" --format=markdown
# sizes FIELD - the parameters with their standard values (3), or their lowest ones (4).
sizes() {
    "$tool" ports "$unit" --format=markdown | awk -F ' *[|] *' -v field="$1" '
        /^[|] constant/ { exit }
        /^[|] `/ { gsub(/`/, "", $2); sub(/ .*/, "", $field); printf "%s%s=%s", space, $2, $field; space = " " }'
}
input=$("$tool" ports "$unit" --format=rtl | awk '$1 == "input" && !n++ { print $2 }')
output=$("$tool" ports "$unit" --format=rtl | awk '$1 == "output" && !n++ { print $2 }')
cat > "tb/units/$unit/$unit.cfg" << END
# $unit - what its checks are given; tb/cfg.sh prints a section.

[sizes]
# TODO: sizes that are no powers of two.
$(sizes 4)
$(sizes 3)

[proofs]
# A proof a line: cycles of the induction and of the covers, parameters.
2 7 $(sizes 4)

[area]
# TODO: the source's size, the most FO4 of its slowest path, and the most kGE; - is no limit.
$(sizes 3) | 40 | -

[netlist]
# The size whose netlist is replayed.
$(sizes 3)

[latency]
# TODO: an operation a line, and between which ports its cycles are counted.
an operation | $input | $output

[defect]
# TODO: a mistake that somebody could make. This one inverts an output.
s/assign $output *=/& ~/
END
done=true
printf 'written: %s\n' "${files[@]}"
echo "Next: make drift UNIT=$unit; then CONTRIBUTING.md"
