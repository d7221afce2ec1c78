/* comparison - see comparison.h. */

#include "gpusched/compare/comparison.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpusched/result/counts.h"
#include "gpusched/result/figures.h"
#include "tool/memory_watch.h"

/* ---- Which counts there are ---------------------------------------------------------- */

/* Where a count is: up to four names from the top of a result on; an index is of a list. */
struct place {
    const char *group, *within, *name;
    int index; /* -1: of no list */
};

static const char *const domains[] = { "core", "noc", "l2", "dram" };

static uint32_t rows_of(const struct gpu_count *counts)
{
    uint32_t n = 0u;

    while (counts[n].name != NULL) {
        n++;
    }
    return n;
}

static double value_at(const json_t *result, const struct place *place)
{
    const json_t *value = json_object_get(result, place->group);

    value = place->within == NULL ? value : json_object_get(value, place->within);
    value = json_object_get(value, place->name);
    value = place->index < 0 ? value : json_array_get(value, (size_t)place->index);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

/* The next count, in the order of add_counts. Its name is that of experiments' figures. */
static void add_count(struct comparison *comparison, const char *name, const char *unit,
                      const struct place *place, const json_t *const results[2])
{
    struct compared_count *const count = &comparison->counts[comparison->n_count++];
    const double a = value_at(results[0], place);
    const double b = value_at(results[1], place);

    snprintf(count->name, sizeof count->name, "%s", name);
    count->unit = unit;
    count->a = a;
    count->b = b;
    if (isnan(a) && isnan(b)) {
        return;
    }
    count->there++;
    count->differs += isnan(a) || isnan(b) || a < b || a > b;
    if (a > 0.0 && b > 0.0) {
        const double ratio = b / a;
        count->least = count->ratios == 0u ? ratio : fmin(count->least, ratio);
        count->most = count->ratios == 0u ? ratio : fmax(count->most, ratio);
        count->log_sum += log(ratio);
        count->ratios++;
    }
}

static void add_group(struct comparison *comparison, const struct count_group *group,
                      const json_t *const results[2])
{
    char name[COMPARED_NAME];
    const bool directions = strcmp(group->name, "noc") == 0;

    for (const struct gpu_count *count = group->counts; count->name != NULL; count++) {
        for (int i = 0; i < (directions ? 2 : 1); i++) {
            const struct place place = { group->name, directions ? "each" : "total",
                                         count->name, directions ? i : -1 };
            if (directions) {
                snprintf(name, sizeof name, "noc.each.%s.%d", count->name, i);
            } else {
                snprintf(name, sizeof name, "%s.%s", group->name, count->name);
            }
            add_count(comparison, name, count->unit, &place, results);
        }
    }
}

static void add_energy(struct comparison *comparison, const json_t *const results[2])
{
    char name[COMPARED_NAME];

    for (const struct energy_part *part = energy_parts; part->name != NULL; part++) {
        snprintf(name, sizeof name, "energy.%s", part->name);
        add_count(comparison, name, "J", &(struct place){ "energy", NULL, part->name, -1 },
                  results);
    }
    add_count(comparison, "energy.total", "J", &(struct place){ "energy", NULL, "total", -1 },
              results);
    add_count(comparison, "energy.edp", "Js", &(struct place){ "energy", NULL, "edp", -1 },
              results);
}

static void add_counts(struct comparison *comparison, const json_t *const results[2])
{
    char name[COMPARED_NAME];

    for (size_t i = 0u; i < sizeof domains / sizeof domains[0]; i++) {
        snprintf(name, sizeof name, "cycles.%s", domains[i]);
        add_count(comparison, name, "cycles", &(struct place){ "cycles", NULL, domains[i], -1 },
                  results);
    }
    for (const struct figure *figure = figure_table; figure->name != NULL; figure++) {
        add_count(comparison, figure->name, figure->unit,
                  &(struct place){ "derived", NULL, figure->name, -1 }, results);
    }
    add_energy(comparison, results);
    for (uint32_t i = 0u; i < COUNT_GROUPS; i++) {
        add_group(comparison, &count_groups[i], results);
    }
}

static uint32_t count_all(void)
{
    uint32_t n = sizeof domains / sizeof domains[0] + 2u;

    for (const struct figure *figure = figure_table; figure->name != NULL; figure++) {
        n++;
    }
    for (const struct energy_part *part = energy_parts; part->name != NULL; part++) {
        n++;
    }
    for (uint32_t i = 0u; i < COUNT_GROUPS; i++) {
        const bool directions = strcmp(count_groups[i].name, "noc") == 0;
        n += rows_of(count_groups[i].counts) * (directions ? 2u : 1u);
    }
    return n;
}

bool comparison_open(struct comparison *comparison)
{
    memset(comparison, 0, sizeof *comparison);
    comparison->counts = memory_take(count_all(), sizeof *comparison->counts);
    for (uint32_t i = 0u; i < GPU_KEYS; i++) {
        comparison->keys[i].key = &gpu_keys[i];
    }
    return comparison->counts != NULL;
}

void comparison_free(struct comparison *comparison)
{
    free(comparison->counts);
    comparison->counts = NULL;
}

/* ---- A pair -------------------------------------------------------------------------- */

static void key_text(const json_t *result, const struct gpu_key *key, char text[COMPARED_VALUE])
{
    const json_t *const sections = json_object_get(result, "configuration");
    const json_t *const value =
        json_object_get(json_object_get(sections, key->section), key->key);

    if (value == NULL) {
        snprintf(text, COMPARED_VALUE, "-");
    } else if (json_is_number(value)) {
        snprintf(text, COMPARED_VALUE, "%.12g", json_number_value(value));
    } else {
        snprintf(text, COMPARED_VALUE, "%s",
                 json_is_string(value) ? json_string_value(value)
                 : json_is_true(value) ? "true"
                                       : "false");
    }
}

static void add_key(struct compared_key *key, const json_t *a, const json_t *b)
{
    char text_a[COMPARED_VALUE];
    char text_b[COMPARED_VALUE];

    key_text(a, key->key, text_a);
    key_text(b, key->key, text_b);
    if (strcmp(text_a, text_b) == 0) {
        return;
    }
    if (key->differs++ == 0u) {
        snprintf(key->a, sizeof key->a, "%s", text_a);
        snprintf(key->b, sizeof key->b, "%s", text_b);
    }
    key->several = key->several || strcmp(key->a, text_a) != 0 || strcmp(key->b, text_b) != 0;
}

static void note_end(struct comparison *comparison, const json_t *result, const char *name)
{
    const char *const end = json_string_value(json_object_get(result, "end"));

    if (comparison->unended[0] == '\0' && (end == NULL || strcmp(end, "done") != 0)) {
        snprintf(comparison->unended, sizeof comparison->unended, "%s ended as %.100s", name,
                 end == NULL ? "unknown" : end);
    }
}

void comparison_add(struct comparison *comparison, const json_t *a, const json_t *b,
                    const char *label)
{
    const json_t *const results[2] = { a, b };
    const struct compared_count *const cycles = &comparison->counts[0];
    const double least = cycles->least;
    const double most = cycles->most;

    comparison->n_count = 0u;
    add_counts(comparison, results);
    for (uint32_t i = 0u; i < GPU_KEYS; i++) {
        add_key(&comparison->keys[i], a, b);
    }
    note_end(comparison, a, "A");
    note_end(comparison, b, "B");
    if (comparison->pairs == 0u || cycles->least < least) {
        snprintf(comparison->least, sizeof comparison->least, "%s", label);
    }
    if (comparison->pairs == 0u || cycles->most > most) {
        snprintf(comparison->most, sizeof comparison->most, "%s", label);
    }
    comparison->pairs++;
}

/* ---- All pairs ----------------------------------------------------------------------- */

double compared_ratio(const struct compared_count *count)
{
    return count->ratios == 0u ? (double)NAN : exp(count->log_sum / count->ratios);
}

/* Twice as many counts as much as half as many. */
static double rank_of(const struct compared_count *count)
{
    return count->differs == 0u  ? -1.0
           : count->ratios == 0u ? (double)INFINITY
                                 : fabs(count->log_sum / count->ratios);
}

static int by_rank(const void *a, const void *b)
{
    const struct compared_count *const one = a;
    const struct compared_count *const two = b;
    const double rank_one = rank_of(one);
    const double rank_two = rank_of(two);

    return rank_one > rank_two ? -1 : rank_one < rank_two ? 1 : strcmp(one->name, two->name);
}

void comparison_sort(struct comparison *comparison)
{
    qsort(comparison->counts, comparison->n_count, sizeof *comparison->counts, by_rank);
}

uint32_t comparison_keys(const struct comparison *comparison)
{
    uint32_t n = 0u;

    for (uint32_t i = 0u; i < GPU_KEYS; i++) {
        n += comparison->keys[i].differs > 0u;
    }
    return n;
}

uint32_t comparison_counts(const struct comparison *comparison)
{
    uint32_t n = 0u;

    for (uint32_t i = 0u; i < comparison->n_count; i++) {
        n += comparison->counts[i].differs > 0u;
    }
    return n;
}

const struct compared_count *comparison_count(const struct comparison *comparison,
                                              const char *name)
{
    for (uint32_t i = 0u; i < comparison->n_count; i++) {
        if (strcmp(comparison->counts[i].name, name) == 0) {
            return &comparison->counts[i];
        }
    }
    return NULL;
}

bool comparison_key_differs(const struct comparison *comparison, const char *section,
                            const char *key)
{
    bool found = false;

    for (uint32_t i = 0u; i < GPU_KEYS; i++) {
        const struct compared_key *const row = &comparison->keys[i];
        found = found
                || (row->differs > 0u && strcmp(row->key->section, section) == 0
                    && strcmp(row->key->key, key) == 0);
    }
    return found;
}
