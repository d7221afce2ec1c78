/* gpu_watch - see gpu_watch.h. */

#include "gpu_watch.h"

static void *take_seat(void *self, enum gpu_socket socket, uint32_t index,
                       const struct unit_watch **watch)
{
    struct gpu_watch *const w = self;

    (void)index;
    (void)watch;
    return socket == w->socket ? (w->self != NULL ? w->self : w) : NULL;
}

static bool says_yes(void *seat)
{
    (void)seat;
    return true;
}

struct gpu_peer gpu_watch_peer(struct gpu_watch *watch)
{
    return (struct gpu_peer){ watch,
                              take_seat,
                              watch->evaluated,
                              NULL,
                              watch->follows ? says_yes : NULL,
                              watch->evaluates ? says_yes : NULL };
}
