/* Tests of shared footprints: of a family whose ratios are counted by hand, and of trees whose
 * ratios follow from the definition, CTA by CTA and block by block; and of how many children
 * run on the SM of their direct parent. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/places.h"
#include "driver/driver.h"
#include "exec/exec_footprint.h"

/* How the kernels are run. */
struct way {
    const char *name;
    bool timed;
    unsigned mode;
    uint32_t sms, kernels, latency;
};
static const struct way ways[] = {
    { "without timing", false, 0u, 0u, 0u, 0u },
    { "on one SM, a kernel at a time", true, 0u, 1u, 1u, 0u },
    { "with latencies", true, 0u, 4u, 32u, 5000u },
    { "by the slow paths", true, GPU_NAIVE, 4u, 32u, 0u },
};
enum { WAYS = sizeof ways / sizeof ways[0], BLOCKS = 64, WORDS = BLOCKS * FOOTPRINT_BLOCK / 4 };

struct fixture {
    struct gpu_config config;
    struct gsp_context *context;
    struct gsp_module *module;
    gsp_pointer data;
    struct exec_footprint *footprint;
};

static void open_way(struct fixture *f, const struct way *way, uint64_t bytes,
                     const struct gpu_hooks *hooks)
{
    char path[4096];

    *f = (struct fixture){ .config = gpu_config_standard() };
    f->config.sm.count = way->sms;
    f->config.cluster.count = 1u;
    f->config.dispatch.kernels = way->kernels;
    f->config.cdp.launch_latency = way->latency;
    f->config.cdp.lane_latency = way->latency / 10u;
    f->footprint = exec_footprint_open(bytes);
    assert_non_null(f->footprint);
    const struct gsp_options options = { .config = way->timed ? &f->config : NULL,
                                         .mode = way->mode,
                                         .hooks = hooks,
                                         .footprint = f->footprint };
    assert_int_equal(gsp_open(&f->context, &options), GSP_OK);
    (void)snprintf(path, sizeof path, "%.4000s/nested.ptx", places_made());
    if (gsp_module_load(f->context, path, &f->module) != GSP_OK) {
        fail_msg("%s", gsp_message(f->context));
    }
    assert_int_equal(gsp_malloc(f->context, &f->data, (size_t)WORDS * 4u), GSP_OK);
}

static void close_way(struct fixture *f)
{
    gsp_close(f->context);
    exec_footprint_close(f->footprint);
}

static enum gsp_status run(struct fixture *f, const char *kernel, uint32_t ctas, void **args)
{
    assert_int_equal(gsp_launch(f->context, &(struct gsp_launch){ .module = f->module,
                                                                  .kernel = kernel,
                                                                  .grid = { .x = ctas },
                                                                  .args = args }),
                     GSP_OK);
    return gsp_synchronize(f->context);
}

static void run_family(struct fixture *f, uint32_t ctas, uint64_t own, uint64_t two,
                       uint64_t one, int32_t direct)
{
    if (run(f, "parent_blocks", ctas, (void *[]){ &f->data, &own, &two, &one, &direct })
        != GSP_OK) {
        fail_msg("%s", gsp_message(f->context));
    }
}

static void is(const struct footprint_mean *mean, uint64_t n, double ratio)
{
    assert_int_equal(mean->n, n);
    if (n == 0u) {
        assert_true(isnan(footprint_mean(mean)));
    } else if (fabs(footprint_mean(mean) - ratio) > 1e-8) {
        fail_msg("%.12f in place of %.12f", footprint_mean(mean), ratio);
    }
}

#define EACH_WAY(f, way)                                                          \
    for (const struct way *way = ways; way < ways + WAYS; close_way(&(f)), way++) \
        if (open_way(&(f), way, FOOTPRINT_BYTES, NULL), print_message("%s\n", way->name), true)

/* ---- By hand ------------------------------------------------------------------------- */

/* Parent 0 has blocks 0 to 3, and children with {2, 4}, {3, 5} and {4, 5, 6}; parent 1 has
 * blocks 1 to 4, and the same children. */
enum { OWN = 0x0f, TWO = 0x14, ONE = 0x70 };

static void a_family_has_the_ratios_that_are_counted_by_hand(void **state)
{
    struct footprint_level level[FOOTPRINT_LEVELS];
    struct fixture f;

    (void)state;
    EACH_WAY(f, way)
    {
        run_family(&f, 2u, OWN, TWO, ONE, 1);
        assert_int_equal(exec_footprint_levels(f.footprint, level), 1);
        assert_int_equal(level->kernels, 1);
        assert_int_equal(level->parents, 2);
        assert_int_equal(level->direct_parents, 1);
        assert_int_equal(level->children, 3);
        is(&level->mean[FOOTPRINT_PARENT_CHILD], 1u, 2.0 / 5.0);
        is(&level->mean[FOOTPRINT_CHILD_SIBLING], 1u,
           (1.0 / 4.0 + 1.0 / 4.0 + 2.0 / 4.0) / 3.0);
        is(&level->mean[FOOTPRINT_PARENT_PARENT], 1u, 3.0 / 4.0);
    }
}

static void means_are_of_direct_parents_and_of_kernels(void **state)
{
    struct footprint_level level[FOOTPRINT_LEVELS];
    struct fixture f;

    (void)state;
    EACH_WAY(f, way)
    {
        run_family(&f, 2u, OWN, TWO, ONE, 2);        /* pc: 2/5, 3/5; cs: 1/3, 1/3; pp: 3/4 */
        run_family(&f, 1u, 1u, 1u << 1, 1u << 1, 1); /* pc: 0/2; cs: 1/2, 0/1, 1/2 */
        assert_int_equal(exec_footprint_levels(f.footprint, level), 1);
        assert_int_equal(level->kernels, 2);
        assert_int_equal(level->parents, 3);
        assert_int_equal(level->direct_parents, 3);
        assert_int_equal(level->children, 9);
        is(&level->mean[FOOTPRINT_PARENT_CHILD], 3u, 1.0 / 3.0);
        /* {1}, {2}, {1}: of the first's siblings one of two, of the second's none of one */
        is(&level->mean[FOOTPRINT_CHILD_SIBLING], 3u, 1.0 / 3.0);
        is(&level->mean[FOOTPRINT_PARENT_PARENT], 1u, 3.0 / 4.0);
    }
}

static void who_accesses_nothing_has_no_ratio(void **state)
{
    struct footprint_level level[FOOTPRINT_LEVELS];
    struct fixture f;

    (void)state;
    EACH_WAY(f, way)
    {
        run_family(&f, 2u, OWN, 0u, 0u, 0); /* without children: not a parent */
        assert_int_equal(exec_footprint_levels(f.footprint, level), 0);
        run_family(&f, 1u, OWN, 0u, 0u, 1);
        assert_int_equal(exec_footprint_levels(f.footprint, level), 1);
        assert_int_equal(level->kernels, 1);
        assert_int_equal(level->parents, 1);
        assert_int_equal(level->children, 3);
        is(&level->mean[FOOTPRINT_PARENT_CHILD], 0u, 0.0);
        is(&level->mean[FOOTPRINT_CHILD_SIBLING], 0u, 0.0);
        is(&level->mean[FOOTPRINT_PARENT_PARENT], 0u, 0.0);
    }
}

/* ---- By definition ------------------------------------------------------------------- */

enum { MOST_CTAS = 2000, HOST = -1 };
/* A CTA of a tree, as nested.cu's tree_blocks computes it. */
struct node {
    bool block[BLOCKS];
    int launch, parent, level;
};
struct tree {
    struct node node[MOST_CTAS];
    int n, launches;
};

static uint32_t mix(uint32_t n)
{
    n = (n ^ n >> 16) * 0x45d9f3bu;
    n = (n ^ n >> 16) * 0x45d9f3bu;
    return n ^ n >> 16;
}

/* A launch, with all below it. A tail launch has the level of who launches it. */
/* NOLINTNEXTLINE(misc-no-recursion): as deep as the tree */
static void grow(struct tree *tree, int parent, int level, uint32_t number, uint32_t ctas,
                 uint32_t levels)
{
    const int launch = tree->launches++;

    for (uint32_t cta = 0u; cta < ctas; cta++) {
        const int me = tree->n++;
        assert_true(me < MOST_CTAS);
        struct node *const node = &tree->node[me];
        const uint32_t own = mix(number + cta);
        *node = (struct node){ .launch = launch, .parent = parent, .level = level };
        for (uint32_t k = 0u; k < own % 16u; k++) {
            node->block[mix(own + k) % WORDS / 32u] = true;
        }
        for (uint32_t k = 0u; levels > 0u && k < mix(own) % 4u; k++) {
            const uint32_t next = mix(own ^ (k + 1u));
            grow(tree, me, level + (k < 2u ? 1 : 0), next, 1u + next % 3u, levels - 1u);
        }
    }
}

struct mean {
    double sum;
    uint64_t n;
};
static void add(struct mean *mean, double part, double all)
{
    if (all != 0.0) {
        mean->sum += part / all;
        mean->n++;
    }
}

/* Adds the ratio of a CTA's blocks that the others of a group access as well, over all that
 * these access. siblings: the group are all children of one CTA; otherwise those of a launch.
 */
static void add_others(const struct tree *tree, int cta, bool siblings, struct mean *mean)
{
    const struct node *const node = &tree->node[cta];
    bool others[BLOCKS] = { false };
    double shared = 0.0, all = 0.0;

    for (int k = 0; k < tree->n; k++) {
        const struct node *const other = &tree->node[k];
        const bool together =
            siblings ? other->parent == node->parent : other->launch == node->launch;
        for (int b = 0; b < BLOCKS && together && k != cta; b++) {
            others[b] = others[b] || other->block[b];
        }
    }
    for (int b = 0; b < BLOCKS; b++) {
        all += others[b];
        shared += others[b] && node->block[b];
    }
    add(mean, shared, all);
}

static bool launches(const struct tree *tree, int cta)
{
    bool any = false;

    for (int k = 0; k < tree->n; k++) {
        any = any || tree->node[k].parent == cta;
    }
    return any;
}

static void family_means(const struct tree *tree, int parent, struct mean mean[FOOTPRINT_KINDS],
                         uint64_t *children)
{
    bool block[BLOCKS] = { false };
    struct mean own = { 0.0, 0u };
    double shared = 0.0, all = 0.0;

    for (int k = 0; k < tree->n; k++) {
        for (int b = 0; b < BLOCKS && tree->node[k].parent == parent; b++) {
            block[b] = block[b] || tree->node[k].block[b];
        }
        if (tree->node[k].parent == parent) {
            add_others(tree, k, true, &own);
            ++*children;
        }
    }
    for (int b = 0; b < BLOCKS; b++) {
        all += block[b];
        shared += block[b] && tree->node[parent].block[b];
    }
    add(&mean[FOOTPRINT_PARENT_CHILD], shared, all);
    add(&mean[FOOTPRINT_CHILD_SIBLING], own.sum, (double)own.n);
}

/* Of a launch, if it has a direct parent. */
static void launch_means(const struct tree *tree, int launch, int level, struct mean *mean,
                         uint64_t *parents, uint64_t *kernels)
{
    struct mean own = { 0.0, 0u };
    uint64_t ctas = 0u;
    bool any = false;

    for (int k = 0; k < tree->n; k++) {
        if (tree->node[k].launch == launch && tree->node[k].level == level) {
            any = any || launches(tree, k);
            add_others(tree, k, false, &own);
            ctas++;
        }
    }
    if (any) {
        add(mean, own.sum, (double)own.n);
        *parents += ctas;
        ++*kernels;
    }
}

/* All of a level is as the definition has it. */
static void agrees(const struct tree *tree, int level, const struct footprint_level *found)
{
    struct mean mean[FOOTPRINT_KINDS] = { { 0.0, 0u } };
    uint64_t direct = 0u, children = 0u, parents = 0u, kernels = 0u;

    for (int k = 0; k < tree->n; k++) {
        if (tree->node[k].level == level && launches(tree, k)) {
            family_means(tree, k, mean, &children);
            direct++;
        }
    }
    for (int launch = 0; launch < tree->launches; launch++) {
        launch_means(tree, launch, level, &mean[FOOTPRINT_PARENT_PARENT], &parents, &kernels);
    }
    assert_int_equal(found->direct_parents, direct);
    assert_int_equal(found->children, children);
    assert_int_equal(found->parents, parents);
    assert_int_equal(found->kernels, kernels);
    for (uint32_t k = 0u; k < FOOTPRINT_KINDS; k++) {
        is(&found->mean[k], mean[k].n, mean[k].sum / (double)mean[k].n);
    }
}

static void trees_have_the_ratios_of_the_definition(void **state)
{
    static struct tree tree;
    struct footprint_level level[FOOTPRINT_LEVELS], first[FOOTPRINT_LEVELS];
    struct fixture f;
    uint32_t number = 0u, ctas = 5u;
    int32_t levels = 4;

    (void)state;
    EACH_WAY(f, way)
    {
        tree.n = tree.launches = 0;
        for (number = 100u; number < 300u; number += 100u) {
            grow(&tree, HOST - (int)number, 0, number, ctas, (uint32_t)levels);
            if (run(&f, "tree_blocks", ctas, (void *[]){ &f.data, &number, &levels })
                != GSP_OK) {
                fail_msg("%s", gsp_message(f.context));
            }
        }
        memset(level, 0, sizeof level);
        const uint32_t n = exec_footprint_levels(f.footprint, level);
        assert_int_equal(n, 4);
        for (uint32_t k = 0u; k < n; k++) {
            agrees(&tree, (int)k, &level[k]);
        }
        if (way == ways) {
            memcpy(first, level, sizeof first);
        }
        assert_memory_equal(level, first, sizeof first); /* to the last bit */
    }
}

/* ---- Memory -------------------------------------------------------------------------- */

static void footprints_that_need_too_much_memory_end_the_run(void **state)
{
    uint64_t own = UINT64_MAX, none = 0u;
    int32_t direct = 0;
    struct fixture f;

    (void)state;
    for (const struct way *way = ways; way < ways + 3; way++) {
        open_way(&f, way, 1000u, NULL);
        assert_int_equal(
            run(&f, "parent_blocks", 1u, (void *[]){ &f.data, &own, &none, &none, &direct }),
            GSP_MEMORY);
        assert_int_equal(gsp_fault(f.context)->kind, FAULT_SURROUNDINGS);
        assert_non_null(
            strstr(gsp_message(f.context), "parent_blocks: CTA (0,0,0), thread (0,0,0): "));
        assert_non_null(strstr(gsp_message(f.context), ": no memory for footprints"));
        close_way(&f);
    }
}

/* What has ended gives back what it took: many launches need no more than one. */
static void memory_is_used_again(void **state)
{
    struct fixture f;

    (void)state;
    for (const struct way *way = ways; way < ways + 3; way++) {
        open_way(&f, way, 8000u, NULL);
        for (int i = 0; i < 20; i++) {
            run_family(&f, 4u, 0xffffffffu, 0xffu, 0xffu, 4);
        }
        struct footprint_level level[FOOTPRINT_LEVELS];
        assert_int_equal(exec_footprint_levels(f.footprint, level), 1);
        assert_int_equal(level->direct_parents, 80);
        close_way(&f);
    }
}

/* ---- Where children run -------------------------------------------------------------- */

/* Sees where CTAs end. */
struct places {
    uint32_t sm[64][64];
    uint32_t n[64];
};
static void note_place(void *self, uint32_t kernel, uint32_t cta, uint32_t sm, uint32_t slot,
                       uint64_t cycle)
{
    struct places *const places = self;

    (void)cta;
    (void)slot;
    (void)cycle;
    assert_true(kernel < 64u && places->n[kernel] < 64u);
    places->sm[kernel][places->n[kernel]++] = sm;
}

static void ctas_on_the_sm_of_their_direct_parent_are_counted(void **state)
{
    static struct places places;
    const struct gpu_monitor monitor = { .self = &places, .cta_ended = note_place };
    struct fixture f;
    uint64_t counted = 0u, all = 0u;

    (void)state;
    open_way(&f, &ways[2], FOOTPRINT_BYTES, &(struct gpu_hooks){ .monitor = &monitor });
    run_family(&f, 8u, OWN, TWO, ONE, 8);
    const struct gpu_stats *const stats = gpu_stats(gsp_gpu(f.context));
    assert_int_equal(stats->kernel[0].ctas_on_sm, 0);
    for (uint32_t k = 1u; k < stats->n_kernel; k++) {
        uint64_t on_sm = 0u;
        for (uint32_t i = 0u; i < places.n[k]; i++) {
            on_sm += places.sm[k][i] == stats->kernel[k].sm;
        }
        assert_int_equal(stats->kernel[k].ctas_on_sm, on_sm);
        counted += on_sm;
        all += places.n[k];
    }
    assert_in_range(counted, 1u, all - 1u);
    close_way(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_family_has_the_ratios_that_are_counted_by_hand),
        cmocka_unit_test(means_are_of_direct_parents_and_of_kernels),
        cmocka_unit_test(who_accesses_nothing_has_no_ratio),
        cmocka_unit_test(trees_have_the_ratios_of_the_definition),
        cmocka_unit_test(footprints_that_need_too_much_memory_end_the_run),
        cmocka_unit_test(memory_is_used_again),
        cmocka_unit_test(ctas_on_the_sm_of_their_direct_parent_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
