/* rtl_parts - what a loaded RTL is made of, for rtl.c and rtl_wave.c only. */

#ifndef RTL_PARTS_H
#define RTL_PARTS_H

#include "base/output_file.h"
#include "lockstep/rtl.h"

/* A row of the port table with its net, and what a memory must hold. A register or memory that
 * another's RTL does not have has no pieces. */
struct row {
    const struct unit_port *port;
    struct rtl_net net;
    uint32_t *image; /* of a memory: its words, each in whole 32-bit words */
};

struct rtl {
    const struct unit *unit;
    const struct rtl_ops *ops;
    const char *source;
    char *named; /* of another's RTL: with what is compared; otherwise NULL */
    bool theirs;
    void *library;
    void *instance;
    struct row *rows;
    uint32_t *words;            /* the widest port */
    void *held;                 /* all of it, after the last edge; NULL before */
    struct rtl_signal *signals; /* of the model, for a waveform; NULL without one */
    uint32_t n_signal;
    struct output_file wave;
};

/* After the instance, which ends the waveform. */
void rtl_free_signals(struct rtl *rtl);

#endif
