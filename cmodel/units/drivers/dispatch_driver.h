/* dispatch_driver - what the drivers of the CTA scheduler and of the work distributor share:
 * grids for random traffic and for the directed sequences, and the slots that have CTAs. */

#ifndef DISPATCH_DRIVER_H
#define DISPATCH_DRIVER_H

#include <assert.h>

#include "base/random_bits.h"
#include "units/cta_scheduler.h"

static inline uint64_t most_ctas(const struct cta_scheduler_config *config)
{
    return (UINT64_C(1) << config->cta_w) - 1u;
}

/* A grid of which every pool but the first begins near a multiple of 2^16; 0 if there is no
 * such grid. */
static inline uint32_t wide_grid(const struct cta_scheduler_config *config, uint64_t pool)
{
    const uint64_t ctas = config->n_cluster * pool;

    return ctas <= most_ctas(config) ? (uint32_t)ctas : 0u;
}

/* Mostly grids that are soon dispatched; at times wide ones, and any that the inputs made. */
static inline uint32_t some_ctas(const struct cta_scheduler_config *config, uint32_t drawn,
                                 uint64_t *random)
{
    const uint64_t few = 1u + random_below(random, UINT64_C(8) * config->n_sm);
    const uint64_t most = most_ctas(config);
    const uint64_t pool = 65536u * (1u + random_below(random, 8u)) - random_below(random, 6u);
    const uint32_t kind = random_below(random, 8u);

    if (kind == 0u && drawn != 0u) {
        return drawn;
    }
    if (kind == 1u && wide_grid(config, pool) != 0u) {
        return wide_grid(config, pool);
    }
    return 1u + random_below(random, (uint32_t)(few < most ? few : most));
}

/* Mostly nearly all SMs, at times without those of a cluster; or what the inputs made. Never
 * none. */
static inline struct bits some_sms(const struct cta_scheduler_config *config, struct bits drawn,
                                   uint64_t *random)
{
    const uint32_t n = config->n_sm, size = (n + config->n_cluster - 1u) / config->n_cluster;
    struct bits sms = bits_below(n);

    switch (random_below(random, 4u)) {
    case 0u:
        sms = drawn;
        break;
    case 1u:
        for (uint32_t i = 0u, first = random_below(random, n) / size * size; i < size; i++) {
            bits_remove(&sms, first + i);
        }
        break;
    default:
        for (uint32_t i = random_below(random, 4u); i > 0u; i--) {
            bits_remove(&sms, random_below(random, n));
        }
        break;
    }
    if (!bits_any(sms)) {
        bits_add(&sms, random_below(random, n));
    }
    return sms;
}

/* A slot of which nothing is left to dispatch. */
static inline bool is_empty(const struct cta_scheduler *unit, uint32_t kernel)
{
    const uint32_t n = unit->config.n_cluster;

    for (uint32_t pool = 0u; pool < n; pool++) {
        if (unit->mem.left[kernel * n + pool] != 0u) {
            return false;
        }
    }
    return true;
}

/* The slot, or mostly the next one that has CTAs to dispatch. */
static inline uint32_t some_slot(const struct cta_scheduler *unit, uint32_t slot,
                                 uint64_t *random)
{
    const uint32_t n = unit->config.n_kernel;

    assert(n > 0u); /* init has no unit without slots */
    for (uint32_t i = 0u; i < n && random_below(random, 64u) != 0u; i++) {
        const uint32_t next = (slot + i) % n;
        if (bits_has(unit->q.ready, next) && !is_empty(unit, next)) {
            return next;
        }
    }
    return slot % n;
}

/* Of the directed sequences: five layers and a bit, more than a byte counts. */
static inline uint32_t layers(const struct cta_scheduler_config *config)
{
    const uint64_t ctas = 5u * (uint64_t)config->n_sm + 3u, most = most_ctas(config);
    const uint64_t many = ctas > 300u ? ctas : 300u;

    return (uint32_t)(many < most ? many : most);
}

#endif
