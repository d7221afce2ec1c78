/*
 * Random traffic on the CLASO golden model, legal and illegal, beside a second model that
 * is made from the formulas alone: it counts what each core has taken, and holds no credits.
 */

#include "claso_cycle.h"

#include <string.h>

/* What a pool was given, and how much of its globals is taken. The first `free` CTAs of a core
 * are free; each of the others takes one of the globals. */
struct shadow_pool {
    struct bits cores;
    struct formulas given;
    uint64_t globals_taken;
};

/* A slot that is not split has one pool, 0. */
struct shadow_slot {
    bool used;
    bool split;
    struct shadow_pool pool[claso_max_n_pool];
    uint64_t taken[claso_max_n_core];
};

struct shadow {
    struct claso_config config;
    struct shadow_slot slot[claso_max_n_kernel];
    uint64_t n_core, n_cta;   /* of the last launch; no cores: there was none */
    uint32_t latency;         /* of one that is not known */
    uint32_t wait;            /* cycles until the launch has its credits; at their end ... */
    struct claso_in launched; /* ... this has its credits ... */
    struct kernel kernel;     /* ... over these cores ... */
    bool others;              /* ... beside those of other pools */
    struct claso_out flags;
    uint32_t launches;
    uint32_t consumes;
    uint32_t known;
    uint32_t errors;
};

static uint32_t pool_of(const struct shadow *shadow, bool split, uint32_t core)
{
    const struct claso_config *const config = &shadow->config;
    uint32_t size = config->n_core / config->n_pool;

    size += size * config->n_pool < config->n_core; /* rounded up */
    return split ? core / size : 0u;
}

static bool may_take(const struct shadow *shadow, uint32_t kernel, uint32_t core)
{
    const struct shadow_slot *const slot = &shadow->slot[kernel];

    if (kernel >= shadow->config.n_kernel || core >= shadow->config.n_core || !slot->used) {
        return false;
    }
    const struct shadow_pool *const pool = &slot->pool[pool_of(shadow, slot->split, core)];
    return bits_has(pool->cores, core) && slot->taken[core] < pool->given.local
           && (slot->taken[core] < pool->given.free
               || pool->globals_taken < pool->given.global);
}

/* The slot when this cycle's consume has taken its global credit, if that is of the one shown.
 */
static struct bits allowed_after(struct shadow *shadow, const struct claso_in *in)
{
    const struct shadow_slot kept = shadow->slot[in->kernel % claso_max_n_kernel];
    struct shadow_slot *const slot = &shadow->slot[in->kernel % claso_max_n_kernel];
    struct bits after = { { 0u } };

    if (in->consume_valid && in->consume_kernel == in->kernel
        && may_take(shadow, in->consume_kernel, in->consume_core)) {
        struct shadow_pool *const pool =
            &slot->pool[pool_of(shadow, slot->split, in->consume_core)];
        pool->globals_taken += slot->taken[in->consume_core] >= pool->given.free;
    }
    for (uint32_t core = 0u; core < shadow->config.n_core; core++) {
        if (may_take(shadow, in->kernel, core)) {
            bits_add(&after, core);
        }
    }
    *slot = kept;
    return after;
}

static struct claso_out shadow_out(struct shadow *shadow, const struct claso_in *in)
{
    struct claso_out out = shadow->flags;

    out.launch_ready = shadow->wait < 2u;
    for (uint32_t core = 0u; core < shadow->config.n_core; core++) {
        if (may_take(shadow, in->kernel, core)) {
            bits_add(&out.allow, core);
        }
    }
    out.allow_after = allowed_after(shadow, in);
    out.consume_allowed = may_take(shadow, in->consume_kernel, in->consume_core);
    return out;
}

static void shadow_consume(struct shadow *shadow, const struct claso_in *in)
{
    const uint32_t core = in->consume_core;

    shadow->flags.consume_error =
        in->consume_valid && !may_take(shadow, in->consume_kernel, core);
    shadow->errors += shadow->flags.consume_error;
    if (in->consume_valid && !shadow->flags.consume_error) {
        struct shadow_slot *const slot = &shadow->slot[in->consume_kernel];
        struct shadow_pool *const pool = &slot->pool[pool_of(shadow, slot->split, core)];
        pool->globals_taken += slot->taken[core] >= pool->given.free;
        slot->taken[core]++;
        shadow->consumes++;
    }
}

/* The launch that was under way has its credits. */
static void shadow_give(struct shadow *shadow)
{
    const struct claso_in *const in = &shadow->launched;
    const uint32_t number = in->launch_split ? in->launch_pool : 0u;
    struct shadow_slot *const slot = &shadow->slot[in->launch_kernel];

    if (!shadow->others) {
        memset(slot, 0, sizeof *slot);
    }
    for (uint32_t core = 0u; core < shadow->config.n_core; core++) {
        if (pool_of(shadow, in->launch_split, core) == number) {
            slot->taken[core] = 0u;
        }
    }
    slot->pool[number] = (struct shadow_pool){
        .cores = shadow->kernel.cores,
        .given = formulas_of(shadow->kernel),
    };
    slot->split = in->launch_split;
    slot->used = true;
}

static void shadow_launch(struct shadow *shadow, const struct claso_in *in)
{
    struct kernel kernel = { in->launch_ctas, in->launch_cores, in->launch_active,
                             in->launch_loose };

    for (uint32_t core = 0u; core < shadow->config.n_core; core++) {
        if (in->launch_split && pool_of(shadow, true, core) != in->launch_pool) {
            bits_remove(&kernel.cores, core);
        }
    }
    shadow->flags.launch_error = false;
    if (shadow->wait > 0u) {
        shadow->wait--;
        if (shadow->wait == 0u) {
            shadow_give(shadow);
        }
    }
    if (shadow->wait > 0u || !in->launch_valid) {
        return;
    }
    if (claso_is_legal(kernel) && in->launch_kernel < shadow->config.n_kernel
        && (!in->launch_split || in->launch_pool < shadow->config.n_pool)) {
        struct shadow_slot *const slot = &shadow->slot[in->launch_kernel];
        const uint64_t n_core = bits_count(kernel.cores, BITS_MAX);
        const bool like =
            shadow->config.n_pool > 1u && shadow->n_core != 0u
            && (kernel.n_cta == shadow->n_cta || kernel.n_cta + UINT64_C(1) == shadow->n_cta);
        const bool known = like && n_core == shadow->n_core;
        shadow->wait = known ? 2u : shadow->latency - 1u + like;
        shadow->n_core = n_core;
        shadow->n_cta = kernel.n_cta;
        shadow->known += known;
        shadow->launched = *in;
        shadow->kernel = kernel;
        shadow->others = in->launch_split && slot->used && slot->split;
        slot->used = false;
        shadow->launches++;
    } else {
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
    shadow->n_core = 0u;
    shadow->flags = (struct claso_out){ 0 };
}

static void check_credits(const struct shadow *shadow, struct claso *unit)
{
    for (uint32_t k = 0u; k < shadow->config.n_kernel; k++) {
        const struct shadow_slot *const slot = &shadow->slot[k];
        assert_int_equal(bits_has(unit->q.valid, k), slot->used);
        for (uint32_t core = 0u; slot->used && core < shadow->config.n_core; core++) {
            const uint32_t number = pool_of(shadow, slot->split, core);
            const struct shadow_pool *const pool = &slot->pool[number];
            const bool given = bits_has(pool->cores, core);
            assert_int_equal(local_of(unit, k, core),
                             given ? pool->given.local - slot->taken[core] : 0u);
            assert_true(!given
                        || unit->mem.global[k * shadow->config.n_pool + number]
                               == pool->given.global - pool->globals_taken);
        }
    }
}

static void run_shadowed(struct shadow *shadow, struct claso *unit, uint64_t *random)
{
    for (uint32_t i = 0u; i < 100000u; i++) {
        const struct claso_in in = claso_some_inputs(random, unit);
        const struct claso_out expected = shadow_out(shadow, &in);
        const struct claso_out got = claso_cycle(unit, in);

        check_group(&claso_type, &unit->config, UNIT_OUT, &expected, &got);
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
        { 1, 1, 1, 1, 1 },  { 1, 2, 3, 32, 8 },    { 2, 1, 3, 5, 8 },   { 3, 3, 32, 8, 2 },
        { 7, 2, 1, 4, 1 },  { 13, 5, 2, 20, 4 },   { 15, 3, 4, 32, 4 }, { 60, 12, 5, 32, 4 },
        { 65, 7, 2, 9, 4 }, { 192, 64, 8, 31, 8 },
    };
    static struct claso unit;
    static struct shadow shadow;
    uint64_t random = printed_seed();

    for (size_t i = 0u; i < sizeof configs / sizeof configs[0]; i++) {
        memset(&shadow, 0, sizeof shadow);
        shadow.config = configs[i];
        claso_make(&unit, configs[i]);
        shadow.latency = claso_latency(&unit);
        run_shadowed(&shadow, &unit, &random);
        /* It has seen all kinds of cycles. */
        assert_true(shadow.launches > 500u && shadow.consumes > 500u && shadow.errors > 500u);
        assert_true(configs[i].n_pool > 1u ? shadow.known > 100u : shadow.known == 0u);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_random_the_unit_does_what_the_formulas_say),
    };
    return cmocka_run_group_tests_name("claso_random", tests, NULL, NULL);
}
