/*
 * unit_dpi - a unit's golden model for SystemVerilog, by the Direct Programming
 * Interface. The same source for all units: UNIT names the unit.
 *
 *   chandle claso_dpi_open(params)           "N_CORE=15 N_KERNEL=4"; null if wrong
 *   void claso_dpi_set_kernel_i(unit, v)     an input; one function each
 *   void claso_dpi_eval(unit)                outputs and next state
 *   void claso_dpi_get_allow_o(unit, v)  an output; one function each
 *   void claso_dpi_get_busy_q(unit, v)       a register; one function each
 *   longint claso_dpi_get_local_q(unit, e)   element e of a memory
 *   void claso_dpi_tick(unit)                rising edge, rst_i low
 *   void claso_dpi_reset(unit)               rising edge, rst_i high
 *   void claso_dpi_close(unit)
 *
 * A FLAG is a bit, everything else a packed vector of bits as wide as the port.
 * `gpusched-unit ports UNIT --format=systemverilog` prints a package with the imports.
 */

#include <stdio.h>

#include <svdpi.h>

#include "base/unit.h"

/* The rows of the port table, by number. */
enum {
#define IN(field, shape, meaning)                            field##_i_row,
#define OUT(field, shape, meaning)                           field##_o_row,
#define REG(field, shape, meaning)                           field##_q_row,
#define MEM(field, w, per_word, words, max, writes, meaning) field##_mem_row,
#include "base/unit_rows.h"
    n_row
};

void *UNIT_NAME(dpi_open)(const char *params)
{
    struct fault fault;
    struct unit *const unit = unit_open_text(UNIT_STRING(UNIT), params, &fault);

    if (unit == NULL) {
        fprintf(stderr, "%s\n", fault_text(&fault));
    }
    return unit;
}

void UNIT_NAME(dpi_eval)(void *unit)
{
    unit_eval(unit);
}

void UNIT_NAME(dpi_tick)(void *unit)
{
    unit_edge(unit, false);
}

void UNIT_NAME(dpi_reset)(void *unit)
{
    unit_edge(unit, true);
}

void UNIT_NAME(dpi_close)(void *unit)
{
    unit_close(unit);
}

/* ---- Ports --------------------------------------------------------------------------- */

/* How C receives an input: a flag by value, everything else by reference. */
#define INPUT_FLAG             svBit
#define INPUT_NUM(w)           const svBitVecVal *
#define INPUT_LONG(w)          const svBitVecVal *
#define INPUT_SET(n)           const svBitVecVal *
#define INPUT_ARRAY(w, n, max) const svBitVecVal *

/* And an output: always by reference. */
#define OUTPUT_FLAG             svBit
#define OUTPUT_NUM(w)           svBitVecVal
#define OUTPUT_LONG(w)          svBitVecVal
#define OUTPUT_SET(n)           svBitVecVal
#define OUTPUT_ARRAY(w, n, max) svBitVecVal

static void set_flag(struct unit *unit, uint32_t row, svBit value)
{
    unit_set(&unit->ports[row], unit->in, 0u, value & 1u);
}

static void set_vector(struct unit *unit, uint32_t row, const svBitVecVal *value)
{
    unit_unpack(&unit->ports[row], value, unit->in);
}

static void get_flag(const struct unit *unit, uint32_t row, const void *group, svBit *value)
{
    *value = (svBit)unit_get(&unit->ports[row], group, 0u);
}

static void get_vector(const struct unit *unit, uint32_t row, const void *group,
                       svBitVecVal *value)
{
    unit_pack(&unit->ports[row], group, value);
}

#define SET(value) _Generic((value), svBit : set_flag, default : set_vector)
#define GET(value) _Generic((value), svBit * : get_flag, default : get_vector)

#define IN(field, shape, meaning)                                        \
    void UNIT_NAME(dpi_set_##field##_i)(void *unit, INPUT_##shape value) \
    {                                                                    \
        SET(value)(unit, field##_i_row, value);                          \
    }
#define OUT(field, shape, meaning)                                          \
    void UNIT_NAME(dpi_get_##field##_o)(void *unit, OUTPUT_##shape *value)  \
    {                                                                       \
        GET(value)(unit, field##_o_row, ((struct unit *)unit)->out, value); \
    }
#define REG(field, shape, meaning)                                         \
    void UNIT_NAME(dpi_get_##field##_q)(void *unit, OUTPUT_##shape *value) \
    {                                                                      \
        GET(value)(unit, field##_q_row, unit_state(unit), value);          \
    }
#define MEM(field, w, per_word, words, max, writes, meaning)                                 \
    long long UNIT_NAME(dpi_get_##field##_q)(void *unit, int element)                        \
    {                                                                                        \
        const struct unit_port *const port = &((struct unit *)unit)->ports[field##_mem_row]; \
        return (long long)unit_get(port, unit_memory(unit), (uint32_t)element);              \
    }
#include "base/unit_rows.h"
