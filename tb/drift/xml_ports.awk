# xml_ports - parameters, ports and registers of the top module, from
# verilator --xml-only.
#
# Prints what `gpusched-unit ports --format=rtl` prints for a port table, so that diff
# compares a module with its table:
#
#   parameter N_CORE 15
#   input kernel_i 2
#   output allow_o 15
#   register local_q 495x4      an array of 4 elements of 495 bits
#
# A register is what some <= assigns, whatever its name. A net busy_q of the top is one too if
# it is the output busy_o of an instance in which some <= assigns busy_q. clk and rst_i belong to
# every unit and are left out; of parameters, only those that are set. Relies on Verilator's
# indentation: one tag a line.

function attribute(key) {
    return match($0, " " key "=\"[^\"]*\"") \
        ? substr($0, RSTART + length(key) + 3, RLENGTH - length(key) - 4) : ""
}

function indent() {
    match($0, /[^ ]/)
    return RSTART
}

# 32'he or 32&apos;sh7f -> 14, 127
function number(text,    digits, i, value) {
    digits = substr(text, index(text, "h") + 1)
    for (i = 1; i <= length(digits); i++)
        value = 16 * value + index("0123456789abcdef", substr(digits, i, 1)) - 1
    return value
}

/<module /      { below = !/ topModule="1"/; module = attribute("name") }
/<\/module>/    { below = 0 }

# Functions have variables and arguments of their own.
/<func /        { in_func = 1 }
/<\/func>/      { in_func = 0 }
in_func         { next }

# The second child of an <assigndly> is its target; its first varref the register.
/<assigndly /            { outer = indent(); child = 0; next }
/<\/assigndly>/          { outer = 0 }
outer && !/<\//          { if (indent() == outer + 2) child++
                           if (child == 2 && /<varref/) {
                               if (below) in_part[module, attribute("name")] = 1
                               else is_register[attribute("name")] = 1
                               child++
                           } }

# Of modules below the top no more is of interest: they have tables of their own.
below                    { next }

# What an output of an instance in the top drives, if it is a net as a whole.
/<instance /             { part = attribute("defName"); inside = indent() }
/<\/instance>/           { part = "" }
part && /<port /         { output = / direction="out"/ ? attribute("name") : "" }
part && output && /<varref/ && indent() == inside + 4 { driver[attribute("name")] = part SUBSEP output }

/<var .* dir="/ { ports[++n_port] = attribute("dir") " " attribute("name") }
/<var /         { type_of[attribute("name")] = attribute("dtype_id")
                  order[++n_var] = attribute("name")
                  param = attribute("param") == "true" ? attribute("name") : "" }
param && /<const / { if (index(" " params " ", " " param " ")) print "parameter", param, number(attribute("name"))
                  param = "" }

/<basicdtype /           { width[attribute("id")] = attribute("left") == "" ? 1 \
                               : attribute("left") - attribute("right") + 1 }
/<unpackarraydtype /     { array = attribute("id"); n_bound = 0
                           element[array] = attribute("sub_dtype_id") }
array && /<const /       { bound[++n_bound] = number(attribute("name")) }
/<\/unpackarraydtype>/   { size[array] = bound[2] - bound[1] + 1; array = "" }

END {
    for (i = 1; i <= n_port; i++) {
        split(ports[i], port, " ")
        if (port[2] != "clk" && port[2] != "rst_i")
            print ports[i], width[type_of[port[2]]]
    }
    for (net in driver) {
        split(driver[net], from, SUBSEP)
        if (net ~ /_q$/ && from[2] == substr(net, 1, length(net) - 1) "o" && (from[1], net) in in_part) is_register[net] = 1
    }
    for (i = 1; i <= n_var; i++) {
        type = type_of[order[i]]
        if (order[i] in is_register)
            print "register", order[i], \
                (type in size) ? width[element[type]] "x" size[type] : width[type]
    }
}
