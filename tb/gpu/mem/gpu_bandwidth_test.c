/*
 * Tests of the GPU model's bandwidths: each link on the way of a line is made the narrowest
 * one in turn, and streams must reach what is configured, within 2 %, and never exceed it.
 */

#include "tb/gpu/gpu_kernel.h"

/* ---- Streams ------------------------------------------------------------------------- */

static struct program text;

/* The warps of a kernel take lines in turn. */
static uint32_t in_turn(const struct hand_kernel *k, uint32_t cta, uint32_t warp, uint32_t i)
{
    const uint32_t warps = kernel_warps(&k->shape), all = k->shape.grid[0] * warps;
    return ACCESS(i * all + cta * warps + warp, 15u);
}

/* The lines that a warp touches again and again, in its SM's L1. */
static uint32_t in_l1(const struct hand_kernel *k, uint32_t cta, uint32_t warp, uint32_t i)
{
    (void)k;
    (void)cta;
    return ACCESS(warp * 16u + i % 16u, 15u);
}

enum { WARPS = 8, EACH = 60, RESIDENT = 6 }; /* of a CTA; accesses of a warp; CTAs of an SM */

enum place { IN_L1, IN_L2, IN_DRAM };

static void make_text(enum op_class op)
{
    text = (struct program){ .length = 0u };
    for (uint32_t k = 0u; k < EACH; k++) {
        (void)emit(&text, op, op == OP_STORE ? REGISTER_NONE : R + k, REGISTER_NONE, 1u);
    }
    emit_exit(&text);
}

/* Core cycles of a kernel of `ctas` CTAs; another one has touched its lines before if they
 * are to be in the L2. */
static uint64_t kernel_cycles(const struct gpu_config *c, uint32_t ctas, enum place place)
{
    struct gpu *const g = open_gpu(c, NULL, 0u);
    struct hand_kernel before = kernel_of(&text, ctas, WARPS);
    struct hand_kernel k = before;
    before.access = k.access = place == IN_L1 ? in_l1 : in_turn;
    if (place == IN_L2) {
        launch(g, &before, 0u);
    }
    (void)run_to_end(g);
    const uint64_t start = gpu_cycle(g);
    launch(g, &k, 0u);
    const uint64_t cycles = run_to_end(g)->cycles - start;
    gpu_close(g);
    return cycles;
}

/* Lines of a stream: whole waves of CTAs on every SM. */
static uint32_t lines_of(const struct gpu_config *c)
{
    const uint32_t wave = RESIDENT * c->sm.count;
    return (95u + wave) / wave * wave * WARPS * EACH;
}

/* Core cycles that so many lines more take: the middle of a stream, without start and end. */
static uint64_t stream_cycles(const struct gpu_config *c, enum op_class op, enum place place)
{
    const uint32_t ctas = lines_of(c) / (WARPS * EACH);
    make_text(op);
    const uint64_t more = kernel_cycles(c, 2u * ctas, place);
    return more - kernel_cycles(c, ctas, place);
}

/* All links are wide and all queues deep; every load goes to the L2. */
static struct gpu_config wide_config(uint32_t sms, uint32_t clusters, uint32_t slices)
{
    struct gpu_config c = small_config();
    c.sm.count = sms;
    c.cluster.count = clusters;
    c.l2.slices = slices;
    c.warp.policy = WARP_LRR;
    c.l1.bytes = 0u;
    c.l1.mshrs = 256u;
    c.ldst.queue = 16u;
    c.ldst.miss_queue = 64u;
    c.cluster.request_queue = c.cluster.response_queue = 64u;
    c.noc.slice_queue = c.noc.reply_queue = 64u;
    c.noc.channel_bytes = 256u;
    c.l2.mshrs = 1024u;
    c.l2.bytes = 16u << 20u;
    c.dram.queue = 64u;
    c.dram.bus_bytes = 256u;
    return c;
}

/* `each` cycles a line, of all SMs together: numerator over denominator. Where several inputs
 * of a crossbar want several outputs, a packet may wait behind one that goes elsewhere: such
 * streams may be slower (`contend`), but never faster. */
static void check_rates(const struct gpu_config *c, enum op_class op, enum place place,
                        uint64_t each, uint64_t of, bool contend)
{
    const uint64_t cycles = stream_cycles(c, op, place), ideal = lines_of(c) * each / of;
    if ((!contend && cycles * 50u > ideal * 51u) || cycles > ideal * 2u
        || cycles * 50u < ideal * 49u) {
        fail_msg("%u lines took %" PRIu64 " cycles, not %" PRIu64
                 " (%u clusters, %u slices, %u byte flits)",
                 lines_of(c), cycles, ideal, c->cluster.count, c->l2.slices,
                 c->noc.channel_bytes);
    }
}

static void check_rate(const struct gpu_config *c, enum op_class op, enum place place,
                       uint64_t each, uint64_t of)
{
    check_rates(c, op, place, each, of, false);
}

/* ---- The links ----------------------------------------------------------------------- */

static void the_load_store_unit_makes_an_access_a_cycle(void **state)
{
    (void)state;
    struct gpu_config c = wide_config(1u, 1u, 4u);
    c.l1.bytes = 65536u;
    check_rate(&c, OP_LOAD, IN_L1, 1u, 1u);
}

static void a_cluster_is_given_a_line_a_cycle(void **state)
{
    (void)state;
    for (uint32_t clusters = 1u; clusters <= 4u; clusters *= 2u) {
        struct gpu_config c = wide_config(4u * clusters, clusters, 16u);
        check_rates(&c, OP_LOAD, IN_L2, 1u, clusters, clusters != 1u);
    }
}

static void a_channel_carries_a_flit_a_cycle_to_a_cluster(void **state)
{
    (void)state;
    for (uint32_t bytes = 16u; bytes <= 64u; bytes *= 2u) {
        for (uint32_t clusters = 1u; clusters <= 2u; clusters++) {
            struct gpu_config c = wide_config(4u * clusters, clusters, 16u);
            c.noc.channel_bytes = bytes;
            const uint32_t flits = (c.noc.header_bytes + c.l1.line + bytes - 1u) / bytes;
            check_rates(&c, OP_LOAD, IN_L2, flits, clusters, clusters != 1u);
            c.clock.noc = c.clock.core / 2u;
            check_rates(&c, OP_LOAD, IN_L2, flits * 2u, clusters, clusters != 1u);
        }
    }
}

static void a_slice_sends_a_flit_a_cycle(void **state)
{
    (void)state;
    for (uint32_t slices = 1u; slices <= 4u; slices *= 2u) {
        struct gpu_config c = wide_config(16u, 16u, slices);
        c.noc.channel_bytes = 64u;
        const uint32_t flits = (c.noc.header_bytes + c.l1.line + 63u) / 64u;
        check_rates(&c, OP_LOAD, IN_L2, flits, slices, slices != 1u);
    }
}

/* Then no packet waits behind one that goes elsewhere. */
static void with_a_queue_for_each_output_many_channels_are_full_at_once(void **state)
{
    (void)state;
    for (uint32_t n = 2u; n <= 8u; n *= 2u) {
        struct gpu_config c = wide_config(16u, 16u, n);
        c.noc.queues = QUEUES_OF_OUTPUTS;
        c.noc.channel_bytes = 64u;
        const uint32_t flits = (c.noc.header_bytes + c.l1.line + 63u) / 64u;
        check_rate(&c, OP_LOAD, IN_L2, flits, n); /* out of the slices */
        c = wide_config(4u * n, n, 16u);
        c.noc.queues = QUEUES_OF_OUTPUTS;
        c.noc.channel_bytes = 64u;
        check_rate(&c, OP_LOAD, IN_L2, flits, n); /* into the clusters */
    }
}

static void a_slice_serves_a_request_a_cycle_of_its_clock(void **state)
{
    (void)state;
    for (uint32_t slower = 1u; slower <= 4u; slower++) {
        struct gpu_config c = wide_config(6u, 6u, 1u);
        c.clock.core = c.clock.noc = c.clock.dram = 1200u;
        c.clock.l2 = 1200u / slower;
        check_rate(&c, OP_LOAD, IN_L2, slower, 1u);
    }
}

static void stores_fill_the_request_channels(void **state)
{
    (void)state;
    for (uint32_t bytes = 16u; bytes <= 128u; bytes *= 2u) {
        struct gpu_config c = wide_config(4u, 1u, 16u);
        c.noc.channel_bytes = bytes;
        const uint32_t flits = (c.noc.header_bytes + c.l2.line + bytes - 1u) / bytes;
        check_rate(&c, OP_STORE, IN_L2, flits, 1u);
        c = wide_config(16u, 16u, 1u); /* now into a slice */
        c.noc.channel_bytes = bytes;
        check_rate(&c, OP_STORE, IN_L2, flits, 1u);
    }
}

static void row_hits_fill_the_data_bus(void **state)
{
    (void)state;
    for (uint32_t bytes = 4u; bytes <= 16u; bytes *= 2u) {
        struct gpu_config c = wide_config(4u, 4u, 2u);
        c.dram.bus_bytes = bytes;
        c.dram.row_bytes = 8192u;
        const uint32_t burst = c.l2.line / (bytes * c.dram.data_rate);
        check_rate(&c, OP_LOAD, IN_DRAM, burst, 2u);
        c.clock.dram = c.clock.core / 2u;
        check_rate(&c, OP_LOAD, IN_DRAM, burst * 2u, 2u);
    }
}

static void columns_keep_their_distance(void **state)
{
    (void)state;
    struct gpu_config c = wide_config(4u, 4u, 2u);
    c.dram.row_bytes = 8192u;
    c.dram.tCCD = 9u;
    check_rate(&c, OP_LOAD, IN_DRAM, 9u, 2u);
}

/* Every line in another row of one bank: a row is open for tRC at least. */
static void rows_of_one_bank_take_their_cycle_each(void **state)
{
    (void)state;
    struct gpu_config c = wide_config(2u, 2u, 1u);
    c.dram.row_bytes = c.l2.line;
    c.dram.banks = 1u;
    c.dram.tRC = 60u;
    check_rate(&c, OP_LOAD, IN_DRAM, 60u, 1u);
    c.dram.banks = 2u;
    check_rate(&c, OP_LOAD, IN_DRAM, 30u, 1u);
}

static void activates_keep_their_distance(void **state)
{
    (void)state;
    struct gpu_config c = wide_config(2u, 2u, 1u);
    c.dram.row_bytes = c.l2.line;
    c.dram.banks = 64u;
    c.dram.tRRD = 20u;
    check_rate(&c, OP_LOAD, IN_DRAM, 20u, 1u);
}

static void four_activates_keep_their_window(void **state)
{
    (void)state;
    struct gpu_config c = wide_config(2u, 2u, 1u);
    c.dram.row_bytes = c.l2.line;
    c.dram.banks = 64u;
    c.dram.tRRD = 2u;
    c.dram.tFAW = 80u;
    check_rate(&c, OP_LOAD, IN_DRAM, 20u, 1u);
}

/* All banks are one group; an atom is a quarter of the line and takes a cycle. */
static void columns_of_a_bank_group_keep_their_longer_distance(void **state)
{
    (void)state;
    struct gpu_config c = wide_config(4u, 4u, 2u);
    c.dram.row_bytes = 8192u;
    c.dram.bus_bytes = 16u;
    c.dram.bank_groups = 1u;
    c.dram.tCCDL = 9u;
    check_rate(&c, OP_LOAD, IN_DRAM, 9u, 2u);
    c.dram.atom = c.l2.line / 4u;
    check_rate(&c, OP_LOAD, IN_DRAM, 3u + 9u, 2u);
}

/* Each line in another row of two banks, so the bank group changes with each: no distance is
 * left but tCCD's. Within one group it is the longer one. */
static void columns_of_other_bank_groups_do_not(void **state)
{
    (void)state;
    struct gpu_config c = wide_config(2u, 2u, 1u);
    c.dram.row_bytes = c.l2.line;
    c.dram.banks = 64u;
    c.dram.tRRD = 1u;
    c.dram.bank_groups = 16u;
    c.dram.tCCDL = 30u;
    c.dram.bus_bytes = 8u; /* 8 cycles a line */
    check_rate(&c, OP_LOAD, IN_DRAM, 8u, 1u);
    c.dram.bank_groups = 1u;
    check_rate(&c, OP_LOAD, IN_DRAM, 30u, 1u);
    c.dram.bank_groups = 2u; /* which take turns, line by line */
    c.dram.row_bytes = 8192u;
    c.dram.bank_interleave = c.l2.line;
    check_rate(&c, OP_LOAD, IN_DRAM, 30u / 2u, 1u);
}

/* One bank, a row for each line: activate, read, precharge in turn. */
static void a_row_stays_open_after_its_read(void **state)
{
    (void)state;
    struct gpu_config c = wide_config(2u, 2u, 1u);
    c.dram.row_bytes = c.l2.line;
    c.dram.banks = 1u;
    c.dram.tRTP = 50u;
    check_rate(&c, OP_LOAD, IN_DRAM, c.dram.tRCD + 50u + c.dram.tRP, 1u);
}

/* One bank, a row for each line that is written back: the data comes tWL after its command. */
static void a_row_stays_open_until_its_write_has_recovered(void **state)
{
    (void)state;
    struct gpu_config c = wide_config(2u, 2u, 1u);
    c.l2.bytes = 65536u;
    c.dram.row_bytes = c.l2.line;
    c.dram.banks = 1u;
    c.dram.tWL = 2u;
    c.dram.tWR = 40u;
    check_rate(&c, OP_STORE, IN_DRAM, c.dram.tRCD + 2u + 1u + 40u + c.dram.tRP, 1u);
}

/* Of each interval a refresh takes what its precharge, itself, an activate and a first read's
 * command take. */
static void refreshes_take_their_part_of_the_time(void **state)
{
    (void)state;
    struct gpu_config c = wide_config(4u, 4u, 1u);
    c.dram.row_bytes = 65536u;
    c.dram.bus_bytes = 8u; /* 8 cycles a line */
    c.dram.tREFI = 1000u;
    c.dram.tRFC = 200u;
    const uint32_t lost = c.dram.tRP + c.dram.tRFC + c.dram.tRCD;
    check_rate(&c, OP_LOAD, IN_DRAM, 8u * 1000u, 1000u - lost - 8u);
}

/* Dirty lines leave as new ones come: the data bus is shared by both. */
static void stores_that_miss_write_each_line_back_once(void **state)
{
    (void)state;
    struct gpu_config c = wide_config(4u, 4u, 1u);
    c.dram.bus_bytes = 8u;
    c.dram.row_bytes = 8192u;
    c.l2.bytes = 65536u;
    const uint32_t burst = c.l2.line / (8u * c.dram.data_rate);
    check_rate(&c, OP_STORE, IN_DRAM, burst, 1u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_load_store_unit_makes_an_access_a_cycle),
        cmocka_unit_test(a_cluster_is_given_a_line_a_cycle),
        cmocka_unit_test(a_channel_carries_a_flit_a_cycle_to_a_cluster),
        cmocka_unit_test(a_slice_sends_a_flit_a_cycle),
        cmocka_unit_test(with_a_queue_for_each_output_many_channels_are_full_at_once),
        cmocka_unit_test(a_slice_serves_a_request_a_cycle_of_its_clock),
        cmocka_unit_test(stores_fill_the_request_channels),
        cmocka_unit_test(row_hits_fill_the_data_bus),
        cmocka_unit_test(columns_keep_their_distance),
        cmocka_unit_test(rows_of_one_bank_take_their_cycle_each),
        cmocka_unit_test(activates_keep_their_distance),
        cmocka_unit_test(four_activates_keep_their_window),
        cmocka_unit_test(columns_of_a_bank_group_keep_their_longer_distance),
        cmocka_unit_test(columns_of_other_bank_groups_do_not),
        cmocka_unit_test(a_row_stays_open_after_its_read),
        cmocka_unit_test(a_row_stays_open_until_its_write_has_recovered),
        cmocka_unit_test(refreshes_take_their_part_of_the_time),
        cmocka_unit_test(stores_that_miss_write_each_line_back_once),
    };
    return cmocka_run_group_tests_name("gpu_bandwidth", tests, NULL, NULL);
}
