/* laperm_set - the priority queues of one SM; see laperm_set.h. */

#include "units/laperm_set.h"

#include <string.h>

struct entry {
    uint64_t payload;
    uint32_t kernel, tb, tbs, stamp;
};

/* ---- Places of the array, which is a ring ---------------------------------------------- */

static uint32_t place_behind(const struct laperm_set *unit, uint32_t place)
{
    return place + 1u == unit->config.n_entry ? 0u : place + 1u;
}

static uint32_t place_before(const struct laperm_set *unit, uint32_t place)
{
    return (place == 0u ? unit->config.n_entry : place) - 1u;
}

static void put(struct laperm_set_next *next, uint32_t place, struct entry entry)
{
    UNIT_WRITE(&next->array_payload, place, entry.payload);
    UNIT_WRITE(&next->array_kernel, place, entry.kernel);
    UNIT_WRITE(&next->array_tb, place, entry.tb);
    UNIT_WRITE(&next->array_tbs, place, entry.tbs);
    UNIT_WRITE(&next->array_stamp, place, entry.stamp);
}

static void fetch(const struct laperm_set *unit, struct laperm_set_next *next, uint32_t place)
{
    next->q.read_payload = unit->mem.array_payload[place];
    next->q.read_kernel = (uint32_t)unit->mem.array_kernel[place];
    next->q.read_tb = (uint32_t)unit->mem.array_tb[place];
    next->q.read_tbs = (uint32_t)unit->mem.array_tbs[place];
    next->q.read_stamp = (uint32_t)unit->mem.array_stamp[place];
}

/* ---- Sections of the array, rule LP-8 -------------------------------------------------- */

static uint32_t total(const struct laperm_set *unit)
{
    return unit->q.fill[unit->config.n_level - 1u];
}

/* The pointers with one entry more, or one fewer, in the section of a level. */
static void count(const struct laperm_set *unit, struct laperm_set_next *next, uint32_t level,
                  bool more)
{
    for (uint32_t k = level; k < unit->config.n_level; k++) {
        next->q.fill[k] += more ? 1u : UINT32_MAX;
    }
}

/* The level of the first entry; the array is not empty. */
static uint32_t first_level(const struct laperm_set *unit)
{
    uint32_t level = unit->config.n_level - 1u;

    while (level > 0u && unit->q.fill[level - 1u] == total(unit)) {
        level--;
    }
    return level;
}

/* ---- The head -------------------------------------------------------------------------- */

static struct entry head(const struct laperm_set_state *q)
{
    return (struct entry){ q->payload, q->kernel, q->tb, q->tbs, q->stamp };
}

static struct entry newcomer(const struct laperm_set_state *q)
{
    return (struct entry){ q->new_payload, q->new_kernel, 0u, q->new_tbs, q->new_stamp };
}

static struct entry last_read(const struct laperm_set_state *q)
{
    return (struct entry){ q->read_payload, q->read_kernel, q->read_tb, q->read_tbs,
                           q->read_stamp };
}

static void become_head(struct laperm_set_next *next, struct entry entry)
{
    next->q.payload = entry.payload;
    next->q.kernel = entry.kernel;
    next->q.tb = entry.tb;
    next->q.tbs = entry.tbs;
    next->q.stamp = entry.stamp;
    next->q.here = true;
    next->q.fresh = true;
}

static bool newcomer_is_next(const struct laperm_set_state *q)
{
    return q->state == LAPERM_SET_MOVE && q->ahead == 0u;
}

/* An entry is to be read from the array, or the one being inserted taken, to be the head. */
static bool lacks_head(const struct laperm_set *unit)
{
    return !unit->q.here && !unit->q.loading && total(unit) != 0u;
}

/* The head gives way to the entry that is inserted, or there is none. */
static bool gives_way(const struct laperm_set_state *q)
{
    return q->state == LAPERM_SET_START && (!q->here || q->new_level > q->level);
}

static bool may_load(const struct laperm_set_state *q)
{
    return q->state != LAPERM_SET_CLOSE || q->left != 0u;
}

/* Returns whether the array's port to read is used. */
static bool load(const struct laperm_set *unit, struct laperm_set_next *next)
{
    const struct laperm_set_state *const q = &unit->q;

    if (q->loading) {
        become_head(next, last_read(q));
    }
    next->q.loading = false;
    if (!lacks_head(unit) || !may_load(q)) {
        return false;
    }
    if (newcomer_is_next(q)) {
        become_head(next, newcomer(q));
        next->q.level = q->new_level;
        next->q.state = LAPERM_SET_CLOSE;
        return true; /* nothing else moves meanwhile */
    }
    fetch(unit, next, q->front);
    next->q.loading = true;
    next->q.level = first_level(unit);
    next->q.front = place_behind(unit, q->front);
    count(unit, next, first_level(unit), false);
    if (q->state == LAPERM_SET_MOVE) {
        next->q.ahead--;
    } else if (q->state == LAPERM_SET_CLOSE) {
        next->q.left--;
    }
    return true;
}

/* ---- Insertion, rule LP-9 -------------------------------------------------------------- */

static void start(const struct laperm_set *unit, struct laperm_set_next *next)
{
    const struct laperm_set_state *const q = &unit->q;
    const uint32_t all = total(unit);
    const uint32_t lower = q->new_level == 0u ? 0u : q->fill[q->new_level - 1u];

    if (q->loading || (!q->here && all != 0u)) {
        return; /* until there is a head */
    }
    next->q.state = LAPERM_SET_IDLE;
    if (!q->here) {
        become_head(next, newcomer(q));
        next->q.level = q->new_level;
    } else if (gives_way(q)) {
        next->q.front = place_before(unit, q->front);
        put(next, next->q.front, head(q));
        count(unit, next, q->level, true);
        become_head(next, newcomer(q));
        next->q.level = q->new_level;
    } else if (lower == 0u) {
        put(next, q->tail, newcomer(q));
        next->q.tail = place_behind(unit, q->tail);
        count(unit, next, q->new_level, true);
    } else if (lower == all) {
        next->q.front = place_before(unit, q->front);
        put(next, next->q.front, newcomer(q));
        count(unit, next, q->new_level, true);
    } else {
        next->q.state = LAPERM_SET_MOVE;
        next->q.ahead = all - lower;
        next->q.left = lower;
        next->q.from = place_before(unit, q->tail);
        next->q.hole = q->tail;
        next->q.tail = place_behind(unit, q->tail);
    }
}

/* Entries of lower levels, from the last on, each to the place behind its own. */
static void move(const struct laperm_set *unit, struct laperm_set_next *next, bool busy)
{
    const struct laperm_set_state *const q = &unit->q;

    next->q.moving = false;
    if (q->moving) {
        put(next, q->hole, last_read(q));
        next->q.hole = place_before(unit, q->hole);
    }
    if (busy) {
        return;
    }
    if (q->left != 0u) {
        fetch(unit, next, q->from);
        next->q.from = place_before(unit, q->from);
        next->q.left--;
        next->q.moving = true;
    } else if (!q->moving) {
        next->q.state = LAPERM_SET_IDLE;
        if (q->state == LAPERM_SET_MOVE) {
            put(next, q->hole, newcomer(q));
            count(unit, next, q->new_level, true);
        } else {
            next->q.front = place_behind(unit, q->front);
        }
    }
}

/* ---- Entries on chip and in memory, rule LP-10 ----------------------------------------- */

static uint32_t most_spilled(const struct laperm_set *unit)
{
    return UINT32_MAX >> (32u - unit->config.spill_w);
}

static uint32_t level_of(const struct laperm_set *unit, uint32_t level)
{
    return level < unit->config.n_level ? level : unit->config.n_level - 1u;
}

/* The highest level that memory has an entry of; n_level if there is none. */
static uint32_t spilled_level(const struct laperm_set *unit)
{
    uint32_t level = unit->config.n_level;

    while (level > 0u && unit->q.spill[level - 1u] == 0u) {
        level--;
    }
    return level == 0u ? unit->config.n_level : level - 1u;
}

static void take(const struct laperm_set *unit, const struct laperm_set_in *in,
                 const struct laperm_set_out *out, struct laperm_set_next *next)
{
    const uint32_t level = level_of(unit, in->insert_level);
    const bool fits = in->insert_back ? unit->q.asked && unit->q.spill[level] != 0u
                                      : !bits_has(out->spills, level);

    if (!in->insert_valid || !out->idle || !fits) {
        return;
    }
    next->q.state = LAPERM_SET_START;
    next->q.back = in->insert_back;
    next->q.new_level = level;
    next->q.new_payload = in->insert_payload;
    next->q.new_kernel = in->insert_kernel;
    next->q.new_tbs = in->insert_tbs;
    next->q.new_stamp = in->insert_stamp;
    if (in->insert_back) {
        next->q.asked = false;
        next->q.spill[level]--;
    } else {
        next->q.chip++;
    }
}

static void draw(const struct laperm_set *unit, const struct laperm_set_out *out,
                 struct laperm_set_next *next)
{
    next->q.tb = (unit->q.tb + 1u) & (UINT32_MAX >> (32u - unit->config.tb_w));
    if (out->last) {
        next->q.here = false;
        next->q.fresh = true;
        next->q.chip--;
    }
}

void laperm_set_show(const struct laperm_set *unit, struct laperm_set_out *out)
{
    const struct laperm_set_state *const q = &unit->q;
    const uint32_t level = spilled_level(unit);
    const bool returns =
        q->back && (q->state == LAPERM_SET_START || q->state == LAPERM_SET_MOVE);

    memset(out, 0, sizeof *out);
    out->idle = q->state == LAPERM_SET_IDLE;
    out->want = laperm_set_wants(unit);
    out->want_level = out->want ? level : 0u;
    for (uint32_t k = 0u; k < unit->config.n_level; k++) {
        if (q->chip + out->want >= unit->config.n_entry || q->spill[k] != 0u) {
            bits_add(&out->spills, k);
        }
        if (q->spill[k] == most_spilled(unit)) {
            bits_add(&out->stuck, k);
        }
    }
    out->some =
        q->here || q->loading || total(unit) != 0u || level < unit->config.n_level || returns;
    out->offer = q->here && !gives_way(q);
    out->steady = !q->fresh && !gives_way(q) && !q->loading && !lacks_head(unit);
    out->here = q->here;
    out->level = q->level;
    out->payload = q->payload;
    out->kernel = q->kernel;
    out->tb = q->tb;
    out->last = ((q->tb + 1u) & (UINT32_MAX >> (32u - unit->config.tb_w))) == q->tbs;
    out->stamp = q->stamp;
}

bool laperm_set_waits(const struct laperm_set *unit)
{
    return unit->q.chip != 0u || spilled_level(unit) < unit->config.n_level;
}

bool laperm_set_wants(const struct laperm_set *unit)
{
    return spilled_level(unit) < unit->config.n_level && unit->q.chip != unit->config.n_entry
           && !unit->q.asked;
}

bool laperm_set_rests(const struct laperm_set *unit)
{
    const struct laperm_set_state *const q = &unit->q;

    return q->state == LAPERM_SET_IDLE && !q->fresh && !q->moving && !q->loading
           && !lacks_head(unit);
}

void laperm_set_eval(const struct laperm_set *unit, const struct laperm_set_in *in,
                     struct laperm_set_out *out, struct laperm_set_next *next)
{
    const uint32_t spill_level = level_of(unit, in->spill_level);

    laperm_set_show(unit, out);
    laperm_set_hold(unit, next);
    next->q.fresh = false;
    if (in->draw && out->offer) {
        draw(unit, out, next);
    }
    const bool busy = load(unit, next);
    if (unit->q.state == LAPERM_SET_START) {
        start(unit, next);
    } else if (unit->q.state != LAPERM_SET_IDLE) {
        move(unit, next, busy);
    }
    take(unit, in, out, next);
    if (in->ask && out->want) {
        next->q.asked = true;
        next->q.chip++;
    }
    if (in->spill_valid && !bits_has(out->stuck, spill_level)) {
        next->q.spill[spill_level]++;
    }
}

uint32_t laperm_set_meets(const struct laperm_set *unit)
{
    const struct laperm_set_state *const q = &unit->q;
    const uint32_t lower = q->new_level == 0u ? 0u : q->fill[q->new_level - 1u];
    const bool starts = q->state == LAPERM_SET_START;
    const bool behind_head = starts && q->here && !gives_way(q) && lower != 0u;
    const bool drains = q->state == LAPERM_SET_CLOSE && lacks_head(unit) && may_load(q);

    return (uint32_t)(starts && gives_way(q) && q->here) << LAPERM_SET_PUSHED
           | (uint32_t)q->moving << LAPERM_SET_MOVED
           | (uint32_t)(behind_head && lower == total(unit)) << LAPERM_SET_FRONT
           | (uint32_t)(lacks_head(unit) && newcomer_is_next(q)) << LAPERM_SET_OVERTOOK
           | (uint32_t)drains << LAPERM_SET_DRAINED
           | (uint32_t)(starts && q->back) << LAPERM_SET_CAME_BACK;
}

#define UNIT laperm_set
#include "base/unit_define.h"
