/*
 * merge_sort, host part: keys with many duplicates; values are the elements' numbers, so that
 * the CPU's order by key and number shows whether the sort is stable.
 */

#include <stdlib.h>

#include "workloads/workload_kit.h"

enum { BLOCK = 1024, INTERVAL = 128, SAMPLE_THREADS = 256 };

/* Elements: multiples of BLOCK. */
static const uint32_t lengths[] = {
    [SIZE_SMALL] = 2 * BLOCK,
    [SIZE_MEDIUM] = 96 * BLOCK,
    [SIZE_PAPER] = 3072 * BLOCK,
    [SIZE_TH44] = 3072 * BLOCK,
};

static int compare(const void *a, const void *b)
{
    const uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

struct arrays {
    gsp_pointer keys, values;
};

/* Returns the arrays in which the result is. */
static struct arrays sort(struct kit *kit, uint32_t n, struct arrays from, struct arrays to)
{
    const uint32_t samples = n / INTERVAL;
    gsp_pointer cuts = kit_alloc(kit, samples * sizeof(uint64_t));
    int32_t elements = (int32_t)n;
    const struct gsp_dim blocks = { n / BLOCK, 1, 1 }, threads = { BLOCK / 2, 1, 1 };
    const struct gsp_dim sample_grid = { (samples + SAMPLE_THREADS - 1) / SAMPLE_THREADS, 1,
                                         1 };
    const struct gsp_dim sample_block = { SAMPLE_THREADS, 1, 1 };
    const struct gsp_dim intervals = { samples, 1, 1 }, interval = { INTERVAL, 1, 1 };

    KIT_LAUNCH(kit, "sort_blocks", blocks, threads, &from.keys, &from.values);
    for (int32_t length = BLOCK; length < elements; length *= 2) {
        KIT_LAUNCH(kit, "sample_ranks", sample_grid, sample_block, &from.keys, &cuts, &length,
                   &elements);
        KIT_LAUNCH(kit, "merge_intervals", intervals, interval, &from.keys, &from.values,
                   &to.keys, &to.values, &cuts, &length, &elements);
        const struct arrays swap = from;
        from = to;
        to = swap;
    }
    return from;
}

static bool run(struct kit *kit, enum workload_size size)
{
    const size_t n = lengths[size], bytes = n * sizeof(uint32_t);
    uint32_t *keys = kit_host(kit, bytes), *values = kit_host(kit, bytes);
    uint64_t *order = kit_host(kit, n * sizeof(uint64_t));
    for (size_t i = 0; i < n; i++) {
        const uint32_t random = kit_random(kit);
        keys[i] = random & 1 ? random : random % (uint32_t)n;
        values[i] = (uint32_t)i;
        order[i] = (uint64_t)keys[i] << 32 | i;
    }
    const struct arrays from = { kit_alloc_copy(kit, keys, bytes),
                                 kit_alloc_copy(kit, values, bytes) };
    const struct arrays to = { kit_alloc(kit, bytes), kit_alloc(kit, bytes) };
    const struct arrays sorted = sort(kit, lengths[size], from, to);

    qsort(order, n, sizeof(*order), compare);
    int32_t *got = kit_host(kit, bytes);
    kit_copy_out(kit, got, sorted.keys, bytes);
    for (size_t i = 0; i < n; i++) {
        keys[i] = (uint32_t)(order[i] >> 32);
        values[i] = (uint32_t)order[i];
    }
    if (!kit_check_ints(kit, "key", got, (const int32_t *)keys, n)) {
        return false;
    }
    kit_copy_out(kit, got, sorted.values, bytes);
    return kit_check_ints(kit, "value", got, (const int32_t *)values, n);
}

const struct cuda_workload workload_merge_sort = {
    .name = "merge_sort",
    .title = "a stable merge sort of keys with values",
    .source = "thesis Table 4.4 (MS)",
    .check = "all keys and values exactly",
    .run = run,
    .papers = SIZE_BIT(TH44),
};
