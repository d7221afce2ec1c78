/*
 * coalesced_cache - the lines that several SMs of a cluster asked for at once, kept for those
 * that ask a little later.
 *
 * Golden model of coalesced_cache.v; fields and their meaning: coalesced_cache_ports.def; types
 * and functions: unit.h. The unit has the tags and their order; the data array, n_line x 128
 * bytes, is storage that lookup_way and insert_way address.
 *
 * One lookup and one insert a cycle, both answered in the same cycle; in this order:
 *
 *   lookup   a read that is valid and whose line is in a valid way hits; with LRU the way moves
 *            to the front of the order. A write whose line is here makes the way invalid, and
 *            moves it to the end
 *   insert   the way at the end of the order gets the line, becomes valid, and moves to the
 *            front. If the line is here already, which whoever inserts should prevent, its own
 *            way is used instead
 *
 * A move takes a way from its place; those before that place move up by one, to make room at
 * the front, or those behind it move forward, to make room at the end. So the order is a
 * permutation of the ways at all times, and invalid ways are at its end. flush makes all ways
 * invalid at the clock edge, also one that was inserted in its cycle; the order is what lookup
 * and insert made it.
 *
 * The order of a lookup before an insert of the same line: it misses. With n_line = 1 a line
 * may hit and be replaced in one cycle.
 *
 * Reset: no way is valid, and order is 0, 1, 2, ... The tags keep what they hold.
 *
 * Mealy paths: the lookup to lookup_hit and lookup_way; the lookup, the insert and fifo to
 * insert_way.
 *
 * Source: Wang and others, "Intra-Cluster Coalescing and Distributed-Block Scheduling to Reduce
 * GPU NoC Pressure", IEEE Transactions on Computers 2019, section 6.3: 24 lines, 41 bits of tag
 * and 128 bytes each, 3195 bytes.
 *
 * Readings and deviations.
 * - Replacement is not specified; LRU, as in the L1s and the L2, or FIFO.
 * - Writes, atomics and the starts of kernels are not spoken of; they make lines invalid, so no
 *   read is answered with what is older than a write of its cluster.
 */

#ifndef COALESCED_CACHE_H
#define COALESCED_CACHE_H

#define UNIT coalesced_cache
#include "base/unit_declare.h"

#endif
