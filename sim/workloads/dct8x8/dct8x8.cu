/*
 * dct8x8 - discrete cosine transform of an image in blocks of 8 x 8, as in JPEG: forward,
 * quantisation, inverse.
 *
 *   dct8x8_forward    T * block * T'
 *   dct8x8_quantise   coefficients to the nearest multiples of their steps
 *   dct8x8_inverse    T' * block * T
 *
 * All with grid (width / 8) x (height / 8), block 8 x 8: a CTA has a block of the image, a
 * thread a pixel of it; the transforms have 768 B of shared memory.
 *
 * The CUDA SDK's dct8x8: "DCT-K1", "DCT-K2" in thesis Table 4.4 (32,768 CTAs each: here 2048 x
 * 1024), "DCT" in ICC Table 3.
 */

#include "cuda.h"

#define N 8

/* Row u: the cosines of frequency u, of length 1. */
__constant__ float basis[N * N];
__constant__ float steps[N * N];

extern "C" __global__ void dct8x8_forward(const float *image, float *coefficients, int width)
{
    __shared__ float cosine[N][N];
    __shared__ float block[N][N];
    __shared__ float half[N][N];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int at = (blockIdx.y * N + ty) * width + blockIdx.x * N + tx;

    cosine[ty][tx] = basis[ty * N + tx];
    block[ty][tx] = image[at];
    __syncthreads();
    float sum = 0.0f;
    for (int i = 0; i < N; i++) {
        sum += cosine[ty][i] * block[i][tx];
    }
    half[ty][tx] = sum;
    __syncthreads();
    sum = 0.0f;
    for (int i = 0; i < N; i++) {
        sum += half[ty][i] * cosine[tx][i];
    }
    coefficients[at] = sum;
}

extern "C" __global__ void dct8x8_quantise(float *coefficients, int width)
{
    const int at = (blockIdx.y * N + threadIdx.y) * width + blockIdx.x * N + threadIdx.x;
    const float step = steps[threadIdx.y * N + threadIdx.x];
    coefficients[at] = rintf(coefficients[at] / step) * step;
}

extern "C" __global__ void dct8x8_inverse(const float *coefficients, float *image, int width)
{
    __shared__ float cosine[N][N];
    __shared__ float block[N][N];
    __shared__ float half[N][N];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int at = (blockIdx.y * N + ty) * width + blockIdx.x * N + tx;

    cosine[ty][tx] = basis[ty * N + tx];
    block[ty][tx] = coefficients[at];
    __syncthreads();
    float sum = 0.0f;
    for (int i = 0; i < N; i++) {
        sum += cosine[i][ty] * block[i][tx];
    }
    half[ty][tx] = sum;
    __syncthreads();
    sum = 0.0f;
    for (int i = 0; i < N; i++) {
        sum += half[ty][i] * cosine[i][tx];
    }
    image[at] = sum;
}
