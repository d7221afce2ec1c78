/*
 * A set of LaPerm's queues under the stimulus of the lockstep, legal and illegal, beside the
 * list of laperm_oracle.h; and that this stimulus meets all that a set can meet.
 */

#include <stdio.h>

#include "tb/base/unit_events.h"
#include "tb/units/laperm/laperm_oracle.h"

enum { CYCLES = SANITIZED ? 20000 : 200000 };

static struct laperm_oracle_set list;

static uint32_t clamped(const struct laperm_set_config *config, uint32_t level)
{
    return level < config->n_level ? level : config->n_level - 1u;
}

/* What the page says of entries in memory. */
struct room {
    uint32_t places, wanted;
    bool wants;
};

static struct room room_of(const struct laperm_set_config *config)
{
    struct room room = { .places = config->n_entry - list.held };

    room.wanted = laperm_oracle_highest(&list, config->n_level);
    room.wants = room.wanted < config->n_level && room.places != 0u && !list.promised;
    return room;
}

static bool spills(const struct room *room, uint32_t level)
{
    return list.memory[level] != 0u || room->places <= room->wants;
}

static void check_memory(const struct laperm_set_config *config, const struct room *room,
                         const struct laperm_set_out *out)
{
    const uint64_t most = (UINT64_C(1) << config->spill_w) - 1u;

    for (uint32_t level = 0u; level < config->n_level; level++) {
        assert_int_equal(bits_has(out->spills, level), spills(room, level));
        assert_int_equal(bits_has(out->stuck, level), list.memory[level] == most);
    }
    assert_int_equal(out->want, room->wants);
    assert_int_equal(out->want_level, room->wants ? room->wanted : 0u);
    assert_int_equal(out->idle, list.insertion == LAPERM_NOTHING);
    assert_int_equal(out->some, laperm_oracle_waits(&list, config->n_level));
}

static void check_head(const struct laperm_set_out *out)
{
    const struct laperm_oracle_entry *const head = &list.list[0];

    assert_int_equal(out->here, list.here);
    assert_int_equal(out->offer, laperm_oracle_offers(&list));
    assert_int_equal(out->steady, laperm_oracle_steady(&list));
    if (list.here) {
        assert_int_equal(out->level, head->level);
        assert_int_equal(out->payload, head->payload);
        assert_int_equal(out->kernel, head->kernel);
        assert_int_equal(out->tb, head->next);
        assert_int_equal(out->last, head->next + 1u == head->tbs);
        assert_int_equal(out->stamp, head->stamp);
    }
}

static struct laperm_oracle_act act_of(const struct laperm_set_config *config,
                                       const struct laperm_set_in *in, const struct room *room)
{
    const uint64_t most = (UINT64_C(1) << config->spill_w) - 1u;
    const uint32_t level = clamped(config, in->insert_level);
    struct laperm_oracle_act act = {
        .draws = in->draw && laperm_oracle_offers(&list),
        .asks = in->ask && room->wants,
        .returns = in->insert_back,
        .spill_level = clamped(config, in->spill_level),
    };
    const bool fits =
        in->insert_back ? list.promised && list.memory[level] != 0u : !spills(room, level);

    act.spills = in->spill_valid && list.memory[act.spill_level] < most;
    act.comes = in->insert_valid && list.insertion == LAPERM_NOTHING && fits;
    act.entry = (struct laperm_oracle_entry){
        .payload = in->insert_payload,
        .tbs = in->insert_tbs != 0u ? in->insert_tbs : UINT64_C(1) << config->tb_w,
        .level = level,
        .kernel = in->insert_kernel,
        .stamp = in->insert_stamp,
    };
    return act;
}

/* The edge of a set at rest, into which nothing comes, changes nothing. */
static void edge(struct unit *any, bool reset, uint32_t n_level, uint32_t *rested)
{
    static struct laperm_set before;
    const struct laperm_set *const unit = any->model;
    const struct laperm_set_in *const in = any->in;
    const bool rests = laperm_set_rests(unit) && !in->insert_valid && !in->spill_valid
                       && !in->ask && !in->draw && !reset;

    assert_int_equal(laperm_set_waits(unit), laperm_oracle_has(&list, n_level));
    if (rests) {
        before = *unit;
    }
    unit_edge(any, reset);
    if (rests) {
        assert_memory_equal(&before.q, &unit->q, sizeof before.q);
        assert_memory_equal(&before.mem, &unit->mem, sizeof before.mem);
        (*rested)++;
    }
}

static void run(const struct laperm_set_config *config, uint64_t seed, uint32_t *met)
{
    uint32_t rested = 0u;
    struct fault fault;
    struct unit *const any = unit_open_config("laperm_set", config, &fault);
    assert_non_null(any);
    struct traffic traffic = traffic_open(any, CYCLES, seed);

    memset(&list, 0, sizeof list);
    for (uint32_t i = 0u; i < CYCLES; i++) {
        const bool reset = traffic_next(&traffic, &(struct tied){ NULL, false });
        const uint32_t now = laperm_set_meets(any->model);
        const struct room room = room_of(config);
        unit_eval(any);
        check_memory(config, &room, any->out);
        check_head(any->out);
        const struct laperm_oracle_act act = act_of(config, any->in, &room);
        edge(any, reset, config->n_level, &rested);
        if (reset) {
            memset(&list, 0, sizeof list);
            continue;
        }
        laperm_oracle_edge(&list, &act);
        for (uint32_t e = 0u; e < LAPERM_SET_EVENTS; e++) {
            met[e] += now >> e & 1u;
        }
    }
    assert_in_range(rested, 20, UINT32_MAX);
    stimulus_close(traffic.stimulus);
    unit_close(any);
}

static void under_random_traffic_it_does_what_the_page_says(void **state)
{
    (void)state;
    static const struct laperm_set_config configs[] = {
        { 1u, 1u, 1u, 1u, 1u, 2u, 1u },        { 5u, 3u, 7u, 3u, 3u, 5u, 2u },
        { 13u, 1u, 33u, 5u, 2u, 6u, 3u },      { 1u, 4u, 5u, 2u, 2u, 4u, 2u },
        { 2u, 2u, 6u, 32u, 1u, 5u, 3u },       { 24u, 3u, 9u, 4u, 3u, 6u, 4u },
        { 100u, 8u, 64u, 32u, 32u, 28u, 32u }, { 128u, 4u, 64u, 32u, 20u, 24u, 16u },
    };
    const uint64_t seed = printed_seed();
    uint32_t met[LAPERM_SET_EVENTS] = { 0u };

    for (size_t i = 0u; i < sizeof configs / sizeof configs[0]; i++) {
        run(&configs[i], seed + i, met);
    }
    for (uint32_t e = 0u; e < LAPERM_SET_EVENTS && !SANITIZED; e++) {
        printf("event %" PRIu32 ": %" PRIu32 " times\n", e, met[e]);
        assert_in_range(met[e], 20, UINT32_MAX);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(under_random_traffic_it_does_what_the_page_says),
    };
    return cmocka_run_group_tests_name("laperm_set_random", tests, NULL, NULL);
}
