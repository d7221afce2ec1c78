/* report_answer - what an experiment comes to, as a sentence or two: the first of its page. */

#ifndef REPORT_ANSWER_H
#define REPORT_ANSWER_H

#include "gpusched/report/data/report_block.h"

enum { ANSWER_TEXT = 4096 };
struct report_answer {
    char text[ANSWER_TEXT];
};

/* Over all blocks, with what the lockstep found. */
struct report_answer report_answer(const struct report_data *data);
/* Of a block alone. */
struct report_answer report_block_answer(const struct report_block *block);

#endif
