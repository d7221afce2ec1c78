/* Tests of how full the queues of LaPerm's units are said to be: against what kernels say of
 * themselves, and in every mode of the machine. */

#include <string.h>

#include "tb/driver/driver_nested.h"

enum { LAUNCHES = 200 };

/* A CTA launches kernels of a CTA of one thread, on one SM. */
static struct gpu_stats run(struct fixture *f, unsigned mode, enum bind_mode bind,
                            uint32_t kernels, uint32_t entries)
{
    const struct way way = { "", true, mode, 1u, kernels, 0u };
    int32_t children = LAUNCHES;

    nested_open_with(f, &way, bind);
    gsp_close(f->context);
    f->config.laperm.entries = entries;
    f->config.sm.cta_slots = 1u; /* the parent has it until it ends */
    const struct gsp_options options = { .config = &f->config, .mode = mode };
    assert_int_equal(gsp_open(&f->context, &options), GSP_OK);
    nested_load(f);
    nested_put(f);
    nested_run(f, "scale", 3u, 1u, (void *[]){ &f->data, &children }); /* of three CTAs */
    nested_run(f, "many", 1u, 1u, (void *[]){ &f->data, &children });
    nested_get(f);
    assert_int_equal(f->word[0], LAUNCHES);
    return *gpu_stats(gsp_gpu(f->context));
}

/* Cycles from the launches to the first CTAs, of all children. */
static uint64_t waited(const struct gpu_stats *stats)
{
    uint64_t sum = 0u;

    assert_int_equal(stats->n_kernel, LAUNCHES + 2);
    for (uint32_t k = 2u; k < stats->n_kernel; k++) {
        sum += stats->kernel[k].first_cta - stats->kernel[k].launched;
    }
    return sum;
}

/* The parent has the only slot, and the children wait: 8 on chip, but for one on its way. */
static void kernels_wait_in_the_management_unit(void **state)
{
    struct fixture f;

    (void)state;
    const struct gpu_stats stats = run(&f, 0u, BIND_ADAPTIVE, 1u, 128u);
    assert_in_range(stats.queue[GPU_QUEUE_KMU_MEMORY].most, LAUNCHES - 9, LAUNCHES - 8);
    assert_in_range(stats.queue[GPU_QUEUE_KMU].most, 8, 9);
    assert_int_equal(stats.queue[GPU_QUEUE_SETS].most, 1);
    assert_int_equal(stats.most_of_set, 1);
    assert_int_equal(stats.queue[GPU_QUEUE_HOST].most, 1);
    assert_int_equal(stats.queue[GPU_QUEUE_MEMORY].most, 0);
    const uint64_t all = waited(&stats),
                   kmu = stats.queue[GPU_QUEUE_KMU].sum + stats.queue[GPU_QUEUE_KMU_MEMORY].sum;
    /* What is not in this unit is on its way to it, or to an SM. */
    assert_in_range(all - kmu, LAUNCHES, all / 20u);
    gsp_close(f.context);
}

/* Those that have a slot wait for the place on the SM: 4 entries are on chip. */
static void launches_wait_in_the_scheduler(void **state)
{
    struct fixture f;

    (void)state;
    const struct gpu_stats stats = run(&f, 0u, BIND_SMX, 128u, 4u);
    assert_int_equal(stats.queue[GPU_QUEUE_SETS].most, 4);
    assert_int_equal(stats.most_of_set, 4);
    assert_in_range(stats.queue[GPU_QUEUE_MEMORY].most, 120, 128 - 4);
    const uint64_t all = waited(&stats);
    uint64_t told = 0u;
    for (uint32_t k = 0u; k < GPU_QUEUES; k++) {
        told += k == GPU_QUEUE_HOST ? 0u : stats.queue[k].sum;
    }
    assert_in_range(all - told, LAUNCHES, all / 20u);
    gsp_close(f.context);
}

static void every_way_of_running_counts_the_same(void **state)
{
    static const unsigned modes[] = { 0u, GPU_NAIVE, GPU_FUZZ };
    struct fixture f;

    (void)state;
    for (enum bind_mode bind = BIND_RR; bind <= BIND_ADAPTIVE; bind++) {
        struct gpu_queue_stats first[GPU_QUEUES];
        for (uint32_t m = 0u; m < sizeof modes / sizeof modes[0]; m++) {
            const struct gpu_stats stats = run(&f, modes[m], bind, 16u, 2u);
            if (m == 0u) {
                memcpy(first, stats.queue, sizeof first);
            }
            assert_memory_equal(first, stats.queue, sizeof first);
            gsp_close(f.context);
        }
    }
}

static void without_these_units_nothing_is_counted(void **state)
{
    struct fixture f;

    (void)state;
    assert_null(run(&f, 0u, BIND_OFF, 16u, 2u).queue);
    gsp_close(f.context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_wait_in_the_management_unit),
        cmocka_unit_test(launches_wait_in_the_scheduler),
        cmocka_unit_test(every_way_of_running_counts_the_same),
        cmocka_unit_test(without_these_units_nothing_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
