/* gpu_plan - see gpu_plan.h. */

#include "tb/gpu/units/gpu_plan.h"

struct plan plan;
struct program plan_program;
uint32_t plan_warps = 1u;
struct hand_kernel plan_hand[PLAN_KERNELS];
struct events plan_events;

static void launch_child(struct gpu *g, uint32_t which, uint32_t sm, uint64_t cycle)
{
    const uint32_t id = gpu_kernels(g), parent = plan.child[which].parent;
    const uint32_t depth = plan.depth[parent] + 1u;
    struct fault fault;

    assert_true(id < PLAN_KERNELS);
    plan_hand[id] = kernel_of(&plan_program, plan.child[which].ctas, plan_warps);
    plan.depth[id] = depth;
    plan.kernel[which] = id;
    plan.done[which] = true;
    const struct kernel_source source = source_of(&plan_hand[id]);
    const struct gpu_child child = { .group = plan.groups,
                                     .parent = parent,
                                     .depth = depth,
                                     .priority = depth,
                                     .sm = sm,
                                     .launched = cycle };
    assert_true(gpu_launch_child(g, &source, &child, &fault));
}

/* The event of a CTA's start; NULL if it has not started. */
static const struct cta_event *started(uint32_t kernel, uint32_t cta)
{
    for (uint32_t i = 0u; i < plan_events.n; i++) {
        const struct cta_event *const e = &plan_events.event[i];
        if (e->start && e->kernel == kernel && e->cta == cta) {
            return e;
        }
    }
    return NULL;
}

/* In the order of the plan. */
void plan_launch(void *self, struct gpu *g, uint64_t cycle)
{
    (void)self;
    for (uint32_t k = 0u; cycle % WIDTH == plan.turn && k < plan.n; k++) {
        const struct cta_event *const e =
            plan.done[k] ? NULL : started(plan.child[k].parent, plan.child[k].cta);
        if (e != NULL) {
            launch_child(g, k, e->sm, cycle);
        }
    }
}

struct gpu_config plan_config(enum bind_mode mode, uint32_t sms, uint32_t slots)
{
    struct gpu_config c = small_config();

    c.sm.count = c.cluster.count = sms;
    c.sm.cta_slots = slots;
    c.laperm.mode = mode;
    return c;
}

const struct gpu_stats *run_plan(const struct gpu_config *c, uint32_t parents,
                                 const struct child *child, uint32_t n, unsigned mode)
{
    static struct gpu *g;
    struct gpu_monitor monitor = events_monitor(&plan_events);
    const struct gpu_hooks hooks = { .monitor = &monitor };

    monitor.interval = 1u;
    monitor.sample = plan_launch;
    memset(&plan, 0, sizeof plan);
    plan.child = child;
    plan.n = n;
    plan.groups = c->cdp.groups;
    plan.turn = 0u; /* then those of a round are launched in one cycle */
    plan_hand[0] = kernel_of(&plan_program, parents, 1u);
    gpu_close(g);
    g = open_gpu(c, &hooks, mode);
    launch(g, &plan_hand[0], 0u);
    return run_to_end(g);
}

void set_program(uint32_t length)
{
    plan_program = (struct program){ .length = 0u };
    emit_chain(&plan_program, OP_INTEGER, length, 0u);
    emit_exit(&plan_program);
}

void check_once(const struct gpu_stats *stats)
{
    uint32_t ctas = 0u;

    for (uint32_t k = 0u; k < stats->n_kernel; k++) {
        assert_int_equal(plan_hand[k].opened, plan_hand[k].shape.grid[0]);
        assert_int_equal(plan_hand[k].freed, plan_hand[k].opened);
        ctas += plan_hand[k].opened;
    }
    assert_int_equal(plan_events.n, 2u * ctas);
}
