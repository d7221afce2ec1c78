#!/usr/bin/env bats
# silicon, which runs the CUDA workloads on a real GPU: here with a libcuda on the golden model, so that its own functions
# are tested without a GPU.

load helper

on_model() { env LD_LIBRARY_PATH="$CLI_BUILD/golden_cuda" "$@"; }

launches_of() {
    gpusched run --gpu c2050 --workload "$1" -q -o run && grep -o '"launched":' run/result.json | wc -l
}

@test "all programs of size small are right through libcuda's functions" {
    exits 0 on_model silicon --repeats=2 --device-runtime=none
    check 'each is right' grep -q "^silicon: $(gpusched list workloads | grep -c small) right, 0 not$" err
    check 'a line a launch' grep -qxE 'bfs,small,0,bfs_expand,[0-9x]+,[0-9x]+,0,0,1,1\.000' out
    check 'launches as in the model' [ "$(grep -c '^lud,' out)" -eq "$(launches_of lud)" ]
}

@test "a result that is wrong is told" {
    exits 1 on_model env GOLDEN_CUDA_WRONG=1 silicon aes
    check 'it is counted' grep -qx 'silicon: 0 right, 1 not' err
    check 'and why' grep -q '^silicon: aes: word: ' err
}

@test "after an illegal access no more programs run" {
    exits 1 on_model env GOLDEN_CUDA_LOST=1 silicon aes hotspot
    check 'the first' grep -qx 'silicon: 0 right, 1 not' err
    check 'and why' grep -qx "silicon: the GPU's context is lost: no more programs run" err
}

@test "without a GPU or a device runtime there is one line" {
    exits 2 silicon
    check 'no driver' [ "$(grep -c 'no driver of an NVIDIA GPU' err)" -eq 1 ]
    exits 1 on_model silicon sssp_cage15
    check 'no device runtime' grep -q 'sssp_cage15.*--device-runtime is needed' err
    exits 2 on_model silicon --size=huge
    check 'no such size' grep -q -e '--size=huge: a size is one of small, medium' err
    exits 2 on_model silicon --size=claso bfs_cage15
    check 'not of it' grep -q 'bfs_cage15: there is no --size=claso of it; allowed: small, medium, paper' err
    exits 2 on_model silicon nothing
    check 'no such program' grep -q 'there is no workload "nothing"' err
}

@test "counts of launches are summed by kernel" {
    printf '%s\n' workload,size,launch,kernel,grid,block,registers,shared_bytes,ctas_per_sm,us a,small,0,k,1,1,8,0,2,1 a,small,1,k,1,1,8,0,2,1 > launches
    for i in 0 1; do
        for metric in gpc__cycles_elapsed.max smsp__inst_executed.sum l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum \
            l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum lts__t_sectors_op_read.sum lts__t_sectors_op_read_lookup_hit.sum \
            dram__bytes_read.sum dram__bytes_write.sum; do
            echo "$i,k,$metric,$((100 + i))"
        done
    done > counts
    exits 0 awk -F, -f "$CLI_SOURCE/tb/silicon/kernels.awk" launches counts
    check 'their sums' [ "$(tail -1 out)" = a,small,k,2,8,2,201,201,201,201,201,201,402 ]
    sed '1s/,k,/,other,/' counts > others
    exits 1 awk -F, -f "$CLI_SOURCE/tb/silicon/kernels.awk" launches others
    check 'another kernel is refused' grep -q 'launch 0 is other, and k elsewhere' err
    sed 1d counts > fewer
    exits 1 awk -F, -f "$CLI_SOURCE/tb/silicon/kernels.awk" launches fewer
    check 'a count that is missing too' grep -q 'launch 0 has no gpc__cycles_elapsed.max' err
}

# Takes ncu's options, and gives each launch's metrics the value 7.
fake_ncu() {
    mkdir -p tools
    cat > tools/ncu << 'EON'
#!/usr/bin/env bash
while [[ $1 == --* ]]; do
    case $1 in
        --csv) shift ;;
        --log-file) log=$2 && shift 2 ;;
        --metrics) metrics=$2 && shift 2 ;;
        *) shift 2 ;;
    esac
done
"$@" | tee ncu.out
echo '"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","Section Name","Metric Name","Metric Unit","Metric Value"' > "$log"
tail -n +2 ncu.out | while IFS=, read -r _ _ _ kernel _; do
    for metric in ${metrics//,/ }; do
        echo "\"$((launch))\",\"1\",\"silicon\",\"127.0.0.1\",\"$kernel\",\"1\",\"14\",\"(1, 1, 1)\",\"(1, 1, 1)\",\"0\",\"9.0\",\"metrics\",\"$metric\",\"x\",\"1,007\""
    done
    launch=$((launch + 1))
done >> "$log"
EON
    chmod +x tools/ncu
}

@test "measure.sh makes the files of the page" {
    fake_ncu
    exits 0 on_model env PATH="$PWD/tools:$PATH" DEVICE_RUNTIME=none "$CLI_SOURCE/tb/silicon/measure.sh" "$CLI_BUILD" measured medium
    check 'a row for each kernel of the page' cmp <(cut -d , -f 1-4 measured/kernels.csv) <(grep -v ,paper, "$CLI_SOURCE/docs/results/silicon/silicon-h100.csv" | cut -d , -f 1-4)
    check 'with its counts' grep -q '^aes,medium,aes_encrypt,1,0,1,1007,1007,1007,1007,1007,1007,2014$' measured/kernels.csv
    check 'the figures' cmp <(cut -f 1 measured/machine.tsv) <(cut -f 1 "$CLI_SOURCE/docs/results/silicon/silicon-h100.tsv")
    check 'and the GPU' grep -q 'the golden model, 1 SMs' measured/gpu.txt
    # shellcheck disable=SC2016 # for the tool's shell
    sed -i 's/^"$@" |/echo "==ERROR== ERR_NVGPUCTRPERM" > "$log"; exit 1; &/' tools/ncu
    exits 1 on_model env PATH="$PWD/tools:$PATH" DEVICE_RUNTIME=none "$CLI_SOURCE/tb/silicon/measure.sh" "$CLI_BUILD" refused medium
    check 'what Nsight Compute says is shown' grep -qx '==ERROR== ERR_NVGPUCTRPERM' err
}
