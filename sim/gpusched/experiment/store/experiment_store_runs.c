/* experiment_store_runs - the rows of an experiment's database; see experiment_store.h. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/output_file.h"
#include "base/yaml_file.h"
#include "gpusched/experiment/grid/experiment_seeds.h"
#include "gpusched/experiment/store/experiment_digest.h"
#include "gpusched/experiment/store/experiment_packed.h"
#include "gpusched/experiment/store/experiment_sql.h"
#include "gpusched/experiment/store/experiment_store_figures.h"
#include "tool/memory_watch.h"

/* ---- The grid ------------------------------------------------------------------------ */

/* Numbers as numbers, so that they are in their order. */
static json_t *axis_json(const char *text)
{
    uint64_t whole;
    double real;

    if (yaml_whole(text, INT64_MAX, &whole)) {
        return json_integer((json_int_t)whole);
    }
    return yaml_real(text, &real) ? json_real(real) : json_string(text);
}

static char *axes_json(const struct experiment *experiment, const uint32_t *at)
{
    json_t *const object = json_object();

    for (uint32_t a = 0u; a < experiment->n_axis; a++) {
        json_object_set_new(object, experiment->axes[a].name.text,
                            axis_json(experiment_axis_value(experiment, a, at)));
    }
    char *const text = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(12));
    json_decref(object);
    return text;
}

static bool put_point(struct store *store, struct experiment_grid *grid, uint32_t i)
{
    struct experiment_point point;
    sqlite3_stmt *const put =
        sql_kept(store, STORE_GRID,
                 "INSERT INTO grid (id, gpu, workload, size, variant, axes, key, digest)"
                 " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7,"
                 " gpusched_sha256(?1, ?2, ?3, ?4, ?5, ?6, ?7))");

    if (put == NULL) {
        return false;
    }
    experiment_grid_names(grid, i, &point);
    char *const axes = axes_json(grid->experiment, point.at);
    if (axes == NULL || memory_lost()) {
        free(axes);
        return sql_no_memory(store);
    }
    sqlite3_bind_int64(put, 1, (int64_t)i + 1);
    sql_text(put, 2, point.gpu_label);
    sql_text(put, 3, point.workload_label);
    sql_text(put, 4, point.size);
    sql_text(put, 5, grid->experiment->variants[point.at[DIMENSION_VARIANT]].name.text);
    sql_text(put, 6, axes);
    sql_text(put, 7, grid->keys[i].text);
    const bool good = sql_done(store, put);
    free(axes);
    return good;
}

/* The views that people use, with a column for each axis. Names of axes are plain words. */
static bool make_views(struct store *store, const struct experiment *experiment)
{
    char *text = NULL;
    size_t length = 0u;
    FILE *const to = open_memstream(&text, &length);

    if (to == NULL) {
        return sql_no_memory(store);
    }
    fputs("DROP VIEW IF EXISTS main.runs; DROP VIEW IF EXISTS main.figures;"
          "DROP VIEW IF EXISTS main.observed;"
          "CREATE VIEW main.runs AS SELECT grid.id, gpu, workload, size, variant,",
          to);
    for (uint32_t a = 0u; a < experiment->n_axis; a++) {
        const char *const name = experiment->axes[a].name.text;
        fprintf(to, " json_extract(axes, '$.%s') AS \"%s\",", name, name);
    }
    fputs(" coalesce(status, 'pending') AS status, error, seconds, grid.key AS key"
          " FROM grid LEFT JOIN results ON results.key = grid.key;"
          "CREATE VIEW main.figures AS SELECT grid.id AS run, name,"
          " json_extract(figures, '$[' || result_figures.id || ']') AS value FROM grid"
          " JOIN results ON results.key = grid.key AND figures IS NOT NULL"
          " CROSS JOIN result_figures;"
          "CREATE VIEW main.observed AS SELECT grid.id AS run, name, value FROM grid"
          " JOIN results ON results.key = grid.key"
          " JOIN result_observed ON result_observed.result = results.id ORDER BY run, name;",
          to);
    if (!output_text_close(to, &text)) {
        return sql_no_memory(store);
    }
    const bool good = sql_run(store, text);
    free(text);
    return good;
}

/* A word of the experiment, unless it is what goes without saying. */
static bool put_number(struct store *store, const char *name, uint32_t number, uint32_t usual)
{
    if (number == usual) {
        return true;
    }
    sqlite3_stmt *const put =
        sql_prepare(store, "INSERT INTO about (name, value) VALUES (?, ?)");
    if (put == NULL) {
        return false;
    }
    sql_text(put, 1, name);
    sqlite3_bind_int64(put, 2, number);
    const bool good = sql_done(store, put);
    sqlite3_finalize(put);
    return good;
}

static uint32_t count_listed(const struct experiment_grid *grid)
{
    uint32_t n = 0u;

    for (uint32_t i = 0u; i < grid->n; i++) {
        n += experiment_grid_has(grid, i);
    }
    return n;
}

/* What a reader of the database alone wants to know of the experiment's file. The runs of an
 * ensemble follow each other, and the axis `seed` tells them apart. */
static bool put_about(struct store *store, const struct experiment_grid *grid)
{
    const struct experiment *const experiment = grid->experiment;
    const bool based = experiment->baseline >= 0;

    if (!sql_run(store, "CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT)"
                        " WITHOUT ROWID; DELETE FROM about")) {
        return false;
    }
    sqlite3_stmt *const put = sql_prepare(
        store,
        "INSERT INTO about (name, value) VALUES ('title', ?), ('baseline', ?), ('file', ?)");
    if (put == NULL) {
        return false;
    }
    sql_text(put, 1, experiment->title);
    sql_text(put, 2, based ? experiment->variants[experiment->baseline].name.text : NULL);
    sql_text(put, 3, experiment->given);
    const bool good = sql_done(store, put);
    sqlite3_finalize(put);
    return good && put_number(store, "seeds", experiment_seeds(experiment), 1u)
           && put_number(store, "listed", grid->listed ? count_listed(grid) : 0u, 0u);
}

/* Returns whether all is written. */
static bool end_transaction(struct store *store, bool good)
{
    const bool ended = sql_run(store, good ? "COMMIT" : "ROLLBACK") && good;

    if (!ended) {
        packed_forget(store);
    }
    return ended;
}

bool store_grid(struct store *store, struct experiment_grid *grid,
                const struct experiment_figures *figures)
{
    static const char drop_broken[] =
        "DELETE FROM result_observed WHERE result IN (SELECT id FROM temp.broken);"
        "DELETE FROM results WHERE id IN (SELECT id FROM temp.broken);"
        "DELETE FROM result_dictionaries WHERE digest IS NOT " DIGEST_OF_DICTIONARY ";"
        "DELETE FROM temp.broken";
    bool good = sql_run(store, "BEGIN IMMEDIATE") && sql_run(store, drop_broken)
                && make_views(store, grid->experiment) && put_about(store, grid)
                && sql_run(store, "DELETE FROM grid");

    /* Of a list only its runs: the tasks of a large grid would all write all of it. */
    for (uint32_t i = 0u; i < grid->n && good; i++) {
        good = (grid->listed && !experiment_grid_has(grid, i)) || put_point(store, grid, i);
    }
    good = good && figures_put(store, figures);
    return end_transaction(store, good);
}

/* ---- Results ------------------------------------------------------------------------- */

bool store_find(struct store *store, const struct experiment_key *key,
                enum experiment_status *status, bool *foreign)
{
    sqlite3_stmt *const find = sql_kept(store, STORE_FIND,
                                        "SELECT status, program FROM results WHERE key = ?"
                                        " AND id NOT IN (SELECT id FROM temp.broken)");

    *status = RUN_PENDING;
    *foreign = false;
    if (find == NULL) {
        return false;
    }
    sql_text(find, 1, key->text);
    if (sql_row(store, find)) {
        *status = experiment_status_of(sql_text_of(store, find, 0));
        const char *const program = sql_text_of(store, find, 1);
        *foreign = program == NULL || strcmp(program, store->program.text) != 0;
    }
    sqlite3_reset(find);
    return !sql_failed(store);
}

static bool make_row(struct store *store, const char *text,
                     const struct experiment_outcome *outcome,
                     const struct experiment_figures *figures, struct sql_packed *row)
{
    json_t *const result =
        outcome->result == NULL ? NULL : json_loads(outcome->result, 0u, NULL);
    const bool kept = outcome->status == RUN_DONE && figures_same(store, figures);

    char dictionary[DICTIONARY_NAME];

    *row = (struct sql_packed){ .dictionary = 0 };
    figures_dictionary(result, dictionary);
    if (kept) {
        row->figures = figures_text(result, figures);
    }
    json_decref(result);
    if ((kept && row->figures == NULL) || memory_lost()) {
        return sql_no_memory(store);
    }
    return packed_make(store, dictionary, text, outcome->result, &row->dictionary,
                       &row->packed);
}

static void free_row(struct sql_packed *row)
{
    free(row->figures);
    free(row->packed.bytes);
}

/* Returns the row's number, or -1. */
static int64_t put_result(struct store *store, const struct experiment_key *key,
                          const struct experiment_outcome *outcome,
                          const struct sql_packed *row)
{
    sqlite3_stmt *const put = sql_kept(
        store, STORE_PUT,
        "INSERT INTO results (key, status, error, seconds, program, figures, dictionary, "
        "packed)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO UPDATE SET"
        " status = excluded.status, error = excluded.error, seconds = excluded.seconds,"
        " program = excluded.program, figures = excluded.figures,"
        " dictionary = excluded.dictionary, packed = excluded.packed RETURNING id");

    if (put == NULL) {
        return -1;
    }
    sql_text(put, 1, key->text);
    sql_text(put, 2, experiment_status_name(outcome->status));
    sql_text(put, 3, outcome->error);
    sqlite3_bind_double(put, 4, outcome->seconds);
    sql_text(put, 5, store->program.text);
    sql_text(put, 6, row->figures);
    sqlite3_bind_int64(put, 7, row->dictionary);
    sqlite3_bind_blob(put, 8, row->packed.bytes, (int)row->packed.n, SQLITE_STATIC);
    const int64_t id = sql_row(store, put) ? sqlite3_column_int64(put, 0) : -1;
    sqlite3_reset(put);
    return id;
}

/* Runs a statement about a result: drops what there was before, or seals it. */
static bool on_result(struct store *store, enum store_statement which, const char *text,
                      int64_t id)
{
    sqlite3_stmt *const statement = sql_kept(store, which, text);

    if (statement == NULL) {
        return false;
    }
    sqlite3_bind_int64(statement, 1, id);
    return sql_done(store, statement);
}

/* value: NULL if it was not watched. */
static bool put_observed(struct store *store, int64_t id, const char *name, const char *value)
{
    sqlite3_stmt *const put =
        value == NULL
            ? NULL
            : sql_kept(store, STORE_PUT_OBSERVED,
                       "INSERT INTO result_observed (result, name, value) VALUES (?, ?, ?)");

    if (put == NULL) {
        return !sql_failed(store);
    }
    sqlite3_bind_int64(put, 1, id);
    sql_text(put, 2, name);
    sql_text(put, 3, value);
    return sql_done(store, put);
}

bool sql_put_packed(struct store *store, const struct experiment_key *key,
                    const struct experiment_outcome *outcome, const struct sql_packed *row)
{
    const int64_t id = put_result(store, key, outcome, row);

    return id >= 0
           && on_result(store, STORE_DROP_OBSERVED,
                        "DELETE FROM result_observed WHERE result = ?", id)
           && put_observed(store, id, "lockstep", outcome->lockstep)
           && put_observed(store, id, "ctas", outcome->ctas)
           && on_result(store, STORE_SEAL,
                        "UPDATE results SET digest = " DIGEST_OF_RESULT " WHERE id = ?", id);
}

bool sql_put_outcome(struct store *store, const struct experiment_key *key, const char *text,
                     const struct experiment_outcome *outcome,
                     const struct experiment_figures *figures)
{
    struct sql_packed row = { .dictionary = 0 };
    const bool good = make_row(store, text, outcome, figures, &row)
                      && sql_put_packed(store, key, outcome, &row);

    free_row(&row);
    return good;
}

bool store_put(struct store *store, const struct experiment_key *key, const char *text,
               const struct experiment_outcome *outcome,
               const struct experiment_figures *figures)
{
    const bool good = sql_run(store, "BEGIN IMMEDIATE")
                      && sql_put_outcome(store, key, text, outcome, figures);

    return end_transaction(store, good);
}

/* ---- Reading ------------------------------------------------------------------------- */

bool store_read(struct store *store, const struct experiment_key *key,
                const struct experiment_figures *figures, enum experiment_status *status,
                char **error, json_t **values)
{
    sqlite3_stmt *const find =
        sql_kept(store, STORE_READ,
                 "SELECT id, status, error, figures FROM temp.stored WHERE key = ?"
                 " AND id NOT IN (SELECT id FROM temp.broken)");

    *status = RUN_PENDING;
    *error = NULL;
    *values = NULL;
    if (find == NULL) {
        return false;
    }
    sql_text(find, 1, key->text);
    if (sql_row(store, find)) {
        *status = experiment_status_of(sql_text_of(store, find, 1));
        const char *const why = sql_text_of(store, find, 2);
        *error = why == NULL ? NULL : strdup(why);
        if (why != NULL && *error == NULL) {
            sql_no_memory(store);
        }
    }
    if (*status == RUN_DONE) {
        *values = figures_values(store, sqlite3_column_int64(find, 0),
                                 sql_text_of(store, find, 3), figures);
    }
    sqlite3_reset(find);
    const bool lost = memory_lost() || sqlite3_errcode(store->database) == SQLITE_NOMEM;
    return lost ? sql_no_memory(store) : !sql_failed(store);
}
