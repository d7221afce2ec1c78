/*
 * report_ctas - the CTAs of a run as bars: one for each CTA, or, where they would be too short
 * or too many, one for several that follow each other.
 */

#ifndef REPORT_CTAS_H
#define REPORT_CTAS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

enum { CTA_WIDTH = 1000 /* of a picture */ };

struct report_cta {
    uint32_t kernel, sm, slot;
    double started, ended; /* core cycles */
};

struct report_ctas {
    struct report_cta *list; /* by SM, slot, time */
    uint32_t n;
    uint32_t sms, slots; /* the highest, plus one */
    double end;          /* of the last one */
};

/* Of the value that the database has; false if it is not as it should be, or without memory. */
bool report_ctas_read(struct report_ctas *ctas, const json_t *value);
void report_ctas_free(struct report_ctas *ctas);

struct cta_bar {
    uint32_t sm, slot;
    uint32_t from, to; /* in 0..CTA_WIDTH */
    uint32_t shade;    /* 0 or 1: launches alternate */
};

/* Over `span` cycles. More of them are one bar until there are at most `most`, or a few for
 * each slot. To be freed; NULL without memory. */
struct cta_bar *report_cta_bars(const struct report_ctas *ctas, double span, uint32_t most,
                                uint32_t *n);

#endif
