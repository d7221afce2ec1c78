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

struct instance {
    single_thread context;
    Vdut dut{&context, UNIT_STRING(UNIT)};
    VerilatedFstC trace;
    uint64_t time = 0;
    bool tracing = false;
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

void settle(instance *self, bool clock)
{
    self->dut.clk = clock;
    self->dut.eval();
    if (self->tracing) {
        self->trace.dump(self->time);
        self->time += 5;
    }
}

void eval(void *handle, bool reset)
{
    auto *const self = static_cast<instance *>(handle);
    self->dut.rst_i = reset;
    settle(self, false);
}

void tick(void *handle)
{
    settle(static_cast<instance *>(handle), true);
}

void trace(void *handle, const char *file, uint64_t cycle)
{
    auto *const self = static_cast<instance *>(handle);
    self->dut.trace(&self->trace, 99);
    self->trace.open(file);
    self->time = 10 * cycle;
    self->tracing = true;
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
    open, eval, tick, trace, close,
};
