/*
 * regx_pattern - regular expressions: bytes, sets of bytes in brackets with ranges, and . for
 * any byte, each of them once, or ? at most once, * any number of times, + at least once.
 */

#ifndef REGX_PATTERN_H
#define REGX_PATTERN_H

#include "workloads/workload_kit.h"

enum { PATTERN_ITEMS = 16, BYTES = 256, KINDS = 4, MOST_STATES = 1024 };

struct pattern {
    size_t n;
    bool has[PATTERN_ITEMS][BYTES];
    char times[PATTERN_ITEMS]; /* 1, ?, * or + */
};
struct pattern pattern_read(const char *text);

/* Some of them begin to match at the first of these bytes: each way is tried. */
bool pattern_matches(const struct pattern *pattern, const uint8_t *bytes, size_t n);

/* State 0 matches nothing more. */
struct automaton {
    size_t states;
    uint16_t (*next)[BYTES];
    uint8_t *accepts;
    uint16_t starts[KINDS];
};
/* Strings of a kind match with any of its patterns; per_kind of them follow each other. */
struct automaton automaton_of(struct kit *kit, const struct pattern *patterns, size_t per_kind);

#endif
