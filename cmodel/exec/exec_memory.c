/*
 * exec_memory - where the lanes of an access go in the host's memory; loads and stores.
 *
 * Every address is checked: alignment to the whole access, and bounds, which for global memory
 * are those of one allocation.
 */

#include <string.h>

#include "exec/exec_run.h"

/* ---- Addresses ----------------------------------------------------------------------- */

/* Addresses of all lanes; switched-off lanes have any. */
static void addresses(const struct exec_run *r, const struct run_warp *w,
                      const struct exec_step *s, uint64_t *address)
{
    const struct ptx_operand *const o = &s->inst->src[0];
    const uint64_t plus = o->value + (s->global_symbol ? r->launch->global_base : 0u);
    if (s->wide_address) {
        const uint64_t *const row = exec_source(&w->w, o);
        for (uint32_t lane = 0u; lane < WARP_SIZE; lane++) {
            address[lane] = row[lane] + plus;
        }
    } else { /* 32-bit registers wrap at 32 bits */
        const uint32_t *const row = exec_source(&w->w, o);
        for (uint32_t lane = 0u; lane < WARP_SIZE; lane++) {
            address[lane] = row[lane] + (uint32_t)plus;
        }
    }
}

/* Is every lane's address `step` above the one before? */
static bool steps_by(const uint64_t *address, uint64_t step)
{
    uint64_t other = 0u;
    for (uint32_t lane = 0u; lane < WARP_SIZE; lane++) {
        other |= address[lane] ^ (address[0] + lane * step);
    }
    return other == 0u;
}

static enum access_shape shape_of(const struct exec_step *s, const uint64_t *address,
                                  uint32_t lanes)
{
    if (lanes != UINT32_MAX) {
        return SHAPE_ANY;
    }
    if (address[1] - address[0] == s->total) {
        return steps_by(address, s->total) ? SHAPE_ROW : SHAPE_ANY;
    }
    return address[1] == address[0] && steps_by(address, 0u) ? SHAPE_ONE : SHAPE_ANY;
}

static bool aligned(const struct exec_step *s, const struct exec_access *a)
{
    uint64_t odd = a->address[lowest_lane(a->lanes)];
    if (a->lanes == UINT32_MAX) {
        for (uint32_t lane = 0u; lane < WARP_SIZE; lane++) {
            odd |= a->address[lane];
        }
    } else if (a->shape == SHAPE_ANY) {
        EACH_LANE(lane, a->lanes)
        {
            odd |= a->address[lane];
        }
    }
    return (odd & (s->total - 1u)) == 0u;
}

static inline void extend(uint64_t address, uint64_t *low, uint64_t *high)
{
    *low = address < *low ? address : *low;
    *high = address > *high ? address : *high;
}

static void bounds(const struct exec_access *a, uint64_t *low, uint64_t *high)
{
    *low = a->address[lowest_lane(a->lanes)];
    *high = *low;
    if (a->shape != SHAPE_ANY) {
        *high = a->address[WARP_SIZE - 1];
        return;
    }
    if (a->lanes == UINT32_MAX) {
        for (uint32_t lane = 0u; lane < WARP_SIZE; lane++) {
            extend(a->address[lane], low, high);
        }
        return;
    }
    EACH_LANE(lane, a->lanes)
    {
        extend(a->address[lane], low, high);
    }
}

static uint32_t misaligned_lane(const struct exec_step *s, const uint64_t *address,
                                uint32_t lanes)
{
    EACH_LANE(lane, lanes)
    {
        if ((address[lane] & (s->total - 1u)) != 0u) {
            return lane;
        }
    }
    return 0u;
}

/* ---- Spaces -------------------------------------------------------------------------- */

/* All host memory that an access touches comes from here, with the extent that it touches. */
static uint8_t *host_at(const struct exec_run *r, uint32_t warp, uint32_t lane,
                        enum ptx_space space, uint64_t address, uint64_t bytes)
{
    const struct exec_launch *const g = r->launch;
    uint64_t size;
    const uint8_t *base;
    switch (space) {
    case SPACE_SHARED:
        size = r->shared_bytes;
        base = r->shared;
        break;
    case SPACE_LOCAL:
        size = r->function->local_bytes;
        base = r->local + (warp * WARP_SIZE + lane) * size;
        break;
    case SPACE_CONST:
        size = g->module->const_bytes;
        base = g->constants;
        break;
    case SPACE_PARAM:
        size = r->function->param_bytes;
        base = g->params;
        break;
    default:
        return device_at(g->memory, address, bytes);
    }
    /* Constants and parameters are only read: stores to them are refused before. */
    return address <= size && bytes <= size - address ? (uint8_t *)base + address : NULL;
}

uint8_t *exec_host_at(const struct exec_run *r, uint32_t warp, uint32_t lane,
                      enum ptx_space space, uint64_t address, uint64_t bytes)
{
    return host_at(r, warp, lane, space, address, bytes);
}

static bool each_alone(struct exec_run *r, const struct run_warp *w, const struct exec_step *s,
                       struct exec_access *a)
{
    EACH_LANE(lane, a->lanes)
    {
        a->at[lane] = host_at(r, w->number, lane, a->space, a->address[lane], s->total);
        if (a->at[lane] == NULL) {
            return exec_fault_access(r, w, s, lane, a->space, a->address[lane]);
        }
    }
    return true;
}

/* All lanes in one stretch of memory, which is looked up once. */
static bool together(struct exec_run *r, const struct run_warp *w, const struct exec_step *s,
                     struct exec_access *a)
{
    const uint64_t most = UINT64_C(1) << 40; /* so that no sum wraps */
    const bool local = a->space == SPACE_LOCAL;
    const size_t apart = local ? r->function->local_bytes : 0u;
    uint64_t low, high;
    bounds(a, &low, &high);
    uint8_t *const base = high - low < most && high >= low
                              ? host_at(r, w->number, 0u, a->space, low, high - low + s->total)
                              : NULL;
    if (base == NULL) {
        return each_alone(r, w, s, a);
    }
    a->row = a->shape == SHAPE_ROW && !local ? base : NULL;
    if (a->lanes == UINT32_MAX) {
        for (uint32_t lane = 0u; lane < WARP_SIZE; lane++) {
            a->at[lane] = base + (a->address[lane] - low) + lane * apart;
        }
        return true;
    }
    EACH_LANE(lane, a->lanes)
    {
        a->at[lane] = base + (a->address[lane] - low) + lane * apart;
    }
    return true;
}

/* Those who ask for accesses. */
static bool tell(struct exec_run *r, const struct run_warp *w, const struct exec_step *s,
                 const struct exec_access *a)
{
    if (r->check != NULL) {
        exec_check_access(r, w, s, a);
    }
    return r->footprint == NULL || exec_footprint_access(r, w, s, a);
}

static bool reach(struct exec_run *r, const struct run_warp *w, const struct exec_step *s,
                  struct exec_access *a)
{
    const bool good = together(r, w, s, a);
    return !r->watched || !good || w->due != NULL ? good : tell(r, w, s, a);
}

static bool only_reads(const struct ptx_inst *i)
{
    return i->op == PTX_LD || i->op == PTX_LDU;
}

/* Lanes may be in different spaces; the record is of those in the lowest lane's. */
static bool generic(struct exec_run *r, const struct run_warp *w, const struct exec_step *s,
                    struct exec_access *a)
{
    uint32_t in[SPACE_PARAM + 1] = { 0u };
    const uint32_t lanes = a->lanes;
    EACH_LANE(lane, lanes)
    {
        in[exec_window(&a->address[lane])] |= 1u << lane;
    }
    if (in[SPACE_CONST] != 0u && !only_reads(s->inst)) {
        const uint32_t lane = lowest_lane(in[SPACE_CONST]);
        return exec_fault_access(r, w, s, lane, SPACE_CONST, a->address[lane]);
    }
    enum ptx_space first = SPACE_GLOBAL;
    for (enum ptx_space space = SPACE_GLOBAL; space <= SPACE_PARAM; space++) {
        a->space = space;
        a->lanes = in[space];
        a->shape = in[space] == 0u || in[space] == lanes ? a->shape : SHAPE_ANY;
        first = (in[space] >> lowest_lane(lanes) & 1u) != 0u ? space : first;
        if (in[space] != 0u && !reach(r, w, s, a)) {
            return false;
        }
    }
    a->space = first;
    a->lanes = in[first];
    return true;
}

bool exec_resolve(struct exec_run *r, struct run_warp *w, const struct exec_step *s,
                  uint32_t lanes, struct exec_access *a)
{
    addresses(r, w, s, a->address);
    a->space = s->inst->space;
    a->lanes = lanes;
    a->row = NULL;
    a->shape = shape_of(s, a->address, lanes);
    if (!aligned(s, a)) {
        const uint32_t lane = misaligned_lane(s, a->address, lanes);
        const enum ptx_space space =
            a->space == SPACE_GENERIC ? exec_window(&a->address[lane]) : a->space;
        return exec_fault_access(r, w, s, lane, space, a->address[lane]);
    }
    if (a->space == SPACE_GENERIC ? !generic(r, w, s, a) : !reach(r, w, s, a)) {
        return false;
    }
    return !r->streams || r->performs || exec_record_access(r, w, s, a);
}

/* ---- Loads and stores ---------------------------------------------------------------- */

/* Loops over all 32 lanes are worth a case of their own: they have no branches. */
#define LOAD(name, type)                                                                      \
    static void name(void *row, bool wide, uint8_t *const *at, size_t offset, uint32_t lanes) \
    {                                                                                         \
        type value;                                                                           \
        if (lanes == UINT32_MAX && !wide) {                                                   \
            for (uint32_t lane = 0u; lane < WARP_SIZE; lane++) {                              \
                memcpy(&value, at[lane] + offset, sizeof value);                              \
                ((uint32_t *)row)[lane] = (uint32_t)value;                                    \
            }                                                                                 \
            return;                                                                           \
        }                                                                                     \
        EACH_LANE(lane, lanes)                                                                \
        {                                                                                     \
            memcpy(&value, at[lane] + offset, sizeof value);                                  \
            if (wide) {                                                                       \
                ((uint64_t *)row)[lane] = (uint64_t)value;                                    \
            } else {                                                                          \
                ((uint32_t *)row)[lane] = (uint32_t)value;                                    \
            }                                                                                 \
        }                                                                                     \
    }
LOAD(load_u8, uint8_t)
LOAD(load_s8, int8_t)
LOAD(load_u16, uint16_t)
LOAD(load_s16, int16_t)
LOAD(load_u32, uint32_t)
LOAD(load_s32, int32_t)
LOAD(load_u64, uint64_t)

typedef void loader(void *row, bool wide, uint8_t *const *at, size_t offset, uint32_t lanes);

/* By log2 of the bytes, and sign. */
static loader *const loaders[4][2] = {
    { load_u8, load_s8 }, { load_u16, load_s16 }, { load_u32, load_s32 }, { load_u64, load_u64 }
};

/* Are the bytes in memory those of a row? */
static bool whole_row(const struct exec_step *s, const struct exec_access *a)
{
    return a->row != NULL && s->total == s->bytes
           && ((s->bytes == 4u && s->wide == 0u) || (s->bytes == 8u && s->wide == 1u));
}

bool exec_load(struct exec_run *r, struct run_warp *w, const struct exec_step *s,
               uint32_t lanes)
{
    const struct ptx_inst *const i = s->inst;
    struct exec_access a;
    if (!exec_resolve(r, w, s, lanes, &a)) {
        return false;
    }
    if (s->ordered) {
        exec_poll_found(r, w, s, &a, lanes);
    }
    if (whole_row(s, &a) && i->dst[0].kind == OPERAND_REGISTER) {
        memcpy(exec_destination(&w->w, &i->dst[0]), a.row, (size_t)s->total * WARP_SIZE);
        return true;
    }
    loader *const load = loaders[__builtin_ctz(s->bytes)][s->sign];
    for (uint32_t k = 0u; k < i->n_dst; k++) {
        if (i->dst[k].kind == OPERAND_REGISTER) {
            load(exec_destination(&w->w, &i->dst[k]), (s->wide >> k & 1u) != 0u, a.at,
                 (size_t)k * s->bytes, lanes);
        }
    }
    return true;
}

#define STORE(name, type)                                                           \
    static void name(const void *row, bool wide, uint8_t *const *at, size_t offset, \
                     uint32_t lanes)                                                \
    {                                                                               \
        EACH_LANE(lane, lanes)                                                      \
        {                                                                           \
            const type value = wide ? (type)((const uint64_t *)row)[lane]           \
                                    : (type)((const uint32_t *)row)[lane];          \
            memcpy(at[lane] + offset, &value, sizeof value);                        \
        }                                                                           \
    }
STORE(store_8, uint8_t)
STORE(store_16, uint16_t)
STORE(store_32, uint32_t)
STORE(store_64, uint64_t)

typedef void storer(const void *row, bool wide, uint8_t *const *at, size_t offset,
                    uint32_t lanes);
static storer *const storers[4] = { store_8, store_16, store_32, store_64 };

bool exec_store(struct exec_run *r, struct run_warp *w, const struct exec_step *s,
                uint32_t lanes)
{
    const struct ptx_inst *const i = s->inst;
    struct exec_access a;
    if (!exec_resolve(r, w, s, lanes, &a)) {
        return false;
    }
    if (s->ordered) {
        exec_poll_wrote(r, w, s, &a, lanes);
    } else {
        exec_poll_done(w);
    }
    if (whole_row(s, &a)) {
        memcpy(a.row, exec_source(&w->w, &i->src[1]), (size_t)s->total * WARP_SIZE);
        return true;
    }
    storer *const store = storers[__builtin_ctz(s->bytes)];
    for (uint32_t k = 0u; k + 1u < i->n_src; k++) {
        store(exec_source(&w->w, &i->src[k + 1u]), (s->wide >> k & 1u) != 0u, a.at,
              (size_t)k * s->bytes, lanes);
    }
    return true;
}
