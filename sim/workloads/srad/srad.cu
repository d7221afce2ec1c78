/*
 * srad - speckle reducing anisotropic diffusion of an ultrasound image. Speckle is noise in
 * proportion to the signal: an iteration smooths where the image varies no more than that, and
 * keeps edges. Threads take a pixel each, columns first.
 *
 *   srad_extract    the image in place of its logarithm
 *   srad_prepare    copies of the pixels and their squares, for the sums
 *   srad_reduce     sums of 256 of them, in place; launched until one is left; shared 2 KiB
 *   srad_diffuse    ("srad") differences to the four neighbours, coefficient of diffusion
 *   srad_update     ("srad2") divergence, new pixel
 *   srad_compress   back to the logarithm
 *
 * All with grid ceil(pixels / 256) but srad_reduce, whose grid shrinks, and block 256; the
 * second to the fifth are launched in every iteration.
 *
 * Rodinia's SRAD: thesis Tables 3.2 (16,384 CTAs of 256: 2048 x 2048 pixels), 4.2 (SRAD-1 to
 * SRAD-6, 256 threads) and 4.4 (32,768 CTAs), ICC Table 3.
 */

#include "cuda.h"

#define BLOCK 256

extern "C" __global__ void srad_extract(float *image, int pixels)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) {
        image[i] = expf(image[i] / 255.0f);
    }
}

extern "C" __global__ void srad_prepare(const float *image, float *sums, float *squares,
                                        int pixels)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) {
        sums[i] = image[i];
        squares[i] = image[i] * image[i];
    }
}

/* The terms lie `apart` elements from each other; a CTA's sum takes the place of its first. */
extern "C" __global__ void srad_reduce(float *sums, float *squares, int terms, int apart)
{
    __shared__ float sum[BLOCK];
    __shared__ float square[BLOCK];
    const int tx = threadIdx.x;
    const int i = blockIdx.x * BLOCK + tx;

    sum[tx] = i < terms ? sums[i * apart] : 0.0f;
    square[tx] = i < terms ? squares[i * apart] : 0.0f;
    __syncthreads();
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        if (tx < half) {
            sum[tx] += sum[tx + half];
            square[tx] += square[tx + half];
        }
        __syncthreads();
    }
    if (tx == 0) {
        sums[i * apart] = sum[0];
        squares[i * apart] = square[0];
    }
}

/* north, south: of a row, the row above and below; west, east: of a column. At the edge, the
 * row or column itself. q0: square of the speckle's own variation. */
extern "C" __global__ void srad_diffuse(const int *north, const int *south, const int *west,
                                        const int *east, float *to_north, float *to_south,
                                        float *to_west, float *to_east, float q0,
                                        float *coefficient, const float *image, int rows,
                                        int pixels)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) {
        return;
    }
    const int row = i % rows;
    const int column = i / rows;
    const float pixel = image[i];
    const float n = image[north[row] + rows * column] - pixel;
    const float s = image[south[row] + rows * column] - pixel;
    const float w = image[row + rows * west[column]] - pixel;
    const float e = image[row + rows * east[column]] - pixel;

    const float gradient = (n * n + s * s + w * w + e * e) / (pixel * pixel);
    const float laplacian = (n + s + w + e) / pixel;
    const float numerator = 0.5f * gradient - (1.0f / 16.0f) * laplacian * laplacian;
    const float denominator = 1.0f + 0.25f * laplacian;
    const float q = numerator / (denominator * denominator);
    const float c = 1.0f / (1.0f + (q - q0) / (q0 * (1.0f + q0)));

    coefficient[i] = fminf(fmaxf(c, 0.0f), 1.0f);
    to_north[i] = n;
    to_south[i] = s;
    to_west[i] = w;
    to_east[i] = e;
}

extern "C" __global__ void srad_update(float lambda, const int *south, const int *east,
                                       const float *to_north, const float *to_south,
                                       const float *to_west, const float *to_east,
                                       const float *coefficient, float *image, int rows,
                                       int pixels)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) {
        return;
    }
    const int row = i % rows;
    const int column = i / rows;
    const float here = coefficient[i];
    const float below = coefficient[south[row] + rows * column];
    const float right = coefficient[row + rows * east[column]];
    const float divergence =
        here * to_north[i] + below * to_south[i] + here * to_west[i] + right * to_east[i];
    image[i] += 0.25f * lambda * divergence;
}

extern "C" __global__ void srad_compress(float *image, int pixels)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels) {
        image[i] = logf(image[i]) * 255.0f;
    }
}
