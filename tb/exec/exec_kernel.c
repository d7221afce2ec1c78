/* exec_kernel - ; see exec_kernel.h. */

#include "tb/exec/exec_kernel.h"

#include <stdlib.h>

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
                                      .mhz = 1000u,
                                      .ahead = 256u,
                                      .limit = 1u << 16,
                                      .streams = true };
    assert_non_null(b->launch.function);
}

static void forget(struct bench *b)
{
    exec_release(b->handle);
    b->handle = NULL;
    for (uint32_t k = 0u; k < MAX_WARPS; k++) {
        free((void *)(uintptr_t)b->warp[k].instruction);
        free((void *)(uintptr_t)b->warp[k].access);
        b->warp[k] = (struct warp_stream){ .n = 0u };
    }
}

void bench_close(struct bench *b)
{
    forget(b);
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
    assert_in_range(i->op, 0u, b->launch.fences ? OP_FENCE : OP_EXIT);
    assert_in_range(i->lanes, 0u, WARP_SIZE);
    assert_in_range(i->pc, 0u, b->launch.function->n_inst - 1u);
    assert_in_range(i->accesses, fewest_accesses(i), i->op == OP_SHARED ? 32u : MAX_ACCESSES);
    if (i->op <= OP_TENSOR || i->op == OP_FENCE) {
        assert_in_range(i->flags, KIND_PLAIN, OPERATION_KINDS - 1);
    } else {
        assert_true((i->flags & TAKEN) == 0u || i->op == OP_BRANCH);
    }
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
        for (uint32_t k = 0u; i->op != OP_SHARED && i->op != OP_BARRIER && k < i->accesses;
             k++) {
            if (i->op == OP_ATOMIC && k >= i->accesses / 2u) {
                assert_in_range(turns_meet(*access), 1u, i->lanes);
                assert_in_range(turns_lanes(*access), turns_meet(*access), i->lanes);
                access++;
            } else {
                assert_int_not_equal(access_quarters(*access++), 0u);
            }
        }
        if (i->op == OP_EXIT) {
            return n;
        }
    }
}

/* Words of access that a piece takes. */
static size_t words_of(const struct warp_stream *piece)
{
    size_t n = 0u;
    for (uint32_t k = 0u; k < piece->n; k++) {
        const struct instruction *const i = &piece->instruction[k];
        n += i->op == OP_SHARED || i->op == OP_BARRIER ? 0u : i->accesses;
    }
    return n;
}

/* Adds a piece to a stream, which keeps the number of its words in words[]. */
static void append(struct warp_stream *stream, size_t *words, const struct warp_stream *piece)
{
    const size_t more = words_of(piece);
    struct instruction *const i =
        realloc((void *)(uintptr_t)stream->instruction, (stream->n + piece->n) * sizeof *i);
    uint32_t *const access =
        realloc((void *)(uintptr_t)stream->access, (*words + more + 1u) * sizeof *access);
    assert_non_null(i);
    assert_non_null(access);
    assert_int_not_equal(piece->n, 0u);
    memcpy(i + stream->n, piece->instruction, piece->n * sizeof *i);
    memcpy(access + *words, piece->access, more * sizeof *access);
    *words += more;
    *stream =
        (struct warp_stream){ .instruction = i, .access = access, .n = stream->n + piece->n };
}

/* What a warp does behind its piece. */
static bool goes_on(const struct warp_stream *piece)
{
    const struct instruction *const last = &piece->instruction[piece->n - 1u];
    return last->op != OP_EXIT && (last->op != OP_BARRIER || (last->flags & ARRIVE) != 0u);
}

/* Opens the barriers that are complete: those of the whole CTA, and others by their number. */
static void open_barriers(const struct bench *b, struct warp_stream *piece, bool *waits,
                          uint32_t arrived[BARRIERS])
{
    const uint32_t warps = bench_warps(b);
    uint32_t alive = 0u;
    for (uint32_t k = 0u; k < warps; k++) {
        alive += piece[k].instruction[piece[k].n - 1u].op != OP_EXIT;
    }
    for (uint32_t k = 0u; k < warps; k++) {
        const struct instruction *const last = &piece[k].instruction[piece[k].n - 1u];
        const uint32_t number = barrier_number(last->flags);
        const uint32_t expected = last->accesses != 0u ? last->accesses : alive;
        if (!waits[k] || arrived[number] < expected) {
            continue;
        }
        for (uint32_t other = 0u; other < warps; other++) {
            const struct instruction *const at = &piece[other].instruction[piece[other].n - 1u];
            waits[other] = waits[other] && barrier_number(at->flags) != number;
        }
        arrived[number] = 0u;
    }
}

static void count_arrivals(const struct warp_stream *piece, uint32_t arrived[BARRIERS])
{
    for (uint32_t k = 0u; k < piece->n; k++) {
        if (piece->instruction[k].op == OP_BARRIER) {
            arrived[barrier_number(piece->instruction[k].flags)]++;
        }
    }
}

bool bench_try(struct bench *b, uint32_t cta)
{
    struct warp_stream piece[MAX_WARPS];
    size_t words[MAX_WARPS] = { 0u };
    uint32_t arrived[BARRIERS] = { 0u };
    bool waits[MAX_WARPS] = { false };
    bool runs = true;
    forget(b);
    if (!b->launch.streams) {
        return exec_grid(b->exec, &b->launch, &b->fault) == EXEC_DONE;
    }
    if (!exec_cta(b->exec, &b->launch, cta, piece, &b->handle, &b->fault)) {
        return false;
    }
    for (uint32_t k = 0u; k < bench_warps(b); k++) {
        append(&b->warp[k], &words[k], &piece[k]);
        count_arrivals(&piece[k], arrived);
        waits[k] = !goes_on(&piece[k]) && piece[k].instruction[piece[k].n - 1u].op != OP_EXIT;
    }
    for (uint64_t cycle = 1u; runs; cycle++) {
        runs = false;
        open_barriers(b, piece, waits, arrived);
        for (uint32_t k = 0u; k < bench_warps(b); k++) {
            if (waits[k] || piece[k].instruction[piece[k].n - 1u].op == OP_EXIT) {
                continue;
            }
            runs = true;
            if (!exec_more(b->handle, k, cycle, &piece[k], &b->fault)) {
                return false;
            }
            append(&b->warp[k], &words[k], &piece[k]);
            count_arrivals(&piece[k], arrived);
            waits[k] =
                !goes_on(&piece[k]) && piece[k].instruction[piece[k].n - 1u].op != OP_EXIT;
        }
    }
    return true;
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
        word += i->op == OP_SHARED || i->op == OP_BARRIER ? 0u : i->accesses;
        if (i->op == OP_EXIT) {
            fail_msg("no such record in warp %u's stream: class %u", warp, op);
            return i;
        }
    }
}
