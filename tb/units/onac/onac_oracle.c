/* onac_oracle - the walk over a curve by docs/units/onac.md; see onac_oracle.h. */

#include "tb/units/onac/onac_oracle.h"

/* At least 98 % of the IPC of all cores. */
static bool onac_is_enough(const struct onac_curve *curve, uint64_t ipc)
{
    return ipc * 100u >= curve->ipc[curve->n_core] * 98u;
}

static uint64_t onac_sample(const struct onac_curve *curve, struct onac_walk *walk, uint32_t n)
{
    assert_in_range(n, 1, curve->n_core);
    walk->sampled[walk->n++] = n;
    return curve->ipc[n];
}

/* The least number of cores, above x, at which the line through two points, of which the later
 * is higher, comes to 98 % of all; at most all. */
static uint32_t onac_meets(const struct onac_curve *curve, uint32_t x_before, uint64_t y_before,
                           uint32_t x, uint64_t y)
{
    uint32_t at = x + 1u;

    /* height at `at` is y + (y - y_before) * (at - x) / (x - x_before) */
    while (at < curve->n_core
           && 100u * (y * (x - x_before) + (y - y_before) * (at - x))
                  < 98u * curve->ipc[curve->n_core] * (x - x_before)) {
        at++;
    }
    return at;
}

struct onac_walk onac_oracle_onac(const struct onac_curve *curve, bool creep)
{
    struct onac_walk walk = { 0u };
    uint32_t before = 0u, now = 1u;
    uint64_t ipc_before = 0u;

    (void)onac_sample(curve, &walk, curve->n_core);
    while (now < curve->n_core) {
        const uint64_t ipc = onac_sample(curve, &walk, now);
        uint32_t next = curve->n_core;
        if (onac_is_enough(curve, ipc)) {
            break;
        }
        if (ipc > ipc_before) {
            next = onac_meets(curve, before, ipc_before, now, ipc);
        } else if (creep && before > 0u) {
            next = now + 1u;
        }
        before = now;
        ipc_before = ipc;
        now = next;
    }
    walk.result = now;
    return walk;
}

struct onac_walk onac_oracle_seq_det(const struct onac_curve *curve)
{
    struct onac_walk walk = { 0u };

    (void)onac_sample(curve, &walk, curve->n_core);
    walk.result = curve->n_core;
    while (walk.result > 1u
           && onac_is_enough(curve, onac_sample(curve, &walk, walk.result - 1u))) {
        walk.result--;
    }
    return walk;
}
