/*
 * device_grid - launches by kernels: in which order they run, and when each is complete.
 *
 * A launch, and each operation of a stream, is a node, which may wait for others: the one
 * before it in its stream, what an event stands for. A grid is complete when its CTAs have
 * ended and the nodes that it launched are complete. Then its tail launches take its place in
 * its node, one after the other; each is complete, with tail launches of its own, before the
 * next. At last the node is complete, and those that wait for it may run.
 *
 *   device_grid.c      nodes; what runs next
 *   device_runtime.c   calls of the device runtime, and their codes
 *   device_call.c      what they give back
 *   device_launch.c    of these, parameters and launches
 *   device_stream.c    streams, events, operations
 *   device_pool.c      memory for parameters and the heap
 */

#ifndef DEVICE_GRID_H
#define DEVICE_GRID_H

#include "driver/device_pool.h"
#include "driver/driver.h"
#include "exec/exec.h"

struct driver_launch;
struct device_edge;
struct device_cta;

enum device_kind { NODE_GRID, NODE_COPY, NODE_SET, NODE_MARK };
struct device_node {
    struct device_node *next, *before; /* ready; or free */
    uint64_t serial;                   /* another for each use; 0: it is free */
    uint32_t waits;                    /* for so many nodes */
    enum device_kind kind;
    struct device_edge *after;    /* nodes that wait for it */
    struct driver_launch *grid;   /* that runs, or runs next */
    struct driver_launch *tail;   /* that take its place then, in order */
    struct driver_launch *parent; /* that has launched it; NULL: the host */
    struct device_cta *cta;       /* of the parent */
    uint64_t to, from, bytes;     /* of an operation: on device memory */
    uint8_t value;
    uint32_t kernel; /* with timing, of the host's launch: its number */
};
/* The last node of a stream, or what an event stands for; complete if the node is of another
 * use. */
struct device_ref {
    struct device_node *node;
    uint64_t serial;
};

enum device_handle_kind { HANDLE_NONE, HANDLE_STREAM, HANDLE_EVENT };
struct device_handle {
    enum device_handle_kind kind;
    struct device_ref last;
};

/* What a CTA that calls the device runtime has. */
struct device_cta {
    struct device_cta *next; /* of its grid */
    struct device_ref last;  /* of its NULL stream */
    uint64_t live;           /* nodes that it has launched and that are not complete */
    bool waits;              /* with timing: for those */
    uint32_t number;
    uint32_t threads;
    uint32_t *error; /* of each thread; NULL: none has any */
};

/* What a grid has launched, and may use. */
struct device_grid {
    uint64_t number; /* in its handles */
    uint32_t depth;  /* kernels above it; of the host's: 0 */
    uint32_t stream; /* of the host, with all that it launches */
    bool by_device;
    bool group; /* of CTAs, which join a kernel that is resident if one is like them */
    bool over;  /* its CTAs have ended */
    uint64_t live;
    struct driver_launch *origin;    /* the host's launch that has led to it; or itself */
    uint64_t origin_of;              /* launches that exist and have this origin */
    struct exec_tree tree;           /* of the host's launch: with all of these */
    struct device_node *node;        /* NULL: the host's, that has called nothing */
    struct driver_launch *next_tail; /* in a list of tails */
    struct driver_launch *first_tail, *last_tail; /* that it has launched */
    struct driver_launch *newer, *older;          /* of all that exist */
    struct device_cta *cta;
    struct device_handle *handle;
    uint32_t n_handle, room_handle;
    struct pool_block *buffer; /* parameters of what has not been launched yet */
    /* with timing */
    uint32_t kernel; /* its number on the GPU, once it is there */
    uint32_t parent,
        priority; /* of a launch by a kernel: kernel, priority, and SM of the CTA */
    uint32_t sm;
    uint64_t launched, arrival; /* cycles: of the call; when it reaches the queue of kernels */
};

/* With timing: the launch of a kernel goes to the GPU; false with a fault. Without: it is
 * executed next. */
typedef bool device_run(struct driver_launch *launch, struct fault *fault);
typedef void device_told(const struct driver_launch *launch);

struct device_runtime {
    struct gsp_context *context;
    device_run *on_gpu;
    device_told *tell;
    struct exec_runtime exec;
    struct device_node *first_ready, *last_ready, *free_node;
    struct device_edge *free_edge;
    struct node_chunk *chunk;
    struct driver_launch *newest; /* launch of all that exist */
    uint64_t serial, number;      /* given last */
    uint32_t outstanding;         /* launches and operations of kernels that are not complete */
    struct device_pool parameters, heap;
};

void device_open(struct gsp_context *context, device_run *on_gpu, device_told *tell);
/* Frees all that has been launched. */
void device_close(struct gsp_context *context);

/* A launch exists, of the host or of a kernel; or will not run. */
void device_add(struct gsp_context *context, struct driver_launch *launch);
void device_drop(struct driver_launch *launch);
/* Its CTAs have ended: gives back all that is complete with it, and starts what may run now.
 * False with a fault. */
bool device_ended(struct driver_launch *launch, struct fault *fault);
/* Without timing: executes the launch and all that it launches. */
enum exec_end device_execute(struct driver_launch *launch, struct fault *fault);
/* Without timing: executes until the CTA has nothing that is not complete, or nothing may run.
 */
enum exec_end device_wait(struct gsp_context *context, const struct device_cta *cta,
                          struct fault *fault);

/* A node of a CTA of this grid, which is not complete before device_submit; NULL: no memory. */
struct device_node *device_node(struct driver_launch *parent, struct device_cta *cta,
                                enum device_kind kind);
/* The node waits for what `before` stands for. False: no memory. */
bool device_after(struct device_runtime *runtime, struct device_node *node,
                  struct device_ref before);
struct device_ref device_ref(struct device_node *node);
/* The node may run when it waits for none. False with a fault. */
bool device_submit(struct device_runtime *runtime, struct device_node *node,
                   struct fault *fault);
/* The grid's place in the order: of the host's launch, made now. NULL: no memory. */
struct device_node *device_place(struct driver_launch *launch);

/* Executes a call, and gives it its result. False with a fault: it is illegal. */
typedef bool device_call(struct driver_launch *by, struct device_cta *cta,
                         struct exec_call *call);
/* device_launch.c */
device_call device_get_buffer, device_launch_call;
/* device_stream.c */
device_call device_create, device_destroy, device_record, device_wait_event, device_copy_or_set;
/* Where a stream's last node is kept; NULL, if the handle is none of a stream of the grid. */
struct device_ref *device_stream(struct driver_launch *by, struct device_cta *cta,
                                 uint64_t handle);

/* device_call.c */
/* The most that a kernel may launch: CTAs in x, and in y and z; threads of a CTA in x and y,
 * and in z. The host may launch more. */
enum { MOST_GRID_X = INT32_MAX, MOST_GRID_YZ = 65535, MOST_BLOCK_XY = 1024, MOST_BLOCK_Z = 64 };

enum device_error {
    DEVICE_OK = 0,
    DEVICE_INVALID_VALUE = 1,
    DEVICE_NO_MEMORY = 2,
    DEVICE_CONFIGURATION = 9,
    DEVICE_NO_FUNCTION = 98,
    DEVICE_DEPTH = 65,
    DEVICE_SYNC_DEPTH = 68,
    DEVICE_PENDING = 69,
    DEVICE_NO_HANDLE = 400,
};
/* The thread's last error. */
bool device_error(struct exec_call *call, struct device_cta *cta, enum device_error error);
/* Writes what the call gives through a pointer. False with a fault: nothing can be written
 * there. */
bool device_store(struct exec_call *call, uint64_t address, const void *from, uint32_t bytes);
/* False: the host has no memory. */
bool device_no_memory(struct exec_call *call);

#endif
