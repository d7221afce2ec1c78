/* locality - requests of the last 2000 cycles, found by line; see locality.h. */

#include "gpu/mem/locality.h"

#include <stdbool.h>
#include <stdlib.h>

enum {
    HORIZON = LOCALITY_WINDOWS * LOCALITY_STEP,
    RING = 2048, /* more than there are requests within the horizon: one a cycle */
};
_Static_assert(RING > HORIZON, "a request a cycle");

struct past {
    uint64_t t;
    uint64_t line;
    uint64_t before; /* number of the request before it in its chain */
    uint32_t quarters;
    uint32_t sm;
};

struct locality {
    struct locality_counts counts;
    uint64_t n;          /* requests so far; they are numbered from 1 */
    uint64_t last[RING]; /* of each chain; 0: none */
    struct past past[RING];
};

struct locality *locality_open(void)
{
    return calloc(1u, sizeof(struct locality));
}

void locality_close(struct locality *l)
{
    free(l);
}

const struct locality_counts *locality_counts(const struct locality *l)
{
    return &l->counts;
}

static uint32_t chain_of(uint64_t line)
{
    return (uint32_t)(line * UINT64_C(0x9e3779b97f4a7c15) >> 32) % RING;
}

/* Cycles since the youngest earlier request; more than the horizon if there is none. */
struct age {
    uint64_t line, data, other;
};

static void younger(uint64_t *age, uint64_t than)
{
    if (than < *age) {
        *age = than;
    }
}

static struct age age_of(const struct locality *l, const struct past *p, uint64_t number)
{
    struct age age = { HORIZON + 1u, HORIZON + 1u, HORIZON + 1u };

    while (number != 0u && number + RING > l->n) {
        const struct past *const q = &l->past[number % RING];
        if (p->t - q->t > HORIZON) {
            break;
        }
        if (q->line == p->line) {
            younger(&age.line, p->t - q->t);
            if ((q->quarters & p->quarters) != 0u) {
                younger(&age.data, p->t - q->t);
            }
            if (q->sm != p->sm) {
                younger(&age.other, p->t - q->t);
            }
        }
        number = q->before;
    }
    return age;
}

void locality_request(struct locality *l, uint64_t line, uint32_t quarters, uint32_t sm,
                      uint64_t t, struct locality_counts *of)
{
    uint64_t *const last = &l->last[chain_of(line)];
    const struct past p = { t, line, *last, quarters, sm };
    const struct age age = age_of(l, &p, *last);

    for (uint32_t w = 0u; w < LOCALITY_WINDOWS; w++) {
        const uint64_t window = (w + UINT64_C(1)) * LOCALITY_STEP;
        const bool data = age.data <= window;
        const bool line_only = age.line <= window && age.data > window;
        const bool own = age.line <= window && age.other > window;
        l->counts.data[w] += data;
        l->counts.line[w] += line_only;
        l->counts.own[w] += own;
        of->data[w] += data;
        of->line[w] += line_only;
        of->own[w] += own;
    }
    *last = ++l->n;
    l->past[l->n % RING] = p;
}
