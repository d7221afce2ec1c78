/*
 * The detector on curves at random, beside the walk of onac_oracle.h: every sample and the
 * result. Curves that rise and flatten, as those of kernels do, and curves without any order.
 */

#include "onac_bench.h"

#include <stdio.h>

enum { WALKS = SANITIZED ? 100 : 400 };

static struct onac_bench bench;

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Per core never more than before, as the model assumes; with noise, a little of it. */
static void rising_curve(uint64_t *random, uint64_t noise)
{
    const uint32_t n = bench.curve.n_core, one = 2u + random_below(random, 400u);
    const uint64_t roof = 1u + random_below(random, one * (uint64_t)n + 1u);
    uint64_t ipc = 0u, more = one;

    for (uint32_t k = 1u; k <= n; k++) {
        more = random_below(random, 4u) == 0u ? more * (60u + random_below(random, 41u)) / 100u
                                              : more;
        ipc = smaller(ipc + more, roof);
        const uint64_t off = noise == 0u ? 0u : random_below(random, noise * ipc / 100u + 1u);
        bench.curve.ipc[k] = smaller(ipc + off, 15u * ONAC_UNIT * (uint64_t)k);
    }
}

static void any_curve(uint64_t *random)
{
    for (uint32_t k = 1u; k <= bench.curve.n_core; k++) {
        bench.curve.ipc[k] = random_below(random, 60u * (k < 16u ? k : 16u) + 1u);
    }
}

/* One detection; how it ended is told apart by who calls. */
static void walk(const struct onac_in *in)
{
    const struct onac_walk expected = in->mode == ONAC_MODE_SEQ_DET
                                          ? onac_oracle_seq_det(&bench.curve)
                                          : onac_oracle_onac(&bench.curve, in->creep);

    onac_bench_restart(&bench, *in);
    onac_bench_run(&bench);
    assert_false(bench.out.aborted);
    assert_int_equal(bench.walk.n, expected.n);
    assert_memory_equal(bench.walk.sampled, expected.sampled,
                        expected.n * sizeof expected.sampled[0]);
    assert_int_equal(bench.walk.result, expected.result);
}

static void detections_walk_over_random_curves_as_the_page_says(void **state)
{
    static const uint32_t sizes[] = { 1u, 2u, 3u, 5u, 15u, 32u, 60u, 192u };
    uint64_t random = printed_seed();
    uint32_t fewer = 0u, long_walks = 0u, back = 0u;

    (void)state;
    for (uint32_t i = 0u; i < WALKS; i++) {
        const uint32_t kind = random_below(&random, 4u);
        const struct onac_in in = {
            .mode = random_below(&random, 4u) == 0u ? ONAC_MODE_SEQ_DET : ONAC_MODE_ONAC,
            .quota = 1u,
            .limit = 16u,
            .creep = random_below(&random, 2u) == 0u,
        };
        onac_bench_open(&bench, sizes[random_below(&random, 8u)], random_bits(&random));
        if (kind == 3u) {
            any_curve(&random);
        } else {
            rising_curve(&random, kind == 2u ? 5u : 0u);
        }
        walk(&in);
        fewer += bench.walk.result < bench.curve.n_core;
        long_walks += in.mode == ONAC_MODE_ONAC && bench.walk.n > 5u;
        back += in.mode == ONAC_MODE_SEQ_DET && bench.walk.n > 2u;
    }
    printf("%d walks: %u to fewer cores, %u of ONAC over three estimates, %u of Seq-Det over "
           "one\n",
           WALKS, fewer, long_walks, back);
    assert_in_range(fewer, WALKS / 10, WALKS);
    assert_in_range(long_walks, WALKS / 50, WALKS);
    assert_in_range(back, WALKS / 50, WALKS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(detections_walk_over_random_curves_as_the_page_says),
    };
    return cmocka_run_group_tests_name("onac_random", tests, NULL, NULL);
}
