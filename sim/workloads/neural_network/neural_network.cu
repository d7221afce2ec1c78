/*
 * neural_network - recognition of 29 x 29 images of digits by a network of four layers, many
 * images in a launch. Full size: 6 and 50 maps, 100 hidden neurons.
 *
 *   layer_1   grid maps1 x images, block 13 x 13: 5 x 5 convolutions of the image, every second
 *             place, to maps of 13 x 13
 *   layer_2   grid maps2 x images, block 5 x 5: the same, of all maps of layer 1, to 5 x 5
 *   layer_3   grid hidden x images, block 1: fully connected
 *   layer_4   grid 10 x images, block 1: fully connected
 *
 * Weights of a neuron, or of a map, begin with its bias. Neurons saturate by a scaled tanh.
 *
 * NN of GPGPU-Sim's benchmarks: "NN" in CLASO Table 2 (4 kernels, 432 CTAs, 120.75 threads on
 * average, which no number of images gives with these blocks) and in ICC Table 3. Paper size:
 * the benchmark's 28 images, 168, 1,400, 2,800 and 280 CTAs.
 */

#include "cuda.h"

#define IMAGE 29
#define SIDE1 13
#define SIDE2 5
#define TAPS  5

static __device__ float squash(float x)
{
    return 1.7159f * tanhf(0.66666667f * x);
}

extern "C" __global__ void layer_1(const float *images, const float *weights, float *maps)
{
    const int x = threadIdx.x;
    const int y = threadIdx.y;
    const int neuron = (blockIdx.y * gridDim.x + blockIdx.x) * SIDE1 * SIDE1 + y * SIDE1 + x;
    const float *image = images + blockIdx.y * IMAGE * IMAGE;
    const float *weight = weights + blockIdx.x * (1 + TAPS * TAPS);
    float sum = weight[0];

    for (int j = 0; j < TAPS; j++) {
        for (int i = 0; i < TAPS; i++) {
            sum += weight[1 + j * TAPS + i] * image[(2 * y + j) * IMAGE + 2 * x + i];
        }
    }
    maps[neuron] = squash(sum);
}

extern "C" __global__ void layer_2(const float *in, const float *weights, float *maps,
                                   int in_maps)
{
    const int x = threadIdx.x;
    const int y = threadIdx.y;
    const int neuron = (blockIdx.y * gridDim.x + blockIdx.x) * SIDE2 * SIDE2 + y * SIDE2 + x;
    const float *map = in + blockIdx.y * in_maps * SIDE1 * SIDE1;
    const float *weight = weights + blockIdx.x * (1 + in_maps * TAPS * TAPS);
    float sum = weight[0];

    for (int m = 0; m < in_maps; m++) {
        for (int j = 0; j < TAPS; j++) {
            for (int i = 0; i < TAPS; i++) {
                sum += weight[1 + (m * TAPS + j) * TAPS + i]
                       * map[(m * SIDE1 + 2 * y + j) * SIDE1 + 2 * x + i];
            }
        }
    }
    maps[neuron] = squash(sum);
}

/* A CTA of one thread is a neuron. */
static __device__ void connect(const float *in, const float *weights, float *out, int inputs)
{
    const float *from = in + blockIdx.y * inputs;
    const float *weight = weights + blockIdx.x * (1 + inputs);
    float sum = weight[0];

    for (int i = 0; i < inputs; i++) {
        sum += weight[1 + i] * from[i];
    }
    out[blockIdx.y * gridDim.x + blockIdx.x] = squash(sum);
}

extern "C" __global__ void layer_3(const float *in, const float *weights, float *out,
                                   int inputs)
{
    connect(in, weights, out, inputs);
}

extern "C" __global__ void layer_4(const float *in, const float *weights, float *out,
                                   int inputs)
{
    connect(in, weights, out, inputs);
}
