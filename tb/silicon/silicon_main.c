/* silicon - CUDA workloads on an NVIDIA GPU, as they are: the result is checked, and each
 * launch timed. Needs libcuda.so.1 when it runs. */

#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "silicon.h"
#include "silicon_machine.h"
#include "tool/arguments.h"
#include "workloads/kit_run.h"
#include "workloads/workload_list.h"

enum { MOST_REPEATS = 1000 };

static const char doc[] =
    "Runs CUDA workloads on an NVIDIA GPU, checks their results, and prints each launch as "
    "CSV: "
    "kernel, shape, registers, and the least time of all repeats.\v"
    "Without a workload, all run that have the size. libcuda.so.1, the GPU's driver, is found "
    "as "
    "other libraries are.\n"
    "\n"
    "Exit status: 0 done, 1 a result is wrong or a call failed, 2 bad input, or no GPU.";

static const struct argp_option options[] = {
    { "size", 's', "SIZE", 0, "small, medium, ...; small if not given", 0 },
    { "repeats", 'r', "N", 0, "runs of each; 3 if not given", 0 },
    { "device-runtime", 'd', "FILE", 0,
      "libcudadevrt.a of a toolkit, for modules with kernels that launch kernels", 0 },
    { "machine", 'm', "PTX", 0, "instead: latencies and rates, by the kernels of machine.cu",
      0 },
    HELP_OPTION,
    { NULL, 0, NULL, 0, NULL, 0 },
};

struct asked {
    enum workload_size size;
    unsigned repeats;
    const char *machine;
    struct silicon silicon;
    char **names; /* ends with NULL; or NULL: all */
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct asked *const asked = state->input;

    switch (key) {
    case 's':
        if (!workload_size_named(argument, &asked->size)) {
            char names[WORKLOAD_SIZE_NAMES];
            bad_input("silicon", "--size=%s: a size is one of %s", argument,
                      workload_size_names(NULL, names));
        }
        return 0;
    case 'r':
        asked->repeats =
            (unsigned)whole_number("silicon", "--repeats", argument, 1u, MOST_REPEATS);
        return 0;
    case 'd':
        asked->silicon.device_runtime = argument;
        return 0;
    case 'm':
        asked->machine = argument;
        return 0;
    case HELP_KEY:
        show_help(state);
    case ARGP_KEY_ARGS:
        asked->names = state->argv + state->next;
        for (char **at = asked->names; *at != NULL; at++) {
            if (cuda_workload_named(*at) == NULL) {
                bad_input("silicon", "there is no workload \"%s\"", *at);
            }
        }
        return 0;
    case ARGP_KEY_ERROR:
        bad_option("silicon", options, state);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void print_launch(const char *workload, enum workload_size size, size_t i,
                         const struct silicon_launch *l)
{
    printf("%s,%s,%zu,%s,%" PRIu32 "x%" PRIu32 "x%" PRIu32 ",%" PRIu32 "x%" PRIu32 "x%" PRIu32
           ",%d,%d,%d,%.3f\n",
           workload, workload_size_name(size), i, l->kernel, l->grid.x, l->grid.y, l->grid.z,
           l->block.x, l->block.y, l->block.z, l->registers, l->shared_bytes, l->ctas, l->us);
}

/* The kernels of one run have the order of another: times are compared one by one. `us` has
 * room for n of the first run. */
static void keep_least(double **us, size_t *n, const struct silicon_launch *launches,
                       size_t now)
{
    if (*us == NULL) {
        *us = malloc((now + 1u) * sizeof **us);
        if (*us == NULL) {
            bad_input("silicon", "no memory");
        }
        *n = now;
        for (size_t i = 0u; i < now; i++) {
            (*us)[i] = launches[i].us;
        }
    }
    for (size_t i = 0u; i < now; i++) {
        (*us)[i] = launches[i].us < (*us)[i] ? launches[i].us : (*us)[i];
    }
}

static bool run_once(const struct asked *asked, const struct cuda_workload *workload,
                     double **us, size_t *n, bool last)
{
    struct gsp_context *context = NULL;
    struct kit_outcome outcome;
    size_t now = 0u;

    if (gsp_open(&context, &(struct gsp_options){ .config = NULL }) != GSP_OK) {
        bad_input("silicon", "no memory");
    }
    kit_run(workload, asked->size, NULL, context, &outcome);
    const struct silicon_launch *const launches = silicon_launches(context, &now);
    if (outcome.end != KIT_RIGHT) {
        (void)fprintf(stderr, "silicon: %s: %s\n", workload->name, fault_text(&outcome.fault));
    } else if (*us != NULL && now != *n) {
        (void)fprintf(stderr, "silicon: %s: %zu launches, and %zu in the run before\n",
                      workload->name, now, *n);
        outcome.end = KIT_WRONG;
    } else {
        keep_least(us, n, launches, now);
        for (size_t i = 0u; last && i < now; i++) {
            struct silicon_launch shown = launches[i];
            shown.us = (*us)[i];
            print_launch(workload->name, asked->size, i, &shown);
        }
    }
    gsp_close(context);
    return outcome.end == KIT_RIGHT;
}

static bool run_workload(const struct asked *asked, const struct cuda_workload *workload)
{
    double *us = NULL;
    size_t n = 0u;
    bool right = true;

    for (unsigned r = 0u; r < asked->repeats && right; r++) {
        right = run_once(asked, workload, &us, &n, r + 1u == asked->repeats);
    }
    free(us);
    (void)fflush(stdout);
    return right;
}

/* Programs that are named are not left out in silence. */
static void check_names(const struct asked *asked)
{
    char sizes[WORKLOAD_SIZE_NAMES];

    for (char **name = asked->names; name != NULL && *name != NULL; name++) {
        const struct cuda_workload *const named = cuda_workload_named(*name);
        if (!workload_has_size(named, asked->size)) {
            bad_input("silicon", "%s: there is no --size=%s of it; allowed: %s", *name,
                      workload_size_name(asked->size), workload_size_names(named, sizes));
        }
    }
}

static int run_all(const struct asked *asked)
{
    unsigned wrong = 0u, right = 0u;

    puts("workload,size,launch,kernel,grid,block,registers,shared_bytes,ctas_per_sm,us");
    for (const struct cuda_workload *const *at = cuda_workloads; *at != NULL; at++) {
        bool wanted = asked->names == NULL;
        for (char **name = asked->names; name != NULL && *name != NULL; name++) {
            wanted = wanted || cuda_workload_named(*name) == *at;
        }
        if (wanted && workload_has_size(*at, asked->size)) {
            *(run_workload(asked, *at) ? &right : &wrong) += 1u;
        }
        if (wrong != 0u
            && asked->silicon.cuda->synchronize()
                   != CUDA_SUCCESS) { /* an illegal access, say */
            (void)fputs("silicon: the GPU's context is lost: no more programs run\n", stderr);
            break;
        }
    }
    (void)fprintf(stderr, "silicon: %u right, %u not\n", right, wrong);
    return wrong == 0u ? 0 : 1;
}

static int run_machine(const struct asked *asked)
{
    struct gsp_context *context = NULL;
    int status = 0;

    if (gsp_open(&context, &(struct gsp_options){ .config = NULL }) != GSP_OK) {
        bad_input("silicon", "no memory");
    }
    if (!silicon_machine(context, asked->machine)) {
        const struct fault *const fault = gsp_fault(context);
        (void)fprintf(stderr, "silicon: %s\n",
                      fault->kind == FAULT_NONE ? "no memory" : fault_text(fault));
        status = 1;
    }
    gsp_close(context);
    return status;
}

int main(int argc, char **argv)
{
    static const struct argp argp = { options, parse, "[WORKLOAD...]", doc, NULL, NULL, NULL };
    struct asked asked = { .size = SIZE_SMALL, .repeats = 3u };
    struct cuda cuda;
    struct cuda_device device;
    struct fault fault = { .kind = FAULT_NONE };

    arguments_parse(&argp, argc, argv, &asked);
    check_names(&asked);
    if (!cuda_open(&cuda, &device, &fault)) {
        (void)fprintf(stderr, "silicon: %s\n", fault_text(&fault));
        return BAD_INPUT;
    }
    (void)fprintf(stderr,
                  "silicon: %s, %d SMs at up to %d MHz, memory %d bits at %d MHz, L2 %d bytes, "
                  "driver %d\n",
                  device.name, device.sms, device.clock_khz / 1000, device.memory_bits,
                  device.memory_khz / 1000, device.l2_bytes, device.driver);
    asked.silicon.cuda = &cuda;
    silicon_use(&asked.silicon);
    return asked.machine != NULL ? run_machine(&asked) : run_all(&asked);
}
