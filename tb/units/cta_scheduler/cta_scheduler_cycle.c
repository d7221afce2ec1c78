/* cta_scheduler_cycle - what the tests of the CTA scheduler and of the work distributor share;
 * see cta_scheduler_cycle.h. */

#include "tb/units/cta_scheduler/cta_scheduler_cycle.h"

/* ---- Grids, and SMs in clusters ------------------------------------------------------ */

uint32_t cluster_size(const struct cta_scheduler_config *config)
{
    uint32_t size = 1u;

    while (size * config->n_cluster < config->n_sm) {
        size++;
    }
    return size;
}

uint32_t cluster_of(const struct cta_scheduler_config *config, uint32_t sm)
{
    return sm / cluster_size(config);
}

struct bits sms_of_cluster(const struct cta_scheduler_config *config, struct bits set,
                           uint32_t cluster)
{
    struct bits sms = { { 0u } };

    for (uint32_t sm = 0u; sm < config->n_sm; sm++) {
        if (bits_has(set, sm) && cluster_of(config, sm) == cluster) {
            bits_add(&sms, sm);
        }
    }
    return sms;
}

struct bits set_of(uint32_t numbers)
{
    return (struct bits){ { numbers } };
}

/* ---- Cycles -------------------------------------------------------------------------- */

void make(struct cta_scheduler *unit, struct cta_scheduler_config config)
{
    assert_int_equal(cta_scheduler_init(unit, &config), cta_scheduler_ok);
}

struct cta_scheduler_out cycle(struct cta_scheduler *unit, struct cta_scheduler_in in)
{
    struct cta_scheduler_out out;
    struct cta_scheduler_next next;

    cta_scheduler_eval(unit, &in, &out, &next);
    cta_scheduler_tick(unit, &next);
    return out;
}

struct cta_scheduler_in ask_of(uint32_t slot, struct bits sms)
{
    return (struct cta_scheduler_in){
        .pool_ready = true,
        .kernel = slot,
        .room = sms,
        .limit = sms,
        .dispatch_ready = true,
    };
}

struct cta_scheduler_out ask_once(struct cta_scheduler *unit, struct cta_scheduler_in in)
{
    const struct cta_scheduler_in none = {
        .pool_ready = in.pool_ready,
        .kernel = in.kernel,
        .dispatch_ready = in.dispatch_ready,
    };

    (void)cycle(unit, in);
    (void)cycle(unit, none);
    return cycle(unit, none);
}

struct cta_scheduler_out glance(const struct cta_scheduler *unit, uint32_t slot)
{
    const struct cta_scheduler_in in = ask_of(slot, set_of(0u));
    struct cta_scheduler_out out;
    static struct cta_scheduler_next next;

    cta_scheduler_eval(unit, &in, &out, &next);
    return out;
}

struct cta_scheduler_out look(const struct cta_scheduler *unit, uint32_t slot, struct bits sms)
{
    static struct cta_scheduler copy;

    copy = *unit;
    return ask_once(&copy, ask_of(slot, sms));
}

struct cta_scheduler_in launch_of(uint32_t slot, struct grid grid)
{
    return (struct cta_scheduler_in){
        .launch_valid = true,
        .launch_kernel = slot,
        .launch_ctas = grid.ctas,
        .launch_sms = grid.sms,
        .launch_policy = grid.policy,
        .launch_block = grid.block,
        .launch_steal = grid.steal,
        .pool_ready = true,
    };
}

struct cta_scheduler_in keep_of(uint32_t slot, struct bits sms)
{
    struct cta_scheduler_in in = launch_of(slot, (struct grid){ .sms = sms });

    in.launch_keep = true;
    return in;
}

uint32_t latency(const struct cta_scheduler *unit, bool keep)
{
    const uint32_t n_step = unit->config.cta_w / 2u + unit->config.cta_w % 2u;

    return unit->config.n_cluster + (keep ? 1u : 2u + n_step);
}

void run_launch(struct cta_scheduler *unit, struct cta_scheduler_in in)
{
    const uint32_t cycles = latency(unit, in.launch_keep);

    assert_true(cycle(unit, in).launch_ready);
    assert_false(unit->q.launch_error);
    for (uint32_t t = 1u; t < cycles; t++) {
        assert_false(cycle(unit, (struct cta_scheduler_in){ .pool_ready = true }).launch_ready);
    }
    assert_true(bits_has(unit->q.ready, in.launch_kernel));
}

void start_launch(struct cta_scheduler *unit, uint32_t slot, struct grid grid)
{
    run_launch(unit, launch_of(slot, grid));
}

uint32_t pool_at(const struct cta_scheduler *unit, uint32_t slot, uint32_t pool)
{
    return slot * unit->config.n_cluster + pool;
}

/* ---- The choice of a pool ------------------------------------------------------------ */

uint32_t drawn_pool(uint32_t n_cluster, uint32_t cluster, const uint64_t *left,
                    const uint64_t *homeless, bool steal)
{
    if (left[cluster] != 0u) {
        return cluster;
    }
    for (uint32_t pool = (cluster + 1u) % n_cluster; pool != cluster;
         pool = (pool + 1u) % n_cluster) {
        if (left[pool] != 0u && (homeless[pool] != 0u || steal)) {
            return pool;
        }
    }
    return n_cluster;
}

/* ---- The choice of an SM, as the smallest of some numbers ---------------------------- */

uint32_t seats_of(const struct cta_scheduler_config *config, uint32_t cluster)
{
    const uint32_t size = cluster_size(config), first = cluster * size;

    return first >= config->n_sm          ? 1u
           : first + size <= config->n_sm ? size
                                          : config->n_sm - first;
}

/* The first of n places behind the one served last; if there is none, 0. */
static uint32_t first_behind(const uint64_t *behind, uint32_t n)
{
    uint32_t place = 0u;

    while (place < n && behind[place] == 0u) {
        place++;
    }
    return place < n ? place : 0u;
}

static void set_behind(uint64_t *behind, uint32_t n, uint32_t pointer)
{
    for (uint32_t place = 0u; place < n; place++) {
        behind[place] = pointer != 0u && place >= pointer;
    }
}

static uint64_t *ranks_of(struct cta_scheduler *unit, uint32_t slot, uint32_t cluster)
{
    return &unit->mem.rank[pool_at(unit, slot, cluster) * cluster_size(&unit->config)];
}

struct pointers pointers_of(const struct cta_scheduler *unit, uint32_t slot)
{
    const struct cta_scheduler_config *const config = &unit->config;
    const uint32_t size = cluster_size(config);
    struct pointers pointers = {
        .turn = first_behind(&unit->mem.turn[slot * config->n_sm], config->n_sm),
        .cluster_turn =
            first_behind(&unit->mem.cluster_turn[pool_at(unit, slot, 0u)], config->n_cluster),
    };

    for (uint32_t c = 0u; c < config->n_cluster; c++) {
        pointers.rank[c] = first_behind(&unit->mem.rank[pool_at(unit, slot, c) * size], size);
    }
    return pointers;
}

void set_pointers(struct cta_scheduler *unit, uint32_t slot, const struct pointers *pointers)
{
    const struct cta_scheduler_config *const config = &unit->config;

    set_behind(&unit->mem.turn[slot * config->n_sm], config->n_sm, pointers->turn);
    set_behind(&unit->mem.cluster_turn[pool_at(unit, slot, 0u)], config->n_cluster,
               pointers->cluster_turn);
    for (uint32_t c = 0u; c < config->n_cluster; c++) {
        set_behind(ranks_of(unit, slot, c), seats_of(config, c), pointers->rank[c]);
    }
}

uint32_t behind(uint32_t place, uint32_t start, uint32_t n)
{
    return place >= start ? place - start : place + n - start;
}

uint32_t place_of(const struct cta_scheduler_config *config, uint32_t policy, uint32_t sm)
{
    const uint32_t size = cluster_size(config);
    uint32_t place = 0u;

    for (uint32_t other = 0u; other < config->n_sm; other++) {
        const bool earlier =
            other % size < sm % size || (other % size == sm % size && other < sm);
        place += policy == CTA_TWO_LEVEL_RR ? earlier : other < sm;
    }
    return place;
}

/* Of all candidates, the one with the smallest number is chosen. */
static uint32_t distance_to(const struct cta_scheduler_config *config,
                            const struct pointers *pointers, uint32_t policy, uint32_t sm)
{
    const uint32_t size = cluster_size(config), cluster = sm / size;

    if (policy == CTA_GLOBAL_RR || policy == CTA_TWO_LEVEL_RR) {
        return behind(place_of(config, policy, sm), pointers->turn, config->n_sm);
    }
    return behind(sm % size, pointers->rank[cluster], size)
           + size
                 * behind(cluster,
                          policy == CTA_GREEDY_CLUSTERING ? 0u : pointers->cluster_turn,
                          config->n_cluster);
}

uint32_t chosen(const struct cta_scheduler_config *config, const struct pointers *pointers,
                uint32_t policy, struct bits candidates)
{
    uint32_t best = config->n_sm, best_distance = UINT32_MAX;

    for (uint32_t sm = 0u; sm < config->n_sm; sm++) {
        const uint32_t distance = distance_to(config, pointers, policy, sm);
        if (bits_has(candidates, sm) && distance < best_distance) {
            best = sm;
            best_distance = distance;
        }
    }
    return best;
}

void move_pointers(const struct cta_scheduler_config *config, struct pointers *pointers,
                   uint32_t policy, uint32_t sm)
{
    const uint32_t size = cluster_size(config), cluster = sm / size;

    if (policy == CTA_GLOBAL_RR || policy == CTA_TWO_LEVEL_RR) {
        pointers->turn = (place_of(config, policy, sm) + 1u) % config->n_sm;
        return;
    }
    pointers->rank[cluster] = (sm % size + 1u) % seats_of(config, cluster);
    if (policy == CTA_DISTRIBUTED) {
        pointers->cluster_turn = (cluster + 1u) % config->n_cluster;
    }
}

/* ---- Small sizes --------------------------------------------------------------------- */

void for_every_set(struct cta_scheduler *unit,
                   void (*check)(struct cta_scheduler *unit, struct grid grid), uint32_t policy,
                   uint32_t most)
{
    for (uint32_t sms = 1u; sms < 1u << unit->config.n_sm; sms++) {
        for (uint32_t ctas = 1u; ctas <= most; ctas++) {
            for (uint32_t kind = 0u; kind < 6u; kind++) {
                const struct grid grid = { ctas, set_of(sms), policy, kind % 3u, kind >= 3u };
                start_launch(unit, 0u, grid);
                check(unit, grid);
            }
        }
    }
}

/* ---- Comparison, of any unit --------------------------------------------------------- */

void check_out(const struct cta_scheduler *unit, const struct cta_scheduler_out *expected,
               const struct cta_scheduler_out *got)
{
    check_group(&cta_scheduler_type, &unit->config, UNIT_OUT, expected, got);
}

void check_same(const struct cta_scheduler *expected, const struct cta_scheduler *got)
{
    check_group(&cta_scheduler_type, &expected->config, UNIT_REG, &expected->q, &got->q);
    check_group(&cta_scheduler_type, &expected->config, UNIT_MEM, &expected->mem, &got->mem);
}

/* ---- Random stimulus ----------------------------------------------------------------- */

struct bits some_sms(uint64_t *random, uint32_t n_sm)
{
    const uint32_t density = random_below(random, 9u);
    struct bits sms = { { 0u } };

    for (uint32_t sm = 0u; sm < n_sm; sm++) {
        if (random_below(random, 8u) < density) {
            bits_add(&sms, sm);
        }
    }
    return sms;
}

/* Mostly grids that are soon dispatched. Some are illegal. */
static struct grid some_grid(uint64_t *random, const struct cta_scheduler_config *config)
{
    const uint32_t ctas = some_number(random, config->cta_w);

    return (struct grid){
        .ctas =
            one_in(random, 4u) ? ctas : ctas % (2u + random_below(random, 4u * config->n_sm)),
        .sms = one_in(random, 2u) ? bits_below(config->n_sm) : some_sms(random, config->n_sm),
        .policy = some_number(random, 2u),
        .block = one_in(random, 8u) ? 3u : random_below(random, 3u),
        .steal = one_in(random, 2u),
    };
}

static bool is_legal(struct grid grid)
{
    return grid.ctas > 0u && grid.block < 3u && bits_any(grid.sms);
}

struct grid some_legal_grid(uint64_t *random, const struct cta_scheduler_config *config)
{
    struct grid grid;

    do {
        grid = some_grid(random, config);
    } while (!is_legal(grid));
    return grid;
}

struct cta_scheduler_in some_inputs(uint64_t *random, const struct cta_scheduler *unit)
{
    const struct cta_scheduler_config *const config = &unit->config;
    const uint32_t slot_w = index_width(config->n_kernel);
    const struct grid grid =
        one_in(random, 4u) ? some_grid(random, config) : some_legal_grid(random, config);
    struct cta_scheduler_in in = launch_of(some_number(random, slot_w), grid);

    in.launch_valid = one_in(random, 24u);
    in.launch_keep = one_in(random, 3u);
    in.pool_ready = !one_in(random, 4u);
    in.kernel = some_number(random, slot_w);
    in.room = one_in(random, 4u) ? bits_below(config->n_sm) : some_sms(random, config->n_sm);
    in.limit = one_in(random, 2u) ? bits_below(config->n_sm) : some_sms(random, config->n_sm);
    in.dispatch_ready = !one_in(random, 8u);
    in.dispatch_withdraw = one_in(random, 16u);
    if (bits_any(unit->q.ready) && !one_in(random, 8u)) {
        do {
            in.kernel = (in.kernel + 1u) % config->n_kernel;
        } while (!bits_has(unit->q.ready, in.kernel));
    }
    return in;
}
