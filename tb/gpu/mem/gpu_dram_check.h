/* gpu_dram_check - a monitor of its own, which checks every command of the DRAM against the
 * timing rules, and which side goes where writes wait apart. */

#ifndef GPU_DRAM_CHECK_H
#define GPU_DRAM_CHECK_H

#include "gpu/config/gpu_config.h"
#include "gpu/gpu_hooks.h"

enum { MOST_PARTITIONS = 64, MOST_BANKS = 64 };

struct checked_bank {
    bool open;
    uint32_t row;
    uint64_t activate, precharge; /* the last ones */
    uint64_t column, written;     /* last read or write; end of the last write's data */
    uint64_t read;                /* the last atom of the last read begins */
    uint64_t refresh;             /* the last of it alone */
};
struct checked_partition {
    struct checked_bank bank[MOST_BANKS];
    uint64_t command, column; /* the last ones of all banks */
    uint64_t activate[4];     /* the last four, the latest first */
    uint64_t group[16];       /* the last atom of each bank group begins */
    uint64_t bus_end, read_end, write_end;
    uint64_t refresh, refreshes;
    /* What waits, since cycle `changed`; whether the writes that wait apart go. */
    uint64_t changed;
    uint32_t reads_wait, writes_wait;
    bool writing;
    uint64_t turns; /* from reads to writes */
    uint64_t reads, writes, activates, precharges, bus, bytes;
};
struct dram_checker {
    struct gpu_config config;
    uint32_t per_cycle, atom; /* bytes */
    struct checked_partition partition[MOST_PARTITIONS];
    bool waits;         /* it is told what waits */
    const char *broken; /* the first rule that was */
};

void dram_checker_open(struct dram_checker *c, const struct gpu_config *config);
/* For struct gpu_monitor. */
void dram_check_command(void *self, uint32_t partition, enum dram_command command,
                        uint32_t bank, uint32_t row, uint32_t bytes, uint64_t cycle);
void dram_check_waits(void *self, uint32_t partition, bool write, uint64_t cycle);

#endif
