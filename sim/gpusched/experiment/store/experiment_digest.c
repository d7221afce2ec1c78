/* experiment_digest - SHA-256 in SQL; see experiment_digest.h. */

#include "gpusched/experiment/store/experiment_digest.h"

#include <nettle/base16.h>
#include <nettle/sha2.h>
#include <stdint.h>
#include <string.h>

static void add_whole(struct sha256_ctx *hash, uint64_t value)
{
    uint8_t bytes[sizeof value];

    for (unsigned i = 0u; i < sizeof bytes; i++) {
        bytes[i] = (uint8_t)(value >> (8u * i));
    }
    sha256_update(hash, sizeof bytes, bytes);
}

static void add_real(struct sha256_ctx *hash, double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    add_whole(hash, bits);
}

/* False if there is no memory. */
static bool add_bytes(struct sha256_ctx *hash, sqlite3_value *value)
{
    const void *const bytes = sqlite3_value_blob(value);
    const int length = sqlite3_value_bytes(value);

    if (bytes == NULL && length > 0) {
        return false;
    }
    add_whole(hash, (uint64_t)length);
    sha256_update(hash, (size_t)length, bytes);
    return true;
}

static bool add_value(struct sha256_ctx *hash, sqlite3_value *value)
{
    const int type = sqlite3_value_type(value);

    add_whole(hash, (uint64_t)type);
    switch (type) {
    case SQLITE_INTEGER:
        add_whole(hash, (uint64_t)sqlite3_value_int64(value));
        return true;
    case SQLITE_FLOAT:
        add_real(hash, sqlite3_value_double(value));
        return true;
    case SQLITE_NULL:
        return true;
    default:
        return add_bytes(hash, value);
    }
}

/* False if there is no memory. */
static bool hash_values(sqlite3_context *context, int n, sqlite3_value **values,
                        uint8_t bytes[SHA256_DIGEST_SIZE])
{
    struct sha256_ctx hash;

    sha256_init(&hash);
    for (int i = 0; i < n; i++) {
        if (!add_value(&hash, values[i])) {
            sqlite3_result_error_nomem(context);
            return false;
        }
    }
    sha256_digest(&hash, SHA256_DIGEST_SIZE, bytes);
    return true;
}

static void digest(sqlite3_context *context, int n, sqlite3_value **values)
{
    uint8_t bytes[SHA256_DIGEST_SIZE];
    char text[BASE16_ENCODE_LENGTH(SHA256_DIGEST_SIZE)];

    if (hash_values(context, n, values, bytes)) {
        base16_encode_update(text, sizeof bytes, bytes);
        sqlite3_result_text(context, text, (int)sizeof text, SQLITE_TRANSIENT);
    }
}

static void sha256(sqlite3_context *context, int n, sqlite3_value **values)
{
    uint8_t bytes[SHA256_DIGEST_SIZE];

    if (hash_values(context, n, values, bytes)) {
        sqlite3_result_blob(context, bytes, (int)sizeof bytes, SQLITE_TRANSIENT);
    }
}

bool digest_register(sqlite3 *database)
{
    const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC;

    return sqlite3_create_function(database, "gpusched_digest", -1, flags, NULL, digest, NULL,
                                   NULL)
               == SQLITE_OK
           && sqlite3_create_function(database, "gpusched_sha256", -1, flags, NULL, sha256,
                                      NULL, NULL)
                  == SQLITE_OK;
}
