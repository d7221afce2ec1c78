/* rtl_peer_parts - what a peer is made of, for rtl_peer.c and rtl_compared.c only. */

#ifndef RTL_PEER_PARTS_H
#define RTL_PEER_PARTS_H

#include "gpusched/run/rtl_peer.h"
#include "lockstep/shadow/shadow.h"

/* A unit, and for each of them in the GPU what runs beside it. */
struct watched {
    struct gpu_unit unit;
    struct shadow **shadow; /* NULL for an instance that is not watched */
    uint32_t n;             /* 0: none is */
    /* A part that is compared in the RTL of its composition: the composition, among those that
     * are watched; otherwise NULL. */
    const struct watched *within;
};

/* What the GPU has at hand for one unit of a socket. */
struct seat {
    struct rtl_peer *peer;
    enum gpu_socket socket;
    uint32_t index;
    uint32_t first, last; /* in rtl_peer.watched: its parts, and last it itself */
    bool parts;           /* all of them are compared in the RTL of last */
    struct unit_watch watch;
};

struct difference_place {
    uint32_t unit; /* which of watched */
    uint32_t instance;
    uint64_t where;
};

struct rtl_peer {
    struct rtl_options options;
    struct gpu_peer hook;
    struct shadows *shadows;
    struct watched watched[GPU_MAX_UNITS];
    uint32_t n_watched;
    struct seat *seats[GPU_SOCKETS]; /* one for each of the socket's units */
    void *met[GPU_SOCKETS];          /* of each: the units' struct of events */
    bool repeats;                    /* a run, up to the difference that `wanted` is about */
    struct difference_place wanted;
    bool lost;
    bool differs;
    struct difference_place different; /* if so */
    char origin[160];
    char name[160];
};

#endif
