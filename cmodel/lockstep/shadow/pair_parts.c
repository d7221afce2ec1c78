/* pair_parts - the parts of a golden twin; see pair_parts.h. */

#include "lockstep/shadow/pair_parts.h"

#include <stdlib.h>

/* ---- What is evaluated --------------------------------------------------------------- */

/* The part with this number; NULL for an array. */
static const struct pair_part *part_of(const struct pair_parts *parts, uint32_t number)
{
    for (uint32_t i = 0u; i < parts->n; i++) {
        if (parts->part[i].number == number) {
            return &parts->part[i];
        }
    }
    return NULL;
}

static void evaluated(void *self, uint32_t number, const void *unit, const void *in, void *out,
                      const void *next)
{
    const struct pair_parts *const parts = self;
    const struct pair_part *const part = part_of(parts, number);

    (void)unit;
    (void)next;
    if (part != NULL) {
        struct unit *const shown = parts->shown[part - parts->part].unit;
        fields_copy(&part->inputs, shown->in, in);
        fields_copy(&part->outputs, shown->out, out);
    }
}

/* ---- Outputs that are given ---------------------------------------------------------- */

void pair_parts_give(const struct pair_parts *parts, uint32_t number, void *given,
                     const void *out)
{
    const struct pair_part *const part = part_of(parts, number);

    if (part != NULL) {
        fields_pack(&part->outputs, (char *)given + part->at, out);
    }
}

bool pair_parts_agree(const struct pair_parts *parts, const void *given)
{
    for (uint32_t i = 0u; i < parts->n; i++) {
        const struct pair_part *const part = &parts->part[i];
        if (!fields_equal(&part->outputs, (const char *)given + part->at,
                          parts->shown[i].unit->out)) {
            return false;
        }
    }
    return true;
}

uint32_t pair_parts_compare(const struct pair_parts *parts, const void *given,
                            struct unit_difference *differences, uint32_t max)
{
    uint32_t n = 0u;

    for (uint32_t i = 0u; i < parts->n && n < max; i++) {
        const struct unit *const unit = parts->shown[i].unit;
        const struct pair_part *const part = &parts->part[i];
        n += fields_compare(&part->outputs, unit, (const char *)given + part->at,
                            differences + n, max - n);
    }
    return n;
}

/* ---- Open and close ------------------------------------------------------------------ */

static bool open_part(struct pair_parts *parts, const struct unit *unit, uint32_t number,
                      size_t *out_bytes)
{
    const struct unit_part *const row = &unit->type->parts[number];
    struct pair_part *const part = &parts->part[parts->n];
    struct rtl_part *const shown = &parts->shown[parts->n];
    struct fault fault;

    shown->name = row->name;
    shown->unit =
        unit_open_config(row->type->name, (const char *)unit->model + row->config_at, &fault);
    if (shown->unit == NULL) {
        return false;
    }
    parts->n++;
    part->number = number;
    if (!fields_find(&part->inputs, shown->unit, UNIT_IN)
        || !fields_find(&part->outputs, shown->unit, UNIT_OUT)) {
        return false;
    }
    part->at = *out_bytes;
    *out_bytes += part->outputs.packed;
    return true;
}

bool pair_parts_open(struct pair_parts *parts, const struct unit *unit, size_t *out_bytes)
{
    const struct unit_part *const rows = unit->type->parts;
    uint32_t n = 0u;

    while (rows[n].name != NULL) {
        n++;
    }
    parts->watch = (struct unit_watch){ parts, evaluated };
    parts->part = calloc(n + 1u, sizeof *parts->part);
    parts->shown = calloc(n + 1u, sizeof *parts->shown);
    bool good = parts->part != NULL && parts->shown != NULL;
    for (uint32_t i = 0u; i < n && good; i++) {
        good = rows[i].number != NULL || open_part(parts, unit, i, out_bytes);
    }
    return good;
}

void pair_parts_close(struct pair_parts *parts)
{
    for (uint32_t i = 0u; i < parts->n; i++) {
        fields_free(&parts->part[i].inputs);
        fields_free(&parts->part[i].outputs);
        unit_close(parts->shown[i].unit);
    }
    free(parts->part);
    free(parts->shown);
}
