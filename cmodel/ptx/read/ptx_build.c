/* ptx_build - memory, names and messages of the PTX reader; see ptx_build.h. */

#include "ptx/read/ptx_build.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Memory -------------------------------------------------------------------------- */

struct ptx_chunk {
    struct ptx_chunk *older;
    size_t used, size;
    _Alignas(16) uint8_t bytes[];
};

static struct ptx_chunk *new_chunk(struct ptx_chunk *older, size_t bytes)
{
    enum { USUAL = 1 << 16 };
    const size_t size = bytes > USUAL ? bytes : USUAL;
    struct ptx_chunk *const chunk = calloc(1u, sizeof *chunk + size);

    if (chunk == NULL) {
        /* What a text may ask for is bounded: the host has nothing left. */
        fputs("gpusched: no memory\n", stderr);
        exit(2);
    }
    chunk->older = older;
    chunk->size = size;
    return chunk;
}

void *ptx_alloc(struct ptx_arena *arena, size_t bytes)
{
    const size_t rounded = (bytes + 15u) & ~(size_t)15u;

    if (arena->chunk == NULL || arena->chunk->size - arena->chunk->used < rounded) {
        arena->chunk = new_chunk(arena->chunk, rounded);
    }
    void *const at = arena->chunk->bytes + arena->chunk->used;
    arena->chunk->used += rounded;
    return at;
}

void ptx_arena_free(struct ptx_arena *arena)
{
    for (struct ptx_chunk *chunk = arena->chunk; chunk != NULL;) {
        struct ptx_chunk *const older = chunk->older;
        free(chunk);
        chunk = older;
    }
    arena->chunk = NULL;
}

void *ptx_grow(struct ptx_arena *arena, void *at, uint32_t count, uint32_t *reserve,
               size_t element)
{
    if (count < *reserve) {
        return at;
    }
    *reserve = count == 0u ? 8u : 2u * count;
    void *const grown = ptx_alloc(arena, *reserve * element);
    if (count > 0u) {
        memcpy(grown, at, count * element);
    }
    return grown;
}

/* ---- Messages ------------------------------------------------------------------------ */

bool ptx_fail(struct ptx_build *b, uint32_t line, const char *format, ...)
{
    va_list arguments;

    if (b->failed) {
        return false;
    }
    b->failed = true;
    va_start(arguments, format);
    /* NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): it is, one line above */
    fault_at_list(b->fault, b->file, line, format, arguments);
    va_end(arguments);
    for (char *c = b->fault->text; *c != '\0'; c++) {
        if (!isprint((unsigned char)*c)) {
            *c = '?';
        }
    }
    return false;
}

enum { FEWEST_BUCKETS = 1 << 10 };

/* ---- Names --------------------------------------------------------------------------- */

struct ptx_name {
    struct ptx_name *next;
    uint32_t hash;
    size_t length;
    char text[];
};

static struct ptx_name **name_bucket(const struct ptx_build *b, uint32_t hash)
{
    return &b->names[(hash ^ hash >> 15) & (b->room_name - 1u)];
}

/* A table has at least as many buckets as entries. */
static void grow_names(struct ptx_build *b)
{
    struct ptx_name **const old = b->names;
    const uint32_t n = b->room_name;

    b->room_name = n == 0u ? FEWEST_BUCKETS : 2u * n;
    b->names = ptx_alloc(b->arena, b->room_name * sizeof(struct ptx_name *));
    for (uint32_t i = 0u; i < n; i++) {
        for (struct ptx_name *name = old[i]; name != NULL;) {
            struct ptx_name *const next = name->next;
            struct ptx_name **const bucket = name_bucket(b, name->hash);
            name->next = *bucket;
            *bucket = name;
            name = next;
        }
    }
}

const char *ptx_intern(struct ptx_build *b, const char *text, size_t length)
{
    uint32_t hash = 2166136261u;

    for (size_t i = 0u; i < length; i++) {
        hash = (hash ^ (unsigned char)text[i]) * 16777619u;
    }
    if (b->n_name == b->room_name) {
        grow_names(b);
    }
    struct ptx_name **const bucket = name_bucket(b, hash);
    for (const struct ptx_name *name = *bucket; name != NULL; name = name->next) {
        if (name->hash == hash && name->length == length
            && memcmp(name->text, text, length) == 0) {
            return name->text;
        }
    }
    struct ptx_name *const name = ptx_alloc(b->arena, sizeof *name + length + 1u);
    b->n_name++;
    name->next = *bucket;
    name->hash = hash;
    name->length = length;
    memcpy(name->text, text, length);
    *bucket = name;
    return name->text;
}

bool ptx_open_scope(struct ptx_build *b)
{
    if (b->depth >= PTX_MAX_SCOPES) {
        return ptx_fail(b, b->line, "too deep a { }; allowed: %d", PTX_MAX_SCOPES);
    }
    struct ptx_scope *const scope = ptx_alloc(b->arena, sizeof *scope);
    scope->id = b->n_scope++;
    scope->outer = b->scope;
    b->scope = scope;
    b->depth++;
    return true;
}

void ptx_close_scope(struct ptx_build *b)
{
    b->scope = b->scope->outer;
    b->depth--;
}

static struct ptx_symbol **bucket_of(const struct ptx_build *b, const char *name,
                                     uint32_t scope)
{
    const uint64_t key = (uint64_t)(uintptr_t)name + scope * UINT64_C(0x9e3779b97f4a7c15);

    return &b->symbols[(key * UINT64_C(0xff51afd7ed558ccd)) >> 32 & (b->room_symbol - 1u)];
}

static void grow_symbols(struct ptx_build *b)
{
    struct ptx_symbol **const old = b->symbols;
    const uint32_t n = b->room_symbol;

    b->room_symbol = n == 0u ? FEWEST_BUCKETS : 2u * n;
    b->symbols = ptx_alloc(b->arena, b->room_symbol * sizeof(struct ptx_symbol *));
    for (uint32_t i = 0u; i < n; i++) {
        for (struct ptx_symbol *symbol = old[i]; symbol != NULL;) {
            struct ptx_symbol *const next = symbol->next;
            struct ptx_symbol **const bucket = bucket_of(b, symbol->name, symbol->scope);
            symbol->next = *bucket;
            *bucket = symbol;
            symbol = next;
        }
    }
}

static struct ptx_symbol *define_in(struct ptx_build *b, const char *name,
                                    const struct ptx_scope *scope)
{
    struct ptx_symbol *const symbol = ptx_alloc(b->arena, sizeof *symbol);

    if (b->n_symbol == b->room_symbol) {
        grow_symbols(b);
    }
    struct ptx_symbol **const bucket = bucket_of(b, name, scope->id);
    b->n_symbol++;
    symbol->name = name;
    symbol->scope = scope->id;
    symbol->next = *bucket;
    *bucket = symbol;
    return symbol;
}

struct ptx_symbol *ptx_find_in(const struct ptx_build *b, const char *name,
                               const struct ptx_scope *scope)
{
    if (b->symbols == NULL) {
        return NULL;
    }
    for (struct ptx_symbol *s = *bucket_of(b, name, scope->id); s != NULL; s = s->next) {
        if (s->name == name && s->scope == scope->id) {
            return s;
        }
    }
    return NULL;
}

struct ptx_symbol *ptx_define(struct ptx_build *b, const char *name, uint32_t line,
                              enum ptx_symbol_kind kind)
{
    const struct ptx_symbol *const earlier = ptx_find_in(b, name, b->scope);

    if (earlier != NULL) {
        ptx_fail(b, line, "%.80s is declared twice; allowed: once, as in line %u", name,
                 earlier->line);
        return NULL;
    }
    struct ptx_symbol *const symbol = define_in(b, name, b->scope);
    symbol->line = line;
    symbol->kind = kind;
    return symbol;
}

uint32_t ptx_new_register(struct ptx_build *b, struct ptx_routine *routine, const char *name,
                          enum ptx_type type)
{
    const uint32_t bytes = ptx_type_bytes(type);
    const uint8_t class = bytes == 0u ? CLASS_PREDICATE : bytes == 8u ? CLASS_64 : CLASS_32;

    if (routine->reg.count >= PTX_MAX_REGISTERS) {
        ptx_fail(b, b->line, "too many registers; allowed: %d in a function",
                 PTX_MAX_REGISTERS);
        return PTX_NO_REGISTER;
    }
    PTX_PUSH(b->arena, &routine->reg,
             (struct ptx_register){ .name = name, .type = (uint8_t)type, .class = class });
    return routine->reg.count - 1u;
}

/* Register `name` of a range of this scope, %r<9> for %r7. The range's own name may end in
 * digits too. */
static struct ptx_symbol *find_in_ranges(struct ptx_build *b, const char *name,
                                         const struct ptx_scope *scope)
{
    const size_t length = strlen(name);
    uint64_t number = 0u;
    uint64_t power = 1u;

    for (size_t end = length; end > 1u && length - end < 6u; power *= 10u) {
        const char digit = name[--end];
        if (!isdigit((unsigned char)digit)) {
            break;
        }
        number += (uint64_t)(digit - '0') * power;
        if (digit == '0' && end + 1u != length) {
            continue; /* no leading zeros */
        }
        const struct ptx_symbol *const range = ptx_find_in(b, ptx_intern(b, name, end), scope);
        if (range != NULL && range->kind == SYMBOL_RANGE && number < range->number) {
            const uint32_t reg = ptx_new_register(b, b->routine, name, range->type);
            struct ptx_symbol *const symbol = define_in(b, name, scope);
            symbol->kind = SYMBOL_REGISTER;
            symbol->line = range->line;
            symbol->type = range->type;
            symbol->number = reg;
            return symbol;
        }
    }
    return NULL;
}

struct ptx_symbol *ptx_find(struct ptx_build *b, const char *name)
{
    struct ptx_symbol *symbol = NULL;

    for (const struct ptx_scope *s = b->scope; symbol == NULL && s != NULL; s = s->outer) {
        symbol = ptx_find_in(b, name, s);
        if (symbol == NULL && s->has_ranges && b->routine != NULL) {
            symbol = find_in_ranges(b, name, s);
        }
    }
    return symbol;
}

uint32_t ptx_terms(const struct ptx_term *list)
{
    uint32_t n = 0u;

    for (; list != NULL; list = list->next) {
        n++;
    }
    return n;
}
