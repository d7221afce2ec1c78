/* experiment_sql - statements of the experiment's database; for experiment_store*.c. */

#ifndef EXPERIMENT_SQL_H
#define EXPERIMENT_SQL_H

#include <sqlite3.h>

#include "experiment_store.h"

enum { STORE_MESSAGE = 4096 };

/* Statements that are used for every run, and kept. */
enum store_statement {
    STORE_FIND,
    STORE_PUT,
    STORE_DROP_FIGURES,
    STORE_PUT_FIGURE,
    STORE_DROP_OBSERVED,
    STORE_PUT_OBSERVED,
    STORE_READ,
    STORE_FIGURE,
    STORE_GRID,
    STORE_STATEMENTS
};

struct store {
    sqlite3 *database;
    int lock; /* -1: opened to read */
    char path[EXPERIMENT_PATH];
    struct experiment_key program;
    sqlite3_stmt *statement[STORE_STATEMENTS];
    bool failed;
    char message[STORE_MESSAGE]; /* of the first failure */
};

/* Keeps the database's message. Returns false. */
bool sql_fail(struct store *store);
/* Runs statements that give no rows, or none that matter. */
bool sql_run(struct store *store, const char *statements);
/* NULL after a failure. */
sqlite3_stmt *sql_prepare(struct store *store, const char *statement);
/* The same for one that is kept: at its beginning, with nothing bound. */
sqlite3_stmt *sql_kept(struct store *store, enum store_statement which, const char *statement);
/* The next row: false at the end, or after a failure. statement may be NULL. */
bool sql_row(struct store *store, sqlite3_stmt *statement);
/* Runs a statement without rows. */
bool sql_done(struct store *store, sqlite3_stmt *statement);

/* Of a text that lives until the statement has run; NULL is a null. */
void sql_text(sqlite3_stmt *statement, int column, const char *text);
/* A number, text or null. */
void sql_json(sqlite3_stmt *statement, int column, const json_t *value);
json_t *sql_json_of(sqlite3_stmt *statement, int column);

#endif
