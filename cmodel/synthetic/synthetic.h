/*
 * synthetic - kernels that are described, not compiled: instruction streams for the timing
 * model from a workload file. docs/workloads-synthetic.md explains the format.
 *
 * The same file and configuration give the same streams, whatever the order in which CTAs
 * are opened. Warps whose control flow cannot differ share one array of instructions.
 * One workload is used by one thread; its sources are valid until synthetic_free.
 */

#ifndef SYNTHETIC_H
#define SYNTHETIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fault.h"
#include "gpu/config/gpu_config.h"
#include "stream/stream.h"

struct synthetic;

enum {
    SYNTHETIC_TEXT = 1 << 20, /* most instructions of a kernel, loops unrolled */
    SYNTHETIC_CTA = 1 << 22,  /* most access words, or instructions of its own, of a CTA */
};

/* Whether a file that can be read for one GPU can be for the other. */
bool synthetic_reads_same(const struct gpu_config *a, const struct gpu_config *b);

/* Reads a workload. `path_or_name` is a path, or a bare name: `stream` is
 * configs/workloads/stream.yaml of the data (places.h). config gives the size of lines and the
 * number of banks; it is not kept. Returns false with a fault "FILE:LINE: KEY: ...". */
bool synthetic_load(const char *path_or_name, const struct gpu_config *config,
                    struct synthetic **out, struct fault *fault);
void synthetic_free(struct synthetic *synthetic);

/* Beside another program: regions that this workload uses, from 0 on; and from now on it uses
 * as many from region `first` on. Together they must stay below 32. */
uint32_t synthetic_regions(const struct synthetic *synthetic);
void synthetic_move(struct synthetic *synthetic, uint32_t first);

/* Launches, in the order in which they are to be made: a kernel with `launches: 3` counts
 * three times. */
uint32_t synthetic_kernels(const struct synthetic *synthetic);
struct kernel_source synthetic_kernel(struct synthetic *synthetic, uint32_t k);
uint32_t synthetic_stream(const struct synthetic *synthetic, uint32_t k);

#endif
