/* experiment_store_figures - figures of results; see experiment_store_figures.h. */

#include "gpusched/experiment/store/experiment_store_figures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpusched/experiment/store/experiment_digest.h"
#include "tool/memory_watch.h"

/* As result.json has them. */
enum { FORM = JSON_COMPACT | JSON_REAL_PRECISION(12) };

void figures_dictionary(const json_t *result, char name[DICTIONARY_NAME])
{
    const char *const workload = json_string_value(json_object_get(result, "workload"));
    const char *const size = json_string_value(json_object_get(result, "size"));
    const json_t *const sms = json_object_get(json_object_get(result, "sm"), "members");

    snprintf(name, DICTIONARY_NAME, "%.180s %.40s %lld", workload == NULL ? "-" : workload,
             size == NULL ? "-" : size, (long long)json_integer_value(sms));
}

/* ---- Names --------------------------------------------------------------------------- */

/* Names that are not all as they were written are none. */
bool figures_load(struct store *store)
{
    sqlite3_stmt *const find =
        store->format < STORE_FORMAT
            ? NULL
            : sql_prepare(store, "SELECT id, name, digest IS " DIGEST_OF_FIGURE
                                 " FROM result_figures ORDER BY id");
    bool whole = true;

    json_decref(store->figures);
    store->figures = json_array();
    while (sql_row(store, find)) {
        const size_t n = json_array_size(store->figures);
        whole = whole && sqlite3_column_int64(find, 0) == (int64_t)n
                && sqlite3_column_int(find, 2) == 1;
        json_array_append_new(store->figures, json_string(sql_text_of(store, find, 1)));
    }
    sqlite3_finalize(find);
    if (!whole) {
        json_array_clear(store->figures);
    }
    return store->figures == NULL || memory_lost() ? sql_no_memory(store) : !sql_failed(store);
}

static const char *name_at(const struct store *store, size_t i)
{
    const char *const name = json_string_value(json_array_get(store->figures, i));

    return name == NULL ? "" : name;
}

bool figures_same(const struct store *store, const struct experiment_figures *figures)
{
    uint32_t i = 0u;

    while (i < figures->n && strcmp(name_at(store, i), figures->list[i].name) == 0) {
        i++;
    }
    return i == figures->n && json_array_size(store->figures) == i;
}

static bool put_names(struct store *store, const struct experiment_figures *figures)
{
    bool good = sql_run(store, "DELETE FROM result_figures");
    sqlite3_stmt *const put =
        sql_prepare(store, "INSERT INTO result_figures (id, name, digest) VALUES (?1, ?2,"
                           " gpusched_sha256(?1, ?2))");

    for (uint32_t i = 0u; i < figures->n && good && put != NULL; i++) {
        sqlite3_bind_int64(put, 1, i);
        sql_text(put, 2, figures->list[i].name);
        good = sql_done(store, put);
    }
    sqlite3_finalize(put);
    return good && put != NULL && figures_load(store);
}

/* ---- Values -------------------------------------------------------------------------- */

char *figures_text(const json_t *result, const struct experiment_figures *figures)
{
    json_t *const values = json_array();

    for (uint32_t i = 0u; i < figures->n; i++) {
        json_array_append_new(values, experiment_figure_value(&figures->list[i], result));
    }
    char *const text = json_dumps(values, FORM);
    json_decref(values);
    if (memory_lost()) {
        free(text);
        return NULL;
    }
    return text;
}

/* Of a text that is JSON unless others have made it. */
static json_t *parsed(struct store *store, int64_t id, const char *text)
{
    json_t *const value = text == NULL ? NULL : json_loads(text, 0u, NULL);

    if (value == NULL && memory_lost()) {
        sql_no_memory(store);
    } else if (value == NULL && !sql_failed(store)) {
        fault_set(&store->fault, "%.3000s: result %lld is not as gpusched experiment writes it",
                  store->path, (long long)id);
    }
    return value;
}

json_t *figures_result(struct store *store, int64_t id)
{
    json_t *result = NULL;
    sqlite3_stmt *const find =
        sql_kept(store, STORE_RESULT, "SELECT result FROM temp.stored WHERE id = ?");

    if (find == NULL) {
        return NULL;
    }
    sqlite3_bind_int64(find, 1, id);
    if (sql_row(store, find)) {
        result = parsed(store, id, sql_text_of(store, find, 0));
    }
    sqlite3_reset(find);
    return result;
}

json_t *figures_values(struct store *store, int64_t id, const char *list,
                       const struct experiment_figures *figures)
{
    json_t *const known = list == NULL ? NULL : parsed(store, id, list);
    json_t *const values = json_array();
    json_t *result = NULL;

    for (uint32_t f = 0u; f < figures->n && !sql_failed(store); f++) {
        const size_t n = json_array_size(known);
        size_t i = f < n && strcmp(name_at(store, f), figures->list[f].name) == 0 ? f : 0u;
        while (i < n && strcmp(name_at(store, i), figures->list[f].name) != 0) {
            i++;
        }
        if (i < n) {
            json_array_append(values, json_array_get(known, i));
            continue;
        }
        result = result == NULL ? figures_result(store, id) : result;
        json_array_append_new(values, experiment_figure_value(&figures->list[f], result));
    }
    json_decref(known);
    json_decref(result);
    if (values == NULL || memory_lost()) {
        sql_no_memory(store);
    }
    return values;
}

/* ---- Changing them ------------------------------------------------------------------- */

static bool put_list(struct store *store, int64_t id, const json_t *values)
{
    sqlite3_stmt *const put =
        sql_kept(store, STORE_FIGURES, "UPDATE results SET figures = ?2 WHERE id = ?1");
    char *const text = json_dumps(values, FORM);

    if (text == NULL) {
        sql_no_memory(store);
    } else if (put != NULL) {
        sqlite3_bind_int64(put, 1, id);
        sql_text(put, 2, text);
        sql_done(store, put);
    }
    free(text);
    return !sql_failed(store);
}

/* Results that lack them, or all. */
static bool put_lists(struct store *store, const struct experiment_figures *figures, bool all)
{
    sqlite3_stmt *const find = sql_prepare(
        store,
        "SELECT id, figures FROM results WHERE status = 'done' AND (?1 OR figures IS NULL)"
        " AND key IN (SELECT key FROM grid)");

    sqlite3_bind_int(find, 1, all);
    while (!sql_failed(store) && sql_row(store, find)) {
        const int64_t id = sqlite3_column_int64(find, 0);
        json_t *const values = figures_values(store, id, sql_text_of(store, find, 1), figures);
        if (!sql_failed(store)) {
            put_list(store, id, values);
        }
        json_decref(values);
    }
    sqlite3_finalize(find);
    return !sql_failed(store);
}

static bool lacks_figures(struct store *store)
{
    sqlite3_stmt *const find = sql_prepare(
        store, "SELECT 1 FROM results WHERE status = 'done' AND figures IS NULL LIMIT 1");
    const bool found = sql_row(store, find);

    sqlite3_finalize(find);
    return found;
}

bool figures_put(struct store *store, const struct experiment_figures *figures)
{
    static const char others[] = "UPDATE results SET figures = NULL WHERE figures IS NOT NULL"
                                 " AND key NOT IN (SELECT key FROM grid)";
    static const char seal[] = "UPDATE results SET digest = " DIGEST_OF_RESULT;
    const bool same = figures_same(store, figures);

    if (same && !lacks_figures(store)) {
        return !sql_failed(store);
    }
    return put_lists(store, figures, !same)
           && (same || (sql_run(store, others) && put_names(store, figures)))
           && sql_run(store, seal);
}
