# kernels.awk - a CSV row for each kernel of each program, summed over its launches: from what silicon prints of each launch, and
# files of "launch,kernel,metric,value" of the same launches in the same order.

BEGIN { n = 0 }
FNR == 1 { file++ }
file == 1 && FNR == 1 {
    if ($1 != "workload" || $4 != "kernel") fail("its first line is not silicon's")
    next
}
file == 1 {
    program[n] = $1
    size[n] = $2
    kernel[n] = $4
    registers[n] = $7
    ctas[n++] = $9
}
file > 1 {
    if ($1 >= n || $2 != kernel[$1]) fail("launch " $1 " is " $2 ", and " kernel[$1] " elsewhere")
    count[$1, $3] = $4
}

function fail(what) {
    print FILENAME ": " what > "/dev/stderr"
    failed = 1
    exit 1
}

# Of launch i.
function of(i, metric) {
    if (!((i, metric) in count)) fail("launch " i " has no " metric)
    return count[i, metric]
}

END {
    if (failed || n == 0) exit 1
    lines = "lts__t_sectors_op_read"
    reads = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld"
    print "workload,size,kernel,launches,registers,ctas_per_sm,cycles,warp_instructions,l1_sectors,l1_hits,l2_sectors,l2_hits,dram_bytes"
    for (i = 0; i < n && !failed; i++) {
        k = program[i] "," size[i] "," kernel[i]
        if (!(k in launches)) order[++rows] = k
        launches[k]++
        says[k] = registers[i] "," ctas[i]
        cycles[k] += of(i, "gpc__cycles_elapsed.max")
        instructions[k] += of(i, "smsp__inst_executed.sum")
        l1[k] += of(i, reads ".sum")
        l1_hits[k] += of(i, reads "_lookup_hit.sum")
        l2[k] += of(i, lines ".sum")
        l2_hits[k] += of(i, lines "_lookup_hit.sum")
        dram[k] += of(i, "dram__bytes_read.sum") + of(i, "dram__bytes_write.sum")
    }
    for (i = 1; i <= rows && !failed; i++) {
        k = order[i]
        printf "%s,%d,%s,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f\n", k, launches[k], says[k], cycles[k], instructions[k], l1[k],
            l1_hits[k], l2[k], l2_hits[k], dram[k]
    }
}
