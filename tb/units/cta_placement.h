/* cta_placement - SMs that hold CTAs, for tests: where each went, and who has room. */

#ifndef CTA_PLACEMENT_H
#define CTA_PLACEMENT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/bits.h"

enum { PLACED_SMS = 16, PLACED_CTAS = 128, NOWHERE = PLACED_SMS };

struct placement {
    uint32_t free[PLACED_SMS];   /* contexts */
    uint32_t sm_of[PLACED_CTAS]; /* where each CTA went, or NOWHERE */
    uint32_t order[PLACED_CTAS]; /* the CTAs, as they went */
    uint32_t total;
};

/* Contexts for so many CTAs on each SM. */
static inline struct placement empty_placement(uint32_t n_sm, uint32_t contexts)
{
    struct placement placement = { .total = 0u };

    assert_in_range(n_sm, 1, PLACED_SMS);
    for (uint32_t sm = 0u; sm < n_sm; sm++) {
        placement.free[sm] = contexts;
    }
    for (uint32_t cta = 0u; cta < PLACED_CTAS; cta++) {
        placement.sm_of[cta] = NOWHERE;
    }
    return placement;
}

/* The SMs with room for so many CTAs. */
static inline struct bits room_in(const struct placement *placement, uint32_t ctas)
{
    struct bits room = { { 0u } };

    for (uint32_t sm = 0u; sm < PLACED_SMS; sm++) {
        if (placement->free[sm] >= ctas) {
            bits_add(&room, sm);
        }
    }
    return room;
}

/* CTAs go to an SM: it has the contexts, and they went nowhere before. */
static inline void place(struct placement *placement, uint32_t sm, uint32_t cta, uint32_t count)
{
    assert_in_range(count, 1, 4);
    assert_in_range(sm, 0, PLACED_SMS - 1);
    assert_in_range(count, 0, placement->free[sm]);
    placement->free[sm] -= count;
    for (uint32_t i = cta; i < cta + count; i++) {
        assert_in_range(i, 0, PLACED_CTAS - 1);
        assert_int_equal(placement->sm_of[i], NOWHERE);
        placement->sm_of[i] = sm;
        placement->order[placement->total++] = i;
    }
}

static inline void end_cta(struct placement *placement, uint32_t cta)
{
    assert_int_not_equal(placement->sm_of[cta], NOWHERE);
    placement->free[placement->sm_of[cta]]++;
}

#endif
