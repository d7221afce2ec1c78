/*
 * experiment_packed - results of runs in few bytes. What a run is of and its result are one
 * text, packed (experiment_pack.h) and compressed by zstd with a dictionary: the first packed
 * text of the same workload, size and number of SMs, which is most of what the next ones are.
 * The table result_dictionaries has them. What is read is bounded: a row that was made by
 * others costs no more memory than one of ours.
 */

#ifndef EXPERIMENT_PACKED_H
#define EXPERIMENT_PACKED_H

#include "gpusched/experiment/store/experiment_pack.h"
#include "gpusched/experiment/store/experiment_sql.h"

enum {
    PACKED_MOST = 1 << 28,    /* bytes of a text */
    PACKED_DICTIONARIES = 64, /* of a database; what comes later takes the first */
};

/* Packs a row's texts; result may be NULL. name: of its dictionary, which is made if it is not
 * there. *dictionary is its number. Returns false after a failure. */
bool packed_make(struct store *store, const char *name, const char *input, const char *result,
                 int64_t *dictionary, struct pack_bytes *packed);

/* The same for a row of another store, packed with its dictionary of number *dictionary, which
 * becomes the one in this store. */
bool packed_move(struct store *into, struct store *from, const void *bytes, size_t n,
                 int64_t *dictionary, struct pack_bytes *packed);

/* Adds the functions gpusched_input and gpusched_result, of a row's id, packed and dictionary,
 * to a store's connection. */
bool packed_register(struct store *store);

/* Dictionaries are read again: after a transaction that was rolled back. */
void packed_forget(struct store *store);
void packed_free(struct store *store);

#endif
