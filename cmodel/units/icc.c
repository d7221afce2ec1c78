/* icc - the merge table of a cluster; see icc.h. */

#include "units/icc.h"

/* ---- Entries ------------------------------------------------------------------------- */

/* The entry of a line, n_entry if it has none. At most one has it. Lines are compared first:
 * they rarely agree, whereas which entries are free has no pattern to predict. */
static uint32_t find(const struct icc *unit, uint64_t line)
{
    const uint32_t n = unit->config.n_entry;
    uint32_t entry = 0u;

    while (entry < n && (unit->mem.line[entry] != line || unit->q.list[entry] == 0u)) {
        entry++;
    }
    return entry;
}

static uint32_t first_free(const struct icc *unit)
{
    const uint32_t n = unit->config.n_entry;
    uint32_t entry = 0u;

    while (entry < n && unit->q.list[entry] != 0u) {
        entry++;
    }
    return entry;
}

/* ---- Request and reply --------------------------------------------------------------- */

static void request(const struct icc *unit, const struct icc_in *in, struct icc_out *out,
                    struct icc_next *next)
{
    const uint32_t n = unit->config.n_entry;

    if (!in->request_valid || in->request_alone || in->request_hit) {
        return;
    }
    const uint32_t entry = find(unit, in->request_line);
    if (in->request_write) {
        if (entry < n) {
            bits_add(&next->q.closed, entry);
        }
        return;
    }
    if (in->request_sm >= unit->config.n_sm) {
        return;
    }
    if (entry < n) {
        if (!bits_has(unit->q.closed, entry)) {
            out->request_merge = true;
            next->q.list[entry] |= 1u << in->request_sm;
        }
        return;
    }
    const uint32_t free = first_free(unit);
    if (free < n && in->request_ready) {
        out->request_track = true;
        next->q.list[free] = 1u << in->request_sm;
        UNIT_WRITE(&next->line, free, in->request_line);
    }
}

/* After the request: next has what that has done to the entry. */
static void reply(const struct icc *unit, const struct icc_in *in, struct icc_out *out,
                  struct icc_next *next)
{
    if (!in->reply_valid) {
        return;
    }
    const uint32_t entry = find(unit, in->reply_line);
    if (!in->reply_tracked || entry == unit->config.n_entry) {
        if (in->reply_sm < unit->config.n_sm) {
            bits_add(&out->reply_sms, in->reply_sm);
        }
        return;
    }
    out->reply_sms.word[0] = next->q.list[entry];
    out->reply_shared =
        bits_count(out->reply_sms, unit->config.n_sm) > 1u && !bits_has(next->q.closed, entry);
    next->q.list[entry] = 0u;
    bits_remove(&next->q.closed, entry);
}

static void flush(const struct icc *unit, struct icc_next *next)
{
    for (uint32_t entry = 0u; entry < unit->config.n_entry; entry++) {
        if (next->q.list[entry] != 0u) {
            bits_add(&next->q.closed, entry);
        }
    }
}

void icc_eval(const struct icc *unit, const struct icc_in *in, struct icc_out *out,
              struct icc_next *next)
{
    *out = (struct icc_out){ .request_merge = false };
    icc_hold(unit, next);
    request(unit, in, out, next);
    reply(unit, in, out, next);
    if (in->flush) {
        flush(unit, next);
    }
}

/* Reads that wait for the network would be quiet too; whoever has a request asks for more. */
bool icc_quiet(const struct icc *unit, const struct icc_in *in)
{
    (void)unit;
    return !(in->request_valid && !in->request_alone && !in->request_hit)
           && !(in->reply_valid && in->reply_tracked) && !in->flush;
}

/* Reads that come to the table and are merged or sent: each read once. */
void icc_count(const struct icc *unit, const struct icc_in *in, const struct icc_out *out,
               struct icc_events *events)
{
    const uint32_t n = unit->config.n_entry;

    events->joined += out->request_merge && in->reply_valid && in->reply_tracked
                      && in->reply_line == in->request_line;
    /* One that is merged has found an open entry, one that is tracked a free one. */
    if (!in->request_valid || in->request_alone || in->request_hit || in->request_write
        || out->request_merge || out->request_track || !in->request_ready) {
        return;
    }
    const uint32_t entry = find(unit, in->request_line);
    events->full += entry == n && first_free(unit) == n;
    events->closed += entry < n && bits_has(unit->q.closed, entry);
}

#define UNIT_OWN_COUNT
#define UNIT icc
#include "base/unit_define.h"
