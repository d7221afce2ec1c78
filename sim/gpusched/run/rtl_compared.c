/* rtl_compared - the end of a run with RTL beside it, and what it says of that; see rtl_peer.h.
 */

#include <inttypes.h>
#include <string.h>

#include "gpusched/run/rtl_peer_parts.h"
#include "tool/format.h"

/* ---- The end ------------------------------------------------------------------------- */

/* Which unit's shadow it is. */
static struct difference_place place_of(const struct rtl_peer *peer,
                                        const struct shadow *shadow, uint64_t where)
{
    struct difference_place place = { .where = where };

    for (uint32_t k = 0u; k < peer->n_watched; k++) {
        for (uint32_t i = 0u; i < peer->watched[k].n; i++) {
            if (peer->watched[k].shadow[i] == shadow) {
                place.unit = k;
                place.instance = i;
            }
        }
    }
    return place;
}

/* The events that shadows have counted. */
static void add_met(struct rtl_peer *peer)
{
    for (uint32_t k = 0u; k < peer->n_watched; k++) {
        const struct watched *const w = &peer->watched[k];
        for (uint32_t i = 0u; w->unit.part == GPU_WHOLE && i < w->n; i++) {
            if (w->shadow[i] != NULL) {
                shadow_met(w->shadow[i], peer->met[w->unit.socket]);
            }
        }
    }
}

void rtl_peer_end(struct rtl_peer *peer, uint64_t cycle)
{
    uint64_t where;

    shadows_end(peer->shadows, cycle);
    add_met(peer);
    const struct shadow *const first = shadows_first(peer->shadows, &where);
    peer->lost = shadows_lost(peer->shadows);
    peer->differs = !peer->lost && first != NULL;
    if (peer->differs) {
        peer->different = place_of(peer, first, where);
    } else if (!peer->lost && peer->repeats) {
        fprintf(stderr,
                "RTL and golden model of %s differ in cycle %" PRIu64
                ", and not when the run is repeated\n",
                peer->watched[peer->wanted.unit].unit.type->name, peer->wanted.where);
        peer->lost = true;
    }
}

void rtl_peer_give_up(struct rtl_peer *peer)
{
    peer->lost = true;
    peer->differs = false;
}

bool rtl_peer_differs(const struct rtl_peer *peer)
{
    return peer->differs;
}

bool rtl_peer_lost(const struct rtl_peer *peer)
{
    return peer->lost;
}

/* ---- What was compared --------------------------------------------------------------- */

/* Adds what runs beside the instances; of a part, beside its composition. */
static void add_instances(struct rtl_compared *all, const struct watched *w)
{
    for (uint32_t i = 0u; i < w->n; i++) {
        if (w->shadow[i] != NULL) {
            all->source = shadow_source(w->shadow[i]);
            all->instances++;
            all->cycles += shadow_cycles(w->shadow[i]);
        }
    }
}

uint32_t rtl_peer_compared(const struct rtl_peer *peer,
                           struct rtl_compared units[GPU_MAX_UNITS], uint64_t *where)
{
    uint32_t n = 0u;

    for (uint32_t k = 0u; k < peer->n_watched; k++) {
        const struct watched *const w = &peer->watched[k];
        struct rtl_compared all = {
            .unit = w->unit.type->name,
            .mode = peer->options.mode == RTL_DRIVE ? "drive" : "shadow",
            .differences = peer->differs && peer->different.unit == k,
        };
        add_instances(&all, w);
        if (all.instances == 0u && w->within != NULL) {
            all.within = w->within->unit.type->name;
            add_instances(&all, w->within);
        }
        /* In the shadow a repeated run has others only to see which of them the report is
         * about. */
        const bool beside = peer->repeats && peer->differs && peer->options.mode == RTL_SHADOW
                            && peer->different.unit != k;
        if (all.instances != 0u && !beside) {
            units[n++] = all;
        }
    }
    *where = peer->different.where;
    return n;
}

/* The socket's units, or parts of them, are watched. */
static bool any_watched(const struct rtl_peer *peer, enum gpu_socket socket)
{
    for (uint32_t k = 0u; k < peer->n_watched; k++) {
        if (peer->watched[k].unit.socket == socket && peer->watched[k].n != 0u) {
            return true;
        }
    }
    return false;
}

static void print_met(const struct unit_type *type, const void *events, FILE *to)
{
    for (uint32_t i = 0u; i < type->n_event; i++) {
        const struct unit_event event = unit_event(type, i);
        fprintf(to, "  %-52s %14s\n", event.meaning,
                format_count(unit_event_met(&event, events)).text);
    }
}

/* The Verilog of a unit; of a part that is compared in its composition's RTL, the part's file
 * out of all of them, and where that is. */
static void print_source(const struct rtl_compared *unit, FILE *to)
{
    const char *file = unit->source;
    char name[UNIT_NAME_SIZE + sizeof "/.v "];

    if (unit->within == NULL) {
        fprintf(to, "%s\n", unit->source);
        return;
    }
    snprintf(name, sizeof name, "/%s.v ", unit->unit);
    const char *const found = strstr(unit->source, name);
    for (const char *next = found == NULL ? NULL : file; next != NULL && next < found;) {
        file = next;
        next = strstr(next, ", ");
        next = next == NULL ? NULL : next + strlen(", ");
    }
    fprintf(to, "%.*s, in that of %s\n", (int)strcspn(file, ","), file, unit->within);
}

void rtl_peer_print(const struct rtl_peer *peer, FILE *to)
{
    struct rtl_compared units[GPU_MAX_UNITS];
    uint64_t where;
    const uint32_t n = rtl_peer_compared(peer, units, &where);

    if (peer->options.mode == RTL_OFF) {
        for (uint32_t i = 0u; i < n; i++) {
            fprintf(to, "recorded  %s: %s cycles\n", units[i].unit,
                    format_count(units[i].cycles).text);
        }
        return;
    }
    fputs("\nMet beside RTL\n", to);
    for (uint32_t k = 0u; k < peer->n_watched; k++) {
        const struct gpu_unit *const unit = &peer->watched[k].unit;
        if (unit->part == GPU_WHOLE && any_watched(peer, unit->socket)) {
            print_met(unit->type, peer->met[unit->socket], to);
        }
    }
    fprintf(to, "\nRTL in lockstep, %s\n  %-22s %14s %14s %14s  %s\n",
            peer->options.mode == RTL_DRIVE ? "drives the GPU" : "in the shadow", "unit",
            "instances", "cycles", "differences", "Verilog");
    for (uint32_t i = 0u; i < n; i++) {
        fprintf(to, "  %-22s %14" PRIu32 " %14s %14" PRIu32 "  ", units[i].unit,
                units[i].instances, format_count(units[i].cycles).text, units[i].differences);
        print_source(&units[i], to);
    }
}
