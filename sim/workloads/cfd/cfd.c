/*
 * cfd, host part: a mesh whose elements lie in rows and have neighbours beside, above and
 * below, numbered at random within groups of 32, so that neighbours are near but not adjacent.
 */

#include <math.h>

#include "workloads/workload_kit.h"

enum {
    BLOCK = 192,
    FACES = 4,
    VARIABLES = 5,
    GROUP = 32,
    STAGES = 3,
    WALL = -1,
    FAR_AWAY = -2
};

static const struct {
    uint32_t blocks, row, iterations;
} sizes[] = {
    [SIZE_SMALL] = { 2, 20, 1 },     [SIZE_MEDIUM] = { 96, 140, 1 },
    [SIZE_PAPER] = { 1817, 590, 1 }, [SIZE_TH3] = { 1817, 590, 1 },
    [SIZE_TH42] = { 1817, 590, 1 },
};

/* Mach 1.2 along x; the speed of sound is 1. */
static const float far_away[VARIABLES] = { 1.4f, 1.68f, 0.0f, 0.0f, 3.508f };

struct mesh {
    size_t n, row;
    int32_t *number; /* of the element at a place */
    int32_t *neighbours;
    float *normals, *areas;
};

static void number_elements(struct kit *kit, struct mesh *m)
{
    for (size_t i = 0; i < m->n; i++) {
        m->number[i] = (int32_t)i;
    }
    for (size_t i = 0; i < m->n; i++) {
        const size_t first = i - i % GROUP;
        const size_t other = first + kit_random(kit) % (uint32_t)(i % GROUP + 1);
        const int32_t swap = m->number[i];
        m->number[i] = m->number[other];
        m->number[other] = swap;
    }
}

/* Left of a row is a wall; at the other edges the mesh is open. */
static int32_t neighbour(const struct mesh *m, size_t place, size_t face)
{
    const size_t x = place % m->row;
    switch (face) {
    case 0:
        return x == 0 ? WALL : m->number[place - 1];
    case 1:
        return x + 1 == m->row || place + 1 == m->n ? FAR_AWAY : m->number[place + 1];
    case 2:
        return place < m->row ? FAR_AWAY : m->number[place - m->row];
    default:
        return place + m->row >= m->n ? FAR_AWAY : m->number[place + m->row];
    }
}

static void make(struct kit *kit, struct mesh *m)
{
    static const float towards[FACES][3] = {
        { -1, 0, 0 }, { 1, 0, 0 }, { 0, -1, 0 }, { 0, 1, 0 }
    };
    m->number = kit_host(kit, m->n * sizeof(int32_t));
    m->neighbours = kit_host(kit, FACES * m->n * sizeof(int32_t));
    m->normals = kit_host(kit, sizeof(float) * m->n * 3 * FACES);
    m->areas = kit_host(kit, m->n * sizeof(float));
    number_elements(kit, m);
    for (size_t place = 0; place < m->n; place++) {
        const size_t i = (size_t)m->number[place];
        m->areas[i] = kit_uniform(kit, 0.8f, 1.2f);
        for (size_t face = 0; face < FACES; face++) {
            m->neighbours[i + face * m->n] = neighbour(m, place, face);
            for (size_t d = 0; d < 3; d++) {
                m->normals[i + (face + d * FACES) * m->n] =
                    0.2f * towards[face][d] + kit_uniform(kit, -0.04f, 0.04f);
            }
        }
    }
}

/* What a state carries through a face, as the Euler equations have it, variable by variable;
 * returns the fastest speed of a wave. */
static double carried(const double *s, const double *normal, double *flux)
{
    double through = 0.0, square = 0.0;
    for (size_t d = 0; d < 3; d++) {
        through += s[1 + d] / s[0] * normal[d];
        square += s[1 + d] * s[1 + d] / (s[0] * s[0]);
    }
    const double pressure = 0.4 * (s[4] - 0.5 * s[0] * square);
    for (size_t v = 0; v < VARIABLES; v++) {
        flux[v] = through * (s[v] + (v == 4 ? pressure : 0.0));
        if (v >= 1 && v <= 3) {
            flux[v] += pressure * normal[v - 1];
        }
    }
    return sqrt(square) + sqrt(1.4 * pressure / s[0]);
}

static void load(const struct mesh *m, const double *variables, int32_t i, double *state)
{
    for (size_t v = 0; v < VARIABLES; v++) {
        state[v] = i < 0 ? (double)far_away[v] : variables[(size_t)i + v * m->n];
    }
}

static void add_face(const struct mesh *m, const double *variables, size_t i, size_t face,
                     double *flux)
{
    const int32_t other = m->neighbours[i + face * m->n];
    double normal[3], here[VARIABLES], there[VARIABLES], out[VARIABLES], in[VARIABLES];
    for (size_t d = 0; d < 3; d++) {
        normal[d] = (double)m->normals[i + (face + d * FACES) * m->n];
    }
    load(m, variables, (int32_t)i, here);
    load(m, variables, other, there);
    if (other == WALL) { /* nothing flows: without speed only the pressure is left */
        const double energy = here[1] * here[1] + here[2] * here[2] + here[3] * here[3];
        const double still[VARIABLES] = { here[0], 0.0, 0.0, 0.0,
                                          here[4] - 0.5 * energy / here[0] };
        carried(still, normal, out);
        for (size_t v = 0; v < VARIABLES; v++) {
            flux[v] += out[v];
        }
        return;
    }
    const double waves = carried(here, normal, out) + carried(there, normal, in);
    const double length =
        sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    for (size_t v = 0; v < VARIABLES; v++) {
        flux[v] += 0.5 * (out[v] + in[v]);
        flux[v] -= other < 0 ? 0.0 : 0.1 * length * waves * (here[v] - there[v]);
    }
}

static void host_iteration(struct kit *kit, const struct mesh *m, double *variables)
{
    const size_t bytes = VARIABLES * m->n * sizeof(double);
    double *old = kit_host(kit, bytes), *next = kit_host(kit, bytes);
    double *factors = kit_host(kit, m->n * sizeof(double));
    for (size_t i = 0; i < m->n; i++) {
        double state[VARIABLES], unused[VARIABLES];
        load(m, variables, (int32_t)i, state);
        const double normal[3] = { 0.0, 0.0, 0.0 };
        factors[i] = 0.5 / (sqrt((double)m->areas[i]) * carried(state, normal, unused));
    }
    for (size_t at = 0; at < VARIABLES * m->n; at++) {
        old[at] = variables[at];
    }
    for (int stage = 0; stage < STAGES; stage++) {
        for (size_t i = 0; i < m->n; i++) {
            double flux[VARIABLES] = { 0.0 };
            for (size_t face = 0; face < FACES; face++) {
                add_face(m, variables, i, face, flux);
            }
            for (size_t v = 0; v < VARIABLES; v++) {
                const size_t at = i + v * m->n;
                next[at] = old[at] + factors[i] / (STAGES - stage) * flux[v];
            }
        }
        for (size_t at = 0; at < VARIABLES * m->n; at++) {
            variables[at] = next[at];
        }
    }
}

static void on_device(struct kit *kit, const struct mesh *m, uint32_t iterations, float *result)
{
    const size_t bytes = VARIABLES * m->n * sizeof(float);
    const struct gsp_dim grid = { (uint32_t)m->n / BLOCK, 1, 1 }, block = { BLOCK, 1, 1 };
    gsp_pointer neighbours = kit_alloc_copy(kit, m->neighbours, FACES * m->n * sizeof(int32_t));
    gsp_pointer normals = kit_alloc_copy(kit, m->normals, sizeof(float) * m->n * 3 * FACES);
    gsp_pointer areas = kit_alloc_copy(kit, m->areas, m->n * sizeof(float));
    gsp_pointer factors = kit_alloc(kit, m->n * sizeof(float));
    gsp_pointer variables = kit_alloc(kit, bytes), fluxes = kit_alloc(kit, bytes);
    gsp_pointer old = kit_alloc(kit, bytes);
    gsp_pointer far = kit_alloc_copy(kit, far_away, sizeof(far_away));
    int32_t n = (int32_t)m->n;
    KIT_LAUNCH(kit, "cfd_initialise", grid, block, &far, &variables, &n);
    for (uint32_t k = 0; k < iterations; k++) {
        kit_copy_out(kit, result, variables, bytes);
        kit_copy_in(kit, old, result, bytes);
        KIT_LAUNCH(kit, "cfd_step_factor", grid, block, &variables, &areas, &factors, &n);
        for (int stage = 0; stage < STAGES; stage++) {
            float share = 1.0f / (float)(STAGES - stage);
            KIT_LAUNCH(kit, "cfd_flux", grid, block, &far, &neighbours, &normals, &variables,
                       &fluxes, &n);
            KIT_LAUNCH(kit, "cfd_time_step", grid, block, &old, &fluxes, &factors, &variables,
                       &share, &n);
        }
    }
    kit_copy_out(kit, result, variables, bytes);
}

static bool run(struct kit *kit, enum workload_size size)
{
    struct mesh m = { .n = (size_t)sizes[size].blocks * BLOCK, .row = sizes[size].row };
    make(kit, &m);
    const size_t n = VARIABLES * m.n;
    float *got = kit_host(kit, n * sizeof(float)), *expected = kit_host(kit, n * sizeof(float));
    double *variables = kit_host(kit, n * sizeof(double));
    on_device(kit, &m, sizes[size].iterations, got);
    for (size_t at = 0; at < n; at++) {
        variables[at] = (double)far_away[at / m.n];
    }
    for (uint32_t k = 0; k < sizes[size].iterations; k++) {
        host_iteration(kit, &m, variables);
    }
    for (size_t at = 0; at < n; at++) {
        expected[at] = (float)variables[at];
    }
    return kit_check_floats(kit, "variable", got, expected, n, 1e-5, 1e-5);
}

static const struct kit_registers registers[] = {
    { "cfd_flux", 52, "thesis Table 4.2" },
    { NULL, 0, NULL },
};

const struct cuda_workload workload_cfd = {
    .name = "cfd",
    .title = "flow of a gas over an unstructured mesh",
    .source = "Thesis Tables 3.2, 4.2 (CFD)",
    .check = "every variable of every element within 1e-5, against the CPU in double",
    .run = run,
    .papers = SIZE_BIT(TH3) | SIZE_BIT(TH42),
    .registers = registers,
};
