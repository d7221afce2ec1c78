/*
 * gpu_plan - a kernel of the host whose CTAs launch children, and those others, as a plan says,
 * on a small GPU with LaPerm. Children are launched from a sample after the cycle in which
 * their parent starts.
 */

#ifndef GPU_PLAN_H
#define GPU_PLAN_H

#include "tb/gpu/gpu_events.h"

enum { PLAN_KERNELS = 48, WIDTH = 4 /* SMs of the paper's examples */ };

/* A CTA of a kernel that launches, and how many CTAs. The parent's number is that of its
 * launch, and 1 more; the host's kernel is 0. */
struct child {
    uint32_t parent, cta, ctas;
};
struct plan {
    const struct child *child;
    uint32_t n;    /* launches */
    bool groups;   /* they are groups of CTAs */
    uint32_t turn; /* a launch is made in cycles of which this is the rest, of WIDTH */
    bool done[PLAN_KERNELS];
    uint32_t kernel[PLAN_KERNELS]; /* of each launch */
    uint32_t depth[PLAN_KERNELS];  /* of each kernel */
};

extern struct plan plan;
extern struct program plan_program; /* of all kernels */
extern uint32_t plan_warps;         /* of a CTA of a child; 1 */
extern struct hand_kernel plan_hand[PLAN_KERNELS];
extern struct events plan_events;

struct gpu_config plan_config(enum bind_mode mode, uint32_t sms, uint32_t slots);
/* All kernels run a chain of so many instructions. */
void set_program(uint32_t length);
/* A monitor's sample: launches the children whose parents have started. */
void plan_launch(void *self, struct gpu *g, uint64_t cycle);
/* Runs parents and what they launch. The statistics are valid until the next call. */
const struct gpu_stats *run_plan(const struct gpu_config *c, uint32_t parents,
                                 const struct child *child, uint32_t n, unsigned mode);
/* Each CTA of each kernel ran, once. */
void check_once(const struct gpu_stats *stats);

#endif
