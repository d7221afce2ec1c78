/* blocks - what components are built of: bit sets, division, counters, queues, MSHRs. */

#ifndef BLOCKS_H
#define BLOCKS_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#define HOT         static inline __attribute__((always_inline))
#define COLD        __attribute__((noinline, cold))
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define BIT(i)      (UINT64_C(1) << (i))
#define NEVER       UINT64_MAX

HOT uint32_t lowest(uint64_t set)
{
    return (uint32_t)__builtin_ctzll(set);
}
/* The first member at or after `from`, cyclically; set is not empty, from < 64. */
HOT uint32_t round_robin(uint64_t set, uint32_t from)
{
    const uint64_t after = set & (UINT64_MAX << from);
    return lowest(after != 0u ? after : set);
}

/* Division by a number fixed at start-up, by multiplication: exact for x < 2^31. */
struct divisor {
    uint32_t n;
    uint32_t shift;      /* 32 + ceil(log2(n)) */
    uint64_t reciprocal; /* 2^shift / n, rounded up */
};
HOT uint32_t divide(uint32_t x, struct divisor d)
{
    return (uint32_t)(x * d.reciprocal >> d.shift);
}
HOT uint32_t modulo(uint32_t x, struct divisor d)
{
    return x - divide(x, d) * d.n;
}
static inline struct divisor divisor_of(uint32_t n)
{
    struct divisor d = { n, 32u, 0u };
    assert(n != 0u);
    while (n > BIT(d.shift - 32u)) {
        d.shift++;
    }
    d.reciprocal = (BIT(d.shift) + n - 1u) / n;
    return d;
}

/* ---- Counting cycles by class -------------------------------------------------------- */

/* The class found at cycle `since` holds until another is found. */
struct classes {
    uint64_t count[8];
    uint64_t *of; /* the same, of the kernel that the cycles belong to; or of none */
    uint64_t since;
    uint32_t current;
};
HOT void classes_count(struct classes *c, uint32_t class, uint64_t cycles)
{
    c->count[class] += cycles;
    c->of[class] += cycles;
}
/* Cycle t is of this class. */
HOT void classify(struct classes *c, uint32_t class, uint64_t t, bool each)
{
    if (UNLIKELY(each)) {
        classes_count(c, class, 1u);
        c->current = class;
    } else if (c->current != class) {
        classes_count(c, c->current, t - c->since);
        c->since = t;
        c->current = class;
    }
}
HOT void classes_settle(struct classes *c, uint64_t end, bool each)
{
    if (!each) {
        classes_count(c, c->current, end - c->since);
    }
    c->since = end;
}
/* From cycle t on they belong to another kernel. */
HOT void classes_own(struct classes *c, uint64_t *of, uint64_t t, bool each)
{
    if (c->of != of) {
        classes_settle(c, t, each);
        c->of = of;
    }
}

/* The sum over cycles of a value that changes now and then. */
struct integral {
    uint64_t since;
    uint64_t value;
    uint64_t sum;
};
HOT void integral_set(struct integral *i, uint64_t value, uint64_t t)
{
    i->sum += i->value * (t - i->since);
    i->since = t;
    i->value = value;
}

/* ---- Packets ------------------------------------------------------------------------- */

enum packet_type { READ, WRITE, ATOMIC_ANSWERED, ATOMIC_SILENT, REPLY };
/* Which cache of the SM asks; from PATHS on none does: the answer names its MSHR. */
enum cache_path {
    PATH_L1,
    PATH_CONSTANT,
    PATH_TEXTURE,
    PATH_CODE, /* instructions */
    PATHS,
    PATH_ATOMIC = PATHS,
    PATH_UNCACHED,
    PATH_ANSWER, /* to a store, or an atomic without a result: the answer names its warp */
    PATH_BACK, /* a line that an L1 writes back, for no warp; from here on no write is answered
                */
    PATH_RECORD, /* no SM: LaPerm's units */
    ANSWERS
};

/* What a packet of the NoC carries beside its header. */
enum packet_size {
    SIZE_READ,                    /* nothing */
    SIZE_WRITE,                   /* so many quarters of an L2 line: SIZE_WRITE + 0 to 4 */
    SIZE_ANSWER = SIZE_WRITE + 5, /* a line of constants or instructions, or what an atomic
                                     answers: SIZE_ANSWER + its path; all others bring quarters,
                                     as a write does */
    PACKET_SIZES = SIZE_ANSWER + ANSWERS
};

struct share;

struct packet {
    uint64_t ready;   /* first core cycle in which the next component sees it */
    struct share *of; /* of the kernel that asks */
    uint32_t line;    /* of the L2 */
    uint16_t sm;
    uint16_t mshr;        /* of the SM, if no cache asks; or the version of an L1's line */
    uint8_t type;         /* enum packet_type */
    uint8_t path;         /* enum cache_path */
    uint8_t part;         /* of the L2 line, if the SM's cache has shorter lines; of an atomic:
                             its lanes, or 0 */
    uint8_t out;          /* crossbar output */
    uint8_t size;         /* enum packet_size */
    uint8_t turns;        /* of an atomic: the most lanes that meet at an address */
    bool tracked : 1;     /* its answer comes to the cluster's merge table */
    bool local : 1;       /* a read of local memory */
    uint8_t quarters : 4; /* of the line: what a read asks for, or a write touches */
    uint8_t sectors : 4;  /* the same, in whole sectors; of an atomic, too */
};

/* What waits at an input of a crossbar with a queue for each output: lists of slots. */
enum { ARRIVING = 64, LISTS, NO_SLOT = 0xffff };
struct queue_lists {
    uint16_t first[LISTS], last[LISTS]; /* by output; and those on their way to the input */
    uint16_t unused;                    /* first of the free slots */
    uint16_t *next;                     /* [slot] */
};

struct queue {
    uint32_t
        n; /* packets in it, those still on their way included, for which there is room
              beside that of the configuration's queue: a link or pipeline holds one a cycle */
    uint32_t head;
    uint32_t capacity;
    uint32_t mask; /* of `slot`, a power of two */
    struct packet *slot;
    struct queue_lists *lists; /* NULL: `n` slots from `head` on, in the order of arrival */
};
bool queue_open(struct queue *q, uint32_t capacity);
HOT struct packet *queue_front(const struct queue *q)
{
    return &q->slot[q->head & q->mask];
}
HOT void queue_push(struct queue *q, struct packet p)
{
    assert(q->n <= q->mask);
    q->slot[(q->head + q->n++) & q->mask] = p;
}
HOT struct packet queue_pop(struct queue *q)
{
    assert(q->n != 0u);
    q->n--;
    return q->slot[q->head++ & q->mask];
}
HOT bool queue_full(const struct queue *q)
{
    return q->n == q->capacity;
}

/* ---- Caches -------------------------------------------------------------------------- */

enum { MSHR_HASH = 64, NO_MSHR = 0xffff };

/* Outstanding misses, found by line through a hash. */
struct mshrs {
    uint32_t n_free;
    uint16_t *free; /* stack */
    uint32_t *line;
    uint8_t *sectors; /* quarters of the line, that are on their way */
    uint16_t *next;   /* in its hash bucket */
    uint8_t *n;       /* waiting */
    bool *written;    /* in an SM: the line has been written since */
    uint64_t *since;  /* cycle of allocation */
    uint64_t *busy;   /* in an SM: cycles with arithmetic in flight before that one */
    uint16_t bucket[MSHR_HASH];
};

bool mshrs_open(struct mshrs *m, uint32_t n);
void mshrs_close(struct mshrs *m);

/* A cache of an SM: read-only, or all writes pass but those of local memory. */
struct cache {
    struct divisor sets;
    uint32_t ways;
    uint32_t latency;
    uint32_t merges;
    bool sectored;
    uint8_t wanted[16]; /* by quarters touched: those of the L2 line that are asked for */
    uint32_t *tag;      /* [set][way]: line << 4 | quarters that are there; most recent first */
    uint64_t *written;  /* [set]: ways whose line is to be written back; NULL: none ever is */
    struct mshrs mshr;
    uint16_t *target; /* [mshr][merge]: operations that wait */
    uint32_t shift;   /* log2 of its lines in an L2 line */
    uint32_t first;   /* line of the L2 from which its own are numbered */
    uint64_t hit, miss, merge, miss_latency, miss_overlapped;
};

#endif
