/* device_memory - allocations sorted by address, first fit; see device_memory.h. */

#include "exec/device_memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/config/jitter.h"

enum { ALIGNMENT = 256, FEWEST = 64 };

struct allocation {
    uint64_t address;
    uint64_t bytes; /* as asked for: what may be accessed */
    uint64_t moved; /* bytes before it that are its own: jitter */
    uint8_t *data;
    uint8_t *written; /* a byte for each; NULL if nobody asks */
};

struct device_memory {
    struct allocation last; /* that an access found; bytes 0 if none */
    struct allocation *allocation;
    size_t n, capacity;
    uint64_t allocated, limit; /* bytes */
    bool watched;
    size_t first_gap; /* no allocation before this one leaves a gap that has been freed */
    const struct gpu_config *jitter; /* NULL: none */
    uint32_t given;                  /* allocations so far */
};

static uint64_t rounded(uint64_t bytes)
{
    return (bytes + ALIGNMENT - 1u) & ~(uint64_t)(ALIGNMENT - 1);
}

/* What an allocation keeps others from: itself, and the distance behind it. */
static uint64_t taken(uint64_t bytes)
{
    return rounded(bytes) + DEVICE_DISTANCE;
}

static uint64_t end_of(const struct allocation *allocation)
{
    return allocation->address + taken(allocation->bytes);
}

struct device_memory *device_memory_open(void)
{
    struct device_memory *const memory = calloc(1u, sizeof *memory);

    if (memory != NULL) {
        memory->limit = UINT64_MAX;
    }
    return memory;
}

void device_memory_limit(struct device_memory *memory, uint64_t bytes)
{
    memory->limit = bytes;
}

void device_memory_jitter(struct device_memory *memory, const struct gpu_config *config)
{
    memory->jitter = config;
}

void device_memory_close(struct device_memory *memory)
{
    if (memory != NULL) {
        for (size_t i = 0u; i < memory->n; i++) {
            free(memory->allocation[i].data);
            free(memory->allocation[i].written);
        }
        free(memory->allocation);
        free(memory);
    }
}

/* How many allocations begin at or below address. */
static size_t below(const struct device_memory *memory, uint64_t address)
{
    size_t low = 0u;
    size_t high = memory->n;

    while (low < high) {
        const size_t middle = low + (high - low) / 2u;
        if (memory->allocation[middle].address <= address) {
            low = middle + 1u;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool grow(struct device_memory *memory)
{
    if (memory->n < memory->capacity) {
        return true;
    }
    const size_t capacity = memory->capacity == 0u ? FEWEST : 2u * memory->capacity;
    struct allocation *const more =
        realloc(memory->allocation, capacity * sizeof *memory->allocation);
    if (more != NULL) {
        memory->allocation = more;
        memory->capacity = capacity;
    }
    return more != NULL;
}

/* The place of the first gap that is large enough, and its address; 0 if there is none. */
static uint64_t find_gap(struct device_memory *memory, uint64_t bytes, size_t *place)
{
    const size_t from = memory->first_gap;
    uint64_t address = from == 0u ? DEVICE_BASE : end_of(&memory->allocation[from - 1u]);
    bool packed = true; /* up to here nothing is free */

    for (size_t i = from; i < memory->n; i++) {
        const struct allocation *const at = &memory->allocation[i];
        const uint64_t gap = at->address - at->moved - address;
        if (gap >= bytes) {
            *place = i;
            return address;
        }
        packed = packed && gap == 0u;
        memory->first_gap = packed ? i + 1u : memory->first_gap;
        address = end_of(at);
    }
    *place = memory->n;
    return DEVICE_LIMIT - address >= bytes ? address : 0u;
}

bool device_has_room(const struct device_memory *memory, uint64_t bytes)
{
    const uint64_t addresses = DEVICE_LIMIT - DEVICE_BASE;
    const uint64_t all = memory->limit < addresses ? memory->limit : addresses;

    return bytes <= all && memory->allocated <= all - bytes;
}

uint64_t device_alloc(struct device_memory *memory, uint64_t bytes)
{
    size_t place;

    if (bytes == 0u || !device_has_room(memory, bytes) || !grow(memory)) {
        return 0u;
    }
    const uint64_t moved =
        memory->jitter == NULL ? 0u : jitter_buffer(memory->jitter, memory->given);
    const uint64_t gap = find_gap(memory, moved + taken(bytes), &place);
    /* Large blocks come from the system as zero pages, which cost nothing until touched. */
    uint8_t *const data = gap == 0u ? NULL : calloc(1u, (size_t)bytes);
    uint8_t *const written =
        data == NULL || !memory->watched ? NULL : calloc(1u, (size_t)bytes);
    if (data == NULL || (memory->watched && written == NULL)) {
        free(data);
        return 0u;
    }
    struct allocation *const at = &memory->allocation[place];
    memmove(at + 1, at, (memory->n - place) * sizeof *at);
    *at = (struct allocation){
        .address = gap + moved, .bytes = bytes, .moved = moved, .data = data, .written = written
    };
    memory->n++;
    memory->given++;
    memory->allocated += bytes;
    return at->address;
}

bool device_free(struct device_memory *memory, uint64_t address)
{
    const size_t count = below(memory, address);

    if (count == 0u || memory->allocation[count - 1u].address != address) {
        return false;
    }
    struct allocation *const at = &memory->allocation[count - 1u];
    free(at->data);
    free(at->written);
    memory->allocated -= at->bytes;
    memmove(at, at + 1, (memory->n - count) * sizeof *at);
    memory->n--;
    if (memory->first_gap > count - 1u) {
        memory->first_gap = count - 1u;
    }
    memory->last = (struct allocation){ .bytes = 0u };
    return true;
}

static void *within(const struct allocation *allocation, uint64_t address, uint64_t bytes)
{
    const uint64_t offset = address - allocation->address; /* huge if it lies below */

    return offset <= allocation->bytes && bytes <= allocation->bytes - offset
               ? allocation->data + offset
               : NULL;
}

void *device_at(struct device_memory *memory, uint64_t address, uint64_t bytes)
{
    void *const quick = memory->last.bytes == 0u ? NULL : within(&memory->last, address, bytes);

    if (quick != NULL) {
        return quick;
    }
    const size_t count = below(memory, address);
    void *const found =
        count == 0u ? NULL : within(&memory->allocation[count - 1u], address, bytes);
    if (found != NULL) {
        memory->last = memory->allocation[count - 1u];
    }
    return found;
}

void device_memory_watch(struct device_memory *memory)
{
    memory->watched = true;
}

uint8_t *device_written(const struct device_memory *memory, uint64_t address, uint64_t bytes)
{
    const size_t count = memory->watched ? below(memory, address) : 0u;
    const struct allocation *const at = count == 0u ? NULL : &memory->allocation[count - 1u];

    return at != NULL && within(at, address, bytes) != NULL
               ? at->written + (address - at->address)
               : NULL;
}

void device_mark(const struct device_memory *memory, uint64_t address, uint64_t bytes)
{
    uint8_t *const written = device_written(memory, address, bytes);

    if (written != NULL) {
        memset(written, 1, (size_t)bytes);
    }
}

void device_describe(const struct device_memory *memory, uint64_t address, char *text,
                     size_t size)
{
    const size_t count = below(memory, address);
    const struct allocation *const before = count == 0u ? NULL : &memory->allocation[count - 1];
    const struct allocation *const after =
        count == memory->n ? NULL : &memory->allocation[count];

    if (before == NULL && after == NULL) {
        snprintf(text, size, "nothing is allocated");
    } else if (before != NULL && address - before->address < before->bytes) {
        snprintf(text, size,
                 "byte %" PRIu64 " of the %" PRIu64 " allocated at 0x%" PRIx64 ", "
                 "%" PRIu64 " before its end",
                 address - before->address, before->bytes, before->address,
                 before->address + before->bytes - address);
    } else if (before != NULL
               && (after == NULL
                   || address - before->address - before->bytes <= after->address - address)) {
        snprintf(text, size,
                 "%" PRIu64 " bytes past the end of the %" PRIu64 " allocated at 0x%" PRIx64,
                 address - before->address - before->bytes, before->bytes, before->address);
    } else {
        snprintf(text, size, "%" PRIu64 " bytes below the %" PRIu64 " allocated at 0x%" PRIx64,
                 after->address - address, after->bytes, after->address);
    }
}
