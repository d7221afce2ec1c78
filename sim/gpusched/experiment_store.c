/* experiment_store - the database of an experiment; see experiment_store.h. */

#include "experiment_store.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "experiment_sql.h"

/* In the database's header: that it is ours, and which tables it has. */
enum { APPLICATION = 0x67707578, FIRST_FORMAT = 1, FORMAT = 2 };

static const char schema[] = "CREATE TABLE results ("
                             " id INTEGER PRIMARY KEY,"
                             " key TEXT NOT NULL UNIQUE,"
                             " input TEXT NOT NULL,"
                             " status TEXT NOT NULL CHECK (status IN ('done', 'failed')),"
                             " error TEXT,"
                             " seconds REAL NOT NULL,"
                             " program TEXT NOT NULL,"
                             " result TEXT);"
                             "CREATE TABLE result_figures ("
                             " result INTEGER NOT NULL REFERENCES results (id),"
                             " name TEXT NOT NULL,"
                             " value,"
                             " PRIMARY KEY (result, name)) WITHOUT ROWID;"
                             "CREATE TABLE grid ("
                             " id INTEGER PRIMARY KEY,"
                             " gpu TEXT NOT NULL,"
                             " workload TEXT NOT NULL,"
                             " size TEXT,"
                             " variant TEXT NOT NULL,"
                             " axes TEXT NOT NULL,"
                             " key TEXT NOT NULL);"
                             "CREATE INDEX grid_key ON grid (key);";

/* What a database of the first format lacks. */
static const char schema_observed[] = "CREATE TABLE result_observed ("
                                      " result INTEGER NOT NULL REFERENCES results (id),"
                                      " name TEXT NOT NULL,"
                                      " value TEXT NOT NULL,"
                                      " PRIMARY KEY (result, name)) WITHOUT ROWID;";

const char *experiment_status_name(enum experiment_status status)
{
    static const char *const names[] = { "pending", "done", "failed" };

    return names[status];
}

void experiment_outcome_free(struct experiment_outcome *outcome)
{
    free(outcome->error);
    free(outcome->result);
    free(outcome->observed);
    *outcome = (struct experiment_outcome){ .status = RUN_PENDING };
}

/* ---- Opening ----------------------------------------------------------------------------- */

static int64_t number(struct store *store, const char *query)
{
    sqlite3_stmt *const statement = sql_prepare(store, query);
    const int64_t value =
        sql_row(store, statement) ? sqlite3_column_int64(statement, 0) : INT64_MIN;

    sqlite3_finalize(statement);
    return value;
}

/* Ours, or nobody's yet: then its format is 0. */
static bool check_format(struct store *store, int64_t *format, char *message, size_t size)
{
    const int64_t tables = number(store, "SELECT count(*) FROM sqlite_master");
    const int64_t application = number(store, "PRAGMA application_id");
    const bool is_new = tables == 0 && application == 0;

    *format = is_new ? 0 : number(store, "PRAGMA user_version");
    if (!store->failed && !is_new && application != APPLICATION) {
        snprintf(message, size, "%.3000s: this is another program's database", store->path);
        return false;
    }
    if (!store->failed && !is_new && (*format < FIRST_FORMAT || *format > FORMAT)) {
        snprintf(message, size, "%.3000s: this is of another version of gpusched experiment",
                 store->path);
        return false;
    }
    if (store->failed) {
        snprintf(message, size, "%s", store->message);
    }
    return !store->failed;
}

/* One of an earlier format becomes one of this, and keeps what it has. */
static bool prepare_to_write(struct store *store, int64_t format, char *message, size_t size)
{
    char made[sizeof schema + sizeof schema_observed + 128];

    snprintf(made, sizeof made,
             "BEGIN IMMEDIATE; %s %s PRAGMA application_id = %d; PRAGMA user_version = %d; "
             "COMMIT",
             format == 0 ? schema : "", schema_observed, APPLICATION, FORMAT);
    /* A commit is on the disk before it returns, and readers never wait for it. */
    if (sql_run(store, "PRAGMA journal_mode = WAL")
        && sql_run(store, "PRAGMA synchronous = FULL")
        && (format == FORMAT || sql_run(store, made))) {
        return true;
    }
    snprintf(message, size, "%s", store->message);
    return false;
}

static struct store *open_store(const char *path, int lock, char *message, size_t size)
{
    enum { PATIENCE = 60000 }; /* ms that a reader may keep us waiting */
    struct store *const store = calloc(1u, sizeof *store);

    if (store == NULL) {
        snprintf(message, size, "no memory");
        return NULL;
    }
    store->lock = lock;
    snprintf(store->path, sizeof store->path, "%s", path);
    const int code = sqlite3_open_v2(path, &store->database, SQLITE_OPEN_READWRITE, NULL);
    if (code != SQLITE_OK) {
        snprintf(message, size, "%.3000s: %s", path, sqlite3_errstr(code));
        sqlite3_close(store->database);
        free(store);
        return NULL;
    }
    sqlite3_busy_timeout(store->database, PATIENCE);
    return store;
}

struct store *store_open_read(const char *path, char *message, size_t size)
{
    int64_t format;

    if (access(path, R_OK) != 0) {
        snprintf(message, size, "%.3000s: %s", path, strerror(errno));
        return NULL;
    }
    struct store *const store = open_store(path, -1, message, size);
    if (store != NULL && !check_format(store, &format, message, size)) {
        store_close(store);
        return NULL;
    }
    return store;
}

/* SQLite's own locks come and go with its transactions; this one is held for as long as the
 * experiment runs, and goes with the process however that ends. */
static int lock_file(const char *path, char *message, size_t size)
{
    const int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);

    if (file < 0) {
        snprintf(message, size, "%.3000s: %s", path, strerror(errno));
        return -1;
    }
    if (flock(file, LOCK_EX | LOCK_NB) != 0) {
        snprintf(message, size, "%.3000s: %s", path,
                 errno == EWOULDBLOCK ? "another gpusched experiment writes to it; allowed "
                                        "meanwhile: --no-run"
                                      : strerror(errno));
        close(file);
        return -1;
    }
    return file;
}

struct store *store_open(const char *path, char *message, size_t size)
{
    int64_t format;
    const int lock = lock_file(path, message, size);

    if (lock < 0) {
        return NULL;
    }
    struct store *const store = open_store(path, lock, message, size);
    if (store == NULL) {
        close(lock);
        return NULL;
    }
    store->program = experiment_program();
    if (!check_format(store, &format, message, size)
        || !prepare_to_write(store, format, message, size)) {
        store_close(store);
        return NULL;
    }
    return store;
}

bool store_close(struct store *store)
{
    if (store == NULL) {
        return true;
    }
    for (unsigned i = 0u; i < STORE_STATEMENTS; i++) {
        sqlite3_finalize(store->statement[i]);
    }
    if (store->lock >= 0) {
        /* One file is left, unless someone reads it just now. */
        sqlite3_busy_timeout(store->database, 0);
        sqlite3_exec(store->database, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
    }
    const bool good = sqlite3_close(store->database) == SQLITE_OK;
    if (store->lock >= 0) {
        /* Closed last: the process's locks on a file go when any of its descriptors is closed.
         */
        close(store->lock);
    }
    free(store);
    return good;
}

void store_forget(struct store *store)
{
    close(store->lock);
}

const char *store_message(const struct store *store)
{
    return store->message;
}
