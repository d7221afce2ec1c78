/*
 * exec_rest - what a CTA has that is off its SM, since it waits for what it has launched: its
 * registers, memory and paths lie packed until its next piece is asked for. Words of 8 bytes
 * that are 0 take a bit, and all others that bit and themselves.
 */

#include <stdlib.h>

#include "exec/exec_run.h"

/* Each begins with as many bits as there are words. NULL: nothing. */
struct rested {
    uint64_t *rows, *shared, *local, *warp;
};

enum { WORD = sizeof(uint64_t) };

static size_t words_of(size_t bytes)
{
    return (bytes + WORD - 1u) / WORD;
}

static uint64_t word_at(const void *from, size_t k)
{
    uint64_t word;

    memcpy(&word, (const char *)from + k * WORD, WORD);
    return word;
}

/* Of memory whose length is a whole number of words. */
static uint64_t *pack(const void *from, size_t bytes)
{
    const size_t n = words_of(bytes), bits = (n + 63u) / 64u;
    size_t at = bits;

    for (size_t k = 0u; k < n; k++) {
        at += word_at(from, k) != 0u;
    }
    uint64_t *const to = calloc(at + 1u, WORD);
    at = bits;
    for (size_t k = 0u; to != NULL && k < n; k++) {
        const uint64_t word = word_at(from, k);
        if (word != 0u) {
            to[k / 64u] |= UINT64_C(1) << (k % 64u);
            to[at++] = word;
        }
    }
    return to;
}

/* To memory that is 0. */
static void unpack(const uint64_t *from, void *to, size_t bytes)
{
    const size_t n = words_of(bytes);
    size_t at = (n + 63u) / 64u;

    for (size_t k = 0u; k < n; k++) {
        if ((from[k / 64u] >> (k % 64u) & 1u) != 0u) {
            memcpy((char *)to + k * WORD, &from[at++], WORD);
        }
    }
}

static size_t row_bytes(const struct exec_run *r)
{
    return (size_t)r->warps * r->function->row_bytes;
}

static size_t local_bytes(const struct exec_run *r)
{
    return (size_t)r->warps * WARP_SIZE * r->function->local_bytes;
}

static void rested_free(struct rested *rested)
{
    if (rested != NULL) {
        free(rested->rows);
        free(rested->shared);
        free(rested->local);
        free(rested->warp);
        free(rested);
    }
}

/* NULL: there is no memory for it. */
static struct rested *pack_all(const struct exec_run *r)
{
    struct rested *const rested = calloc(1u, sizeof *rested);

    if (rested == NULL) {
        return NULL;
    }
    rested->rows = pack(r->rows, row_bytes(r));
    rested->shared = pack(r->shared, r->shared_bytes);
    rested->local = pack(r->local, local_bytes(r));
    rested->warp = pack(r->warp, r->warps * sizeof *r->warp);
    if (rested->rows == NULL || rested->shared == NULL || rested->local == NULL
        || rested->warp == NULL) {
        rested_free(rested);
        return NULL;
    }
    return rested;
}

/* What was there before, and is not looked at any more. */
static void forget(struct exec_run *r)
{
    for (uint32_t k = 0u; k < r->warps; k++) {
        struct run_warp *const w = &r->warp[k];
        memset(&w->path[w->depth], 0, (MAX_PATHS - w->depth) * sizeof w->path[0]);
        if (!w->looked) {
            memset(w->poll, 0, sizeof w->poll);
        }
    }
}

void exec_rest(void *handle)
{
    struct exec_run *const r = handle;

    if (r->check != NULL) { /* which looks at all that there is */
        return;
    }
    forget(r);
    r->rested = pack_all(r);
    if (r->rested == NULL) {
        return; /* it stays as it is */
    }
    free(r->rows);
    free(r->shared);
    free(r->local);
    free(r->warp);
    r->rows = r->shared = r->local = NULL;
    r->warp = NULL;
    r->room_rows = r->room_shared = r->room_local = r->room_warp = 0u;
    for (uint32_t k = 0u; k < r->n_list; k++) {
        free(r->list[k].instruction);
        free(r->list[k].access);
        r->list[k] = (struct record_list){ .instruction = NULL };
    }
}

bool exec_wake(struct exec_run *r)
{
    if (r->rested == NULL) {
        return true;
    }
    exec_inherit(r);
    if (!exec_room(r)) {
        return fault_surroundings(r->fault, "%s: no memory for a CTA that comes back",
                                  r->function->name);
    }
    unpack(r->rested->rows, r->rows, row_bytes(r));
    unpack(r->rested->shared, r->shared, r->shared_bytes);
    unpack(r->rested->local, r->local, local_bytes(r));
    memset(r->warp, 0, r->warps * sizeof *r->warp);
    unpack(r->rested->warp, r->warp, r->warps * sizeof *r->warp);
    for (uint32_t k = 0u; k < r->warps; k++) {
        r->warp[k].w.rows = r->rows + (size_t)k * r->function->row_bytes;
        r->warp[k].list = r->streams ? &r->list[k] : NULL;
    }
    exec_wake_never(r);
    return true;
}

void exec_wake_never(struct exec_run *r)
{
    rested_free(r->rested);
    r->rested = NULL;
}
