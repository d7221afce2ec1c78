/* fields - the values in a struct of inputs or outputs; see fields.h. */

#include "lockstep/shadow/fields.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    COPIED_APART = 128, /* bytes between fields that cost more to copy than to leave out */
    FEW = 16            /* elements that are not worth a loop of their own */
};

static bool is_short(const struct unit_port *port)
{
    return port->shape == UNIT_ARRAY && port->width <= 8u && port->count > FEW;
}

static size_t field_bytes(const struct unit_port *port)
{
    switch (port->shape) {
    case UNIT_FLAG:
        return sizeof(bool);
    case UNIT_NUM:
        return sizeof(uint32_t);
    case UNIT_LONG:
        return sizeof(uint64_t);
    case UNIT_SET:
        return sizeof(struct bits);
    case UNIT_ARRAY:
    case UNIT_MEMORY:
        break;
    }
    return port->count * sizeof(uint32_t);
}

/* Adds some bytes behind others, to the last ones if they are less than `far` away. */
static void add_bytes(struct fields_bytes *bytes, uint32_t *n, struct fields_bytes more,
                      size_t far)
{
    struct fields_bytes *const last = *n == 0u ? NULL : &bytes[*n - 1u];

    if (last != NULL && more.at < last->at + last->n + far) {
        last->n = more.at + more.n - last->at;
    } else {
        bytes[(*n)++] = more;
    }
}

/* What is copied, one behind the other, and in it what has values. */
static void place_packed(struct fields *fields)
{
    uint32_t i = 0u;

    for (uint32_t k = 0u; k < fields->n_copied; k++) {
        struct fields_bytes *const copied = &fields->copied[k];
        copied->packed = fields->packed;
        fields->packed += copied->n;
        for (; i < fields->n && fields->bytes[i].at < copied->at + copied->n; i++) {
            fields->bytes[i].packed = copied->packed + fields->bytes[i].at - copied->at;
        }
    }
    for (uint32_t k = 0u; k < fields->n_short; k++) {
        fields->shorts[k].packed = fields->packed;
        fields->packed += fields->shorts[k].n;
    }
}

/* Those that lie side by side are one. */
bool fields_find(struct fields *fields, const struct unit *unit, enum unit_group group)
{
    fields->bytes = calloc(unit->n_port, sizeof *fields->bytes);
    fields->copied = calloc(unit->n_port, sizeof *fields->copied);
    fields->shorts = calloc(unit->n_port, sizeof *fields->shorts);
    if (fields->bytes == NULL || fields->copied == NULL || fields->shorts == NULL) {
        return false;
    }
    for (uint32_t i = 0u; i < unit->n_port; i++) {
        const struct unit_port *const port = &unit->ports[i];
        const struct fields_bytes field = { port->offset, field_bytes(port), 0u };
        if (port->group == group && is_short(port)) {
            fields->shorts[fields->n_short++] =
                (struct fields_bytes){ port->offset, port->count, 0u };
        } else if (port->group == group) {
            add_bytes(fields->bytes, &fields->n, field, 1u);
            add_bytes(fields->copied, &fields->n_copied, field, COPIED_APART);
        }
    }
    place_packed(fields);
    return true;
}

void fields_free(struct fields *fields)
{
    free(fields->bytes);
    free(fields->copied);
    free(fields->shorts);
}

void fields_copy(const struct fields *fields, void *to, const void *from)
{
    for (uint32_t i = 0u; i < fields->n_copied; i++) {
        const struct fields_bytes *const bytes = &fields->copied[i];
        memcpy((char *)to + bytes->at, (const char *)from + bytes->at, bytes->n);
    }
    for (uint32_t i = 0u; i < fields->n_short; i++) {
        const struct fields_bytes *const shorts = &fields->shorts[i];
        memcpy((char *)to + shorts->at, (const char *)from + shorts->at,
               shorts->n * sizeof(uint32_t));
    }
}

/* ---- Short numbers ------------------------------------------------------------------- */

static void pack_shorts(uint8_t *restrict to, const uint32_t *restrict from, size_t n)
{
    uint32_t all = 0u;

    for (size_t k = 0u; k < n; k++) {
        to[k] = (uint8_t)from[k];
        all |= from[k];
    }
    assert(all <= UINT8_MAX);
    (void)all;
}

static void unpack_shorts(uint32_t *restrict to, const uint8_t *restrict from, size_t n)
{
    for (size_t k = 0u; k < n; k++) {
        to[k] = from[k];
    }
}

static bool shorts_equal(const uint8_t *restrict packed, const uint32_t *restrict with,
                         size_t n)
{
    uint32_t different = 0u;

    for (size_t k = 0u; k < n; k++) {
        different |= packed[k] ^ with[k];
    }
    return different == 0u;
}

/* ---- Packed structs ------------------------------------------------------------------ */

void fields_pack(const struct fields *fields, void *packed, const void *from)
{
    for (uint32_t i = 0u; i < fields->n_copied; i++) {
        const struct fields_bytes *const bytes = &fields->copied[i];
        memcpy((char *)packed + bytes->packed, (const char *)from + bytes->at, bytes->n);
    }
    for (uint32_t i = 0u; i < fields->n_short; i++) {
        const struct fields_bytes *const shorts = &fields->shorts[i];
        pack_shorts((uint8_t *)packed + shorts->packed,
                    (const void *)((const char *)from + shorts->at), shorts->n);
    }
}

void fields_unpack(const struct fields *fields, void *to, const void *packed)
{
    for (uint32_t i = 0u; i < fields->n_copied; i++) {
        const struct fields_bytes *const bytes = &fields->copied[i];
        memcpy((char *)to + bytes->at, (const char *)packed + bytes->packed, bytes->n);
    }
    for (uint32_t i = 0u; i < fields->n_short; i++) {
        const struct fields_bytes *const shorts = &fields->shorts[i];
        unpack_shorts((void *)((char *)to + shorts->at),
                      (const uint8_t *)packed + shorts->packed, shorts->n);
    }
}

bool fields_equal(const struct fields *fields, const void *packed, const void *with)
{
    for (uint32_t i = 0u; i < fields->n; i++) {
        const struct fields_bytes *const bytes = &fields->bytes[i];
        if (memcmp((const char *)packed + bytes->packed, (const char *)with + bytes->at,
                   bytes->n)
            != 0) {
            return false;
        }
    }
    for (uint32_t i = 0u; i < fields->n_short; i++) {
        const struct fields_bytes *const shorts = &fields->shorts[i];
        if (!shorts_equal((const uint8_t *)packed + shorts->packed,
                          (const void *)((const char *)with + shorts->at), shorts->n)) {
            return false;
        }
    }
    return true;
}

uint32_t fields_compare(const struct fields *fields, const struct unit *unit,
                        const void *packed, struct unit_difference *differences, uint32_t max)
{
    void *const out = calloc(1u, unit->type->group_size[UNIT_OUT]);
    uint32_t n = 0u;

    if (out != NULL) {
        fields_unpack(fields, out, packed);
        n = unit_compare(unit, UNIT_OUT, unit->out, out, differences, max);
        free(out);
    }
    return n;
}
