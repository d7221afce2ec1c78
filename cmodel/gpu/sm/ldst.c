/* ldst - a turn of the load/store unit of an SM: one access, or one pass over the banks, for
 * the oldest memory instruction. What comes back is in fills.c. */

#include <inttypes.h>
#include <stdio.h>

#include "gpu/sm/request.h"

COLD void stale_answer(struct gpu *g, uint32_t sm, uint32_t line, const char *from)
{
    fault_set(&g->fault,
              "SM %" PRIu32 " is given line %" PRIu32
              " by %s as it was before a write that came before the read",
              sm, line, from);
    g->end = GPU_ILLEGAL;
}

COLD void versions_no_memory(struct gpu *g)
{
    fault_surroundings(&g->fault, "no memory for the versions of lines");
    g->end = GPU_ILLEGAL;
}

/* A store makes a line in the L1: it is newer than an atomic that is still on its way. */
COLD static void note_stored(struct gpu *g, uint32_t sm, uint32_t line)
{
    if (!versions_stored(g->versions, sm, line)) {
        versions_no_memory(g);
    }
}

/* The oldest instruction has made its last access: it completes `latency` cycles later, or
 * with its last line. */
static uint32_t leave(struct sm *m, const struct ldst_entry *e, uint32_t latency, uint64_t t)
{
    struct operation *const o = &m->operation[e->operation];
    if (--o->left == 0u) {
        event_push(m, t, latency, EVENT_MEMORY, e->operation);
    } else {
        o->earliest = t + latency;
    }
    m->accessed = 0u;
    m->queued--;
    return LDST_BUSY;
}

static void advance_head(const struct gpu *g, struct sm *m)
{
    m->queue_head = m->queue_head + 1u == g->config.ldst.queue ? 0u : m->queue_head + 1u;
}

/* Stores and atomics without answer are complete when their last access has left. */
static uint32_t leave_now(struct gpu *g, struct sm *m, const struct ldst_entry *e, uint64_t t)
{
    const uint32_t id = e->operation;
    m->accessed = 0u;
    m->queued--;
    advance_head(g, m);
    operation_complete(g, m, id, t);
    return LDST_BUSY;
}

static uint32_t quarters_of(uint32_t access)
{
    return (uint32_t)__builtin_popcount(access_quarters(access));
}

/* Of an L2 line, in whole sectors. */
static uint32_t asked(const struct gpu *g, uint32_t access)
{
    return g->sectors_of[access_quarters(access)];
}

static uint32_t step_shared(struct gpu *g, struct sm *m, const struct ldst_entry *e, uint64_t t)
{
    m->passes++;
    e->of->passes++;
    if (++m->accessed < e->accesses) {
        return LDST_BUSY;
    }
    if (m->operation[e->operation].dst == REGISTER_NONE) {
        return leave_now(g, m, e, t);
    }
    const uint32_t class = leave(m, e, g->config.ldst.shared_latency, t);
    advance_head(g, m);
    return class;
}

/* With noc.write_acks the L2 answers what else it would not, and the answer names the warp. */
static uint16_t to_answer(const struct gpu *g, struct sm *m, const struct ldst_entry *e)
{
    const uint32_t warp = m->operation[e->operation].warp;
    m->warp[warp].unanswered += g->config.noc.write_acks ? 1u : 0u;
    return (uint16_t)warp;
}

static uint32_t pass_store(struct gpu *g, struct sm *m, const struct ldst_entry *e,
                           uint32_t access, uint64_t t)
{
    if (queue_full(&m->miss_queue)) {
        return LDST_QUEUE;
    }
    const uint32_t line = access_line(access);
    /* The rest of a line of local memory may have to be written back. */
    const bool local = (e->flags & LOCAL) != 0u && g->config.l1.local_back;
    cache_write(&m->cache[PATH_L1], line, access_quarters(access),
                local ? WRITE_THROUGH : g->config.l1.write);
    if (UNLIKELY(g->versions != NULL) && g->config.l1.write == WRITE_ALLOCATE) {
        note_stored(g, m->id, line);
    }
    m->writes++;
    e->of->writes++;
    send(g, m,
         (struct packet){ .line = line,
                          .mshr = to_answer(g, m, e),
                          .type = WRITE,
                          .size = (uint8_t)(SIZE_WRITE + quarters_of(access)),
                          .quarters = access_quarters(access) & 15u,
                          .sectors = asked(g, access) & 15u },
         e->of, t);
    return LDST_BUSY;
}

static uint32_t step_store(struct gpu *g, struct sm *m, const struct ldst_entry *e, uint64_t t)
{
    const uint32_t access = e->access[m->accessed];
    if ((e->flags & LOCAL) != 0u
        && cache_write_stays(&m->cache[PATH_L1], access_line(access),
                             access_quarters(access))) {
        m->local_write++;
        e->of->local_write++;
    } else if (pass_store(g, m, e, access, t) != LDST_BUSY) {
        return LDST_QUEUE;
    }
    return ++m->accessed == e->accesses ? leave_now(g, m, e, t) : LDST_BUSY;
}

/* A line that is in the way of what e reads goes to the L2, in a turn of its own. */
COLD static uint32_t write_back(struct gpu *g, struct sm *m, const struct ldst_entry *e,
                                uint32_t key, uint64_t t)
{
    if (queue_full(&m->miss_queue)) {
        return LDST_QUEUE;
    }
    const uint32_t line = key >> 4, quarters = key & 15u;
    cache_drop(&m->cache[PATH_L1], line);
    m->written_back++;
    e->of->written_back++;
    send(g, m,
         (struct packet){ .line = line,
                          .type = WRITE,
                          .path = PATH_BACK,
                          .size = (uint8_t)(SIZE_WRITE + quarters_of(key)),
                          .quarters = quarters & 15u,
                          .sectors = g->sectors_of[quarters] & 15u },
         e->of, t);
    return LDST_BUSY;
}

/* The key of the line that has to be written back before the next read of e; 0: none. */
HOT uint32_t in_the_way(struct sm *m, const struct ldst_entry *e, enum cache_path path)
{
    struct cache *const c = &m->cache[path];
    const uint32_t access = e->access[m->accessed];
    return c->written == NULL
               ? 0u
               : cache_in_the_way(c, access_line(access), c->wanted[access_quarters(access)]);
}

/* A request, one of n, that passes the L1 and drops its copy. answered: it takes an MSHR, which
 * its answer names. counter: of those that have left; share: the same of the kernel. */
static uint32_t step_alone(struct gpu *g, struct sm *m, const struct ldst_entry *e,
                           struct packet p, uint32_t n, bool answered, uint64_t *counter,
                           uint64_t *share, uint64_t t)
{
    struct cache *const c = &m->cache[PATH_L1];
    if (answered && c->mshr.n_free == 0u) {
        return LDST_MSHR;
    }
    if (queue_full(&m->miss_queue)) {
        return LDST_QUEUE;
    }
    cache_write(c, p.line, 0u, WRITE_EVICT);
    ++*counter;
    ++*share;
    if (answered) {
        p.mshr = mshr_take_unlisted(&c->mshr, t);
        c->mshr.busy[p.mshr] = busy_before(m, t, g->each);
        c->target[(size_t)p.mshr * c->merges] = e->operation;
        m->operation[e->operation].left++;
    } else {
        p.mshr = to_answer(g, m, e);
    }
    send(g, m, p, e->of, t);
    if (++m->accessed < n) {
        return LDST_BUSY;
    }
    if (!answered) {
        return leave_now(g, m, e, t);
    }
    const uint32_t class = leave(m, e, 1u, t);
    advance_head(g, m);
    return class;
}

static uint32_t step_atomic(struct gpu *g, struct sm *m, const struct ldst_entry *e, uint64_t t)
{
    const bool answered = m->operation[e->operation].dst != REGISTER_NONE;
    const uint32_t n = e->accesses / 2u;
    const uint32_t access = e->access[m->accessed];
    const uint32_t turns = e->access[n + m->accessed];
    return step_alone(g, m, e,
                      (struct packet){ .line = access_line(access),
                                       .type = answered ? ATOMIC_ANSWERED : ATOMIC_SILENT,
                                       .path = PATH_ATOMIC,
                                       .turns = (uint8_t)turns_meet(turns),
                                       .part = (uint8_t)turns_lanes(turns),
                                       .size = (uint8_t)(SIZE_WRITE + quarters_of(access)),
                                       .sectors = asked(g, access) & 15u },
                      n, answered, &m->atomics, &e->of->atomics, t);
}

/* A volatile read and its like: what the L2 has. */
static uint32_t step_uncached(struct gpu *g, struct sm *m, const struct ldst_entry *e,
                              uint64_t t)
{
    const uint32_t access = e->access[m->accessed];
    return step_alone(
        g, m, e,
        (struct packet){ .line = access_line(access),
                         .type = READ,
                         .path = PATH_UNCACHED,
                         .size = SIZE_READ,
                         .quarters = access_quarters(access) & 15u,
                         .sectors = m->cache[PATH_L1].wanted[access_quarters(access)] & 15u },
        e->accesses, true, &m->cache[PATH_L1].miss, &e->of->miss[PATH_L1], t);
}

/* A read of the L1 has been answered, or asks the L2. */
static void count_local(struct sm *m, const struct ldst_entry *e, bool hit)
{
    if ((e->flags & LOCAL) != 0u) {
        m->local++;
        e->of->local++;
        m->local_hit += hit ? 1u : 0u;
        e->of->local_hit += hit ? 1u : 0u;
    }
}

/* Looks for the line of the next access. LDST_BUSY: it is there, or on its way. */
static uint32_t look_up(struct gpu *g, struct sm *m, const struct ldst_entry *e,
                        enum cache_path path, uint64_t t)
{
    struct cache *const c = &m->cache[path];
    const uint32_t access = e->access[m->accessed];
    const uint32_t line = access_line(access);
    const uint32_t missing = cache_misses(c, line, c->wanted[access_quarters(access)]);
    if (missing == 0u) {
        c->hit++;
        e->of->hit[path]++;
        count_local(m, e, true);
        if (UNLIKELY(g->versions != NULL) && path == PATH_L1
            && !versions_fresh(g->versions, m->id, line)) {
            stale_answer(g, m->id, line, "its L1");
        }
        return LDST_BUSY;
    }
    uint32_t id;
    const uint32_t class =
        read_missing(g, m, line, missing,
                     (struct packet){ .path = (uint8_t)path,
                                      .local = (e->flags & LOCAL) != 0u,
                                      .quarters = access_quarters(access) & 15u },
                     e->of, &id, t);
    if (class == LDST_BUSY) {
        count_local(m, e, false);
        c->target[(size_t)id * c->merges + c->mshr.n[id]++] = e->operation;
        m->operation[e->operation].left++;
    }
    return class;
}

/* With constant.by_address: one more address of the line that was looked up last. */
static bool same_line(const struct gpu *g, const struct sm *m, const struct ldst_entry *e,
                      enum cache_path path)
{
    return path == PATH_CONSTANT && g->config.constant.by_address && m->accessed != 0u
           && access_line(e->access[m->accessed]) == access_line(e->access[m->accessed - 1u]);
}

static uint32_t step_read(struct gpu *g, struct sm *m, const struct ldst_entry *e,
                          enum cache_path path, uint64_t t)
{
    const uint32_t written = in_the_way(m, e, path);
    if (UNLIKELY(written != 0u)) {
        return write_back(g, m, e, written, t);
    }
    if (!same_line(g, m, e, path)) {
        const uint32_t class = look_up(g, m, e, path, t);
        if (class != LDST_BUSY) {
            return class;
        }
    }
    if (++m->accessed < e->accesses) {
        return LDST_BUSY;
    }
    const uint32_t class = leave(m, e, m->cache[path].latency, t);
    advance_head(g, m);
    return class;
}

/* All lanes switched off: the instruction takes a turn and touches nothing. */
static uint32_t step_nothing(struct gpu *g, struct sm *m, const struct ldst_entry *e,
                             uint64_t t)
{
    if (m->operation[e->operation].dst == REGISTER_NONE) {
        return leave_now(g, m, e, t);
    }
    const uint32_t class = leave(m, e, 1u, t);
    advance_head(g, m);
    return class;
}

void ldst_step(struct gpu *g, struct sm *m, uint64_t t)
{
    const struct ldst_entry *const e = &m->ldst_queue[m->queue_head];
    uint32_t class;
    if (UNLIKELY(m->mixed)) {
        classes_own(&m->ldst, e->of->ldst, t, g->each);
    }
    if (UNLIKELY(e->accesses == 0u)) {
        class = step_nothing(g, m, e, t);
    } else {
        switch (e->op) {
        case OP_LOAD:
            class = (e->flags & UNCACHED) != 0u ? step_uncached(g, m, e, t)
                                                : step_read(g, m, e, PATH_L1, t);
            break;
        case OP_STORE:
            class = step_store(g, m, e, t);
            break;
        case OP_SHARED:
            class = step_shared(g, m, e, t);
            break;
        case OP_ATOMIC:
            class = step_atomic(g, m, e, t);
            break;
        default:
            class = step_read(g, m, e, path_of(e), t);
        }
    }
    m->held = class > LDST_BUSY;
    classify(&m->ldst, class, t, g->each);
}

/* The same obstacles as in step_store and step_read: LDST_BUSY if there is none of those. */
static uint32_t obstacle(struct sm *m, const struct ldst_entry *e)
{
    struct cache *const c = &m->cache[PATH_L1];
    const bool full = queue_full(&m->miss_queue);
    const bool read = e->op == OP_LOAD && (e->flags & UNCACHED) == 0u;

    if (e->accesses == 0u || (!read && e->op != OP_STORE)) {
        return LDST_BUSY;
    }
    const uint32_t line = access_line(e->access[m->accessed]);
    const uint32_t quarters = access_quarters(e->access[m->accessed]);
    if (!read) {
        const bool stays = (e->flags & LOCAL) != 0u && c->written != NULL
                           && cache_lacks(c, line, quarters) == 0u;
        return full && !stays ? LDST_QUEUE : LDST_BUSY;
    }
    if (in_the_way(m, e, PATH_L1) != 0u) {
        return full ? LDST_QUEUE : LDST_BUSY;
    }
    const uint32_t missing = cache_lacks(c, line, c->wanted[quarters]);
    if (missing == 0u || mshr_find(&c->mshr, line, missing) != NO_MSHR) {
        return LDST_BUSY;
    }
    return c->mshr.n_free == 0u ? LDST_MSHR : LDST_QUEUE;
}

bool ldst_stuck(struct gpu *g, struct sm *m, uint64_t t)
{
    const struct ldst_entry *const e = &m->ldst_queue[m->queue_head];
    const uint32_t class = obstacle(m, e);
    if (class == LDST_BUSY) {
        return false;
    }
    if (UNLIKELY(m->mixed)) {
        classes_own(&m->ldst, e->of->ldst, t, g->each);
    }
    m->held = true;
    classify(&m->ldst, class, t, g->each);
    return true;
}
