/* claso - credit allocator and consumer; see claso.h. */

#include "units/claso.h"

#include <assert.h>

#include "base/long_division.h"

/* ---- Credit consumer: Algorithm 1, lines 5 to 21 ------------------------------------- */

/* The credits that a core draws on: its own of a kernel, and the shared ones. */
struct credits {
    uint64_t local;  /* C_p[c] */
    uint64_t global; /* C_g */
};

/* Takes what one CTA costs. False, and nothing taken, when it is refused. */
static bool issue_one(struct credits *credits, uint64_t band)
{
    if (credits->local == 0u) {
        return false;
    }
    if (credits->local - 1u < band) {
        if (credits->global == 0u) {
            return false;
        }
        credits->global--;
    }
    credits->local--;
    return true;
}

static uint32_t local_at(const struct claso *unit, uint32_t kernel, uint32_t core)
{
    return kernel * unit->config.n_core + core;
}

static uint32_t pool_at(const struct claso *unit, uint32_t kernel, uint32_t pool)
{
    return kernel * unit->config.n_pool + pool;
}

static uint32_t pool_core(const struct claso *unit)
{
    const uint32_t n = (unit->config.n_core + unit->config.n_pool - 1u) / unit->config.n_pool;

    assert(n > 0u); /* init has no unit without cores */
    return n;
}

/* Where the global credits and the levels of a core are. */
static uint32_t shared_at(const struct claso *unit, uint32_t kernel, uint32_t core)
{
    return pool_at(unit, kernel, bits_has(unit->q.split, kernel) ? core / pool_core(unit) : 0u);
}

uint64_t claso_band(const struct claso *unit, uint32_t kernel, uint32_t pool)
{
    const uint32_t at = pool_at(unit, kernel, pool);

    return (uint64_t)unit->mem.layers[at] + 1u + unit->mem.loose[at];
}

/* What is kept of C_p: so many bits of C_p - p_L - 1. */
static uint64_t kept(const struct claso *unit, uint64_t number)
{
    const uint32_t cta_w = unit->config.cta_w, level_w = unit->config.level_w;

    return number & ((UINT64_C(1) << (cta_w > level_w ? cta_w : level_w + 1u)) - 1u);
}

/* More than the band is kept whole; of less, C_p is what is missing in it. One whose flag says
 * that it has nothing has no C_p to look at. */
uint64_t claso_local(const struct claso *unit, uint32_t kernel, uint32_t core)
{
    const uint32_t at = local_at(unit, kernel, core);
    const uint64_t local =
        unit->mem.local[at] + unit->mem.loose[shared_at(unit, kernel, core)] + 1u;

    if (unit->mem.some[at] == 0u) {
        return 0u;
    }
    return unit->mem.above[at] != 0u ? local : kept(unit, local);
}

static struct credits credits_of(const struct claso *unit, uint32_t kernel, uint32_t core)
{
    return (struct credits){
        .local = claso_local(unit, kernel, core),
        .global = unit->mem.global[shared_at(unit, kernel, core)],
    };
}

/* How many of a core's last credits need a global one. */
static uint64_t band_of(const struct claso *unit, uint32_t kernel, uint32_t core)
{
    return claso_band(unit, kernel, shared_at(unit, kernel, core) - pool_at(unit, kernel, 0u));
}

/* Whether a CTA of a kernel may be issued to a core. */
static bool is_allowed(const struct claso *unit, uint32_t kernel, uint32_t core)
{
    if (kernel >= unit->config.n_kernel || core >= unit->config.n_core
        || !bits_has(unit->q.valid, kernel)) {
        return false;
    }
    struct credits credits = credits_of(unit, kernel, core);
    return issue_one(&credits, band_of(unit, kernel, core));
}

static struct bits allowances(const struct claso *unit, uint32_t kernel)
{
    struct bits allow = { { 0u } };

    for (uint32_t core = 0u; core < unit->config.n_core; core++) {
        if (is_allowed(unit, kernel, core)) {
            bits_add(&allow, core);
        }
    }
    return allow;
}

/* What is allowed of a kernel when this cycle's consume has taken its global credit, if it
 * takes one. */
static struct bits allowances_after(const struct claso *unit, const struct claso_in *in,
                                    const struct claso_out *now)
{
    const uint32_t kernel = in->consume_kernel, core = in->consume_core;
    struct bits after = now->allow;

    if (!in->consume_valid || !now->consume_allowed || in->kernel != kernel) {
        return after;
    }
    const uint64_t band = band_of(unit, kernel, core);
    const uint32_t pool = shared_at(unit, kernel, core);
    struct credits left = credits_of(unit, kernel, core);
    const bool had = left.global != 0u;
    (void)issue_one(&left, band);
    for (uint32_t c = 0u; had && left.global == 0u && c < unit->config.n_core; c++) {
        if (shared_at(unit, kernel, c) == pool && claso_local(unit, kernel, c) <= band) {
            bits_remove(&after, c);
        }
    }
    return after;
}

/* What a consume writes: credits, and the flags that say how they stand. */
static void write_credits(const struct claso *unit, uint32_t kernel, uint32_t core,
                          struct credits left, struct claso_next *next)
{
    const uint32_t at = local_at(unit, kernel, core), pool = shared_at(unit, kernel, core);

    UNIT_WRITE(&next->local, at, kept(unit, left.local - unit->mem.loose[pool] - 1u));
    UNIT_WRITE(&next->some, at, left.local > 0u);
    UNIT_WRITE(&next->above, at, left.local > band_of(unit, kernel, core));
    UNIT_WRITE(&next->global, pool, left.global);
    UNIT_WRITE(&next->funds, pool, left.global > 0u);
}

static void consume(const struct claso *unit, const struct claso_in *in,
                    const struct claso_out *out, struct claso_next *next)
{
    const uint32_t kernel = in->consume_kernel, core = in->consume_core;

    next->q.consume_error = in->consume_valid && !out->consume_allowed;
    if (!in->consume_valid || !out->consume_allowed) {
        return;
    }
    struct credits credits = credits_of(unit, kernel, core);
    (void)issue_one(&credits, band_of(unit, kernel, core));
    write_credits(unit, kernel, core, credits, next);
}

/* ---- Credit allocator: Algorithm 1, lines 1 to 4 ------------------------------------- */

/* Several pools are launched one after the other: they are worth a faster division of
 * n_cta - 1, and one look whether the last will do. */
static bool has_pools(const struct claso *unit)
{
    return unit->config.n_pool > 1u;
}

static uint32_t digit_w(const struct claso *unit)
{
    return has_pools(unit) ? 2u : 1u;
}

static uint32_t n_step(const struct claso *unit)
{
    return (unit->config.cta_w + digit_w(unit) - 1u) / digit_w(unit);
}

/* One CTA less, in as many bits as a number of CTAs has. */
static uint32_t below(const struct claso *unit, uint32_t ctas)
{
    return (ctas - 1u) & (UINT32_MAX >> (32u - unit->config.cta_w));
}

/* The cores that share a launch's CTAs. */
static struct bits cores_of(const struct claso *unit, const struct claso_in *in)
{
    struct bits cores = in->launch_cores;

    for (uint32_t core = 0u; in->launch_split && core < unit->config.n_core; core++) {
        if (core / pool_core(unit) != in->launch_pool) {
            bits_remove(&cores, core);
        }
    }
    return cores;
}

static void launch(const struct claso *unit, const struct claso_in *in, struct claso_next *next)
{
    const struct bits cores = cores_of(unit, in);
    const uint32_t kernel = in->launch_kernel;

    if (kernel >= unit->config.n_kernel || in->launch_ctas == 0u || !bits_any(cores)
        || in->launch_active == 0u
        || (in->launch_split && in->launch_pool >= unit->config.n_pool)) {
        next->q.launch_error = true;
        return;
    }
    next->q.busy = true;
    next->q.step = 0u;
    next->q.slot = kernel;
    next->q.pool = in->launch_split ? in->launch_pool : 0u;
    /* Credits that are written in this cycle are there. */
    next->q.others =
        in->launch_split && bits_has(next->q.valid, kernel) && bits_has(unit->q.split, kernel);
    next->q.cores = cores;
    UNIT_WRITE(&next->layers, pool_at(unit, kernel, next->q.pool), in->launch_active - 1u);
    UNIT_WRITE(&next->loose, pool_at(unit, kernel, next->q.pool), in->launch_loose);
    if (has_pools(unit)) {
        next->q.ctas = in->launch_ctas;
        next->q.same = in->launch_ctas == unit->q.ctas;
        next->q.less = unit->q.ctas != 0u && in->launch_ctas == below(unit, unit->q.ctas);
    } else {
        next->q.dividend = in->launch_ctas - 1u;
        next->q.remainder = 0u;
    }
    bits_remove(&next->q.valid, kernel);
    bits_remove(&next->q.split, kernel);
    if (in->launch_split) {
        bits_add(&next->q.split, kernel);
    }
}

/* Of one CTA less, if the last division is that of as many CTAs: its quotient and remainder
 * are those of a number that is one less. */
static void take_one(const struct claso *unit, struct claso_next *next)
{
    const struct claso_state *const q = &unit->q;

    if (q->remainder > 0u) {
        next->q.remainder = q->remainder - 1u;
        return;
    }
    next->q.remainder =
        (q->divisor - 1u) & ((1u << index_width(unit->config.n_core + 1u)) - 1u);
    next->q.dividend =
        (q->dividend - 1u) & (uint32_t)((UINT64_C(1) << digit_w(unit) * n_step(unit)) - 1u);
}

/* What is divided; the steps of the division come next. */
static void load(const struct claso *unit, struct claso_next *next)
{
    next->q.dividend = below(unit, unit->q.ctas);
    next->q.remainder = 0u;
    next->q.step = 2u;
}

static void count(const struct claso *unit, struct claso_next *next)
{
    const struct claso_state *const q = &unit->q;
    const uint32_t n_core = bits_count(q->cores, unit->config.n_core);
    const bool known = n_core == q->divisor && (q->same || q->less);

    next->q.divisor = n_core;
    if (!has_pools(unit)) {
        next->q.step = 2u;
        return;
    }
    if (!q->same && !q->less) {
        load(unit, next);
        return;
    }
    if (q->less) {
        take_one(unit, next);
    }
    next->q.step = known ? n_step(unit) + 2u : 1u;
}

static void divide(const struct claso *unit, struct claso_next *next)
{
    const struct claso_state *const q = &unit->q;
    const struct long_division d = long_division_step(
        (struct long_division){ q->dividend, q->remainder }, q->divisor, digit_w(unit),
        digit_w(unit) * n_step(unit), digit_w(unit) * (q->step - 2u));

    next->q.dividend = (uint32_t)d.held;
    next->q.remainder = (uint32_t)d.remainder;
}

/* C_p of each core; what was there is no credit any more, but in other pools that keep it. */
static void give_local(const struct claso *unit, struct claso_next *next)
{
    const struct claso_state *const q = &unit->q;
    const uint64_t share = (uint64_t)q->dividend + 1u; /* ceil(n_cta / n_core) */
    const uint64_t active = unit->mem.layers[pool_at(unit, q->slot, q->pool)] + UINT64_C(1);

    for (uint32_t core = 0u; core < unit->config.n_core; core++) {
        const uint32_t at = local_at(unit, q->slot, core);
        if (bits_has(q->cores, core)) {
            UNIT_WRITE(&next->local, at, share - 1u); /* C_p = share + p_L */
            UNIT_WRITE(&next->some, at, 1u);
            UNIT_WRITE(&next->above, at, share > active);
        } else if (!q->others || core / pool_core(unit) == q->pool) {
            UNIT_WRITE(&next->some, at, 0u);
            UNIT_WRITE(&next->above, at, 0u);
        }
    }
}

static void give_credits(const struct claso *unit, struct claso_next *next)
{
    const struct claso_state *const q = &unit->q;
    const uint32_t pool = pool_at(unit, q->slot, q->pool);

    give_local(unit, next);
    UNIT_WRITE(&next->global, pool,
               q->remainder + 1u + (uint64_t)unit->mem.layers[pool] * q->divisor);
    UNIT_WRITE(&next->funds, pool, 1u);
    bits_add(&next->q.valid, q->slot);
    next->q.busy = false;
    next->q.step = 0u;
}

static bool writes(const struct claso *unit)
{
    return unit->q.busy && unit->q.step == n_step(unit) + 2u;
}

static void allocate(const struct claso *unit, struct claso_next *next)
{
    if (writes(unit)) {
        give_credits(unit, next);
        return;
    }
    if (unit->q.step == 0u) {
        count(unit, next);
        return;
    }
    if (unit->q.step == 1u) {
        load(unit, next);
        return;
    }
    divide(unit, next);
    next->q.step = unit->q.step + 1u;
}

/* ---- One cycle ----------------------------------------------------------------------- */

void claso_eval(const struct claso *unit, const struct claso_in *in, struct claso_out *out,
                struct claso_next *next)
{
    *out = (struct claso_out){
        .launch_ready = !unit->q.busy || writes(unit),
        .launch_error = unit->q.launch_error,
        .allow = allowances(unit, in->kernel),
        .consume_allowed = is_allowed(unit, in->consume_kernel, in->consume_core),
        .consume_error = unit->q.consume_error,
    };
    out->allow_after = allowances_after(unit, in, out);

    claso_hold(unit, next);
    consume(unit, in, out, next);
    next->q.launch_error = false;
    if (unit->q.busy) {
        allocate(unit, next);
    }
    if (in->launch_valid && out->launch_ready) {
        launch(unit, in, next);
    }
}

bool claso_quiet(const struct claso *unit, const struct claso_in *in)
{
    const struct claso_state *const q = &unit->q;

    return !in->launch_valid && !in->consume_valid && !q->busy && !q->launch_error
           && !q->consume_error;
}

#define UNIT claso
#include "base/unit_define.h"
