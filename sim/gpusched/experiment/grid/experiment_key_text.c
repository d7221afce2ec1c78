/* experiment_key_text - texts of keys; see experiment_key_text.h. */

#include "gpusched/experiment/grid/experiment_key_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/output_file.h"
#include "gpu/config/gpu_config_file.h"
#include "gpusched/experiment/grid/experiment_point.h"
#include "gpusched/workload/workload.h"
#include "tool/version.h"
#include "workloads/workload_list.h"

/* ---- Hashes -------------------------------------------------------------------------- */

const struct hash hash_start = { UINT64_C(0xcbf29ce484222325), UINT64_C(0x84222325cbf29ce4) };

void hash_bytes(struct hash *hash, const unsigned char *bytes, size_t n)
{
    const uint64_t prime = UINT64_C(0x100000001b3);

    for (size_t i = 0u; i < n; i++) {
        hash->low = (hash->low ^ bytes[i]) * prime;
        hash->high = (hash->high ^ (unsigned char)~bytes[i]) * prime;
        hash->high ^= hash->high >> 29;
    }
}

/* ---- Parts --------------------------------------------------------------------------- */

/* Only where there is something: other runs have the keys they always had. */
static void write_watch(const struct experiment_point *point, const char *rtl, FILE *to)
{
    if (point->rtl.mode != RTL_OFF) {
        fputs("rtl: shadow", to);
        struct gpu_unit units[GPU_MAX_UNITS];
        const uint32_t n = gpu_units(units);
        for (uint32_t k = 0u; k < n; k++) {
            const bool on = (point->rtl.units >> k & 1u) != 0u;
            fprintf(to, "%s%s", on ? " " : "", on ? units[k].type->name : "");
        }
        fprintf(to, "\nverilog: %s\n", rtl);
    }
    if (point->ctas) {
        fputs("observe: ctas\n", to);
    }
    if (point->footprint) {
        fputs("observe: footprint\n", to);
    }
}

/* What programs say of their kernels' registers, which is not in the contents. */
static void write_registers(const struct experiment_point *point, FILE *to)
{
    const char *rest = point->workload;
    char name[WORKLOAD_FILE];

    while (workload_next(&rest, name)) {
        const struct cuda_workload *const program = cuda_workload_named(name);
        const struct kit_registers *r = program == NULL ? NULL : program->registers;
        for (; r != NULL && r->kernel != NULL; r++) {
            fprintf(to, "registers: %s %" PRIu32 "\n", r->kernel, r->count);
        }
    }
}

static void write_head(const struct experiment_point *point, const char *contents,
                       char head[KEY_HEAD])
{
    snprintf(head, KEY_HEAD, "gpusched: %s\nworkload: %s\nsize: %s\ncontents: %s\n",
             GPUSCHED_VERSION, point->workload_label, point->size == NULL ? "-" : point->size,
             contents);
}

/* No text for a key that came later and is at its default: such runs have the keys they always
 * had. */
static size_t write_line(const struct experiment_point *point, uint32_t i, char line[KEY_LINE])
{
    const struct gpu_key *const key = &gpu_keys[i];
    const struct gpu_config standard = gpu_config_standard();
    char value[64];

    line[0] = '\0';
    if (gpu_key_later(key) && gpu_key_same(key, &point->config, &standard)) {
        return 0u;
    }
    return (size_t)snprintf(line, KEY_LINE, "%s.%s: %s\n", key->section, key->key,
                            gpu_config_value(&point->config, key, value, sizeof value));
}

static void write_tail(const struct experiment_point *point, const char *rtl, FILE *to)
{
    fprintf(to, "not_calibrated: %" PRIu32 "\n", point->not_calibrated);
    write_registers(point, to);
    write_watch(point, rtl, to);
}

/* The hash of what stands before the tail. */
static struct hash hash_lines(struct key_lines *lines, const struct experiment_point *point,
                              const char *contents)
{
    char head[KEY_HEAD];
    struct hash hash = hash_start;

    write_head(point, contents, head);
    bool same = lines->known && strcmp(head, lines->head) == 0;
    hash_bytes(&hash, (const unsigned char *)head, strlen(head));
    for (uint32_t i = 0u; i < gpu_key_count; i++) {
        struct line *const line = &lines->line[i];
        if (same) {
            hash = line->before;
        }
        line->before = hash;
        if (!lines->known || !gpu_key_same(&gpu_keys[i], &point->config, &lines->config)) {
            line->n = write_line(point, i, line->text);
            same = false;
        }
        if (!same || i + 1u == gpu_key_count) {
            hash_bytes(&hash, (const unsigned char *)line->text, line->n);
        }
    }
    memcpy(lines->head, head, strlen(head) + 1u);
    lines->config = point->config;
    lines->known = true;
    return hash;
}

/* All of it; to be freed. NULL without memory. */
static char *whole_text(const struct experiment_point *point, const char *contents,
                        const char *tail)
{
    char *text = NULL;
    size_t length = 0u;
    char head[KEY_HEAD];
    FILE *const to = open_memstream(&text, &length);

    if (to == NULL) {
        return NULL;
    }
    write_head(point, contents, head);
    fputs(head, to);
    for (uint32_t i = 0u; i < gpu_key_count; i++) {
        char line[KEY_LINE];
        write_line(point, i, line);
        fputs(line, to);
    }
    fputs(tail, to);
    return output_text_close(to, &text) ? text : NULL;
}

/* The whole hash and, unless it is NULL, the text. Returns false without memory. */
static bool make(const struct experiment_point *point, const char *contents, const char *tail,
                 struct key_lines *lines, struct hash *hash, char **text)
{
    if (text == NULL && lines != NULL) {
        *hash = hash_lines(lines, point, contents);
        hash_bytes(hash, (const unsigned char *)tail, strlen(tail));
        return true;
    }
    char *const whole = whole_text(point, contents, tail);
    if (whole == NULL) {
        return false;
    }
    *hash = hash_start;
    hash_bytes(hash, (const unsigned char *)whole, strlen(whole));
    if (text == NULL) {
        free(whole);
    } else {
        *text = whole;
    }
    return true;
}

bool key_text_make(const struct experiment_point *point, const char *contents, const char *rtl,
                   struct key_lines *lines, struct hash *hash, char **text)
{
    char *tail = NULL;
    size_t length = 0u;
    FILE *const to = open_memstream(&tail, &length);

    if (to == NULL) {
        return false;
    }
    write_tail(point, rtl, to);
    if (!output_text_close(to, &tail)) {
        return false;
    }
    const bool good = make(point, contents, tail, lines, hash, text);
    free(tail);
    return good;
}
