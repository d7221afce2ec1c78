/* launches - a table of kernels and their occupancy; see launches.h. */

#include "gpusched/run/launches.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tool/format.h"

enum { FEWEST = 16, NAME = 30 };

static bool alike(const struct kernel_shape *a, const struct kernel_shape *b)
{
    return strcmp(a->name, b->name) == 0 && memcmp(a->grid, b->grid, sizeof a->grid) == 0
           && memcmp(a->block, b->block, sizeof a->block) == 0 && a->registers == b->registers
           && a->shared_bytes == b->shared_bytes;
}

static struct launch_row *row_of(struct launches *launches, const struct kernel_shape *shape)
{
    for (uint32_t i = 0u; i < launches->n_row; i++) {
        if (alike(&launches->row[i].shape, shape)) {
            return &launches->row[i];
        }
    }
    if (launches->n_row == launches->room) {
        const uint32_t room = launches->room == 0u ? FEWEST : 2u * launches->room;
        struct launch_row *const more = realloc(launches->row, room * sizeof *more);
        if (more == NULL) {
            return NULL;
        }
        launches->row = more;
        launches->room = room;
    }
    launches->row[launches->n_row] = (struct launch_row){ .shape = *shape };
    return &launches->row[launches->n_row++];
}

void launches_note(void *self, const struct kernel_shape *shape, uint32_t stream,
                   const struct gpu_child *child)
{
    struct launches *const launches = self;
    struct launch_row *const row = row_of(launches, shape);

    (void)stream;
    (void)child;
    if (row == NULL) {
        launches->lost = true;
        return;
    }
    row->launches++;
}

void launches_print(const struct launches *launches, const struct gpu_config *config, FILE *to)
{
    fprintf(to, "\n%-*s %14s %9s %9s %9s %9s %9s %8s  %s\n", NAME + 2, "Kernel", "grid",
            "block", "launches", "registers", "alive", "shared B", "CTAs/SM", "limited by");
    for (uint32_t i = 0u; i < launches->n_row; i++) {
        const struct kernel_shape *const shape = &launches->row[i].shape;
        const char *limit = "";
        const uint32_t ctas = gpu_occupancy(config, shape, &limit);
        fprintf(to,
                "  %-*s %14s %9s %9" PRIu32 " %9" PRIu32 " %9" PRIu32 " %9" PRIu32 " %8" PRIu32
                "  %s\n",
                NAME, shape->name, format_shape(shape->grid).text,
                format_shape(shape->block).text, launches->row[i].launches, shape->registers,
                shape->alive, shape->shared_bytes, ctas, limit);
    }
}

void launches_free(struct launches *launches)
{
    free(launches->row);
    *launches = (struct launches){ .row = NULL };
}
