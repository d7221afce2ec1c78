/* silicon_machine - latencies and rates of the GPU, by the kernels of machine.cu. */

#ifndef SILICON_MACHINE_H
#define SILICON_MACHINE_H

#include "silicon.h"

/* Prints figure, value and unit, a line each. False with gsp_fault(context) if a call failed.
 */
bool silicon_machine(struct gsp_context *context, const char *ptx);

#endif
