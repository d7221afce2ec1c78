/*
 * stimulus_driver - what a unit may add to its random stimulus: knowledge of its protocol,
 * and sequences of its own. A unit without a driver gets by with the port table.
 *
 * The file cmodel/units/drivers/<unit>_driver.c defines <unit>_driver; the Makefile finds it.
 */

#ifndef STIMULUS_DRIVER_H
#define STIMULUS_DRIVER_H

#include <stdbool.h>
#include <stdint.h>

struct driver {
    const char *unit;

    /*
     * Changes the random inputs of a cycle so that they keep the unit's protocol.
     * It may look at the unit and call its eval. An offer that waits for its ready
     * is put back afterwards, whatever this does to it. NULL: any inputs are legal.
     */
    void (*legal)(const void *unit, void *in, uint64_t *random);

    /*
     * The inputs of one cycle of a directed sequence, into a zeroed struct; cycle 0 is
     * the first after a reset. Returns false when the sequence is over. It is never cut
     * off, whatever the size; the lockstep counts how often it came to its end, and
     * `make lockstep` fails for a size at which it did not.
     * At the largest size it should take no more than about 200,000 cycles. NULL: none.
     */
    bool (*directed)(const void *unit, void *in, uint64_t cycle);
};

/* All drivers of this program, then NULL. */
extern const struct driver *const drivers[];

/* The driver of a unit; one that does nothing if it has none. */
const struct driver *driver_find(const char *unit);

#endif
