/*
 * cluster_port - what stands between the L1s of a cluster's SMs and the network: the merge
 * table of intra-cluster coalescing and the coalesced cache.
 *
 * Golden model of cluster_port.v; fields and their meaning: cluster_port_ports.def; types and
 * functions: unit.h. Its parts are units themselves: table (icc) and cache (coalesced_cache).
 *
 * One request and one reply a cycle, both answered in the same cycle; evaluated in this order:
 *
 *   1. cache   lookup of the request, if keep is set and the request is not alone
 *   2. table   the request - alone, if merge is not set; a hit of the cache cancels it - and
 *              the reply
 *   3. cache   insert of the reply's line, if the table says shared and keep is set
 *
 * A request is taken when it hits, merges, or is sent; it is sent when it does neither and the
 * network is ready. A request that is not taken is offered again; what a write does to table
 * and cache it does as soon as it is offered.
 *
 * While merge is low no request meets the table, but replies do: what is waited for comes, and
 * may be kept. While keep is low the cache sees neither requests nor replies, and its lines
 * stay. fifo goes to the cache, flush to both, whatever merge and keep are.
 *
 * Illegal stimulus: as in the parts. merge and keep may change only after a flush, or with no
 * entry in use and no line kept; otherwise a write that came while one of them was low was not
 * seen by what it should have closed, and a later read may be answered with what is older.
 * Nothing is lost, and every request is answered once.
 *
 * Reset: as in the parts; there are no registers of its own.
 *
 * Mealy paths: the request, merge and keep to the answers of the request; these and the reply
 * to those of the reply; fifo to reply_way.
 *
 * Source: Wang and others, "Intra-Cluster Coalescing and Distributed-Block Scheduling to Reduce
 * GPU NoC Pressure", IEEE Transactions on Computers 2019, section 6.
 *
 * Readings and deviations: those of the parts. Both are searched in one cycle, and a hit of the
 * cache cancels what the table would do. The one cycle that the paper charges for the two is
 * not in the unit, which answers at once; the GPU model has it, as icc.lookup_latency.
 */

#ifndef CLUSTER_PORT_H
#define CLUSTER_PORT_H

#include "units/coalesced_cache.h"
#include "units/icc.h"

#define UNIT cluster_port
#include "base/unit_declare.h"

#endif
