/*
 * The merge table's golden model in every state that a small table can reach, with every input:
 * beside it is the definition over events of icc_oracle.h, made from the page alone.
 */

#include "icc_oracle.h"

enum { MAX_ENTRY = 3, MAX_EVENTS = 24 };

/* The oracle in short: as many events as a small table can have. */
struct node {
    struct icc unit;
    unsigned char
        oracle[offsetof(struct icc_oracle, event) + MAX_EVENTS * sizeof(struct icc_event)];
};

/* What tells states apart; lines of free entries do not. */
struct key {
    uint64_t line[MAX_ENTRY];
    uint32_t list[MAX_ENTRY];
    uint32_t closed;
    uint32_t none;
};

static void add(struct states *states, const struct icc *unit, const struct icc_oracle *oracle)
{
    static struct node node;
    struct key key = { .closed = (uint32_t)unit->q.closed.word[0] };

    for (uint32_t entry = 0u; entry < unit->config.n_entry; entry++) {
        key.list[entry] = unit->q.list[entry];
        key.line[entry] = unit->q.list[entry] != 0u ? unit->mem.line[entry] : 0u;
    }
    assert_in_range(oracle->n, 0, MAX_EVENTS);
    node.unit = *unit;
    memcpy(node.oracle, oracle, sizeof node.oracle);
    states_add(states, &key, &node);
}

static void step(struct states *states, const struct node *from, const struct icc_in *in)
{
    static struct icc_oracle oracle;
    struct icc unit = from->unit;

    memcpy(&oracle, from->oracle, sizeof from->oracle);
    (void)icc_oracle_beside(&oracle, &unit, in);
    icc_oracle_check(&oracle, &unit);
    add(states, &unit, &oracle);
}

/*
 * Input number k; false after the last. What is not valid is noise, and the SMs' numbers are
 * all that their bits can say.
 */
static bool input(const struct icc_config *config, uint64_t k, uint64_t *random,
                  struct icc_in *in)
{
    const uint64_t lines = UINT64_C(1) << config->line_w;
    const uint64_t sms = UINT64_C(1) << index_width(config->n_sm);
    const uint64_t requests = lines * sms * 16u;
    const uint64_t replies = lines * sms * 2u;
    uint64_t request = digit(&k, requests + 1u);
    uint64_t reply = digit(&k, replies + 1u);

    in->request_valid = request < requests;
    in->reply_valid = reply < replies;
    request = in->request_valid ? request : random_bits(random);
    reply = in->reply_valid ? reply : random_bits(random);
    in->request_line = digit(&request, lines);
    in->request_sm = (uint32_t)digit(&request, sms);
    in->request_write = digit(&request, 2u);
    in->request_alone = digit(&request, 2u);
    in->request_hit = digit(&request, 2u);
    in->request_ready = digit(&request, 2u);
    in->reply_line = digit(&reply, lines);
    in->reply_sm = (uint32_t)digit(&reply, sms);
    in->reply_tracked = digit(&reply, 2u);
    in->flush = digit(&k, 2u);
    return k == 0u;
}

/* Returns how many states there are. */
static uint32_t search(struct icc_config config, uint64_t *random)
{
    static struct icc_oracle oracle;
    struct states states = states_open(sizeof(struct key), sizeof(struct node));
    struct icc unit;

    oracle = (struct icc_oracle){ .config = config };
    assert_int_equal(icc_init(&unit, &config), icc_ok);
    add(&states, &unit, &oracle);
    for (uint32_t i = 0u; i < states.n; i++) {
        struct node from;
        struct icc_in in;
        memcpy(&from, states_node(&states, i), sizeof from);
        for (uint64_t k = 0u; input(&config, k, random, &in); k++) {
            step(&states, &from, &in);
        }
    }
    const uint32_t n = states.n;
    states_close(&states);
    return n;
}

/* How many states there should be: each entry is free, or one of the lines that no other has,
 * with any list that is not empty, open or closed. */
static uint32_t expected_states(struct icc_config config)
{
    const uint32_t lines = UINT32_C(1) << config.line_w;
    const uint32_t ways = 2u * ((UINT32_C(1) << config.n_sm) - 1u);
    uint32_t states = 1u, arrangements = 1u;

    for (uint32_t used = 1u; used <= config.n_entry && used <= lines; used++) {
        arrangements =
            arrangements * (config.n_entry - used + 1u) / used * (lines - used + 1u) * ways;
        states += arrangements;
    }
    return states;
}

static void in_every_state_of_a_small_table_every_input_does_what_the_page_says(void **state)
{
    (void)state;
    static const struct icc_config configs[] = {
        { 1u, 1u, 1u }, { 1u, 2u, 1u }, { 1u, 3u, 1u }, { 2u, 1u, 2u },
        { 2u, 2u, 1u }, { 2u, 3u, 1u }, { 3u, 1u, 2u }, { 2u, 2u, 2u },
    };
    uint64_t random = printed_seed();

    for (size_t i = 0u; i < sizeof configs / sizeof configs[0] - 3u * SANITIZED; i++) {
        const uint32_t states = search(configs[i], &random);
        print_message("%" PRIu32 " entries, %" PRIu32 " SMs, %" PRIu32 " bits: %" PRIu32
                      " states\n",
                      configs[i].n_entry, configs[i].n_sm, configs[i].line_w, states);
        assert_int_equal(states, expected_states(configs[i]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_every_state_of_a_small_table_every_input_does_what_the_page_says),
    };
    return cmocka_run_group_tests_name("icc_states", tests, NULL, NULL);
}
