/* sweep_curve - see sweep_curve.h. */

#include "gpusched/sweep/sweep_curve.h"

/* In the order of gpu_stats.def. */
enum { PIPELINE_ALU = 1, SCOREBOARD_MEMORY = 4 };

double sweep_scheduler_cycles(const struct sweep_point *point)
{
    double sum = 0.0;

    for (uint32_t i = 0u; i < SCHEDULER_CLASSES; i++) {
        sum += point->classes[i];
    }
    return sum;
}

double sweep_stalled(const struct sweep_point *point)
{
    double sum = 0.0;

    for (uint32_t i = PIPELINE_ALU; i <= SCOREBOARD_MEMORY; i++) {
        sum += point->classes[i];
    }
    return sum;
}

double sweep_speed(const struct sweep_curve *curve, uint32_t i)
{
    return curve->point[curve->n - 1u].cycles / curve->point[i].cycles;
}

/* Whether it adds 2 % of speed. Cycles are whole numbers below 2^53 / 102, so the tests are
 * exact.
 */
static bool adds(const struct sweep_point *from, const struct sweep_point *to)
{
    return 100.0 * from->cycles >= 102.0 * to->cycles;
}

static bool is_optimum(const struct sweep_curve *curve, uint32_t i)
{
    const double cycles = curve->point[i].cycles;

    return curve->over == SWEEP_OVER_CTAS
               ? !adds(&curve->point[i], &curve->point[i + 1u])
               : 49.0 * cycles <= 50.0 * curve->point[curve->n - 1u].cycles;
}

uint32_t sweep_optimum(const struct sweep_curve *curve)
{
    uint32_t i = 0u;

    while (i + 1u < curve->n && !is_optimum(curve, i)) {
        i++;
    }
    return i;
}

static bool same_run(const struct sweep_point *a, const struct sweep_point *b)
{
    bool same = a->cycles >= b->cycles && a->cycles <= b->cycles;

    for (uint32_t i = 0u; i < SCHEDULER_CLASSES; i++) {
        same = same && a->classes[i] >= b->classes[i] && a->classes[i] <= b->classes[i];
    }
    return same;
}

uint32_t sweep_reached(const struct sweep_curve *curve)
{
    uint32_t i = curve->n - 1u;

    while (i > 0u && same_run(&curve->point[i - 1u], &curve->point[curve->n - 1u])) {
        i--;
    }
    return i;
}

/* How stalls past the optimum, their mean, differ from those at it. */
static double rise_past(const struct sweep_curve *curve, uint32_t optimum, uint32_t reached)
{
    double sum = 0.0;

    for (uint32_t i = optimum + 1u; i <= reached; i++) {
        sum += sweep_stalled(&curve->point[i]);
    }
    return sum / (reached - optimum) - sweep_stalled(&curve->point[optimum]);
}

/* A count past the optimum is faster than both the one before it and the optimum. */
static bool adds_again(const struct sweep_curve *curve, uint32_t optimum)
{
    const struct sweep_point *const point = curve->point;
    bool again = false;

    for (uint32_t i = optimum + 1u; i + 1u < curve->n; i++) {
        again =
            again || (adds(&point[i], &point[i + 1u]) && adds(&point[optimum], &point[i + 1u]));
    }
    return again;
}

enum sweep_type sweep_type_of(const struct sweep_curve *curve)
{
    const uint32_t optimum = sweep_optimum(curve), reached = sweep_reached(curve);
    const uint32_t last = curve->n - 1u;

    if (curve->point[0].count != 1u || curve->point[last].count != curve->most) {
        return SWEEP_SOME;
    }
    if (last == 0u) {
        return SWEEP_ONE_COUNT;
    }
    if (optimum == last) {
        return sweep_stalled(&curve->point[last]) < sweep_stalled(&curve->point[0])
                   ? SWEEP_C_STRONG
                   : SWEEP_IDLE;
    }
    if (optimum >= reached) {
        return SWEEP_FEW;
    }
    const double noise = 0.02 * sweep_scheduler_cycles(&curve->point[optimum]);
    return rise_past(curve, optimum, reached) > noise ? SWEEP_MEM
           : adds_again(curve, optimum)               ? SWEEP_AGAIN
                                                      : SWEEP_C_WEAK;
}
