/* onac_bench - the detector, its table and cores; see onac_bench.h. */

#include "tb/units/onac/onac_bench.h"

void onac_bench_open(struct onac_bench *b, uint32_t n_core, uint64_t seed)
{
    memset(b, 0, sizeof *b);
    assert_int_equal(onac_init(&b->unit, &(struct onac_config){ n_core, 32u }), onac_ok);
    assert_int_equal(core_status_init(&b->table, &(struct core_status_config){ n_core, 32u }),
                     core_status_ok);
    b->random = seed;
    b->curve.n_core = n_core;
}

/* ---- Cores --------------------------------------------------------------------------- */

/* Those that stand still drain; what is in flight when they stop takes a while. */
static void onac_bench_drain(struct onac_bench *b, struct bits still)
{
    for (uint32_t core = 0u; core < b->curve.n_core; core++) {
        if (!bits_has(still, core)) {
            bits_remove(&b->stopped, core);
        } else if (!bits_has(b->stopped, core)) {
            bits_add(&b->stopped, core);
            b->in_flight[core] = random_below(&b->random, 8u);
        } else if (b->in_flight[core] > 0u) {
            b->in_flight[core]--;
        }
    }
}

static struct bits onac_bench_drained(const struct onac_bench *b, struct bits of)
{
    struct bits set = { { 0u } };

    for (uint32_t core = 0u; core < b->curve.n_core; core++) {
        if (bits_has(of, core) && bits_has(b->stopped, core) && b->in_flight[core] == 0u) {
            bits_add(&set, core);
        }
    }
    return set;
}

/* All that run issue together what the curve has for so many. */
static void onac_bench_issue(struct onac_bench *b, struct bits open, uint32_t *issued)
{
    uint64_t now = b->issued_part + b->curve.ipc[bits_count(open, b->curve.n_core)];

    b->issued_part = now % ONAC_UNIT;
    now /= ONAC_UNIT;
    for (uint32_t core = 0u; core < b->curve.n_core; core++) {
        const uint64_t most = bits_has(open, core) ? 15u : 0u;
        issued[core] = (uint32_t)(now < most ? now : most);
        now -= issued[core];
    }
    assert_int_equal(now, 0u); /* the curve is one that so many cores can have */
}

/* ---- Promises ------------------------------------------------------------------------ */

static void onac_bench_check(const struct onac_bench *b, const struct onac_out *out,
                             const struct core_status_out *table)
{
    const uint32_t n = b->curve.n_core, open = bits_count(table->open, n);
    const struct bits drained = onac_bench_drained(b, bits_below(n));

    assert_true(bits_equal(table->open, bits_below(open))); /* nested */
    assert_in_range(open, 1, n);
    if (bits_any(out->request)) { /* only when what is paused has drained */
        assert_true(bits_equal(out->request, table->open));
        for (uint32_t core = open; core < n; core++) {
            assert_true(bits_has(drained, core));
        }
    }
    if (!out->detecting && !out->write) {
        assert_false(bits_any(table->paused));
        assert_true(out->done ? open == out->number : open == n);
    }
}

/* ---- A cycle --------------------------------------------------------------------------- */

static void onac_bench_note(struct onac_bench *b, const struct onac_out *out)
{
    if (out->window && b->in_window++ == 0u) {
        b->walk.sampled[b->walk.n++] = out->number;
        b->issued_part = 0u;
    }
    if (!out->window && b->in_window != 0u) {
        b->in_window = 0u;
        b->latency = 1u;
    } else if (b->latency != 0u) {
        b->latency++;
    }
    if (out->write && b->latency != 0u) {
        b->longest = b->latency > b->longest ? b->latency : b->longest;
        b->latency = 0u;
    }
}

static void onac_bench_cycle_with(struct onac_bench *b, struct onac_in in)
{
    struct onac_next next;
    struct core_status_out table_out;
    struct core_status_next table_next;
    struct core_status_in table_in = { .read = 0u };
    const struct bits none = { { 0u } };

    core_status_eval(&b->table, &table_in, &table_out, &table_next);
    onac_eval(&b->unit, &in, &b->out, &next); /* outputs depend on the state alone */
    onac_bench_check(b, &b->out, &table_out);
    onac_bench_note(b, &b->out);
    in.started = true;
    in.exhausted = b->exhausted;
    in.acks = onac_bench_drained(b, table_out.paused);
    in.answers = onac_bench_drained(b, b->out.request);
    in.sample = table_out.sample;
    in.completed = b->in_window == ONAC_CYCLES - 1u && !b->stuck ? b->out.number : 0u;
    onac_eval(&b->unit, &in, &b->out, &next);
    table_in = (struct core_status_in){
        .write = b->out.write,
        .write_active = b->out.active,
        .write_paused = b->out.paused,
        .clear = b->out.clear,
        .window = b->out.window,
        .read = b->out.read,
    };
    onac_bench_issue(b, bits_any(b->out.request) ? none : table_out.open, table_in.issued);
    onac_bench_drain(b,
                     bits_any(b->out.request) ? bits_below(b->curve.n_core) : table_out.paused);
    core_status_eval(&b->table, &table_in, &table_out, &table_next);
    onac_tick(&b->unit, &next);
    core_status_tick(&b->table, &table_next);
}

void onac_bench_cycle(struct onac_bench *b)
{
    onac_bench_cycle_with(b, (struct onac_in){ .restart = false });
}

void onac_bench_restart(struct onac_bench *b, struct onac_in in)
{
    in.restart = true;
    b->walk.n = 0u;
    b->in_window = 0u;
    b->latency = 0u;
    onac_bench_cycle_with(b, in);
}

void onac_bench_run(struct onac_bench *b)
{
    uint32_t cycles = 0u;

    onac_bench_cycle(b);
    while (b->out.detecting || b->out.write) {
        assert_in_range(++cycles, 1, 1000000);
        onac_bench_cycle(b);
    }
    b->walk.result = b->out.number;
}
