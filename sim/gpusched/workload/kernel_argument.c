/* kernel_argument - arguments as text; see kernel_argument.h. */

#include "gpusched/workload/kernel_argument.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const uint64_t most_bytes = UINT64_C(1) << 34u;

/* ---- Values -------------------------------------------------------------------------- */

enum reading { READ, NO_NUMBER, OUT_OF_RANGE };

static enum reading read_whole(const char *text, bool is_signed, uint32_t bytes, uint64_t *bits)
{
    const int width = (int)bytes * 8;
    char *end;

    errno = 0;
    if (text[0] == '\0' || isspace((unsigned char)text[0])) {
        return NO_NUMBER;
    }
    if (is_signed) {
        const long long value = strtoll(text, &end, 0);
        const long long highest = INT64_MAX >> (64 - width);
        *bits = (uint64_t)value;
        return *end != '\0' || end == text                             ? NO_NUMBER
               : errno != 0 || value > highest || value < -highest - 1 ? OUT_OF_RANGE
                                                                       : READ;
    }
    const unsigned long long value = strtoull(text, &end, 0);
    *bits = value;
    return *end != '\0' || end == text                                          ? NO_NUMBER
           : errno != 0 || text[0] == '-' || value > UINT64_MAX >> (64 - width) ? OUT_OF_RANGE
                                                                                : READ;
}

/* Numbers too large for the type; infinity may be asked for, as inf. */
static enum reading read_real(const char *text, uint32_t bytes, uint64_t *bits)
{
    char *end;
    errno = 0;
    const double value = strtod(text, &end);
    const float single = (float)value;
    const bool finite = strpbrk(text, "nN") == NULL; /* neither inf nor nan */
    const bool fits = !finite || (isfinite(value) && (bytes == 8u || isfinite(single)));

    *bits = 0u;
    if (bytes == sizeof single) {
        memcpy(bits, &single, sizeof single);
    } else {
        memcpy(bits, &value, sizeof value);
    }
    return end == text || *end != '\0' || isspace((unsigned char)text[0]) ? NO_NUMBER
           : fits                                                         ? READ
                                                                          : OUT_OF_RANGE;
}

/* ---- Buffers ------------------------------------------------------------------------- */

/* A number that ends with `until` or the text; *rest is what comes after it. */
static bool read_count(const char *text, uint64_t highest, uint64_t *value, const char **rest)
{
    char *end;

    errno = 0;
    *value = strtoull(text, &end, 0);
    *rest = *end == ':' ? end + 1 : end;
    return isdigit((unsigned char)text[0]) && (*end == '\0' || *end == ':') && errno == 0
           && *value <= highest;
}

static bool read_file_size(const char *file, uint64_t *bytes, struct fault *fault)
{
    struct stat of;
    const bool there = stat(file, &of) == 0;
    const char *const wrong =
        !there                ? "no such file, and no number of bytes either: a folder ./ helps"
        : S_ISDIR(of.st_mode) ? "a folder; allowed: a file, or a number of bytes"
        : !S_ISREG(of.st_mode) ? "no regular file; allowed: a file, or a number of bytes"
        : of.st_size == 0      ? "the file is empty"
        : (uint64_t)of.st_size > most_bytes ? "a file of more than 16 GiB; allowed: up to that"
                                            : NULL;
    if (wrong != NULL) {
        return fault_set(fault, "--arg buf:%.500s: %s", file, wrong);
    }
    *bytes = (uint64_t)of.st_size;
    return true;
}

static bool read_fill(const char *text, struct kernel_argument *argument)
{
    const char *rest;

    if (text[0] == '\0' || strcmp(text, "zero") == 0) {
        argument->fill = FILL_ZERO;
        return true;
    }
    if (strcmp(text, "iota32") == 0) {
        argument->fill = FILL_IOTA;
        return true;
    }
    argument->fill = strncmp(text, "random:", 7u) == 0 ? FILL_RANDOM : FILL_UNIFORM;
    return (strncmp(text, "random:", 7u) == 0 || strncmp(text, "uniform:", 8u) == 0)
           && read_count(strchr(text, ':') + 1, UINT64_MAX, &argument->seed, &rest)
           && *rest == '\0';
}

static bool read_buffer(const char *text, struct kernel_argument *argument, struct fault *fault)
{
    const char *rest;

    if (!isdigit((unsigned char)text[0])) {
        argument->fill = FILL_FILE;
        argument->file = text;
        return read_file_size(text, &argument->buffer, fault);
    }
    const bool number = read_count(text, most_bytes, &argument->buffer, &rest);
    if ((!number && (*rest == '\0' || rest[-1] == ':')) || (number && argument->buffer == 0u)) {
        return fault_set(fault,
                         "--arg buf:%.200s: out of range; allowed: 1 to %" PRIu64 " bytes",
                         text, most_bytes);
    }
    if (!number || !read_fill(rest, argument)) {
        return fault_set(fault, "--arg buf:%.200s: allowed: %s", text, KERNEL_ARGUMENT_FORMS);
    }
    return true;
}

static bool refuse_range(const char *text, char kind, uint32_t bytes, struct fault *fault)
{
    const uint32_t width = 8u * bytes;
    const int64_t highest = INT64_MAX >> (64u - width);

    if (kind == 'i') {
        fault_set(fault, "--arg %.200s: out of range; allowed: %" PRId64 " to %" PRId64, text,
                  -highest - 1, highest);
    } else if (kind == 'u') {
        fault_set(fault, "--arg %.200s: out of range; allowed: 0 to %" PRIu64, text,
                  UINT64_MAX >> (64u - width));
    } else {
        fault_set(fault, "--arg %.200s: out of range; allowed: up to %s, and inf", text,
                  bytes == 4u ? "3.4028235e38" : "1.7976931348623157e308");
    }
    return false;
}

bool kernel_argument_parse(const char *text, struct kernel_argument *argument,
                           struct fault *fault)
{
    static const struct {
        const char *name;
        uint32_t bytes;
        char kind;
    } types[] = {
        { "i8:", 1u, 'i' },  { "u8:", 1u, 'u' },  { "i16:", 2u, 'i' }, { "u16:", 2u, 'u' },
        { "i32:", 4u, 'i' }, { "u32:", 4u, 'u' }, { "i64:", 8u, 'i' }, { "u64:", 8u, 'u' },
        { "f32:", 4u, 'f' }, { "f64:", 8u, 'f' },
    };

    *argument = (struct kernel_argument){ .bytes = 0u };
    if (strncmp(text, "buf:", 4u) == 0) {
        return read_buffer(text + 4, argument, fault);
    }
    for (size_t i = 0u; i < sizeof types / sizeof types[0]; i++) {
        const size_t n = strlen(types[i].name);
        if (strncmp(text, types[i].name, n) == 0) {
            argument->bytes = types[i].bytes;
            const enum reading reading =
                types[i].kind == 'f' ? read_real(text + n, types[i].bytes, &argument->bits)
                                     : read_whole(text + n, types[i].kind == 'i',
                                                  types[i].bytes, &argument->bits);
            if (reading == READ) {
                return true;
            }
            if (reading == OUT_OF_RANGE) {
                return refuse_range(text, types[i].kind, types[i].bytes, fault);
            }
            break;
        }
    }
    return fault_set(fault, "--arg %.200s: allowed: %s", text, KERNEL_ARGUMENT_FORMS);
}

/* ---- First values -------------------------------------------------------------------- */

static uint32_t random_word(uint64_t seed, uint64_t i)
{
    uint64_t x = seed * UINT64_C(0xd1342543de82ef95) + (i + 1u) * UINT64_C(0x9e3779b97f4a7c15);

    x = (x ^ x >> 30u) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27u) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)(x >> 32u);
}

static bool fill_from_file(const struct kernel_argument *argument, uint8_t *data,
                           struct fault *fault)
{
    FILE *const from = fopen(argument->file, "rbe");
    const bool ok =
        from != NULL && fread(data, 1u, (size_t)argument->buffer, from) == argument->buffer;

    if (from != NULL) {
        fclose(from);
    }
    if (!ok) {
        fault_set(fault, "%.500s: cannot be read", argument->file);
    }
    return ok;
}

bool kernel_argument_fill(const struct kernel_argument *argument, uint8_t *data,
                          struct fault *fault)
{
    if (argument->fill == FILL_FILE) {
        return fill_from_file(argument, data, fault);
    }
    for (uint64_t i = 0u; argument->fill != FILL_ZERO && i < argument->buffer; i += 4u) {
        const uint32_t word = argument->fill == FILL_IOTA ? (uint32_t)(i / 4u)
                                                          : random_word(argument->seed, i / 4u);
        const float unit = (float)(word >> 8u) * 0x1p-24f;
        const uint64_t left = argument->buffer - i;
        memcpy(data + i, argument->fill == FILL_UNIFORM ? (const void *)&unit : &word,
               left < 4u ? (size_t)left : 4u);
    }
    return true;
}
