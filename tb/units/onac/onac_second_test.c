/*
 * The detector's golden model beside onac_second.h, which is made from its page: every output
 * in every cycle. Once between its table and cores that issue and drain, once with samples on
 * and beside 98 %, once under the stimulus of the lockstep.
 */

#include <stdio.h>

#include "tb/base/unit_events.h"
#include "tb/units/onac/onac_second.h"
#include "units/core_status.h"

/* ---- A GPU ------------------------------------------------------------------------------- */

struct chip {
    struct onac unit;
    struct onac_second second;
    struct core_status table;
    uint64_t random;
    struct onac_in in;
    uint32_t rate, roof; /* warp instructions of a core, and of all, in a cycle */
    uint32_t in_flight[onac_max_n_core]; /* cycles until a core that stands still is empty */
    uint64_t issued[onac_max_n_core];    /* in the window */
    uint32_t stuck;                      /* from this sample on no CTA completes */
    uint32_t k;                          /* in plans the first sample is 50 of it */
    bool planned;                        /* samples are not those of the table */
};

static const struct onac_config configs[] = {
    { 1u, 2u }, { 1u, 16u }, { 2u, 8u }, { 2u, 32u }, { 3u, 5u },   { 3u, 16u },
    { 5u, 2u }, { 5u, 32u }, { 7u, 3u }, { 7u, 16u }, { 32u, 11u }, { 32u, 32u },
};

static struct chip chip;

static void chip_open(const struct onac_config *config, uint64_t seed)
{
    const struct core_status_config table = { config->n_core, config->count_w };
    const struct onac_second_met met = chip.second.met;

    memset(&chip, 0, sizeof chip);
    assert_int_equal(onac_init(&chip.unit, config), onac_ok);
    assert_int_equal(core_status_init(&chip.table, &table), core_status_ok);
    chip.second = (struct onac_second){ .config = *config, .met = met };
    onac_second_reset(&chip.second);
    chip.random = seed;
}

/* A kernel at random. Its windows are short, since many are wanted; when planned, of a cycle.
 */
static void chip_kernel(void)
{
    static const uint32_t limits[] = { 0u, 1u, 2u, 3u, 8u, 16u, 16u, 255u };
    const struct onac_config *const config = &chip.second.config;
    const uint64_t most = (UINT64_C(1) << config->count_w) - 1u;
    const uint32_t fits = (uint32_t)(most >> (config->count_w + 1u) / 2u);
    const bool narrow = config->count_w < 6u;
    uint64_t *const random = &chip.random;

    chip.planned = one_in(random, 3u);
    chip.in.restart = true;
    chip.in.mode = one_in(random, 16u)  ? random_below(random, 4u)
                   : one_in(random, 3u) ? ONAC_MODE_SEQ_DET
                                        : ONAC_MODE_ONAC;
    chip.in.quota = narrow         ? random_below(random, 2u)
                    : chip.planned ? 0u
                                   : random_below(random, 4u);
    chip.in.limit = limits[random_below(random, 8u)];
    chip.in.creep = one_in(random, 2u);
    chip.in.started = false;
    chip.stuck = one_in(random, 8u) ? random_below(random, 3u) : UINT32_MAX;
    chip.k = fits < 50u ? 0u : some(random, fits / 50u);
    chip.rate = some(random, 15u);
    chip.roof = some(random, chip.rate * config->n_core);
}

/* Inputs that say how a kernel comes and goes. */
static void chip_control(void)
{
    const bool idle = chip.second.stage == SECOND_NONE;
    uint64_t *const random = &chip.random;

    if (one_in(random, idle ? 8u : 4000u)) {
        chip_kernel();
    } else if (chip.in.restart) { /* only then are these taken */
        chip.in = (struct onac_in){
            .mode = random_below(random, 4u),
            .quota = random_below(random, 3u),
            .limit = random_below(random, 256u),
            .creep = one_in(random, 2u),
        };
    }
    chip.in.started = chip.in.started || one_in(random, 16u);
    chip.in.exhausted = one_in(random, idle ? 4u : 4000u);
    chip.in.completed =
        chip.second.n_taken >= chip.stuck || one_in(random, 2u)
            ? 0u
            : random_below(random, one_in(random, 32u) ? 8u * chip.second.config.n_core
                                                       : chip.second.cores + 1u);
}

static void put(struct bits *set, uint32_t core, bool in)
{
    if (in) {
        bits_add(set, core);
    } else {
        bits_remove(set, core);
    }
}

/* Cores that stand still drain, and say so; the others say anything. */
static void chip_drain(struct bits paused, struct bits request)
{
    for (uint32_t core = 0u; core < chip.second.config.n_core; core++) {
        const bool stops = bits_has(paused, core), holds = bits_has(request, core);
        const bool drained = (stops || holds) && chip.in_flight[core] == 0u;
        if (!stops && !holds) {
            chip.in_flight[core] = random_below(&chip.random, 8u);
        } else if (!drained) {
            chip.in_flight[core]--;
        }
        put(&chip.in.acks, core, stops ? drained : one_in(&chip.random, 2u));
        put(&chip.in.answers, core, holds ? drained : one_in(&chip.random, 2u));
    }
}

/* Cores that take CTAs issue, unless they hold. What they issue in a window is their sample. */
static void chip_issue(const struct onac_out *out, struct bits open, uint32_t *issued)
{
    const bool opens = out->window && chip.second.waited == 0u;
    uint32_t left = chip.roof;

    for (uint32_t core = 0u; core < chip.second.config.n_core; core++) {
        const bool issues = bits_has(open, core) && !bits_has(out->request, core);
        const uint32_t rate = chip.rate - one_in(&chip.random, 16u);
        issued[core] = !issues ? 0u : left < rate ? left : rate;
        left -= issued[core];
        chip.issued[core] =
            (opens ? 0u : chip.issued[core]) + (out->window ? issued[core] : 0u);
    }
}

/* In a plan core 0 has all: first 50 parts, and next 49 of them, or a little off, or anything.
 */
static uint32_t planned_sample(void)
{
    const uint64_t most = (UINT64_C(1) << chip.second.config.count_w) - 1u;
    const uint32_t kind = random_below(&chip.random, 4u);

    if (chip.second.stage != SECOND_READ || chip.second.waited == 0u || chip.k == 0u) {
        return random_below(&chip.random, most + 1u);
    }
    if (chip.second.waited > 1u) {
        return 0u;
    }
    return chip.second.n_taken == 0u ? 50u * chip.k
           : kind < 3u               ? 49u * chip.k + kind - 1u
                                     : random_below(&chip.random, 50u * chip.k);
}

/* The sets in the table are those that were written last, and its samples what was issued. */
static void chip_check(const struct onac_out *out, const struct core_status_out *table)
{
    const struct onac_second *const second = &chip.second;

    if (!out->write) {
        assert_true(bits_equal(table->active, out->active));
        assert_true(bits_equal(table->paused, out->paused));
    }
    if (second->stage == SECOND_READ && second->waited > 0u) {
        const uint64_t most = (UINT64_C(1) << second->config.count_w) - 1u;
        const uint64_t issued = chip.issued[second->waited - 1u];
        assert_int_equal(table->sample, issued < most ? issued : most);
    }
}

static void chip_cycle(void)
{
    const struct onac_out out = onac_second_shown(&chip.second);
    struct core_status_in in = {
        .write = out.write,
        .write_active = out.active,
        .write_paused = out.paused,
        .clear = out.clear,
        .window = out.window,
        .read = out.read,
    };
    struct core_status_out table;
    struct core_status_next next;

    core_status_eval(&chip.table, &in, &table, &next);
    chip_check(&out, &table);
    chip_control();
    chip_drain(table.paused, out.request);
    chip_issue(&out, table.open, in.issued);
    chip.in.sample = chip.planned ? planned_sample() : table.sample;
    core_status_eval(&chip.table, &in, &table, &next);
    core_status_tick(&chip.table, &next);
    onac_second_beside(&chip.second, &chip.unit, &chip.in);
}

/* ---- Tests ------------------------------------------------------------------------------- */

enum { CYCLES = SANITIZED ? 10000 : 100000 };

/* All that a detection can come to has happened. */
static void check_met(const struct onac_second_met *met)
{
    uint32_t counts[sizeof *met / sizeof(uint32_t)];

    memcpy(counts, met, sizeof *met);
    printf("%u kernels, %u cut off, %u without a CTA, %u late, %u of them too long to count\n"
           "%u samples, %u will do, %u lowered, %u given back\n"
           "%u estimates, %u of all cores, %u flat, %u crept\n",
           met->kernels, met->cut_off, met->ran_out, met->late, met->full, met->samples,
           met->accepted, met->lowered, met->given_back, met->estimated, met->whole, met->flat,
           met->crept);
    assert_in_range(least(counts, sizeof counts / sizeof counts[0]), SANITIZED ? 2 : 20,
                    UINT32_MAX);
}

static void every_cycle_between_table_and_cores_is_as_the_page_says(void **state)
{
    (void)state;
    const uint64_t seed = printed_seed();

    for (size_t i = 0u; i < sizeof configs / sizeof configs[0]; i++) {
        chip_open(&configs[i], seed + i);
        for (uint32_t k = 0u; k < CYCLES; k++) {
            chip_cycle();
        }
    }
    check_met(&chip.second.met);
}

static void under_the_stimulus_of_the_lockstep_it_does_what_the_page_says(void **state)
{
    (void)state;
    const uint64_t seed = printed_seed();

    for (size_t i = 0u; i < sizeof configs / sizeof configs[0]; i++) {
        struct fault fault;
        struct unit *const any = unit_open_config("onac", &configs[i], &fault);
        assert_non_null(any);
        struct traffic traffic = traffic_open(any, CYCLES, seed + i);
        struct onac_second second = { .config = configs[i] };

        onac_second_reset(&second);
        for (uint32_t k = 0u; k < CYCLES; k++) {
            const bool reset = traffic_next(&traffic, &(struct tied){ NULL, false });
            unit_eval(any);
            if (reset) {
                unit_edge(any, true);
                onac_second_reset(&second);
            } else {
                onac_second_beside(&second, any->model, any->in);
            }
        }
        stimulus_close(traffic.stimulus);
        unit_close(any);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_cycle_between_table_and_cores_is_as_the_page_says),
        cmocka_unit_test(under_the_stimulus_of_the_lockstep_it_does_what_the_page_says),
    };
    return cmocka_run_group_tests_name("onac_second", tests, NULL, NULL);
}
