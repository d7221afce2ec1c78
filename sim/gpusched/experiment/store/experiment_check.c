/* experiment_check - whether an experiment's database is as it was written; see
 * experiment_store.h. */

#include <inttypes.h>
#include <stdio.h>

#include "gpusched/experiment/store/experiment_digest.h"
#include "gpusched/experiment/store/experiment_schema.h"
#include "gpusched/experiment/store/experiment_sql.h"
#include "tool/memory_watch.h"

static const char earlier[] =
    "this is of an earlier format, of which all is read that is as it was "
    "written; gpusched experiment makes it one of this format";
static const char no_digests[] =
    "this is of an earlier format, without digests: its results are "
    "taken as they are; gpusched experiment makes it one of this format";
enum { DIGEST_FORMAT = 3 };

static const char *age(const struct store *store)
{
    return store->format < DIGEST_FORMAT ? no_digests : earlier;
}

static int64_t number(struct store *store, const char *query)
{
    sqlite3_stmt *const statement = sql_prepare(store, query);
    const int64_t value = sql_row(store, statement) ? sqlite3_column_int64(statement, 0) : 0;

    sqlite3_finalize(statement);
    return value;
}

/* Prints a line for each row of a query: its texts, after where they are of. Returns how many.
 */
static uint32_t list(struct store *store, const char *query, const char *where, FILE *to)
{
    sqlite3_stmt *const rows = sql_prepare(store, query);
    uint32_t n = 0u;

    while (sql_row(store, rows)) {
        const char *const text = sql_text_of(store, rows, 0);
        if (text == NULL) {
            break;
        }
        fprintf(to, "%s%s: %s\n", where, store->path, text);
        n++;
    }
    sqlite3_finalize(rows);
    return n;
}

/* ---- Before it is used --------------------------------------------------------------- */

uint32_t store_say_broken(struct store *store, const char *command)
{
    static const char broken[] =
        "SELECT CASE WHEN grid.id IS NULL THEN 'result ' || broken.id"
        " ELSE 'run ' || grid.id || ' (' || gpu || ', ' || workload || ', ' || variant || ')' "
        "END"
        " || ': the result is not as it was written, and is not used'"
        " FROM temp.broken LEFT JOIN results ON results.id = broken.id"
        " LEFT JOIN grid ON grid.key = results.key ORDER BY broken.id, grid.id";
    char where[64];

    snprintf(where, sizeof where, "%s: ", command);
    if (store->format < STORE_FORMAT) {
        fprintf(stderr, "%s%s: %s\n", where, store->path, age(store));
    }
    return list(store, broken, where, stderr);
}

/* ---- All of it ----------------------------------------------------------------------- */

/* How many a row has. */
#define FIGURES "CASE WHEN json_valid(figures) THEN json_array_length(figures) ELSE 0 END"

/* Each gives a text for what is wrong. */
static const char *const checks[] = {
    "SELECT 'SQLite: ' || integrity_check FROM pragma_integrity_check"
    " WHERE integrity_check <> 'ok' LIMIT 20",
    "SELECT 'result ' || id || ': not as it was written' FROM temp.broken",
    "SELECT 'dictionary ' || id || ': not as it was written' FROM result_dictionaries"
    " WHERE digest IS NOT " DIGEST_OF_DICTIONARY,
    "SELECT 'result ' || id || ': its dictionary is missing' FROM results"
    " WHERE dictionary NOT IN (SELECT id FROM result_dictionaries)",
    "SELECT 'figure ' || name || ': not as it was written' FROM result_figures"
    " WHERE digest IS NOT " DIGEST_OF_FIGURE,
    "SELECT 'run ' || id || ' of the grid: not as it was written' FROM grid WHERE digest IS "
    "NOT " DIGEST_OF_POINT,
    "SELECT 'run ' || row || ' of the grid is missing' FROM (SELECT id,"
    " row_number() OVER (ORDER BY id) AS row FROM grid) WHERE id <> row"
    " AND NOT EXISTS (SELECT 1 FROM about WHERE name = 'listed') LIMIT 1",
    "SELECT 'the grid has ' || (SELECT count(*) FROM grid) || ' runs; ' || value ||"
    " ' were listed' FROM about WHERE name = 'listed'"
    " AND CAST(value AS INTEGER) <> (SELECT count(*) FROM grid)",
    "SELECT 'result ' || id || ': ' || status || ', without a reason' FROM results"
    " WHERE status <> 'done' AND coalesce(error, '') = ''",
    "SELECT 'run ' || grid.id || ': ' || " FIGURES " || ' figures; the others have ' ||"
    " (SELECT count(*) FROM result_figures) FROM grid JOIN results ON results.key = grid.key"
    " WHERE status = 'done' AND " FIGURES " <> (SELECT count(*) FROM result_figures)"
    " ORDER BY grid.id",
    "SELECT 'an observation of result ' || result || ', which is missing' FROM result_observed"
    " WHERE result NOT IN (SELECT id FROM results)",
};

/* What is done has a result, which is JSON. SQLite's json_valid would say no without memory. */
static uint32_t list_unreadable(struct store *store, FILE *to)
{
    sqlite3_stmt *const rows =
        sql_prepare(store, "SELECT id, result FROM temp.stored WHERE status = 'done'"
                           " AND id NOT IN (SELECT id FROM temp.broken)");
    uint32_t n = 0u;

    while (!sql_failed(store) && sql_row(store, rows)) {
        const char *const text = sql_text_of(store, rows, 1);
        json_t *const result = text == NULL ? NULL : json_loads(text, 0u, NULL);
        if (result == NULL && memory_lost()) {
            sql_no_memory(store);
        } else if (result == NULL && !sql_failed(store)) {
            fprintf(to, "%s: result %lld: done, without a result\n", store->path,
                    (long long)sqlite3_column_int64(rows, 0));
            n++;
        }
        json_decref(result);
    }
    sqlite3_finalize(rows);
    return n;
}

/* Runs of a status. */
static int64_t runs(struct store *store, const char *status)
{
    sqlite3_stmt *const count = sql_prepare(
        store, "SELECT count(*) FROM grid JOIN results USING (key) WHERE status = ?");
    int64_t n = 0;

    if (count != NULL) {
        sql_text(count, 1, status);
        n = sql_row(store, count) ? sqlite3_column_int64(count, 0) : 0;
    }
    sqlite3_finalize(count);
    return n;
}

static void summarize(struct store *store, uint32_t wrong, FILE *to)
{
    const int64_t grid = number(store, "SELECT count(*) FROM grid");
    const int64_t done = runs(store, "done");
    const int64_t failed = runs(store, "failed");
    const int64_t aborted = runs(store, "aborted");
    const int64_t results = number(store, "SELECT count(*) FROM results");
    const int64_t figures = number(store, "SELECT sum(" FIGURES ") FROM results");

    if (sql_failed(store)) {
        return;
    }
    fprintf(to,
            "%s: format %" PRId64 "; %" PRId64 " runs: %" PRId64 " done, %" PRId64
            " failed, %" PRId64 " aborted; %" PRId64 " results, %" PRId64 " figures; ",
            store->path, store->format, grid, done, failed, aborted, results, figures);
    if (wrong == 0u) {
        fputs("nothing is wrong\n", to);
    } else {
        fprintf(to, "%" PRIu32 " wrong\n", wrong);
    }
}

/* What not even SQLite could read is wrong as well; without memory nothing is known. */
static int judge(struct store *store, uint32_t wrong, FILE *to, struct fault *fault)
{
    if (store->fault.kind == FAULT_SURROUNDINGS) {
        *fault = *store_fault(store);
        return 2;
    }
    if (sql_failed(store)) {
        fprintf(to, "%s\n", fault_text(store_fault(store)));
    }
    return sql_failed(store) || wrong != 0u;
}

/* Before its first grid a database has no such table. */
static bool have_about(struct store *store)
{
    return number(store, "SELECT count(*) FROM sqlite_master WHERE name = 'about'") > 0
           || sql_run(store, "CREATE TEMP TABLE about (name TEXT, value TEXT)");
}

int store_check(const char *path, FILE *to, struct fault *fault)
{
    struct store *const store = store_open_unread(path, fault);
    uint32_t wrong = 0u;

    if (store == NULL) {
        return 2;
    }
    if (store->format < STORE_FORMAT) {
        const bool is_new = store->format == 0;
        fprintf(to, "%s: %s\n", path, is_new ? "nothing has run yet" : age(store));
        store_close(store);
        return !is_new;
    }
    (void)(schema_find_broken(store) && schema_make_views(store) && have_about(store));
    for (size_t i = 0u; i < sizeof checks / sizeof checks[0] && !sql_failed(store); i++) {
        wrong += list(store, checks[i], "", to);
    }
    wrong += list_unreadable(store, to);
    if (!sql_failed(store)) {
        summarize(store, wrong, to);
    }
    const int found = judge(store, wrong, to, fault);
    store_close(store);
    return found;
}
