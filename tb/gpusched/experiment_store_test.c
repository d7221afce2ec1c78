/* Tests of an experiment's database, which is read as a user would, and of its reports. */

#include "experiment_open.h"

#include <signal.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/wait.h>

#include "gpusched/experiment/store/experiment_digest.h"
#include "gpusched/experiment/store/experiment_sql.h"

/* ---- The database -------------------------------------------------------------------- */

static struct store *open_store(void)
{
    struct fault fault;
    struct store *const store = store_open(path_of("test.sqlite"), &fault);

    if (store == NULL) {
        fail_msg("%s", fault_text(&fault));
    }
    return store;
}

/* Keeps run i of a grid, as if it had taken so many cycles. */
static void put(struct store *store, struct opened *opened, uint32_t i, unsigned cycles)
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

/* What a query answers, "a|b;c|d;". */
static const char *ask(const char *query)
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

static void runs_and_figures_are_easy_to_query(void **state)
{
    struct opened opened;

    (void)state;
    open_experiment(&opened, two_policies);
    struct store *const store = open_store();
    assert_true(store_grid(store, &opened.grid, &opened.figures));
    put(store, &opened, 0u, 1000u);
    put(store, &opened, 3u, 0u);
    assert_string_equal(ask("SELECT id, gpu, workload, size, variant, ctas, status, error"
                            " FROM runs WHERE id IN (1, 2, 4) ORDER BY id"),
                        "1|m2090|mix|-|gto|8|done|-;2|m2090|mix|-|gto|4|pending|-;"
                        "4|m2090|mix|-|lrr|4|failed|why;");
    assert_string_equal(ask("SELECT run, name, value FROM figures"),
                        "1|cycles|1000;1|ipc|1.25;");
    /* Numbers, not texts. */
    assert_string_equal(ask("SELECT DISTINCT ctas FROM runs WHERE ctas > 5"), "8;");
    assert_true(store_close(store));
    assert_int_not_equal(access(path_of("test.sqlite-wal"), F_OK), 0);
    close_experiment(&opened);
}

static void another_grid_finds_what_is_there(void **state)
{
    struct opened opened;
    enum experiment_status status;
    bool foreign;

    (void)state;
    open_experiment(&opened, two_policies);
    struct store *store = open_store();
    assert_true(store_grid(store, &opened.grid, &opened.figures));
    put(store, &opened, 0u, 1000u);
    put(store, &opened, 1u, 2000u);
    assert_true(store_close(store));
    close_experiment(&opened);

    /* Other names, another order, one run less and one more figure. */
    open_experiment(&opened, "gpus: [m2090]\nworkloads: [mix]\n"
                             "axes: {slots: {key: sm.cta_slots, values: [4, 2]}}\n"
                             "figures: [seconds, ipc, cycles]\n");
    store = open_store();
    assert_true(store_grid(store, &opened.grid, &opened.figures));
    assert_true(store_find(store, &opened.grid.keys[0], &status, &foreign));
    assert_int_equal(status, RUN_DONE);
    assert_false(foreign);
    assert_true(store_find(store, &opened.grid.keys[1], &status, &foreign));
    assert_int_equal(status, RUN_PENDING);
    assert_string_equal(ask("SELECT id, variant, slots, status FROM runs ORDER BY id"),
                        "1|default|4|done;2|default|2|pending;");
    assert_string_equal(ask("SELECT name, value FROM figures ORDER BY name"),
                        "cycles|2000;ipc|1.25;seconds|-;");
    assert_string_equal(ask("SELECT count(*) FROM results"), "2;");
    assert_true(store_close(store));
    close_experiment(&opened);
}

static enum experiment_status status_in(struct store *store, struct opened *opened, uint32_t i)
{
    enum experiment_status status;
    bool foreign;

    assert_true(store_find(store, &opened->grid.keys[i], &status, &foreign));
    return status;
}

static char said[4096];

/* What a check of the database comes to, and in `said` what it says. */
static int check(void)
{
    struct fault fault;
    FILE *const to = fmemopen(said, sizeof said, "w");

    assert_non_null(to);
    const int found = store_check(path_of("test.sqlite"), to, &fault);
    fputs(fault_text(&fault), to);
    fclose(to);
    return found;
}

static void what_was_aborted_is_kept_with_its_reason(void **state)
{
    struct opened opened;
    char why[] = "no memory";
    const struct experiment_outcome aborted = { .status = RUN_ABORTED, .error = why };

    (void)state;
    open_experiment(&opened, two_policies);
    struct store *const store = open_store();
    assert_true(store_grid(store, &opened.grid, &opened.figures));
    assert_true(store_put(store, &opened.grid.keys[0], "text", &aborted, &opened.figures));
    assert_string_equal(ask("SELECT status, error FROM runs WHERE id = 1"),
                        "aborted|no memory;");
    assert_int_equal(status_in(store, &opened, 0u), RUN_ABORTED);
    put(store, &opened, 0u, 1000u);
    assert_int_equal(status_in(store, &opened, 0u), RUN_DONE);
    assert_string_equal(ask("SELECT status, error FROM runs WHERE id = 1"), "done|-;");
    assert_true(store_close(store));
    assert_int_equal(check(), 0);
    close_experiment(&opened);
}

static void a_run_that_succeeds_takes_the_place_of_its_failure(void **state)
{
    struct opened opened;

    (void)state;
    open_experiment(&opened, two_policies);
    struct store *const store = open_store();
    assert_true(store_grid(store, &opened.grid, &opened.figures));
    put(store, &opened, 0u, 0u);
    assert_string_equal(ask("SELECT status, error FROM runs WHERE id = 1"), "failed|why;");
    assert_string_equal(ask("SELECT count(*) FROM figures"), "0;");
    put(store, &opened, 0u, 7u);
    assert_string_equal(ask("SELECT status, error FROM runs WHERE id = 1"), "done|-;");
    assert_string_equal(ask("SELECT value FROM figures WHERE name = 'cycles'"), "7;");
    assert_true(store_close(store));
    close_experiment(&opened);
}

static void one_process_writes_at_a_time(void **state)
{
    struct fault fault;
    struct store *const store = open_store();

    (void)state;
    assert_null(store_open(path_of("test.sqlite"), &fault));
    assert_non_null(strstr(fault_text(&fault), "another gpusched experiment"));
    struct store *const reader = store_open_read(path_of("test.sqlite"), &fault);
    assert_non_null(reader);
    assert_true(store_close(reader));
    assert_true(store_close(store));
    assert_true(store_close(open_store()));
}

static void what_was_watched_goes_with_its_run(void **state)
{
    struct opened opened;
    char first[] = "[1]";
    char second[] = "[2]";
    char ctas[] = "{\"ctas\": []}";
    char result[] = "{}";
    struct experiment_outcome outcome = {
        .status = RUN_DONE, .result = result, .lockstep = first, .ctas = ctas
    };

    (void)state;
    open_experiment(&opened, two_policies);
    struct store *const store = open_store();
    assert_true(store_grid(store, &opened.grid, &opened.figures));
    assert_true(store_put(store, &opened.grid.keys[2], "text", &outcome, &opened.figures));
    assert_string_equal(ask("SELECT run, name, value FROM observed"),
                        "3|ctas|{\"ctas\": []};3|lockstep|[1];");
    outcome.lockstep = second;
    outcome.ctas = NULL;
    assert_true(store_put(store, &opened.grid.keys[2], "text", &outcome, &opened.figures));
    assert_string_equal(ask("SELECT run, name, value FROM observed"), "3|lockstep|[2];");
    put(store, &opened, 2u, 5u);
    assert_string_equal(ask("SELECT count(*) FROM observed"), "0;");
    assert_true(store_close(store));
    close_experiment(&opened);
}

static void change(const char *statements)
{
    sqlite3 *database;

    assert_int_equal(sqlite3_open(path_of("test.sqlite"), &database), SQLITE_OK);
    assert_true(digest_register(database));
    assert_int_equal(sqlite3_exec(database, statements, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(database), SQLITE_OK);
}

static int64_t cycles_in(struct store *store, struct opened *opened, uint32_t i)
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

/* What a user gets of run i, from 1. */
static const char *result_of(uint32_t i)
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

/* Makes test.sqlite one of the third format, or of an earlier one, with a run that is done, one
 * that has failed and one that is not as it was written. */
static void make_earlier(struct opened *opened, int format)
{
    static const char tables[] =
        "PRAGMA application_id = 1735423352;"
        "CREATE TABLE results (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, input TEXT "
        "NOT NULL,"
        " status TEXT NOT NULL, error TEXT, seconds REAL NOT NULL, program TEXT NOT NULL,"
        " result TEXT, digest TEXT NOT NULL DEFAULT '');"
        "CREATE TABLE result_figures (result INTEGER NOT NULL REFERENCES results (id),"
        " name TEXT NOT NULL, value, digest TEXT NOT NULL DEFAULT '', PRIMARY KEY (result, "
        "name))"
        " WITHOUT ROWID;"
        "CREATE TABLE grid (id INTEGER PRIMARY KEY, gpu TEXT NOT NULL, workload TEXT NOT NULL,"
        " size TEXT, variant TEXT NOT NULL, axes TEXT NOT NULL, key TEXT NOT NULL,"
        " digest TEXT NOT NULL DEFAULT ''); CREATE INDEX grid_key ON grid (key);"
        "CREATE TABLE result_observed (result INTEGER NOT NULL REFERENCES results (id),"
        " name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (result, name)) WITHOUT ROWID;"
        "CREATE VIEW runs AS SELECT grid.id, gpu, status, result FROM grid"
        " LEFT JOIN results ON results.key = grid.key;";
    static const char rows[] =
        "INSERT INTO grid (id, gpu, workload, variant, axes, key)"
        " VALUES (1, 'm2090', 'mix', 'gto', '{\"ctas\":8}', '%s');"
        "INSERT INTO results VALUES (1, '%s', 'text', 'done', NULL, 0.5, '',"
        " '{\"cycles\": {\"core\": 1000}, \"derived\": {\"ipc\": 1.25}}', ''),"
        " (2, '%s', 'text', 'failed', 'why', 0.5, '', NULL, ''),"
        " (3, '%s', 'text', 'failed', 'who', 0.5, '', NULL, '');"
        "INSERT INTO result_figures VALUES (1, 'cycles', 1000, ''), (1, 'ipc', 1.25, '');"
        "INSERT INTO result_observed VALUES (1, 'ctas', '{}');";
    static const char digests[] =
        "UPDATE results SET digest = gpusched_digest(key, input, status, error, seconds, "
        "program,"
        " result, (SELECT group_concat(gpusched_digest(name, value)) FROM result_observed"
        " WHERE result = results.id)) WHERE id < 3;"
        "UPDATE result_figures SET digest ="
        " gpusched_digest((SELECT key FROM results WHERE id = result_figures.result), name, "
        "value);";
    static const char without_digests[] = "ALTER TABLE results DROP COLUMN digest;"
                                          "ALTER TABLE result_figures DROP COLUMN digest;"
                                          "ALTER TABLE grid DROP COLUMN digest;";
    const struct experiment_key *const keys = opened->grid.keys;
    char text[2048];

    unlink(path_of("test.sqlite"));
    change(tables);
    snprintf(text, sizeof text, rows, keys[0].text, keys[0].text, keys[1].text, keys[2].text);
    change(text);
    change(digests);
    if (format < 3) {
        change("DROP VIEW runs");
        change(without_digests);
    }
    if (format < 2) {
        change("DROP TABLE result_observed");
    }
    snprintf(text, sizeof text, "PRAGMA user_version = %d", format);
    change(text);
}

/* It can be read as it is, and the next start makes it one of this format; rows of the third
 * format that are not as they were written are known before and after. */
static void a_database_of_an_earlier_format_is_kept(void **state)
{
    struct opened opened;
    struct fault fault;

    (void)state;
    open_experiment(&opened, two_policies);
    for (int format = 1; format <= 3; format++) {
        const uint32_t broken = format == 3;
        char version[16];
        make_earlier(&opened, format);
        struct store *store = store_open_read(path_of("test.sqlite"), &fault);
        assert_non_null(store);
        assert_int_equal(store_say_broken(store, "test"), broken);
        assert_int_equal(status_in(store, &opened, 0u), RUN_DONE);
        assert_int_equal(cycles_in(store, &opened, 0u), 1000);
        assert_true(store_close(store));
        snprintf(version, sizeof version, "%d;", format);
        assert_string_equal(ask("PRAGMA user_version"), version);
        assert_int_equal(check(), 1);
        assert_non_null(strstr(said, "of an earlier format"));
        assert_int_equal(strstr(said, "without digests") == NULL, format == 3);

        store = open_store();
        assert_int_equal(store_say_broken(store, "test"), broken);
        assert_true(store_grid(store, &opened.grid, &opened.figures));
        assert_int_equal(status_in(store, &opened, 0u), RUN_DONE);
        assert_int_equal(status_in(store, &opened, 1u), RUN_FAILED);
        assert_int_equal(status_in(store, &opened, 2u),
                         broken != 0u ? RUN_PENDING : RUN_FAILED);
        assert_string_equal(ask("SELECT name, value FROM figures WHERE run = 1"),
                            "cycles|1000;ipc|1.25;");
        assert_string_equal(ask("SELECT value FROM observed"), format == 1 ? "" : "{};");
        assert_string_equal(ask("PRAGMA user_version"), "4;");
        assert_true(store_close(store));
        assert_string_equal(result_of(1u),
                            "{\"cycles\": {\"core\": 1000}, \"derived\": {\"ipc\": "
                            "1.25}}");
        assert_int_equal(check(), 0);
    }
    close_experiment(&opened);
}

static void a_database_of_a_later_format_is_refused(void **state)
{
    struct fault fault;

    (void)state;
    assert_true(store_close(open_store()));
    change("PRAGMA user_version = 5");
    assert_null(store_open(path_of("test.sqlite"), &fault));
    assert_non_null(strstr(fault_text(&fault), "another version"));
    assert_int_equal(check(), 2);
    assert_non_null(strstr(said, "another version"));
}

/* ---- Digests ------------------------------------------------------------------------- */

/* Whatever of a row is changed, it is named, not used, and not there after the next start. */
static void a_row_that_was_changed_is_known(void **state)
{
    static const char *const changes[] = {
        "UPDATE results SET packed = packed || x'00'",
        "UPDATE results SET dictionary = 2",
        "UPDATE result_dictionaries SET content = content || x'00'",
        "UPDATE result_dictionaries SET name = 'x'",
        "DELETE FROM result_dictionaries",
        "UPDATE results SET figures = replace(figures, '1000', '1001')",
        "UPDATE results SET status = 'failed', error = 'why'",
        "UPDATE results SET seconds = seconds * 2",
        "UPDATE results SET program = upper(program)",
        "UPDATE results SET packed = CAST(packed AS TEXT)",
        "UPDATE results SET digest = ''",
        "INSERT INTO result_observed VALUES (1, 'ctas', '{}')",
    };

    (void)state;
    for (size_t i = 0u; i < sizeof changes / sizeof changes[0]; i++) {
        struct opened opened;
        open_experiment(&opened, two_policies);
        struct store *store = open_store();
        assert_true(store_grid(store, &opened.grid, &opened.figures));
        put(store, &opened, 0u, 1000u);
        assert_int_equal(status_in(store, &opened, 0u), RUN_DONE);
        assert_true(store_close(store));
        assert_int_equal(check(), 0);
        change(changes[i]);
        assert_int_equal(check(), 1);
        store = open_store();
        assert_int_equal(store_say_broken(store, "test"), 1);
        assert_int_equal(status_in(store, &opened, 0u), RUN_PENDING);
        assert_true(store_grid(store, &opened.grid, &opened.figures));
        assert_int_equal(store_say_broken(store, "test"), 0);
        assert_true(store_close(store));
        assert_int_equal(check(), 0);
        assert_string_equal(ask("SELECT count(*) FROM results"), "0;");
        close_experiment(&opened);
        unlink(path_of("test.sqlite"));
    }
}

/* What is of no run that is used, but is wrong. */
static void a_check_of_a_database_counts(void **state)
{
    static const struct {
        const char *change;
        const char *found;
    } wrong[] = {
        { "UPDATE grid SET variant = 'x' WHERE id = 2", "run 2 of the grid: not as it was" },
        { "DELETE FROM grid WHERE id = 3", "run 3 of the grid is missing" },
        { "UPDATE results SET figures = '[1]' WHERE id = 1", "run 1: 1 figures" },
        { "DELETE FROM result_dictionaries", "result 1: its dictionary is missing" },
        { "UPDATE result_dictionaries SET name = 'x'", "dictionary 1: not as it was written" },
        { "INSERT INTO result_observed VALUES (9, 'x', 'y')", "an observation of result 9" },
        { "UPDATE result_figures SET name = 'x' WHERE name = 'ipc'",
          "figure x: not as it was written" },
        { "UPDATE results SET status = 'aborted'", "aborted, without a reason" },
    };

    (void)state;
    for (size_t i = 0u; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct opened opened;
        open_experiment(&opened, two_policies);
        struct store *const store = open_store();
        assert_true(store_grid(store, &opened.grid, &opened.figures));
        put(store, &opened, 0u, 1000u);
        put(store, &opened, 1u, 2000u);
        assert_true(store_close(store));
        close_experiment(&opened);
        change(wrong[i].change);
        assert_int_equal(check(), 1);
        if (strstr(said, wrong[i].found) == NULL) {
            fail_msg("%s: %s", wrong[i].change, said);
        }
        unlink(path_of("test.sqlite"));
    }
    assert_int_equal(check(), 2);
    assert_non_null(strstr(said, "No such file"));
}

/* Whoever makes the rows may give them digests as well. */
static void what_cannot_be_unpacked_is_one_error(void **state)
{
    static const char *const packed[] = {
        "x''",
        "x'00'",
        "randomblob(100)",
        "substr(packed, 1, length(packed) - 1)",
        "packed || x'00'",
        /* Frames of zstd that claim 2^40 bytes, and do not say how many. */
        "x'28b52ffd e000 0000 0000 0100 00 010000'",
        "x'28b52ffd 0000 010000'",
    };
    struct opened opened;

    (void)state;
    open_experiment(&opened, two_policies);
    for (size_t i = 0u; i < sizeof packed / sizeof packed[0]; i++) {
        char text[1024];
        char hex[128];
        size_t n = 0u;
        for (const char *at = packed[i]; *at != '\0'; at++) {
            n += (size_t)snprintf(hex + n, sizeof hex - n, "%.*s",
                                  *at == ' ' && packed[i][0] == 'x' ? 0 : 1, at);
        }
        struct store *store = open_store();
        assert_true(store_grid(store, &opened.grid, &opened.figures));
        put(store, &opened, 0u, 1000u);
        assert_true(store_close(store));
        snprintf(
            text, sizeof text,
            "UPDATE results SET packed = %s; UPDATE results SET digest = " DIGEST_OF_RESULT,
            hex);
        change(text);
        if (check() != 1 || strstr(said, "test.sqlite: result 1 cannot be unpacked") == NULL) {
            fail_msg("%s: %s", packed[i], said);
        }
        unlink(path_of("test.sqlite"));
    }
    close_experiment(&opened);
}

/* A result that is no JSON is one that others have made as well. */
static void a_run_that_is_done_has_a_result(void **state)
{
    struct opened opened;
    char half[] = "{\"cycles\": ";
    char *const results[] = { NULL, half };

    (void)state;
    open_experiment(&opened, two_policies);
    for (size_t i = 0u; i < sizeof results / sizeof results[0]; i++) {
        const struct experiment_outcome outcome = { .status = RUN_DONE, .result = results[i] };
        struct store *const store = open_store();
        assert_true(store_grid(store, &opened.grid, &opened.figures));
        assert_true(store_put(store, &opened.grid.keys[0], "text", &outcome, &opened.figures));
        assert_true(store_close(store));
        assert_int_equal(check(), 1);
        assert_non_null(strstr(said, "result 1: done, without a result"));
    }
    close_experiment(&opened);
}

/* Values are found by the names: without them they are taken from the results. */
static void names_of_figures_that_were_changed_are_not_used(void **state)
{
    static const char *const changes[] = {
        "UPDATE result_figures SET name = 'cycles' WHERE name = 'ipc'",
        "DELETE FROM result_figures WHERE name = 'cycles'",
        "UPDATE result_figures SET id = id + 1 WHERE name = 'ipc'",
        "UPDATE result_figures SET name = CASE name WHEN 'ipc' THEN 'cycles' ELSE 'ipc' END",
    };
    struct opened opened;

    (void)state;
    open_experiment(&opened, two_policies);
    for (size_t i = 0u; i < sizeof changes / sizeof changes[0]; i++) {
        struct store *store = open_store();
        assert_true(store_grid(store, &opened.grid, &opened.figures));
        put(store, &opened, 0u, 1000u);
        assert_true(store_close(store));
        change(changes[i]);
        store = open_store();
        assert_int_equal(cycles_in(store, &opened, 0u), 1000);
        assert_true(store_grid(store, &opened.grid, &opened.figures));
        assert_string_equal(ask("SELECT name, value FROM figures"), "cycles|1000;ipc|1.25;");
        assert_true(store_close(store));
        assert_int_equal(check(), 0);
    }
    close_experiment(&opened);
}

/* The process ends between two results without closing anything. */
static void a_result_is_kept_when_its_process_is_killed(void **state)
{
    struct opened opened;
    int status = 0;

    (void)state;
    open_experiment(&opened, two_policies);
    const pid_t child = fork();
    if (child == 0) {
        struct store *const store = open_store();
        (void)store_grid(store, &opened.grid, &opened.figures);
        put(store, &opened, 5u, 42u);
        raise(SIGKILL);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    struct store *const store = open_store();
    assert_string_equal(ask("SELECT id, status FROM runs WHERE status <> 'pending'"),
                        "6|done;");
    assert_string_equal(ask("PRAGMA integrity_check"), "ok;");
    assert_true(store_close(store));
    close_experiment(&opened);
}

static void a_database_of_others_is_left_alone(void **state)
{
    struct fault fault;
    sqlite3 *database;

    (void)state;
    assert_int_equal(sqlite3_open(path_of("test.sqlite"), &database), SQLITE_OK);
    assert_int_equal(sqlite3_exec(database, "CREATE TABLE mine (x)", NULL, NULL, NULL),
                     SQLITE_OK);
    sqlite3_close(database);
    assert_null(store_open(path_of("test.sqlite"), &fault));
    assert_non_null(strstr(fault_text(&fault), "another program's"));
    assert_string_equal(ask("SELECT name FROM sqlite_master"), "mine;");
    assert_string_equal(ask("PRAGMA journal_mode"), "delete;");
}

/* ---- Reports ------------------------------------------------------------------------- */

static char *printed(struct opened *opened, struct store *store,
                     void (*print)(const struct report *report, FILE *to))
{
    struct report report;
    struct fault fault;
    char *text = NULL;
    size_t length;
    FILE *const to = open_memstream(&text, &length);

    assert_non_null(to);
    assert_true(report_open(&report, store, &opened->grid, &opened->figures, &fault));
    print(&report, to);
    report_free(&report);
    fclose(to);
    return text;
}

static void print_table(const struct report *report, FILE *to)
{
    report_table(report, 0u, to);
}

static void a_table_compares_with_the_baseline(void **state)
{
    struct opened opened;

    (void)state;
    open_experiment(&opened, two_policies);
    struct store *const store = open_store();
    assert_true(store_grid(store, &opened.grid, &opened.figures));
    put(store, &opened, 0u, 1000u); /* mix, gto */
    put(store, &opened, 2u, 500u);  /* mix, lrr: twice as fast */
    put(store, &opened, 4u, 300u);  /* dependent, gto */
    put(store, &opened, 6u, 2400u); /* dependent, lrr: an eighth as fast */
    put(store, &opened, 1u, 1000u); /* with 4 CTAs, mix, gto alone */
    char *const text = printed(&opened, store, print_table);
    assert_string_equal(text, "speedup: cycles of gto / cycles\n"
                              "\n"
                              "m2090, ctas 8\n"
                              "                    gto    lrr\n"
                              "  mix             1.000  2.000\n"
                              "  dependent       1.000  0.125\n"
                              "  geometric mean  1.000  0.500\n"
                              "\n"
                              "m2090, ctas 4\n"
                              "                                gto      lrr\n"
                              "  mix                         1.000  pending\n"
                              "  dependent                 pending  pending\n"
                              "  geometric mean of 0 of 2        -        -\n");
    free(text);
    assert_true(store_close(store));
    close_experiment(&opened);
}

static void csv_quotes_what_it_must(void **state)
{
    struct opened opened;

    (void)state;
    open_experiment(&opened, "gpus: [m2090]\nworkloads: [mix]\n"
                             "variants: {\"a,b\": , 'say \"c\"': {sm.cta_slots: 2}}\n"
                             "figures: [cycles, seconds, ipc]\n");
    struct store *const store = open_store();
    put(store, &opened, 0u, 9u);
    char *const text = printed(&opened, store, report_csv);
    assert_string_equal(text, "run,gpu,workload,size,variant,status,error,cycles,seconds,ipc\n"
                              "1,m2090,mix,,\"a,b\",done,,9,,1.25\n"
                              "2,m2090,mix,,\"say \"\"c\"\"\",pending,,,,\n");
    free(text);
    assert_true(store_close(store));
    close_experiment(&opened);
}

/* A variant's names, and how the file has them. */
static void csv_has_no_formulas(void **state)
{
    struct opened opened;
    char tab[] = "\tx";
    char line[] = "\rx";
    const struct experiment_outcome outcomes[] = { { .status = RUN_FAILED, .error = tab },
                                                   { .status = RUN_FAILED, .error = line } };

    (void)state;
    open_experiment(&opened, "gpus: [m2090]\nworkloads: [mix]\n"
                             "variants: {\"=1+1\": , \"+a\": {sm.cta_slots: 2}, \"-2+3\": , "
                             "\"@SUM(A1)\": , \"-\": , \"-1.5e3\": , \"+7\": , \"a=1\": , "
                             "\"=a,\\\"b\": }\n"
                             "figures: [cycles]\n");
    struct store *const store = open_store();
    for (uint32_t i = 0u; i < 2u; i++) {
        assert_true(
            store_put(store, &opened.grid.keys[i], "text", &outcomes[i], &opened.figures));
    }
    char *const text = printed(&opened, store, report_csv);
    assert_string_equal(text, "run,gpu,workload,size,variant,status,error,cycles\n"
                              "1,m2090,mix,,\"'=1+1\",failed,\"'\tx\",\n"
                              "2,m2090,mix,,\"'+a\",failed,\"'\rx\",\n"
                              "3,m2090,mix,,\"'-2+3\",failed,\"'\tx\",\n"
                              "4,m2090,mix,,\"'@SUM(A1)\",failed,\"'\tx\",\n"
                              "5,m2090,mix,,\"'-\",failed,\"'\tx\",\n"
                              "6,m2090,mix,,-1.5e3,failed,\"'\tx\",\n"
                              "7,m2090,mix,,+7,failed,\"'\tx\",\n"
                              "8,m2090,mix,,a=1,failed,\"'\tx\",\n"
                              "9,m2090,mix,,\"'=a,\"\"b\",failed,\"'\tx\",\n");
    free(text);
    assert_true(store_close(store));
    close_experiment(&opened);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(runs_and_figures_are_easy_to_query),
        TEST(another_grid_finds_what_is_there),
        TEST(a_run_that_succeeds_takes_the_place_of_its_failure),
        TEST(one_process_writes_at_a_time),
        TEST(what_was_watched_goes_with_its_run),
        TEST(a_database_of_an_earlier_format_is_kept),
        TEST(a_database_of_a_later_format_is_refused),
        TEST(what_was_aborted_is_kept_with_its_reason),
        TEST(a_row_that_was_changed_is_known),
        TEST(a_check_of_a_database_counts),
        TEST(what_cannot_be_unpacked_is_one_error),
        TEST(a_run_that_is_done_has_a_result),
        TEST(names_of_figures_that_were_changed_are_not_used),
        TEST(a_result_is_kept_when_its_process_is_killed),
        TEST(a_database_of_others_is_left_alone),
        TEST(a_table_compares_with_the_baseline),
        TEST(csv_quotes_what_it_must),
        TEST(csv_has_no_formulas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
