/* Tests of regx_pattern: what a pattern matches, and that its automaton agrees. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include "driver/driver.h"
#include "workloads/kit_run.h"
#include "workloads/regx/regx_pattern.h"

static bool matches(const char *pattern, const char *text)
{
    const struct pattern p = pattern_read(pattern);
    return pattern_matches(&p, (const uint8_t *)text, strlen(text));
}

static void a_pattern_matches_at_the_first_byte_what_it_says(void **state)
{
    (void)state;
    assert_true(matches("ab*c", "ac") && matches("ab*c", "abbbcx"));
    assert_false(matches("ab*c", "abbb") || matches("ab*c", "xac"));
    assert_true(matches("ab+c", "abc") && !matches("ab+c", "ac"));
    assert_true(matches("ab?c", "ac") && matches("ab?c", "abc") && !matches("ab?c", "abbc"));
    assert_true(matches("a.c", "axc") && !matches("a.c", "ac"));
    assert_true(matches("[a-cx]d", "bd") && matches("[a-cx]d", "xd"));
    assert_false(matches("[a-cx]d", "dd") || matches("[a-cx]d", "-d"));
    assert_true(matches("[.][ab]*b", ".abab") && !matches("[.][ab]*b", "xab"));
    assert_true(matches("\x90\x90+", "\x90\x90\x90") && !matches("\x90\x90+", "\x90"));
}

enum { STRINGS = 2000, LENGTH = 12 };

static bool check_automaton(struct kit *kit, enum workload_size size)
{
    static const char *const texts[KINDS] = { "ab*c", "[ab]+cb?a", ".b.?c*a", "aa?b*c+" };
    struct pattern patterns[KINDS];
    size_t found = 0;
    (void)size;
    for (size_t p = 0; p < KINDS; p++) {
        patterns[p] = pattern_read(texts[p]);
    }
    const struct automaton a = automaton_of(kit, patterns, 1);
    for (size_t n = 0; n < STRINGS * KINDS; n++) {
        uint8_t text[LENGTH];
        bool accepts = false;
        for (size_t i = 0; i < LENGTH; i++) {
            text[i] = (uint8_t)('a' + kit_random(kit) % 3u);
        }
        uint16_t at = a.starts[n % KINDS];
        for (size_t i = 0; i < LENGTH; i++) {
            at = a.next[at][text[i]];
            accepts = accepts || a.accepts[at] != 0;
        }
        if (accepts != pattern_matches(&patterns[n % KINDS], text, LENGTH)) {
            return kit_fail(kit, "%s and %.*s", texts[n % KINDS], LENGTH, (const char *)text);
        }
        found += accepts;
    }
    assert_in_range(found, STRINGS / 4, STRINGS * KINDS - STRINGS / 4);
    return true;
}

static void the_automaton_finds_what_trying_each_way_finds(void **state)
{
    const struct cuda_workload workload = { .name = "patterns", .run = check_automaton };
    struct gsp_context *context = NULL;
    struct kit_outcome outcome;

    (void)state;
    assert_int_equal(gsp_open(&context, &(struct gsp_options){ .config = NULL }), GSP_OK);
    kit_run(&workload, SIZE_SMALL, NULL, context, &outcome);
    gsp_close(context);
    if (outcome.end != KIT_RIGHT) {
        fail_msg("%s", fault_text(&outcome.fault));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pattern_matches_at_the_first_byte_what_it_says),
        cmocka_unit_test(the_automaton_finds_what_trying_each_way_finds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
