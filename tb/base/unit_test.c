/*
 * Tests of what all units share: values of ports, parameters, and the rule that only the
 * inputs with a PATH row reach an output in their own cycle. Whatever units there are,
 * they are all tried.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/random_bits.h"
#include "base/unit.h"
#include "lockstep/stimulus.h"

static const char *const no_params[] = { NULL };

static struct unit *open_unit(const char *name, const char *const *params)
{
    struct fault fault;
    struct unit *const unit = unit_open(name, params, &fault);

    if (unit == NULL) {
        fail_msg("%s", fault_text(&fault));
    }
    return unit;
}

/* ---- Bits ---------------------------------------------------------------------------- */

static void a_field_of_bits_is_read_back_and_leaves_its_neighbours(void **state)
{
    (void)state;
    uint64_t random = 1u;

    for (uint32_t n = 1u; n <= 64u; n++) {
        for (uint32_t bit = 0u; bit < 64u; bit++) {
            uint32_t words[5];
            uint32_t before[5];
            for (uint32_t w = 0u; w < 5u; w++) {
                before[w] = words[w] = (uint32_t)random_bits(&random);
            }
            const uint64_t value = random_bits(&random) >> (64u - n);
            unit_set_bits(words, bit, n, value);
            assert_int_equal(unit_get_bits(words, bit, n), value);
            for (uint32_t b = 0u; b < 160u; b++) {
                if (b < bit || b >= bit + n) {
                    assert_int_equal(unit_get_bits(words, b, 1u), unit_get_bits(before, b, 1u));
                }
            }
        }
    }
}

static void sets_below_n_have_n_numbers(void **state)
{
    (void)state;
    for (uint32_t n = 0u; n <= BITS_MAX; n++) {
        const struct bits set = bits_below(n);
        assert_int_equal(bits_count(set, BITS_MAX), n);
        assert_int_equal(bits_any(set), n > 0u);
        assert_true(n == 0u || bits_has(set, n - 1u));
        assert_true(n == BITS_MAX || !bits_has(set, n));
    }
}

static void index_widths_are_those_of_clog2(void **state)
{
    (void)state;
    const uint32_t expected[][2] = { { 1, 1 },   { 2, 1 },        { 3, 2 },  { 4, 2 },
                                     { 5, 3 },   { 16, 4 },       { 17, 5 }, { 128, 7 },
                                     { 129, 8 }, { 1u << 31, 31 } };
    for (size_t i = 0u; i < sizeof expected / sizeof expected[0]; i++) {
        assert_int_equal(index_width(expected[i][0]), expected[i][1]);
    }
}

/* ---- Groups -------------------------------------------------------------------------- */

static void fill(const struct unit *unit, enum unit_group group, void *to, uint64_t *random)
{
    for (uint32_t i = 0u; i < unit->n_port; i++) {
        const struct unit_port *const port = &unit->ports[i];
        for (uint32_t k = 0u; port->group == group && k < port->count; k++) {
            unit_set(port, to, k, random_bits(random) >> (64u - port->width));
        }
    }
}

static void packed_groups_are_unpacked_to_the_same(void **state)
{
    (void)state;
    uint64_t random = 2u;

    for (const struct unit_type *const *type = unit_types; *type != NULL; type++) {
        struct unit *const unit = open_unit((*type)->name, no_params);
        for (enum unit_group g = UNIT_IN; g < UNIT_IMAGES; g++) {
            void *const from = calloc(1u, (*type)->group_size[g]);
            void *const to = calloc(1u, (*type)->group_size[g]);
            uint32_t *const image = calloc(unit_words(unit->image_bits[g]), sizeof *image);
            struct unit_difference difference;

            for (int i = 0; i < 100; i++) {
                fill(unit, g, from, &random);
                unit_pack_group(unit, g, from, image);
                unit_unpack_group(unit, g, image, to);
                assert_int_equal(unit_compare(unit, g, from, to, &difference, 1u), 0);
            }
            free(from);
            free(to);
            free(image);
        }
        unit_close(unit);
    }
}

static void a_comparison_names_every_element_that_differs(void **state)
{
    (void)state;
    for (const struct unit_type *const *type = unit_types; *type != NULL; type++) {
        struct unit *const unit = open_unit((*type)->name, no_params);
        void *const zeros = calloc(1u, (*type)->group_size[UNIT_OUT]);
        void *const other = calloc(1u, (*type)->group_size[UNIT_OUT]);

        for (uint32_t i = 0u; i < unit->n_port; i++) {
            const struct unit_port *const port = &unit->ports[i];
            for (uint32_t k = 0u; port->group == UNIT_OUT && k < port->count; k++) {
                struct unit_difference found[2];
                unit_set(port, other, k, 1u);
                assert_int_equal(unit_compare(unit, UNIT_OUT, zeros, other, found, 2u), 1);
                assert_ptr_equal(found[0].port, port);
                assert_int_equal(found[0].element, k);
                assert_int_equal(found[0].expected, 0);
                assert_int_equal(found[0].got, 1);
                unit_set(port, other, k, 0u);
            }
        }
        free(zeros);
        free(other);
        unit_close(unit);
    }
}

/* ---- Parameters ---------------------------------------------------------------------- */

static void parameters_not_given_have_their_standard_value(void **state)
{
    (void)state;
    for (const struct unit_type *const *type = unit_types; *type != NULL; type++) {
        struct unit *const unit = open_unit((*type)->name, no_params);
        for (uint32_t i = 0u; i < (*type)->n_param; i++) {
            assert_int_equal(unit_param(unit, i), (*type)->params[i].standard);
        }
        unit_close(unit);
    }
}

static void a_bad_unit_or_parameter_is_refused_with_what_is_allowed(void **state)
{
    (void)state;
    static const struct {
        const char *unit;
        const char *param;
        const char *why;
    } bad[] = {
        { "nobody", NULL, "no unit nobody; there are: " },
        { "claso", "N_COR=3",
          "claso has no parameter N_COR=3; it has N_CORE, N_POOL, N_KERNEL" },
        { "claso", "n_core=3", "claso has no parameter n_core=3" },
        { "claso", "N_CORE=0", "claso: N_CORE=0: a whole number from 1 to 192 is allowed" },
        { "claso", "N_CORE=193", "from 1 to 192 is allowed" },
        { "claso", "N_CORE=-1", "from 1 to 192 is allowed" },
        { "claso", "N_CORE=", "from 1 to 192 is allowed" },
        { "claso", "N_CORE", "from 1 to 192 is allowed" },
        { "claso", "N_CORE=3x", "from 1 to 192 is allowed" },
        { "claso", "N_CORE=99999999999999999999", "from 1 to 192 is allowed" },
    };

    for (size_t i = 0u; i < sizeof bad / sizeof bad[0]; i++) {
        const char *const params[] = { bad[i].param, NULL };
        struct fault fault;
        assert_null(unit_open(bad[i].unit, params, &fault));
        if (strstr(fault_text(&fault), bad[i].why) == NULL) {
            fail_msg("%s, not %s", fault_text(&fault), bad[i].why);
        }
    }
}

/* ---- Paths --------------------------------------------------------------------------- */

static bool has_path(const struct unit_type *type, const char *in, const char *out)
{
    for (const struct unit_path *path = type->paths; path->in != NULL; path++) {
        if (strcmp(path->in, in) == 0 && strcmp(path->out, out) == 0) {
            return true;
        }
    }
    return false;
}

/* Outputs that differ, after a change of the input that is port in, must have its path. */
static void check_change(struct unit *unit, const struct unit_port *in, const void *before)
{
    struct unit_difference found[256];
    const uint32_t n = unit_compare(unit, UNIT_OUT, before, unit->out, found, 256u);

    for (uint32_t i = 0u; i < n; i++) {
        if (!has_path(unit->type, in->name, found[i].port->name)) {
            fail_msg("%s: %s reaches %s in its own cycle", unit->type->name, in->name,
                     found[i].port->name);
        }
    }
}

static void check_paths(struct unit *unit, uint64_t seed, void *before, void *in)
{
    struct stimulus *const stimulus = stimulus_open(unit, "mixed", seed);

    for (uint32_t cycle = 0u; cycle < 3000u; cycle++) {
        const bool reset = stimulus_next(stimulus);
        unit_eval(unit);
        memcpy(before, unit->out, unit->type->group_size[UNIT_OUT]);
        memcpy(in, unit->in, unit->type->group_size[UNIT_IN]);
        for (uint32_t i = 0u; i < unit->n_port; i++) {
            const struct unit_port *const port = &unit->ports[i];
            if (port->group == UNIT_IN) {
                unit_set(port, unit->in, cycle % port->count,
                         ~unit_get(port, in, cycle % port->count)
                             & (UINT64_MAX >> (64u - port->width)));
                unit_eval(unit);
                check_change(unit, port, before);
                memcpy(unit->in, in, unit->type->group_size[UNIT_IN]);
            }
        }
        unit_eval(unit);
        unit_edge(unit, reset);
    }
    stimulus_close(stimulus);
}

static void only_inputs_with_a_path_reach_an_output_in_their_own_cycle(void **state)
{
    (void)state;
    for (const struct unit_type *const *type = unit_types; *type != NULL; type++) {
        struct unit *const unit = open_unit((*type)->name, no_params);
        void *const before = calloc(1u, (*type)->group_size[UNIT_OUT]);
        void *const in = calloc(1u, (*type)->group_size[UNIT_IN]);
        check_paths(unit, 5u, before, in);
        free(before);
        free(in);
        unit_close(unit);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_field_of_bits_is_read_back_and_leaves_its_neighbours),
        cmocka_unit_test(sets_below_n_have_n_numbers),
        cmocka_unit_test(index_widths_are_those_of_clog2),
        cmocka_unit_test(packed_groups_are_unpacked_to_the_same),
        cmocka_unit_test(a_comparison_names_every_element_that_differs),
        cmocka_unit_test(parameters_not_given_have_their_standard_value),
        cmocka_unit_test(a_bad_unit_or_parameter_is_refused_with_what_is_allowed),
        cmocka_unit_test(only_inputs_with_a_path_reach_an_output_in_their_own_cycle),
    };
    return cmocka_run_group_tests_name("unit", tests, NULL, NULL);
}
