/* stream_x_words, host part: random words; x = 1 to 4 in turn, 3 alone at the paper's size. */

#include "workloads/workload_kit.h"

enum { THREADS = 256 };

static const struct {
    uint32_t ctas, least, most; /* words of a thread */
} sizes[] = { { 16, 1, 4 }, { 5120, 1, 4 }, { 640, 3, 3 } };

static const char *const kernels[] = { "stream_1_words", "stream_2_words", "stream_3_words",
                                       "stream_4_words" };

static bool stream(struct kit *kit, uint32_t ctas, uint32_t words)
{
    const size_t n = (size_t)ctas * THREADS * words, bytes = n * sizeof(int32_t);
    int32_t *from = kit_host(kit, bytes), *got = kit_host(kit, bytes);
    for (size_t i = 0; i < n; i++) {
        from[i] = (int32_t)kit_random(kit);
    }
    gsp_pointer device_from = kit_alloc_copy(kit, from, bytes);
    gsp_pointer to = kit_alloc(kit, bytes);
    const struct gsp_dim grid = { ctas, 1, 1 }, block = { THREADS, 1, 1 };
    KIT_LAUNCH(kit, kernels[words - 1], grid, block, &device_from, &to);
    kit_copy_out(kit, got, to, bytes);
    return kit_check_ints(kit, kernels[words - 1], got, from, n);
}

static bool run(struct kit *kit, enum workload_size size)
{
    bool right = true;
    for (uint32_t x = sizes[size].least; right && x <= sizes[size].most; x++) {
        right = stream(kit, sizes[size].ctas, x);
    }
    return right;
}

const struct cuda_workload workload_stream_x_words = {
    .name = "stream_x_words",
    .title = "x words copied by each thread",
    .source = "thesis 5.3.2 (stream_x_words)",
    .check = "all words exactly",
    .run = run,
};
