/* shadow - RTL and vectors beside a model that runs somewhere else; see shadow.h. */

#include "lockstep/shadow.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lockstep/difference.h"
#include "lockstep/rtl.h"
#include "lockstep/vectors.h"

enum { PATH = 1024 };

/* The inputs of all cycles so far, for a report: a packed image each. */
struct history {
    uint32_t *image;
    uint32_t words; /* of one */
    uint64_t n, capacity;
};

struct shadow {
    struct unit *unit; /* of which model and next are those of who runs it */
    void *own_model, *own_next;
    struct shadow_options options;
    struct rtl *rtl;
    char library[PATH];
    struct vector_writer *writer;
    uint64_t cycles;
    bool settled;
    bool lost; /* no memory for the history */
    struct history history;
};

/* ---- History ------------------------------------------------------------------------- */

static bool remember(struct shadow *shadow)
{
    struct history *const h = &shadow->history;

    if (h->n == h->capacity) {
        const uint64_t capacity = h->capacity == 0u ? 1024u : 2u * h->capacity;
        uint32_t *const image = realloc(h->image, capacity * h->words * sizeof *image);
        if (image == NULL) {
            fputs("no memory for the inputs of a report\n", stderr);
            return false;
        }
        h->image = image;
        h->capacity = capacity;
    }
    unit_pack_group(shadow->unit, UNIT_IN, shadow->unit->in, h->image + h->n * h->words);
    h->n++;
    return true;
}

struct again {
    const struct history *history;
    struct unit *model;
    uint64_t cycle;
};

static void *again_open(void *self, struct unit *model)
{
    struct again *const again = malloc(sizeof *again);

    if (again != NULL) {
        *again = (struct again){ .history = self, .model = model };
    }
    return again;
}

static bool again_next(void *inputs)
{
    struct again *const again = inputs;
    const struct history *const h = again->history;

    if (again->cycle < h->n) {
        unit_unpack_group(again->model, UNIT_IN, h->image + again->cycle * h->words,
                          again->model->in);
    }
    return again->cycle++ == 0u;
}

/* ---- A cycle ------------------------------------------------------------------------- */

void shadow_eval(struct shadow *shadow, const void *model, const void *in, void *out,
                 const void *next)
{
    struct unit *const unit = shadow->unit;
    const size_t *const size = unit->type->group_size;

    /* The description's functions take a unit's buffers; they change neither of these. */
    unit->model = (void *)model;
    unit->next = (void *)next;
    memcpy(unit->in, in, size[UNIT_IN]);
    memcpy(unit->out, out, size[UNIT_OUT]);
    if (shadow->rtl != NULL) {
        rtl_eval(shadow->rtl, false);
        if (shadow->options.drive) {
            rtl_outputs(shadow->rtl, out);
        }
    }
}

static void report(const struct shadow *shadow, uint64_t where)
{
    char origin[3 * PATH];

    snprintf(origin, sizeof origin,
             "  library    %s\n  rtl        %s\n  %s, cycle %" PRIu64 "\n", shadow->library,
             rtl_source(shadow->rtl), shadow->options.origin, where);
    difference_report(&(struct difference){
        .model = shadow->unit,
        .rtl = shadow->rtl,
        .library = shadow->library,
        .origin = origin,
        .name = shadow->options.name,
        .cycle = shadow->history.n - 1u,
        .last_reset = 0u,
        .folder = shadow->options.folder,
        .program = shadow->options.program,
        .inputs = { (void *)&shadow->history, again_open, again_next, free },
    });
}

bool shadow_edge(struct shadow *shadow, uint64_t where)
{
    if (shadow->rtl != NULL) {
        if (!remember(shadow)) {
            shadow->lost = true;
            return false;
        }
        if (!rtl_equal(shadow->rtl)) {
            report(shadow, where);
            return false;
        }
        rtl_tick(shadow->rtl, false);
        shadow->settled = rtl_settled(shadow->rtl);
    }
    if (shadow->writer != NULL) {
        vector_write(shadow->writer, false);
    }
    shadow->cycles++;
    return true;
}

bool shadow_lost(const struct shadow *shadow)
{
    return shadow->lost;
}

bool shadow_settled(const struct shadow *shadow)
{
    return shadow->rtl == NULL || shadow->settled;
}

bool shadow_library_of(const char *unit, const void *config, char *text, size_t size)
{
    struct fault fault;
    struct unit *const opened = unit_open_config(unit, config, &fault);

    if (opened == NULL) {
        fprintf(stderr, "%s\n", fault_text(&fault));
        return false;
    }
    rtl_file_name(opened, text, size);
    unit_close(opened);
    return true;
}

const char *shadow_library(const struct shadow *shadow)
{
    return shadow->library;
}

const char *shadow_source(const struct shadow *shadow)
{
    return shadow->rtl == NULL ? "" : rtl_source(shadow->rtl);
}

uint64_t shadow_cycles(const struct shadow *shadow)
{
    return shadow->cycles;
}

/* ---- Open and close ------------------------------------------------------------------ */

/* Cycle 0 is a reset, with all inputs 0. */
static bool reset(struct shadow *shadow)
{
    unit_eval(shadow->unit);
    shadow->cycles = 1u;
    if (shadow->writer != NULL) {
        vector_write(shadow->writer, true);
    }
    if (shadow->rtl != NULL) {
        rtl_eval(shadow->rtl, true);
        rtl_tick(shadow->rtl, true);
        return remember(shadow);
    }
    return true;
}

static bool open_rtl(struct shadow *shadow)
{
    if (shadow->options.library == NULL && shadow->options.built) {
        rtl_file_name(shadow->unit, shadow->library, PATH);
    } else if (!rtl_find(shadow->unit, shadow->options.library, shadow->library, PATH)) {
        return false;
    }
    shadow->rtl = rtl_open(shadow->unit, shadow->library);
    return shadow->rtl != NULL;
}

static bool open_all(struct shadow *shadow, const char *unit, const void *config)
{
    struct fault fault;

    shadow->unit = unit_open_config(unit, config, &fault);
    if (shadow->unit == NULL) {
        fprintf(stderr, "%s\n", fault_text(&fault));
        return false;
    }
    shadow->own_model = shadow->unit->model;
    shadow->own_next = shadow->unit->next;
    shadow->history.words = unit_words(shadow->unit->image_bits[UNIT_IN] + 1u);
    if (shadow->options.rtl && !open_rtl(shadow)) {
        return false;
    }
    if (shadow->options.vectors != NULL) {
        shadow->writer = vector_writer_open(shadow->unit, shadow->options.vectors);
        if (shadow->writer == NULL) {
            return false;
        }
    }
    return reset(shadow);
}

struct shadow *shadow_open(const char *unit, const void *config,
                           const struct shadow_options *options)
{
    struct shadow *const shadow = calloc(1u, sizeof *shadow);

    if (shadow == NULL) {
        return NULL;
    }
    shadow->options = *options;
    if (!open_all(shadow, unit, config)) {
        (void)shadow_close(shadow, false);
        return NULL;
    }
    return shadow;
}

bool shadow_close(struct shadow *shadow, bool keep)
{
    bool ok = true;

    if (shadow == NULL) {
        return true;
    }
    if (shadow->writer != NULL && keep) {
        ok = vector_writer_close(shadow->writer);
    } else if (shadow->writer != NULL) {
        vector_writer_abandon(shadow->writer);
    }
    rtl_close(shadow->rtl);
    if (shadow->unit != NULL) {
        shadow->unit->model = shadow->own_model;
        shadow->unit->next = shadow->own_next;
    }
    unit_close(shadow->unit);
    free(shadow->history.image);
    free(shadow);
    return ok;
}
