/*
 * records - kernels in lists, and the records in memory of those that wait for a slot where
 * LaPerm dispatches. A record's number is the handle by which the kernel management unit knows
 * its kernel; it is free again when the unit has granted it.
 */

#include <stdlib.h>

#include "gpu/machine.h"

void list_put(struct gpu *g, struct kernel_list *list, uint32_t kernel)
{
    if (list->count++ == 0u) {
        list->first = kernel;
    } else {
        g->kernel[list->last].behind = kernel;
    }
    list->last = kernel;
}

uint32_t list_take(const struct gpu *g, struct kernel_list *list)
{
    const uint32_t kernel = list->first;

    list->count--;
    list->first = g->kernel[kernel].behind;
    return kernel;
}

/* ---- Records ------------------------------------------------------------------------- */

bool records_reserve(struct records *r, uint32_t count)
{
    void *const of = realloc(r->of, (count < RECORDS ? count : RECORDS) * sizeof *r->of);

    r->of = of != NULL ? of : r->of;
    return of != NULL;
}

bool record_free(const struct gpu *g, uint32_t *record)
{
    const struct records *const r = &g->binding.records;

    *record = r->n_free != 0u ? r->first_free : r->used;
    return *record < 1u << g->config.laperm.handle_bits;
}

bool record_spare(const struct gpu *g, uint32_t beside)
{
    const struct records *const r = &g->binding.records;
    const uint32_t left = (1u << g->config.laperm.handle_bits) - r->used + r->n_free;

    return left > beside + (g->sockets.laperm->unit.q.spill_valid ? 1u : 0u);
}

void record_take(struct gpu *g, uint32_t record, uint32_t kernel)
{
    struct records *const r = &g->binding.records;

    if (r->n_free != 0u) {
        r->n_free--;
        r->first_free = r->of[record].kernel;
    } else {
        r->used++;
    }
    r->of[record].kernel = kernel;
}

uint32_t record_give(struct gpu *g, uint32_t record)
{
    struct records *const r = &g->binding.records;
    const uint32_t kernel = r->of[record].kernel;

    r->of[record].kernel = r->first_free;
    r->first_free = record;
    r->n_free++;
    return kernel;
}

void binding_answer(struct gpu *g, uint32_t who)
{
    struct binding *const b = &g->binding;

    if (who >= LINKS) {
        struct kernel_list *const links = &b->links[who - LINKS];
        assert(!b->answered);
        b->answered = links->count != 0u; /* otherwise RTL has read what it had not written */
        b->answer_queue = who - LINKS;
        b->answer = b->answered ? g->kernel[list_take(g, links)].link : 0u;
        return;
    }
    assert(b->n_back < laperm_max_n_sm); /* a set asks for one at a time */
    b->back[b->n_back].sm = (who - 1u) / laperm_max_n_level;
    b->back[b->n_back++].level = (who - 1u) % laperm_max_n_level + 1u;
}

void binding_launch(struct gpu *g, uint32_t kernel)
{
    list_put(g, &g->binding.launched, kernel);
    g->dispatch_dirty = true;
}
