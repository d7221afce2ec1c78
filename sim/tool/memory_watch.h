/* memory_watch - whether memory ran out while something was made that leaves out what it has no
 * memory for: JSON, without a word, and the parts of a page. */

#ifndef MEMORY_WATCH_H
#define MEMORY_WATCH_H

#include <stdbool.h>
#include <stddef.h>

/* To be called before any JSON is made. */
void memory_watch(void);

/* As calloc, and watched. */
void *memory_take(size_t n, size_t size);

/* As strdup, and watched. */
char *memory_copy(const char *text);

/* True once a watched allocation has failed. */
bool memory_lost(void);

#endif
