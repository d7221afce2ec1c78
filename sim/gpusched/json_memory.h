/* json_memory - whether memory ran out while JSON was made: what could not be made is left out
 * of its object without a word. */

#ifndef JSON_MEMORY_H
#define JSON_MEMORY_H

#include <stdbool.h>

/* To be called before any JSON is made. */
void json_memory_watch(void);

/* True once an allocation has failed. */
bool json_memory_lost(void);

#endif
