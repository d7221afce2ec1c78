/*
 * socket - the units in the machine and the cycle of each, made from sockets.def. Private to
 * the GPU.
 *
 * A unit `claso` needs a glue file with two functions, its inputs in a cycle and what its
 * outputs do in the machine; one that is SUMMED or COUNTED a third, claso_make_up, which makes
 * up for n cycles with these inputs before this one. claso_step(g, i) runs a cycle of unit i:
 * inputs, evaluation, who watches, outputs, clock edge.
 *
 * A unit whose cycle is another component's is left out of cycles by that component: when it
 * would not change and, where somebody watches, its inputs are those of its last cycle;
 * `restless` says that the next one may not be left out.
 *
 * The others are stepped in cycles in which the GPU does something; one of an SM or a warp
 * scheduler only when the SM does. In the cycles between its inputs are those of the last, but
 * for classes that come as sums, where the unit is not stepped for them either; nor is one
 * that is COUNTED for instructions. Its claso_make_up is called before each of its cycles, also
 * if none was left out, so that it may count those of this one with the others. If a unit of
 * these two kinds is watched, none is told of sums. One with EVENTS never is: what its glue
 * shows it is the same in each cycle, whichever of them are left out. They are left out if the
 * unit is quiet, or if it has advance, which makes up for them before its next cycle; where
 * somebody watches who does not follow it by himself, only if it is quiet. So are cycles in
 * which it would be stepped, but its inputs stay: glue whose unit comes to something by itself
 * asks for that cycle (socket_wake). Glue that gives an input for one cycle alone, such as an
 * event, sets `pulse`; and so does glue whose unit changes its outputs with this clock edge.
 * What no record of the cycle says, such as another kernel that issues or an SM that is paused,
 * is told to all of them by sockets.called.
 */

#ifndef SOCKET_H
#define SOCKET_H

#include "gpu/gpu_record.h"
#include "gpu/units/sockets.h"

struct gpu;
struct wake;

/* Of a throttle: the kernel that it is for, and what is counted of it so far. */
struct throttle {
    bool begun, done;
    uint32_t kernel, limit;
};

struct socket {
    void *seat;                     /* who watches the unit; NULL: nobody */
    const struct unit_watch *watch; /* and its parts; NULL: nobody */
    bool followed;                  /* who watches runs cycles that are left out */
    bool elsewhere;                 /* and evaluates all of them: here nothing is */
    bool restless;                  /* its next cycle is not left out */
    uint64_t last;                  /* the GPU's cycle of its last one, if it is stepped */
    uint64_t alarm;                 /* its glue has asked for this cycle */
    bool pulse; /* the cycle is not left out: some of its inputs are for it alone. (Not beside
                   `restless`: a processor that reads both at once waits for all stores.) */
    struct throttle throttle; /* if it is one */
    uint64_t told[2];         /* cycles of a class up to its last, if they are summed */
};

#define SOCKET(u, ...)                                                   \
    struct u##_socket {                                                  \
        struct socket base;                                              \
        struct u unit;                                                   \
        struct u##_in in; /* of this cycle; before it, of the last */    \
        struct u##_out out;                                              \
        struct u##_next next;                                            \
    };                                                                   \
    /* Fills in the inputs of unit i, all of which are 0. */             \
    void u##_inputs(struct gpu *g, uint32_t i, struct u##_in *in);       \
    /* Does what the outputs say, before the clock edge. */              \
    void u##_outputs(struct gpu *g, uint32_t i, const struct u##_in *in, \
                     const struct u##_out *out);                         \
    void u##_step(struct gpu *g, uint32_t i);                            \
    /* SUMMED or COUNTED: see above. */                                  \
    void u##_make_up(struct gpu *g, uint32_t i, const struct u##_in *in, uint64_t n);
#include "gpu/units/sockets.def"

/* All units of each socket; NULL if it is not active. */
struct sockets {
    bool stepped;       /* some are, see sockets_step */
    bool called;        /* all of those have their next cycle, whatever their SMs do */
    bool sums;          /* of classes and instructions they are told sums */
    bool exact;         /* one of those that would be is watched: none is */
    bool asked;         /* a unit of an SM may have asked for this cycle */
    bool happened;      /* CTAs have started or ended, or a kernel has made a step */
    uint32_t resident;  /* kernels that were at the last look */
    uint64_t look;      /* in this cycle at alarms that were further ahead than the wheel */
    uint64_t event[3];  /* SMs of which CTAs have started or ended in this cycle */
    const uint64_t *sm; /* the SMs that have been in this cycle, 64 a word */
    uint32_t sm_cycle[GPU_MAX_SM * GPU_MAX_SCHEDULERS]; /* of sm_monitor's inputs */
#define SOCKET(u, ...)    \
    struct u##_socket *u; \
    uint32_t n_##u;       \
    uint64_t u##_restless[GPU_MAX_SM * GPU_MAX_SCHEDULERS / 64];
#include "gpu/units/sockets.def"
};

/* False for lack of memory; then, too, sockets_close frees what there is. */
bool sockets_open(struct gpu *g);
void sockets_close(struct gpu *g);

/* A cycle of the units that are stepped. w: who has been in it. */
void sockets_step(struct gpu *g, const struct wake *w);
/* The unit of an SM is stepped in cycle t, in which it comes to something by itself, or in an
 * earlier one for which it has asked before. */
void socket_wake(struct gpu *g, struct socket *s, uint32_t sm, uint64_t t);
/* In cycle sockets.look: the wheel gets those that it reaches now. */
void sockets_look(struct gpu *g);
/* They are as they would be had no cycle been left out. */
void sockets_settle(struct gpu *g);

#endif
