/* cuda_types - qualifiers, vector types and the special registers of CUDA C++. */

#pragma once

#define __host__               __attribute__((host))
#define __device__             __attribute__((device))
#define __global__             __attribute__((global))
#define __shared__             __attribute__((shared))
#define __constant__           __attribute__((constant))
#define __noinline__           __attribute__((noinline))
#define __forceinline__        __inline__ __attribute__((always_inline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __align__(n)           __attribute__((aligned(n)))
#ifndef __restrict__
#define __restrict__ __restrict
#endif
/* What this header's own functions are. */
#define CUDA_FUNCTION static __device__ __forceinline__
#define CUDA_BOTH     static __host__ __device__ __forceinline__

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __INT8_TYPE__ int8_t;
typedef __INT16_TYPE__ int16_t;
typedef __INT32_TYPE__ int32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT8_TYPE__ uint8_t;
typedef __UINT16_TYPE__ uint16_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t;
typedef __UINTPTR_TYPE__ uintptr_t;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

#ifndef NULL
#define NULL 0
#endif
#define INT_MAX     2147483647
#define INT_MIN     (-INT_MAX - 1)
#define UINT_MAX    4294967295u
#define FLT_MAX     3.402823466e+38f
#define FLT_MIN     1.175494351e-38f
#define FLT_EPSILON 1.192092896e-07f
#define DBL_MAX     1.7976931348623158e+308
#define DBL_EPSILON 2.2204460492503131e-16
#define INFINITY    __builtin_inff()
#define NAN         __builtin_nanf("")
#define M_PI        3.14159265358979323846
#define M_PI_2      1.57079632679489661923
#define M_SQRT1_2   0.70710678118654752440
#define M_SQRT2     1.41421356237309504880
#define M_E         2.71828182845904523536

/* ---- Vectors ------------------------------------------------------------------------- */

/* An access to a vector of two or four is one instruction: hence the alignment. */
#define CUDA_VECTORS(name, type, align2, align4)                     \
    struct name##1                                                   \
    {                                                                \
        type x;                                                      \
    };                                                               \
    struct __align__(align2) name##2                                 \
    {                                                                \
        type x, y;                                                   \
    };                                                               \
    struct name##3                                                   \
    {                                                                \
        type x, y, z;                                                \
    };                                                               \
    struct __align__(align4) name##4                                 \
    {                                                                \
        type x, y, z, w;                                             \
    };                                                               \
    CUDA_BOTH name##1 make_##name##1(type x)                         \
    {                                                                \
        return name##1 { x };                                        \
    }                                                                \
    CUDA_BOTH name##2 make_##name##2(type x, type y)                 \
    {                                                                \
        return name##2 { x, y };                                     \
    }                                                                \
    CUDA_BOTH name##3 make_##name##3(type x, type y, type z)         \
    {                                                                \
        return name##3 { x, y, z };                                  \
    }                                                                \
    CUDA_BOTH name##4 make_##name##4(type x, type y, type z, type w) \
    {                                                                \
        return name##4 { x, y, z, w };                               \
    }
CUDA_VECTORS(char, signed char, 2, 4)
CUDA_VECTORS(uchar, unsigned char, 2, 4)
CUDA_VECTORS(short, short, 4, 8)
CUDA_VECTORS(ushort, unsigned short, 4, 8)
CUDA_VECTORS(int, int, 8, 16)
CUDA_VECTORS(uint, unsigned int, 8, 16)
CUDA_VECTORS(longlong, long long, 16, 16)
CUDA_VECTORS(ulonglong, unsigned long long, 16, 16)
CUDA_VECTORS(float, float, 8, 16)
CUDA_VECTORS(double, double, 16, 16)
#undef CUDA_VECTORS

struct dim3 {
    unsigned int x, y, z;
    __host__ __device__ constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1,
                                       unsigned int z_ = 1)
        : x(x_), y(y_), z(z_)
    {
    }
    __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z)
    {
    }
    __host__ __device__ constexpr operator uint3() const
    {
        return uint3{ x, y, z };
    }
};

/* ---- Special registers --------------------------------------------------------------- */

/* threadIdx.x reads %tid.x: a member that is a function. */
#define CUDA_MEMBER(member, name, register)                       \
    __declspec(property(get = get_##member)) unsigned int member; \
    static __device__ __forceinline__ unsigned int get_##member() \
    {                                                             \
        return __nvvm_read_ptx_sreg_##register##_##member();      \
    }
#define CUDA_SPECIAL(name, register)                                                       \
    struct cuda_##register { CUDA_MEMBER(x, name, register) CUDA_MEMBER(y, name, register) \
                                 CUDA_MEMBER(z, name, register) __device__ __forceinline__ \
                                 operator dim3()                                           \
                                     const { return dim3(get_x(), get_y(), get_z());       \
    }                                                                                      \
    __device__ __forceinline__ operator uint3() const                                      \
    {                                                                                      \
        return uint3{ get_x(), get_y(), get_z() };                                         \
    }                                                                                      \
    }                                                                                      \
    ;                                                                                      \
    extern const __device__ __attribute__((weak)) cuda_##register name;
CUDA_SPECIAL(threadIdx, tid)
CUDA_SPECIAL(blockIdx, ctaid)
CUDA_SPECIAL(blockDim, ntid)
CUDA_SPECIAL(gridDim, nctaid)
#undef CUDA_SPECIAL
#undef CUDA_MEMBER

#define warpSize 32

/* So that kernel<<<...>>> in host code parses; host code is not compiled here. */
typedef struct CUstream_st *cudaStream_t;
extern "C" unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0,
                                                    void *stream = 0);
