/* gpu_marks - which warp issues when; see gpu_marks.h. */

#include "tb/gpu/sm/gpu_marks.h"

#include "tb/gpu/gpu_watch.h"

struct mark marks[MARKS_MOST];
uint32_t n_marks;

static uint32_t mark_line(const struct hand_kernel *k, uint32_t cta, uint32_t warp, uint32_t i)
{
    (void)k;
    return ACCESS(cta * MARKS_A_CTA + warp * MARKS_A_WARP + i, 15u);
}

/* A store passes the cluster's port. */
static bool note_mark(void *seat, const void *unit, const void *inputs, void *outputs,
                      const void *next, uint64_t cycle)
{
    const struct cluster_port_in *const in = inputs;
    const struct cluster_port_out *const out = outputs;

    (void)seat;
    (void)unit;
    (void)next;
    if (in->request_write && out->request_taken) {
        const uint32_t line = (uint32_t)(in->request_line >> 9); /* the rest is its part */
        assert_true(n_marks < MARKS_MOST);
        marks[n_marks++] = (struct mark){ line / MARKS_A_CTA, line % MARKS_A_CTA / MARKS_A_WARP,
                                          line % MARKS_A_WARP, cycle - 2u };
    }
    return true;
}

struct gpu_config marked_config(enum warp_policy policy)
{
    struct gpu_config c = small_config();
    c.warp.policy = policy;
    c.fetch.warps = 4u;
    c.fetch.width = 8u;
    c.ldst.queue = 16u;
    c.ldst.miss_queue = 64u;
    c.icc.entries = 1u; /* a port that can be watched */
    return c;
}

void run_marked(const struct gpu_config *c, struct hand_kernel *k)
{
    struct gpu_watch watch = { .socket = SOCKET_cluster_port, .evaluated = note_mark };
    const struct gpu_peer marker = gpu_watch_peer(&watch);
    const struct gpu_hooks hooks = { .peer = &marker };
    struct gpu *const g = open_gpu(c, &hooks, 0u);
    n_marks = 0u;
    k->access = mark_line;
    launch(g, k, 0u);
    (void)run_to_end(g);
    gpu_close(g);
}

static void check_digits(const char *expected, bool of_ctas)
{
    char got[MARKS_MOST + 1] = "";
    for (uint32_t k = 0u; k < n_marks; k++) {
        got[k] = (char)('0' + (of_ctas ? marks[k].cta : marks[k].warp));
    }
    assert_string_equal(got, expected);
}

void check_warps(const char *warps)
{
    check_digits(warps, false);
}

void check_ctas(const char *ctas)
{
    check_digits(ctas, true);
}

void emit_marks(struct program *p, uint32_t n)
{
    for (uint32_t k = 0u; k < n; k++) {
        const uint32_t n_mark = p->accesses;
        emit(p, OP_STORE, REGISTER_NONE, R, 1u)->note = (uint16_t)n_mark;
    }
}

void make_marks(struct program *p, uint32_t before, bool addition, uint32_t after)
{
    *p = (struct program){ .length = 0u };
    emit_marks(p, before);
    if (addition) {
        (void)emit(p, OP_INTEGER, R, R, 0u);
    }
    emit_marks(p, after);
    emit_exit(p);
}
