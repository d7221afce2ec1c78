/*
 * synthetic_step - what the values of a step's keys mean, and which are allowed.
 */

#ifndef SYNTHETIC_STEP_H
#define SYNTHETIC_STEP_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu/config/gpu_config.h"
#include "synthetic/synthetic_address.h"
#include "synthetic/synthetic_file.h"

enum {
    DEPENDS_MOST = 32, /* dependence distance */
    DEPTH_MOST = 6,    /* bodies within bodies */
};

/* A number that may be absent. */
static inline uint32_t or_else(const uint32_t *number, uint32_t otherwise)
{
    return number != NULL ? *number : otherwise;
}

/* "load" is OP_LOAD; OP_COUNT if there is no such class. */
uint32_t op_named(const char *name);
bool op_has_pattern(uint32_t op);
/* Whether an instruction of this class writes a register, if not told. */
bool op_produces(uint32_t op);

/* "r5" is 7: numbers start at REGISTER_FIRST. 0 if it is no register. */
uint32_t register_named(const char *name);
/* "4" is 4..4, and "2..8" is 2..8. */
bool read_range(const char *text, uint32_t *lowest, uint32_t *highest);

/* Registers that an instruction of this class writes, if any. */
uint32_t step_words(const struct file_step *step, uint32_t op);
enum pattern_kind step_pattern(const struct file_step *step);
/* Of a load, by its key `read`: enum instruction_flag; of arithmetic, by its key `kind`: enum
 * operation_kind. NO_FLAGS if that is none of the key's words, or none that op may have. */
enum { NO_FLAGS = 0xff };
uint8_t read_flags(const struct file_step *step);
uint8_t step_kind(const struct file_step *step, uint32_t op);
/* Passes of OP_SHARED over the banks. */
uint32_t step_passes(const struct file_step *step, uint32_t lanes,
                     const struct gpu_config *config);
/* The shape of a memory instruction's accesses; lanes and seed are left to the caller. */
struct pattern_shape step_shape(const struct file_step *step, uint32_t op,
                                const struct gpu_config *config);

/* Checks all of a kernel's values but those that need its whole text. */
bool check_kernel(struct file_place *place, const struct file_kernel *kernel,
                  const struct gpu_config *config);

#endif
