/*
 * icc - the merge table of intra-cluster coalescing: reads of one line by several SMs of a
 * cluster go to the network once.
 *
 * Golden model of icc.v; fields and their meaning: icc_ports.def; types and functions: unit.h.
 *
 * The table stands between the L1s of a cluster's SMs and the cluster's port to the network,
 * and takes one request and one reply a cycle; both are answered in the same cycle. An entry
 * is a line that has been asked for and not answered: its address, and a list of the SMs that
 * wait for it. It is in use while its list is not empty, so no valid bit is stored.
 *
 * A request that is valid and neither `alone` nor `hit` acts on the table:
 *
 *   a write or an atomic passes; if the line has an entry it closes: no request joins it any
 *   more, and its answer is not kept, since it may be older than the write
 *   a read whose line has an entry that is not closed joins its list: request_merge
 *   a read whose line has a closed entry passes untracked
 *   a read whose line has none, while an entry is free and the network is ready, takes the free
 *   entry with the lowest number: request_track
 *   a read whose line has none, while no entry is free, passes untracked
 *
 * To take an entry and to send the request is one step: while request_ready is low nothing is
 * taken, and whoever has the request offers it again. A write closes whether it is ready or
 * not. A request of SM n_sm or above passes: it neither joins nor takes an entry. An entry
 * that a reply frees in this cycle is not free for the request of this cycle.
 *
 * A reply that is tracked and whose line has an entry goes to the SMs of its list, and frees
 * it; the request of the same cycle comes first, so it may still join the list, or close the
 * entry. reply_shared says that the list has more than one SM and the entry is not closed. Any
 * other reply goes to the SM that its packet names, if there is such an SM, and leaves the
 * table alone: an untracked one because the line may have got an entry since, whose answer is
 * still to come.
 *
 * flush, at the start of a kernel, closes at the clock edge all entries that are in use after
 * the request and the reply of the cycle: what is waited for still comes.
 *
 * So a line has at most one entry, every request is answered once, and none is answered with
 * a line read before a write that its cluster had sent before it.
 *
 * Illegal stimulus: a tracked reply whose line has no entry is treated as untracked. A second
 * request of an SM that waits already joins without effect.
 *
 * Reset: all registers are 0, so all entries are free. The memory keeps what it holds. closed
 * of an entry that is free is 0.
 *
 * Mealy paths: the request and the reply to their answers, as in the table; the request to
 * those of the reply, but not the reply to those of the request.
 *
 * Source: Wang and others, "Intra-Cluster Coalescing and Distributed-Block Scheduling to Reduce
 * GPU NoC Pressure", IEEE Transactions on Computers 2019, section 6. Its cost, 48 entries of 41
 * + 5 bits, is 276 bytes exactly.
 *
 * Readings and deviations.
 * - The paper's valid bit is not in its own cost; a list that is not empty says the same.
 * - The paper lets every reply search the table. Then a request that found the table full, and
 *   a later one for the same line that found room, get each other's answer, and the first is
 *   lost. Built: the packet says whether its request is in the table.
 * - The paper does not speak of writes. Without care a thread could load what it has stored
 *   over. Built: a write closes the entry, which costs a bit for each (`closed`).
 */

#ifndef ICC_H
#define ICC_H

#define UNIT icc
#include "base/unit_declare.h"

#endif
