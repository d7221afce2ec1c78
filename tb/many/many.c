/*
 * many - experiments of many runs, for many.sh.
 *
 *   many fill EXPERIMENT DATABASE SOURCE  keeps a result for each run of an experiment's grid,
 * as gpusched experiment does: those of another database's runs, one after the other many time
 * COMMAND...                  runs it, and prints on stderr its seconds, of the clock and of
 *                                         the processor, and how many MB it had at most
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gpusched/experiment/store/experiment_digest.h"
#include "gpusched/experiment/store/experiment_sql.h"
#include "tool/memory_watch.h"
#include "tool/progress.h"

enum { MOST = 1000 };

static void fail(const struct fault *fault)
{
    fprintf(stderr, "many: %s\n", fault_text(fault));
    exit(2);
}

/* Results of another database, and what they are of. */
static struct source {
    uint32_t n;
    char *input[MOST];
    char *result[MOST];
} source;

static void read_source(const char *path)
{
    struct fault fault;
    struct store *const store = store_open_read(path, &fault);

    if (store == NULL) {
        fail(&fault);
    }
    sqlite3_stmt *const rows = sql_prepare(
        store, "SELECT input, result FROM temp.stored WHERE status = 'done' ORDER BY id");
    while (sql_row(store, rows) && source.n < MOST) {
        source.input[source.n] = memory_copy(sql_text_of(store, rows, 0));
        source.result[source.n++] = memory_copy(sql_text_of(store, rows, 1));
    }
    sqlite3_finalize(rows);
    if (sql_failed(store)) {
        fail(store_fault(store));
    }
    store_close(store);
}

/* A row of an earlier run again, as the row of this key: a result is packed to the same bytes.
 */
static bool put_again(struct store *store, sqlite3_stmt *copy, const struct experiment_key *key,
                      uint32_t row)
{
    sql_text(copy, 1, key->text);
    sqlite3_bind_int64(copy, 2, row);
    return sql_done(store, copy);
}

static bool put_first(struct store *store, struct experiment_grid *grid,
                      const struct experiment_figures *figures)
{
    bool good = store_grid(store, grid, figures);

    for (uint32_t i = 0u; i < source.n && good; i++) {
        const struct experiment_outcome outcome = { .status = RUN_DONE,
                                                    .result = source.result[i],
                                                    .seconds = 0.001 * i };
        good = store_put(store, &grid->keys[i], source.input[i], &outcome, figures);
    }
    return good;
}

static bool put_all(struct store *store, struct experiment_grid *grid,
                    const struct experiment_figures *figures)
{
    bool good = grid->n >= source.n && put_first(store, grid, figures)
                && sql_run(store, "PRAGMA synchronous = OFF; BEGIN");
    sqlite3_stmt *const copy = sql_prepare(
        store,
        "INSERT INTO results (key, status, seconds, program, figures, dictionary, packed,"
        " digest) SELECT ?1, status, seconds, program, figures, dictionary, packed,"
        " zeroblob(32) FROM results WHERE id = ?2");

    for (uint32_t i = source.n; i < grid->n && good && copy != NULL; i++) {
        good = put_again(store, copy, &grid->keys[i], i % source.n + 1u);
    }
    sqlite3_finalize(copy);
    return good && sql_run(store, "UPDATE results SET digest = " DIGEST_OF_RESULT "; COMMIT");
}

static int fill(const char *file, const char *database, const char *from)
{
    struct experiment experiment;
    struct experiment_figures figures;
    struct experiment_grid grid;
    struct fault fault;

    read_source(from);
    if (!experiment_load(&experiment, file, &fault)
        || !experiment_figures_open(&figures, &experiment)
        || !experiment_grid_open(&grid, &experiment)) {
        fail(&fault);
    }
    struct store *const store = store_open(database, &fault);
    if (store == NULL) {
        fail(&fault);
    }
    if (!put_all(store, &grid, &figures)) {
        fail(store_fault(store));
    }
    return store_close(store) ? 0 : 2;
}

static double seconds_of(const struct timeval *time)
{
    return (double)time->tv_sec + 1e-6 * (double)time->tv_usec;
}

static int time_command(char **command)
{
    const double started = host_seconds();
    struct rusage used;
    int status = 0;
    const pid_t child = fork();

    if (child == 0) {
        execvp(command[0], command);
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) < 0 || getrusage(RUSAGE_CHILDREN, &used) != 0) {
        return 2;
    }
    fprintf(stderr, "%.1f %.2f %ld\n", host_seconds() - started,
            seconds_of(&used.ru_utime) + seconds_of(&used.ru_stime), used.ru_maxrss / 1000);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}

int main(int argc, char **argv)
{
    memory_watch();
    if (argc > 2 && strcmp(argv[1], "time") == 0) {
        return time_command(argv + 2);
    }
    if (argc == 5 && strcmp(argv[1], "fill") == 0) {
        return fill(argv[2], argv[3], argv[4]);
    }
    fputs("many: fill EXPERIMENT DATABASE SOURCE, or time COMMAND...\n", stderr);
    return 2;
}
