/*
 * experiment_pack - a text with its numbers apart, so that zstd finds what texts of two runs
 * share and stores their numbers in few bytes. Any text comes back byte by byte.
 *
 * A packed text is the length of a form, the form, and numbers. The form is the text with a
 * mark in place of each number: a run of up to 18 digits whose first is no 0, or a single 0.
 * Lengths and numbers are LEB128. In a list, "12,15", a number is the difference to the one
 * before it: 0, 1, -1, 2 ... are 0, 2, 1, 4.
 */

#ifndef EXPERIMENT_PACK_H
#define EXPERIMENT_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes that grow. Of zeroes it is empty. */
struct pack_bytes {
    uint8_t *bytes; /* to be freed */
    size_t n, room;
    bool lost; /* no memory: what has been added since is not there */
};
void pack_add(struct pack_bytes *to, const void *bytes, size_t n);

enum unpacked { UNPACKED, UNPACK_DAMAGED, UNPACK_NO_MEMORY };

/* Returns false without memory. */
bool pack_text(const char *text, size_t n, struct pack_bytes *packed);
/* text: at most `most` bytes, and a 0 that does not count. */
enum unpacked unpack_text(const uint8_t *packed, size_t n, size_t most,
                          struct pack_bytes *text);

#endif
