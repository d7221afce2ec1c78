#include "tb/units/kdu/kdu_bench.h"

void kdu_bench_open(struct kdu_bench *bench, struct kdu_config config)
{
    assert_int_equal(kdu_init(&bench->unit, &config), kdu_ok);
    kdu_oracle_open(&bench->oracle, &config);
}

void kdu_bench_cycle(struct kdu_bench *bench, const struct kdu_in *in, struct kdu_out *out)
{
    static struct kdu_next next;
    struct kdu_out expected;

    kdu_oracle_show(&bench->oracle, &expected);
    kdu_eval(&bench->unit, in, out, &next);
    check_outputs(&kdu_type, &bench->unit.config, in, &expected, out);
    if (kdu_quiet(&bench->unit, in)) {
        assert_true(kdu_type.holds(&bench->unit, &next));
    }
    kdu_tick(&bench->unit, &next);
    kdu_oracle_edge(&bench->oracle, in);
}
