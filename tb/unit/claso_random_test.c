/*
 * Random traffic on the CLASO golden model, legal and illegal, beside a second model that
 * is made from the formulas alone: it counts what each core has taken, and holds no credits.
 */

#include "claso_cycle.h"

#include <string.h>

/*
 * What each slot was given, and how much of it each core has taken. The first `free` CTAs
 * of a core are free; each of the others takes one of the globals.
 */
struct shadow_slot {
    bool used;
    struct bits cores;
    struct formulas given;
    uint64_t taken[claso_max_n_core];
    uint64_t globals_taken;
};

struct shadow {
    struct claso_config config;
    struct shadow_slot slot[claso_max_n_kernel];
    uint32_t wait; /* cycles until the allocator is ready; at the end of them ... */
    uint32_t launched_slot;
    struct kernel launched; /* ... this has its credits */
    struct claso_out flags;
    uint32_t launches;
    uint32_t consumes;
    uint32_t blocks;
    uint32_t errors;
};

static uint64_t globals_for(const struct shadow_slot *slot, uint32_t core, uint32_t ctas)
{
    const uint64_t end = slot->taken[core] + ctas;
    const uint64_t banded = end > slot->given.free ? end - slot->given.free : 0u;

    return banded < ctas ? banded : ctas;
}

static bool may_take(const struct shadow *shadow, uint32_t number_of_slot, uint32_t core,
                     uint32_t ctas)
{
    const struct shadow_slot *const slot = &shadow->slot[number_of_slot];

    return number_of_slot < shadow->config.n_kernel && core < shadow->config.n_core
           && slot->used && bits_has(slot->cores, core)
           && slot->taken[core] + ctas <= slot->given.local
           && slot->globals_taken + globals_for(slot, core, ctas) <= slot->given.global;
}

static struct claso_out shadow_out(const struct shadow *shadow, uint32_t kernel)
{
    struct claso_out out = shadow->flags;

    out.launch_ready = shadow->wait == 0u;
    for (uint32_t core = 0u; core < shadow->config.n_core; core++) {
        if (may_take(shadow, kernel, core, 1u)) {
            bits_add(&out.allow_one, core);
        }
        if (may_take(shadow, kernel, core, 2u)) {
            bits_add(&out.allow_two, core);
        }
    }
    return out;
}

static void shadow_consume(struct shadow *shadow, const struct claso_in *in)
{
    const uint32_t ctas = in->consume_two ? 2u : 1u;

    shadow->flags.consume_error =
        in->consume_valid && !may_take(shadow, in->kernel, in->consume_core, ctas);
    shadow->errors += shadow->flags.consume_error;
    if (in->consume_valid && !shadow->flags.consume_error) {
        struct shadow_slot *const slot = &shadow->slot[in->kernel];
        slot->globals_taken += globals_for(slot, in->consume_core, ctas);
        slot->taken[in->consume_core] += ctas;
        shadow->consumes++;
        shadow->blocks += in->consume_two;
    }
}

static void shadow_launch(struct shadow *shadow, const struct claso_in *in)
{
    const struct kernel kernel = { in->launch_ctas, in->launch_cores, in->launch_active,
                                   in->launch_loose };

    shadow->flags.launch_error = false;
    if (shadow->wait > 0u) {
        shadow->wait--;
        if (shadow->wait == 0u) {
            shadow->slot[shadow->launched_slot] =
                (struct shadow_slot){ .used = true,
                                      .cores = shadow->launched.cores,
                                      .given = formulas_of(shadow->launched) };
        }
    } else if (in->launch_valid && is_legal(kernel)
               && in->launch_kernel < shadow->config.n_kernel) {
        shadow->wait = 2u + (shadow->config.cta_w + 1u) / 2u;
        shadow->launched_slot = in->launch_kernel;
        shadow->launched = kernel;
        shadow->slot[in->launch_kernel].used = false;
        shadow->launches++;
    } else if (in->launch_valid) {
        shadow->flags.launch_error = true;
        shadow->errors++;
    }
}

static void shadow_reset(struct shadow *shadow)
{
    for (uint32_t slot = 0u; slot < shadow->config.n_kernel; slot++) {
        shadow->slot[slot].used = false;
    }
    shadow->wait = 0u;
    shadow->flags = (struct claso_out){ 0 };
}

static void check_credits(const struct shadow *shadow, struct claso *unit)
{
    for (uint32_t k = 0u; k < shadow->config.n_kernel; k++) {
        const struct shadow_slot *const slot = &shadow->slot[k];
        assert_int_equal(bits_has(unit->q.valid, k), slot->used);
        for (uint32_t core = 0u; slot->used && core < shadow->config.n_core; core++) {
            const uint64_t given = bits_has(slot->cores, core) ? slot->given.local : 0u;
            assert_int_equal(*local_of(unit, k, core), given - slot->taken[core]);
        }
        assert_true(!slot->used
                    || unit->mem.global[k] == slot->given.global - slot->globals_taken);
    }
}

static void run_shadowed(struct shadow *shadow, struct claso *unit, uint64_t *random)
{
    for (uint32_t i = 0u; i < 100000u; i++) {
        const struct claso_in in = some_inputs(random, unit);
        const struct claso_out expected = shadow_out(shadow, in.kernel);
        const struct claso_out got = cycle(unit, in);

        check_group(&unit->config, UNIT_OUT, &expected, &got);
        shadow_consume(shadow, &in);
        shadow_launch(shadow, &in);
        if (one_in(random, 2000u)) {
            claso_reset(unit);
            shadow_reset(shadow);
        }
        if (i % 100u == 0u) {
            check_credits(shadow, unit);
        }
    }
}

static void at_random_the_unit_does_what_the_formulas_say(void **state)
{
    (void)state;
    static const struct claso_config configs[] = {
        { 1, 1, 1, 1 },  { 1, 3, 32, 8 },   { 2, 3, 5, 8 },   { 3, 32, 8, 2 },
        { 7, 1, 4, 1 },  { 13, 2, 20, 4 },  { 15, 4, 32, 4 }, { 60, 5, 32, 4 },
        { 65, 2, 9, 4 }, { 128, 8, 31, 8 },
    };
    static struct claso unit;
    static struct shadow shadow;
    uint64_t random = printed_seed();

    for (size_t i = 0u; i < sizeof configs / sizeof configs[0]; i++) {
        memset(&shadow, 0, sizeof shadow);
        shadow.config = configs[i];
        make(&unit, configs[i]);
        run_shadowed(&shadow, &unit, &random);
        /* It has seen all kinds of cycles. */
        assert_true(shadow.launches > 500u && shadow.consumes > 500u && shadow.errors > 500u);
        assert_true(shadow.blocks > 500u || configs[i].cta_w == 1u);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_random_the_unit_does_what_the_formulas_say),
    };
    return cmocka_run_group_tests_name("claso_random", tests, NULL, NULL);
}
