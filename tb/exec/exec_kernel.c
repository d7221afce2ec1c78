/* exec_kernel - ; see exec_kernel.h. */

#include "tb/exec/exec_kernel.h"

void bench_open(struct bench *b, const char *text, uint32_t threads)
{
    *b = (struct bench){ .handle = NULL };
    b->module = ptx_load_text("test.ptx", text, strlen(text), &b->fault);
    if (b->module == NULL) {
        fail_msg("%s", fault_text(&b->fault));
        return;
    }
    b->memory = device_memory_open();
    b->exec = exec_open();
    b->out = device_alloc(b->memory, (uint64_t)WORDS * 4u);
    b->word = device_at(b->memory, b->out, (uint64_t)WORDS * 4u);
    b->params.out = b->out;
    b->launch = (struct exec_launch){ .module = b->module,
                                      .function = ptx_entry(b->module, "k"),
                                      .memory = b->memory,
                                      .constants = b->constants,
                                      .params = (const uint8_t *)&b->params,
                                      .grid = { 1u, 1u, 1u },
                                      .block = { threads, 1u, 1u },
                                      .l1_line = 128u,
                                      .constant_line = 64u,
                                      .texture_line = 32u,
                                      .banks = 32u,
                                      .limit = 1u << 20,
                                      .streams = true };
    assert_non_null(b->launch.function);
}

void bench_close(struct bench *b)
{
    if (b->handle != NULL) {
        exec_release(b->exec, b->handle);
    }
    exec_close(b->exec);
    device_memory_close(b->memory);
    ptx_free(b->module);
}

uint32_t bench_warps(const struct bench *b)
{
    const uint32_t *const block = b->launch.block;
    return (block[0] * block[1] * block[2] + WARP_SIZE - 1u) / WARP_SIZE;
}

static uint32_t fewest_accesses(const struct instruction *i)
{
    return i->op >= OP_LOAD && i->op < OP_BRANCH && i->lanes != 0u ? 1u : 0u;
}

void check_instruction(const struct bench *b, const struct instruction *i)
{
    assert_in_range(i->op, 0u, OP_EXIT);
    assert_in_range(i->lanes, 0u, WARP_SIZE);
    assert_in_range(i->pc, 0u, b->launch.function->n_inst - 1u);
    assert_in_range(i->accesses, fewest_accesses(i), i->op == OP_SHARED ? 32u : MAX_ACCESSES);
    assert_true((i->flags & TAKEN) == 0u || i->op == OP_BRANCH);
    assert_true(i->dst == REGISTER_NONE ? i->n_dst == 0u
                                        : i->n_dst >= 1u && i->dst + i->n_dst <= 256u);
}

uint32_t check_stream(const struct bench *b, const struct warp_stream *stream)
{
    const uint32_t *access = stream->access;
    uint32_t n = 0u;
    assert_non_null(access);
    for (const struct instruction *i = stream->instruction;; i++) {
        check_instruction(b, i);
        n++;
        for (uint32_t k = 0u; i->op != OP_SHARED && k < i->accesses; k++) {
            assert_int_not_equal(access_quarters(*access++), 0u);
        }
        if (i->op == OP_EXIT) {
            return n;
        }
    }
}

bool bench_try(struct bench *b, uint32_t cta)
{
    if (b->handle != NULL) {
        exec_release(b->exec, b->handle);
    }
    return exec_cta(b->exec, &b->launch, cta, b->warp, &b->handle, &b->fault);
}

void bench_run(struct bench *b)
{
    const uint64_t before = exec_instructions(b->exec);
    uint32_t n = 0u;
    if (!bench_try(b, 0u)) {
        fail_msg("%s", fault_text(&b->fault));
    }
    for (uint32_t k = 0u; k < bench_warps(b); k++) {
        n += check_stream(b, &b->warp[k]);
    }
    assert_int_equal(n, exec_instructions(b->exec) - before);
}

void bench_once(struct bench *b, const char *text, uint32_t threads)
{
    bench_open(b, text, threads);
    bench_run(b);
}

void bench_refuses(const char *text, uint32_t threads, const char *message)
{
    struct bench b;
    bench_open(&b, text, threads);
    if (bench_try(&b, 0u)) {
        fail_msg("executed, but should have failed: %s", message);
    }
    assert_string_equal(fault_text(&b.fault), message);
    bench_close(&b);
}

const struct instruction *record_of(const struct bench *b, uint32_t warp, uint32_t op,
                                    uint32_t n, const uint32_t **access)
{
    const uint32_t *word = b->warp[warp].access;
    for (const struct instruction *i = b->warp[warp].instruction;; i++) {
        if (i->op == op && n-- == 0u) {
            if (access != NULL) {
                *access = word;
            }
            return i;
        }
        word += i->op == OP_SHARED ? 0u : i->accesses;
        if (i->op == OP_EXIT) {
            fail_msg("no such record in warp %u's stream: class %u", warp, op);
            return i;
        }
    }
}
