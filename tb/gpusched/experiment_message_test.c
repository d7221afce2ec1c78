/* Tests of what a run tells the process that started it: whole messages, and damaged ones. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "gpusched/experiment/run/experiment_message.h"
#include "tool/memory_file.h"

/* What is read after this has been written. */
static enum message_found read_text(const char *text, size_t n,
                                    struct experiment_outcome *outcome)
{
    FILE *const file = memory_file();

    assert_non_null(file);
    assert_int_equal(fwrite(text, 1u, n, file), n);
    const enum message_found found = message_read(file, outcome);
    fclose(file);
    return found;
}

/* What is read of an outcome that has been written. */
static void pass(const struct experiment_outcome *outcome, struct experiment_outcome *read)
{
    FILE *const file = memory_file();

    assert_non_null(file);
    assert_true(message_write(outcome, file));
    assert_int_equal(message_read(file, read), MESSAGE_FOUND);
    fclose(file);
    assert_int_equal(read->status, outcome->status);
}

static void a_result_keeps_its_bytes(void **state)
{
    char result[] =
        "{ \"cycles\": 1.50,\n  \"name\": \"\\u00e9 \xc3\xa9 \\\"/\\\"\",\t\"a\":1e3}\n";
    char lockstep[] = "[{\"unit\":\"claso\"}]";
    char ctas[] = "{\"ctas\":[[0,1,2,3,4,5]]}";
    const struct experiment_outcome done = {
        .status = RUN_DONE, .result = result, .lockstep = lockstep, .ctas = ctas
    };
    struct experiment_outcome read;

    (void)state;
    pass(&done, &read);
    assert_null(read.error);
    assert_string_equal(read.result, result);
    assert_string_equal(read.lockstep, lockstep);
    assert_string_equal(read.ctas, ctas);
    experiment_outcome_free(&read);
}

static void an_error_keeps_its_bytes(void **state)
{
    static char *const errors[] = { "one line", "two\nlines; \x01\x7f \"quoted\" \\",
                                    "a name in Latin-1: caf\xe9/x.ptx",
                                    "cut in a character \xc3", "\xff" };

    (void)state;
    for (size_t i = 0u; i < sizeof errors / sizeof errors[0]; i++) {
        const struct experiment_outcome failed = { .status = RUN_FAILED, .error = errors[i] };
        struct experiment_outcome read;
        pass(&failed, &read);
        assert_string_equal(read.error, errors[i]);
        assert_null(read.result);
        assert_null(read.lockstep);
        assert_null(read.ctas);
        experiment_outcome_free(&read);
    }
}

static void what_was_aborted_may_have_no_reason_of_its_own(void **state)
{
    const struct experiment_outcome aborted = { .status = RUN_ABORTED };
    struct experiment_outcome read;

    (void)state;
    pass(&aborted, &read);
    assert_null(read.error);
    experiment_outcome_free(&read);
}

static const char whole[] = "{\"status\":\"failed\",\"error\":\"why\",\"result\":\"{}\","
                            "\"observed\":{\"lockstep\":\"[]\",\"ctas\":null}}";

static void assert_not_found(enum message_found wanted, const char *text, size_t n)
{
    struct experiment_outcome read;

    if (read_text(text, n, &read) != wanted) {
        fail_msg("%.*s: taken, or another reason than %d", (int)n, text, (int)wanted);
    }
    assert_int_equal(read.status, RUN_ABORTED);
    assert_null(read.error);
    assert_null(read.result);
    assert_null(read.lockstep);
    assert_null(read.ctas);
}

static void a_message_that_is_cut_anywhere_is_damaged(void **state)
{
    const size_t n = strlen(whole);
    struct experiment_outcome read;

    (void)state;
    assert_int_equal(read_text(whole, n, &read), MESSAGE_FOUND);
    experiment_outcome_free(&read);
    assert_not_found(MESSAGE_NONE, whole, 0u);
    for (size_t i = 1u; i < n; i++) {
        assert_not_found(MESSAGE_DAMAGED, whole, i);
    }
}

static void other_types_and_fields_are_damaged(void **state)
{
#define OBSERVED "\"observed\":{\"lockstep\":null,\"ctas\":null}}"
    static const char *const damaged[] = {
        "nonsense",
        "null",
        "[]",
        "{}",
        "\"done\"",
        "{\"status\":\"done\"}",
        "{\"status\":1,\"error\":null,\"result\":\"{}\"," OBSERVED,
        "{\"status\":null,\"error\":null,\"result\":\"{}\"," OBSERVED,
        "{\"status\":\"pending\",\"error\":null,\"result\":null," OBSERVED,
        "{\"status\":\"Done\",\"error\":null,\"result\":\"{}\"," OBSERVED,
        "{\"status\":\"failed\",\"error\":7,\"result\":null," OBSERVED,
        "{\"status\":\"failed\",\"error\":{},\"result\":null," OBSERVED,
        "{\"status\":\"failed\",\"error\":[104,0],\"result\":null," OBSERVED,
        "{\"status\":\"failed\",\"error\":[104,256],\"result\":null," OBSERVED,
        "{\"status\":\"failed\",\"error\":[\"h\"],\"result\":null," OBSERVED,
        "{\"status\":\"done\",\"error\":null,\"result\":{}," OBSERVED,
        "{\"status\":\"done\",\"error\":null,\"result\":[123,125]," OBSERVED,
        "{\"status\":\"done\",\"error\":null,\"result\":\"\\u0000\"," OBSERVED,
        "{\"status\":\"done\",\"error\":null,\"result\":\"{}\",\"observed\":null}",
        "{\"status\":\"done\",\"error\":null,\"result\":\"{}\",\"observed\":{\"ctas\":null}}",
        "{\"status\":\"done\",\"error\":null,\"result\":\"{}\",\"observed\":{\"ctas\":{},"
        "\"lockstep\":null}}",
        "{\"status\":\"done\",\"error\":null,\"result\":\"{}\",\"observed\":{\"ctas\":null,"
        "\"lockstep\":null,\"warps\":null}}",
        "{\"more\":1,\"status\":\"done\",\"error\":null,\"result\":\"{}\"," OBSERVED,
        "{\"status\":\"done\",\"status\":\"done\",\"error\":null,\"result\":\"{}\"," OBSERVED,
        "{\"status\":\"done\",\"error\":null,\"result\":\"{}\"," OBSERVED "\n{}",
    };

    (void)state;
    for (size_t i = 0u; i < sizeof damaged / sizeof damaged[0]; i++) {
        assert_not_found(MESSAGE_DAMAGED, damaged[i], strlen(damaged[i]));
    }
}

static void a_status_has_the_fields_that_it_needs(void **state)
{
    static const char *const damaged[] = {
        "{\"status\":\"done\",\"error\":null,\"result\":null," OBSERVED,
        "{\"status\":\"done\",\"error\":\"why\",\"result\":\"{}\"," OBSERVED,
        "{\"status\":\"failed\",\"error\":null,\"result\":\"{}\"," OBSERVED,
        "{\"status\":\"failed\",\"error\":\"\",\"result\":\"{}\"," OBSERVED,
        "{\"status\":\"aborted\",\"error\":\"why\",\"result\":\"{}\"," OBSERVED,
        "{\"status\":\"aborted\",\"error\":\"why\",\"result\":null,\"observed\":{\"lockstep\":"
        "\"[]\",\"ctas\":null}}",
    };

    (void)state;
    for (size_t i = 0u; i < sizeof damaged / sizeof damaged[0]; i++) {
        assert_not_found(MESSAGE_DAMAGED, damaged[i], strlen(damaged[i]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_result_keeps_its_bytes),
        cmocka_unit_test(an_error_keeps_its_bytes),
        cmocka_unit_test(what_was_aborted_may_have_no_reason_of_its_own),
        cmocka_unit_test(a_message_that_is_cut_anywhere_is_damaged),
        cmocka_unit_test(other_types_and_fields_are_damaged),
        cmocka_unit_test(a_status_has_the_fields_that_it_needs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
