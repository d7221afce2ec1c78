/*
 * coalesced_cache_oracle - the coalesced cache by docs/units/coalesced_cache.md alone: a list
 * of the lines that are kept, and of each way the time when it was used last. The way that was
 * used longest ago goes next; there is no order that is moved about.
 */

#ifndef COALESCED_CACHE_ORACLE_H
#define COALESCED_CACHE_ORACLE_H

#include "tb/base/unit_check.h"
#include "units/coalesced_cache.h"

struct kept_line {
    uint64_t line;
    uint32_t way;
};

struct coalesced_cache_oracle {
    struct coalesced_cache_config config;
    uint32_t n;
    struct kept_line kept[coalesced_cache_max_n_line];
    int64_t now;
    int64_t used[coalesced_cache_max_n_line]; /* when each way was; all times differ */
};

/* Way 0 is the one to be kept longest, the last one goes first. */
void coalesced_cache_oracle_reset(struct coalesced_cache_oracle *oracle);

/* The place of a line in the list; n if it is not kept. */
uint32_t coalesced_cache_oracle_find(const struct coalesced_cache_oracle *oracle,
                                     uint64_t line);
bool coalesced_cache_oracle_has(const struct coalesced_cache_oracle *oracle, uint64_t line);

/* The way that was used longest ago. */
uint32_t coalesced_cache_oracle_oldest(const struct coalesced_cache_oracle *oracle);

/* One cycle. Returns the outputs. */
struct coalesced_cache_out coalesced_cache_oracle_cycle(struct coalesced_cache_oracle *oracle,
                                                        const struct coalesced_cache_in *in);

/* ---- Comparison ---------------------------------------------------------------------- */

/* Fails unless the unit keeps the same lines in the same ways, and the place of each is how
 * many were used later. */
void coalesced_cache_oracle_check(const struct coalesced_cache_oracle *oracle,
                                  const struct coalesced_cache *unit);

/* A cycle of the oracle and of the unit, whose outputs are compared. */
struct coalesced_cache_out coalesced_cache_oracle_beside(struct coalesced_cache_oracle *oracle,
                                                         struct coalesced_cache *unit,
                                                         const struct coalesced_cache_in *in);

#endif
