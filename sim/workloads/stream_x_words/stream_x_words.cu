/*
 * stream_x_words - a kernel that is nearly all memory: each thread loads x words and stores
 * them elsewhere.
 *
 *   stream_1_words .. stream_4_words   grid n / (256 x), block 256: words of a thread lie one
 *                                      grid apart, so that every access of a warp is one line
 *
 * Thesis 5.3.2: "stream_x_words", 640 CTAs of 256 threads, x = 1 to 4, mostly 3.
 */

#include "cuda.h"

template <int WORDS> static __device__ void stream(const float *from, float *to)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int threads = gridDim.x * blockDim.x;
    float word[WORDS];

#pragma unroll
    for (int k = 0; k < WORDS; k++) {
        word[k] = from[i + k * threads];
    }
#pragma unroll
    for (int k = 0; k < WORDS; k++) {
        to[i + k * threads] = word[k];
    }
}

extern "C" __global__ void stream_1_words(const float *from, float *to)
{
    stream<1>(from, to);
}

extern "C" __global__ void stream_2_words(const float *from, float *to)
{
    stream<2>(from, to);
}

extern "C" __global__ void stream_3_words(const float *from, float *to)
{
    stream<3>(from, to);
}

extern "C" __global__ void stream_4_words(const float *from, float *to)
{
    stream<4>(from, to);
}
