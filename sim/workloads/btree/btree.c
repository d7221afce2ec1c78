/*
 * btree, host part: builds the tree from sorted keys, level by level, and asks for keys and for
 * ranges whose ends are among them, and for keys that are not there.
 */

#include "workloads/workload_kit.h"

enum { ORDER = 256, FILL = 180, NONE = -1 };

static const struct {
    uint32_t keys, queries;
} sizes[] = {
    [SIZE_SMALL] = { 5000, 30 },       [SIZE_MEDIUM] = { 100000, 1500 },
    [SIZE_PAPER] = { 1000000, 65535 }, [SIZE_TH3] = { 1000000, 65535 },
    [SIZE_TH42] = { 1000000, 65535 },  [SIZE_TH44] = { 1000000, 65535 },
    [SIZE_ICC] = { 1000000, 65535 },
};

struct node {
    int32_t keys[ORDER + 1], children[ORDER + 1];
};

/* The root is node 0, and every level lies behind the one above it. */
struct tree {
    struct node *nodes;
    size_t count;
    int32_t height;   /* levels above the leaves */
    int32_t *keys;    /* sorted */
    int32_t *records; /* of the keys */
    size_t n;
};

/* Nodes from the leaves up to a root. */
static size_t count_nodes(size_t n, size_t *levels)
{
    size_t total = 0;
    *levels = 0;
    do {
        n = (n + FILL - 1) / FILL;
        total += n;
        (*levels)++;
    } while (n > 1);
    return total;
}

static void pad(struct node *node, size_t used)
{
    for (size_t i = used; i <= ORDER; i++) {
        node->keys[i] = INT32_MAX;
        node->children[i] = NONE;
    }
}

/* A level at nodes[at], of n entries below it: keys of the tree, or nodes from nodes[below].
 * The smallest key of all counts as the smallest there is, above the leaves. */
static size_t build_level(struct tree *t, size_t at, size_t n, size_t below, bool leaves)
{
    for (size_t i = 0; i < n; i++) {
        struct node *node = &t->nodes[at + i / FILL];
        const size_t slot = i % FILL;
        node->keys[slot] = leaves   ? t->keys[i]
                           : i == 0 ? INT32_MIN
                                    : t->nodes[below + i].keys[0];
        node->children[slot] = (int32_t)(leaves ? i : below + i);
        if (slot == FILL - 1 || i == n - 1) {
            pad(node, slot + 1);
        }
    }
    return (n + FILL - 1) / FILL;
}

static void build(struct kit *kit, struct tree *t)
{
    t->keys = kit_host(kit, t->n * sizeof(int32_t));
    t->records = kit_host(kit, t->n * sizeof(int32_t));
    for (size_t i = 0; i < t->n; i++) { /* gaps of 2 to 9: key + 1 is never a key */
        t->keys[i] = (i ? t->keys[i - 1] : 0) + 2 + (int32_t)(kit_random(kit) >> 29);
        t->records[i] = (int32_t)(kit_random(kit) >> 1);
    }
    size_t levels = 0;
    t->count = count_nodes(t->n, &levels);
    t->nodes = kit_host(kit, t->count * sizeof(struct node));
    t->height = (int32_t)levels - 1;
    size_t end = t->count, below = 0, n = t->n;
    for (size_t level = 0; level < levels; level++) {
        const size_t at = end - (n + FILL - 1) / FILL;
        n = build_level(t, at, n, below, level == 0);
        below = at;
        end = at;
    }
}

static bool find_keys(struct kit *kit, const struct tree *t, gsp_pointer nodes,
                      uint32_t queries)
{
    const size_t bytes = queries * sizeof(int32_t);
    int32_t *wanted = kit_host(kit, bytes), *expected = kit_host(kit, bytes);
    int32_t *got = kit_host(kit, bytes);
    for (size_t i = 0; i < queries; i++) {
        const size_t at = kit_random(kit) % t->n;
        const bool absent = i % 8 == 7;
        wanted[i] = t->keys[at] + absent;
        expected[i] = absent ? NONE : t->records[at];
    }
    gsp_pointer records = kit_alloc_copy(kit, t->records, t->n * sizeof(int32_t));
    gsp_pointer keys = kit_alloc_copy(kit, wanted, bytes), answers = kit_alloc(kit, bytes);
    kit_set(kit, answers, 0xff, bytes); /* NONE */
    int32_t height = t->height;
    const struct gsp_dim grid = { queries, 1, 1 }, block = { ORDER, 1, 1 };
    KIT_LAUNCH(kit, "btree_find_key", grid, block, &nodes, &height, &records, &keys, &answers);
    kit_copy_out(kit, got, answers, bytes);
    return kit_check_ints(kit, "record", got, expected, queries);
}

static bool find_ranges(struct kit *kit, const struct tree *t, gsp_pointer nodes,
                        uint32_t queries)
{
    const size_t bytes = queries * sizeof(int32_t);
    int32_t *start = kit_host(kit, bytes), *end = kit_host(kit, bytes);
    int32_t *first = kit_host(kit, bytes), *length = kit_host(kit, bytes);
    for (size_t i = 0; i < queries; i++) {
        first[i] = (int32_t)(kit_random(kit) % t->n);
        length[i] = 1 + (int32_t)(kit_random(kit) % (t->n - (size_t)first[i])) % 1000;
        start[i] = t->keys[first[i]];
        end[i] = t->keys[first[i] + length[i] - 1];
    }
    gsp_pointer starts = kit_alloc_copy(kit, start, bytes),
                ends = kit_alloc_copy(kit, end, bytes);
    gsp_pointer firsts = kit_alloc(kit, bytes), lengths = kit_alloc(kit, bytes);
    int32_t height = t->height;
    const struct gsp_dim grid = { queries, 1, 1 }, block = { ORDER, 1, 1 };
    KIT_LAUNCH(kit, "btree_find_range", grid, block, &nodes, &height, &starts, &ends, &firsts,
               &lengths);
    int32_t *got = kit_host(kit, bytes);
    kit_copy_out(kit, got, firsts, bytes);
    if (!kit_check_ints(kit, "first record", got, first, queries)) {
        return false;
    }
    kit_copy_out(kit, got, lengths, bytes);
    return kit_check_ints(kit, "length", got, length, queries);
}

static bool run(struct kit *kit, enum workload_size size)
{
    struct tree t = { .n = sizes[size].keys };
    build(kit, &t);
    const gsp_pointer nodes = kit_alloc_copy(kit, t.nodes, t.count * sizeof(struct node));
    return find_keys(kit, &t, nodes, sizes[size].queries)
           && find_ranges(kit, &t, nodes, sizes[size].queries);
}

static const struct kit_registers registers[] = {
    { "btree_find_key", 24, "thesis Table 4.2" },
    { "btree_find_range", 20, "thesis Table 4.2" },
    { NULL, 0, NULL },
};

const struct cuda_workload workload_btree = {
    .name = "btree",
    .title = "searches for keys and ranges in a B+ tree",
    .source = "Thesis Tables 3.2 (B+T), 4.2 (B+), 4.4 (BT), ICC Table 3 (BT)",
    .check = "every record, first record and length, exactly",
    .run = run,
    .papers = SIZE_BIT(TH3) | SIZE_BIT(TH42) | SIZE_BIT(TH44) | SIZE_BIT(ICC),
    .registers = registers,
};
