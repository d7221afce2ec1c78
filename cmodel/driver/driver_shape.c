/* driver_shape - what a module and a launch are for the executor and for the GPU; see
 * driver_context.h. */

#include <inttypes.h>

#include "driver/driver_context.h"
#include "exec/exec_footprint.h"

enum { MAX_THREADS = 1024, MAX_SHARED = 1 << 20, MAX_LOCAL = 512 << 10 };

/* The highest register number in the streams of a kernel. */
static uint8_t last_register(const struct ptx_function *function)
{
    uint32_t last = REGISTER_FIRST;

    for (uint32_t i = 0u; i < function->n_inst; i++) {
        const struct instruction *const timing = &function->inst[i].timing;
        const uint32_t dst = timing->n_dst == 0u ? 0u : timing->dst + timing->n_dst - 1u;
        last = dst > last ? dst : last;
        for (uint32_t k = 0u; k < 4u; k++) {
            last = timing->src[k] > last ? timing->src[k] : last;
        }
    }
    return (uint8_t)(last < REGISTER_LAST ? last : REGISTER_LAST);
}

bool driver_compile(struct ptx_module *module, const struct gpu_config *config,
                    struct fault *fault)
{
    struct ptx_order order = {
        .operands = config->constant.operands,
        .registers = config->sm.registers / (32u * config->sm.warp_slots),
        .granule = at_least_one(config->sm.register_granule / 32u),
    };

    gpu_latencies(config, order.cycles);
    return !config->code.scheduled || ptx_reorder(module, &order, fault);
}

bool driver_shape_allowed(const struct exec_launch *exec, struct fault *fault)
{
    const struct ptx_function *const function = exec->function;
    const uint64_t ctas = (uint64_t)exec->grid[0] * exec->grid[1];
    const uint64_t threads = (uint64_t)exec->block[0] * exec->block[1];
    const uint32_t most = function->max_threads == 0u || function->max_threads > MAX_THREADS
                              ? MAX_THREADS
                              : function->max_threads;

    if (ctas > UINT32_MAX || ctas * exec->grid[2] > UINT32_MAX) {
        return fault_set(fault, "%s: a grid of more than 2^32 - 1 CTAs", function->name);
    }
    if (threads > most || threads * exec->block[2] > most) {
        return fault_set(fault,
                         "%s: a CTA of %" PRIu32 " x %" PRIu32 " x %" PRIu32
                         " threads; %" PRIu32 " are allowed",
                         function->name, exec->block[0], exec->block[1], exec->block[2], most);
    }
    if (exec->dynamic_shared > MAX_SHARED || function->shared_bytes > MAX_SHARED) {
        return fault_set(fault, "%s: more than 1 MiB of shared memory", function->name);
    }
    return function->local_bytes <= MAX_LOCAL
           || fault_set(fault, "%s: more than 512 KiB of local memory for a thread",
                        function->name);
}

struct exec_launch driver_describe(struct gsp_context *context, const struct gsp_module *module,
                                   const struct ptx_function *function, const uint32_t grid[3],
                                   const uint32_t block[3], uint32_t shared)
{
    const struct gpu_config *const config = &context->config;

    return (struct exec_launch){
        .module = module->ptx,
        .function = function,
        .memory = context->memory,
        .global_base = module->global_base,
        .entry_base = module->entry_base,
        .constants =
            module->constant_base == 0u
                ? NULL
                : device_at(context->memory, module->constant_base, module->ptx->const_bytes),
        .grid = { grid[0], grid[1], grid[2] },
        .block = { block[0], block[1], block[2] },
        .dynamic_shared = shared,
        .l1_line = config->l1.line,
        .constant_line = config->constant.line,
        .constant_by_address = config->constant.by_address,
        .texture_line = config->texture.line,
        .fences = config->noc.write_acks,
        .banks = config->ldst.shared_banks,
        .mhz = config->clock.core,
        .ahead = config->warp.ahead,
        .limit =
            context->options.limit != 0u ? context->options.limit : config->limit.instructions,
        .streams = context->gpu != NULL,
        .check = context->options.check,
        .runtime = &context->device.exec,
    };
}

bool driver_footprint(struct driver_launch *launch, struct footprint_cta *by, uint32_t level)
{
    struct exec_footprint *const run = launch->context->options.footprint;
    const uint32_t *const grid = launch->exec.grid;

    if (run != NULL) {
        launch->exec.footprint =
            exec_footprint_launch(run, by, (uint64_t)grid[0] * grid[1] * grid[2], level);
    }
    return run == NULL || launch->exec.footprint != NULL;
}

struct kernel_shape driver_shape(const struct exec_launch *exec, uint32_t registers,
                                 bool cooperative)
{
    const struct ptx_function *const function = exec->function;
    const uint32_t *const grid = exec->grid;
    const uint32_t *const block = exec->block;

    return (struct kernel_shape){
        .name = function->name,
        .grid = { grid[0], grid[1], grid[2] },
        .block = { block[0], block[1], block[2] },
        .registers = registers != 0u ? registers : at_least_one(function->registers),
        .alive = at_least_one(function->registers),
        .shared_bytes = function->shared_bytes + exec->dynamic_shared,
        .last_register = last_register(function),
        .text = function,
        .instructions = function->n_inst,
        .cooperative = cooperative,
    };
}
