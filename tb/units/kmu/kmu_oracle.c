/* kmu_oracle - kernels in the order of their arrival; see kmu_oracle.h. */

#include "tb/units/kmu/kmu_oracle.h"

#include <string.h>

#include "tb/base/unit_check.h"

void kmu_oracle_open(struct kmu_oracle *oracle, const struct kmu_config *config)
{
    memset(oracle, 0, sizeof *oracle);
    oracle->config = *config;
    oracle->last = config->n_sm - 1u;
}

/* ---- The list -------------------------------------------------------------------------- */

static bool same_queue(const struct kmu_oracle_kernel *a, const struct kmu_oracle_kernel *b)
{
    return a->set == b->set && a->place == b->place;
}

/* How many are in the kernel's queue; *last: the youngest of them. */
static uint32_t in_queue(const struct kmu_oracle *oracle,
                         const struct kmu_oracle_kernel *kernel, uint32_t *last)
{
    uint32_t n = 0u;

    for (uint32_t i = 0u; i < oracle->n; i++) {
        if (same_queue(&oracle->list[i], kernel)) {
            *last = i;
            n++;
        }
    }
    return n;
}

/* The oldest of the highest level of a set; n if the set has none. */
static uint32_t best_of(const struct kmu_oracle *oracle, uint32_t set)
{
    uint32_t best = oracle->n;

    for (uint32_t i = 0u; i < oracle->n; i++) {
        const struct kmu_oracle_kernel *const kernel = &oracle->list[i];
        const uint32_t beats = best == oracle->n ? 0u : oracle->list[best].place;
        if (kernel->set == set && kernel->place > beats) {
            best = i;
        }
    }
    return best;
}

static uint32_t first_of_queue_0(const struct kmu_oracle *oracle)
{
    uint32_t i = 0u;

    while (i < oracle->n && oracle->list[i].place != 0u) {
        i++;
    }
    return i;
}

static void append(struct kmu_oracle *oracle, const struct kmu_oracle_kernel *kernel)
{
    assert_in_range(oracle->n, 0, KMU_ORACLE_KERNELS - 1);
    oracle->list[oracle->n++] = *kernel;
}

static void take_out(struct kmu_oracle *oracle, uint32_t i)
{
    oracle->n--;
    memmove(&oracle->list[i], &oracle->list[i + 1u], (oracle->n - i) * sizeof oracle->list[0]);
}

/* ---- A cycle --------------------------------------------------------------------------- */

static void comes(struct kmu_oracle *oracle, const struct kmu_in *in)
{
    const uint32_t most = oracle->config.n_level;
    const uint32_t level = in->arrive_parent + 1u > most ? most : in->arrive_parent + 1u;
    struct kmu_oracle_kernel kernel = { .handle = in->arrive_handle };

    if (!in->arrive_host) {
        kernel.sm = in->arrive_sm;
        kernel.level = level;
        kernel.set = in->mode >= KMU_SMX_BIND ? in->arrive_sm : 0u;
        kernel.place = in->mode == KMU_RR ? 0u : level;
    }
    oracle->error = kernel.sm >= oracle->config.n_sm;
    oracle->work = oracle->error ? KMU_ORACLE_AFTER : KMU_ORACLE_PUTS;
    oracle->left = 1u;
    oracle->comes = kernel;
}

/* Whether one is picked, which, and how long the search takes. */
static void looks(struct kmu_oracle *oracle, const struct kmu_in *in)
{
    oracle->work = KMU_ORACLE_IDLE;
    if (!in->room || oracle->grants || oracle->awaits || oracle->n == 0u) {
        return;
    }
    oracle->work = KMU_ORACLE_PICKS;
    for (uint32_t k = 1u; k <= oracle->config.n_sm; k++) {
        const uint32_t set = (oracle->last + k) % oracle->config.n_sm;
        oracle->chosen = best_of(oracle, set);
        if (oracle->chosen < oracle->n) {
            oracle->last = set;
            oracle->left = oracle->config.n_level + 1u - oracle->list[oracle->chosen].place;
            return;
        }
    }
    oracle->chosen = first_of_queue_0(oracle);
    oracle->left = 1u;
}

static void puts_one(struct kmu_oracle *oracle, bool free, bool answered)
{
    uint32_t last = 0u;
    const uint32_t there = in_queue(oracle, &oracle->comes, &last);

    if (there == UINT32_C(1) << oracle->config.handle_w) {
        oracle->error = true;
    } else if (there != 0u ? !free : answered) {
        return;
    } else {
        if (there != 0u) {
            oracle->asks = oracle->writes = true;
            oracle->asks_of = oracle->list[last].handle;
            oracle->link = oracle->comes;
        }
        append(oracle, &oracle->comes);
    }
    oracle->work = KMU_ORACLE_AFTER;
}

static void picks_one(struct kmu_oracle *oracle, bool free)
{
    const struct kmu_oracle_kernel kernel = oracle->list[oracle->chosen];
    uint32_t last;

    if (in_queue(oracle, &kernel, &last) > 1u) {
        if (!free) {
            return;
        }
        oracle->asks = oracle->awaits = true;
        oracle->writes = false;
        oracle->asks_of = kernel.handle;
    }
    oracle->grants = true;
    oracle->grant = kernel;
    take_out(oracle, oracle->chosen);
    oracle->work = KMU_ORACLE_IDLE;
}

void kmu_oracle_edge(struct kmu_oracle *oracle, const struct kmu_in *in)
{
    const bool asked = oracle->asks, awaited = oracle->awaits, granted = oracle->grants;
    const bool answered = awaited && in->answer_valid && !(asked && !oracle->writes);

    oracle->error = false;
    if (oracle->work == KMU_ORACLE_IDLE && in->arrive_valid) {
        comes(oracle, in);
    } else if (oracle->work == KMU_ORACLE_IDLE || oracle->work == KMU_ORACLE_AFTER) {
        looks(oracle, in);
    } else if (oracle->left != 0u) {
        oracle->left--;
    } else if (oracle->work == KMU_ORACLE_PUTS) {
        puts_one(oracle, !asked, answered);
    } else {
        picks_one(oracle, !asked);
    }
    oracle->asks = oracle->asks && !(asked && in->link_ready);
    oracle->awaits = oracle->awaits && !answered;
    oracle->grants = oracle->grants && !(granted && in->grant_ready);
}

static uint32_t link_of(const struct kmu_oracle *oracle, const struct kmu_oracle_kernel *kernel)
{
    const uint32_t sms = UINT32_C(1) << index_width(oracle->config.n_sm);

    return (kernel->level * sms + kernel->sm) * (UINT32_C(1) << oracle->config.handle_w)
           + kernel->handle;
}

void kmu_oracle_show(const struct kmu_oracle *oracle, struct kmu_out *out)
{
    *out = (struct kmu_out){
        .arrive_ready = oracle->work == KMU_ORACLE_IDLE,
        .arrive_error = oracle->error,
        .link_valid = oracle->asks,
        .grant_valid = oracle->grants,
    };
    if (oracle->asks) {
        out->link_write = oracle->writes;
        out->link_handle = oracle->asks_of;
        out->link_data = oracle->writes ? link_of(oracle, &oracle->link) : 0u;
    }
    if (oracle->grants) {
        out->grant_handle = oracle->grant.handle;
        out->grant_sm = oracle->grant.sm;
        out->grant_level = oracle->grant.level;
        out->grant_host = oracle->grant.level == 0u;
    }
    for (uint32_t i = 0u; i < oracle->n; i++) {
        if (oracle->list[i].place != 0u) {
            bits_add(&out->waiting, oracle->list[i].set);
        }
    }
}
