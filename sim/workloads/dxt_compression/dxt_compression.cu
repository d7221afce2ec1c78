/*
 * dxt_compression - DXT1: each 4 x 4 block of pixels becomes two colours of 5, 6 and 5 bits and
 * for every pixel a number of 2 bits: one of the colours, or a mixture at a third between them.
 *
 *   dxt_compress   grid blocks / 4, block 256, shared 4,208 B: 64 threads compress a block of
 *                  pixels
 *
 * The pixels of a block are put in order along the diagonal of their colours. For every way to
 * cut that order in four groups (969) a thread finds the best two colours by least squares, and
 * the error with them; the least error wins. All of it is in integers, so that results do not
 * depend on rounding.
 *
 * The CUDA SDK's dxtc: "DXTC" in thesis Table 3.3 (4,096 CTAs of 256 threads) and Table 4.4
 * (16,384 CTAs). Paper size: 512 x 512 pixels, 16,384 blocks, 4,096 CTAs.
 */

#include "cuda.h"

#define THREADS 64 /* of a block of pixels */
#define BLOCKS  4  /* of pixels, of a CTA */
#define CUTS    969

/* Ends of the first three groups, a byte each. */
__constant__ uint32_t cuts[CUTS];

struct work {
    int pixel[16][3];
    int axis[3];
    int key[16];
    int rank[16];
    int sums[17][3]; /* of the first pixels in order */
    int square;      /* of all pixels */
    uint32_t error[THREADS];
    uint32_t cut[THREADS];
};

static __device__ int divide(int a, int b) /* b > 0; rounds to the nearest */
{
    return a >= 0 ? (2 * a + b) / (2 * b) : -((-2 * a + b) / (2 * b));
}

/* 5 or 6 bits of a colour that is value / scale, and back to 8. */
static __device__ int quantize(int value, int scale, int top)
{
    return min(max(divide(value * top, scale * 255), 0), top);
}

static __device__ int expand(int bits, int top)
{
    return top == 31 ? bits << 3 | bits >> 2 : bits << 2 | bits >> 4;
}

/* Channel c of the axis: from the darkest corner of the box around the colours to the
 * brightest, turned around where the channel goes against green. */
static __device__ int axis_of(const struct work *w, int c)
{
    int low = 255, high = 0, mean = 0, green_mean = 0, with = 0;

    for (int p = 0; p < 16; p++) {
        low = min(low, w->pixel[p][c]);
        high = max(high, w->pixel[p][c]);
        mean += w->pixel[p][c];
        green_mean += w->pixel[p][1];
    }
    for (int p = 0; p < 16; p++) {
        with += ((16 * w->pixel[p][c] - mean) * (16 * w->pixel[p][1] - green_mean)) >> 4;
    }
    return with < 0 ? low - high : high - low;
}

/* In order: threads 0 to 15, one a pixel. */
static __device__ void sort_pixels(struct work *w, int t)
{
    if (t < 3) {
        w->axis[t] = axis_of(w, t);
    }
    __syncthreads();
    if (t < 16) {
        w->key[t] = w->pixel[t][0] * w->axis[0] + w->pixel[t][1] * w->axis[1]
                    + w->pixel[t][2] * w->axis[2];
    }
    __syncthreads();
    if (t < 16) {
        int rank = 0;
        for (int p = 0; p < 16; p++) {
            rank += w->key[p] < w->key[t] || (w->key[p] == w->key[t] && p < t);
        }
        w->rank[t] = rank;
        for (int c = 0; c < 3; c++) {
            w->sums[rank + 1][c] = w->pixel[t][c];
        }
    }
    __syncthreads();
    if (t < 3) {
        w->sums[0][t] = 0;
        for (int p = 1; p <= 16; p++) {
            w->sums[p][t] += w->sums[p - 1][t];
        }
    } else if (t == 3) {
        int square = 0;
        for (int p = 0; p < 16; p++) {
            for (int c = 0; c < 3; c++) {
                square += w->pixel[p][c] * w->pixel[p][c];
            }
        }
        w->square = square;
    }
    __syncthreads();
}

/* What least squares need of a cut: a pixel of group g is (3 - g) / 3 of the first colour and
 * g / 3 of the second. */
struct groups {
    int end[4]; /* in the order of the pixels */
    int size[4];
    int aa, bb, ab;
};

static __device__ struct groups groups_of(uint32_t cut)
{
    struct groups s = { { (int)(cut & 255), (int)(cut >> 8 & 255), (int)(cut >> 16), 16 } };

#pragma unroll
    for (int g = 0; g < 4; g++) {
        s.size[g] = s.end[g] - (g > 0 ? s.end[g - 1] : 0);
        s.aa += s.size[g] * (3 - g) * (3 - g);
        s.bb += s.size[g] * g * g;
        s.ab += s.size[g] * (3 - g) * g;
    }
    return s;
}

/* Channel c of the two colours, in bits, and what it adds to the error. */
static __device__ int fit_channel(const struct work *w, const struct groups *s, int c,
                                  int *first, int *second)
{
    const int top = c == 1 ? 63 : 31;
    const int determinant = s->aa * s->bb - s->ab * s->ab;
    int sum[4], a = 0, b = 0, error = 0;

#pragma unroll
    for (int g = 0; g < 4; g++) {
        sum[g] = w->sums[s->end[g]][c] - (g > 0 ? w->sums[s->end[g - 1]][c] : 0);
        a += (3 - g) * sum[g];
        b += g * sum[g];
    }
    if (determinant > 0) {
        *first = quantize(3 * (a * s->bb - b * s->ab) / determinant, 1, top);
        *second = quantize(3 * (b * s->aa - a * s->ab) / determinant, 1, top);
    } else { /* all pixels in one group */
        *first = *second = quantize(w->sums[16][c], 16, top);
    }
#pragma unroll
    for (int g = 0; g < 4; g++) {
        const int colour = ((3 - g) * expand(*first, top) + g * expand(*second, top)) / 3;
        error += colour * (s->size[g] * colour - 2 * sum[g]);
    }
    return error;
}

/* The best two colours for a cut, 16 bits each, and the error with them. */
static __device__ uint32_t try_cut(const struct work *w, uint32_t cut, uint32_t *first,
                                   uint32_t *second)
{
    const struct groups groups = groups_of(cut);
    uint32_t error = w->square;

    *first = 0;
    *second = 0;
#pragma unroll 1
    for (int c = 0; c < 3; c++) {
        const int bits = c == 1 ? 6 : 5;
        int a, b;
        error += fit_channel(w, &groups, c, &a, &b);
        *first = *first << bits | a;
        *second = *second << bits | b;
    }
    return error;
}

/* Leaves the best cut of all threads in w->cut[0]; of equal ones that of the least number. */
static __device__ void find_best(struct work *w, int t)
{
    uint32_t first, second, best = 0xffffffff, best_cut = 0;

    for (int i = t; i < CUTS; i += THREADS) {
        const uint32_t error = try_cut(w, cuts[i], &first, &second);
        if (error < best) {
            best = error;
            best_cut = i;
        }
    }
    w->error[t] = best;
    w->cut[t] = best_cut;
    for (int stride = THREADS / 2; stride > 0; stride /= 2) {
        __syncthreads();
        if (t < stride) {
            const uint32_t other = w->error[t + stride];
            if (other < w->error[t]
                || (other == w->error[t] && w->cut[t + stride] < w->cut[t])) {
                w->error[t] = other;
                w->cut[t] = w->cut[t + stride];
            }
        }
    }
    __syncthreads();
}

/* The first colour must be the greater number: otherwise the block would be one with a
 * transparent colour. Groups 0 to 3 have the numbers 0, 2, 3, 1, or 1, 3, 2, 0 if exchanged. */
static __device__ uint2 encode(const struct work *w)
{
    const uint32_t cut = cuts[w->cut[0]];
    uint32_t first, second;
    uint2 code;

    try_cut(w, cut, &first, &second);
    const uint32_t numbers = first >= second ? 0x1320 : 0x0231;
    code.x = first >= second ? first | second << 16 : second | first << 16;
    code.y = 0;
    for (int p = 0; p < 16 && first != second; p++) {
        const uint32_t rank = w->rank[p];
        const int group =
            (rank >= (cut & 255)) + (rank >= (cut >> 8 & 255)) + (rank >= cut >> 16);
        code.y |= (numbers >> (4 * group) & 3) << (2 * p);
    }
    return code;
}

/* Pixels: red in the lowest byte, green, blue. */
extern "C" __global__ void dxt_compress(const uint32_t *image, uint2 *codes, int width)
{
    __shared__ struct work shared[BLOCKS];
    const int t = threadIdx.x % THREADS;
    const int block = blockIdx.x * BLOCKS + threadIdx.x / THREADS;
    struct work *w = &shared[threadIdx.x / THREADS];

    if (t < 16) {
        const int x = block % (width / 4) * 4 + t % 4;
        const int y = block / (width / 4) * 4 + t / 4;
        const uint32_t pixel = image[y * width + x];
        w->pixel[t][0] = pixel & 255;
        w->pixel[t][1] = pixel >> 8 & 255;
        w->pixel[t][2] = pixel >> 16 & 255;
    }
    __syncthreads();
    sort_pixels(w, t);
    find_best(w, t);
    if (t == 0) {
        codes[block] = encode(w);
    }
}
