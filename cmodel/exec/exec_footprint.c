/*
 * exec_footprint - see exec_footprint.h.
 *
 * Each CTA has a table of its blocks. A group, the CTAs of a launch or the children of a CTA,
 * has one table of all blocks, whose owner is the only member that has accessed the block, or
 * SHARED. A member's blocks that it owns are those that it shares with no other: so its shared
 * blocks, and the footprint of all others, are differences of counts.
 */

#include "exec/exec_footprint.h"

#include <math.h>
#include <stdlib.h>

#include "exec/block_table.h"
#include "exec/exec_run.h"

enum { SHIFT = 7, FEWEST = 4 };
#define SHARED UINT32_MAX
#define ONE    UINT64_C(0x100000000)

struct member {
    uint32_t blocks, alone; /* accessed; and by no other */
};
struct group {
    struct block_table table;
    struct member *member;
    uint32_t n, room;
};

struct footprint_launch {
    struct exec_footprint *run;
    struct footprint_launch *next, *before; /* of all that have not ended */
    struct footprint_cta *by;
    struct group ctas;
    uint64_t left; /* CTAs that have not ended */
    uint32_t level;
    bool parents; /* some CTA is a direct parent */
};

struct footprint_cta {
    struct exec_footprint *run;
    struct footprint_cta *next, *before; /* of all that have not ended, with their children */
    struct footprint_launch *launch;
    struct block_table blocks;
    struct group children;
    uint64_t open; /* itself, and launches of its own, that have not ended */
    uint32_t last; /* block */
    uint32_t in_launch, in_siblings;
    uint32_t level;
    bool direct_parent;
};

struct exec_footprint {
    struct footprint_launch *launch;
    struct footprint_cta *cta;
    uint64_t bytes, left; /* that may be taken */
    struct footprint_level level[FOOTPRINT_LEVELS];
};

_Static_assert(1 << SHIFT == FOOTPRINT_BLOCK, "blocks");
_Static_assert(DEVICE_LIMIT >> SHIFT < UINT32_MAX && DEVICE_BASE >> SHIFT > 0u,
               "a word is enough");

/* ---- Groups -------------------------------------------------------------------------- */

/* One member more; false: no memory. */
static bool join(struct group *group, uint32_t *number, uint64_t *budget)
{
    if (group->n == group->room) {
        const uint32_t room = group->room == 0u ? FEWEST : 2u * group->room;
        const uint64_t bytes = (uint64_t)(room - group->room) * sizeof *group->member;
        struct member *const more =
            bytes > *budget ? NULL : realloc(group->member, room * sizeof *more);
        if (more == NULL) {
            return false;
        }
        *budget -= bytes;
        group->member = more;
        group->room = room;
    }
    group->member[group->n] = (struct member){ 0u, 0u };
    *number = group->n++;
    return true;
}

static void clear(struct group *group, uint64_t *budget)
{
    block_table_clear(&group->table, budget);
    *budget += (uint64_t)group->room * sizeof *group->member;
    free(group->member);
    *group = (struct group){ .n = 0u };
}

/* The member's first access to the block. */
static bool add(struct group *group, uint32_t number, uint32_t block, uint64_t *budget)
{
    struct block_entry *const entry = block_table_put(&group->table, block, budget);

    if (entry == NULL) {
        return false;
    }
    group->member[number].blocks++;
    if (entry->owner == 0u) {
        entry->owner = number + 1u;
        group->member[number].alone++;
    } else if (entry->owner != SHARED) {
        group->member[entry->owner - 1u].alone--;
        entry->owner = SHARED;
    }
    return true;
}

/* ---- Means --------------------------------------------------------------------------- */

/* Sums of whole numbers are the same in any order. */
static void add_ratio(struct footprint_mean *mean, uint64_t part, uint64_t all)
{
    if (all != 0u) {
        mean->sum += (part * ONE + all / 2u) / all;
        mean->n++;
    }
}

/* The mean over the members. */
static void add_group(struct footprint_mean *mean, const struct group *group)
{
    struct footprint_mean own = { 0u, 0u };

    for (uint32_t k = 0u; k < group->n; k++) {
        const struct member *const m = &group->member[k];
        add_ratio(&own, m->blocks - m->alone, group->table.n - m->alone);
    }
    if (own.n != 0u) {
        mean->sum += (own.sum + own.n / 2u) / own.n;
        mean->n++;
    }
}

double footprint_mean(const struct footprint_mean *mean)
{
    return mean->n == 0u ? (double)NAN : (double)mean->sum / (double)mean->n / (double)ONE;
}

void footprint_level_add(struct footprint_level *to, const struct footprint_level *from)
{
    to->kernels += from->kernels;
    to->parents += from->parents;
    to->direct_parents += from->direct_parents;
    to->children += from->children;
    for (uint32_t k = 0u; k < FOOTPRINT_KINDS; k++) {
        to->mean[k].n += from->mean[k].n;
        to->mean[k].sum += from->mean[k].sum;
    }
}

uint32_t exec_footprint_levels(const struct exec_footprint *run,
                               struct footprint_level level[FOOTPRINT_LEVELS])
{
    uint32_t n = FOOTPRINT_LEVELS;

    while (n > 0u && run->level[n - 1u].direct_parents == 0u) {
        n--;
    }
    for (uint32_t k = 0u; level != NULL && k < n; k++) {
        level[k] = run->level[k];
    }
    return n;
}

/* ---- Launches and CTAs --------------------------------------------------------------- */

struct exec_footprint *exec_footprint_open(uint64_t bytes)
{
    struct exec_footprint *const run = calloc(1u, sizeof *run);

    if (run != NULL) {
        run->bytes = run->left = bytes;
    }
    return run;
}

struct footprint_launch *exec_footprint_launch(struct exec_footprint *run,
                                               struct footprint_cta *by, uint64_t ctas,
                                               uint32_t level)
{
    struct footprint_launch *const launch = calloc(1u, sizeof *launch);

    if (launch == NULL) {
        return NULL;
    }
    launch->run = run;
    launch->by = by;
    launch->left = ctas;
    launch->level = level;
    launch->next = run->launch;
    if (run->launch != NULL) {
        run->launch->before = launch;
    }
    run->launch = launch;
    if (by != NULL) {
        by->open++;
        by->direct_parent = by->launch->parents = true;
    }
    return launch;
}

static void free_launch(struct footprint_launch *launch)
{
    clear(&launch->ctas, &launch->run->left);
    free(launch);
}

static void free_cta(struct footprint_cta *cta)
{
    block_table_clear(&cta->blocks, &cta->run->left);
    clear(&cta->children, &cta->run->left);
    free(cta);
}

static void take_out_launch(struct footprint_launch *launch)
{
    *(launch->before != NULL ? &launch->before->next : &launch->run->launch) = launch->next;
    if (launch->next != NULL) {
        launch->next->before = launch->before;
    }
    free_launch(launch);
}

static void take_out_cta(struct footprint_cta *cta)
{
    *(cta->before != NULL ? &cta->before->next : &cta->run->cta) = cta->next;
    if (cta->next != NULL) {
        cta->next->before = cta->before;
    }
    free_cta(cta);
}

void exec_footprint_close(struct exec_footprint *run)
{
    for (struct footprint_launch *at = run == NULL ? NULL : run->launch; at != NULL;) {
        struct footprint_launch *const next = at->next;
        free_launch(at);
        at = next;
    }
    for (struct footprint_cta *at = run == NULL ? NULL : run->cta; at != NULL;) {
        struct footprint_cta *const next = at->next;
        free_cta(at);
        at = next;
    }
    free(run);
}

/* The CTA, or a launch of its own, has ended. */
static void close_one(struct footprint_cta *cta)
{
    struct footprint_level *const level = &cta->run->level[cta->level];
    const struct group *const children = &cta->children;

    if (--cta->open != 0u) {
        return;
    }
    if (cta->direct_parent) {
        level->direct_parents++;
        level->children += children->n;
        add_ratio(&level->mean[FOOTPRINT_PARENT_CHILD],
                  block_table_shared(&children->table, &cta->blocks), children->table.n);
        add_group(&level->mean[FOOTPRINT_CHILD_SIBLING], children);
    }
    take_out_cta(cta);
}

static void close_launch(struct footprint_launch *launch)
{
    struct footprint_level *const level = &launch->run->level[launch->level];
    struct footprint_cta *const by = launch->by;

    if (launch->parents) {
        level->kernels++;
        level->parents += launch->ctas.n;
        add_group(&level->mean[FOOTPRINT_PARENT_PARENT], &launch->ctas);
    }
    take_out_launch(launch);
    if (by != NULL) {
        close_one(by);
    }
}

/* ---- What the executor calls --------------------------------------------------------- */

bool exec_footprint_start(struct exec_run *r)
{
    struct footprint_launch *const launch = r->launch->footprint;
    struct exec_footprint *const run = launch->run;
    struct footprint_cta *const cta = calloc(1u, sizeof *cta);

    if (cta == NULL || !join(&launch->ctas, &cta->in_launch, &run->left)
        || (launch->by != NULL
            && !join(&launch->by->children, &cta->in_siblings, &run->left))) {
        free(cta);
        return false;
    }
    cta->run = run;
    cta->launch = launch;
    cta->level = launch->level;
    cta->open = 1u;
    cta->next = run->cta;
    if (run->cta != NULL) {
        run->cta->before = cta;
    }
    run->cta = cta;
    r->footprint = cta;
    return true;
}

/* Parameters of launches lie where the runtime has put them, which says nothing of the kernel.
 */
static bool is_own(const struct exec_run *r, uint64_t address)
{
    const struct exec_runtime *const runtime = r->launch->runtime;

    return runtime != NULL && runtime->has != NULL && runtime->has(runtime->self, address);
}

static bool touch(const struct exec_run *r, struct footprint_cta *cta, uint64_t address)
{
    struct footprint_launch *const launch = cta->launch;
    uint64_t *const budget = &cta->run->left;
    const uint32_t block = (uint32_t)(address >> SHIFT);
    const uint32_t before = cta->blocks.n;

    if (block == cta->last) {
        return true;
    }
    cta->last = block;
    if (block_table_put(&cta->blocks, block, budget) == NULL) {
        return false;
    }
    if (cta->blocks.n == before || is_own(r, address)) {
        return true;
    }
    return add(&launch->ctas, cta->in_launch, block, budget)
           && (launch->by == NULL
               || add(&launch->by->children, cta->in_siblings, block, budget));
}

bool exec_footprint_access(struct exec_run *r, const struct run_warp *w,
                           const struct exec_step *s, const struct exec_access *a)
{
    if (a->space != SPACE_GLOBAL) {
        return true;
    }
    /* An aligned access of a lane lies within a block. */
    EACH_LANE(lane, a->lanes)
    {
        if (!touch(r, r->footprint, a->address[lane])) {
            return exec_fault_footprint(r, w, s, 1u << lane, r->footprint->run->bytes);
        }
    }
    return true;
}

void exec_footprint_end(struct exec_run *r)
{
    struct footprint_launch *const launch = r->footprint->launch;
    bool ended = true;

    for (uint32_t k = 0u; k < r->warps; k++) {
        ended = ended && r->warp[k].state == WARP_ENDED;
    }
    if (ended) { /* otherwise the run ends */
        close_one(r->footprint);
        if (--launch->left == 0u) {
            close_launch(launch);
        }
    }
    r->footprint = NULL;
}
