/* experiment_store - the database of an experiment; see experiment_store.h. */

#include "gpusched/experiment/store/experiment_store.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "gpusched/experiment/store/experiment_digest.h"
#include "gpusched/experiment/store/experiment_sql.h"

/* In the database's header: that it is ours, and which tables it has. */
enum { APPLICATION = 0x67707578, FIRST_FORMAT = 1, OBSERVED_FORMAT = 2, FORMAT = STORE_FORMAT };

#define DIGEST_COLUMN " digest TEXT NOT NULL DEFAULT ''"

#define RESULTS_COLUMNS                                                      \
    " (id INTEGER PRIMARY KEY,"                                              \
    " key TEXT NOT NULL UNIQUE,"                                             \
    " input TEXT NOT NULL,"                                                  \
    " status TEXT NOT NULL CHECK (status IN ('done', 'failed', 'aborted'))," \
    " error TEXT,"                                                           \
    " seconds REAL NOT NULL,"                                                \
    " program TEXT NOT NULL,"                                                \
    " result TEXT," DIGEST_COLUMN ");"

static const char schema[] =
    "CREATE TABLE results" RESULTS_COLUMNS "CREATE TABLE result_figures ("
    " result INTEGER NOT NULL REFERENCES results (id),"
    " name TEXT NOT NULL,"
    " value," DIGEST_COLUMN ","
    " PRIMARY KEY (result, name)) WITHOUT ROWID;"
    "CREATE TABLE grid ("
    " id INTEGER PRIMARY KEY,"
    " gpu TEXT NOT NULL,"
    " workload TEXT NOT NULL,"
    " size TEXT,"
    " variant TEXT NOT NULL,"
    " axes TEXT NOT NULL,"
    " key TEXT NOT NULL," DIGEST_COLUMN ");"
    "CREATE INDEX grid_key ON grid (key);";

/* What a database of the first format lacks. */
static const char schema_observed[] = "CREATE TABLE result_observed ("
                                      " result INTEGER NOT NULL REFERENCES results (id),"
                                      " name TEXT NOT NULL,"
                                      " value TEXT NOT NULL,"
                                      " PRIMARY KEY (result, name)) WITHOUT ROWID;";

/* And what one of the second does, which knew no digests: its rows get those of what they hold.
 * The views are made again with the next grid. */
static const char schema_digests[] =
    "DROP VIEW IF EXISTS runs; DROP VIEW IF EXISTS figures; DROP VIEW IF EXISTS observed;"
    "CREATE TABLE new_results" RESULTS_COLUMNS
    "INSERT INTO new_results (id, key, input, status, error, seconds, program, result)"
    " SELECT id, key, input, status, error, seconds, program, result FROM results;"
    "DROP TABLE results;"
    "ALTER TABLE new_results RENAME TO results;"
    "ALTER TABLE result_figures ADD COLUMN" DIGEST_COLUMN ";"
    "ALTER TABLE grid ADD COLUMN" DIGEST_COLUMN ";"
    "UPDATE results SET digest = " DIGEST_OF_RESULT ";"
    "UPDATE result_figures SET digest = " DIGEST_OF_FIGURE ";"
    "UPDATE grid SET digest = " DIGEST_OF_POINT ";";

static const char *const status_names[RUN_STATUSES] = { "pending", "done", "failed",
                                                        "aborted" };

const char *experiment_status_name(enum experiment_status status)
{
    return status_names[status];
}

enum experiment_status experiment_status_of(const char *name)
{
    int status = name == NULL ? RUN_PENDING : RUN_DONE;

    while (name != NULL && status < RUN_ABORTED && strcmp(status_names[status], name) != 0) {
        status++;
    }
    return (enum experiment_status)status;
}

void experiment_outcome_free(struct experiment_outcome *outcome)
{
    free(outcome->error);
    free(outcome->result);
    free(outcome->lockstep);
    free(outcome->ctas);
    *outcome = (struct experiment_outcome){ .status = RUN_PENDING };
}

/* ---- Opening ------------------------------------------------------------------------- */

static int64_t number(struct store *store, const char *query)
{
    sqlite3_stmt *const statement = sql_prepare(store, query);
    const int64_t value =
        sql_row(store, statement) ? sqlite3_column_int64(statement, 0) : INT64_MIN;

    sqlite3_finalize(statement);
    return value;
}

/* Ours, or nobody's yet: then its format is 0. */
static bool check_format(struct store *store, struct fault *fault)
{
    int64_t *const format = &store->format;

    const int64_t tables = number(store, "SELECT count(*) FROM sqlite_master");
    const int64_t application = number(store, "PRAGMA application_id");
    const bool is_new = tables == 0 && application == 0;

    *format = is_new ? 0 : number(store, "PRAGMA user_version");
    if (!sql_failed(store) && !is_new && application != APPLICATION) {
        return fault_set(fault, "%.3000s: this is another program's database", store->path);
    }
    if (!sql_failed(store) && !is_new && (*format < FIRST_FORMAT || *format > FORMAT)) {
        return fault_set(fault, "%.3000s: this is of another version of gpusched experiment",
                         store->path);
    }
    if (sql_failed(store)) {
        *fault = store->fault;
    }
    return !sql_failed(store);
}

/* One of an earlier format becomes one of this, and keeps what it has. */
static bool prepare_to_write(struct store *store, struct fault *fault)
{
    const int64_t format = store->format;
    char made[sizeof schema + sizeof schema_observed + sizeof schema_digests + 128];

    snprintf(made, sizeof made,
             "BEGIN IMMEDIATE; %s %s %s PRAGMA application_id = %d; PRAGMA user_version = %d; "
             "COMMIT",
             format == 0 ? schema : "", format < OBSERVED_FORMAT ? schema_observed : "",
             format == 0 ? "" : schema_digests, APPLICATION, FORMAT);
    /* A commit is on the disk before it returns, and readers never wait for it. */
    if (sql_run(store, "PRAGMA journal_mode = WAL")
        && sql_run(store, "PRAGMA synchronous = FULL")
        && (format == FORMAT || sql_run(store, made))) {
        store->format = FORMAT;
        return true;
    }
    *fault = *store_fault(store);
    return false;
}

static struct store *open_store(const char *path, int lock, struct fault *fault)
{
    enum { PATIENCE = 60000 }; /* ms that a reader may keep us waiting */
    struct store *const store = calloc(1u, sizeof *store);

    if (store == NULL) {
        fault_surroundings(fault, "no memory");
        return NULL;
    }
    store->lock = lock;
    snprintf(store->path, sizeof store->path, "%s", path);
    int code = sqlite3_open_v2(path, &store->database, SQLITE_OPEN_READWRITE, NULL);
    if (code == SQLITE_OK && !digest_register(store->database)) {
        code = SQLITE_NOMEM;
    }
    if (code != SQLITE_OK) {
        fault_set(fault, "%.3000s: %s", path, sqlite3_errstr(code));
        fault_by(fault, sql_kind_of(code));
        sqlite3_close(store->database);
        free(store);
        return NULL;
    }
    sqlite3_busy_timeout(store->database, PATIENCE);
    return store;
}

/* Rows that are not as they were written, and of which nothing is used. */
static bool find_broken(struct store *store, struct fault *fault)
{
    static const char rows[] =
        "INSERT INTO broken SELECT id FROM results WHERE digest IS NOT " DIGEST_OF_RESULT
        " UNION SELECT result FROM result_figures WHERE digest IS NOT " DIGEST_OF_FIGURE;

    if (sql_run(store, "PRAGMA temp_store = MEMORY")
        && sql_run(store, "CREATE TEMP TABLE broken (id INTEGER PRIMARY KEY)")
        && (store->format < FORMAT || sql_run(store, rows))) {
        return true;
    }
    *fault = *store_fault(store);
    return false;
}

struct store *store_open_unread(const char *path, struct fault *fault)
{
    if (access(path, R_OK) != 0) {
        fault_system(fault, "%.3000s", path);
        return NULL;
    }
    struct store *const store = open_store(path, -1, fault);
    if (store != NULL && !check_format(store, fault)) {
        store_close(store);
        return NULL;
    }
    return store;
}

struct store *store_open_read(const char *path, struct fault *fault)
{
    struct store *const store = store_open_unread(path, fault);

    if (store != NULL && !find_broken(store, fault)) {
        store_close(store);
        return NULL;
    }
    return store;
}

/* SQLite's own locks come and go with its transactions; this one is held for as long as the
 * experiment runs, and goes with the process however that ends. */
static int lock_file(const char *path, struct fault *fault)
{
    const int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);

    if (file < 0) {
        fault_system(fault, "%.3000s", path);
        return -1;
    }
    if (flock(file, LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK) {
            fault_set(fault,
                      "%.3000s: another gpusched experiment writes to it; allowed meanwhile: "
                      "--no-run",
                      path);
        } else {
            fault_system(fault, "%.3000s", path);
        }
        close(file);
        return -1;
    }
    return file;
}

struct store *store_open(const char *path, struct fault *fault)
{
    const int lock = lock_file(path, fault);

    if (lock < 0) {
        return NULL;
    }
    struct store *const store = open_store(path, lock, fault);
    if (store == NULL) {
        close(lock);
        return NULL;
    }
    store->program = experiment_program();
    if (!check_format(store, fault) || !prepare_to_write(store, fault)
        || !find_broken(store, fault)) {
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

const struct fault *store_fault(const struct store *store)
{
    return &store->fault;
}
