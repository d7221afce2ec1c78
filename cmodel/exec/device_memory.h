/*
 * device_memory - the global memory of a modelled GPU: allocations in one address space, with
 * every access checked. Addresses start at DEVICE_BASE; 0 is never valid.
 */

#ifndef DEVICE_MEMORY_H
#define DEVICE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gpu/config/gpu_config.h"

#define DEVICE_BASE                                                           \
    UINT64_C(0x10000000) /* 256 MiB; lines below 2^28 end at 32 GiB for 128 B \
                          */
#define DEVICE_LIMIT UINT64_C(0x700000000) /* 28 GiB of addresses */
/* Bytes around every allocation at which nothing lies: an access that is off by one element, or
 * by a row of a warp, never meets the neighbour. */
#define DEVICE_DISTANCE UINT64_C(4096)

struct device_memory;

struct device_memory *device_memory_open(void);
/* What is allocated later must leave no more than so many bytes allocated in all; at first any
 * number is allowed. */
void device_memory_limit(struct device_memory *memory, uint64_t bytes);
/* From now on each allocation begins later by the jitter of its number. */
void device_memory_jitter(struct device_memory *memory, const struct gpu_config *config);
void device_memory_close(struct device_memory *memory);

/* A zeroed allocation of bytes > 0, aligned to 256, at least DEVICE_DISTANCE from any other; 0
 * if there is no room. Deterministic: the same calls give the same addresses. */
uint64_t device_alloc(struct device_memory *memory, uint64_t bytes);
/* The device has so much left: if device_alloc gives 0 all the same, it is the host's memory
 * that is missing. */
bool device_has_room(const struct device_memory *memory, uint64_t bytes);
/* False if address was not given by device_alloc, or has been freed. */
bool device_free(struct device_memory *memory, uint64_t address);

/* The host's view of bytes at address, or NULL if they do not lie within one allocation. Fast
 * for repeated accesses to one allocation. */
void *device_at(struct device_memory *memory, uint64_t address, uint64_t bytes);

/* From now on it is known of every byte whether it has been written: costs a byte each. Before
 * the first allocation. */
void device_memory_watch(struct device_memory *memory);
/* A byte for each of the bytes at address, which may be changed: 0 if it has not been written.
 * NULL if they do not lie within one allocation, or are not watched. */
uint8_t *device_written(const struct device_memory *memory, uint64_t address, uint64_t bytes);
/* The host has written them. */
void device_mark(const struct device_memory *memory, uint64_t address, uint64_t bytes);

/* Where the nearest allocation is: for messages. */
void device_describe(const struct device_memory *memory, uint64_t address, char *text,
                     size_t size);

#endif
