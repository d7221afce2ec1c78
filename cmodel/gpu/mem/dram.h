/* dram - what the two ways of choosing a command share. */

#ifndef DRAM_H
#define DRAM_H

#include "gpu/machine.h"

/* An entry for each kind of command that may be issued in DRAM cycle T; -1 for none. COLUMN is
 * a read or a write. */
enum { COLUMN = ROW_READ };
struct dram_choice {
    int32_t entry[3];
    uint64_t next; /* if there is none: when there may be one */
};

void dram_tell(const struct gpu *g, uint32_t id, enum dram_command command, uint32_t bank,
               uint32_t row, uint32_t bytes, uint64_t cycle);
/* Does what is due of refreshes in DRAM cycle d->refresh; whether that was a command. */
bool dram_refresh(struct gpu *g, uint32_t id, uint64_t cycle);

/* By definition: looks at the whole queue. */
struct dram_choice dram_scan(const struct gpu *g, const struct dram *d, uint64_t cycle);
/* From the candidates of the banks. FR-FCFS only. */
struct dram_choice dram_candidates(const struct dram *d, uint64_t cycle);
/* The first cycle in which a candidate may go. */
uint64_t dram_candidates_next(const struct dram *d);
/* Entry `entry` has joined, or something has happened to a bank. */
void dram_bank_joined(struct dram *d, uint32_t entry);
void dram_bank_update(struct dram *d, uint32_t bank);
/* These banks, of one group, take no read or write before cycle `ok`. */
void dram_group_delay(struct dram *d, uint64_t banks, uint64_t ok);

#endif
