/* rtl_parts - what a loaded RTL is made of, for rtl.c and rtl_wave.c only. */

#ifndef RTL_PARTS_H
#define RTL_PARTS_H

#include "base/output_file.h"
#include "lockstep/rtl.h"

/* A row of the port table with its net, and what a memory must hold. A register or memory that
 * another's RTL does not have has no pieces. */
struct row {
    const struct unit_port *port;
    const void *group; /* the struct that has its field; NULL for inputs */
    struct rtl_net net;
    uint32_t *image; /* of a memory: its words, each in whole 32-bit words; of an array of
                        inputs: what the net has */
};

/* Bytes of the RTL that must be those of the model. */
struct rtl_alike {
    const char *net, *field;
    size_t bytes;
};

/* As many as the list says in which they are. */
struct rtl_piece {
    const char *net, *field;
};
/* Of values that lie alike, by their bytes; and of others, by the bytes of net and field. */
enum rtl_piece_list {
    RTL_ONE,
    RTL_FOUR,
    RTL_EIGHT,
    RTL_SIXTEEN,
    RTL_ONE_IN_FOUR,
    RTL_TWO_IN_FOUR,
    RTL_ONE_IN_EIGHT,
    RTL_TWO_IN_EIGHT,
    RTL_FOUR_IN_EIGHT,
    RTL_PIECE_LISTS
};
struct rtl_pieces {
    struct rtl_piece *piece;
    uint32_t n;
};

struct rtl {
    const struct unit *unit;
    const struct rtl_ops *ops;
    const char *source;
    char *named; /* of another's RTL: with what is compared; otherwise NULL */
    bool theirs;
    void *library;
    void *instance;
    struct row *rows; /* of the unit's ports; behind them of each part's */
    uint32_t n_row;
    const struct rtl_part *parts;
    uint32_t n_part;
    struct unit_port *part_ports; /* their ports, by their names in the unit */
    const struct row **sorted;    /* the lists below; of rows */
    const struct row **inputs, **memories, **others; /* others: compared in no other list */
    struct rtl_alike *alike;                         /* those that are cut into no pieces */
    struct rtl_pieces pieces[RTL_PIECE_LISTS];
    uint32_t n_input, n_memory, n_other, n_alike;
    uint32_t *words;            /* the widest port */
    void *held;                 /* all of it, after the last edge; NULL before */
    struct rtl_signal *signals; /* of the model, for a waveform; NULL without one */
    uint32_t n_signal;
    struct output_file wave;
};

/* True for a register or memory that is an array in Verilog. */
static inline bool is_array(const struct unit_port *port)
{
    return port->group == UNIT_MEM || (port->group == UNIT_REG && port->shape == UNIT_ARRAY);
}

static inline uint32_t pieces(const struct unit_port *port)
{
    return port->group == UNIT_MEM ? port->words : is_array(port) ? port->count : 1u;
}

static inline uint32_t piece_bits(const struct unit_port *port)
{
    return port->group == UNIT_REG && is_array(port) ? port->width : unit_port_bits(port);
}

/* Makes the lists, once the rows are complete. False: no memory. */
bool rtl_sort_rows(struct rtl *rtl);

/* After the instance, which ends the waveform. */
void rtl_free_signals(struct rtl *rtl);

#endif
