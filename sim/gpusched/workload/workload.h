/*
 * workload - what a run executes. A workload drives the GPU: it opens it, launches kernels, and
 * may wait for them, copy, and launch more. Kinds of workloads: described kernels
 * (workload_synthetic.c), CUDA programs of sim/workloads (workload_cuda.c), and one kernel of a
 * PTX file (workload_ptx.c).
 */

#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fault.h"
#include "gpu/gpu.h"
#include "gpusched/workload/ptx_options.h"
#include "workloads/workload_kit.h"

enum { WORKLOAD_NAME = 128, WORKLOAD_FILE = 1024 };

/* What a workload runs on. */
struct workload_machine {
    const struct gpu_config *config; /* NULL: functional execution alone */
    const struct gpu_config *limits; /* then; see driver.h */
    const struct gpu_hooks *hooks;
    unsigned mode; /* enum gpu_mode */
    /* Told of each launch before it starts; see driver.h. */
    void (*launched)(void *self, const struct kernel_shape *shape, uint32_t stream,
                     const struct gpu_child *child);
    void *launched_self;
    /* Of kernels on the driver: told of what PTX leaves open, once for a kernel; and what else
     * is looked for. May be NULL. */
    void (*warn)(void *self, const char *text);
    struct exec_check *check;
    struct exec_footprint *footprint;
    /* Of a program beside others: what they share, whose turn it is, and where the regions of
     * its described kernels begin. */
    struct gsp_context *context;
    const struct gsp_turns *turns;
    uint32_t first_region;
    uint64_t memory; /* bytes that may be allocated; 0: as many as there are */
};

enum workload_verdict { NOT_CHECKED, RIGHT, WRONG };

struct workload_outcome {
    enum gpu_end end;
    enum workload_verdict verdict;
    const char *check;  /* if it is right: how it was checked */
    struct fault fault; /* what is wrong */
};

/* How the result was checked, or what is wrong; "" if there is nothing to say. */
static inline const char *workload_said(const struct workload_outcome *outcome)
{
    return outcome->verdict == RIGHT ? outcome->check : fault_text(&outcome->fault);
}

/* The part of "NAME" or "NAME:CTAS" before the colon, in file; CTAS in *ctas, or 0. Returns
 * false with a fault. */
bool workload_split(const char *text, char file[WORKLOAD_FILE], uint32_t *ctas,
                    struct fault *fault);

/* The next name of *rest, "a" or "a+b", which is cut if it is too long; a file whose name has a
 * plus is one. *rest is what follows, NULL behind the last, and then it returns false. */
bool workload_next(const char **rest, char name[WORKLOAD_FILE]);
/* Names without folder and ending, as results have them. */
void workload_label(const char *names, char label[WORKLOAD_NAME]);

struct workload_kind;
struct workload {
    const struct workload_kind *kind;
    void *self;
    char name[WORKLOAD_NAME]; /* without folder and ending */
    char file[WORKLOAD_FILE]; /* or name, as given, without a number of CTAs */
    uint32_t ctas;    /* "stream:45": described kernels with as many; 0: as the file says */
    const char *size; /* NULL if it comes in one size */
};

/* What a command line or an experiment asks for. */
struct workload_choice {
    const char *name; /* NULL with ptx.file */
    enum workload_size size;
    bool size_given;
    bool check;        /* what kernels do that they should not */
    bool footprint;    /* what CTAs access */
    bool several;      /* name may be "a+b": these workloads at once */
    const char *graph; /* a file, for a program on graphs; NULL: its own */
    struct ptx_options ptx;
};

/* Reads the workload. config: NULL for functional execution. Returns false with a
 * fault. */
bool workload_load(struct workload *workload, const struct workload_choice *choice,
                   const struct gpu_config *config, struct fault *fault);
/* Opens the machine, which must outlive the workload. Returns false with a fault. */
bool workload_open(struct workload *workload, const struct workload_machine *machine,
                   struct fault *fault);
/* Runs it. Returns false with a fault if it is bad input after all: there is no result. */
bool workload_run(struct workload *workload, struct workload_outcome *outcome,
                  struct fault *fault);
/* One of several that have run at once. */
struct workload_program {
    const char *name;
    char given[WORKLOAD_FILE]; /* as it is named on the command line */
    const char *size;          /* NULL if it comes in one */
    uint32_t launches;
    uint64_t cycles; /* from the first cycle to the end of its last kernel */
    enum workload_verdict verdict;
    const char *check;
    uint32_t first_region; /* of its described kernels */
};
enum { WORKLOAD_PROGRAMS = 8 };
/* How many there are, 0 for a workload alone; they come into programs, if that is not NULL. */
uint32_t workload_programs(const struct workload *workload,
                           const struct workload_program **programs);

/* NULL without timing. Valid until workload_free. */
struct gpu *workload_gpu(const struct workload *workload);
/* Warp instructions executed; of described kernels, 0. */
uint64_t workload_instructions(const struct workload *workload);
void workload_free(struct workload *workload);

/* Calls each(self, name, title) for the files of configs/workloads, in the order of names;
 * title is the first line's comment. */
void synthetic_workloads(void (*each)(void *self, const char *name, const char *title),
                         void *self);

#endif
