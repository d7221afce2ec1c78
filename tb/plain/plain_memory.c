/* plain_memory - loads, stores and atomics, lane after lane; see plain.h. */

#include <string.h>

#include "plain.h"

uint64_t plain_value(const struct plain_cta *c, const struct plain_warp *w,
                     const struct ptx_inst *i, const struct ptx_operand *o, uint32_t lane)
{
    const struct ptx_routine *const r = c->launch->kernel->routine;
    const bool wide = o->kind == OPERAND_REGISTER ? r->reg.at[o->reg].class == CLASS_64
                                                  : ptx_type_bytes(i->type) == 8u;
    const uint8_t *const row = exec_source(&w->w, o);
    uint64_t value = 0u;
    memcpy(&value, row + (size_t)(wide ? 8u : 4u) * lane, wide ? 8u : 4u);
    return value;
}

void plain_set(const struct plain_cta *c, struct plain_warp *w, const struct ptx_operand *o,
               uint32_t lane, uint64_t value)
{
    if (o->kind == OPERAND_REGISTER) {
        const struct ptx_routine *const r = c->launch->kernel->routine;
        const size_t bytes = r->reg.at[o->reg].class == CLASS_64 ? 8u : 4u;
        memcpy(w->w.rows + o->row + bytes * lane, &value, bytes);
    }
}

/* ---- Addresses ----------------------------------------------------------------------- */

static uint64_t address_of(const struct plain_cta *c, const struct plain_warp *w,
                           const struct ptx_inst *i, uint32_t lane)
{
    const struct ptx_routine *const r = c->launch->kernel->routine;
    const struct ptx_operand *const o = &i->src[0];
    const uint8_t *const row = exec_source(&w->w, o);
    uint64_t address = 0u;
    if (o->reg != PTX_NO_REGISTER && r->reg.at[o->reg].class != CLASS_64) {
        memcpy(&address, row + (size_t)4u * lane, 4u);
        return (address + o->value) & UINT32_MAX;
    }
    memcpy(&address, row + (size_t)8u * lane, 8u);
    return address + o->value;
}

static uint8_t *within(const uint8_t *base, uint64_t size, uint64_t address, uint64_t bytes)
{
    return address <= size && bytes <= size - address ? (uint8_t *)base + address : NULL;
}

/* The host's view of a lane's bytes. */
static uint8_t *reach(const struct plain_cta *c, const struct plain_warp *w,
                      const struct ptx_inst *i, uint32_t lane, uint64_t bytes)
{
    const struct plain_launch *const g = c->launch;
    const uint64_t local = g->kernel->local_bytes;
    uint64_t address = address_of(c, w, i, lane);
    const enum ptx_space space = i->space == SPACE_GENERIC ? exec_window(&address) : i->space;
    uint8_t *at;
    switch (space) {
    case SPACE_SHARED:
        at = within(c->shared, c->shared_bytes, address, bytes);
        break;
    case SPACE_LOCAL:
        at = within(c->local + ((uint64_t)w->number * WARP_SIZE + lane) * local, local, address,
                    bytes);
        break;
    case SPACE_CONST:
        at = address + bytes > g->module->constant_bytes
                 ? NULL
                 : device_at(g->memory, g->module->constant_base + address, bytes);
        break;
    case SPACE_PARAM:
        at = within(g->params, g->kernel->param_bytes, address, bytes);
        break;
    default:
        at = device_at(g->memory, address, bytes);
    }
    if (at == NULL || address % bytes != 0u) {
        plain_stop(g, i, "an access outside of memory, or misaligned");
    }
    return at;
}

/* ---- Loads and stores ---------------------------------------------------------------- */

static uint64_t extended(const struct ptx_inst *i, uint64_t value)
{
    switch (i->type) {
    case PTX_S8:
        return (uint64_t)(int64_t)(int8_t)value;
    case PTX_S16:
        return (uint64_t)(int64_t)(int16_t)value;
    case PTX_S32:
        return (uint64_t)(int64_t)(int32_t)value;
    default:
        return value;
    }
}

static void load(const struct plain_cta *c, struct plain_warp *w, const struct ptx_inst *i,
                 uint32_t lane)
{
    const size_t bytes = ptx_type_bytes(i->type);
    const uint8_t *const at = reach(c, w, i, lane, bytes * i->vector);
    for (uint32_t k = 0u; k < i->n_dst; k++) {
        uint64_t value = 0u;
        memcpy(&value, at + k * bytes, bytes);
        plain_set(c, w, &i->dst[k], lane, extended(i, value));
    }
}

static void store(const struct plain_cta *c, struct plain_warp *w, const struct ptx_inst *i,
                  uint32_t lane)
{
    const size_t bytes = ptx_type_bytes(i->type);
    uint8_t *const at = reach(c, w, i, lane, bytes * i->vector);
    for (uint32_t k = 0u; k < i->vector; k++) {
        const uint64_t value = plain_value(c, w, i, &i->src[k + 1u], lane);
        memcpy(at + k * bytes, &value, bytes);
    }
}

/* ---- Atomics ------------------------------------------------------------------------- */

static uint64_t sum(const struct ptx_inst *i, uint64_t old, uint64_t b)
{
    if (i->type == PTX_F32) {
        const uint32_t bits[] = { (uint32_t)old, (uint32_t)b };
        float value[2];
        uint32_t result;
        memcpy(value, bits, sizeof value);
        value[0] += value[1];
        memcpy(&result, value, sizeof result);
        return result;
    }
    if (i->type == PTX_F64) {
        const uint64_t bits[] = { old, b };
        double value[2];
        uint64_t result;
        memcpy(value, bits, sizeof value);
        value[0] += value[1];
        memcpy(&result, value, sizeof result);
        return result;
    }
    return old + b;
}

static bool less(const struct ptx_inst *i, uint64_t a, uint64_t b)
{
    return i->type == PTX_S32   ? (int32_t)a < (int32_t)b
           : i->type == PTX_S64 ? (int64_t)a < (int64_t)b
                                : a < b;
}

static uint64_t changed(const struct plain_cta *cta, const struct ptx_inst *i, uint64_t old,
                        uint64_t b, uint64_t c)
{
    switch (i->mode) {
    case MODE_ADD:
        return sum(i, old, b);
    case MODE_MIN:
        return less(i, old, b) ? old : b;
    case MODE_MAX:
        return less(i, old, b) ? b : old;
    case MODE_INC:
        return old >= b ? 0u : old + 1u;
    case MODE_DEC:
        return old == 0u || old > b ? b : old - 1u;
    case MODE_AND:
        return old & b;
    case MODE_OR:
        return old | b;
    case MODE_XOR:
        return old ^ b;
    case MODE_EXCH:
        return b;
    case MODE_CAS:
        return old == b ? c : old;
    default:
        plain_stop(cta->launch, i, "an atomic of another kind");
    }
}

static void atomic(const struct plain_cta *c, struct plain_warp *w, const struct ptx_inst *i,
                   uint32_t lane)
{
    const size_t bytes = ptx_type_bytes(i->type);
    uint8_t *const at = reach(c, w, i, lane, bytes);
    const uint64_t b = plain_value(c, w, i, &i->src[1], lane);
    const uint64_t d = i->n_src > 2u ? plain_value(c, w, i, &i->src[2], lane) : 0u;
    uint64_t old = 0u;
    memcpy(&old, at, bytes);
    const uint64_t value = changed(c, i, old, b, d);
    memcpy(at, &value, bytes);
    if (i->n_dst > 0u) {
        plain_set(c, w, &i->dst[0], lane, old);
    }
}

void plain_access(struct plain_cta *c, struct plain_warp *w, const struct ptx_inst *i,
                  uint32_t lanes)
{
    for (uint32_t lane = 0u; lane < WARP_SIZE; lane++) {
        if ((lanes >> lane & 1u) == 0u) {
            continue;
        }
        if (i->op == PTX_LD || i->op == PTX_LDU) {
            load(c, w, i, lane);
        } else if (i->op == PTX_ST) {
            store(c, w, i, lane);
        } else {
            atomic(c, w, i, lane);
        }
    }
}
