/* ptx_function - functions of PTX with their parameters; see ptx_syntax.h. */

#include <string.h>

#include "ptx/read/ptx_declare.h"
#include "ptx/read/ptx_syntax.h"

/* ---- Parameters ---------------------------------------------------------------------- */

static bool formal_register(struct ptx_build *b, struct ptx_object *object,
                            struct ptx_token name)
{
    if (b->routine->entry) {
        return ptx_fail(b, name.line, "a parameter of an entry in a register; allowed: .param");
    }
    if (!ptx_register(b, name)) {
        return false;
    }
    object->reg = ptx_find_in(b, name.text, b->scope)->number;
    return true;
}

static bool formal_variable(struct ptx_build *b, struct ptx_object *object,
                            struct ptx_token name)
{
    enum { LARGEST = 32764 }; /* of a parameter, as in CUDA 12 */

    if (b->declaration.space != SPACE_PARAM) {
        return ptx_fail(b, name.line, "%.60s as a parameter; allowed: .param .reg", name.text);
    }
    if (object->variable.bytes == 0u || object->variable.bytes > LARGEST) {
        return ptx_fail(b, name.line, "another size of parameter %.60s; allowed: 1 to %d bytes",
                        name.text, LARGEST);
    }
    struct ptx_symbol *const symbol = ptx_define(b, name.text, name.line, SYMBOL_VARIABLE);
    if (symbol == NULL) {
        return false;
    }
    symbol->object = object;
    return true;
}

bool ptx_formal(struct ptx_build *b, struct ptx_token name)
{
    struct ptx_routine *const routine = b->routine;
    const bool reg = b->declaration.space == SPACE_GENERIC;

    if (!reg && !ptx_check_type(b, name)) {
        return false;
    }
    struct ptx_object *const object = ptx_new_object(b, name);
    object->formal = true;
    if (b->failed
        || !(reg ? formal_register(b, object, name) : formal_variable(b, object, name))) {
        return false;
    }
    object->index = b->of_results ? routine->result.count : routine->param.count;
    if (b->of_results) {
        PTX_PUSH_POINTER(b->arena, &routine->result, object);
    } else {
        PTX_PUSH_POINTER(b->arena, &routine->param, object);
    }
    return true;
}

/* ---- Functions ----------------------------------------------------------------------- */

bool ptx_function_begin(struct ptx_build *b, bool entry, uint32_t line)
{
    struct ptx_routine *const routine = ptx_alloc(b->arena, sizeof *routine);

    routine->entry = entry;
    routine->external = b->external;
    routine->line = line;
    b->routine = routine;
    b->external = false;
    b->of_results = false;
    return ptx_open_scope(b);
}

bool ptx_function_name(struct ptx_build *b, struct ptx_token name)
{
    const struct ptx_scope *const module = b->scope->outer;
    const struct ptx_symbol *const symbol = ptx_find_in(b, name.text, module);

    if (symbol != NULL
        && (symbol->kind != SYMBOL_FUNCTION || symbol->routine->entry != b->routine->entry)) {
        return ptx_fail(b, name.line,
                        "%.80s is something else in line %u; allowed: one meaning", name.text,
                        symbol->line);
    }
    b->routine->name = name.text;
    b->routine->line = name.line;
    if (symbol == NULL) {
        struct ptx_scope *const inner = b->scope;
        b->scope = inner->outer;
        struct ptx_symbol *const made = ptx_define(b, name.text, name.line, SYMBOL_FUNCTION);
        b->scope = inner;
        made->routine = b->routine;
    }
    return true;
}

bool ptx_function_limit(struct ptx_build *b, struct ptx_token word, const uint64_t limits[3])
{
    enum { MOST = 1024 };
    uint64_t threads = 1u;

    if (strcmp(word.text, ".maxntid") != 0 && strcmp(word.text, ".reqntid") != 0) {
        return true; /* hints to the register allocator */
    }
    for (uint32_t i = 0u; i < 3u; i++) {
        if (limits[i] == 0u || limits[i] > MOST) {
            return ptx_fail(b, word.line, "another %s; allowed: 1 to %d", word.text, MOST);
        }
        threads *= limits[i];
    }
    b->routine->max_threads = threads > UINT32_MAX ? UINT32_MAX : (uint32_t)threads;
    return true;
}

bool ptx_function_body(struct ptx_build *b)
{
    struct ptx_symbol *const symbol = ptx_find_in(b, b->routine->name, b->scope->outer);

    if (symbol->routine->defined) {
        return ptx_fail(b, b->routine->line,
                        "%.80s has two bodies; allowed: one, as in line %u", b->routine->name,
                        symbol->routine->line);
    }
    b->routine->defined = true;
    symbol->routine = b->routine;
    PTX_PUSH_POINTER(b->arena, &b->routines, b->routine);
    return true;
}

bool ptx_function_end(struct ptx_build *b)
{
    const bool good = b->routine->defined || ptx_check_prototype(b, b->routine);

    ptx_close_scope(b);
    b->routine = NULL;
    return good;
}
