/*
 * exec_footprint - how much of the memory that CTAs access they share with the CTAs that they
 * launch, and those with each other: LaPerm's shared footprint (ISCA 2016, III.A), which its
 * Fig 2 shows.
 *
 * A footprint is the set of blocks of 128 bytes of global memory that CTAs load from, store to
 * or use atomics on. What calls of the device runtime do is not part of it, nor are the
 * parameters of launches (rule FP-1). A CTA that launches a kernel is a direct parent. All CTAs
 * of all kernels that it launches are its children, its tail launches included; they are
 * siblings. A child that launches is a direct parent, too (rule FP-5). All CTAs of a kernel
 * with a direct parent are parents.
 *
 * Means are of ratios, without weights, and ratios whose denominator is 0 have no part in them:
 *
 *   parent-child    of a direct parent: its blocks that its children access as well, over all
 *                   that its children access (rule FP-2)
 *   child-sibling   of a direct parent: the mean over its children of blocks that the child
 *                   and its siblings access, over all that its siblings access (rule FP-3)
 *   parent-parent   of a kernel: the mean over its parents of blocks that the parent and the
 *                   kernel's other CTAs access, over all that these access (rule FP-4)
 *
 * A direct parent counts when all its children have ended. Nothing depends on the order in
 * which CTAs are executed.
 */

#ifndef EXEC_FOOTPRINT_H
#define EXEC_FOOTPRINT_H

#include <stdbool.h>
#include <stdint.h>

#define FOOTPRINT_BYTES (UINT64_C(1) << 30) /* that footprints take, at most */
enum { FOOTPRINT_BLOCK = 128, FOOTPRINT_LEVELS = 32 };

enum footprint_kind {
    FOOTPRINT_PARENT_CHILD,
    FOOTPRINT_CHILD_SIBLING,
    FOOTPRINT_PARENT_PARENT,
    FOOTPRINT_KINDS
};
/* Of n ratios, each in units of 2^-32. */
struct footprint_mean {
    uint64_t n, sum;
};
/* Of the direct parents of a level; level 0 are the kernels of the host. */
struct footprint_level {
    uint64_t kernels; /* that have a direct parent */
    uint64_t parents, direct_parents, children;
    struct footprint_mean mean[FOOTPRINT_KINDS];
};

/* Of a run; of a launch; of a CTA. */
struct exec_footprint;
struct footprint_launch;
struct footprint_cta;

/* The footprints of a run take at most so many bytes; beyond, an access is illegal. NULL: no
 * memory. */
struct exec_footprint *exec_footprint_open(uint64_t bytes);
void exec_footprint_close(struct exec_footprint *run);

/* A launch of so many CTAs, at a level below FOOTPRINT_LEVELS; by: the CTA that launches it;
 * NULL: the host. NULL: no memory. */
struct footprint_launch *exec_footprint_launch(struct exec_footprint *run,
                                               struct footprint_cta *by, uint64_t ctas,
                                               uint32_t level);

/* How many levels have direct parents that count; they come into level, if it is not NULL. */
uint32_t exec_footprint_levels(const struct exec_footprint *run,
                               struct footprint_level level[FOOTPRINT_LEVELS]);
/* Adds what a level has. */
void footprint_level_add(struct footprint_level *to, const struct footprint_level *from);
/* NaN: of no ratio. */
double footprint_mean(const struct footprint_mean *mean);

#endif
