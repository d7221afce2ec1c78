/*
 * exec - execution of the CTAs of a PTX kernel, 32 lanes at a time, and the instruction streams
 * of their warps for the timing model.
 */

#ifndef EXEC_H
#define EXEC_H

#include "base/fault.h"
#include "exec/device_memory.h"
#include "ptx/ptx.h"
#include "ptx/ptx_runtime.h"

struct gpu_config;
struct exec_launch;
struct footprint_launch;
struct footprint_cta;

/* A call of the device runtime (ptx_runtime.h) by one thread, in the order of lanes. */
struct exec_call {
    enum ptx_runtime function;
    const uint64_t *argument; /* a word each */
    uint64_t result;
    struct exec_launch *launch;
    uint32_t cta;                    /* its number */
    uint32_t thread;                 /* of its CTA */
    uint32_t lanes;                  /* of the warp that make this call together */
    uint64_t cycle;                  /* with timing */
    void **of_cta;                   /* the runtime's; NULL at the CTA's first call */
    struct footprint_cta *footprint; /* of the CTA; NULL: nobody asks */
    const void *caller;
    struct fault *fault;
    bool located; /* the fault says where it was */
    bool waits;   /* with timing: its warp goes on when what its CTA has launched is complete */
};
/* Stores bytes at a generic address of the thread; false: not all of them are there, or they
 * are constants. */
bool exec_call_store(const struct exec_call *call, uint64_t address, const void *from,
                     uint32_t bytes);

struct exec_runtime {
    void *self;
    /* False with a fault: the call is illegal. */
    bool (*call)(void *self, struct exec_call *call);
    /* Is it an address of parameters of launches? */
    bool (*has)(void *self, uint64_t address);
};

/* A launch of the host with all that it leads to: what its kernels launch, and so on. */
struct exec_tree {
    const char *name;  /* of the host's kernel */
    uint64_t kernels;  /* launched so far, that of the host among them */
    uint64_t executed; /* warp instructions of all of them */
};

/* A launch: what all its CTAs share. */
struct exec_launch {
    const struct ptx_module *module;
    const struct ptx_function *function;
    struct device_memory *memory;
    uint64_t global_base;     /* address of the module's global variables */
    uint64_t entry_base;      /* address of its first entry */
    const uint8_t *constants; /* the module's constant bank, const_bytes */
    const uint8_t *params;    /* function->param_bytes */
    uint32_t grid[3], block[3];
    uint32_t dynamic_shared;                              /* bytes */
    uint32_t l1_line, constant_line, texture_line, banks; /* for the streams; from gpu_config */
    bool constant_by_address; /* for the streams, too: a turn for each address of a read */
    bool fences;              /* for the streams: fences wait for memory */
    uint32_t mhz;             /* of the clock that counts the cycles of exec_more; not 0 */
    uint32_t ahead;           /* instructions of a piece of a stream, at most; not 0 */
    uint64_t limit;           /* warp instructions that the tree may execute; 0: any number */
    uint64_t executed;        /* that the kernel has executed */
    struct exec_tree *tree;   /* NULL: the kernel alone */
    bool streams;             /* for exec_cta; not for exec_grid */
    struct exec_check *check; /* exec_check.h; or NULL */
    struct footprint_launch *footprint; /* exec_footprint.h; or NULL */
    const struct exec_runtime *runtime; /* NULL: none; what calls it is illegal */
};

struct exec;

/* Buffers for CTAs of any launch; they are pooled and grow as needed. */
struct exec *exec_open(void);
void exec_close(struct exec *exec);
/* warn, if it is not NULL, is told once of each kernel that does what PTX leaves open. */
void exec_warnings(struct exec *exec, void (*warn)(void *self, const char *text), void *self);

/* Opens CTA `cta` (x fastest), and fills warp[0..warps-1] with the first pieces of its streams;
 * a piece stays valid until exec_more for its warp, or exec_release(*handle). The launch must
 * live as long. Returns false with a fault: kernel, CTA, thread, PTX line and address of what
 * was illegal. */
bool exec_cta(struct exec *exec, struct exec_launch *launch, uint32_t cta,
              struct warp_stream *warp, void **handle, struct fault *fault);
/* The warp's piece has been issued, in this cycle: executes its last instruction, if others may
 * wait for it, and gives the next piece. */
bool exec_more(void *handle, uint32_t warp, uint64_t cycle, struct warp_stream *stream,
               struct fault *fault);
/* The CTA waits, and all its pieces have been issued: none is valid any more, and what it has
 * takes less memory until exec_more. */
void exec_rest(void *handle);
/* Adds what the warp polls; false if it does not. */
bool exec_describe(void *handle, uint32_t warp, struct fault *fault);
void exec_release(void *handle);

/* Executes all CTAs, without streams: one after the other, and together those that wait for
 * each other. Unless it is done there is a fault. */
enum exec_end { EXEC_DONE, EXEC_ILLEGAL, EXEC_HUNG };
enum exec_end exec_grid(struct exec *exec, struct exec_launch *launch, struct fault *fault);
uint64_t exec_instructions(const struct exec *exec); /* warp instructions executed so far */

#endif
