/*
 * icc - the merge table of intra-cluster coalescing: reads of one line by several SMs of a
 * cluster go to the network once.
 *
 * Golden model of icc.v, whose header repeats the sections below. Fields and their meaning:
 * icc_ports.def; types and functions: unit.h.
 *
 * Contract
 *   Entry      a line that has been asked for and not answered: its address, and a list of the
 *              SMs that wait for it. It is in use while its list is not empty. A line has at
 *              most one entry.
 *   Request    acts on the table if it is valid and neither alone nor hit. A write or an
 *              atomic passes, whether the network is ready or not; if its line has an entry,
 *              the entry closes: no request joins it any more, and its answer is not kept,
 *              since it may be older than the write. A read whose line has
 *                an open entry    joins its list: request_merge
 *                a closed entry   passes untracked
 *                no entry         takes the free entry with the lowest number, if one is free
 *                                 and the network is ready: request_track. If none is free, it
 *                                 passes untracked
 *              To take an entry and to send the request is one step. While request_ready is
 *              low nothing is taken, and the SM offers its request again. A request of SM n_sm
 *              or above passes: it neither joins nor takes an entry.
 *   Reply      one that is tracked and whose line has an entry goes to the SMs of its list,
 *              and frees the entry. reply_shared: the list has more than one SM, and the entry
 *              is open. Any other reply goes to the SM that its packet names, if there is such
 *              an SM, and leaves the table alone: the line may have got an entry since, whose
 *              answer is still to come.
 *   Both       the request comes first: it may join, or close, the entry that the reply frees.
 *              But that entry is not free for it, and one that it takes is not the reply's.
 *   Flush      at the start of a kernel: closes the entries that are in use after the request
 *              and the reply of the cycle. What is waited for still comes.
 *   Illegal    a tracked reply whose line has no entry is treated as untracked. A second
 *              request of an SM that waits already joins without effect.
 *   Promise    every request is answered once, and none is answered with a line read before a
 *              write that its cluster had sent before it.
 *
 * Reset
 *   All lists are empty, so all entries are free. The memory keeps what it holds. closed of a
 *   free entry is 0. Outputs do not depend on rst_i, and nothing is taken while it is high.
 *
 * Source
 *   Wang and others, "Intra-Cluster Coalescing and Distributed-Block Scheduling to Reduce GPU
 *   NoC Pressure", IEEE Transactions on Computers 2019, section 6. Its cost, 48 entries of
 *   41 + 5 bits, is 276 bytes exactly.
 *
 * Deviations
 *   - The paper counts no valid bit. A list that is not empty says the same.
 *   - The paper lets every reply search the table. Then a request that found the table full,
 *     and a later one for the same line that found room, get each other's answer, and the
 *     first is lost. Built: the packet says whether its request is in the table.
 *   - The paper does not speak of writes. Without care a thread could load what it has stored
 *     over. Built: a write closes the entry, which costs one bit per entry (closed).
 */

#ifndef ICC_H
#define ICC_H

#define UNIT icc
#include "base/unit_declare.h"

#endif
