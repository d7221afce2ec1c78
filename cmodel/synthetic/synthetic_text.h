/*
 * synthetic_text - the text of a kernel: its steps as instructions, loops unrolled.
 *
 * A warp's stream is the text, or what the warp's branches leave of it. What the
 * instructions of one step have in common is a site: lanes and addresses, in a variant for
 * full warps and for the last warp of a block that is no multiple of 32, each with and
 * without divergence.
 */

#ifndef SYNTHETIC_TEXT_H
#define SYNTHETIC_TEXT_H

#include "gpu/config/gpu_config.h"
#include "stream/stream.h"
#include "synthetic/synthetic_address.h"
#include "synthetic/synthetic_file.h"

enum { PARTIAL = 1, DIVERGED = 2, VARIANTS = 4 };

struct site_variant {
    uint8_t lanes;
    uint8_t accesses;
    struct pattern pattern; /* of a memory instruction */
};

struct site {
    struct site_variant variant[VARIANTS];
    uint64_t taken;   /* of 2^32, how many warps take the branch */
    uint64_t diverge; /* of 2^32, how many warps diverge */
    uint64_t seed;
    uint32_t executions; /* in the text */
    bool memory;         /* takes words of the access list */
};

/* Of an instruction of the text. */
struct text_at {
    uint32_t site;
    uint32_t execution; /* number of this one among its site's */
    uint32_t target;    /* next instruction if the branch is taken */
};

struct text {
    struct instruction *instruction; /* of full warps that do not diverge */
    struct instruction *partial;     /* of the last warp, if it is not full; or NULL */
    struct issue_counts counts[2];   /* of these two */
    struct text_at *at;
    uint32_t n;
    uint32_t capacity;
    struct site *site;
    uint32_t n_site;
    uint32_t *memory; /* numbers of the instructions that take access words */
    uint32_t n_memory;
    uint32_t words; /* most access words of a warp */
    bool forks;     /* streams differ from warp to warp */
    uint8_t last_register;
};

/* Makes the text of a kernel that has been checked. */
bool text_make(struct text *text, struct file_kernel *kernel, uint64_t seed,
               const struct gpu_config *config, struct file_place *place);
void text_free(struct text *text);

#endif
