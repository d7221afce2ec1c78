/* experiment_store_merge - results of another database; see experiment_store_merge.h. */

#include "gpusched/experiment/store/experiment_store_merge.h"

#include <stdlib.h>
#include <string.h>

#include "gpusched/experiment/store/experiment_packed.h"
#include "gpusched/experiment/store/experiment_sql.h"
#include "gpusched/experiment/store/experiment_store_figures.h"

/* A row of `stored` with what was watched in its run. */
struct row {
    int64_t id;
    struct experiment_key key, program;
    char *input;
    struct experiment_outcome outcome;
};

/* Of a row, without unpacking it. */
static const char all_rows[] =
    "SELECT id, key, program, status, error, seconds, figures, dictionary, packed FROM"
    " main.results WHERE id NOT IN (SELECT id FROM temp.broken) ORDER BY id";
static const char row_of_key[] =
    "SELECT id, key, program, input, status, error, seconds, result FROM temp.stored WHERE key"
    " = ?";

struct store *store_merge_open(const char *path, struct fault *fault)
{
    struct store *const store = store_open_read(path, fault);

    if (store != NULL && store->format < STORE_FORMAT) {
        fault_set(fault, "%.3000s: %s", path,
                  store->format == 0
                      ? "nothing has run yet"
                      : "this is of an earlier format; gpusched experiment -o FOLDER makes it "
                        "one of this");
        store_close(store);
        return NULL;
    }
    return store;
}

/* ---- Rows ---------------------------------------------------------------------------- */

static void free_row(struct row *row)
{
    free(row->input);
    experiment_outcome_free(&row->outcome);
}

/* To be freed; NULL for a null, or without memory. */
static char *copy_of(struct store *store, sqlite3_stmt *at, int column)
{
    const char *const text = sql_text_of(store, at, column);
    char *const copy = text == NULL ? NULL : strdup(text);

    if (text != NULL && copy == NULL) {
        sql_no_memory(store);
    }
    return copy;
}

static void read_word(struct store *store, sqlite3_stmt *at, int column,
                      struct experiment_key *key)
{
    const char *const text = sql_text_of(store, at, column);

    snprintf(key->text, sizeof key->text, "%s", text == NULL ? "" : text);
}

static bool read_observed(struct store *store, struct row *row)
{
    sqlite3_stmt *const find = sql_kept(
        store, STORE_OBSERVED, "SELECT name, value FROM result_observed WHERE result = ?");

    if (find == NULL) {
        return false;
    }
    sqlite3_bind_int64(find, 1, row->id);
    while (sql_row(store, find)) {
        const char *const name = sql_text_of(store, find, 0);
        const bool ctas = name != NULL && strcmp(name, "ctas") == 0;
        char **const value = ctas ? &row->outcome.ctas : &row->outcome.lockstep;
        free(*value);
        *value = copy_of(store, find, 1);
    }
    sqlite3_reset(find);
    return !sql_failed(store);
}

/* The columns of all_rows. */
enum { ID, KEY, PROGRAM, STATUS, ERROR, SECONDS, FIGURES, DICTIONARY, PACKED };

/* The row that all_rows is at, to be freed, without what is packed. */
static bool read_row(struct store *store, sqlite3_stmt *at, struct row *row)
{
    *row = (struct row){ .id = sqlite3_column_int64(at, ID) };
    read_word(store, at, KEY, &row->key);
    read_word(store, at, PROGRAM, &row->program);
    row->outcome.status = experiment_status_of(sql_text_of(store, at, STATUS));
    row->outcome.error = copy_of(store, at, ERROR);
    row->outcome.seconds = sqlite3_column_double(at, SECONDS);
    return read_observed(store, row);
}

/* The row that row_of_key is at, to be freed. */
static bool read_whole_row(struct store *store, sqlite3_stmt *at, struct row *row)
{
    *row = (struct row){ .id = sqlite3_column_int64(at, 0) };
    read_word(store, at, 1, &row->key);
    read_word(store, at, 2, &row->program);
    row->input = copy_of(store, at, 3);
    row->outcome.status = experiment_status_of(sql_text_of(store, at, 4));
    row->outcome.error = copy_of(store, at, 5);
    row->outcome.seconds = sqlite3_column_double(at, 6);
    row->outcome.result = copy_of(store, at, 7);
    return read_observed(store, row);
}

/* What a database has of a run, to be freed; its status is RUN_PENDING if it has nothing. */
static bool find_row(struct store *store, const struct experiment_key *key, struct row *row)
{
    sqlite3_stmt *const find = sql_prepare(store, row_of_key);

    *row = (struct row){ .outcome = { .status = RUN_PENDING } };
    if (find == NULL) {
        return false;
    }
    sql_text(find, 1, key->text);
    const bool good =
        sql_row(store, find) ? read_whole_row(store, find, row) : !sql_failed(store);
    sqlite3_finalize(find);
    return good;
}

static bool same_text(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static bool same_outcome(const struct experiment_outcome *a, const struct experiment_outcome *b)
{
    return a->status == b->status && same_text(a->error, b->error)
           && same_text(a->result, b->result) && same_text(a->lockstep, b->lockstep)
           && same_text(a->ctas, b->ctas);
}

/* ---- Merging ------------------------------------------------------------------------- */

bool store_merge_begin(struct store *into)
{
    /* Of each result that was taken, from where: a conflict names it. */
    return sql_run(into, "CREATE TEMP TABLE IF NOT EXISTS merged (key TEXT PRIMARY KEY, path);"
                         "DELETE FROM temp.merged; BEGIN IMMEDIATE");
}

bool store_merge_end(struct store *into, bool keep)
{
    const bool ended = sql_run(into, keep ? "COMMIT" : "ROLLBACK");

    if (!keep || !ended) {
        packed_forget(into); /* dictionaries that are not there any more */
    }
    return ended;
}

/* From where a result was taken. */
static bool note(struct store *into, const struct store *from, const struct experiment_key *key)
{
    sqlite3_stmt *const put =
        sql_kept(into, STORE_MERGED, "INSERT OR REPLACE INTO temp.merged VALUES (?, ?)");

    if (put == NULL) {
        return false;
    }
    sql_text(put, 1, key->text);
    sql_text(put, 2, from->path);
    return sql_done(into, put);
}

static bool take(struct store *into, const struct store *from, const struct row *row,
                 const struct experiment_figures *figures)
{
    const struct experiment_key ours = into->program;

    into->program = row->program; /* it is that build's result */
    const bool good = note(into, from, &row->key)
                      && sql_put_outcome(into, &row->key, row->input, &row->outcome, figures);
    into->program = ours;
    return good;
}

/* The same of the row that a statement is at: what is packed is not unpacked. */
static bool take_packed(struct store *into, struct store *from, sqlite3_stmt *at,
                        const struct row *row)
{
    const struct experiment_key ours = into->program;
    struct sql_packed put = { .figures = copy_of(from, at, FIGURES),
                              .dictionary = sqlite3_column_int64(at, DICTIONARY) };

    into->program = row->program;
    const bool good =
        !sql_failed(from) && note(into, from, &row->key)
        && packed_move(into, from, sqlite3_column_blob(at, PACKED),
                       (size_t)sqlite3_column_bytes(at, PACKED), &put.dictionary, &put.packed)
        && sql_put_packed(into, &row->key, &row->outcome, &put);
    into->program = ours;
    free(put.figures);
    free(put.packed.bytes);
    return good;
}

static bool say_conflict(struct store *into, const struct store *from, const struct row *row,
                         FILE *to)
{
    sqlite3_stmt *const name = sql_prepare(
        into, "SELECT coalesce((SELECT 'run ' || id || ' (' || gpu || ', ' || workload || ', '"
              " || variant || ')' FROM grid WHERE key = ?1 ORDER BY id LIMIT 1),"
              " 'the run of key ' || ?1),"
              " coalesce((SELECT path FROM temp.merged WHERE key = ?1), ?2)");

    if (name == NULL) {
        return false;
    }
    sql_text(name, 1, row->key.text);
    sql_text(name, 2, into->path);
    if (sql_row(into, name)) {
        const char *const run = sql_text_of(into, name, 0);
        const char *const other = sql_text_of(into, name, 1);
        if (run != NULL && other != NULL) {
            fprintf(to, "%s: %s and %s have different results\n", run, other, from->path);
        }
    }
    sqlite3_finalize(name);
    return !sql_failed(into);
}

enum judged { KEEP_HERE, TAKE_THERE, CONFLICT };

static enum judged judge(const struct row *here, const struct row *there,
                         enum merge_replace replace)
{
    const enum experiment_status status = here->outcome.status;
    const bool same_build = strcmp(here->program.text, there->program.text) == 0;
    const bool same = same_outcome(&here->outcome, &there->outcome);

    if (status == RUN_PENDING) {
        return TAKE_THERE;
    }
    if (there->outcome.status == RUN_ABORTED) {
        return KEEP_HERE;
    }
    if (status == RUN_ABORTED) {
        return TAKE_THERE;
    }
    if (replace == MERGE_REPLACE_OLDER && (status == RUN_FAILED || !same_build)) {
        return same && same_build ? KEEP_HERE : TAKE_THERE;
    }
    return same ? KEEP_HERE : CONFLICT;
}

static bool merge_known(struct store *into, struct store *from,
                        const struct experiment_key *key,
                        const struct experiment_figures *figures, enum merge_replace replace,
                        struct merge_counts *counts, FILE *to)
{
    struct row here;
    struct row there = { .outcome = { .status = RUN_PENDING } };
    bool good = find_row(into, key, &here) && find_row(from, key, &there);

    if (good) {
        switch (judge(&here, &there, replace)) {
        case KEEP_HERE:
            counts->same++;
            break;
        case TAKE_THERE:
            counts->taken++;
            good = take(into, from, &there, figures);
            break;
        case CONFLICT:
            counts->conflicts++;
            good = say_conflict(into, from, &there, to);
            break;
        }
    }
    free_row(&here);
    free_row(&there);
    return good;
}

/* Figures are kept as they are if both databases have the same. */
static bool can_stay_packed(const struct store *into, const struct store *from,
                            const struct experiment_figures *figures, const struct row *row,
                            bool has_figures)
{
    return row->outcome.status != RUN_DONE
               ? !has_figures
               : has_figures && figures_same(into, figures) && figures_same(from, figures);
}

static bool merge_row(struct store *into, struct store *from, sqlite3_stmt *at,
                      const struct experiment_figures *figures, enum merge_replace replace,
                      struct merge_counts *counts, FILE *to)
{
    enum experiment_status status;
    bool foreign;
    struct row row;

    if (!read_row(from, at, &row)) {
        free_row(&row);
        return false;
    }
    bool good = store_find(into, &row.key, &status, &foreign);
    if (good && status == RUN_PENDING
        && can_stay_packed(into, from, figures, &row,
                           sqlite3_column_type(at, FIGURES) != SQLITE_NULL)) {
        counts->taken++;
        good = take_packed(into, from, at, &row);
    } else if (good) {
        good = merge_known(into, from, &row.key, figures, replace, counts, to);
    }
    free_row(&row);
    return good;
}

bool store_merge(struct store *into, struct store *from,
                 const struct experiment_figures *figures, enum merge_replace replace,
                 struct merge_counts *counts, FILE *to)
{
    sqlite3_stmt *const rows = sql_prepare(from, all_rows);
    bool good = rows != NULL;

    while (good && sql_row(from, rows)) {
        good = merge_row(into, from, rows, figures, replace, counts, to);
    }
    sqlite3_finalize(rows);
    if (sql_failed(from)) {
        into->fault = from->fault;
    }
    return good && !sql_failed(from) && !sql_failed(into);
}
