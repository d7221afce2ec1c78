/*
 * cfd - flow of a compressible gas without friction (the Euler equations) over an unstructured
 * mesh of tetrahedra, in finite volumes. A thread has an element; variables lie in arrays of
 * their own: density, momentum in x, y and z, energy.
 *
 *   cfd_initialise    every element to the flow far away
 *   cfd_step_factor   the step in time an element can take, by its speed of sound
 *   cfd_flux          what flows in through the four faces
 *   cfd_time_step     new variables
 *
 * All with grid elements / 192, block 192. An iteration launches the second once, then the
 * third and fourth three times (Runge and Kutta's method).
 *
 * Rodinia's CFD solver: "CFD" in thesis Tables 3.2 (1,817 CTAs of 192) and 4.2 (192 threads;
 * the flux).
 */

#include "cuda.h"

#define FACES 4
#define GAMMA 1.4f

#define WALL (-1) /* in place of a neighbour; others below 0: the flow far away */

struct conserved {
    float density;
    float3 momentum;
    float energy;
};

/* A state, and what follows from it. */
struct flow {
    struct conserved state;
    float3 velocity;
    float speed, pressure, sound;
};

static __device__ float dot(float3 a, float3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static __device__ struct flow flow_of(struct conserved state)
{
    struct flow flow;
    flow.state = state;
    flow.velocity.x = state.momentum.x / state.density;
    flow.velocity.y = state.momentum.y / state.density;
    flow.velocity.z = state.momentum.z / state.density;
    const float square = dot(flow.velocity, flow.velocity);
    flow.speed = sqrtf(square);
    flow.pressure = (GAMMA - 1.0f) * (state.energy - 0.5f * state.density * square);
    flow.sound = sqrtf(GAMMA * flow.pressure / state.density);
    return flow;
}

static __device__ struct flow flow_at(const float *variables, int i, int elements)
{
    struct conserved state;
    state.density = variables[i];
    state.momentum.x = variables[i + elements];
    state.momentum.y = variables[i + 2 * elements];
    state.momentum.z = variables[i + 3 * elements];
    state.energy = variables[i + 4 * elements];
    return flow_of(state);
}

/* Adds a share of what a flow carries through a face. */
static __device__ void carry(struct conserved *flux, float share, const struct flow *flow,
                             float3 normal)
{
    const float through = share * dot(flow->velocity, normal);
    const float push = share * flow->pressure;
    flux->density += through * flow->state.density;
    flux->momentum.x += through * flow->state.momentum.x + push * normal.x;
    flux->momentum.y += through * flow->state.momentum.y + push * normal.y;
    flux->momentum.z += through * flow->state.momentum.z + push * normal.z;
    flux->energy += through * (flow->state.energy + flow->pressure);
}

/* Artificial viscosity: neighbours approach each other. */
static __device__ void smooth(struct conserved *flux, const struct flow *here,
                              const struct flow *there, float3 normal)
{
    const float factor = -0.1f * sqrtf(dot(normal, normal))
                         * (here->speed + there->speed + here->sound + there->sound);
    flux->density += factor * (here->state.density - there->state.density);
    flux->momentum.x += factor * (here->state.momentum.x - there->state.momentum.x);
    flux->momentum.y += factor * (here->state.momentum.y - there->state.momentum.y);
    flux->momentum.z += factor * (here->state.momentum.z - there->state.momentum.z);
    flux->energy += factor * (here->state.energy - there->state.energy);
}

extern "C" __global__ void cfd_initialise(const float *far_away, float *variables, int elements)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int v = 0; v < 5; v++) {
        variables[i + v * elements] = far_away[v];
    }
}

extern "C" __global__ void cfd_step_factor(const float *variables, const float *areas,
                                           float *factors, int elements)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const struct flow flow = flow_at(variables, i, elements);
    factors[i] = 0.5f / (sqrtf(areas[i]) * (flow.speed + flow.sound));
}

extern "C" __global__ void cfd_flux(const float *far_away, const int *neighbours,
                                    const float *normals, const float *variables, float *fluxes,
                                    int elements)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const struct flow here = flow_at(variables, i, elements);
    struct conserved flux = { 0.0f, { 0.0f, 0.0f, 0.0f }, 0.0f };

    for (int face = 0; face < FACES; face++) {
        const int other = neighbours[i + face * elements];
        float3 normal;
        normal.x = normals[i + face * elements];
        normal.y = normals[i + (face + FACES) * elements];
        normal.z = normals[i + (face + 2 * FACES) * elements];
        if (other == WALL) { /* only the pressure acts */
            flux.momentum.x += here.pressure * normal.x;
            flux.momentum.y += here.pressure * normal.y;
            flux.momentum.z += here.pressure * normal.z;
            continue;
        }
        const struct flow there =
            other >= 0 ? flow_at(variables, other, elements) : flow_at(far_away, 0, 1);
        if (other >= 0) {
            smooth(&flux, &here, &there, normal);
        }
        carry(&flux, 0.5f, &here, normal);
        carry(&flux, 0.5f, &there, normal);
    }
    fluxes[i] = flux.density;
    fluxes[i + elements] = flux.momentum.x;
    fluxes[i + 2 * elements] = flux.momentum.y;
    fluxes[i + 3 * elements] = flux.momentum.z;
    fluxes[i + 4 * elements] = flux.energy;
}

extern "C" __global__ void cfd_time_step(const float *old, const float *fluxes,
                                         const float *factors, float *variables, float share,
                                         int elements)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float factor = factors[i] * share;
    for (int v = 0; v < 5; v++) {
        variables[i + v * elements] = old[i + v * elements] + factor * fluxes[i + v * elements];
    }
}
