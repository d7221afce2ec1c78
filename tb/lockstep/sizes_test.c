/* Tests of drawn sizes: they are the unit's, the same for the same seed, and of every class. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include "lockstep/sizes.h"

enum { DRAWN = 300 };

static struct unit *draw(const struct unit_type *type, uint64_t *random)
{
    struct fault fault;
    struct unit *const unit = sizes_draw(type->name, random, &fault);

    if (unit == NULL) {
        fail_msg("%s", fault_text(&fault));
    }
    return unit;
}

static void a_seed_gives_the_same_sizes_again_and_another_others(void **state)
{
    (void)state;
    uint32_t same = 0u;

    for (uint64_t seed = 0u; seed < 20u; seed++) {
        char title[3][UNIT_TITLE];
        const uint64_t start[3] = { seed, seed, seed + 1000u };
        for (int i = 0; i < 3; i++) {
            uint64_t random = start[i];
            struct unit *const unit = draw(unit_types[0], &random);
            unit_title(unit, title[i]);
            unit_close(unit);
        }
        assert_string_equal(title[0], title[1]);
        same += strcmp(title[0], title[2]) == 0;
    }
    assert_in_range(same, 0u, 5u);
}

/* How many sizes had a value of each class. */
struct classes {
    uint32_t lowest, highest, few, powers, others, upper;
};

static void count(const struct unit_param *param, uint32_t value, struct classes *classes)
{
    const bool power = (value & (value - 1u)) == 0u;

    assert_in_range(value, param->lowest, param->highest);
    classes->lowest += value == param->lowest;
    classes->highest += value == param->highest;
    classes->few += value > 1u && value <= 8u;
    classes->powers += power;
    classes->others += !power;
    classes->upper += value > param->highest - (param->highest - param->lowest) / 4u;
}

/* So few values that some classes have none. */
static bool is_narrow(const struct unit_param *param)
{
    return param->highest - param->lowest < 8u;
}

static void every_value_of_a_narrow_parameter_is_drawn(void **state)
{
    (void)state;
    for (const struct unit_type *const *type = unit_types; *type != NULL; type++) {
        for (uint32_t p = 0u; p < (*type)->n_param; p++) {
            const struct unit_param *const param = &(*type)->params[p];
            uint32_t drawn[8] = { 0u };
            uint64_t random = 1u;
            for (int i = 0; i < DRAWN && is_narrow(param); i++) {
                struct unit *const unit = draw(*type, &random);
                drawn[unit_param(unit, p) - param->lowest]++;
                unit_close(unit);
            }
            for (uint32_t v = 0u; is_narrow(param) && v <= param->highest - param->lowest;
                 v++) {
                assert_in_range(drawn[v], DRAWN / 40, DRAWN);
            }
        }
    }
}

static void every_parameter_is_of_every_class(void **state)
{
    (void)state;
    for (const struct unit_type *const *type = unit_types; *type != NULL; type++) {
        for (uint32_t p = 0u; p < (*type)->n_param; p++) {
            struct classes classes = { 0u };
            uint64_t random = 1u;
            if (is_narrow(&(*type)->params[p])) {
                continue;
            }
            for (int i = 0; i < DRAWN; i++) {
                struct unit *const unit = draw(*type, &random);
                count(&(*type)->params[p], unit_param(unit, p), &classes);
                unit_close(unit);
            }
            const uint32_t *const each = (const uint32_t *)&classes;
            for (size_t c = 0u; c < sizeof classes / sizeof *each; c++) {
                assert_in_range(each[c], DRAWN / 20, DRAWN);
            }
        }
    }
}

static void a_parameter_often_does_not_divide_the_one_before(void **state)
{
    (void)state;
    for (const struct unit_type *const *type = unit_types; *type != NULL; type++) {
        uint64_t random = 7u;
        uint32_t n = 0u;
        for (int i = 0; i < DRAWN; i++) {
            struct unit *const unit = draw(*type, &random);
            const uint32_t first = unit_param(unit, 0u);
            const uint32_t second = unit_param(unit, 1u);
            n += second < first && first % second != 0u;
            unit_close(unit);
        }
        if (!is_narrow(&(*type)->params[0])) {
            assert_in_range(n, DRAWN / 8, DRAWN);
        }
    }
}

static void a_unit_that_is_not_there_is_refused(void **state)
{
    (void)state;
    struct fault fault;
    uint64_t random = 1u;

    assert_null(sizes_draw("nobody", &random, &fault));
    assert_non_null(strstr(fault_text(&fault), "no unit nobody; there are: "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_seed_gives_the_same_sizes_again_and_another_others),
        cmocka_unit_test(every_value_of_a_narrow_parameter_is_drawn),
        cmocka_unit_test(every_parameter_is_of_every_class),
        cmocka_unit_test(a_parameter_often_does_not_divide_the_one_before),
        cmocka_unit_test(a_unit_that_is_not_there_is_refused),
    };
    return cmocka_run_group_tests_name("sizes", tests, NULL, NULL);
}
