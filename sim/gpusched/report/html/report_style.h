/* report_style - the style sheet of a page. It has no character that XML would take as its
 * own. */

#ifndef REPORT_STYLE_H
#define REPORT_STYLE_H

#include "tool/format.h"

/* Pieces that follow each other; the last is NULL. */
extern const char *const report_style[];

/* The colour "#rrggbb", on screen by day, of a name such as "p0" or "ink", for pictures that
 * are files of their own. The name must be one that the style sheet gives a colour. */
struct text style_colour(const char *name);

#endif
