/* kmeans, host part: points around five places, two passes. */

#include "workloads/workload_kit.h"

enum { CENTRES = 5, FEATURES = 34, VALUES = CENTRES * FEATURES, BLOCK = 256, PASSES = 2 };

static const uint32_t sizes[] = {
    [SIZE_SMALL] = 500,   [SIZE_MEDIUM] = 30720, [SIZE_PAPER] = 204800,
    [SIZE_CLASO] = 30720, [SIZE_TH3] = 204800,   [SIZE_TH44] = 160 * 160 * BLOCK,
};

/* Smallest square of CTAs with a thread for every point. */
static struct gsp_dim square_grid(uint32_t points)
{
    const uint32_t blocks = (points + BLOCK - 1) / BLOCK;
    uint32_t side = 1;
    while (side * side < blocks) {
        side++;
    }
    return (struct gsp_dim){ side, side, 1 };
}

static void make(struct kit *kit, float *features, size_t points)
{
    float place[VALUES];
    for (size_t i = 0; i < VALUES; i++) {
        place[i] = kit_uniform(kit, 0.0f, 1.0f);
    }
    for (size_t i = 0; i < points; i++) {
        const size_t c = kit_random(kit) % CENTRES;
        for (size_t f = 0; f < FEATURES; f++) {
            features[i * FEATURES + f] =
                place[c * FEATURES + f] + kit_uniform(kit, -0.5f, 0.5f);
        }
    }
}

static double distance(const float *point, const float *centre)
{
    double sum = 0.0;
    for (size_t f = 0; f < FEATURES; f++) {
        const double d = (double)point[f] - (double)centre[f];
        sum += d * d;
    }
    return sum;
}

/* The distance to the centre that was chosen is the least; with equal ones any will do. */
static bool check(struct kit *kit, const float *features, const float *centres,
                  const int32_t *membership, size_t points)
{
    for (size_t i = 0; i < points; i++) {
        const float *point = &features[i * FEATURES];
        if (membership[i] < 0 || membership[i] >= CENTRES) {
            return kit_fail(kit, "point %zu: cluster %d", i, membership[i]);
        }
        const double chosen = distance(point, &centres[(size_t)membership[i] * FEATURES]);
        for (size_t c = 0; c < CENTRES; c++) {
            if (distance(point, &centres[c * FEATURES]) < chosen * (1.0 - 1e-5)) {
                return kit_fail(kit, "point %zu: cluster %zu is nearer than %d", i, c,
                                membership[i]);
            }
        }
    }
    return true;
}

static void move_centres(const float *features, const int32_t *membership, size_t points,
                         float *centres)
{
    double sum[VALUES] = { 0 };
    size_t members[CENTRES] = { 0 };
    for (size_t i = 0; i < points; i++) {
        members[membership[i]]++;
        for (size_t f = 0; f < FEATURES; f++) {
            sum[(size_t)membership[i] * FEATURES + f] += (double)features[i * FEATURES + f];
        }
    }
    for (size_t i = 0; i < VALUES; i++) {
        const size_t count = members[i / FEATURES];
        if (count > 0) {
            centres[i] = (float)(sum[i] / (double)count);
        }
    }
}

static bool run(struct kit *kit, enum workload_size size)
{
    const size_t n = sizes[size], bytes = n * FEATURES * sizeof(float);
    float *features = kit_host(kit, bytes), centres[VALUES];
    int32_t *membership = kit_host(kit, n * sizeof(int32_t));
    make(kit, features, n);
    for (size_t i = 0; i < VALUES; i++) {
        centres[i] = features[i]; /* the first points */
    }

    gsp_pointer by_point = kit_alloc_copy(kit, features, bytes);
    gsp_pointer by_feature = kit_alloc(kit, bytes);
    gsp_pointer device_membership = kit_alloc(kit, n * sizeof(int32_t));
    int32_t points = (int32_t)n;
    const struct gsp_dim grid = square_grid(sizes[size]), block = { BLOCK, 1, 1 };
    KIT_LAUNCH(kit, "kmeans_invert", grid, block, &by_point, &by_feature, &points);
    for (int pass = 0; pass < PASSES; pass++) {
        kit_copy_symbol(kit, "centres", centres, sizeof(centres));
        KIT_LAUNCH(kit, "kmeans_assign", grid, block, &by_feature, &device_membership, &points);
        kit_copy_out(kit, membership, device_membership, n * sizeof(int32_t));
        if (!check(kit, features, centres, membership, n)) {
            return false;
        }
        move_centres(features, membership, n, centres);
    }
    return true;
}

static const struct kit_registers registers[] = {
    { "kmeans_assign", 20, "CLASO Table 2: 6 CTAs per core" },
    { NULL, 0, NULL },
};

const struct cuda_workload workload_kmeans = {
    .name = "kmeans",
    .title = "clusters of points with many features",
    .source = "CLASO Table 2 (KMS), thesis Tables 3.2, 4.4 (KM)",
    .check = "every point's centre is its nearest, within 1e-5 of the squared distance",
    .run = run,
    .papers = SIZE_BIT(CLASO) | SIZE_BIT(TH3) | SIZE_BIT(TH44),
    .registers = registers,
};
