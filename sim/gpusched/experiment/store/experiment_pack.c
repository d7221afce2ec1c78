/* experiment_pack - texts with their numbers apart; see experiment_pack.h. */

#include "gpusched/experiment/store/experiment_pack.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In a form: a number, and the byte after it as it is. */
enum { MARK = 1, ESCAPE = 2, MOST_DIGITS = 18, LONGEST = 10 /* LEB128 */ };

/* ---- Bytes --------------------------------------------------------------------------- */

void pack_add(struct pack_bytes *to, const void *bytes, size_t n)
{
    if (to->room - to->n < n && !to->lost) {
        const size_t room = 2u * to->n + n + 256u;
        uint8_t *const more = realloc(to->bytes, room);
        to->lost = more == NULL;
        to->bytes = more == NULL ? to->bytes : more;
        to->room = more == NULL ? to->room : room;
    }
    if (!to->lost && n > 0u) {
        memcpy(to->bytes + to->n, bytes, n);
        to->n += n;
    }
}

static void add_byte(struct pack_bytes *to, uint8_t byte)
{
    if (to->n < to->room) {
        to->bytes[to->n++] = byte;
    } else {
        pack_add(to, &byte, 1u);
    }
}

static void add_number(struct pack_bytes *to, uint64_t number)
{
    for (; number > 0x7fu; number >>= 7) {
        add_byte(to, (uint8_t)(0x80u | (number & 0x7fu)));
    }
    add_byte(to, (uint8_t)number);
}

/* Moves *at behind the number. Returns false if there is none. */
static bool take_number(const uint8_t *bytes, size_t n, size_t *at, uint64_t *number)
{
    *number = 0u;
    for (unsigned i = 0u; i < LONGEST && *at < n; i++) {
        const uint8_t byte = bytes[(*at)++];
        *number |= (uint64_t)(byte & 0x7fu) << (7u * i);
        if (byte <= 0x7fu) {
            return true;
        }
    }
    return false;
}

static uint64_t folded(int64_t difference)
{
    return difference < 0 ? ~((uint64_t)difference << 1) : (uint64_t)difference << 1;
}

static uint64_t unfolded(uint64_t number)
{
    return (number & 1u) != 0u ? ~(number >> 1) : number >> 1;
}

/* ---- Packing ------------------------------------------------------------------------- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* How many characters at `text` are a number. */
static size_t digits(const char *text, size_t n)
{
    size_t length = 0u;

    if (n > 1u && text[0] == '0' && is_digit(text[1])) {
        return 0u;
    }
    while (length < n && length < MOST_DIGITS && is_digit(text[length])) {
        length++;
    }
    return length;
}

static uint64_t value_of(const char *text, size_t n)
{
    uint64_t value = 0u;

    for (size_t i = 0u; i < n; i++) {
        value = 10u * value + (uint64_t)(text[i] - '0');
    }
    return value;
}

/* Whether a number that comes now is one more of a list. */
static bool in_list(const uint8_t *form, size_t n)
{
    return n >= 2u && form[n - 1u] == ',' && form[n - 2u] == MARK
           && (n == 2u || form[n - 3u] != ESCAPE);
}

bool pack_text(const char *text, size_t n, struct pack_bytes *packed)
{
    struct pack_bytes form = { NULL, 0u, 0u, false };
    struct pack_bytes numbers = form;
    uint64_t last = 0u;

    for (size_t i = 0u; i < n;) {
        const size_t length = digits(text + i, n - i);
        if (length > 0u) {
            const uint64_t value = value_of(text + i, length);
            add_number(&numbers, in_list(form.bytes, form.n)
                                     ? folded((int64_t)value - (int64_t)last)
                                     : value);
            add_byte(&form, MARK);
            last = value;
            i += length;
            continue;
        }
        if (text[i] == MARK || text[i] == ESCAPE) {
            add_byte(&form, ESCAPE);
        }
        add_byte(&form, (uint8_t)text[i++]);
    }
    add_number(packed, form.n);
    pack_add(packed, form.bytes, form.n);
    pack_add(packed, numbers.bytes, numbers.n);
    packed->lost = packed->lost || form.lost || numbers.lost;
    free(form.bytes);
    free(numbers.bytes);
    return !packed->lost;
}

/* ---- Unpacking ----------------------------------------------------------------------- */

static void add_digits(struct pack_bytes *text, uint64_t value)
{
    char number[24];

    pack_add(text, number, (size_t)snprintf(number, sizeof number, "%" PRIu64, value));
}

enum unpacked unpack_text(const uint8_t *packed, size_t n, size_t most, struct pack_bytes *text)
{
    size_t at = 0u;
    uint64_t length;
    uint64_t last = 0u;

    if (!take_number(packed, n, &at, &length) || length > n - at) {
        return UNPACK_DAMAGED;
    }
    const uint8_t *const form = packed + at;
    at += (size_t)length;
    for (size_t i = 0u; i < length && text->n <= most && !text->lost; i++) {
        uint64_t number;
        if (form[i] != MARK) {
            i += form[i] == ESCAPE && i + 1u < length;
            add_byte(text, form[i]);
            continue;
        }
        if (!take_number(packed, n, &at, &number)) {
            return UNPACK_DAMAGED;
        }
        last = in_list(form, i) ? last + unfolded(number) : number;
        add_digits(text, last);
    }
    add_byte(text, 0u);
    if (text->lost) {
        return UNPACK_NO_MEMORY;
    }
    text->n--;
    return at == n && text->n <= most ? UNPACKED : UNPACK_DAMAGED;
}
