/* rtl_equal - whether a unit's nets hold what the model does, in every cycle; see rtl.h. Values
 * that lie in memory alike, as Verilator and C keep them, are compared as bytes, neighbours at
 * once, and the short ones in pieces of the same size. */

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

/* Bytes of the pieces of each list. */
static const size_t piece_bytes[RTL_PIECE_LISTS] = { 1u, 4u, 8u, 16u };
enum {
    LONGEST_CUT = 64, /* bytes; more are compared by memcmp, which takes a call */
    AT_ONCE = 4       /* pieces; each list has a multiple, so that no loop is for one */
};

/* The largest pieces that fit. */
static uint32_t list_for(size_t bytes)
{
    uint32_t list = RTL_PIECE_LISTS - 1u;

    while (piece_bytes[list] > bytes) {
        list--;
    }
    return list;
}

/* The last piece ends where the bytes end, and may have some of the one before it. */
static void cut(struct rtl *rtl, const struct rtl_alike *alike)
{
    const uint32_t list = list_for(alike->bytes);
    const size_t size = piece_bytes[list];

    for (size_t at = 0u; at < alike->bytes; at += size) {
        const size_t from = at + size <= alike->bytes ? at : alike->bytes - size;
        struct rtl_pieces *const pieces = &rtl->pieces[list];
        pieces->piece[pieces->n++] =
            (struct rtl_piece){ alike->net + from, alike->field + from };
    }
}

/* With the last one more than once. */
static void fill_up(struct rtl_pieces *pieces)
{
    while (pieces->n % AT_ONCE != 0u) {
        pieces->piece[pieces->n] = pieces->piece[pieces->n - 1u];
        pieces->n++;
    }
}

/* Cuts all but the long ones. False: no memory. */
static bool cut_all(struct rtl *rtl)
{
    const size_t most = LONGEST_CUT / piece_bytes[RTL_PIECE_LISTS - 1]; /* and of each list */
    uint32_t n = 0u;

    for (uint32_t i = 0u; i < RTL_PIECE_LISTS; i++) {
        rtl->pieces[i].piece =
            calloc(most * rtl->n_alike + AT_ONCE, sizeof *rtl->pieces[i].piece);
        if (rtl->pieces[i].piece == NULL) {
            return false;
        }
    }
    for (uint32_t i = 0u; i < rtl->n_alike; i++) {
        if (rtl->alike[i].bytes <= LONGEST_CUT) {
            cut(rtl, &rtl->alike[i]);
        } else {
            rtl->alike[n++] = rtl->alike[i];
        }
    }
    rtl->n_alike = n;
    for (uint32_t i = 0u; i < RTL_PIECE_LISTS; i++) {
        fill_up(&rtl->pieces[i]);
    }
    return true;
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
    return cut_all(rtl);
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

typedef uint64_t sixteen __attribute__((vector_size(16))); /* bytes, compared at once */

/* Defines a function that compares the pieces of a list, as values of a type, without an early
 * end. whole: `different`, as one number. */
#define LIST_EQUAL(name, type, whole)                                             \
    static bool name(const struct rtl_pieces *pieces)                             \
    {                                                                             \
        const struct rtl_piece *const end = pieces->piece + pieces->n;            \
        type different = { 0 };                                                   \
        for (const struct rtl_piece *p = pieces->piece; p != end; p += AT_ONCE) { \
            for (uint32_t k = 0u; k < AT_ONCE; k++) {                             \
                type net, field;                                                  \
                memcpy(&net, p[k].net, sizeof net);                               \
                memcpy(&field, p[k].field, sizeof field);                         \
                different |= (type)(net ^ field);                                 \
            }                                                                     \
        }                                                                         \
        return (whole) == 0u;                                                     \
    }
LIST_EQUAL(ones_equal, uint8_t, different)
LIST_EQUAL(fours_equal, uint32_t, different)
LIST_EQUAL(eights_equal, uint64_t, different)
LIST_EQUAL(sixteens_equal, sixteen, different[0] | different[1])

bool rtl_equal(const struct rtl *rtl)
{
    if (!ones_equal(&rtl->pieces[0]) || !fours_equal(&rtl->pieces[1])
        || !eights_equal(&rtl->pieces[2]) || !sixteens_equal(&rtl->pieces[3])) {
        return false;
    }
    for (uint32_t i = 0u; i < rtl->n_alike; i++) {
        const struct rtl_alike *const alike = &rtl->alike[i];
        if (memcmp(alike->net, alike->field, alike->bytes) != 0) {
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

const struct unit_port *rtl_overlooks(const struct rtl *rtl)
{
    for (uint32_t i = 0u; i < rtl->n_row; i++) {
        const struct row *const row = &rtl->rows[i];
        unsigned char *const bytes = row->net.at;
        const size_t n = row->group == NULL ? 0u : row->net.bytes * row->net.pieces;
        for (size_t k = 0u; k < n; k++) {
            bytes[k] ^= UINT8_MAX;
            const bool overlooked = rtl_equal(rtl);
            bytes[k] ^= UINT8_MAX;
            if (overlooked) {
                return row->port;
            }
        }
    }
    return NULL;
}
