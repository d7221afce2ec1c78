/* shadow_parts - what shadows are made of, for the files of this folder only. */

#ifndef SHADOW_PARTS_H
#define SHADOW_PARTS_H

#include <pthread.h>
#include <stdatomic.h>

#include "lockstep/shadow/pair.h"
#include "lockstep/shadow/ring.h"
#include "lockstep/shadow/shadow.h"
#include "lockstep/vectors.h"

enum { SHADOW_PATH = 1024 };

/* A cycle, in a ring; the unit's inputs and outputs follow, packed, and those of its parts. */
struct record {
    _Alignas(max_align_t) uint64_t where;
};

struct shadow {
    struct ring ring;
    struct shadows *all;
    struct shadow *next; /* in the order in which they were opened */
    struct vector_writer *writer;
    bool aside; /* threads compare its cycles; otherwise that is done at once ... */
    struct record
        *record;   /* ... out of this one; with threads, the place of the next in the ring */
    size_t out_at; /* of the outputs, in a record */
    struct shadow_options options;
    struct pair pair;
    atomic_bool claimed; /* by the thread that compares it now, whose are: */
    uint64_t where;      /* of what was found */
    enum pair_found found;
    bool done;    /* nothing more of it is compared */
    bool settled; /* for SHADOW_DRIVES */
    char library[SHADOW_PATH];
};

/* A thread that compares. */
struct worker {
    struct shadow *first; /* where it begins to look for records, so that they part */
    pthread_t thread;
    bool started;
};

struct shadows {
    /* The smallest `where` of a difference so far, or options.last; read at every push. */
    _Alignas(RING_LINE) _Atomic uint64_t bound;
    struct shadow *first, *last;
    struct worker *workers;
    uint64_t end; /* the last cycle of the run, once nothing comes any more: */
    atomic_bool ending;
    atomic_bool waiting;     /* the run's thread, for a ring with space or that it can claim */
    _Atomic uint32_t asleep; /* workers, for records */
    bool reported;           /* a difference has been; nothing more is compared */
    uint32_t n;
    uint32_t n_worker;
    pthread_mutex_t mutex;
    pthread_cond_t space, work;
    struct shadows_options options;
};

static inline bool is_wanted(const struct shadows *shadows, uint64_t where)
{
    return where <= atomic_load_explicit(&shadows->bound, memory_order_relaxed);
}

/* ---- Comparison, on whichever thread (comparison.c) ----------------------------------------
 */

/* Something was found, in `where` at the latest; out: the outputs of the run. */
void shadow_note(struct shadow *shadow, enum pair_found found, uint64_t where, const void *out);
/* Takes a record, unless it is later than the first difference. */
void shadow_take(struct shadow *shadow, const struct record *record);
/* The inputs stay to the end of the run. */
void shadow_finish(struct shadow *shadow, uint64_t end);

/* ---- Threads (workers.c) ----------------------------------------------------------------- */

/* False with the reason on stderr. */
bool workers_start(struct shadows *shadows);
/* All that was pushed is compared, to the end; then the threads have ended. */
void workers_end(struct shadows *shadows);

/* The place for a shadow's next record; waits for it. */
struct record *workers_place(struct shadow *shadow);
/* Records of the shadow may be taken. */
void workers_publish(struct shadow *shadow);

#endif
