/*
 * fast_walsh - dyadic convolution by fast Walsh transforms: two arrays of 2^k numbers are
 * transformed, multiplied, and transformed back.
 *
 *   fast_walsh_shared     ("fwtBatch1") grid n / 2,048, block 512, shared 8 KiB: the
 * butterflies within 2,048 neighbouring elements fast_walsh_global     ("fwtBatch2") grid n /
 * 1,024, block 256: two steps of butterflies over larger distances fast_walsh_modulate   grid
 * 128, block 256: product of two spectra
 *
 * A transform launches the second kernel until 2,048 elements are left together, then the
 * first.
 *
 * The CUDA SDK's fastWalshTransform: "FWT" in CLASO Table 2 (13 kernels, 1,472 CTAs in all,
 * 315.08 threads on average: 2^17 elements), thesis Tables 3.3 (4,096 CTAs of 512: 2^23
 * elements) and 4.4 (32,768 CTAs).
 */

#include "cuda.h"

#define TOGETHER 2048 /* elements of a CTA of fast_walsh_shared, four a thread */

/* Two steps of butterflies, of distances 2 * stride and stride. */
static __device__ void butterfly4(float *a, float *b, float *c, float *d)
{
    const float ac = *a + *c, a_c = *a - *c;
    const float bd = *b + *d, b_d = *b - *d;
    *a = ac + bd;
    *b = ac - bd;
    *c = a_c + b_d;
    *d = a_c - b_d;
}

extern "C" __global__ void fast_walsh_shared(float *data)
{
    __shared__ float part[TOGETHER];
    float *mine = data + blockIdx.x * TOGETHER;
    const int tx = threadIdx.x;

    for (int i = tx; i < TOGETHER; i += blockDim.x) {
        part[i] = mine[i];
    }
    for (int stride = TOGETHER / 4; stride > 1; stride /= 4) {
        const int low = tx & (stride - 1);
        float *first = part + (tx - low) * 4 + low;
        __syncthreads();
        butterfly4(first, first + stride, first + 2 * stride, first + 3 * stride);
    }
    /* 2,048 is an odd power of two: one step of distance 1 is left. */
    __syncthreads();
    for (int i = tx; i < TOGETHER / 2; i += blockDim.x) {
        const float a = part[2 * i], b = part[2 * i + 1];
        part[2 * i] = a + b;
        part[2 * i + 1] = a - b;
    }
    __syncthreads();
    for (int i = tx; i < TOGETHER; i += blockDim.x) {
        mine[i] = part[i];
    }
}

extern "C" __global__ void fast_walsh_global(float *data, int stride)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int low = i & (stride - 1);
    float *first = data + (i - low) * 4 + low;
    float a = first[0];
    float b = first[stride];
    float c = first[2 * stride];
    float d = first[3 * stride];
    butterfly4(&a, &b, &c, &d);
    first[0] = a;
    first[stride] = b;
    first[2 * stride] = c;
    first[3 * stride] = d;
}

/* The factor 1 / n makes the third transform the inverse one. */
extern "C" __global__ void fast_walsh_modulate(float *data, const float *by, int n, float scale)
{
    const int threads = blockDim.x * gridDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
        data[i] *= by[i] * scale;
    }
}
