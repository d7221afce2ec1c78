/*
 * kmu_oracle - what the page of the kernel management unit says, on one array of all kernels
 * that wait, in the order of their arrival; no queues, and no counts.
 */

#ifndef KMU_ORACLE_H
#define KMU_ORACLE_H

#include "units/kmu.h"

enum { KMU_ORACLE_KERNELS = 4096 };

struct kmu_oracle_kernel {
    uint32_t handle, sm, level;
    uint32_t set, place; /* its queue: the set, and the level there; place 0: queue 0 */
    uint32_t number;     /* in its queue, since that was empty last */
    enum { KMU_ORACLE_NEAR, KMU_ORACLE_COMING, KMU_ORACLE_FAR } where;
};

enum kmu_oracle_work { KMU_ORACLE_IDLE, KMU_ORACLE_AFTER, KMU_ORACLE_PUTS, KMU_ORACLE_PICKS };

struct kmu_oracle {
    struct kmu_config config;
    struct kmu_oracle_kernel list[KMU_ORACLE_KERNELS];
    uint32_t n;
    enum kmu_oracle_work work;
    uint32_t left;                  /* cycles of search before it acts */
    struct kmu_oracle_kernel comes; /* the kernel that is put */
    uint32_t chosen;                /* the kernel that is picked, in the list */
    uint32_t last;                  /* the set visited last */
    bool error;
    bool coming;                   /* when its queue was found: some of it are on their way */
    bool missed;                   /* the last pick, and there was no answer since */
    bool asks, writes, again;      /* a request, which writes; and is to be read next */
    struct kmu_oracle_kernel link; /* what is written or read */
    bool grants;
    struct kmu_oracle_kernel grant;
};

void kmu_oracle_open(struct kmu_oracle *oracle, const struct kmu_config *config);

/* The outputs; link_data is that of a write. */
void kmu_oracle_show(const struct kmu_oracle *oracle, struct kmu_out *out);

/* A rising edge. */
void kmu_oracle_edge(struct kmu_oracle *oracle, const struct kmu_in *in);

#endif
