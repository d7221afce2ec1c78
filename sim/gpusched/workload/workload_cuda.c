/* workload_cuda - the programs of sim/workloads: host code that drives the GPU, and checks. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpusched/workload/workload_kind.h"
#include "workloads/kit_run.h"
#include "workloads/workload_list.h"

struct program {
    const struct cuda_workload *workload;
    enum workload_size size;
    struct graph_file graph; /* without nodes: its own */
    struct gsp_context *context;
    bool shared; /* it is the programs' */
};

/* A graph of the user has one size, its own. */
static bool load_graph(struct workload *workload, const struct workload_choice *choice,
                       struct program *program, struct fault *fault)
{
    if (!program->workload->graph) {
        return fault_set(fault,
                         "--graph is for programs on graphs, and %s is none; allowed: "
                         "bfs, and those whose names begin with bfs_, clr_ and sssp_",
                         program->workload->name);
    }
    if (choice->size_given) {
        return fault_set(fault, "--graph=%s has one size; it goes without --size",
                         choice->graph);
    }
    if (!graph_file_read(&program->graph, choice->graph, fault)) {
        return false;
    }
    workload->size = NULL;
    return true;
}

static void *load(struct workload *workload, const struct workload_choice *choice,
                  const struct gpu_config *config, struct fault *fault)
{
    const struct cuda_workload *const named = cuda_workload_named(choice->name);
    char names[WORKLOAD_SIZE_NAMES];

    (void)config;
    if (!workload_has_size(named, choice->size)) {
        fault_set(fault, "%s: there is no --size=%s of it; allowed: %s", named->name,
                  workload_size_name(choice->size), workload_size_names(named, names));
        return NULL;
    }
    struct program *const program = calloc(1u, sizeof *program);
    if (program == NULL) {
        fault_surroundings(fault, "no memory");
        return NULL;
    }
    program->workload = named;
    program->size = choice->size;
    workload->size = workload_size_name(choice->size);
    if (choice->graph != NULL && !load_graph(workload, choice, program, fault)) {
        free(program);
        return NULL;
    }
    return program;
}

static bool open_context(void *self, const struct workload_machine *machine,
                         struct fault *fault)
{
    struct program *const program = self;

    program->shared = machine->context != NULL;
    if (program->shared) {
        program->context = machine->context;
        return true;
    }
    return workload_open_context(&program->context, machine, fault);
}

static bool run(void *self, struct workload_outcome *outcome, struct fault *fault)
{
    struct program *const program = self;
    struct kit_outcome end;

    kit_run(program->workload, program->size,
            program->graph.nodes == 0u ? NULL : &program->graph, program->context, &end);
    outcome->verdict = end.end == KIT_RIGHT   ? RIGHT
                       : end.end == KIT_WRONG ? WRONG
                                              : NOT_CHECKED;
    outcome->check = program->workload->check;
    outcome->fault = end.fault;
    if (end.end == KIT_ENDED && !workload_end_of(end.status, &outcome->end)) {
        *fault = end.fault;
        return false;
    }
    return true;
}

static struct gpu *gpu_of(void *self)
{
    return gsp_gpu(((struct program *)self)->context);
}

static uint64_t instructions(void *self)
{
    return gsp_instructions(((struct program *)self)->context);
}

static void release(void *self)
{
    struct program *const program = self;

    if (!program->shared) {
        gsp_close(program->context);
    }
    graph_file_free(&program->graph);
    free(program);
}

const struct workload_kind workload_cuda = {
    load, open_context, run, gpu_of, instructions, release, NULL,
};
