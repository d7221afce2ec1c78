/*
 * versions - which writes an answer has seen: finds reads that are answered with what is older
 * than a write before them.
 *
 * The version of a line is how many writes of a cluster to it have been performed at the L2. An
 * answer carries it, and what keeps the line keeps it. A read must see all writes that its
 * cluster had sent when it passed the cluster's port, since requests of a cluster to a line
 * stay in order; a hit in an L1 must see those of its SM. What other clusters write, and what
 * the texture and constant caches hold, no hardware promises. Reads that pass the L1, such as
 * volatile ones, carry no version and are not looked at.
 *
 * Values of a run come from its source, not from the caches, so no wrong value shows a stale
 * line. This does, in runs with GPU_VERSIONS; all functions take one `struct versions`, and the
 * line's number.
 */

#ifndef VERSIONS_H
#define VERSIONS_H

#include <stdbool.h>
#include <stdint.h>

struct versions;

struct versions_shape {
    uint32_t sms, clusters;
    uint32_t mshrs; /* of an L1 */
    uint32_t ways;  /* of a coalesced cache */
};

/* NULL without memory. */
struct versions *versions_open(const struct versions_shape *shape);
void versions_close(struct versions *v); /* NULL is fine */

/* A write passes the port. update: the SM's L1 takes it over if it has the line. False without
 * memory. */
bool versions_sent(struct versions *v, uint32_t cluster, uint32_t sm, uint32_t line,
                   bool update);
/* The SM's L1 takes a write over, before it passes the port: until then the line is as new as
 * any write of the SM. False without memory. */
bool versions_stored(struct versions *v, uint32_t sm, uint32_t line);
/* A read of an MSHR passes the port. */
void versions_asked(struct versions *v, uint32_t cluster, uint32_t sm, uint32_t mshr,
                    uint32_t line);
/* A write is performed. */
void versions_performed(struct versions *v, uint32_t cluster, uint32_t line);
/* What an answer carries; versions wrap. */
uint16_t versions_of(const struct versions *v, uint32_t cluster, uint32_t line);

/* A line goes into a way of the coalesced cache; here it is the line as the port's unit knows
 * it. */
void versions_kept(struct versions *v, uint32_t cluster, uint32_t way, uint64_t line,
                   uint16_t version);
/* Its answer to a hit; false if the way has another line. */
bool versions_hit(const struct versions *v, uint32_t cluster, uint32_t way, uint64_t line,
                  uint16_t *version);

/* An answer of this version comes to the SM; kept: its L1 keeps the line. False if it is stale.
 */
bool versions_filled(struct versions *v, uint32_t sm, uint32_t mshr, uint32_t line,
                     uint16_t version, bool kept);
/* The L1 answers a read. False if its line is stale. */
bool versions_fresh(const struct versions *v, uint32_t sm, uint32_t line);

#endif
