/* cluster - SMs that share a port to the network, and the unit that may sit at it. */

#ifndef CLUSTER_H
#define CLUSTER_H

#include "gpu/base/blocks.h"
#include "gpu/gpu.h"
#include "gpu/mem/locality.h"

enum { REQUEST_IDLE, REQUEST_BUSY, REQUEST_FULL };

/* What merge table and coalesced cache see in a cycle, and what they have done. */
struct port {
    const struct packet *request, *reply; /* NULL for none */
    uint32_t sm;                          /* of the request, within the cluster */
    bool open;                            /* an answer may be given */
    bool taken;                           /* the unit has taken the request in this cycle */
    bool flush;                           /* a kernel starts in this cycle */
    uint64_t free;                        /* from when an answer may be given again */
    uint64_t merged, hits, tracked, kept, searches;
};

struct cluster {
    struct queue request;  /* into the request crossbar */
    struct queue response; /* from the response crossbar */
    struct queue local;    /* hits of the coalesced cache */
    uint64_t asking;       /* SMs of the cluster with a request */
    uint32_t last;
    uint32_t first_sm;
    struct classes cycles;
    uint64_t delivered;
    struct port port;
    uint64_t reads;            /* of global space */
    struct locality *locality; /* NULL: not measured */
};

bool cluster_open(struct gpu *g, uint32_t id);
void cluster_close(struct cluster *c);
uint64_t clusters_unanswered(const struct gpu *g);

/* ---- What goes through the port ------------------------------------------------------ */

/* Gives an answer to an SM. */
void cluster_deliver(struct gpu *g, uint32_t sm, const struct packet *p, uint64_t t);
/* An answer has been given, to a kernel: the cycle's, and when the next may be. */
void cluster_delivered(struct gpu *g, uint32_t id, struct share *of, uint64_t t);
/* The answer of this cycle, if there is one, to the SM that it names. */
void cluster_respond(struct gpu *g, uint32_t id, uint64_t t);
/* Takes the oldest request of SM k of the cluster. */
struct packet cluster_take(struct gpu *g, uint32_t id, uint32_t k, uint64_t t);
/* A request passes the port: the version that it makes, or must be given. */
void cluster_note_version(struct gpu *g, uint32_t id, const struct packet *p);
/* A request goes to the crossbar, which sees it in cycle `ready`. */
void cluster_send(struct gpu *g, uint32_t id, struct packet p, uint64_t ready);
/* The line that a read or write of global space names. */
uint64_t cluster_line(const struct packet *p);

#endif
