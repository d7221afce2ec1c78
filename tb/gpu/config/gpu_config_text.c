/* gpu_config_text - see gpu_config_text.h. */

#include "tb/gpu/config/gpu_config_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gpu/config/gpu_config_file.h"

struct gpu_config load_gpu(const char *name)
{
    struct gpu_config config;
    struct fault fault;

    if (!gpu_config_load(name, &config, &fault)) {
        fail_msg("%s", fault_text(&fault));
    }
    return config;
}

void write_config(const char *text, size_t length, char path[32])
{
    strcpy(path, "/tmp/gpu_config_XXXXXX");
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    FILE *const file = fdopen(descriptor, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1u, length, file), length);
    assert_int_equal(fclose(file), 0);
}

void expect_words(const char *message, const char *words)
{
    if (strstr(message, words) == NULL) {
        fail_msg("\"%s\" does not say \"%s\"", message, words);
    }
}

void expect_same(const struct gpu_config *a, const struct gpu_config *b)
{
    for (uint32_t i = 0u; i < gpu_key_count; i++) {
        static const size_t sizes[] = { sizeof(uint32_t), sizeof(double), sizeof(bool),
                                        sizeof(enum warp_policy) };
        const size_t at = gpu_keys[i].offset;
        if (memcmp((const char *)a + at, (const char *)b + at, sizes[gpu_keys[i].type]) != 0) {
            fail_msg("%s.%s differs", gpu_keys[i].section, gpu_keys[i].key);
        }
    }
}
