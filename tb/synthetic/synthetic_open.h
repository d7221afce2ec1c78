/*
 * synthetic_open - what the tests of described workloads share: workloads from a few lines
 * of text, and their CTAs.
 */

#ifndef SYNTHETIC_OPEN_H
#define SYNTHETIC_OPEN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/fault.h"
#include "gpu/config/gpu_config.h"
#include "stream/stream.h"
#include "synthetic/synthetic.h"
#include "synthetic/synthetic_address.h"

struct synthetic *load(const char *path);

/* A file that holds the text; the caller unlinks and frees. */
char *write_text(const char *text);
struct synthetic *load_text(const char *text);

/* One kernel with this grid, block and body. */
struct synthetic *load_body(const char *grid, const char *block, const char *body);

struct open_cta {
    struct kernel_source source;
    struct warp_stream warp[64];
    void *handle;
};

struct open_cta open_cta(struct kernel_source source, uint32_t cta);
void free_cta(const struct open_cta *opened);
uint32_t words_of(const struct instruction *instruction);

#endif
