/* join, host part: keys are spread evenly, or as the sum of twelve numbers is, which is close
 * to a Gaussian distribution. */

#include "workloads/workload_kit.h"

enum input { UNIFORM, GAUSSIAN };
enum { BLOCK = 64, KEYS = 16 /* of each part */ };

/* On average a part has so many rows of each table. */
enum { ROWS = 8 };
static const uint32_t n_parts_of[] = {
    [SIZE_SMALL] = 96, [SIZE_MEDIUM] = 4096, [SIZE_PAPER] = 131072, [SIZE_LAPERM] = 16384
};

struct table {
    size_t rows;
    int32_t *keys;  /* those of a part follow each other */
    int32_t *first; /* of each part, and behind the last */
};

static uint32_t draw(struct kit *kit, uint32_t keys)
{
    uint64_t sum = 0;
    if (kit_workload(kit)->input == UNIFORM) {
        return kit_random(kit) % keys;
    }
    for (int i = 0; i < 12; i++) {
        sum += kit_random(kit) % keys;
    }
    return (uint32_t)(sum / 12u);
}

static struct table make(struct kit *kit, size_t parts)
{
    const size_t rows = parts * ROWS;
    struct table t = { rows, kit_host(kit, rows * sizeof(int32_t)),
                       kit_host(kit, (parts + 1) * sizeof(int32_t)) };
    int32_t *drawn = kit_host(kit, rows * sizeof(int32_t));
    int32_t *next = kit_host(kit, parts * sizeof(int32_t));
    for (size_t i = 0; i < rows; i++) {
        drawn[i] = (int32_t)draw(kit, (uint32_t)parts * KEYS);
        t.first[drawn[i] / KEYS + 1]++;
    }
    for (size_t p = 0; p < parts; p++) {
        next[p] = t.first[p];
        t.first[p + 1] += t.first[p];
    }
    for (size_t i = 0; i < rows; i++) {
        t.keys[next[drawn[i] / KEYS]++] = drawn[i];
    }
    return t;
}

struct answer {
    int32_t *places; /* of each row's pairs, and behind the last */
    int32_t *pairs;
};

static void sum_up(int32_t *counts, size_t n)
{
    int32_t sum = 0;
    for (size_t i = 0; i <= n; i++) {
        const int32_t count = counts[i];
        counts[i] = sum;
        sum += count;
    }
}

/* By lists of the rows of S that have each key. */
static struct answer find(struct kit *kit, const struct table *r, const struct table *s,
                          size_t keys)
{
    struct answer a = { kit_host(kit, (r->rows + 1) * sizeof(int32_t)), NULL };
    int32_t *first = kit_host(kit, (keys + 1) * sizeof(int32_t));
    int32_t *next = kit_host(kit, keys * sizeof(int32_t));
    int32_t *rows = kit_host(kit, s->rows * sizeof(int32_t));
    for (size_t i = 0; i < s->rows; i++) {
        first[s->keys[i]]++;
    }
    for (size_t i = 0; i < r->rows; i++) {
        a.places[i] = first[r->keys[i]];
    }
    sum_up(first, keys);
    sum_up(a.places, r->rows);
    for (size_t i = 0; i < keys; i++) {
        next[i] = first[i];
    }
    for (size_t i = 0; i < s->rows; i++) {
        rows[next[s->keys[i]]++] = (int32_t)i;
    }
    a.pairs = kit_host(kit, 2 * (size_t)a.places[r->rows] * sizeof(int32_t));
    int32_t *pair = a.pairs;
    for (size_t i = 0; i < r->rows; i++) {
        for (int32_t k = first[r->keys[i]]; k < first[r->keys[i] + 1]; k++) {
            *pair++ = (int32_t)i;
            *pair++ = rows[k];
        }
    }
    return a;
}

static struct answer find_on_device(struct kit *kit, const struct table *r,
                                    const struct table *s, size_t parts)
{
    const bool nested = kit_workload(kit)->nested;
    const size_t bytes = r->rows * sizeof(int32_t);
    struct answer a = { kit_host(kit, bytes + sizeof(int32_t)), NULL };
    int32_t(*part)[4] = kit_host(kit, parts * sizeof *part);
    int32_t n_parts = (int32_t)parts;
    for (size_t p = 0; p < parts; p++) {
        part[p][0] = r->first[p];
        part[p][1] = r->first[p + 1] - r->first[p];
        part[p][2] = s->first[p];
        part[p][3] = s->first[p + 1] - s->first[p];
    }
    gsp_pointer keys_r = kit_alloc_copy(kit, r->keys, bytes);
    gsp_pointer keys_s = kit_alloc_copy(kit, s->keys, bytes);
    gsp_pointer parts_of = kit_alloc_copy(kit, part, parts * sizeof *part);
    gsp_pointer counts = kit_alloc(kit, bytes);
    const struct gsp_dim grid = { ((uint32_t)parts + BLOCK - 1) / BLOCK, 1, 1 };
    const struct gsp_dim block = { BLOCK, 1, 1 };
    kit_set(kit, counts, 0, bytes);
    KIT_LAUNCH(kit, nested ? "join_count_nested" : "join_count", grid, block, &keys_r, &keys_s,
               &parts_of, &n_parts, &counts);
    kit_copy_out(kit, a.places, counts, bytes);
    sum_up(a.places, r->rows);
    kit_copy_in(kit, counts, a.places, bytes);

    const size_t all = 2 * (size_t)a.places[r->rows] * sizeof(int32_t);
    gsp_pointer pairs = kit_alloc(kit, all);
    KIT_LAUNCH(kit, nested ? "join_write_nested" : "join_write", grid, block, &keys_r, &keys_s,
               &parts_of, &n_parts, &counts, &pairs);
    a.pairs = kit_host(kit, all);
    kit_copy_out(kit, a.pairs, pairs, all);
    return a;
}

static bool run(struct kit *kit, enum workload_size size)
{
    const size_t parts = n_parts_of[size];
    kit_seed(kit, "join");
    const struct table r = make(kit, parts), s = make(kit, parts);
    const struct answer expected = find(kit, &r, &s, parts * KEYS);
    const struct answer got = find_on_device(kit, &r, &s, parts);
    return kit_check_ints(kit, "place of pairs", got.places, expected.places, r.rows + 1)
           && kit_check_ints(kit, "row of a pair", got.pairs, expected.pairs,
                             2 * (size_t)got.places[r.rows]);
}

#define TITLE "pairs of rows with the same key, of "
#define SHARED(of)                                                                        \
    .source = "LaPerm Table II (JOIN)", .check = "all pairs, exactly and in their order", \
    .run = run, .papers = SIZE_BIT(LAPERM), .folder = "join", .input = (of)
#define NESTED(keys, of)                                                                       \
    {                                                                                          \
        .name = "join_" keys, .title = TITLE keys " keys, with child kernels", .nested = true, \
        SHARED(of)                                                                             \
    }
#define FLAT(keys, of)                                                        \
    {                                                                         \
        .name = "join_" keys "_flat", .title = TITLE keys " keys", SHARED(of) \
    }
const struct cuda_workload workload_join_uniform = NESTED("uniform", UNIFORM);
const struct cuda_workload workload_join_uniform_flat = FLAT("uniform", UNIFORM);
const struct cuda_workload workload_join_gaussian = NESTED("gaussian", GAUSSIAN);
const struct cuda_workload workload_join_gaussian_flat = FLAT("gaussian", GAUSSIAN);
