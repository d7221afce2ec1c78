#!/usr/bin/env bats
# CONTRIBUTING.md by its letter, for a small unit, in a copy of the checkout: make new writes what builds and
# passes make drift, overwrites nothing and leaves nothing of a wrong table; with its behaviour written in
# C and in Verilog the unit passes make test.

load ../cli/helper
unit=tally
table=tb/new/$unit.def

# In a copy of the checkout.
setup_file() {
    mkdir -p "$BATS_FILE_TMPDIR/clone/build"
    cd "$CLI_SOURCE" || return 1
    cp -a Makefile Bender.yml mk .ci .clang-format .clang-tidy cmodel configs docs rtl sim tb "$BATS_FILE_TMPDIR/clone"
    for part in c gen verilated flags libgolden.new libgolden.a gpusched gpusched-unit; do
        cp -a "$CLI_BUILD/$part" "$BATS_FILE_TMPDIR/clone/build"
    done
}
setup() {
    cd "$BATS_FILE_TMPDIR/clone" || return 1
    work=$BATS_FILE_TMPDIR
    unset UNIT ONLY GPUSCHED_DATA
    set +T
}

# makes WORD... - make, whose words are in said; its status.
makes() {
    make --no-print-directory "$@" > "$work/said" 2>&1 || { cat "$work/said"; return 1; }
}
# refuses TEXT WORD... - make new fails, and says why.
refuses() {
    ! makes new "${@:2}" > "$work/refused" && grep -qF "$1" "$work/refused"
}

@test "a skeleton is written that is not taken for finished" {
    sed 's/FLAG/FLUG/' $table > "$work/wrong.def"
    check 'a wrong table is refused' refuses FLUG UNIT=$unit TABLE="$work/wrong.def"
    check 'and leaves nothing' [ -z "$(find cmodel rtl tb/units docs -name "$unit*")" ]
    check 'a table that is not there is refused' refuses 'there is no such table' UNIT=$unit
    check 'a name that is none is refused' refuses 'small letters' UNIT=Tally TABLE=$table
    check 'a skeleton is written' makes new UNIT=$unit TABLE=$table
    check 'it passes make drift' makes -j2 drift UNIT=$unit
    cp cmodel/units/$unit.c "$work/before.c"
    check 'nothing is overwritten' refuses 'is not overwritten' UNIT=$unit TABLE=$table
    check 'and nothing is removed then' cmp cmodel/units/$unit.c "$work/before.c"
    check 'a skeleton fails make test' fails makes -k test UNIT=$unit ONLY='dpi-% cfg-%' > "$work/skeleton"
    check 'a skeleton is not taken for finished' grep -q 'still has a TODO' "$work/skeleton"
    check 'a unit whose outputs never change is not taken for checked' grep -q 'no output has changed' "$work/skeleton"
}

@test "with its behaviour the unit passes make test" {
    cat > "$work/eval" << 'END'
    const uint32_t most = (UINT32_C(1) << unit->config.count_w) - 1u;
    const uint32_t sum = unit->q.count + (in->add_valid ? 1u + in->add_more : 0u);

    out->count = unit->q.count;
    out->full = unit->q.count == most;
    out->lost = unit->q.lost;
    next->q.lost = sum > most && !in->clear;
    next->q.count = in->clear ? 0u : sum > most ? most : sum;
END
    sed -i -e "/(void)in; .. TODO: outputs/{r $work/eval" -e 'd}' cmodel/units/$unit.c
    sed -i -e 's|return false; /\* TODO.*|return !in->add_valid \&\& !in->clear \&\& !unit->q.lost;|' \
        -e 's|(void)events; /\* TODO.*|events->stopped += out->full \&\& in->add_valid \&\& !in->clear;|' cmodel/units/$unit.c
    cat > "$work/sum" << 'END'

    wire [COUNT_W:0]   more    = {{(COUNT_W + 1 - STEP_W){1'b0}}, add_more_i};
    wire [COUNT_W:0]   added   = more + {{COUNT_W{1'b0}}, 1'b1};
    wire [COUNT_W:0]   sum     = {1'b0, count_q} + (add_valid_i ? added : {(COUNT_W + 1){1'b0}});
    wire [COUNT_W-1:0] stopped = sum[COUNT_W] ? {COUNT_W{1'b1}} : sum[COUNT_W-1:0];
END
    sed -i -e "/^    reg lost_q/r $work/sum" -e '/TODO: what is used/,/};/d' \
        -e 's|end // TODO: else.*|end else begin\n            count_q <= clear_i ? {COUNT_W{1'\''b0}} : stopped;\n            lost_q <= sum[COUNT_W] \&\& !clear_i;\n            odd_q <= !clear_i \&\& stopped[0];\n        end|' \
        -e 's|a_derived_odd: assert (odd_q == (f_reset \&\& 0))|a_derived_odd: assert (odd_q == count_q[0])|' \
        -e 's|\(assign count_o =\).*|\1 count_q;|; s|\(assign full_o =\).*|\1 odd_q \&\& \&count_q;|; s|\(assign lost_o =\).*|\1 lost_q;|' \
        rtl/units/$unit.v
    sed -i -e '1,/^\[proofs\]/{/^COUNT_W=6/a COUNT_W=5' -e '}' -e '/^# TODO: a mistake/,$d' tb/units/$unit/$unit.cfg
    cat >> tb/units/$unit/$unit.cfg << 'END'
# An odd number too many is taken round the end.
s/sum\[COUNT_W\] ? /(sum[COUNT_W] \&\& !add_more_i[0]) ? /
END

    grep -rlw TODO cmodel/units/$unit* rtl/units/$unit.v tb/units/$unit docs/units/$unit.md | xargs sed -i 's/TODO[:,.]*/As the test shows/'
    check 'the unit passes make test' makes -k -j2 test UNIT=$unit
    grep '^pass\|^not passed' "$work/said" || true
    number=$(sed -n 's/^\([0-9]*\) passed, 0 failed$/\1/p' "$work/said")
    check 'of every kind' [ "${number:-0}" -ge 25 ]
}

# In the GPU: a row and a glue file.
@test "a row and a glue file put one of it into each multiprocessor of the GPU" {
    local run=(build/gpusched run --workload hotspot --gpu c2050)
    makes build/gpusched build/workloads/hotspot.ptx
    "${run[@]}" --quiet -o "$work/before"
    sed -i -e "s|^#include \"units/work_dist.*|&\n#include \"units/$unit.h\"|" \
        -e "s|^#undef SOCKET|SOCKET($unit, SM, STEPPED, true, \"\", .count_w = 16u)\n\n&|" cmodel/gpu/units/sockets.def
    cat > cmodel/gpu/units/${unit}_glue.c << END
/* ${unit}_glue - counts the cycles in which an SM has a CTA. */

#include "gpu/machine.h"

void ${unit}_inputs(struct gpu *g, uint32_t i, struct ${unit}_in *in)
{
    in->add_valid = g->sm[i]->cta_used != 0u;
}

void ${unit}_outputs(struct gpu *g, uint32_t i, const struct ${unit}_in *in,
                     const struct ${unit}_out *out)
{
    (void)g;
    (void)i;
    (void)in;
    (void)out;
}
END
    check 'it builds' makes -j2 build/gpusched
    check 'it is among the units' grep -qx $unit <(build/gpusched list units)
    check 'RTL and golden model are equal beside a kernel' "${run[@]}" --quiet -o "$work/after" --rtl=shadow --units=$unit
    check 'the kernel runs as before' cmp "$work/before/result.json" "$work/after/result.json"
    "${run[@]}" -o "$work/after" --rtl=shadow --units=$unit > "$work/table"
    check 'one in each multiprocessor, in every cycle' grep -qE "^  $unit +14 +[1-9][0-9,]{5,} +0  rtl" "$work/table"
    check 'neither floors nor circles are broken' makes test ONLY=lint_floors LEDGER=-
}

@test "promises that it does not keep are found" {
    cp cmodel/units/$unit.c "$work/kept.c"
    sed -i 's/ && !unit->q.lost;/;/' cmodel/units/$unit.c
    check 'a wrong quiet fails make test' fails makes -k test UNIT=$unit ONLY='lockstep-%' > "$work/promise"
    check 'as a broken promise' grep -q '^BROKEN PROMISE tally ' "$work/promise"
    cp "$work/kept.c" cmodel/units/$unit.c
    sed -i 's/out->full && in->add_valid/false/' cmodel/units/$unit.c
    check 'an event that is never met fails make test' fails makes -k test UNIT=$unit ONLY='lockstep-%' > "$work/promise"
    check 'by its name' grep -q '^NEVER met  *stopped ' "$work/promise"
    cp "$work/kept.c" cmodel/units/$unit.c
    sed -i.kept 's/assert (odd_q == count_q\[0\])/assert (count_q == count_q)/' rtl/units/$unit.v
    check 'a derived register that nothing proves fails make drift' fails makes -k drift UNIT=$unit > "$work/promise"
    check 'by its name' grep -q '^-assertion odd_q' "$work/promise"
    mv rtl/units/$unit.v.kept rtl/units/$unit.v
}

@test "a mistake in it is found" {
    sed -i 's/!clear_i;/1;/' rtl/units/$unit.v
    check 'a mistake fails make test' fails makes -k test UNIT=$unit ONLY='lockstep-% dpi-% icarus-%' > "$work/mistake"
    for kind in lockstep dpi icarus; do
        check "a mistake fails $kind" grep -q "^not passed: $kind-$unit" "$work/mistake"
    done
    sed -i "s/lost_q <= .*/lost_q <= 1'b1;/" rtl/units/$unit.v
    check 'and the run beside a kernel' fails build/gpusched run --workload hotspot --gpu c2050 --quiet \
        -o "$work/wrong" --rtl=shadow --units=$unit > "$work/report"
    check 'which reports it' grep -q "^DIFFERENCE $unit COUNT_W=16" "$work/report"
}
