/* gpu_config_folder - for tests of configurations; see gpu_config_folder.h. */

#include "tb/gpu/config/gpu_config_folder.h"

int open_folder(void **state)
{
    struct folder *const folder = calloc(1u, sizeof *folder);

    assert_non_null(folder);
    strcpy(folder->path, "/tmp/gpu_config_XXXXXX");
    assert_non_null(mkdtemp(folder->path));
    assert_int_equal(chdir(folder->path), 0);
    *state = folder;
    return 0;
}

int close_folder(void **state)
{
    struct folder *const folder = *state;

    for (unsigned i = 0u; i < folder->n; i++) {
        unlink(folder->files[i]);
    }
    assert_int_equal(chdir("/"), 0);
    assert_int_equal(rmdir(folder->path), 0);
    free(folder);
    return 0;
}

void put(struct folder *folder, const char *name, const char *text)
{
    FILE *const file = fopen(name, "w");

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_true(folder->n < MOST_FILES);
    snprintf(folder->files[folder->n++], FOLDER, "%s", name);
}

void expect_message(const char *message, const char *begin, const char *words)
{
    if (strncmp(message, begin, strlen(begin)) != 0 || strstr(message, words) == NULL
        || strchr(message, '\n') != NULL) {
        fail_msg("\"%s\" does not begin with \"%s\", or does not say \"%s\"", message, begin,
                 words);
    }
}
