/*
 * locality - intra-cluster locality: how many reads of a cluster ask for a line that one of its
 * SMs has asked for a short while before. Measured where requests leave the L1s, before merge
 * table and coalesced cache; nothing in the machine depends on it. Intra-cluster coalescing
 * paper, section 3.3.
 *
 * A request is redundant within a window of W cycles if the line was requested by the cluster
 * at most W cycles ago: by data sharing if one of the quarters of the line that it touches was,
 * by line sharing otherwise.
 */

#ifndef LOCALITY_H
#define LOCALITY_H

#include <stdint.h>

enum {
    LOCALITY_WINDOWS = 4,
    LOCALITY_STEP = 500, /* cycles: windows of 500, 1000, 1500 and 2000 */
};

/* Redundant requests within each window. */
struct locality_counts {
    uint64_t line[LOCALITY_WINDOWS];
    uint64_t data[LOCALITY_WINDOWS];
    uint64_t own[LOCALITY_WINDOWS]; /* of both, those of lines that no other SM asked for */
};

struct locality;

/* Of one cluster; NULL without memory. */
struct locality *locality_open(void);
void locality_close(struct locality *l);

/* SM `sm` requests the quarters (bits 0 to 3) of a line in cycle t, later than the cycle of
 * the request before. of: the same counts, of its kernel. */
void locality_request(struct locality *l, uint64_t line, uint32_t quarters, uint32_t sm,
                      uint64_t t, struct locality_counts *of);
const struct locality_counts *locality_counts(const struct locality *l);

#endif
