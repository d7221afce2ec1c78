/* gpusched - runs workloads on a modelled GPU, and shows what they are made of. */

#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "base/standard_output.h"
#include "tool/arguments.h"
#include "tool/command.h"
#include "tool/memory_watch.h"
#include "tool/version.h"

enum { LONGEST = 64, NAMES = 256 };

static const char before[] =
    "Usage: gpusched COMMAND [OPTION...]\n"
    "Models a GPU cycle by cycle: its schedulers, caches, networks and DRAM.\n"
    "\n"
    "Commands:\n";

static const char after[] =
    "\n"
    "Options:\n"
    "  -h, --help     shows this; gpusched COMMAND --help shows a command's options\n"
    "  -V, --version  says which version this is\n"
    "\n"
    "Examples:\n"
    "  gpusched list workloads                        what there is to run\n"
    "  gpusched run --gpu m2090 --workload stream     where the cycles went\n"
    "  gpusched run -g m2090 -w hotspot -o out        all of it: out/result.json\n"
    "  gpusched run -g m2090 -w mix -s l1.ways=8      with another parameter\n"
    "  gpusched config keys                           the parameters of a GPU\n"
    "  gpusched experiment smoke --table              many runs, and kept\n"
    "\n"
    "Exit status: 0 done, 1 a failed check, 2 bad input, or output that cannot be\n"
    "written (no file is left half).\n";

static void print_help(void)
{
    fputs(before, stdout);
    for (const struct command *const *at = commands; *at != NULL; at++) {
        printf("  %-12s %s\n", (*at)->name, (*at)->title);
    }
    fputs(after, stdout);
}

/* "run, record, ..." */
static const char *command_names(void)
{
    static char text[NAMES];
    size_t n = 0u;

    for (const struct command *const *at = commands; *at != NULL && n < sizeof text; at++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", n == 0u ? "" : ", ",
                              (*at)->name);
    }
    return text;
}

int main(int argc, char **argv)
{
    const char *const word = argc < 2 ? "" : argv[1];

    standard_output_check("gpusched");
    memory_watch();
    setlocale(LC_CTYPE, ""); /* bars; numbers stay as they are in every country */
    if (argc < 2) {
        bad_input("", "a command is needed: %s; see gpusched --help", command_names());
    }
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0) {
        print_help();
        return 0;
    }
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
        puts("gpusched " GPUSCHED_VERSION);
        return 0;
    }
    for (const struct command *const *at = commands; *at != NULL; at++) {
        if (strcmp((*at)->name, word) == 0) {
            char full[LONGEST]; /* as argp's help shows it */
            snprintf(full, sizeof full, "gpusched %s", word);
            argv[1] = full;
            return (*at)->run(argc - 1, argv + 1);
        }
    }
    bad_input("", "%s: no such command; there are: %s", word, command_names());
}
