// rtl_unit - one Verilated unit behind the C interface of rtl.h. The same source
// for all units and parameters: UNIT names the unit, Vdut is its Verilated class.

#include "Vdut.h"
#include "Vdut___024root.h"
#include "verilated_fst_c.h"

#include "rtl.h"

namespace {

// A context with one thread, made before the model: the default starts one thread
// a processor, for every instance.
struct single_thread : VerilatedContext {
    single_thread() { threads(1); }
};

// What the golden model holds, as a part of the waveform.
struct golden_signals {
    const rtl_signal *signals = nullptr;
    uint32_t n = 0;
    uint32_t code = 0;  // the first of the waveform's numbers for them
};

struct instance {
    single_thread context;
    Vdut dut{&context, "rtl"};
    VerilatedFstC trace;
    golden_signals golden;
};

// A scalar, or the words of a VlWide: one piece either way.
template <class T> rtl_net net(T &value)
{
    return {&value, sizeof value, 1};
}

// A Verilog array: a piece an element.
template <class T, std::size_t N> rtl_net net(VlUnpacked<T, N> &array)
{
    return {&array[0], sizeof array[0], N};
}

void *open(rtl_net *nets)
{
    auto *const self = new instance;
    self->context.traceEverOn(true);  // or Verilator refuses to trace later
#define IN(field, shape, meaning)  *nets++ = net(self->dut.field##_i);
#define OUT(field, shape, meaning) *nets++ = net(self->dut.field##_o);
#define REG(field, shape, meaning) *nets++ = net(self->dut.rootp->UNIT_NAME(_DOT__##field##_q));
#define MEM(field, w, per_word, words, max, writes, meaning) REG(field, , )
#include "unit_rows.h"
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
    settle(handle, true);
}

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
    self->golden = {signals, n, 0};
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

void close(void *handle)
{
    auto *const self = static_cast<instance *>(handle);
    self->trace.close();
    // Verilator 5.006 looks for a model's scopes in the thread's latest context,
    // which may be that of an instance already gone.
    Verilated::threadContextp(&self->context);
    delete self;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const rtl_ops rtl_ops = {
    open, eval, tick, trace, dump, close,
};
