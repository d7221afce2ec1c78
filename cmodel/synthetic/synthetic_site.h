/*
 * synthetic_site - the sites of a kernel's steps; see synthetic_text.h.
 */

#ifndef SYNTHETIC_SITE_H
#define SYNTHETIC_SITE_H

#include "synthetic/synthetic_text.h"

/* Gives each step the number of its first site: one, for a branch a second for the jump at
 * the end of its body, for a mix one for each class. Makes them all in text. Returns false
 * with a fault if there is no memory. */
bool sites_make(struct text *text, struct file_kernel *kernel, uint64_t seed,
                const struct gpu_config *config, struct file_place *place);

#endif
