/* perf_sat_driver - kernels that last for many periods, with samples that lead somewhere. */

#include "base/random_bits.h"
#include "base/stimulus_driver.h"
#include "units/perf_sat.h"

enum { MOST_STALLED = 7 };
enum wish { BETTER, EQUAL, WORSE };

static uint32_t hash(uint32_t x)
{
    return (x ^ x >> 15) * 2654435761u;
}

static uint32_t most_ctas(const struct perf_sat *unit)
{
    return (1u << unit->config.cta_w) - 1u;
}

/* What brings the running sample near the stored one, on the wished side. */
static uint32_t stalled_for(const struct perf_sat_state *q, enum wish wish)
{
    const uint32_t sum = q->elapsed == q->period ? 0u : q->stalled; /* of this period */
    const uint32_t goal = wish == BETTER && q->prev != 0u ? q->prev - 1u : q->prev;
    const uint32_t left = goal > sum ? goal - sum : 0u;

    return wish == WORSE || left > MOST_STALLED ? MOST_STALLED : left;
}

/* ---- Legal traffic --------------------------------------------------------------------- */

/* The same for all of a period. Kernels differ in how often a sample is better. */
static enum wish wish_of(const struct perf_sat_state *q)
{
    static const uint32_t eighths[] = { 2u, 4u, 6u, 7u };
    const uint32_t luck = hash(q->prev * 31u + q->toggles * 7u + q->limit + q->hist) >> 29;

    return luck < eighths[hash(q->period + q->n_max) >> 30] ? BETTER
           : luck == 7u                                     ? EQUAL
                                                            : WORSE;
}

static void legal(const void *any_unit, void *any_in, uint64_t *random)
{
    const struct perf_sat *const unit = any_unit;
    const struct perf_sat_state *const q = &unit->q;
    struct perf_sat_in *const in = any_in;
    const bool over = q->phase == PERF_SAT_DONE;

    in->restart = in->restart && random_below(random, over ? 8u : 400u) == 0u;
    if (random_below(random, 16u) != 0u) { /* few CTAs, so that periods are short */
        in->n_max = 2u + in->n_max % 7u;
        in->n_max = in->n_max < most_ctas(unit) ? in->n_max : most_ctas(unit);
        in->n_more %= 3u;
    }
    in->cooperative = in->cooperative && random_below(random, 8u) == 0u;
    in->hold = in->hold && random_below(random, 4u) == 0u;
    in->votes_two = in->votes_two != (random_below(random, 64u) == 0u);
    in->settle = random_below(random, 4u) == 0u ? in->settle : in->settle % 3u;
    if (q->phase == PERF_SAT_MEASURING) {
        in->ended = random_below(random, 4u) == 0u ? in->ended : 0u;
    }
    if (q->phase == PERF_SAT_PERIODS && random_below(random, 64u) != 0u) {
        in->stalled = stalled_for(q, wish_of(q));
    }
}

/* ---- Detections, each with an answer for each state ------------------------------------ */

/* Bit k: the sample in state k is better. State: dir, toggles and hist. */
static uint32_t answers_of(uint32_t detection)
{
    enum { UPWARDS = 0xff03, DOWNWARDS = 0xff08, NEVER = 0, BACK_AND_FORTH = 0x5503 };
    static const uint32_t answers[] = { UPWARDS, DOWNWARDS, NEVER, BACK_AND_FORTH,
                                        0xffff,  0x0103,    0x5508 };
    enum { CHOSEN = sizeof answers / sizeof answers[0] };

    return detection < CHOSEN ? answers[detection] : hash(detection * 77u) >> 16;
}

static bool directed(const void *any_unit, void *any_in, uint64_t cycle)
{
    enum { DETECTIONS = 32, MOST_CTAS = 7, PERIODS = 3 * 4 + 8, ONE_TB = 2, SETTLE = 40 };
    enum { CYCLES = 4 + PERIODS * (ONE_TB * MOST_CTAS + SETTLE) };
    const struct perf_sat *const unit = any_unit;
    const struct perf_sat_state *const q = &unit->q;
    struct perf_sat_in *const in = any_in;
    const uint32_t detection = (uint32_t)(cycle / CYCLES);
    const uint64_t at = cycle % CYCLES;
    const uint32_t state = q->dir * 8u + q->toggles * 2u + q->hist;
    const uint32_t most = most_ctas(unit) < MOST_CTAS ? most_ctas(unit) : MOST_CTAS;

    in->restart = at == 0u;
    in->n_max = detection % 4u == 3u && most > 2u ? most - 1u : most;
    in->n_more = detection % 3u / 2u; /* most periods are as long as they may be */
    in->started = at == 1u;
    in->ended = at == 2u || at % 11u == 0u;
    in->votes_two = detection / 2u % 2u == 1u;
    in->settle = detection % 3u;
    in->hold = at % 29u == 17u;
    in->stalled = q->phase == PERF_SAT_FIRST_PERIOD
                      ? MOST_STALLED
                      : stalled_for(q, (answers_of(detection) >> state & 1u) != 0u ? BETTER
                                       : detection % 2u == 0u                      ? EQUAL
                                                                                   : WORSE);
    return detection < DETECTIONS;
}

const struct driver perf_sat_driver = { "perf_sat", legal, directed };
