/* ptx_text - PTX in a string: it is read, or refused with the words that are expected. */

#ifndef PTX_TEXT_H
#define PTX_TEXT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "ptx/ptx.h"

/* Fails if the text is refused. */
struct ptx_module *load_ptx(const char *text);
/* Fails unless the message begins with start, has the words, and says what is allowed. */
void expect_refused(const char *text, const char *start, const char *words);

/* A kernel of one line, line 10 of the file, with registers of all types. */
#define HEAD                                                 \
    ".version 7.0\n.target sm_70\n.address_size 64\n"        \
    ".visible .entry k(.param .u64 a, .param .u32 b) {\n"    \
    ".reg .pred %p<4>; .reg .b16 %h<4>;\n.reg .b32 %r<9>;\n" \
    ".reg .b64 %d<9>;\n.reg .f32 %f<9>; .reg .f64 %e<4>;\n"  \
    ".shared .align 4 .b8 s[64]; .local .align 8 .b8 l[32];\n"

/* The line in that kernel. */
struct ptx_module *load_line(const char *line);
void expect_line_refused(const char *line, const char *words);

/* Latencies: 17 of special functions, 6 of multiplications, 4 of other arithmetic, 30 of global
 * memory, 20 of shared memory, 16 of constants. */
enum { ORDER_GRANULE = 4 };
struct ptx_order order_of(uint32_t registers);

#endif
