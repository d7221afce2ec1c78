/* driver_nested - runs of the programs of tb/run/nested.cu, whose kernels launch kernels, in
 * each way in which a GPU can run them, for the tests of them. */

#ifndef DRIVER_NESTED_H
#define DRIVER_NESTED_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "driver/driver.h"

enum { WORDS = 512 };

/* How the kernels are run. */
struct way {
    const char *name;
    bool timed;
    unsigned mode;
    uint32_t sms, kernels, latency;
};
enum { WAYS = 6 };
extern const struct way nested_ways[WAYS]; /* the first without timing */

struct fixture {
    struct gpu_config config;
    struct gsp_context *context;
    struct gsp_module *module;
    gsp_pointer data;
    int32_t word[WORDS];
};

/* Opens the GPU with the programs and memory for the words. */
void nested_open_with(struct fixture *f, const struct way *way, enum bind_mode mode);
void nested_open(struct fixture *f, const struct way *way);

/* A test with options of its own: the programs and the memory for it. */
void nested_load(struct fixture *f);

/* The words go in; a kernel is launched; they come out. */
void nested_put(struct fixture *f);
void nested_run(struct fixture *f, const char *kernel, uint32_t ctas, uint32_t threads,
                void **args);
void nested_get(struct fixture *f);

/* Runs a kernel of one argument, or two, whose first is the data. */
void nested_once(struct fixture *f, const struct way *way, const char *kernel, uint32_t ctas,
                 uint32_t threads, int32_t argument);

#define EACH_WAY(f, way)                                                \
    for (const struct way *way = nested_ways; way < nested_ways + WAYS; \
         gsp_close((f).context), way++)                                 \
        if (nested_open(&(f), way), true)

#endif
