/* Tests of databases that are of other formats, or not as they were written. */

#include "experiment_open.h"

#include <string.h>

#include "gpusched/experiment/store/experiment_digest.h"
#include "gpusched/experiment/store/experiment_sql.h"

/* ---- Formats ------------------------------------------------------------------------- */

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
    change_database(tables);
    snprintf(text, sizeof text, rows, keys[0].text, keys[0].text, keys[1].text, keys[2].text);
    change_database(text);
    change_database(digests);
    if (format < 3) {
        change_database("DROP VIEW runs");
        change_database(without_digests);
    }
    if (format < 2) {
        change_database("DROP TABLE result_observed");
    }
    snprintf(text, sizeof text, "PRAGMA user_version = %d", format);
    change_database(text);
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
        assert_string_equal(ask_database("PRAGMA user_version"), version);
        assert_int_equal(check_database(), 1);
        assert_non_null(strstr(check_said, "of an earlier format"));
        assert_int_equal(strstr(check_said, "without digests") == NULL, format == 3);

        store = open_store();
        assert_int_equal(store_say_broken(store, "test"), broken);
        assert_true(store_grid(store, &opened.grid, &opened.figures));
        assert_int_equal(status_in(store, &opened, 0u), RUN_DONE);
        assert_int_equal(status_in(store, &opened, 1u), RUN_FAILED);
        assert_int_equal(status_in(store, &opened, 2u),
                         broken != 0u ? RUN_PENDING : RUN_FAILED);
        assert_string_equal(ask_database("SELECT name, value FROM figures WHERE run = 1"),
                            "cycles|1000;ipc|1.25;");
        assert_string_equal(ask_database("SELECT value FROM observed"),
                            format == 1 ? "" : "{};");
        assert_string_equal(ask_database("PRAGMA user_version"), "4;");
        assert_true(store_close(store));
        assert_string_equal(result_of(1u),
                            "{\"cycles\": {\"core\": 1000}, \"derived\": {\"ipc\": "
                            "1.25}}");
        assert_int_equal(check_database(), 0);
    }
    close_experiment(&opened);
}

static void a_database_of_a_later_format_is_refused(void **state)
{
    struct fault fault;

    (void)state;
    assert_true(store_close(open_store()));
    change_database("PRAGMA user_version = 5");
    assert_null(store_open(path_of("test.sqlite"), &fault));
    assert_non_null(strstr(fault_text(&fault), "another version"));
    assert_int_equal(check_database(), 2);
    assert_non_null(strstr(check_said, "another version"));
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
        keep_run(store, &opened, 0u, 1000u);
        assert_int_equal(status_in(store, &opened, 0u), RUN_DONE);
        assert_true(store_close(store));
        assert_int_equal(check_database(), 0);
        change_database(changes[i]);
        assert_int_equal(check_database(), 1);
        store = open_store();
        assert_int_equal(store_say_broken(store, "test"), 1);
        assert_int_equal(status_in(store, &opened, 0u), RUN_PENDING);
        assert_true(store_grid(store, &opened.grid, &opened.figures));
        assert_int_equal(store_say_broken(store, "test"), 0);
        assert_true(store_close(store));
        assert_int_equal(check_database(), 0);
        assert_string_equal(ask_database("SELECT count(*) FROM results"), "0;");
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
        keep_run(store, &opened, 0u, 1000u);
        keep_run(store, &opened, 1u, 2000u);
        assert_true(store_close(store));
        close_experiment(&opened);
        change_database(wrong[i].change);
        assert_int_equal(check_database(), 1);
        if (strstr(check_said, wrong[i].found) == NULL) {
            fail_msg("%s: %s", wrong[i].change, check_said);
        }
        unlink(path_of("test.sqlite"));
    }
    assert_int_equal(check_database(), 2);
    assert_non_null(strstr(check_said, "No such file"));
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
        keep_run(store, &opened, 0u, 1000u);
        assert_true(store_close(store));
        snprintf(
            text, sizeof text,
            "UPDATE results SET packed = %s; UPDATE results SET digest = " DIGEST_OF_RESULT,
            hex);
        change_database(text);
        if (check_database() != 1
            || strstr(check_said, "test.sqlite: result 1 cannot be unpacked") == NULL) {
            fail_msg("%s: %s", packed[i], check_said);
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
        assert_int_equal(check_database(), 1);
        assert_non_null(strstr(check_said, "result 1: done, without a result"));
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
        keep_run(store, &opened, 0u, 1000u);
        assert_true(store_close(store));
        change_database(changes[i]);
        store = open_store();
        assert_int_equal(cycles_in(store, &opened, 0u), 1000);
        assert_true(store_grid(store, &opened.grid, &opened.figures));
        assert_string_equal(ask_database("SELECT name, value FROM figures"),
                            "cycles|1000;ipc|1.25;");
        assert_true(store_close(store));
        assert_int_equal(check_database(), 0);
    }
    close_experiment(&opened);
}

/* The process ends between two results without closing anything. */
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_database_of_an_earlier_format_is_kept),
        TEST(a_database_of_a_later_format_is_refused),
        TEST(a_row_that_was_changed_is_known),
        TEST(a_check_of_a_database_counts),
        TEST(what_cannot_be_unpacked_is_one_error),
        TEST(a_run_that_is_done_has_a_result),
        TEST(names_of_figures_that_were_changed_are_not_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
