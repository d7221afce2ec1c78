/*
 * unit - what every scheduling unit is, and how a driver that knows none runs it.
 *
 * A unit is a synchronous machine with one clock and a synchronous reset. In C it
 * is some types and four functions; for the unit `claso`:
 *
 *   struct claso_config   its parameters      n_core is parameter N_CORE
 *   struct claso_in       inputs of a cycle   kernel is port kernel_i
 *   struct claso_out      outputs             allow is port allow_o
 *   struct claso_state    registers           busy is register busy_q
 *   struct claso_memory   memories            local is array local_q
 *   struct claso_next     what the clock edge will do: the registers' next values,
 *                         and a list of writes for each memory, never a copy of it
 *   struct claso          config, and the present: q (registers), mem (memories)
 *
 *   claso_init(unit, config)          checks the parameters, clears all, resets
 *   claso_reset(unit)                 a rising edge with rst_i high
 *   claso_eval(unit, in, out, next)   this cycle's outputs, and the edge's effect;
 *                                     changes nothing in the unit
 *   claso_tick(unit, next)            a rising edge with rst_i low; sees no input
 *
 * A unit that has others as parts, a composition, has a fifth, eval_watched, by which they are
 * shown as they are evaluated.
 *
 * Three functions more are only in units whose table says so. The lockstep holds them to what
 * they promise.
 *
 *   claso_count(unit, in, out, events)
 *                                     adds the events of a cycle to struct claso_events, before
 *                                     its clock edge, which is no reset. A composition passes
 *                                     the call on; its struct has those of its parts as members
 *   claso_quiet(unit, in)             true only if no edge changes anything while these inputs
 *                                     hold; false is always allowed
 *   claso_advance(unit, in, n)        n edges under these inputs: eval and tick, n times
 *
 * So eval may be called again whenever an input changes, and units may tick in any
 * order. eval and tick never fail, allocate or do I/O. A reset clears the
 * registers and leaves the memories. Inputs fit the width of their ports, as they do
 * in hardware; a caller that breaks this has a bug.
 *
 * All of it comes from one table, claso_ports.def, with a row for each parameter,
 * port, register and memory. Rows of ports stand in the order of the module's.
 *
 *   PARAM(name, default, lowest, highest, meaning)
 *   CONST(name, expression, meaning)        a width or size that follows from them
 *   IN   (name, shape, meaning)
 *   OUT  (name, shape, meaning)
 *   PATH (input, output)                    the input reaches the output in its own
 *                                           cycle; no other input reaches any output
 *   REG  (name, shape, meaning)
 *   MEM  (name, w, n, words, max, writes, meaning)
 *   PART (name, unit, parameters)           a unit inside this one: in C a member of its
 *                                           type, in Verilog the instance u_name; its
 *                                           parameters as .n_core = n_sm, ... Its registers
 *                                           and memories are compared with the unit's own
 *   PARTS(name, unit, number, max, parameters)
 *                                           an array of units inside this one: in C an array
 *                                           of max, of which the first n_name are in use; in
 *                                           Verilog the instances g_name[k].u_name of a loop
 *   DERIVED(name, shape, meaning)           a register that only the RTL has, for its timing;
 *                                           the module proves that it is a function of the
 *                                           others. It is not compared, nor in C
 *   EVENT(name, meaning)                    a rare event, in which a mistake would show: the
 *                                           golden model counts it for whoever asks
 *   QUIET()                                 the unit has the function quiet
 *   ADVANCE()                               and advance, see above
 *
 *   shape             in C             in Verilog
 *   FLAG              bool             1 bit
 *   NUM(w)            uint32_t         [w-1:0], w <= 32
 *   LONG(w)           uint64_t         [w-1:0], w <= 64
 *   SET(n)            struct bits      [n-1:0], n <= 192
 *   ARRAY(w, n, max)  uint32_t [max]   a port: [w*n-1:0], element 0 lowest;
 *                                      a register: [w-1:0] name_q [0:n-1]
 *   a MEM             uint64_t [max]   [w*n-1:0] name_q [0:words-1], w <= 64;
 *                                      element e of word k is number k * n + e
 *
 * w, n, words and number are expressions in the parameters and constants; max is the
 * largest number of elements and writes the largest number of elements written in
 * one cycle, both constants. An input NAME_valid with an output NAME_ready is a
 * handshake, and so is an output NAME_valid with an input NAME_ready.
 *
 * The table becomes types in unit_declare.h and one run-time description, an array
 * of struct unit_port, in unit_define.h. All other machinery is ordinary code that
 * reads the description.
 */

#ifndef UNIT_H
#define UNIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bits.h"
#include "base/fault.h"

#ifdef __cplusplus
extern "C" {
#define UNIT_CONSTANT constexpr
#else
#define UNIT_CONSTANT static inline
#endif

/* ---- Shapes: all that depends on them, in one place ---------------------------------- */

#define UNIT_TYPE_FLAG             bool
#define UNIT_TYPE_NUM(w)           uint32_t
#define UNIT_TYPE_LONG(w)          uint64_t
#define UNIT_TYPE_SET(n)           struct bits
#define UNIT_TYPE_ARRAY(w, n, max) uint32_t

#define UNIT_DIMENSION_FLAG
#define UNIT_DIMENSION_NUM(w)
#define UNIT_DIMENSION_LONG(w)
#define UNIT_DIMENSION_SET(n)
#define UNIT_DIMENSION_ARRAY(w, n, max) [max]

/* kind, bits of an element, elements */
#define UNIT_SHAPE_FLAG             UNIT_FLAG, 1u, 1u
#define UNIT_SHAPE_NUM(w)           UNIT_NUM, (w), 1u
#define UNIT_SHAPE_LONG(w)          UNIT_LONG, (w), 1u
#define UNIT_SHAPE_SET(n)           UNIT_SET, 1u, (n)
#define UNIT_SHAPE_ARRAY(w, n, max) UNIT_ARRAY, (w), (n)

#define UNIT_BITS_FLAG             1u
#define UNIT_BITS_NUM(w)           (w)
#define UNIT_BITS_LONG(w)          (w)
#define UNIT_BITS_SET(n)           (n)
#define UNIT_BITS_ARRAY(w, n, max) ((w) * (n))

enum unit_shape { UNIT_FLAG, UNIT_NUM, UNIT_LONG, UNIT_SET, UNIT_ARRAY, UNIT_MEMORY };

/* UNIT_NAME(eval) is claso_eval when UNIT is claso. */
#define UNIT_NAME(suffix)     UNIT_NAME_(UNIT, suffix)
#define UNIT_NAME_(u, suffix) UNIT_PASTE(u, suffix)
#define UNIT_PASTE(u, suffix) u##_##suffix
#define UNIT_STRING(u)        UNIT_STRING_(u)
#define UNIT_STRING_(u)       #u

/* Bits that hold an index below n; at least one. Verilog: $clog2, or 1. */
UNIT_CONSTANT uint32_t index_width(uint32_t n)
{
    uint32_t width = 1u;
    while (width < 32u && (n - 1u) >> width != 0u) {
        width++;
    }
    return width;
}

/* ---- Memories ------------------------------------------------------------------------ */

struct unit_write {
    uint32_t element;
    uint64_t value;
};

/* One memory's writes of a cycle, to different elements. */
#define UNIT_WRITES(max)                \
    struct {                            \
        uint32_t n;                     \
        struct unit_write write[(max)]; \
    }

/* Adds one; e and v may not use the list. */
#define UNIT_WRITE(list, e, v) ((list)->write[(list)->n++] = (struct unit_write){ (e), (v) })

/* ---- Who watches a composition's parts ----------------------------------------------- */

/*
 * Such as their RTL. Told of every evaluation of a part, by its place among the PART rows, with
 * the part, its inputs, outputs and what the edge would do; the last of a cycle is what it
 * does. *out may be replaced, and is what the composition goes on with.
 */
struct unit_watch {
    void *self;
    void (*evaluated)(void *self, uint32_t part, const void *unit, const void *in, void *out,
                      const void *next);
};

/* ---- Description of a unit, at run time ---------------------------------------------- */

/* The first three have images, see unit_pack_group; memories have none. */
enum unit_group {
    UNIT_IN,
    UNIT_OUT,
    UNIT_REG,
    UNIT_IMAGES,
    UNIT_MEM = UNIT_IMAGES,
    UNIT_GROUPS
};

/* One row of the table, for one set of parameters. */
struct unit_port {
    const char *part;  /* that it is in; NULL: it is the unit's own */
    uint32_t elements; /* of the array of parts that it is in; 0: of no array ... */
    uint32_t element;  /* ... in which element */
    const char *name;
    const char *meaning;
    const char *text; /* the shape as the table has it */
    size_t offset;    /* of the field, in the struct of its group */
    size_t writes_at; /* of a memory's writes, in the next struct */
    enum unit_group group;
    enum unit_shape shape;
    uint32_t width; /* bits of an element, 1..64 */
    uint32_t count; /* elements; of a memory, in one word */
    uint32_t words; /* of a memory; otherwise 1 */
    uint32_t bit;   /* where it starts in the image of its group */
};

struct unit_param {
    const char *name; /* upper-case in Verilog and in files */
    const char *meaning;
    size_t offset; /* of the uint32_t, in the config */
    uint32_t standard;
    uint32_t lowest;
    uint32_t highest;
};

struct unit_const {
    const char *name;
    const char *meaning;
    const char *text; /* the expression */
    uint32_t value;
};

struct unit_path {
    const char *in;
    const char *out;
};

struct unit_event {
    const char *part; /* that it is in; NULL: it is the unit's own */
    const char *name;
    const char *meaning;
    size_t offset; /* of its uint64_t, in the unit's struct of events */
};

struct unit_type;

struct unit_part {
    const char *name; /* its instance in Verilog is u_name */
    const struct unit_type *type;
    const char *params; /* as the table has them: ".n_core = n_sm, ..." */
    size_t config_at;   /* offset of its config in the unit */
    size_t events_at;   /* of its events, in the unit's struct of them */
    const char *number; /* of an array of parts, an expression; NULL: it is no array */
};

/* A unit with its types erased: void is the unit's own struct everywhere. */
struct unit_type {
    const char *name;
    const struct unit_param *params; /* and at their end one of NULL */
    uint32_t n_param;
    const struct unit_path *paths;   /* and at their end one of NULLs */
    const struct unit_part *parts;   /* likewise */
    const struct unit_event *events; /* its own, and at their end one of NULLs */
    uint32_t n_event;                /* with those of its parts */
    uint32_t n_const;
    uint32_t max_port;
    uint32_t n_derived;
    /* Returns how many ports there are with these parameters. Behind them it puts the rows of
     * derived registers; ports has max_port elements, which is room for all. */
    uint32_t (*describe)(const void *config, struct unit_const *constants,
                         struct unit_port *ports);

    size_t config_size;
    size_t size;      /* of the unit */
    size_t state_at;  /* offset of q in the unit */
    size_t memory_at; /* offset of mem in the unit */
    size_t next_size;
    size_t events_size;
    /* Of in and out; of state and memory, to the end of the unit, with those of its parts. */
    size_t group_size[UNIT_GROUPS];

    int (*init)(void *unit, const void *config); /* 0, or 1 + a bad parameter */
    void (*reset)(void *unit);
    void (*eval)(const void *unit, const void *in, void *out, void *next);
    /* The same, and shows the parts; watch: NULL is fine. */
    void (*eval_watched)(const void *unit, const void *in, void *out, void *next,
                         const struct unit_watch *watch);
    void (*tick)(void *unit, const void *next);
    void (*count)(const void *unit, const void *in, const void *out, void *events);
    /* The edge of next would change nothing. */
    bool (*holds)(const void *unit, const void *next);
    bool (*quiet)(const void *unit, const void *in); /* NULL if the unit has none; likewise */
    void (*advance)(void *unit, const void *in, uint64_t n);
};

/* All units of this program, in alphabetical order, then NULL. */
extern const struct unit_type *const unit_types[];

/*
 * For unit_define.h: copies a part's rows of registers and memories to `to`, as rows of the
 * unit that the part is in; of an array of parts, each row for all elements. n: of rows.
 * Returns the end of the copies.
 */
struct unit_place {
    const char *part;
    uint32_t elements; /* of an array; otherwise 0 */
    size_t state_at;   /* of the first one's registers, from those of the unit */
    size_t memory_at;
    size_t next_at;
    size_t size; /* of one, and of its next */
    size_t next_size;
};
struct unit_port *unit_part_rows(struct unit_port *to, const struct unit_place *place,
                                 const struct unit_port *rows, uint32_t n);

/* Event i of a unit, those of its parts behind its own; i < type->n_event. */
struct unit_event unit_event(const struct unit_type *type, uint32_t i);

/* How often it has been met, by the unit's struct of events. */
static inline uint64_t unit_event_met(const struct unit_event *event, const void *events)
{
    return *(const uint64_t *)(const void *)((const char *)events + event->offset);
}

/* ---- A unit of any type, with the buffers of one cycle ------------------------------- */

struct unit {
    const struct unit_type *type;
    struct unit_port *ports; /* and behind them the derived registers, type->n_derived */
    uint32_t n_port;
    struct unit_const *constants;     /* type->n_const of them */
    uint32_t image_bits[UNIT_IMAGES]; /* bits of each group, packed */
    void *config;
    void *model;
    void *in;
    void *out;
    void *next;
};

/*
 * Makes a unit after its first reset edge. params are texts such as "N_CORE=15",
 * up to a NULL; those not given have their standard value. Returns NULL
 * with a fault on an unknown unit, a bad parameter, or lack of memory.
 */
struct unit *unit_open(const char *name, const char *const *params, struct fault *fault);

/* The same, with all parameters in one text: "N_CORE=15 N_KERNEL=4". */
struct unit *unit_open_text(const char *name, const char *params, struct fault *fault);
/* The same, with the parameters in the unit's own struct of them. */
struct unit *unit_open_config(const char *name, const void *config, struct fault *fault);
void unit_close(struct unit *unit); /* NULL is fine */

void unit_eval(struct unit *unit); /* in -> out, next */
/* The clock edge: with rst_i low, next becomes the present. */
void unit_edge(struct unit *unit, bool reset);
const void *unit_state(const struct unit *unit);
const void *unit_memory(const struct unit *unit);

/* The value of one parameter. */
uint32_t unit_param(const struct unit *unit, uint32_t i);

/* A name as Verilog has it: "N_CORE" for n_core. Returns text, which it fills. */
enum { UNIT_NAME_SIZE = 64 };
char *unit_upper(const char *name, char text[UNIT_NAME_SIZE]);

/* The unit and all its parameters: "claso N_CORE=15 N_KERNEL=4 ...". Returns text. */
enum { UNIT_TITLE = 256 };
char *unit_title(const struct unit *unit, char text[UNIT_TITLE]);

/* The same as a file's name: "claso-N_CORE.15-N_KERNEL.4-...". Returns text. */
char *unit_file_name(const struct unit *unit, char text[UNIT_TITLE]);

/* ---- Values of ports (unit_values.c) ------------------------------------------------- */

/* Element k of a port, from the struct of its group. */
uint64_t unit_get(const struct unit_port *port, const void *group, uint32_t k);
void unit_set(const struct unit_port *port, void *group, uint32_t k, uint64_t value);

/* 32-bit words that hold so many bits. */
static inline uint32_t unit_words(uint32_t bits)
{
    return (bits + 31u) / 32u;
}

/* Bits of a port, or of one word of a memory. */
static inline uint32_t unit_port_bits(const struct unit_port *port)
{
    return port->width * port->count;
}

/* Its suffix in Verilog: "_i", "_o" or "_q". */
const char *unit_suffix(const struct unit_port *port);

/* Its name in Verilog: "kernel_i"; in a part "u_credits.valid_q", in an array of parts
 * "g_counter[3].u_counter.active_q". Returns text. */
enum { UNIT_PORT_NAME = 4 * UNIT_NAME_SIZE };
char *unit_port_name(const struct unit_port *port, char text[UNIT_PORT_NAME]);

/* Bits [bit, bit + n) of a vector of 32-bit words, lowest first; n in 1..64. */
uint64_t unit_get_bits(const uint32_t *words, uint32_t bit, uint32_t n);
void unit_set_bits(uint32_t *words, uint32_t bit, uint32_t n, uint64_t value);

/*
 * One port as a vector of bits, element 0 lowest, 32 bits a word: the layout of
 * a Verilator net, of a DPI bit vector, and of a number in a vector file.
 * Bits above the port's are zero. Not for memories.
 */
void unit_pack(const struct unit_port *port, const void *group, uint32_t *words);
void unit_unpack(const struct unit_port *port, const uint32_t *words, void *group);

/* A whole group, its ports one above the other in the order of the table. */
void unit_pack_group(const struct unit *unit, enum unit_group group, const void *from,
                     uint32_t *image);
void unit_unpack_group(const struct unit *unit, enum unit_group group, const uint32_t *image,
                       void *to);

/* The writes that next holds for a memory. */
struct unit_write_list {
    uint32_t n;
    const struct unit_write *write;
};
struct unit_write_list unit_writes(const struct unit_port *port, const void *next);

/* ---- Comparison ---------------------------------------------------------------------- */

struct unit_difference {
    const struct unit_port *port;
    uint32_t element;
    uint64_t expected;
    uint64_t got;
};

/*
 * Finds up to max differences between two structs of a group, in the order of the
 * table. Returns how many there are.
 */
uint32_t unit_compare(const struct unit *unit, enum unit_group group, const void *expected,
                      const void *got, struct unit_difference *differences, uint32_t max);

#ifdef __cplusplus
}
#endif

#endif
