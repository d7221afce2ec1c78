/*
 * The cluster port's golden model in every state that a small one can reach, with every input,
 * merge and keep among them at will: beside it is the definition of cluster_port_oracle.h, made
 * from the pages alone.
 */

#include "cluster_port_oracle.h"

enum { MAX_SIZE = 2, MAX_EVENTS = 16 };

/* The oracle in short: as many events as a small table can have. */
struct node {
    struct cluster_port unit;
    unsigned char oracle[offsetof(struct cluster_port_oracle, table.event)
                         + MAX_EVENTS * sizeof(struct icc_event)];
};

/* What tells states apart; lines of free entries and invalid ways do not. */
struct key {
    uint64_t line[MAX_SIZE];
    uint64_t tag[MAX_SIZE];
    uint32_t list[MAX_SIZE];
    uint32_t place[MAX_SIZE];
    uint32_t closed;
    uint32_t valid;
};

static void add(struct states *states, const struct cluster_port *unit,
                const struct cluster_port_oracle *oracle)
{
    static struct node node;
    struct key key = { .closed = (uint32_t)unit->table.q.closed.word[0],
                       .valid = (uint32_t)unit->cache.q.valid.word[0] };

    for (uint32_t entry = 0u; entry < unit->config.n_entry; entry++) {
        key.list[entry] = unit->table.q.list[entry];
        key.line[entry] = key.list[entry] != 0u ? unit->table.mem.line[entry] : 0u;
    }
    for (uint32_t way = 0u; way < unit->config.n_line; way++) {
        key.place[way] = unit->cache.q.place[way];
        key.tag[way] = bits_has(unit->cache.q.valid, way) ? unit->cache.mem.tag[way] : 0u;
    }
    assert_in_range(oracle->table.n, 0, MAX_EVENTS);
    node.unit = *unit;
    memcpy(node.oracle, oracle, sizeof node.oracle);
    states_add(states, &key, &node);
}

/* Input number k; false after the last. What is not valid is noise. */
static bool input(const struct cluster_port_config *config, uint64_t k, uint64_t *random,
                  struct cluster_port_in *in)
{
    const uint64_t lines = UINT64_C(1) << config->line_w;
    const uint64_t sms = UINT64_C(1) << index_width(config->n_sm);
    const uint64_t requests = lines * sms * 8u;
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
    in->request_ready = digit(&request, 2u);
    in->reply_line = digit(&reply, lines);
    in->reply_sm = (uint32_t)digit(&reply, sms);
    in->reply_tracked = digit(&reply, 2u);
    in->merge = digit(&k, 2u);
    in->keep = digit(&k, 2u);
    in->fifo = digit(&k, 2u);
    in->flush = digit(&k, 2u);
    return k == 0u;
}

static void step(struct states *states, const struct node *from,
                 const struct cluster_port_in *in)
{
    static struct cluster_port_oracle oracle;
    struct cluster_port unit = from->unit;

    memcpy(&oracle, from->oracle, sizeof from->oracle);
    (void)cluster_port_oracle_beside(&oracle, &unit, in);
    cluster_port_oracle_check(&oracle, &unit);
    add(states, &unit, &oracle);
}

/* Returns how many states there are. */
static uint32_t search(struct cluster_port_config config, uint64_t *random)
{
    static struct cluster_port_oracle oracle;
    struct states states = states_open(sizeof(struct key), sizeof(struct node));
    struct cluster_port unit;

    assert_int_equal(cluster_port_init(&unit, &config), cluster_port_ok);
    cluster_port_oracle_open(&oracle, &config);
    add(&states, &unit, &oracle);
    for (uint32_t i = 0u; i < states.n; i++) {
        struct node from;
        struct cluster_port_in in;
        memcpy(&from, states_node(&states, i), sizeof from);
        for (uint64_t k = 0u; input(&config, k, random, &in); k++) {
            step(&states, &from, &in);
        }
    }
    const uint32_t n = states.n;
    states_close(&states);
    return n;
}

/* The states of table and cache, in any pair: each of them is reached. */
static void in_every_state_of_a_small_port_every_input_does_what_the_page_says(void **state)
{
    (void)state;
    static const struct {
        struct cluster_port_config config; /* entries, ways, SMs, bits */
        uint32_t table, cache;             /* states, as in the tests of the parts */
    } cases[] = {
        { { 1u, 1u, 2u, 1u }, 13u, 3u },
        { { 1u, 2u, 2u, 1u }, 13u, 10u },
        { { 2u, 1u, 2u, 1u }, 97u, 3u },
        { { 1u, 1u, 3u, 1u }, 29u, 3u },
    };
    uint64_t random = printed_seed();

    for (size_t i = 0u; i < sizeof cases / sizeof cases[0] - 2u * SANITIZED; i++) {
        const struct cluster_port_config *const config = &cases[i].config;
        const uint32_t states = search(*config, &random);
        print_message("%" PRIu32 " entries, %" PRIu32 " ways, %" PRIu32 " SMs, %" PRIu32
                      " bits: %" PRIu32 " states\n",
                      config->n_entry, config->n_line, config->n_sm, config->line_w, states);
        assert_int_equal(states, cases[i].table * cases[i].cache);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_every_state_of_a_small_port_every_input_does_what_the_page_says),
    };
    return cmocka_run_group_tests_name("cluster_port_states", tests, NULL, NULL);
}
