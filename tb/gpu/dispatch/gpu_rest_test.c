/*
 * Tests of what a source is told of a CTA that is off its SM, where it waits for what it has
 * launched: it may keep the CTA in less memory if all pieces have been issued, and must keep
 * each piece of which a part has not.
 */

#include "tb/gpu/gpu_kernel.h"

/* ---- A kernel of one CTA ------------------------------------------------------------- */

enum { WARPS = 3, PIECES = 4 };

/* Warp 0 waits for children, and warp 1 at a barrier, to which warp 0 comes when it has waited.
 * Warp 2, whose stream comes whole, has exited. */
struct parent {
    struct instruction piece[WARPS][PIECES][4];
    uint32_t n[WARPS][PIECES];
    uint32_t asked[WARPS]; /* pieces that have been given */
    uint32_t rested, freed;
    struct gpu *gpu;
};

static struct instruction instruction_of(enum op_class op, uint8_t flags)
{
    return (struct instruction){ .op = (uint8_t)op, .flags = flags, .lanes = WARP_SIZE };
}

static void add(struct parent *p, uint32_t warp, uint32_t piece, enum op_class op,
                uint8_t flags)
{
    p->piece[warp][piece][p->n[warp][piece]++] = instruction_of(op, flags);
}

/* whole: the barrier of warp 1 is in one piece with what follows. */
static struct parent parent_of(bool whole)
{
    struct parent p = { .rested = 0u };

    add(&p, 0u, 0u, OP_FP32, 0u);
    add(&p, 0u, 1u, OP_EXIT, CHILDREN);
    add(&p, 0u, 2u, OP_BARRIER, 0u);
    add(&p, 0u, 3u, OP_EXIT, 0u);
    add(&p, 1u, 0u, OP_BARRIER, 0u);
    add(&p, 1u, whole ? 0u : 1u, OP_FP32, 0u);
    add(&p, 1u, whole ? 0u : 1u, OP_EXIT, 0u);
    add(&p, 2u, 0u, OP_EXIT, 0u);
    return p;
}

static struct warp_stream next_of(struct parent *p, uint32_t warp)
{
    static const uint32_t none;
    const uint32_t piece = p->asked[warp]++;

    assert_in_range(piece, 0u, PIECES - 1u);
    assert_int_not_equal(p->n[warp][piece], 0u);
    return (struct warp_stream){ .instruction = p->piece[warp][piece],
                                 .access = &none,
                                 .n = warp == 2u ? 0u : p->n[warp][piece] };
}

static bool parent_open(void *self, uint32_t cta, struct warp_stream *warp, void **handle,
                        struct fault *fault)
{
    (void)fault;
    assert_int_equal(cta, 0u);
    for (uint32_t w = 0u; w < WARPS; w++) {
        warp[w] = next_of(self, w);
    }
    *handle = self;
    return true;
}

static bool parent_more(void *self, void *handle, uint32_t warp, uint64_t cycle,
                        struct warp_stream *stream, struct fault *fault)
{
    (void)cycle;
    (void)fault;
    assert_ptr_equal(self, handle);
    *stream = next_of(self, warp);
    return true;
}

/* What has been given is not read any more. */
static void parent_rest(void *self, void *handle)
{
    struct parent *const p = self;

    assert_ptr_equal(self, handle);
    p->rested++;
    for (uint32_t w = 0u; w < WARPS; w++) {
        for (uint32_t k = 0u; k < p->asked[w]; k++) {
            memset(p->piece[w][k], 0xff, sizeof p->piece[w][k]);
        }
    }
}

static void parent_free(void *self, void *handle)
{
    struct parent *const p = self;

    assert_ptr_equal(self, handle);
    p->freed++;
}

static bool parent_ended(void *self, struct fault *fault)
{
    (void)fault;
    gpu_complete(((struct parent *)self)->gpu, 0u);
    return true;
}

/* ---- Another, for whose end it waits ------------------------------------------------- */

static struct gpu *of_child;

static bool child_ended(void *self, struct fault *fault)
{
    (void)self;
    (void)fault;
    gpu_complete(of_child, 1u);
    gpu_children_ended(of_child, 0u, 0u);
    return true;
}

/* How often the parent's CTA has been told to rest. */
static uint32_t rests_of(struct parent *p, bool told)
{
    static struct program slow;
    const struct gpu_config config = small_config();
    struct fault fault;

    if (slow.length == 0u) {
        emit_chain(&slow, OP_FP32, PROGRAM_MOST - 1u, 0u);
        emit_exit(&slow);
    }
    struct hand_kernel child = kernel_of(&slow, 1u, 1u);
    struct kernel_source own = source_of(&child), waits = source_of(&child);
    own.close = NULL;
    own.ended = child_ended;
    waits.self = p;
    waits.shape.block[0] = WARPS * WARP_SIZE;
    waits.open_cta = parent_open;
    waits.more = parent_more;
    waits.rest = told ? parent_rest : NULL;
    waits.free_cta = parent_free;
    waits.close = NULL;
    waits.ended = parent_ended;
    of_child = p->gpu = open_gpu(&config, NULL, 0u);
    assert_true(gpu_launch(p->gpu, &waits, 0u, &fault));
    assert_true(gpu_launch(p->gpu, &own, 1u, &fault));
    assert_int_equal(run_to_end(p->gpu)->kernel[0].left, 1u);
    assert_int_equal(p->freed, 1u);
    gpu_close(p->gpu);
    return p->rested;
}

/* ---- Tests --------------------------------------------------------------------------- */

static void a_cta_all_of_whose_pieces_have_been_issued_may_rest(void **state)
{
    (void)state;
    struct parent p = parent_of(false);
    assert_int_equal(rests_of(&p, true), 1u);
    assert_int_equal(p.asked[0], 4u);
    assert_int_equal(p.asked[1], 2u);
}

static void a_cta_does_not_rest_of_which_a_warp_stands_within_a_piece(void **state)
{
    (void)state;
    struct parent p = parent_of(true);
    assert_int_equal(rests_of(&p, true), 0u);
    assert_int_equal(p.asked[0], 4u);
    assert_int_equal(p.asked[1], 1u);
}

static void a_source_need_not_be_told(void **state)
{
    (void)state;
    struct parent p = parent_of(false);
    assert_int_equal(rests_of(&p, false), 0u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cta_all_of_whose_pieces_have_been_issued_may_rest),
        cmocka_unit_test(a_cta_does_not_rest_of_which_a_warp_stands_within_a_piece),
        cmocka_unit_test(a_source_need_not_be_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
