/*
 * cuda.h - what clang needs to compile CUDA C++ kernels without NVIDIA's toolkit:
 *
 *   clang -x cuda --cuda-gpu-arch=sm_35 -nocudainc -nocudalib --cuda-device-only -O2 -S
 *
 *   cuda_types.h    qualifiers, vector types, threadIdx and its like
 *   cuda_device.h   barriers, fences, atomics, shuffles, votes, integer and fast functions
 *   cuda_float.h    float functions
 *   cuda_double.h   double functions
 *   cuda_launch.h   kernels that launch kernels; they include it themselves
 *
 * Not here: textures, surfaces, device printf and malloc, cooperative groups, half precision.
 */

#pragma once

#include "cuda_types.h"

#include "cuda_device.h"

#include "cuda_float.h"

#include "cuda_double.h"
