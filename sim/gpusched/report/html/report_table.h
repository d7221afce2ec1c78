/* report_table - what tables of a page have in common. */

#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include <stdio.h>

/* Wide tables scroll in a box, which the keyboard reaches. note may be NULL. What follows is
 * the table's head, and table_end closes its body. */
void table_begin(FILE *to, const char *title, const char *note, const char *css);
void table_end(FILE *to);

/* A column's heading, and a row's. */
void table_heading(FILE *to, const char *css, const char *text);
void table_row_heading(FILE *to, const char *text);

/* From the headings on to the rows. */
void table_body(FILE *to);

#endif
