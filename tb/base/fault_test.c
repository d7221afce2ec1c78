/* Tests of faults: what is told of them, and what a caller decides by. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/fault.h"

/* A text of n letters. */
static const char *letters(char *text, size_t n, char letter)
{
    memset(text, letter, n);
    text[n] = '\0';
    return text;
}

/* ---- Text ---------------------------------------------------------------------------- */

static void zeros_are_no_fault(void **state)
{
    (void)state;
    const struct fault fault = { .line = 0u };

    assert_int_equal(fault.kind, FAULT_NONE);
    assert_string_equal(fault_text(&fault), "");
}

static void a_fault_of_the_input_has_its_text_and_returns_false(void **state)
{
    (void)state;
    struct fault fault;

    assert_false(fault_set(&fault, "%s: %d SMs", "gpu", 7));
    assert_int_equal(fault.kind, FAULT_INPUT);
    assert_int_equal(fault.line, 0u);
    assert_int_equal(fault.file, 0u);
    assert_string_equal(fault_text(&fault), "gpu: 7 SMs");
}

static void a_fault_replaces_the_one_before(void **state)
{
    (void)state;
    struct fault fault;

    fault_at(&fault, "a.yaml", 3u, "one");
    fault_surroundings(&fault, "no memory");
    assert_int_equal(fault.kind, FAULT_SURROUNDINGS);
    assert_int_equal(fault.line, 0u);
    assert_int_equal(fault.file, 0u);
    assert_string_equal(fault_text(&fault), "no memory");
    fault_set(&fault, "two");
    assert_int_equal(fault.kind, FAULT_INPUT);
    assert_string_equal(fault_text(&fault), "two");
}

static void text_comes_before_and_behind_and_the_kind_stays(void **state)
{
    (void)state;
    struct fault fault;

    fault_surroundings(&fault, "no memory");
    assert_false(fault_before(&fault, "%s: ", "tile"));
    assert_false(fault_add(&fault, " for %d", 3));
    assert_int_equal(fault.kind, FAULT_SURROUNDINGS);
    assert_string_equal(fault_text(&fault), "tile: no memory for 3");
}

/* ---- Files --------------------------------------------------------------------------- */

static void a_fault_in_a_file_has_file_and_line(void **state)
{
    (void)state;
    struct fault fault;

    assert_false(fault_at(&fault, "gpu/m2090.yaml", 12u, "sm.%s: %d", "count", 0));
    assert_int_equal(fault.kind, FAULT_INPUT);
    assert_int_equal(fault.line, 12u);
    assert_memory_equal(fault_text(&fault), "gpu/m2090.yaml", fault.file);
    assert_int_equal(fault.file, strlen("gpu/m2090.yaml"));
    assert_string_equal(fault_text(&fault), "gpu/m2090.yaml:12: sm.count: 0");
}

static void a_fault_of_a_whole_file_has_no_line(void **state)
{
    (void)state;
    struct fault fault;

    fault_at(&fault, "a.ptx", 0u, "is empty");
    assert_int_equal(fault.line, 0u);
    assert_int_equal(fault.file, strlen("a.ptx"));
    assert_string_equal(fault_text(&fault), "a.ptx: is empty");
}

static void a_place_is_put_before_a_fault_that_keeps_its_kind(void **state)
{
    (void)state;
    struct fault fault;

    fault_surroundings(&fault, "no memory");
    assert_false(fault_locate(&fault, "a.yaml", 9u, "%s: ", "base"));
    assert_int_equal(fault.kind, FAULT_SURROUNDINGS);
    assert_int_equal(fault.line, 9u);
    assert_int_equal(fault.file, strlen("a.yaml"));
    assert_string_equal(fault_text(&fault), "a.yaml:9: base: no memory");
}

static void what_precedes_a_place_is_no_file(void **state)
{
    (void)state;
    struct fault fault;

    fault_at(&fault, "a.yaml", 9u, "wrong");
    fault_before(&fault, "--gpu: ");
    assert_int_equal(fault.line, 0u);
    assert_int_equal(fault.file, 0u);
    assert_string_equal(fault_text(&fault), "--gpu: a.yaml:9: wrong");
}

static void words_of_a_file_make_one_line(void **state)
{
    (void)state;
    struct fault fault;

    fault_at(&fault, "a\nb", 1u, "\"%s\" is given", "x\n\x1b[1m\t");
    assert_string_equal(fault_text(&fault), "a?b:1: \"x??[1m?\" is given");
    fault_add(&fault, "\nhere");
    assert_string_equal(fault_text(&fault), "a?b:1: \"x??[1m?\" is given?here");
}

/* ---- Lengths ------------------------------------------------------------------------- */

/* The longest text that fits stands as it is; one letter more, and the end says that it is cut.
 */
static void a_text_that_is_cut_says_so(void **state)
{
    (void)state;
    char text[FAULT_TEXT + 1];
    struct fault fault;

    fault_set(&fault, "%s", letters(text, FAULT_TEXT - 1u, 'x'));
    assert_string_equal(fault_text(&fault), text);
    fault_set(&fault, "%s", letters(text, FAULT_TEXT, 'x'));
    assert_int_equal(strlen(fault_text(&fault)), FAULT_TEXT - 1u);
    assert_string_equal(fault_text(&fault) + FAULT_TEXT - 5, "x...");
}

static void what_is_added_is_cut_as_well(void **state)
{
    (void)state;
    char text[FAULT_TEXT];
    struct fault fault;

    fault_set(&fault, "%s", letters(text, FAULT_TEXT - 3u, 'x'));
    fault_add(&fault, "yz");
    assert_string_equal(fault_text(&fault) + FAULT_TEXT - 4, "xyz");
    fault_add(&fault, "%s", "more");
    assert_string_equal(fault_text(&fault) + FAULT_TEXT - 5, "x...");
    fault_add(&fault, "more");
    assert_string_equal(fault_text(&fault) + FAULT_TEXT - 5, "x...");
    fault_before(&fault, "%s", "yz");
    assert_memory_equal(fault_text(&fault), "yzxx", 4u);
    assert_int_equal(strlen(fault_text(&fault)), FAULT_TEXT - 1u);
    assert_string_equal(fault_text(&fault) + FAULT_TEXT - 5, "x...");
}

/* Four places where the cut may meet the two bytes of a character. */
static void no_character_is_cut_in_half(void **state)
{
    (void)state;
    char text[FAULT_TEXT];
    struct fault fault;

    for (size_t n = FAULT_TEXT - 7u; n < FAULT_TEXT - 3u; n++) {
        fault_set(&fault, "%s\xc3\xa9xxxxxxxx", letters(text, n, 'x'));
        const char *const end = strstr(fault_text(&fault), "...");
        assert_non_null(end);
        assert_int_equal(end[3], '\0');
        assert_true(end[-1] == 'x' || (end[-2] == '\xc3' && end[-1] == '\xa9'));
    }
}

static void behind_the_longest_name_of_a_file_is_what_is_wrong(void **state)
{
    (void)state;
    char name[2 * FAULT_TEXT];
    struct fault fault;

    letters(name, sizeof name - 1u, 'd');
    memcpy(name + sizeof name - sizeof "/a.yaml", "/a.yaml", sizeof "/a.yaml");
    fault_at(&fault, name, 5u, "sm.count: wrong");
    assert_memory_equal(fault_text(&fault), "...dd", 5u);
    assert_non_null(strstr(fault_text(&fault), "d/a.yaml:5: sm.count: wrong"));
    assert_memory_equal(fault_text(&fault) + fault.file, ":5: ", 4u);
}

/* ---- Kinds --------------------------------------------------------------------------- */

static void the_kind_is_told_and_not_the_words(void **state)
{
    (void)state;
    struct fault fault;

    fault_set(&fault, "no memory.yaml: no such GPU");
    assert_int_equal(fault.kind, FAULT_INPUT);
    assert_false(fault_by(&fault, FAULT_SURROUNDINGS));
    assert_int_equal(fault.kind, FAULT_SURROUNDINGS);
    assert_string_equal(fault_text(&fault), "no memory.yaml: no such GPU");
}

static void a_file_that_is_missing_is_an_input_and_a_full_disk_is_not(void **state)
{
    (void)state;
    static const int inputs[] = { ENOENT, ENOTDIR, EISDIR, EACCES, ENAMETOOLONG, ELOOP };
    static const int surroundings[] = { ENOMEM, ENOSPC, EIO, EMFILE, ENFILE, EAGAIN, EDQUOT };

    for (size_t i = 0u; i < sizeof inputs / sizeof inputs[0]; i++) {
        assert_int_equal(fault_kind_of(inputs[i]), FAULT_INPUT);
    }
    for (size_t i = 0u; i < sizeof surroundings / sizeof surroundings[0]; i++) {
        assert_int_equal(fault_kind_of(surroundings[i]), FAULT_SURROUNDINGS);
    }
}

static void what_the_system_says_has_words_and_kind_of_errno(void **state)
{
    (void)state;
    struct fault fault;

    errno = ENOENT;
    assert_false(fault_system(&fault, "%s", "a.ptx"));
    assert_int_equal(fault.kind, FAULT_INPUT);
    assert_string_equal(fault_text(&fault), "a.ptx: No such file or directory");
    errno = ENOSPC;
    fault_system(&fault, "%s: cannot be written", "a.json");
    assert_int_equal(fault.kind, FAULT_SURROUNDINGS);
    assert_string_equal(fault_text(&fault),
                        "a.json: cannot be written: No space left on device");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(zeros_are_no_fault),
        cmocka_unit_test(a_fault_of_the_input_has_its_text_and_returns_false),
        cmocka_unit_test(a_fault_replaces_the_one_before),
        cmocka_unit_test(text_comes_before_and_behind_and_the_kind_stays),
        cmocka_unit_test(a_fault_in_a_file_has_file_and_line),
        cmocka_unit_test(a_fault_of_a_whole_file_has_no_line),
        cmocka_unit_test(a_place_is_put_before_a_fault_that_keeps_its_kind),
        cmocka_unit_test(what_precedes_a_place_is_no_file),
        cmocka_unit_test(words_of_a_file_make_one_line),
        cmocka_unit_test(a_text_that_is_cut_says_so),
        cmocka_unit_test(what_is_added_is_cut_as_well),
        cmocka_unit_test(no_character_is_cut_in_half),
        cmocka_unit_test(behind_the_longest_name_of_a_file_is_what_is_wrong),
        cmocka_unit_test(the_kind_is_told_and_not_the_words),
        cmocka_unit_test(a_file_that_is_missing_is_an_input_and_a_full_disk_is_not),
        cmocka_unit_test(what_the_system_says_has_words_and_kind_of_errno),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
