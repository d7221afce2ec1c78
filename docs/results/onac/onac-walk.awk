# onac-walk.awk - the vectors of onac (after vectors.awk) as a walk: for each sample that the unit compares, the number of the
# kernel that it detects, counted from 1, how many SMs ran, their IPC, and that of all. Of each kernel the last line has
# the result, `found` or `aborted`, in place of the IPCs. After `last` kernels, if that is not 0, no more is read.

{
    state = substr($4, length($4)) # the lowest digit: state_q, 1 target, 7 test, 0 idle
    if (state == before) next
    if (state == 1 && before + 0 == 0) kernel++
    if (state == 7) printf "%d %d %.4f %.4f\n", kernel, field($4, "number_q"), field($4, "ipc_q") / 65536, field($4, "all_ipc_q") / 65536
    if (state == 0 && before != "") print kernel, field($4, "number_q"), field($4, "aborted_q") ? "aborted" : "found"
    if (state == 0 && before != "" && kernel == last + 0) exit
    before = state
}
