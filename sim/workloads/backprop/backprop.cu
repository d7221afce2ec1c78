/*
 * backprop - one step of training of a network with a wide input layer and 16 hidden units. A
 * CTA holds 16 inputs times 16 hidden units.
 *
 *   backprop_forward   grid 1 x inputs / 16, block 16 x 16, shared 1,088 B: partial sums of the
 *                      hidden units; the host adds them up, a row for each CTA
 *   backprop_adjust    grid 1 x inputs / 16, block 16 x 16: weights by delta and momentum
 *
 * Weights have a row for each input, and a row 0 for the bias; column 0 is unused, as are
 * element 0 of the deltas and, for the bias itself, of the inputs.
 *
 * Rodinia's Back Propagation: "BP" in CLASO Table 2 (2 kernels, 256 CTAs in all: 2,048 inputs)
 * and ICC Table 3; "BP-K1", "BP-K2" in thesis Tables 3.2, 4.2 and 4.4 (65,535 CTAs each).
 */

#include "cuda.h"

#define INPUTS 16 /* of a CTA */
#define HIDDEN 16

#define RATE     0.3f
#define MOMENTUM 0.3f

extern "C" __global__ void backprop_forward(const float *input, const float *weights,
                                            float *partial)
{
    __shared__ float node[INPUTS];
    __shared__ float product[INPUTS][HIDDEN];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * INPUTS + ty + 1;

    if (tx == 0) {
        node[ty] = input[row];
    }
    __syncthreads();
    product[ty][tx] = weights[row * (HIDDEN + 1) + tx + 1] * node[ty];
    __syncthreads();
    for (int stride = 1; stride < INPUTS; stride *= 2) {
        if (ty % (2 * stride) == 0) {
            product[ty][tx] += product[ty + stride][tx];
        }
        __syncthreads();
    }
    if (ty == 0) {
        partial[blockIdx.y * HIDDEN + tx] = product[0][tx];
    }
}

extern "C" __global__ void backprop_adjust(const float *delta, const float *input,
                                           float *weights, float *previous)
{
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * INPUTS + ty + 1;
    const int at = row * (HIDDEN + 1) + tx + 1;

    const float change = RATE * delta[tx + 1] * input[row] + MOMENTUM * previous[at];
    weights[at] += change;
    previous[at] = change;
    if (ty == 0 && blockIdx.y == 0) { /* the bias, whose input is 1 */
        const float bias = RATE * delta[tx + 1] + MOMENTUM * previous[tx + 1];
        weights[tx + 1] += bias;
        previous[tx + 1] = bias;
    }
}
