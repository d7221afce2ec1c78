/* histogram, host part: bytes of which some are much more frequent than others. */

#include "workloads/workload_kit.h"

enum { WORDS_OF_CTA = 64 * 63, THREADS_256 = 192 };

static const struct {
    uint32_t bytes, ctas, merge_threads; /* CTAs of the kernel of 256 bins */
} sizes[] = {
    [SIZE_SMALL] = { 20000, 4, 32 },
    [SIZE_MEDIUM] = { 8 << 20, 256, 256 },
    [SIZE_PAPER] = { 64 << 20, 256, 256 },
    [SIZE_TH3] = { 64 << 20, 256, 256 },
};

/* As two launches: partial histograms of CTAs, then their sums. */
static bool histogram(struct kit *kit, uint32_t bins, gsp_pointer data, uint32_t n_words,
                      uint32_t ctas, uint32_t merge_threads, const uint32_t *counts)
{
    gsp_pointer partial = kit_alloc(kit, (size_t)ctas * bins * sizeof(uint32_t));
    gsp_pointer sums = kit_alloc(kit, bins * sizeof(uint32_t));
    int32_t words = (int32_t)n_words, partials = (int32_t)ctas;
    const struct gsp_dim grid = { ctas, 1, 1 }, merge_grid = { bins, 1, 1 };
    const struct gsp_dim block = { bins == 64 ? 64 : THREADS_256, 1, 1 };
    const struct gsp_dim merge_block = { merge_threads, 1, 1 };
    KIT_LAUNCH(kit, bins == 64 ? "histogram64" : "histogram256", grid, block, &data, &partial,
               &words);
    KIT_LAUNCH(kit, bins == 64 ? "merge_histogram64" : "merge_histogram256", merge_grid,
               merge_block, &partial, &sums, &partials);

    int32_t got[256], expected[256] = { 0 };
    for (uint32_t value = 0; value < 256; value++) {
        expected[value / (256 / bins)] += (int32_t)counts[value];
    }
    kit_copy_out(kit, got, sums, bins * sizeof(uint32_t));
    return kit_check_ints(kit, bins == 64 ? "bin of 64" : "bin of 256", got, expected, bins);
}

static bool run(struct kit *kit, enum workload_size size)
{
    const uint32_t bytes = sizes[size].bytes, words = bytes / 4;
    const uint32_t threads = sizes[size].merge_threads;
    uint8_t *data = kit_host(kit, bytes);
    uint32_t counts[256] = { 0 };
    for (uint32_t i = 0; i < bytes; i++) {
        const uint32_t random = kit_random(kit);
        data[i] = (uint8_t)(random >> 8 & random >> 16);
        counts[data[i]]++;
    }
    const gsp_pointer device = kit_alloc_copy(kit, data, bytes);
    const uint32_t ctas = (words + WORDS_OF_CTA - 1) / WORDS_OF_CTA;
    return histogram(kit, 64, device, words, ctas, threads, counts)
           && histogram(kit, 256, device, words, sizes[size].ctas, threads, counts);
}

static const struct kit_registers registers[] = {
    { "histogram256", 25, "thesis Table 3.3: 6 CTAs per core" },
    { NULL, 0, NULL },
};

const struct cuda_workload workload_histogram = {
    .name = "histogram",
    .title = "64 and 256 bins of an array of bytes",
    .source = "thesis Table 3.3 (HIST)",
    .check = "all bins exactly",
    .run = run,
    .papers = SIZE_BIT(TH3),
    .registers = registers,
};
