/* Tests of vector files: what is written is read again, and what is wrong is refused. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lockstep/stimulus.h"
#include "lockstep/vectors.h"

enum { CYCLES = 300 };

static char folder[] = "/tmp/vectors_test_XXXXXX";
static char file[64];
static char spoiled[64];

static int make_folder(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL) {
        return -1;
    }
    snprintf(file, sizeof file, "%s/a.vec", folder);
    snprintf(spoiled, sizeof spoiled, "%s/b.vec", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    remove(file);
    remove(spoiled);
    return rmdir(folder);
}

static struct unit *open_claso(void)
{
    static const char *const params[] = { "N_CORE=70", "N_KERNEL=3", "CTA_W=9", NULL };
    struct fault fault;
    struct unit *const unit = unit_open("claso", params, &fault);

    assert_non_null(unit);
    return unit;
}

/* Calls visit for each of the cycles that make the file. */
static void run(struct unit *unit, void (*visit)(void *to, bool reset), void *to)
{
    struct stimulus *const stimulus = stimulus_open(unit, "mixed", 11u);

    for (int cycle = 0; cycle < CYCLES; cycle++) {
        const bool reset = stimulus_next(stimulus);
        unit_eval(unit);
        visit(to, reset);
        unit_edge(unit, reset);
    }
    stimulus_close(stimulus);
}

static void write_cycle(void *to, bool reset)
{
    vector_write(to, reset);
}

static void write_file(void)
{
    struct unit *const unit = open_claso();
    struct vector_writer *const writer = vector_writer_open(unit, file);

    assert_non_null(writer);
    run(unit, write_cycle, writer);
    assert_true(vector_writer_close(writer));
    unit_close(unit);
}

/* ---- Round trip ---------------------------------------------------------------------- */

struct reading {
    struct vector_reader *reader;
    struct unit *model; /* that made the file */
    struct unit *read;  /* that the reader made */
    void *out;
    void *state;
};

static void read_cycle(void *to, bool reset)
{
    struct reading *const reading = to;
    struct unit_difference found;
    bool read_reset;

    assert_int_equal(vector_read(reading->reader, &read_reset, reading->read->in, reading->out,
                                 reading->state),
                     1);
    assert_int_equal(read_reset, reset);
    const struct unit *const model = reading->model;
    assert_int_equal(unit_compare(model, UNIT_IN, model->in, reading->read->in, &found, 1u), 0);
    assert_int_equal(unit_compare(model, UNIT_OUT, model->out, reading->out, &found, 1u), 0);
    assert_int_equal(
        unit_compare(model, UNIT_REG, unit_state(model), reading->state, &found, 1u), 0);
}

static void what_was_written_is_read(void **state)
{
    (void)state;
    struct reading reading = { .model = open_claso() };
    bool reset;

    write_file();
    reading.reader = vector_reader_open(file, &reading.read);
    assert_non_null(reading.reader);
    reading.out = calloc(1u, reading.read->type->group_size[UNIT_OUT]);
    reading.state = calloc(1u, reading.read->type->group_size[UNIT_REG]);
    run(reading.model, read_cycle, &reading);
    assert_int_equal(
        vector_read(reading.reader, &reset, reading.read->in, reading.out, reading.state), 0);
    free(reading.out);
    free(reading.state);
    vector_reader_close(reading.reader);
    unit_close(reading.read);
    unit_close(reading.model);
}

static void the_same_seed_gives_the_same_bytes(void **state)
{
    (void)state;
    char command[160];

    write_file();
    rename(file, spoiled);
    write_file();
    snprintf(command, sizeof command, "cmp -s %s %s", file, spoiled);
    assert_int_equal(system(command), 0);
}

static void a_file_that_cannot_be_written_is_not_begun(void **state)
{
    (void)state;
    struct unit *const unit = open_claso();

    assert_null(vector_writer_open(unit, "/nowhere/a.vec"));
    unit_close(unit);
}

static void the_file_has_its_name_only_when_it_is_whole(void **state)
{
    (void)state;
    struct unit *const unit = open_claso();

    remove(file);
    struct vector_writer *const writer = vector_writer_open(unit, file);
    assert_int_not_equal(access(file, R_OK), 0);
    assert_true(vector_writer_close(writer));
    assert_int_equal(access(file, R_OK), 0);
    unit_close(unit);
}

/* ---- Damage -------------------------------------------------------------------------- */

/* Reads a file to its end: 0 if it is good, -1 if something is wrong with it, and -2 if that is
 * found before its first cycle. */
static int read_all(const char *name)
{
    struct unit *unit = NULL;
    struct vector_reader *const reader = vector_reader_open(name, &unit);
    bool reset;
    int read = 1;

    if (reader == NULL) {
        return -2;
    }
    void *const out = calloc(1u, unit->type->group_size[UNIT_OUT]);
    void *const registers = calloc(1u, unit->type->group_size[UNIT_REG]);
    while (read > 0) {
        read = vector_read(reader, &reset, unit->in, out, registers);
    }
    free(out);
    free(registers);
    vector_reader_close(reader);
    unit_close(unit);
    return read;
}

static void every_kind_of_damage_is_noticed_before_the_first_cycle(void **state)
{
    (void)state;
    static const char *const damage[] = {
        "1s/1$/2/",                        /* another version */
        "2s/claso/nobody/",                /* unknown unit */
        "2d",                              /* no unit */
        "3s/70/700/",                      /* parameter out of range */
        "s/^in kernel_i 2/in kernel_i 3/", /* a port of another width */
        "s/^out allow_o/out allows_o/",    /* a port of another name */
        "/^reg busy_q/d",                  /* a register missing */
        "s/^cycles$/cycle/",               /* no start */
        "100s/.$/g/",                      /* not a digit */
        "100s/.$//",                       /* a digit missing */
        "100s/$/0/",                       /* a digit too many */
        "100s/^./2/",                      /* not a reset */
        "100d",                            /* a cycle missing */
        "$a\\0",                           /* a line too many */
        "100s/0$/1/;100t;100s/.$/0/",      /* another value */
        "$s/total [0-9]*/total 7/",        /* another count */
        "$s/........$/00000000/",          /* another checksum */
        "$d",                              /* cut off */
        "200,$d",                          /* cut off earlier */
        "1,$d",                            /* empty */
    };
    char command[512];

    write_file();
    assert_int_equal(read_all(file), 0);
    for (size_t i = 0u; i < sizeof damage / sizeof damage[0]; i++) {
        snprintf(command, sizeof command, "sed '%s' %s > %s; ! cmp -s %s %s", damage[i], file,
                 spoiled, file, spoiled);
        assert_int_equal(system(command), 0);
        if (read_all(spoiled) != -2) {
            fail_msg("not noticed: %s", damage[i]);
        }
    }
    assert_int_equal(read_all("/nowhere/a.vec"), -2);
}

/* Every digit of some lines, by another. Their checksum is no longer right. */
static void a_digit_that_has_changed_is_damage(void **state)
{
    (void)state;
    char command[512];

    write_file();
    for (int column = 3; column < 200; column += 7) {
        snprintf(command, sizeof command,
                 "sed '150s/^\\(.\\{%d\\}\\)[1-9a-f]/\\10/;150t;150s/^\\(.\\{%d\\}\\)0/\\11/' "
                 "%s > %s",
                 column, column, file, spoiled);
        assert_int_equal(system(command), 0);
        snprintf(command, sizeof command, "cmp -s %s %s", file, spoiled);
        if (system(command) != 0) { /* not a blank, and not after the line's end */
            assert_int_equal(read_all(spoiled), -2);
        }
    }
}

static void what_can_be_read_once_only_is_read(void **state)
{
    (void)state;
    char command[256];

    write_file();
    remove(spoiled);
    snprintf(command, sizeof command, "mkfifo %s && (cat %s > %s &)", spoiled, file, spoiled);
    assert_int_equal(system(command), 0);
    assert_int_equal(read_all(spoiled), 0);
    remove(spoiled);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_written_is_read),
        cmocka_unit_test(the_same_seed_gives_the_same_bytes),
        cmocka_unit_test(a_file_that_cannot_be_written_is_not_begun),
        cmocka_unit_test(the_file_has_its_name_only_when_it_is_whole),
        cmocka_unit_test(every_kind_of_damage_is_noticed_before_the_first_cycle),
        cmocka_unit_test(a_digit_that_has_changed_is_damage),
        cmocka_unit_test(what_can_be_read_once_only_is_read),
    };
    return cmocka_run_group_tests_name("vectors", tests, make_folder, remove_folder);
}
