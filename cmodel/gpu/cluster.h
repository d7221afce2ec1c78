/* cluster - SMs that share a port to the network, and the unit that may sit at it. */

#ifndef CLUSTER_H
#define CLUSTER_H

#include "gpu/base/blocks.h"
#include "gpu/gpu.h"
#include "gpu/mem/locality.h"

enum { REQUEST_IDLE, REQUEST_BUSY, REQUEST_FULL };
struct cluster {
    struct queue request;  /* into the request crossbar */
    struct queue response; /* from the response crossbar */
    struct queue local;    /* hits of the coalesced cache */
    uint64_t asking;       /* SMs of the cluster with a request */
    uint32_t last;
    uint32_t first_sm;
    struct classes cycles;
    uint64_t delivered;
    uint64_t port_free;        /* the port may give an answer again */
    struct cluster_unit *unit; /* NULL without merge table and coalesced cache */
    uint64_t reads;            /* of global space */
    struct locality *locality; /* NULL: not measured */
};

/* The golden model of the cluster's port, and its ports in this cycle. */
struct cluster_unit {
    struct cluster_port unit;
    struct cluster_port_in in;
    struct cluster_port_out out;
    struct cluster_port_next next;
    uint64_t merged, hits, tracked, kept, searches;
    bool flush;    /* a kernel starts in this cycle */
    bool restless; /* what watches it has not settled: it runs in this cycle, too */
};

bool cluster_open(struct gpu *g, uint32_t id);
void cluster_close(struct cluster *c);
uint64_t clusters_unanswered(const struct gpu *g);
void cluster_step(struct gpu *g, uint32_t id, uint64_t t);

bool cluster_unit_open(struct gpu *g, struct cluster *c);
/* It must run although there is neither request nor reply. */
bool cluster_unit_runs(const struct gpu *g, uint32_t id);
/* A cycle of the cluster's port: request and reply may be NULL; ready: the network takes one.
 */
const struct cluster_port_out *cluster_unit_step(struct gpu *g, uint32_t id,
                                                 const struct packet *request, bool ready,
                                                 const struct packet *reply);
/* A read that may merge or hit: of global space, through a cache of the SM. */
bool cluster_unit_reads(const struct packet *p);
/* The line that a read or write of global space names to the unit. */
uint64_t cluster_unit_line(const struct packet *p);
/* A kernel starts in this cycle. */
void cluster_flush(struct gpu *g);

#endif
