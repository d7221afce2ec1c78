/* rtl_equal - whether a unit's nets hold what the model does, in every cycle; see rtl.h. Values
 * that lie in memory alike, as Verilator and C keep them, are compared as bytes, neighbours at
 * once, and the short ones in pieces of the same size; numbers for which Verilator takes fewer
 * bytes, in lists by the bytes of both. */

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

/* Bytes of the pieces of the lists of values that lie alike. */
static const size_t piece_bytes[] = { 1u, 4u, 8u, 16u };
enum {
    LONGEST_CUT = 64, /* bytes; more are compared by memcmp, which takes a call */
    AT_ONCE = 4       /* pieces; each list has a multiple, so that no loop is for one */
};

static void add_piece(struct rtl *rtl, enum rtl_piece_list list, const char *net,
                      const char *field)
{
    struct rtl_pieces *const pieces = &rtl->pieces[list];

    pieces->piece[pieces->n++] = (struct rtl_piece){ net, field };
}

/* The largest pieces that fit. */
static enum rtl_piece_list list_for(size_t bytes)
{
    enum rtl_piece_list list = RTL_SIXTEEN;

    while (piece_bytes[list] > bytes) {
        list--;
    }
    return list;
}

/* The last piece ends where the bytes end, and may have some of the one before it. */
static void cut(struct rtl *rtl, const struct rtl_alike *alike)
{
    const enum rtl_piece_list list = list_for(alike->bytes);
    const size_t size = piece_bytes[list];

    for (size_t at = 0u; at < alike->bytes; at += size) {
        const size_t from = at + size <= alike->bytes ? at : alike->bytes - size;
        add_piece(rtl, list, alike->net + from, alike->field + from);
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

/* Room for the pieces of n rows. False: no memory. */
static bool open_pieces(struct rtl *rtl, uint32_t n)
{
    const size_t most = LONGEST_CUT / piece_bytes[RTL_SIXTEEN]; /* and of each other list */

    for (uint32_t i = 0u; i < RTL_PIECE_LISTS; i++) {
        rtl->pieces[i].piece = calloc(most * n + AT_ONCE, sizeof *rtl->pieces[i].piece);
        if (rtl->pieces[i].piece == NULL) {
            return false;
        }
    }
    return true;
}

/* Cuts all but the long ones. */
static void cut_all(struct rtl *rtl)
{
    uint32_t n = 0u;

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
}

/* The list of numbers for which Verilator takes fewer bytes than C; RTL_PIECE_LISTS: none. */
static enum rtl_piece_list narrow_list(const struct row *row)
{
    const size_t bytes = row->net.bytes;

    switch (row->port->shape) {
    case UNIT_NUM:
        return bytes == 1u ? RTL_ONE_IN_FOUR : RTL_TWO_IN_FOUR;
    case UNIT_LONG:
    case UNIT_SET:
        return bytes == 1u   ? RTL_ONE_IN_EIGHT
               : bytes == 2u ? RTL_TWO_IN_EIGHT
                             : RTL_FOUR_IN_EIGHT;
    default:
        return RTL_PIECE_LISTS;
    }
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
    } else if (row->net.pieces != 0u && narrow_list(row) != RTL_PIECE_LISTS) {
        add_piece(rtl, narrow_list(row), row->net.at,
                  (const char *)row->group + row->port->offset);
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
    if (rtl->alike == NULL || rtl->sorted == NULL || !open_pieces(rtl, n)) {
        return false;
    }
    rtl->inputs = rtl->sorted;
    rtl->memories = rtl->inputs + n;
    rtl->others = rtl->memories + n;
    for (uint32_t i = 0u; i < n; i++) {
        sort_row(rtl, &rtl->rows[i]);
    }
    join(rtl);
    cut_all(rtl);
    return true;
}

/* ---- Others -------------------------------------------------------------------------- */

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

    if (port->group == UNIT_MEM) {
        return array_equal(row, row->image);
    }
    if (is_array(port)) {
        return array_equal(row, field);
    }
    unit_pack(port, row->group, rtl->words);
    return memcmp(row->net.at, rtl->words, row->net.bytes) == 0;
}

/* ---- All ----------------------------------------------------------------------------- */

typedef uint64_t sixteen __attribute__((vector_size(16))); /* bytes, compared at once */

/* Defines a function that compares the pieces of a list, nets and fields of a type each,
 * without an early end. whole: `different`, as one number. */
#define LIST_EQUAL(name, net_type, field_type, whole)                             \
    static bool name(const struct rtl_pieces *pieces)                             \
    {                                                                             \
        const struct rtl_piece *const end = pieces->piece + pieces->n;            \
        field_type different = { 0 };                                             \
        for (const struct rtl_piece *p = pieces->piece; p != end; p += AT_ONCE) { \
            for (uint32_t k = 0u; k < AT_ONCE; k++) {                             \
                net_type net;                                                     \
                field_type field;                                                 \
                memcpy(&net, p[k].net, sizeof net);                               \
                memcpy(&field, p[k].field, sizeof field);                         \
                different |= (field_type)(net ^ field);                           \
            }                                                                     \
        }                                                                         \
        return (whole) == 0u;                                                     \
    }
LIST_EQUAL(ones_equal, uint8_t, uint8_t, different)
LIST_EQUAL(fours_equal, uint32_t, uint32_t, different)
LIST_EQUAL(eights_equal, uint64_t, uint64_t, different)
LIST_EQUAL(sixteens_equal, sixteen, sixteen, different[0] | different[1])
LIST_EQUAL(one_in_four_equal, uint8_t, uint32_t, different)
LIST_EQUAL(two_in_four_equal, uint16_t, uint32_t, different)
LIST_EQUAL(one_in_eight_equal, uint8_t, uint64_t, different)
LIST_EQUAL(two_in_eight_equal, uint16_t, uint64_t, different)
LIST_EQUAL(four_in_eight_equal, uint32_t, uint64_t, different)

static bool pieces_equal(const struct rtl *rtl)
{
    const struct rtl_pieces *const of = rtl->pieces;

    return ones_equal(&of[RTL_ONE]) && fours_equal(&of[RTL_FOUR])
           && eights_equal(&of[RTL_EIGHT]) && sixteens_equal(&of[RTL_SIXTEEN])
           && one_in_four_equal(&of[RTL_ONE_IN_FOUR]) && two_in_four_equal(&of[RTL_TWO_IN_FOUR])
           && one_in_eight_equal(&of[RTL_ONE_IN_EIGHT])
           && two_in_eight_equal(&of[RTL_TWO_IN_EIGHT])
           && four_in_eight_equal(&of[RTL_FOUR_IN_EIGHT]);
}

bool rtl_equal(const struct rtl *rtl)
{
    if (!pieces_equal(rtl)) {
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
