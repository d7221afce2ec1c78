// unit_sc - a unit's golden model as a SystemC module, with the ports that
// `verilator --sc` gives its RTL, so that a platform can take either one.
//
// UNIT names the unit and PARAM_<name> gives each parameter; gpusched-unit prints
// them with --format=defines. A port of 1 bit is a bool, of up to 32 bits a
// uint32_t, of up to 64 a uint64_t, and a wider one an sc_bv.

#ifndef UNIT_SC_H
#define UNIT_SC_H

#include <cstring>
#include <stdexcept>
#include <systemc>
#include <type_traits>
#include <vector>

#define UNIT_HEADER_(u) #u ".h"
#define UNIT_HEADER(u)  UNIT_HEADER_(u)
#include "base/unit.h"

namespace unit_sc
{

// ---- Sizes, for the types of ports ---------------------------------------------

#define PARAM(field, standard, lowest, highest, meaning) \
    constexpr uint32_t field = PARAM_##field;
#define CONST(field, expression, meaning) constexpr uint32_t field = (expression);
#include "base/unit_rows.h"

template <uint32_t bits>
using value = std::conditional_t<
    bits == 1, bool,
    std::conditional_t<bits <= 32, uint32_t,
                       std::conditional_t<bits <= 64, uint64_t, sc_dt::sc_bv<int(bits)>>>>;

// ---- Values, from and to 32-bit words, lowest first ------------------------------

template <class T> T from_words(const uint32_t *words)
{
    if constexpr (std::is_integral_v<T>) {
        const uint64_t low = words[0];
        return T(sizeof(T) > 4 ? uint64_t(words[1]) << 32 | low : low);
    } else {
        T result;
        for (int i = 0; i < result.length(); i++) {
            result[i] = ((words[i / 32] >> (i % 32)) & 1u) != 0u;
        }
        return result;
    }
}

template <class T> void to_words(const T &from, uint32_t *words)
{
    if constexpr (std::is_integral_v<T>) {
        const uint64_t wide = from;
        std::memcpy(words, &wide, sizeof wide);
    } else {
        for (int i = 0; i < from.length(); i++) {
            const uint32_t bit = 1u << (i % 32);
            words[i / 32] = from[i].to_bool() ? words[i / 32] | bit : words[i / 32] & ~bit;
        }
    }
}

// ---- The model -------------------------------------------------------------------

// A golden model with its parameters, and room for the words of one port.
class golden
{
  public:
    golden()
    {
        static const char *const params[] = {
#define PARAM(field, standard, lowest, highest, meaning) param(#field, PARAM_##field),
#include "base/unit_rows.h"
            nullptr
        };
        struct fault fault;
        unit = unit_open(UNIT_STRING(UNIT), params, &fault);
        if (unit == nullptr) {
            throw std::invalid_argument(fault_text(&fault));
        }
        for (uint32_t i = 0; i < unit->n_port; i++) {
            const size_t n = unit_words(unit_port_bits(&unit->ports[i])) + 2u;
            words.resize(std::max(words.size(), n));
        }
    }
    golden(const golden &) = delete;
    golden &operator=(const golden &) = delete;
    ~golden()
    {
        unit_close(unit);
    }

    // Row i of the port table, from or to the struct of its group.
    template <class T> void set(uint32_t i, const T &from)
    {
        to_words(from, words.data());
        unit_unpack(&unit->ports[i], words.data(), unit->in);
    }
    template <class T> T get(uint32_t i, const void *group)
    {
        words[1] = 0u;
        unit_pack(&unit->ports[i], group, words.data());
        return from_words<T>(words.data());
    }

    struct unit *unit;

  private:
    // "N_CORE=15"; a program has one set of parameters, so the texts may stay.
    static const char *param(const char *name, uint32_t number)
    {
        char upper[UNIT_NAME_SIZE];
        return (new std::string(std::string(unit_upper(name, upper)) + "="
                                + std::to_string(number)))
            ->c_str();
    }
    std::vector<uint32_t> words;
};

// The rows of the port table, by number.
enum row : uint32_t {
#define IN(field, shape, meaning)                            field##_i_row,
#define OUT(field, shape, meaning)                           field##_o_row,
#define REG(field, shape, meaning)                           field##_q_row,
#define MEM(field, w, per_word, words, max, writes, meaning) field##_mem_row,
#include "base/unit_rows.h"
};

SC_MODULE(model)
{
    sc_core::sc_in<bool> clk{ "clk" };
    sc_core::sc_in<bool> rst_i{ "rst_i" };
#define IN(field, shape, meaning) \
    sc_core::sc_in<value<UNIT_BITS_##shape>> field##_i{ #field "_i" };
#define OUT(field, shape, meaning) \
    sc_core::sc_out<value<UNIT_BITS_##shape>> field##_o{ #field "_o" };
#include "base/unit_rows.h"

    SC_HAS_PROCESS(model);
    explicit model(sc_core::sc_module_name name) : sc_module(name)
    {
        SC_METHOD(settle);
        sensitive << clocked;
#define IN(field, shape, meaning) sensitive << field##_i;
#include "base/unit_rows.h"
        SC_METHOD(edge);
        sensitive << clk.pos();
        dont_initialize();
    }

  private:
    void eval()
    {
#define IN(field, shape, meaning) twin.set(field##_i_row, field##_i.read());
#include "base/unit_rows.h"
        unit_eval(twin.unit);
    }
    void settle()
    {
        eval();
#define OUT(field, shape, meaning) \
    field##_o.write(twin.get<value<UNIT_BITS_##shape>>(field##_o_row, twin.unit->out));
#include "base/unit_rows.h"
    }
    void edge()
    {
        eval();
        unit_edge(twin.unit, rst_i.read());
        clocked.notify(sc_core::SC_ZERO_TIME);
    }

    golden twin;
    sc_core::sc_event clocked;
};

// A signal for each port of a unit, and what binds the unit to them: the golden model, or RTL.
struct unit_wires {
    sc_core::sc_signal<bool> rst;
#define IN(field, shape, meaning)  sc_core::sc_signal<value<UNIT_BITS_##shape>> field;
#define OUT(field, shape, meaning) sc_core::sc_signal<value<UNIT_BITS_##shape>> field;
#include "base/unit_rows.h"

    template <class unit> void connect(unit &u, sc_core::sc_clock &clock)
    {
        u.clk(clock);
        u.rst_i(rst);
#define IN(field, shape, meaning)  u.field##_i(field);
#define OUT(field, shape, meaning) u.field##_o(field);
#include "base/unit_rows.h"
    }
};

} // namespace unit_sc

#endif
