/* sweep_text - see sweep_text.h. */

#include "gpusched/sweep/sweep_text.h"

#include <math.h>

#include "tool/format.h"

enum { PAUSED = SCHEDULER_CLASSES - 1 };

const char *sweep_type_name(enum sweep_type type)
{
    return type == SWEEP_C_STRONG ? "C-strong"
           : type == SWEEP_C_WEAK ? "C-weak"
           : type == SWEEP_MEM    ? "MEM"
                                  : "none";
}

static void print_type(const struct sweep_curve *curve, FILE *to)
{
    static const char *const types[] = {
        [SWEEP_C_STRONG] = "type C-strong: stalls fall up to Nmax",
        [SWEEP_C_WEAK] = "type C-weak: past it more CTAs gain nothing",
        [SWEEP_MEM] = "type MEM: past it stalls rise",
        [SWEEP_ONE_COUNT] = "and there is no type, since no more fit",
        [SWEEP_SOME] = "and there is no type without runs of 1 to Nmax",
        [SWEEP_FEW] = "and there is no type, since no SM ever has more",
        [SWEEP_IDLE] = "but no type fits, since stalls do not fall up to it",
        [SWEEP_AGAIN] = "but no type fits, since a later count adds 2 % again",
    };

    fputs(types[sweep_type_of(curve)], to);
}

static void print_ctas(const struct sweep_curve *curve, uint32_t optimum, FILE *to)
{
    const struct sweep_point *const best = &curve->point[optimum];
    const struct sweep_point *const last = &curve->point[curve->n - 1u];
    const uint32_t reached = sweep_reached(curve);

    fprintf(to, "the optimum is %u CTA%s per SM, of Nmax %u; ", best->count,
            best->count == 1u ? "" : "s", curve->most);
    print_type(curve, to);
    if (optimum < reached) {
        const double change = 100.0 * (best->cycles / last->cycles - 1.0);
        fprintf(to, "; %u are %.1f %% %s", last->count, fabs(change),
                change < 0.0 ? "slower" : "faster");
    }
    if (optimum < reached && reached + 1u < curve->n) {
        fprintf(to, "; no SM ever has more than %u", curve->point[reached].count);
    }
}

static void print_cores(const struct sweep_curve *curve, uint32_t optimum, FILE *to)
{
    const struct sweep_point *const best = &curve->point[optimum];
    const struct sweep_point *const last = &curve->point[curve->n - 1u];
    const double change = 100.0 * (best->joules / last->joules - 1.0);

    fprintf(to, "the optimum is %u of %u SMs, the fewest within 2 %% of the speed of %u",
            best->count, curve->most, last->count);
    if (best != last) {
        fprintf(to, ", with %.1f %% %s energy", fabs(change), change < 0.0 ? "less" : "more");
    }
}

void sweep_print_answer(const struct sweep *sweep, const struct sweep_curve *curve, FILE *to)
{
    const uint32_t optimum = sweep_optimum(curve);

    fprintf(to, "%s: ", sweep->title);
    if (curve->over == SWEEP_OVER_CTAS) {
        print_ctas(curve, optimum, to);
    } else {
        print_cores(curve, optimum, to);
    }
    fputs(".\n", to);
}

/* ---- The table ----------------------------------------------------------------------- */

static double energy_share(const struct sweep_curve *curve, const struct sweep_point *point)
{
    return point->joules / curve->point[curve->n - 1u].joules;
}

static bool has_pauses(const struct sweep_curve *curve)
{
    bool found = false;

    for (uint32_t i = 0u; i < curve->n; i++) {
        found = found || curve->point[i].classes[PAUSED] > 0.0;
    }
    return found;
}

static void print_heads(const struct sweep_curve *curve, FILE *to)
{
    const bool cores = curve->over == SWEEP_OVER_CORES;
    const char *const paused = has_pauses(curve) ? " paused" : "";
    const int gap = has_pauses(curve) ? 7 : 0;

    fprintf(to, "\n%32spercent of scheduler cycles\n", "");
    fprintf(to, "%39s  pipeline stall  scoreboard stall", "");
    fprintf(to, cores ? "%*spower in W\n" : "\n", gap + 28, "");
    fprintf(to, "%5s %12s %6s %6s %7s %6s %7s %6s %8s %6s%s", cores ? "SMs" : "CTAs", "cycles",
            "IPC", "speed", "issued", "ALU", "memory", "ALU", "memory", "idle", paused);
    fprintf(to, cores ? " %7s %7s %6s %7s %6s\n" : "\n", "AMAT", "overlap", "static", "dynamic",
            "energy");
}

static void print_power(const struct sweep_curve *curve, const struct sweep_point *point,
                        FILE *to)
{
    char latency[FORMAT_TEXT] = "-", overlapped[FORMAT_TEXT] = "-";

    if (!isnan(point->latency)) {
        snprintf(latency, sizeof latency, "%.1f", point->latency);
    }
    if (!isnan(point->overlapped)) { /* nor has an older result it */
        snprintf(overlapped, sizeof overlapped, "%.1f", point->overlapped);
    }
    fprintf(to, " %7s %7s %6.1f %7.1f %6.3f", latency, overlapped,
            point->static_joules / point->seconds,
            (point->joules - point->static_joules) / point->seconds,
            energy_share(curve, point));
}

static void print_row(const struct sweep_curve *curve, uint32_t i, FILE *to)
{
    static const int widths[SCHEDULER_CLASSES] = { 7, 6, 7, 6, 8, 6, 6 };
    const struct sweep_point *const point = &curve->point[i];
    const uint32_t classes = has_pauses(curve) ? SCHEDULER_CLASSES : PAUSED;

    fprintf(to, "%5u %12s %6.3f %6.3f", point->count,
            format_count((uint64_t)point->cycles).text, point->ipc, sweep_speed(curve, i));
    for (uint32_t k = 0u; k < classes; k++) {
        fprintf(to, " %*.1f", widths[k],
                100.0 * point->classes[k] / sweep_scheduler_cycles(point));
    }
    if (curve->over == SWEEP_OVER_CORES) {
        print_power(curve, point, to);
    }
    fputs(i == sweep_optimum(curve) ? " optimum\n" : "\n", to);
}

void sweep_print_table(const struct sweep_curve *curve, FILE *to)
{
    print_heads(curve, to);
    for (uint32_t i = 0u; i < curve->n; i++) {
        print_row(curve, i, to);
    }
    fprintf(to, "\nspeed%s: relative to %u %s.\n",
            curve->over == SWEEP_OVER_CORES ? " and energy" : "",
            curve->point[curve->n - 1u].count,
            curve->over == SWEEP_OVER_CORES ? "SMs" : "CTAs");
    if (curve->over == SWEEP_OVER_CORES) {
        fputs("Scheduler cycles: those of SMs that are on. AMAT: core cycles of a read that "
              "missed, from MSHR to fill.\nOverlap: of these, cycles in which its SM has "
              "arithmetic in flight.\n",
              to);
    }
}
