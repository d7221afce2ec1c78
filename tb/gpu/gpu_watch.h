/* gpu_watch - tests watch the units of one socket, and may change what they say. */

#ifndef GPU_WATCH_H
#define GPU_WATCH_H

#include "gpu/units/sockets.h"

/* Watches the units of a socket; the cycle is told to evaluated with self. */
struct gpu_watch {
    enum gpu_socket socket;
    bool (*evaluated)(void *seat, const void *unit, const void *in, void *out, const void *next,
                      uint64_t gpu_cycle);
    void *self;
    bool follows;   /* it runs cycles that are left out */
    bool evaluates; /* and those of an observer, which the machine does not evaluate */
};

/* For gpu_hooks; the watch must outlive the GPU. */
struct gpu_peer gpu_watch_peer(struct gpu_watch *watch);

#endif
