/* icc_driver - requests whose lines meet, and answers to those that are tracked. */

#include "driver.h"
#include "icc.h"
#include "random_bits.h"

/* ---- Lines that meet ------------------------------------------------------- */

/* Line k: different ones for different k, as far as there are so many. */
static uint64_t line_of(const struct icc *unit, uint64_t k)
{
    return k * UINT64_C(0x9E3779B97F4A7C15) & (UINT64_MAX >> (64u - unit->config.line_w));
}

/* One of three, one that differs from another in one bit, or one of more than entries. */
static uint64_t few_lines(const struct icc *unit, uint64_t *random)
{
    switch (random_below(random, 4u)) {
    case 0u:
        return line_of(unit, random_below(random, 3u));
    case 1u:
        return UINT64_C(1) << random_below(random, unit->config.line_w);
    default:
        return line_of(unit, random_below(random, 2u * (uint64_t)unit->config.n_entry));
    }
}

/* ---- Legal traffic --------------------------------------------------------- */

static void legal(const void *any_unit, void *any_in, uint64_t *random)
{
    const struct icc *const unit = any_unit;
    struct icc_in *const in = any_in;
    const uint32_t entry = random_below(random, unit->config.n_entry);
    const uint32_t other = random_below(random, unit->config.n_entry);

    /* Mostly reads; half of the requests meet an entry, at times that of the answer. */
    in->request_sm %= unit->config.n_sm;
    in->request_line = few_lines(unit, random);
    if (unit->q.list[other] != 0u && random_below(random, 2u) == 0u) {
        in->request_line = unit->mem.line[other];
    }
    in->request_write = in->request_write && random_below(random, 4u) == 0u;
    in->request_alone = in->request_alone && random_below(random, 8u) == 0u;
    in->request_hit = in->request_hit && random_below(random, 8u) == 0u;

    /* An answer is tracked when its line has an entry; others come for any line. */
    in->reply_sm %= unit->config.n_sm;
    in->reply_tracked = unit->q.list[entry] != 0u && random_below(random, 8u) != 0u;
    in->reply_line = in->reply_tracked || random_below(random, 2u) == 0u
                         ? unit->mem.line[entry]
                         : few_lines(unit, random);
    if (in->reply_valid && random_below(random, 8u) == 0u) {
        in->request_line = in->reply_line;
    }
    in->flush = in->flush && random_below(random, 64u) == 0u;
}

/* ---- A table that fills, is joined, written, flushed, and answered ------------- */

static bool directed(const void *any_unit, void *any_in, uint64_t cycle)
{
    enum { TAKE, JOIN, WRITE, AGAIN, ANSWER, PHASES, ROUNDS = 8 };
    const struct icc *const unit = any_unit;
    struct icc_in *const in = any_in;
    const uint64_t length = unit->config.n_entry + 3u; /* the table is full before the end */
    const uint64_t round = cycle / (length * PHASES);
    const uint64_t phase = cycle / length % PHASES;
    const uint64_t k = cycle % length;

    in->request_valid = phase != WRITE || k % 3u == 0u;
    in->request_line = line_of(unit, k + round);
    in->request_sm = (uint32_t)((k + phase + round) % unit->config.n_sm);
    in->request_write = phase == WRITE;
    in->request_ready = k % 5u != 0u || phase != TAKE;
    in->flush = phase == AGAIN && k == length / 2u && round % 4u == 3u;
    if (phase == ANSWER) { /* in the other order; for one the request comes with it */
        in->reply_valid = true;
        in->reply_line = line_of(unit, length - 1u - k + round);
        in->reply_sm = (uint32_t)(k % unit->config.n_sm);
        in->reply_tracked = k >= 3u;
        in->request_valid = k % 4u == 0u;
        in->request_line = in->reply_line;
        in->request_write = k % 8u == 0u;
    }
    return round < ROUNDS;
}

const struct driver icc_driver = { "icc", legal, directed };
