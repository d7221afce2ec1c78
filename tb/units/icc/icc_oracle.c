/* icc_oracle - the merge table by docs/units/icc; see icc_oracle.h. */

#include "tb/units/icc/icc_oracle.h"

void icc_oracle_reset(struct icc_oracle *oracle)
{
    oracle->n = 0u;
}

/* ---- What the events say ------------------------------------------------------------- */

bool icc_oracle_has_entry(const struct icc_oracle *oracle, uint64_t line)
{
    for (uint32_t i = 0u; i < oracle->n; i++) {
        if (oracle->event[i].what == ICC_SENT && oracle->event[i].line == line) {
            return true;
        }
    }
    return false;
}

uint64_t icc_oracle_waiting(const struct icc_oracle *oracle, uint64_t line)
{
    uint64_t sms = 0u;

    for (uint32_t i = 0u; i < oracle->n; i++) {
        const struct icc_event *const event = &oracle->event[i];
        if (event->line == line && (event->what == ICC_SENT || event->what == ICC_JOINED)) {
            sms |= UINT64_C(1) << event->sm;
        }
    }
    return sms;
}

bool icc_oracle_is_closed(const struct icc_oracle *oracle, uint64_t line)
{
    bool closed = false;

    for (uint32_t i = 0u; i < oracle->n; i++) {
        const struct icc_event *const event = &oracle->event[i];
        if (event->what == ICC_FLUSHED) {
            closed = true;
        } else if (event->line == line) {
            closed = event->what == ICC_WRITTEN || (closed && event->what != ICC_SENT);
        }
    }
    return closed;
}

uint32_t icc_oracle_n_used(const struct icc_oracle *oracle)
{
    uint32_t n = 0u;

    for (uint32_t i = 0u; i < oracle->n; i++) {
        n += oracle->event[i].what == ICC_SENT;
    }
    return n;
}

uint32_t icc_oracle_lowest(const struct icc_oracle *oracle)
{
    uint32_t lowest = 0u;

    for (uint32_t i = 0u; i < oracle->n; i++) {
        if (oracle->event[i].what == ICC_SENT && oracle->event[i].entry == lowest) {
            lowest++;
            i = UINT32_MAX; /* again, for the next number */
        }
    }
    return lowest;
}

/* ---- What happens -------------------------------------------------------------------- */

/* Only what is new: an SM that waits already joins to no effect, a second write changes
 * nothing, and of several flushes the last one counts. */
static void icc_oracle_record(struct icc_oracle *oracle, struct icc_event event)
{
    uint32_t n = 0u;

    for (uint32_t i = 0u; i < oracle->n; i++) {
        const struct icc_event *const old = &oracle->event[i];
        const bool again =
            old->what == event.what && event.what != ICC_SENT
            && (event.what == ICC_FLUSHED || (old->line == event.line && old->sm == event.sm));
        if (!again) {
            oracle->event[n++] = *old;
        }
    }
    oracle->n = n;
    assert_in_range(oracle->n, 0, ICC_EVENTS - 1);
    oracle->event[oracle->n++] = event;
}

static void icc_oracle_forget(struct icc_oracle *oracle, uint64_t line)
{
    uint32_t n = 0u;

    for (uint32_t i = 0u; i < oracle->n; i++) {
        if (oracle->event[i].what == ICC_FLUSHED || oracle->event[i].line != line) {
            oracle->event[n++] = oracle->event[i];
        }
    }
    oracle->n = n;
}

static void icc_oracle_read(struct icc_oracle *oracle, const struct icc_in *in,
                            struct icc_out *out)
{
    const struct icc_config *const config = &oracle->config;
    const uint64_t line = in->request_line;
    struct icc_event event = { ICC_JOINED, in->request_sm, 0u, line };

    if (in->request_sm >= config->n_sm) {
        return;
    }
    if (icc_oracle_has_entry(oracle, line)) {
        out->request_merge = !icc_oracle_is_closed(oracle, line);
    } else if (icc_oracle_n_used(oracle) < config->n_entry && in->request_ready) {
        out->request_track = true;
        event.what = ICC_SENT;
        event.entry = icc_oracle_lowest(oracle);
    }
    if (out->request_merge || out->request_track) {
        icc_oracle_record(oracle, event);
    }
}

struct icc_out icc_oracle_cycle(struct icc_oracle *oracle, const struct icc_in *in)
{
    struct icc_out out = { .request_merge = false };
    /* An entry that the request of this cycle takes is not that of its answer. */
    const bool answers =
        in->reply_valid && in->reply_tracked && icc_oracle_has_entry(oracle, in->reply_line);

    if (in->request_valid && !in->request_alone && !in->request_hit) {
        if (!in->request_write) {
            icc_oracle_read(oracle, in, &out);
        } else if (icc_oracle_has_entry(oracle, in->request_line)) {
            icc_oracle_record(oracle,
                              (struct icc_event){ ICC_WRITTEN, 0u, 0u, in->request_line });
        }
    }
    if (answers) {
        out.reply_sms.word[0] = icc_oracle_waiting(oracle, in->reply_line);
        out.reply_shared = bits_count(out.reply_sms, oracle->config.n_sm) > 1u
                           && !icc_oracle_is_closed(oracle, in->reply_line);
        icc_oracle_forget(oracle, in->reply_line);
    } else if (in->reply_valid && in->reply_sm < oracle->config.n_sm) {
        bits_add(&out.reply_sms, in->reply_sm);
    }
    if (in->flush) {
        icc_oracle_record(oracle, (struct icc_event){ .what = ICC_FLUSHED });
    }
    return out;
}

/* ---- Comparison ---------------------------------------------------------------------- */

static bool icc_same_outputs(const struct icc_out *a, const struct icc_out *b)
{
    return a->request_merge == b->request_merge && a->request_track == b->request_track
           && bits_equal(a->reply_sms, b->reply_sms) && a->reply_shared == b->reply_shared;
}

void icc_oracle_check(const struct icc_oracle *oracle, const struct icc *unit)
{
    struct bits used = { { 0u } };

    for (uint32_t i = 0u; i < oracle->n; i++) {
        const struct icc_event *const event = &oracle->event[i];
        if (event->what == ICC_SENT) {
            assert_int_equal(unit->mem.line[event->entry], event->line);
            assert_int_equal(unit->q.list[event->entry],
                             icc_oracle_waiting(oracle, event->line));
            assert_int_equal(bits_has(unit->q.closed, event->entry),
                             icc_oracle_is_closed(oracle, event->line));
            bits_add(&used, event->entry);
        }
    }
    for (uint32_t entry = 0u; entry < oracle->config.n_entry; entry++) {
        if (!bits_has(used, entry)) {
            assert_int_equal(unit->q.list[entry], 0u);
            assert_false(bits_has(unit->q.closed, entry));
        }
    }
}

struct icc_out icc_oracle_beside(struct icc_oracle *oracle, struct icc *unit,
                                 const struct icc_in *in)
{
    const struct icc_out expected = icc_oracle_cycle(oracle, in);
    struct icc_out out;
    struct icc_next next;

    icc_eval(unit, in, &out, &next);
    if (!icc_same_outputs(&expected, &out)) {
        check_outputs(&icc_type, &unit->config, in, &expected, &out);
    }
    icc_tick(unit, &next);
    return out;
}
