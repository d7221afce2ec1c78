/*
 * exec - functional execution of a CTA of a PTX kernel, 32 lanes at a time, and the instruction
 * streams of its warps for the timing model.
 */

#ifndef EXEC_H
#define EXEC_H

#include "base/fault.h"
#include "exec/device_memory.h"
#include "ptx/ptx.h"

struct gpu_config;

/* A launch: what all its CTAs share. */
struct exec_launch {
    const struct ptx_module *module;
    const struct ptx_function *function;
    struct device_memory *memory;
    uint64_t global_base;     /* address of the module's global variables */
    const uint8_t *constants; /* the module's constant bank, const_bytes */
    const uint8_t *params;    /* function->param_bytes */
    uint32_t grid[3], block[3];
    uint32_t dynamic_shared;                              /* bytes */
    uint32_t l1_line, constant_line, texture_line, banks; /* for the streams; from gpu_config */
    uint64_t limit;           /* warp instructions of a CTA before it counts as endless */
    bool streams;             /* record streams; otherwise execute only */
    struct exec_check *check; /* exec_check.h; or NULL */
};

struct exec;

/* Buffers for CTAs of any launch; they are pooled and grow as needed. */
struct exec *exec_open(void);
void exec_close(struct exec *exec);
/* warn, if it is not NULL, is told once of each kernel that does what PTX leaves open. */
void exec_warnings(struct exec *exec, void (*warn)(void *self, const char *text), void *self);

/* Executes CTA `cta` (x fastest). With launch->streams fills warp[0..warps-1]; they stay valid
 * until exec_release(*handle). Returns false with a fault: kernel, CTA, thread, PTX line and
 * address of what was illegal. */
bool exec_cta(struct exec *exec, const struct exec_launch *launch, uint32_t cta,
              struct warp_stream *warp, void **handle, struct fault *fault);
void exec_release(struct exec *exec, void *handle);
uint64_t exec_instructions(const struct exec *exec); /* warp instructions executed so far */

#endif
