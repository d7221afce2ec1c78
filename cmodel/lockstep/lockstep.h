/*
 * lockstep - golden models and their RTL side by side: every output, every register
 * and every memory word in every cycle. Nothing may differ.
 */

#ifndef LOCKSTEP_H
#define LOCKSTEP_H

#include "base/unit.h"

struct lockstep_options {
    const char *library; /* of the RTL, or a folder of libraries; NULL: the repository's, built
                            on demand */
    const char *kind;    /* of stimulus, see stimulus.h */
    uint64_t seed;
    uint64_t cycles;     /* for each instance */
    uint64_t stretch;    /* cycles from a reset to the next; 0: by chance, but 100,000 for one
                            of four instances, if there are so many */
    bool complete;       /* each directed sequence must come to its end, and each event be met
                            and each promise be asked for at one of the sizes */
    const char *report;  /* folder for what a difference leaves */
    const char *program; /* that replays vectors */
};

/*
 * Runs all units against their RTL, in turns, in this process. Returns 0 if they are
 * equal, and 2 if one cannot run. Returns 1 if not all is complete that must be. The units are
 * of one kind.
 *
 * Returns 1 at the first difference: prints what differs, where and when, and the
 * inputs of the last 16 cycles; leaves a waveform (.fst) around the cycle, vectors
 * (.vec) from the last reset to it, and prints the command that replays them. Returns 1, too,
 * where the golden model breaks a promise of its table (contract.h), or if a byte of the RTL
 * might change without a difference.
 */
int lockstep_run(struct unit *const *units, uint32_t n, const struct lockstep_options *options);

/* What a vector file is replayed on. */
struct replay_options {
    const char *vectors;
    const char *library; /* of the RTL; NULL as above */
    bool model_only;
};

/* Returns 0 if all is as the file says, 1 at the first difference, 2 if it cannot run. */
int lockstep_replay(const struct replay_options *options);

#endif
