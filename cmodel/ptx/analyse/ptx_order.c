/*
 * ptx_order - the order in which a compiler for the GPU has the instructions of a basic block.
 *
 * A list scheduler: of the instructions whose operands are there, the one goes next from which
 * the longest way leads to the end of the block. PTX itself comes in the order of the source,
 * where a result is used by the next instruction; NVIDIA's compilers of machine code do not
 * leave it so.
 *
 * An instruction goes before others that precede it in PTX by at most `window` places. The
 * widest window is taken that costs the SM no warps: with which a thread is given no more
 * registers than leave it all of them, or than in the order of PTX.
 */

#include <assert.h>
#include <string.h>

#include "ptx/analyse/ptx_analysis.h"
#include "ptx/analyse/ptx_depend.h"

/* ---- One region ---------------------------------------------------------------------- */

/* Instructions that may change places: first to first + n - 1. */
struct list {
    const struct depend *depend;
    uint32_t *height; /* by instruction: cycles from it to the end, at least */
    uint32_t *ready;  /* the cycle from which its operands are there */
    uint32_t *wait;   /* instructions before it that have not been taken */
    uint32_t *open;   /* those that wait for none, and have not been taken */
    uint32_t n_open;
    uint32_t left; /* the first that has not been taken */
    bool *taken;
};

static void measure(struct list *l, uint32_t n)
{
    for (uint32_t k = n; k-- > 0u;) {
        l->height[k] = 0u;
        for (uint32_t e = l->depend->first[k]; e != 0u; e = l->depend->edge[e - 1u].next) {
            const struct depend_edge *const edge = &l->depend->edge[e - 1u];
            const uint32_t height = edge->cycles + l->height[edge->to];
            l->height[k] = height > l->height[k] ? height : l->height[k];
        }
    }
}

static void open_region(struct list *l, uint32_t n)
{
    memset(l->ready, 0, n * sizeof *l->ready);
    memset(l->wait, 0, n * sizeof *l->wait);
    memset(l->taken, 0, n * sizeof *l->taken);
    l->n_open = l->left = 0u;
    for (uint32_t e = 0u; e < l->depend->n; e++) {
        l->wait[l->depend->edge[e].to]++;
    }
    for (uint32_t k = 0u; k < n; k++) {
        if (l->wait[k] == 0u) {
            l->open[l->n_open++] = k;
        }
    }
}

static bool better(const struct list *l, uint32_t a, uint32_t b)
{
    return l->height[a] != l->height[b] ? l->height[a] > l->height[b] : a < b;
}

/* The place in `open` of what goes next, in cycle *t or, if nothing is ready, a later one. The
 * first that is left is always open. */
static uint32_t choose(const struct list *l, uint32_t window, uint32_t *t)
{
    uint32_t soonest = UINT32_MAX, best = UINT32_MAX;
    for (uint32_t k = 0u; k < l->n_open; k++) {
        const uint32_t at = l->open[k];
        if (at - l->left <= window && l->ready[at] < soonest) {
            soonest = l->ready[at];
        }
    }
    *t = soonest > *t ? soonest : *t;
    for (uint32_t k = 0u; k < l->n_open; k++) {
        const uint32_t at = l->open[k];
        if (at - l->left <= window && l->ready[at] <= *t
            && (best == UINT32_MAX || better(l, at, l->open[best]))) {
            best = k;
        }
    }
    assert(best != UINT32_MAX);
    return best;
}

static void take(struct list *l, uint32_t place, uint32_t n, uint32_t t)
{
    const uint32_t at = l->open[place];

    l->open[place] = l->open[--l->n_open];
    l->taken[at] = true;
    while (l->left < n && l->taken[l->left]) {
        l->left++;
    }
    for (uint32_t e = l->depend->first[at]; e != 0u; e = l->depend->edge[e - 1u].next) {
        const struct depend_edge *const edge = &l->depend->edge[e - 1u];
        const uint32_t ready = t + edge->cycles;
        l->ready[edge->to] = ready > l->ready[edge->to] ? ready : l->ready[edge->to];
        if (--l->wait[edge->to] == 0u) {
            l->open[l->n_open++] = edge->to;
        }
    }
}

/* ---- A function ---------------------------------------------------------------------- */

struct ordering {
    struct ptx_module *module;
    struct ptx_function *f;
    const struct ptx_order *order;
    const struct ptx_inst *text; /* in the order of PTX */
    struct depend depend;
    struct list list;
};

static void order_region(struct ordering *o, uint32_t first, uint32_t n, uint32_t window)
{
    struct list *const l = &o->list;
    uint32_t t = 0u;

    depend_fill(&o->depend, o->text + first, n, o->order);
    measure(l, n);
    open_region(l, n);
    for (uint32_t k = 0u; k < n; k++, t++) {
        const uint32_t place = choose(l, window, &t);
        o->f->inst[first + k] = o->text[first + l->open[place]];
        take(l, place, n, t);
    }
}

static void order_block(struct ordering *o, const struct ptx_block *block, uint32_t window)
{
    for (uint32_t k = block->first; k < block->end;) {
        uint32_t end = k;
        while (end < block->end && end - k < DEPEND_MOST && !depend_pins(&o->text[end])) {
            end++;
        }
        if (end > k + 1u) {
            order_region(o, k, end - k, window);
        }
        k = end > k ? end : k + 1u;
    }
}

/* With this window, the registers that it takes. */
static bool try_window(struct ordering *o, uint32_t window, struct fault *fault)
{
    struct ptx_function *const f = o->f;

    memcpy(f->inst, o->text, f->n_inst * sizeof *f->inst);
    for (uint32_t b = 0u; window != 0u && b < f->n_block; b++) {
        order_block(o, &f->block[b], window);
    }
    return ptx_analyse(o->module, f, fault);
}

static bool choose_window(struct ordering *o, struct fault *fault)
{
    static const uint32_t windows[] = { DEPEND_MOST, 64u, 32u, 16u, 8u, 4u, 0u };
    const uint32_t own = o->f->registers, granule = o->order->granule;
    const uint32_t given = own > o->order->registers ? own : o->order->registers;
    const uint32_t most = (given + granule - 1u) / granule * granule;

    for (uint32_t k = 0u;; k++) {
        const bool good = try_window(o, windows[k], fault);
        if (windows[k] == 0u || (good && o->f->registers <= most)) {
            return good;
        }
        /* In a wide window more registers may be alive than there are rows for. */
        if (!good && fault->kind != FAULT_INPUT) {
            return false;
        }
    }
}

static bool list_open(struct list *l, const struct depend *depend, struct ptx_scratch *scratch)
{
    *l = (struct list){
        .depend = depend,
        .height = ptx_scratch(scratch, DEPEND_MOST, sizeof *l->height),
        .ready = ptx_scratch(scratch, DEPEND_MOST, sizeof *l->ready),
        .wait = ptx_scratch(scratch, DEPEND_MOST, sizeof *l->wait),
        .open = ptx_scratch(scratch, DEPEND_MOST, sizeof *l->open),
        .taken = ptx_scratch(scratch, DEPEND_MOST, sizeof *l->taken),
    };
    return !scratch->failed;
}

bool ptx_reorder(struct ptx_module *module, const struct ptx_order *order, struct fault *fault)
{
    bool good = true;

    for (uint32_t k = 0u; good && k < module->n_function; k++) {
        struct ptx_function *const f = &module->function[k];
        struct ptx_scratch scratch = { .n = 0u };
        struct ordering o = { .module = module, .f = f, .order = order };
        struct ptx_inst *const text = ptx_scratch(&scratch, f->n_inst, sizeof *text);
        o.text = text;
        if (text == NULL || !list_open(&o.list, &o.depend, &scratch)
            || !depend_open(&o.depend, f, &scratch)) {
            fault_at(fault, module->file, f->line, "%s: out of memory", f->name);
            fault_by(fault, FAULT_SURROUNDINGS);
            good = false;
        } else {
            memcpy(text, f->inst, f->n_inst * sizeof *text);
            good = choose_window(&o, fault);
        }
        ptx_scratch_free(&scratch);
    }
    return good;
}
