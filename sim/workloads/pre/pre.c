/* pre, host part: as many users, products and ratings as MovieLens 1M has at size paper. A few
 * users have rated much, a few products are rated often, and like products stand near each
 * other. */

#include <assert.h>

#include "workloads/workload_kit.h"

enum { BLOCK = 64, CHOOSING = 64, FEWEST = 4, LIKE = 16, LIKE_NEAR = 64 };

static const struct {
    uint32_t users, products, ratings;
} sizes[] = {
    [SIZE_SMALL] = { 64, 256, 1200 },
    [SIZE_MEDIUM] = { 500, 1024, 40000 },
    [SIZE_PAPER] = { 6040, 3706, 1000209 },
    [SIZE_LAPERM] = { 2048, 2048, 200000 },
};

struct ratings {
    size_t users, products, count;
    int32_t *first;       /* of each user, and behind the last */
    int32_t (*rating)[2]; /* product and stars */
    int32_t *first_like;  /* of each product, and behind the last */
    int32_t (*like)[2];   /* product, and how like it is, of 100 */
};

/* The lower a number, the more often it is drawn. */
static size_t low(struct kit *kit, size_t below)
{
    const uint64_t one = kit_random(kit); /* as a fraction, its third power */
    return (size_t)(((one * one >> 32) * one >> 32) * below >> 32);
}

/* How many ratings each user has: a few at least, and the others are drawn one by one. */
static void share_out(struct kit *kit, struct ratings *r, uint32_t all)
{
    for (size_t u = 0; u < r->users; u++) {
        r->first[u + 1] = FEWEST;
    }
    for (size_t n = r->users * FEWEST; n < all; n++) {
        /* with the numbers mixed, or those with many would stand together */
        const size_t user = low(kit, r->users) * 797u % r->users;
        if (r->first[user + 1] < (int32_t)r->products / 2) {
            r->first[user + 1]++;
        }
    }
    for (size_t u = 0; u < r->users; u++) {
        r->first[u + 1] += r->first[u];
    }
    r->count = (size_t)r->first[r->users];
}

/* No user rates a product twice. */
static void rate(struct kit *kit, struct ratings *r)
{
    uint32_t *rated_by = kit_host(kit, r->products * sizeof(uint32_t));
    r->rating = kit_host(kit, r->count * sizeof *r->rating);
    for (size_t u = 0; u < r->users; u++) {
        for (int32_t k = r->first[u]; k < r->first[u + 1]; k++) {
            size_t product = low(kit, r->products) * 1009u % r->products;
            while (rated_by[product] == u + 1) {
                product = (product + 1) % r->products;
            }
            rated_by[product] = (uint32_t)u + 1;
            r->rating[k][0] = (int32_t)product;
            r->rating[k][1] = 1 + (int32_t)(kit_random(kit) % 5u);
        }
    }
}

static void make(struct kit *kit, enum workload_size size, struct ratings *r)
{
    *r = (struct ratings){ .users = sizes[size].users, .products = sizes[size].products };
    assert(r->users > 0 && r->products > 0); /* it is a size that the program has */
    r->first = kit_host(kit, (r->users + 1) * sizeof(int32_t));
    r->first_like = kit_host(kit, (r->products + 1) * sizeof(int32_t));
    share_out(kit, r, sizes[size].ratings);
    rate(kit, r);
    for (size_t p = 0; p < r->products; p++) {
        r->first_like[p + 1] = r->first_like[p] + LIKE / 2 + (int32_t)(kit_random(kit) % LIKE);
    }
    r->like = kit_host(kit, (size_t)r->first_like[r->products] * sizeof *r->like);
    for (size_t p = 0; p < r->products; p++) {
        for (int32_t k = r->first_like[p]; k < r->first_like[p + 1]; k++) {
            const size_t away = 1 + kit_random(kit) % LIKE_NEAR;
            r->like[k][0] = (int32_t)((p + away) % r->products);
            r->like[k][1] = 1 + (int32_t)(kit_random(kit) % 100u);
        }
    }
}

/* A user after the other: the scores of all products, and the best one that he has not rated.
 */
static void choose(struct kit *kit, const struct ratings *r, int32_t *scores, int32_t *chosen)
{
    const size_t bytes = r->products;
    for (size_t u = 0; u < r->users; u++) {
        bool *rated = kit_host(kit, bytes);
        int32_t *own = scores + u * r->products, best = -1;
        for (int32_t k = r->first[u]; k < r->first[u + 1]; k++) {
            const int32_t product = r->rating[k][0];
            rated[product] = true;
            for (int32_t l = r->first_like[product]; l < r->first_like[product + 1]; l++) {
                own[r->like[l][0]] += r->rating[k][1] * r->like[l][1];
            }
        }
        chosen[u] = (int32_t)r->products;
        for (size_t p = 0; p < r->products; p++) {
            if (!rated[p] && own[p] > best) {
                best = own[p];
                chosen[u] = (int32_t)p;
            }
        }
        for (size_t p = 0; p < r->products; p++) {
            own[p] -= rated[p] ? 1 << 30 : 0;
        }
    }
}

static void choose_on_device(struct kit *kit, const struct ratings *r, int32_t *scores_to,
                             int32_t *chosen_to)
{
    const size_t bytes = r->users * r->products * sizeof(int32_t);
    gsp_pointer first = kit_alloc_copy(kit, r->first, (r->users + 1) * sizeof(int32_t));
    gsp_pointer ratings = kit_alloc_copy(kit, r->rating, r->count * sizeof *r->rating);
    gsp_pointer first_like =
        kit_alloc_copy(kit, r->first_like, (r->products + 1) * sizeof(int32_t));
    gsp_pointer likes =
        kit_alloc_copy(kit, r->like, (size_t)r->first_like[r->products] * sizeof *r->like);
    gsp_pointer scores = kit_alloc(kit, bytes);
    gsp_pointer chosen = kit_alloc(kit, r->users * sizeof(int32_t));
    int32_t users = (int32_t)r->users, products = (int32_t)r->products;
    kit_set(kit, scores, 0, bytes);
    KIT_LAUNCH(kit, kit_workload(kit)->nested ? "pre_score_nested" : "pre_score",
               ((struct gsp_dim){ ((uint32_t)users + BLOCK - 1) / BLOCK, 1, 1 }),
               ((struct gsp_dim){ BLOCK, 1, 1 }), &first, &ratings, &first_like, &likes,
               &scores, &products, &users);
    KIT_LAUNCH(kit, "pre_choose", ((struct gsp_dim){ (uint32_t)users, 1, 1 }),
               ((struct gsp_dim){ CHOOSING, 1, 1 }), &scores, &products, &chosen);
    kit_copy_out(kit, scores_to, scores, bytes);
    kit_copy_out(kit, chosen_to, chosen, r->users * sizeof(int32_t));
}

static bool run(struct kit *kit, enum workload_size size)
{
    struct ratings r;
    kit_seed(kit, "pre");
    make(kit, size, &r);
    const size_t n = r.users * r.products;
    int32_t *expected = kit_host(kit, n * sizeof(int32_t));
    int32_t *got = kit_host(kit, n * sizeof(int32_t));
    int32_t *best = kit_host(kit, r.users * sizeof(int32_t));
    int32_t *chosen = kit_host(kit, r.users * sizeof(int32_t));
    choose(kit, &r, expected, best);
    choose_on_device(kit, &r, got, chosen);
    return kit_check_ints(kit, "score", got, expected, n)
           && kit_check_ints(kit, "product", chosen, best, r.users);
}

#define SHARED                                                                                 \
    .source = "LaPerm Table II (PRE)", .check = "all scores and choices, exactly", .run = run, \
    .papers = SIZE_BIT(LAPERM), .folder = "pre"
const struct cuda_workload workload_pre = {
    .name = "pre",
    .title = "a product for each user by those that he has rated, with child kernels",
    .nested = true,
    SHARED,
};
const struct cuda_workload workload_pre_flat = {
    .name = "pre_flat",
    .title = "a product for each user by those that he has rated",
    SHARED,
};
