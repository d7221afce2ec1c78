#!/usr/bin/env bats
# Texts and runs of twice the size take less than 2.3 times the instructions of the host, as callgrind
# counts them: nothing is quadratic.

load helper

# numbered N FORMAT - a line for each number from 0; %d is the number, %e the next.
numbered() { awk -v n="$1" -v line="$2" 'BEGIN { for (i = 0; i < n; i++) {
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
ptx_branches() { numbered "$1" '@%p1 bra L%d; add.u32 %r1, %r1, 1; L%d:' | entry; }
ptx_out() { numbered "$1" '@%p1 bra END; add.u32 %r1, %r1, 1;' | entry; }
ptx_inside() { { numbered "$1" '@%p1 bra L%d; add.u32 %r1, %r1, 1;'; numbered "$1" 'L%d: add.u32 %r1, %r1, 1;' | tac; } | entry; }
ptx_back() { { numbered "$1" 'L%d: add.u32 %r1, %r1, 1;'; numbered "$1" '@%p1 bra L%d;'; } | entry; }
ptx_loops() { { numbered "$1" 'L%d: add.u32 %r1, %r1, 1;'; numbered "$1" '@%p1 bra L%d;' | tac; } | entry; }
ptx_endless() { numbered "$1" 'L%d: bra L%d;' | entry; }
ptx_traps() { { numbered "$1" 'bra L%e; L%d:'; echo "L$1: trap;"; } | entry; }
ptx_table() { { echo ".reg .u32 %i; w: .branchtargets $(numbered "$1" 'L%d' | paste -sd,); brx.idx %i, w;"
    numbered "$1" 'L%d: add.u32 %r1, %r1, 1; bra END;'; } | entry; }
ptx_registers() { numbered "$1" 'add.u32 %r%e, %r%d, 1; @%p1 bra L%d; L%d:' | entry "$(($1 + 1))"; }
ptx_declared() { numbered "$1" '.reg .b32 x%d; mov.u32 x%d, 1;' | entry; }
ptx_labels() { numbered "$1" 'L%d:' | entry; }
ptx_numbers() { numbered "$1" 'add.u32 %r1, %r1, %d;' | entry; }
ptx_shared() { numbered "$1" '.shared .b32 s%d; st.shared.b32 [s%d], 1;' | entry; }
ptx_local() { numbered "$1" '.local .b32 s%d; st.local.b32 [s%d], 1;' | entry; }
ptx_global() { before=$(numbered "$1" '.global .b32 g%d = %d;') entry < /dev/null; }
ptx_calls() {
    before='.func (.param .b32 y) f(.param .b32 x) { .reg .b32 %r<3>; ld.param.b32 %r1, [x]; st.param.b32 [y], %r1; ret; }' \
        entry < <(numbered "$1" '{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; call (b), f, (a); ld.param.b32 %r1, [b]; }')
}
ptx_entries() { before=$(numbered "$1" '.entry k%d(.param .u64 p) { ret; }') entry < /dev/null; }
yaml_launches() { kernel '' "$1" 0 4 "$op"; }
yaml_streams() { numbered "$1" "$(kernel %d 1 7777 1 "$op")" | sed 's/k\([0-9]*\), \(.*\)stream: 7777/k\1, \2stream: \1/'; }
yaml_sites() { kernel '' 1 0 1 "$(numbered "$1" "$op" | paste -sd,)"; }
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
    nested_*)
        set -- --gpu c2050 --ptx "$CLI_BUILD/nested.ptx" --kernel "${kind#nested_}" --grid 1 --block 32 --arg buf:8 \
            --arg "i32:$n" --set cdp.pending=1000000 "$@"
        ;;
    *)
        { echo 'kernels:'; "$kind" "$n"; } > text.yaml
        set -- --gpu c2050 --workload ./text.yaml "$@"
        ;;
    esac
    valgrind --tool=callgrind --callgrind-out-file=/dev/null gpusched run --quiet "$@" 2> err > out || {
        cat err >&2
        return 1
    }
    sed -n 's/.*Collected : \([0-9]*\).*/\1/p' err | grep .
}

# Every second kind by day, and all with CLI_LINEAR=all.
turn=0
is_due() { [ "${CLI_LINEAR:-}" = all ] || [ $((turn++ % 2)) -eq 0 ]; }

# linear KIND N [OPTION...] - from N to 2 N, less what a run of next to nothing takes: the same for all of PTX.
declare -gA least
linear() {
    local kind=$1 n=$2 run nothing one two ratio
    shift 2
    is_due || return 0
    run=${kind%%_*}$*
    [ -n "${least[$run]:-}" ] || least[$run]=$(count "$kind" 2 "$@")
    nothing=${least[$run]}
    one=$(count "$kind" "$n" "$@")
    two=$(count "$kind" $((2 * n)) "$@")
    ratio=$(((two - nothing) * 100 / (one - nothing)))
    printf '# %-16s %6d %5d M  %6d %5d M  x %d.%02d\n' "$kind" "$n" $((one / 1000000)) $((2 * n)) $((two / 1000000)) \
        $((ratio / 100)) $((ratio % 100)) >&3
    check "$kind${*:+ }$*: percent of the instructions of half its size" [ $((ratio > 0 && ratio < 230)) -eq 1 ]
}

@test "to read PTX takes linear time" {
    for kind in branches out inside back loops endless traps table registers declared labels numbers; do
        linear "ptx_$kind" 1000
    done
    for kind in shared local global calls entries; do
        linear "ptx_$kind" 200
    done
}

@test "to run a kernel takes linear time" {
    for kind in launches streams sites ctas; do
        linear "yaml_$kind" 200
    done
    linear nested_many 100 # rounds of 32 launches
    linear yaml_launches 100 --timeline --series=100 -o result
    linear yaml_ctas 200 --timeline --series=100 -o result
    linear nested_wait_many 300 # CTAs that wait, and a kernel for each
    linear nested_wait_many 300 --scheduler laperm-rr
}
