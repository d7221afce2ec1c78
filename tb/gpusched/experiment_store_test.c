/* Tests of an experiment's database, which is read as a user would. */

#include "experiment_open.h"

#include <signal.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/wait.h>

static void runs_and_figures_are_easy_to_query(void **state)
{
    struct opened opened;

    (void)state;
    open_experiment(&opened, two_policies);
    struct store *const store = open_store();
    assert_true(store_grid(store, &opened.grid, &opened.figures));
    keep_run(store, &opened, 0u, 1000u);
    keep_run(store, &opened, 3u, 0u);
    assert_string_equal(
        ask_database("SELECT id, gpu, workload, size, variant, ctas, status, error"
                     " FROM runs WHERE id IN (1, 2, 4) ORDER BY id"),
        "1|m2090|mix|-|gto|8|done|-;2|m2090|mix|-|gto|4|pending|-;"
        "4|m2090|mix|-|lrr|4|failed|why;");
    assert_string_equal(ask_database("SELECT run, name, value FROM figures"),
                        "1|cycles|1000;1|ipc|1.25;");
    /* Numbers, not texts. */
    assert_string_equal(ask_database("SELECT DISTINCT ctas FROM runs WHERE ctas > 5"), "8;");
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
    keep_run(store, &opened, 0u, 1000u);
    keep_run(store, &opened, 1u, 2000u);
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
    assert_string_equal(ask_database("SELECT id, variant, slots, status FROM runs ORDER BY id"),
                        "1|default|4|done;2|default|2|pending;");
    assert_string_equal(ask_database("SELECT name, value FROM figures ORDER BY name"),
                        "cycles|2000;ipc|1.25;seconds|-;");
    assert_string_equal(ask_database("SELECT count(*) FROM results"), "2;");
    assert_true(store_close(store));
    close_experiment(&opened);
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
    assert_string_equal(ask_database("SELECT status, error FROM runs WHERE id = 1"),
                        "aborted|no memory;");
    assert_int_equal(status_in(store, &opened, 0u), RUN_ABORTED);
    keep_run(store, &opened, 0u, 1000u);
    assert_int_equal(status_in(store, &opened, 0u), RUN_DONE);
    assert_string_equal(ask_database("SELECT status, error FROM runs WHERE id = 1"), "done|-;");
    assert_true(store_close(store));
    assert_int_equal(check_database(), 0);
    close_experiment(&opened);
}

static void a_run_that_succeeds_takes_the_place_of_its_failure(void **state)
{
    struct opened opened;

    (void)state;
    open_experiment(&opened, two_policies);
    struct store *const store = open_store();
    assert_true(store_grid(store, &opened.grid, &opened.figures));
    keep_run(store, &opened, 0u, 0u);
    assert_string_equal(ask_database("SELECT status, error FROM runs WHERE id = 1"),
                        "failed|why;");
    assert_string_equal(ask_database("SELECT count(*) FROM figures"), "0;");
    keep_run(store, &opened, 0u, 7u);
    assert_string_equal(ask_database("SELECT status, error FROM runs WHERE id = 1"), "done|-;");
    assert_string_equal(ask_database("SELECT value FROM figures WHERE name = 'cycles'"), "7;");
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
    assert_string_equal(ask_database("SELECT run, name, value FROM observed"),
                        "3|ctas|{\"ctas\": []};3|lockstep|[1];");
    outcome.lockstep = second;
    outcome.ctas = NULL;
    assert_true(store_put(store, &opened.grid.keys[2], "text", &outcome, &opened.figures));
    assert_string_equal(ask_database("SELECT run, name, value FROM observed"),
                        "3|lockstep|[2];");
    keep_run(store, &opened, 2u, 5u);
    assert_string_equal(ask_database("SELECT count(*) FROM observed"), "0;");
    assert_true(store_close(store));
    close_experiment(&opened);
}

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
        keep_run(store, &opened, 5u, 42u);
        raise(SIGKILL);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    struct store *const store = open_store();
    assert_string_equal(ask_database("SELECT id, status FROM runs WHERE status <> 'pending'"),
                        "6|done;");
    assert_string_equal(ask_database("PRAGMA integrity_check"), "ok;");
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
    assert_string_equal(ask_database("SELECT name FROM sqlite_master"), "mine;");
    assert_string_equal(ask_database("PRAGMA journal_mode"), "delete;");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(runs_and_figures_are_easy_to_query),
        TEST(another_grid_finds_what_is_there),
        TEST(a_run_that_succeeds_takes_the_place_of_its_failure),
        TEST(one_process_writes_at_a_time),
        TEST(what_was_watched_goes_with_its_run),
        TEST(what_was_aborted_is_kept_with_its_reason),
        TEST(a_result_is_kept_when_its_process_is_killed),
        TEST(a_database_of_others_is_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
