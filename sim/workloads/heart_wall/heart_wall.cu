/*
 * heart_wall - follows points of a heart's wall through the frames of an ultrasound film. A CTA
 * follows a point: it looks in a window around where the point was for the place that resembles
 * its template most.
 *
 *   heart_wall   grid points, block 256, shared 12,452 B; a launch is a frame
 *
 * Steps of a CTA: load the template, copy the window, sums of the window and of its squares
 * over all rectangles from its corner, correlation with the template at every place (a thread
 * has every 256th place), reduction to the best place, new template: three quarters of the old
 * one and a quarter of what is at the new place. Correlation is normalized and goes by integers
 * until the last division.
 *
 * Rodinia's Heart Wall: "Heart" in thesis Table 3.2, 56 CTAs of 256 threads. Paper size: 56
 * points, templates of 51 x 51 in windows of 81 x 81, 5 frames.
 */

#include "cuda.h"

#define THREADS      256
#define MAX_TEMPLATE (51 * 51)

struct tracker {
    int width, height; /* of a frame */
    int radius;        /* of the template */
    int reach;         /* of the search */
};

/* Sums along rows, then along columns: corner[i] is of the rectangle up to i. */
static __device__ void sum_window(const int *window, int *sums, int *squares, int side)
{
    for (int y = threadIdx.x; y < side; y += THREADS) {
        int sum = 0, square = 0;
        for (int x = 0; x < side; x++) {
            const int value = window[y * side + x];
            sum += value;
            square += value * value;
            sums[y * side + x] = sum;
            squares[y * side + x] = square;
        }
    }
    __syncthreads();
    for (int x = threadIdx.x; x < side; x += THREADS) {
        int sum = 0, square = 0;
        for (int y = 0; y < side; y++) {
            sum += sums[y * side + x];
            square += squares[y * side + x];
            sums[y * side + x] = sum;
            squares[y * side + x] = square;
        }
    }
    __syncthreads();
}

/* Of the size x size square at (x, y), from the sums of rectangles. */
static __device__ int square_sum(const int *sums, int side, int x, int y, int size)
{
    const int bottom = (y + size - 1) * side;
    const int top = (y - 1) * side;
    int sum = sums[bottom + x + size - 1];

    if (x > 0) {
        sum -= sums[bottom + x - 1];
    }
    if (y > 0) {
        sum -= sums[top + x + size - 1];
    }
    if (x > 0 && y > 0) {
        sum += sums[top + x - 1];
    }
    return sum;
}

/* The square of the normalized correlation, with its sign, times the template's variance. */
static __device__ float score(const int *window, const int *pattern, int pattern_sum, int side,
                              int size, int x, int y, const int *sums, const int *squares)
{
    const long long n = size * size;
    const int sum = square_sum(sums, side, x, y, size);
    const int square = square_sum(squares, side, x, y, size);
    int product = 0;

    for (int j = 0; j < size; j++) {
        for (int i = 0; i < size; i++) {
            product += pattern[j * size + i] * window[(y + j) * side + x + i];
        }
    }
    const float covariance = (float)(n * product - (long long)pattern_sum * sum);
    const float variance = (float)(n * square - (long long)sum * sum);
    return variance > 0.0f ? covariance * fabsf(covariance) / variance : 0.0f;
}

/* Sum of value over all threads. */
static __device__ int reduce_sum(int value, int *shared)
{
    shared[threadIdx.x] = value;
    for (int stride = THREADS / 2; stride > 0; stride /= 2) {
        __syncthreads();
        if (threadIdx.x < stride) {
            shared[threadIdx.x] += shared[threadIdx.x + stride];
        }
    }
    __syncthreads();
    return shared[0];
}

/* The place with the highest score of all threads; of equal ones the first. */
static __device__ int reduce_best(float best, int place, float *scores, int *places)
{
    const int t = threadIdx.x;

    scores[t] = best;
    places[t] = place;
    for (int stride = THREADS / 2; stride > 0; stride /= 2) {
        __syncthreads();
        if (t < stride
            && (scores[t + stride] > scores[t]
                || (scores[t + stride] == scores[t] && places[t + stride] < places[t]))) {
            scores[t] = scores[t + stride];
            places[t] = places[t + stride];
        }
    }
    __syncthreads();
    return places[0];
}

/* scratch: of each CTA three arrays of a window's size. */
extern "C" __global__ void heart_wall(const unsigned char *frame, int *templates, int2 *points,
                                      int *scratch, struct tracker tracker)
{
    __shared__ int pattern[MAX_TEMPLATE];
    __shared__ float scores[THREADS];
    __shared__ int places[THREADS];
    const int size = 2 * tracker.radius + 1;
    const int shifts = 2 * tracker.reach + 1;
    const int side = size + shifts - 1;
    const int2 point = points[blockIdx.x];
    const int left = point.x - tracker.radius - tracker.reach;
    const int top = point.y - tracker.radius - tracker.reach;
    int *window = scratch + 3 * blockIdx.x * side * side;
    int *sums = window + side * side;
    int *squares = sums + side * side;
    int *mine = templates + blockIdx.x * size * size;

    int part = 0;
    for (int i = threadIdx.x; i < size * size; i += THREADS) {
        pattern[i] = mine[i];
        part += pattern[i];
    }
    const int pattern_sum = reduce_sum(part, places);
    for (int i = threadIdx.x; i < side * side; i += THREADS) {
        window[i] = frame[(top + i / side) * tracker.width + left + i % side];
    }
    __syncthreads();
    sum_window(window, sums, squares, side);

    float best = -FLT_MAX;
    int place = 0;
    for (int i = threadIdx.x; i < shifts * shifts; i += THREADS) {
        const float here = score(window, pattern, pattern_sum, side, size, i % shifts,
                                 i / shifts, sums, squares);
        if (here > best) {
            best = here;
            place = i;
        }
    }
    place = reduce_best(best, place, scores, places);

    const int x = place % shifts;
    const int y = place / shifts;
    for (int i = threadIdx.x; i < size * size; i += THREADS) {
        mine[i] = (3 * pattern[i] + window[(y + i / size) * side + x + i % size] + 2) / 4;
    }
    if (threadIdx.x == 0) {
        points[blockIdx.x].x = point.x + x - tracker.reach;
        points[blockIdx.x].y = point.y + y - tracker.reach;
    }
}
