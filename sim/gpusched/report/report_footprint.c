/* report_footprint - shared footprints of a single run; see report_sections.h. */

#include <math.h>
#include <stdio.h>

#include "gpusched/report/html/report_html.h"
#include "gpusched/report/html/report_sections.h"
#include "gpusched/report/html/report_table.h"

static void row(FILE *to, const char *name, const json_t *level)
{
    static const char *const counts[] = { "kernels", "parents", "direct_parents", "children" };
    static const char *const ratios[] = { "parent_child", "child_sibling", "parent_parent" };

    fputs("<tr>", to);
    html_element(to, "td", "word", name);
    for (size_t i = 0u; i < sizeof counts / sizeof counts[0]; i++) {
        const json_t *const count = json_object_get(level, counts[i]);
        fprintf(to, "<td>%s</td>", html_count(json_number_value(count)).text);
    }
    for (size_t i = 0u; i < sizeof ratios / sizeof ratios[0]; i++) {
        const json_t *const ratio = json_object_get(json_object_get(level, ratios[i]), "ratio");
        fprintf(
            to, "<td>%s</td>",
            html_share(json_is_number(ratio) ? json_number_value(ratio) : (double)NAN).text);
    }
    fputs("</tr>\n", to);
}

void section_footprint(FILE *to, const json_t *result)
{
    static const char *const heads[] = { "kernels",      "parents",      "direct parents",
                                         "children",     "parent-child", "child-sibling",
                                         "parent-parent" };
    const json_t *const footprint = json_object_get(result, "footprint");
    const json_t *const levels = json_object_get(footprint, "levels");
    const size_t n = json_array_size(levels);

    if (n == 0u) {
        return;
    }
    table_begin(to, "Shared footprint",
                "How much of the memory that CTAs access they share: direct parents with their "
                "children, children with their siblings, parents with each other. Means of "
                "shares of the children's, the siblings' and the other parents' memory.",
                "runs");
    table_heading(to, "word", "level");
    for (size_t i = 0u; i < sizeof heads / sizeof heads[0]; i++) {
        table_heading(to, "", heads[i]);
    }
    table_body(to);
    for (size_t i = 0u; i < n; i++) {
        char name[32];
        snprintf(name, sizeof name, "%zu", i);
        row(to, name, json_array_get(levels, i));
    }
    if (n > 1u) {
        row(to, "all", json_object_get(footprint, "all"));
    }
    table_end(to);
}
