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

static uint32_t queue_of(const struct kmu_oracle *oracle,
                         const struct kmu_oracle_kernel *kernel)
{
    return kernel->set * oracle->config.n_level + kernel->place;
}

/* Kernels that are on their way from memory. */
static uint32_t coming(const struct kmu_oracle *oracle)
{
    uint32_t n = 0u;

    for (uint32_t i = 0u; i < oracle->n; i++) {
        n += oracle->list[i].where == KMU_ORACLE_COMING;
    }
    return n;
}

/* The first of a kernel's queue that is there; n if none is. */
static uint32_t first_at(const struct kmu_oracle *oracle, uint32_t queue, uint32_t where)
{
    uint32_t i = 0u;

    while (i < oracle->n
           && (queue_of(oracle, &oracle->list[i]) != queue || oracle->list[i].where != where)) {
        i++;
    }
    return i;
}

/* Whether one is picked, which, and how long the search takes. */
static void looks(struct kmu_oracle *oracle, const struct kmu_in *in)
{
    oracle->work = KMU_ORACLE_IDLE;
    if (!in->room || oracle->grants || oracle->n == 0u
        || (oracle->missed && coming(oracle) != 0u)) {
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

/* What the search has found, in its last cycle. */
static void finds(struct kmu_oracle *oracle)
{
    if (oracle->work == KMU_ORACLE_PICKS) {
        oracle->coming = oracle->list[oracle->chosen].where == KMU_ORACLE_COMING;
    } else {
        const uint32_t queue = queue_of(oracle, &oracle->comes);
        oracle->coming = first_at(oracle, queue, KMU_ORACLE_COMING) < oracle->n;
    }
}

static void puts_one(struct kmu_oracle *oracle, bool free, bool answered)
{
    const uint32_t near = UINT32_C(1) << oracle->config.near_w;
    uint32_t last = 0u;
    const uint32_t there = in_queue(oracle, &oracle->comes, &last);
    const bool direct = there < near && !oracle->coming;

    if (there == UINT32_C(1) << oracle->config.handle_w) {
        oracle->error = true;
    } else if (direct ? answered : !free) {
        return;
    } else {
        oracle->comes.number = there == 0u ? 0u : oracle->list[last].number + 1u;
        oracle->comes.where = direct         ? KMU_ORACLE_NEAR
                              : there < near ? KMU_ORACLE_COMING
                                             : KMU_ORACLE_FAR;
        if (!direct) {
            oracle->asks = oracle->writes = true;
            oracle->again = there < near;
            oracle->link = oracle->comes;
        }
        append(oracle, &oracle->comes);
    }
    oracle->work = KMU_ORACLE_AFTER;
}

static void picks_one(struct kmu_oracle *oracle, bool free, bool answered)
{
    const struct kmu_oracle_kernel kernel = oracle->list[oracle->chosen];
    const uint32_t far = first_at(oracle, queue_of(oracle, &kernel), KMU_ORACLE_FAR);

    if (oracle->coming) {
        oracle->missed = !answered;
        oracle->work = KMU_ORACLE_IDLE;
        return;
    }
    if (far < oracle->n) {
        if (!free) {
            return;
        }
        oracle->list[far].where = KMU_ORACLE_COMING;
        oracle->asks = true;
        oracle->writes = false;
        oracle->link = oracle->list[far];
    }
    oracle->missed = false;
    oracle->grants = true;
    oracle->grant = kernel;
    take_out(oracle, oracle->chosen);
    oracle->work = KMU_ORACLE_IDLE;
}

static bool answered_now(const struct kmu_oracle *oracle, const struct kmu_in *in)
{
    const bool in_register = oracle->asks && (!oracle->writes || oracle->again);

    return in->answer_valid && coming(oracle) > (uint32_t)in_register
           && in->answer_queue <= oracle->config.n_sm * oracle->config.n_level;
}

/* Memory takes the request. */
static void goes(struct kmu_oracle *oracle)
{
    oracle->asks = oracle->writes && oracle->again;
    oracle->writes = oracle->again = false;
}

void kmu_oracle_edge(struct kmu_oracle *oracle, const struct kmu_in *in)
{
    const bool asked = oracle->asks, granted = oracle->grants;
    const bool answered = answered_now(oracle, in);

    oracle->error = false;
    if (asked && in->link_ready) {
        goes(oracle);
    }
    if (oracle->work == KMU_ORACLE_IDLE && in->arrive_valid) {
        comes(oracle, in);
    } else if (oracle->work == KMU_ORACLE_IDLE || oracle->work == KMU_ORACLE_AFTER) {
        looks(oracle, in);
    } else if (oracle->left != 0u) {
        if (--oracle->left == 0u) {
            finds(oracle);
        }
    } else if (oracle->work == KMU_ORACLE_PUTS) {
        puts_one(oracle, !asked, answered);
    } else {
        picks_one(oracle, !asked, answered);
    }
    if (answered) {
        const uint32_t i = first_at(oracle, in->answer_queue, KMU_ORACLE_COMING);
        assert_in_range(i, 0, oracle->n - 1u); /* it was asked for */
        oracle->list[i].where = KMU_ORACLE_NEAR;
        oracle->missed = false;
    }
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
        const uint32_t places = UINT32_C(1) << oracle->config.handle_w;
        out->link_write = oracle->writes;
        out->link_queue = queue_of(oracle, &oracle->link);
        out->link_place = oracle->link.number % places;
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
