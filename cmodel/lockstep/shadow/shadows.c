/* shadows - opens and closes the shadows of a run; see shadow.h. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lockstep/shadow/shadow_parts.h"

enum { ALL_RECORDS = 16384, FEWEST_RECORDS = 256 }; /* powers of two */

/* ---- One ----------------------------------------------------------------------------- */

static bool open_rtl(struct shadow *shadow)
{
    const struct unit *const unit = shadow->pair.unit;

    if (shadow->options.library == NULL && shadow->options.built) {
        rtl_file_name(unit, shadow->library, SHADOW_PATH);
    } else if (!rtl_find(unit, shadow->options.library, shadow->library, SHADOW_PATH)) {
        return false;
    }
    return pair_load(&shadow->pair, shadow->library);
}

/* The inputs and outputs of a cycle: some in a ring, or one. */
static bool open_record(struct shadow *shadow)
{
    const size_t unit = sizeof(struct record); /* whose alignment is any type's */

    shadow->out_at = unit + shadow->pair.inputs.packed;
    const size_t out = shadow->options.alone ? 0u : shadow->pair.out_bytes;
    const size_t bytes = (shadow->out_at + out + unit - 1u) / unit * unit;
    if (shadow->all->options.mode == SHADOW_ASIDE && !shadow->options.report) {
        shadow->ring.bytes = bytes; /* shadows_start opens it */
        return true;
    }
    shadow->record = calloc(1u, bytes);
    return shadow->record != NULL;
}

static bool open_vectors(struct shadow *shadow)
{
    const char *const file = shadow->options.vectors;

    shadow->writer = vector_writer_open(shadow->pair.unit, file);
    if (shadow->writer == NULL) {
        return false;
    }
    vector_write(shadow->writer, true);
    return true;
}

static bool open_parts(struct shadow *shadow, const char *unit, const void *config)
{
    if (!pair_open(&shadow->pair, unit, config)) {
        return false;
    }
    shadow->pair.every = shadow->options.every;
    if (shadow->options.parts && !pair_open_parts(&shadow->pair)) {
        return false;
    }
    if (shadow->options.count && !pair_count(&shadow->pair)) {
        return false;
    }
    if (!open_record(shadow)) {
        fputs("no memory for the cycles of a unit\n", stderr);
        return false;
    }
    if (shadow->all->options.mode != SHADOW_VECTORS && !open_rtl(shadow)) {
        return false;
    }
    return pair_reset(&shadow->pair, shadow->options.report)
           && (shadow->options.vectors == NULL || open_vectors(shadow));
}

/* keep: its vectors are to be. */
static bool close(struct shadow *shadow, bool keep)
{
    bool good = true;

    if (shadow->writer != NULL && keep) {
        good = vector_writer_close(shadow->writer);
    } else if (shadow->writer != NULL) {
        vector_writer_abandon(shadow->writer);
    }
    if (shadow->ring.bytes == 0u) {
        free(shadow->record);
    }
    ring_close(&shadow->ring);
    pair_close(&shadow->pair);
    free(shadow);
    return good;
}

struct shadow *shadow_open(struct shadows *shadows, const char *unit, const void *config,
                           const struct shadow_options *options)
{
    struct shadow *const shadow = aligned_alloc(RING_LINE, sizeof *shadow);

    if (shadow == NULL) {
        fputs("no memory for the RTL\n", stderr);
        return NULL;
    }
    memset(shadow, 0, sizeof *shadow);
    shadow->all = shadows;
    shadow->options = *options;
    if (!open_parts(shadow, unit, config)) {
        (void)close(shadow, false);
        return NULL;
    }
    *(shadows->last == NULL ? &shadows->first : &shadows->last->next) = shadow;
    shadows->last = shadow;
    shadows->n++;
    return shadow;
}

/* ---- All ----------------------------------------------------------------------------- */

struct shadows *shadows_open(const struct shadows_options *options)
{
    struct shadows *const shadows = aligned_alloc(RING_LINE, sizeof *shadows);

    if (shadows == NULL) {
        fputs("no memory for the RTL\n", stderr);
        return NULL;
    }
    memset(shadows, 0, sizeof *shadows);
    shadows->options = *options;
    atomic_init(&shadows->bound, options->last);
    pthread_mutex_init(&shadows->mutex, NULL);
    pthread_cond_init(&shadows->space, NULL);
    pthread_cond_init(&shadows->work, NULL);
    return shadows;
}

/* The records of all rings together: a ring alone holds enough of a time in which the run is
 * faster than the comparison for one in which it is slower, and many stay in the caches. */
static uint64_t records_each(const struct shadows *shadows)
{
    uint64_t most = ALL_RECORDS;

    while (most > FEWEST_RECORDS && most * shadows->n > ALL_RECORDS) {
        most /= 2u;
    }
    return most;
}

static bool open_rings(struct shadows *shadows)
{
    const uint64_t most = records_each(shadows);

    for (struct shadow *s = shadows->first; s != NULL; s = s->next) {
        if (!ring_open(&s->ring, most)) {
            fputs("no memory for the cycles of a unit\n", stderr);
            return false;
        }
    }
    return true;
}

bool shadows_start(struct shadows *shadows)
{
    bool aside = shadows->n != 0u;

    for (struct shadow *s = shadows->first; s != NULL; s = s->next) {
        aside = aside && s->ring.bytes != 0u;
    }
    if (!aside) {
        return true;
    }
    if (!open_rings(shadows) || !workers_start(shadows)) {
        return false;
    }
    for (struct shadow *s = shadows->first; s != NULL; s = s->next) {
        s->aside = true;
    }
    return true;
}

bool shadows_go_on(const struct shadows *shadows, uint64_t where)
{
    return is_wanted(shadows, where);
}

void shadows_end(struct shadows *shadows, uint64_t where)
{
    shadows->end = where;
    if (shadows->workers != NULL) {
        workers_end(shadows);
        return;
    }
    for (struct shadow *s = shadows->first; s != NULL; s = s->next) {
        if (shadows->options.mode == SHADOW_ASIDE) {
            shadow_finish(s, where);
        }
    }
}

bool shadows_lost(const struct shadows *shadows)
{
    for (const struct shadow *s = shadows->first; s != NULL; s = s->next) {
        if (s->found == PAIR_LOST) {
            return true;
        }
    }
    return false;
}

const struct shadow *shadows_first(const struct shadows *shadows, uint64_t *where)
{
    const struct shadow *first = NULL;

    for (const struct shadow *s = shadows->first; s != NULL; s = s->next) {
        if ((s->found == PAIR_RTL || s->found == PAIR_MODEL)
            && (first == NULL || s->where < first->where)) {
            first = s;
        }
    }
    *where = first == NULL ? 0u : first->where;
    return first;
}

bool shadows_close(struct shadows *shadows, bool keep)
{
    bool good = true;

    if (shadows == NULL) {
        return true;
    }
    if (shadows->workers != NULL) { /* the run was not run */
        workers_end(shadows);
    }
    for (struct shadow *s = shadows->first; s != NULL;) {
        struct shadow *const next = s->next;
        good = close(s, keep) && good;
        s = next;
    }
    pthread_mutex_destroy(&shadows->mutex);
    pthread_cond_destroy(&shadows->space);
    pthread_cond_destroy(&shadows->work);
    free(shadows);
    return good;
}
