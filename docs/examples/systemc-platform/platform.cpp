// platform - two GPUs of four cores, each with a greedy CTA scheduler; the scheduler of the
// second goes by the credits of CLASO. The unit is its golden model or, with RTL defined, its
// Verilog, verilated: the ports are the same.

#include <algorithm>
#include <cstdio>
#include <string>

#include "unit_sc.h"
#ifdef RTL
#include "Vclaso.h"
using claso_unit = Vclaso;
#else
using claso_unit = unit_sc::model;
#endif

enum { CORES = 4, ALL_CORES = 0xF, CTAS = 17, ROOM = 3, WORK = 10 };

// A core works for one of its CTAs a cycle, in turn. Its first lines may come late.
struct core {
    unsigned late;            // cycles
    unsigned left[ROOM] = {}; // cycles of work of the CTA in each place; 0: there is room
    unsigned turn = 0;
    unsigned end = 0; // of its last CTA, in cycles
    std::string ctas;

    explicit core(unsigned cycles) : late(cycles)
    {
    }
    bool has_room() const
    {
        return std::count(left, left + ROOM, 0u) != 0;
    }
    void take(unsigned cta)
    {
        *std::find(left, left + ROOM, 0u) = WORK;
        ctas += (ctas.empty() ? "" : " ") + std::to_string(cta);
    }
    void work(unsigned cycle)
    {
        bool done = cycle <= late;
        for (unsigned tried = 0; tried < ROOM && !done; tried++) {
            unsigned &place = left[turn++ % ROOM];
            done = place != 0u;
            place -= done;
            end = done ? cycle : end;
        }
    }
};

// The scheduler and its cores: the next CTA goes to the next core that has room and is
// allowed one. Cycles count from the first CTA.
SC_MODULE(gpu)
{
    sc_core::sc_in<bool> clk{ "clk" };
    sc_core::sc_in<uint32_t> allow_i{ "allow_i" };
    sc_core::sc_out<bool> issue_o{ "issue_o" };
    sc_core::sc_out<uint32_t> core_o{ "core_o" };

    core cores[CORES] = { core(14), core(18), core(16), core(0) };

    SC_CTOR(gpu)
    {
        SC_METHOD(choose);
        sensitive << allow_i << clocked;
        SC_METHOD(edge);
        sensitive << clk.pos();
        dont_initialize();
    }

  private:
    void choose()
    {
        bool found = false;
        for (unsigned i = 0; i < CORES && !found && next < CTAS; i++) {
            chosen = (first + i) % CORES;
            found = cores[chosen].has_room() && ((allow_i.read() >> chosen) & 1u) != 0u;
        }
        issue_o.write(found);
        core_o.write(chosen);
    }
    void edge()
    {
        cycle += next != 0u;
        for (core &one : cores) {
            one.work(cycle);
        }
        if (issue_o.read()) {
            cores[chosen].take(next++);
            first = chosen + 1u;
        }
        clocked.notify(sc_core::SC_ZERO_TIME);
    }

    sc_core::sc_event clocked;
    unsigned cycle = 0;
    unsigned next = 0; // CTA
    unsigned first = 0;
    unsigned chosen = 0;
};

static void print(const gpu &greedy, const gpu &fair)
{
    unsigned greedy_end = 0;
    unsigned fair_end = 0;

    std::printf("        greedy                     with credits\n");
    std::printf("core    CTAs             until     CTAs             until\n");
    for (int i = 0; i < CORES; i++) {
        const core &one = greedy.cores[i];
        const core &other = fair.cores[i];
        std::printf("%4d    %-15s %6u     %-15s %6u\n", i, one.ctas.c_str(), one.end,
                    other.ctas.c_str(), other.end);
        greedy_end = std::max(greedy_end, one.end);
        fair_end = std::max(fair_end, other.end);
    }
    std::printf(" all %25u %26u cycles\n", greedy_end, fair_end);
}

int sc_main(int, char **)
{
    sc_core::sc_clock clock("clk", 1, sc_core::SC_NS, 0.5, 0.5, sc_core::SC_NS);
    sc_core::sc_signal<uint32_t> everybody, core_of_greedy;
    sc_core::sc_signal<bool> issue_of_greedy;
    gpu greedy("greedy");
    gpu fair("fair");
    claso_unit credits("credits");
    unit_sc::unit_wires wires; // all ports of the unit

    greedy.clk(clock);
    greedy.allow_i(everybody);
    greedy.issue_o(issue_of_greedy);
    greedy.core_o(core_of_greedy);
    fair.clk(clock);
    fair.allow_i(wires.allow);
    fair.issue_o(wires.consume_valid);
    fair.core_o(wires.consume_core);
    wires.connect(credits, clock);

    // A cycle of reset, one in which the kernel is launched, and its run.
    everybody.write(ALL_CORES);
    wires.rst.write(true);
    sc_core::sc_start(1, sc_core::SC_NS);
    wires.rst.write(false);
    wires.launch_valid.write(true);
    wires.launch_ctas.write(CTAS);
    wires.launch_cores.write(ALL_CORES);
    wires.launch_active.write(1); // p_A; p_L stays 0
    sc_core::sc_start(1, sc_core::SC_NS);
    wires.launch_valid.write(false);
    sc_core::sc_start(100, sc_core::SC_NS);
    print(greedy, fair);
    return 0;
}
