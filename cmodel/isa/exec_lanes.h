/*
 * exec_lanes - handlers of instructions that touch registers only: loops over 32 lanes of
 * contiguous rows, which the compiler vectorises. Every lane is computed; those that are
 * switched off keep their value.
 *
 *   exec_handler.c  which handler an instruction has
 *   exec_integer.c  integer arithmetic, carries
 *   exec_bits.c     logic, shifts, bit fields, moves, selection, addresses, predicates
 *   exec_float.c    single and double precision
 *   exec_half.c     half precision
 *   exec_convert.c  cvt
 *   exec_compare.c  setp, set, testp
 */

#ifndef EXEC_LANES_H
#define EXEC_LANES_H

#include "exec_warp.h"

enum { LANES = WARP_SIZE };

/* A row is written as one type and read as another. */
typedef uint32_t row32 __attribute__((may_alias));
typedef uint64_t row64 __attribute__((may_alias));
typedef float row_float __attribute__((may_alias));
typedef double row_double __attribute__((may_alias));

#define ON(lane) ((lanes >> (lane)&1u) != 0u)
#define HANDLER(name) \
    static void name(struct exec_warp *w, const struct ptx_inst *i, uint32_t lanes)
#define SOURCE(type, k) ((const type *)exec_source(w, &i->src[k]))
#define RESULT(type, k) ((type *)exec_destination(w, &i->dst[k]))

/* d = f(x), d = f(x, y), d = f(x, y, z): rows of the types named, the expression in x, y, z. */
#define ALU1(name, X, D, expression)            \
    HANDLER(name)                               \
    {                                           \
        const X *const a = SOURCE(X, 0);        \
        D *const d = RESULT(D, 0);              \
        for (uint32_t l = 0u; l < LANES; l++) { \
            const X x = a[l];                   \
            const D value = (D)(expression);    \
            d[l] = ON(l) ? value : d[l];        \
        }                                       \
    }
#define ALU2(name, X, Y, D, expression)         \
    HANDLER(name)                               \
    {                                           \
        const X *const a = SOURCE(X, 0);        \
        const Y *const b = SOURCE(Y, 1);        \
        D *const d = RESULT(D, 0);              \
        for (uint32_t l = 0u; l < LANES; l++) { \
            const X x = a[l];                   \
            const Y y = b[l];                   \
            const D value = (D)(expression);    \
            d[l] = ON(l) ? value : d[l];        \
        }                                       \
    }
#define ALU3(name, X, Y, Z, D, expression)      \
    HANDLER(name)                               \
    {                                           \
        const X *const a = SOURCE(X, 0);        \
        const Y *const b = SOURCE(Y, 1);        \
        const Z *const c = SOURCE(Z, 2);        \
        D *const d = RESULT(D, 0);              \
        for (uint32_t l = 0u; l < LANES; l++) { \
            const X x = a[l];                   \
            const Y y = b[l];                   \
            const Z z = c[l];                   \
            const D value = (D)(expression);    \
            d[l] = ON(l) ? value : d[l];        \
        }                                       \
    }

/* Writes a predicate in the lanes that are on. */
static inline void set_predicate(struct exec_warp *w, const struct ptx_operand *to,
                                 uint32_t value, uint32_t lanes)
{
    if (to->kind == OPERAND_REGISTER) {
        row32 *const d = exec_destination(w, to);
        *d = (*d & ~lanes) | (value & lanes);
    }
}

static inline bool is_long(uint32_t type)
{
    return type == PTX_B64 || type == PTX_U64 || type == PTX_S64 || type == PTX_F64;
}

/* The handler, or NULL if there is none. */
exec_handler *alu_integer(const struct ptx_inst *i);
exec_handler *alu_bits(const struct ptx_inst *i);
exec_handler *alu_float(const struct ptx_inst *i);
exec_handler *alu_half(const struct ptx_inst *i);
exec_handler *alu_convert(const struct ptx_inst *i);
exec_handler *alu_compare(const struct ptx_inst *i);

/* Half precision and double, rounded to nearest, ties to even. */
double half_to_double(uint32_t half);
uint32_t double_to_half(double value);

/* The host's rounding mode of a PTX rounding, to a float or to an integer. */
int host_rounding(enum ptx_round round);

#endif
