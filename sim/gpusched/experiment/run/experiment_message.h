/*
 * experiment_message - what a run in a process of its own tells the process that started it:
 * one JSON object of typed fields.
 *
 *   status    "done", "failed" or "aborted"
 *   error     null, a text, or, where its bytes are no UTF-8, the list of them
 *   result    null, or result.json as a text: its bytes are kept as they are
 *   observed  {"lockstep": null or a text, "ctas": null or a text}, both of them JSON
 *
 * A run that is done has a result and no error, one that has failed has an error, and one that
 * was aborted has neither a result nor something observed. What breaks these rules is damaged.
 */

#ifndef EXPERIMENT_MESSAGE_H
#define EXPERIMENT_MESSAGE_H

#include <stdio.h>

#include "gpusched/experiment/store/experiment_store.h"

/* False if it cannot be written. */
bool message_write(const struct experiment_outcome *outcome, FILE *to);

enum message_found { MESSAGE_FOUND, MESSAGE_NONE, MESSAGE_DAMAGED, MESSAGE_NO_MEMORY };

/* All that a file has, from its beginning. The outcome, without its seconds, is to be freed; it
 * becomes one that was aborted unless a message is found. */
enum message_found message_read(FILE *from, struct experiment_outcome *outcome);

#endif
