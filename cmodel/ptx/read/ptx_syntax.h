/*
 * ptx_syntax - what the grammar of PTX does: called by ptx_grammar.y as it reads. Functions
 * that return bool return false with a fault in the build.
 */

#ifndef PTX_SYNTAX_H
#define PTX_SYNTAX_H

#include "ptx/read/ptx_build.h"

struct ptx_token {
    const char *text; /* interned */
    uint32_t line;
};

/* ---- the whole, ptx_scanner.l -------------------------------------------------------- */

bool ptx_scan(struct ptx_build *b, const char *text, size_t length);

/* ---- numbers, ptx_number.c ----------------------------------------------------------- */

/* False: too large, or no number. */
bool ptx_read_number(const char *text, struct ptx_number *number);
bool ptx_unary(struct ptx_build *b, int op, struct ptx_number *number);
bool ptx_binary(struct ptx_build *b, int op, struct ptx_number *left, struct ptx_number right);
enum { PTX_SHIFT_LEFT = 256, PTX_SHIFT_RIGHT };
/* The bits of a number as a value of a type; false: a type of another kind. */
bool ptx_as_type(struct ptx_number number, enum ptx_type type, uint64_t *bits);

/* ---- declarations, ptx_declare.c and ptx_function.c ---------------------------------- */

bool ptx_version(struct ptx_build *b, const char *number);
bool ptx_target(struct ptx_build *b, struct ptx_token name);
bool ptx_address_size(struct ptx_build *b, struct ptx_number bits);
void ptx_declare(struct ptx_build *b, struct ptx_token word);
void ptx_declare_type(struct ptx_build *b, struct ptx_token word);
bool ptx_declare_word(struct ptx_build *b, struct ptx_token word);
bool ptx_declare_align(struct ptx_build *b, struct ptx_number align);
/* Of what a parameter points to: a hint. */
bool ptx_declare_pointed(struct ptx_build *b, struct ptx_token space);
bool ptx_dimension(struct ptx_build *b, struct ptx_number count);
bool ptx_register(struct ptx_build *b, struct ptx_token name);
bool ptx_register_range(struct ptx_build *b, struct ptx_token name, struct ptx_number count);
bool ptx_variable(struct ptx_build *b, struct ptx_token name);
/* After its first value, if it has one. */
bool ptx_variable_end(struct ptx_build *b);
bool ptx_formal(struct ptx_build *b, struct ptx_token name);

bool ptx_function_begin(struct ptx_build *b, bool entry, uint32_t line);
bool ptx_function_name(struct ptx_build *b, struct ptx_token name);
bool ptx_function_limit(struct ptx_build *b, struct ptx_token word, const uint64_t limits[3]);
bool ptx_function_body(struct ptx_build *b);
bool ptx_function_end(struct ptx_build *b);

/* ---- first values, ptx_initial.c ----------------------------------------------------- */

bool ptx_initial_open(struct ptx_build *b);
bool ptx_initial_close(struct ptx_build *b);
bool ptx_initial_number(struct ptx_build *b, struct ptx_number number);
bool ptx_initial_address(struct ptx_build *b, struct ptx_token name, struct ptx_number offset,
                         bool generic);

/* ---- instructions, ptx_decode.c ------------------------------------------------------ */

bool ptx_label(struct ptx_build *b, struct ptx_token name);
/* name: .branchtargets labels; */
bool ptx_branch_targets(struct ptx_build *b, struct ptx_token name,
                        const struct ptx_term *labels);
bool ptx_word(struct ptx_build *b, struct ptx_token word);
struct ptx_guard {
    const char *name; /* NULL: none */
    bool negate;
};
bool ptx_instruction(struct ptx_build *b, struct ptx_guard guard, struct ptx_token name,
                     const struct ptx_term *terms);
bool ptx_call(struct ptx_build *b, struct ptx_guard guard, struct ptx_token call,
              struct ptx_call what);
bool ptx_unsupported(struct ptx_build *b, struct ptx_token word);

#endif
