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

/* What a CTA looks through. */
struct search {
    int *window, *sums, *squares;
    int side, size, shifts; /* of the window, of the template; places in a row */
};

static __device__ struct search make_search(const struct tracker *tracker, int *scratch)
{
    struct search search;

    search.size = 2 * tracker->radius + 1;
    search.shifts = 2 * tracker->reach + 1;
    search.side = search.size + search.shifts - 1;
    search.window = scratch + 3 * blockIdx.x * search.side * search.side;
    search.sums = search.window + search.side * search.side;
    search.squares = search.sums + search.side * search.side;
    return search;
}

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
static __device__ float score(const struct search *s, const int *pattern, int pattern_sum,
                              int x, int y)
{
    const long long n = s->size * s->size;
    const int sum = square_sum(s->sums, s->side, x, y, s->size);
    const int square = square_sum(s->squares, s->side, x, y, s->size);
    int product = 0;

    for (int j = 0; j < s->size; j++) {
        for (int i = 0; i < s->size; i++) {
            product += pattern[j * s->size + i] * s->window[(y + j) * s->side + x + i];
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

/* The place with the highest score; of equal ones the first. */
static __device__ int find_best(const struct search *search, const int *pattern,
                                int pattern_sum, float *scores, int *places)
{
    const int t = threadIdx.x;

    scores[t] = -FLT_MAX;
    places[t] = 0;
    for (int i = t; i < search->shifts * search->shifts; i += THREADS) {
        const float here =
            score(search, pattern, pattern_sum, i % search->shifts, i / search->shifts);
        if (here > scores[t]) {
            scores[t] = here;
            places[t] = i;
        }
    }
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
    const struct search search = make_search(&tracker, scratch);
    const int size = search.size;
    const int side = search.side;
    const int2 point = points[blockIdx.x];
    const int left = point.x - tracker.radius - tracker.reach;
    const int top = point.y - tracker.radius - tracker.reach;
    int *window = search.window;
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
    sum_window(window, search.sums, search.squares, side);

    const int place = find_best(&search, pattern, pattern_sum, scores, places);
    const int x = place % search.shifts;
    const int y = place / search.shifts;
    for (int i = threadIdx.x; i < size * size; i += THREADS) {
        mine[i] = (3 * pattern[i] + window[(y + i / size) * side + x + i % size] + 2) / 4;
    }
    if (threadIdx.x == 0) {
        points[blockIdx.x].x = point.x + x - tracker.reach;
        points[blockIdx.x].y = point.y + y - tracker.reach;
    }
}
