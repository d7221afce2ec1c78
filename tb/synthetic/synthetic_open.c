/* synthetic_open - what the tests of described workloads share; see synthetic_open.h. */

#include "tb/synthetic/synthetic_open.h"

struct synthetic *load(const char *path)
{
    const struct gpu_config config = gpu_config_standard();
    struct synthetic *synthetic = NULL;
    struct fault fault;

    if (!synthetic_load(path, &config, &synthetic, &fault)) {
        fail_msg("%s", fault_text(&fault));
    }
    return synthetic;
}

char *write_text(const char *text)
{
    char *const path = strdup("/tmp/synthetic_test.XXXXXX");
    FILE *const file = fdopen(mkstemp(path), "w");

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    return path;
}

struct synthetic *load_text(const char *text)
{
    char *const path = write_text(text);
    struct synthetic *const synthetic = load(path);

    unlink(path);
    free(path);
    return synthetic;
}

struct synthetic *load_body(const char *grid, const char *block, const char *body)
{
    char text[2048];

    snprintf(text, sizeof text,
             "kernels:\n  - name: k\n    grid: %s\n    block: %s\n    registers: 40\n"
             "    body:\n%s",
             grid, block, body);
    return load_text(text);
}

struct open_cta open_cta(struct kernel_source source, uint32_t cta)
{
    struct open_cta opened = { .source = source };
    struct fault fault;

    assert_in_range(kernel_warps(&source.shape), 1u, 64u);
    if (!source.open_cta(source.self, cta, opened.warp, &opened.handle, &fault)) {
        fail_msg("%s", fault_text(&fault));
    }
    return opened;
}

void free_cta(const struct open_cta *opened)
{
    opened->source.free_cta(opened->source.self, opened->handle);
}

uint32_t words_of(const struct instruction *instruction)
{
    return instruction->op == OP_LOAD || instruction->op == OP_STORE
                   || instruction->op == OP_ATOMIC || instruction->op == OP_CONSTANT
                   || instruction->op == OP_TEXTURE
               ? instruction->accesses
               : 0u;
}
