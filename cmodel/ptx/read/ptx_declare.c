/* ptx_declare - the head of a module, registers and variables of PTX; see ptx_syntax.h. */

#include <stdlib.h>
#include <string.h>

#include "ptx/read/ptx_declare.h"
#include "ptx/read/ptx_syntax.h"

/* ---- Head of the module -------------------------------------------------------------- */

bool ptx_version(struct ptx_build *b, const char *number)
{
    char *end;
    const long major = strtol(number, &end, 10);

    return (major >= 1 && major <= 9 && *end == '.')
           || ptx_fail(b, b->line, ".version %.20s; allowed: 1.0 to 9.9", number);
}

bool ptx_target(struct ptx_build *b, struct ptx_token name)
{
    static const char *const others[] = { "debug", "texmode_independent", "texmode_unified",
                                          "map_f64_to_f32" };
    char *end;

    for (size_t i = 0u; i < sizeof others / sizeof others[0]; i++) {
        if (strcmp(name.text, others[i]) == 0) {
            return true;
        }
    }
    if (strncmp(name.text, "sm_", 3u) == 0) {
        const long number = strtol(name.text + 3, &end, 10);
        if (number >= 20 && number <= 90 && (*end == '\0' || strcmp(end, "a") == 0)) {
            b->target = (uint32_t)number;
            return true;
        }
    }
    return ptx_fail(b, name.line, ".target %.40s; allowed: sm_20 to sm_90", name.text);
}

bool ptx_address_size(struct ptx_build *b, struct ptx_number bits)
{
    return bits.bits == 64u || ptx_fail(b, b->line, "another .address_size; allowed: 64");
}

bool ptx_unsupported(struct ptx_build *b, struct ptx_token word)
{
    return ptx_fail(b, word.line,
                    "%.60s is not supported; allowed: .version .target .address_size .visible "
                    ".extern .weak .entry .func .param .reg .shared .local .const .global "
                    ".maxntid .reqntid .minnctapersm .maxnreg .pragma .loc .file .section",
                    word.text);
}

/* ---- Attributes ---------------------------------------------------------------------- */

void ptx_declare(struct ptx_build *b, struct ptx_token word)
{
    uint8_t space = SPACE_GENERIC; /* .reg */

    ptx_find_space(word.text, &space);
    b->declaration = (struct ptx_declaration){
        .line = word.line, .space = space, .vector = 1u, .external = b->external
    };
}

void ptx_declare_type(struct ptx_build *b, struct ptx_token word)
{
    b->declaration.type = ptx_find_type(word.text);
}

bool ptx_declare_word(struct ptx_build *b, struct ptx_token word)
{
    if (strcmp(word.text, ".v2") == 0 || strcmp(word.text, ".v4") == 0) {
        b->declaration.vector = (uint32_t)(word.text[2] - '0');
        return true;
    }
    return ptx_fail(b, word.line,
                    "%.60s in a declaration; allowed: .align .ptr .v2 .v4 and the types b8 to "
                    "b64, u8 to u64, s8 to s64, f16, f16x2, f32, f64, pred",
                    word.text);
}

bool ptx_declare_align(struct ptx_build *b, struct ptx_number align)
{
    enum { LARGEST = 1 << 16 };
    const uint64_t bytes = align.bits;

    if (bytes == 0u || bytes > LARGEST || (bytes & (bytes - 1u)) != 0u) {
        return ptx_fail(b, b->line, "another .align; allowed: powers of two up to %d", LARGEST);
    }
    if (!b->declaration.pointer) {
        b->declaration.align = (uint32_t)bytes;
    }
    return true;
}

bool ptx_declare_pointed(struct ptx_build *b, struct ptx_token space)
{
    return b->declaration.pointer
           || ptx_fail(b, space.line, "a second space, %s; allowed: one, or after .ptr",
                       space.text);
}

bool ptx_dimension(struct ptx_build *b, struct ptx_number count)
{
    struct ptx_declaration *const d = &b->declaration;

    if (d->n_dimension == PTX_MAX_DIMENSIONS) {
        return ptx_fail(b, b->line, "too many dimensions; allowed: %d", PTX_MAX_DIMENSIONS);
    }
    if (count.bits > PTX_MAX_BYTES || (count.bits == 0u && d->n_dimension > 0u)) {
        return ptx_fail(b, b->line, "another array size; allowed: 1 to 2^31, [] first");
    }
    d->dimension[d->n_dimension++] = count.bits;
    return true;
}

/* Bytes, 0 for []; UINT64_MAX with a fault if there are too many. */
static uint64_t declared_bytes(struct ptx_build *b)
{
    const struct ptx_declaration *const d = &b->declaration;
    uint64_t bytes = (uint64_t)ptx_type_bytes(d->type) * d->vector;

    for (uint32_t i = 0u; i < d->n_dimension; i++) {
        bytes *= d->dimension[i] == 0u ? 1u : d->dimension[i];
        if (bytes > PTX_MAX_BYTES) {
            ptx_fail(b, d->line, "a variable of too many bytes; allowed: 2^31");
            return UINT64_MAX;
        }
    }
    return d->n_dimension > 0u && d->dimension[0] == 0u ? 0u : bytes;
}

/* ---- Registers ----------------------------------------------------------------------- */

static bool check_register(struct ptx_build *b, struct ptx_token name)
{
    const struct ptx_declaration *const d = &b->declaration;

    if (d->type == PTX_NONE || d->vector != 1u) {
        return ptx_fail(b, name.line,
                        "register %.60s is %s; allowed: one of the types b8 to b64, u8 to u64, "
                        "s8 to s64, f16, f16x2, f32, f64, pred",
                        name.text, d->vector != 1u ? "a vector" : "of no type");
    }
    return b->routine != NULL
           || ptx_fail(b, name.line, "register %.60s outside; allowed: in functions",
                       name.text);
}

bool ptx_register(struct ptx_build *b, struct ptx_token name)
{
    if (!check_register(b, name)) {
        return false;
    }
    struct ptx_symbol *const symbol = ptx_define(b, name.text, name.line, SYMBOL_REGISTER);
    if (symbol == NULL) {
        return false;
    }
    symbol->type = b->declaration.type;
    symbol->number = ptx_new_register(b, b->routine, name.text, symbol->type);
    return !b->failed;
}

bool ptx_register_range(struct ptx_build *b, struct ptx_token name, struct ptx_number count)
{
    enum { LARGEST = 1000000 };

    if (!check_register(b, name)) {
        return false;
    }
    if (count.bits == 0u || count.bits > LARGEST) {
        return ptx_fail(b, name.line, "%.60s<...> of another size; allowed: 1 to %d", name.text,
                        LARGEST);
    }
    struct ptx_symbol *const symbol = ptx_define(b, name.text, name.line, SYMBOL_RANGE);
    if (symbol == NULL) {
        return false;
    }
    symbol->type = b->declaration.type;
    symbol->number = (uint32_t)count.bits;
    b->scope->has_ranges = true;
    return true;
}

/* ---- Variables ----------------------------------------------------------------------- */

struct ptx_object *ptx_new_object(struct ptx_build *b, struct ptx_token name)
{
    const struct ptx_declaration *const d = &b->declaration;
    struct ptx_object *const object = ptx_alloc(b->arena, sizeof *object);
    const uint32_t natural = ptx_type_bytes(d->type) * d->vector;

    object->variable = (struct ptx_variable){
        .name = name.text,
        .space = (uint8_t)d->space,
        .type = (uint8_t)d->type,
        .align = d->align == 0u ? natural : d->align,
        .bytes = declared_bytes(b),
        .line = name.line,
    };
    object->external = d->external;
    object->reg = PTX_NO_REGISTER;
    return object;
}

bool ptx_check_type(struct ptx_build *b, struct ptx_token name)
{
    return ptx_type_bytes(b->declaration.type) > 0u
           || ptx_fail(b, name.line,
                       "%.60s has no type of a variable; allowed: b8 to b64, u8 to u64, s8 to "
                       "s64, f16, f16x2, f32, f64",
                       name.text);
}

static bool check_place(struct ptx_build *b, struct ptx_token name)
{
    const enum ptx_space space = b->declaration.space;

    return b->routine != NULL || (space != SPACE_LOCAL && space != SPACE_PARAM)
           || ptx_fail(b, name.line,
                       "%.60s outside of a function; allowed: .global .const "
                       ".shared",
                       name.text);
}

/* A declaration may follow that of an extern variable: one name, one object. */
static bool declared_again(struct ptx_build *b, struct ptx_token name)
{
    const struct ptx_symbol *const s = ptx_find_in(b, name.text, b->scope);

    if (s == NULL || s->kind != SYMBOL_VARIABLE || !s->object->external
        || s->object->variable.space != b->declaration.space) {
        return false;
    }
    b->initial = s->object;
    s->object->external = b->declaration.external;
    s->object->variable.bytes = declared_bytes(b);
    return true;
}

bool ptx_variable(struct ptx_build *b, struct ptx_token name)
{
    if (!ptx_check_type(b, name) || !check_place(b, name)) {
        return false;
    }
    b->position = 0u;
    b->brace = 0u;
    b->bytes.count = 0u;
    b->element = ptx_type_bytes(b->declaration.type);
    if (declared_again(b, name)) {
        return !b->failed;
    }
    struct ptx_symbol *const symbol = ptx_define(b, name.text, name.line, SYMBOL_VARIABLE);
    struct ptx_object *const object = ptx_new_object(b, name);
    if (symbol == NULL || b->failed) {
        return false;
    }
    symbol->object = object;
    b->initial = object;
    if (object->variable.space == SPACE_LOCAL || object->variable.space == SPACE_PARAM) {
        object->index = b->routine->object.count;
        PTX_PUSH_POINTER(b->arena, &b->routine->object, object);
    } else {
        object->index = b->object.count;
        PTX_PUSH_POINTER(b->arena, &b->object, object);
    }
    return true;
}

bool ptx_variable_end(struct ptx_build *b)
{
    struct ptx_variable *const v = &b->initial->variable;
    enum { LARGEST = 64 << 20 };

    if (v->bytes == 0u && b->bytes.count > 0u) {
        v->bytes = b->bytes.count;
    }
    if (v->bytes == 0u && !(v->space == SPACE_SHARED && b->initial->external)) {
        return ptx_fail(b, v->line,
                        "%.60s has no size; allowed: [] with first values, and .extern .shared",
                        v->name);
    }
    if (b->bytes.count > 0u) {
        if (v->bytes > LARGEST) {
            return ptx_fail(b, v->line,
                            "%.60s is too large for first values; allowed: %d bytes", v->name,
                            LARGEST);
        }
        uint8_t *const init = ptx_alloc(b->arena, v->bytes);
        b->initial->init = init;
        memcpy(init, b->bytes.at, b->bytes.count);
        v->init = init;
    }
    return true;
}
