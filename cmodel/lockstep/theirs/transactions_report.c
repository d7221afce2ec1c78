/* transactions_report - the first transaction that differs; see transactions_report.h. */

#include "lockstep/theirs/transactions_report.h"

#include <inttypes.h>
#include <stdio.h>

#include "lockstep/report.h"
#include "lockstep/theirs/transactions.h"

/* A transaction's number counts from 1, in its channel. */
static void head(const struct transactions_place *place, const struct channel *channel,
                 uint64_t number)
{
    char title[UNIT_TITLE];

    printf("DIFFERENCE %s, transaction %" PRIu64 " of channel %s\n",
           unit_title(place->unit, title), number, channel->name);
    printf("  library    %s\n  rtl        %s\n", place->library, place->source);
    printf("  stimulus   %s, seed %" PRIu64 ", step %" PRIu64 "\n", place->kind, place->seed,
           place->step);
}

/* All that a transaction transfers. */
static void payload(const struct transactions_place *place, const struct channel *channel,
                    const void *out)
{
    printf("\n  %-28s %20s\n", "port[element]", "value");
    for (uint32_t i = 0u; i < place->unit->n_port; i++) {
        const struct unit_port *const port = &place->unit->ports[i];
        for (uint32_t k = 0u; channel_has(channel, port) && k < port->count; k++) {
            char name[UNIT_PORT_NAME];
            char element[UNIT_PORT_NAME + 16];
            snprintf(element, sizeof element, port->count > 1u ? "%s[%" PRIu32 "]" : "%s",
                     unit_port_name(port, name), k);
            printf("  %-28s %20" PRIu64 "\n", element, unit_get(port, out, k));
        }
    }
}

void transactions_report_other(const struct transactions_place *place,
                               const struct channel *channel,
                               const struct unit_difference *differences, uint32_t n)
{
    head(place, channel, channel->matched + 1u);
    printf("  model      cycle %" PRIu64 "\n  RTL        cycle %" PRIu64 "\n\n",
           channel->expected[0].cycle, place->rtl_cycle);
    report_differences(stdout, differences, n);
}

void transactions_report_extra(const struct transactions_place *place,
                               const struct channel *channel, const void *out)
{
    head(place, channel, channel->transfers + 1u);
    printf("  model      none in this step, up to cycle %" PRIu64 "\n"
           "  RTL        cycle %" PRIu64 "\n",
           place->model_cycle - 1u, place->rtl_cycle);
    payload(place, channel, out);
}

void transactions_report_missing(const struct transactions_place *place,
                                 const struct channel *channel)
{
    head(place, channel, channel->matched + 1u);
    if (channel->output) {
        printf("  model      cycle %" PRIu64 "\n", channel->expected[0].cycle);
    } else {
        printf("  model      takes the offer in this step\n");
    }
    printf("  RTL        does not for %d cycles, up to cycle %" PRIu64 "\n", TRANSACTIONS_LIMIT,
           place->rtl_cycle);
    if (channel->output) {
        payload(place, channel, channel->expected[0].out);
    }
}
