/* synthetic_site - what the instructions of a step have in common; see synthetic_text.h. */

#include "synthetic/synthetic_site.h"

#include <assert.h>
#include <stdlib.h>

#include "synthetic/synthetic_step.h"

/* A body holds bodies, at most DEPTH_MOST deep. NOLINTBEGIN(misc-no-recursion) */
static uint32_t number_sites(struct file_step *body, uint32_t n, uint32_t first)
{
    for (uint32_t i = 0u; i < n; i++) {
        struct file_step *const step = &body[i];
        const bool branch = step->op != NULL && op_named(step->op) == OP_BRANCH;
        step->site = first;
        first += step->repeat != NULL ? 0u
                 : step->mix != NULL  ? (uint32_t)OP_COUNT
                 : branch             ? 2u
                                      : 1u;
        first = number_sites(step->body, step->body_count, first);
        first = number_sites(step->taken_body, step->taken_body_count, first);
    }
    return first;
}

/* NOLINTEND(misc-no-recursion) */

static uint64_t of_2_32(double fraction)
{
    return (uint64_t)(fraction * 4294967296.0);
}

static bool make_variant(struct site_variant *variant, const struct site *site,
                         const struct file_step *step, uint32_t op, uint32_t lanes,
                         const struct gpu_config *config)
{
    variant->lanes = (uint8_t)lanes;
    if (op == OP_SHARED) {
        variant->accesses = (uint8_t)step_passes(step, lanes, config);
    }
    if (!site->memory) {
        return true;
    }
    struct pattern_shape shape = step_shape(step, op, config);
    shape.lanes = lanes;
    shape.seed = site->seed;
    const bool good = pattern_init(&variant->pattern, &shape);
    variant->accesses = (uint8_t)(variant->pattern.words * (shape.turns ? 2u : 1u));
    return good;
}

struct maker {
    struct text *text;
    const struct gpu_config *config;
    uint32_t partial; /* threads of a block's last warp */
    uint64_t seed;
};

static uint32_t fewer(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static bool make_site(const struct maker *maker, uint32_t number, const struct file_step *step,
                      uint32_t op)
{
    struct site *const site = &maker->text->site[number];
    const uint32_t lanes = op == OP_BARRIER ? WARP_SIZE : or_else(step->lanes, WARP_SIZE);
    const uint32_t diverged =
        step->diverge != NULL ? fewer(lanes, step->diverge->lanes) : lanes;
    bool good = true;

    site->memory = op_has_pattern(op);
    site->seed = step->seed != NULL ? synthetic_hash(*step->seed, 0u)
                                    : synthetic_hash(maker->seed, number);
    site->taken = step->taken != NULL ? of_2_32(*step->taken) : 0u;
    if (step->diverge != NULL && op != OP_BARRIER) {
        site->diverge = of_2_32(step->diverge->probability);
        maker->text->forks |= site->diverge != 0u;
    }
    for (uint32_t v = 0u; good && v < VARIANTS; v++) {
        const bool unused = ((v & PARTIAL) != 0u && maker->partial == WARP_SIZE)
                            || ((v & DIVERGED) != 0u && site->diverge == 0u);
        const uint32_t active = (v & DIVERGED) != 0u ? diverged : lanes;
        const uint32_t most = (v & PARTIAL) != 0u ? maker->partial : WARP_SIZE;
        good = unused
               || make_variant(&site->variant[v], site, step, op, fewer(active, most),
                               maker->config);
    }
    return good;
}

static bool make_branch(const struct maker *maker, const struct file_step *step)
{
    struct site *const site = &maker->text->site[step->site];
    const bool bodies = step->body_count + step->taken_body_count != 0u;

    /* The jump at the end of the body is an always taken branch. */
    maker->text->forks |= bodies || (site->taken != 0u && site->taken >> 32 == 0u);
    if (!make_site(maker, step->site + 1u, step, OP_BRANCH)) {
        return false;
    }
    site[1].taken = UINT64_C(1) << 32;
    return true;
}

/* A body holds bodies, at most DEPTH_MOST deep. NOLINTBEGIN(misc-no-recursion) */
static bool make_sites(const struct maker *maker, const struct file_step *body, uint32_t n)
{
    bool good = true;

    for (uint32_t i = 0u; good && i < n; i++) {
        const struct file_step *const step = &body[i];
        const uint32_t op = step->op != NULL ? op_named(step->op) : OP_COUNT;
        for (uint32_t c = 0u; good && step->mix != NULL && c < OP_COUNT; c++) {
            good = step->mix->weight[c] == 0u || make_site(maker, step->site + c, step, c);
        }
        good = good && (op == OP_COUNT || make_site(maker, step->site, step, op))
               && (op != OP_BRANCH || make_branch(maker, step))
               && make_sites(maker, step->body, step->body_count)
               && make_sites(maker, step->taken_body, step->taken_body_count);
    }
    return good;
}

/* NOLINTEND(misc-no-recursion) */

bool sites_make(struct text *text, struct file_kernel *kernel, uint64_t seed,
                const struct gpu_config *config, struct file_place *place)
{
    const uint32_t threads = kernel->block[0] * kernel->block[1] * kernel->block[2];
    const struct maker maker = {
        .text = text,
        .config = config,
        .partial = threads % WARP_SIZE != 0u ? threads % WARP_SIZE : WARP_SIZE,
        .seed = seed,
    };

    const uint32_t n = number_sites(kernel->body, kernel->body_count, 0u);
    assert(n != 0u); /* a body has steps */
    text->site = calloc(n, sizeof *text->site);
    text->n_site = text->site != NULL ? n : 0u;
    return (text->site != NULL && make_sites(&maker, kernel->body, kernel->body_count))
           || refuse_memory(place, "body");
}
