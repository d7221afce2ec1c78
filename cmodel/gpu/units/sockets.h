/*
 * sockets - which units sit in the GPU, and who may watch them.
 *
 * sockets.def has a row for each, and no other file of the machine or the programs lists them:
 *
 *   SOCKET(unit, place, when, active, needs, parameters)
 *     unit        its type
 *     place       what has one of it: GPU, CLUSTER, SM, SCHEDULER (a warp scheduler)
 *     when        CALLED: its cycle is part of another component's, which calls it; STEPPED: it
 *                 comes after the SMs of its cycle, before CTAs go out; SUMMED: so, and where
 *                 nobody watches it is told how many cycles of a class there have been, in
 *                 place of each of them; COUNTED: so, of instructions in place of classes. One
 *                 of the GPU then has a cycle when CTAs start or end, or a kernel makes a step.
 *                 EVENTS: so, but its inputs are never sums, whoever watches
 *     active      an expression in `config`, the GPU's: the unit is there
 *     needs       a setting with which it is, or several with --set between them, for a message
 *     parameters  as .n_sm = config->sm.count, ...
 *   IDLE(unit, part, when, needs)
 *     this part of the unit does nothing on such a GPU, so that RTL beside it would show
 *     nothing; with `needs` it does something
 *   THROTTLE(unit, decides, samples)
 *     it limits the CTAs of each SM, and kernels have counts of it: gpu_stats.h. decides: it
 *     comes to an end with a kernel; samples: it judges periods
 *   CLASSES(unit)
 *     the record has classes of cycles where the unit is there
 *   OBSERVER(unit)
 *     its outputs do nothing in the machine, so that whoever watches it may evaluate it alone
 *
 * A unit's glue says what its inputs are in a cycle and what its outputs do: socket.h. Whoever
 * watches a unit may watch the parts of a composition in the same way.
 */

#ifndef SOCKETS_H
#define SOCKETS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/unit.h"
#include "gpu/config/gpu_config.h"
#include "gpu/units/sockets.def" /* the units' headers */

enum gpu_socket {
#define SOCKET(unit, ...) SOCKET_##unit,
#include "gpu/units/sockets.def"
    GPU_SOCKETS
};

/* A unit that may be watched: that of a socket, or a part of it that is no array. */
struct gpu_unit {
    const struct unit_type *type;
    enum gpu_socket socket;
    uint32_t part; /* GPU_WHOLE: the socket's unit itself */
};
enum { GPU_WHOLE = UINT8_MAX, GPU_MAX_UNITS = 32 };

/* All of them, the parts of a unit before it. Returns how many. */
uint32_t gpu_units(struct gpu_unit units[GPU_MAX_UNITS]);

/* A unit may be in two places, of which a GPU has one at most. The first row of each name; and
 * the row of `type` on this GPU: where it is there, or else its first. */
bool gpu_unit_first(const struct gpu_unit *units, uint32_t row);
uint32_t gpu_unit_row(const struct unit_type *type, const struct gpu_config *config);

/* The socket's unit is there on this GPU. */
bool gpu_unit_there(const struct gpu_unit *unit, const struct gpu_config *config);

/* It is, and does something there. */
bool gpu_unit_active(const struct gpu_unit *unit, const struct gpu_config *config);

/* The settings with which it would be there and do something: "icc.entries=48", or several as
 * behind --set: "icc.entries=48 --set icc.lines=24". */
const char *gpu_unit_needs(const struct gpu_unit *unit);

/* A unit that is there reads the class of each cycle. summed: not if their number does. */
bool gpu_units_read_classes(const struct gpu_config *config, bool summed);

/* The socket is an OBSERVER. */
bool gpu_unit_observes(enum gpu_socket socket);

/* How many of the socket's units a GPU has, were it active. */
uint32_t gpu_socket_count(enum gpu_socket socket, const struct gpu_config *config);

/* Fills in the unit's parameters on this GPU: the unit's own struct of them, of
 * unit->type->config_size bytes. False for lack of memory. */
bool gpu_unit_parameters(const struct gpu_unit *unit, const struct gpu_config *config,
                         void *parameters);

/* ---- Who watches --------------------------------------------------------------------- */

/* Such as RTL beside the units. */
struct gpu_peer {
    void *self;
    /* Called once for each unit of a socket, when the GPU is opened: what stands for it in the
     * calls below, or NULL, and then it is not watched. *watch is told of its parts; it may
     * stay NULL. index: of the cluster, SM or warp scheduler. */
    void *(*seat)(void *self, enum gpu_socket socket, uint32_t index,
                  const struct unit_watch **watch);
    /* Told of each cycle of the unit that may change something, after its evaluation and before
     * the clock edge; *out may be replaced. False stops the run. */
    bool (*evaluated)(void *seat, const void *unit, const void *in, void *out, const void *next,
                      uint64_t gpu_cycle);
    /* After it: may cycles be left out from now on, as long as the inputs are those of this
     * one? NULL: they may. Otherwise `evaluated` is called in the GPU's next cycle in any case.
     */
    bool (*settled)(void *seat);
    /* Whoever watches runs the cycles of the unit that are left out, with the inputs of the
     * last one, even if something changes in them. NULL: nobody does. */
    bool (*follows)(void *seat);
    /* Whoever follows an OBSERVER evaluates it as well: the machine does not, and `evaluated`
     * has the inputs alone; its other pointers are NULL. NULL: nobody does. */
    bool (*evaluates)(void *seat);
};

#endif
