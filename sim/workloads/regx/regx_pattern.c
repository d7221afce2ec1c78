/* regx_pattern - regular expressions and their automaton; see regx_pattern.h. */

#include "workloads/regx/regx_pattern.h"

#include <string.h>

struct pattern pattern_read(const char *text)
{
    struct pattern p = { .n = 0 };
    while (*text != '\0') {
        const char *end = *text == '[' ? strchr(text, ']') : text;
        for (const char *at = *text == '[' ? text + 1 : text; at < end || at == text; at++) {
            const bool range = at + 2 < end && at[1] == '-';
            const int last = *text == '.' ? BYTES - 1 : (uint8_t)at[range ? 2 : 0];
            for (int c = *text == '.' ? 0 : (uint8_t)*at; c <= last; c++) {
                p.has[p.n][c] = true;
            }
            at += range ? 2 : 0;
        }
        text = end + 1;
        p.times[p.n] = '1';
        if (*text == '?' || *text == '*' || *text == '+') {
            p.times[p.n] = *text++;
        }
        p.n++;
    }
    return p;
}

// NOLINTNEXTLINE(misc-no-recursion): once for each item
static bool rest_matches(const struct pattern *p, size_t item, const uint8_t *bytes, size_t n)
{
    size_t used = 0;
    if (item == p->n) {
        return true;
    }
    const size_t least = p->times[item] == '1' || p->times[item] == '+' ? 1 : 0;
    const size_t most = p->times[item] == '1' || p->times[item] == '?' ? 1 : n;
    for (;;) {
        if (used >= least && rest_matches(p, item + 1, bytes + used, n - used)) {
            return true;
        }
        if (used == n || used == most || !p->has[item][bytes[used]]) {
            return false;
        }
        used++;
    }
}

bool pattern_matches(const struct pattern *pattern, const uint8_t *bytes, size_t n)
{
    return rest_matches(pattern, 0, bytes, n);
}

/* ---- The automaton --------------------------------------------------------------------- */

/* A state is a set of places in patterns: bit i of a pattern's word is in front of item i. */
enum { PATTERNS = 16 };
struct places {
    uint32_t of[PATTERNS];
};

/* Items that may be left out are. */
static uint32_t closed(const struct pattern *p, uint32_t places)
{
    for (size_t i = 0; i < p->n; i++) {
        if ((places >> i & 1u) != 0u && (p->times[i] == '?' || p->times[i] == '*')) {
            places |= 1u << (i + 1);
        }
    }
    return places;
}

static uint32_t behind(const struct pattern *p, uint32_t places, int byte)
{
    uint32_t next = 0;
    for (size_t i = 0; i < p->n; i++) {
        if ((places >> i & 1u) != 0u && p->has[i][byte]) {
            next |= 1u << (i + 1);
            next |= p->times[i] == '*' || p->times[i] == '+' ? 1u << i : 0u;
        }
    }
    return closed(p, next);
}

struct states {
    size_t n;
    struct places of[MOST_STATES];
};

/* MOST_STATES if there are too many. */
static size_t number_of(struct states *states, const struct places *places)
{
    size_t i = 0;
    while (i < states->n && memcmp(&states->of[i], places, sizeof *places) != 0) {
        i++;
    }
    if (i == states->n && i < MOST_STATES) {
        states->of[states->n++] = *places;
    }
    return i;
}

struct automaton automaton_of(struct kit *kit, const struct pattern *patterns, size_t per_kind)
{
    struct states *s = kit_host(kit, sizeof *s);
    struct automaton a = {
        .next = kit_host(kit, MOST_STATES * sizeof *a.next),
        .accepts = kit_host(kit, MOST_STATES),
    };
    const size_t n = per_kind * KINDS;
    (void)number_of(s, &(struct places){ { 0 } });
    for (size_t kind = 0; kind < KINDS; kind++) {
        struct places start = { { 0 } };
        for (size_t p = kind * per_kind; p < (kind + 1) * per_kind; p++) {
            start.of[p] = closed(&patterns[p], 1u);
        }
        a.starts[kind] = (uint16_t)number_of(s, &start);
    }
    for (size_t i = 0; i < s->n; i++) {
        for (int byte = 0; byte < BYTES; byte++) {
            struct places next = { { 0 } };
            for (size_t p = 0; p < n; p++) {
                next.of[p] = behind(&patterns[p], s->of[i].of[p], byte);
            }
            a.next[i][byte] = (uint16_t)number_of(s, &next);
        }
        for (size_t p = 0; p < n; p++) {
            if ((s->of[i].of[p] >> patterns[p].n & 1u) != 0u) {
                a.accepts[i] = 1;
            }
        }
    }
    a.states = s->n;
    return a;
}
