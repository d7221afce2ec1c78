/* cta_placement - SMs that hold CTAs; see cta_placement.h. */

#include "tb/units/cta_placement.h"

struct placement empty_placement(uint32_t n_sm, uint32_t contexts)
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

struct bits room_in(const struct placement *placement, uint32_t ctas)
{
    struct bits room = { { 0u } };

    for (uint32_t sm = 0u; sm < PLACED_SMS; sm++) {
        if (placement->free[sm] >= ctas) {
            bits_add(&room, sm);
        }
    }
    return room;
}

void place(struct placement *placement, uint32_t sm, uint32_t cta, uint32_t count)
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

void end_cta(struct placement *placement, uint32_t cta)
{
    assert_int_not_equal(placement->sm_of[cta], NOWHERE);
    placement->free[placement->sm_of[cta]]++;
}
