/*
 * unit_declare - the types and functions of one unit, made from its port table:
 *
 *   #define UNIT claso
 *   #include "unit_declare.h"
 *
 * in claso.h declares struct claso_in and the rest; see unit.h. No include guard:
 * it is a template, one unit an inclusion.
 */

#include "base/unit.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * C has no empty enums and structs, and a unit may have no rows of a kind. What is put in has
 * no name, so that nothing else need know; the compilers we use take a struct of it alone.
 */
#define UNIT_NOTHING unsigned : 8;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"

/* claso_max_n_core, for each parameter. */
enum {
    UNIT_NAME(max_none) = 0,
#define PARAM(field, standard, lowest, highest, meaning) UNIT_NAME(max_##field) = (highest),
#include "base/unit_rows.h"
};

/* claso_ok, then claso_bad_n_core, for each parameter. */
enum UNIT_NAME(error) {
    UNIT_NAME(ok) = 0,
#define PARAM(field, standard, lowest, highest, meaning) UNIT_NAME(bad_##field),
#include "base/unit_rows.h"
};

struct UNIT_NAME(config) {
#define PARAM(field, standard, lowest, highest, meaning) uint32_t field;
#include "base/unit_rows.h"
    UNIT_NOTHING
};

struct UNIT_NAME(in) {
#define IN(field, shape, meaning) UNIT_TYPE_##shape field UNIT_DIMENSION_##shape;
#include "base/unit_rows.h"
    UNIT_NOTHING
};

struct UNIT_NAME(out) {
#define OUT(field, shape, meaning) UNIT_TYPE_##shape field UNIT_DIMENSION_##shape;
#include "base/unit_rows.h"
    UNIT_NOTHING
};

/* How often each event has been met; in an array of parts, in all elements together. */
struct UNIT_NAME(events) {
#define EVENT(field, meaning)                 uint64_t field;
#define PART(field, type, ...)                struct type##_events field;
#define PARTS(field, type, number, most, ...) struct type##_events field;
#include "base/unit_rows.h"
    UNIT_NOTHING
};

#pragma GCC diagnostic pop
#undef UNIT_NOTHING

struct UNIT_NAME(state) {
    uint64_t none; /* it aligns registers and memories of parts as those of the unit */
#define REG(field, shape, meaning) UNIT_TYPE_##shape field UNIT_DIMENSION_##shape;
#include "base/unit_rows.h"
};

struct UNIT_NAME(memory) {
    uint64_t none;
#define MEM(field, w, per_word, words, max, writes, meaning) uint64_t field[(max)];
#include "base/unit_rows.h"
};

struct UNIT_NAME(next) {
    struct UNIT_NAME(state) q;
#define MEM(field, w, per_word, words, max, writes, meaning) UNIT_WRITES(writes) field;
#define PART(field, type, ...)                               struct type##_next field;
#define PARTS(field, type, number, most, ...)                struct type##_next field[(most)];
#include "base/unit_rows.h"
};

/* Parts come last: to generic code their registers and memories are those of the unit. */
struct UNIT {
    struct UNIT_NAME(config) config;
    struct UNIT_NAME(state) q;    /* the present registers */
    struct UNIT_NAME(memory) mem; /* the present memories */
#define PART(field, type, ...) struct type field;
#define PARTS(field, type, number, most, ...) \
    uint32_t n_##field;                       \
    struct type field[(most)];
#include "base/unit_rows.h"
};

/* Returns ok with the unit reset, or what is wrong, with the unit untouched. */
enum UNIT_NAME(error)
    UNIT_NAME(init)(struct UNIT *unit, const struct UNIT_NAME(config) * config);

/* Clock edge with reset high: registers get their first values, memories stay. */
void UNIT_NAME(reset)(struct UNIT *unit);

/* Combinational phase: outputs of this cycle, and what its edge will do. */
void UNIT_NAME(eval)(const struct UNIT *unit, const struct UNIT_NAME(in) * in,
                     struct UNIT_NAME(out) * out, struct UNIT_NAME(next) * next);

/* The same, and shows each evaluation of a part to watch, which may be NULL. */
void UNIT_NAME(eval_watched)(const struct UNIT *unit, const struct UNIT_NAME(in) * in,
                             struct UNIT_NAME(out) * out, struct UNIT_NAME(next) * next,
                             const struct unit_watch *watch);

/* Clock edge with reset low: next becomes the present. */
void UNIT_NAME(tick)(struct UNIT *unit, const struct UNIT_NAME(next) * next);

/* Before a clock edge with reset low: adds what this cycle meets. */
void UNIT_NAME(count)(const struct UNIT *unit, const struct UNIT_NAME(in) * in,
                      const struct UNIT_NAME(out) * out, struct UNIT_NAME(events) * events);

/* Of a unit with such rows: nothing changes while these inputs hold; n edges under them. */
#define QUIET() bool UNIT_NAME(quiet)(const struct UNIT *unit, const struct UNIT_NAME(in) * in);
#define ADVANCE() \
    void UNIT_NAME(advance)(struct UNIT * unit, const struct UNIT_NAME(in) * in, uint64_t n);
#include "base/unit_rows.h"

/* The edge that changes nothing, from which eval starts. */
static inline void UNIT_NAME(hold)(const struct UNIT *unit, struct UNIT_NAME(next) * next)
{
    next->q = unit->q;
#define MEM(field, w, per_word, words, max, writes, meaning) next->field.n = 0u;
#define PART(field, type, ...)                               type##_hold(&unit->field, &next->field);
#define PARTS(field, type, number, most, ...)          \
    for (uint32_t i = 0u; i < unit->n_##field; i++) {  \
        type##_hold(&unit->field[i], &next->field[i]); \
    }
#include "base/unit_rows.h"
}

/* What tick does, for the parts of a composition: an array of many takes no call for each. */
static inline void UNIT_NAME(become)(struct UNIT *unit, const struct UNIT_NAME(next) * next)
{
    unit->q = next->q;
#define MEM(field, w, per_word, words, max, writes, meaning)                        \
    for (uint32_t i = 0u; i < next->field.n; i++) {                                 \
        unit->mem.field[next->field.write[i].element] = next->field.write[i].value; \
    }
#define PART(field, type, ...) type##_become(&unit->field, &next->field);
#define PARTS(field, type, number, most, ...)            \
    for (uint32_t i = 0u; i < unit->n_##field; i++) {    \
        type##_become(&unit->field[i], &next->field[i]); \
    }
#include "base/unit_rows.h"
}

/* work_distributor_part_credits, for each part: its number. */
enum {
#define PART(field, type, ...)  UNIT_NAME(part_##field),
#define PARTS(field, type, ...) UNIT_NAME(part_##field),
#include "base/unit_rows.h"
    UNIT_NAME(n_part),
    UNIT_NAME(n_watched) = 0 /* of them can be watched: those that are no arrays */
#define PART(...) +1
#include "base/unit_rows.h"
};

/* work_distributor_eval_credits, for each part: evaluates it, for a composition's
 * eval_watched. */
#define PART(field, type, ...)                                                            \
    static inline void UNIT_NAME(eval_##field)(                                           \
        const struct UNIT *unit, const struct type##_in *in, struct type##_out *out,      \
        struct UNIT_NAME(next) * next, const struct unit_watch *watch)                    \
    {                                                                                     \
        type##_eval(&unit->field, in, out, &next->field);                                 \
        if (watch != NULL) {                                                              \
            watch->evaluated(watch->self, UNIT_NAME(part_##field), &unit->field, in, out, \
                             &next->field);                                               \
        }                                                                                 \
    }
#include "base/unit_rows.h"

/* Rows of each kind, and with their parts' registers and memories, the most rows. */
enum {
    UNIT_NAME(n_const) = 0
#define CONST(...) +1
#include "base/unit_rows.h"
    ,
    UNIT_NAME(n_event) = 0
#define EVENT(...)                            +1
#define PART(field, type, ...)                +type##_n_event
#define PARTS(field, type, number, most, ...) +type##_n_event
#include "base/unit_rows.h"
    ,
    UNIT_NAME(n_derived) = 0
#define DERIVED(...) +1
#include "base/unit_rows.h"
    ,
    UNIT_NAME(n_state) = 0
#define REG(...) +1
#define MEM(...) +1
#include "base/unit_rows.h"
    ,
    UNIT_NAME(n_own) = UNIT_NAME(n_state)
#define IN(...)  +1
#define OUT(...) +1
#include "base/unit_rows.h"
        ,
    UNIT_NAME(most_ports) = UNIT_NAME(n_own) + UNIT_NAME(n_derived)
#define PART(field, type, ...)                +type##_n_state
#define PARTS(field, type, number, most, ...) +(most) * (unsigned)type##_n_state
#include "base/unit_rows.h"
};

extern const struct unit_type UNIT_NAME(type);

#ifdef __cplusplus
}
#endif

#undef UNIT
