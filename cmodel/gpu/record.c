/* record - what SMs and kernels do in a cycle is written down; see gpu_record.h. */

#include "gpu/record.h"

/* The block that went out in the last cycle is on its SM now. */
COLD static void arrive(struct gpu *g)
{
    struct gpu_record *const r = &g->record;

    r->n_started = g->n_starting;
    r->back = g->starting_back;
    r->beside = g->starting_back && g->starting_beside;
    g->starting_back = false;
    for (uint32_t i = 0u; i < g->n_starting; i++) {
        r->started[i] = g->starting[i];
    }
    g->n_starting = 0u;
    if (g->starting_last) {
        g->starting_last = false;
        record_kernel(g, r->started[0].kernel, GPU_KERNEL_EXHAUSTED);
    }
}

void record_begin(struct gpu *g, uint64_t t)
{
    struct gpu_record *const r = &g->record;

    r->cycle = t;
    r->n_started = r->n_ended = r->n_left = r->n_kernel = r->n_class = 0u;
    if (UNLIKELY(g->n_starting != 0u)) {
        arrive(g);
    }
}

/* ---- Classes of cycles --------------------------------------------------------------- */

static void show(struct gpu *g, struct sm *m, bool announced)
{
    struct gpu_record *const r = &g->record;

    for (uint32_t k = 0u; k < g->schedulers; k++) {
        const uint32_t class =
            announced ? m->scheduler[k].cycles.current : m->scheduler[k].class;
        if (class != m->class_shown[k]) {
            m->class_shown[k] = (uint8_t) class;
            r->class_of[r->n_class++] =
                (struct gpu_class_event){ (uint8_t)m->id, (uint8_t)k, (uint8_t) class };
        }
    }
}

void record_classes(struct gpu *g, struct wake *w, uint64_t t)
{
    uint64_t *const announced = g->class_announced[t & 1u];

    for (uint32_t word = 0u; word < 3u; word++) {
        const uint64_t sms = g->class_changed[word] | announced[word];
        w->sm[word] |= sms;
        for (uint64_t set = sms; set != 0u; set &= set - 1u) {
            const uint32_t i = lowest(set);
            show(g, g->sm[word * 64u + i], (announced[word] >> i & 1u) != 0u);
        }
        g->class_changed[word] = announced[word] = 0u;
    }
}
