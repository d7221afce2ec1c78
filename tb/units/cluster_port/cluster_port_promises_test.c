/*
 * The promise of the cluster port, seen from outside: SMs read and write, a network keeps the
 * order of the requests of a line and delays them at random, and a memory counts the writes of
 * each line. Every read is answered once, with its own line, and not with what is older than
 * the last write that its cluster had sent before it. Nothing of the unit's inside is looked
 * at.
 */

#include "tb/base/unit_check.h"
#include "units/cluster_port.h"

enum { LINES = 8, SMS = 16, PACKETS = 4096, CYCLES = SANITIZED ? 20000 : 100000 };

struct packet {
    bool write;
    bool tracked;
    uint32_t sm;
    uint32_t version; /* that it writes, or has read */
};

/* The packets of one line, in order. */
struct queue {
    uint32_t first, n;
    struct packet packet[PACKETS];
};

struct world {
    struct cluster_port unit;
    uint64_t random;
    struct queue sent[LINES];     /* to the memory */
    struct queue answered[LINES]; /* and from it */
    uint32_t memory[LINES];       /* version of each line */
    uint32_t written[LINES];      /* last one that was sent */
    bool waits[SMS][LINES];
    uint32_t needs[SMS][LINES]; /* version, at least */
    struct {
        uint32_t line, version;
    } data[coalesced_cache_max_n_line];
    struct cluster_port_in offer; /* that is not taken yet */
    bool merge, keep;
    uint32_t answers, hits, merges, kept, writes;
};

static void push(struct queue *queue, struct packet packet)
{
    assert_in_range(queue->n, 0, PACKETS - 1);
    queue->packet[(queue->first + queue->n++) % PACKETS] = packet;
}

static struct packet pop(struct queue *queue)
{
    const struct packet packet = queue->packet[queue->first];

    queue->first = (queue->first + 1u) % PACKETS;
    queue->n--;
    return packet;
}

/* The memory serves the oldest request of some line. */
static void serve(struct world *world)
{
    const uint32_t line = random_below(&world->random, LINES);

    if (world->sent[line].n > 0u) {
        struct packet packet = pop(&world->sent[line]);
        if (packet.write) {
            world->memory[line] = packet.version;
        } else {
            packet.version = world->memory[line];
            push(&world->answered[line], packet);
        }
    }
}

/* A new request, of an SM that does not wait for the line yet. Seldom one that passes by. */
static void ask(struct world *world)
{
    const uint32_t sm = random_below(&world->random, world->unit.config.n_sm);
    const uint32_t line = random_below(&world->random, LINES);
    struct cluster_port_in *const offer = &world->offer;

    offer->request_valid = !world->waits[sm][line];
    offer->request_line = line;
    offer->request_sm = sm;
    offer->request_write = one_in(&world->random, 8u);
    offer->request_alone = !offer->request_write && one_in(&world->random, 16u);
}

/* An SM gets a line: it waits for it, and it is not too old. */
static void deliver(struct world *world, uint32_t sm, uint32_t line, uint32_t version)
{
    assert_true(world->waits[sm][line]);
    assert_true(version >= world->needs[sm][line]);
    world->waits[sm][line] = false;
    world->answers++;
}

static void request_is_done(struct world *world, const struct cluster_port_out *out)
{
    const struct cluster_port_in *const offer = &world->offer;
    const uint32_t line = (uint32_t)offer->request_line, sm = offer->request_sm;

    if (!out->request_taken) {
        return;
    }
    if (offer->request_write) {
        assert_true(out->request_send);
        world->writes++;
        push(&world->sent[line],
             (struct packet){ .write = true, .version = ++world->written[line] });
    } else {
        world->waits[sm][line] = true;
        world->needs[sm][line] = world->written[line];
        if (out->request_send) {
            push(&world->sent[line],
                 (struct packet){ .tracked = out->request_track, .sm = sm });
        }
        if (out->request_hit) {
            assert_int_equal(world->data[out->request_way].line, line);
            deliver(world, sm, line, world->data[out->request_way].version);
        }
    }
    world->hits += out->request_hit;
    world->merges += out->request_merge;
    world->offer.request_valid = false;
}

static void reply_is_done(struct world *world, const struct cluster_port_out *out,
                          uint32_t line, uint32_t version)
{
    for (uint32_t sm = 0u; sm < world->unit.config.n_sm; sm++) {
        if (bits_has(out->reply_sms, sm)) {
            deliver(world, sm, line, version);
        }
    }
    if (out->reply_keep) {
        world->data[out->reply_way].line = line;
        world->data[out->reply_way].version = version;
        world->kept++;
    }
}

/* One cycle; asks: of new requests. merge and keep change in the cycle after a flush. */
static void cycle(struct world *world, bool asks, bool switches)
{
    const uint32_t line = random_below(&world->random, LINES);
    struct cluster_port_out out;
    struct cluster_port_next next;
    struct packet reply = { .version = 0u };

    if (!world->offer.request_valid && asks) {
        ask(world);
    }
    struct cluster_port_in in = world->offer;
    in.request_ready = !one_in(&world->random, 3u);
    in.merge = world->merge;
    in.keep = world->keep;
    in.fifo = one_in(&world->random, 2u);
    in.flush = one_in(&world->random, 400u);
    if (world->answered[line].n > 0u) {
        reply = pop(&world->answered[line]);
        in.reply_valid = true;
        in.reply_line = line;
        in.reply_sm = reply.sm;
        in.reply_tracked = reply.tracked;
    }
    cluster_port_eval(&world->unit, &in, &out, &next);
    cluster_port_tick(&world->unit, &next);
    /* A hit is of what was kept before. */
    request_is_done(world, &out);
    reply_is_done(world, &out, line, reply.version);
    if (in.flush && switches) {
        world->merge = !one_in(&world->random, 4u);
        world->keep = !one_in(&world->random, 4u);
    }
    serve(world);
}

static void run(struct cluster_port_config config, bool switches, uint64_t *random)
{
    static struct world world;

    memset(&world, 0, sizeof world);
    assert_int_equal(cluster_port_init(&world.unit, &config), cluster_port_ok);
    world.random = random_bits(random);
    world.merge = world.keep = true;
    for (uint32_t i = 0u; i < CYCLES; i++) {
        cycle(&world, true, switches);
    }
    for (uint32_t i = 0u; i < 100u * LINES * SMS; i++) { /* the last answers */
        cycle(&world, false, switches);
    }
    for (uint32_t sm = 0u; sm < SMS; sm++) {
        for (uint32_t line = 0u; line < LINES; line++) {
            assert_false(world.waits[sm][line]); /* nobody waits for ever */
        }
    }
    print_message("%" PRIu32 " answers, %" PRIu32 " hits, %" PRIu32 " joined, %" PRIu32
                  " lines kept, %" PRIu32 " writes\n",
                  world.answers, world.hits, world.merges, world.kept, world.writes);
    assert_true(world.answers > CYCLES / 20 && world.writes > CYCLES / 100);
    assert_true(config.n_sm == 1u
                || (world.hits > 100u && world.merges > 100u && world.kept > 100u));
}

static const struct cluster_port_config configs[] = {
    { 1u, 1u, 1u, 3u },  { 1u, 1u, 2u, 41u },   { 2u, 2u, 3u, 3u },
    { 3u, 2u, 5u, 41u }, { 48u, 24u, 5u, 41u }, { 8u, 3u, 16u, 45u },
};

static void every_read_is_answered_once_and_not_with_what_is_older_than_a_write(void **state)
{
    (void)state;
    uint64_t random = printed_seed();

    for (size_t i = 0u; i < sizeof configs / sizeof configs[0]; i++) {
        run(configs[i], false, &random);
    }
}

static void so_it_is_while_merge_and_keep_change_after_flushes(void **state)
{
    (void)state;
    uint64_t random = printed_seed();

    for (size_t i = 0u; i < sizeof configs / sizeof configs[0]; i++) {
        run(configs[i], true, &random);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_read_is_answered_once_and_not_with_what_is_older_than_a_write),
        cmocka_unit_test(so_it_is_while_merge_and_keep_change_after_flushes),
    };
    return cmocka_run_group_tests_name("cluster_port_promises", tests, NULL, NULL);
}
