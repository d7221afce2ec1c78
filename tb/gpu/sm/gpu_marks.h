/*
 * gpu_marks - stores by which tests see which warp issues when: store n of a warp goes to a
 * line that says so, and passes the cluster's port two cycles after it issued.
 */

#ifndef GPU_MARKS_H
#define GPU_MARKS_H

#include "tb/gpu/gpu_kernel.h"

struct mark {
    uint32_t cta, warp, n;
    uint64_t issued;
};
enum { MARKS_MOST = 4096, MARKS_A_WARP = 256, MARKS_A_CTA = MARKS_A_WARP * 16 };
extern struct mark marks[MARKS_MOST]; /* of the last run, as they issued */
extern uint32_t n_marks;

/* A machine whose marks can be seen, and on which nothing else delays them. */
struct gpu_config marked_config(enum warp_policy policy);

/* Runs a kernel and leaves its marks. */
void run_marked(const struct gpu_config *c, struct hand_kernel *k);

/* All marks are of these warps, or CTAs: a digit each. */
void check_warps(const char *warps);
void check_ctas(const char *ctas);

void emit_marks(struct program *p, uint32_t n);
/* n marks, an addition whose result the later ones need, n more. */
void make_marks(struct program *p, uint32_t before, bool addition, uint32_t after);

#endif
