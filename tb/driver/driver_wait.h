/* driver_wait - runs of the programs of tb/run/nested.cu whose CTAs wait for kernels that they
 * have launched, for the tests of them. */

#ifndef DRIVER_WAIT_H
#define DRIVER_WAIT_H

#include "driver/driver.h"

enum { WAIT_WORDS = 512 };
enum { BINDS = 5, MODES = 3 };
extern const enum bind_mode binds[BINDS];
extern const unsigned modes[MODES];

/* Of the run: how the GPU is, and what the program has left. */
extern struct gpu_config config;
extern struct gsp_context *context;
extern struct gsp_module *module;
extern gsp_pointer data;
extern int32_t word[WAIT_WORDS];

/* What the GPU tells of CTAs, and of kernels. */
#define UNUSED __attribute__((unused))
#define CTA_HOOK(name)                                                               \
    static void name(UNUSED void *self, UNUSED uint32_t kernel, UNUSED uint32_t cta, \
                     UNUSED uint32_t sm, UNUSED uint32_t slot, UNUSED uint64_t cycle)
#define KERNEL_HOOK(name) \
    static void name(UNUSED void *self, UNUSED uint32_t kernel, UNUSED uint64_t cycle)

/* A GPU of so many SMs, CTAs each, and slots of kernels; opens it, and its memory of zeros. */
void configure(enum bind_mode bind, uint32_t sms, uint32_t ctas, uint32_t kernels);
void wait_open(unsigned mode, const struct gpu_hooks *hooks);
/* Launches kernel(data, argument). */
void wait_start(const char *kernel, uint32_t ctas, uint32_t threads, int32_t argument);
/* Runs, and copies the memory out. */
void wait_get(void);

/* What a run comes to, to be compared. */
struct outcome {
    uint64_t cycles, left, energy;
};
struct outcome outcome(void);
/* The run in mode m comes to what the first one did. */
void agree(struct outcome *first, uint32_t m, const struct outcome *got);

#endif
