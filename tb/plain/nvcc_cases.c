/* nvcc_cases - inputs, and results as the CPU has them; see nvcc_cases.h. */

#include "nvcc_cases.h"

#include <stdlib.h>
#include <string.h>

#define ARGS(...)   ((void *[]){ __VA_ARGS__ })
#define GRID(x, y)  ((struct gsp_dim){ (x), (y), 1u })
#define COUNT(list) (sizeof(list) / sizeof(list)[0])

static uint32_t draw(uint32_t k)
{
    uint32_t x = k * 2654435761u + 12345u;
    x ^= x >> 15;
    x *= 2246822519u;
    return x ^ x >> 13;
}

static void fill(int32_t *list, size_t n, uint32_t below)
{
    for (size_t k = 0u; k < n; k++) {
        list[k] = (int32_t)(draw((uint32_t)k) % below);
    }
}

static void expect_ints(struct nvcc_run *r, gsp_pointer at, const int32_t *wanted, size_t n)
{
    int32_t *const got = malloc(n * sizeof *got);
    nvcc_fetch(r, got, at, n * sizeof *got);
    for (size_t k = 0u; k < n; k++) {
        nvcc_expect(r, k, got[k], wanted[k]);
    }
    free(got);
}

static void expect_floats(struct nvcc_run *r, gsp_pointer at, const float *wanted, size_t n)
{
    float *const got = malloc(n * sizeof *got);
    nvcc_fetch(r, got, at, n * sizeof *got);
    for (size_t k = 0u; k < n; k++) {
        nvcc_expect(r, k, (double)got[k], (double)wanted[k]);
    }
    free(got);
}

/* Floats that add and multiply without rounding. */
static void fill_floats(float *list, size_t n)
{
    for (size_t k = 0u; k < n; k++) {
        list[k] = (float)(draw((uint32_t)k) % 64u) * 0.25f;
    }
}

static void reduce(struct nvcc_run *r)
{
    enum { N = 1900, CTAS = 4 };
    int32_t in[N], wanted[CTAS] = { 0 };
    int n = N;
    fill(in, N, 1000u);
    for (uint32_t k = 0u; k < N; k++) {
        wanted[k / 512u] += in[k];
    }
    gsp_pointer from = nvcc_buffer(r, in, sizeof in),
                sums = nvcc_buffer(r, NULL, sizeof wanted);
    nvcc_launch(r, GRID(CTAS, 1u), GRID(256u, 1u), 0u, ARGS(&sums, &from, &n));
    expect_ints(r, sums, wanted, CTAS);
}

static void sums_up_to_each(struct nvcc_run *r, uint32_t dynamic)
{
    enum { CTAS = 3, N = 192 };
    int32_t in[CTAS * N], wanted[CTAS * N];
    fill(in, COUNT(in), 1000u);
    for (uint32_t k = 0u; k < COUNT(in); k++) {
        wanted[k] = in[k] + (k % N == 0u ? 0 : wanted[k - 1u]);
    }
    gsp_pointer from = nvcc_buffer(r, in, sizeof in), to = nvcc_buffer(r, NULL, sizeof wanted);
    nvcc_launch(r, GRID(CTAS, 1u), GRID(N, 1u), dynamic, ARGS(&to, &from));
    expect_ints(r, to, wanted, COUNT(wanted));
}

static void scan(struct nvcc_run *r)
{
    sums_up_to_each(r, 2u * 192u * 4u);
}

static void shuffles(struct nvcc_run *r)
{
    sums_up_to_each(r, 0u);
}

static void transpose(struct nvcc_run *r)
{
    enum { W = 70, H = 45 };
    float in[W * H], wanted[W * H];
    int width = W, height = H;
    fill_floats(in, COUNT(in));
    for (uint32_t y = 0u; y < H; y++) {
        for (uint32_t x = 0u; x < W; x++) {
            wanted[x * H + y] = in[y * W + x];
        }
    }
    gsp_pointer from = nvcc_buffer(r, in, sizeof in), to = nvcc_buffer(r, NULL, sizeof wanted);
    nvcc_launch(r, GRID(3u, 2u), GRID(32u, 8u), 0u, ARGS(&to, &from, &width, &height));
    expect_floats(r, to, wanted, COUNT(wanted));
}

static void histogram(struct nvcc_run *r)
{
    enum { N = 3000 };
    uint8_t in[N];
    int32_t wanted[256] = { 0 };
    int n = N;
    for (uint32_t k = 0u; k < N; k++) {
        in[k] = (uint8_t)(draw(k) % 97u * 2u);
        wanted[in[k]]++;
    }
    gsp_pointer from = nvcc_buffer(r, in, sizeof in),
                bins = nvcc_buffer(r, NULL, sizeof wanted);
    nvcc_launch(r, GRID(3u, 1u), GRID(256u, 1u), 0u, ARGS(&bins, &from, &n));
    expect_ints(r, bins, wanted, COUNT(wanted));
}

static void multiply(struct nvcc_run *r)
{
    enum { N = 48 };
    float a[N * N], b[N * N], wanted[N * N] = { 0.0f };
    int n = N;
    fill_floats(a, COUNT(a));
    fill_floats(b, COUNT(b));
    for (uint32_t k = 0u; k < COUNT(wanted) * N; k++) {
        const uint32_t y = k / N / N, x = k / N % N, j = k % N;
        wanted[y * N + x] += a[y * N + j] * b[j * N + x];
    }
    gsp_pointer left = nvcc_buffer(r, a, sizeof a), right = nvcc_buffer(r, b, sizeof b);
    gsp_pointer to = nvcc_buffer(r, NULL, sizeof wanted);
    nvcc_launch(r, GRID(3u, 3u), GRID(16u, 16u), 0u, ARGS(&to, &left, &right, &n));
    expect_floats(r, to, wanted, COUNT(wanted));
}

static int by_value(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static void bitonic(struct nvcc_run *r)
{
    int32_t data[1024];
    fill(data, COUNT(data), 100000u);
    gsp_pointer at = nvcc_buffer(r, data, sizeof data);
    nvcc_launch(r, GRID(2u, 1u), GRID(256u, 1u), 0u, ARGS(&at));
    qsort(data, 512u, sizeof *data, by_value);
    qsort(data + 512, 512u, sizeof *data, by_value);
    expect_ints(r, at, data, COUNT(data));
}

static void stencil(struct nvcc_run *r)
{
    enum { N = 300 };
    int32_t in[N], wanted[N] = { 0 };
    int n = N;
    fill(in, N, 1000u);
    for (int at = 0; at < N; at++) {
        for (int k = -3; k <= 3; k++) {
            wanted[at] += at + k < 0 || at + k >= N ? 0 : (k < 0 ? -k : k + 1) * in[at + k];
        }
    }
    gsp_pointer from = nvcc_buffer(r, in, sizeof in), to = nvcc_buffer(r, NULL, sizeof wanted);
    nvcc_launch(r, GRID(3u, 1u), GRID(128u, 1u), 0u, ARGS(&to, &from, &n));
    expect_ints(r, to, wanted, N);
}

static void parts(struct nvcc_run *r)
{
    enum { N = 96 };
    int32_t in[N];
    double got[N];
    fill(in, N, 256u);
    gsp_pointer from = nvcc_buffer(r, in, sizeof in), to = nvcc_buffer(r, NULL, sizeof got);
    nvcc_launch(r, GRID(1u, 1u), GRID(N, 1u), N * 13u, ARGS(&to, &from));
    nvcc_fetch(r, got, to, sizeof got);
    for (uint32_t t = 0u; t < N; t++) {
        nvcc_expect(r, t, got[t], 1.5 * in[N - 1u - (t ^ 1u)]);
    }
}

static int32_t most(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static void wrap(struct nvcc_run *r)
{
    int32_t in[64], cell[17][17], wanted[32];
    uint32_t back = 100u;
    fill(in, 64u, 50u);
    for (uint32_t k = 0u; k < 17u; k++) {
        cell[0][k] = cell[k][0] = in[k];
    }
    for (uint32_t y = 1u; y < 17u; y++) {
        for (uint32_t x = 1u; x < 17u; x++) {
            cell[y][x] = most(most(cell[y - 1u][x], cell[y][x - 1u]), cell[y - 1u][x - 1u])
                         + in[y + x - 2u];
        }
    }
    for (uint32_t t = 0u; t < 32u; t++) {
        wanted[t] = t < 16u ? cell[16][t + 1u] : in[32u + t - back / 4u];
    }
    gsp_pointer from = nvcc_buffer(r, in, sizeof in), to = nvcc_buffer(r, NULL, sizeof wanted);
    nvcc_launch(r, GRID(1u, 1u), GRID(32u, 1u), 0u, ARGS(&to, &from, &back));
    expect_ints(r, to, wanted, 32u);
}

static void buffers(struct nvcc_run *r)
{
    enum { CTAS = 2, TILES = 5 };
    float in[CTAS * TILES * 128], wanted[CTAS * 128] = { 0.0f };
    int tiles = TILES;
    fill_floats(in, COUNT(in));
    for (uint32_t k = 0u; k < COUNT(in); k++) {
        const uint32_t cta = k / (TILES * 128u), tile = k / 128u % TILES;
        wanted[cta * 128u + 127u - k % 128u] += in[k] * (float)(tile + 1u);
    }
    gsp_pointer from = nvcc_buffer(r, in, sizeof in), to = nvcc_buffer(r, NULL, sizeof wanted);
    nvcc_launch(r, GRID(CTAS, 1u), GRID(128u, 1u), 0u, ARGS(&to, &from, &tiles));
    expect_floats(r, to, wanted, COUNT(wanted));
}

static void bytes(struct nvcc_run *r)
{
    uint8_t in[256];
    int32_t wanted[256];
    for (uint32_t t = 0u; t < 256u; t++) {
        in[t] = (uint8_t)draw(t);
    }
    for (uint32_t t = 0u; t < 256u; t++) {
        const int x = in[255u - t];
        wanted[t] = x + 2 * (int8_t)x + 3 * (int16_t)(x * 257 - 32768) + 5 * (x * 257);
    }
    gsp_pointer from = nvcc_buffer(r, in, sizeof in), to = nvcc_buffer(r, NULL, sizeof wanted);
    nvcc_launch(r, GRID(1u, 1u), GRID(256u, 1u), 0u, ARGS(&to, &from));
    expect_ints(r, to, wanted, 256u);
}

static void vectors(struct nvcc_run *r)
{
    float in[64][4], wanted[64][4];
    double got[64];
    fill_floats(in[0], 256u);
    for (uint32_t k = 0u; k < 256u; k++) {
        wanted[k / 4u][k % 4u] = in[(k / 4u) ^ 5u][3u - k % 4u];
    }
    gsp_pointer from = nvcc_buffer(r, in, sizeof in), to = nvcc_buffer(r, NULL, sizeof wanted);
    gsp_pointer sums = nvcc_buffer(r, NULL, sizeof got);
    nvcc_launch(r, GRID(1u, 1u), GRID(64u, 1u), 0u, ARGS(&to, &from, &sums));
    expect_floats(r, to, wanted[0], 256u);
    nvcc_fetch(r, got, sums, sizeof got);
    for (uint32_t t = 0u; t < 64u; t++) {
        const float *const v = in[63u - t];
        nvcc_expect(r, t, got[t], (double)v[1] * 0.25 + (int)v[0] + (double)(t ^ 5u));
    }
}

/* The odd numbers among a warp's 32. */
static size_t odd_of_warp(const int32_t *in, int32_t *odd)
{
    size_t n = 0u;
    for (uint32_t lane = 0u; lane < 32u; lane++) {
        if (in[lane] % 2 != 0) {
            odd[n++] = in[lane];
        }
    }
    return n;
}

/* Warps take their places in the order in which their additions execute: got must be what each
 * of them has, in any order. */
static void expect_warps(struct nvcc_run *r, const int32_t *got, size_t n, const int32_t *in,
                         uint32_t warps)
{
    int32_t odd[32];
    uint32_t left = (1u << warps) - 1u;
    for (size_t at = 0u; at < n;) {
        uint32_t warp = 0u;
        size_t own = 0u;
        for (; warp < warps; warp++) {
            own = odd_of_warp(in + 32u * warp, odd);
            if ((left >> warp & 1u) != 0u && own != 0u && at + own <= n
                && memcmp(got + at, odd, own * sizeof odd[0]) == 0) {
                break;
            }
        }
        nvcc_expect(r, at, warp < warps, 1);
        if (warp == warps) {
            return;
        }
        left &= ~(1u << warp);
        at += own;
    }
}

static void votes(struct nvcc_run *r)
{
    enum { N = 224 };
    int32_t in[N], kept[N], n = 0, figures[5], wanted[] = { 0, 0x7fffffff, -0x7fffffff };
    fill(in, N, 10000u);
    for (int32_t k = 0; k < N; k++) {
        if (in[k] % 2 != 0) {
            n++;
            wanted[1] = in[k] < wanted[1] ? in[k] : wanted[1];
            wanted[2] = most(in[k], wanted[2]);
        }
    }
    wanted[0] = n;
    gsp_pointer from = nvcc_buffer(r, in, sizeof in), to = nvcc_buffer(r, NULL, sizeof kept);
    gsp_pointer counts = nvcc_buffer(r, NULL, sizeof figures);
    nvcc_launch(r, GRID(1u, 1u), GRID(N, 1u), 0u, ARGS(&to, &counts, &from));
    nvcc_fetch(r, kept, to, sizeof kept);
    expect_warps(r, kept, (size_t)n, in, N / 32u);
    expect_ints(r, counts, wanted, 3u);
    nvcc_fetch(r, figures, counts, sizeof figures);
    /* Whose exchange came first is any thread with an odd number. */
    nvcc_expect(r, 3u, figures[3] >= 0 && figures[3] < N && in[figures[3]] % 2 != 0, 1);
    nvcc_expect(r, 4u, figures[4], n);
}

static void volatiles(struct nvcc_run *r)
{
    enum { TURNS = 11 };
    int32_t in[64], own[64][8], s[64];
    int turns = TURNS;
    fill(in, 64u, 100u);
    for (uint32_t t = 0u; t < 64u; t++) {
        for (uint32_t k = 0u; k < 8u; k++) {
            own[t][k] = in[(t + k) & 63u];
        }
        for (uint32_t k = 0u; k < TURNS; k++) {
            own[t][(k * 5u + t) & 7u] += own[t][(k * 3u) & 7u];
        }
        s[t] = own[t][TURNS & 7u];
    }
    for (uint32_t by = 32u; by > 0u; by /= 2u) {
        int32_t before[64];
        memcpy(before, s, sizeof s);
        for (uint32_t t = 0u; t < 32u; t++) {
            s[t] += before[t + by < 64u ? t + by : t];
        }
    }
    for (uint32_t t = 0u; t < 64u; t++) {
        s[t] += own[t][t & 7u];
    }
    gsp_pointer from = nvcc_buffer(r, in, sizeof in), to = nvcc_buffer(r, NULL, sizeof s);
    nvcc_launch(r, GRID(1u, 1u), GRID(64u, 1u), 0u, ARGS(&to, &from, &turns));
    expect_ints(r, to, s, 64u);
}

#define CASE(name)  \
    {               \
#name, name \
    }
const struct nvcc_case nvcc_cases[] = {
    CASE(reduce),  CASE(scan),    CASE(transpose), CASE(histogram), CASE(multiply),
    CASE(bitonic), CASE(stencil), CASE(parts),     CASE(wrap),      CASE(buffers),
    CASE(bytes),   CASE(vectors), CASE(shuffles),  CASE(votes),     CASE(volatiles),
};
const uint32_t nvcc_case_count = sizeof nvcc_cases / sizeof nvcc_cases[0];
