/*
 * exec_check - see exec_check.h.
 *
 * Order within a CTA is kept as vector clocks: a warp's own clock goes on when it arrives at a
 * barrier, and behind the barrier it knows the clocks of all that have arrived. An access comes
 * before another if the other's warp knows its clock.
 */

#include "exec/exec_check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "exec/exec_run.h"

enum { PLACES = 256, NOBODY = 255, CTA_WARPS = 32 };

enum finding { SHUFFLE, UNWRITTEN, RACE };

struct place {
    const struct exec_step *step;
    enum finding finding;
    uint64_t count;
    char text[512]; /* of the first */
};

/* A warp's access to a byte. */
struct stamp {
    uint32_t clock;
    uint8_t warp;
};

/* A byte of shared memory, with its last two readers: one of them is not the next writer. A
 * read before those is forgotten, though a barrier of some warps may have ordered them and not
 * it. */
struct cell {
    struct stamp write, read[2];
    bool written, atomic;
};

struct clocks {
    uint32_t of[CTA_WARPS];
};

struct exec_check {
    struct place place[PLACES];
    uint32_t n_place;
    uint64_t found;
};

/* What is known of a CTA. */
struct exec_watch {
    struct cell *shared;
    uint8_t *local; /* a byte for each: whether it was written */
    size_t room_shared, room_local;
    struct clocks warp[CTA_WARPS], barrier[BARRIERS];
};

struct exec_check *exec_check_open(void)
{
    return calloc(1u, sizeof(struct exec_check));
}

void exec_check_close(struct exec_check *check)
{
    free(check);
}

void exec_watch_free(struct exec_watch *watch)
{
    if (watch != NULL) {
        free(watch->shared);
        free(watch->local);
        free(watch);
    }
}

/* ---- Findings ------------------------------------------------------------------------ */

static struct place *place_of(struct exec_check *c, const struct exec_step *s, enum finding f)
{
    for (uint32_t k = 0u; k < c->n_place; k++) {
        if (c->place[k].step == s && c->place[k].finding == f) {
            return &c->place[k];
        }
    }
    if (c->n_place == PLACES) {
        return NULL;
    }
    c->place[c->n_place] = (struct place){ .step = s, .finding = f };
    return &c->place[c->n_place++];
}

static void report(const struct exec_run *r, const struct run_warp *w,
                   const struct exec_step *s, uint32_t lane, enum finding finding,
                   const char *what)
{
    char text[256];
    struct place *const p = place_of(r->check, s, finding);
    r->check->found++;
    if (p != NULL && p->count++ == 0u) {
        (void)snprintf(text, sizeof text, "warp %" PRIu32 ", lane %" PRIu32 " %s", w->number,
                       lane, what);
        exec_locate(r, w, s, lane, text, p->text, sizeof p->text);
    }
}

uint64_t exec_check_found(const struct exec_check *check)
{
    return check->found;
}

void exec_check_print(const struct exec_check *check, uint32_t most, const char *before,
                      FILE *to)
{
    for (uint32_t k = 0u; k < check->n_place && k < most; k++) {
        const struct place *const p = &check->place[k];
        fprintf(to, "%s%s (%" PRIu64 " time%s)\n", before, p->text, p->count,
                p->count == 1u ? "" : "s");
    }
    if (check->found != 0u) {
        fprintf(to, "%s%" PRIu64 " found, at %" PRIu32 "%s places\n", before, check->found,
                check->n_place, check->n_place == PLACES ? " or more" : "");
    }
}

/* ---- A CTA --------------------------------------------------------------------------- */

static bool room(void **memory, size_t *room, size_t needed, size_t size)
{
    if (needed > *room) {
        free(*memory);
        *memory = malloc(needed * size);
        *room = *memory == NULL ? 0u : needed;
    }
    return needed == 0u || *memory != NULL;
}

bool exec_check_start(struct exec_run *r)
{
    static const struct cell fresh = { .write.warp = NOBODY,
                                       .read = { { .warp = NOBODY }, { .warp = NOBODY } } };
    struct exec_watch *const c = r->watch != NULL ? r->watch : calloc(1u, sizeof *c);
    r->watch = c;
    if (c == NULL) {
        return false;
    }
    const size_t local = (size_t)r->warps * WARP_SIZE * r->function->local_bytes;
    void *cells = c->shared, *bytes = c->local;
    const bool good = room(&cells, &c->room_shared, r->shared_bytes, sizeof *c->shared)
                      && room(&bytes, &c->room_local, local, 1u);
    c->shared = cells;
    c->local = bytes;
    for (uint32_t k = 0u; good && k < r->shared_bytes; k++) {
        c->shared[k] = fresh;
    }
    if (good && local != 0u) {
        memset(c->local, 0, local);
    }
    memset(c->warp, 0, sizeof c->warp);
    memset(c->barrier, 0, sizeof c->barrier);
    for (uint32_t k = 0u; k < CTA_WARPS; k++) {
        c->warp[k].of[k] = 1u;
    }
    return good;
}

/* ---- Barriers ------------------------------------------------------------------------ */

static void learn(struct clocks *to, const struct clocks *from)
{
    for (uint32_t k = 0u; k < CTA_WARPS; k++) {
        to->of[k] = from->of[k] > to->of[k] ? from->of[k] : to->of[k];
    }
}

void exec_check_arrive(const struct exec_run *r, uint32_t warp, uint32_t barrier)
{
    learn(&r->watch->barrier[barrier], &r->watch->warp[warp]);
    r->watch->warp[warp].of[warp]++;
}

void exec_check_leave(const struct exec_run *r, uint32_t barrier)
{
    struct exec_watch *const c = r->watch;
    for (uint32_t k = 0u; k < r->warps; k++) {
        if (r->warp[k].state == WARP_WAITS && r->warp[k].barrier == barrier) {
            learn(&c->warp[k], &c->barrier[barrier]);
        }
    }
    c->barrier[barrier] = (struct clocks){ { 0u } };
}

/* ---- Shared memory ------------------------------------------------------------------- */

/* Another warp's access that does not come before this warp's. */
static bool meets(const struct exec_watch *c, uint32_t warp, const struct stamp *other)
{
    return other->warp != NOBODY && other->warp != warp
           && c->warp[warp].of[other->warp] < other->clock;
}

/* The warp that this access races with, or NOBODY. */
static uint32_t read_cell(const struct exec_watch *c, struct cell *cell, uint32_t warp)
{
    const uint32_t other = meets(c, warp, &cell->write) ? cell->write.warp : NOBODY;
    if (cell->read[0].warp != warp) {
        cell->read[1] = cell->read[0];
    }
    cell->read[0] = (struct stamp){ c->warp[warp].of[warp], (uint8_t)warp };
    return other;
}

static uint32_t write_cell(const struct exec_watch *c, struct cell *cell, uint32_t warp,
                           bool atomic)
{
    uint32_t other = NOBODY;
    if (meets(c, warp, &cell->write) && !(atomic && cell->atomic)) {
        other = cell->write.warp;
    }
    for (uint32_t k = 0u; k < 2u; k++) {
        other = meets(c, warp, &cell->read[k]) ? cell->read[k].warp : other;
        cell->read[k].warp = NOBODY;
    }
    cell->write = (struct stamp){ c->warp[warp].of[warp], (uint8_t)warp };
    cell->written = true;
    cell->atomic = atomic;
    return other;
}

static bool reads(const struct ptx_inst *i)
{
    return i->op != PTX_ST;
}
static bool writes(const struct ptx_inst *i)
{
    return i->op != PTX_LD && i->op != PTX_LDU;
}

static void race(const struct exec_run *r, const struct run_warp *w, const struct exec_step *s,
                 uint32_t lane, uint64_t address, uint32_t other)
{
    char what[160];
    (void)snprintf(what, sizeof what,
                   "%s shared address 0x%" PRIx64 ", which warp %" PRIu32
                   " accesses as well, without a barrier between",
                   writes(s->inst) ? "writes" : "reads", address, other);
    report(r, w, s, lane, RACE, what);
}

static void unwritten(const struct exec_run *r, const struct run_warp *w,
                      const struct exec_step *s, uint32_t lane, const char *space,
                      uint64_t address)
{
    char what[160];
    (void)snprintf(what, sizeof what,
                   "reads %u bytes at %s address 0x%" PRIx64
                   ", not all of which have been written",
                   (unsigned)s->total, space, address);
    report(r, w, s, lane, UNWRITTEN, what);
}

static void shared_access(const struct exec_run *r, const struct run_warp *w,
                          const struct exec_step *s, const struct exec_access *a)
{
    struct exec_watch *const c = r->watch;
    const bool atomic = writes(s->inst) && reads(s->inst);
    const bool orderly = (s->inst->flags & FLAG_VOLATILE) != 0u;
    uint32_t raced = 0u, other = NOBODY, racing = 0u;
    EACH_LANE(lane, a->lanes)
    {
        bool known = true;
        for (uint32_t k = 0u; k < s->total; k++) {
            struct cell *const cell = &c->shared[a->address[lane] + k];
            const uint32_t warp = w->number;
            known = known && cell->written;
            const uint32_t with = orderly           ? NOBODY
                                  : writes(s->inst) ? write_cell(c, cell, warp, atomic)
                                                    : read_cell(c, cell, warp);
            cell->written = cell->written || writes(s->inst);
            if (with != NOBODY && raced++ == 0u) {
                other = with;
                racing = lane;
            }
        }
        if (!known && reads(s->inst)) {
            unwritten(r, w, s, lane, "shared", a->address[lane]);
        }
    }
    if (raced != 0u) {
        race(r, w, s, racing, a->address[racing], other);
    }
}

/* ---- Lanes of one store -------------------------------------------------------------- */

static uint64_t value_of(const struct run_warp *w, const struct exec_step *s, uint32_t element,
                         uint32_t lane)
{
    const void *const row = exec_source(&w->w, &s->inst->src[element + 1u]);
    const uint64_t value = (s->wide >> element & 1u) != 0u ? ((const uint64_t *)row)[lane]
                                                           : ((const uint32_t *)row)[lane];
    return s->bytes == 8u ? value : value & ((UINT64_C(1) << 8u * s->bytes) - 1u);
}

static bool same_values(const struct run_warp *w, const struct exec_step *s, uint32_t lane,
                        uint32_t other)
{
    for (uint32_t k = 0u; k + 1u < s->inst->n_src; k++) {
        if (value_of(w, s, k, lane) != value_of(w, s, k, other)) {
            return false;
        }
    }
    return true;
}

/* Aligned accesses of one size are at one place or apart. */
static void lanes_of_store(const struct exec_run *r, const struct run_warp *w,
                           const struct exec_step *s, const struct exec_access *a)
{
    char what[160];
    EACH_LANE(lane, a->lanes)
    {
        for (uint32_t other = 0u; other < lane; other++) {
            if ((a->lanes >> other & 1u) != 0u && a->address[other] == a->address[lane]
                && !same_values(w, s, lane, other)) {
                (void)snprintf(what, sizeof what,
                               "writes shared address 0x%" PRIx64 ", to which lane %" PRIu32
                               " writes another value",
                               a->address[lane], other);
                report(r, w, s, lane, RACE, what);
                return;
            }
        }
    }
}

/* ---- Global and local memory --------------------------------------------------------- */

/* Its bytes, one for each; NULL: memory that is not watched. */
static uint8_t *written_at(const struct exec_run *r, uint32_t warp, uint32_t lane,
                           enum ptx_space space, uint64_t address, uint32_t bytes)
{
    const size_t apart = r->function->local_bytes;
    return space == SPACE_LOCAL ? r->watch->local + (warp * WARP_SIZE + lane) * apart + address
                                : device_written(r->launch->memory, address, bytes);
}

static void plain_access(const struct exec_run *r, const struct run_warp *w,
                         const struct exec_step *s, const struct exec_access *a)
{
    const bool local = a->space == SPACE_LOCAL;
    EACH_LANE(lane, a->lanes)
    {
        uint8_t *const written =
            written_at(r, w->number, lane, a->space, a->address[lane], s->total);
        if (written == NULL) {
            continue; /* memory that is not watched */
        }
        if (reads(s->inst) && memchr(written, 0, s->total) != NULL) {
            unwritten(r, w, s, lane, local ? "local" : "global", a->address[lane]);
        }
        if (writes(s->inst)) {
            memset(written, 1, s->total);
        }
    }
}

/* ---- What the executor calls --------------------------------------------------------- */

void exec_check_access(const struct exec_run *r, const struct run_warp *w,
                       const struct exec_step *s, const struct exec_access *a)
{
    switch (a->space) {
    case SPACE_SHARED:
        if (s->inst->op == PTX_ST) {
            lanes_of_store(r, w, s, a);
        }
        shared_access(r, w, s, a);
        break;
    case SPACE_GLOBAL:
    case SPACE_LOCAL:
        plain_access(r, w, s, a);
        break;
    default: /* constants and parameters have values from the start */
        break;
    }
}

void exec_check_wrote(const struct exec_run *r, uint32_t warp, uint32_t lane,
                      enum ptx_space space, uint64_t address, uint32_t bytes)
{
    for (uint32_t k = 0u; space == SPACE_SHARED && k < bytes; k++) {
        r->watch->shared[address + k].written = true;
    }
    uint8_t *const written =
        space == SPACE_SHARED ? NULL : written_at(r, warp, lane, space, address, bytes);
    if (written != NULL) {
        memset(written, 1, bytes);
    }
}

void exec_check_shuffle(const struct exec_run *r, const struct run_warp *w,
                        const struct exec_step *s, uint32_t lane, uint32_t from)
{
    char what[96];
    (void)snprintf(what, sizeof what,
                   "takes the value of lane %" PRIu32 ", which does not execute the shuffle",
                   from);
    report(r, w, s, lane, SHUFFLE, what);
}
