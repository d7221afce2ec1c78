/* cuda_device - barriers, fences, atomics, shuffles, votes, integer and fast functions. */

#pragma once

/* ---- Barriers and fences ------------------------------------------------------------- */

/* As assembly, which may touch all memory. Of its own barrier clang 14 believes that it touches
 * no __shared__ variable whose address is not taken, and keeps such a variable's old value
 * in a register. */
CUDA_FUNCTION void cuda_barrier()
{
    asm volatile("bar.sync 0;" ::: "memory");
}
#define __syncthreads() cuda_barrier()

#define CUDA_BARRIER_OF(name, reduction)                                                 \
    CUDA_FUNCTION int name(int predicate)                                                \
    {                                                                                    \
        int result;                                                                      \
        asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; bar.red." reduction       \
                     ".pred q, 0, p; selp.s32 %0, 1, 0, q; }"                            \
                     : "=r"(result)                                                      \
                     : "r"(predicate)                                                    \
                     : "memory");                                                        \
        return result;                                                                   \
    }
CUDA_BARRIER_OF(__syncthreads_and, "and")
CUDA_BARRIER_OF(__syncthreads_or, "or")
#undef CUDA_BARRIER_OF
CUDA_FUNCTION int __syncthreads_count(int predicate)
{
    int result;
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; bar.red.popc.u32 %0, 0, p; }"
                 : "=r"(result)
                 : "r"(predicate)
                 : "memory");
    return result;
}
CUDA_FUNCTION void __syncwarp(unsigned int mask = 0xffffffffu)
{
    __nvvm_bar_warp_sync(mask);
}
CUDA_FUNCTION void __threadfence_block()
{
    __nvvm_membar_cta();
}
CUDA_FUNCTION void __threadfence()
{
    __nvvm_membar_gl();
}
CUDA_FUNCTION void __threadfence_system()
{
    __nvvm_membar_sys();
}

/* ---- Bits of numbers ----------------------------------------------------------------- */

#define CUDA_BITS(name, to, from)             \
    CUDA_FUNCTION to name(from value)         \
    {                                         \
        return __builtin_bit_cast(to, value); \
    }
CUDA_BITS(__float_as_int, int, float)
CUDA_BITS(__float_as_uint, unsigned int, float)
CUDA_BITS(__int_as_float, float, int)
CUDA_BITS(__uint_as_float, float, unsigned int)
CUDA_BITS(__double_as_longlong, long long, double)
CUDA_BITS(__longlong_as_double, double, long long)
#undef CUDA_BITS
CUDA_FUNCTION int __double2hiint(double value)
{
    return (int)(__double_as_longlong(value) >> 32);
}
CUDA_FUNCTION int __double2loint(double value)
{
    return (int)__double_as_longlong(value);
}
CUDA_FUNCTION double __hiloint2double(int high, int low)
{
    return __longlong_as_double((long long)high << 32 | (unsigned int)low);
}

/* ---- Atomics ------------------------------------------------------------------------- */

#define CUDA_ATOMIC(name, type, builtin, as)                     \
    CUDA_FUNCTION type name(type *address, type value)           \
    {                                                            \
        return (type)builtin((volatile as *)address, (as)value); \
    }
#define CUDA_ATOMICS(name, operation)                                     \
    CUDA_ATOMIC(name, int, __nvvm_atom_##operation##_gen_i, int)          \
    CUDA_ATOMIC(name, unsigned int, __nvvm_atom_##operation##_gen_i, int) \
    CUDA_ATOMIC(name, unsigned long long, __nvvm_atom_##operation##_gen_ll, long long)
CUDA_ATOMICS(atomicAdd, add)
CUDA_ATOMICS(atomicExch, xchg)
CUDA_ATOMICS(atomicAnd, and)
CUDA_ATOMICS(atomicOr, or)
CUDA_ATOMICS(atomicXor, xor)
CUDA_ATOMIC(atomicAdd, float, __nvvm_atom_add_gen_f, float)
CUDA_ATOMIC(atomicMin, int, __nvvm_atom_min_gen_i, int)
CUDA_ATOMIC(atomicMin, unsigned int, __nvvm_atom_min_gen_ui, unsigned int)
CUDA_ATOMIC(atomicMin, long long, __nvvm_atom_min_gen_ll, long long)
CUDA_ATOMIC(atomicMin, unsigned long long, __nvvm_atom_min_gen_ull, unsigned long long)
CUDA_ATOMIC(atomicMax, int, __nvvm_atom_max_gen_i, int)
CUDA_ATOMIC(atomicMax, unsigned int, __nvvm_atom_max_gen_ui, unsigned int)
CUDA_ATOMIC(atomicMax, long long, __nvvm_atom_max_gen_ll, long long)
CUDA_ATOMIC(atomicMax, unsigned long long, __nvvm_atom_max_gen_ull, unsigned long long)
CUDA_ATOMIC(atomicInc, unsigned int, __nvvm_atom_inc_gen_ui, unsigned int)
CUDA_ATOMIC(atomicDec, unsigned int, __nvvm_atom_dec_gen_ui, unsigned int)
#undef CUDA_ATOMICS
#undef CUDA_ATOMIC
CUDA_FUNCTION int atomicSub(int *address, int value)
{
    return atomicAdd(address, -value);
}
CUDA_FUNCTION unsigned int atomicSub(unsigned int *address, unsigned int value)
{
    return atomicAdd(address, 0u - value);
}
CUDA_FUNCTION float atomicExch(float *address, float value)
{
    return __int_as_float(atomicExch((int *)address, __float_as_int(value)));
}
CUDA_FUNCTION int atomicCAS(int *address, int compare, int value)
{
    return __nvvm_atom_cas_gen_i((volatile int *)address, compare, value);
}
CUDA_FUNCTION unsigned int atomicCAS(unsigned int *address, unsigned int compare,
                                     unsigned int value)
{
    return (unsigned int)atomicCAS((int *)address, (int)compare, (int)value);
}
CUDA_FUNCTION unsigned long long atomicCAS(unsigned long long *address,
                                           unsigned long long compare, unsigned long long value)
{
    return (unsigned long long)__nvvm_atom_cas_gen_ll((volatile long long *)address,
                                                      (long long)compare, (long long)value);
}
CUDA_FUNCTION double atomicAdd(double *address, double value)
{
    unsigned long long *const bits = (unsigned long long *)address;
    unsigned long long seen = *(volatile unsigned long long *)bits;
    unsigned long long expected;

    do {
        expected = seen;
        const double sum = __longlong_as_double((long long)expected) + value;
        seen = atomicCAS(bits, expected, (unsigned long long)__double_as_longlong(sum));
    } while (seen != expected);
    return __longlong_as_double((long long)seen);
}

/* ---- Shuffles and votes -------------------------------------------------------------- */

/* The last argument of shfl: the segment's mask and the limit within it. */
CUDA_FUNCTION int cuda_segment(int width, int limit)
{
    return ((warpSize - width) << 8) | limit;
}
#define CUDA_SHUFFLE(name, builtin, limit)                                           \
    CUDA_FUNCTION int name##_sync(unsigned int mask, int value, int lane,            \
                                  int width = warpSize)                              \
    {                                                                                \
        return __nvvm_shfl_sync_##builtin##_i32(mask, value, lane,                   \
                                                cuda_segment(width, limit));         \
    }                                                                                \
    CUDA_FUNCTION int name(int value, int lane, int width = warpSize)                \
    {                                                                                \
        return __nvvm_shfl_##builtin##_i32(value, lane, cuda_segment(width, limit)); \
    }                                                                                \
    template <typename type> /* of 4 or 8 bytes */                                   \
    CUDA_FUNCTION type name##_sync(unsigned int mask, type value, int lane,          \
                                   int width = warpSize)                             \
    {                                                                                \
        struct words {                                                               \
            int word[sizeof(type) / sizeof(int)];                                    \
        } words = __builtin_bit_cast(struct words, value);                           \
        for (unsigned int i = 0u; i < sizeof(type) / sizeof(int); i++) {             \
            words.word[i] = name##_sync(mask, words.word[i], lane, width);           \
        }                                                                            \
        return __builtin_bit_cast(type, words);                                      \
    }                                                                                \
    template <typename type>                                                         \
    CUDA_FUNCTION type name(type value, int lane, int width = warpSize)              \
    {                                                                                \
        struct words {                                                               \
            int word[sizeof(type) / sizeof(int)];                                    \
        } words = __builtin_bit_cast(struct words, value);                           \
        for (unsigned int i = 0u; i < sizeof(type) / sizeof(int); i++) {             \
            words.word[i] = name(words.word[i], lane, width);                        \
        }                                                                            \
        return __builtin_bit_cast(type, words);                                      \
    }
CUDA_SHUFFLE(__shfl, idx, 31)
CUDA_SHUFFLE(__shfl_up, up, 0)
CUDA_SHUFFLE(__shfl_down, down, 31)
CUDA_SHUFFLE(__shfl_xor, bfly, 31)
#undef CUDA_SHUFFLE

CUDA_FUNCTION unsigned int __activemask()
{
    unsigned int mask;

    asm volatile("activemask.b32 %0;" : "=r"(mask));
    return mask;
}
CUDA_FUNCTION unsigned int __ballot_sync(unsigned int mask, int predicate)
{
    return __nvvm_vote_ballot_sync(mask, predicate != 0);
}
CUDA_FUNCTION int __any_sync(unsigned int mask, int predicate)
{
    return __nvvm_vote_any_sync(mask, predicate != 0);
}
CUDA_FUNCTION int __all_sync(unsigned int mask, int predicate)
{
    return __nvvm_vote_all_sync(mask, predicate != 0);
}
CUDA_FUNCTION unsigned int __ballot(int predicate)
{
    return __nvvm_vote_ballot(predicate != 0);
}
CUDA_FUNCTION int __any(int predicate)
{
    return __nvvm_vote_any(predicate != 0);
}
CUDA_FUNCTION int __all(int predicate)
{
    return __nvvm_vote_all(predicate != 0);
}

/* ---- Integers ------------------------------------------------------------------------ */

CUDA_FUNCTION int __popc(unsigned int value)
{
    return __builtin_popcount(value);
}
CUDA_FUNCTION int __popcll(unsigned long long value)
{
    return __builtin_popcountll(value);
}
CUDA_FUNCTION int __clz(int value)
{
    return value == 0 ? 32 : __builtin_clz((unsigned int)value);
}
CUDA_FUNCTION int __clzll(long long value)
{
    return value == 0 ? 64 : __builtin_clzll((unsigned long long)value);
}
CUDA_FUNCTION int __ffs(int value)
{
    return value == 0 ? 0 : 32 - __clz(value & -value);
}
CUDA_FUNCTION int __ffsll(long long value)
{
    return value == 0 ? 0 : 64 - __clzll(value & -value);
}
CUDA_FUNCTION unsigned int __brev(unsigned int value)
{
    return __builtin_bitreverse32(value);
}
CUDA_FUNCTION unsigned long long __brevll(unsigned long long value)
{
    return __builtin_bitreverse64(value);
}
CUDA_FUNCTION int __mul24(int a, int b)
{
    return __nvvm_mul24_i(a, b);
}
CUDA_FUNCTION unsigned int __umul24(unsigned int a, unsigned int b)
{
    return __nvvm_mul24_ui(a, b);
}
CUDA_FUNCTION int __mulhi(int a, int b)
{
    return __nvvm_mulhi_i(a, b);
}
CUDA_FUNCTION unsigned int __umulhi(unsigned int a, unsigned int b)
{
    return __nvvm_mulhi_ui(a, b);
}
CUDA_FUNCTION unsigned long long __umul64hi(unsigned long long a, unsigned long long b)
{
    unsigned long long high;

    asm("mul.hi.u64 %0, %1, %2;" : "=l"(high) : "l"(a), "l"(b));
    return high;
}
CUDA_FUNCTION unsigned int __sad(int a, int b, unsigned int sum)
{
    unsigned int result;

    asm("sad.s32 %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(sum));
    return result;
}
CUDA_FUNCTION unsigned int __usad(unsigned int a, unsigned int b, unsigned int sum)
{
    unsigned int result;

    asm("sad.u32 %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(sum));
    return result;
}
CUDA_FUNCTION unsigned int __byte_perm(unsigned int a, unsigned int b, unsigned int selector)
{
    return __nvvm_prmt(a, b, selector);
}
#define CUDA_FUNNEL(name, operation)                                                         \
    CUDA_FUNCTION unsigned int name(unsigned int low, unsigned int high, unsigned int shift) \
    {                                                                                        \
        unsigned int result;                                                                 \
        asm("shf." operation ".b32 %0, %1, %2, %3;"                                          \
            : "=r"(result)                                                                   \
            : "r"(low), "r"(high), "r"(shift));                                              \
        return result;                                                                       \
    }
CUDA_FUNNEL(__funnelshift_l, "l.wrap")
CUDA_FUNNEL(__funnelshift_lc, "l.clamp")
CUDA_FUNNEL(__funnelshift_r, "r.wrap")
CUDA_FUNNEL(__funnelshift_rc, "r.clamp")
#undef CUDA_FUNNEL

#define CUDA_MIN_MAX(type)             \
    CUDA_BOTH type min(type a, type b) \
    {                                  \
        return a < b ? a : b;          \
    }                                  \
    CUDA_BOTH type max(type a, type b) \
    {                                  \
        return a < b ? b : a;          \
    }
CUDA_MIN_MAX(int)
CUDA_MIN_MAX(unsigned int)
CUDA_MIN_MAX(long long)
CUDA_MIN_MAX(unsigned long long)
#undef CUDA_MIN_MAX
CUDA_BOTH int abs(int value)
{
    return value < 0 ? -value : value;
}

/* ---- Memory and time ----------------------------------------------------------------- */

/* A load through the read-only cache. */
CUDA_FUNCTION int __ldg(const int *address)
{
    return __nvvm_ldg_i(address);
}
CUDA_FUNCTION unsigned int __ldg(const unsigned int *address)
{
    return __nvvm_ldg_ui(address);
}
CUDA_FUNCTION float __ldg(const float *address)
{
    return __nvvm_ldg_f(address);
}
CUDA_FUNCTION double __ldg(const double *address)
{
    return __nvvm_ldg_d(address);
}
CUDA_FUNCTION unsigned char __ldg(const unsigned char *address)
{
    return __nvvm_ldg_uc(address);
}
CUDA_FUNCTION float4 __ldg(const float4 *address)
{
    float4 v;

    asm("ld.global.nc.v4.f32 {%0,%1,%2,%3}, [%4];"
        : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
        : "l"(address));
    return v;
}
CUDA_FUNCTION unsigned int clock()
{
    return (unsigned int)__nvvm_read_ptx_sreg_clock();
}
CUDA_FUNCTION long long clock64()
{
    return __nvvm_read_ptx_sreg_clock64();
}
