/* gpusched - runs workloads on a modelled GPU, and shows what they are made of. */

#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "arguments.h"
#include "bench_command.h"
#include "config_command.h"
#include "experiment_command.h"
#include "list_command.h"
#include "run_command.h"
#include "stats_command.h"
#include "version.h"

static const char help[] =
    "gpusched models a GPU cycle by cycle: its schedulers, caches, networks and DRAM.\n"
    "\n"
    "  gpusched run --gpu m2090 --workload stream           where the cycles went\n"
    "  gpusched run -g m2090 -w stream -o out               all statistics: out/result.json\n"
    "  gpusched run -g m2090 -w stream --set sm.count=8     with another parameter\n"
    "  gpusched run -g m2090 -w stream -o out --timeline    for ui.perfetto.dev\n"
    "  gpusched run -g m2090 -w stream -o out --series=500  a CSV row every 500 cycles\n"
    "  gpusched run -g m2090 -w hotspot                     a CUDA program, its result "
    "checked\n"
    "  gpusched experiment smoke --table                    many runs in parallel, and kept\n"
    "  gpusched run -g c2050 -w hotspot --rtl=shadow        RTL beside the model, compared\n"
    "  gpusched record -g c2050 -w hotspot --unit=claso --vectors=claso.vec\n"
    "                                                       a unit's vectors from a run\n"
    "  gpusched list workloads                              what there is to run\n"
    "  gpusched config show m2090                           a GPU's parameters\n"
    "  gpusched stats                                       what is counted, with units\n"
    "  gpusched bench                                       how fast the model runs\n"
    "\n"
    "  gpusched COMMAND --help    more of a command\n"
    "  gpusched --version\n";

static const struct {
    const char *name;
    char *full; /* as argp's help shows it */
    int (*run)(int argc, char **argv);
} commands[] = {
    { "run", (char[]){ "gpusched run" }, run_command },
    { "record", (char[]){ "gpusched record" }, record_command },
    { "experiment", (char[]){ "gpusched experiment" }, experiment_command },
    { "list", (char[]){ "gpusched list" }, list_command },
    { "config", (char[]){ "gpusched config" }, config_command },
    { "stats", (char[]){ "gpusched stats" }, stats_command },
    { "bench", (char[]){ "gpusched bench" }, bench_command },
};

int main(int argc, char **argv)
{
    const char *const word = argc < 2 ? "" : argv[1];

    setlocale(LC_CTYPE, ""); /* bars; numbers stay as they are in every country */
    if (argc < 2) {
        bad_input("", "a command is needed: run, experiment, list, config, stats, bench; see "
                      "gpusched --help");
    }
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0) {
        fputs(help, stdout);
        return 0;
    }
    if (strcmp(word, "--version") == 0) {
        puts("gpusched " GPUSCHED_VERSION);
        return 0;
    }
    for (size_t i = 0u; i < sizeof commands / sizeof commands[0]; i++) {
        if (strcmp(commands[i].name, word) == 0) {
            argv[1] = commands[i].full;
            return commands[i].run(argc - 1, argv + 1);
        }
    }
    bad_input("", "%s: no such command; there are: run, experiment, list, config, stats, bench",
              word);
}
