/* lcs_oracle - lazy CTA scheduling by docs/units/lcs.md; see lcs_oracle.h. */

#include "tb/units/lcs/lcs_oracle.h"

void lcs_oracle_reset(struct lcs_oracle *oracle)
{
    *oracle = (struct lcs_oracle){ .config = oracle->config };
}

/* ---- What has happened says ---------------------------------------------------------- */

uint32_t lcs_oracle_steps(const struct lcs_oracle *oracle)
{
    if (oracle->n_max == 0u) {
        return 0u;
    }
    if (oracle->total == 0u) {
        return 1u;
    }
    if (oracle->first == 0u || oracle->total > oracle->first * oracle->n_max) {
        return oracle->n_max;
    }
    return (uint32_t)((oracle->total + oracle->first - 1u) / oracle->first);
}

uint32_t lcs_oracle_n_new(const struct lcs_oracle *oracle)
{
    uint64_t n = lcs_oracle_steps(oracle);

    if (oracle->rounding == 0u && oracle->first != 0u) {
        n = oracle->total / oracle->first;
    } else if (oracle->rounding >= 2u) {
        n++;
    }
    return (uint32_t)(n < oracle->n_max ? n : oracle->n_max);
}

/* The cycle in which Tnew is rounded. */
static uint64_t known(const struct lcs_oracle *oracle)
{
    return oracle->ended + 1u + lcs_oracle_steps(oracle);
}

static struct lcs_out shown(const struct lcs_oracle *oracle)
{
    struct lcs_out out = { .phase = 0u, .limit = oracle->n_max };

    if (oracle->has_ended && oracle->now <= known(oracle)) {
        out = (struct lcs_out){ .phase = 1u, .hold = true };
        out.limit = (uint32_t)(oracle->now - oracle->ended - 1u);
    } else if (oracle->has_ended) {
        out = (struct lcs_out){ .phase = 2u, .limit = lcs_oracle_n_new(oracle) };
    }
    return out;
}

/* ---- What happens -------------------------------------------------------------------- */

static void restart(struct lcs_oracle *oracle, const struct lcs_in *in)
{
    const uint32_t most = oracle->config.n_slot;
    const uint64_t now = oracle->now;

    lcs_oracle_reset(oracle);
    oracle->now = now;
    oracle->n_max = in->n_max == 0u ? 1u : in->n_max < most ? in->n_max : most;
}

static void issue(struct lcs_oracle *oracle, const struct lcs_in *in)
{
    const uint64_t quarter = UINT64_C(1) << (oracle->config.count_w - 2u);

    if (oracle->total >= quarter) {
        return;
    }
    for (uint32_t k = 0u; k < oracle->config.n_scheduler; k++) {
        const uint32_t slot = in->issued_slot[k];
        if (slot < oracle->config.n_slot && oracle->has_cta[slot]) {
            oracle->issued[slot] += in->issued[k];
            oracle->total += in->issued[k];
        }
    }
}

static void start(struct lcs_oracle *oracle, const struct lcs_in *in)
{
    for (uint32_t slot = 0u; slot < oracle->config.n_slot; slot++) {
        if (bits_has(in->started, slot)) {
            oracle->has_cta[slot] = true;
            oracle->issued[slot] = 0u;
        }
    }
}

/* The CTA that is the first to end; n_slot if none is. */
static uint32_t first_end(const struct lcs_oracle *oracle, const struct lcs_in *in)
{
    uint32_t slot = 0u;

    while (slot < oracle->config.n_slot
           && !(bits_has(in->ended, slot) && oracle->has_cta[slot])) {
        slot++;
    }
    return slot;
}

struct lcs_out lcs_oracle_cycle(struct lcs_oracle *oracle, const struct lcs_in *in)
{
    struct lcs_out out = shown(oracle);
    const uint32_t slot = first_end(oracle, in);
    const bool ends = !oracle->has_ended && slot < oracle->config.n_slot;

    out.hold = out.hold || ends;
    if (in->restart) {
        restart(oracle, in);
        start(oracle, in);
    } else if (!oracle->has_ended) {
        issue(oracle, in);
        if (ends) {
            oracle->has_ended = true;
            oracle->ended = oracle->now;
            oracle->first = oracle->issued[slot];
        } else {
            start(oracle, in);
        }
    } else if (oracle->now == known(oracle)) {
        oracle->rounding = in->rounding;
    }
    oracle->now++;
    return out;
}

struct lcs_out lcs_oracle_beside(struct lcs_oracle *oracle, struct lcs *unit,
                                 const struct lcs_in *in)
{
    const struct lcs_out expected = lcs_oracle_cycle(oracle, in);
    struct lcs_out out;
    struct lcs_next next;

    memset(&out, 0, sizeof out);
    lcs_eval(unit, in, &out, &next);
    check_outputs(&lcs_type, &unit->config, in, &expected, &out);
    lcs_tick(unit, &next);
    return out;
}
