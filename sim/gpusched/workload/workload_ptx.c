/* workload_ptx - one kernel of a PTX file, with arguments from the command line. */

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/output_file.h"
#include "gpusched/workload/kernel_argument.h"
#include "gpusched/workload/workload_kind.h"

struct single {
    const struct ptx_options *options;
    struct kernel_argument argument[PTX_MAX_ARGUMENT];
    gsp_pointer buffer[PTX_MAX_ARGUMENT]; /* of a buffer argument */
    struct gsp_context *context;
    struct gsp_module *module;
};

/* Passes on why a call of the driver has failed. */
static bool driver_said(const struct single *single, struct fault *fault)
{
    *fault = *gsp_fault(single->context);
    return false;
}

/* ---- Loading ------------------------------------------------------------------------- */

static void *load(struct workload *workload, const struct workload_choice *choice,
                  const struct gpu_config *config, struct fault *fault)
{
    (void)config;
    if (choice->size_given) {
        fault_set(fault, "%.200s: --size is for CUDA workloads", workload->name);
        return NULL;
    }
    struct single *const single = calloc(1u, sizeof *single);
    if (single == NULL) {
        fault_surroundings(fault, "no memory");
        return NULL;
    }
    single->options = &choice->ptx;
    memcpy(single->argument, choice->ptx.value, sizeof single->argument);
    return single;
}

/* ---- The kernel and its arguments ---------------------------------------------------- */

static uint32_t bytes_of(const struct kernel_argument *argument)
{
    return argument->bytes != 0u ? argument->bytes : (uint32_t)sizeof(gsp_pointer);
}

static bool check_arguments(struct single *single, struct fault *fault)
{
    const struct ptx_options *const options = single->options;
    uint32_t bytes[PTX_MAX_ARGUMENT];
    uint32_t n = PTX_MAX_ARGUMENT;

    if (gsp_parameters(single->context, single->module, options->kernel, bytes, &n) != GSP_OK) {
        return driver_said(single, fault);
    }
    if (n != options->n_argument) {
        return fault_set(fault, "%s has %" PRIu32 " parameters; --arg gives %" PRIu32,
                         options->kernel, n, options->n_argument);
    }
    for (uint32_t i = 0u; i < n; i++) {
        if (bytes[i] != bytes_of(&single->argument[i])) {
            return fault_set(fault,
                             "--arg %s: parameter %" PRIu32 " of %s has %" PRIu32
                             " bytes, not %" PRIu32,
                             options->argument[i], i, options->kernel, bytes[i],
                             bytes_of(&single->argument[i]));
        }
    }
    return true;
}

static bool make_buffer(struct single *single, uint32_t i, struct fault *fault)
{
    const struct kernel_argument *const argument = &single->argument[i];

    if (gsp_malloc(single->context, &single->buffer[i], (size_t)argument->buffer) != GSP_OK) {
        return driver_said(single, fault);
    }
    if (argument->fill == FILL_ZERO) {
        return true;
    }
    uint8_t *const data = malloc((size_t)argument->buffer);
    if (data == NULL) {
        return fault_surroundings(fault, "no memory");
    }
    const bool ok = kernel_argument_fill(argument, data, fault);
    if (ok) {
        gsp_copy_in(single->context, single->buffer[i], data, (size_t)argument->buffer);
    }
    free(data);
    return ok;
}

static bool launch(struct single *single, struct fault *fault)
{
    const struct ptx_options *const options = single->options;
    void *args[PTX_MAX_ARGUMENT];

    for (uint32_t i = 0u; i < options->n_argument; i++) {
        if (single->argument[i].bytes != 0u) {
            args[i] = &single->argument[i].bits; /* the low bytes */
        } else if (make_buffer(single, i, fault)) {
            args[i] = &single->buffer[i];
        } else {
            return false;
        }
    }
    const struct gsp_launch shape = {
        .module = single->module,
        .kernel = options->kernel,
        .grid = { options->grid[0], options->grid[1], options->grid[2] },
        .block = { options->block[0], options->block[1], options->block[2] },
        .dynamic_shared = options->dynamic_shared,
        .registers = options->registers,
        .cooperative = options->cooperative,
        .args = args,
    };
    if (gsp_launch(single->context, &shape) != GSP_OK) {
        return driver_said(single, fault);
    }
    return true;
}

static bool open_context(void *self, const struct workload_machine *machine,
                         struct fault *fault)
{
    struct single *const single = self;

    if (!workload_open_context(&single->context, machine, fault)) {
        return false;
    }
    if (gsp_module_load(single->context, single->options->file, &single->module) != GSP_OK) {
        return driver_said(single, fault);
    }
    return check_arguments(single, fault) && launch(single, fault);
}

/* ---- Running ------------------------------------------------------------------------- */

static bool save(struct single *single, uint32_t i, struct fault *fault)
{
    const size_t bytes = (size_t)single->argument[i].buffer;
    uint8_t *const data = malloc(bytes);
    struct output_file file = { .to = NULL };

    if (data == NULL) {
        return fault_surroundings(fault, "--save %.500s: no memory", single->options->saved[i]);
    }
    if (gsp_copy_out(single->context, data, single->buffer[i], bytes) != GSP_OK) {
        free(data);
        return driver_said(single, fault);
    }
    const bool ok = output_file_open(&file, single->options->saved[i])
                    && fwrite(data, 1u, bytes, file.to) == bytes && output_file_commit(&file);
    if (!ok) {
        fault_system(fault, "--save %.500s: cannot be written", single->options->saved[i]);
        output_file_abandon(&file);
    }
    free(data);
    return ok;
}

static bool run(void *self, struct workload_outcome *outcome, struct fault *fault)
{
    struct single *const single = self;
    const enum gsp_status status = gsp_synchronize(single->context);
    bool ok = true;

    if (!workload_end_of(status, &outcome->end)) {
        return driver_said(single, fault);
    }
    if (status != GSP_OK) {
        outcome->fault = *gsp_fault(single->context);
    }
    for (uint32_t i = 0u; ok && status == GSP_OK && i < single->options->n_argument; i++) {
        ok = single->options->saved[i] == NULL || save(single, i, fault);
    }
    return ok;
}

static struct gpu *gpu_of(void *self)
{
    return gsp_gpu(((struct single *)self)->context);
}

static uint64_t instructions(void *self)
{
    return gsp_instructions(((struct single *)self)->context);
}

static void release(void *self)
{
    gsp_close(((struct single *)self)->context);
    free(self);
}

const struct workload_kind workload_ptx = {
    load, open_context, run, gpu_of, instructions, release, NULL,
};
