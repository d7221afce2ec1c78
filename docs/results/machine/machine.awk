# machine.awk - the figures of a GPU from what gpusched config show --sources says and from the result of configs/fidelity/machine.yaml:
# gpu, figure, value, what machine-configured.awk says of it, and whether that hangs on a key that is not calibrated. Latencies are in cycles of the SMs' clock, rates in what their names say.

# Bytes and links of the kernels.
BEGIN {
    LINKS = 1024
    MIB = 1048576
}

FNR == 1 { file++ }

file == 1 && /^[a-z_0-9]+:/ {
    group = $1
    sub(/:.*/, "", group)
}
file == 1 && /^  [a-z_A-Z0-9]+:/ {
    name = $1
    sub(/:.*/, "", name)
    config[group "." name] = $2
    if (/# not calibrated/) open[group "." name]
}

# A kernel a line, in the order of their launches.
file == 2 && /^ *\{"name":"[a-z0-9-]*","stream":/ {
    name = $0
    sub(/^ *\{"name":"/, "", name)
    sub(/".*/, "", name)
    if (!(name in cycles)) {
        cycles[name] = number("ended") - number("first_cta")
        waits[name] = number("first_cta") - number("launched")
    }
}

# A kernel a line again: what it has of all counts and of the energy.
file == 2 && /^ *\{"name":"[a-z0-9-]*","stream":[0-9]*,"launches":/ {
    name = $0
    sub(/^ *\{"name":"/, "", name)
    sub(/".*/, "", name)
    busy[name] = number("cycles")
    joule[name] = number("total")
    quiet[name] = number("sm_static") + number("other_static") + number("dram_static")
    crossbars[name] = number("noc")
}

function number(field, at) {
    at = index($0, "\"" field "\":")
    return at == 0 ? 0 : substr($0, at + length(field) + 3) + 0
}

function say(figure, value, keys) {
    hangs = 0
    keys = configured(figure)
    printf "%s\t%s\t%.6g\t%s\t%s\n", gpu, figure, value, keys == "" ? "" : sprintf("%.6g", keys), hangs ? "not calibrated" : ""
}

function latency(figure, kernel) {
    if (!((kernel "-a") in cycles) || !((kernel "-b") in cycles)) {
        printf "machine.awk: %s: no kernels %s-a and %s-b\n", gpu, kernel, kernel > "/dev/stderr"
        exit 1
    }
    say(figure "_latency", (cycles[kernel "-b"] - cycles[kernel "-a"]) / LINKS)
}

# Bytes a cycle of one SM: 32 warps, 128 bytes each.
function sm_bytes(figure, kernel) {
    say(figure "_read_bytes", LINKS * 32 * 128 / (cycles[kernel "-b"] - cycles[kernel "-a"]))
}

# Lanes' atomics a cycle, by the difference of two kernels of 256 CTAs of 256 threads, in n atomics of a thread.
function additions(where, n) {
    say("atomic_" where "_rate", 256 * 256 * n / (cycles["atomic-" where "-b"] - cycles["atomic-" where "-a"]))
}

function watts(joules, kernel) {
    return joules / busy[kernel] * config["clock.core"] * 1e6
}

# GB/s of a kernel that moves so many bytes.
function gigabytes(kernel, bytes) {
    return bytes / cycles[kernel] * config["clock.core"] / 1000
}

END {
    latency("integer", "integer")
    latency("fp32", "fp32")
    latency("fp64", "fp64")
    latency("sfu", "sfu")
    latency("multiply", "multiply")
    latency("integer_multiply_add", "integer-multiply-add")
    split("integer fp32 fp64", pipes, " ")
    for (p = 1; p <= 3; p++) {
        latency(pipes[p] "_simple", pipes[p] "-simple")
        latency(pipes[p] "_min_max", pipes[p] "-min-max")
        if (pipes[p] != "integer") latency(pipes[p] "_fused", pipes[p] "-fused")
    }
    latency("divide", "divide")
    latency("integer_divide", "integer-divide")
    latency("fp64_divide", "fp64-divide")
    latency("shared", "shared")
    latency("l1_hit", "l1")
    latency("l2_hit", "l2")
    latency("dram", "dram")
    latency("constant", "constant")
    latency("constant_second", "constant-second")
    latency("barrier", "barrier")
    say("launch_us", waits["launch"] / config["clock.core"])
    pins = configured("dram_pins_gbs")
    say("dram_pins_gbs", pins)
    say("dram_read_percent", 100 * gigabytes("dram-read", 32 * MIB) / pins)
    say("dram_copy_percent", 100 * gigabytes("dram-copy", 64 * MIB) / pins)
    say("l2_read_bytes", 64 * MIB / cycles["l2-read"])
    sm_bytes("l1", "l1-read")
    sm_bytes("shared", "shared-read")
    additions("same", 4)
    say("node", config["energy.node"])
    say("fp32_watts", watts(joule["fp32-all"], "fp32-all"))
    say("dram_watts", watts(joule["dram-read"], "dram-read"))
    say("l2_watts", watts(joule["l2-read"], "l2-read"))
    say("static_watts", watts(quiet["fp32-all"], "fp32-all"))
    say("noc_percent", 100 * crossbars["l2-read"] / joule["l2-read"])
    additions("own", 64)
}
