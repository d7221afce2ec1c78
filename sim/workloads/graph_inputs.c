/* graph_inputs - graphs for the programs that work on graphs; see graph_inputs.h. */

#include "workloads/graph_inputs.h"

#include <string.h>

#include "workloads/graph_file.h"

/* ---- Graphs of pairs ------------------------------------------------------------------- */

struct pairs {
    size_t count, room;
    uint32_t *ends; /* two of each */
};

static struct pairs room_for(struct kit *kit, size_t pairs)
{
    return (struct pairs){ .room = pairs, .ends = kit_host(kit, 2 * pairs * sizeof(uint32_t)) };
}

static void add(struct pairs *pairs, size_t one, size_t other)
{
    pairs->ends[2 * pairs->count] = (uint32_t)one;
    pairs->ends[2 * pairs->count + 1] = (uint32_t)other;
    pairs->count++;
}

/* Where the edges of each node begin, by their numbers. */
static void place(struct graph *g)
{
    for (size_t i = 1; i < g->count; i++) {
        g->nodes[2 * i] = g->nodes[2 * i - 2] + g->nodes[2 * i - 1];
    }
}

static int32_t *starts(struct kit *kit, const struct graph *g)
{
    int32_t *next = kit_host(kit, g->count * sizeof(int32_t));
    for (size_t i = 0; i < g->count; i++) {
        next[i] = g->nodes[2 * i];
    }
    return next;
}

/* Both ends get the edge. */
static void join(struct kit *kit, const struct pairs *pairs, struct graph *g)
{
    const uint32_t *ends = pairs->ends;
    g->n_edges = 2 * pairs->count;
    g->nodes = kit_host(kit, 2 * g->count * sizeof(int32_t));
    g->edges = kit_host(kit, g->n_edges * sizeof(int32_t));
    for (size_t i = 0; i < g->n_edges; i++) {
        g->nodes[2 * (size_t)ends[i] + 1]++;
    }
    place(g);
    int32_t *next = starts(kit, g);
    for (size_t i = 0; i < g->n_edges; i++) {
        g->edges[next[ends[i]]++] = (int32_t)ends[i ^ 1];
    }
}

/* Sorts the edges of each node: every edge is seen from its other end, in the order of those.
 */
static void sort(struct kit *kit, struct graph *g)
{
    int32_t *next = starts(kit, g);
    int32_t *sorted = kit_host(kit, g->n_edges * sizeof(int32_t));
    for (size_t i = 0; i < g->count; i++) {
        for (int32_t e = g->nodes[2 * i]; e < g->nodes[2 * i] + g->nodes[2 * i + 1]; e++) {
            sorted[next[g->edges[e]]++] = (int32_t)i;
        }
    }
    g->edges = sorted;
}

/* Leaves out edges of a node to itself, and all but one of those between the same two. */
static void tidy(struct kit *kit, struct graph *g)
{
    int32_t kept = 0;
    sort(kit, g);
    for (size_t i = 0; i < g->count; i++) {
        const int32_t first = kept, from = g->nodes[2 * i], n = g->nodes[2 * i + 1];
        for (int32_t e = from; e < from + n; e++) {
            const int32_t other = g->edges[e];
            if (other != (int32_t)i && (kept == first || g->edges[kept - 1] != other)) {
                g->edges[kept++] = other;
            }
        }
        g->nodes[2 * i] = first;
        g->nodes[2 * i + 1] = kept - first;
    }
    g->n_edges = (size_t)kept;
}

/* ---- The inputs ------------------------------------------------------------------------ */

static void make_random(struct kit *kit, struct graph *g)
{
    enum { CHOICES = 3 };
    struct pairs pairs = room_for(kit, g->count * CHOICES);
    while (pairs.count < pairs.room) {
        add(&pairs, pairs.count / CHOICES, kit_random(kit) % (uint32_t)g->count);
    }
    join(kit, &pairs, g);
}

/* A number from 1 to half of 2^bits: small ones are more likely. */
static uint32_t distance(struct kit *kit, uint32_t least, uint32_t bits)
{
    const uint32_t of = least + kit_random(kit) % (bits - least);
    return 1u + kit_random(kit) % (1u << of);
}

/* Of one to eight citations, half are of nodes up to 1,024 back, and half are what a random
 * citation cites. */
static void make_citation(struct kit *kit, struct graph *g)
{
    enum { MOST = 8, BACK_BITS = 11 };
    struct pairs pairs = room_for(kit, g->count * MOST);
    add(&pairs, 1, 0);
    for (size_t i = 2; i < g->count; i++) {
        for (uint32_t n = 1 + kit_random(kit) % MOST; n > 0; n--) {
            const size_t back = 1 + (distance(kit, 0, BACK_BITS) - 1) % i;
            const size_t cited = kit_random(kit) % pairs.count;
            const bool near = kit_random(kit) % 2u == 0u;
            add(&pairs, i, near ? i - back : pairs.ends[2 * cited + 1]);
        }
    }
    join(kit, &pairs, g);
    tidy(kit, g);
}

/* Another number below 2^bits for each. */
static uint32_t mix(uint32_t x, uint32_t bits)
{
    const uint32_t mask = (uint32_t)((UINT64_C(1) << bits) - 1u);
    x = (x * 0x9e3779b1u) & mask;
    x ^= x >> (bits / 2u + 1u);
    x = (x * 0x85ebca6bu) & mask;
    return x ^ x >> (bits / 2u + 1u);
}

static void make_graph500(struct kit *kit, struct graph *g)
{
    enum { EDGES = 16, A = 57, B = 19, C = 19 }; /* of 100; 5 are left */
    uint32_t bits = 0;
    while ((size_t)1 << bits < g->count) {
        bits++;
    }
    struct pairs pairs = room_for(kit, g->count * EDGES);
    while (pairs.count < pairs.room) {
        uint32_t one = 0, other = 0;
        for (uint32_t b = 0; b < bits; b++) {
            const uint32_t part = kit_random(kit) % 100u;
            one = one << 1 | (part >= A + B);
            other = other << 1 | ((part >= A && part < A + B) || part >= A + B + C);
        }
        add(&pairs, mix(one, bits), mix(other, bits));
    }
    join(kit, &pairs, g);
    tidy(kit, g);
}

/* Each row has up to 18 entries behind the diagonal, as have the rows near it. */
static void make_cage15(struct kit *kit, struct graph *g)
{
    enum { MOST = 18, ROWS = 64, NEAR_BITS = 3 };
    struct pairs pairs = room_for(kit, g->count * MOST);
    uint32_t band = NEAR_BITS + 2, entries = 0;
    while ((size_t)16 << band < g->count) {
        band++;
    }
    for (size_t i = 0; i < g->count; i++) {
        entries = i % ROWS == 0 ? 1 + kit_random(kit) % MOST : entries;
        for (uint32_t n = 0; n < entries; n++) {
            const size_t other = i + distance(kit, NEAR_BITS, band + 1);
            if (other < g->count) {
                add(&pairs, i, other);
            }
        }
    }
    join(kit, &pairs, g);
    tidy(kit, g);
}

static void take_file(struct kit *kit, const struct graph_file *file, struct graph *g)
{
    struct pairs pairs = room_for(kit, file->count);

    memcpy(pairs.ends, file->ends, 2 * file->count * sizeof pairs.ends[0]);
    pairs.count = file->count;
    g->count = file->nodes;
    join(kit, &pairs, g);
    tidy(kit, g);
}

void graph_make(struct kit *kit, enum graph_input input, size_t count, struct graph *g)
{
    static const struct {
        const char *word; /* NULL: of the program's own */
        void (*make)(struct kit *kit, struct graph *g);
    } inputs[] = {
        [GRAPH_RANDOM] = { NULL, make_random },
        [GRAPH_CITATION] = { "citation", make_citation },
        [GRAPH_GRAPH500] = { "graph500", make_graph500 },
        [GRAPH_CAGE15] = { "cage15", make_cage15 },
    };
    *g = (struct graph){ .count = count };
    if (kit_graph(kit) != NULL) {
        take_file(kit, kit_graph(kit), g);
        return;
    }
    if (inputs[input].word != NULL) {
        kit_seed(kit, inputs[input].word);
    }
    inputs[input].make(kit, g);
}

size_t graph_nodes(enum graph_input input, enum workload_size size)
{
    /* citationCiteseer, kron_g500-logn20 and cage15 have as many nodes as there are at size
     * paper. */
    static const uint32_t nodes[][WORKLOAD_SIZES] = {
        [GRAPH_CITATION] = { [SIZE_SMALL] = 384,
                             [SIZE_MEDIUM] = 32768,
                             [SIZE_PAPER] = 268495,
                             [SIZE_LAPERM] = 65536 },
        [GRAPH_GRAPH500] = { [SIZE_SMALL] = 1u << 7,
                             [SIZE_MEDIUM] = 1u << 14,
                             [SIZE_PAPER] = 1u << 20,
                             [SIZE_LAPERM] = 1u << 15 },
        [GRAPH_CAGE15] = { [SIZE_SMALL] = 144,
                           [SIZE_MEDIUM] = 32768,
                           [SIZE_PAPER] = 5154859,
                           [SIZE_LAPERM] = 65536 },
    };
    return nodes[input][size];
}

size_t graph_source(const struct graph *g)
{
    size_t source = g->count / 2;
    while (g->nodes[2 * source + 1] == 0) {
        source = (source + 1) % g->count;
    }
    return source;
}

struct device_graph graph_copy(struct kit *kit, const struct graph *g)
{
    return (struct device_graph){
        .nodes = kit_alloc_copy(kit, g->nodes, 2 * g->count * sizeof(int32_t)),
        .edges = kit_alloc_copy(kit, g->edges, g->n_edges * sizeof(int32_t)),
    };
}
