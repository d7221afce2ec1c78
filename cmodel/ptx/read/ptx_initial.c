/* ptx_initial - first values of PTX variables; see ptx_syntax.h. */

#include <string.h>

#include "ptx/read/ptx_syntax.h"

/* Bytes of what a { at this depth (1: the outermost) is about; 0: not known. */
static uint64_t bytes_at(const struct ptx_build *b, uint32_t depth)
{
    const struct ptx_declaration *const d = &b->declaration;
    uint64_t bytes = b->element * d->vector;

    for (uint32_t i = depth - 1u; i < d->n_dimension; i++) {
        bytes *= d->dimension[i];
    }
    return bytes;
}

bool ptx_initial_open(struct ptx_build *b)
{
    const struct ptx_declaration *const d = &b->declaration;
    const uint32_t deepest = d->n_dimension + (d->vector > 1u || d->n_dimension == 0u);

    if (b->brace >= deepest || b->brace >= PTX_MAX_DIMENSIONS) {
        return ptx_fail(b, b->line, "too deep a { in a first value; allowed: one a dimension");
    }
    b->start[b->brace++] = b->position;
    return true;
}

bool ptx_initial_close(struct ptx_build *b)
{
    const uint32_t depth = b->brace--;
    const uint64_t bytes = bytes_at(b, depth);

    if (bytes > 0u && b->position > b->start[depth - 1u] + bytes) {
        return ptx_fail(b, b->line, "more first values than elements; allowed: %llu bytes",
                        (unsigned long long)bytes);
    }
    if (depth > 1u) {
        b->position = b->start[depth - 1u] + bytes;
    }
    return true;
}

static bool put(struct ptx_build *b, uint64_t value)
{
    enum { LARGEST = 64 << 20 };
    const struct ptx_variable *const v = &b->initial->variable;
    const uint64_t end = b->position + b->element;

    if (v->space != SPACE_GLOBAL && v->space != SPACE_CONST) {
        return ptx_fail(b, b->line, "a first value of %.60s; allowed: of .global and .const",
                        v->name);
    }
    if (end > (v->bytes == 0u ? (uint64_t)LARGEST : v->bytes) || end > LARGEST) {
        return ptx_fail(b, b->line,
                        "more first values than elements of %.60s; allowed: %llu "
                        "bytes",
                        v->name, (unsigned long long)v->bytes);
    }
    while (b->bytes.count < end) {
        PTX_PUSH(b->arena, &b->bytes, 0u);
    }
    memcpy(b->bytes.at + b->position, &value, b->element);
    b->position = end;
    return true;
}

bool ptx_initial_number(struct ptx_build *b, struct ptx_number number)
{
    uint64_t bits;

    if (!ptx_as_type(number, b->declaration.type, &bits)) {
        return ptx_fail(b, b->line, "a first value of another kind; allowed: of type %s: %s",
                        ptx_type_name(b->declaration.type),
                        number.kind > NUMBER_UNSIGNED ? "integers" : "0f..., 0d..., 1.5");
    }
    return put(b, bits);
}

static bool put_entry(struct ptx_build *b, struct ptx_token name,
                      const struct ptx_symbol *entry, struct ptx_number offset)
{
    if (b->element != sizeof(uint64_t) || offset.bits != 0u) {
        return ptx_fail(b, name.line, "the address of entry %.80s %s", name.text,
                        offset.bits != 0u ? "in a sum; allowed: alone"
                                          : "in another type; allowed: u64 b64 s64");
    }
    PTX_PUSH(b->arena, &b->reference,
             (struct ptx_reference){
                 .in = b->initial, .entry = entry, .line = name.line, .offset = b->position });
    return put(b, 0u);
}

bool ptx_initial_address(struct ptx_build *b, struct ptx_token name, struct ptx_number offset,
                         bool generic)
{
    const struct ptx_symbol *const s = ptx_find(b, name.text);

    if (s != NULL && s->kind == SYMBOL_FUNCTION && s->routine->entry && !generic) {
        return put_entry(b, name, s, offset);
    }
    if (s == NULL || s->kind != SYMBOL_VARIABLE) {
        return ptx_fail(b, name.line,
                        "%.80s as a first value; allowed: names of variables and entries",
                        name.text);
    }
    const uint8_t space = s->object->variable.space;
    if (space != SPACE_GLOBAL && space != SPACE_CONST) {
        return ptx_fail(b, name.line,
                        "the address of %.80s as a first value; allowed: of .global and .const "
                        "variables",
                        name.text);
    }
    if (b->element != sizeof(uint64_t) || offset.kind > NUMBER_UNSIGNED) {
        return ptx_fail(b, name.line, "an address in another type; allowed: u64 b64 s64");
    }
    PTX_PUSH(
        b->arena, &b->reference,
        (struct ptx_reference){ .in = b->initial, .of = s->object, .offset = b->position });
    /* A generic address of global memory is the address itself. */
    return put(b, offset.bits + (generic && space == SPACE_CONST ? PTX_CONST_BASE : 0u));
}
