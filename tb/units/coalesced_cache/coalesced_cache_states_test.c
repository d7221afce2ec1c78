/*
 * The coalesced cache's golden model in every state that a small cache can reach, with every
 * input: beside it is the list of kept lines and times of coalesced_cache_oracle.h, made from
 * the page alone.
 */

#include "coalesced_cache_oracle.h"

enum { MAX_LINE = 4 };

struct node {
    struct coalesced_cache unit;
    struct coalesced_cache_oracle oracle;
};

/* What tells states apart; tags of invalid ways do not. */
struct key {
    uint64_t tag[MAX_LINE];
    uint32_t place[MAX_LINE];
    uint32_t valid;
    uint32_t none;
};

static void add(struct states *states, const struct node *node)
{
    const struct coalesced_cache *const unit = &node->unit;
    struct key key = { .valid = (uint32_t)unit->q.valid.word[0] };

    for (uint32_t way = 0u; way < unit->config.n_line; way++) {
        key.place[way] = unit->q.place[way];
        key.tag[way] = bits_has(unit->q.valid, way) ? unit->mem.tag[way] : 0u;
    }
    states_add(states, &key, node);
}

/* Input number k; false after the last. */
static bool input(uint32_t line_w, uint64_t k, struct coalesced_cache_in *in)
{
    const uint64_t mask = (UINT64_C(1) << line_w) - 1u;

    *in = (struct coalesced_cache_in){
        .lookup_line = k & mask,
        .insert_line = k >> line_w & mask,
        .lookup_valid = k >> 2u * line_w & 1u,
        .lookup_write = k >> (2u * line_w + 1u) & 1u,
        .insert_valid = k >> (2u * line_w + 2u) & 1u,
        .fifo = k >> (2u * line_w + 3u) & 1u,
        .flush = k >> (2u * line_w + 4u) & 1u,
    };
    return k >> (2u * line_w + 5u) == 0u;
}

/* Returns how many states there are. */
static uint32_t search(struct coalesced_cache_config config)
{
    static struct node start;
    struct states states = states_open(sizeof(struct key), sizeof(struct node));

    start = (struct node){ .oracle = { .config = config } };
    assert_int_equal(coalesced_cache_init(&start.unit, &config), coalesced_cache_ok);
    coalesced_cache_oracle_reset(&start.oracle);
    add(&states, &start);
    for (uint32_t i = 0u; i < states.n; i++) {
        struct node from;
        struct coalesced_cache_in in;
        memcpy(&from, states_node(&states, i), sizeof from);
        for (uint64_t k = 0u; input(config.line_w, k, &in); k++) {
            struct node to = from;
            (void)coalesced_cache_oracle_beside(&to.oracle, &to.unit, &in);
            coalesced_cache_oracle_check(&to.oracle, &to.unit);
            add(&states, &to);
        }
    }
    const uint32_t n = states.n;
    states_close(&states);
    return n;
}

/* How many states there should be: any order of the ways, and in the first k of them any k
 * lines that differ. */
static uint32_t expected_states(struct coalesced_cache_config config)
{
    const uint32_t lines = UINT32_C(1) << config.line_w;
    uint32_t orders = 1u, contents = 1u, tags = 1u;

    for (uint32_t k = 1u; k <= config.n_line; k++) {
        orders *= k;
        tags *= k <= lines ? lines - k + 1u : 0u;
        contents += tags;
    }
    return orders * contents;
}

static void in_every_state_of_a_small_cache_every_input_does_what_the_page_says(void **state)
{
    (void)state;
    static const struct coalesced_cache_config configs[] = {
        { 1u, 1u }, { 1u, 2u }, { 2u, 1u }, { 2u, 2u }, { 2u, 3u }, { 3u, 2u }, { 4u, 2u },
    };

    for (size_t i = 0u; i < sizeof configs / sizeof configs[0] - SANITIZED; i++) {
        const uint32_t states = search(configs[i]);
        print_message("%" PRIu32 " ways, %" PRIu32 " bits: %" PRIu32 " states\n",
                      configs[i].n_line, configs[i].line_w, states);
        assert_int_equal(states, expected_states(configs[i]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_every_state_of_a_small_cache_every_input_does_what_the_page_says),
    };
    return cmocka_run_group_tests_name("coalesced_cache_states", tests, NULL, NULL);
}
