/* laperm_bench - SMs, memory and rounds around LaPerm; see laperm_bench.h. */

#include "tb/units/laperm/laperm_bench.h"

#include <stdio.h>

/* A payload is a letter and the first number. */
static uint64_t payload_of(char letter, uint32_t first)
{
    return (uint64_t)(unsigned char)letter << 32u | first;
}

void laperm_bench_open(struct laperm_bench *bench, const struct laperm_config *config,
                       uint32_t mode, uint32_t places)
{
    memset(bench, 0, sizeof *bench);
    assert_int_equal(laperm_init(&bench->unit, config), laperm_ok);
    bench->mode = mode;
    bench->places = places;
}

struct laperm_in laperm_bench_entry(char letter, uint32_t first, uint32_t tbs)
{
    return (struct laperm_in){
        .launch_valid = true,
        .launch_payload = payload_of(letter, first),
        .launch_tbs = tbs,
    };
}

/* ---- Memory: a queue for each SM and level --------------------------------------------- */

static void spills(struct laperm_bench *bench)
{
    if (bench->out.spill_valid && bench->in.spill_ready) {
        assert_in_range(bench->n_spilled, 0, LAPERM_BENCH_MEMORY - 1);
        bench->memory[bench->n_spilled++] = (struct laperm_spilled){
            bench->out.spill_sm,    bench->out.spill_level,   bench->out.spill_tbs,
            bench->out.spill_stamp, bench->out.spill_payload, false,
        };
    }
}

/* The oldest of the queue that was asked for comes in the next cycle. */
static void answers(struct laperm_bench *bench)
{
    bench->in.back_valid = bench->in.back_valid && !bench->out.back_ready;
    if (!bench->out.ask_valid || !bench->in.ask_ready) {
        return;
    }
    for (uint32_t i = 0u; i < bench->n_spilled; i++) {
        struct laperm_spilled *const it = &bench->memory[i];
        if (!it->taken && it->sm == bench->out.ask_sm && it->level == bench->out.ask_level) {
            it->taken = true;
            bench->in.back_valid = true;
            bench->in.back_sm = it->sm;
            bench->in.back_level = it->level;
            bench->in.back_tbs = it->tbs;
            bench->in.back_stamp = it->stamp;
            bench->in.back_payload = it->payload;
            return;
        }
    }
    fail_msg("asked for what memory has not: SM %" PRIu32 ", level %" PRIu32, bench->out.ask_sm,
             bench->out.ask_level);
}

/* ---- Cycles ---------------------------------------------------------------------------- */

/* The thread block that was dispatched launches its children at the end of its round. */
static void launches(struct laperm_bench *bench, char letter, uint32_t number)
{
    for (uint32_t i = 0u; i < bench->n_child; i++) {
        const struct laperm_child *const child = &bench->child[i];
        if (child->parent == letter && child->number == number) {
            struct laperm_in launch =
                laperm_bench_entry(child->letter, child->first, child->tbs);
            launch.launch_sm = bench->out.dispatch_sm;
            launch.launch_parent = bench->out.dispatch_level;
            bench->pending[bench->n_pending++] = launch;
        }
    }
}

static void dispatches(struct laperm_bench *bench)
{
    const uint32_t sm = bench->out.dispatch_sm;

    if (!bench->out.dispatch_valid) {
        return;
    }
    bench->used[sm]++;
    assert_in_range(bench->used[sm], 1, bench->places);
    bench->last[sm] = bench->out;
    bench->got[sm] = true;
    bench->dispatched++;
    launches(bench, (char)(bench->out.dispatch_payload >> 32u),
             (uint32_t)bench->out.dispatch_payload + bench->out.dispatch_tb);
}

static void step(struct laperm_bench *bench)
{
    static struct laperm_next next;

    bench->in.mode = bench->frozen ? LAPERM_TB_PRI : bench->mode;
    bench->in.limit = bench->in.credit = bits_below(bench->unit.config.n_sm);
    bench->in.credit.word[0] &= ~bench->broke.word[0];
    bench->in.spill_ready = true;
    bench->in.ask_ready = !bench->in.back_valid;
    bench->in.dispatch_ready = true;
    laperm_eval(&bench->unit, &bench->in, &bench->out, &next);
    laperm_tick(&bench->unit, &next);
    spills(bench);
    answers(bench);
    dispatches(bench);
}

/* No SM is visited between two rounds: without room TB-Pri does nothing. */
static void freeze(struct laperm_bench *bench, bool frozen)
{
    const struct bits room = bench->in.room;
    const bool launches = bench->in.launch_valid;

    if (bench->mode >= LAPERM_SMX_BIND && bench->frozen != frozen) {
        bench->frozen = frozen;
        bench->in.room = bits_below(0u);
        bench->in.launch_valid = false;
        step(bench);
        bench->in.launch_valid = launches;
        bench->in.room = room;
    }
}

void laperm_bench_cycle(struct laperm_bench *bench)
{
    freeze(bench, false);
    step(bench);
}

void laperm_bench_launch(struct laperm_bench *bench, struct laperm_in launch)
{
    freeze(bench, true);
    struct laperm_in in = bench->in;
    in.launch_valid = true;
    in.launch_host = launch.launch_host;
    in.launch_sm = launch.launch_sm;
    in.launch_parent = launch.launch_parent;
    in.launch_payload = launch.launch_payload;
    in.launch_kernel = launch.launch_kernel;
    in.launch_tbs = launch.launch_tbs;
    in.room = bits_below(0u);
    bench->in = in;
    do {
        step(bench);
        bench->in.launch_valid = !bench->out.launch_ready;
    } while (bench->in.launch_valid);
    assert_false(bench->unit.q.launch_error);
    for (uint32_t k = 0u; k < 4u + bench->unit.config.n_entry; k++) {
        step(bench);
    }
}

void laperm_bench_host(struct laperm_bench *bench, char letter, uint32_t tbs)
{
    struct laperm_in launch = laperm_bench_entry(letter, 0u, tbs);

    launch.launch_host = true;
    laperm_bench_launch(bench, launch);
}

void laperm_bench_child(struct laperm_bench *bench, uint32_t sm, uint32_t parent_level,
                        char letter, uint32_t tbs)
{
    struct laperm_in launch = laperm_bench_entry(letter, 0u, tbs);

    launch.launch_sm = sm;
    launch.launch_parent = parent_level;
    laperm_bench_launch(bench, launch);
}

/* ---- Rounds ---------------------------------------------------------------------------- */

/* In turn, so that the pass begins with SM 0; with RR and TB-Pri all at once. */
static void one_pass(struct laperm_bench *bench)
{
    const uint32_t n = bench->unit.config.n_sm;
    const bool binds = bench->mode >= LAPERM_SMX_BIND;

    freeze(bench, false);
    for (uint32_t k = 0u; binds && k < n && !bits_has(bench->unit.q.turn, 0u); k++) {
        step(bench);
    }
    for (uint32_t k = 0u; k < (binds ? n : 16u * n); k++) {
        bench->in.room = bits_below(n);
        for (uint32_t sm = 0u; sm < n; sm++) {
            if (bench->got[sm] || (bench->unit.q.going && bench->unit.q.to == sm)) {
                bits_remove(&bench->in.room, sm);
            }
        }
        bench->frozen = binds && k + 1u == n; /* from the next cycle on */
        step(bench);
    }
    bench->in.room = bits_below(0u);
    step(bench); /* the last dispatch is taken */
}

void laperm_bench_round(struct laperm_bench *bench, char *text)
{
    const uint32_t n = bench->unit.config.n_sm;

    memset(bench->got, 0, sizeof bench->got);
    memset(bench->used, 0, sizeof bench->used);
    for (uint32_t k = 0u; k < bench->n_pending; k++) {
        laperm_bench_launch(bench, bench->pending[k]);
    }
    bench->n_pending = 0u;
    freeze(bench, true);
    for (uint32_t k = 0u; k < 12u; k++) {
        step(bench); /* what memory owes comes */
    }
    one_pass(bench);
    for (uint32_t sm = 0u; sm < n; sm++) {
        const struct laperm_out *const out = &bench->last[sm];
        char *const at = text + strlen(text);
        const size_t room = LAPERM_BENCH_TEXT - strlen(text);
        const char *const between = sm + 1u < n ? " " : " | ";
        if (bench->got[sm]) {
            (void)snprintf(at, room, "%c%" PRIu32 "%s", (char)(out->dispatch_payload >> 32u),
                           (uint32_t)out->dispatch_payload + out->dispatch_tb, between);
        } else {
            (void)snprintf(at, room, "-%s", between);
        }
    }
}
