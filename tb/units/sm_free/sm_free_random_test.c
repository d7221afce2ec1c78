/*
 * sm_free's golden model under random traffic: legal, beside lists of the CTAs that each SM
 * holds; and whatever starts and ends, beside counts.
 */

#include <stdio.h>

#include "tb/units/sm_free/sm_free_bench.h"

static struct sm_free_bench bench;

/* ---- Beside lists of CTAs ---------------------------------------------------------------- */

struct cta {
    uint32_t slot, registers, shared, warps;
};

enum { MOST_CTAS = 64 };
static struct cta list[sm_free_max_n_sm][MOST_CTAS];
static uint32_t held[sm_free_max_n_sm];
static struct cta kernel[sm_free_max_n_kernel]; /* what a CTA of it needs */
static bool in_use[sm_free_max_n_kernel];       /* some SM may hold one, or one starts */

/* What the CTAs of an SM need together, and another one too. */
static bool fits_beside(uint32_t sm, const struct cta *cta)
{
    uint64_t registers = cta->registers, shared = cta->shared, warps = cta->warps;

    for (uint32_t i = 0u; i < held[sm]; i++) {
        registers += list[sm][i].registers;
        shared += list[sm][i].shared;
        warps += list[sm][i].warps;
    }
    return registers <= bench.in.have_registers && shared <= bench.in.have_shared
           && warps <= bench.in.have_warps && held[sm] < bench.in.have_ctas;
}

static uint32_t part(uint64_t *random, uint32_t have)
{
    return random_below(random, have / (1u + random_below(random, 12u)) + 2u);
}

/* A slot of which no SM has a CTA gets another kernel. */
static void draw_launch(uint64_t *random)
{
    const uint32_t slot = random_below(random, bench.unit.config.n_kernel);
    const struct sm_free_config *const c = &bench.unit.config;

    if (random_below(random, 4u) != 0u || in_use[slot]) {
        return;
    }
    bench.in.launch_valid = true;
    bench.in.launch_kernel = slot;
    bench.in.launch_registers =
        part(random, bench.in.have_registers) & ((1u << c->register_w) - 1u);
    bench.in.launch_shared = part(random, bench.in.have_shared) & ((1u << c->shared_w) - 1u);
    bench.in.launch_warps = part(random, bench.in.have_warps) & ((1u << c->warp_w) - 1u);
}

static void draw_start(uint64_t *random)
{
    const uint32_t sm = random_below(random, bench.unit.config.n_sm);
    const uint32_t slot = random_below(random, bench.unit.config.n_kernel);

    if (random_below(random, 4u) != 0u && fits_beside(sm, &kernel[slot])) {
        sm_free_bench_start(&bench, sm, slot);
    }
}

static void draw_ends(uint64_t *random)
{
    const uint32_t n = bench.unit.config.n_sm;

    for (uint32_t sm = 0u; sm < n; sm++) {
        if (held[sm] != 0u && random_below(random, n + 2u) == 0u) {
            const uint32_t i = random_below(random, held[sm]);
            sm_free_bench_end(&bench, sm, list[sm][i].slot);
            list[sm][i] = list[sm][held[sm] - 1u]; /* room is compared before this */
            held[sm]--;
        }
    }
}

static struct bits expected_room(void)
{
    struct bits set = { { 0u } };

    for (uint32_t sm = 0u; sm < bench.unit.config.n_sm; sm++) {
        const bool starts = bench.in.started && bench.in.started_sm == sm;
        if (bench.in.kernel < bench.unit.config.n_kernel && !starts
            && fits_beside(sm, &kernel[bench.in.kernel])) {
            bits_add(&set, sm);
        }
    }
    return set;
}

/* The lists after this cycle, but for what ends. */
static void count_cycle(void)
{
    const struct sm_free_in *const in = &bench.in;

    if (in->started) {
        kernel[in->started_kernel].slot = in->started_kernel;
        list[in->started_sm][held[in->started_sm]++] = kernel[in->started_kernel];
    }
    if (in->launch_valid) {
        kernel[in->launch_kernel] = (struct cta){ in->launch_kernel, in->launch_registers,
                                                  in->launch_shared, in->launch_warps };
    }
    memset(in_use, 0, sizeof in_use);
    for (uint32_t sm = 0u; sm < bench.unit.config.n_sm; sm++) {
        for (uint32_t i = 0u; i < held[sm]; i++) {
            in_use[list[sm][i].slot] = true;
        }
    }
}

static void open_lists(const struct sm_free_config *c, uint64_t *random)
{
    memset(held, 0, sizeof held);
    memset(kernel, 0, sizeof kernel);
    memset(in_use, 0, sizeof in_use);
    sm_free_bench_open(&bench, *c);
    bench.in.have_registers = random_below(random, UINT64_C(1) << c->register_w);
    bench.in.have_shared = random_below(random, UINT64_C(1) << c->shared_w);
    bench.in.have_warps = random_below(random, UINT64_C(1) << c->warp_w);
    bench.in.have_ctas = 1u + random_below(random, (1u << c->cta_w) - 1u);
    sm_free_bench_cycle(&bench);
}

static void run_beside_lists(const struct sm_free_config *c, uint64_t *random, uint32_t *some,
                             uint32_t *full)
{
    const uint32_t slots = 1u << index_width(c->n_kernel);

    open_lists(c, random);
    for (uint32_t n = 0u; n < (SANITIZED ? 200u : 1000u); n++) {
        bench.in.kernel = random_below(random, slots);
        draw_start(random);
        if (!bench.in.started) { /* so that none starts of the slot that is launched */
            draw_launch(random);
        }
        const struct bits expected = expected_room();
        count_cycle();
        draw_ends(random);
        sm_free_bench_cycle(&bench);
        assert_true(bits_equal(bench.out.room, expected));
        if (bench.in.kernel < c->n_kernel) {
            *some += bits_count(expected, c->n_sm);
            *full += c->n_sm - bits_count(expected, c->n_sm);
        }
    }
}

static void under_random_traffic_a_cta_has_room_where_it_fits_beside_those_there(void **state)
{
    (void)state;
    static const struct sm_free_config sizes[] = { { 1u, 1u, 1u, 1u, 1u, 1u },
                                                   { 5u, 3u, 6u, 5u, 4u, 3u },
                                                   { 13u, 32u, 17u, 16u, 7u, 6u },
                                                   { 32u, 27u, 16u, 17u, 6u, 5u },
                                                   { 192u, 32u, 21u, 21u, 7u, 6u } };
    uint64_t random = printed_seed();

    for (size_t s = 0u; s < sizeof sizes / sizeof sizes[0]; s++) {
        uint32_t some = 0u, full = 0u;
        for (uint32_t round = 0u; round < 10u; round++) {
            run_beside_lists(&sizes[s], &random, &some, &full);
        }
        printf("%" PRIu32 " SMs: room %" PRIu32 " times, none %" PRIu32 " times\n",
               sizes[s].n_sm, some, full);
        assert_in_range(some, 20, UINT32_MAX);
        assert_in_range(full, 20, UINT32_MAX);
    }
}

/* ---- Beside counts, whatever starts and ends ----------------------------------------------
 */

static void under_illegal_traffic_what_is_left_is_counted_modulo_its_width(void **state)
{
    (void)state;
    enum { SMS = 3, SLOTS = 3 };
    uint32_t ctas[SMS][SLOTS] = { { 0u } }; /* that started, less those that ended */
    uint64_t random = printed_seed();

    sm_free_bench_open(&bench, (struct sm_free_config){ SMS, SLOTS, 5u, 3u, 4u, 2u });
    bench.in.have_registers = 20u;
    bench.in.have_shared = 7u;
    bench.in.have_warps = 9u;
    bench.in.have_ctas = 3u;
    sm_free_bench_cycle(&bench);
    for (uint32_t slot = 0u; slot < SLOTS; slot++) {
        sm_free_bench_launch(&bench, slot, 1u + 9u * slot, 2u + slot, 7u - slot);
    }
    for (uint32_t n = 0u; n < 20000u; n++) {
        const uint32_t sm = random_below(&random, 4u), slot = random_below(&random, 4u);
        const uint32_t at = random_below(&random, SMS), gone = random_below(&random, 4u);
        sm_free_bench_start(&bench, sm, slot);
        sm_free_bench_end(&bench, at, gone);
        sm_free_bench_cycle(&bench);
        ctas[sm % SMS][slot % SLOTS] += sm < SMS && slot < SLOTS;
        ctas[at][gone % SLOTS] -= gone < SLOTS;
        for (uint32_t k = 0u; k < SMS; k++) {
            const uint32_t *const c = ctas[k];
            assert_int_equal(bench.unit.q.registers[k],
                             (20u - c[0] - 10u * c[1] - 19u * c[2]) % 32u);
            assert_int_equal(bench.unit.q.shared[k],
                             (7u - 2u * c[0] - 3u * c[1] - 4u * c[2]) % 8u);
            assert_int_equal(bench.unit.q.warps[k],
                             (9u - 7u * c[0] - 6u * c[1] - 5u * c[2]) % 16u);
            assert_int_equal(bench.unit.q.ctas[k], (3u - c[0] - c[1] - c[2]) % 4u);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(under_random_traffic_a_cta_has_room_where_it_fits_beside_those_there),
        cmocka_unit_test(under_illegal_traffic_what_is_left_is_counted_modulo_its_width),
    };
    return cmocka_run_group_tests_name("sm_free_random", tests, NULL, NULL);
}
