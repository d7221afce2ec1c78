/* device_call - what calls of the device runtime give back; see device_grid.h. */

#include <inttypes.h>
#include <stdlib.h>

#include "driver/device_grid.h"

bool device_no_memory(struct exec_call *call)
{
    call->located = true;
    return fault_surroundings(call->fault, "no memory for what a kernel launches");
}

bool device_error(struct exec_call *call, struct device_cta *cta, enum device_error error)
{
    const bool pointer = call->function == RUNTIME_GET_PARAMETER_BUFFER
                         || call->function == RUNTIME_GET_PARAMETER_BUFFER_V2;

    call->result = pointer ? 0u : (uint64_t)error;
    if (error == DEVICE_OK) {
        return true;
    }
    if (cta->error == NULL) {
        cta->error = calloc(cta->threads, sizeof *cta->error);
    }
    if (cta->error == NULL) {
        return device_no_memory(call);
    }
    cta->error[call->thread] = error;
    return true;
}

bool device_store(struct exec_call *call, uint64_t address, const void *from, uint32_t bytes)
{
    call->result = DEVICE_OK;
    return exec_call_store(call, address, from, bytes)
           || fault_set(call->fault,
                        "the address 0x%" PRIx64 " for its result is not that of %" PRIu32
                        " bytes that can be written",
                        address, bytes);
}
