/*
 * experiment_digest - digests of rows of an experiment's database, by which a row that is not
 * as it was written is known: SHA-256 of its values, each with its type and length. For
 * experiment_store*.c.
 */

#ifndef EXPERIMENT_DIGEST_H
#define EXPERIMENT_DIGEST_H

#include <sqlite3.h>
#include <stdbool.h>

/* Of a row of `results`, with what was watched in the run. */
#define DIGEST_OF_RESULT                                                             \
    "gpusched_sha256(key, status, error, seconds, program, figures, dictionary,"     \
    " packed, (SELECT group_concat(gpusched_digest(name, value)) FROM (SELECT name," \
    " value FROM result_observed WHERE result = results.id ORDER BY name)))"
/* Of a row of `result_dictionaries`. */
#define DIGEST_OF_DICTIONARY "gpusched_sha256(name, content)"
/* Of a row of `result_figures`. */
#define DIGEST_OF_FIGURE "gpusched_sha256(id, name)"
/* Of a row of `grid`. */
#define DIGEST_OF_POINT "gpusched_sha256(id, gpu, workload, size, variant, axes, key)"

/* Those of the third format: of `results`, and of `result_figures`, which it had. */
#define OLD_DIGEST_OF_RESULT                                                       \
    "gpusched_digest(key, input, status, error, seconds, program, result,"         \
    " (SELECT group_concat(gpusched_digest(name, value)) FROM (SELECT name, value" \
    " FROM result_observed WHERE result = results.id ORDER BY name)))"
#define OLD_DIGEST_OF_FIGURE \
    "gpusched_digest((SELECT key FROM results WHERE id = result_figures.result), name, value)"

/* Adds the functions gpusched_sha256(value, ...), whose value is 32 bytes, and gpusched_digest,
 * which gives them as text, to a connection. */
bool digest_register(sqlite3 *database);

#endif
