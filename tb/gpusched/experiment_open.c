/* experiment_open - for tests of experiments; see experiment_open.h. */

#include "tb/gpusched/experiment_open.h"

#include <sqlite3.h>
#include <string.h>

#include "gpusched/experiment/store/experiment_digest.h"
#include "gpusched/experiment/store/experiment_sql.h"

/* ---- A folder of one test ------------------------------------------------------------ */

static char folder[64];

const char *path_of(const char *name)
{
    static char path[128];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

void write_file(const char *name, const char *text)
{
    FILE *const to = fopen(path_of(name), "w");

    assert_non_null(to);
    assert_true(fputs(text, to) >= 0);
    assert_int_equal(fclose(to), 0);
}

int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/experiment-test-XXXXXX");
    return mkdtemp(folder) == NULL ? -1 : 0;
}

int remove_folder(void **state)
{
    static const char *const names[] = { "test.yaml",       "test.sqlite", "test.sqlite-wal",
                                         "test.sqlite-shm", "kernel.yaml", "mine.yaml" };

    (void)state;
    for (size_t i = 0u; i < sizeof names / sizeof names[0]; i++) {
        unlink(path_of(names[i]));
    }
    return rmdir(folder);
}

/* ---- An experiment ------------------------------------------------------------------- */

void open_experiment(struct opened *opened, const char *yaml)
{
    write_file("test.yaml", yaml);
    if (!experiment_load(&opened->experiment, path_of("test.yaml"), &opened->fault)
        || !experiment_figures_open(&opened->figures, &opened->experiment)
        || !experiment_grid_open(&opened->grid, &opened->experiment)) {
        fail_msg("%s", fault_text(&opened->fault));
    }
}

void close_experiment(struct opened *opened)
{
    experiment_grid_free(&opened->grid);
    experiment_figures_free(&opened->figures);
    experiment_free(&opened->experiment);
}

/* ---- Its database -------------------------------------------------------------------- */

struct store *open_store(void)
{
    struct fault fault;
    struct store *const store = store_open(path_of("test.sqlite"), &fault);

    if (store == NULL) {
        fail_msg("%s", fault_text(&fault));
    }
    return store;
}

void keep_run(struct store *store, struct opened *opened, uint32_t i, unsigned cycles)
{
    char result[128];
    struct experiment_outcome outcome = { .status = cycles > 0u ? RUN_DONE : RUN_FAILED,
                                          .error = cycles > 0u ? NULL : (char[]){ "why" },
                                          .result = result,
                                          .seconds = 0.5 };

    snprintf(result, sizeof result,
             "{\"cycles\": {\"core\": %u}, \"derived\": {\"ipc\": 1.25, \"seconds\": null}}",
             cycles);
    assert_true(store_put(store, &opened->grid.keys[i], "text", &outcome, &opened->figures));
}

const char *ask_database(const char *query)
{
    static char answer[1024];
    sqlite3 *database;
    sqlite3_stmt *statement;
    size_t at = 0u;

    answer[0] = '\0';
    assert_int_equal(sqlite3_open(path_of("test.sqlite"), &database), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(database, query, -1, &statement, NULL), SQLITE_OK);
    while (sqlite3_step(statement) == SQLITE_ROW) {
        for (int c = 0; c < sqlite3_column_count(statement); c++) {
            const unsigned char *const text = sqlite3_column_text(statement, c);
            at += (size_t)snprintf(answer + at, sizeof answer - at, "%s%s", c == 0 ? "" : "|",
                                   text == NULL ? "-" : (const char *)text);
        }
        at += (size_t)snprintf(answer + at, sizeof answer - at, ";");
    }
    sqlite3_finalize(statement);
    sqlite3_close(database);
    return answer;
}

void change_database(const char *statements)
{
    sqlite3 *database;

    assert_int_equal(sqlite3_open(path_of("test.sqlite"), &database), SQLITE_OK);
    assert_true(digest_register(database));
    assert_int_equal(sqlite3_exec(database, statements, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(database), SQLITE_OK);
}

int64_t cycles_in(struct store *store, struct opened *opened, uint32_t i)
{
    enum experiment_status status;
    char *error;
    json_t *values;

    assert_true(
        store_read(store, &opened->grid.keys[i], &opened->figures, &status, &error, &values));
    const int64_t cycles = json_integer_value(json_array_get(values, 0u));
    free(error);
    json_decref(values);
    return cycles;
}

const char *result_of(uint32_t i)
{
    static char text[1024];
    struct fault fault;
    struct store *const store = store_open_read(path_of("test.sqlite"), &fault);

    assert_non_null(store);
    sqlite3_stmt *const find = sql_prepare(store, "SELECT result FROM runs WHERE id = ?");
    assert_non_null(find);
    sqlite3_bind_int64(find, 1, i);
    snprintf(text, sizeof text, "%s", sql_row(store, find) ? sql_text_of(store, find, 0) : "?");
    sqlite3_finalize(find);
    store_close(store);
    return text;
}

enum experiment_status status_in(struct store *store, struct opened *opened, uint32_t i)
{
    enum experiment_status status;
    bool foreign;

    assert_true(store_find(store, &opened->grid.keys[i], &status, &foreign));
    return status;
}

char check_said[SAID];

int check_database(void)
{
    struct fault fault;
    FILE *const to = fmemopen(check_said, sizeof check_said, "w");

    assert_non_null(to);
    const int found = store_check(path_of("test.sqlite"), to, &fault);
    fputs(fault_text(&fault), to);
    fclose(to);
    return found;
}
