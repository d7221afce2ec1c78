/* rtl_cases - what a run has met; see rtl_cases.h. */

#include "gpusched/run/rtl_cases.h"

#include "tool/format.h"

void rtl_cases_of_distributor(struct rtl_cases *cases, const struct work_distributor *unit,
                              const struct work_distributor_in *in,
                              const struct work_distributor_out *out)
{
    const struct cta_scheduler *const scheduler = &unit->scheduler;
    const uint32_t clusters = unit->config.n_cluster;
    const uint32_t each = (unit->config.n_sm + clusters - 1u) / clusters;

    if (!out->dispatch_valid || !in->dispatch_ready) {
        return;
    }
    const uint64_t own = scheduler->mem.left[in->kernel * clusters + out->dispatch_sm / each];
    if (scheduler->mem.policy[in->kernel] == CTA_DISTRIBUTED && own == 0u) {
        cases->met[CASE_OTHER_POOL] += out->dispatch_count;
        /* who does not steal draws on homeless pools alone */
        cases->met[CASE_ADOPTED] += scheduler->mem.steal[in->kernel] ? 0u : out->dispatch_count;
    }
    cases->met[CASE_SLOT] += in->kernel >= 4u ? out->dispatch_count : 0u;
    cases->met[CASE_BLOCK] += out->dispatch_count > 1u;
}

/* The entry of a line; n_entry if it has none. *full: none is free. */
static uint32_t entry_of(const struct icc *table, uint64_t line, bool *full)
{
    uint32_t entry = table->config.n_entry;

    *full = true;
    for (uint32_t i = 0u; i < table->config.n_entry; i++) {
        const bool used = table->q.list[i] != 0u;
        *full = *full && used;
        entry = used && table->mem.line[i] == line ? i : entry;
    }
    return entry;
}

static void of_read(struct rtl_cases *cases, const struct icc *table,
                    const struct cluster_port_in *in, const struct cluster_port_out *out)
{
    bool full;
    const uint32_t entry = entry_of(table, in->request_line, &full);

    cases->met[CASE_FULL] += full && entry == table->config.n_entry;
    cases->met[CASE_CLOSED] +=
        entry < table->config.n_entry && bits_has(table->q.closed, entry);
    cases->met[CASE_JOINED] += out->request_merge && in->reply_valid && in->reply_tracked
                               && in->reply_line == in->request_line;
}

static bool has_line(const struct coalesced_cache *cache, uint64_t line)
{
    for (uint32_t way = 0u; way < cache->config.n_line; way++) {
        if (bits_has(cache->q.valid, way) && cache->mem.tag[way] == line) {
            return true;
        }
    }
    return false;
}

void rtl_cases_of_port(struct rtl_cases *cases, const struct cluster_port *unit,
                       const struct cluster_port_in *in, const struct cluster_port_out *out)
{
    if (out->request_taken && !in->request_alone && !in->request_write && !out->request_hit) {
        of_read(cases, &unit->table, in, out);
    }
    /* taken or not: the line goes when the write is offered */
    cases->met[CASE_WRITTEN] += in->request_valid && !in->request_alone && in->keep
                                && in->request_write
                                && has_line(&unit->cache, in->request_line);
    cases->met[CASE_REPLACED] +=
        out->reply_keep && bits_has(unit->cache.q.valid, out->reply_way);
}

void rtl_cases_print(const struct rtl_cases *cases, bool ports, FILE *to)
{
    static const char *const texts[] = {
#define RTL_CASE(identifier, text) text,
        RTL_CASES(RTL_CASE)
#undef RTL_CASE
    };
    const int n = ports ? CASE_COUNT : CASE_FIRST_OF_PORT;

    fputs("\nMet beside RTL\n", to);
    for (int i = 0; i < n; i++) {
        fprintf(to, "  %-52s %14s\n", texts[i], format_count(cases->met[i]).text);
    }
}
