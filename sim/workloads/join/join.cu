/*
 * join - the pairs of rows of two tables, R and S, that have the same key. The rows come in
 * parts by ranges of the key, the same ones for both tables.
 *
 *   join_count         grid ceil(parts / 64), block 64: a thread counts the partners of its
 * part's rows of R, one row after the other join_write         the same: writes the pairs, each
 * row's to the place that the counts give it join_count_nested  as join_count, but a part with
 * 32 comparisons or more launches join_write_nested join_rows          grid ceil(rows of R /
 * 32), block 32: a thread has a row of R
 *
 * Between the two the host adds up the counts.
 *
 * LaPerm Table II (JOIN).
 */

#include "cuda.h"
#include "cuda_launch.h"

enum { MANY = 32, BLOCK = 32 };

struct part {
    int r, rows_r, s, rows_s; /* first rows, and how many */
};

/* Writes the row's pairs from place on if that is not -1. How many they are. */
__device__ __forceinline__ int row(const int *keys_r, const int *keys_s, int r, int s,
                                   int rows_s, int place, int2 *pairs)
{
    int found = 0;
    for (int k = s; k < s + rows_s; k++) {
        if (keys_s[k] == keys_r[r]) {
            if (place >= 0) {
                pairs[place + found] = make_int2(r, k);
            }
            found++;
        }
    }
    return found;
}

/* places are NULL when it counts. */
extern "C" __global__ void join_rows(const int *keys_r, const int *keys_s, struct part part,
                                     int *counts, const int *places, int2 *pairs)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < part.rows_r) {
        const int r = part.r + i;
        const int n = row(keys_r, keys_s, r, part.s, part.rows_s,
                          places == nullptr ? -1 : places[r], pairs);
        if (places == nullptr) {
            counts[r] = n;
        }
    }
}

template <bool nested>
__device__ __forceinline__ void all_rows(const int *keys_r, const int *keys_s,
                                         const struct part *parts, int n_parts, int *counts,
                                         const int *places, int2 *pairs)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n_parts) {
        return;
    }
    const struct part part = parts[i];
    if (nested && part.rows_r * part.rows_s >= MANY) {
        launch<join_rows>((part.rows_r + BLOCK - 1) / BLOCK, BLOCK, 0,
                          cudaStreamFireAndForget)(keys_r, keys_s, part, counts, places, pairs);
        if (cudaGetLastError() == cudaSuccess) {
            return;
        }
    }
    for (int r = part.r; r < part.r + part.rows_r; r++) {
        const int n = row(keys_r, keys_s, r, part.s, part.rows_s,
                          places == nullptr ? -1 : places[r], pairs);
        if (places == nullptr) {
            counts[r] = n;
        }
    }
}

extern "C" __global__ void join_count(const int *keys_r, const int *keys_s,
                                      const struct part *parts, int n_parts, int *counts)
{
    all_rows<false>(keys_r, keys_s, parts, n_parts, counts, nullptr, nullptr);
}

extern "C" __global__ void join_write(const int *keys_r, const int *keys_s,
                                      const struct part *parts, int n_parts, const int *places,
                                      int2 *pairs)
{
    all_rows<false>(keys_r, keys_s, parts, n_parts, nullptr, places, pairs);
}

extern "C" __global__ void join_count_nested(const int *keys_r, const int *keys_s,
                                             const struct part *parts, int n_parts, int *counts)
{
    all_rows<true>(keys_r, keys_s, parts, n_parts, counts, nullptr, nullptr);
}

extern "C" __global__ void join_write_nested(const int *keys_r, const int *keys_s,
                                             const struct part *parts, int n_parts,
                                             const int *places, int2 *pairs)
{
    all_rows<true>(keys_r, keys_s, parts, n_parts, nullptr, places, pairs);
}
