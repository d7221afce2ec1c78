# rtl_array.awk - reads the C++ that Verilator has made of an array of units, the headers of its modules first and then
# all else in one, and prints it with two changes:
#
# Before a clock edge an element's logic is evaluated only if one of its inputs has another value than at the last
# evaluation, as the whole module is (rtl_library.sh). After an edge all of it is, with inputs that registers may have
# changed; they are the last ones then, which is noted if a function that is called there names an input of an element.
# Only a function that reads its own element alone is left out so, and an element of which there is one such call. The
# inputs lie side by side: what they were is compared and kept as bytes, of a number that g++ knows, and so without a
# call. Before the first evaluation Verilator evaluates everything with the inputs that there are, by other functions.
#
# Verilator says with __restrict that an array's module and its elements lie apart in memory, in functions that use no other
# name for the module. g++ believes it of parameters only, and then moves several words at once.

function class_of(name) {
    sub(/___.*/, "", name)
    return name
}

FNR == 1 { in_header = FILENAME ~ /\.h$/ }
in_header {
    if (match($0, /^class [A-Za-z0-9_]+ /)) class = substr($0, 7, RLENGTH - 7)
    if (match($0, /VL_IN[0-9W]*\([A-Za-z0-9_]+,/)) {
        name = substr($0, RSTART, RLENGTH - 1)
        sub(/.*\(/, "", name)
        if (name == "clk") next
        if (!(class in first_input)) first_input[class] = name
        last_input[class] = name
        is_input[name]
    }
    next
}
{ line[++n] = $0 }
/^(VL_INLINE_OPT )?void Vdut[A-Za-z0-9_]*___(ico|nba)_[A-Za-z0-9_]+\(Vdut[A-Za-z0-9_]*\* vlSelf\) \{$/ {
    function_name = $0
    sub(/\(.*/, "", function_name)
    sub(/.* /, "", function_name)
    begins[function_name] = n
}
function_name != "" && /vlSymsp->/ { reads_others[function_name] }
function_name != "" {
    rest = $0
    while (match(rest, /vlSymsp->[A-Za-z0-9_]+\.[A-Za-z0-9_]+/)) {
        name = substr(rest, RSTART, RLENGTH)
        rest = substr(rest, RSTART + RLENGTH)
        sub(/.*\./, "", name)
        if (name in is_input) names_input[function_name]
    }
}
function_name != "" && /vlSymsp->TOP\./ { reads_top[function_name] }
/^(VL_INLINE_OPT )?void Vdut___024root___eval_nba\(/ { after_edge = 1 }
after_edge && /^ +Vdut[A-Za-z0-9_]+\(/ {
    name = $1
    sub(/\(.*/, "", name)
    called_there[name]
}
/^}/ && after_edge {
    edge_ends = n
    after_edge = 0
}
/^}/ { function_name = "" }
/^void Vdut___024root___eval_ico\(/ { inside = 1 }
inside && /^ +Vdut[A-Za-z0-9_]+\(\(&vlSymsp->[A-Za-z0-9_]+\)\);$/ {
    call[n] = $1
    element[n] = $0
    sub(/\(.*/, "", call[n])
    gsub(/.*\(&|\)\);$/, "", element[n])
    calls[element[n]]++
}
/^}/ { inside = 0 }

END {
    for (f in names_input) if (f ~ /___nba_/ || f in called_there) edge_moves = 1
    for (i in call)
        if (edge_ends && !(call[i] in reads_others) && calls[element[i]] == 1 && (class_of(call[i]) in first_input)) {
            guarded[class_of(call[i])]
            sub(/Vdut/, "if (rtl_inputs_moved(" element[i] ")) &", line[i])
            if (edge_moves) line[edge_ends] = "    rtl_inputs_moved(" element[i] ");\n" line[edge_ends]
        }
    for (f in begins)
        if (f ~ /^Vdut___024root___/ && !(f in reads_top)) sub(/vlSelf\) \{$/, "__restrict vlSelf) {", line[begins[f]])
    print "#include <cstddef>\n#include <cstring>\n#include \"Vdut__Syms.h\""
    print "#pragma GCC diagnostic ignored \"-Winvalid-offsetof\" // g++ knows them of any class without virtual bases"
    for (c in guarded) {
        print "static inline bool rtl_inputs_moved(" c " &self)\n{"
        print "    constexpr auto at = offsetof(" c ", " first_input[c] ");"
        print "    constexpr auto n = offsetof(" c ", " last_input[c] ") + sizeof " c "::" last_input[c] " - at;"
        print "    const auto *const from = reinterpret_cast<const char *>(&self) + at;"
        print "    if (n <= sizeof self.rtl_before && std::memcmp(self.rtl_before, from, n) == 0) return false;"
        print "    std::memcpy(self.rtl_before, from, n <= sizeof self.rtl_before ? n : 0);"
        print "    return true;\n}"
    }
    for (i = 1; i <= n; i++) print line[i]
}
