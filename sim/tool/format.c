/* format - numbers as people read them; see format.h. */

#include "tool/format.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct text format_count(uint64_t value)
{
    struct text digits;
    struct text result;
    const size_t n = (size_t)snprintf(digits.text, FORMAT_TEXT, "%" PRIu64, value);
    size_t at = 0u;

    for (size_t i = 0u; i < n; i++) {
        if (i > 0u && (n - i) % 3u == 0u) {
            result.text[at++] = ',';
        }
        result.text[at++] = digits.text[i];
    }
    result.text[at] = '\0';
    return result;
}

struct text format_unit(double value, const char *unit)
{
    static const char *const prefixes[] = { "f", "p", "n", "u", "m", "", "k", "M", "G", "T" };
    enum { ONE = 5, LAST = 9 };
    struct text result;
    int prefix = ONE;
    double shown = value;

    /* 999.95 would be shown as 1000 with its old prefix. */
    while (shown >= 999.95 && prefix < LAST) {
        shown /= 1000.0;
        prefix++;
    }
    while (shown > 0.0 && shown < 0.99995 && prefix > 0) {
        shown *= 1000.0;
        prefix--;
    }
    const int decimals = shown < 9.9995 ? 3 : shown < 99.995 ? 2 : 1;
    snprintf(result.text, FORMAT_TEXT, "%.*f %s%s", shown > 0.0 ? decimals : 0, shown,
             prefixes[prefix], unit);
    return result;
}

struct text format_share(double share)
{
    struct text result;

    if (isnan(share)) {
        snprintf(result.text, FORMAT_TEXT, "-  ");
    } else {
        snprintf(result.text, FORMAT_TEXT, "%.1f %%", 100.0 * share);
    }
    return result;
}

struct text format_shape(const uint32_t n[3])
{
    struct text text;

    if (n[2] > 1u) {
        snprintf(text.text, FORMAT_TEXT, "%" PRIu32 "x%" PRIu32 "x%" PRIu32, n[0], n[1], n[2]);
    } else if (n[1] > 1u) {
        snprintf(text.text, FORMAT_TEXT, "%" PRIu32 "x%" PRIu32, n[0], n[1]);
    } else {
        snprintf(text.text, FORMAT_TEXT, "%" PRIu32, n[0]);
    }
    return text;
}

struct text format_duration(double seconds)
{
    struct text result;
    const uint64_t whole = seconds < 0.0 ? 0u : (uint64_t)seconds;
    const uint64_t hours = whole / 3600u;

    if (hours > 0u) {
        snprintf(result.text, FORMAT_TEXT, "%" PRIu64 ":%02" PRIu64 ":%02" PRIu64, hours,
                 whole / 60u % 60u, whole % 60u);
    } else {
        snprintf(result.text, FORMAT_TEXT, "%" PRIu64 ":%02" PRIu64, whole / 60u, whole % 60u);
    }
    return result;
}

static double limited(double share)
{
    return share > 1.0 ? 1.0 : share >= 0.0 ? share : 0.0; /* not a number is 0 */
}

struct text format_bar(double share, unsigned width, bool unicode)
{
    static const char *const eighths[] = { "", "▏", "▎", "▍", "▌", "▋", "▊", "▉" };
    struct text result = { "" };
    const unsigned parts = unicode ? 8u : 1u;
    unsigned filled = (unsigned)lround(limited(share) * width * parts);
    size_t at = 0u;

    if (filled == 0u && share > 0.0 && unicode) {
        filled = 1u; /* little is not nothing */
    }
    for (unsigned i = 0u; i < filled / parts; i++) {
        at += (size_t)snprintf(result.text + at, FORMAT_TEXT - at, "%s", unicode ? "█" : "#");
    }
    snprintf(result.text + at, FORMAT_TEXT - at, "%s", eighths[filled % parts]);
    return result;
}

const char *format_height(double share, bool unicode)
{
    static const char *const heights[] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
    static const char *const digits[] = { "0", "1", "2", "3", "4", "5", "6", "7", "8", "9" };

    return unicode ? heights[(int)(limited(share) * 7.0 + 0.5)]
                   : digits[(int)(limited(share) * 9.0 + 0.5)];
}
