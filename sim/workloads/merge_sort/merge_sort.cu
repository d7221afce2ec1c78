/*
 * merge_sort - a stable sort of 32-bit keys with values, by merges of ever longer runs.
 *
 *   sort_blocks      grid n / 1024, block 512, shared 8,192 B: sorts runs of 1024 by merges in
 *                    shared memory, in which each thread finds the place of two elements
 *   sample_ranks     grid n / 128 / 256 rounded up, block 256: for every 128th element of both
 *                    runs of a pair, its place in the other run and so where the merge of the
 *                    pair can be cut
 *   merge_intervals  grid n / 128, block 128, shared 2,048 B: merges what is between two cuts,
 *                    at most 128 elements of each run
 *
 * A run at the end may be short or without a partner.
 *
 * The CUDA SDK's mergeSort: "MS" in thesis Table 4.4, 24,567 CTAs. Paper size: 3,145,728
 * elements, for which merge_intervals has 24,576 CTAs.
 */

#include "cuda.h"

#define BLOCK    1024 /* elements of a CTA of sort_blocks */
#define INTERVAL 128

/* How many of n sorted keys are less than key, or, with `equal`, not greater. */
static __device__ int rank_of(uint32_t key, const uint32_t *keys, int n, bool equal)
{
    int low = 0;
    int high = n;

    while (low < high) {
        const int middle = (low + high) / 2;
        if (equal ? keys[middle] <= key : keys[middle] < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Place of element i after a merge of the runs of `length` it and its neighbour are in. */
static __device__ int merged_place(const uint32_t *keys, int i, int length)
{
    const int run = i & ~(length - 1);
    const bool second = run & length;

    return (run & ~length) + (i - run)
           + rank_of(keys[i], keys + (run ^ length), length, second);
}

extern "C" __global__ void sort_blocks(uint32_t *keys, uint32_t *values)
{
    __shared__ uint32_t key[BLOCK];
    __shared__ uint32_t value[BLOCK];
    const int a = threadIdx.x;
    const int b = threadIdx.x + BLOCK / 2;

    keys += blockIdx.x * BLOCK;
    values += blockIdx.x * BLOCK;
    key[a] = keys[a];
    key[b] = keys[b];
    value[a] = values[a];
    value[b] = values[b];
    for (int length = 1; length < BLOCK; length *= 2) {
        __syncthreads();
        const uint32_t key_a = key[a], key_b = key[b];
        const uint32_t value_a = value[a], value_b = value[b];
        const int place_a = merged_place(key, a, length);
        const int place_b = merged_place(key, b, length);
        __syncthreads();
        key[place_a] = key_a;
        key[place_b] = key_b;
        value[place_a] = value_a;
        value[place_b] = value_b;
    }
    __syncthreads();
    keys[a] = key[a];
    keys[b] = key[b];
    values[a] = value[a];
    values[b] = value[b];
}

/* A pair is 2 * length elements from `base`. Cuts are kept as places in the two runs, in the
 * order in which they are in the merged run: so a cut's number is its sample's number in its
 * own run plus the number of samples before it in the other. */
extern "C" __global__ void sample_ranks(const uint32_t *keys, uint2 *cuts, int length, int n)
{
    const int sample = blockIdx.x * blockDim.x + threadIdx.x;
    const int at = sample * INTERVAL;

    if (at >= n) {
        return;
    }
    const int base = at & ~(2 * length - 1);
    const int length_a = min(length, n - base);
    const int length_b = min(length, n - base - length_a);
    const bool second = at >= base + length;
    const uint32_t *other = second ? keys + base : keys + base + length_a;
    const int mine = second ? at - base - length : at - base;
    const int rank = rank_of(keys[at], other, second ? length_a : length_b, second);
    const int number = mine / INTERVAL + (rank + INTERVAL - 1) / INTERVAL;
    uint2 cut;

    cut.x = second ? rank : mine;
    cut.y = second ? mine : rank;
    cuts[base / INTERVAL + number] = cut;
}

extern "C" __global__ void merge_intervals(const uint32_t *keys, const uint32_t *values,
                                           uint32_t *out_keys, uint32_t *out_values,
                                           const uint2 *cuts, int length, int n)
{
    __shared__ uint32_t key[2 * INTERVAL];
    __shared__ uint32_t value[2 * INTERVAL];
    const int t = threadIdx.x;
    const int base = (blockIdx.x * INTERVAL) & ~(2 * length - 1);
    const int length_a = min(length, n - base);
    const int length_b = min(length, n - base - length_a);
    const bool last = (blockIdx.x + 1) * INTERVAL >= base + length_a + length_b;
    const uint2 cut = cuts[blockIdx.x];
    const int n_a = (last ? length_a : (int)cuts[blockIdx.x + 1].x) - (int)cut.x;
    const int n_b = (last ? length_b : (int)cuts[blockIdx.x + 1].y) - (int)cut.y;
    const int from_a = base + cut.x;
    const int from_b = base + length_a + cut.y;
    const int to = base + cut.x + cut.y;

    if (t < n_a) {
        key[t] = keys[from_a + t];
        value[t] = values[from_a + t];
    }
    if (t < n_b) {
        key[INTERVAL + t] = keys[from_b + t];
        value[INTERVAL + t] = values[from_b + t];
    }
    __syncthreads();
    if (t < n_a) {
        const int place = t + rank_of(key[t], key + INTERVAL, n_b, false);
        out_keys[to + place] = key[t];
        out_values[to + place] = value[t];
    }
    if (t < n_b) {
        const int place = t + rank_of(key[INTERVAL + t], key, n_a, true);
        out_keys[to + place] = key[INTERVAL + t];
        out_values[to + place] = value[INTERVAL + t];
    }
}
