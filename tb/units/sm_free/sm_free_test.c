/* Tests of sm_free's golden model. TODO: worked examples of the source, each a sentence. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include "units/sm_free.h"

static void without_inputs_nothing_changes_after_a_reset(void **state)
{
    const char *const standard[] = { NULL };
    struct fault fault;
    struct unit *const unit = unit_open("sm_free", standard, &fault);
    const struct sm_free_state reset = *(const struct sm_free_state *)unit_state(unit);

    (void)state;
    unit_eval(unit);
    unit_edge(unit, false);
    assert_memory_equal(&reset, unit_state(unit), sizeof reset);
    unit_close(unit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_inputs_nothing_changes_after_a_reset),
    };
    return cmocka_run_group_tests_name("sm_free", tests, NULL, NULL);
}
