/* nearest_neighbour, host part: random places; the nearest NEAREST of them. */

#include <math.h>

#include "workloads/workload_kit.h"

enum { NEAREST = 5, BLOCK = 256 };

static const uint32_t sizes[] = {
    8000, 1500000, 50115 * BLOCK, [SIZE_TH42] = 50115 * BLOCK, [SIZE_TH44] = 50115 * BLOCK
};

/* Indices of the smallest distances, by insertion. */
static void nearest(const float *distances, size_t n, int32_t *best)
{
    size_t filled = 0;
    for (size_t i = 0; i < n; i++) {
        if (filled == NEAREST && distances[i] >= distances[best[NEAREST - 1]]) {
            continue;
        }
        size_t at = filled < NEAREST ? filled++ : NEAREST - 1;
        for (; at > 0 && distances[best[at - 1]] > distances[i]; at--) {
            best[at] = best[at - 1];
        }
        best[at] = (int32_t)i;
    }
}

/* Near-ties may come out in another order: distances are compared, not indices. */
static bool check(struct kit *kit, const float *got, const float *expected, size_t n)
{
    int32_t found[NEAREST] = { 0 }, wanted[NEAREST] = { 0 };
    float found_at[NEAREST], wanted_at[NEAREST];
    nearest(got, n, found);
    nearest(expected, n, wanted);
    for (size_t i = 0; i < NEAREST; i++) {
        found_at[i] = expected[found[i]];
        wanted_at[i] = expected[wanted[i]];
    }
    return kit_check_floats(kit, "distance", got, expected, n, 1e-5, 1e-5)
           && kit_check_floats(kit, "nearest", found_at, wanted_at, NEAREST, 1e-5, 1e-5);
}

static bool run(struct kit *kit, enum workload_size size)
{
    const size_t n = sizes[size];
    float *places = kit_host(kit, 2 * n * sizeof(float));
    float *expected = kit_host(kit, n * sizeof(float));
    float latitude = 30.0f, longitude = 90.0f;
    for (size_t i = 0; i < n; i++) {
        places[2 * i] = kit_uniform(kit, 7.0f, 70.0f);
        places[2 * i + 1] = kit_uniform(kit, 0.0f, 180.0f);
        expected[i] = (float)hypot((double)(latitude - places[2 * i]),
                                   (double)(longitude - places[2 * i + 1]));
    }

    gsp_pointer device_places = kit_alloc_copy(kit, places, 2 * n * sizeof(float));
    gsp_pointer distances = kit_alloc(kit, n * sizeof(float));
    int32_t records = (int32_t)n;
    const struct gsp_dim grid = { (sizes[size] + BLOCK - 1) / BLOCK, 1, 1 };
    const struct gsp_dim block = { BLOCK, 1, 1 };
    KIT_LAUNCH(kit, "nearest_neighbour_distance", grid, block, &device_places, &distances,
               &records, &latitude, &longitude);

    float *got = kit_host(kit, n * sizeof(float));
    kit_copy_out(kit, got, distances, n * sizeof(float));
    return check(kit, got, expected, n);
}

static const struct kit_registers registers[] = {
    { "nearest_neighbour_distance", 16, "thesis Table 4.2" },
    { NULL, 0, NULL },
};

const struct cuda_workload workload_nearest_neighbour = {
    .name = "nearest_neighbour",
    .title = "distances of records from a target, and the nearest records",
    .source = "Thesis Table 4.2 (NN), Table 4.4 (NN)",
    .check = "every distance, and the nearest five, within 1e-5",
    .run = run,
    .papers = SIZE_BIT(TH42) | SIZE_BIT(TH44),
    .registers = registers,
};
