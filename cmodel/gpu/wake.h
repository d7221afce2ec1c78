/* wake - clock domains, and the wheel that says who steps in which core cycle. */

#ifndef WAKE_H
#define WAKE_H

#include "gpu/machine.h"

/* Calls at most wheel_mask cycles ahead: gpu_open makes the wheel long enough for every
 * latency of the configuration. */
HOT struct wake *wake_at(struct gpu *g, uint64_t t)
{
    const uint64_t slot = t & g->wheel_mask;
    g->busy[slot >> 6] |= BIT(slot & 63u);
    return &g->wheel[slot];
}
HOT void wake_sm(struct gpu *g, uint32_t i, uint64_t t)
{
    wake_at(g, t)->sm[i >> 6] |= BIT(i & 63u);
}
HOT void wake_slice(struct gpu *g, uint32_t i, uint64_t t)
{
    wake_at(g, t)->slice |= BIT(i);
}
HOT void wake_dram(struct gpu *g, uint32_t i, uint64_t t)
{
    wake_at(g, t)->dram |= BIT(i);
}
HOT void wake_cluster(struct gpu *g, uint32_t i, uint64_t t)
{
    wake_at(g, t)->cluster |= BIT(i);
}
HOT void wake_input(struct gpu *g, uint32_t direction, uint64_t inputs, uint64_t t)
{
    wake_at(g, t)->input[direction] |= inputs;
}

/* Moves a domain to the end of core cycle t. */
HOT void domain_advance(struct domain *d, uint64_t t)
{
    const uint64_t x = t * d->mul;
    if (d->mul == d->div) {
        d->now = t;
        d->before = t - 1u;
        return;
    }
    d->now = x / d->div;
    d->fraction = x - d->now * d->div;
    d->before = (x - d->mul) / d->div;
}
/* The first core cycle at whose end cycle c > d->now of the domain has run; t: the cycle d was
 * moved to. */
HOT uint64_t domain_core(const struct domain *d, uint64_t c, uint64_t t)
{
    if (d->mul == d->div) {
        return c;
    }
    return t + ((c - d->now) * d->div - d->fraction + d->mul - 1u) / d->mul;
}

/* The core cycle in which a packet is at the next component, `latency` domain cycles after
 * cycle c; c may be in the past or in the running core cycle t. */
HOT uint64_t domain_after(const struct domain *d, uint64_t c, uint64_t t)
{
    return c > d->now ? domain_core(d, c, t) : t + 1u;
}

#endif
