/*
 * coalesced_cache - the lines that several SMs of a cluster asked for at once, kept for those
 * that ask a little later.
 *
 * Golden model of coalesced_cache.v, whose header repeats the sections below. Fields and their
 * meaning: coalesced_cache_ports.def; types and functions: unit.h.
 *
 * Contract
 *   The unit has the tags and their order. The data array, n_line x 128 bytes, is storage
 *   outside that lookup_way and insert_way address.
 *
 *   Order      a permutation of the ways at all times, with the invalid ways at its end. A
 *              move takes a way from its place; those before that place move up by one, to
 *              make room at the front, or those behind it move forward, to make room at the
 *              end.
 *   Lookup     a read whose line is in a valid way hits; with LRU the way moves to the front.
 *              A write whose line is here makes the way invalid, and moves it to the end.
 *   Insert     the way at the end of the order after the lookup gets the line, becomes valid,
 *              and moves to the front. If the line is here already, which whoever inserts
 *              should prevent, its own way is used instead.
 *   Both       the lookup comes first. A lookup before an insert of the same line misses. With
 *              n_line = 1 a line may hit and be replaced in one cycle.
 *   Flush      makes all ways invalid at the clock edge, also one that was inserted in its
 *              cycle; the order is what lookup and insert made it.
 *   Promise    a line is in at most one way; after a write it is in none until it is inserted
 *              again.
 *
 * Reset
 *   No way is valid, and the order is 0, 1, 2, ... The tags keep what they hold. Outputs do
 *   not depend on rst_i, and nothing is taken while it is high.
 *
 * Source
 *   Wang and others, "Intra-Cluster Coalescing and Distributed-Block Scheduling to Reduce GPU
 *   NoC Pressure", IEEE Transactions on Computers 2019, section 6.3: 24 lines, 41 bits of tag
 *   and 128 bytes each, 3195 bytes.
 *
 * Deviations
 *   - The paper does not specify the replacement. Built: LRU, as in the L1s and the L2, or
 *     FIFO.
 *   - The paper does not speak of writes, atomics and the starts of kernels. Built: they make
 *     lines invalid, so no read is answered with what is older than a write of its cluster.
 */

#ifndef COALESCED_CACHE_H
#define COALESCED_CACHE_H

#define UNIT coalesced_cache
#include "base/unit_declare.h"

#endif
