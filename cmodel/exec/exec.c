/* exec - pools, launches, and the turns of a CTA's warps; see exec.h. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exec/exec_run.h"

struct exec {
    struct exec_program **program;
    size_t n_program;
    struct exec_buffer *free; /* streams that nobody reads */
    struct exec_run run;      /* one CTA executes at a time */
    uint8_t *rows;
    size_t room_rows, room_shared, room_local, room_warp;
    uint64_t executed;
};

void exec_warnings(struct exec *exec, void (*warn)(void *self, const char *text), void *self)
{
    exec->run.warn = warn;
    exec->run.warn_self = self;
}

struct exec *exec_open(void)
{
    return calloc(1u, sizeof(struct exec));
}

static void free_buffer(struct exec_buffer *buffer)
{
    for (uint32_t k = 0u; k < buffer->n; k++) {
        free(buffer->list[k].instruction);
        free(buffer->list[k].access);
    }
    free(buffer->list);
    free(buffer);
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
        struct exec_buffer *const next = exec->free->next;
        free_buffer(exec->free);
        exec->free = next;
    }
    free((void *)exec->program);
    free(exec->rows);
    free(exec->run.shared);
    free(exec->run.local);
    free(exec->run.warp);
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

static bool warps_of(struct exec *exec, uint32_t warps)
{
    if (warps > exec->room_warp) {
        free(exec->run.warp);
        exec->run.warp = calloc(warps, sizeof *exec->run.warp);
        exec->room_warp = exec->run.warp == NULL ? 0u : warps;
    }
    return exec->run.warp != NULL;
}

static struct exec_buffer *take_buffer(struct exec *exec, uint32_t warps)
{
    struct exec_buffer *b = exec->free;
    if (b != NULL) {
        exec->free = b->next;
    } else {
        b = calloc(1u, sizeof *b);
    }
    if (b != NULL && b->n < warps) {
        struct record_list *const more = realloc(b->list, warps * sizeof *more);
        if (more == NULL) {
            free_buffer(b);
            return NULL;
        }
        memset(more + b->n, 0, (warps - b->n) * sizeof *more);
        b->list = more;
        b->n = warps;
    }
    for (uint32_t k = 0u; b != NULL && k < warps; k++) {
        b->list[k].n_instruction = 0u;
        b->list[k].n_access = 0u;
    }
    return b;
}

void exec_release(struct exec *exec, void *handle)
{
    struct exec_buffer *const b = handle;
    if (b != NULL) {
        b->next = exec->free;
        exec->free = b;
    }
}

/* ---- Special registers --------------------------------------------------------------- */

/* Of those that differ between lanes. */
static uint32_t lane_value(const struct exec_run *r, uint32_t special, uint32_t thread)
{
    const uint32_t *const block = r->launch->block;
    const uint32_t lane = thread % WARP_SIZE;
    switch (special) {
    case SREG_TID_X:
        return thread % block[0];
    case SREG_TID_Y:
        return thread / block[0] % block[1];
    case SREG_TID_Z:
        return thread / block[0] / block[1];
    case SREG_LANEID:
        return lane;
    case SREG_LANEMASK_EQ:
        return 1u << lane;
    case SREG_LANEMASK_LE:
        return (2u << lane) - 1u;
    case SREG_LANEMASK_LT:
        return (1u << lane) - 1u;
    case SREG_LANEMASK_GE:
        return ~((1u << lane) - 1u);
    default: /* SREG_LANEMASK_GT */
        return ~((2u << lane) - 1u);
    }
}

static uint32_t warp_value(const struct exec_run *r, uint32_t special, uint32_t warp)
{
    const struct exec_launch *const g = r->launch;
    switch (special) {
    case SREG_NTID_X:
    case SREG_NTID_Y:
    case SREG_NTID_Z:
        return g->block[special - SREG_NTID_X];
    case SREG_CTAID_X:
    case SREG_CTAID_Y:
    case SREG_CTAID_Z:
        return r->at[special - SREG_CTAID_X];
    case SREG_NCTAID_X:
    case SREG_NCTAID_Y:
    case SREG_NCTAID_Z:
        return g->grid[special - SREG_NCTAID_X];
    case SREG_WARPID:
        return warp;
    case SREG_NWARPID:
        return r->warps;
    case SREG_NSMID: /* a CTA does not know where it executes */
        return 1u;
    case SREG_DYNAMIC_SMEM_SIZE:
        return g->dynamic_shared;
    case SREG_TOTAL_SMEM_SIZE:
        return r->shared_bytes;
    default: /* clocks are set when they are read */
        return 0u;
    }
}

static bool differs(uint32_t special)
{
    return special <= SREG_TID_Z || special == SREG_LANEID
           || (special >= SREG_LANEMASK_EQ && special <= SREG_LANEMASK_GT);
}

static void fill_specials(const struct exec_run *r, struct run_warp *w)
{
    for (uint32_t special = 0u; special < SREG_COUNT; special++) {
        const uint32_t row = r->function->special_row[special];
        if (row == UINT32_MAX || special == SREG_CLOCK64 || special == SREG_GLOBALTIMER) {
            continue;
        }
        uint32_t *const to = (uint32_t *)(void *)(w->w.rows + row);
        const bool each = differs(special);
        const uint32_t same = each ? 0u : warp_value(r, special, w->number);
        for (uint32_t lane = 0u; lane < WARP_SIZE; lane++) {
            to[lane] = each ? lane_value(r, special, w->number * WARP_SIZE + lane) : same;
        }
    }
}

/* ---- A CTA --------------------------------------------------------------------------- */

static void describe_cta(struct exec_run *r, const struct exec_launch *g, uint32_t cta)
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
    r->check = g->check;
    r->executed = 0u;
    memset(r->barrier, 0, sizeof r->barrier);
}

static void start_warps(struct exec *exec, struct exec_buffer *buffer)
{
    struct exec_run *const r = &exec->run;
    for (uint32_t k = 0u; k < r->warps; k++) {
        struct run_warp *const w = &r->warp[k];
        const uint32_t left = r->threads - k * WARP_SIZE;
        w->number = k;
        w->list = buffer == NULL ? NULL : &buffer->list[k];
        w->w.rows = exec->rows + (size_t)k * r->function->row_bytes;
        w->w.constant_rows = r->function->constant_rows;
        w->w.carry = 0u;
        exec_start(w, left >= WARP_SIZE ? UINT32_MAX : (1u << left) - 1u);
        fill_specials(r, w);
    }
}

static bool stuck(struct exec_run *r)
{
    uint32_t k = 0u;
    while (r->warp[k].state != WARP_WAITS) {
        k++;
    }
    const struct run_warp *const w = &r->warp[k];
    const struct run_barrier *const b = &r->barrier[w->barrier];
    uint32_t alive = 0u;
    for (k = 0u; k < r->warps; k++) {
        alive += r->warp[k].state != WARP_ENDED ? 1u : 0u;
    }
    return exec_fault(r, w, w->waits, w->wait_lanes,
                      "this barrier (%u) never opens: %u of %u warps are there, and no other "
                      "will come",
                      w->barrier, b->arrived, b->expected != 0u ? b->expected : alive);
}

static bool endless(struct exec_run *r, const struct run_warp *w)
{
    const struct exec_step *const s = &r->step[w->path[w->depth - 1u].pc];
    return exec_fault(r, w, s, w->w.active,
                      "the CTA has executed %" PRIu64 " warp instructions: it seems endless%s",
                      r->launch->limit,
                      w->depth > 1u ? "; lanes cannot wait for others of their warp" : "");
}

/* Each warp in turn executes until it waits; then the barrier has opened, or they are stuck. */
static bool take_turns(struct exec_run *r)
{
    const uint64_t limit = r->launch->limit;
    bool runs = true;
    bool waits = false;
    while (runs) {
        runs = waits = false;
        for (uint32_t k = 0u; k < r->warps; k++) {
            struct run_warp *const w = &r->warp[k];
            const uint64_t left = limit - r->executed;
            if (w->state == WARP_RUNS) {
                if (left == 0u) {
                    return endless(r, w);
                }
                runs = true;
                if (!exec_turn(r, w, left < TURN ? left : TURN)) {
                    return false;
                }
            }
            waits = waits || w->state == WARP_WAITS;
        }
    }
    return !waits || stuck(r);
}

static bool prepare(struct exec *exec, const struct exec_launch *g, uint32_t cta)
{
    struct exec_run *const r = &exec->run;
    describe_cta(r, g, cta);
    return warps_of(exec, r->warps)
           && zeroed(&exec->rows, &exec->room_rows, (size_t)r->warps * g->function->row_bytes)
           && zeroed(&r->shared, &exec->room_shared, r->shared_bytes)
           && zeroed(&r->local, &exec->room_local,
                     (size_t)r->warps * WARP_SIZE * g->function->local_bytes)
           && (r->check == NULL || exec_check_start(r));
}

static void hand_over(const struct exec_run *r, struct warp_stream *warp)
{
    static const uint32_t none; /* of a warp that has accessed nothing */
    for (uint32_t k = 0u; k < r->warps; k++) {
        const struct record_list *const l = r->warp[k].list;
        warp[k] = (struct warp_stream){ .instruction = l->instruction,
                                        .access = l->access != NULL ? l->access : &none };
    }
}

bool exec_cta(struct exec *exec, const struct exec_launch *launch, uint32_t cta,
              struct warp_stream *warp, void **handle, struct fault *fault)
{
    struct exec_run *const r = &exec->run;
    struct exec_program *const program = find_program(exec, launch, fault);
    struct exec_buffer *buffer = NULL;
    *handle = NULL;
    if (program == NULL) {
        return false;
    }
    r->fault = fault;
    r->step = program->step;
    r->program = program;
    if (!prepare(exec, launch, cta)
        || (launch->streams && (buffer = take_buffer(exec, r->warps)) == NULL)) {
        return exec_fault_warps(r);
    }
    start_warps(exec, buffer);
    const bool good = take_turns(r);
    exec->executed += r->executed;
    if (!good) {
        exec_release(exec, buffer);
    } else if (buffer != NULL) {
        hand_over(r, warp);
        *handle = buffer;
    }
    return good;
}
