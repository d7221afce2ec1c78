# machine-configured.awk - what the keys of a configuration sum up to, of each figure of machine.awk: a latency as the table of
# gpu-model.md adds it up, or the most that a rate can be. Empty where no key says it.

# A key's value; and remembers that one was not calibrated.
function key(name) {
    if (name in open) hangs = 1
    return config[name]
}

function ceil(x) { return x == int(x) ? x : int(x) + 1 }
function smaller(a, b) { return a < b ? a : b }
function or_else(a, b) { return key(a) > 0 ? key(a) : key(b) }

# Cycles of the SMs for so many of another clock; and a rate in that clock.
function from(clock, cycles) { return cycles * key("clock.core") / key("clock." clock) }
function per(clock, rate) { return rate * key("clock." clock) / key("clock.core") }

function flits(payload) {
    payload += key("noc.header_bytes")
    return payload == 0 ? 1 : ceil(payload / key("noc.channel_bytes"))
}

# What a chain's read brings from the L2: a sector, or the line.
function brought() { return key("l2.sector") > 0 && key("icc.entries") == 0 ? key("l2.sector") : key("l2.line") }

# Load/store unit, cluster's port, crossbar, L2, and back.
function l2_hit(bytes) {
    return 3 + from("noc", flits(0) + flits(bytes) + 2 * key("noc.latency")) + from("l2", key("l2.latency"))
}

# The same, and a bank that has another row open.
function dram(bytes, atom, bus) {
    atom = key("dram.atom") > bytes ? key("dram.atom") : bytes
    bus = ceil(atom / (key("dram.bus_bytes") * key("dram.data_rate")))
    return l2_hit(bytes) + 1 + from("dram", key("dram.tRP") + key("dram.tRCD") + key("dram.tCL") + bus + key("dram.latency"))
}

# Accesses a cycle that the schedulers can issue and the load/store unit can send.
function accesses() { return smaller(1 / key("ldst.interval"), key("warp.schedulers") * key("warp.width") / key("warp.interval")) }

# Whole lines: a slice looks one up and sends its flits, a cluster's port takes its flits and passes one on.
function l2_bytes(line, wires, slices) {
    line = key("l1.line")
    wires = per("noc", smaller(key("l2.slices"), key("cluster.count")) * line / flits(line))
    slices = per("l2", key("l2.slices") * line)
    return smaller(smaller(wires, slices), key("cluster.count") * line)
}

function configured(figure, part) {
    if (figure ~ /^(integer|fp32|fp64)_(simple|min_max|fused)_latency$/) {
        split(figure, part, "_")
        sub(/_/, ".", figure)
        return or_else(figure, part[1] ".latency")
    }
    if (figure == "integer_multiply_add_latency")
        return key("integer.multiply_add_latency") > 0 ? key("integer.multiply_add_latency") : configured("multiply_latency")
    if (figure ~ /^(integer|fp32|fp64|sfu)_latency$/) {
        sub(/_/, ".", figure)
        return key(figure)
    }
    if (figure == "multiply_latency") return or_else("integer.multiply_latency", "integer.latency")
    if (figure == "divide_latency") return or_else("sfu.divide_latency", "sfu.latency")
    if (figure == "integer_divide_latency") return or_else("sfu.integer_divide_latency", "sfu.latency")
    if (figure == "fp64_divide_latency") return or_else("fp64.divide_latency", "fp64.latency")
    if (figure == "shared_latency") return key("ldst.shared_latency") + 1
    if (figure == "l1_hit_latency") return key("l1.latency") + 1
    if (figure == "constant_latency") return key("constant.latency") + 1
    if (figure == "constant_second_latency")
        return key("constant.l15_bytes") > 0 ? key("constant.l15_latency") + 1 : l2_hit(smaller(key("constant.line"), brought()))
    if (figure == "l2_hit_latency") return l2_hit(brought())
    if (figure == "dram_latency") return dram(brought())
    # The last of a scheduler's warps comes to it some issues after the first.
    if (figure == "barrier_latency") return key("sm.barrier_latency") + (8 / key("warp.schedulers") - 1) * key("warp.interval")
    if (figure == "launch_us") return key("dispatch.launch_latency") / key("clock.core")
    if (figure == "dram_pins_gbs")
        return key("l2.slices") * key("dram.channels") * key("dram.bus_bytes") * key("dram.data_rate") * key("clock.dram") / 1000
    if (figure ~ /^dram_.*_percent$/) return 100
    if (figure == "l1_read_bytes") return accesses() * key("l1.line")
    if (figure == "shared_read_bytes") return accesses() * 4 * key("ldst.shared_banks")
    if (figure == "l2_read_bytes") return l2_bytes()
    if (figure == "atomic_same_rate") return per("l2", 1 / key("l2.atomic_interval"))
    if (figure == "atomic_own_rate" && key("l2.atomic_lanes") > 0) return per("l2", key("l2.slices") * key("l2.atomic_lanes"))
    return ""
}
