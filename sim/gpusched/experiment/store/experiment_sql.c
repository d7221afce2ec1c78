/* experiment_sql - statements of a database; see experiment_sql.h. */

#include "gpusched/experiment/store/experiment_sql.h"

#include <stdio.h>

enum fault_kind sql_kind_of(int code)
{
    return code == SQLITE_NOMEM || code == SQLITE_FULL ? FAULT_SURROUNDINGS : FAULT_INPUT;
}

bool sql_fail(struct store *store)
{
    const int code = sqlite3_errcode(store->database);

    if (!sql_failed(store)) {
        /* SQLite has other words for it, as of a file that it cannot open. */
        fault_set(&store->fault, "%.3000s: %s", store->path,
                  code == SQLITE_NOMEM ? "no memory" : sqlite3_errmsg(store->database));
        fault_by(&store->fault, sql_kind_of(code));
    }
    return false;
}

bool sql_no_memory(struct store *store)
{
    if (!sql_failed(store)) {
        fault_surroundings(&store->fault, "%.3000s: no memory", store->path);
    }
    return false;
}

bool sql_run(struct store *store, const char *statements)
{
    return sqlite3_exec(store->database, statements, NULL, NULL, NULL) == SQLITE_OK
           || sql_fail(store);
}

sqlite3_stmt *sql_prepare(struct store *store, const char *statement)
{
    sqlite3_stmt *made = NULL;

    if (sqlite3_prepare_v2(store->database, statement, -1, &made, NULL) != SQLITE_OK) {
        sql_fail(store);
        return NULL;
    }
    return made;
}

sqlite3_stmt *sql_kept(struct store *store, enum store_statement which, const char *statement)
{
    if (store->statement[which] == NULL) {
        store->statement[which] = sql_prepare(store, statement);
    } else {
        sqlite3_reset(store->statement[which]);
        sqlite3_clear_bindings(store->statement[which]);
    }
    return store->statement[which];
}

bool sql_row(struct store *store, sqlite3_stmt *statement)
{
    if (statement == NULL) {
        return false;
    }
    const int code = sqlite3_step(statement);
    if (code != SQLITE_ROW && code != SQLITE_DONE) {
        sql_fail(store);
    }
    return code == SQLITE_ROW;
}

bool sql_done(struct store *store, sqlite3_stmt *statement)
{
    sql_row(store, statement);
    if (statement != NULL) {
        sqlite3_reset(statement); /* it would keep its transaction open */
    }
    return !sql_failed(store);
}

uint32_t sql_grid_runs(struct store *store)
{
    sqlite3_stmt *const count = sql_prepare(store, "SELECT count(*) FROM grid");
    const uint32_t n = sql_row(store, count) ? (uint32_t)sqlite3_column_int64(count, 0) : 0u;

    sqlite3_finalize(count);
    return n;
}

void sql_text(sqlite3_stmt *statement, int column, const char *text)
{
    sqlite3_bind_text(statement, column, text, -1, SQLITE_STATIC);
}

const char *sql_text_of(struct store *store, sqlite3_stmt *statement, int column)
{
    const char *const text = (const char *)sqlite3_column_text(statement, column);

    if (text == NULL && sqlite3_column_type(statement, column) != SQLITE_NULL) {
        sql_no_memory(store);
    }
    return text;
}
