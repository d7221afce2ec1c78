/*
 * ptx_build - what the PTX reader's parts share: memory, names, and functions before their
 * calls are inlined. Not for others.
 *
 *   ptx_scanner.l, ptx_grammar.y   text to the calls of ptx_syntax.h
 *   ptx_build.c                    memory, names, messages
 *   ptx_declare.c, ptx_initial.c, ptx_function.c   registers, variables and their first
 *                                  values, functions
 *   ptx_decode.c, ptx_words.c      opcode words to an instruction
 *   ptx_rule.c, ptx_table.c        and what each operation allows
 *   ptx_operand.c, ptx_source.c    operands, checked against the instruction
 *   ptx_inline.c, ptx_branch.c, ptx_argument.c, ptx_call.c, ptx_runtime.c   functions with
 *                                  their calls and tables of branches written out
 *   ptx_module.c                   files; addresses of variables
 *
 * All memory is the arena's, so an error needs no clean-up but freeing that.
 */

#ifndef PTX_BUILD_H
#define PTX_BUILD_H

#include "ptx/ptx.h"

/* Bounds on what a text may ask for: it may be anything. */
enum {
    PTX_MAX_FILE = 64 << 20,
    PTX_MAX_SCOPES = 64,       /* nested */
    PTX_MAX_INSTS = 1 << 18,   /* of a module, calls written out */
    PTX_MAX_WRITTEN = 1 << 20, /* of all entries of a module, with places of variables */
    PTX_MAX_REGISTERS = 65000,
    PTX_MAX_DEPTH = 64, /* of calls */
    PTX_MAX_WORDS = 16, /* of an opcode */
    PTX_MAX_TERMS = 8,  /* operands of an instruction */
    PTX_MAX_DIMENSIONS = 8,
    PTX_MAX_ACCESSES = 32, /* places of a parameter that is kept in registers */
};
#define PTX_MAX_BYTES (UINT64_C(1) << 31) /* of a variable, and of a space */

struct ptx_chunk;
struct ptx_arena {
    struct ptx_chunk *chunk;
};

/* A list that grows in the arena. */
#define PTX_LIST(type)           \
    struct {                     \
        type *at;                \
        uint32_t count, reserve; \
    }

struct ptx_number {
    uint64_t bits; /* of a two's complement integer, or a double */
    enum { NUMBER_SIGNED, NUMBER_UNSIGNED, NUMBER_DOUBLE, NUMBER_SINGLE } kind;
};

/* An operand as written. */
struct ptx_term {
    enum { TERM_NAME, TERM_NUMBER, TERM_ADDRESS, TERM_LIST, TERM_PAIR } kind;
    bool negate;             /* !p */
    const char *name;        /* of NAME, PAIR, and ADDRESS unless it is a plain number */
    const char *other;       /* of PAIR: p|q */
    struct ptx_number value; /* of NUMBER; what is added to a name */
    struct ptx_term *list;   /* of LIST */
    struct ptx_term *next;   /* in a list */
};
/* How many there are, from this one on. */
uint32_t ptx_terms(const struct ptx_term *list);

struct ptx_scope {
    uint32_t id;
    struct ptx_scope *outer;
    bool has_ranges;
};

struct ptx_symbol {
    const char *name; /* interned: equal names are one pointer */
    uint32_t scope;
    uint32_t line;
    enum ptx_symbol_kind {
        SYMBOL_REGISTER,
        SYMBOL_RANGE,
        SYMBOL_VARIABLE,
        SYMBOL_LABEL,
        SYMBOL_TARGETS,
        SYMBOL_FUNCTION
    } kind;
    enum ptx_type type; /* of registers and ranges */
    uint32_t number;    /* register; how many of a range; node of a label */
    struct ptx_object *object;
    struct ptx_routine *routine;
    const struct ptx_targets *targets;
    struct ptx_symbol *next; /* of the same hash */
};

/* .branchtargets */
struct ptx_targets {
    const struct ptx_term *label;
    uint32_t count, line;
    const struct ptx_scope *scope;
};

/* Bytes of a parameter that instructions reach by constant offset. */
struct ptx_access {
    uint64_t offset;
    uint32_t bytes;
};

/* A variable while its module is read. */
struct ptx_object {
    struct ptx_variable variable;
    bool external;
    bool formal;    /* a parameter or return value of its routine */
    uint32_t index; /* in its routine's objects; of formals, in its parameters or returns */
    uint32_t reg;   /* of a formal that is a register, otherwise PTX_NO_REGISTER */
    uint32_t entry; /* mark of the entry that last used it */
    uint8_t *init;  /* variable.init */
    bool in_memory; /* its address is taken, or it has too many places */
    PTX_LIST(struct ptx_access) access;
};

/* The address of a variable, or of an entry, in the first value of a variable. */
struct ptx_reference {
    const struct ptx_object *in, *of; /* of: NULL for an entry */
    const struct ptx_symbol *entry;
    uint32_t line;
    uint64_t offset; /* in `in`; 8 bytes, which hold what is added to the address */
};

struct ptx_call {
    const char *name;
    struct ptx_term *results, *arguments;
};

struct ptx_node {
    struct ptx_inst inst;
    struct ptx_object *object;      /* whose address src[object_src] is */
    const struct ptx_symbol *entry; /* whose address src[0] is */
    uint32_t object_src;
    const char *label; /* of BRA; of BRX, its targets; found in scope */
    struct ptx_scope *scope;
    struct ptx_call *call;
};

struct ptx_routine {
    const char *name;
    bool entry, defined, external, active;
    uint32_t line;
    uint32_t max_threads;
    uint32_t number; /* of an entry with a body, among those */
    PTX_LIST(struct ptx_register) reg;
    PTX_LIST(struct ptx_node) node;
    PTX_LIST(struct ptx_object *) object; /* local, and parameters of calls */
    PTX_LIST(struct ptx_object *) param;
    PTX_LIST(struct ptx_object *) result;
};

/* What is being declared. */
struct ptx_declaration {
    uint32_t line;
    enum ptx_space space;
    enum ptx_type type;
    uint32_t align, vector;
    bool external, pointer;
    uint32_t n_dimension;
    uint64_t dimension[PTX_MAX_DIMENSIONS]; /* 0: [] */
};

struct ptx_build {
    struct ptx_arena *arena;
    const char *file;
    struct fault *fault;

    struct ptx_symbol **symbols; /* room_symbol buckets */
    struct ptx_name **names;
    uint32_t n_symbol, room_symbol, n_name, room_name;
    struct ptx_scope *scope;
    struct ptx_routine *routine; /* that is being read */
    PTX_LIST(struct ptx_routine *) routines;
    PTX_LIST(struct ptx_object *) object; /* global, constant and shared */
    PTX_LIST(struct ptx_reference) reference;

    struct ptx_declaration declaration;
    const char *words[PTX_MAX_WORDS]; /* of an opcode */
    /* of a first value */
    struct ptx_object *initial;
    struct ptx_number offset; /* of an address */
    uint64_t position, start[PTX_MAX_DIMENSIONS + 1], element;
    PTX_LIST(uint8_t) bytes;

    uint32_t n_word, brace, depth, n_scope;
    uint32_t n_inst, n_written, n_mark;
    uint32_t target; /* of the module: 70 of sm_70 */
    uint32_t line;   /* of the scanner */
    uint32_t braces; /* of a section that is skipped */
    char token[64];
    bool failed;
    bool of_results; /* formals being read are results */
    bool external;   /* linkage of what follows */
};

/* ---- ptx_build.c --------------------------------------------------------------------- */

/* Zeroed. */
void *ptx_alloc(struct ptx_arena *arena, size_t bytes);
void ptx_arena_free(struct ptx_arena *arena);
/* Room for one more: the new `at`. */
void *ptx_grow(struct ptx_arena *arena, void *at, uint32_t count, uint32_t *reserve,
               size_t element);
#define PTX_PUSH(arena, list, ...)                                                           \
    ((list)->at =                                                                            \
         ptx_grow((arena), (list)->at, (list)->count, &(list)->reserve, sizeof *(list)->at), \
     (list)->at[(list)->count++] = (__VA_ARGS__))
#define PTX_PUSH_POINTER(arena, list, pointer)                                           \
    ((list)->at =                                                                        \
         ptx_grow((arena), (list)->at, (list)->count, &(list)->reserve, sizeof(void *)), \
     (list)->at[(list)->count++] = (pointer))

/* Says what is wrong with a line, unless something already was. Returns false. */
bool ptx_fail(struct ptx_build *b, uint32_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
const char *ptx_intern(struct ptx_build *b, const char *text, size_t length);
bool ptx_open_scope(struct ptx_build *b);
void ptx_close_scope(struct ptx_build *b);
/* A new symbol of the current scope, or NULL with a fault. */
struct ptx_symbol *ptx_define(struct ptx_build *b, const char *name, uint32_t line,
                              enum ptx_symbol_kind kind);
struct ptx_symbol *ptx_find_in(const struct ptx_build *b, const char *name,
                               const struct ptx_scope *scope);
/* Innermost meaning of a name; registers of a range come into being. NULL: none. */
struct ptx_symbol *ptx_find(struct ptx_build *b, const char *name);
/* A register of the routine that is being read; PTX_NO_REGISTER with a fault if it has too
 * many. */
uint32_t ptx_new_register(struct ptx_build *b, struct ptx_routine *routine, const char *name,
                          enum ptx_type type);

/* ---- ptx_decode.c, ptx_operand.c ----------------------------------------------------- */

enum ptx_type ptx_find_type(const char *word); /* PTX_NONE: no type */
bool ptx_find_space(const char *word, uint8_t *space);
bool ptx_operands(struct ptx_build *b, struct ptx_node *node, const char *signature,
                  const char *text, const struct ptx_term *terms);

/* ---- ptx_runtime.c ------------------------------------------------------------------- */

/* A function without a body is as the device runtime has it, if it is one of that. */
bool ptx_check_prototype(struct ptx_build *b, struct ptx_routine *routine);
/* The address of an entry, counted from its module's first; false with a fault if the entry has
 * no body. */
bool ptx_entry_address(struct ptx_build *b, const struct ptx_symbol *entry, uint32_t line,
                       uint64_t *address);

/* ---- ptx_inline.c, ptx_module.c ------------------------------------------------------ */

bool ptx_write_out(struct ptx_build *b, struct ptx_routine *entry,
                   struct ptx_function *function);

#endif
