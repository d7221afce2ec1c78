// platform - a GPU that runs a kernel, and its work distributor as a module of its own beside
// it, RTL or golden model: an example of how gpu_sc.h and unit_sc.h go into a platform.
//
//   platform [GPU [WORKLOAD [golden|rtl]]] [SECTION.KEY=VALUE]... [-o FILE]
//
// FILE: the statistics, as in result.json of gpusched run. Exit status: 0 done and right, 1 a
// difference, a wrong result or a hang, 2 bad input.

#include <cstdio>
#include <exception>
#include <functional>

#include "Vdut.h"
#include "gpu_sc.h"

using namespace unit_sc;

enum { DONE, FAILED, BAD_INPUT };

struct arguments {
    gpu_sc_job job{ "c2050", "hotspot", {} };
    bool rtl = true;
    std::string result; // "": no file
};

static arguments parse(int argc, char **argv)
{
    arguments to;
    int place = 0;

    for (int i = 1; i < argc; i++) {
        const std::string word = argv[i];
        if (word == "-o" && i + 1 < argc) {
            to.result = argv[++i];
        } else if (word.find('=') != std::string::npos) {
            to.job.set.push_back(word);
        } else if (word[0] != '-' && place < 2) {
            (place++ == 0 ? to.job.gpu : to.job.workload) = word;
        } else if (place == 2 && (word == "golden" || word == "rtl")) {
            to.rtl = word == "rtl";
            place++;
        } else {
            throw std::invalid_argument(word
                                        + ": allowed is [GPU [WORKLOAD [golden|rtl]]] "
                                          "[SECTION.KEY=VALUE]... [-o FILE]");
        }
    }
    return to;
}

static void write_result(const struct result &result, const std::string &path)
{
    const std::unique_ptr<FILE, int (*)(FILE *)> to(std::fopen(path.c_str(), "w"), std::fclose);

    if (to == nullptr || !result_json_write(&result, to.get())) {
        throw std::invalid_argument(path + ": cannot be written");
    }
}

// The exit status.
static int report(gpu_sc &gpu, const arguments &given)
{
    if (gpu.differs()) {
        return FAILED;
    }
    if (!gpu.ran() || !gpu.error().empty()) {
        throw std::invalid_argument(gpu.ran() ? gpu.error() : "stopped from outside");
    }
    const struct result result = gpu.result();
    if (!given.result.empty()) {
        write_result(result, given.result);
    }

    static const char *const verdicts[] = { "not checked", "verified", "wrong" };
    std::printf("%s on %s, work distributor: %s\n", result.workload, given.job.gpu.c_str(),
                given.rtl ? "RTL" : "golden model");
    std::printf("  %-16s %s%s%s\n", "result", verdicts[result.verdict],
                result.check[0] == '\0' ? "" : ": ", result.check);
    std::printf("  %-16s %s%s%s\n", "end", end_name(result.end),
                result.message[0] == '\0' ? "" : ": ", result.message);
    std::printf("  %-16s %" PRIu64 "\n", "GPU cycles", result.stats->cycles);
    std::printf("  %-16s %" PRIu64 "\n", "unit's cycles", gpu.cycles());
    std::printf("  %-16s %s\n", "simulated time", sc_core::sc_time_stamp().to_string().c_str());
    return gpu.holds() ? DONE : FAILED;
}

// unit: Vdut or model.
template <class unit> static int simulate(const arguments &given, void (*done)(unit &))
{
    gpu_sc gpu("gpu", given.job);
    unit peer("work_distributor");
    const sc_core::sc_time period(1e3 / gpu.config().clock.core, sc_core::SC_NS);
    sc_core::sc_clock clock("clk", period, 0.5, period);
    gpu_sc_wires wires;

    wires.connect(gpu, peer, clock);
    sc_core::sc_start();
    done(peer);
    return report(gpu, given);
}

int sc_main(int argc, char **argv)
{
    try {
        const arguments given = parse(argc, argv);
        sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_DO_NOTHING);
        return given.rtl ? simulate<Vdut>(given, [](Vdut &rtl) { rtl.final(); })
                         : simulate<model>(given, [](model &) {});
    } catch (const std::exception &error) {
        std::fprintf(stderr, "platform: %s\n", error.what());
        return BAD_INPUT;
    }
}
