/* claso_cycle - what the tests of CLASO share; see claso_cycle.h. */

#include "tb/units/claso/claso_cycle.h"

/* ---- Kernels, and the formulas of section 3.1 ---------------------------------------- */

struct formulas formulas_of(struct kernel kernel)
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

bool is_within(struct bits a, struct bits b)
{
    return (a.word[0] & ~b.word[0]) == 0u && (a.word[1] & ~b.word[1]) == 0u
           && (a.word[2] & ~b.word[2]) == 0u;
}

/* ---- Cycles -------------------------------------------------------------------------- */

void claso_make(struct claso *unit, struct claso_config config)
{
    assert_int_equal(claso_init(unit, &config), claso_ok);
}

struct claso_out claso_cycle(struct claso *unit, struct claso_in in)
{
    struct claso_out out;
    struct claso_next next;

    claso_eval(unit, &in, &out, &next);
    claso_tick(unit, &next);
    return out;
}

struct claso_out claso_look(const struct claso *unit, uint32_t slot)
{
    const struct claso_in in = { .kernel = slot };
    struct claso_out out;
    struct claso_next next;

    claso_eval(unit, &in, &out, &next);
    return out;
}

struct claso_in claso_launch_of(uint32_t slot, struct kernel kernel)
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

struct claso_in consume_of(uint32_t slot, uint32_t core)
{
    return (struct claso_in){
        .consume_kernel = slot,
        .consume_core = core,
        .consume_valid = true,
    };
}

uint32_t claso_latency(const struct claso *unit)
{
    const uint32_t cta_w = unit->config.cta_w;

    return 3u + (unit->config.n_pool > 1u ? (cta_w + 1u) / 2u : cta_w);
}

void claso_launch(struct claso *unit, uint32_t slot, struct kernel kernel)
{
    assert_true(claso_cycle(unit, claso_launch_of(slot, kernel)).launch_ready);
    while (unit->q.busy) {
        (void)claso_cycle(unit, (struct claso_in){ .kernel = slot });
    }
}

/* ---- Credits and requests ------------------------------------------------------------ */

uint64_t local_of(const struct claso *unit, uint32_t slot, uint32_t core)
{
    return claso_local(unit, slot, core);
}

void set_local(struct claso *unit, uint32_t slot, uint32_t core, uint64_t local)
{
    const uint32_t at = slot * unit->config.n_core + core;
    const uint32_t cta_w = unit->config.cta_w, level_w = unit->config.level_w;
    const uint32_t local_w = cta_w > level_w ? cta_w : level_w + 1u;
    const uint64_t loose = unit->mem.loose[slot * unit->config.n_pool];

    unit->mem.local[at] = (local - loose - 1u) & ((UINT64_C(1) << local_w) - 1u);
    unit->mem.some[at] = local > 0u;
    unit->mem.above[at] = local > claso_band(unit, slot, 0u);
    assert_int_equal(local_of(unit, slot, core), local);
}

void set_global(struct claso *unit, uint32_t slot, uint64_t global)
{
    unit->mem.global[slot * unit->config.n_pool] = global;
    unit->mem.funds[slot * unit->config.n_pool] = global > 0u;
}

bool ask(struct claso *unit, uint32_t slot, uint32_t core)
{
    const uint64_t before = local_of(unit, slot, core);
    struct claso_in in = consume_of(slot, core);

    in.consume_valid = bits_has(claso_look(unit, slot).allow, core);
    (void)claso_cycle(unit, in);
    assert_false(unit->q.consume_error);
    assert_int_equal(local_of(unit, slot, core), before - in.consume_valid);
    return in.consume_valid;
}

bool by_unit(void *unit, uint32_t core)
{
    return ask(unit, 0u, core);
}

/* ---- Comparison of whole units ------------------------------------------------------- */

void claso_check_same(const struct claso *expected, const struct claso *got)
{
    check_group(&claso_type, &expected->config, UNIT_REG, &expected->q, &got->q);
    check_group(&claso_type, &expected->config, UNIT_MEM, &expected->mem, &got->mem);
}

/* ---- Random stimulus ----------------------------------------------------------------- */

struct bits some_cores(uint64_t *random, uint32_t n_core)
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
static struct kernel some_kernel(uint64_t *random, const struct claso_config *config)
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

bool claso_is_legal(struct kernel kernel)
{
    return kernel.n_cta > 0u && kernel.active > 0u && bits_any(kernel.cores);
}

struct kernel some_legal_kernel(uint64_t *random, const struct claso_config *config)
{
    struct kernel kernel;

    do {
        kernel = some_kernel(random, config);
    } while (!claso_is_legal(kernel));
    return kernel;
}

struct claso_in claso_some_inputs(uint64_t *random, const struct claso *unit)
{
    const struct claso_config *const config = &unit->config;
    const uint32_t slot_w = index_width(config->n_kernel);
    const struct kernel kernel =
        one_in(random, 4u) ? some_kernel(random, config) : some_legal_kernel(random, config);
    struct claso_in in = claso_launch_of(some_number(random, slot_w), kernel);

    /* With several pools, often a launch that is known, if its cores are as many. */
    if (unit->q.ctas > 0u && one_in(random, 2u)) {
        in.launch_ctas = unit->q.ctas - one_in(random, 2u);
    }
    in.launch_split = one_in(random, 2u);
    in.launch_pool = some_number(random, index_width(config->n_pool));
    in.launch_valid = one_in(random, 32u);
    in.kernel = some_number(random, slot_w);
    in.consume_kernel = some_number(random, slot_w);
    in.consume_valid = !one_in(random, 4u);
    in.consume_core = some_number(random, index_width(config->n_core));

    const struct claso_out out = claso_look(unit, in.consume_kernel);
    if (bits_count(out.allow, config->n_core) > 0u && !one_in(random, 8u)) {
        do {
            in.consume_core = (in.consume_core + 1u) % config->n_core;
        } while (!bits_has(out.allow, in.consume_core));
    }
    return in;
}

void check_allocation(struct claso *unit, uint32_t slot, struct kernel kernel)
{
    const struct formulas formulas = formulas_of(kernel);

    assert_false(unit->q.launch_error);
    assert_true(bits_has(unit->q.valid, slot));
    for (uint32_t core = 0u; core < unit->config.n_core; core++) {
        const uint64_t local = bits_has(kernel.cores, core) ? formulas.local : 0u;
        if (local_of(unit, slot, core) != local) {
            fail_msg("C_p[%" PRIu32 "] = %" PRIu64 ", not %" PRIu64 ": %" PRIu32
                     " CTAs on %" PRIu64 " cores",
                     core, local_of(unit, slot, core), local, kernel.n_cta, formulas.n_core);
        }
    }
    assert_int_equal(unit->mem.global[slot], formulas.global);
    assert_int_equal(claso_band(unit, slot, 0u), formulas.band);
    assert_true(bits_equal(claso_look(unit, slot).allow, kernel.cores));
}

/* What is hard to divide, in numbers that fit; then some at random. */
