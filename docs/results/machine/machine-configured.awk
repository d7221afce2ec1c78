# machine-configured.awk - what the keys of a configuration sum up to, of each figure of machine.awk: a latency as the table of
# gpu-model.md adds it up, or the most that a rate can be. Empty where no key says it.

function ceil(x) { return x == int(x) ? x : int(x) + 1 }
function smaller(a, b) { return a < b ? a : b }
function or_else(a, b) { return config[a] > 0 ? config[a] : config[b] }

# Cycles of the SMs for so many of another clock; and a rate in that clock.
function from(clock, cycles) { return cycles * config["clock.core"] / config["clock." clock] }
function per(clock, rate) { return rate * config["clock." clock] / config["clock.core"] }

function flits(payload) {
    payload += config["noc.header_bytes"]
    return payload == 0 ? 1 : ceil(payload / config["noc.channel_bytes"])
}

# What a chain's read brings from the L2: a sector, or the line.
function brought() { return config["l2.sector"] > 0 && config["icc.entries"] == 0 ? config["l2.sector"] : config["l2.line"] }

# Load/store unit, cluster's port, crossbar, L2, and back.
function l2_hit(bytes) {
    return 3 + from("noc", flits(0) + flits(bytes) + 2 * config["noc.latency"]) + from("l2", config["l2.latency"])
}

# The same, and a bank that has another row open.
function dram(bytes, atom, bus) {
    atom = config["dram.atom"] > bytes ? config["dram.atom"] : bytes
    bus = ceil(atom / (config["dram.bus_bytes"] * config["dram.data_rate"]))
    return l2_hit(bytes) + 1 + from("dram", config["dram.tRP"] + config["dram.tRCD"] + config["dram.tCL"] + bus + config["dram.latency"])
}

# Accesses a cycle that the schedulers can issue and the load/store unit can send.
function accesses() { return smaller(1, config["warp.schedulers"] * config["warp.width"] / config["warp.interval"]) }

# Whole lines: a slice looks one up and sends its flits, a cluster's port takes its flits and passes one on.
function l2_bytes(line, wires, slices) {
    line = config["l1.line"]
    wires = per("noc", smaller(config["l2.slices"], config["cluster.count"]) * line / flits(line))
    slices = per("l2", config["l2.slices"] * line)
    return smaller(smaller(wires, slices), config["cluster.count"] * line)
}

function configured(figure) {
    if (figure ~ /^(integer|fp32|fp64|sfu)_latency$/) {
        sub(/_/, ".", figure)
        return config[figure]
    }
    if (figure == "multiply_latency") return or_else("integer.multiply_latency", "integer.latency")
    if (figure == "divide_latency") return or_else("sfu.divide_latency", "sfu.latency")
    if (figure == "integer_divide_latency") return or_else("sfu.integer_divide_latency", "sfu.latency")
    if (figure == "fp64_divide_latency") return or_else("fp64.divide_latency", "fp64.latency")
    if (figure == "shared_latency") return config["ldst.shared_latency"] + 1
    if (figure == "l1_hit_latency") return config["l1.latency"] + 1
    if (figure == "constant_latency") return config["constant.latency"] + 1
    if (figure == "constant_second_latency")
        return config["constant.l15_bytes"] > 0 ? config["constant.l15_latency"] + 1 : l2_hit(smaller(config["constant.line"], brought()))
    if (figure == "l2_hit_latency") return l2_hit(brought())
    if (figure == "dram_latency") return dram(brought())
    # The last of a scheduler's warps comes to it some issues after the first.
    if (figure == "barrier_latency") return config["sm.barrier_latency"] + (8 / config["warp.schedulers"] - 1) * config["warp.interval"]
    if (figure == "launch_us") return config["dispatch.launch_latency"] / config["clock.core"]
    if (figure == "dram_pins_gbs")
        return config["l2.slices"] * config["dram.channels"] * config["dram.bus_bytes"] * config["dram.data_rate"] * config["clock.dram"] / 1000
    if (figure ~ /^dram_.*_percent$/) return 100
    if (figure == "l1_read_bytes") return accesses() * config["l1.line"]
    if (figure == "shared_read_bytes") return accesses() * 4 * config["ldst.shared_banks"]
    if (figure == "l2_read_bytes") return l2_bytes()
    if (figure == "atomic_same_rate") return per("l2", 1 / config["l2.atomic_interval"])
    if (figure == "atomic_own_rate" && config["l2.atomic_lanes"] > 0) return per("l2", config["l2.slices"] * config["l2.atomic_lanes"])
    return ""
}
