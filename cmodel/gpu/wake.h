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

/* Without division, which takes the host as long as all the rest. */
enum { DIVISIBLE = 1 << 30 };
HOT uint64_t domain_divide(uint64_t x, uint64_t by, struct divisor d)
{
    return UNLIKELY(x > DIVISIBLE) ? x / by : divide((uint32_t)x, d);
}

/* Moves a domain to the end of core cycle t, which is none before that of the last call. */
HOT void domain_advance(struct domain *d, uint64_t t)
{
    if (d->mul == d->div) {
        d->now = t;
        d->before = t - 1u;
        return;
    }
    const uint64_t ahead = d->fraction + (t - d->t) * d->mul;
    const uint64_t cycles = domain_divide(ahead, d->div, d->by_div);
    d->t = t;
    d->now += cycles;
    d->fraction = ahead - cycles * d->div;
    assert(d->now == t * d->mul / d->div);
    d->before = d->now;
    if (d->fraction < d->mul) {
        d->before -= domain_divide(d->mul - d->fraction + d->div - 1u, d->div, d->by_div);
    }
    assert(d->before == (t - 1u) * d->mul / d->div);
}
/* The first core cycle at whose end cycle c > d->now of the domain has run; t: the cycle d was
 * moved to. */
HOT uint64_t domain_core(const struct domain *d, uint64_t c, uint64_t t)
{
    if (d->mul == d->div) {
        return c;
    }
    const uint64_t ahead = (c - d->now) * d->div - d->fraction;
    return t + domain_divide(ahead + d->mul - 1u, d->mul, d->by_mul);
}

/* The core cycle in which a packet is at the next component, `latency` domain cycles after
 * cycle c; c may be in the past or in the running core cycle t. */
HOT uint64_t domain_after(const struct domain *d, uint64_t c, uint64_t t)
{
    return c > d->now ? domain_core(d, c, t) : t + 1u;
}

#endif
