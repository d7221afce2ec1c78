/*
 * unit_define - what all units define alike, at the end of claso.c:
 *
 *   #define UNIT claso
 *   #include "unit_define.h"
 *
 * init, reset, tick, and claso_type, by which generic drivers run the unit. The
 * unit itself writes eval - or, with parts, eval_watched, and defines UNIT_COMPOSITION - and
 * reset, of its parts too, if it defines UNIT_OWN_RESET, because some of its registers do not
 * start at 0. One that has events, or parts that have some, writes count, and defines
 * UNIT_OWN_COUNT.
 */

#include <assert.h>
#include <string.h>

/* Parts get parameters that follow from the unit's, which are in range. */
static void UNIT_NAME(init_parts)(struct UNIT *unit)
{
    (void)unit;
#define PARAM(field, ...)                      \
    const uint32_t field = unit->config.field; \
    (void)field;
#define CONST(field, expression, meaning) \
    const uint32_t field = (expression);  \
    (void)field;
#define PART(field, type, ...) \
    (void)type##_init(&unit->field, &(struct type##_config){ __VA_ARGS__ });
#define PARTS(field, type, number, most, ...)                                       \
    assert((number) >= 1 && (number) <= (most));                                    \
    unit->n_##field = (number);                                                     \
    for (uint32_t i = 0u; i < unit->n_##field; i++) {                               \
        (void)type##_init(&unit->field[i], &(struct type##_config){ __VA_ARGS__ }); \
    }
#include "base/unit_rows.h"
}

enum UNIT_NAME(error)
    UNIT_NAME(init)(struct UNIT *unit, const struct UNIT_NAME(config) * config)
{
#define PARAM(field, standard, lowest, highest, meaning)         \
    if (config->field < (lowest) || config->field > (highest)) { \
        return UNIT_NAME(bad_##field);                           \
    }
#include "base/unit_rows.h"

    memset(unit, 0, sizeof *unit);
    unit->config = *config;
    UNIT_NAME(init_parts)(unit);
    UNIT_NAME(reset)(unit);
    return UNIT_NAME(ok);
}

#ifndef UNIT_OWN_RESET
void UNIT_NAME(reset)(struct UNIT *unit)
{
    memset(&unit->q, 0, sizeof unit->q);
#define PART(field, type, ...) type##_reset(&unit->field);
#define PARTS(field, type, number, most, ...)         \
    for (uint32_t i = 0u; i < unit->n_##field; i++) { \
        type##_reset(&unit->field[i]);                \
    }
#include "base/unit_rows.h"
}
#endif

#ifdef UNIT_COMPOSITION
void UNIT_NAME(eval)(const struct UNIT *unit, const struct UNIT_NAME(in) * in,
                     struct UNIT_NAME(out) * out, struct UNIT_NAME(next) * next)
{
    UNIT_NAME(eval_watched)(unit, in, out, next, NULL);
}
#else
_Static_assert(UNIT_NAME(n_watched) == 0,
               "with parts it writes eval_watched: UNIT_COMPOSITION");

void UNIT_NAME(eval_watched)(const struct UNIT *unit, const struct UNIT_NAME(in) * in,
                             struct UNIT_NAME(out) * out, struct UNIT_NAME(next) * next,
                             const struct unit_watch *watch)
{
    (void)watch;
    UNIT_NAME(eval)(unit, in, out, next);
}
#endif

void UNIT_NAME(tick)(struct UNIT *unit, const struct UNIT_NAME(next) * next)
{
    UNIT_NAME(become)(unit, next);
}

#ifndef UNIT_OWN_COUNT
_Static_assert(UNIT_NAME(n_event) == 0, "a unit with events counts them: UNIT_OWN_COUNT");

void UNIT_NAME(count)(const struct UNIT *unit, const struct UNIT_NAME(in) * in,
                      const struct UNIT_NAME(out) * out, struct UNIT_NAME(events) * events)
{
    (void)unit;
    (void)in;
    (void)out;
    (void)events;
}
#endif

/* ---- Description --------------------------------------------------------------------- */

static const struct unit_param UNIT_NAME(params)[] = {
#define PARAM(field, standard, lowest, highest, meaning)               \
    { #field,     meaning,  offsetof(struct UNIT_NAME(config), field), \
      (standard), (lowest), (highest) },
#include "base/unit_rows.h"
    { .name = NULL },
};

static const struct unit_path UNIT_NAME(paths)[] = {
#define PATH(in, out) { #in, #out },
#include "base/unit_rows.h"
    { NULL, NULL },
};

static const struct unit_part UNIT_NAME(parts)[] = {
#define PART(field, type, ...)                   \
    { #field,                                    \
      &type##_type,                              \
      #__VA_ARGS__,                              \
      offsetof(struct UNIT, field.config),       \
      offsetof(struct UNIT_NAME(events), field), \
      NULL },
#define PARTS(field, type, number, most, ...)    \
    { #field,                                    \
      &type##_type,                              \
      #__VA_ARGS__,                              \
      offsetof(struct UNIT, field[0].config),    \
      offsetof(struct UNIT_NAME(events), field), \
      #number },
#include "base/unit_rows.h"
    { .name = NULL },
};

static const struct unit_event UNIT_NAME(own_events)[] = {
#define EVENT(field, meaning) \
    { NULL, #field, meaning, offsetof(struct UNIT_NAME(events), field) },
#include "base/unit_rows.h"
    { .name = NULL },
};

/* Inside, the name of a parameter or constant is its value, for the shapes. */
static uint32_t UNIT_NAME(describe)(const void *config, struct unit_const *constants,
                                    struct unit_port *port)
{
    struct unit_port *const first_port = port;

    (void)config;
    (void)constants;
#define PARAM(field, standard, lowest, highest, meaning)                      \
    const uint32_t field = ((const struct UNIT_NAME(config) *)config)->field; \
    (void)field;
#define CONST(field, expression, meaning) \
    const uint32_t field = (expression);  \
    *constants++ = (struct unit_const){ #field, meaning, #expression, field };
#include "base/unit_rows.h"

#define ROW(field, text, meaning, which, offset, writes_at, words, ...)                 \
    *port++ = (struct unit_port){ NULL,   0u,        0u,    #field,      meaning, text, \
                                  offset, writes_at, which, __VA_ARGS__, words,   0u };
#define PORT(which, type, field, shape, meaning)                                        \
    ROW(field, #shape, meaning, which, offsetof(struct UNIT_NAME(type), field), 0u, 1u, \
        UNIT_SHAPE_##shape)
#define IN(field, shape, meaning)  PORT(UNIT_IN, in, field, shape, meaning)
#define OUT(field, shape, meaning) PORT(UNIT_OUT, out, field, shape, meaning)
#define REG(field, shape, meaning) PORT(UNIT_REG, state, field, shape, meaning)
#define MEM(field, w, per_word, words, max, writes, meaning)                                \
    ROW(field, "MEM(" #w ", " #per_word ", " #words ")", meaning, UNIT_MEM,                 \
        offsetof(struct UNIT_NAME(memory), field), offsetof(struct UNIT_NAME(next), field), \
        (words), UNIT_MEMORY, (w), (per_word))
#include "base/unit_rows.h"

    /* Registers and memories of the parts. */
#define PART_ROWS(type, place, ...)                                                       \
    {                                                                                     \
        struct unit_const ignored[type##_n_const + 1];                                    \
        struct unit_port rows[type##_most_ports + 1];                                     \
        port = unit_part_rows(                                                            \
            port, &(place), rows,                                                         \
            type##_type.describe(&(struct type##_config){ __VA_ARGS__ }, ignored, rows)); \
    }
#define PLACE(field, type, first_one, number)                                           \
    ((const struct unit_place){                                                         \
        .part = #field,                                                                 \
        .elements = (number),                                                           \
        .state_at = offsetof(struct UNIT, first_one.q) - offsetof(struct UNIT, q),      \
        .memory_at = offsetof(struct UNIT, first_one.mem) - offsetof(struct UNIT, mem), \
        .next_at = offsetof(struct UNIT_NAME(next), field),                             \
        .size = sizeof(struct type),                                                    \
        .next_size = sizeof(struct type##_next),                                        \
    })
#define PART(field, type, ...) PART_ROWS(type, PLACE(field, type, field, 0u), __VA_ARGS__)
#define PARTS(field, type, number, most, ...) \
    PART_ROWS(type, PLACE(field, type, field[0], number), __VA_ARGS__)
#include "base/unit_rows.h"
#undef PART_ROWS
#undef PLACE
    const uint32_t n_port = (uint32_t)(port - first_port);

    /* Behind all that is compared; no field holds them. */
#define DERIVED(field, shape, meaning) \
    ROW(field, #shape, meaning, UNIT_REG, 0u, 0u, 1u, UNIT_SHAPE_##shape)
#include "base/unit_rows.h"
#undef PORT
#undef ROW
    (void)port;
    return n_port;
}

/* ---- Type erasure -------------------------------------------------------------------- */

static int UNIT_NAME(any_init)(void *unit, const void *config)
{
    return (int)UNIT_NAME(init)(unit, config);
}

static void UNIT_NAME(any_reset)(void *unit)
{
    UNIT_NAME(reset)(unit);
}

static void UNIT_NAME(any_eval)(const void *unit, const void *in, void *out, void *next)
{
    UNIT_NAME(eval)(unit, in, out, next);
}

static void UNIT_NAME(any_eval_watched)(const void *unit, const void *in, void *out, void *next,
                                        const struct unit_watch *watch)
{
    UNIT_NAME(eval_watched)(unit, in, out, next, watch);
}

static void UNIT_NAME(any_tick)(void *unit, const void *next)
{
    UNIT_NAME(tick)(unit, next);
}

static void UNIT_NAME(any_count)(const void *unit, const void *in, const void *out,
                                 void *events)
{
    UNIT_NAME(count)(unit, in, out, events);
}

static bool UNIT_NAME(any_holds)(const void *any_unit, const void *any_next)
{
    const struct UNIT *const unit = any_unit;
    const struct UNIT_NAME(next) *const next = any_next;
    bool same = true;

#define REG(field, shape, meaning) \
    same = same && memcmp(&unit->q.field, &next->q.field, sizeof unit->q.field) == 0;
#define MEM(field, w, per_word, words, max, writes, meaning)            \
    for (uint32_t i = 0u; i < next->field.n; i++) {                     \
        const struct unit_write *const write = &next->field.write[i];   \
        same = same && unit->mem.field[write->element] == write->value; \
    }
#define PART(field, type, ...) same = same && type##_type.holds(&unit->field, &next->field);
#define PARTS(field, type, number, most, ...)                       \
    for (uint32_t i = 0u; same && i < unit->n_##field; i++) {       \
        same = type##_type.holds(&unit->field[i], &next->field[i]); \
    }
#include "base/unit_rows.h"
    (void)unit;
    (void)next;
    return same;
}

#define QUIET()                                                        \
    static bool UNIT_NAME(any_quiet)(const void *unit, const void *in) \
    {                                                                  \
        return UNIT_NAME(quiet)(unit, in);                             \
    }
#define ADVANCE()                                                              \
    static void UNIT_NAME(any_advance)(void *unit, const void *in, uint64_t n) \
    {                                                                          \
        UNIT_NAME(advance)(unit, in, n);                                       \
    }
#include "base/unit_rows.h"

const struct unit_type UNIT_NAME(type) = {
    .name = UNIT_STRING(UNIT),
    .params = UNIT_NAME(params),
    .n_param = sizeof UNIT_NAME(params) / sizeof UNIT_NAME(params)[0] - 1u,
    .paths = UNIT_NAME(paths),
    .parts = UNIT_NAME(parts),
    .events = UNIT_NAME(own_events),
    .n_event = UNIT_NAME(n_event),
    .n_const = UNIT_NAME(n_const),
    .max_port = UNIT_NAME(most_ports),
    .n_derived = UNIT_NAME(n_derived),
    .describe = UNIT_NAME(describe),
    .config_size = sizeof(struct UNIT_NAME(config)),
    .size = sizeof(struct UNIT),
    .state_at = offsetof(struct UNIT, q),
    .memory_at = offsetof(struct UNIT, mem),
    .next_size = sizeof(struct UNIT_NAME(next)),
    .events_size = sizeof(struct UNIT_NAME(events)),
    .group_size = { sizeof(struct UNIT_NAME(in)), sizeof(struct UNIT_NAME(out)),
                    sizeof(struct UNIT) - offsetof(struct UNIT, q),
                    sizeof(struct UNIT) - offsetof(struct UNIT, mem) },
    .init = UNIT_NAME(any_init),
    .reset = UNIT_NAME(any_reset),
    .eval = UNIT_NAME(any_eval),
    .eval_watched = UNIT_NAME(any_eval_watched),
    .tick = UNIT_NAME(any_tick),
    .count = UNIT_NAME(any_count),
    .holds = UNIT_NAME(any_holds),
#define QUIET()   .quiet = UNIT_NAME(any_quiet),
#define ADVANCE() .advance = UNIT_NAME(any_advance),
#include "base/unit_rows.h"
};

#undef UNIT_OWN_COUNT
#undef UNIT_COMPOSITION
#undef UNIT
