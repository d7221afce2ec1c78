/* report_variants - what each variant sets; see report_sections.h. */

#include <stdlib.h>
#include <string.h>

#include "gpu/config/gpu_config.h"
#include "gpusched/report/html/report_html.h"
#include "gpusched/report/html/report_sections.h"
#include "gpusched/report/html/report_table.h"
#include "tool/memory_watch.h"

/* The configurations of a row's runs. */
struct variants {
    const struct report_block *block;
    uint32_t row;
    uint32_t base; /* column */
};

static const json_t *value_of(const struct variants *variants, const struct gpu_key *key,
                              uint32_t column)
{
    const struct report_run *const run =
        report_block_run(variants->block, variants->row, column);

    return json_object_get(json_object_get(run->configuration, key->section), key->key);
}

/* Is there a value, and another one than the base's? */
static bool differs(const struct variants *variants, const struct gpu_key *key, uint32_t column)
{
    const json_t *const value = value_of(variants, key, column);

    return value != NULL && json_equal(value, value_of(variants, key, variants->base)) == 0;
}

static bool any_differs(const struct variants *variants, const struct gpu_key *key)
{
    for (uint32_t column = 0u; column < variants->block->columns; column++) {
        if (differs(variants, key, column)) {
            return true;
        }
    }
    return false;
}

/* The first row in which all runs are done, otherwise one in which the base is. */
static bool find_row(struct variants *variants)
{
    const struct report_block *const block = variants->block;
    uint32_t most = 0u;

    for (uint32_t row = 0u; row < block->rows; row++) {
        uint32_t n = 0u;
        for (uint32_t column = 0u; column < block->columns; column++) {
            n += report_block_run(block, row, column)->configuration != NULL;
        }
        if (n > most && report_block_run(block, row, variants->base)->configuration != NULL) {
            variants->row = row;
            most = n;
        }
    }
    return most > 1u;
}

/* As a file of a GPU has it. */
static void value_cell(FILE *to, const json_t *value, const char *css)
{
    char *const number = json_is_string(value) || value == NULL
                             ? NULL
                             : json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(12));

    html_element(to, "td", css,
                 json_is_string(value) ? json_string_value(value)
                 : number == NULL      ? "\xe2\x80\x93"
                                       : number);
    free(number);
}

static void key_row(FILE *to, const struct variants *variants, const struct gpu_key *key)
{
    char name[128];

    snprintf(name, sizeof name, "%s.%s", key->section, key->key);
    fputs("<tr>", to);
    table_row_heading(to, name);
    html_element(to, "td", "word basis", key->unit);
    for (uint32_t column = 0u; column < variants->block->columns; column++) {
        value_cell(to, value_of(variants, key, column),
                   differs(variants, key, column) ? "best" : "basis");
    }
    fputs("</tr>\n", to);
}

static void head(FILE *to, const struct variants *variants)
{
    const struct report_block *const block = variants->block;
    char note[BLOCK_LABEL];

    snprintf(note, sizeof note, "Keys that differ from %.200s; all others are the same.",
             report_block_column(block, variants->base).text);
    table_begin(to, "What each variant sets", note, "matrix dense");
    table_heading(to, "", "key");
    table_heading(to, "word", "unit");
    for (uint32_t column = 0u; column < block->columns; column++) {
        table_heading(to, column == variants->base ? "basis" : "",
                      report_block_column(block, column).text);
    }
    table_body(to);
}

void section_variants(FILE *to, const struct report_block *block)
{
    struct variants variants = { .block = block,
                                 .base =
                                     block->baseline >= 0 ? (uint32_t)block->baseline : 0u };
    bool begun = false;

    if (block->columns < 2u || !find_row(&variants)) {
        return;
    }
    for (uint32_t k = 0u; k < gpu_key_count; k++) {
        if (any_differs(&variants, &gpu_keys[k])) {
            if (!begun) {
                head(to, &variants);
                begun = true;
            }
            key_row(to, &variants, &gpu_keys[k]);
        }
    }
    if (begun) {
        table_end(to);
    }
}
