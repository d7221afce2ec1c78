/* Tests of packed texts: every text comes back, and what is no packed text is refused. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpusched/experiment/store/experiment_pack.h"

enum { MOST = 1 << 20 };

static void comes_back(const char *text, size_t n)
{
    struct pack_bytes packed = { .n = 0u };
    struct pack_bytes again = { .n = 0u };

    assert_true(pack_text(text, n, &packed));
    assert_int_equal(unpack_text(packed.bytes, packed.n, MOST, &again), UNPACKED);
    assert_int_equal(again.n, n);
    assert_memory_equal(again.bytes, text, n);
    free(packed.bytes);
    free(again.bytes);
}

static void every_text_comes_back(void **state)
{
    static const char *const texts[] = {
        "",
        "0",
        "00",
        "007,07,7",
        "[1,2,3,0,10,9]",
        "-5,-6,1.50,2e-07",
        "999999999999999999,0,999999999999999999,1",
        "1234567890123456789012345678901234567890",
        "\x01,\x01\x02,5,\x02\x01,\x02,7,8",
        "{\"a\": [12,13],\"b\":0.000108}",
    };

    (void)state;
    for (size_t i = 0u; i < sizeof texts / sizeof texts[0]; i++) {
        comes_back(texts[i], strlen(texts[i]));
    }
}

/* Of few signs, so that lists, marks and long numbers meet. */
static void random_texts_come_back(void **state)
{
    static const char signs[] = "0123456789,,\x01\x02.";
    uint32_t seed = 1u;

    (void)state;
    for (int i = 0; i < 20000; i++) {
        char text[64];
        const size_t n = (size_t)i % sizeof text;
        for (size_t k = 0u; k < n; k++) {
            seed = 1664525u * seed + 1013904223u;
            text[k] = signs[(seed >> 16) % sizeof signs]; /* and its 0 */
        }
        comes_back(text, n);
    }
}

static void what_is_cut_or_longer_is_refused(void **state)
{
    static const char text[] = "{\"a\": [12,13,1000000],\"b\":0.000108}";
    struct pack_bytes packed = { .n = 0u };

    (void)state;
    assert_true(pack_text(text, strlen(text), &packed));
    pack_add(&packed, "", 1u);
    for (size_t n = 0u; n <= packed.n; n++) {
        struct pack_bytes again = { .n = 0u };
        const enum unpacked end = unpack_text(packed.bytes, n, MOST, &again);
        assert_int_equal(end, n + 1u == packed.n ? UNPACKED : UNPACK_DAMAGED);
        free(again.bytes);
    }
    free(packed.bytes);
}

static void no_more_than_is_allowed_is_unpacked(void **state)
{
    static const char text[] = "123456,123456,123456";
    struct pack_bytes packed = { .n = 0u };

    (void)state;
    assert_true(pack_text(text, strlen(text), &packed));
    for (size_t most = 0u; most <= strlen(text); most++) {
        struct pack_bytes again = { .n = 0u };
        assert_int_equal(unpack_text(packed.bytes, packed.n, most, &again),
                         most == strlen(text) ? UNPACKED : UNPACK_DAMAGED);
        assert_true(again.n <= most + sizeof text);
        free(again.bytes);
    }
    free(packed.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_text_comes_back),
        cmocka_unit_test(random_texts_come_back),
        cmocka_unit_test(what_is_cut_or_longer_is_refused),
        cmocka_unit_test(no_more_than_is_allowed_is_unpacked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
