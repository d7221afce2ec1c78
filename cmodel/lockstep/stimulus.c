/* stimulus - reproducible inputs for any unit; see stimulus.h. */

#include "lockstep/stimulus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random_bits.h"
#include "base/stimulus_driver.h"

enum kind { IDLE, BURSTY, PRESSED, ILLEGAL, DIRECTED, N_KIND, MIXED = N_KIND };

static const char *const kind_name[] = { "idle",    "bursty",   "pressed",
                                         "illegal", "directed", "mixed" };
const char stimulus_kinds[] = "idle, bursty, pressed, illegal, directed or mixed";

enum { WAY_CYCLES = 64, KIND_CYCLES = 1024, CYCLES_A_RESET = 1024, NO_PORT = -1 };

/* How an input behaves for a while. */
struct way {
    uint32_t eighths; /* of the cycles in which a flag is high, or of a set's bits */
    enum { ZERO, SMALL, ANY, FULL, HELD, N_NUMBER } number;
    enum { EMPTY, SPARSE, HALF, DENSE, ALL, SINGLE, N_SET } set;
    uint64_t mask; /* of a small number */
};

/* One input, with the handshake it belongs to. */
struct input {
    const struct unit_port *port;
    struct way way;
    bool takes;                    /* it is the ready of an output's handshake */
    bool offers;                   /* it is the valid of its handshake */
    int valid;                     /* its handshake's valid, an index of inputs, or NO_PORT */
    const struct unit_port *ready; /* that output */
};

struct stimulus {
    struct unit *unit;
    const struct driver *driver;
    enum kind kind; /* asked for */
    enum kind now;  /* MIXED made one of the others */
    uint64_t random;
    uint64_t cycle;
    uint64_t until;           /* of MIXED: when the next kind has its turn */
    uint64_t stretch;         /* cycles from a reset to the next; 0: chance has it */
    uint64_t reset_at;        /* the cycle of the last one */
    bool turned;              /* to another kind */
    bool in_sequence;         /* the directed one has begun ... */
    uint64_t directed;        /* ... and this is its cycle */
    uint64_t directed_cycles; /* of all that were begun */
    struct stimulus_counts counts;
    uint32_t n_input;
    struct input *inputs;
    void *last; /* the inputs of the last cycle */
};

/* ---- Handshakes, by the names of ports ----------------------------------------------- */

/* The port of a group named prefix and ending, such as "launch" "_ready". */
static const struct unit_port *find_port(const struct unit *unit, enum unit_group group,
                                         const char *prefix, size_t length, const char *ending)
{
    for (uint32_t i = 0u; i < unit->n_port; i++) {
        const char *const name = unit->ports[i].name;
        if (unit->ports[i].group == group && strncmp(name, prefix, length) == 0
            && strcmp(name + length, ending) == 0) {
            return &unit->ports[i];
        }
    }
    return NULL;
}

static bool ends_with(const char *name, const char *ending)
{
    const size_t length = strlen(name);
    const size_t tail = strlen(ending);
    return length >= tail && strcmp(name + length - tail, ending) == 0;
}

/* Finds the offer, if any, that an input is a part of: launch_ctas of launch. */
static void join_handshake(struct stimulus *stimulus, struct input *input)
{
    const struct unit *const unit = stimulus->unit;

    input->valid = NO_PORT;
    for (uint32_t v = 0u; v < stimulus->n_input; v++) {
        const char *const name = stimulus->inputs[v].port->name;
        const size_t length = strlen(name) - strlen("_valid");
        if (ends_with(name, "_valid") && strncmp(input->port->name, name, length + 1u) == 0) {
            input->ready = find_port(unit, UNIT_OUT, name, length, "_ready");
            input->valid = input->ready == NULL ? NO_PORT : (int)v;
        }
    }
    input->offers = input->valid != NO_PORT && ends_with(input->port->name, "_valid");
    if (ends_with(input->port->name, "_ready")) {
        const size_t length = strlen(input->port->name) - strlen("_ready");
        input->takes = find_port(unit, UNIT_OUT, input->port->name, length, "_valid") != NULL;
    }
}

/* ---- Opening ------------------------------------------------------------------------- */

static bool find_inputs(struct stimulus *stimulus)
{
    const struct unit *const unit = stimulus->unit;

    stimulus->inputs = calloc(unit->n_port, sizeof *stimulus->inputs);
    stimulus->last = calloc(1u, unit->type->group_size[UNIT_IN]);
    if (stimulus->inputs == NULL || stimulus->last == NULL) {
        return false;
    }
    for (uint32_t i = 0u; i < unit->n_port; i++) {
        if (unit->ports[i].group == UNIT_IN) {
            stimulus->inputs[stimulus->n_input++].port = &unit->ports[i];
        }
    }
    for (uint32_t i = 0u; i < stimulus->n_input; i++) {
        join_handshake(stimulus, &stimulus->inputs[i]);
    }
    return true;
}

struct stimulus *stimulus_open(struct unit *unit, const char *kind, uint64_t seed)
{
    for (enum kind k = IDLE; k <= MIXED; k++) {
        if (strcmp(kind_name[k], kind) == 0) {
            struct stimulus *const stimulus = calloc(1u, sizeof *stimulus);
            if (stimulus != NULL) {
                stimulus->unit = unit;
                stimulus->driver = driver_find(unit->type->name);
                stimulus->kind = k;
                stimulus->now = k;
                stimulus->random = seed;
                if (find_inputs(stimulus)) {
                    return stimulus;
                }
                stimulus_close(stimulus);
            }
            return NULL;
        }
    }
    return NULL;
}

void stimulus_close(struct stimulus *stimulus)
{
    if (stimulus != NULL) {
        free(stimulus->inputs);
        free(stimulus->last);
        free(stimulus);
    }
}

/* ---- Random inputs ------------------------------------------------------------------- */

static uint32_t draw_eighths(const struct stimulus *stimulus, const struct input *input,
                             uint64_t *random)
{
    switch (stimulus->now) {
    case IDLE:
        return random_below(random, 8u) == 0u;
    case PRESSED:
        return input->takes ? 1u : input->offers ? 8u : 2u * random_below(random, 5u);
    default:
        return 2u * random_below(random, 5u);
    }
}

static struct way draw_way(struct stimulus *stimulus, const struct input *input)
{
    uint64_t *const random = &stimulus->random;

    return (struct way){
        .eighths = draw_eighths(stimulus, input, random),
        .number = random_below(random, N_NUMBER),
        .set = random_below(random, N_SET),
        .mask = UINT64_MAX >> (63u - random_below(random, input->port->width)),
    };
}

static uint64_t draw_number(const struct way *way, uint64_t old, uint32_t width,
                            uint64_t *random)
{
    const uint64_t full = UINT64_MAX >> (64u - width);

    switch (way->number) {
    case SMALL:
        return random_bits(random) & way->mask;
    case ANY:
        return random_bits(random) & full;
    case FULL:
        return full;
    case HELD:
        return old;
    default:
        return 0u;
    }
}

static struct bits draw_set(const struct way *way, uint32_t n, uint64_t *random)
{
    struct bits set = { { 0u, 0u } };
    const struct bits all = bits_below(n);

    if (way->set == SINGLE) {
        bits_add(&set, random_below(random, n));
        return set;
    }
    for (uint32_t w = 0u; w < BITS_MAX / 64u && all.word[w] != 0u; w++) {
        const uint64_t a = way->set == EMPTY || way->set == ALL ? 0u : random_bits(random);
        const uint64_t b = way->set == SPARSE || way->set == DENSE ? random_bits(random) : 0u;
        const uint64_t bits = way->set == EMPTY    ? 0u
                              : way->set == SPARSE ? a & b
                              : way->set == HALF   ? a
                              : way->set == DENSE  ? a | b
                                                   : UINT64_MAX;
        set.word[w] = bits & all.word[w];
    }
    return set;
}

static void draw(struct stimulus *stimulus, const struct input *input)
{
    const struct unit_port *const port = input->port;
    uint64_t *const random = &stimulus->random;
    void *const in = stimulus->unit->in;
    void *const field = (char *)in + port->offset;

    switch (port->shape) {
    case UNIT_FLAG:
        *(bool *)field = random_below(random, 8u) < input->way.eighths;
        return;
    case UNIT_SET:
        *(struct bits *)field = draw_set(&input->way, port->count, random);
        return;
    default:
        for (uint32_t k = 0u; k < port->count; k++) {
            unit_set(port, in, k,
                     draw_number(&input->way, unit_get(port, in, k), port->width, random));
        }
    }
}

bool stimulus_has_sequence(const struct stimulus *stimulus)
{
    return stimulus->driver->directed != NULL;
}

/* ---- One cycle ----------------------------------------------------------------------- */

/* Puts back the offers that were not taken in the last cycle. */
static void keep_offers(const struct stimulus *stimulus)
{
    const struct unit *const unit = stimulus->unit;

    for (uint32_t i = 0u; i < stimulus->n_input; i++) {
        const struct input *const input = &stimulus->inputs[i];
        if (input->valid == NO_PORT) {
            continue;
        }
        const struct unit_port *const valid = stimulus->inputs[input->valid].port;
        if (unit_get(valid, stimulus->last, 0u) != 0u
            && unit_get(input->ready, unit->out, 0u) == 0u) {
            for (uint32_t k = 0u; k < input->port->count; k++) {
                unit_set(input->port, unit->in, k, unit_get(input->port, stimulus->last, k));
            }
        }
    }
}

static void draw_inputs(struct stimulus *stimulus)
{
    const bool new_way = stimulus->turned || stimulus->cycle % WAY_CYCLES == 0u;

    stimulus->turned = false;
    for (uint32_t i = 0u; i < stimulus->n_input; i++) {
        struct input *const input = &stimulus->inputs[i];
        if (new_way) {
            input->way = draw_way(stimulus, input);
        }
        draw(stimulus, input);
    }
    if (stimulus->now == ILLEGAL) {
        return;
    }
    if (stimulus->driver->legal != NULL) {
        const struct unit *const unit = stimulus->unit;
        stimulus->driver->legal(unit->model, unit->in, &stimulus->random);
    }
    if (stimulus->cycle > 0u) {
        keep_offers(stimulus);
    }
}

/* The next inputs of the unit's own sequence, or none before it and after it. True: this is
 * the reset before it. */
static bool direct(struct stimulus *stimulus)
{
    const struct unit *const unit = stimulus->unit;

    memset(unit->in, 0, unit->type->group_size[UNIT_IN]);
    stimulus->directed_cycles++;
    if (!stimulus->in_sequence) {
        stimulus->in_sequence = true;
        stimulus->directed = 0u;
        return true;
    }
    if (!stimulus_has_sequence(stimulus)
        || !stimulus->driver->directed(unit->model, unit->in, stimulus->directed++)) {
        memset(unit->in, 0, unit->type->group_size[UNIT_IN]);
        stimulus->in_sequence = false;
        stimulus->counts.directed++;
    }
    return false;
}

/*
 * MIXED: the kind whose turn it is. A directed sequence is never cut off, so it has its turn
 * only while its kind has had no more than its share of the cycles. It begins with a reset: in
 * long stretches, every other reset.
 */
static void turn(struct stimulus *stimulus, bool reset_due)
{
    const bool may_direct =
        stimulus_has_sequence(stimulus)
        && (stimulus->stretch == 0u ? stimulus->directed_cycles * N_KIND <= stimulus->cycle
                                    : reset_due && stimulus->counts.resets % 2u == 1u);

    stimulus->now = stimulus->stretch != 0u && may_direct
                        ? DIRECTED
                        : random_below(&stimulus->random, may_direct ? N_KIND : DIRECTED);
    stimulus->until = stimulus->cycle + KIND_CYCLES;
    stimulus->turned = true;
}

static bool draw_reset(struct stimulus *stimulus, bool due)
{
    return stimulus->stretch != 0u ? due
                                   : random_below(&stimulus->random, CYCLES_A_RESET) == 0u;
}

static void count(struct stimulus *stimulus, bool reset)
{
    struct stimulus_counts *const counts = &stimulus->counts;

    if (reset) {
        counts->resets++;
        stimulus->reset_at = stimulus->cycle;
    }
    const uint64_t length = stimulus->cycle - stimulus->reset_at;
    counts->longest = length > counts->longest ? length : counts->longest;
}

bool stimulus_next(struct stimulus *stimulus)
{
    const struct unit *const unit = stimulus->unit;
    const bool due =
        stimulus->stretch != 0u && stimulus->cycle - stimulus->reset_at >= stimulus->stretch;
    bool reset = stimulus->cycle == 0u;

    if (stimulus->kind == MIXED && !stimulus->in_sequence
        && (due || stimulus->cycle >= stimulus->until)) {
        turn(stimulus, due);
    }
    if (stimulus->now == DIRECTED) {
        reset = direct(stimulus) || reset;
        stimulus->until = stimulus->in_sequence ? UINT64_MAX : 0u;
    } else {
        draw_inputs(stimulus);
        reset = draw_reset(stimulus, due) || reset;
    }
    memcpy(stimulus->last, unit->in, unit->type->group_size[UNIT_IN]);
    count(stimulus, reset);
    stimulus->cycle++;
    return reset;
}

void stimulus_stretch(struct stimulus *stimulus, uint64_t cycles)
{
    stimulus->stretch = cycles;
}

struct stimulus_counts stimulus_counts(const struct stimulus *stimulus)
{
    return stimulus->counts;
}
