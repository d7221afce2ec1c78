/* ptx_runtime - calls of the device runtime: names, prototypes, and the instruction that a call
 * becomes; see ptx_runtime.h and ptx_inline.h. */

#include "ptx/ptx_runtime.h"

#include <stdio.h>
#include <string.h>

#include "ptx/read/ptx_inline.h"
#include "ptx/read/ptx_syntax.h"

static const struct {
    const char *name, *signature;
} functions[] = {
#define PTX_RUNTIME_ROW(identifier, name, signature) { name, signature },
    PTX_RUNTIME(PTX_RUNTIME_ROW)
#undef PTX_RUNTIME_ROW
};

const char *ptx_runtime_name(enum ptx_runtime function)
{
    return functions[function].name;
}

/* ---- Names --------------------------------------------------------------------------- */

#define NEW_PREFIX "__cudaCDP2"
#define PREFIX     "cuda"
#define SUFFIX     "_ptsz"

static bool starts(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

/* The name behind its prefix; NULL if it has none. */
static const char *behind_prefix(const char *name)
{
    return starts(name, NEW_PREFIX) ? name + strlen(NEW_PREFIX)
           : starts(name, PREFIX)   ? name + strlen(PREFIX)
                                    : NULL;
}

static bool is_name(const char *name, const char *known)
{
    const char *const given = behind_prefix(name);
    const char *const wanted = behind_prefix(known);

    if (given == NULL || wanted == NULL) {
        return strcmp(name, known) == 0;
    }
    const size_t n = strlen(wanted);
    return strncmp(given, wanted, n) == 0
           && (given[n] == '\0' || strcmp(given + n, SUFFIX) == 0);
}

bool ptx_find_runtime(const char *name, uint32_t *function)
{
    for (uint32_t i = 0u; i < PTX_RUNTIME_COUNT; i++) {
        if (is_name(name, functions[i].name)) {
            *function = i;
            return true;
        }
    }
    return false;
}

const char *ptx_runtime_allowed(const char *name, char *text, size_t size)
{
    size_t at = (size_t)snprintf(text, size, "functions of this file, called by name");

    if (behind_prefix(name) != NULL) {
        for (uint32_t i = 0u; i < PTX_RUNTIME_COUNT && at < size; i++) {
            at += (size_t)snprintf(text + at, size - at, "%s%s",
                                   i == 0u ? ", and of the device runtime: " : ", ",
                                   functions[i].name);
        }
    }
    return text;
}

/* ---- Prototypes ---------------------------------------------------------------------- */

static uint32_t bytes_of(char letter)
{
    return letter == 'l' ? 8u : letter == 'w' ? 4u : 12u;
}

/* A formal is a .param with these bytes. An instruction reads, or writes, its words. */
static bool accept(struct ptx_build *b, struct ptx_object *formal, char letter)
{
    const uint32_t bytes = bytes_of(letter);
    const uint32_t word = bytes == 8u ? 8u : 4u;

    if (formal->reg != PTX_NO_REGISTER || formal->variable.bytes != bytes) {
        return false;
    }
    for (uint32_t at = 0u; at < bytes; at += word) {
        PTX_PUSH(b->arena, &formal->access, (struct ptx_access){ at, word });
    }
    return true;
}

static bool accept_all(struct ptx_build *b, const struct ptx_routine *routine,
                       const char *signature)
{
    const bool returns = signature[0] != '=';
    const char *const letters = signature + (returns ? 2 : 1);

    if (routine->result.count != (returns ? 1u : 0u)
        || routine->param.count != strlen(letters)
        || (returns && !accept(b, routine->result.at[0], signature[0]))) {
        return false;
    }
    for (uint32_t i = 0u; i < routine->param.count; i++) {
        if (!accept(b, routine->param.at[i], letters[i])) {
            return false;
        }
    }
    return true;
}

static const char *describe(const char *signature, char *text, size_t size)
{
    size_t at = 0u;

    text[0] = '\0';
    for (const char *c = signature; *c != '\0' && at < size; c++) {
        at += (size_t)snprintf(text + at, size - at, "%s",
                               *c == 'l'   ? " b64"
                               : *c == 'w' ? " b32"
                               : *c == 'd' ? " b8[12]"
                               : c == signature ? "parameters"
                                                : " from parameters");
    }
    return text + (text[0] == ' ' ? 1 : 0);
}

bool ptx_check_prototype(struct ptx_build *b, struct ptx_routine *routine)
{
    char text[128];
    uint32_t function;

    if (routine->entry || !ptx_find_runtime(routine->name, &function)
        || accept_all(b, routine, functions[function].signature)) {
        return true;
    }
    return ptx_fail(b, routine->line,
                    "%.80s of the device runtime with another prototype; allowed: %s",
                    routine->name,
                    describe(functions[function].signature, text, sizeof text));
}

/* ---- Calls --------------------------------------------------------------------------- */

/* Moves a word between a parameter of the call and a register. */
static bool move_word(struct ptx_writer *w, struct ptx_place *place, struct ptx_inst access)
{
    if (!place->in_memory) {
        return ptx_write_slots(w, place, &access);
    }
    access.src[0].value += place->address;
    return ptx_emit(w, access) != NULL;
}

static struct ptx_operand word_register(struct ptx_writer *w, uint32_t bytes)
{
    return (struct ptx_operand){
        .kind = OPERAND_REGISTER,
        .reg = (uint16_t)ptx_temporary(w, bytes == 8u ? PTX_B64 : PTX_B32)
    };
}

static struct ptx_inst access_of(uint32_t line, uint32_t op, uint64_t at, uint32_t bytes)
{
    struct ptx_inst access = { .op = (uint8_t)op,
                               .type = (uint8_t)(bytes == 8u ? PTX_B64 : PTX_B32),
                               .space = SPACE_LOCAL,
                               .guard = PTX_NO_REGISTER,
                               .vector = 1u,
                               .n_dst = op == PTX_LD ? 1u : 0u,
                               .n_src = op == PTX_LD ? 1u : 2u,
                               .line = line };

    access.source_type = access.type;
    access.src[0] = (struct ptx_operand){ .kind = OPERAND_ADDRESS,
                                          .reg = PTX_NO_REGISTER,
                                          .value = at };
    return access;
}

bool ptx_write_runtime(struct ptx_writer *w, struct ptx_frame *frame, uint32_t line)
{
    const struct ptx_routine *const r = frame->routine;
    struct ptx_inst call = { .op = PTX_CALL, .guard = PTX_NO_REGISTER, .line = line };

    (void)ptx_find_runtime(r->name, &call.target);
    for (uint32_t i = 0u; i < r->param.count; i++) {
        const struct ptx_object *const formal = r->param.at[i];
        for (uint32_t k = 0u; k < formal->access.count; k++) {
            const struct ptx_access word = formal->access.at[k];
            struct ptx_inst load = access_of(line, PTX_LD, word.offset, word.bytes);
            load.dst[0] = call.src[call.n_src++] = word_register(w, word.bytes);
            if (!move_word(w, frame->param[i], load)) {
                return false;
            }
        }
    }
    if (r->result.count == 0u) {
        return ptx_emit(w, call) != NULL;
    }
    const uint32_t bytes = r->result.at[0]->access.at[0].bytes;
    struct ptx_inst store = access_of(line, PTX_ST, 0u, bytes);
    store.src[1] = call.dst[0] = word_register(w, bytes);
    call.n_dst = 1u;
    return ptx_emit(w, call) != NULL && move_word(w, frame->result[0], store);
}
