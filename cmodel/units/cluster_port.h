/*
 * cluster_port - what stands between the L1s of a cluster's SMs and the network: the merge
 * table of intra-cluster coalescing and the coalesced cache.
 *
 * Golden model of cluster_port.v, whose header repeats the sections below. Fields and their
 * meaning: cluster_port_ports.def; types and functions: unit.h. Its parts are units
 * themselves: table (icc) and cache (coalesced_cache).
 *
 * Contract
 *   One request and one reply per cycle, both answered in the same cycle, in this order:
 *              1. cache   lookup of the request, if keep is set and the request is not alone
 *              2. table   the request (alone, if merge is not set; a hit of the cache cancels
 *                         it) and the reply
 *              3. cache   insert of the reply's line, if the table says shared and keep is set
 *   Request    is taken when it hits, merges, or is sent; it is sent when it does neither of
 *              the first two and the network is ready. A request that is not taken is offered
 *              again. What a write does to table and cache it does as soon as it is offered.
 *   Switches   while merge is low no request meets the table, but replies do: what is waited
 *              for comes, and may be kept. While keep is low the cache sees neither requests
 *              nor replies, and its lines stay. fifo goes to the cache, flush to both,
 *              whatever merge and keep are.
 *   Illegal    as in the parts. merge and keep may change only after a flush, or with no entry
 *              in use and no line kept. Otherwise a write that came while one of them was low
 *              was not seen by what it should have closed, and a later read may be answered
 *              with what is older. Nothing is lost, and every request is answered once.
 *   Promise    a read that follows a write of its cluster sees it, or what was written later,
 *              if the network keeps the order of the requests of a line and the switches
 *              change as above.
 *
 * Reset
 *   As in the parts; there are no registers of its own. Outputs do not depend on rst_i, and
 *   nothing is taken while it is high.
 *
 * Source
 *   Wang and others, "Intra-Cluster Coalescing and Distributed-Block Scheduling to Reduce GPU
 *   NoC Pressure", IEEE Transactions on Computers 2019, section 6.
 *
 * Deviations
 *   - Those of the parts. The paper charges one cycle for the two together. Here both are
 *     searched in one cycle, and a request is answered in its own cycle; the GPU model has the
 *     paper's cycle, as icc.lookup_latency.
 */

#ifndef CLUSTER_PORT_H
#define CLUSTER_PORT_H

#include "units/coalesced_cache.h"
#include "units/icc.h"

#define UNIT cluster_port
#include "base/unit_declare.h"

#endif
