/*
 * icc_examples - a cycle of the merge table's golden model, and requests and answers in short,
 * for tests by examples.
 */

#ifndef ICC_EXAMPLES_H
#define ICC_EXAMPLES_H

#include "tb/units/icc/icc_oracle.h"
enum { A = 0x5A, B = 0x33, C = 0x0F };

static inline struct icc standard(void)
{
    struct icc unit;

    assert_int_equal(icc_init(&unit, &(struct icc_config){ 48u, 5u, 41u }), icc_ok);
    return unit;
}

/* One whole cycle. Returns the outputs. */
static inline struct icc_out cycle(struct icc *unit, struct icc_in in)
{
    struct icc_out out;
    struct icc_next next;

    icc_eval(unit, &in, &out, &next);
    icc_tick(unit, &next);
    return out;
}

static inline struct icc_in read_of(uint32_t sm, uint64_t line)
{
    return (struct icc_in){
        .request_valid = true,
        .request_line = line,
        .request_sm = sm,
        .request_ready = true,
    };
}

static inline struct icc_in write_of(uint32_t sm, uint64_t line)
{
    struct icc_in in = read_of(sm, line);

    in.request_write = true;
    return in;
}

/* The request of in, and a tracked answer. */
static inline struct icc_in with_answer(struct icc_in in, uint64_t line)
{
    in.reply_valid = true;
    in.reply_line = line;
    in.reply_tracked = true;
    return in;
}

static inline struct icc_in answer_of(uint64_t line)
{
    return with_answer((struct icc_in){ .request_valid = false }, line);
}

static inline struct icc_in untracked_of(uint64_t line, uint32_t sm)
{
    struct icc_in in = answer_of(line);

    in.reply_tracked = false;
    in.reply_sm = sm;
    return in;
}

static const struct icc_in flush = { .flush = true };

/* What becomes of a request, in a word. */
enum fate { PASSES, MERGES, IS_TRACKED };

static inline enum fate fate_of(struct icc_out out)
{
    assert_false(out.request_merge && out.request_track);
    return out.request_merge ? MERGES : out.request_track ? IS_TRACKED : PASSES;
}

static inline void check_reply(struct icc_out out, uint64_t sms, bool shared)
{
    assert_int_equal(out.reply_sms.word[0], sms);
    assert_int_equal(out.reply_shared, shared);
}

static inline uint32_t n_used(const struct icc *unit)
{
    uint32_t n = 0u;

    for (uint32_t entry = 0u; entry < icc_max_n_entry; entry++) {
        n += unit->q.list[entry] != 0u;
    }
    return n;
}

#endif
