/* icc_driver - requests whose lines meet, and answers to those that are tracked. */

#include "base/stimulus_driver.h"
#include "units/drivers/driver_lines.h"
#include "units/icc.h"

/* ---- Lines that meet ----------------------------------------------------------------- */

/* One of three, one that differs from another in one bit, or one of more than entries. */
static uint64_t few_lines(const struct icc *unit, uint64_t *random)
{
    const uint32_t line_w = unit->config.line_w;

    switch (random_below(random, 8u)) {
    case 0u:
        return driver_line(line_w, random_below(random, 3u));
    case 1u:
        return driver_one_bit(line_w, random);
    default:
        return driver_line(line_w, random_below(random, 8u * (uint64_t)unit->config.n_entry));
    }
}

/* An entry in use, if there is one: the next after any. */
static uint32_t some_entry(const struct icc *unit, uint64_t *random)
{
    const uint32_t n = unit->config.n_entry;
    uint32_t entry = random_below(random, n);

    for (uint32_t i = 1u; i < n && unit->q.list[entry] == 0u; i++) {
        entry = (entry + 1u) % n;
    }
    return entry;
}

/* ---- Legal traffic ------------------------------------------------------------------- */

static void legal(const void *any_unit, void *any_in, uint64_t *random)
{
    const struct icc *const unit = any_unit;
    struct icc_in *const in = any_in;
    const bool drains = driver_drains(unit->mem.line[0]);
    const bool last = unit->q.list[unit->config.n_entry - 1u] != 0u; /* it is nearly full */
    const uint32_t other = some_entry(unit, random);

    /* Mostly reads; many meet an entry. Seldom an SM that there is not. */
    in->request_line = few_lines(unit, random);
    if (unit->q.list[other] != 0u && random_below(random, 8u) < (drains ? 6u : 3u)) {
        in->request_line = unit->mem.line[other];
    }
    if (random_below(random, 16u) != 0u) {
        in->request_sm %= unit->config.n_sm;
    }
    in->request_write = in->request_write && random_below(random, 4u) == 0u;
    in->request_alone = in->request_alone && random_below(random, 8u) == 0u;
    in->request_hit = in->request_hit && random_below(random, 8u) == 0u;
    in->request_ready = in->request_ready || (!drains && random_below(random, 2u) == 0u);

    /* An answer is tracked when its line has an entry; others come for any line. */
    const uint32_t entry = some_entry(unit, random);
    in->reply_valid = in->reply_valid && (drains || random_below(random, last ? 2u : 8u) == 0u);
    in->reply_sm %= unit->config.n_sm;
    in->reply_tracked = unit->q.list[entry] != 0u && random_below(random, 8u) != 0u;
    in->reply_line = in->reply_tracked || random_below(random, 2u) == 0u
                         ? unit->mem.line[entry]
                         : few_lines(unit, random);
    if (in->reply_valid && random_below(random, 4u) == 0u) {
        in->request_line = in->reply_line;
    }
    in->flush = in->flush && random_below(random, 64u + 2u * unit->config.n_entry) == 0u;
}

/* ---- A table that fills, is joined, written, flushed, and answered ------------------- */

static bool directed(const void *any_unit, void *any_in, uint64_t cycle)
{
    enum { TAKE, JOIN, WRITE, AGAIN, ANSWER, PHASES, ROUNDS = 4 };
    const struct icc *const unit = any_unit;
    struct icc_in *const in = any_in;
    const uint32_t line_w = unit->config.line_w;
    const uint64_t length = unit->config.n_entry + 3u; /* the table is full before the end */
    const uint64_t round = cycle / (length * PHASES);
    const uint64_t phase = cycle / length % PHASES;
    const uint64_t k = cycle % length;

    in->request_valid = phase != WRITE || k % 3u == 0u;
    in->request_line = driver_line(line_w, k + round);
    in->request_sm = (uint32_t)((k + phase + round) % unit->config.n_sm);
    in->request_write = phase == WRITE;
    in->request_ready = k % 5u != 0u || phase != TAKE;
    in->flush = (phase == AGAIN || phase == ANSWER) && k == length / 2u && round % 2u == 1u;
    if (phase == JOIN && k == length - 1u) { /* it is full, and an answer frees an entry */
        in->request_line = driver_line(line_w, length + round);
        in->reply_valid = true;
        in->reply_line = unit->mem.line[unit->config.n_entry / 2u];
        in->reply_tracked = true;
    }
    if (phase == ANSWER) { /* in the other order; for one the request comes with it */
        in->reply_valid = true;
        in->reply_line = driver_line(line_w, length - 1u - k + round);
        in->reply_sm = (uint32_t)(k % unit->config.n_sm);
        in->reply_tracked = k >= 3u;
        in->request_valid = k % 4u == 0u;
        in->request_line = in->reply_line;
        in->request_write = k % 8u == 0u;
    }
    return round < ROUNDS;
}

const struct driver icc_driver = { "icc", legal, directed };
