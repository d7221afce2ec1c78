/* plain_read - a file to statements; places of registers and variables; see plain.h. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plain.h"
#include "ptx/analyse/ptx_analysis.h"
#include "ptx/read/ptx_syntax.h"

static uint64_t up(uint64_t value, uint64_t align)
{
    return (value + align - 1u) / align * align;
}

/* ---- Variables ----------------------------------------------------------------------- */

static void place(struct ptx_variable *v, uint64_t *end)
{
    v->address = up(*end, v->align);
    *end = v->address + v->bytes;
}

static bool is_extern_shared(const struct ptx_variable *v)
{
    return v->space == SPACE_SHARED && v->bytes == 0u;
}

/* Of the module: those of the shared space get the same place in each of its kernels. */
static uint64_t place_all(struct ptx_build *b, enum ptx_space space)
{
    uint64_t end = 0u;
    for (uint32_t k = 0u; k < b->object.count; k++) {
        struct ptx_variable *const v = &b->object.at[k]->variable;
        if (v->space == space && !is_extern_shared(v)) {
            place(v, &end);
        }
    }
    for (uint32_t k = 0u; k < b->object.count && space == SPACE_SHARED; k++) {
        struct ptx_variable *const v = &b->object.at[k]->variable;
        if (is_extern_shared(v)) {
            end = up(end, v->align < 16u ? 16u : v->align);
            v->address = end;
        }
    }
    return end;
}

static bool first_values(struct plain_module *m, struct device_memory *memory,
                         enum ptx_space space, uint64_t base)
{
    for (uint32_t k = 0u; k < m->build.object.count; k++) {
        const struct ptx_variable *const v = &m->build.object.at[k]->variable;
        if (v->space == space && v->init != NULL) {
            memcpy(device_at(memory, base + v->address, v->bytes), v->init, v->bytes);
        }
    }
    return m->build.reference.count == 0u
           || ptx_fail(&m->build, 1u, "addresses as first values");
}

static bool place_module(struct plain_module *m, struct device_memory *memory)
{
    const uint64_t global = place_all(&m->build, SPACE_GLOBAL);
    m->constant_bytes = place_all(&m->build, SPACE_CONST);
    m->global_base = global == 0u ? 0u : device_alloc(memory, global);
    m->constant_base = m->constant_bytes == 0u ? 0u : device_alloc(memory, m->constant_bytes);
    return first_values(m, memory, SPACE_GLOBAL, m->global_base)
           && first_values(m, memory, SPACE_CONST, m->constant_base);
}

/* ---- Operands ------------------------------------------------------------------------ */

/* An address in its space; of global variables, the device's. */
static uint64_t address_of(const struct plain_module *m, const struct ptx_object *o)
{
    return o->variable.address + (o->variable.space == SPACE_GLOBAL ? m->global_base : 0u);
}

static void constant(struct plain_kernel *k, uint32_t row, struct ptx_operand *o,
                     enum ptx_class class, uint64_t value)
{
    uint8_t *const at = k->constant_rows + (size_t)row * PLAIN_ROW;
    const uint32_t word =
        class == CLASS_PREDICATE ? 0u - (uint32_t)(value & 1u) : (uint32_t)value;
    o->constant = true;
    o->row = row * PLAIN_ROW;
    for (uint32_t lane = 0u; lane < WARP_SIZE; lane++) {
        if (class == CLASS_64) {
            memcpy(at + (size_t)8u * lane, &value, 8u);
        } else {
            memcpy(at + (size_t)4u * lane, &word, 4u);
        }
    }
}

static bool is_access(const struct ptx_inst *i)
{
    return i->op == PTX_LD || i->op == PTX_LDU || i->op == PTX_ST || i->op == PTX_ATOM
           || i->op == PTX_RED || i->op == PTX_PREFETCH || i->op == PTX_PREFETCHU;
}

static void place_operand(const struct plain_module *m, struct plain_kernel *k,
                          const struct ptx_node *node, struct plain_statement *s, uint32_t n,
                          uint32_t row)
{
    struct ptx_operand *const o = &s->inst.src[n];
    uint64_t value = o->value;
    if (node->object != NULL && node->object_src == n) {
        value += address_of(m, node->object);
    }
    if (node->entry != NULL) {
        value = plain_entry(&m->build, node->entry);
    }
    if (o->kind == OPERAND_SPECIAL) {
        o->row = (k->n_register + o->reg) * PLAIN_ROW;
    } else if (o->kind != OPERAND_NONE && o->reg != PTX_NO_REGISTER) {
        o->row = o->reg * PLAIN_ROW;
    } else if (o->kind == OPERAND_ADDRESS || o->kind == OPERAND_IMMEDIATE) {
        const bool address = n == 0u && is_access(&s->inst);
        constant(k, row, o, address ? CLASS_64 : ptx_source_class(&s->inst, n), value);
        o->value = address ? 0u : value; /* what is added to the row */
    }
}

static bool find_target(struct plain_kernel *k, const struct ptx_node *node,
                        struct plain_statement *s, struct ptx_build *b)
{
    const struct ptx_symbol *label = NULL;
    for (const struct ptx_scope *at = node->scope; label == NULL && at != NULL;
         at = at->outer) {
        label = ptx_find_in(b, node->label, at);
    }
    if (label == NULL || label->kind != SYMBOL_LABEL) {
        return ptx_fail(b, s->inst.line, "no label %s", node->label);
    }
    s->target = label->number;
    return s->target <= k->n;
}

/* ---- Kernels ------------------------------------------------------------------------- */

enum { ROWS = PTX_MAX_SOURCES };

static bool read_statement(struct plain_module *m, struct plain_kernel *k, uint32_t n)
{
    const struct ptx_node *const node = &k->routine->node.at[n];
    struct plain_statement *const s = &k->statement[n];
    const char *why = NULL;
    s->inst = node->inst;
    if (s->inst.op == PTX_BRX) {
        return ptx_fail(&m->build, s->inst.line, "brx.idx");
    }
    if (node->call != NULL) {
        return plain_read_call(&m->build, node, s);
    }
    if (node->object != NULL && !node->object->formal && s->inst.space == SPACE_PARAM) {
        s->inst.space = SPACE_LOCAL; /* a parameter of a call */
    }
    if (s->inst.op == PTX_BRA) {
        return find_target(k, node, s, &m->build);
    }
    for (uint32_t d = 0u; d < s->inst.n_dst; d++) {
        s->inst.dst[d].row = s->inst.dst[d].reg * PLAIN_ROW;
    }
    for (uint32_t o = 0u; o < s->inst.n_src; o++) {
        place_operand(m, k, node, s, o, n * ROWS + o);
        if (s->inst.src[o].kind == OPERAND_SPECIAL && s->inst.src[o].reg >= SREG_CLOCK
            && s->inst.src[o].reg <= SREG_GLOBALTIMER) {
            return ptx_fail(&m->build, s->inst.line, "a clock");
        }
    }
    s->handler = exec_alu_handler(&s->inst, &why);
    return true;
}

static uint64_t place_list(struct ptx_object **list, uint32_t count)
{
    uint64_t end = 0u;
    for (uint32_t n = 0u; n < count; n++) {
        place(&list[n]->variable, &end);
    }
    return end;
}

static bool read_kernel(struct plain_module *m, struct plain_kernel *k,
                        const struct ptx_routine *routine, uint64_t shared_bytes)
{
    k->routine = routine;
    k->name = routine->name;
    k->n = routine->node.count;
    k->n_register = routine->reg.count;
    k->row_bytes = (k->n_register + SREG_COUNT + 1u) * PLAIN_ROW;
    k->shared_bytes = shared_bytes;
    k->param_bytes = place_list(routine->param.at, routine->param.count);
    k->local_bytes = up(place_list(routine->object.at, routine->object.count), 16u);
    k->statement = ptx_alloc(&m->arena, (k->n + 1u) * sizeof *k->statement);
    k->constant_rows = ptx_alloc(&m->arena, ((size_t)k->n + 1u) * ROWS * PLAIN_ROW);
    for (uint32_t n = 0u; n < k->n; n++) {
        if (!read_statement(m, k, n)) {
            return false;
        }
    }
    /* Lanes that come to the end return. */
    k->statement[k->n].inst = (struct ptx_inst){ .op = PTX_RET, .guard = PTX_NO_REGISTER };
    return plain_flow(k, &m->build);
}

static bool read_all(struct plain_module *m, const char *text, size_t length,
                     struct device_memory *memory)
{
    struct ptx_build *const b = &m->build;
    b->line = 1u;
    if (!ptx_open_scope(b) || !ptx_scan(b, text, length) || !place_module(m, memory)) {
        return false;
    }
    const uint64_t shared_bytes = place_all(b, SPACE_SHARED);
    m->kernel = ptx_alloc(&m->arena, (b->routines.count + 1u) * sizeof *m->kernel);
    for (uint32_t n = 0u; n < b->routines.count; n++) {
        if (b->routines.at[n]->entry
            && !read_kernel(m, &m->kernel[m->n_kernel++], b->routines.at[n], shared_bytes)) {
            return false;
        }
    }
    return !b->failed;
}

static char *whole_file(const char *path, size_t *length)
{
    FILE *const file = fopen(path, "rb");
    char *text = NULL;
    long size = 0;
    if (file != NULL && fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) >= 0) {
        rewind(file);
        text = calloc((size_t)size + 1u, 1u);
        *length = text == NULL ? 0u : fread(text, 1u, (size_t)size, file);
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return text;
}

struct plain_module *plain_read(const char *path, struct device_memory *memory)
{
    size_t length = 0u;
    char *const text = whole_file(path, &length);
    struct plain_module *const m = calloc(1u, sizeof *m);
    m->build = (struct ptx_build){ .arena = &m->arena, .file = path, .fault = &m->fault };
    const bool good = text != NULL && read_all(m, text, length, memory);
    free(text);
    if (!good) {
        (void)fprintf(stderr, "plain: %s: %s\n", path, fault_text(&m->fault));
        plain_free(m);
        return NULL;
    }
    return m;
}

void plain_free(struct plain_module *module)
{
    ptx_arena_free(&module->arena);
    free(module);
}
