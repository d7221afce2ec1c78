/*
 * aes, host part. The CPU's AES goes byte by byte as FIPS 197 describes it, and is tested with
 * the vectors of FIPS 197 (appendices B and C.1) before it judges the GPU's.
 */

#include <string.h>

#include "workloads/workload_kit.h"

enum { ROUNDS = 10, BLOCK = 16, KEYS = BLOCK * (ROUNDS + 1), CTA_BYTES = 1024 };

static const uint32_t ctas[] = {
    [SIZE_SMALL] = 8,
    [SIZE_MEDIUM] = 1028,
    [SIZE_PAPER] = 257,
    [SIZE_CLASO] = 257,
};

/* Times x in GF(2^8). */
static uint8_t twice(uint8_t a)
{
    return (uint8_t)(a << 1 ^ (a & 0x80 ? 0x1b : 0));
}

static uint8_t product(uint8_t a, uint8_t b)
{
    uint8_t sum = 0;
    for (; b > 0; b >>= 1) {
        if (b & 1) {
            sum ^= a;
        }
        a = twice(a);
    }
    return sum;
}

/* Affine transformation of the inverse, which is the 254th power. */
static void make_sbox(uint8_t *sbox)
{
    for (unsigned value = 0; value < 256; value++) {
        uint8_t inverse = 1;
        for (int i = 0; i < 254; i++) {
            inverse = product(inverse, (uint8_t)value);
        }
        unsigned rotated = inverse * 0x101u, sum = 0x63;
        for (int i = 0; i < 5; i++) {
            sum ^= rotated >> (8 - i);
        }
        sbox[value] = (uint8_t)sum;
    }
}

static void expand_key(const uint8_t *sbox, const uint8_t *key, uint8_t *keys)
{
    uint8_t constant = 1;

    memcpy(keys, key, BLOCK);
    for (size_t i = BLOCK; i < KEYS; i += 4) {
        uint8_t word[4];
        memcpy(word, keys + i - 4, 4);
        if (i % BLOCK == 0) {
            const uint8_t first = word[0];
            word[0] = sbox[word[1]] ^ constant;
            word[1] = sbox[word[2]];
            word[2] = sbox[word[3]];
            word[3] = sbox[first];
            constant = twice(constant);
        }
        for (size_t j = 0; j < 4; j++) {
            keys[i + j] = keys[i + j - BLOCK] ^ word[j];
        }
    }
}

static void mix_column(uint8_t *c)
{
    const uint8_t all = c[0] ^ c[1] ^ c[2] ^ c[3], first = c[0];
    c[0] ^= all ^ twice(c[0] ^ c[1]);
    c[1] ^= all ^ twice(c[1] ^ c[2]);
    c[2] ^= all ^ twice(c[2] ^ c[3]);
    c[3] ^= all ^ twice(c[3] ^ first);
}

static void encrypt(const uint8_t *sbox, const uint8_t *keys, const uint8_t *in, uint8_t *out)
{
    uint8_t state[BLOCK];

    for (size_t i = 0; i < BLOCK; i++) {
        out[i] = in[i] ^ keys[i];
    }
    for (size_t round = 1; round <= ROUNDS; round++) {
        for (size_t i = 0; i < BLOCK; i++) { /* SubBytes and ShiftRows */
            state[i] = sbox[out[(i + i % 4 * 4) % BLOCK]];
        }
        for (size_t i = 0; i < BLOCK && round < ROUNDS; i += 4) {
            mix_column(state + i);
        }
        for (size_t i = 0; i < BLOCK; i++) {
            out[i] = state[i] ^ keys[round * BLOCK + i];
        }
    }
}

static bool meets_fips_197(struct kit *kit, const uint8_t *sbox)
{
    static const struct {
        uint8_t key[BLOCK], plain[BLOCK], cipher[BLOCK];
    } vectors[] = {
        { { 0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6, 0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf,
            0x4f, 0x3c },
          { 0x32, 0x43, 0xf6, 0xa8, 0x88, 0x5a, 0x30, 0x8d, 0x31, 0x31, 0x98, 0xa2, 0xe0, 0x37,
            0x07, 0x34 },
          { 0x39, 0x25, 0x84, 0x1d, 0x02, 0xdc, 0x09, 0xfb, 0xdc, 0x11, 0x85, 0x97, 0x19, 0x6a,
            0x0b, 0x32 } },
        { { 0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d,
            0x0e, 0x0f },
          { 0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd,
            0xee, 0xff },
          { 0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30, 0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4,
            0xc5, 0x5a } },
    };
    uint8_t keys[KEYS], cipher[BLOCK];

    for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) {
        expand_key(sbox, vectors[i].key, keys);
        encrypt(sbox, keys, vectors[i].plain, cipher);
        if (memcmp(cipher, vectors[i].cipher, BLOCK) != 0) {
            return kit_fail(kit, "the CPU's AES does not meet vector %zu of FIPS 197", i);
        }
    }
    return true;
}

/* Row 0: S times the column 2, 1, 1, 3 of MixColumns; the others are rotations. */
static void copy_tables(struct kit *kit, const uint8_t *sbox, const uint8_t *keys)
{
    uint32_t tables[4][256];

    for (size_t value = 0; value < 256; value++) {
        const uint32_t s = sbox[value], s2 = twice(sbox[value]);
        uint32_t word = s2 | s << 8 | s << 16 | (s ^ s2) << 24;
        for (size_t row = 0; row < 4; row++) {
            tables[row][value] = word;
            word = word << 8 | word >> 24;
        }
    }
    kit_copy_symbol(kit, "tables", tables, sizeof(tables));
    kit_copy_symbol(kit, "round_keys", keys, KEYS);
}

static bool run(struct kit *kit, enum workload_size size)
{
    const size_t bytes = (size_t)ctas[size] * CTA_BYTES;
    uint8_t sbox[256], key[BLOCK], keys[KEYS];
    uint8_t *plain = kit_host(kit, bytes), *expected = kit_host(kit, bytes);
    int32_t *got = kit_host(kit, bytes);
    make_sbox(sbox);
    if (!meets_fips_197(kit, sbox)) {
        return false;
    }
    for (size_t i = 0; i < BLOCK; i++) {
        key[i] = (uint8_t)(kit_random(kit) >> 24);
    }
    for (size_t i = 0; i < bytes; i++) {
        plain[i] = (uint8_t)(kit_random(kit) >> 24);
    }
    expand_key(sbox, key, keys);
    for (size_t i = 0; i < bytes; i += BLOCK) {
        encrypt(sbox, keys, plain + i, expected + i);
    }

    gsp_pointer device_plain = kit_alloc_copy(kit, plain, bytes);
    gsp_pointer cipher = kit_alloc(kit, bytes);
    copy_tables(kit, sbox, keys);
    const struct gsp_dim grid = { ctas[size], 1, 1 }, block = { CTA_BYTES / 4, 1, 1 };
    KIT_LAUNCH(kit, "aes_encrypt", grid, block, &device_plain, &cipher);
    kit_copy_out(kit, got, cipher, bytes);
    return kit_check_ints(kit, "word", got, (const int32_t *)(const void *)expected, bytes / 4);
}

static const struct kit_registers registers[] = {
    { "aes_encrypt", 20, "CLASO Table 2: 6 CTAs per core" },
    { NULL, 0, NULL },
};

const struct cuda_workload workload_aes = {
    .name = "aes",
    .title = "AES-128 encryption in ECB mode by table lookup",
    .source = "CLASO Table 2 (AES)",
    .check = "all bytes exactly, by an AES that meets FIPS 197's vectors",
    .run = run,
    .papers = SIZE_BIT(CLASO),
    .registers = registers,
};
