/*
 * kmu_bench - a kernel management unit with its memory of links, and a distributor that notes
 * what it is granted; and beside it the oracle, which every cycle is held against.
 */

#ifndef KMU_BENCH_H
#define KMU_BENCH_H

#include "tb/base/unit_check.h"
#include "tb/units/kmu/kmu_oracle.h"

enum {
    KMU_BENCH_GRANTS = 64,
    KMU_BENCH_QUEUES = 32 * 8 + 1,
    KMU_BENCH_PLACES = 4096,
    KMU_BENCH_READS = KMU_BENCH_QUEUES * 8,
};

struct kmu_bench {
    struct kmu unit;
    struct kmu_oracle oracle;
    struct kmu_in in; /* of the next cycle; mode, room and readies stay as a test sets them */
    struct kmu_out out;
    uint32_t latency; /* cycles from a read that is taken to its answer, 1 and up */
    uint32_t links[KMU_BENCH_QUEUES][KMU_BENCH_PLACES];
    struct {
        uint32_t queue, place;
        uint64_t from; /* cycle from which on it can be answered */
    } read[KMU_BENCH_READS];
    uint32_t n_read; /* taken and not answered, in the order in which they came */
    uint64_t cycles;
    uint32_t n_grant;
    struct kmu_out grant[KMU_BENCH_GRANTS]; /* those that were taken, the first of them */
};

/* room, link_ready and grant_ready are high. */
void kmu_bench_open(struct kmu_bench *bench, const struct kmu_config *config, uint32_t mode);

void kmu_bench_cycle(struct kmu_bench *bench);
void kmu_bench_run(struct kmu_bench *bench, uint32_t cycles);

/* Until it is taken, and put. parent: a level. */
void kmu_bench_host(struct kmu_bench *bench, uint32_t handle);
void kmu_bench_child(struct kmu_bench *bench, uint32_t sm, uint32_t parent, uint32_t handle);

/* Runs until no more than these many are granted, and checks their handles. */
void kmu_bench_grants(struct kmu_bench *bench, const uint32_t *handles, uint32_t n);

#endif
