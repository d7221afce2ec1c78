/* experiment_packed - results in few bytes; see experiment_packed.h. */

#include "gpusched/experiment/store/experiment_packed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

enum { LEVEL = 6 };

struct store_packer {
    ZSTD_CCtx *compress;
    ZSTD_DCtx *expand;
    struct dictionary {
        int64_t id;
        struct pack_bytes content;
    } list[PACKED_DICTIONARIES];
    uint32_t n;
};

static struct store_packer *packer_of(struct store *store)
{
    if (store->packer == NULL) {
        struct store_packer *const made = calloc(1u, sizeof *made);
        if (made == NULL) {
            return NULL;
        }
        made->compress = ZSTD_createCCtx();
        made->expand = ZSTD_createDCtx();
        store->packer = made;
    }
    return store->packer->compress == NULL || store->packer->expand == NULL ? NULL
                                                                            : store->packer;
}

void packed_forget(struct store *store)
{
    for (uint32_t i = 0u; store->packer != NULL && i < store->packer->n; i++) {
        free(store->packer->list[i].content.bytes);
    }
    if (store->packer != NULL) {
        store->packer->n = 0u;
    }
}

void packed_free(struct store *store)
{
    packed_forget(store);
    if (store->packer != NULL) {
        ZSTD_freeCCtx(store->packer->compress);
        ZSTD_freeDCtx(store->packer->expand);
        free(store->packer);
        store->packer = NULL;
    }
}

/* ---- zstd ---------------------------------------------------------------------------- */

/* With the content of a dictionary, which may be NULL. Returns false without memory. */
static bool compress(ZSTD_CCtx *context, const struct pack_bytes *content,
                     const struct pack_bytes *from, struct pack_bytes *to)
{
    const size_t room = ZSTD_compressBound(from->n);
    size_t n = 0u;

    to->bytes = malloc(room);
    if (to->bytes == NULL) {
        return false;
    }
    to->room = room;
    ZSTD_CCtx_reset(context, ZSTD_reset_session_and_parameters);
    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, LEVEL);
    if (content != NULL) {
        n = ZSTD_CCtx_refPrefix(context, content->bytes, content->n);
    }
    if (ZSTD_isError(n) == 0u) {
        n = ZSTD_compress2(context, to->bytes, room, from->bytes, from->n);
    }
    to->n = ZSTD_isError(n) != 0u ? 0u : n;
    return ZSTD_isError(n) == 0u;
}

static enum unpacked expand(ZSTD_DCtx *context, const struct pack_bytes *content,
                            const void *from, size_t n, struct pack_bytes *to)
{
    const unsigned long long size = ZSTD_getFrameContentSize(from, n);

    if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR
        || size > PACKED_MOST) {
        return UNPACK_DAMAGED;
    }
    to->bytes = malloc((size_t)size + 1u);
    if (to->bytes == NULL) {
        return UNPACK_NO_MEMORY;
    }
    to->room = (size_t)size + 1u;
    ZSTD_DCtx_reset(context, ZSTD_reset_session_and_parameters);
    if (content != NULL) {
        ZSTD_DCtx_refPrefix(context, content->bytes, content->n);
    }
    to->n = ZSTD_decompressDCtx(context, to->bytes, (size_t)size, from, n);
    if (ZSTD_isError(to->n) != 0u || to->n != size) {
        return ZSTD_getErrorCode(to->n) == ZSTD_error_memory_allocation ? UNPACK_NO_MEMORY
                                                                        : UNPACK_DAMAGED;
    }
    return UNPACKED;
}

/* ---- Dictionaries -------------------------------------------------------------------- */

/* Takes the content. */
static const struct dictionary *keep(struct store_packer *packer, int64_t id,
                                     struct pack_bytes *content)
{
    struct dictionary *const kept = &packer->list[packer->n++];

    *kept = (struct dictionary){ id, *content };
    *content = (struct pack_bytes){ .n = 0u };
    return kept;
}

/* *found: NULL if it is not there. */
static enum unpacked find(struct store *store, int64_t id, const struct dictionary **found)
{
    struct store_packer *const packer = store->packer;
    struct pack_bytes content = { .n = 0u };
    enum unpacked end = UNPACK_DAMAGED;

    *found = NULL;
    for (uint32_t i = 0u; i < packer->n; i++) {
        if (packer->list[i].id == id) {
            *found = &packer->list[i];
            return UNPACKED;
        }
    }
    sqlite3_stmt *const read =
        sql_prepare(store, "SELECT content FROM main.result_dictionaries WHERE id = ?");
    if (read != NULL) {
        sqlite3_bind_int64(read, 1, id);
    }
    if (sql_row(store, read) && packer->n < PACKED_DICTIONARIES) {
        const void *const bytes = sqlite3_column_blob(read, 0);
        end = expand(packer->expand, NULL, bytes, (size_t)sqlite3_column_bytes(read, 0),
                     &content);
    }
    if (end == UNPACKED) {
        *found = keep(packer, id, &content);
    }
    free(content.bytes);
    sqlite3_finalize(read);
    return end;
}

/* The number of a name's dictionary, or else of the first if there are as many as there may be;
 * 0: it is to be made. */
static int64_t named(struct store *store, const char *name)
{
    sqlite3_stmt *const find_name = sql_kept(
        store, STORE_DICTIONARY,
        "SELECT coalesce((SELECT id FROM result_dictionaries WHERE name = ?1),"
        " (SELECT CASE WHEN count(*) >= ?2 THEN min(id) END FROM result_dictionaries), 0)");

    if (find_name == NULL) {
        return -1;
    }
    sql_text(find_name, 1, name);
    sqlite3_bind_int64(find_name, 2, PACKED_DICTIONARIES);
    const int64_t id = sql_row(store, find_name) ? sqlite3_column_int64(find_name, 0) : -1;
    sqlite3_reset(find_name);
    return id;
}

/* Makes it of a packed text. */
static const struct dictionary *add(struct store *store, const char *name,
                                    const struct pack_bytes *text)
{
    struct store_packer *const packer = store->packer;
    struct pack_bytes content = { .n = 0u };
    struct pack_bytes small = content;
    const struct dictionary *added = NULL;
    sqlite3_stmt *const put =
        sql_prepare(store, "INSERT INTO result_dictionaries (name, content, digest)"
                           " VALUES (?1, ?2, gpusched_sha256(?1, ?2)) RETURNING id");

    pack_add(&content, text->bytes, text->n);
    if (content.lost || !compress(packer->compress, NULL, text, &small)) {
        sql_no_memory(store);
    } else if (put != NULL) {
        sql_text(put, 1, name);
        sqlite3_bind_blob(put, 2, small.bytes, (int)small.n, SQLITE_STATIC);
        if (sql_row(store, put) && packer->n < PACKED_DICTIONARIES) {
            added = keep(packer, sqlite3_column_int64(put, 0), &content);
        }
    }
    sqlite3_finalize(put);
    free(content.bytes);
    free(small.bytes);
    return added;
}

static const struct dictionary *dictionary_of(struct store *store, const char *name,
                                              const struct pack_bytes *text)
{
    const struct dictionary *found = NULL;
    const int64_t id = named(store, name);

    if (id == 0) {
        return add(store, name, text);
    }
    if (id > 0 && find(store, id, &found) == UNPACK_NO_MEMORY) {
        sql_no_memory(store);
    } else if (found == NULL && !sql_failed(store)) {
        fault_set(&store->fault, "%.3000s: dictionary %lld cannot be unpacked", store->path,
                  (long long)id);
    }
    return found;
}

/* ---- Rows ---------------------------------------------------------------------------- */

/* A 0 stands between the two. */
static bool join(const char *input, const char *result, struct pack_bytes *packed)
{
    struct pack_bytes text = { .n = 0u };

    pack_add(&text, input, strlen(input) + 1u);
    pack_add(&text, result, result == NULL ? 0u : strlen(result));
    const size_t n = result == NULL ? text.n - 1u : text.n;
    const bool good = !text.lost && pack_text((const char *)text.bytes, n, packed);
    free(text.bytes);
    return good;
}

/* Compresses a packed text with the dictionary of this name. */
static bool store_text(struct store *store, const char *name, const struct pack_bytes *text,
                       int64_t *dictionary, struct pack_bytes *packed)
{
    const struct dictionary *const with = dictionary_of(store, name, text);

    if (with == NULL) {
        return false;
    }
    *dictionary = with->id;
    return compress(store->packer->compress, &with->content, text, packed)
           || sql_no_memory(store);
}

bool packed_make(struct store *store, const char *name, const char *input, const char *result,
                 int64_t *dictionary, struct pack_bytes *packed)
{
    struct pack_bytes text = { .n = 0u };
    bool good = packer_of(store) != NULL && join(input, result, &text);

    if (!good) {
        sql_no_memory(store);
    } else if (text.n > PACKED_MOST) {
        good = fault_set(&store->fault,
                         "%.3000s: a result of more than %d bytes; allowed: at most as many",
                         store->path, PACKED_MOST);
    } else {
        good = store_text(store, name, &text, dictionary, packed);
    }
    free(text.bytes);
    return good && !sql_failed(store);
}

/* Of a row's text, as it is packed. */
static enum unpacked expand_row(struct store *store, int64_t id, const void *bytes, size_t n,
                                struct pack_bytes *packed)
{
    struct store_packer *const packer = packer_of(store);
    const struct dictionary *with = NULL;
    const enum unpacked end = packer == NULL ? UNPACK_NO_MEMORY : find(store, id, &with);

    return end == UNPACKED ? expand(packer->expand, &with->content, bytes, n, packed) : end;
}

/* To be freed; NULL without memory, or if there is none. */
static char *name_of(struct store *store, int64_t dictionary)
{
    sqlite3_stmt *const find_name = sql_kept(
        store, STORE_DICTIONARY_NAME, "SELECT name FROM main.result_dictionaries WHERE id = ?");
    char *name = NULL;

    if (find_name != NULL) {
        sqlite3_bind_int64(find_name, 1, dictionary);
    }
    if (sql_row(store, find_name)) {
        const char *const text = sql_text_of(store, find_name, 0);
        name = text == NULL ? NULL : strdup(text);
    }
    sqlite3_reset(find_name);
    return name;
}

bool packed_move(struct store *into, struct store *from, const void *bytes, size_t n,
                 int64_t *dictionary, struct pack_bytes *packed)
{
    struct pack_bytes text = { .n = 0u };
    char *const name = name_of(from, *dictionary);
    const enum unpacked end =
        name == NULL ? UNPACK_NO_MEMORY : expand_row(from, *dictionary, bytes, n, &text);
    bool good = false;

    if (end == UNPACK_DAMAGED) {
        fault_set(&from->fault, "%.3000s: a result cannot be unpacked", from->path);
    } else if (end == UNPACK_NO_MEMORY || packer_of(into) == NULL) {
        sql_no_memory(into);
    } else {
        good = store_text(into, name, &text, dictionary, packed);
    }
    free(text.bytes);
    free(name);
    return good && !sql_failed(into);
}

static enum unpacked unpack(struct store *store, int64_t id, const void *bytes, size_t n,
                            struct pack_bytes *text)
{
    struct pack_bytes packed = { .n = 0u };
    enum unpacked end = expand_row(store, id, bytes, n, &packed);

    if (end == UNPACKED) {
        end = unpack_text(packed.bytes, packed.n, PACKED_MOST, text);
    }
    free(packed.bytes);
    return end;
}

/* ---- SQL ----------------------------------------------------------------------------- */

/* One of the two texts; a row without a result gives a null. */
static void give(sqlite3_context *context, const struct pack_bytes *text, bool result)
{
    const char *const input = (const char *)text->bytes;
    const size_t n = strlen(input);

    if (!result) {
        sqlite3_result_text(context, input, (int)n, SQLITE_TRANSIENT);
    } else if (n < text->n) {
        sqlite3_result_text(context, input + n + 1u, (int)(text->n - n - 1u), SQLITE_TRANSIENT);
    }
}

static void unpack_row(sqlite3_context *context, sqlite3_value **values, bool result)
{
    struct store *const store = sqlite3_user_data(context);
    struct pack_bytes text = { .n = 0u };
    const void *const bytes = sqlite3_value_blob(values[1]);
    char why[80];

    if (sqlite3_value_type(values[1]) == SQLITE_NULL) {
        return;
    }
    switch (unpack(store, sqlite3_value_int64(values[2]), bytes,
                   (size_t)sqlite3_value_bytes(values[1]), &text)) {
    case UNPACKED:
        give(context, &text, result);
        break;
    case UNPACK_DAMAGED:
        snprintf(why, sizeof why, "result %lld cannot be unpacked",
                 (long long)sqlite3_value_int64(values[0]));
        sqlite3_result_error(context, why, -1);
        break;
    default:
        sqlite3_result_error_nomem(context);
        break;
    }
    free(text.bytes);
}

static void input_of(sqlite3_context *context, int n, sqlite3_value **values)
{
    (void)n;
    unpack_row(context, values, false);
}

static void result_of(sqlite3_context *context, int n, sqlite3_value **values)
{
    (void)n;
    unpack_row(context, values, true);
}

bool packed_register(struct store *store)
{
    const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC;

    return sqlite3_create_function(store->database, "gpusched_input", 3, flags, store, input_of,
                                   NULL, NULL)
               == SQLITE_OK
           && sqlite3_create_function(store->database, "gpusched_result", 3, flags, store,
                                      result_of, NULL, NULL)
                  == SQLITE_OK;
}
