/* kdu_oracle - what is left of each entry; see kdu_oracle.h. */

#include "tb/units/kdu/kdu_oracle.h"

#include <string.h>

void kdu_oracle_open(struct kdu_oracle *oracle, const struct kdu_config *config)
{
    memset(oracle, 0, sizeof *oracle);
    oracle->config = *config;
}

/* The lowest entry that is free; n_kernel if none is. */
static uint32_t lowest_free(const struct kdu_oracle *oracle)
{
    for (uint32_t k = 0u; k < oracle->config.n_kernel; k++) {
        if (oracle->entry[k].left == 0) {
            return k;
        }
    }
    return oracle->config.n_kernel;
}

/* The entry that was found is still there, and of the same admission. */
static bool stands(const struct kdu_oracle *oracle)
{
    const struct kdu_oracle_entry *const entry = &oracle->entry[oracle->slot];

    return oracle->found && entry->left != 0 && entry->age == oracle->age;
}

static bool hits(const struct kdu_oracle *oracle)
{
    return oracle->wait == 1u && oracle->fits && stands(oracle);
}

void kdu_oracle_show(const struct kdu_oracle *oracle, struct kdu_out *out)
{
    const uint32_t slot = lowest_free(oracle);
    const bool any = slot < oracle->config.n_kernel;

    *out = (struct kdu_out){
        .admit_ready = any,
        .admit_kernel = any ? slot : 0u,
        .admit_error = oracle->error,
        .group_ready = oracle->wait == 0u,
        .answer_valid = oracle->wait == 1u,
        .answer_hit = hits(oracle),
        .answer_kernel = hits(oracle) ? oracle->slot : 0u,
        .gave_up = oracle->gave_up,
        .freed = oracle->freed,
    };
    for (uint32_t k = 0u; k < oracle->config.n_kernel; k++) {
        if (oracle->entry[k].left != 0) {
            bits_add(&out->resident, k);
        }
    }
}

static void looks(struct kdu_oracle *oracle, const struct kdu_in *in)
{
    oracle->wait = 2u;
    oracle->found = false;
    oracle->tbs = in->group_tbs;
    for (uint32_t k = oracle->config.n_kernel; k-- > 0u;) {
        if (oracle->entry[k].left != 0 && oracle->entry[k].tag == in->group_tag) {
            oracle->found = true;
            oracle->slot = k;
            oracle->age = oracle->entry[k].age;
        }
    }
}

static bool is_given_up(const struct kdu_oracle *oracle, const struct kdu_in *in, uint32_t k)
{
    const struct kdu_oracle_entry *const entry = &oracle->entry[k];

    return in->give_up_valid && in->give_up_kernel == k && entry->left != 0
           && entry->left == (int64_t)in->give_up_tbs && entry->ended == 0
           && !(hits(oracle) && oracle->slot == k);
}

/* An entry in use loses those that ended in the last cycle. */
static void passes(struct kdu_oracle *oracle, const struct kdu_in *in, uint32_t k)
{
    struct kdu_oracle_entry *const entry = &oracle->entry[k];
    const bool joins = hits(oracle) && oracle->slot == k;
    const bool given_up = is_given_up(oracle, in, k);
    int64_t ends = 0;

    for (uint32_t sm = 0u; sm < oracle->config.n_sm; sm++) {
        ends += in->ended_kernel[sm] == k ? (int64_t)in->ended[sm] : 0;
    }
    entry->left += (joins ? (int64_t)oracle->tbs : 0) - entry->ended;
    entry->ended = ends;
    if (entry->left <= 0) {
        entry->left = 0;
        bits_add(&oracle->freed, k);
    }
    if (given_up) {
        entry->left = 0;
        oracle->gave_up = true;
    }
}

void kdu_oracle_edge(struct kdu_oracle *oracle, const struct kdu_in *in)
{
    struct kdu_oracle next = *oracle;
    const uint32_t slot = lowest_free(oracle);
    const int64_t most = (INT64_C(1) << oracle->config.tb_w) - 1;

    next.freed = (struct bits){ { 0u } };
    next.gave_up = false;
    if (oracle->wait == 0u && in->group_valid) {
        looks(&next, in);
    } else if (oracle->wait == 2u) {
        next.fits = oracle->tbs != 0u && stands(oracle)
                    && oracle->entry[oracle->slot].left + (int64_t)oracle->tbs <= most;
        next.wait = 1u;
    } else {
        next.wait = 0u;
    }
    struct kdu_oracle then = *oracle; /* for what joins and ends */
    then.freed = next.freed;
    then.gave_up = false;
    for (uint32_t k = 0u; k < oracle->config.n_kernel; k++) {
        if (oracle->entry[k].left != 0) {
            passes(&then, in, k);
        } else {
            then.entry[k].ended = 0;
        }
        next.entry[k] = then.entry[k];
    }
    next.freed = then.freed;
    next.gave_up = then.gave_up;
    next.error = in->admit_valid && slot < oracle->config.n_kernel && in->admit_tbs == 0u;
    if (in->admit_valid && slot < oracle->config.n_kernel && in->admit_tbs != 0u) {
        next.entry[slot] = (struct kdu_oracle_entry){ .tag = in->admit_tag,
                                                      .left = in->admit_tbs,
                                                      .age = ++next.admissions };
    }
    *oracle = next;
}
