/*
 * workload_kit - what a CUDA workload is: sim/workloads/<folder>/<folder>.cu holds its kernels,
 * and <folder>.c its host part, which makes the input, launches, and checks the results on the
 * CPU.
 *
 *   const struct cuda_workload workload_<name> = { ... };
 *
 * A folder has one workload of its own name, or several, which differ in their input or in
 * whether their kernels launch kernels. The Makefile finds them by such lines.
 *
 * The host part is ordinary C with the functions of driver.h. The kit's helpers end the run
 * with a message when a call fails, so host parts read like CUDA samples.
 */

#ifndef WORKLOAD_KIT_H
#define WORKLOAD_KIT_H

#include <stdbool.h>
#include <stdint.h>

#include "driver/driver.h"

struct graph_file;

/* All programs have the first three; the others are those of a paper's table, of the programs
 * that the table has. */
enum workload_size {
    SIZE_SMALL,
    SIZE_MEDIUM,
    SIZE_PAPER,
    SIZE_CLASO,  /* CLASO Table 2 */
    SIZE_TH3,    /* thesis Tables 3.2 and 3.3 */
    SIZE_TH42,   /* thesis Table 4.2 */
    SIZE_TH44,   /* thesis Table 4.4 */
    SIZE_ICC,    /* ICC Table 3 */
    SIZE_LAPERM, /* LaPerm Table II, reduced to what can be timed */
    WORKLOAD_SIZES
};
#define SIZE_BIT(paper) (1u << SIZE_##paper)

struct kit; /* one run of a workload */

/* Registers of a thread that a paper's table gives, or that its CTAs per SM need: these decide
 * how many CTAs fit an SM, in place of what is alive in our PTX. */
struct kit_registers {
    const char *kernel;
    uint32_t count;
    const char *source; /* "thesis Table 4.2", or what CTAs per SM follow only from such counts:
                           then this is the one of them that is nearest to ours */
};

struct cuda_workload {
    const char *name;
    const char *title;  /* a line: what it computes */
    const char *source; /* the paper whose workload it is: "CLASO Table 2, TH Table 3.2" */
    const char *check;  /* a line: how the result is checked */
    /* Runs and checks. Returns true if the result is right; otherwise kit_fail has said why. */
    bool (*run)(struct kit *kit, enum workload_size size);
    unsigned papers;                       /* SIZE_BIT of each table that has it */
    const struct kit_registers *registers; /* the last one has no kernel; NULL: none */
    const char *folder; /* of several workloads; NULL: its name is the workload's */
    unsigned input;     /* which of the folder's this one has */
    bool nested;        /* its kernels launch kernels */
    bool graph;         /* it works on a graph, which may be one of the user */
};

const char *workload_folder(const struct cuda_workload *workload);

const struct cuda_workload *kit_workload(const struct kit *kit);
/* Of the user, in place of the program's own; NULL: there is none. */
const struct graph_file *kit_graph(const struct kit *kit);
/* The workload's own module, loaded at the first call. */
struct gsp_module *kit_module(struct kit *kit);

/* Device memory; freed at the end of the run. Never fails: the run ends instead. */
gsp_pointer kit_alloc(struct kit *kit, size_t bytes);
gsp_pointer kit_alloc_copy(struct kit *kit, const void *from, size_t bytes);
void kit_copy_in(struct kit *kit, gsp_pointer to, const void *from, size_t bytes);
void kit_copy_out(struct kit *kit, void *to, gsp_pointer from, size_t bytes);
void kit_set(struct kit *kit, gsp_pointer to, int value, size_t bytes);
void kit_copy_symbol(struct kit *kit, const char *name, const void *from, size_t bytes);

/* Host memory, zeroed; freed at the end of the run. */
void *kit_host(struct kit *kit, size_t bytes);

/* Launches in stream 0 without dynamic shared memory; args are pointers to the values:
 * KIT_LAUNCH(kit, "vector_add", grid, block, &a, &b, &n); */
#define KIT_LAUNCH(kit, kernel, grid, block, ...) \
    kit_launch(kit, kernel, grid, block, 0u, 0u, (void *[]){ __VA_ARGS__ })
void kit_launch(struct kit *kit, const char *kernel, struct gsp_dim grid, struct gsp_dim block,
                uint32_t dynamic_shared, uint32_t stream, void **args);
void kit_synchronize(struct kit *kit);

/* Deterministic input: the same sequence for the same workload. */
uint32_t kit_random(struct kit *kit); /* all 32 bits */
/* From here on the sequence is the one of this word, for all workloads that give it. */
void kit_seed(struct kit *kit, const char *word);
float kit_uniform(struct kit *kit, float low, float high);

/* False, and remembers the message. */
bool kit_fail(struct kit *kit, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Compares n values; says which is the first that differs by more than
 * relative * |expected| + absolute. */
bool kit_check_floats(struct kit *kit, const char *what, const float *got,
                      const float *expected, size_t n, double relative, double absolute);
bool kit_check_ints(struct kit *kit, const char *what, const int32_t *got,
                    const int32_t *expected, size_t n);

#endif
