/* versions - counts of writes by cluster and line, and what L1s have seen, by SM and line; see
 * versions.h. Only lines that have been written have counts. */

#include "gpu/mem/versions.h"

#include <stdlib.h>

/* Of a cluster and a line: writes sent and performed. Of an SM and a line: the version that its
 * L1 holds, if it holds the line, and that of the SM's latest write. */
struct count {
    uint64_t key; /* 0: free */
    uint16_t sent_or_held;
    uint16_t performed_or_written;
    uint16_t stored; /* writes that its L1 holds, and that have not been sent */
};

/* A line in a coalesced cache. */
struct copy {
    uint64_t line;
    uint16_t version;
};

struct versions {
    struct versions_shape shape;
    struct count *count; /* a hash table with open addresses, at most half full */
    uint64_t mask, n;
    uint16_t *required; /* [sm][mshr] */
    struct copy *copy;  /* [cluster][way] */
};

enum { FIRST_ROOM = 1 << 12 };

struct versions *versions_open(const struct versions_shape *shape)
{
    struct versions *const v = calloc(1u, sizeof *v);

    if (v == NULL) {
        return NULL;
    }
    v->shape = *shape;
    v->mask = FIRST_ROOM - 1u;
    v->count = calloc(FIRST_ROOM, sizeof *v->count);
    v->required = calloc((size_t)shape->sms * shape->mshrs, sizeof *v->required);
    v->copy = calloc((size_t)shape->clusters * shape->ways + 1u, sizeof *v->copy);
    if (v->count == NULL || v->required == NULL || v->copy == NULL) {
        versions_close(v);
        return NULL;
    }
    return v;
}

void versions_close(struct versions *v)
{
    if (v != NULL) {
        free(v->count);
        free(v->required);
        free(v->copy);
        free(v);
    }
}

/* ---- Counts -------------------------------------------------------------------------- */

static uint64_t key_of(bool sm, uint32_t number, uint32_t line)
{
    return UINT64_C(1) << 63 | (uint64_t)sm << 62 | (uint64_t)number << 32 | line;
}

/* The place of a key, or the free place where it would be. */
static struct count *place_of(struct count *count, uint64_t mask, uint64_t key)
{
    uint64_t at = key * UINT64_C(0x9e3779b97f4a7c15) >> 24 & mask;

    while (count[at].key != 0u && count[at].key != key) {
        at = (at + 1u) & mask;
    }
    return &count[at];
}

static bool grow(struct versions *v)
{
    const uint64_t mask = 2u * v->mask + 1u;
    struct count *const count = calloc(mask + 1u, sizeof *count);

    if (count == NULL) {
        return false;
    }
    for (uint64_t i = 0u; i <= v->mask; i++) {
        if (v->count[i].key != 0u) {
            *place_of(count, mask, v->count[i].key) = v->count[i];
        }
    }
    free(v->count);
    v->count = count;
    v->mask = mask;
    return true;
}

/* NULL if it has none. */
static struct count *find(const struct versions *v, uint64_t key)
{
    struct count *const place = place_of(v->count, v->mask, key);

    return place->key == 0u ? NULL : place;
}

/* NULL if there is no memory for one. */
static struct count *find_or_add(struct versions *v, uint64_t key)
{
    if (2u * v->n > v->mask && !grow(v)) {
        return NULL;
    }
    struct count *const place = place_of(v->count, v->mask, key);
    if (place->key == 0u) {
        *place = (struct count){ .key = key };
        v->n++;
    }
    return place;
}

/* ---- Writes -------------------------------------------------------------------------- */

bool versions_sent(struct versions *v, uint32_t cluster, uint32_t sm, uint32_t line,
                   bool update)
{
    struct count *const of_cluster = find_or_add(v, key_of(false, cluster, line));
    if (of_cluster == NULL) {
        return false;
    }
    const uint16_t version = ++of_cluster->sent_or_held;
    struct count *const of_sm = find_or_add(v, key_of(true, sm, line));
    if (of_sm == NULL) {
        return false;
    }
    of_sm->performed_or_written = version;
    if (update) {
        of_sm->sent_or_held = version;
        of_sm->stored = (uint16_t)(of_sm->stored - (of_sm->stored != 0u));
    }
    return true;
}

bool versions_stored(struct versions *v, uint32_t sm, uint32_t line)
{
    struct count *const of_sm = find_or_add(v, key_of(true, sm, line));

    if (of_sm == NULL) {
        return false;
    }
    of_sm->stored++;
    return true;
}

void versions_performed(struct versions *v, uint32_t cluster, uint32_t line)
{
    struct count *const count = find(v, key_of(false, cluster, line));

    if (count != NULL) { /* it was sent */
        count->performed_or_written++;
    }
}

/* ---- Reads --------------------------------------------------------------------------- */

/* Versions wrap; they never are half the numbers apart. */
static bool older(uint16_t version, uint16_t than)
{
    return (uint16_t)(version - than) >= 0x8000u;
}

void versions_asked(struct versions *v, uint32_t cluster, uint32_t sm, uint32_t mshr,
                    uint32_t line)
{
    const struct count *const count = find(v, key_of(false, cluster, line));

    v->required[(size_t)sm * v->shape.mshrs + mshr] = count == NULL ? 0u : count->sent_or_held;
}

uint16_t versions_of(const struct versions *v, uint32_t cluster, uint32_t line)
{
    const struct count *const count = find(v, key_of(false, cluster, line));

    return count == NULL ? 0u : count->performed_or_written;
}

void versions_kept(struct versions *v, uint32_t cluster, uint32_t way, uint64_t line,
                   uint16_t version)
{
    v->copy[(size_t)cluster * v->shape.ways + way] = (struct copy){ line, version };
}

bool versions_hit(const struct versions *v, uint32_t cluster, uint32_t way, uint64_t line,
                  uint16_t *version)
{
    const struct copy *const copy = &v->copy[(size_t)cluster * v->shape.ways + way];

    *version = copy->version;
    return copy->line == line;
}

bool versions_filled(struct versions *v, uint32_t sm, uint32_t mshr, uint32_t line,
                     uint16_t version, bool kept)
{
    struct count *const count = find(v, key_of(true, sm, line));

    if (count != NULL && kept) {
        count->sent_or_held = version;
    }
    return !older(version, v->required[(size_t)sm * v->shape.mshrs + mshr]);
}

bool versions_fresh(const struct versions *v, uint32_t sm, uint32_t line)
{
    const struct count *const count = find(v, key_of(true, sm, line));

    return count == NULL || count->stored != 0u
           || !older(count->sent_or_held, count->performed_or_written);
}
