/* A kernel of a test: PTX text, executed CTA by CTA. Warps issue in turn, a piece each; every
 * stream is put together from its pieces, and checked against what stream.h promises. */

#ifndef EXEC_KERNEL_H
#define EXEC_KERNEL_H

#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/fault.h"
#include "exec/exec.h"

#define HEADER ".version 6.4\n.target sm_70\n.address_size 64\n"
/* Thread t has its number in %r1, the address of word t of the result in %d3. */
#define ENTRY                                                                     \
    ".visible .entry k(.param .u64 out, .param .u32 n)\n{\n"                      \
    ".reg .u16 %h<8>;\n.reg .u32 %r<32>;\n.reg .u64 %d<16>;\n.reg .pred %p<8>;\n" \
    ".reg .f32 %f<8>;\n.reg .f64 %e<8>;\n"                                        \
    "ld.param.u64 %d1, [out];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %d2, %r1, 4;\n" \
    "add.u64 %d3, %d1, %d2;\n"
#define STORE       "st.global.u32 [%d3], %r2;\n"
#define END         "ret;\n}\n"
#define KERNEL(...) HEADER ENTRY __VA_ARGS__ STORE END

enum { WORDS = 4096, MAX_WARPS = 32 };

struct bench {
    struct ptx_module *module;
    struct device_memory *memory;
    struct exec *exec;
    uint64_t out;
    uint32_t *word; /* the host's view of out */
    struct {
        uint64_t out;
        uint32_t n, pad;
    } params;
    uint8_t constants[256];
    struct exec_launch launch;
    struct warp_stream warp[MAX_WARPS]; /* all that was recorded, whole */
    void *handle;
    struct fault fault;
};

void bench_open(struct bench *b, const char *text, uint32_t threads);
void bench_close(struct bench *b);
uint32_t bench_warps(const struct bench *b);

/* What stream.h promises of an instruction. */
void check_instruction(const struct bench *b, const struct instruction *i);
uint32_t check_stream(const struct bench *b, const struct warp_stream *stream);
bool bench_try(struct bench *b, uint32_t cta);

/* Executes CTA 0. */
void bench_run(struct bench *b);
void bench_once(struct bench *b, const char *text, uint32_t threads);

/* The kernel is illegal; the message is of the form given. */
void bench_refuses(const char *text, uint32_t threads, const char *message);

/* The n-th record of an instruction class in a warp's stream, with its first access word. */
const struct instruction *record_of(const struct bench *b, uint32_t warp, uint32_t op,
                                    uint32_t n, const uint32_t **access);

#endif
