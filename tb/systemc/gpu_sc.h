// gpu_sc - the golden GPU as a SystemC module on a clock. Its work distributor is outside: a
// module with the unit's ports, such as `verilator --sc` makes of its RTL, answers in the
// cycle in which it is asked, and what it answers is what the GPU does. The GPU's own golden
// work distributor runs along and checks every answer.
//
// The unit's inputs are outputs here and its outputs are inputs: kernel_i of the unit is bound
// to kernel_o. PARAM_<name> gives each parameter of the unit; gpusched-unit prints them with
// --format=defines. Types of ports are those of unit_sc.h.
//
// Timing, with inputs of the unit that change after a rising edge and stand until the next:
//
//      clk    ___/~~~~~~~\_______/~~~~~~~\___
//                |       |       |
//                |       |       the unit's registers take their next values
//                |       the answer is read and compared
//                the question of this cycle is put
//
// A cycle of clk is a cycle of the unit and not of the GPU: docs/systemc.md.

#ifndef GPU_SC_H
#define GPU_SC_H

#include <cinttypes>
#include <memory>
#include <string>

extern "C" {
#include "gpu/gpu.h"
#include "gpusched/run/machine_options.h"
#include "gpusched/run/session.h"
}

#define UNIT work_distributor
#include "unit_sc.h"

namespace unit_sc
{

// What the GPU is to run.
struct gpu_sc_job {
    std::string gpu;              // a file, or the name of one in configs/gpu
    std::string workload;         // as of gpusched run
    std::vector<std::string> set; // "claso.active_levels=1"
};

SC_MODULE(gpu_sc)
{
    sc_core::sc_in<bool> clk{ "clk" };
    sc_core::sc_out<bool> rst_o{ "rst_o" };
#define IN(field, shape, meaning) \
    sc_core::sc_out<value<UNIT_BITS_##shape>> field##_o{ #field "_o" };
#define OUT(field, shape, meaning) \
    sc_core::sc_in<value<UNIT_BITS_##shape>> field##_i{ #field "_i" };
#include "base/unit_rows.h"

    // Throws std::invalid_argument if the job is none, or if the GPU's work distributor has
    // other parameters than those of the ports.
    SC_HAS_PROCESS(gpu_sc);
    gpu_sc(sc_core::sc_module_name name, const gpu_sc_job &what) : sc_module(name), job(what)
    {
        configure();
        load();
        SC_THREAD(run);
        set_stack_size(stack);
    }
    ~gpu_sc() override
    {
        session_close(&session, false);
    }

    // ---- After the end of the simulation, which the module stops ----------------------

    bool ran() const
    {
        return ended;
    } // to its end, not stopped from outside
    bool differs() const
    {
        return differed;
    } // reported on stdout
    const std::string &error() const
    {
        return bad;
    } // bad input after all, or ""; then there is no result
    uint64_t cycles() const
    {
        return clocked;
    } // of clk
    struct result result() const
    {
        struct result all = session_result(&session, &machine);
        all.not_calibrated = open;
        return all;
    } // as in result.json
    bool holds()
    {
        const struct result all = result();
        return session_holds(&session, &all);
    } // what must hold after every run
    const struct gpu_config &config() const
    {
        return machine;
    }

  private:
    // The workload's program and the whole GPU run on the thread's stack.
    static constexpr size_t stack = 16u << 20;
    enum { SHOWN = 16 };

    // ---- Before the simulation --------------------------------------------------------

    static void need(bool ok, const char *message)
    {
        if (!ok) {
            throw std::invalid_argument(message);
        }
    }

    void configure()
    {
        struct machine_options chosen = {};
        struct fault fault;
        chosen.gpu = job.gpu.c_str();
        for (const std::string &one : job.set) {
            need(machine_options_take(KEY_SET, one.c_str(), &chosen) == MACHINE_TAKEN,
                 "too many settings");
        }
        need(machine_options_config(&chosen, &machine, &fault) == MACHINE_GOOD,
             fault_text(&fault));
        struct gpu_source sources[GPU_KEYS];
        need(machine_options_sources(&chosen, &machine, sources, &open, &fault),
             fault_text(&fault));
        check_sizes();
    }

    // Sizes of ports are those of one GPU.
    void check_sizes()
    {
        const struct gpu_unit distributor = { &work_distributor_type, SOCKET_work_distributor,
                                              GPU_WHOLE };
        struct work_distributor_config needed;
        need(gpu_unit_parameters(&distributor, &machine, &needed), "no memory");
        std::string theirs;
        std::string ours;
        bool equal = true;
        char upper[UNIT_NAME_SIZE];
#define PARAM(field, standard, lowest, highest, meaning)                     \
    unit_upper(#field, upper);                                               \
    theirs += std::string(" ") + upper + "=" + std::to_string(needed.field); \
    ours += std::string(" ") + upper + "=" + std::to_string(PARAM_##field);  \
    equal = equal && needed.field == PARAM_##field;
#include "base/unit_rows.h"
        if (!equal) {
            throw std::invalid_argument(job.gpu + " needs a platform with" + theirs
                                        + "; this one has" + ours);
        }
    }

    void load()
    {
        struct workload_choice choice = {};
        choice.name = job.workload.c_str();
        if (!session_load(&session, &choice, &machine)) {
            const std::string why = fault_text(&session.fault);
            session_close(&session, false);
            throw std::invalid_argument(why);
        }
    }

    // ---- The thread -------------------------------------------------------------------

    void run()
    {
        peer.self = this;
        peer.seat = take_seat;
        peer.evaluated = evaluated;
        hooks.peer = &peer;
        on.config = &machine;
        rst_o.write(true);
        edge();
        rst_o.write(false);
        if (!session_run(&session, &on, &hooks)) {
            bad = fault_text(&session.fault);
        }
        ended = true;
        sc_core::sc_stop();
    }

    void edge()
    {
        wait(clk.posedge_event());
        clocked++;
    }

    static void *take_seat(void *self, enum gpu_socket socket, uint32_t,
                           const struct unit_watch **)
    {
        return socket == SOCKET_work_distributor ? self : nullptr;
    }

    // Called by the GPU, somewhere below run, in each cycle of the unit; again after false.
    static bool evaluated(void *self, const void *, const void *in, void *out, const void *,
                          uint64_t gpu_cycle)
    {
        return static_cast<gpu_sc *>(self)->exchange(
            static_cast<const struct work_distributor_in *>(in),
            static_cast<struct work_distributor_out *>(out), gpu_cycle);
    }

    bool exchange(const struct work_distributor_in *in, struct work_distributor_out *out,
                  uint64_t gpu_cycle)
    {
        if (differed) {
            return false;
        }
#define IN(field, shape, meaning) \
    field##_o.write(table.get<value<UNIT_BITS_##shape>>(field##_i_row, in));
#include "base/unit_rows.h"
        wait(clk.negedge_event());
        struct work_distributor_out got = {};
#define OUT(field, shape, meaning) take(field##_o_row, field##_i.read(), &got);
#include "base/unit_rows.h"
        compare(in, *out, got, gpu_cycle);
        if (differed) {
            return false; // the GPU may not act on an SM without room, or on one it lacks
        }
        *out = got;
        edge();
        return true;
    }

    // The value of a port, to the struct of its group.
    template <class T> void take(row which, const T &from, void *group)
    {
        const struct unit_port *const port = &table.unit->ports[which];
        std::vector<uint32_t> words(unit_words(unit_port_bits(port)) + 2u);
        to_words(from, words.data());
        unit_unpack(port, words.data(), group);
    }

    // ---- A difference -----------------------------------------------------------------

    void compare(const struct work_distributor_in *in,
                 const struct work_distributor_out &expected,
                 const struct work_distributor_out &got, uint64_t gpu_cycle)
    {
        struct unit_difference found[SHOWN];
        const uint32_t n = unit_compare(table.unit, UNIT_OUT, &expected, &got, found, SHOWN);

        differed = n != 0u;
        if (!differed) {
            return;
        }
        char title[UNIT_TITLE];
        std::printf("DIFFERENCE %s\n", unit_title(table.unit, title));
        std::printf("  platform   %s on %s\n", job.workload.c_str(), job.gpu.c_str());
        std::printf("  cycle      %" PRIu64 " of the unit, %" PRIu64 " of the GPU, at %s\n",
                    clocked, gpu_cycle, sc_core::sc_time_stamp().to_string().c_str());
        std::printf("\n  %-24s %20s %20s\n", "port[element]", "expected", "got");
        for (uint32_t i = 0u; i < n && i < SHOWN; i++) {
            std::printf("  %-24s %20" PRIu64 " %20" PRIu64 "\n", label(found[i]).c_str(),
                        found[i].expected, found[i].got);
        }
        std::printf("\n  inputs of this cycle, hexadecimal\n");
#define IN(field, shape, meaning) print_input(field##_i_row, in);
#include "base/unit_rows.h"
    }

    static std::string label(const struct unit_difference &at)
    {
        char text[UNIT_PORT_NAME];
        const std::string port = unit_port_name(at.port, text);
        return at.port->count > 1u ? port + "[" + std::to_string(at.element) + "]" : port;
    }

    void print_input(row which, const struct work_distributor_in *in) const
    {
        const struct unit_port *const port = &table.unit->ports[which];
        std::vector<uint32_t> words(unit_words(unit_port_bits(port)) + 2u);
        char text[UNIT_PORT_NAME];

        unit_pack(port, in, words.data());
        std::printf("  %-24s ", unit_port_name(port, text));
        for (uint32_t i = unit_words(unit_port_bits(port)); i-- > 0u;) {
            std::printf(i + 1u == unit_words(unit_port_bits(port)) ? "%" PRIx32 : "%08" PRIx32,
                        words[i]);
        }
        std::printf("\n");
    }

    gpu_sc_job job;
    struct gpu_config machine = {};
    uint32_t open = 0; // of its values: they follow no public source
    struct session session = {};
    struct workload_machine on = {};
    struct gpu_hooks hooks = {};
    struct gpu_peer peer = {};
    golden table; // for its description of the ports
    uint64_t clocked = 0;
    bool ended = false;
    bool differed = false;
    std::string bad;
};

// What connects a gpu_sc to its peer, which has the unit's own ports: clk, rst_i, kernel_i, ...
struct gpu_sc_wires : unit_wires {
    template <class unit> void connect(gpu_sc &gpu, unit &peer, sc_core::sc_clock &clock)
    {
        unit_wires::connect(peer, clock);
        gpu.clk(clock);
        gpu.rst_o(rst);
#define IN(field, shape, meaning)  gpu.field##_o(field);
#define OUT(field, shape, meaning) gpu.field##_i(field);
#include "base/unit_rows.h"
    }
};

} // namespace unit_sc

#endif
