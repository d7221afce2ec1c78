/*
 * regx - matches strings with regular expressions: at how many places of each string one of
 * them begins to match. They are one automaton; the kind of string says in which state it
 * starts.
 *
 *   regx_match         grid ceil(strings / 64), block 64: a thread has a string, and runs the
 *                      automaton from each place, one after the other
 *   regx_match_nested  the same, but a string of 48 bytes or more launches
 *   regx_places        grid ceil(bytes / 64), block 64: a thread has a place
 *
 * LaPerm Table II (REGX).
 */

#include "cuda.h"
#include "cuda_launch.h"

enum { MANY = 48, BLOCK = 64, BYTES = 256, DEAD = 0 };

struct automaton {
    const unsigned short *next; /* of each state and byte; nothing leads out of state DEAD */
    const unsigned char *accepts;
    int starts[4]; /* by the lower bits of a string's first byte, which is its kind */
};

__device__ __forceinline__ int matches(const struct automaton &automaton, int state,
                                       const unsigned char *bytes, int count)
{
    for (int i = 0; i < count && state != DEAD; i++) {
        state = automaton.next[state * BYTES + bytes[i]];
        if (automaton.accepts[state]) {
            return 1;
        }
    }
    return 0;
}

extern "C" __global__ void regx_places(struct automaton automaton, int start,
                                       const unsigned char *bytes, int count, int *found)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count && matches(automaton, start, bytes + i, count - i)) {
        atomicAdd(found, 1);
    }
}

template <bool nested>
__device__ __forceinline__ void match(const struct automaton &automaton, const int *first,
                                      const unsigned char *bytes, int strings, int *found)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= strings) {
        return;
    }
    const unsigned char *const own = bytes + first[i];
    const int count = first[i + 1] - first[i];
    const int start = automaton.starts[own[0] & 3];
    if (nested && count >= MANY) {
        launch<regx_places>((count + BLOCK - 1) / BLOCK, BLOCK, 0,
                            cudaStreamFireAndForget)(automaton, start, own, count, &found[i]);
        if (cudaGetLastError() == cudaSuccess) {
            return;
        }
    }
    int n = 0;
    for (int k = 0; k < count; k++) {
        n += matches(automaton, start, own + k, count - k);
    }
    found[i] = n;
}

extern "C" __global__ void regx_match(struct automaton automaton, const int *first,
                                      const unsigned char *bytes, int strings, int *found)
{
    match<false>(automaton, first, bytes, strings, found);
}

extern "C" __global__ void regx_match_nested(struct automaton automaton, const int *first,
                                             const unsigned char *bytes, int strings,
                                             int *found)
{
    match<true>(automaton, first, bytes, strings, found);
}
