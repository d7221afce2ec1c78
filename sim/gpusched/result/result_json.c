/* result_json - all that a run counted, as JSON; see result_json.h. */

#include "gpusched/result/result_json.h"

#include <math.h>
#include <stdlib.h>

#include "gpusched/result/by_kernel.h"
#include "gpusched/result/counts.h"
#include "gpusched/result/figures.h"
#include "gpusched/result/nested.h"
#include "tool/memory_watch.h"

enum {
    /* Of a real number. Fewer than a double holds: the last ones would tell of the order of
     * additions. */
    DIGITS = 12,
    DEEPEST = 3, /* objects that are spread over lines */
};

const char *end_name(enum gpu_end end)
{
    static const char *const names[] = {
        [GPU_DONE] = "done",
        [GPU_HUNG] = "hung",
        [GPU_ILLEGAL] = "illegal",
        [GPU_STOPPED] = "stopped",
    };
    return names[end];
}

static json_t *real(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *whole(uint64_t value)
{
    return json_integer((json_int_t)value);
}

/* ---- Configuration and kernels ------------------------------------------------------- */

static json_t *key_value(const struct gpu_key *key, const struct gpu_config *config)
{
    const void *const at = (const char *)config + key->offset;

    switch (key->type) {
    case GPU_NUM:
        return whole(*(const uint32_t *)at);
    case GPU_REAL:
        return real(*(const double *)at);
    case GPU_FLAG:
        return json_boolean(*(const bool *)at);
    case GPU_PICK:
    default:
        return json_string(key->choices[*(const unsigned *)at]);
    }
}

static json_t *configuration(const struct gpu_config *config)
{
    json_t *const object = json_object();

    for (uint32_t i = 0u; i < gpu_key_count; i++) {
        const struct gpu_key *const key = &gpu_keys[i];
        json_t *section = json_object_get(object, key->section);
        if (section == NULL) {
            section = json_object();
            json_object_set_new(object, key->section, section);
        }
        json_object_set_new(section, key->key, key_value(key, config));
    }
    return object;
}

static json_t *triple(const uint32_t value[3])
{
    return json_pack("[I,I,I]", (json_int_t)value[0], (json_int_t)value[1],
                     (json_int_t)value[2]);
}

/* From 1 on, up to the last that an SM has. */
static json_t *sms_at(const struct gpu_throttle_stats *throttle)
{
    json_t *const list = json_array();
    uint32_t most = GPU_MAX_CTAS;

    while (most > 0u && throttle->sms_at[most] == 0u) {
        most--;
    }
    for (uint32_t n = 1u; n <= most; n++) {
        json_array_append_new(list, whole(throttle->sms_at[n]));
    }
    return list;
}

/* Of those that are there. */
static void add_throttles(json_t *object, const struct gpu_throttle_stats *throttle)
{
    json_t *const all = json_object();

    for (uint32_t i = 0u; i < GPU_THROTTLES; i++) {
        const struct gpu_throttle_stats *const t = &throttle[i];
        if (t->sms != 0u) {
            json_object_set_new(all, gpu_throttle_names[i],
                                json_pack("{s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "sms",
                                          whole(t->sms), "decided", whole(t->decided), "ctas",
                                          whole(t->ctas), "least", whole(t->least), "most",
                                          whole(t->most), "periods", whole(t->periods),
                                          "limits", whole(t->limits), "sms_at", sms_at(t)));
        }
    }
    if (json_object_size(all) != 0u) {
        json_object_set(object, "throttles", all);
    }
    json_decref(all);
}

static json_t *detection(const struct gpu_kernel_stats *kernel)
{
    json_t *const object = json_object();

    json_object_set_new(object, "sms", whole(kernel->detection.sms));
    json_object_set_new(object, "cycles", whole(kernel->detection.cycles));
    json_object_set_new(object, "aborted", json_boolean(kernel->detection.aborted));
    return object;
}

static json_t *kernel_json(const struct gpu_kernel_stats *kernel)
{
    json_t *const object = json_object();

    json_object_set_new(object, "name", json_string(kernel->name));
    json_object_set_new(object, "stream", whole(kernel->stream));
    json_object_set_new(object, "grid", triple(kernel->grid));
    json_object_set_new(object, "block", triple(kernel->block));
    json_object_set_new(object, "registers", whole(kernel->registers));
    json_object_set_new(object, "shared_bytes", whole(kernel->shared_bytes));
    json_object_set_new(object, "ctas_per_sm", whole(kernel->ctas_per_sm));
    if (kernel->l1_bytes != 0u) {
        json_object_set_new(object, "l1_bytes", whole(kernel->l1_bytes));
    }
    json_object_set_new(object, "launched", whole(kernel->launched));
    json_object_set_new(object, "first_cta", whole(kernel->first_cta));
    json_object_set_new(object, "ended", whole(kernel->ended));
    json_object_set_new(object, "ctas", whole(kernel->ctas));
    json_object_set_new(object, "warp_instructions", whole(kernel->warp_instructions));
    if (kernel->left != 0u) {
        json_object_set_new(object, "left", whole(kernel->left));
    }
    if (kernel->nested) {
        json_object_set_new(object, "parent", whole(kernel->parent));
        json_object_set_new(object, "depth", whole(kernel->depth));
        json_object_set_new(object, "priority", whole(kernel->priority));
        json_object_set_new(object, "sm", whole(kernel->sm));
        json_object_set_new(object, "ctas_on_sm", whole(kernel->ctas_on_sm));
        json_object_set_new(object, "joined", json_boolean(kernel->joined));
        json_object_set_new(object, "spilled", json_boolean(kernel->spilled));
    }
    add_throttles(object, kernel->throttle);
    if (kernel->detection.sms != 0u) {
        json_object_set_new(object, "detection", detection(kernel));
    }
    return object;
}

static json_t *kernels(const struct gpu_stats *stats)
{
    json_t *const array = json_array();

    for (uint32_t i = 0u; i < stats->n_kernel; i++) {
        json_array_append_new(array, kernel_json(&stats->kernel[i]));
    }
    return array;
}

/* ---- Programs ------------------------------------------------------------------------ */

static json_t *verified(enum workload_verdict verdict)
{
    return verdict == NOT_CHECKED ? json_null() : json_boolean(verdict == RIGHT);
}

static json_t *programs(const struct result *result)
{
    json_t *const array = json_array();

    for (uint32_t i = 0u; i < result->n_program; i++) {
        const struct workload_program *const program = result->program[i];
        json_t *const object = json_object();
        json_object_set_new(object, "name", json_string(program->name));
        json_object_set_new(object, "size",
                            program->size == NULL ? json_null() : json_string(program->size));
        json_object_set_new(object, "launches", whole(program->launches));
        json_object_set_new(object, "cycles", whole(program->cycles));
        const uint64_t alone = result->alone[i];
        json_object_set_new(object, "alone", alone == 0u ? json_null() : whole(alone));
        json_object_set_new(object, "slowdown", real(ratio(program->cycles, alone)));
        json_object_set_new(object, "verified", verified(program->verdict));
        json_object_set_new(object, "check",
                            program->verdict == NOT_CHECKED ? json_null()
                                                            : json_string(program->check));
        json_array_append_new(array, object);
    }
    return array;
}

/* ---- Counts -------------------------------------------------------------------------- */

static json_t *group_json(const struct count_group *group, const struct gpu_stats *stats)
{
    json_t *const total = json_object();
    json_t *const each = json_object();
    json_t *const object = json_object();
    uint32_t n;
    const char *const members = count_members(group, stats, &n);

    for (const struct gpu_count *row = group->counts; row->name != NULL; row++) {
        json_t *const column = json_array();
        for (uint32_t i = 0u; i < n; i++) {
            json_array_append_new(column, whole(gpu_count_of(row, members + i * group->size)));
        }
        json_object_set_new(each, row->name, column);
        json_object_set_new(total, row->name, whole(count_total(row, group, stats)));
    }
    json_object_set_new(object, "members", whole(n));
    json_object_set_new(object, "total", total);
    json_object_set_new(object, "each", each);
    return object;
}

static json_t *cycles(const struct gpu_stats *stats)
{
    json_t *const object = json_object();

    json_object_set_new(object, "core", whole(stats->cycles));
    json_object_set_new(object, "noc", whole(stats->noc_cycles));
    json_object_set_new(object, "l2", whole(stats->l2_cycles));
    json_object_set_new(object, "dram", whole(stats->dram_cycles));
    return object;
}

/* ---- Derived ------------------------------------------------------------------------- */

static json_t *derived(const struct result *result)
{
    const struct figures figures = figures_of(result->config, result->stats);
    json_t *const object = json_object();

    for (const struct figure *row = figure_table; row->name != NULL; row++) {
        json_object_set_new(object, row->name, real(figure_value(row, &figures)));
    }
    return object;
}

static json_t *energy_json(const struct gpu_energy *energy)
{
    json_t *const object = json_object();

    for (const struct energy_part *part = energy_parts; part->name != NULL; part++) {
        json_object_set_new(object, part->name, real(energy_value(part, energy)));
    }
    json_object_set_new(object, "total", real(energy->total));
    json_object_set_new(object, "edp", real(energy->edp));
    return object;
}

/* ---- What belongs to each kernel ----------------------------------------------------- */

/* Of the NoC both directions: requests, responses. */
static json_t *share_json(const struct gpu_share *share, uint32_t group)
{
    const struct count_group *const g = &count_groups[group];
    const char *const stats = share_group(share, group);
    json_t *const object = json_object();

    for (const struct gpu_count *row = g->counts; row->name != NULL; row++) {
        const uint64_t value = gpu_count_of(row, stats);
        json_object_set_new(object, row->name,
                            stats != (const char *)share->noc
                                ? whole(value)
                                : json_pack("[I,I]", (json_int_t)value,
                                            (json_int_t)gpu_count_of(row, stats + g->size)));
    }
    return object;
}

static json_t *row_json(const struct kernel_row *row)
{
    json_t *const object = json_object();
    const bool kernel = row->name != NULL;

    json_object_set_new(object, "name", kernel ? json_string(row->name) : json_null());
    json_object_set_new(object, "stream", kernel ? whole(row->stream) : json_null());
    json_object_set_new(object, "launches", whole(row->launches));
    json_object_set_new(object, "cycles", whole(row->cycles));
    add_throttles(object, row->throttle);
    json_t *const energy = energy_json(&row->share.energy);
    json_object_del(energy, "edp");
    json_object_set_new(object, "energy", energy);
    for (uint32_t i = 0u; i < COUNT_GROUPS; i++) {
        json_object_set_new(object, count_groups[i].name, share_json(&row->share, i));
    }
    return object;
}

static json_t *rows_json(const struct result *result)
{
    static const struct kernel_row none = { .name = NULL };
    json_t *const array = json_array();
    struct kernel_row *rows = NULL;
    uint32_t n = 0u;

    if (result->gpu == NULL) {
        json_array_append_new(array, row_json(&none));
        return array;
    }
    rows = by_kernel(result->gpu, result->stats, &n);
    for (uint32_t i = 0u; i < n; i++) {
        json_array_append_new(array, row_json(&rows[i]));
    }
    free(rows);
    if (n == 0u) {
        json_decref(array);
        return NULL;
    }
    return array;
}

json_t *result_json(const struct result *result)
{
    const struct gpu_stats *const stats = result->stats;
    json_t *const object = json_object();

    json_object_set_new(object, "format", json_string("gpusched-result 1"));
    json_object_set_new(object, "workload", json_string(result->workload));
    json_object_set_new(object, "size",
                        result->size == NULL ? json_null() : json_string(result->size));
    json_object_set_new(object, "end", json_string(end_name(result->end)));
    json_object_set_new(object, "message", json_string(result->message));
    json_object_set_new(object, "verified", verified(result->verdict));
    json_object_set_new(object, "check",
                        result->verdict == NOT_CHECKED ? json_null()
                                                       : json_string(result->check));
    json_object_set_new(object, "cycles", cycles(stats));
    json_object_set_new(object, "unanswered", whole(stats->unanswered));
    json_object_set_new(object, "derived", derived(result));
    json_object_set_new(object, "energy", energy_json(&stats->energy));
    json_object_set_new(object, "programs", programs(result));
    json_object_set_new(object, "kernels", kernels(stats));
    json_t *const rows = rows_json(result);
    if (rows == NULL) {
        json_decref(object);
        return NULL;
    }
    json_object_set_new(object, "by_kernel", rows);
    json_t *const nested = nested_json(result->gpu, stats);
    if (nested != NULL) {
        json_object_set_new(object, "nested", nested);
    }
    if (result->footprint != NULL) {
        json_object_set_new(object, "footprint", footprints_json(result->footprint));
    }
    for (uint32_t i = 0u; i < COUNT_GROUPS; i++) {
        json_object_set_new(object, count_groups[i].name, group_json(&count_groups[i], stats));
    }
    json_object_set_new(object, "not_calibrated", whole(result->not_calibrated));
    json_object_set_new(object, "configuration", configuration(result->config));
    return object;
}

/* ---- Text ---------------------------------------------------------------------------- */

static bool write_line(const json_t *value, FILE *to)
{
    return json_dumpf(value, to, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(DIGITS))
           == 0;
}

/* An object each line. */
static bool write_list(const json_t *array, FILE *to, int depth)
{
    bool ok = true;

    fputc('[', to);
    for (size_t i = 0u; i < json_array_size(array); i++) {
        fprintf(to, "%s\n%*s", i == 0u ? "" : ",", depth + 1, "");
        ok = write_line(json_array_get(array, i), to) && ok;
    }
    fprintf(to, "\n%*s]", depth, "");
    return ok;
}

/* jansson puts either all in one line or each number in a line of its own; neither is easy
 * to read or to compare. */
static bool write_value(const json_t *value, FILE *to, int depth) // NOLINT(misc-no-recursion)
{
    const char *key;
    json_t *member;
    bool ok = true;
    const char *before = "\n";

    if (json_is_object(json_array_get(value, 0u))) {
        return write_list(value, to, depth);
    }
    if (json_object_size(value) == 0u || depth >= DEEPEST) {
        return write_line(value, to);
    }
    fputc('{', to);
    json_object_foreach((json_t *)value, key, member)
    {
        fprintf(to, "%s%*s\"%s\": ", before, depth + 1, "", key); /* our keys need no escapes */
        ok = write_value(member, to, depth + 1) && ok;
        before = ",\n";
    }
    fprintf(to, "\n%*s}", depth, "");
    return ok;
}

bool json_write(const json_t *object, FILE *to)
{
    const bool ok = !memory_lost() && write_value(object, to, 0);

    return fputc('\n', to) != EOF && ok;
}

bool result_json_write(const struct result *result, FILE *to)
{
    json_t *const object = result_json(result);
    const bool ok = object != NULL && json_write(object, to);

    json_decref(object);
    return ok;
}
