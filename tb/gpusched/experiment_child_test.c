/* Tests of what becomes of a run whose process does not tell its outcome, or not a whole one:
 * in place of the run the child does what each test says. */

#define _GNU_SOURCE /* usleep */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "gpusched/experiment/run/experiment_child.h"

struct act {
    const char *prints; /* on stderr */
    const char *tells;  /* as its message */
    int raises;         /* a signal; 0: it exits */
    int exits;
    struct experiment_child *child;
};

static void perform(void *self)
{
    const struct act *const act = self;
    const struct rlimit none = { .rlim_cur = 0u };

    setrlimit(RLIMIT_CORE, &none);
    if (act->prints != NULL) {
        fputs(act->prints, stderr);
    }
    if (act->tells != NULL) {
        fputs(act->tells, act->child->message);
        fflush(act->child->message);
    }
    if (act->raises == SIGALRM) {
        pause(); /* until it takes too long */
    }
    if (act->raises != 0) {
        signal(act->raises, SIG_DFL); /* cmocka catches some */
        raise(act->raises);
    }
    _exit(act->exits);
}

/* What becomes of it; it takes at most so many seconds, or 0. */
static struct experiment_outcome outcome_of(struct act act, double limit)
{
    struct experiment_child child = { .limit = limit };
    struct experiment_outcome outcome;
    struct fault fault = { .kind = FAULT_NONE };

    act.child = &child;
    if (!child_start(&child, NULL, NULL, perform, &act, &fault)) {
        fail_msg("%s", fault_text(&fault));
    }
    while (!child_ended(&child, &outcome)) {
        usleep(1000);
    }
    assert_int_equal(child.pid, 0);
    return outcome;
}

static void assert_outcome(struct act act, enum experiment_status status, const char *error)
{
    struct experiment_outcome outcome = outcome_of(act, 0.0);

    assert_string_equal(outcome.error, error);
    assert_string_equal(experiment_status_name(outcome.status), experiment_status_name(status));
    if (status == RUN_ABORTED) {
        assert_null(outcome.result);
    }
    experiment_outcome_free(&outcome);
}

#define OBSERVED "\"observed\":{\"lockstep\":null,\"ctas\":null}}"

static void a_message_is_the_outcome(void **state)
{
    struct experiment_outcome outcome = outcome_of(
        (struct act){ .prints = "a remark\n",
                      .tells =
                          "{\"status\":\"done\",\"error\":null,\"result\":\"{}\"," OBSERVED },
        0.0);

    (void)state;
    assert_int_equal(outcome.status, RUN_DONE);
    assert_null(outcome.error);
    assert_string_equal(outcome.result, "{}");
    experiment_outcome_free(&outcome);
}

static void what_a_library_printed_comes_before_the_reason(void **state)
{
    (void)state;
    assert_outcome((struct act){ .prints = "a.so: no such\n  symbol\n",
                                 .tells =
                                     "{\"status\":\"aborted\",\"error\":\"the RTL\\n\\tis not "
                                     "there\\u0001\",\"result\":null," OBSERVED },
                   RUN_ABORTED, "a.so: no such; symbol; the RTL; is not there?");
    assert_outcome((struct act){ .prints = "lost",
                                 .tells = "{\"status\":\"aborted\",\"error\":null,"
                                          "\"result\":null," OBSERVED },
                   RUN_ABORTED, "lost");
}

static void a_crash_is_a_failure(void **state)
{
    (void)state;
    assert_outcome((struct act){ .raises = SIGSEGV, .prints = "%Error: here\n" }, RUN_FAILED,
                   "killed by signal 11 (Segmentation fault); %Error: here");
    assert_outcome((struct act){ .raises = SIGABRT, .prints = "assertion\n" }, RUN_FAILED,
                   "killed by signal 6 (Aborted); assertion");
    /* It is not done, whatever it told before. */
    assert_outcome(
        (struct act){ .raises = SIGABRT,
                      .tells =
                          "{\"status\":\"done\",\"error\":null,\"result\":\"{}\"," OBSERVED },
        RUN_FAILED, "killed by signal 6 (Aborted)");
}

static void a_signal_from_outside_is_no_failure(void **state)
{
    (void)state;
    assert_outcome((struct act){ .raises = SIGKILL }, RUN_ABORTED,
                   "killed by signal 9 (Killed)");
    assert_outcome((struct act){ .raises = SIGTERM }, RUN_ABORTED,
                   "killed by signal 15 (Terminated)");
}

static void a_library_without_memory_is_no_failure(void **state)
{
    (void)state;
    assert_outcome((struct act){ .exits = 2, .prints = "gpusched: no memory for the RTL\n" },
                   RUN_ABORTED, "gpusched: no memory for the RTL");
    /* Words do not decide. */
    assert_outcome((struct act){ .raises = SIGABRT, .prints = "std::bad_alloc\n" }, RUN_FAILED,
                   "killed by signal 6 (Aborted); std::bad_alloc");
    assert_outcome((struct act){ .tells = "{\"status\":\"failed\",\"error\":\"bad input: "
                                          "bad_alloc.ptx\",\"result\":null," OBSERVED },
                   RUN_FAILED, "bad input: bad_alloc.ptx");
}

static void without_a_whole_message_nothing_is_a_result(void **state)
{
    static const char done[] =
        "{\"status\":\"done\",\"error\":null,\"result\":\"{}\"," OBSERVED;

    (void)state;
    assert_outcome((struct act){ .exits = 0 }, RUN_ABORTED, "no memory for its result");
    assert_outcome((struct act){ .tells = "{\"status\":\"done\"" }, RUN_ABORTED,
                   "a damaged result");
    assert_outcome((struct act){ .exits = 1 }, RUN_ABORTED, "exit status 1");
    assert_outcome((struct act){ .exits = 2, .prints = "gpusched: no memory\n" }, RUN_ABORTED,
                   "gpusched: no memory");
    assert_outcome((struct act){ .exits = 3, .tells = done }, RUN_ABORTED, "exit status 3");
}

static void what_takes_too_long_is_a_failure(void **state)
{
    struct experiment_outcome outcome =
        outcome_of((struct act){ .raises = SIGALRM, .prints = "not this" }, 0.05);

    (void)state;
    assert_int_equal(outcome.status, RUN_FAILED);
    assert_string_equal(outcome.error, "timeout: more than 0.05 seconds");
    assert_true(outcome.seconds >= 0.05);
    experiment_outcome_free(&outcome);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_message_is_the_outcome),
        cmocka_unit_test(what_a_library_printed_comes_before_the_reason),
        cmocka_unit_test(a_crash_is_a_failure),
        cmocka_unit_test(a_signal_from_outside_is_no_failure),
        cmocka_unit_test(a_library_without_memory_is_no_failure),
        cmocka_unit_test(without_a_whole_message_nothing_is_a_result),
        cmocka_unit_test(what_takes_too_long_is_a_failure),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
