/*
 * plain_warp - warps of a CTA, statement by statement; see plain.h.
 *
 * Lanes that part at a branch go their ways one after the other, those that jump first, each
 * until where they meet; then they go on together. Warps run in turn, each until it waits at a
 * barrier or has ended.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plain.h"

_Noreturn void plain_stop(const struct plain_launch *launch, const struct ptx_inst *i,
                          const char *what)
{
    (void)fprintf(stderr, "plain: %s: %s:%u: %s\n", launch->kernel->name,
                  launch->module->build.file, i->line, what);
    exit(2);
}

/* ---- Special registers --------------------------------------------------------------- */

static uint32_t special(const struct plain_cta *c, const struct plain_warp *w, uint32_t which,
                        uint32_t lane)
{
    const struct plain_launch *const g = c->launch;
    const uint32_t thread = w->number * WARP_SIZE + lane;
    const uint32_t tid[] = { thread % g->block[0], thread / g->block[0] % g->block[1],
                             thread / g->block[0] / g->block[1] };
    switch (which) {
    case SREG_TID_X:
    case SREG_TID_Y:
    case SREG_TID_Z:
        return tid[which - SREG_TID_X];
    case SREG_NTID_X:
    case SREG_NTID_Y:
    case SREG_NTID_Z:
        return g->block[which - SREG_NTID_X];
    case SREG_CTAID_X:
    case SREG_CTAID_Y:
    case SREG_CTAID_Z:
        return c->at[which - SREG_CTAID_X];
    case SREG_NCTAID_X:
    case SREG_NCTAID_Y:
    case SREG_NCTAID_Z:
        return g->grid[which - SREG_NCTAID_X];
    case SREG_LANEID:
        return lane;
    case SREG_WARPID:
        return w->number;
    case SREG_NWARPID:
        return c->n_warp;
    case SREG_LANEMASK_EQ:
        return 1u << lane;
    case SREG_LANEMASK_LT:
        return (1u << lane) - 1u;
    case SREG_LANEMASK_LE:
        return (1u << lane) | ((1u << lane) - 1u);
    case SREG_LANEMASK_GT:
        return ~((1u << lane) | ((1u << lane) - 1u));
    case SREG_LANEMASK_GE:
        return ~((1u << lane) - 1u);
    default:
        return 0u;
    }
}

static void start(struct plain_cta *c, struct plain_warp *w, uint32_t number)
{
    const struct plain_kernel *const k = c->launch->kernel;
    const uint32_t left = c->threads - number * WARP_SIZE;
    w->number = number;
    w->alive = left >= WARP_SIZE ? UINT32_MAX : (1u << left) - 1u;
    w->w = (struct exec_warp){ .rows = aligned_alloc(64u, k->row_bytes),
                               .constant_rows = k->constant_rows };
    memset(w->w.rows, 0, k->row_bytes);
    for (uint32_t which = 0u; which < SREG_COUNT; which++) {
        for (uint32_t lane = 0u; lane < WARP_SIZE; lane++) {
            const uint32_t value = special(c, w, which, lane);
            memcpy(w->w.rows + (size_t)(k->n_register + which) * PLAIN_ROW + (size_t)4u * lane,
                   &value, 4u);
        }
    }
    w->depth = 1u;
    w->path[0] = (struct plain_path){ 0u, UINT32_MAX, w->alive };
    w->waits = NULL;
}

/* ---- Statements ---------------------------------------------------------------------- */

/* Arithmetic; a cvt that reads the low part of a wider register is given that part alone. */
static void compute(const struct plain_cta *c, struct plain_warp *w,
                    const struct plain_statement *s, uint32_t lanes)
{
    const struct ptx_operand *const from = &s->inst.src[0];
    const struct ptx_routine *const r = c->launch->kernel->routine;
    const bool low = s->inst.op == PTX_CVT && from->kind == OPERAND_REGISTER
                     && r->reg.at[from->reg].class == CLASS_64
                     && ptx_type_bytes(s->inst.source_type) < 8u;
    if (!low) {
        s->handler(&w->w, &s->inst, lanes);
        return;
    }
    _Alignas(64) uint32_t part[WARP_SIZE];
    struct exec_warp narrow = w->w;
    struct ptx_inst i = s->inst;
    for (uint32_t lane = 0u; lane < WARP_SIZE; lane++) {
        part[lane] = (uint32_t)plain_value(c, w, &i, from, lane);
    }
    narrow.constant_rows = (const uint8_t *)part;
    i.src[0].constant = true;
    i.src[0].row = 0u;
    s->handler(&narrow, &i, lanes);
}

static void leave(struct plain_warp *w, uint32_t lanes)
{
    w->alive &= ~lanes;
    for (uint32_t k = 0u; k < w->depth; k++) {
        w->path[k].lanes &= ~lanes;
    }
}

static void branch(const struct plain_launch *g, struct plain_warp *w,
                   const struct plain_statement *s, uint32_t lanes)
{
    struct plain_path *const path = &w->path[w->depth - 1u];
    const uint32_t stay = path->lanes & ~lanes, next = path->at + 1u;
    if (stay == 0u || lanes == 0u) {
        path->at = stay == 0u ? s->target : next;
        return;
    }
    path->at = s->meet;
    if (w->depth + 2u > sizeof w->path / sizeof *w->path) {
        plain_stop(g, &s->inst, "too many paths");
    }
    w->path[w->depth++] = (struct plain_path){ next, s->meet, stay };
    w->path[w->depth++] = (struct plain_path){ s->target, s->meet, lanes };
}

/* Everything but branches, returns and barriers. */
static void execute(struct plain_cta *c, struct plain_warp *w, const struct plain_statement *s,
                    uint32_t lanes)
{
    switch (s->inst.op) {
    case PTX_LD:
    case PTX_LDU:
    case PTX_ST:
    case PTX_ATOM:
    case PTX_RED:
        plain_access(c, w, &s->inst, lanes);
        return;
    case PTX_BAR: /* of the warp */
    case PTX_FENCE:
    case PTX_MEMBAR:
    case PTX_PREFETCH:
    case PTX_PREFETCHU:
        return;
    case PTX_CALL:
        plain_call(c, w, s, lanes);
        return;
    case PTX_TRAP:
        plain_stop(c->launch, &s->inst, "trap");
    default:
        if (s->handler != NULL) {
            compute(c, w, s, lanes);
        } else if (!plain_exchange(w, &s->inst, lanes)) {
            plain_stop(c->launch, &s->inst, "not supported here");
        }
    }
}

/* Lanes that are active at the statement: of the path, if the guard lets them. */
static uint32_t guarded(const struct plain_warp *w, const struct ptx_inst *i, uint32_t lanes)
{
    uint32_t guard;
    if (i->guard == PTX_NO_REGISTER) {
        return lanes;
    }
    memcpy(&guard, w->w.rows + (size_t)i->guard * PLAIN_ROW, 4u);
    return lanes & (i->guard_negate ? ~guard : guard);
}

static void step(struct plain_cta *c, struct plain_warp *w)
{
    struct plain_path *const path = &w->path[w->depth - 1u];
    const struct plain_statement *const s = &c->launch->kernel->statement[path->at];
    const uint32_t lanes = guarded(w, &s->inst, path->lanes);
    c->executed++;
    if (s->inst.op == PTX_BRA) {
        branch(c->launch, w, s, lanes);
        return;
    }
    path->at++;
    if (lanes == 0u) {
        return;
    }
    if (s->inst.op == PTX_RET || s->inst.op == PTX_EXIT) {
        leave(w, lanes);
    } else if (s->inst.op == PTX_BAR && s->inst.mode != MODE_WARP_SYNC) {
        if (lanes != w->alive) {
            plain_stop(c->launch, &s->inst, "lanes apart at a barrier");
        }
        w->waits = s;
        w->wait_lanes = lanes;
    } else {
        execute(c, w, s, lanes);
    }
}

static void run(struct plain_cta *c, struct plain_warp *w)
{
    while (w->alive != 0u && w->waits == NULL) {
        const struct plain_path *const path = &w->path[w->depth - 1u];
        if (path->lanes == 0u || path->at == path->until) {
            w->depth--;
        } else {
            step(c, w);
        }
    }
}

/* ---- Barriers ------------------------------------------------------------------------ */

static bool reduces(const struct ptx_inst *i)
{
    return i->mode == MODE_RED_AND || i->mode == MODE_RED_OR || i->mode == MODE_RED_POPC;
}

/* All that have not ended wait: at one barrier, for all warps. */
static void open_barrier(struct plain_cta *c)
{
    uint32_t threads = 0u, trues = 0u;
    for (uint32_t k = 0u; k < c->n_warp; k++) {
        const struct plain_warp *const w = &c->warp[k];
        if (w->waits != NULL) {
            const struct ptx_inst *const i = &w->waits->inst;
            const uint32_t count = reduces(i) ? 3u : 2u;
            if (i->mode == MODE_ARRIVE
                || (i->n_src == count && i->src[1].kind != OPERAND_NONE)) {
                plain_stop(c->launch, i, "a barrier of some of the warps");
            }
            threads += (uint32_t)__builtin_popcount(w->wait_lanes);
            trues += reduces(i) ? (uint32_t)__builtin_popcount(
                         w->wait_lanes & exec_predicate(&w->w, &i->src[i->n_src - 1u]))
                                : 0u;
        }
    }
    for (uint32_t k = 0u; k < c->n_warp; k++) {
        struct plain_warp *const w = &c->warp[k];
        if (w->waits != NULL && reduces(&w->waits->inst)) {
            const struct ptx_inst *const i = &w->waits->inst;
            uint32_t *const to = exec_destination(&w->w, &i->dst[0]);
            const bool all = i->mode == MODE_RED_AND ? trues == threads : trues != 0u;
            for (uint32_t lane = 0u; lane < WARP_SIZE && i->mode == MODE_RED_POPC; lane++) {
                plain_set(c, w, &i->dst[0], lane, trues);
            }
            if (i->mode != MODE_RED_POPC) {
                *to = all ? UINT32_MAX : 0u;
            }
        }
        w->waits = NULL;
    }
}

/* ---- CTAs ---------------------------------------------------------------------------- */

uint64_t plain_cta(const struct plain_launch *g, uint32_t cta)
{
    struct plain_cta *const c = calloc(1u, sizeof *c);
    bool alive = true;
    c->launch = g;
    c->threads = g->block[0] * g->block[1] * g->block[2];
    c->n_warp = (c->threads + WARP_SIZE - 1u) / WARP_SIZE;
    c->at[0] = cta % g->grid[0];
    c->at[1] = cta / g->grid[0] % g->grid[1];
    c->at[2] = cta / g->grid[0] / g->grid[1];
    c->shared_bytes = g->kernel->shared_bytes + g->dynamic_shared;
    c->shared = calloc(c->shared_bytes + 1u, 1u);
    c->local = calloc((size_t)c->n_warp * WARP_SIZE * g->kernel->local_bytes + 1u, 1u);
    for (uint32_t k = 0u; k < c->n_warp; k++) {
        start(c, &c->warp[k], k);
    }
    while (alive) {
        alive = false;
        for (uint32_t k = 0u; k < c->n_warp; k++) {
            run(c, &c->warp[k]);
            alive = alive || c->warp[k].alive != 0u;
        }
        open_barrier(c);
    }
    const uint64_t executed = c->executed;
    for (uint32_t k = 0u; k < c->n_warp; k++) {
        free(c->warp[k].w.rows);
    }
    free(c->shared);
    free(c->local);
    free(c);
    return executed;
}
