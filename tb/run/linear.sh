#!/usr/bin/env bash
# linear.sh GPUSCHED - texts and runs of twice the size take less than 2.3 times the instructions of the host,
# as callgrind counts them: nothing is quadratic.
set -uo pipefail

gpusched=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
tried=0
failed=0

# lines N FORMAT - a line for each number from 0; %d is the number, %e the next.
lines() { awk -v n="$1" -v line="$2" 'BEGIN { for (i = 0; i < n; i++) {
    one = line; gsub(/%d/, i, one); gsub(/%e/, i + 1, one); print one } }'; }
# entry N REGISTERS - a kernel of what is on stdin, which is read but jumped over.
entry() {
    printf '.version 7.0\n.target sm_70\n.address_size 64\n%s\n.visible .entry k(.param .u64 p)\n{\n' "${before:-}"
    printf '.reg .b32 %%r<%d>;\n.reg .b64 %%d<4>;\n.reg .pred %%p<2>;\nbra END;\n' "${1:-4}"
    cat
    printf 'END: ret;\n}\n'
}
kernel() {
    printf -- '- {name: k%s, launches: %d, stream: %d, grid: [%d, 1, 1], block: [32, 1, 1], registers: 24, body: [%s]}\n' "$@"
}
op='{op: fp32, count: 2, depends: 2}'

# What N makes of each kind.
ptx_branches() { lines "$1" '@%p1 bra L%d; add.u32 %r1, %r1, 1; L%d:' | entry; }
ptx_out() { lines "$1" '@%p1 bra END; add.u32 %r1, %r1, 1;' | entry; }
ptx_inside() { { lines "$1" '@%p1 bra L%d; add.u32 %r1, %r1, 1;'; lines "$1" 'L%d: add.u32 %r1, %r1, 1;' | tac; } | entry; }
ptx_back() { { lines "$1" 'L%d: add.u32 %r1, %r1, 1;'; lines "$1" '@%p1 bra L%d;'; } | entry; }
ptx_loops() { { lines "$1" 'L%d: add.u32 %r1, %r1, 1;'; lines "$1" '@%p1 bra L%d;' | tac; } | entry; }
ptx_endless() { lines "$1" 'L%d: bra L%d;' | entry; }
ptx_traps() { { lines "$1" 'bra L%e; L%d:'; echo "L$1: trap;"; } | entry; }
ptx_table() { { echo ".reg .u32 %i; w: .branchtargets $(lines "$1" 'L%d' | paste -sd,); brx.idx %i, w;"
    lines "$1" 'L%d: add.u32 %r1, %r1, 1; bra END;'; } | entry; }
ptx_registers() { lines "$1" 'add.u32 %r%e, %r%d, 1; @%p1 bra L%d; L%d:' | entry "$(($1 + 1))"; }
ptx_declared() { lines "$1" '.reg .b32 x%d; mov.u32 x%d, 1;' | entry; }
ptx_labels() { lines "$1" 'L%d:' | entry; }
ptx_numbers() { lines "$1" 'add.u32 %r1, %r1, %d;' | entry; }
ptx_shared() { lines "$1" '.shared .b32 s%d; st.shared.b32 [s%d], 1;' | entry; }
ptx_local() { lines "$1" '.local .b32 s%d; st.local.b32 [s%d], 1;' | entry; }
ptx_global() { before=$(lines "$1" '.global .b32 g%d = %d;') entry < /dev/null; }
ptx_calls() {
    before='.func (.param .b32 y) f(.param .b32 x) { .reg .b32 %r<3>; ld.param.b32 %r1, [x]; st.param.b32 [y], %r1; ret; }' \
        entry < <(lines "$1" '{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; call (b), f, (a); ld.param.b32 %r1, [b]; }')
}
ptx_entries() { before=$(lines "$1" '.entry k%d(.param .u64 p) { ret; }') entry < /dev/null; }
yaml_launches() { kernel '' "$1" 0 4 "$op"; }
yaml_streams() { lines "$1" "$(kernel %d 1 7777 1 "$op")" | sed 's/k\([0-9]*\), \(.*\)stream: 7777/k\1, \2stream: \1/'; }
yaml_sites() { kernel '' 1 0 1 "$(lines "$1" "$op" | paste -sd,)"; }
yaml_ctas() { kernel '' 1 0 "$1" "$op"; }

# count KIND N [OPTION...] - instructions.
count() {
    local kind=$1 n=$2
    shift 2
    case $kind in
    ptx_*)
        "$kind" "$n" > text.ptx
        set -- --functional --ptx text.ptx --kernel k --grid 1 --block 32 --arg u64:0 "$@"
        ;;
    *)
        { echo 'kernels:'; "$kind" "$n"; } > text.yaml
        set -- --gpu c2050 --workload ./text.yaml "$@"
        ;;
    esac
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$gpusched" run --quiet "$@" 2> err > out || {
        cat err >&2
        return 1
    }
    sed -n 's/.*Collected : \([0-9]*\).*/\1/p' err
}

# linear KIND N [OPTION...] - from N to 2 N, less what a run of next to nothing takes: the same for all of PTX.
declare -A least
linear() {
    local kind=$1 n=$2 run nothing one two
    shift 2
    tried=$((tried + 1))
    run=${kind%%_*}$*
    [ -n "${least[$run]:-}" ] || least[$run]=$(count "$kind" 2 "$@")
    nothing=${least[$run]}
    one=$(count "$kind" "$n" "$@")
    two=$(count "$kind" $((2 * n)) "$@")
    if [ -z "$nothing" ] || [ -z "$one" ] || [ -z "$two" ]; then
        failed=$((failed + 1))
        echo "FAIL  $kind: no count"
        return
    fi
    local ratio=$(((two - nothing) * 100 / (one - nothing)))
    printf '%-16s %6d %5d M  %6d %5d M  x %d.%02d\n' "$kind" "$n" $((one / 1000000)) $((2 * n)) $((two / 1000000)) \
        $((ratio / 100)) $((ratio % 100))
    if [ "$ratio" -ge 230 ]; then
        failed=$((failed + 1))
        echo "FAIL  $kind: twice the size takes $ratio % of the instructions; allowed: less than 230 %"
    fi
}
for kind in branches out inside back loops endless traps table registers declared labels numbers; do
    linear "ptx_$kind" 1000
done
for kind in shared local global calls entries; do
    linear "ptx_$kind" 200
done
for kind in launches streams sites ctas; do
    linear "yaml_$kind" 200
done
linear yaml_launches 100 --timeline --series=100 -o result
linear yaml_ctas 200 --timeline --series=100 -o result
printf '%d sizes doubled, %d failed\n' "$tried" "$failed"
echo "checked: sizes=$tried"
[ "$failed" -eq 0 ]
