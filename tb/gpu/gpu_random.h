/* gpu_random - random machines, programs and kernels, the same for the same seed. */

#ifndef GPU_RANDOM_H
#define GPU_RANDOM_H

#include "base/fault.h"
#include "tb/gpu/gpu_kernel.h"

/* ---- Machines ------------------------------------------------------------------------ */

struct gpu_config random_machine(uint64_t *random);

/* ---- Programs ------------------------------------------------------------------------ */

enum { RANDOM_REGISTERS = 20 };

void random_program(struct program *p, uint64_t *random, uint32_t most);

/* ---- Kernels ------------------------------------------------------------------------- */

/* Warps run one of two programs. It fits on c. */
struct hand_kernel random_kernel(const struct gpu_config *c, uint64_t *random,
                                 const struct program program[2]);

#endif
