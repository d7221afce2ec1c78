/* experiment_schema - the tables of an experiment's database; see experiment_schema.h. */

#include "gpusched/experiment/store/experiment_schema.h"

#include <stdlib.h>

#include "gpusched/experiment/store/experiment_digest.h"
#include "gpusched/experiment/store/experiment_packed.h"
#include "gpusched/experiment/store/experiment_store_figures.h"

/* ---- Tables -------------------------------------------------------------------------- */

/* The second format had what was watched, and the third had digests. */
enum { OBSERVED_FORMAT = 2, DIGEST_FORMAT = 3, PACKED_FORMAT = 4 };

#define DIGEST_COLUMN " digest BLOB NOT NULL DEFAULT x''"

static const char tables[] =
    "CREATE TABLE results ("
    " id INTEGER PRIMARY KEY,"
    " key TEXT NOT NULL UNIQUE,"
    " status TEXT NOT NULL CHECK (status IN ('done', 'failed', 'aborted')),"
    " error TEXT,"
    " seconds REAL NOT NULL,"
    " program TEXT NOT NULL,"
    " figures TEXT,"
    " dictionary INTEGER NOT NULL REFERENCES result_dictionaries (id),"
    " packed BLOB NOT NULL," DIGEST_COLUMN ");"
    "CREATE TABLE result_dictionaries ("
    " id INTEGER PRIMARY KEY,"
    " name TEXT NOT NULL UNIQUE,"
    " content BLOB NOT NULL," DIGEST_COLUMN ");"
    "CREATE TABLE result_figures ("
    " id INTEGER PRIMARY KEY,"
    " name TEXT NOT NULL," DIGEST_COLUMN ");"
    "CREATE TABLE grid ("
    " id INTEGER PRIMARY KEY,"
    " gpu TEXT NOT NULL,"
    " workload TEXT NOT NULL,"
    " size TEXT,"
    " variant TEXT NOT NULL,"
    " axes TEXT NOT NULL,"
    " key TEXT NOT NULL," DIGEST_COLUMN ");";

static const char observed_table[] = "CREATE TABLE result_observed ("
                                     " result INTEGER NOT NULL REFERENCES results (id),"
                                     " name TEXT NOT NULL,"
                                     " value TEXT NOT NULL,"
                                     " PRIMARY KEY (result, name)) WITHOUT ROWID;";

/* ---- Earlier formats ----------------------------------------------------------------- */

/* The views and the figures are made again with the next grid. Tables that refer to the results
 * refer to the new ones. */
static const char set_aside[] =
    "PRAGMA legacy_alter_table = ON;"
    "DROP VIEW IF EXISTS runs; DROP VIEW IF EXISTS figures; DROP VIEW IF EXISTS observed;"
    "ALTER TABLE results RENAME TO old_results;"
    "ALTER TABLE grid RENAME TO old_grid;"
    "DROP INDEX IF EXISTS grid_key;"
    "DROP TABLE result_figures;"
    "PRAGMA legacy_alter_table = OFF;";

/* What was not as it was written is not so now. */
static const char take_over[] =
    "INSERT INTO grid (id, gpu, workload, size, variant, axes, key)"
    " SELECT id, gpu, workload, size, variant, axes, key FROM old_grid;"
    "UPDATE grid SET digest = " DIGEST_OF_POINT ";"
    "UPDATE results SET digest = " DIGEST_OF_RESULT
    " WHERE id NOT IN (SELECT id FROM temp.broken);"
    "DROP TABLE old_results; DROP TABLE old_grid; DROP TABLE temp.broken;";

static bool pack_row(struct store *store, sqlite3_stmt *row, sqlite3_stmt *put)
{
    enum { ID, KEY, INPUT, STATUS, ERROR, SECONDS, PROGRAM, RESULT };
    const char *const input = sql_text_of(store, row, INPUT);
    const char *const result = sql_text_of(store, row, RESULT);
    struct pack_bytes packed = { .n = 0u };
    char name[DICTIONARY_NAME];
    int64_t dictionary = 0;
    json_t *const object = result == NULL ? NULL : json_loads(result, 0u, NULL);

    figures_dictionary(object, name);
    json_decref(object);
    bool good =
        !sql_failed(store)
        && packed_make(store, name, input == NULL ? "" : input, result, &dictionary, &packed);
    if (good) {
        sqlite3_reset(put);
        for (int i = ID; i <= PROGRAM; i++) {
            sqlite3_bind_value(put, i + 1, sqlite3_column_value(row, i));
        }
        sqlite3_bind_int64(put, PROGRAM + 2, dictionary);
        sqlite3_bind_blob(put, PROGRAM + 3, packed.bytes, (int)packed.n, SQLITE_STATIC);
        good = sql_done(store, put);
    }
    free(packed.bytes);
    return good;
}

static bool pack_rows(struct store *store)
{
    sqlite3_stmt *const rows =
        sql_prepare(store, "SELECT id, key, input, status, error, seconds, program, result"
                           " FROM old_results");
    /* The third value is the text that the key stands for, which is packed. */
    sqlite3_stmt *const put =
        sql_prepare(store, "INSERT INTO results (id, key, status, error, seconds, program,"
                           " dictionary, packed) VALUES (?1, ?2, ?4, ?5, ?6, ?7, ?8, ?9)");

    while (put != NULL && !sql_failed(store) && sql_row(store, rows)) {
        (void)pack_row(store, rows, put);
    }
    sqlite3_finalize(rows);
    sqlite3_finalize(put);
    return !sql_failed(store);
}

bool schema_make(struct store *store)
{
    if (store->format == 0) {
        return sql_run(store, tables) && sql_run(store, observed_table);
    }
    return schema_find_broken(store) && sql_run(store, set_aside)
           && (store->format >= OBSERVED_FORMAT || sql_run(store, observed_table))
           && sql_run(store, tables) && pack_rows(store) && sql_run(store, take_over);
}

/* ---- Before it is used --------------------------------------------------------------- */

bool schema_find_broken(struct store *store)
{
    static const char old_rows[] =
        "INSERT INTO broken SELECT id FROM results WHERE digest IS NOT " OLD_DIGEST_OF_RESULT
        " UNION SELECT result FROM result_figures WHERE digest IS NOT " OLD_DIGEST_OF_FIGURE;
    static const char rows[] =
        "INSERT INTO broken SELECT id FROM results WHERE digest IS NOT " DIGEST_OF_RESULT
        " OR dictionary NOT IN (SELECT id FROM result_dictionaries WHERE digest "
        "IS " DIGEST_OF_DICTIONARY ")";

    return sql_run(store, "CREATE TEMP TABLE broken (id INTEGER PRIMARY KEY)")
           && (store->format < DIGEST_FORMAT
               || sql_run(store, store->format < PACKED_FORMAT ? old_rows : rows));
}

bool schema_make_views(struct store *store)
{
    static const char old_views[] =
        "CREATE TEMP VIEW stored AS SELECT id, key, input, status, error, seconds, program,"
        " NULL AS figures, result FROM main.results";
    static const char views[] =
        "CREATE TEMP VIEW stored AS SELECT id, key,"
        " gpusched_input(id, packed, dictionary) AS input, status, error, seconds, program,"
        " figures, gpusched_result(id, packed, dictionary) AS result FROM main.results;"
        "CREATE TEMP VIEW runs AS SELECT r.*,"
        " gpusched_result(results.id, packed, dictionary) AS result"
        " FROM main.runs AS r LEFT JOIN main.results ON results.key = r.key"
        " AND results.id NOT IN (SELECT id FROM temp.broken)";

    return sql_run(store, store->format < PACKED_FORMAT ? old_views : views);
}
