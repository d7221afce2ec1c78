/*
 * convolution_2d - a 3 x 3 convolution of an image, straight from global memory.
 *
 *   convolution_2d   grid width / 32 x height / 8, block 32 x 8: a thread an element; the
 *                    border is left as it is
 *
 * PolyBench/GPU's 2DConv: "2DCONV" in ICC Table 3, which gives no grid. Paper size: PolyBench's
 * 4096 x 4096, 65,536 CTAs.
 */

#include "cuda.h"

extern "C" __global__ void convolution_2d(const float *in, float *out, int width, int height)
{
    const float c00 = 0.2f, c01 = 0.5f, c02 = -0.8f;
    const float c10 = -0.3f, c11 = 0.6f, c12 = -0.9f;
    const float c20 = 0.4f, c21 = 0.7f, c22 = 0.1f;
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x > 0 && x < width - 1 && y > 0 && y < height - 1) {
        out[y * width + x] =
            c00 * in[(y - 1) * width + (x - 1)] + c01 * in[(y - 1) * width + x]
            + c02 * in[(y - 1) * width + (x + 1)] + c10 * in[y * width + (x - 1)]
            + c11 * in[y * width + x] + c12 * in[y * width + (x + 1)]
            + c20 * in[(y + 1) * width + (x - 1)] + c21 * in[(y + 1) * width + x]
            + c22 * in[(y + 1) * width + (x + 1)];
    }
}
