/* experiment_message - what a run tells the process that started it; see experiment_message.h.
 */

#include "gpusched/experiment/run/experiment_message.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/output_file.h"

enum { MOST_BYTE = 255 };

/* ---- Writing ------------------------------------------------------------------------- */

/* An error may name files, whose names are bytes; a long one may end within a character. */
static json_t *error_json(const char *error)
{
    if (error == NULL) {
        return json_null();
    }
    json_t *const text = json_string(error);
    if (text != NULL) {
        return text;
    }
    json_t *const bytes = json_array();
    for (; bytes != NULL && *error != '\0'; error++) {
        if (json_array_append_new(bytes, json_integer((unsigned char)*error)) != 0) {
            json_decref(bytes);
            return NULL;
        }
    }
    return bytes;
}

bool message_write(const struct experiment_outcome *outcome, FILE *to)
{
    json_t *const message = json_pack(
        "{s:s, s:o, s:s?, s:{s:s?, s:s?}}", "status", experiment_status_name(outcome->status),
        "error", error_json(outcome->error), "result", outcome->result, "observed", "lockstep",
        outcome->lockstep, "ctas", outcome->ctas);
    const bool good = message != NULL && json_dumpf(message, to, JSON_COMPACT) == 0;

    json_decref(message);
    return good && output_written(to);
}

/* ---- Reading ------------------------------------------------------------------------- */

static enum message_found take_text(const json_t *value, char **text)
{
    if (json_is_null(value)) {
        return MESSAGE_FOUND;
    }
    if (!json_is_string(value)) {
        return MESSAGE_DAMAGED;
    }
    *text = strdup(json_string_value(value));
    return *text == NULL ? MESSAGE_NO_MEMORY : MESSAGE_FOUND;
}

static enum message_found take_error(const json_t *value, char **error)
{
    const size_t n = json_array_size(value);

    if (!json_is_array(value)) {
        return take_text(value, error);
    }
    *error = calloc(n + 1u, 1u);
    for (size_t i = 0u; *error != NULL && i < n; i++) {
        const json_int_t byte = json_integer_value(json_array_get(value, i));
        if (byte < 1 || byte > MOST_BYTE) {
            return MESSAGE_DAMAGED;
        }
        (*error)[i] = (char)byte;
    }
    return *error == NULL ? MESSAGE_NO_MEMORY : MESSAGE_FOUND;
}

static enum message_found take_status(const char *name, enum experiment_status *status)
{
    *status = experiment_status_of(name);
    return *status != RUN_PENDING && strcmp(experiment_status_name(*status), name) == 0
               ? MESSAGE_FOUND
               : MESSAGE_DAMAGED;
}

static bool is_whole(const struct experiment_outcome *outcome)
{
    switch (outcome->status) {
    case RUN_DONE:
        return outcome->result != NULL && outcome->error == NULL;
    case RUN_FAILED:
        return outcome->error != NULL && outcome->error[0] != '\0';
    default:
        return outcome->result == NULL && outcome->lockstep == NULL && outcome->ctas == NULL;
    }
}

static enum message_found take_all(json_t *message, struct experiment_outcome *outcome)
{
    const char *status;
    const json_t *error, *result, *lockstep, *ctas;
    enum message_found found;

    if (json_unpack(message, "{s:s, s:o, s:o, s:{s:o, s:o !} !}", "status", &status, "error",
                    &error, "result", &result, "observed", "lockstep", &lockstep, "ctas", &ctas)
        != 0) {
        return MESSAGE_DAMAGED;
    }
    if ((found = take_status(status, &outcome->status)) != MESSAGE_FOUND
        || (found = take_error(error, &outcome->error)) != MESSAGE_FOUND
        || (found = take_text(result, &outcome->result)) != MESSAGE_FOUND
        || (found = take_text(lockstep, &outcome->lockstep)) != MESSAGE_FOUND
        || (found = take_text(ctas, &outcome->ctas)) != MESSAGE_FOUND) {
        return found;
    }
    return is_whole(outcome) ? MESSAGE_FOUND : MESSAGE_DAMAGED;
}

enum message_found message_read(FILE *from, struct experiment_outcome *outcome)
{
    json_error_t why;

    *outcome = (struct experiment_outcome){ .status = RUN_ABORTED };
    if (fseek(from, 0, SEEK_END) != 0 || ftell(from) <= 0) {
        return MESSAGE_NONE;
    }
    rewind(from);
    json_t *const message = json_loadf(from, JSON_REJECT_DUPLICATES, &why);
    if (message == NULL) {
        /* Without memory jansson gives no reason at all. */
        return json_error_code(&why) == json_error_unknown
                       || json_error_code(&why) == json_error_out_of_memory
                   ? MESSAGE_NO_MEMORY
                   : MESSAGE_DAMAGED;
    }
    const enum message_found found = take_all(message, outcome);
    json_decref(message);
    if (found != MESSAGE_FOUND) {
        experiment_outcome_free(outcome);
        outcome->status = RUN_ABORTED;
    }
    return found;
}
