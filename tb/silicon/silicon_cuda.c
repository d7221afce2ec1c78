/* silicon_cuda - see silicon_cuda.h. */

#include "silicon_cuda.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* Launches of kernels that have not started, of one kernel that launches: the standard 2,048
 * are too few for the programs whose kernels launch kernels. */
enum { PENDING_LAUNCHES = 65536 };

bool cuda_did(const struct cuda *cuda, int error, const char *what, struct fault *fault)
{
    const char *text = NULL;

    if (error == CUDA_SUCCESS) {
        return true;
    }
    if (cuda->error_string(error, &text) != CUDA_SUCCESS || text == NULL) {
        text = "no words for it";
    }
    return fault_surroundings(fault, "%s: CUDA error %d, %s", what, error, text);
}

static bool find_functions(struct cuda *cuda, struct fault *fault)
{
#define CUDA_FIND(member, symbol, arguments) { symbol, offsetof(struct cuda, member) },
    static const struct {
        const char *symbol;
        size_t at;
    } functions[] = { CUDA_FUNCTIONS(CUDA_FIND) };
#undef CUDA_FIND
    void *const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);

    if (library == NULL) {
        return fault_surroundings(fault, "no driver of an NVIDIA GPU: %s", dlerror());
    }
    for (size_t i = 0u; i < sizeof functions / sizeof functions[0]; i++) {
        void *const found = dlsym(library, functions[i].symbol);
        if (found == NULL) {
            return fault_surroundings(fault, "libcuda.so.1 has no %s", functions[i].symbol);
        }
        memcpy((char *)cuda + functions[i].at, &found, sizeof found);
    }
    return true;
}

static bool ask_device(const struct cuda *cuda, int ordinal, struct cuda_device *device,
                       struct fault *fault)
{
    const struct {
        int attribute, *value;
    } asked[] = {
        { CUDA_DEVICE_SMS, &device->sms },
        { CUDA_DEVICE_CLOCK_KHZ, &device->clock_khz },
        { CUDA_DEVICE_MEMORY_CLOCK_KHZ, &device->memory_khz },
        { CUDA_DEVICE_MEMORY_BITS, &device->memory_bits },
        { CUDA_DEVICE_L2_BYTES, &device->l2_bytes },
    };

    for (size_t i = 0u; i < sizeof asked / sizeof asked[0]; i++) {
        const int error = cuda->device_attribute(asked[i].value, asked[i].attribute, ordinal);
        if (!cuda_did(cuda, error, "an attribute of the GPU", fault)) {
            return false;
        }
    }
    return cuda_did(cuda, cuda->driver_version(&device->driver), "the driver's version", fault)
           && cuda_did(cuda, cuda->device_name(device->name, sizeof device->name, ordinal),
                       "the GPU's name", fault);
}

bool cuda_open(struct cuda *cuda, struct cuda_device *device, struct fault *fault)
{
    cuda_context context = NULL;
    int ordinal = 0;

    /* kernels are loaded with their module, not at their first launch, which is timed */
    (void)setenv("CUDA_MODULE_LOADING", "EAGER", 1);
    *device = (struct cuda_device){ .sms = 0 };
    return find_functions(cuda, fault)
           && cuda_did(cuda, cuda->init(0u), "starting the driver", fault)
           && cuda_did(cuda, cuda->device_get(&ordinal, 0), "the first GPU", fault)
           && ask_device(cuda, ordinal, device, fault)
           && cuda_did(cuda, cuda->context_retain(&context, ordinal), "a context", fault)
           && cuda_did(cuda, cuda->context_current(context), "a context", fault)
           && cuda_did(cuda, cuda->context_limit(CUDA_LIMIT_PENDING_LAUNCHES, PENDING_LAUNCHES),
                       "room for launches that wait", fault);
}
