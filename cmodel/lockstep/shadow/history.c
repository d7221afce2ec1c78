/* history - the inputs of a unit, a packed image a cycle; see history.h. */

#include "lockstep/shadow/history.h"

#include <stdio.h>
#include <stdlib.h>

struct history {
    const struct unit *unit;
    uint32_t *image;
    uint32_t words; /* of one */
    uint64_t n, capacity;
};

struct history *history_open(const struct unit *unit)
{
    struct history *const history = calloc(1u, sizeof *history);

    if (history != NULL) {
        history->unit = unit;
        history->words = unit_words(unit->image_bits[UNIT_IN] + 1u);
    }
    return history;
}

void history_close(struct history *history)
{
    if (history != NULL) {
        free(history->image);
        free(history);
    }
}

bool history_add(struct history *history)
{
    if (history->n == history->capacity) {
        const uint64_t capacity = history->capacity == 0u ? 1024u : 2u * history->capacity;
        uint32_t *const image =
            realloc(history->image, capacity * history->words * sizeof *image);
        if (image == NULL) {
            fputs("no memory for the inputs of a report\n", stderr);
            return false;
        }
        history->image = image;
        history->capacity = capacity;
    }
    unit_pack_group(history->unit, UNIT_IN, history->unit->in,
                    history->image + history->n * history->words);
    history->n++;
    return true;
}

/* ---- Once more ----------------------------------------------------------------------- */

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

struct difference_inputs history_inputs(struct history *history)
{
    return (struct difference_inputs){ history, again_open, again_next, free };
}
