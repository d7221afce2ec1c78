/* experiment_key_text - the text of a run's key, and its hash; for experiment_key.c. */

#ifndef EXPERIMENT_KEY_TEXT_H
#define EXPERIMENT_KEY_TEXT_H

#include "gpu/config/gpu_config.h"

struct experiment_point;

/* Two FNV-1a of 64 bits that begin differently and see different bytes. Nobody attacks them;
 * 128 bits are so many that two runs never meet by chance. */
struct hash {
    uint64_t low, high;
};
extern const struct hash hash_start;
void hash_bytes(struct hash *hash, const unsigned char *bytes, size_t n);

enum { KEY_LINE = 160, KEY_HEAD = 8192 };

/* The text of the last key, as far as the parameters: a grid's next GPU differs in a few lines.
 */
struct key_lines {
    bool known;
    struct gpu_config config;
    char head[KEY_HEAD];
    struct line {
        char text[KEY_LINE];
        size_t n;
        struct hash before; /* it */
    } line[GPU_KEYS];
};

/* contents and rtl: keys of the workload's files and of the Verilog. With lines, which may be
 * NULL, the hash alone takes less time. *text is to be freed; text may be NULL. Returns false
 * without memory. */
bool key_text_make(const struct experiment_point *point, const char *contents, const char *rtl,
                   struct key_lines *lines, struct hash *hash, char **text);

#endif
