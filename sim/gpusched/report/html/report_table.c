/* report_table - what tables have in common; see report_table.h. */

#include "gpusched/report/html/report_table.h"

#include "gpusched/report/html/report_html.h"

void table_begin(FILE *to, const char *title, const char *note, const char *css)
{
    html_element(to, "h4", NULL, title);
    if (note != NULL) {
        html_element(to, "p", "note", note);
    }
    fprintf(to, "\n<div class=\"scroll\" tabindex=\"0\"><table class=\"%s\">\n<thead><tr>",
            css);
}

void table_end(FILE *to)
{
    fputs("</tbody>\n</table></div>\n", to);
}

void table_heading(FILE *to, const char *css, const char *text)
{
    fprintf(to, "<th scope=\"col\" class=\"%s\">", css);
    html_text(to, text);
    fputs("</th>", to);
}

void table_row_heading(FILE *to, const char *text)
{
    fputs("<th scope=\"row\">", to);
    html_text(to, text);
    fputs("</th>", to);
}

void table_body(FILE *to)
{
    fputs("</tr></thead>\n<tbody>\n", to);
}
