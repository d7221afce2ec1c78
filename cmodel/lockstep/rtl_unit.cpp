// rtl_unit - one Verilated unit behind the C interface of rtl.h. The same source
// for all units and parameters: UNIT names the unit, Vdut is its Verilated class.

#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>

#include "Vdut.h"
#include "Vdut___024root.h"
#include "Vdut__Syms.h"
#include "verilated_fst_c.h"
#include "verilated_syms.h"

#include "lockstep/rtl.h"

namespace
{

// A context with one thread, made before the model: the default starts one thread
// a processor, for every instance.
struct single_thread : VerilatedContext {
    single_thread()
    {
        threads(1);
    }
};

// What the golden model holds, as a part of the waveform.
struct golden_signals {
    const rtl_signal *signals = nullptr;
    uint32_t n = 0;
    uint32_t code = 0; // the first of the waveform's numbers for them
};

struct instance {
    single_thread context;
    Vdut dut{ &context, "rtl" };
    VerilatedFstC trace;
    golden_signals golden;
    bool held = false; // the last edge has changed no register
};

// A port of the module by its name; no pieces if there is none. Takes scalars and the words
// of a VlWide alike: one piece.
rtl_net port(Vdut &dut, const std::string &name)
{
#define IN(field, shape, meaning)                              \
    if (name == #field "_i") {                                 \
        return { &dut.field##_i, sizeof dut.field##_i, 1, 0 }; \
    }
#define OUT(field, shape, meaning)                             \
    if (name == #field "_o") {                                 \
        return { &dut.field##_o, sizeof dut.field##_o, 1, 0 }; \
    }
#include "base/unit_rows.h"
    return { nullptr, 0, 0, 0 };
}

// A register of the module or of an instance in it: "busy_q", "u_credits.busy_q". Verilator
// keeps a table of them because registers.vlt makes them public. A Verilog array is a piece
// an element.
rtl_net state(const instance &self, const std::string &name)
{
    const std::size_t dot = name.rfind('.');
    const std::string part = dot == std::string::npos ? "" : "." + name.substr(0, dot);
    const VerilatedScope *const scope =
        self.context.scopeFind(("rtl." UNIT_STRING(UNIT) + part).c_str());
    VerilatedVar *const var =
        scope == nullptr ? nullptr : scope->varFind(name.substr(dot + 1).c_str());
    if (var == nullptr) {
        return { nullptr, 0, 0, 0 };
    }
    // Of an array of single bits it keeps only the bounds, as those of a vector; an array's
    // ascend, a vector's do not.
    const VerilatedRange &bounds = var->udims() == 0 ? var->packed() : var->unpacked();
    const bool array = var->udims() > 0 || bounds.left() < bounds.right();
    const int bits = array && var->udims() == 0 ? 1 : var->packed().elements();
    return { var->datap(), var->entSize(), uint32_t(array ? bounds.elements() : 1),
             uint32_t(bits) };
}

// Verilated code cannot go on without memory. That is no result of the RTL: the process ends as
// after bad input, not with an exception, which would count as a crash.
[[noreturn]] void end_without_memory()
{
    std::fputs("gpusched: no memory for the RTL\n", stderr);
    std::_Exit(2);
}

void *open(const char *const *names, rtl_net *nets, uint32_t n)
{
    std::set_new_handler(end_without_memory);
    auto *const self = new instance;
    self->context.traceEverOn(true); // or Verilator refuses to trace later
    for (uint32_t i = 0; i < n; i++) {
        nets[i] = port(self->dut, names[i]);
        if (nets[i].pieces == 0) {
            nets[i] = state(*self, names[i]);
        }
    }
    return self;
}

void settle(void *handle, bool clock)
{
    auto *const self = static_cast<instance *>(handle);
    self->dut.clk = clock;
    self->dut.eval();
}

void eval(void *handle, bool reset)
{
    static_cast<instance *>(handle)->dut.rst_i = reset;
    settle(handle, false);
}

void tick(void *handle)
{
#ifdef RTL_KNOWS_CHANGES
    rtl_changed = true;
    settle(handle, true);
    static_cast<instance *>(handle)->held = !rtl_changed;
#else
    settle(handle, true);
#endif
}

#ifdef RTL_KNOWS_CHANGES
bool has_held(const void *handle)
{
    return static_cast<const instance *>(handle)->held;
}
#else
constexpr bool (*has_held)(const void *) = nullptr;
#endif

// ---- Waveform: Verilator asks for declarations once, and for values at each dump ----

void declare(void *handle, VerilatedFst *file, uint32_t code)
{
    auto *const golden = static_cast<golden_signals *>(handle);
    golden->code = code;
    file->scopeEscape(' ');
    file->pushNamePrefix("golden ");
    for (uint32_t i = 0; i < golden->n; i++) {
        const rtl_signal &signal = golden->signals[i];
        const int top = int(signal.bits) - 1;
        const auto wire = FST_VT_VCD_WIRE;
        const auto no_dir = FST_VD_IMPLICIT;
        if (signal.bits == 1) {
            file->declBit(code, signal.name, -1, no_dir, wire, false, -1);
        } else if (signal.bits <= 32) {
            file->declBus(code, signal.name, -1, no_dir, wire, false, -1, top, 0);
        } else if (signal.bits <= 64) {
            file->declQuad(code, signal.name, -1, no_dir, wire, false, -1, top, 0);
        } else {
            file->declArray(code, signal.name, -1, no_dir, wire, false, -1, top, 0);
        }
        code += unit_words(signal.bits);
    }
    file->popNamePrefix();
    file->scopeEscape('.');
}

void give_values(void *handle, VerilatedFst::Buffer *buffer)
{
    auto *const golden = static_cast<golden_signals *>(handle);
    uint32_t *old = buffer->oldp(golden->code);
    for (uint32_t i = 0; i < golden->n; i++) {
        const rtl_signal &signal = golden->signals[i];
        const int bits = int(signal.bits);
        if (bits == 1) {
            buffer->fullBit(old, signal.words[0]);
        } else if (bits <= 32) {
            buffer->fullIData(old, signal.words[0], bits);
        } else if (bits <= 64) {
            buffer->fullQData(old, uint64_t(signal.words[1]) << 32 | signal.words[0], bits);
        } else {
            buffer->fullWData(old, signal.words, bits);
        }
        old += unit_words(signal.bits);
    }
}

void trace(void *handle, const char *file, const rtl_signal *signals, uint32_t n)
{
    auto *const self = static_cast<instance *>(handle);
    self->golden = { signals, n, 0 };
    self->dut.trace(&self->trace, 99);
    self->trace.spTrace()->addInitCb(declare, &self->golden);
    self->trace.spTrace()->addFullCb(VerilatedFst::dumpCb_t(give_values), &self->golden);
    self->trace.spTrace()->addChgCb(VerilatedFst::dumpCb_t(give_values), &self->golden);
    self->trace.open(file);
}

void dump(void *handle, uint64_t time)
{
    static_cast<instance *>(handle)->trace.dump(time);
}

// Verilator's table of symbols is the complete state of a model: the modules lie in it, and in
// them the nets. No type of synthesizable Verilog has memory elsewhere.
const void *whole_state(const void *handle, size_t *bytes)
{
    const Vdut__Syms *const all = static_cast<const instance *>(handle)->dut.rootp->vlSymsp;
    *bytes = sizeof *all;
    return all;
}

void close(void *handle)
{
    auto *const self = static_cast<instance *>(handle);
    self->trace.close();
    // Verilator 5.006 looks for a model's scopes in the thread's latest context,
    // which may be that of an instance already gone.
    Verilated::threadContextp(&self->context);
    delete self;
}

} // namespace

// What ends the program in the middle is no result either. Verilator's own ways would end it as
// if all were well, or as a crash.
[[noreturn]] static void end_early(const char *file, int line, const char *why)
{
    std::fprintf(stderr, "gpusched: %s:%d: the RTL ends the program: %s\n", file, line, why);
    std::_Exit(2);
}

void vl_finish(const char *file, int line, const char *)
{
    end_early(file, line, "$finish");
}

void vl_stop(const char *file, int line, const char *)
{
    end_early(file, line, "$stop");
}

void vl_fatal(const char *file, int line, const char *, const char *why)
{
    end_early(file, line, why);
}

extern "C" __attribute__((visibility("default"))) const rtl_ops rtl_ops = {
    open, eval, tick, trace, dump, close, whole_state, has_held,
};
