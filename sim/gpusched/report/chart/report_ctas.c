/* report_ctas - CTAs as bars; see report_ctas.h. */

#include "gpusched/report/chart/report_ctas.h"

#include <math.h>
#include <stdlib.h>

#include "tool/memory_watch.h"

enum { SMS = 4096, SLOTS = 256 };

/* ---- Reading ------------------------------------------------------------------------- */

static bool number(const json_t *item, size_t i, double highest, double *value)
{
    const json_t *const entry = json_array_get(item, i);

    *value = json_number_value(entry);
    return json_is_number(entry) && *value >= 0.0 && *value < highest;
}

/* [kernel, cta, sm, slot, started, ended] */
static bool read_one(struct report_ctas *ctas, const json_t *item)
{
    struct report_cta *const cta = &ctas->list[ctas->n++];
    double kernel;
    double sm;
    double slot;

    if (!number(item, 0u, UINT32_MAX, &kernel) || !number(item, 2u, SMS, &sm)
        || !number(item, 3u, SLOTS, &slot) || !number(item, 4u, 1e15, &cta->started)
        || !number(item, 5u, 1e15, &cta->ended) || cta->ended < cta->started) {
        return false;
    }
    cta->kernel = (uint32_t)kernel;
    cta->sm = (uint32_t)sm;
    cta->slot = (uint32_t)slot;
    ctas->sms = cta->sm >= ctas->sms ? cta->sm + 1u : ctas->sms;
    ctas->slots = cta->slot >= ctas->slots ? cta->slot + 1u : ctas->slots;
    ctas->end = fmax(ctas->end, cta->ended);
    return true;
}

static int by_place(const void *a, const void *b)
{
    const struct report_cta *const one = a;
    const struct report_cta *const two = b;

    return one->sm != two->sm             ? (one->sm < two->sm ? -1 : 1)
           : one->slot != two->slot       ? (one->slot < two->slot ? -1 : 1)
           : one->started != two->started ? (one->started < two->started ? -1 : 1)
           : one->ended != two->ended     ? (one->ended < two->ended ? -1 : 1)
           : one->kernel != two->kernel   ? (one->kernel < two->kernel ? -1 : 1)
                                          : 0;
}

bool report_ctas_read(struct report_ctas *ctas, const json_t *value)
{
    const json_t *const list = json_object_get(value, "ctas");
    bool good = json_array_size(list) < UINT32_MAX;
    size_t i;
    json_t *item;

    *ctas = (struct report_ctas){ .list = memory_take(json_array_size(list) + 1u,
                                                      sizeof *ctas->list) };
    good = good && ctas->list != NULL;
    json_array_foreach(list, i, item)
    {
        good = good && read_one(ctas, item);
    }
    if (!good || ctas->n == 0u || ctas->end <= 0.0) {
        report_ctas_free(ctas);
        return false;
    }
    qsort(ctas->list, ctas->n, sizeof *ctas->list, by_place);
    return true;
}

void report_ctas_free(struct report_ctas *ctas)
{
    free(ctas->list);
    *ctas = (struct report_ctas){ 0 };
}

/* ---- Bars ---------------------------------------------------------------------------- */

/* Does this CTA lengthen the bar? Only if one of them is short, and the time between them is
 * less than what is seen at this width. Launches that are too many are no longer told apart. */
static bool joins(const struct cta_bar *bar, const struct cta_bar *next, uint32_t shortest)
{
    enum { COARSE = 128 };

    return bar->sm == next->sm && bar->slot == next->slot
           && (bar->shade == next->shade || shortest >= COARSE)
           && next->from <= bar->to + shortest / 4u
           && (next->to - next->from < shortest || bar->to - bar->from < shortest);
}

/* Bars that touch are told apart by a gap. */
static void part(struct cta_bar *bar, const struct cta_bar *next)
{
    enum { LONG = 6 };

    if (bar->sm == next->sm && bar->slot == next->slot && next->from <= bar->to) {
        bar->to = next->from;
        if (bar->shade == next->shade && bar->to - bar->from >= LONG) {
            bar->to--;
        }
    }
}

static uint32_t make_bars(const struct report_ctas *ctas, double span, uint32_t shortest,
                          struct cta_bar *bars)
{
    uint32_t n = 0u;

    for (uint32_t i = 0u; i < ctas->n; i++) {
        const struct report_cta *const cta = &ctas->list[i];
        const struct cta_bar next = {
            .sm = cta->sm,
            .slot = cta->slot,
            .from = (uint32_t)(cta->started * CTA_WIDTH / span),
            .to = (uint32_t)ceil(cta->ended * CTA_WIDTH / span),
            .shade = cta->kernel % 2u,
        };
        if (n > 0u && joins(&bars[n - 1u], &next, shortest)) {
            bars[n - 1u].to = next.to > bars[n - 1u].to ? next.to : bars[n - 1u].to;
            continue;
        }
        if (n > 0u) {
            part(&bars[n - 1u], &next);
        }
        bars[n++] = next;
    }
    return n;
}

struct cta_bar *report_cta_bars(const struct report_ctas *ctas, double span, uint32_t most,
                                uint32_t *n)
{
    struct cta_bar *const bars = memory_take(ctas->n, sizeof *bars);

    *n = 0u;
    for (uint32_t shortest = 4u; bars != NULL && shortest <= 2u * CTA_WIDTH; shortest *= 2u) {
        *n = make_bars(ctas, span, shortest, bars);
        if (*n <= most) {
            break;
        }
    }
    return bars;
}
