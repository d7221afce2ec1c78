/* synthetic_step - meaning of a step's keys; see synthetic_step.h. */

#include "synthetic/synthetic_step.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/config/jitter.h"

uint32_t op_named(const char *name)
{
    static const char *const names[] = {
#define OP_NAME(identifier, text) text,
        OP_CLASSES(OP_NAME)
#undef OP_NAME
    };
    uint32_t op = 0u;

    while (op < OP_COUNT && strcmp(names[op], name) != 0) {
        op++;
    }
    return op;
}

bool op_has_pattern(uint32_t op)
{
    return op == OP_LOAD || op == OP_STORE || op == OP_ATOMIC || op == OP_CONSTANT
           || op == OP_TEXTURE;
}

bool op_produces(uint32_t op)
{
    return op < OP_STORE || op == OP_SHARED || op == OP_CONSTANT || op == OP_TEXTURE;
}

/* Digits only, and not too many of them. */
static bool read_number(const char *text, size_t length, uint32_t *number)
{
    *number = 0u;
    for (size_t i = 0u; i < length; i++) {
        if (!isdigit((unsigned char)text[i])) {
            return false;
        }
        *number = *number * 10u + (uint32_t)(text[i] - '0');
    }
    return length >= 1u && length <= 6u;
}

uint32_t register_named(const char *name)
{
    uint32_t number = 0u;

    if (name[0] != 'r' || !read_number(name + 1, strlen(name + 1), &number)
        || number > REGISTER_LAST - REGISTER_FIRST) {
        return REGISTER_NONE;
    }
    return number + REGISTER_FIRST;
}

bool read_range(const char *text, uint32_t *lowest, uint32_t *highest)
{
    const char *const dots = strstr(text, "..");

    if (dots == NULL) {
        *lowest = 0u;
        if (!read_number(text, strlen(text), highest)) {
            return false;
        }
        *lowest = *highest;
        return true;
    }
    return read_number(text, (size_t)(dots - text), lowest)
           && read_number(dots + 2, strlen(dots + 2), highest) && *lowest <= *highest;
}

uint32_t step_words(const struct file_step *step, uint32_t op)
{
    const uint32_t element = or_else(step->element, 4u);
    const bool wide = element > 4u && (op_has_pattern(op) || op == OP_SHARED);

    return or_else(step->words, wide ? element / 4u : 1u);
}

enum pattern_kind step_pattern(const struct file_step *step)
{
    static const char *const names[] = {
#define PATTERN_NAME(identifier, text) text,
        PATTERNS(PATTERN_NAME)
#undef PATTERN_NAME
    };
    uint32_t kind = 0u;

    if (step->pattern == NULL) {
        return PATTERN_STREAM;
    }
    while (kind < PATTERN_COUNT && strcmp(names[kind], step->pattern) != 0) {
        kind++;
    }
    return (enum pattern_kind)kind;
}

uint8_t read_flags(const struct file_step *step)
{
    const char *const read = step->read;

    return read == NULL || strcmp(read, "cached") == 0 ? 0u
           : strcmp(read, "volatile") == 0             ? UNCACHED
           : strcmp(read, "local") == 0                ? LOCAL
                                                       : NO_FLAGS;
}

uint8_t step_kind(const struct file_step *step, uint32_t op)
{
    /* The pipes whose kinds have a time of their own in a configuration. */
    enum { WHOLE = 1 << OP_INTEGER, REAL = 1 << OP_FP32 | 1 << OP_FP64, SPECIAL = 1 << OP_SFU };
    static const struct {
        const char *name;
        uint32_t ops;
        uint8_t kind;
    } kinds[] = {
        { "multiply", WHOLE, KIND_MULTIPLY },
        { "multiply-add", WHOLE, KIND_MULTIPLY_ADD },
        { "convert", WHOLE, KIND_CONVERT },
        { "simple", WHOLE | REAL, KIND_SIMPLE },
        { "min-max", WHOLE | REAL, KIND_MIN_MAX },
        { "fused", REAL, KIND_FUSED },
        { "divide", 1u << OP_FP64 | SPECIAL, KIND_DIVIDE },
        { "integer-divide", SPECIAL, KIND_INTEGER_DIVIDE },
    };

    for (size_t k = 0u; step->kind != NULL && k < sizeof kinds / sizeof *kinds; k++) {
        if (strcmp(step->kind, kinds[k].name) == 0 && (kinds[k].ops >> op & 1u) != 0u) {
            return kinds[k].kind;
        }
    }
    return step->kind == NULL ? KIND_PLAIN : NO_FLAGS;
}

uint32_t step_passes(const struct file_step *step, uint32_t lanes,
                     const struct gpu_config *config)
{
    const uint32_t element = or_else(step->element, 4u);

    if (lanes == 0u) {
        return 1u;
    }
    /* A stride of a mix is that of its pattern. */
    if (step->passes != NULL || step->mix != NULL) {
        return or_else(step->passes, 1u);
    }
    return bank_passes(lanes, element, or_else(step->stride, element),
                       config->ldst.shared_banks);
}

struct pattern_shape step_shape(const struct file_step *step, uint32_t op,
                                const struct gpu_config *config)
{
    const enum pattern_kind kind = step_pattern(step);
    const uint32_t element = or_else(step->element, 4u);
    const uint32_t region = or_else(step->region, 0u);

    return (struct pattern_shape){
        .kind = kind,
        .line = op == OP_CONSTANT  ? config->constant.line
                : op == OP_TEXTURE ? config->texture.line
                                   : config->l1.line,
        .region = region,
        .moved = jitter_buffer(config, region),
        .element = element,
        .stride = or_else(step->stride, kind == PATTERN_SAME ? 0u : element),
        .offset = or_else(step->offset, 0u),
        .footprint = or_else(step->footprint, 0u),
        .group = or_else(step->group, 1u),
        .turns = op == OP_ATOMIC,
        .scattered =
            kind == PATTERN_RANDOM && (step->per == NULL || strcmp(step->per, "lane") == 0),
    };
}
