/* rtl_equal - whether a unit's nets hold what the model does, in every cycle; see rtl.h. Values
 * that lie in memory alike, as Verilator and C keep them, are compared as bytes, neighbours at
 * once. */

#include <stdlib.h>
#include <string.h>

#include "lockstep/rtl_parts.h"

/* ---- Values that lie alike ----------------------------------------------------------- */

/* The bytes of a row's net that are those of its field, or image; 0: they are kept in another
 * way. */
static size_t alike_bytes(const struct row *row)
{
    const struct unit_port *const port = row->port;
    const size_t bytes = row->net.bytes;

    switch (port->shape) {
    case UNIT_FLAG:
        return bytes;
    case UNIT_NUM:
        return bytes == sizeof(uint32_t) ? bytes : 0u;
    case UNIT_LONG:
        return bytes == sizeof(uint64_t) ? bytes : 0u;
    case UNIT_SET:
        return bytes >= sizeof(uint64_t) ? bytes : 0u;
    case UNIT_MEMORY:
        return bytes >= sizeof(uint32_t) ? bytes * row->net.pieces : 0u;
    case UNIT_ARRAY:
        break;
    }
    if (is_array(port)) {
        return bytes == sizeof(uint32_t) ? bytes * row->net.pieces : 0u;
    }
    return port->width == 32u ? bytes : 0u;
}

static int by_net(const void *a, const void *b)
{
    const struct rtl_alike *const first = a, *const second = b;

    return first->net < second->net ? -1 : first->net > second->net ? 1 : 0;
}

/* Neighbours as one. */
static void join(struct rtl *rtl)
{
    uint32_t n = 0u;

    qsort(rtl->alike, rtl->n_alike, sizeof *rtl->alike, by_net);
    for (uint32_t i = 0u; i < rtl->n_alike; i++) {
        const struct rtl_alike *const next = &rtl->alike[i];
        struct rtl_alike *const last = n == 0u ? NULL : &rtl->alike[n - 1u];
        if (last != NULL && last->net + last->bytes == next->net
            && last->field + last->bytes == next->field) {
            last->bytes += next->bytes;
        } else {
            rtl->alike[n++] = *next;
        }
    }
    rtl->n_alike = n;
}

static void sort_row(struct rtl *rtl, const struct row *row)
{
    const size_t bytes = row->net.pieces == 0u ? 0u : alike_bytes(row);

    if (row->group == NULL) {
        rtl->inputs[rtl->n_input++] = row;
        return;
    }
    if (row->port->group == UNIT_MEM) {
        rtl->memories[rtl->n_memory++] = row;
    }
    if (bytes != 0u) {
        rtl->alike[rtl->n_alike++] = (struct rtl_alike){
            .net = row->net.at,
            .field = row->port->group == UNIT_MEM
                         ? (const char *)row->image
                         : (const char *)row->group + row->port->offset,
            .bytes = bytes,
        };
    } else if (row->net.pieces != 0u) {
        rtl->others[rtl->n_other++] = row;
    }
}

bool rtl_sort_rows(struct rtl *rtl)
{
    const uint32_t n = rtl->n_row;

    rtl->alike = calloc(n, sizeof *rtl->alike);
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    rtl->sorted = calloc((size_t)3u * n, sizeof *rtl->sorted);
    if (rtl->alike == NULL || rtl->sorted == NULL) {
        return false;
    }
    rtl->inputs = rtl->sorted;
    rtl->memories = rtl->inputs + n;
    rtl->others = rtl->memories + n;
    for (uint32_t i = 0u; i < n; i++) {
        sort_row(rtl, &rtl->rows[i]);
    }
    join(rtl);
    return true;
}

/* ---- Others -------------------------------------------------------------------------- */

/* A net of at most 64 bits. */
static uint64_t load(const struct rtl_net *net)
{
    uint64_t value;

    switch (net->bytes) {
    case 1u:
        return *(const uint8_t *)net->at;
    case 2u:
        return *(const uint16_t *)net->at;
    case 4u:
        return *(const uint32_t *)net->at;
    default:
        memcpy(&value, net->at, sizeof value);
        return value;
    }
}

/* Defines a function that compares n pieces of a type with elements. Without an early end,
 * which the compiler would have to take one by one. */
#define PIECES_EQUAL(name, type)                                         \
    static bool name(const type *net, const uint32_t *field, uint32_t n) \
    {                                                                    \
        uint32_t different = 0u;                                         \
        for (uint32_t k = 0u; k < n; k++) {                              \
            different |= net[k] ^ field[k];                              \
        }                                                                \
        return different == 0u;                                          \
    }
PIECES_EQUAL(bytes_equal, uint8_t)
PIECES_EQUAL(halves_equal, uint16_t)

static bool array_equal(const struct row *row, const void *field)
{
    const struct rtl_net *const net = &row->net;

    return net->bytes == 1u ? bytes_equal(net->at, field, net->pieces)
                            : halves_equal(net->at, field, net->pieces);
}

static bool row_equal(const struct rtl *rtl, const struct row *row)
{
    const struct unit_port *const port = row->port;
    const void *const field = (const char *)row->group + port->offset;

    switch (port->shape) {
    case UNIT_NUM:
        return load(&row->net) == *(const uint32_t *)field;
    case UNIT_LONG:
        return load(&row->net) == *(const uint64_t *)field;
    case UNIT_SET:
        return load(&row->net) == ((const struct bits *)field)->word[0];
    case UNIT_MEMORY:
        return array_equal(row, row->image);
    default:
        break;
    }
    if (is_array(port)) {
        return array_equal(row, field);
    }
    unit_pack(port, row->group, rtl->words);
    return memcmp(row->net.at, rtl->words, row->net.bytes) == 0;
}

/* ---- All ----------------------------------------------------------------------------- */

/* Sizes that are known are compared without a call; between them, both ends are, which meet. */
static bool ends_equal(const struct rtl_alike *a, size_t end)
{
    const size_t last = a->bytes - end;

    return end == 16u ? memcmp(a->net, a->field, 16u) == 0
                            && memcmp(a->net + last, a->field + last, 16u) == 0
                      : memcmp(a->net, a->field, 8u) == 0
                            && memcmp(a->net + last, a->field + last, 8u) == 0;
}

static bool alike_equal(const struct rtl_alike *a)
{
    if (a->bytes == 1u) {
        return *a->net == *a->field;
    }
    if (a->bytes == sizeof(uint32_t)) {
        return memcmp(a->net, a->field, sizeof(uint32_t)) == 0;
    }
    if (a->bytes < 8u || a->bytes > 32u) {
        return memcmp(a->net, a->field, a->bytes) == 0;
    }
    return ends_equal(a, a->bytes < 16u ? 8u : 16u);
}

bool rtl_equal(const struct rtl *rtl)
{
    for (uint32_t i = 0u; i < rtl->n_alike; i++) {
        if (!alike_equal(&rtl->alike[i])) {
            return false;
        }
    }
    for (uint32_t i = 0u; i < rtl->n_other; i++) {
        if (!row_equal(rtl, rtl->others[i])) {
            return false;
        }
    }
    return true;
}
