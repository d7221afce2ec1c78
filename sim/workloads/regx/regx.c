/* regx, host part: packets as of a network, whose requests and lines follow protocols, or
 * strings of a few random letters. */

#include <string.h>

#include "workloads/regx/regx_pattern.h"
#include "workloads/workload_kit.h"

enum input { DARPA, STRING };
enum { BLOCK = 64, PER_KIND = 3, PATTERNS = KINDS * PER_KIND, LONGEST = 1460 };

static const uint32_t n_strings_of[][WORKLOAD_SIZES] = {
    [DARPA] = { [SIZE_SMALL] = 32,
                [SIZE_MEDIUM] = 1024,
                [SIZE_PAPER] = 131072,
                [SIZE_LAPERM] = 16384 },
    [STRING] = { [SIZE_SMALL] = 64,
                 [SIZE_MEDIUM] = 1024,
                 [SIZE_PAPER] = 131072,
                 [SIZE_LAPERM] = 16384 },
};

/* Three for each kind. */
static const char *const texts[][PATTERNS] = {
    [DARPA] = { "GET /[a-z/]*cgi", "[.][.]/[.][.]/", "%[0-9a-f]+%[0-9a-f]+%", //
                "USER [a-z]+", "PASS [a-z]?root", "RETR .*passwd",            //
                "MAIL FROM:<?[a-z]+@", "RCPT TO:.*[|]", "EXPN [a-z]+",        //
                "\x90\x90+", "[\x01-\x08][\x80-\xff]+\x02", "/bin/[a-z]?sh" },
    [STRING] = { "ab*c", "a[bc]+d", "dd?a", //
                 "ba+b", "c.d.a", "cc*dd",  //
                 "d[ab]*c", "aaa", "bcd+a", //
                 "abcd", "[ad]+bb", "c*a?dd" },
};

struct strings {
    size_t n;
    int32_t *first; /* and behind the last */
    uint8_t *bytes;
};

/* Half of the packets are short, and most others are full. */
static int32_t length_of_packet(struct kit *kit)
{
    const uint32_t kind = kit_random(kit) % 8u;
    return 4
           + (int32_t)(kind < 4u   ? kit_random(kit) % 40u
                       : kind < 6u ? kit_random(kit) % 500u
                                   : LONGEST - 4u - kit_random(kit) % 100u);
}

static void fill_packet(struct kit *kit, uint8_t *bytes, int32_t n)
{
    static const char *const words[] = {
        "GET /",
        "cgi-bin/",
        "../",
        "%2e%2f%",
        "USER ",
        "root",
        "PASS ",
        "RETR ",
        "/etc/",
        "passwd",
        " ",
        "\r\n",
        "MAIL FROM:<",
        "@",
        "RCPT TO:",
        "|",
        "EXPN ",
        "/bin/sh",
        "\x90\x90\x90",
        "\x03\x85\x91\x02",
    };
    int32_t at = 0;
    while (at < n) {
        const char *word = words[kit_random(kit) % (sizeof words / sizeof *words)];
        for (; *word != '\0' && at < n; word++) {
            bytes[at++] = (uint8_t)*word;
        }
        for (uint32_t k = kit_random(kit) % 12u; k > 0 && at < n; k--) {
            bytes[at++] = (uint8_t)('a' + kit_random(kit) % 26u);
        }
    }
}

static struct strings make(struct kit *kit, enum input input, size_t n)
{
    struct strings s = { n, kit_host(kit, (n + 1) * sizeof(int32_t)), NULL };
    for (size_t i = 0; i < n; i++) {
        s.first[i + 1] =
            s.first[i]
            + (input == DARPA ? length_of_packet(kit) : 16 + (int32_t)(kit_random(kit) % 240u));
    }
    s.bytes = kit_host(kit, (size_t)s.first[n]);
    for (size_t i = 0; i < n; i++) {
        uint8_t *bytes = s.bytes + s.first[i];
        const int32_t length = s.first[i + 1] - s.first[i];
        if (input == DARPA) {
            fill_packet(kit, bytes, length);
        }
        for (int32_t k = 0; input == STRING && k < length; k++) {
            bytes[k] = (uint8_t)('a' + kit_random(kit) % 4u);
        }
        bytes[0] = (uint8_t)(kit_random(kit) % KINDS);
    }
    return s;
}

/* By trying each pattern of a string's kind at each of its places. */
static void match(const struct strings *s, const struct pattern *patterns, int32_t *found)
{
    for (size_t i = 0; i < s->n; i++) {
        const uint8_t *bytes = s->bytes + s->first[i];
        const size_t n = (size_t)(s->first[i + 1] - s->first[i]);
        const struct pattern *of = patterns + (size_t)(bytes[0] % KINDS) * PER_KIND;
        for (size_t k = 0; k < n; k++) {
            bool any = false;
            for (size_t p = 0; p < PER_KIND; p++) {
                any = any || pattern_matches(&of[p], bytes + k, n - k);
            }
            found[i] += any;
        }
    }
}

static gsp_pointer match_on_device(struct kit *kit, const struct strings *s,
                                   const struct automaton *a)
{
    struct {
        gsp_pointer next, accepts;
        int32_t starts[KINDS];
    } automaton = {
        .next = kit_alloc_copy(kit, a->next, a->states * sizeof *a->next),
        .accepts = kit_alloc_copy(kit, a->accepts, a->states),
    };
    for (size_t kind = 0; kind < KINDS; kind++) {
        automaton.starts[kind] = a->starts[kind];
    }
    gsp_pointer first = kit_alloc_copy(kit, s->first, (s->n + 1) * sizeof(int32_t));
    gsp_pointer bytes = kit_alloc_copy(kit, s->bytes, (size_t)s->first[s->n]);
    gsp_pointer found = kit_alloc(kit, s->n * sizeof(int32_t));
    int32_t n = (int32_t)s->n;
    const struct gsp_dim grid = { ((uint32_t)n + BLOCK - 1) / BLOCK, 1, 1 };
    kit_set(kit, found, 0, s->n * sizeof(int32_t));
    KIT_LAUNCH(kit, kit_workload(kit)->nested ? "regx_match_nested" : "regx_match", grid,
               ((struct gsp_dim){ BLOCK, 1, 1 }), &automaton, &first, &bytes, &n, &found);
    return found;
}

static bool run(struct kit *kit, enum workload_size size)
{
    const enum input input = kit_workload(kit)->input;
    kit_seed(kit, "regx");
    struct pattern *patterns = kit_host(kit, sizeof *patterns * PATTERNS);
    for (size_t p = 0; p < PATTERNS; p++) {
        patterns[p] = pattern_read(texts[input][p]);
    }
    const struct automaton automaton = automaton_of(kit, patterns, PER_KIND);
    if (automaton.states == MOST_STATES) {
        return kit_fail(kit, "the patterns have %d states or more", MOST_STATES);
    }
    const struct strings s = make(kit, input, n_strings_of[input][size]);
    int32_t *expected = kit_host(kit, s.n * sizeof(int32_t));
    int32_t *got = kit_host(kit, s.n * sizeof(int32_t));
    match(&s, patterns, expected);
    kit_copy_out(kit, got, match_on_device(kit, &s, &automaton), s.n * sizeof(int32_t));
    return kit_check_ints(kit, "matches of string", got, expected, s.n);
}

#define TITLE "where regular expressions match in "
#define SHARED(of)                                                                   \
    .source = "LaPerm Table II (REGX)",                                              \
    .check = "the matches of each string, exactly, by trying every way", .run = run, \
    .papers = SIZE_BIT(LAPERM), .folder = "regx", .input = (of)
#define NESTED(input, words, of)                                                            \
    {                                                                                       \
        .name = "regx_" input, .title = TITLE words ", with child kernels", .nested = true, \
        SHARED(of)                                                                          \
    }
#define FLAT(input, words, of)                                          \
    {                                                                   \
        .name = "regx_" input "_flat", .title = TITLE words, SHARED(of) \
    }
const struct cuda_workload workload_regx_darpa = NESTED("darpa", "packets", DARPA);
const struct cuda_workload workload_regx_darpa_flat = FLAT("darpa", "packets", DARPA);
const struct cuda_workload workload_regx_string = NESTED("string", "random strings", STRING);
const struct cuda_workload workload_regx_string_flat = FLAT("string", "random strings", STRING);
