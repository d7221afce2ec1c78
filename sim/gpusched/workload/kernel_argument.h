/* kernel_argument - an argument of a kernel, as text: i32:5, f32:1.5, buf:4096:iota32. */

#ifndef KERNEL_ARGUMENT_H
#define KERNEL_ARGUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fault.h"

enum kernel_fill { FILL_ZERO, FILL_IOTA, FILL_RANDOM, FILL_UNIFORM, FILL_FILE };

struct kernel_argument {
    uint32_t bytes;  /* of a value; 0: a buffer, of which the kernel gets the address */
    uint64_t bits;   /* the value */
    uint64_t buffer; /* bytes */
    enum kernel_fill fill;
    uint64_t seed;
    const char *file;
};

/* Returns false with a fault. */
bool kernel_argument_parse(const char *text, struct kernel_argument *argument,
                           struct fault *fault);
/* Writes a buffer's first values. Returns false with a fault. */
bool kernel_argument_fill(const struct kernel_argument *argument, uint8_t *data,
                          struct fault *fault);

/* For messages and help. */
#define KERNEL_ARGUMENT_FORMS                                                          \
    "i8 u8 i16 u16 i32 u32 i64 u64:WHOLE, f32 f64:REAL, buf:BYTES, buf:BYTES:iota32, " \
    "buf:BYTES:random:SEED, buf:BYTES:uniform:SEED, buf:FILE"

#endif
