/* cluster_port_driver - SMs of a cluster that read and write the same lines, and a network
 * that answers what was sent to it. */

#include "base/stimulus_driver.h"
#include "units/cluster_port.h"
#include "units/drivers/driver_lines.h"

/* ---- Lines that meet ----------------------------------------------------------------- */

/* One of three, or one of many more than entries and ways. */
static uint64_t few_lines(const struct cluster_port *unit, uint64_t *random)
{
    const uint64_t many = 4u * ((uint64_t)unit->config.n_entry + unit->config.n_line);

    return driver_line(unit->config.line_w,
                       random_below(random, random_below(random, 4u) == 0u ? 3u : many));
}

/* An entry in use, if there is one: the next after any. */
static uint32_t some_entry(const struct cluster_port *unit, uint64_t *random)
{
    const uint32_t n = unit->config.n_entry;
    uint32_t entry = random_below(random, n);

    for (uint32_t i = 1u; i < n && unit->table.q.list[entry] == 0u; i++) {
        entry = (entry + 1u) % n;
    }
    return entry;
}

/* The same of those that several SMs wait for, so that their line may be kept. */
static uint32_t shared_entry(const struct cluster_port *unit, uint64_t *random)
{
    const uint32_t n = unit->config.n_entry;
    uint32_t entry = random_below(random, n);

    for (uint32_t i = 0u; i < n; i++) {
        const uint32_t list = unit->table.q.list[entry];
        if ((list & (list - 1u)) != 0u && !bits_has(unit->table.q.closed, entry)) {
            return entry;
        }
        entry = (entry + 1u) % n;
    }
    return some_entry(unit, random);
}

/* An entry that a request may join. */
static bool is_open(const struct cluster_port *unit)
{
    for (uint32_t entry = 0u; entry < unit->config.n_entry; entry++) {
        if (unit->table.q.list[entry] != 0u && !bits_has(unit->table.q.closed, entry)) {
            return true;
        }
    }
    return false;
}

/* ---- Legal traffic ------------------------------------------------------------------- */

/* Mostly reads; many of them meet an entry or find a line. Seldom an SM that there is not. */
static void legal_request(const struct cluster_port *unit, struct cluster_port_in *in,
                          bool drains, uint64_t *random)
{
    const uint32_t entry = some_entry(unit, random);
    const uint32_t n = unit->config.n_line;
    const uint32_t way = random_below(random, n);
    const uint32_t meets = random_below(random, drains ? 4u : 6u);

    in->request_line = few_lines(unit, random);
    if (meets < 2u && unit->table.q.list[entry] != 0u) {
        in->request_line = unit->table.mem.line[entry];
    } else if (meets == 2u && bits_has(unit->cache.q.valid, way)) {
        in->request_line = unit->cache.mem.tag[way];
    }
    if (random_below(random, 16u) != 0u) {
        in->request_sm %= unit->config.n_sm;
    }
    in->request_alone = in->request_alone && random_below(random, 8u) == 0u;
    in->request_write =
        in->request_write && (in->request_alone || random_below(random, 4u) == 0u);
    in->request_ready = in->request_ready || (!drains && random_below(random, 2u) == 0u);
}

/*
 * merge and keep change only when the unit holds nothing that a write could fail to reach: with
 * a flush, or with no entry open and no line kept. Then they may be as they are drawn.
 */
static void legal_switches(const struct cluster_port *unit, struct cluster_port_in *in,
                           uint64_t *random)
{
    const uint32_t room = unit->config.n_entry + unit->config.n_line;

    const bool rarely = random_below(random, 128u + 2u * room) == 0u;

    in->flush = in->flush && (rarely || (in->reply_valid && random_below(random, 64u) == 0u));
    in->merge = in->merge || (!in->flush && is_open(unit));
    in->keep = in->keep || (!in->flush && bits_any(unit->cache.q.valid));
}

static void legal(const void *any_unit, void *any_in, uint64_t *random)
{
    const struct cluster_port *const unit = any_unit;
    struct cluster_port_in *const in = any_in;
    const bool drains = driver_drains(unit->table.mem.line[0]);
    const bool last = unit->table.q.list[unit->config.n_entry - 1u] != 0u;
    const uint32_t entry =
        random_below(random, 4u) == 0u ? some_entry(unit, random) : shared_entry(unit, random);

    legal_request(unit, in, drains, random);
    /* An answer is tracked when its line has an entry; at times it meets the request. */
    in->reply_valid = in->reply_valid && (drains || random_below(random, last ? 2u : 8u) == 0u);
    in->reply_sm %= unit->config.n_sm;
    in->reply_tracked = unit->table.q.list[entry] != 0u && random_below(random, 8u) != 0u;
    in->reply_line = in->reply_tracked || random_below(random, 2u) == 0u
                         ? unit->table.mem.line[entry]
                         : few_lines(unit, random);
    if (in->reply_valid && random_below(random, 4u) == 0u) {
        in->request_line = in->reply_line;
    }
    legal_switches(unit, in, random);
}

/* ---- Lines that are asked for, joined and answered, until the cache is full ---------- */

static void fill(const struct cluster_port *unit, struct cluster_port_in *in, uint64_t length,
                 uint64_t cycle)
{
    enum { TAKE, JOIN, ANSWER, PHASES };
    const uint32_t line_w = unit->config.line_w;
    const uint64_t round = cycle / (length * PHASES);
    const uint64_t phase = cycle / length % PHASES;
    const uint64_t k = cycle % length;

    in->merge = true;
    in->keep = true;
    in->fifo = round % 2u == 1u;
    in->request_valid = phase != ANSWER || k % 2u == 0u; /* then a line that is kept, or goes */
    in->request_line =
        driver_line(line_w, (phase == ANSWER && round > 0u ? round - 1u : round) * length + k);
    in->request_sm = (uint32_t)((k + phase) % unit->config.n_sm);
    in->request_ready = phase == JOIN || (phase == TAKE && k % 5u != 0u);
    in->reply_valid = phase == ANSWER;
    in->reply_line = driver_line(line_w, round * length + k);
    in->reply_tracked = true;
    if (phase == JOIN && k == length - 1u
        && round % 2u == 1u) { /* it is full, and an answer frees an entry */
        in->request_line = driver_line(line_w, (round + 1u) * length);
        in->reply_valid = true;
        in->reply_line = unit->table.mem.line[unit->config.n_entry / 2u];
    }
}

/* ---- Lines that are read again, and written, under all settings ---------------------- */

/*
 * A round a setting: LRU, FIFO, cache only, table only. In SWITCH the other setting of keep
 * meets lines that are kept, and in CLEAR that of merge meets entries; a flush ends both, and
 * what is waited for then comes in DRAIN.
 */
static bool settings(const struct cluster_port *unit, struct cluster_port_in *in,
                     uint64_t length, uint64_t cycle)
{
    enum {
        TAKE,
        JOIN,
        ANSWER,
        READ,
        WRITE,
        SWITCH,
        EMPTY,
        AGAIN,
        CLEAR,
        DRAIN,
        PHASES,
        ROUNDS = 4
    };
    const uint32_t line_w = unit->config.line_w;
    const uint64_t round = cycle / (length * PHASES);
    const uint64_t phase = cycle / length % PHASES;
    const uint64_t k = cycle % length;
    const bool other = k % 4u == 1u || k % 4u == 2u; /* a write and a read under the other */

    in->merge =
        (round != 2u) != ((phase == CLEAR && other) || (phase == WRITE && k % 6u == 3u));
    in->keep = (round != 3u) != (phase == SWITCH && other);
    in->fifo = round == 1u;
    in->flush = (phase == CLEAR || phase == SWITCH) && k == length - 1u;
    in->request_valid = phase == ANSWER ? k % 4u == 0u : phase != DRAIN && phase != EMPTY;
    in->request_line = driver_line(line_w, k + round);
    in->request_sm = (uint32_t)((k + phase + round) % unit->config.n_sm);
    in->request_write = (phase == WRITE && k % 3u == 0u) || (phase == ANSWER && k % 8u == 0u)
                        || ((phase == SWITCH || phase == CLEAR) && k % 4u == 1u);
    in->request_alone = phase == READ && k % 8u == 7u;
    in->request_ready = k % 5u != 0u || phase != TAKE;
    in->reply_valid =
        phase == ANSWER || phase == EMPTY || phase == DRAIN || (phase == CLEAR && !other);
    in->reply_line = driver_line(line_w, (phase == ANSWER ? length - 1u - k : k) + round);
    in->reply_sm = (uint32_t)(k % unit->config.n_sm);
    in->reply_tracked = phase != ANSWER || k >= 1u;
    return round < ROUNDS;
}

static bool directed(const void *any_unit, void *any_in, uint64_t cycle)
{
    const struct cluster_port *const unit = any_unit;
    const uint64_t length = unit->config.n_entry + 2u; /* the table is full before the end */
    const uint64_t rounds = 2u * (unit->config.n_line / unit->config.n_entry) + 4u;
    const uint64_t filled = rounds * 3u * length;

    if (cycle < filled) { /* some lines of the last answers come with a flush */
        struct cluster_port_in *const in = any_in;
        fill(unit, in, length, cycle);
        in->flush = cycle + length > filled && cycle % length % 4u == 1u;
        return true;
    }
    return settings(unit, any_in, length, cycle - filled);
}

const struct driver cluster_port_driver = { "cluster_port", legal, directed };
