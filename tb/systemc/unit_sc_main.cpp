// unit_sc_main - RTL and golden model of a unit as SystemC modules, side by side on
// one clock, with the unit's stimulus before them and a checker behind them. The same
// source for all units and parameters.
//
//   CASE [CYCLES [SEED [MODE]]]       exit: 0 equal, 1 a difference, 2 bad input

#include <cstdlib>
#include <iostream>

#include "Vdut.h"
#include "unit_sc.h"

extern "C" {
#include "lockstep/stimulus.h"
}

using namespace unit_sc;

// The signals between the driver, both units, and the checker.
struct wires {
    sc_core::sc_signal<bool> rst_i;
#define IN(field, shape, meaning) sc_core::sc_signal<value<UNIT_BITS_##shape>> field##_i;
#define OUT(field, shape, meaning)                               \
    sc_core::sc_signal<value<UNIT_BITS_##shape>> field##_o_rtl; \
    sc_core::sc_signal<value<UNIT_BITS_##shape>> field##_o_model;
#include "base/unit_rows.h"
};

// After each rising edge, the inputs of the next cycle. It has a golden model of its
// own, since the stimulus may depend on the unit.
SC_MODULE(driver)
{
    sc_core::sc_in<bool> clk{"clk"};

    SC_HAS_PROCESS(driver);
    driver(sc_core::sc_module_name name, wires &to, const char *mode, uint64_t seed)
        : sc_module(name), w(to), stimulus(stimulus_open(twin.unit, mode, seed))
    {
        if (stimulus == nullptr) {
            throw std::invalid_argument(std::string(mode) + " is not " + stimulus_kinds);
        }
        SC_METHOD(drive);
        sensitive << clk.pos();
    }
    ~driver() override { stimulus_close(stimulus); }

private:
    void drive()
    {
        if (cycle++ > 0) {
            unit_eval(twin.unit);
            unit_edge(twin.unit, reset);
        }
        reset = stimulus_next(stimulus);
        w.rst_i.write(reset);
#define IN(field, shape, meaning) \
    w.field##_i.write(twin.get<value<UNIT_BITS_##shape>>(field##_i_row, twin.unit->in));
#include "base/unit_rows.h"
    }

    wires &w;
    golden twin;
    struct stimulus *stimulus;
    uint64_t cycle = 0;
    bool reset = true;
};

// At each rising edge, what both units showed in the cycle that ends.
SC_MODULE(checker)
{
    sc_core::sc_in<bool> clk{"clk"};
    uint64_t cycle = 0;
    bool equal = true;

    SC_HAS_PROCESS(checker);
    checker(sc_core::sc_module_name name, wires &from, uint64_t cycles)
        : sc_module(name), w(from), last(cycles)
    {
        SC_METHOD(check);
        sensitive << clk.pos();
        dont_initialize();
    }

private:
    template <class T> void compare(const char *port, const T &rtl, const T &model)
    {
        if (!(rtl == model)) {
            std::cout << "DIFFERENCE " UNIT_STRING(UNIT) ", SystemC, cycle " << cycle << "\n  "
                      << port << ": expected " << model << ", got " << rtl << "\n";
            equal = false;
        }
    }
    void check()
    {
        if (cycle > 1) {  // edge 0 starts the stimulus, edge 1 is the first reset
#define OUT(field, shape, meaning) \
    compare(#field "_o", w.field##_o_rtl.read(), w.field##_o_model.read());
#include "base/unit_rows.h"
        }
        if (!equal || cycle == last) {
            sc_core::sc_stop();
        } else {
            cycle++;
        }
    }

    wires &w;
    uint64_t last;
};

template <class unit> void connect_inputs(unit &u, sc_core::sc_clock &clock, wires &w)
{
    u.clk(clock);
    u.rst_i(w.rst_i);
#define IN(field, shape, meaning) u.field##_i(w.field##_i);
#include "base/unit_rows.h"
}

static int run(uint64_t cycles, uint64_t seed, const char *mode)
{
    sc_core::sc_clock clock("clk", 10, sc_core::SC_NS, 0.5, 10, sc_core::SC_NS);
    wires w;
    Vdut rtl("rtl");
    model twin("model");
    driver source("driver", w, mode, seed);
    checker check("checker", w, cycles);

    connect_inputs(rtl, clock, w);
    connect_inputs(twin, clock, w);
#define OUT(field, shape, meaning)      \
    rtl.field##_o(w.field##_o_rtl); \
    twin.field##_o(w.field##_o_model);
#include "base/unit_rows.h"
    source.clk(clock);
    check.clk(clock);
    sc_core::sc_start();
    rtl.final();

    if (check.equal) {
        std::cout << "equal  " UNIT_STRING(UNIT) " as SystemC modules, RTL and golden model, "
                  << mode << ", seed " << seed << ", " << check.cycle << " cycles\n";
    }
    return check.equal ? 0 : 1;
}

int sc_main(int argc, char **argv)
{
    try {
        sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_DO_NOTHING);
        return run(argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10000u,
                   argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1u,
                   argc > 3 ? argv[3] : "mixed");
    } catch (const std::exception &error) {
        std::cerr << argv[0] << ": " << error.what() << "\n";
        return 2;
    }
}
