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

    if (routine->result.count != (returns ? 1u : 0u) || routine->param.count != strlen(letters)
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
                               *c == 'l'        ? " b64"
                               : *c == 'w'      ? " b32"
                               : *c == 'd'      ? " b8[12]"
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
                    routine->name, describe(functions[function].signature, text, sizeof text));
}

/* ---- Calls --------------------------------------------------------------------------- */

/* The register that stands for a word of a parameter; one of its own, if that is in memory. */
static bool word_register(struct ptx_writer *w, struct ptx_place *place, struct ptx_access word,
                          struct ptx_operand *o)
{
    const uint32_t reg = place->in_memory
                             ? ptx_temporary(w, word.bytes == 8u ? PTX_B64 : PTX_B32)
                             : ptx_slot_register(w, place, word.offset, word.bytes);

    *o = (struct ptx_operand){ .kind = OPERAND_REGISTER, .reg = (uint16_t)reg };
    return reg != PTX_NO_REGISTER;
}

/* Loads the register of a word that is in memory, or stores it there. */
static bool transfer(struct ptx_writer *w, const struct ptx_place *place,
                     struct ptx_access word, struct ptx_operand o, bool store, uint32_t line)
{
    struct ptx_inst access = { .op = store ? PTX_ST : PTX_LD,
                               .type = (uint8_t)(word.bytes == 8u ? PTX_B64 : PTX_B32),
                               .space = SPACE_LOCAL,
                               .guard = PTX_NO_REGISTER,
                               .n_dst = store ? 0u : 1u,
                               .n_src = store ? 2u : 1u,
                               .line = line };

    access.source_type = access.type;
    access.src[0] = (struct ptx_operand){ .kind = OPERAND_ADDRESS,
                                          .reg = PTX_NO_REGISTER,
                                          .value = place->address + word.offset };
    *(store ? &access.src[1] : &access.dst[0]) = o;
    return !place->in_memory || ptx_emit(w, access) != NULL;
}

static bool take_words(struct ptx_writer *w, const struct ptx_frame *frame, uint32_t line,
                       struct ptx_inst *call)
{
    for (uint32_t i = 0u; i < frame->routine->param.count; i++) {
        const struct ptx_object *const formal = frame->routine->param.at[i];
        for (uint32_t k = 0u; k < formal->access.count; k++) {
            struct ptx_operand *const o = &call->src[call->n_src++];
            if (!word_register(w, frame->param[i], formal->access.at[k], o)
                || !transfer(w, frame->param[i], formal->access.at[k], *o, false, line)) {
                return false;
            }
        }
    }
    return true;
}

bool ptx_write_runtime(struct ptx_writer *w, struct ptx_frame *frame, uint32_t line)
{
    const struct ptx_routine *const r = frame->routine;
    struct ptx_inst call = { .op = PTX_CALL, .guard = PTX_NO_REGISTER, .line = line };

    (void)ptx_find_runtime(r->name, &call.target);
    if (!take_words(w, frame, line, &call)) {
        return false;
    }
    if (r->result.count == 0u) {
        return ptx_emit(w, call) != NULL;
    }
    const struct ptx_access word = r->result.at[0]->access.at[0];
    call.n_dst = 1u;
    return word_register(w, frame->result[0], word, &call.dst[0]) && ptx_emit(w, call) != NULL
           && transfer(w, frame->result[0], word, call.dst[0], true, line);
}

bool ptx_entry_address(struct ptx_build *b, const struct ptx_symbol *entry, uint32_t line,
                       uint64_t *address)
{
    if (!entry->routine->defined) {
        return ptx_fail(b, line,
                        "the address of %.80s, which has no body here; allowed: of entries of "
                        "this file",
                        entry->name);
    }
    *address = entry->routine->number * PTX_ENTRY_BYTES;
    return true;
}
