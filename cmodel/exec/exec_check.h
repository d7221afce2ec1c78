/*
 * exec_check - what kernels do that stops no run, and that no program should rely on:
 *
 *   a shuffle from a lane that does not execute it;
 *   a read of global, shared or local memory that nothing has written;
 *   a race in shared memory: two warps of a CTA access a byte, one of them writes, and no
 * barrier is between them; or lanes of one warp write different values with one instruction. Of
 * the reads of a byte since it was written the last two warps' are kept: an earlier one that
 * only a barrier of some warps leaves out is not found.
 *
 * Accesses that are .volatile, and two atomics, do not race. Each place, an instruction of a
 * kernel that does one of these, is told of once, with its first thread, and counted.
 */

#ifndef EXEC_CHECK_H
#define EXEC_CHECK_H

#include <stdint.h>
#include <stdio.h>

struct exec_check;

/* NULL: no memory. One is for all launches of a run. */
struct exec_check *exec_check_open(void);
void exec_check_close(struct exec_check *check);
/* How often something was found. */
uint64_t exec_check_found(const struct exec_check *check);
/* A line for each of the first `most` places, in the order in which they were found, and one
 * that sums up; each begins with `before`. Nothing if nothing was found. */
void exec_check_print(const struct exec_check *check, uint32_t most, const char *before,
                      FILE *to);

#endif
