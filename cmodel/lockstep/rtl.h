/*
 * rtl - Verilog of a unit, compiled by Verilator and loaded while we run.
 *
 * rtl_unit.cpp and Verilator's output make build/rtl/<unit>-<parameters>.so. It
 * exports rtl_ops, and knows nothing of C structs: it tells where its
 * nets are, as bytes, and rtl.c compares and moves values by the description of the
 * unit. It exports the text rtl_source too: the Verilog files that it was made of.
 *
 * A library that `gpusched rtl build` has made of another's Verilog exports rtl_theirs as well.
 * Its outputs are all compared; its registers and memories are where it has them by the names
 * and in the shapes of the port table. Without rtl_theirs, all must be there.
 * A process may hold any number of libraries, and of instances of each.
 */

#ifndef RTL_H
#define RTL_H

#include "base/unit.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- What a library exports ---------------------------------------------------------- */

/* Where a port or register is; a wide one in 32-bit words, lowest first. */
struct rtl_net {
    void *at;
    size_t bytes;    /* of one piece */
    uint32_t pieces; /* 1, or the elements of a Verilog array */
    uint32_t bits;   /* of one piece of a register; 0 for a port */
};

/* A value that a waveform shows beside the nets: what the model holds. */
struct rtl_signal {
    char name[UNIT_PORT_NAME + 16];
    uint32_t bits;
    uint32_t *words; /* lowest first */
};

struct rtl_ops {
    /* A new instance; finds the nets of n ports and registers by unit_port_name. One that is
     * not there has no pieces. */
    void *(*open)(const char *const *names, struct rtl_net *nets, uint32_t n);
    /* Clock low: the outputs follow the inputs. */
    void (*eval)(void *instance, bool reset);
    /* Clock high. */
    void (*tick)(void *instance);
    /* Begins a waveform, with the nets and n signals. */
    void (*trace)(void *instance, const char *file, const struct rtl_signal *signals,
                  uint32_t n);
    /* Adds the present values to it. */
    void (*dump)(void *instance, uint64_t time);
    void (*close)(void *instance);
    /* All that it holds, ports included: where it lies, and its bytes. */
    const void *(*state)(const void *instance, size_t *bytes);
    /* After tick: the edge has left every register as it was, whatever it is called. NULL: it
     * does not say, nor does another's RTL. */
    bool (*held)(const void *instance);
};

/* ---- The C side, rtl.c --------------------------------------------------------------- */

struct rtl;

/*
 * The library of a unit's RTL, its file name in text. given: a file, or a folder that has it
 * under the unit's name; NULL: the repository's, which `make` builds unless it is there
 * already and whole. False, with the reason on stderr.
 */
bool rtl_find(const struct unit *unit, const char *given, char *text, size_t size);

/* The repository's file name, whether it is there or not. */
void rtl_file_name(const struct unit *unit, char *text, size_t size);
/* Has `make` build n libraries at once, as many at a time as there are processors. False with
 * the reason on stderr. quiet: nothing else is said. */
bool rtl_build_all(const char *const *files, uint32_t n, bool quiet);
/* Runs the sources' make for n goals, or settings NAME=VALUE, which have no blanks in the names
 * of their files. quiet: it does not say what it makes. False if it fails; what it says on
 * stderr is left as it is. */
bool rtl_make(const char *const *goals, uint32_t n, bool quiet);

/* True if the file can be loaded: it is whole, and another process has tried. Otherwise the
 * reason is on stderr, unless quiet. */
bool rtl_loads(const char *file, bool quiet);

/* NULL, with the reason on stderr, if the file is not this unit's, or is damaged. */
struct rtl *rtl_open(const struct unit *unit, const char *file);

/* A part of a composition that is compared in its RTL: its ports are those of instance u_name,
 * and must be what unit->in and unit->out hold. */
struct rtl_part {
    const char *name;
    struct unit *unit;
};
/* The same for a composition, with the ports of n parts. Only for the repository's RTL, in
 * which they can be seen. */
struct rtl *rtl_open_parts(const struct unit *unit, const char *file,
                           const struct rtl_part *parts, uint32_t n);
void rtl_close(struct rtl *rtl); /* NULL is fine */

/* The Verilog that it was made of, each file with the first 12 digits of its SHA-256:
 * "rtl/top/cluster_port.v 0123456789ab, ...". Of another's, what of it is compared follows:
 * "mine.v 0123456789ab (outputs 9 of 9, registers 4 of 11, memories 0 of 3)". */
const char *rtl_source(const struct rtl *rtl);

/* Settles under the inputs in the model's unit->in. */
void rtl_eval(struct rtl *rtl, bool reset);
/* The same, under those that it has, without a reset. */
void rtl_eval_again(struct rtl *rtl);

/* Its outputs, into the unit's struct of outputs. */
void rtl_outputs(const struct rtl *rtl, void *out);

/*
 * The clock edge. Call it before the model's: without a reset, it notes the writes
 * in the model's unit->next, to know what the memories must hold.
 */
void rtl_tick(struct rtl *rtl, bool reset);

/* It says of each edge whether it has left every register as it was. */
bool rtl_says(const struct rtl *rtl);
/* If so: the last one has. Then so does every further edge under the same inputs. */
bool rtl_held(const struct rtl *rtl);

/*
 * After an edge: true if it left all that the RTL holds, and its inputs, as the edge before it
 * did. Then so does every further edge under the same inputs, and none of them need be run.
 * What it holds is compared whole, with registers of which the golden model knows nothing.
 */
bool rtl_settled(struct rtl *rtl);

/* True when every output, register and memory that is compared equals the model's, and every
 * port of a part the part's, after both evals. */
bool rtl_equal(const struct rtl *rtl);

/* The comparison compared: turns over each byte of each output, register and memory that is
 * compared, while all are equal, and back. The port whose bytes rtl_equal does not miss; NULL:
 * it misses none. */
const struct unit_port *rtl_overlooks(const struct rtl *rtl);

/* Finds up to max differences from the model. Slow, for a report. */
uint32_t rtl_compare(const struct rtl *rtl, struct unit_difference *differences, uint32_t max);

/*
 * Begins a waveform with the RTL's nets in scope rtl, and in scope golden the model's
 * outputs, registers and memory words, under the same names. A dump adds the present
 * values of both. False, with the reason on stderr, if there is no memory.
 */
bool rtl_trace(struct rtl *rtl, const char *file);
void rtl_dump(struct rtl *rtl, uint64_t time);

#ifdef __cplusplus
}
#endif

#endif
