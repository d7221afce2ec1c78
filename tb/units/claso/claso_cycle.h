/*
 * claso_cycle - what the tests of CLASO share: the formulas of the paper, a unit and its
 * cycles, a scheduler that goes by the masks, comparison of units, and random stimulus.
 */

#ifndef CLASO_CYCLE_H
#define CLASO_CYCLE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdlib.h>

#include "base/random_bits.h"
#include "units/claso.h"

/* The start of the random numbers: SEED of the environment, or 1. Printed, to repeat a run. */
static inline uint64_t printed_seed(void)
{
    const char *const text = getenv("SEED");
    const uint64_t seed = text != NULL ? strtoull(text, NULL, 0) : 1u;

    print_message("SEED=%" PRIu64 "\n", seed);
    return seed;
}

/* ---- Kernels, and the formulas of section 3.1 ---------------------------------------- */

struct kernel {
    uint32_t n_cta;
    struct bits cores;
    uint32_t active; /* p_A */
    uint32_t loose;  /* p_L */
};

struct formulas {
    uint64_t n_core;
    uint64_t share;  /* ceil(n_cta / n_core) */
    uint64_t local;  /* C_p of each core */
    uint64_t global; /* C_g */
    uint64_t band;   /* so many of a core's last credits need a global one */
    uint64_t free;   /* and so many of its first do not */
};

static inline struct formulas formulas_of(struct kernel kernel)
{
    const uint64_t n_core = bits_count(kernel.cores, BITS_MAX);
    const uint64_t share = (kernel.n_cta + n_core - 1u) / n_core;

    return (struct formulas){
        .n_core = n_core,
        .share = share,
        .local = share + kernel.loose,
        .global = (kernel.n_cta - UINT64_C(1)) % n_core + 1u + (kernel.active - 1u) * n_core,
        .band = (uint64_t)kernel.active + kernel.loose,
        .free = share > kernel.active ? share - kernel.active : 0u,
    };
}

static inline bool is_within(struct bits a, struct bits b)
{
    return (a.word[0] & ~b.word[0]) == 0u && (a.word[1] & ~b.word[1]) == 0u
           && (a.word[2] & ~b.word[2]) == 0u;
}

/* ---- Cycles -------------------------------------------------------------------------- */

/* The config in the order of the table: n_core, n_pool, n_kernel, cta_w, level_w. */
static inline void make(struct claso *unit, struct claso_config config)
{
    assert_int_equal(claso_init(unit, &config), claso_ok);
}

/* One whole cycle: evaluate, then clock. Returns the outputs. */
static inline struct claso_out cycle(struct claso *unit, struct claso_in in)
{
    struct claso_out out;
    struct claso_next next;

    claso_eval(unit, &in, &out, &next);
    claso_tick(unit, &next);
    return out;
}

/* The outputs with this slot selected and nothing asked; no clock edge. */
static inline struct claso_out look(const struct claso *unit, uint32_t slot)
{
    const struct claso_in in = { .kernel = slot };
    struct claso_out out;
    struct claso_next next;

    claso_eval(unit, &in, &out, &next);
    return out;
}

static inline struct claso_in launch_of(uint32_t slot, struct kernel kernel)
{
    return (struct claso_in){
        .launch_valid = true,
        .launch_kernel = slot,
        .launch_ctas = kernel.n_cta,
        .launch_cores = kernel.cores,
        .launch_active = kernel.active,
        .launch_loose = kernel.loose,
    };
}

static inline struct claso_in consume_of(uint32_t slot, uint32_t core, bool two)
{
    return (struct claso_in){
        .kernel = slot,
        .consume_valid = true,
        .consume_core = core,
        .consume_more = two,
    };
}

/* Cycles from the one in which a launch is taken to the one in which its credits show. */
static inline uint32_t latency(const struct claso *unit)
{
    return 3u + (unit->config.cta_w + 1u) / 2u;
}

static inline void launch(struct claso *unit, uint32_t slot, struct kernel kernel)
{
    assert_true(cycle(unit, launch_of(slot, kernel)).launch_ready);
    for (uint32_t t = 1u; t < latency(unit); t++) {
        (void)cycle(unit, (struct claso_in){ .kernel = slot });
    }
    assert_true(look(unit, slot).launch_ready);
}

/* ---- Credits and requests ------------------------------------------------------------ */

static inline uint64_t *local_of(struct claso *unit, uint32_t slot, uint32_t core)
{
    return &unit->mem.local[slot * unit->config.n_core + core];
}

/*
 * A scheduler's request, as the mask answers it: an allowed one consumes. It is checked to
 * cost one local credit or none, so a core that asks for ever is refused in the end.
 */
static inline bool ask(struct claso *unit, uint32_t slot, uint32_t core)
{
    const uint64_t before = *local_of(unit, slot, core);
    struct claso_in in = consume_of(slot, core, false);

    in.consume_valid = bits_has(look(unit, slot).allow_one, core);
    (void)cycle(unit, in);
    assert_false(unit->q.consume_error);
    assert_int_equal(*local_of(unit, slot, core), before - in.consume_valid);
    return in.consume_valid;
}

/* ---- Comparison of whole units ------------------------------------------------------- */

/* Fails, and says where, unless two groups are alike: ports, registers or memories. */
static inline void check_group(const struct claso_config *config, enum unit_group group,
                               const void *expected, const void *got)
{
    struct unit_port ports[64];
    struct unit_const constants[16];
    const struct unit unit = { .type = &claso_type, .ports = ports };
    struct unit_difference found;

    assert_in_range(claso_type.n_port, 1, sizeof ports / sizeof ports[0]);
    assert_in_range(claso_type.n_const, 1, sizeof constants / sizeof constants[0]);
    claso_type.describe(config, constants, ports);
    if (unit_compare(&unit, group, expected, got, &found, 1u) != 0u) {
        fail_msg("%s[%" PRIu32 "] is %" PRIu64 ", not %" PRIu64, found.port->name,
                 found.element, found.got, found.expected);
    }
}

/* Every register and every word of memory. */
static inline void check_same(const struct claso *expected, const struct claso *got)
{
    check_group(&expected->config, UNIT_REG, &expected->q, &got->q);
    check_group(&expected->config, UNIT_MEM, &expected->mem, &got->mem);
}

/* ---- Random stimulus ----------------------------------------------------------------- */

static inline uint32_t some_number(uint64_t *random, uint32_t width)
{
    return (uint32_t)(random_bits(random) >> (64u - width));
}

static inline bool one_in(uint64_t *random, uint32_t n)
{
    return random_below(random, n) == 0u;
}

/* Any set, from the empty to the full one. */
static inline struct bits some_cores(uint64_t *random, uint32_t n_core)
{
    const uint32_t density = random_below(random, 9u);
    struct bits cores = { { 0u } };

    for (uint32_t core = 0u; core < n_core; core++) {
        if (random_below(random, 8u) < density) {
            bits_add(&cores, core);
        }
    }
    return cores;
}

/* Mostly kernels that are soon issued. Some are illegal. */
static inline struct kernel some_kernel(uint64_t *random, const struct claso_config *config)
{
    const bool small = !one_in(random, 4u);
    const uint32_t n_cta = some_number(random, config->cta_w);
    const uint32_t active = some_number(random, config->level_w);
    const uint32_t loose = some_number(random, config->level_w);
    const struct bits all = bits_below(config->n_core);

    return (struct kernel){
        .n_cta = small ? n_cta % (2u + random_below(random, 5u * config->n_core)) : n_cta,
        .cores = one_in(random, 2u) ? all : some_cores(random, config->n_core),
        .active = small ? active % 4u : active,
        .loose = small ? loose % 3u : loose,
    };
}

static inline bool is_legal(struct kernel kernel)
{
    return kernel.n_cta > 0u && kernel.active > 0u && bits_any(kernel.cores);
}

static inline struct kernel some_legal_kernel(uint64_t *random,
                                              const struct claso_config *config)
{
    struct kernel kernel;

    do {
        kernel = some_kernel(random, config);
    } while (!is_legal(kernel));
    return kernel;
}

/* Inputs of every kind. Most consumes go to a core that is allowed, if there is one. */
static inline struct claso_in some_inputs(uint64_t *random, const struct claso *unit)
{
    const struct claso_config *const config = &unit->config;
    const uint32_t slot_w = index_width(config->n_kernel);
    const struct kernel kernel =
        one_in(random, 4u) ? some_kernel(random, config) : some_legal_kernel(random, config);
    struct claso_in in = launch_of(some_number(random, slot_w), kernel);

    in.launch_split = one_in(random, 2u);
    in.launch_pool = some_number(random, index_width(config->n_pool));
    in.launch_valid = one_in(random, 32u);
    in.kernel = some_number(random, slot_w);
    in.consume_valid = !one_in(random, 4u);
    in.consume_core = some_number(random, index_width(config->n_core));
    in.consume_more = one_in(random, 2u) ? 0u : some_number(random, 2u);

    const struct claso_out out = look(unit, in.kernel);
    const struct bits allowed = claso_allows(&out, in.consume_more + 1u);
    if (bits_count(allowed, config->n_core) > 0u && !one_in(random, 8u)) {
        do {
            in.consume_core = (in.consume_core + 1u) % config->n_core;
        } while (!bits_has(allowed, in.consume_core));
    }
    return in;
}

#endif
