/*
 * claso_cycle - what the tests of CLASO share: the formulas of the paper, a unit and its
 * cycles, a scheduler that goes by the masks, comparison of units, and random stimulus.
 */

#ifndef CLASO_CYCLE_H
#define CLASO_CYCLE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdlib.h>

#include "base/random_bits.h"
#include "tb/base/unit_check.h"
#include "units/claso.h"

/* ---- Kernels, and the formulas of section 3.1 ---------------------------------------- */

struct kernel {
    uint32_t n_cta;
    struct bits cores;
    uint32_t active; /* p_A */
    uint32_t loose;  /* p_L */
};

struct formulas {
    uint64_t n_core;
    uint64_t share;  /* ceil(n_cta / n_core) */
    uint64_t local;  /* C_p of each core */
    uint64_t global; /* C_g */
    uint64_t band;   /* so many of a core's last credits need a global one */
    uint64_t free;   /* and so many of its first do not */
};

struct formulas formulas_of(struct kernel kernel);
bool is_within(struct bits a, struct bits b);

/* ---- Cycles -------------------------------------------------------------------------- */

/* The config in the order of the table: n_core, n_pool, n_kernel, cta_w, level_w. */
void claso_make(struct claso *unit, struct claso_config config);

/* One whole cycle: evaluate, then clock. Returns the outputs. */
struct claso_out claso_cycle(struct claso *unit, struct claso_in in);

/* The outputs with this slot selected and nothing asked; no clock edge. */
struct claso_out claso_look(const struct claso *unit, uint32_t slot);
struct claso_in claso_launch_of(uint32_t slot, struct kernel kernel);
struct claso_in consume_of(uint32_t slot, uint32_t core);

/* Cycles from the one in which a launch is taken to the one in which its credits show, if it is
 * not known. */
uint32_t claso_latency(const struct claso *unit);

/* A launch, and the cycles until its credits are there. */
void claso_launch(struct claso *unit, uint32_t slot, struct kernel kernel);

/* ---- Credits and requests ------------------------------------------------------------ */

/* C_p of a core; and both kinds of credits made other ones, with their flags. */
uint64_t local_of(const struct claso *unit, uint32_t slot, uint32_t core);
void set_local(struct claso *unit, uint32_t slot, uint32_t core, uint64_t local);
void set_global(struct claso *unit, uint32_t slot, uint64_t global); /* of pool 0 */

/*
 * A scheduler's request, as the mask answers it: an allowed one consumes. It is checked to
 * cost one local credit or none, so a core that asks for ever is refused in the end.
 */
bool ask(struct claso *unit, uint32_t slot, uint32_t core);

/* Answers a request for one more CTA on a core, and takes its credits; a unit does so for slot
 * 0. */
typedef bool answer(void *credits, uint32_t core);
bool by_unit(void *unit, uint32_t core);

/* ---- Comparison of whole units ------------------------------------------------------- */

/* Every register and every word of memory. */
void claso_check_same(const struct claso *expected, const struct claso *got);

/* ---- Random stimulus ----------------------------------------------------------------- */

/* Any set, from the empty to the full one. */
struct bits some_cores(uint64_t *random, uint32_t n_core);
bool claso_is_legal(struct kernel kernel);
struct kernel some_legal_kernel(uint64_t *random, const struct claso_config *config);

/* Inputs of every kind. Most consumes go to a core that is allowed, if there is one. */
struct claso_in claso_some_inputs(uint64_t *random, const struct claso *unit);

/* The slot has exactly the credits of the formulas. */
void check_allocation(struct claso *unit, uint32_t slot, struct kernel kernel);

#endif
