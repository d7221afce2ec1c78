/* votes - keeps odd numbers: places by ballots and shared counters; the least and the greatest
 * by shared atomics, and how many threads have one by a barrier that counts. */
extern "C" __global__ void votes(int *kept, int *figures, const int *in)
{
    __shared__ int count, least, greatest, once;
    const int t = threadIdx.x, value = in[t];
    const bool odd = value & 1;
    if (t == 0) {
        count = 0;
        least = 0x7fffffff;
        greatest = -0x7fffffff;
        once = -1;
    }
    __syncthreads();
    const unsigned who = __ballot_sync(0xffffffffu, odd);
    int place = 0;
    if ((t & 31) == 0) {
        place = atomicAdd(&count, __popc(who));
    }
    place = __shfl_sync(0xffffffffu, place, 0) + __popc(who & ((1u << (t & 31)) - 1u));
    if (odd) {
        kept[place] = value;
        atomicMin(&least, value);
        atomicMax(&greatest, value);
        atomicCAS(&once, -1, t);
    }
    const int all = __syncthreads_count(odd);
    if (t == 0) {
        figures[0] = count;
        figures[1] = least;
        figures[2] = greatest;
        figures[3] = once;
        figures[4] = all;
    }
}
