/*
 * synthetic_file - a workload file as it is written: its keys, and where they stand.
 *
 * All keys of a step are optional to the parser; synthetic_check.c says which of them a
 * step may and must have. A key that is not given is NULL.
 */

#ifndef SYNTHETIC_FILE_H
#define SYNTHETIC_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fault.h"
#include "stream/stream.h"

/* ---- What a file holds --------------------------------------------------------------- */

struct file_weights {
    uint32_t weight[OP_COUNT];
};

struct file_diverge {
    double probability;
    uint32_t lanes;
};

/* X(key): the keys of a step by the type of their value. src, mix, diverge and the two
 * bodies are not scalars. */
#define STEP_NUMBERS(X) \
    X(repeat)           \
    X(count)            \
    X(words)            \
    X(lanes) X(region) X(element) X(stride) X(offset) X(footprint) X(group) X(passes) X(seed)
#define STEP_TEXTS(X)  X(op) X(dst) X(depends) X(pattern) X(per) X(read) X(kind)
#define STEP_REALS(X)  X(taken)
#define STEP_OTHERS(X) X(src) X(mix) X(diverge) X(body) X(taken_body)
#define STEP_KEYS(X)   STEP_NUMBERS(X) STEP_TEXTS(X) STEP_REALS(X) STEP_OTHERS(X)

enum step_key {
#define STEP_ENUMERATOR(key) KEY_##key,
    STEP_KEYS(STEP_ENUMERATOR)
#undef STEP_ENUMERATOR
        KEY_COUNT
};

struct file_step {
#define STEP_NUMBER(key) uint32_t *key;
#define STEP_TEXT(key)   char *key;
#define STEP_REAL(key)   double *key;
    STEP_NUMBERS(STEP_NUMBER)
    STEP_TEXTS(STEP_TEXT)
    STEP_REALS(STEP_REAL)
#undef STEP_NUMBER
#undef STEP_TEXT
#undef STEP_REAL
    char **src;
    uint32_t src_count;
    struct file_weights *mix;
    struct file_diverge *diverge;
    struct file_step *body;
    uint32_t body_count;
    struct file_step *taken_body;
    uint32_t taken_body_count;
    uint32_t site;          /* not of the file: see synthetic_text.h */
    uint8_t chase_register; /* the same */
};

struct file_kernel {
    char *name;
    uint32_t stream;
    uint32_t grid[3];
    uint32_t block[3];
    uint32_t registers;
    uint32_t shared_bytes;
    uint32_t *launches;
    uint32_t *seed;
    struct file_step *body;
    uint32_t body_count;
};

struct file_workload {
    uint32_t seed;
    struct file_kernel *kernels;
    uint32_t kernels_count;
};

bool file_load(const char *path, struct file_workload **file, struct fault *fault);
void file_free(struct file_workload *file);

/* ---- Where we are in the file, for messages ------------------------------------------ */

struct file_place {
    const char *path;
    struct fault *fault; /* where a refusal goes */
    char key[128];       /* such as kernels.0.body.2 */
};

/* Goes down to element i of `list`; returns what place_leave takes to go up again. */
size_t place_enter(struct file_place *place, const char *list, uint32_t i);
void place_leave(struct file_place *place, size_t length);

/* Says what is wrong with a key of the place that we are at. Returns false. */
__attribute__((format(printf, 3, 4))) bool refuse(struct file_place *place, const char *key,
                                                  const char *format, ...);
/* For want of memory. */
bool refuse_memory(struct file_place *place, const char *key);

#endif
