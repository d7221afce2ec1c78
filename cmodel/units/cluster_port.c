/* cluster_port - merge table and coalesced cache in one; see cluster_port.h. */

#include "units/cluster_port.h"

void cluster_port_eval_watched(const struct cluster_port *unit,
                               const struct cluster_port_in *in, struct cluster_port_out *out,
                               struct cluster_port_next *next, const struct unit_watch *watch)
{
    struct coalesced_cache_in to_cache = {
        .lookup_valid = in->request_valid && !in->request_alone && in->keep,
        .lookup_line = in->request_line,
        .lookup_write = in->request_write,
        .insert_line = in->reply_line,
        .fifo = in->fifo,
        .flush = in->flush,
    };
    struct coalesced_cache_out cache;
    struct icc_out table;

    cluster_port_eval_cache(unit, &to_cache, &cache, next, watch);
    const struct icc_in to_table = {
        .request_valid = in->request_valid,
        .request_line = in->request_line,
        .request_sm = in->request_sm,
        .request_write = in->request_write,
        .request_alone = in->request_alone || !in->merge,
        .request_hit = cache.lookup_hit,
        .request_ready = in->request_ready,
        .reply_valid = in->reply_valid,
        .reply_line = in->reply_line,
        .reply_sm = in->reply_sm,
        .reply_tracked = in->reply_tracked,
        .flush = in->flush,
    };
    cluster_port_eval_table(unit, &to_table, &table, next, watch);
    const bool inserts = table.reply_shared && in->keep;
    if (inserts) {
        to_cache.insert_valid = true;
        cluster_port_eval_cache(unit, &to_cache, &cache, next, watch);
    }
    next->q = unit->q;
    const bool sends =
        in->request_valid && !cache.lookup_hit && !table.request_merge && in->request_ready;
    *out = (struct cluster_port_out){
        .request_taken = cache.lookup_hit || table.request_merge || sends,
        .request_hit = cache.lookup_hit,
        .request_way = cache.lookup_way,
        .request_merge = table.request_merge,
        .request_send = sends,
        .request_track = table.request_track,
        .reply_sms = table.reply_sms,
        .reply_keep = inserts,
        .reply_way = cache.insert_way,
    };
}

/* An answer without the flag of its packet meets neither part. */
bool cluster_port_quiet(const struct cluster_port *unit, const struct cluster_port_in *in)
{
    (void)unit;
    return !(in->request_valid && !in->request_alone) && !(in->reply_valid && in->reply_tracked)
           && !in->flush;
}

/* What the parts look at follows from what goes into the port and comes out of it. */
void cluster_port_count(const struct cluster_port *unit, const struct cluster_port_in *in,
                        const struct cluster_port_out *out, struct cluster_port_events *events)
{
    const struct icc_in to_table = {
        .request_valid = in->request_valid,
        .request_line = in->request_line,
        .request_write = in->request_write,
        .request_alone = in->request_alone || !in->merge,
        .request_hit = out->request_hit,
        .request_ready = in->request_ready,
        .reply_valid = in->reply_valid,
        .reply_line = in->reply_line,
        .reply_tracked = in->reply_tracked,
    };
    const struct icc_out table = { .request_merge = out->request_merge,
                                   .request_track = out->request_track };
    const struct coalesced_cache_in to_cache = {
        .lookup_valid = in->request_valid && !in->request_alone && in->keep,
        .lookup_line = in->request_line,
        .lookup_write = in->request_write,
        .insert_valid = out->reply_keep,
        .insert_line = in->reply_line,
    };
    const struct coalesced_cache_out cache = { .insert_way = out->reply_way };

    icc_count(&unit->table, &to_table, &table, &events->table);
    coalesced_cache_count(&unit->cache, &to_cache, &cache, &events->cache);
}

#define UNIT_COMPOSITION
#define UNIT_OWN_COUNT
#define UNIT cluster_port
#include "base/unit_define.h"
