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
#include "gpusched/experiment/store/experiment_packed.h"
#include "gpusched/experiment/store/experiment_schema.h"
#include "gpusched/experiment/store/experiment_store_figures.h"

/* In the database's header: that it is ours, and which tables it has. */
enum { APPLICATION = 0x67707578, FORMAT = STORE_FORMAT };

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
    if (!sql_failed(store) && !is_new && (*format < 1 || *format > FORMAT)) {
        return fault_set(fault, "%.3000s: this is of another version of gpusched experiment",
                         store->path);
    }
    if (sql_failed(store)) {
        *fault = store->fault;
    }
    return !sql_failed(store);
}

/* A commit is on the disk before it returns, and readers never wait for it. Rows of a result
 * are some hundred to some thousand bytes: in pages of this size little room is lost between
 * them. */
static bool prepare_to_write(struct store *store, struct fault *fault)
{
    char header[128];

    snprintf(header, sizeof header,
             "PRAGMA application_id = %d; PRAGMA user_version = %d; COMMIT", APPLICATION,
             FORMAT);
    if (sql_run(store, "PRAGMA page_size = 16384")
        && sql_run(store, "PRAGMA journal_mode = WAL")
        && sql_run(store, "PRAGMA synchronous = FULL")
        && (store->format == FORMAT
            || (sql_run(store, "BEGIN IMMEDIATE") && schema_make(store)
                && sql_run(store, header)
                && (store->format == 0 || sql_run(store, "VACUUM"))))) {
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
    if (code == SQLITE_OK && !(digest_register(store->database) && packed_register(store))) {
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

/* Finds the rows that are not as they were written, of which nothing is used, and makes ready
 * what is read. */
static bool prepare_to_read(struct store *store, struct fault *fault)
{
    /* So many KiB hold most of the keys of a million runs, which are looked up in any order. */
    if (sql_run(store, "PRAGMA temp_store = MEMORY")
        && sql_run(store, "PRAGMA cache_size = -65536") && schema_find_broken(store)
        && schema_make_views(store) && figures_load(store)) {
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

    if (store != NULL && !prepare_to_read(store, fault)) {
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
        || !prepare_to_read(store, fault)) {
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
    packed_free(store);
    json_decref(store->figures);
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

bool store_hold(struct store *store)
{
    return sql_run(store, "BEGIN");
}

bool store_release(struct store *store)
{
    return sql_run(store, "COMMIT");
}
