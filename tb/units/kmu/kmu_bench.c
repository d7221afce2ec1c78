/* kmu_bench - memory and a distributor around the kernel management unit; see kmu_bench.h. */

#include "tb/units/kmu/kmu_bench.h"

void kmu_bench_open(struct kmu_bench *bench, const struct kmu_config *config, uint32_t mode)
{
    memset(bench, 0, sizeof *bench);
    assert_int_equal(kmu_init(&bench->unit, config), kmu_ok);
    kmu_oracle_open(&bench->oracle, config);
    bench->latency = 1u;
    bench->in.mode = mode;
    bench->in.room = bench->in.link_ready = bench->in.grant_ready = true;
}

/* What is not said of outputs that are not valid does not count. */
static void check(struct kmu_bench *bench)
{
    struct kmu_out expected, got = bench->out;

    kmu_oracle_show(&bench->oracle, &expected);
    if (!got.link_valid) {
        got.link_write = false;
        got.link_queue = got.link_place = 0u;
    }
    if (!got.link_write) {
        got.link_data = 0u;
    }
    if (!got.grant_valid) {
        got.grant_handle = got.grant_sm = got.grant_level = 0u;
        got.grant_host = false;
    }
    check_outputs(&kmu_type, &bench->unit.config, &bench->in, &expected, &got);
}

/* The first of the reads that can be answered, and behind none of its queue. */
static void answer(struct kmu_bench *bench)
{
    if (bench->n_read == 0u || bench->read[0].from > bench->cycles) {
        return;
    }
    bench->in.answer_valid = true;
    bench->in.answer_queue = bench->read[0].queue;
    bench->in.answer_data = bench->links[bench->read[0].queue][bench->read[0].place];
    bench->n_read--;
    memmove(&bench->read[0], &bench->read[1], bench->n_read * sizeof bench->read[0]);
}

static void memory(struct kmu_bench *bench)
{
    const struct kmu_out *const out = &bench->out;

    if (out->link_valid && bench->in.link_ready) {
        assert_in_range(out->link_queue, 0, KMU_BENCH_QUEUES - 1);
        const uint32_t place = out->link_place % KMU_BENCH_PLACES;
        if (out->link_write) {
            bench->links[out->link_queue][place] = out->link_data;
        } else {
            bench->read[bench->n_read].queue = out->link_queue;
            bench->read[bench->n_read].place = place;
            bench->read[bench->n_read++].from = bench->cycles + bench->latency - 1u;
        }
    }
    answer(bench);
}

void kmu_bench_cycle(struct kmu_bench *bench)
{
    static struct kmu_next next;
    struct kmu_out *const out = &bench->out;

    kmu_eval(&bench->unit, &bench->in, out, &next);
    check(bench);
    kmu_oracle_edge(&bench->oracle, &bench->in);
    if (kmu_quiet(&bench->unit, &bench->in)) {
        assert_true(kmu_type.holds(&bench->unit, &next));
    }
    kmu_tick(&bench->unit, &next);
    if (out->grant_valid && bench->in.grant_ready) {
        if (bench->n_grant < KMU_BENCH_GRANTS) {
            bench->grant[bench->n_grant] = *out;
        }
        bench->n_grant++;
    }
    bench->in.answer_valid = false;
    memory(bench);
    bench->cycles++;
}

void kmu_bench_run(struct kmu_bench *bench, uint32_t cycles)
{
    for (uint32_t k = 0u; k < cycles; k++) {
        kmu_bench_cycle(bench);
    }
}

static void arrive(struct kmu_bench *bench, uint32_t handle)
{
    bench->in.arrive_valid = true;
    bench->in.arrive_handle = handle;
    do {
        kmu_bench_cycle(bench);
    } while (!bench->out.arrive_ready);
    bench->in.arrive_valid = false;
    while (bench->unit.q.state != KMU_TAKE && bench->unit.q.state != KMU_LOOK) {
        kmu_bench_cycle(bench);
    }
}

void kmu_bench_host(struct kmu_bench *bench, uint32_t handle)
{
    bench->in.arrive_host = true;
    arrive(bench, handle);
}

void kmu_bench_child(struct kmu_bench *bench, uint32_t sm, uint32_t parent, uint32_t handle)
{
    bench->in.arrive_host = false;
    bench->in.arrive_sm = sm;
    bench->in.arrive_parent = parent;
    arrive(bench, handle);
}

void kmu_bench_grants(struct kmu_bench *bench, const uint32_t *handles, uint32_t n)
{
    kmu_bench_run(bench, 64u * n + 64u);
    assert_int_equal(bench->n_grant, n);
    for (uint32_t i = 0u; i < n; i++) {
        assert_int_equal(bench->grant[i].grant_handle, handles[i]);
    }
    bench->n_grant = 0u;
}
