/* report_limits - what limits each run, and how busy the memory system was; see
 * report_sections.h. */

#include "gpusched/report/html/report_html.h"
#include "gpusched/report/html/report_sections.h"
#include "gpusched/report/html/report_table.h"

enum { MOST_ROWS = 400 };

static uint32_t rows_of(const struct report_block *block)
{
    uint32_t n = 0u;

    for (uint32_t row = 0u; row < block->rows; row++) {
        for (uint32_t column = 0u; column < block->columns; column++) {
            const struct report_run *const run = report_block_run(block, row, column);
            n += report_block_shown(block, row) && run->values.limit.kind != LIMIT_UNKNOWN;
        }
    }
    return n;
}

static void head(FILE *to, const struct report_block *block)
{
    char note[256];

    snprintf(note, sizeof note,
             "By the rule of docs/report.md. Shares of scheduler cycles, of the cycles of the "
             "parts of the memory system, and of SM cycles.%s",
             report_block_of_seed(block));
    table_begin(to, "What limits each run", note, "runs");
    table_heading(to, "word", "workload");
    if (block->columns > 1u) {
        table_heading(to, "word", "variant");
    }
    table_heading(to, "word", "it ...");
    table_heading(to, "", "issued");
    for (int part = 0; part < LIMIT_PARTS; part++) {
        table_heading(to, "", limit_part_names[part]);
    }
    table_heading(to, "", "SMs without CTA");
    table_body(to);
}

static void run_row(FILE *to, const struct report_block *block, uint32_t row, uint32_t column)
{
    const struct limit *const limit = &report_block_run(block, row, column)->values.limit;
    char label[BLOCK_LABEL];

    report_block_row(block, row, label);
    fputs("<tr>", to);
    html_element(to, "td", "word", column == 0u ? label : "");
    if (block->columns > 1u) {
        html_element(to, "td", "word", report_block_column(block, column).text);
    }
    html_sentence(to, "td", "say", limit_sentence(limit).text);
    fprintf(to, "<td>%s</td>", html_share(limit->issued).text);
    for (int part = 0; part < LIMIT_PARTS; part++) {
        fprintf(to, "<td>%s</td>", html_share(limit->busy[part]).text);
    }
    fprintf(to, "<td>%s</td></tr>\n", html_share(limit->empty).text);
}

void section_limits(FILE *to, const struct report_block *block)
{
    const uint32_t rows = rows_of(block);

    if (rows == 0u || rows > MOST_ROWS) {
        return;
    }
    head(to, block);
    for (uint32_t row = 0u; row < block->rows; row++) {
        for (uint32_t column = 0u; column < block->columns; column++) {
            if (report_block_shown(block, row)
                && report_block_run(block, row, column)->values.limit.kind != LIMIT_UNKNOWN) {
                run_row(to, block, row, column);
            }
        }
    }
    table_end(to);
}
