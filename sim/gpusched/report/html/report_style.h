/* report_style - the style sheet of a page. It has no character that XML would take as its
 * own. */

#ifndef REPORT_STYLE_H
#define REPORT_STYLE_H

/* Pieces that follow each other; the last is NULL. */
extern const char *const report_style[];

#endif
