/* experiment_open - for tests of experiments; see experiment_open.h. */

#include "tb/gpusched/experiment_open.h"

/* ---- A folder of one test ------------------------------------------------------------ */

static char folder[64];

const char *path_of(const char *name)
{
    static char path[128];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

void write_file(const char *name, const char *text)
{
    FILE *const to = fopen(path_of(name), "w");

    assert_non_null(to);
    assert_true(fputs(text, to) >= 0);
    assert_int_equal(fclose(to), 0);
}

int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/experiment-test-XXXXXX");
    return mkdtemp(folder) == NULL ? -1 : 0;
}

int remove_folder(void **state)
{
    static const char *const names[] = { "test.yaml",       "test.sqlite", "test.sqlite-wal",
                                         "test.sqlite-shm", "kernel.yaml", "mine.yaml" };

    (void)state;
    for (size_t i = 0u; i < sizeof names / sizeof names[0]; i++) {
        unlink(path_of(names[i]));
    }
    return rmdir(folder);
}

/* ---- An experiment ------------------------------------------------------------------- */

void open_experiment(struct opened *opened, const char *yaml)
{
    write_file("test.yaml", yaml);
    if (!experiment_load(&opened->experiment, path_of("test.yaml"), &opened->fault)
        || !experiment_figures_open(&opened->figures, &opened->experiment)
        || !experiment_grid_open(&opened->grid, &opened->experiment)) {
        fail_msg("%s", fault_text(&opened->fault));
    }
}

void close_experiment(struct opened *opened)
{
    experiment_grid_free(&opened->grid);
    experiment_figures_free(&opened->figures);
    experiment_free(&opened->experiment);
}
