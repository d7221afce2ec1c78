/* experiment_sql - statements of the experiment's database; for experiment_store*.c. */

#ifndef EXPERIMENT_SQL_H
#define EXPERIMENT_SQL_H

#include <sqlite3.h>

#include "base/fault.h"
#include "gpusched/experiment/store/experiment_pack.h"
#include "gpusched/experiment/store/experiment_store.h"

/* Which tables a database has. In the fourth results are packed. */
enum { STORE_FORMAT = 4 };

/* Statements that are used for every run, and kept. */
enum store_statement {
    STORE_FIND,
    STORE_PUT,
    STORE_DROP_OBSERVED,
    STORE_PUT_OBSERVED,
    STORE_SEAL,
    STORE_READ,
    STORE_RESULT,
    STORE_FIGURES,
    STORE_DICTIONARY,
    STORE_DICTIONARY_NAME,
    STORE_OBSERVED,
    STORE_MERGED,
    STORE_GRID,
    STORE_STATEMENTS
};

struct store {
    sqlite3 *database;
    int lock;       /* -1: opened to read */
    int64_t format; /* of the file */
    char path[EXPERIMENT_PATH];
    struct experiment_key program;
    json_t *figures; /* names of the figures that rows have; NULL if there are none */
    struct store_packer *packer; /* experiment_packed.h; NULL until it is needed */
    sqlite3_stmt *statement[STORE_STATEMENTS];
    struct fault fault; /* of the first failure */
};

/* Opens it to read without a look at its rows; nothing but SQL may be asked of it. */
struct store *store_open_unread(const char *path, struct fault *fault);

static inline bool sql_failed(const struct store *store)
{
    return store->fault.kind != FAULT_NONE;
}
/* Of a code of SQLite. An error of the disk counts as one of the database: a file that is cut
 * off gives the same. */
enum fault_kind sql_kind_of(int code);
/* Keeps what the database says. Returns false. */
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

/* The same for a failure of ours. */
bool sql_no_memory(struct store *store);

/* Keeps an outcome, within a transaction of the caller; see store_put. */
bool sql_put_outcome(struct store *store, const struct experiment_key *key, const char *text,
                     const struct experiment_outcome *outcome,
                     const struct experiment_figures *figures);

/* The same for what is packed already: with figures as they are kept, which may be NULL. */
struct sql_packed {
    char *figures;
    struct pack_bytes packed;
    int64_t dictionary;
};
bool sql_put_packed(struct store *store, const struct experiment_key *key,
                    const struct experiment_outcome *outcome, const struct sql_packed *row);

/* How many runs the grid has; 0 after a failure. */
uint32_t sql_grid_runs(struct store *store);
/* Of a text that lives until the statement has run; NULL is a null. */
void sql_text(sqlite3_stmt *statement, int column, const char *text);
/* Of the row that a statement is at. The text lives until the next row; NULL is a null, or
 * memory is short, which is a failure then. */
const char *sql_text_of(struct store *store, sqlite3_stmt *statement, int column);

#endif
