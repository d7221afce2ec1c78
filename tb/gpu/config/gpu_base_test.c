/*
 * Tests of GPUs that differ from others: what a file with the key base gives, what it has from
 * its bases, and every way in which a base can be wrong.
 */

#include "gpu_config_folder.h"
#include "gpu_config_text.h"

#include "base/places.h"
#include "gpu/config/gpu_config.h"
#include "gpu/config/gpu_config_file.h"
#include "gpu/config/gpu_config_yaml.h"

static void refuses(const char *name, const char *begin, const char *words)
{
    struct gpu_config config;
    struct fault fault;

    if (gpu_config_load(name, &config, &fault)) {
        fail_msg("%s was taken", name);
    }
    expect_message(fault_text(&fault), begin, words);
}

/* ---- What comes from where ----------------------------------------------------------- */

static void expect_key(const struct gpu_config *config, const char *section, const char *key,
                       const char *expected)
{
    char value[64];

    assert_string_equal(
        gpu_config_value(config, gpu_key_find(section, key), value, sizeof value), expected);
}

static void a_file_replaces_what_its_base_gives_and_inherits_the_rest(void **state)
{
    put(*state, "root.yaml",
        "sm: {count: 12, registers: 16384}\nl2: {hash: false}\nenergy: {fp32: 1.5}\n"
        "warp: {policy: lrr}\n");
    put(*state, "child.yaml", "base: root.yaml\nsm: {count: 24}\nwarp: {policy: oldest}\n");
    const struct gpu_config config = load_gpu("./child.yaml");
    const struct gpu_config standard = gpu_config_standard();

    for (uint32_t i = 0u; i < gpu_key_count; i++) {
        static const char *const changed[][3] = {
            { "sm", "count", "24" },        { "sm", "registers", "16384" },
            { "l2", "hash", "false" },      { "energy", "fp32", "1.5" },
            { "warp", "policy", "oldest" },
        };
        char value[64];
        const char *expected = gpu_config_value(&standard, &gpu_keys[i], value, sizeof value);
        for (size_t c = 0u; c < sizeof changed / sizeof changed[0]; c++) {
            if (gpu_key_find(changed[c][0], changed[c][1]) == &gpu_keys[i]) {
                expected = changed[c][2];
            }
        }
        expect_key(&config, gpu_keys[i].section, gpu_keys[i].key, expected);
    }
}

static void of_several_bases_the_nearest_file_counts(void **state)
{
    put(*state, "a.yaml", "sm: {count: 12}\nl1: {ways: 1}\nclock: {core: 1000}\n");
    put(*state, "b.yaml", "base: ./a.yaml\nsm: {count: 18}\nl1: {ways: 2}\n");
    put(*state, "c.yaml", "sm: {count: 24}\nbase: ./b.yaml\n"); /* wherever the key stands */
    const struct gpu_config config = load_gpu("./c.yaml");

    expect_key(&config, "sm", "count", "24");
    expect_key(&config, "l1", "ways", "2");
    expect_key(&config, "clock", "core", "1000");
}

static void a_base_may_be_a_name(void **state)
{
    put(*state, "mine.yaml", "base: m2090\nsm: {count: 32}\n");
    put(*state, "alone.yaml", "base: m2090\n");
    put(*state, "m2090", "sm: {count: 1}\n"); /* a name is never a file of the folder */
    const struct gpu_config m2090 = load_gpu("m2090");
    const struct gpu_config mine = load_gpu("./mine.yaml");
    const struct gpu_config alone = load_gpu("./alone.yaml");

    assert_int_equal(mine.sm.count, 32);
    assert_int_equal(mine.l2.slices, m2090.l2.slices);
    assert_int_equal(alone.sm.count, m2090.sm.count);
}

/* cluster.count is 6 where none is given. */
static void a_base_need_not_be_a_possible_gpu(void **state)
{
    put(*state, "part.yaml", "sm: {count: 4}\n");
    put(*state, "whole.yaml", "base: part.yaml\ncluster: {count: 2}\n");
    refuses("./part.yaml", "./part.yaml:1: cluster.count: ", "allowed: at most 4");
    assert_int_equal(load_gpu("./whole.yaml").cluster.count, 2);
}

/* ---- Bases that are wrong ------------------------------------------------------------ */

static void what_is_wrong_in_a_base_names_the_base_and_its_line(void **state)
{
    put(*state, "bad.yaml", "# first\nsm:\n  cuont: 3\n");
    put(*state, "range.yaml", "sm:\n  count: 193\n");
    put(*state, "to-bad.yaml", "base: bad.yaml\n");
    put(*state, "to-range.yaml", "base: range.yaml\nsm: {count: 3}\n");
    put(*state, "own.yaml", "base: m2090\nsm:\n  count: 0\n");
    refuses("./to-bad.yaml", "bad.yaml:3: sm.cuont: no such key", "the nearest is count");
    refuses("./to-range.yaml", "range.yaml:2: sm.count: 193 is given", "1 to 192 SMs");
    refuses("./own.yaml", "./own.yaml:3: sm.count: 0 is given", "1 to 192 SMs");
}

static void values_that_do_not_go_together_name_the_file_asked_for(void **state)
{
    put(*state, "root.yaml", "cluster:\n  count: 8\nsm:\n  count: 8\n");
    put(*state, "few.yaml",
        "# few SMs\nbase: root.yaml\nclock: {core: 1300}\nsm: {count: 4}\n");
    put(*state, "line.yaml", "\nbase: root.yaml\nl1: {line: 64}\n");
    put(*state, "section.yaml", "base: root.yaml\ncluster: {locality: true}\nsm: {count: 4}\n");
    refuses("./few.yaml", "./few.yaml:2: cluster.count: ", "8 is more than sm.count");
    refuses("./section.yaml", "./section.yaml:2: cluster.count: ", "8 is more than sm.count");
    refuses("./line.yaml", "./line.yaml:3: l1.line: ", "differs from l2.line; allowed: 128");
}

static void a_base_that_is_missing_names_the_line_that_asks_for_it(void **state)
{
    put(*state, "name.yaml", "sm: {count: 8}\nbase: m2091\n");
    put(*state, "file.yaml", "base: ./none.yaml\n");
    put(*state, "empty.yaml", "base: \"\"\n");
    put(*state, "list.yaml", "base: [m2090]\n");
    put(*state, "upper.yaml", "base: name.yaml\n");
    refuses("./name.yaml", "./name.yaml:2: base: m2091: no such GPU; allowed: ", "a100, c2050");
    refuses("./file.yaml", "./file.yaml:1: base: ./none.yaml: No such file", "allowed: ");
    refuses("./empty.yaml", "./empty.yaml:1: base: ", "allowed: ");
    refuses("./list.yaml", "./list.yaml:1: base: a list is given", "allowed: a single value");
    refuses("./upper.yaml", "name.yaml:2: base: m2091", "no such GPU");
}

static void a_circle_of_bases_is_refused(void **state)
{
    char text[256];

    put(*state, "self.yaml", "base: self.yaml\n");
    put(*state, "a.yaml", "base: b.yaml\n");
    put(*state, "b.yaml", "sm: {count: 8}\nbase: c.yaml\n");
    snprintf(text, sizeof text, "base: %s/a.yaml\n", ((struct folder *)*state)->path);
    put(*state, "c.yaml", text);
    put(*state, "to-circle.yaml", "base: ./a.yaml\n");
    refuses("./self.yaml", "./self.yaml:1: base: self.yaml leads back to itself", "allowed: ");
    refuses("./a.yaml", "c.yaml:1: base: ", "a.yaml leads back to itself; allowed: bases that");
    refuses("./to-circle.yaml", "c.yaml:1: base: ", "a.yaml leads back to itself");
    refuses("./b.yaml", "/tmp/", "/a.yaml:1: base: b.yaml leads back to itself; allowed: ");
}

static void eight_bases_are_allowed_and_nine_are_not(void **state)
{
    char name[32];
    char text[64];

    put(*state, "0.yaml", "sm: {count: 11}\ncluster: {count: 11}\n");
    for (int i = 1; i <= GPU_CONFIG_BASES + 1; i++) {
        snprintf(name, sizeof name, "%d.yaml", i);
        snprintf(text, sizeof text, "base: %d.yaml\n", i - 1);
        put(*state, name, text);
    }
    assert_int_equal(load_gpu("8.yaml").sm.count, 11);
    refuses("9.yaml", "1.yaml:1: base: 0.yaml is base number 9; allowed: at most 8", "");
}

/* ---- Shipped files ------------------------------------------------------------------- */

static void path_of(const char *name, char path[PLACES_PATH])
{
    struct fault fault;

    assert_true(config_find(CONFIG_GPU, name, path, &fault));
}

/* The comment behind a key of a file: its source; "" if the file does not give it. */
static void source_of(const char *path, const struct gpu_key *key, char source[200])
{
    char line[256];
    char section[64] = "";
    FILE *const file = fopen(path, "r");

    assert_non_null(file);
    source[0] = '\0';
    while (fgets(line, sizeof line, file) != NULL) {
        char name[64];
        char comment[200] = "";
        if (line[0] != ' ') {
            sscanf(line, "%63[a-z0-9]:", section);
        } else if (sscanf(line, " %63[^:]: %*s # %199[^\n]", name, comment) == 2
                   && strcmp(section, key->section) == 0 && strcmp(name, key->key) == 0) {
            strcpy(source, comment);
        }
    }
    assert_int_equal(fclose(file), 0);
}

/* The base of a shipped file; "" if it has none. */
static void base_of(const char *path, char base[64])
{
    struct fault fault;
    struct gpu_yaml *const file = gpu_yaml_load(CONFIG_GPU, path, &fault);

    assert_non_null(file);
    snprintf(base, 64u, "%s", file->base == NULL ? "" : file->base);
    gpu_yaml_free(CONFIG_GPU, file);
}

/* The source of a value that a file has itself or from its bases. */
static void inherited_source(const char *name, const struct gpu_key *key, char source[200])
{
    char path[PLACES_PATH];
    char next[64];

    snprintf(next, sizeof next, "%s", name);
    do {
        assert_string_not_equal(next, ""); /* the root gives every key */
        path_of(next, path);
        source_of(path, key, source);
        base_of(path, next);
    } while (source[0] == '\0');
}

/* Either the value differs, or the GPU's own document gives it. */
static void check_key(const char *name, const char *base, const struct gpu_key *key)
{
    const struct gpu_config own = load_gpu(name);
    const struct gpu_config from = load_gpu(base);
    char path[PLACES_PATH];
    char source[200];
    char other[200];
    char value[64];
    char same[64];

    path_of(name, path);
    source_of(path, key, source);
    if (source[0] == '\0') {
        return;
    }
    assert_string_not_equal(source, "assumed: default");
    gpu_config_value(&own, key, value, sizeof value);
    gpu_config_value(&from, key, same, sizeof same);
    if (strcmp(value, same) == 0) {
        inherited_source(base, key, other);
        if (strncmp(source, "assumed", 7u) == 0 || strcmp(source, other) == 0) {
            fail_msg("%s: %s.%s says no more than %s", name, key->section, key->key, base);
        }
    }
}

static void a_shipped_file_says_only_what_differs_from_its_base(void **state)
{
    (void)state;
    char names[1024];
    char *rest = NULL;
    uint32_t roots = 0u;

    gpu_config_names(names, sizeof names);
    for (const char *name = strtok_r(names, ", ", &rest); name != NULL;
         name = strtok_r(NULL, ", ", &rest)) {
        char path[PLACES_PATH];
        char base[64];
        path_of(name, path);
        base_of(path, base);
        roots += base[0] == '\0';
        for (uint32_t i = 0u; base[0] != '\0' && i < gpu_key_count; i++) {
            check_key(name, base, &gpu_keys[i]);
        }
    }
    assert_int_equal(roots, 1);
}

static void the_root_gives_the_defaults(void **state)
{
    (void)state;
    const struct gpu_config root = load_gpu("fermi-30");
    const struct gpu_config standard = gpu_config_standard();

    for (uint32_t i = 0u; i < gpu_key_count; i++) {
        char value[64];
        expect_key(&root, gpu_keys[i].section, gpu_keys[i].key,
                   gpu_config_value(&standard, &gpu_keys[i], value, sizeof value));
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_folder, close_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_file_replaces_what_its_base_gives_and_inherits_the_rest),
        TEST(of_several_bases_the_nearest_file_counts),
        TEST(a_base_may_be_a_name),
        TEST(a_base_need_not_be_a_possible_gpu),
        TEST(what_is_wrong_in_a_base_names_the_base_and_its_line),
        TEST(values_that_do_not_go_together_name_the_file_asked_for),
        TEST(a_base_that_is_missing_names_the_line_that_asks_for_it),
        TEST(a_circle_of_bases_is_refused),
        TEST(eight_bases_are_allowed_and_nine_are_not),
        TEST(a_shipped_file_says_only_what_differs_from_its_base),
        TEST(the_root_gives_the_defaults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
