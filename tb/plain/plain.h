/*
 * plain - a slow and simple interpreter of PTX, which counts: beside the executor, to check how
 * many instructions its warps execute.
 *
 * A warp walks over the statements of its kernel as they stand in the file, one by one. Each
 * that it comes to counts once, whatever the number of its lanes. What is the reader's:
 * statements with their operands and labels. What is the executor's: arithmetic on rows. All
 * else is written anew from docs/ptx.md: places of variables, memory, control flow, barriers,
 * counts.
 *
 *   plain_read.c      a file to statements; places of registers and variables
 *   plain_flow.c      where the lanes of a branch meet again
 *   plain_warp.c      warps of a CTA, statement by statement
 *   plain_memory.c    loads, stores, atomics
 *   plain_exchange.c  shfl, vote, match, activemask
 *   plain_driver.c    driver.h with this interpreter in place of the GPU
 *
 *   plain_launch.c    kernels that launch kernels
 *
 * What no kernel of the checks has is refused: calls but for launches, brx.idx, barriers of
 * some of the warps, clocks.
 */

#ifndef PLAIN_H
#define PLAIN_H

#include "base/fault.h"
#include "exec/device_memory.h"
#include "exec/exec_warp.h"
#include "ptx/read/ptx_build.h"

enum { PLAIN_ROW = 256, PLAIN_WARPS = 32 };

/* The calls of a launch: a place for its parameters, then a kernel or a group of CTAs; and the
 * one that asks whether it failed: here it never does. */
enum plain_call { CALL_BUFFER, CALL_LAUNCH, CALL_GROUP, CALL_ERROR };

/* A statement of a kernel. */
struct plain_statement {
    struct ptx_inst inst;         /* with rows for the arithmetic */
    exec_handler *handler;        /* NULL: not arithmetic */
    uint32_t target;              /* of BRA: a statement; the number of statements is the end */
    uint32_t meet;                /* where its lanes meet again if they part; the end: never */
    enum plain_call call;         /* of CALL */
    uint64_t argument[4], result; /* of a call: where they are in local memory */
};

struct plain_kernel {
    const char *name;
    const struct ptx_routine *routine;
    uint32_t n; /* statements */
    struct plain_statement *statement;
    uint32_t n_register;
    uint32_t row_bytes; /* of a warp: a row for each register and special register */
    uint8_t *constant_rows;
    uint64_t param_bytes, shared_bytes, local_bytes;
};

struct plain_module {
    struct ptx_arena arena;
    struct ptx_build build;
    struct plain_kernel *kernel;
    uint32_t n_kernel;
    uint64_t global_base, constant_base; /* in device memory; 0: has none */
    uint64_t constant_bytes;
    struct fault fault;
};

/* Reads a file and places its variables in the device's memory. NULL with a message on stderr.
 */
struct plain_module *plain_read(const char *path, struct device_memory *memory);
void plain_free(struct plain_module *module);

/* Sets target and meet of all branches. False with a fault: a statement that cannot end. */
bool plain_flow(struct plain_kernel *k, struct ptx_build *b);

/* A launch: params as the kernel's parameters lie one after the other, each aligned. */
struct plain_launch {
    struct plain_queue *queue; /* what its kernels launch */
    const struct plain_module *module;
    const struct plain_kernel *kernel;
    struct device_memory *memory;
    const uint8_t *params;
    uint32_t grid[3], block[3], dynamic_shared;
};
/* Runs a CTA; returns how many warp instructions it has executed. Ends the program if the
 * kernel does something illegal, or that is not supported. */
uint64_t plain_cta(const struct plain_launch *launch, uint32_t cta);

/* Runs the launch and all that its kernels launch; says of those how many warp instructions
 * each has executed. Returns how many the launch itself has. */
uint64_t plain_run(struct plain_launch *launch);

/* ---- Inside -------------------------------------------------------------------------- */

/* Lanes that go on from `at` until they come to `until`. */
struct plain_path {
    uint32_t at, until, lanes;
};
struct plain_warp {
    struct exec_warp w;
    uint32_t number, alive;
    uint32_t depth;
    struct plain_path path[4 * WARP_SIZE];
    const struct plain_statement *waits; /* at this barrier */
    uint32_t wait_lanes;
};
struct plain_cta {
    const struct plain_launch *launch;
    struct plain_warp warp[PLAIN_WARPS];
    uint32_t n_warp, threads, at[3];
    uint8_t *shared, *local;
    uint64_t shared_bytes;
    uint64_t executed;
};

/* Ends the program with a message that names the statement's line. */
_Noreturn void plain_stop(const struct plain_launch *launch, const struct ptx_inst *i,
                          const char *what);
void plain_access(struct plain_cta *c, struct plain_warp *w, const struct ptx_inst *i,
                  uint32_t lanes);
/* A call's places. False with a fault: it is none of a launch. */
bool plain_read_call(struct ptx_build *b, const struct ptx_node *node,
                     struct plain_statement *s);
/* The address of an entry. */
uint64_t plain_entry(const struct ptx_build *b, const struct ptx_symbol *entry);
void plain_call(struct plain_cta *c, const struct plain_warp *w,
                const struct plain_statement *s, uint32_t lanes);
/* True if it was one of shfl, vote, match, activemask. */
bool plain_exchange(struct plain_warp *w, const struct ptx_inst *i, uint32_t lanes);

/* The value of an operand in a lane, by its register's width or the instruction's. */
uint64_t plain_value(const struct plain_cta *c, const struct plain_warp *w,
                     const struct ptx_inst *i, const struct ptx_operand *o, uint32_t lane);
void plain_set(const struct plain_cta *c, struct plain_warp *w, const struct ptx_operand *o,
               uint32_t lane, uint64_t value);

#endif
