/* ptx_module - PTX files to modules; see ptx.h. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/read/ptx_relocation.h"
#include "ptx/read/ptx_syntax.h"

/* A module with what owns it. */
struct owner {
    struct ptx_arena arena;
    struct ptx_module module;
    struct ptx_relocation *relocation;
    uint32_t n_relocation;
};

/* ---- Variables ----------------------------------------------------------------------- */

static bool lay_out(struct ptx_build *b, uint8_t space, uint64_t most, uint64_t *bytes)
{
    for (uint32_t i = 0u; i < b->object.count; i++) {
        struct ptx_variable *const v = &b->object.at[i]->variable;
        if (v->space != space || b->object.at[i]->external) {
            continue;
        }
        v->address = (*bytes + v->align - 1u) / v->align * v->align;
        *bytes = v->address + v->bytes;
        if (*bytes > most) {
            return ptx_fail(b, v->line, "too many bytes of variables; allowed: %llu",
                            (unsigned long long)most);
        }
    }
    return true;
}

/* As write_entries will number their functions. */
static void number_entries(struct ptx_build *b)
{
    uint32_t n = 0u;

    for (uint32_t i = 0u; i < b->routines.count; i++) {
        b->routines.at[i]->number = b->routines.at[i]->entry ? n++ : 0u;
    }
}

/* Addresses in first values, counted from 0. The bytes are the arena's own. */
static bool refer(struct ptx_build *b, struct owner *owner)
{
    owner->relocation =
        ptx_alloc(b->arena, (b->reference.count + 1u) * sizeof *owner->relocation);
    for (uint32_t i = 0u; i < b->reference.count; i++) {
        const struct ptx_reference *const r = &b->reference.at[i];
        uint8_t *const word = r->in->init + r->offset;
        uint64_t address;
        if (r->entry != NULL) {
            if (!ptx_entry_address(b, r->entry, r->line, &address)) {
                return false;
            }
            memcpy(word, &address, sizeof address);
            continue;
        }
        if (r->of->external) {
            return ptx_fail(b, r->in->variable.line,
                            "the address of %.80s, which is .extern; allowed: of variables of "
                            "this file",
                            r->of->variable.name);
        }
        memcpy(&address, word, sizeof address);
        address += r->of->variable.address;
        memcpy(word, &address, sizeof address);
    }
    return true;
}

static bool place_variables(struct ptx_build *b, struct owner *owner)
{
    struct ptx_module *const m = &owner->module;

    number_entries(b);
    if (!lay_out(b, SPACE_GLOBAL, PTX_MAX_BYTES, &m->global_bytes)
        || !lay_out(b, SPACE_CONST, PTX_WINDOW, &m->const_bytes) || !refer(b, owner)) {
        return false;
    }
    m->variable = ptx_alloc(b->arena, (b->object.count + 1u) * sizeof *m->variable);
    for (uint32_t i = 0u; i < b->object.count; i++) {
        const struct ptx_object *const object = b->object.at[i];
        if (object->variable.space == SPACE_SHARED || object->external) {
            continue;
        }
        b->object.at[i]->index = m->n_variable;
        m->variable[m->n_variable++] = object->variable;
    }
    for (uint32_t i = 0u; i < b->reference.count; i++) {
        const struct ptx_reference *const r = &b->reference.at[i];
        const bool entry = r->entry != NULL;
        if ((entry || r->of->variable.space == SPACE_GLOBAL) && !r->in->external) {
            owner->relocation[owner->n_relocation++] =
                (struct ptx_relocation){ &m->variable[r->in->index], r->offset, entry };
        }
    }
    return true;
}

/* ---- Modules ------------------------------------------------------------------------- */

static bool write_entries(struct ptx_build *b, struct ptx_module *m)
{
    m->function = ptx_alloc(b->arena, (b->routines.count + 1u) * sizeof *m->function);
    for (uint32_t i = 0u; i < b->routines.count; i++) {
        struct ptx_function *const f = &m->function[m->n_function];
        if (!b->routines.at[i]->entry) {
            continue;
        }
        if (!ptx_write_out(b, b->routines.at[i], f) || !ptx_analyse(m, f, b->fault)) {
            return false;
        }
        m->n_function++;
    }
    return true;
}

static bool starts(const char *text, size_t length, const char *with)
{
    const size_t n = strlen(with);

    return length >= n && memcmp(text, with, n) == 0;
}

/* What a file is that somebody gives for PTX; NULL: it may be PTX. */
static const char *other_than_text(const char *text, size_t length)
{
    enum { FIRST = 4096 }; /* bytes that are looked at */
    static const struct {
        const char *start, *what;
        bool anywhere;
    } kinds[] = {
        { "\x7f"
          "ELF",
          "an ELF file, as a cubin, a program or an object is", false },
        { "\x50\xed\x55\xba", "a fatbin", false },
        { "BC\xc0\xde", "LLVM bitcode", false },
        { "\nFatbin elf code:", "SASS, as cuobjdump prints it", true },
        { "\t.headerflags", "SASS, as nvdisasm prints it", true },
    };
    const size_t first = length < FIRST ? length : FIRST;

    for (size_t i = 0u; i < sizeof kinds / sizeof kinds[0]; i++) {
        for (size_t at = 0u; at < (kinds[i].anywhere ? first : 1u); at++) {
            if (starts(text + at, length - at, kinds[i].start)) {
                return kinds[i].what;
            }
        }
    }
    return first > 0u && memchr(text, 0, first) != NULL ? "a binary file" : NULL;
}

static bool read_module(struct owner *owner, struct ptx_build *b, const char *text,
                        size_t length)
{
    const char *const other = other_than_text(text, length);

    if (other != NULL) {
        return ptx_fail(
            b, 1u, "this is %s; allowed: PTX text, as nvcc -ptx and clang -S write it", other);
    }
    b->line = 1u;
    owner->module.file = ptx_intern(b, b->file, strlen(b->file));
    const bool good = ptx_open_scope(b) && ptx_scan(b, text, length)
                      && place_variables(b, owner) && write_entries(b, &owner->module);
    owner->module.target = b->target;
    return good;
}

struct ptx_module *ptx_load_text(const char *name, const char *text, size_t length,
                                 struct fault *fault)
{
    struct owner *const owner = calloc(1u, sizeof *owner);

    if (owner == NULL) {
        fault_at(fault, name, 1u, "no memory");
        fault_by(fault, FAULT_SURROUNDINGS);
        return NULL;
    }
    struct ptx_build b = { .arena = &owner->arena, .file = name, .fault = fault };
    owner->module.arena = owner;
    const bool good =
        length <= PTX_MAX_FILE
            ? read_module(owner, &b, text, length)
            : ptx_fail(&b, 1u, "too large a file; allowed: %d bytes", PTX_MAX_FILE);
    if (!good) {
        ptx_free(&owner->module);
        return NULL;
    }
    return &owner->module;
}

/* By errno. */
static void refuse_file(struct fault *fault, const char *path, const char *done)
{
    const int reason = errno;

    fault_at(fault, path, 1u, "cannot be %s: %s; allowed: a file of PTX text", done,
             strerror(reason));
    fault_by(fault, fault_kind_of(reason));
}

/* Bytes of a file, or NULL with a fault. */
static char *read_file(FILE *file, const char *path, size_t *length, struct fault *fault)
{
    size_t reserve = 1u << 16;
    char *text = malloc(reserve);

    for (*length = 0u; text != NULL;) {
        *length += fread(text + *length, 1u, reserve - *length, file);
        if (*length < reserve || *length > PTX_MAX_FILE) {
            break;
        }
        char *const larger = realloc(text, 2u * reserve);
        if (larger == NULL) {
            free(text);
        }
        text = larger;
        reserve *= 2u;
    }
    if (text == NULL || ferror(file) != 0) {
        refuse_file(fault, path, "read");
        free(text);
        return NULL;
    }
    return text;
}

struct ptx_module *ptx_load(const char *path, struct fault *fault)
{
    FILE *const file = fopen(path, "rb");
    size_t length;

    if (file == NULL) {
        refuse_file(fault, path, "opened");
        return NULL;
    }
    char *const text = read_file(file, path, &length, fault);
    (void)fclose(file);
    if (text == NULL) {
        return NULL;
    }
    struct ptx_module *const module = ptx_load_text(path, text, length, fault);
    free(text);
    return module;
}

void ptx_free(struct ptx_module *module)
{
    if (module != NULL) {
        struct owner *const owner = module->arena;
        ptx_arena_free(&owner->arena);
        free(owner);
    }
}

const struct ptx_function *ptx_entry(const struct ptx_module *module, const char *name)
{
    for (uint32_t i = 0u; i < module->n_function; i++) {
        if (strcmp(module->function[i].name, name) == 0) {
            return &module->function[i];
        }
    }
    return NULL;
}

const struct ptx_relocation *ptx_relocations(const struct ptx_module *module, uint32_t *count)
{
    const struct owner *const owner = module->arena;

    *count = owner->n_relocation;
    return owner->relocation;
}
