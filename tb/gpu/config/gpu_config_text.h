/* gpu_config_text - what tests of configurations share: files of a text, and comparisons. */

#ifndef GPU_CONFIG_TEXT_H
#define GPU_CONFIG_TEXT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gpu/config/gpu_config.h"

/* Fails if it is refused. */
struct gpu_config load_gpu(const char *name);
/* A file of this text; path is filled in. */
void write_config(const char *text, size_t length, char path[32]);
void expect_words(const char *message, const char *words);
/* Every value, bit by bit; padding is no value. */
void expect_same(const struct gpu_config *a, const struct gpu_config *b);

#endif
