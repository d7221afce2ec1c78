/*
 * ptx_opcode - an opcode with its words while it is decoded: what ptx_words.c, ptx_rule.c and
 * ptx_decode.c share.
 */

#ifndef PTX_OPCODE_H
#define PTX_OPCODE_H

#include "ptx/read/ptx_build.h"
#include "ptx/read/ptx_table.h"

/* Kinds of operations whose words mean the same. */
enum {
    ARITHMETIC = 1,
    COMPARE = 2,
    MEMORY = 4,
    ATOMIC = 8,
    BARRIER = 16,
    VOTE = 32,
    SHUFFLE = 64,
    FUNNEL = 128,
    PERMUTE = 256,
    TEST = 512,
    FENCE = 1024,
    PREFETCH = 2048,
    ADDRESS = 4096,
    FLOW = 8192,
    INDEXED = 16384,
    MASK = 32768,
    EVERY = 65535,
};
uint32_t ptx_kind_of(enum ptx_op op);

enum ptx_word_kind {
    WORD_MODE,
    WORD_ROUND,
    WORD_COMPARE,
    WORD_BOOL,
    WORD_FLAG,
    WORD_VECTOR,
    WORD_HINT,   /* of no effect on what is computed */
    WORD_MEMBERS /* .sync of vote, match, shfl: a mask of lanes follows */
};
struct ptx_word_row {
    const char *text;
    enum ptx_word_kind kind;
    uint16_t value;
    uint32_t of; /* kinds of operations */
};
extern const struct ptx_word_row ptx_words[];
extern const uint32_t ptx_word_count;

struct ptx_opcode {
    struct ptx_build *b;
    struct ptx_inst *inst;
    const char *name;
    uint32_t line, kind, n_type;
    bool members, reduction, spaced;
};
/* The opcode as written. */
const char *ptx_written(const struct ptx_opcode *o, char *text, size_t size);
/* Adds a word to a list. */
void ptx_add_text(char *text, size_t size, const char *word);
/* False, with a fault. */
bool ptx_refuse_opcode(const struct ptx_opcode *o, const char *what, const char *allowed);

/* ptx_rule.c: the row that the instruction fits, or NULL with a fault; and what rows do not
 * say. */
const struct ptx_rule *ptx_find_rule(const struct ptx_opcode *o);
bool ptx_check_space(const struct ptx_opcode *o);
bool ptx_check_memory(const struct ptx_opcode *o);
bool ptx_check_flags(const struct ptx_opcode *o);

#endif
