/* bht, host part: random points, more of them towards one corner. */

#include <math.h>

#include "workloads/workload_kit.h"

enum { BLOCK = 64, FEW = 16, SIDE = 1 << 13 };

static const uint32_t n_points_of[] = {
    [SIZE_SMALL] = 160, [SIZE_MEDIUM] = 2048, [SIZE_PAPER] = 262144, [SIZE_LAPERM] = 16384
};

struct point {
    int32_t x, y;
};

struct node {
    int32_t first, count, flipped, x, y, side, sum_x, sum_y, child;
};

struct tree {
    size_t points, nodes;
    struct node *node;
};

static struct point *make(struct kit *kit, size_t n)
{
    struct point *points = kit_host(kit, n * sizeof *points);
    for (size_t i = 0; i < n; i++) {
        const uint64_t x = kit_random(kit) % SIDE, y = kit_random(kit) % SIDE;
        points[i] = (struct point){ (int32_t)(x * x / SIDE), (int32_t)(y * y / SIDE) };
    }
    return points;
}

/* Points of a part of the square. */
struct part {
    struct point *points;
    size_t n;
    int32_t x, y, side;
};

/* Moves those of the quadrant to the front. */
static struct part quadrant_of(const struct part *part, int q)
{
    const int32_t half = part->side / 2;
    struct part own = { part->points, 0, part->x + (q & 1) * half, part->y + (q >> 1) * half,
                        half };
    for (size_t i = 0; i < part->n; i++) {
        const struct point at = part->points[i];
        if (at.x >= own.x && at.x < own.x + half && at.y >= own.y && at.y < own.y + half) {
            part->points[i] = own.points[own.n];
            own.points[own.n++] = at;
        }
    }
    return own;
}

/* Nodes of the tree over a part, itself included. */
// NOLINTNEXTLINE(misc-no-recursion): at most 13 levels deep
static size_t count_nodes(const struct part *part)
{
    size_t n = 1;
    if (part->n > FEW && part->side > 1) {
        for (int q = 0; q < 4; q++) {
            const struct part own = quadrant_of(part, q);
            n += count_nodes(&own);
        }
    }
    return n;
}

/* The tree's node must be of this part, and its children of its quadrants; *n counts them. */
// NOLINTNEXTLINE(misc-no-recursion): at most 13 levels deep
static bool same(struct kit *kit, const struct tree *tree, int32_t which,
                 const struct part *part, size_t *n)
{
    const struct node *node = tree->node + which;
    const bool many = part->n > FEW && part->side > 1;
    int32_t sum_x = 0, sum_y = 0;
    for (size_t i = 0; i < part->n; i++) {
        sum_x += part->points[i].x - part->x;
        sum_y += part->points[i].y - part->y;
    }
    if (++*n > tree->nodes || node->count != (int32_t)part->n || node->x != part->x
        || node->y != part->y || node->side != part->side || node->sum_x != sum_x
        || node->sum_y != sum_y || (node->child >= 0) != many
        || node->child + 4 > (int32_t)tree->nodes) {
        return kit_fail(kit, "node %d: %d points from %d,%d on, of %d; %zu from %d,%d on",
                        which, node->count, node->x, node->y, node->side, part->n, part->x,
                        part->y);
    }
    for (int q = 0; many && q < 4; q++) {
        const struct part own = quadrant_of(part, q);
        if (!same(kit, tree, node->child + q, &own, n)) {
            return false;
        }
    }
    return true;
}

struct on_device {
    gsp_pointer nodes, used, bodies, points, others, forces;
};

static void build(struct kit *kit, const struct tree *tree, const struct on_device *d)
{
    const struct node root = { .count = (int32_t)tree->points, .side = SIDE, .child = -1 };
    const struct gsp_dim block = { BLOCK, 1, 1 };
    gsp_pointer nodes = d->nodes, used = d->used, points = d->points, others = d->others;
    int32_t first = 0, behind = 1;
    kit_copy_in(kit, nodes, &root, sizeof root);
    kit_copy_in(kit, used, &behind, sizeof behind);
    if (kit_workload(kit)->nested) {
        KIT_LAUNCH(kit, "bht_split_nested", ((struct gsp_dim){ 1, 1, 1 }), block, &nodes,
                   &first, &points, &others, &used);
        return;
    }
    while (first < behind) {
        KIT_LAUNCH(kit, "bht_split", ((struct gsp_dim){ (uint32_t)(behind - first), 1, 1 }),
                   block, &nodes, &first, &points, &others, &used);
        first = behind;
        kit_copy_out(kit, &behind, used, sizeof behind);
    }
}

/* By the tree that was checked, in double. Only every so manyth point. */
static bool right_forces(struct kit *kit, const struct tree *tree, const struct point *bodies,
                         const struct point *arrays[2], const float *got)
{
    enum { STACK = 64, CHECKED = 4096 };
    const size_t step = tree->points / CHECKED + 1;
    for (size_t i = 0; i < tree->points; i += step) {
        int32_t stack[STACK] = { 0 };
        double x = 0, y = 0, all = 0;
        for (int top = 1; top > 0;) {
            const struct node *node = tree->node + stack[--top];
            const int64_t cx = node->x + node->side / 2 - bodies[i].x;
            const int64_t cy = node->y + node->side / 2 - bodies[i].y;
            const bool far = cx * cx + cy * cy > 4 * (int64_t)node->side * node->side;
            const bool inner = !far && node->child >= 0;
            for (int32_t q = 0; inner && q < 4; q++) {
                stack[top++] = node->child + q;
            }
            const int32_t n = inner || node->count == 0 ? 0 : far ? 1 : node->count;
            for (int32_t k = 0; k < n; k++) {
                const struct point *at = arrays[node->flipped] + node->first + k;
                const double count = far ? node->count : 1;
                const double px = far ? node->x + node->sum_x / count : at->x;
                const double py = far ? node->y + node->sum_y / count : at->y;
                const double dx = px - bodies[i].x, dy = py - bodies[i].y;
                const double square = dx * dx + dy * dy + 1;
                const double by = count / (square * sqrt(square));
                x += dx * by;
                y += dy * by;
                all += by * sqrt(square);
            }
        }
        if (!(fabs(got[2 * i] - x) <= 1e-4 * all && fabs(got[2 * i + 1] - y) <= 1e-4 * all)) {
            return kit_fail(kit, "force on %zu: %g,%g for %g,%g", i, (double)got[2 * i],
                            (double)got[2 * i + 1], x, y);
        }
    }
    return true;
}

static bool run(struct kit *kit, enum workload_size size)
{
    struct tree tree = { .points = n_points_of[size] };
    const size_t bytes = tree.points * sizeof(struct point);
    kit_seed(kit, "bht");
    struct point *bodies = make(kit, tree.points);
    struct point *sorted = kit_host(kit, bytes), *other = kit_host(kit, bytes);
    struct part all = { kit_host(kit, bytes), tree.points, 0, 0, SIDE };
    for (size_t i = 0; i < tree.points; i++) {
        all.points[i] = bodies[i];
    }
    tree.nodes = count_nodes(&all);
    tree.node = kit_host(kit, tree.nodes * sizeof *tree.node);
    const struct on_device d = {
        .nodes = kit_alloc(kit, tree.nodes * sizeof *tree.node),
        .used = kit_alloc(kit, sizeof(int32_t)),
        .bodies = kit_alloc_copy(kit, bodies, bytes),
        .points = kit_alloc_copy(kit, bodies, bytes),
        .others = kit_alloc(kit, bytes),
        .forces = kit_alloc(kit, tree.points * 2 * sizeof(float)),
    };
    build(kit, &tree, &d);
    int32_t count = (int32_t)tree.points;
    gsp_pointer arguments[] = { d.nodes, d.points, d.others, d.bodies, d.forces };
    const struct gsp_dim grid = { ((uint32_t)count + BLOCK - 1) / BLOCK, 1, 1 };
    KIT_LAUNCH(kit, "bht_force", grid, ((struct gsp_dim){ BLOCK, 1, 1 }), &arguments[0],
               &arguments[1], &arguments[2], &arguments[3], &count, &arguments[4]);
    float *forces = kit_host(kit, tree.points * 2 * sizeof(float));
    kit_copy_out(kit, tree.node, d.nodes, tree.nodes * sizeof *tree.node);
    kit_copy_out(kit, sorted, d.points, bytes);
    kit_copy_out(kit, other, d.others, bytes);
    kit_copy_out(kit, forces, d.forces, tree.points * 2 * sizeof(float));
    size_t n = 0;
    return same(kit, &tree, 0, &all, &n)
           && right_forces(kit, &tree, bodies, (const struct point *[]){ sorted, other },
                           forces);
}

#define SHARED                                                                             \
    .source = "LaPerm Table II (BHT)",                                                     \
    .check =                                                                               \
        "all nodes of the tree exactly, up to 4,096 forces within 1e-4 of what is pulled", \
    .run = run, .papers = SIZE_BIT(LAPERM), .folder = "bht"
const struct cuda_workload workload_bht = {
    .name = "bht",
    .title = "Barnes-Hut tree of random points, and the forces, with child kernels",
    .nested = true,
    SHARED,
};
const struct cuda_workload workload_bht_flat = {
    .name = "bht_flat",
    .title = "Barnes-Hut tree of random points, and the forces",
    SHARED,
};
