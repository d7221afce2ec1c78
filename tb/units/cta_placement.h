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
struct placement empty_placement(uint32_t n_sm, uint32_t contexts);

/* The SMs with room for so many CTAs. */
struct bits room_in(const struct placement *placement, uint32_t ctas);

/* CTAs go to an SM: it has the contexts, and they went nowhere before. */
void place(struct placement *placement, uint32_t sm, uint32_t cta, uint32_t count);
void end_cta(struct placement *placement, uint32_t cta);

#endif
