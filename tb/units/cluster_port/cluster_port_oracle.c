/* cluster_port_oracle - the cluster's port by docs/units/cluster_port; see
 * cluster_port_oracle.h. */

#include "tb/units/cluster_port/cluster_port_oracle.h"

void cluster_port_oracle_reset(struct cluster_port_oracle *oracle)
{
    coalesced_cache_oracle_reset(&oracle->cache);
    icc_oracle_reset(&oracle->table);
}

void cluster_port_oracle_open(struct cluster_port_oracle *oracle,
                              const struct cluster_port_config *config)
{
    oracle->cache.config = (struct coalesced_cache_config){ config->n_line, config->line_w };
    oracle->table.config = (struct icc_config){ config->n_entry, config->n_sm, config->line_w };
    cluster_port_oracle_reset(oracle);
}

/* The cache sees a request only while it is in use, and only one of global space. */
static struct coalesced_cache_out cluster_port_oracle_lookup(struct cluster_port_oracle *oracle,
                                                             const struct cluster_port_in *in)
{
    struct coalesced_cache_in lookup = { .lookup_valid = false };

    if (in->request_valid && in->keep && !in->request_alone) {
        lookup.lookup_valid = true;
        lookup.lookup_line = in->request_line;
        lookup.lookup_write = in->request_write;
        lookup.fifo = in->fifo;
    }
    return coalesced_cache_oracle_cycle(&oracle->cache, &lookup);
}

/* The table sees a request only while it is in use, and only one of global space that has not
 * hit. It sees every answer. */
static struct icc_out cluster_port_oracle_table(struct cluster_port_oracle *oracle,
                                                const struct cluster_port_in *in, bool hit)
{
    struct icc_in to_table = {
        .reply_valid = in->reply_valid,
        .reply_line = in->reply_line,
        .reply_sm = in->reply_sm,
        .reply_tracked = in->reply_tracked,
        .flush = in->flush,
    };

    if (in->request_valid && in->merge && !in->request_alone && !hit) {
        to_table.request_valid = true;
        to_table.request_line = in->request_line;
        to_table.request_sm = in->request_sm;
        to_table.request_write = in->request_write;
        to_table.request_ready = in->request_ready;
    }
    return icc_oracle_cycle(&oracle->table, &to_table);
}

/* One cycle. Returns the outputs. */
static struct cluster_port_out cluster_port_oracle_cycle(struct cluster_port_oracle *oracle,
                                                         const struct cluster_port_in *in)
{
    struct cluster_port_out out = { .request_taken = false };
    const struct coalesced_cache_out found = cluster_port_oracle_lookup(oracle, in);
    const struct icc_out table = cluster_port_oracle_table(oracle, in, found.lookup_hit);

    out.request_hit = found.lookup_hit;
    out.request_way = found.lookup_way;
    out.request_merge = table.request_merge;
    out.request_track = table.request_track;
    out.request_send =
        in->request_valid && in->request_ready && !out.request_hit && !out.request_merge;
    out.request_taken = out.request_hit || out.request_merge || out.request_send;
    out.reply_sms = table.reply_sms;
    out.reply_keep = table.reply_shared && in->keep;
    if (out.reply_keep) {
        const struct coalesced_cache_in insert = { .insert_valid = true,
                                                   .insert_line = in->reply_line };
        out.reply_way = coalesced_cache_oracle_cycle(&oracle->cache, &insert).insert_way;
    }
    if (in->flush) {
        (void)coalesced_cache_oracle_cycle(&oracle->cache,
                                           &(struct coalesced_cache_in){ .flush = true });
    }
    return out;
}

/* ---- Comparison ---------------------------------------------------------------------- */

static bool cluster_port_same_outputs(const struct cluster_port_out *a,
                                      const struct cluster_port_out *b)
{
    return a->request_taken == b->request_taken && a->request_hit == b->request_hit
           && a->request_way == b->request_way && a->request_merge == b->request_merge
           && a->request_send == b->request_send && a->request_track == b->request_track
           && bits_equal(a->reply_sms, b->reply_sms) && a->reply_keep == b->reply_keep
           && a->reply_way == b->reply_way;
}

void cluster_port_oracle_check(const struct cluster_port_oracle *oracle,
                               const struct cluster_port *unit)
{
    icc_oracle_check(&oracle->table, &unit->table);
    coalesced_cache_oracle_check(&oracle->cache, &unit->cache);
}

struct cluster_port_out cluster_port_oracle_beside(struct cluster_port_oracle *oracle,
                                                   struct cluster_port *unit,
                                                   const struct cluster_port_in *in)
{
    const struct cluster_port_out expected = cluster_port_oracle_cycle(oracle, in);
    struct cluster_port_out out;
    struct cluster_port_next next;

    cluster_port_eval(unit, in, &out, &next);
    if (!cluster_port_same_outputs(&expected, &out)) {
        check_outputs(&cluster_port_type, &unit->config, in, &expected, &out);
    }
    cluster_port_tick(unit, &next);
    return out;
}
