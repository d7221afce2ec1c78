/* cluster_port_driver - SMs of a cluster that read and write the same lines, and a network
 * that answers what was sent to it. */

#include "cluster_port.h"
#include "driver.h"
#include "random_bits.h"

/* Line k: different ones for different k, as far as there are so many. */
static uint64_t line_of(const struct cluster_port *unit, uint64_t k)
{
    return k * UINT64_C(0x9E3779B97F4A7C15) & (UINT64_MAX >> (64u - unit->config.line_w));
}

/* ---- Legal traffic --------------------------------------------------------- */

/* One of three, or one of more than entries and ways. */
static uint64_t few_lines(const struct cluster_port *unit, uint64_t *random)
{
    const uint64_t many = 2u * (uint64_t)unit->config.n_entry + unit->config.n_line;

    return line_of(unit, random_below(random, random_below(random, 2u) == 0u ? 3u : many));
}

/* Mostly reads; many of them meet an entry or find a line. */
static void legal_request(const struct cluster_port *unit, struct cluster_port_in *in,
                          uint64_t *random)
{
    const uint32_t entry = random_below(random, unit->config.n_entry);
    const uint32_t way = random_below(random, unit->config.n_line);

    const uint32_t meets = random_below(random, 4u);

    in->request_line = few_lines(unit, random);
    if (meets == 0u && unit->table.q.list[entry] != 0u) {
        in->request_line = unit->table.mem.line[entry];
    } else if (meets == 1u && bits_has(unit->cache.q.valid, way)) {
        in->request_line = unit->cache.mem.tag[way];
    }
    in->request_sm %= unit->config.n_sm;
    in->request_write = in->request_write && random_below(random, 4u) == 0u;
    in->request_alone = in->request_alone && random_below(random, 8u) == 0u;
}

static void legal(const void *any_unit, void *any_in, uint64_t *random)
{
    const struct cluster_port *const unit = any_unit;
    struct cluster_port_in *const in = any_in;
    const uint32_t entry = random_below(random, unit->config.n_entry);

    legal_request(unit, in, random);
    /* An answer is tracked when its line has an entry; at times it meets the request. */
    in->reply_sm %= unit->config.n_sm;
    in->reply_tracked = unit->table.q.list[entry] != 0u && random_below(random, 8u) != 0u;
    in->reply_line = in->reply_tracked ? unit->table.mem.line[entry] : few_lines(unit, random);
    if (in->reply_valid && random_below(random, 8u) == 0u) {
        in->request_line = in->reply_line;
    }
    /* Both are in use, but for moments that end with a flush. */
    in->merge = in->merge || random_below(random, 64u) != 0u;
    in->keep = in->keep || random_below(random, 64u) != 0u;
    in->flush = !in->merge || !in->keep || (in->flush && random_below(random, 64u) == 0u);
}

/* ---- Lines that are asked for, joined, answered, read again, written, read again ---- */

static bool directed(const void *any_unit, void *any_in, uint64_t cycle)
{
    enum { TAKE, JOIN, ANSWER, READ, WRITE, AGAIN, CLEAR, PHASES, ROUNDS = 8 };
    const struct cluster_port *const unit = any_unit;
    struct cluster_port_in *const in = any_in;
    const uint64_t length = unit->config.n_entry + 2u; /* the table is full before the end */
    const uint64_t round = cycle / (length * PHASES);
    const uint64_t phase = cycle / length % PHASES;
    const uint64_t k = cycle % length;

    in->merge = round % 4u != 2u; /* both, both with FIFO, cache only, table only */
    in->keep = round % 4u != 3u;
    in->fifo = round % 4u == 1u;
    in->flush = phase == CLEAR && k == length - 1u;
    in->request_valid = phase != ANSWER || k % 4u == 0u;
    in->request_line = line_of(unit, k + round);
    in->request_sm = (uint32_t)((k + phase + round) % unit->config.n_sm);
    in->request_write = (phase == WRITE && k % 3u == 0u) || (phase == ANSWER && k % 8u == 0u);
    in->request_ready = k % 5u != 0u || phase != TAKE;
    in->reply_valid = phase == ANSWER || phase == CLEAR;
    in->reply_line = line_of(unit, length - 1u - k + round);
    in->reply_sm = (uint32_t)(k % unit->config.n_sm);
    in->reply_tracked = k >= 2u;
    return round < ROUNDS;
}

const struct driver cluster_port_driver = { "cluster_port", legal, directed };
