/* perf_sat_oracle - Perf-Sat by docs/units/perf_sat.md; see perf_sat_oracle.h. */

#include "tb/units/perf_sat/perf_sat_oracle.h"

#define WI PERF_SAT_WEAK_INCREASE
#define SI PERF_SAT_STRONG_INCREASE
#define WD PERF_SAT_WEAK_DECREASE
#define SD PERF_SAT_STRONG_DECREASE

/* ---- The walk ------------------------------------------------------------------------ */

/* On the way: what the page calls prev, Nprev, dir, hist and toggles. */
struct on_the_way {
    struct perf_sat_walk at;
    uint32_t n_max, n_start;
    uint32_t prev, n_prev;
    bool decided, voted;
    int toggles;
};

static bool goes_up(enum perf_sat_state_name state)
{
    return state == WI || state == SI;
}

static void settle_for(struct on_the_way *w, uint32_t n)
{
    w->at.n = n;
    w->at.done = true;
}

static void store(struct on_the_way *w, uint32_t stalled)
{
    w->prev = stalled;
    w->n_prev = w->at.n;
}

static void one_further(struct on_the_way *w, uint32_t stalled)
{
    const bool up = goes_up(w->at.state);

    store(w, stalled);
    w->toggles = 0;
    if (up && w->at.n == w->n_max) {
        settle_for(w, w->n_max);
    } else if (!up && w->at.n == 1u) {
        settle_for(w, 1u);
    } else {
        w->at.n = up ? w->at.n + 1u : w->at.n - 1u;
    }
}

static void find_direction(struct on_the_way *w, const struct perf_sat_sample *s)
{
    const bool up = w->at.state == WI;

    if (s->stalled < w->prev && !w->voted) {
        w->voted = true;
    } else if (s->stalled < w->prev) {
        w->decided = true;
        w->at.state = up ? SI : SD;
        one_further(w, s->stalled);
    } else {
        store(w, s->stalled);
        w->at.state = up ? WD : WI;
        w->at.n = up ? w->n_start : w->n_start + 1u;
        w->voted = !s->votes_two;
        if (++w->toggles > 3) {
            settle_for(w, w->n_start + 1u);
        }
    }
}

static void find_optimum(struct on_the_way *w, uint32_t stalled)
{
    const bool better = stalled < w->prev;

    switch (w->at.state) {
    case SI:
    case SD:
        if (better) {
            one_further(w, stalled);
            return;
        }
        w->at.state = w->at.state == SI ? WI : WD;
        break;
    default:
        if (!better) {
            settle_for(w, w->n_prev);
            return;
        }
        w->at.state = w->at.state == WI ? SI : SD;
        break;
    }
    if (++w->toggles > 3) {
        settle_for(w, w->n_prev);
    }
}

struct perf_sat_walk perf_sat_oracle_walk(uint32_t n_max, const struct perf_sat_sample *sample,
                                          uint32_t n)
{
    const uint32_t n_start = n_max / 2u + n_max % 2u;
    struct on_the_way w = { .at = { n_start, WI, false }, .n_max = n_max, .n_start = n_start };

    for (uint32_t i = 0u; i < n && !w.at.done; i++) {
        if (i == 0u) {
            store(&w, sample[i].stalled);
            w.at.n = n_start + 1u;
        } else if (!w.decided) {
            find_direction(&w, &sample[i]);
        } else {
            find_optimum(&w, sample[i].stalled);
        }
    }
    return w.at;
}

/* ---- A cycle ------------------------------------------------------------------------- */

static uint64_t at_most(const struct perf_sat_oracle *oracle, uint64_t count)
{
    const uint64_t most = (UINT64_C(1) << oracle->config.count_w) - 1u;

    return count < most ? count : most;
}

void perf_sat_oracle_reset(struct perf_sat_oracle *oracle)
{
    const struct perf_sat_config config = oracle->config;

    *oracle = (struct perf_sat_oracle){ .config = config, .fixed = true };
    oracle->walk = (struct perf_sat_walk){ .n = 0u, .done = true };
}

static void restart(struct perf_sat_oracle *oracle, const struct perf_sat_in *in)
{
    perf_sat_oracle_reset(oracle);
    oracle->n_max = in->n_max;
    oracle->n_more = in->n_more;
    oracle->fixed = in->cooperative || in->n_max < 2u;
    oracle->walk = oracle->fixed ? (struct perf_sat_walk){ in->n_max, WI, true }
                                 : perf_sat_oracle_walk(in->n_max, NULL, 0u);
}

static void new_sample(struct perf_sat_oracle *oracle, const struct perf_sat_in *in)
{
    const uint32_t before = oracle->walk.n;

    assert_in_range(oracle->n_samples, 0, PERF_SAT_SAMPLES - 1);
    oracle->sample[oracle->n_samples++] = (struct perf_sat_sample){
        (uint32_t)at_most(oracle, oracle->stalled),
        in->votes_two,
    };
    oracle->walk = perf_sat_oracle_walk(oracle->n_max, oracle->sample, oracle->n_samples);
    oracle->judged = true;
    oracle->cycles = oracle->stalled = 0u;
    oracle->settling = oracle->walk.n < before && !oracle->walk.done ? in->settle : 0u;
}

static void in_a_period(struct perf_sat_oracle *oracle, const struct perf_sat_in *in)
{
    if (oracle->settling != 0u) {
        oracle->settling -= in->ended < oracle->settling ? in->ended : oracle->settling;
        return;
    }
    if (in->hold) {
        return;
    }
    if (oracle->cycles == at_most(oracle, oracle->one_tb * (oracle->n_max + oracle->n_more))) {
        new_sample(oracle, in);
    }
    if (oracle->settling == 0u) { /* or the period begins later */
        oracle->cycles++;
        oracle->stalled += in->stalled;
    }
}

static void cycle(struct perf_sat_oracle *oracle, const struct perf_sat_in *in)
{
    oracle->judged = false;
    if (in->restart) {
        restart(oracle, in);
    } else if (oracle->fixed || oracle->walk.done) {
        return;
    } else if (oracle->ended) {
        in_a_period(oracle, in);
    } else if (oracle->started) {
        oracle->one_tb += !in->hold;
        oracle->ended = in->ended != 0u;
    } else if (in->started) {
        oracle->started = true;
        oracle->one_tb = 1u;
    }
}

struct perf_sat_out perf_sat_oracle_beside(struct perf_sat_oracle *oracle,
                                           struct perf_sat *unit, const struct perf_sat_in *in)
{
    const struct perf_sat_out expected = { oracle->walk.n, oracle->walk.state,
                                           oracle->walk.done, oracle->judged };
    struct perf_sat_out out;
    struct perf_sat_next next;

    perf_sat_eval(unit, in, &out, &next);
    check_outputs(&perf_sat_type, &unit->config, in, &expected, &out);
    perf_sat_tick(unit, &next);
    cycle(oracle, in);
    return out;
}
