#!/usr/bin/env bats
# Sizes of programs, what a run without timing says of its launches, and the registers that programs give to kernels.

load helper

# has PROGRAM SIZE - by the list.
has() {
    awk -v program="$1" -v size="$2" '/^  [a-z]/ { at = $1 }
        at == program && $1 == "sizes:" { for (k = 2; k <= NF; k++) found += $k == size || $k == size "," }
        END { exit !found }' listed
}

@test "programs have the sizes of the tables that have them, and refuse the others" {
    gpusched list workloads | sed '/^Described/,$d' > listed
    mapfile -t programs < <(sed -n 's/^  \([a-z][a-z0-9_]*\) .*/\1/p' listed)
    check 'there are 67' [ ${#programs[@]} -eq 67 ]
    local -A n=()
    for program in "${programs[@]}"; do
        for size in small medium paper; do check "$program $size" has "$program" $size; done
        for size in claso th3 th42 th44 icc laperm; do
            if has "$program" $size; then
                n[$size]=$((${n[$size]:-0} + 1))
            elif [[ $program != *_flat ]]; then # like those without
                refused "$program: there is no --size=$size of it; allowed: small, medium, paper" \
                    run --gpu m2090 -w "$program" --size=$size
            fi
        done
    done
    check 'as many as the tables have' [ "${n[claso]} ${n[th3]} ${n[th42]} ${n[th44]} ${n[icc]} ${n[laperm]}" = '13 12 9 15 11 32' ]
}

# Kernel, grid, block, registers, shared memory and CTAs per SM, of either.
of_table() { awk 'table && NF > 8 { print $1, $2, $3, $5, $7, $8 } /^Kernel / { table = 1 }' "$1"; }
of_result() {
    jq -r 'def shape: if .[2] > 1 then "\(.[0])x\(.[1])x\(.[2])" elif .[1] > 1 then "\(.[0])x\(.[1])" else "\(.[0])" end;
        .kernels[] | "\(.name) \(.grid | shape) \(.block | shape) \(.registers) \(.shared_bytes) \(.ctas_per_sm)"' "$1" |
        awk '!seen[$0]++'
}

@test "without timing the launches are those of a run with timing" {
    local gpu name
    for gpu in c2050 k20x; do
        for name in fast_walsh lud srad; do
            ends 0 run --functional --gpu $gpu -w $name
            of_table out > table
            check "$name on $gpu: it says how it is checked" says 'verified: ' out
            ends 0 run -q --gpu $gpu -w $name -o timed
            check "$name on $gpu: the same rows" [ "$(< table)" = "$(of_result timed/result.json)" ]
        done
    done
    ends 0 run --functional -w lud
    check 'without a GPU there is no table' fails says CTAs/SM out
    ends 0 run --functional -q -g c2050 -w lud
    check 'nor with --quiet' [ ! -s out ]
    refused 'no such GPU' run --functional -g c2051 -w lud
}

# row KERNEL COLUMN... - of the table in out.
row() {
    awk -v kernel="$1" -v columns="${*:2}" 'table && $1 == kernel {
        n = split(columns, column, " ")
        for (k = 1; k <= n; k++) printf "%s%s", $column[k], k < n ? " " : "\n"
    } /^Kernel / { table = 1 }' out
}

@test "a kernel has the registers that its program says" {
    ends 0 run --functional --gpu c2050 -w aes
    check '20 of 37' [ "$(row aes_encrypt 5 6 8)" = '20 37 6' ]
    ends 0 run --functional --gpu c2050 -w stencil
    check 'or those of its PTX' [ "$(row stencil 5 6 8)" = '22 22 8' ]
    check 'with its source' says 'registers: aes_encrypt 20, CLASO Table 2: 6 CTAs per core' listed
}
