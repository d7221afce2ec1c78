/*
 * Tests that an access of 32 lanes at once and the same access in two halves, lane by lane,
 * give the bytes of a plain model of memory, and nothing else: random widths, alignments,
 * masks, strides, and spans over the ends of allocations, in every space.
 *
 * The seed is printed; SEED=N draws others.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exec/exec.h"

enum {
    ROUNDS = 120, /* of a kernel */
    BUFFERS = 4,
    SHARED = 512, /* bytes of a CTA */
    THREAD = 320, /* of a thread: more than a row of 8 bytes a lane */
    CONSTANTS = 256,
    IMAGE = SHARED + THREAD * WARP_SIZE, /* first and last bytes of both */
    MOST = 4096                          /* bytes of a buffer */
};

static uint64_t random_state;

/* 0 .. n - 1. */
static uint32_t draw(uint32_t n)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(random_state >> 33) % n;
}

static void fill(uint8_t *bytes, size_t n)
{
    for (size_t k = 0u; k < n; k++) {
        bytes[k] = (uint8_t)draw(256u);
    }
}

/* ---- Kernels ------------------------------------------------------------------------- */

struct kind {
    const char *space; /* as PTX writes it; "" is generic */
    enum ptx_space in;
    bool store;
    const char *type; /* with the vector */
    uint32_t elements, bytes;
    bool sign;
    bool wide; /* registers of 64 bits */
};

static const char *elements_of(const struct kind *k)
{
    static const char *const narrow[] = { "", "%v1", "{%v1,%v2}", "", "{%v1,%v2,%v3,%v4}" };
    static const char *const wide[] = { "", "%w1", "{%w1,%w2}", "", "{%w1,%w2,%w3,%w4}" };
    return k->wide ? wide[k->elements] : narrow[k->elements];
}

static size_t put_access(char *text, size_t size, const struct kind *k, const char *guard)
{
    return (size_t)(k->store ? snprintf(text, size, "@%s st%s.%s [%%a], %s;\n", guard, k->space,
                                        k->type, elements_of(k))
                             : snprintf(text, size, "@%s ld%s.%s %s, [%%a];\n", guard, k->space,
                                        k->type, elements_of(k)));
}

/* Lane t takes its address from word t of `table` and values from words 4t on of `value`, and
 * leaves its values there. Shared and local memory begin and end as `image`. */
#define BEFORE                                                                             \
    ".visible .entry %s(.param .u64 table, .param .u64 value, .param .u64 image,\n"        \
    ".param .u32 mask)\n{\n.reg .u32 %%r<8>, %%v<5>;\n.reg .u64 %%d<8>, %%w<5>, %%x<5>;\n" \
    ".reg .u64 %%a;\n.reg .pred %%p<8>;\n"                                                 \
    ".shared .align 16 .b8 s[512];\n.local .align 16 .b8 l[320];\n"                        \
    "mov.u32 %%r1, %%tid.x;\nld.param.u64 %%d1, [table];\nmul.wide.u32 %%d2, %%r1, 8;\n"   \
    "add.u64 %%d1, %%d1, %%d2;\nld.global.u64 %%a, [%%d1];\nld.param.u64 %%d1, [value];\n" \
    "mul.wide.u32 %%d2, %%r1, 32;\nadd.u64 %%d3, %%d1, %%d2;\n"                            \
    "ld.global.v2.u64 {%%w1,%%w2}, [%%d3];\nld.global.v2.u64 {%%w3,%%w4}, [%%d3+16];\n"    \
    "cvt.u32.u64 %%v1, %%w1;\ncvt.u32.u64 %%v2, %%w2;\ncvt.u32.u64 %%v3, %%w3;\n"          \
    "cvt.u32.u64 %%v4, %%w4;\nld.param.u64 %%d1, [image];\nmul.wide.u32 %%d2, %%r1, 16;\n" \
    "add.u64 %%d4, %%d1, %%d2;\nmov.u64 %%d5, s;\nadd.u64 %%d5, %%d5, %%d2;\n"             \
    "ld.global.v2.u64 {%%x1,%%x2}, [%%d4];\nst.shared.v2.u64 [%%d5], {%%x1,%%x2};\n"       \
    "mul.wide.u32 %%d2, %%r1, 320;\nadd.u64 %%d6, %%d1, %%d2;\n"
#define MASKS                                                                        \
    "ld.param.u32 %r2, [mask];\nshr.u32 %r3, %r2, %r1;\nand.b32 %r3, %r3, 1;\n"      \
    "setp.ne.u32 %p1, %r3, 0;\nsetp.lt.u32 %p2, %r1, 16;\nand.pred %p3, %p1, %p2;\n" \
    "not.pred %p2, %p2;\nand.pred %p4, %p1, %p2;\n"
#define AFTER                                                                     \
    "st.global.v2.u64 [%d3], {%w1,%w2};\nst.global.v2.u64 [%d3+16], {%w3,%w4};\n" \
    "ld.shared.v2.u64 {%x1,%x2}, [%d5];\nst.global.v2.u64 [%d4], {%x1,%x2};\n"
#define WIDEN                                                               \
    "cvt.u64.u32 %w1, %v1;\ncvt.u64.u32 %w2, %v2;\ncvt.u64.u32 %w3, %v3;\n" \
    "cvt.u64.u32 %w4, %v4;\n"

/* Copies the thread's local memory from `image`, or to it. */
static size_t put_local(char *text, size_t size, bool in)
{
    size_t n = 0u;
    for (uint32_t at = 0u; at < THREAD; at += 16u) {
        n += (size_t)snprintf(text + n, size - n,
                              in ? "ld.global.v2.u64 {%%x1,%%x2}, [%%d6+%u];\n"
                                   "st.local.v2.u64 [l+%u], {%%x1,%%x2};\n"
                                 : "ld.local.v2.u64 {%%x1,%%x2}, [l+%u];\n"
                                   "st.global.v2.u64 [%%d6+%u], {%%x1,%%x2};\n",
                              in ? SHARED + at : at, in ? at : SHARED + at);
    }
    return n;
}

static size_t put_kernel(char *text, size_t size, const struct kind *k, const char *name,
                         const char *const *guard)
{
    size_t n = (size_t)snprintf(text, size, BEFORE, name);
    n += put_local(text + n, size - n, true);
    n += (size_t)snprintf(text + n, size - n, "%s", MASKS);
    for (uint32_t g = 0u; guard[g] != NULL; g++) {
        n += put_access(text + n, size - n, k, guard[g]);
    }
    n += (size_t)snprintf(text + n, size - n, "%s%s", k->wide ? "" : WIDEN, AFTER);
    n += put_local(text + n, size - n, false);
    return n + (size_t)snprintf(text + n, size - n, "ret;\n}\n");
}

/* ---- The plain model ----------------------------------------------------------------- */

struct memory {
    uint8_t buffer[BUFFERS][MOST];
    uint8_t image[IMAGE];
    uint64_t value[WARP_SIZE * 4];
};

struct bench {
    struct ptx_module *module;
    struct device_memory *device;
    struct exec *exec;
    uint64_t at[BUFFERS], bytes[BUFFERS];
    uint64_t table, value, image;
    uint8_t constants[CONSTANTS];
    struct memory before, expected;
    struct {
        uint64_t table, value, image;
        uint32_t mask, pad;
    } params;
};

static uint8_t *inside(uint8_t *base, uint64_t size, uint64_t offset, uint64_t bytes)
{
    return offset < size && size - offset >= bytes ? base + offset : NULL;
}

/* Where a lane's bytes are, or NULL. */
static uint8_t *plain_at(struct bench *b, enum ptx_space space, uint32_t lane, uint64_t address,
                         uint64_t bytes)
{
    uint8_t *const local = b->expected.image + SHARED + (size_t)THREAD * lane;
    uint8_t *found = NULL;
    if (space == SPACE_GENERIC && address - PTX_SHARED_BASE < PTX_WINDOW) {
        return inside(b->expected.image, SHARED, address - PTX_SHARED_BASE, bytes);
    }
    if (space == SPACE_GENERIC && address - PTX_LOCAL_BASE < PTX_WINDOW) {
        return inside(local, THREAD, address - PTX_LOCAL_BASE, bytes);
    }
    if (space == SPACE_GENERIC && address - PTX_CONST_BASE < PTX_WINDOW) {
        return inside(b->constants, CONSTANTS, address - PTX_CONST_BASE, bytes);
    }
    switch (space) {
    case SPACE_SHARED:
        return inside(b->expected.image, SHARED, address, bytes);
    case SPACE_LOCAL:
        return inside(local, THREAD, address, bytes);
    case SPACE_CONST:
        return inside(b->constants, CONSTANTS, address, bytes);
    default:
        for (uint32_t k = 0u; k < BUFFERS && found == NULL; k++) {
            found = inside(b->expected.buffer[k], b->bytes[k], address - b->at[k], bytes);
        }
        return found;
    }
}

static uint64_t extended(const struct kind *k, const uint8_t *from)
{
    uint64_t value = 0u;
    for (uint32_t byte = 0u; byte < k->bytes; byte++) {
        value |= (uint64_t)from[byte] << 8u * byte;
    }
    if (k->sign && (value >> (8u * k->bytes - 1u) & 1u) != 0u) {
        value |= UINT64_MAX << (8u * k->bytes - 1u);
    }
    return k->wide ? value : (uint32_t)value;
}

static bool readonly(const struct kind *k, uint64_t address)
{
    return k->store && k->in == SPACE_GENERIC && address - PTX_CONST_BASE < PTX_WINDOW;
}

/* What must be in memory afterwards. False: it is refused. */
static bool plain_access(struct bench *b, const struct kind *k, const uint64_t *address)
{
    const uint32_t total = k->elements * k->bytes;
    uint8_t *at[WARP_SIZE] = { NULL };
    b->expected = b->before;
    for (uint32_t lane = 0u; lane < WARP_SIZE; lane++) {
        if ((b->params.mask >> lane & 1u) != 0u) {
            at[lane] = plain_at(b, k->in, lane, address[lane], total);
            if (at[lane] == NULL || address[lane] % total != 0u || readonly(k, address[lane])) {
                return false;
            }
        }
    }
    for (uint32_t i = 0u; i < WARP_SIZE * 4u && !k->wide; i++) {
        b->expected.value[i] = (uint32_t)b->expected.value[i];
    }
    for (uint32_t i = 0u; i < WARP_SIZE * k->elements; i++) {
        const uint32_t lane = i / k->elements, element = i % k->elements;
        uint64_t *const value = &b->expected.value[4u * lane + element];
        uint8_t *const bytes = at[lane] == NULL ? NULL : at[lane] + (size_t)element * k->bytes;
        if (bytes != NULL && k->store) {
            memcpy(bytes, value, k->bytes); /* the low bytes come first */
        } else if (bytes != NULL) {
            *value = extended(k, bytes);
        }
    }
    return true;
}

/* ---- Runs ---------------------------------------------------------------------------- */

static void copy_in(struct bench *b)
{
    for (uint32_t k = 0u; k < BUFFERS; k++) {
        memcpy(device_at(b->device, b->at[k], b->bytes[k]), b->before.buffer[k], b->bytes[k]);
    }
    memcpy(device_at(b->device, b->value, sizeof b->before.value), b->before.value,
           sizeof b->before.value);
    memcpy(device_at(b->device, b->image, IMAGE), b->before.image, IMAGE);
}

static void compare(struct bench *b)
{
    for (uint32_t k = 0u; k < BUFFERS; k++) {
        assert_memory_equal(device_at(b->device, b->at[k], b->bytes[k]), b->expected.buffer[k],
                            b->bytes[k]);
    }
    assert_memory_equal(device_at(b->device, b->value, sizeof b->expected.value),
                        b->expected.value, sizeof b->expected.value);
    assert_memory_equal(device_at(b->device, b->image, IMAGE), b->expected.image, IMAGE);
}

/* Whether the kernel was executed: with streams, or without. */
static bool execute(struct bench *b, const char *kernel, bool streams)
{
    struct exec_launch launch = { .module = b->module,
                                  .function = ptx_entry(b->module, kernel),
                                  .memory = b->device,
                                  .constants = b->constants,
                                  .params = (const uint8_t *)&b->params,
                                  .grid = { 1u, 1u, 1u },
                                  .block = { WARP_SIZE, 1u, 1u },
                                  .l1_line = 128u,
                                  .constant_line = 64u,
                                  .texture_line = 32u,
                                  .banks = 32u,
                                  .mhz = 1000u,
                                  .ahead = 256u,
                                  .limit = 1000u,
                                  .streams = streams };
    struct warp_stream warp;
    struct fault fault;
    void *handle;
    copy_in(b);
    if (!streams) {
        return exec_grid(b->exec, &launch, &fault) == EXEC_DONE;
    }
    /* Of some, what they have is packed after each instruction. */
    const bool rests = draw(4u) == 0u;
    launch.ahead = rests ? 1u : launch.ahead;
    bool good = exec_cta(b->exec, &launch, 0u, &warp, &handle, &fault);
    while (good && warp.instruction[warp.n - 1u].op != OP_EXIT) {
        if (rests) {
            exec_rest(handle);
        }
        good = exec_more(handle, 0u, 0u, &warp, &fault);
    }
    if (rests && draw(2u) == 0u) {
        exec_rest(handle); /* and it never goes on */
    }
    exec_release(handle);
    return good;
}

/* An address at, before or behind a border of some memory of the space. */
static uint64_t border(const struct bench *b, enum ptx_space space, uint32_t total)
{
    const uint32_t k = draw(BUFFERS);
    const uint64_t spread = (uint64_t)draw(80u) * total;
    const uint64_t off = draw(12u) == 0u ? draw(total) : 0u;
    const uint64_t ends[] = { b->at[k] + b->bytes[k] / total * total, PTX_SHARED_BASE + SHARED,
                              PTX_LOCAL_BASE + THREAD, PTX_CONST_BASE + CONSTANTS };
    switch (space) {
    case SPACE_SHARED:
        return draw(SHARED / total) * total + off;
    case SPACE_LOCAL:
        return draw(THREAD / total) * total + off;
    case SPACE_CONST:
        return draw(CONSTANTS / total) * total + off;
    case SPACE_GENERIC:
        return ends[draw(4u)] - spread + off;
    default:
        return draw(3u) == 0u ? b->at[k] - spread / 4u + off
                              : b->at[k] + b->bytes[k] / total * total - spread + off;
    }
}

static void draw_addresses(const struct bench *b, const struct kind *k, uint64_t *address)
{
    const uint32_t total = k->elements * k->bytes;
    const uint64_t stride[] = { total, total, total, 0u, 0u, 2u * total, 0u - total };
    const uint64_t from = border(b, k->in, total);
    const uint64_t step = stride[draw(7u)];
    const uint32_t strange = draw(4u) == 0u ? 1u + draw(4u) : 0u;
    for (uint32_t lane = 0u; lane < WARP_SIZE; lane++) {
        address[lane] = from + lane * step;
    }
    for (uint32_t n = 0u; n < strange; n++) {
        address[draw(WARP_SIZE)] = border(b, k->in, total);
    }
    if (draw(16u) == 0u) {
        for (uint32_t lane = 0u; lane < WARP_SIZE; lane++) {
            address[lane] = border(b, k->in, total);
        }
    }
}

static bool one_round(struct bench *b, const struct kind *k)
{
    uint64_t address[WARP_SIZE];
    fill((uint8_t *)&b->before, sizeof b->before);
    draw_addresses(b, k, address);
    b->params.mask = draw(3u) != 0u ? UINT32_MAX : draw(1u << 31) << 1 | draw(2u);
    memcpy(device_at(b->device, b->table, sizeof address), address, sizeof address);
    const bool allowed = plain_access(b, k, address);
    assert_int_equal(execute(b, "whole", draw(2u) != 0u), allowed);
    if (allowed) {
        compare(b);
    }
    assert_int_equal(execute(b, "halves", draw(2u) != 0u), allowed);
    if (allowed) {
        compare(b);
    }
    return allowed;
}

/* Allocations in an order of their own, so that neighbours differ. */
static void open_bench(struct bench *b, const struct kind *k)
{
    static const char *const whole[] = { "%p1", NULL };
    static const char *const halves[] = { "%p3", "%p4", NULL };
    static char text[16384];
    struct fault fault;
    size_t n = (size_t)snprintf(text, sizeof text,
                                ".version 6.4\n.target sm_70\n.address_size 64\n"
                                ".const .align 16 .b8 c[256];\n");
    memset(b, 0, sizeof *b);
    n += put_kernel(text + n, sizeof text - n, k, "whole", whole);
    n += put_kernel(text + n, sizeof text - n, k, "halves", halves);
    b->module = ptx_load_text("rows.ptx", text, n, &fault);
    if (b->module == NULL) {
        fail_msg("%s\n%s", fault_text(&fault), text);
    }
    b->device = device_memory_open();
    b->exec = exec_open();
    for (uint32_t i = 0u; i < BUFFERS; i++) {
        b->bytes[i] = draw(2u) == 0u ? 256u * (1u + draw(8u)) : 1u + draw(MOST);
        b->at[i] = device_alloc(b->device, b->bytes[i]);
    }
    b->params.table = b->table = device_alloc(b->device, 8u * WARP_SIZE);
    b->params.value = b->value = device_alloc(b->device, sizeof b->before.value);
    b->params.image = b->image = device_alloc(b->device, IMAGE);
    fill(b->constants, CONSTANTS);
}

static void close_bench(struct bench *b)
{
    exec_close(b->exec);
    device_memory_close(b->device);
    ptx_free(b->module);
}

/* ---- Tests --------------------------------------------------------------------------- */

static const struct {
    const char *type;
    uint32_t elements, bytes;
    bool sign, wide;
} types[] = {
    { "u8", 1u, 1u, false, false },    { "s8", 1u, 1u, true, true },
    { "s16", 1u, 2u, true, false },    { "u16", 1u, 2u, false, true },
    { "u32", 1u, 4u, false, false },   { "s32", 1u, 4u, true, true },
    { "b64", 1u, 8u, false, true },    { "v2.u8", 2u, 1u, false, false },
    { "v4.s16", 4u, 2u, true, false }, { "v2.b32", 2u, 4u, false, false },
    { "v4.u32", 4u, 4u, false, true }, { "v2.u64", 2u, 8u, false, true },
};

static void check_space(const char *space, enum ptx_space in, bool stores)
{
    static struct bench b;
    uint32_t allowed = 0u, refused = 0u;
    for (uint32_t n = 0u; n < 2u * sizeof types / sizeof types[0]; n++) {
        const uint32_t t = n / 2u;
        const struct kind kind = { space,
                                   in,
                                   n % 2u != 0u,
                                   types[t].type,
                                   types[t].elements,
                                   types[t].bytes,
                                   types[t].sign,
                                   types[t].wide };
        if (kind.store && !stores) {
            continue;
        }
        open_bench(&b, &kind);
        for (uint32_t round = 0u; round < ROUNDS; round++) {
            const bool good = one_round(&b, &kind);
            allowed += good ? 1u : 0u;
            refused += good ? 0u : 1u;
        }
        close_bench(&b);
    }
    assert_true(allowed > 20u && refused > 20u);
}

static void global_accesses_have_the_bytes_of_a_plain_model(void **state)
{
    (void)state;
    check_space(".global", SPACE_GLOBAL, true);
}
static void shared_accesses_have_the_bytes_of_a_plain_model(void **state)
{
    (void)state;
    check_space(".shared", SPACE_SHARED, true);
}
static void local_accesses_have_the_bytes_of_a_plain_model(void **state)
{
    (void)state;
    check_space(".local", SPACE_LOCAL, true);
}
static void constant_accesses_have_the_bytes_of_a_plain_model(void **state)
{
    (void)state;
    check_space(".const", SPACE_CONST, false);
}
static void generic_accesses_have_the_bytes_of_a_plain_model(void **state)
{
    (void)state;
    check_space("", SPACE_GENERIC, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(global_accesses_have_the_bytes_of_a_plain_model),
        cmocka_unit_test(shared_accesses_have_the_bytes_of_a_plain_model),
        cmocka_unit_test(local_accesses_have_the_bytes_of_a_plain_model),
        cmocka_unit_test(constant_accesses_have_the_bytes_of_a_plain_model),
        cmocka_unit_test(generic_accesses_have_the_bytes_of_a_plain_model),
    };
    const char *const seed = getenv("SEED");
    random_state = seed != NULL ? strtoull(seed, NULL, 0) : 1u;
    printf("seed %" PRIu64 "\n", random_state);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
