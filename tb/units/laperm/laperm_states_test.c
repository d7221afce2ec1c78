/*
 * Every state that the smallest of LaPerm's schedulers can reach: queues of one place on chip
 * and one in memory. With one SM under every input that the contract allows, in each mode; with
 * two SMs and binding, while memory answers and dispatches are taken at once. What is launched
 * is dispatched once, in its order, where the mode has it go; and from each state on all comes
 * to its end.
 */

#include <stdio.h>

#include "tb/base/unit_check.h"
#include "units/laperm.h"

enum { SMS = 2, QUEUES = SMS + 1, MOST = SANITIZED ? 2000 : INT32_MAX };

/* The words of a set's array of one place. */
struct words {
    uint64_t payload, kernel, tb, tbs, stamp;
};

/* A state of the unit, and of what is around it; queue 0 is the last. Of each queue: launches
 * that have not been dispatched, and whether the next one and the next dispatch have an odd
 * number. */
struct node {
    struct laperm_state q;
    struct laperm_set_state set[QUEUES];
    struct words words[QUEUES];
    struct {
        uint32_t waits, next, first;
    } queue[QUEUES];
    struct {
        uint32_t n, payload, stamp,
            owes; /* in memory, of which one at most has been asked for */
    } memory[SMS];
};

static struct laperm unit;
static struct node now;
static uint32_t n_sm, met_stolen, met_back;

static struct laperm_set *set_of(uint32_t k)
{
    return k < n_sm ? &unit.set[k] : &unit.parents;
}

static void save(struct node *node)
{
    *node = now;
    node->q = unit.q;
    for (uint32_t k = 0u; k <= n_sm; k++) {
        const struct laperm_set *const set = set_of(k);
        node->set[k] = set->q;
        node->words[k] = (struct words){ set->mem.array_payload[0], set->mem.array_kernel[0],
                                         set->mem.array_tb[0], set->mem.array_tbs[0],
                                         set->mem.array_stamp[0] };
    }
}

/* What tells states apart: without what is left in registers that nothing reads. */
static void forget_set(struct laperm_set_state *q, struct words *words)
{
    if (q->state == 0u) {
        q->new_level = q->new_kernel = q->new_stamp = 0u;
        q->new_payload = q->new_tbs = 0u;
        q->back = false;
    }
    if (q->state <= 1u) {
        q->ahead = q->left = q->from = q->hole = 0u;
    }
    if (!q->here) {
        q->level = q->loading ? q->level : 0u;
        q->payload = q->tb = q->tbs = 0u;
        q->kernel = q->stamp = 0u;
    }
    if (!q->loading && !q->moving) {
        q->read_payload = q->read_tb = q->read_tbs = 0u;
        q->read_kernel = q->read_stamp = 0u;
    }
    if (q->fill[0] == 0u) {
        *words = (struct words){ 0u };
    }
}

/* With binding nothing reads a stamp. */
static void forget_stamps(struct node *key)
{
    key->q.stamp = key->q.spill_stamp = key->q.back_stamp = 0u;
    for (uint32_t k = 0u; k <= n_sm; k++) {
        key->set[k].new_stamp = key->set[k].stamp = key->set[k].read_stamp = 0u;
        key->words[k].stamp = 0u;
    }
    for (uint32_t sm = 0u; sm < n_sm; sm++) {
        key->memory[sm].stamp = 0u;
    }
}

static void add(struct states *states, uint32_t mode)
{
    static struct node node, key;
    struct laperm_state *const q = &key.q;

    save(&node);
    key = node;
    for (uint32_t k = 0u; k <= n_sm; k++) {
        forget_set(&key.set[k], &key.words[k]);
    }
    if (!q->spill_valid) {
        q->spill_sm = q->spill_level = q->spill_kernel = q->spill_stamp = 0u;
        q->spill_payload = q->spill_tbs = 0u;
    }
    if (!q->ask_valid) {
        q->ask_sm = q->ask_level = 0u;
    }
    if (!q->back_valid) {
        q->back_sm = q->back_level = q->back_kernel = q->back_stamp = 0u;
        q->back_payload = q->back_tbs = 0u;
    }
    if (mode >= LAPERM_SMX_BIND) {
        forget_stamps(&key);
    }
    states_add(states, &key, &node);
}

static void restore(const struct node *node)
{
    now = *node;
    unit.q = node->q;
    for (uint32_t k = 0u; k <= n_sm; k++) {
        struct laperm_set *const set = set_of(k);
        set->q = node->set[k];
        set->mem.array_payload[0] = node->words[k].payload;
        set->mem.array_kernel[0] = node->words[k].kernel;
        set->mem.array_tb[0] = node->words[k].tb;
        set->mem.array_tbs[0] = node->words[k].tbs;
        set->mem.array_stamp[0] = node->words[k].stamp;
    }
}

/* ---- A cycle --------------------------------------------------------------------------- */

/* 1 + an SM for which memory has been asked; 0: none. */
static uint32_t owed(void)
{
    uint32_t owed = 0u;

    for (uint32_t sm = 0u; sm < n_sm; sm++) {
        owed = now.memory[sm].owes != 0u ? sm + 1u : owed;
    }
    return owed;
}

/* Which launch there is, which SMs have room, for which SM memory answers, if it owes that, and
 * whether a dispatch, and memory, take what they are given; false if the number is of none. */
static bool inputs(uint64_t number, uint32_t mode, struct laperm_in *in)
{
    const uint32_t launch = (uint32_t)digit(&number, n_sm + 2u);
    const uint32_t room = (uint32_t)digit(&number, UINT64_C(1) << n_sm);
    const uint32_t answer = (uint32_t)digit(&number, n_sm + 1u);
    const bool waits = digit(&number, 2u) != 0u, full = digit(&number, 2u) != 0u;

    *in = (struct laperm_in){ .mode = mode,
                              .limit = bits_below(n_sm),
                              .credit = bits_below(n_sm),
                              .dispatch_ready = !waits,
                              .spill_ready = !full,
                              .ask_ready = !full };
    for (uint32_t sm = 0u; sm < n_sm; sm++) {
        if ((room >> sm & 1u) != 0u) {
            bits_add(&in->room, sm);
        }
    }
    if (launch != 0u) {
        const uint32_t k = launch - 1u;
        in->launch_valid = true;
        in->launch_host = k == n_sm;
        in->launch_sm = in->launch_host ? 0u : k;
        in->launch_payload = now.queue[k].next;
        in->launch_tbs = 1u;
    }
    if (n_sm > 1u && (waits || full || (answer == 0u && owed() != 0u))) {
        return false;
    }
    if (answer != 0u) {
        const uint32_t sm = answer - 1u;
        if (now.memory[sm].owes == 0u) {
            return false;
        }
        in->back_valid = true;
        in->back_sm = sm;
        in->back_level = 1u;
        in->back_payload = now.memory[sm].payload;
        in->back_tbs = 1u;
        in->back_stamp = now.memory[sm].stamp;
    }
    return true;
}

static void check_dispatch(const struct laperm_out *out, uint32_t mode)
{
    const uint32_t k = out->dispatch_level == 0u ? n_sm : out->dispatch_from;

    assert_true(now.queue[k].waits != 0u);
    assert_int_equal(out->dispatch_payload, now.queue[k].first);
    assert_true(out->dispatch_last && out->dispatch_tb == 0u);
    if (mode == LAPERM_SMX_BIND && k < n_sm) {
        assert_int_equal(out->dispatch_sm, k);
    }
    met_stolen += k < n_sm && out->dispatch_sm != k;
    now.queue[k].waits--;
    now.queue[k].first ^= 1u;
}

static void use_memory(const struct laperm_in *in, const struct laperm_out *out)
{
    if (in->back_valid && out->back_ready) {
        met_back++;
        now.memory[in->back_sm].n--;
        now.memory[in->back_sm].payload = now.memory[in->back_sm].stamp = 0u;
        now.memory[in->back_sm].owes = 0u;
    }
    if (out->spill_valid && in->spill_ready) {
        const uint32_t sm = out->spill_sm;
        assert_int_equal(now.memory[sm].n++, 0u);
        now.memory[sm].payload = (uint32_t)out->spill_payload;
        now.memory[sm].stamp = out->spill_stamp;
    }
    if (out->ask_valid && in->ask_ready) {
        assert_true(now.memory[out->ask_sm].n != 0u && now.memory[out->ask_sm].owes == 0u);
        now.memory[out->ask_sm].owes = 1u;
    }
}

/* An SM whose set has entries says so; and an empty one has none on its way. */
static void check_waiting(const struct laperm_out *out)
{
    uint32_t shown = unit.q.going ? 1u : 0u;

    for (uint32_t sm = 0u; sm < n_sm; sm++) {
        if (!laperm_waits(&unit, sm)) {
            assert_false(bits_has(out->waiting, sm));
            assert_true(now.queue[sm].waits <= shown);
            shown -= now.queue[sm].waits;
        }
    }
}

static void cycle(const struct laperm_in *in)
{
    static struct laperm_next next;
    struct laperm_out out;

    laperm_eval(&unit, in, &out, &next);
    check_waiting(&out);
    if (in->launch_valid && out.launch_ready) {
        const uint32_t k = in->launch_host ? n_sm : in->launch_sm;
        now.queue[k].waits++;
        now.queue[k].next ^= 1u;
    }
    if (out.dispatch_valid && in->dispatch_ready) {
        check_dispatch(&out, in->mode);
    }
    use_memory(in, &out);
    laperm_tick(&unit, &next);
}

/* ---- All states ------------------------------------------------------------------------ */

/* Cycles until nothing waits, if nothing is launched, every SM has room, and memory answers. */
static uint32_t cycles_to_the_end(uint32_t mode)
{
    const uint64_t room = (UINT64_C(1) << n_sm) - 1u;
    uint32_t cycles = 0u;

    for (uint32_t left = 1u; left != 0u; cycles++) {
        struct laperm_in in;
        assert_true(inputs((((uint64_t)owed() << n_sm) + room) * (n_sm + 2u), mode, &in));
        cycle(&in);
        left = 0u;
        for (uint32_t k = 0u; k <= n_sm; k++) {
            left += now.queue[k].waits;
        }
        assert_in_range(cycles, 0, 200);
    }
    return cycles;
}

static void step(struct states *states, const struct node *from, uint32_t mode)
{
    const uint64_t n_input = (n_sm + 2u) * (UINT64_C(1) << n_sm) * (n_sm + 1u) * 4u;
    struct laperm_in in;

    restore(from);
    for (uint64_t k = 0u; k < n_input; k++) {
        if (inputs(k, mode, &in)) {
            cycle(&in);
            add(states, mode);
            restore(from);
        }
    }
}

static void explore(uint32_t mode)
{
    const struct laperm_config config = { n_sm, 1u, 1u, 1u, 1u, 1u, 1u, 2u, 1u };
    struct states states = states_open(sizeof(struct node), sizeof(struct node));
    static struct node from;
    uint32_t longest = 0u;

    assert_int_equal(laperm_init(&unit, &config), laperm_ok);
    memset(&now, 0, sizeof now);
    cycle(&(struct laperm_in){ .mode = mode }); /* in which the mode comes */
    add(&states, mode);
    for (uint32_t i = 0u; i < states.n && i < MOST; i++) {
        memcpy(&from, states_node(&states, i), sizeof from);
        step(&states, &from, mode);
        const uint32_t cycles = cycles_to_the_end(mode);
        longest = cycles > longest ? cycles : longest;
    }
    printf("%" PRIu32 " SMs, mode %" PRIu32 ": %" PRIu32 " states, at their end after %" PRIu32
           " cycles at most\n",
           n_sm, mode, states.n, longest);
    states_close(&states);
}

static void every_launch_is_dispatched_once_in_every_state(void **state)
{
    (void)state;
    n_sm = 1u;
    for (uint32_t mode = LAPERM_RR; mode <= LAPERM_ADAPTIVE_BIND; mode++) {
        explore(mode);
    }
    n_sm = 2u;
    explore(LAPERM_SMX_BIND);
    assert_int_equal(met_stolen, 0u);
    explore(LAPERM_ADAPTIVE_BIND);
    assert_true(met_stolen != 0u && met_back != 0u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_launch_is_dispatched_once_in_every_state),
    };
    return cmocka_run_group_tests_name("laperm_states", tests, NULL, NULL);
}
