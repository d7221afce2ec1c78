/*
 * report_html - a page that is well-formed XML and HTML alike: texts are escaped, and no
 * element but those of SVG closes itself.
 */

#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include <stdbool.h>
#include <stdio.h>

#include "tool/format.h"

/* A text within an element or an attribute. What XML has no place for becomes U+FFFD. */
void html_text(FILE *to, const char *text);
/* <element class="css">text</element>; css may be NULL. */
void html_element(FILE *to, const char *element, const char *css, const char *text);

/* The same for a sentence, whose numbers stay with their %. */
void html_sentence(FILE *to, const char *element, const char *css, const char *text);

/* The experiment that a page is of. */
struct html_origin {
    const char *file;     /* as it was given; NULL: not known */
    const char *name;     /* without folder and ending */
    const char *baseline; /* NULL: the experiment's own */
};

/* The commands that make a page again, for a shell: the experiment's, the report's, and with
 * `csv` that of a table of all runs. */
void html_commands(FILE *to, const struct html_origin *origin, bool csv);

/* Up to <main> and from </main> on. */
void html_begin(FILE *to, const char *title);
void html_end(FILE *to);

#define HTML_TIMES "\xc2\xa0\xc3\x97"

/* Numbers of tables and charts; "-" for NAN. */
struct text html_ratio(double value);  /* 1.037 */
struct text html_times(double value);  /* 1.037 x, a sign of multiplication */
struct text html_share(double value);  /* 12.3 % */
struct text html_count(double value);  /* 1,234,567 */
struct text html_change(double ratio); /* +3.7 %, of 1.037 */
struct text html_figure(double value); /* four digits */
struct text html_number(double value); /* as it was written */
/* With prefix, and a micro sign: 94.97 us has one. */
struct text html_unit(double value, const char *unit);

#endif
