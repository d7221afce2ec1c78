/* format - numbers as people read them: separators, units, bars. */

#ifndef FORMAT_H
#define FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FORMAT_TEXT = 128 }; /* enough for all but bars */

/* A text of its own, so that several fit into one call of printf. */
struct text {
    char text[FORMAT_TEXT];
};

/* 1,234,567 */
struct text format_count(uint64_t value);

/* Four digits with the prefix that suits: 94.97 us, 1.234 GB/s. unit: "s", "J", ... */
struct text format_unit(double value, const char *unit);

/* 12.3 %, or - if share is not a number: nothing has been counted. */
struct text format_share(double share);

/* A grid or block: 6, 6x6 or 6x6x2. */
struct text format_shape(const uint32_t n[3]);

/* Hours, minutes, seconds: 1:02:03 or 2:03. */
struct text format_duration(double seconds);

/* A bar of share * width columns, share in 0..1, padded with nothing. Width: up to 40. */
struct text format_bar(double share, unsigned width, bool unicode);

/* One column of a row of small bars: share 0..1 in eight heights, or as digits 0..9. */
const char *format_height(double share, bool unicode);

#endif
