/*
 * Every short sequence of the kernel distributor unit's golden model on two entries, from an
 * empty table and from a full one, each cycle held against the oracle; and what a reset leaves.
 */

#include <stdio.h>

#include "tb/units/kdu/kdu_bench.h"

static struct kdu_bench bench;

/* A kernel of one thread block. */
static void admit(uint64_t tag)
{
    struct kdu_out out;

    kdu_bench_cycle(&bench,
                    &(struct kdu_in){ .admit_valid = true, .admit_tag = tag, .admit_tbs = 1u },
                    &out);
    assert_true(out.admit_ready);
}

enum { LENGTH = SANITIZED ? 3 : 5 };

/* Digits: a kernel or none, a group or none, which slot's thread block ends, what is given up.
 */
static void step(struct kdu_bench *it, uint32_t number)
{
    uint64_t left = number;
    struct kdu_out out;
    struct kdu_in in = { .admit_tbs = 1u, .group_tbs = 1u, .give_up_tbs = 1u };

    in.admit_valid = digit(&left, 2u) != 0u;
    in.group_valid = digit(&left, 2u) != 0u;
    const uint64_t ends = digit(&left, 3u);
    in.ended[0] = ends != 0u;
    in.ended_kernel[0] = ends == 2u;
    in.give_up_valid = digit(&left, 2u) != 0u;
    kdu_bench_cycle(it, &in, &out);
}

static uint32_t every_sequence(const struct kdu_bench *from, uint32_t length)
{
    uint32_t n = 1u;

    for (uint32_t number = 0u; number < 24u && length != 0u; number++) {
        struct kdu_bench it = *from;
        step(&it, number);
        n += every_sequence(&it, length - 1u);
    }
    return n;
}

static void every_sequence_on_two_entries_does_what_the_page_says(void **state)
{
    (void)state;
    kdu_bench_open(&bench, (struct kdu_config){ 2u, 1u, 1u, 2u, 1u });
    printf("%" PRIu32 " cycles\n", every_sequence(&bench, LENGTH - 1u));
    admit(0u);
    admit(0u);
    printf("%" PRIu32 " cycles\n", every_sequence(&bench, LENGTH - 1u));
}

static void without_inputs_nothing_changes_after_a_reset(void **state)
{
    (void)state;
    static struct kdu_next next;
    const struct kdu_in nothing = { .admit_valid = false };
    struct kdu_out out;

    kdu_bench_open(&bench, (struct kdu_config){ 32u, 13u, 64u, 20u, 1u });
    admit(1u);
    kdu_reset(&bench.unit);
    kdu_eval(&bench.unit, &nothing, &out, &next);
    assert_true(kdu_type.holds(&bench.unit, &next));
    assert_true(kdu_quiet(&bench.unit, &nothing));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_sequence_on_two_entries_does_what_the_page_says),
        cmocka_unit_test(without_inputs_nothing_changes_after_a_reset),
    };
    return cmocka_run_group_tests_name("kdu_states", tests, NULL, NULL);
}
