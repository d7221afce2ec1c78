/* ptx_options - the options of `gpusched run --ptx`: one kernel, its shape, its arguments. */

#ifndef PTX_OPTIONS_H
#define PTX_OPTIONS_H

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

#include "gpusched/workload/kernel_argument.h"

enum { PTX_MAX_ARGUMENT = 64 };

struct ptx_options {
    const char *file; /* NULL: not asked for */
    const char *kernel;
    uint32_t grid[3], block[3];
    uint32_t dynamic_shared;                        /* bytes */
    uint32_t registers;                             /* of a thread; 0: the module's own */
    bool cooperative;                               /* as cuLaunchCooperativeKernel */
    const char *argument[PTX_MAX_ARGUMENT];         /* as they were given, */
    struct kernel_argument value[PTX_MAX_ARGUMENT]; /* and what that means */
    uint32_t n_argument;
    const char *save[PTX_MAX_ARGUMENT]; /* NUMBER=FILE, as they were given */
    uint32_t n_save;
    const char *saved[PTX_MAX_ARGUMENT]; /* of each argument, where it goes after the run; or
                                            NULL */
    const char *given;                   /* an option that makes sense with --ptx alone */
};

/* Their keys, in a row. */
enum ptx_key {
    KEY_PTX = 512,
    KEY_KERNEL,
    KEY_GRID,
    KEY_BLOCK,
    KEY_ARGUMENT,
    KEY_SAVE,
    KEY_DYNAMIC_SHARED,
    KEY_REGISTERS,
    KEY_COOPERATIVE,
};

/* ARGP_ERR_UNKNOWN if the key is not one of them. Exits with one message if it is wrong. */
error_t ptx_options_parse(int key, const char *argument, struct ptx_options *options);
/* The same when all have been taken, for what is missing; fills `value` and `saved`. */
void ptx_options_check(struct ptx_options *options);

#endif
