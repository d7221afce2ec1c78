/* exec_exchange - instructions through which the lanes of a warp see each other.
 *
 * Lanes that a member mask names, but that have diverged, take no part: the mask is met with
 * the lanes that execute the instruction now. A shuffle from a lane that does not is left open
 * by PTX: it gives 0. */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "exec/exec_run.h"

static void set_predicate(struct run_warp *w, const struct ptx_operand *o, uint32_t lanes,
                          uint32_t bits)
{
    if (o->kind == OPERAND_REGISTER) {
        uint32_t *const to = exec_destination(&w->w, o);
        *to = (*to & ~lanes) | (bits & lanes);
    }
}

static void set_all(struct run_warp *w, const struct ptx_operand *o, uint32_t lanes,
                    uint32_t value)
{
    if (o->kind == OPERAND_REGISTER) {
        uint32_t *const to = exec_destination(&w->w, o);
        EACH_LANE(lane, lanes)
        {
            to[lane] = value;
        }
    }
}

/* The lanes that take part: of the mask, if there is one. */
static uint32_t members(const struct run_warp *w, const struct ptx_inst *i, uint32_t operand,
                        uint32_t lanes)
{
    if (i->n_src <= operand || i->src[operand].kind == OPERAND_NONE) {
        return lanes;
    }
    const uint32_t *const mask = exec_source(&w->w, &i->src[operand]);
    return mask[lowest_lane(lanes)] & lanes;
}

/* ---- shfl ---------------------------------------------------------------------------- */

/* The lane from which `lane` takes its value; *inside: it is in the lane's segment. */
static uint32_t source_lane(uint8_t mode, uint32_t lane, uint32_t b, uint32_t c, bool *inside)
{
    const uint32_t segment = c >> 8 & 31u;
    const uint32_t least = lane & segment;
    const uint32_t most = least | (c & 31u & ~segment);
    const int32_t self = (int32_t)lane;
    const int32_t by = (int32_t)(b & 31u);
    int32_t from;
    switch (mode) {
    case MODE_UP:
        from = self - by;
        *inside = from >= (int32_t)most;
        break;
    case MODE_DOWN:
        from = self + by;
        *inside = from <= (int32_t)most;
        break;
    case MODE_BFLY:
        from = self ^ by;
        *inside = from <= (int32_t)most;
        break;
    default:
        from = (int32_t)(least | (b & 31u & ~segment));
        *inside = from <= (int32_t)most;
    }
    return *inside ? (uint32_t)from : lane;
}

/* A lane reads one that does not execute the instruction. */
static void read_away(const struct exec_run *r, const struct run_warp *w,
                      const struct exec_step *s, uint32_t lane, uint32_t from)
{
    char what[160], text[512];
    if (r->check != NULL) {
        exec_check_shuffle(r, w, s, lane, from);
    }
    if (r->exec->warn != NULL && !r->program->warned) {
        r->program->warned = true;
        (void)snprintf(what, sizeof what,
                       "a shuffle from lane %" PRIu32 ", which does not execute it, gives 0; "
                       "--check counts them",
                       from);
        exec_locate(r, w, s, lane, what, text, sizeof text);
        r->exec->warn(r->exec->warn_self, text);
    }
}

bool exec_shfl(struct exec_run *r, struct run_warp *w, const struct exec_step *s,
               uint32_t lanes)
{
    const struct ptx_inst *const i = s->inst;
    const uint32_t *const b = exec_source(&w->w, &i->src[1]);
    const uint32_t *const c = exec_source(&w->w, &i->src[2]);
    uint32_t value[WARP_SIZE];
    uint32_t result[WARP_SIZE];
    uint32_t good = 0u;
    memcpy(value, exec_source(&w->w, &i->src[0]), sizeof value);
    EACH_LANE(lane, lanes)
    {
        bool inside;
        const uint32_t from = source_lane(i->mode, lane, b[lane], c[lane], &inside);
        const bool there = (lanes >> from & 1u) != 0u;
        result[lane] = there ? value[from] : 0u;
        if (!there) {
            read_away(r, w, s, lane, from);
        }
        good |= inside ? 1u << lane : 0u;
    }
    if (i->dst[0].kind == OPERAND_REGISTER) {
        uint32_t *const to = exec_destination(&w->w, &i->dst[0]);
        EACH_LANE(lane, lanes)
        {
            to[lane] = result[lane];
        }
    }
    if (i->n_dst > 1u) {
        set_predicate(w, &i->dst[1], lanes, good);
    }
    if (r->streams) {
        exec_last(w)->accesses = 1u;
    }
    return true;
}

/* ---- vote, activemask ---------------------------------------------------------------- */

bool exec_vote(struct exec_run *r, struct run_warp *w, const struct exec_step *s,
               uint32_t lanes)
{
    (void)r;
    const struct ptx_inst *const i = s->inst;
    const uint32_t who = members(w, i, 1u, lanes);
    const uint32_t trues = exec_predicate(&w->w, &i->src[0]) & who;
    if (i->mode == MODE_BALLOT) {
        set_all(w, &i->dst[0], lanes, trues);
        return true;
    }
    const bool result = i->mode == MODE_ANY   ? trues != 0u
                        : i->mode == MODE_ALL ? trues == who
                                              : trues == 0u || trues == who;
    set_predicate(w, &i->dst[0], lanes, result ? UINT32_MAX : 0u);
    return true;
}

bool exec_activemask(struct exec_run *r, struct run_warp *w, const struct exec_step *s,
                     uint32_t lanes)
{
    (void)r;
    set_all(w, &s->inst->dst[0], lanes, lanes);
    return true;
}

/* ---- match --------------------------------------------------------------------------- */

static void values_of(const struct run_warp *w, const struct ptx_inst *i, uint64_t *value)
{
    const void *const row = exec_source(&w->w, &i->src[0]);
    for (uint32_t lane = 0u; lane < WARP_SIZE; lane++) {
        value[lane] = ptx_type_bytes(i->type) == 8u ? ((const uint64_t *)row)[lane]
                                                    : ((const uint32_t *)row)[lane];
    }
}

bool exec_match(struct exec_run *r, struct run_warp *w, const struct exec_step *s,
                uint32_t lanes)
{
    (void)r;
    const struct ptx_inst *const i = s->inst;
    const uint32_t who = members(w, i, 1u, lanes);
    uint64_t value[WARP_SIZE];
    uint32_t equal[WARP_SIZE] = { 0u };
    bool all = true;
    values_of(w, i, value);
    EACH_LANE(lane, who)
    {
        for (uint32_t other = 0u; other < WARP_SIZE; other++) {
            equal[lane] |= value[other] == value[lane] ? 1u << other : 0u;
        }
        equal[lane] &= who;
        all = all && equal[lane] == who;
    }
    EACH_LANE(lane, lanes)
    {
        set_all(w, &i->dst[0], 1u << lane, i->mode == MODE_ANY ? equal[lane] : all ? who : 0u);
    }
    if (i->n_dst > 1u) {
        set_predicate(w, &i->dst[1], lanes, all ? UINT32_MAX : 0u);
    }
    return true;
}

/* ---- Addresses of global variables --------------------------------------------------- */

bool exec_symbol(struct exec_run *r, struct run_warp *w, const struct exec_step *s,
                 uint32_t lanes)
{
    const struct ptx_operand *const to = &s->inst->dst[0];
    void *const row = exec_destination(&w->w, to);
    const bool entry = s->inst->space == SPACE_ENTRY;
    const uint64_t address =
        (entry ? r->launch->entry_base : r->launch->global_base) + s->inst->src[0].value;
    const bool wide = ptx_type_bytes(s->inst->type) == 8u;

    if (!wide && address > UINT32_MAX) {
        return exec_fault(
            r, w, s, lanes,
            "the global address 0x%" PRIx64 " in 32 bits; mov.u64 has room for it", address);
    }
    if (to->kind != OPERAND_REGISTER) {
        return true;
    }
    EACH_LANE(lane, lanes)
    {
        if (wide) {
            ((uint64_t *)row)[lane] = address;
        } else {
            ((uint32_t *)row)[lane] = (uint32_t)address;
        }
    }
    return true;
}
