/* scan, host part: random numbers, whose sums may wrap around. */

#include "workloads/workload_kit.h"

enum { BLOCK = 256, PART = 1024 };

/* In parts of 1,024 elements, of which there may be 1,024. */
static const uint32_t parts[] = {
    [SIZE_SMALL] = 10,
    [SIZE_MEDIUM] = 1024,
    [SIZE_PAPER] = 128,
    [SIZE_CLASO] = 128,
};

static bool run(struct kit *kit, enum workload_size size)
{
    const size_t n = (size_t)parts[size] * PART, bytes = n * sizeof(uint32_t);
    uint32_t *input = kit_host(kit, bytes);
    int32_t *expected = kit_host(kit, bytes), *got = kit_host(kit, bytes);
    uint32_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        input[i] = kit_random(kit);
        expected[i] = (int32_t)sum;
        sum += input[i];
    }

    gsp_pointer from = kit_alloc_copy(kit, input, bytes), to = kit_alloc(kit, bytes);
    gsp_pointer sums = kit_alloc(kit, PART * sizeof(uint32_t));
    kit_set(kit, sums, 0, PART * sizeof(uint32_t));
    const struct gsp_dim grid = { parts[size], 1, 1 }, one = { 1, 1, 1 };
    const struct gsp_dim block = { BLOCK, 1, 1 };
    KIT_LAUNCH(kit, "scan_exclusive", grid, block, &from, &to, &sums);
    KIT_LAUNCH(kit, "scan_sums", one, block, &sums);
    KIT_LAUNCH(kit, "scan_update", grid, block, &to, &sums);
    kit_copy_out(kit, got, to, bytes);
    return kit_check_ints(kit, "sum", got, expected, n);
}

const struct cuda_workload workload_scan = {
    .name = "scan",
    .title = "exclusive prefix sum of a large array",
    .source = "CLASO Table 2 (SLA)",
    .check = "every sum, exactly",
    .run = run,
    .papers = SIZE_BIT(CLASO),
};
