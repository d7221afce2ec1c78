/* gpu_config_dram - which DRAM a machine may have; see gpu_config.h. */

#include <inttypes.h>

#include "gpu/config/gpu_config_blame.h"

static void check_row_cycle(struct config_search *search)
{
    const uint32_t cycle = search->config->dram.tRC;
    const uint32_t least = search->config->dram.tRAS + search->config->dram.tRP;

    if (cycle < least) {
        config_blame(search, "dram", "tRC",
                     "%" PRIu32 " is less than tRAS + tRP; allowed: at least %" PRIu32, cycle,
                     least);
    }
}

static void check_interleave(struct config_search *search)
{
    const uint32_t row = search->config->dram.row_bytes;
    const uint32_t turn = search->config->dram.bank_interleave;

    if (turn != 0u && row % turn != 0u) {
        config_blame(search, "dram", "bank_interleave",
                     "%" PRIu32
                     " does not divide dram.row_bytes; allowed: 0, and divisors of %" PRIu32,
                     turn, row);
    }
}

/* A hash by exclusive or is one to one among banks whose number is a power of two. */
static void check_hash(struct config_search *search)
{
    const uint32_t banks = search->config->dram.banks;

    if (search->config->dram.bank_hash == BANKS_XOR_ROW && (banks & (banks - 1u)) != 0u) {
        config_blame(search, "dram", "bank_hash",
                     "xor with %" PRIu32 " banks; allowed: none, or a power of two of them",
                     banks);
    }
}

/* Bank groups and what holds within one, refreshes and how long they take: both or none. */
static void check_bank_groups(struct config_search *search)
{
    const struct gpu_config *const c = search->config;

    if (c->dram.bank_groups != 0u && c->dram.banks % c->dram.bank_groups != 0u) {
        config_blame(search, "dram", "bank_groups",
                     "%" PRIu32
                     " does not divide dram.banks; allowed: 0, or a divisor of %" PRIu32,
                     c->dram.bank_groups, c->dram.banks);
    }
    if (c->dram.bank_groups == 0u && c->dram.tCCDL != 0u) {
        config_blame(search, "dram", "tCCDL",
                     "%" PRIu32
                     " without bank groups; allowed: 0, or dram.bank_groups of at least 1",
                     c->dram.tCCDL);
    }
    if (c->dram.bank_groups != 0u && c->dram.tCCDL < c->dram.tCCD) {
        config_blame(search, "dram", "tCCDL",
                     "%" PRIu32
                     " is less than dram.tCCD, with bank groups; allowed: at least %" PRIu32,
                     c->dram.tCCDL, c->dram.tCCD);
    }
}

static void check_refresh(struct config_search *search)
{
    const struct gpu_config *const c = search->config;
    const uint32_t burst = c->l2.line / (c->dram.bus_bytes * c->dram.data_rate) + 1u;
    /* All banks are closed after it, and a request then gets its row and its data. */
    const uint32_t least = c->dram.tRC + c->dram.tRTP + c->dram.tCL + burst + c->dram.tWR
                           + c->dram.tRP + c->dram.tRFC + c->dram.tFAW + c->dram.tRCD
                           + c->dram.tWTR + c->dram.tRTW;

    if ((c->dram.tREFI != 0u) != (c->dram.tRFC != 0u)) {
        const bool no_time = c->dram.tREFI != 0u;
        config_blame(search, "dram", no_time ? "tRFC" : "tREFI",
                     "0 with dram.%s of %" PRIu32 "; allowed: both, or neither",
                     no_time ? "tREFI" : "tRFC", no_time ? c->dram.tREFI : c->dram.tRFC);
    }
    if (c->dram.tREFI != 0u && c->dram.tREFI < least) {
        config_blame(search, "dram", "tREFI",
                     "%" PRIu32
                     " leaves no time for a request after a refresh; allowed: 0, or at "
                     "least %" PRIu32,
                     c->dram.tREFI, least);
    }
}

static void check_window(struct config_search *search)
{
    const struct gpu_config *const c = search->config;

    if (c->dram.tFAW != 0u && c->dram.tFAW <= c->dram.tRRD) {
        config_blame(search, "dram", "tFAW",
                     "%" PRIu32
                     " for four activates that dram.tRRD keeps apart; allowed: 0, or at "
                     "least %" PRIu32,
                     c->dram.tFAW, c->dram.tRRD + 1u);
    }
}

/* A bank's refresh waits for its open row and for another's activate; it is over before the
 * next bank's is due. */
static void check_bank_refresh(struct config_search *search)
{
    const struct gpu_config *const c = search->config;
    const uint32_t burst = c->l2.line / (c->dram.bus_bytes * c->dram.data_rate) + 1u;
    const uint32_t written = c->dram.tCL + burst + c->dram.tWR, read = burst + c->dram.tRTP;
    uint32_t open = c->dram.tRAS > written ? c->dram.tRAS : written;
    open = (read > open ? read : open) + c->dram.tRP;
    const uint32_t bank = open > c->dram.tRC ? open : c->dram.tRC;
    const uint32_t least = bank + c->dram.tRRD + c->dram.tRREFD + 1u;

    if (c->dram.refresh != REFRESH_BANK) {
        if (c->dram.tRREFD != 0u) {
            config_blame(search, "dram", "tRREFD",
                         "%" PRIu32 " with dram.refresh all; allowed: 0, or dram.refresh bank",
                         c->dram.tRREFD);
        }
        return;
    }
    if (c->dram.tREFI == 0u) {
        config_blame(search, "dram", "refresh",
                     "bank without dram.tREFI; allowed: all, or dram.tREFI and dram.tRFC");
    }
    if (c->dram.tREFI / c->dram.banks < least) {
        config_blame(search, "dram", "tREFI",
                     "%" PRIu32 " leaves %" PRIu32
                     " cycles for each bank's turn; allowed with dram.refresh bank: at least "
                     "%" PRIu32,
                     c->dram.tREFI, c->dram.tREFI / c->dram.banks, least * c->dram.banks);
    }
}

static void check_write_queue(struct config_search *search)
{
    const struct gpu_config *const c = search->config;
    const uint32_t high = c->dram.write_high, low = c->dram.write_low;

    if (c->dram.write_queue == 0u && (high | low) != 0u) {
        config_blame(search, "dram", high != 0u ? "write_high" : "write_low",
                     "%" PRIu32 " without dram.write_queue; allowed: 0, or a write_queue",
                     high != 0u ? high : low);
    }
    if (c->dram.write_queue != 0u && (high == 0u || high > c->dram.write_queue)) {
        config_blame(search, "dram", "write_high",
                     "%" PRIu32 "; allowed with dram.write_queue: 1 to %" PRIu32, high,
                     c->dram.write_queue);
    }
    if (c->dram.write_queue != 0u && (low == 0u || low > high)) {
        config_blame(search, "dram", "write_low",
                     "%" PRIu32
                     "; allowed with dram.write_queue: 1 to dram.write_high, %" PRIu32,
                     low, high);
    }
}

/* A write that misses is pushed at once with the read of its line and what is written back. */
static void check_write_fetch(struct config_search *search)
{
    const struct gpu_config *const c = search->config;

    if (c->l2.write_fetch && c->dram.write_queue == 0u && c->dram.queue < 3u) {
        config_blame(search, "dram", "queue",
                     "%" PRIu32 "; allowed with l2.write_fetch: 3 to 64, or a write_queue",
                     c->dram.queue);
    }
    if (c->l2.write_fetch && c->dram.write_queue == 1u) {
        config_blame(search, "dram", "write_queue",
                     "1; allowed with l2.write_fetch: 0, or 2 to 64");
    }
}

void config_check_dram(struct config_search *search)
{
    check_row_cycle(search);
    check_interleave(search);
    check_hash(search);
    check_bank_groups(search);
    check_window(search);
    check_refresh(search);
    check_bank_refresh(search);
    check_write_queue(search);
    check_write_fetch(search);
}
