/* report_sections - the parts of a page. Each writes nothing if its data are not there. */

#ifndef REPORT_SECTIONS_H
#define REPORT_SECTIONS_H

#include <stdio.h>

#include "gpusched/report/data/report_block.h"

/* report_tables.c: cycles with speedups, then traffic and energy, relative to the baseline. */
void section_headline(FILE *to, const struct report_block *block);
void section_relative(FILE *to, const struct report_block *block);
/* report_runs.c: the main numbers of every run, and why runs failed. */
void section_runs(FILE *to, const struct report_data *data);
void section_failures(FILE *to, const struct report_data *data);

/* report_variants.c: the keys in which variants differ from the baseline. */
void section_variants(FILE *to, const struct report_block *block);
/* report_limits.c: what limits each run, and how busy the memory system was. */
void section_limits(FILE *to, const struct report_block *block);

/* report_bars.c: speedups, or without a baseline instructions a cycle. */
void section_bars(FILE *to, const struct report_block *block);
/* report_lines.c: the same and more over a sweep. */
void section_lines(FILE *to, const struct report_block *block);
/* report_kernels.c: what each kernel has, of workloads with several. */
void section_kernels(FILE *to, const struct report_block *block);
/* report_stacks.c: scheduler cycles, NoC packets and energy by their parts. */
void section_stack(FILE *to, const struct report_block *block, enum report_stack stack);

/* report_timeline.c: when which SM had which CTAs. *bars: how many the page may still have. */
void section_timelines(FILE *to, const struct report_block *block, uint32_t *bars);

/* report_over_time.c: a single run's series. */
void section_over_time(FILE *to, const struct report_series *series);
/* report_launches.c: the kernels of a single run as they were launched. */
void section_launches(FILE *to, const json_t *result);
/* report_footprint.c: what their CTAs share with the CTAs that these launch. */
void section_footprint(FILE *to, const json_t *result);
/* report_queues.c: how full the queues were in which they waited. */
void section_queues(FILE *to, const json_t *result);
/* report_throttles.c: what throttles have found for them. */
void section_throttles(FILE *to, const json_t *result);

/* report_machine.c: key data of a GPU, and what the lockstep compared on it. */
void section_gpu(FILE *to, const struct report_data *data, uint32_t gpu);
void section_lockstep(FILE *to, const struct report_data *data, uint32_t gpu);

#endif
