/* exec - pools, programs and CTAs; see exec.h. */

#include <stdlib.h>
#include <string.h>

#include "exec/exec_run.h"

void exec_warnings(struct exec *exec, void (*warn)(void *self, const char *text), void *self)
{
    exec->warn = warn;
    exec->warn_self = self;
}

struct exec *exec_open(void)
{
    return calloc(1u, sizeof(struct exec));
}

static void free_run(struct exec_run *r)
{
    for (uint32_t k = 0u; k < r->n_list; k++) {
        free(r->list[k].instruction);
        free(r->list[k].access);
    }
    exec_watch_free(r->watch);
    free(r->list);
    free(r->rows);
    free(r->shared);
    free(r->local);
    free(r->warp);
    free(r);
}

void exec_close(struct exec *exec)
{
    if (exec == NULL) {
        return;
    }
    for (size_t k = 0u; k < exec->n_program; k++) {
        free(exec->program[k]->step);
        free(exec->program[k]);
    }
    while (exec->free != NULL) {
        struct exec_run *const next = exec->free->next;
        free_run(exec->free);
        exec->free = next;
    }
    free((void *)exec->program);
    free(exec->writer);
    free(exec);
}

uint64_t exec_instructions(const struct exec *exec)
{
    return exec->executed;
}

/* ---- Programs ------------------------------------------------------------------------ */

static struct exec_program *new_program(struct exec *exec, const struct exec_launch *g,
                                        struct fault *fault)
{
    struct exec_program **const more =
        realloc((void *)exec->program, (exec->n_program + 1u) * sizeof(struct exec_program *));
    struct exec_program *const p = calloc(1u, sizeof *p);
    exec->program = more == NULL ? exec->program : more;
    if (more == NULL || p == NULL) {
        fault_surroundings(fault, "%s: no memory for its steps", g->function->name);
        free(p);
        return NULL;
    }
    if (!exec_decode(p, g->module, g->function, fault)) {
        free(p->step);
        free(p);
        return NULL;
    }
    exec->program[exec->n_program++] = p;
    return p;
}

static struct exec_program *find_program(struct exec *exec, const struct exec_launch *g,
                                         struct fault *fault)
{
    for (size_t k = exec->n_program; k > 0u; k--) {
        if (exec->program[k - 1u]->function == g->function) {
            return exec->program[k - 1u];
        }
    }
    return new_program(exec, g, fault);
}

/* ---- Memory -------------------------------------------------------------------------- */

/* Zeroed, of at least 64 bytes, aligned to 64. */
static bool zeroed(uint8_t **memory, size_t *room, size_t bytes)
{
    const size_t needed = (bytes + 64u) / 64u * 64u;
    if (needed > *room) {
        free(*memory);
        *memory = aligned_alloc(64u, needed);
        *room = *memory == NULL ? 0u : needed;
    }
    if (*memory != NULL) {
        memset(*memory, 0, needed);
    }
    return *memory != NULL;
}

static bool warps_of(struct exec_run *r)
{
    if (r->warps > r->room_warp) {
        free(r->warp);
        r->warp = calloc(r->warps, sizeof *r->warp);
        r->room_warp = r->warp == NULL ? 0u : r->warps;
    }
    return r->warp != NULL;
}

/* Each warp has a list for its pieces. */
static bool lists_of(struct exec_run *r)
{
    if (r->n_list >= r->warps) {
        return true;
    }
    struct record_list *const more = realloc(r->list, r->warps * sizeof *more);
    if (more == NULL) {
        return false;
    }
    memset(more + r->n_list, 0, (r->warps - r->n_list) * sizeof *more);
    r->list = more;
    r->n_list = r->warps;
    return true;
}

/* ---- CTAs ---------------------------------------------------------------------------- */

static void describe_cta(struct exec_run *r, struct exec_launch *g, uint32_t cta)
{
    r->launch = g;
    r->function = g->function;
    r->cta = cta;
    r->at[0] = cta % g->grid[0];
    r->at[1] = cta / g->grid[0] % g->grid[1];
    r->at[2] = cta / g->grid[0] / g->grid[1];
    r->threads = g->block[0] * g->block[1] * g->block[2];
    r->warps = (r->threads + WARP_SIZE - 1u) / WARP_SIZE;
    r->shared_bytes = g->function->shared_bytes + g->dynamic_shared;
    r->streams = g->streams;
    r->performs = false;
    r->waits = false;
    r->check = g->check;
    r->watched = g->check != NULL || g->footprint != NULL;
    r->footprint = NULL;
    r->of_cta = NULL;
    memset(r->barrier, 0, sizeof r->barrier);
}

static void start_warps(struct exec_run *r)
{
    for (uint32_t k = 0u; k < r->warps; k++) {
        struct run_warp *const w = &r->warp[k];
        const uint32_t left = r->threads - k * WARP_SIZE;
        w->number = k;
        w->list = r->streams ? &r->list[k] : NULL;
        w->w.rows = r->rows + (size_t)k * r->function->row_bytes;
        w->w.constant_rows = r->function->constant_rows;
        w->w.carry = 0u;
        w->due = NULL;
        w->polls = 0u;
        w->looked = false;
        exec_start(w, left >= WARP_SIZE ? UINT32_MAX : (1u << left) - 1u);
        exec_fill_specials(r, w);
    }
}

bool exec_room(struct exec_run *r)
{
    const struct ptx_function *const f = r->function;
    return warps_of(r) && zeroed(&r->rows, &r->room_rows, (size_t)r->warps * f->row_bytes)
           && zeroed(&r->shared, &r->room_shared, r->shared_bytes)
           && zeroed(&r->local, &r->room_local, (size_t)r->warps * WARP_SIZE * f->local_bytes);
}

void exec_inherit(struct exec_run *r)
{
    struct exec_run *const from = r->exec->free;

    if (from == NULL || from->n_list < r->n_list) {
        return;
    }
    r->exec->free = from->next;
    struct record_list *const list = r->list;
    const uint32_t n_list = r->n_list;
    r->rows = from->rows;
    r->shared = from->shared;
    r->local = from->local;
    r->warp = from->warp;
    r->list = from->list;
    r->n_list = from->n_list;
    r->room_rows = from->room_rows;
    r->room_shared = from->room_shared;
    r->room_local = from->room_local;
    r->room_warp = from->room_warp;
    from->rows = from->shared = from->local = NULL;
    from->warp = NULL;
    from->list = list;
    from->n_list = n_list;
    free_run(from);
}

static bool prepare(struct exec_run *r)
{
    return exec_room(r) && (!r->streams || lists_of(r))
           && (r->check == NULL || exec_check_start(r))
           && (r->launch->footprint == NULL || exec_footprint_start(r));
}

void exec_give(struct exec_run *r)
{
    exec_wake_never(r);
    if (r->footprint != NULL) {
        exec_footprint_end(r);
    }
    r->next = r->exec->free;
    r->exec->free = r;
}

struct exec_run *exec_take(struct exec *exec, struct exec_launch *launch, uint32_t cta,
                           struct fault *fault)
{
    struct exec_program *const program = find_program(exec, launch, fault);
    struct exec_run *r = exec->free;
    if (program == NULL) {
        return NULL;
    }
    if (r != NULL) {
        exec->free = r->next;
    } else {
        r = calloc(1u, sizeof *r);
    }
    if (r == NULL) {
        fault_surroundings(fault, "%s: no memory for a CTA", launch->function->name);
        return NULL;
    }
    r->exec = exec;
    r->fault = fault;
    r->step = program->step;
    r->program = program;
    describe_cta(r, launch, cta);
    if (!prepare(r)) {
        exec_fault_warps(r);
        exec_give(r);
        return NULL;
    }
    start_warps(r);
    return r;
}

void exec_release(void *handle)
{
    if (handle != NULL) {
        exec_give(handle);
    }
}
