#!/usr/bin/env bats
# gpusched rtl: another's Verilog of a unit becomes a library; what of it is compared is said wherever it runs; what is
# wrong with its module is named.

load helper

size=(--unit=claso N_CORE=3 N_KERNEL=2)

# ours - our module and its parts.
ours() {
    cat "$CLI_SOURCE/rtl/units/claso.v"
    for part in claso_launch claso_pay count_ones divide_step prefix_or put_line select_line select_word subtract; do cat "$CLI_SOURCE/rtl/lib/$part.v"; done
}

# mine SCRIPT - the same as another would have it, changed by a script of sed, in mine.v.
mine() { ours | sed "$1" > mine.v; }

# built ARGUMENT... - gpusched rtl build must make a library.
built() {
    rm -f mine.so
    ends 0 rtl build mine.v "$@" -o mine.so
    check "rtl build $*: nothing on stderr" [ ! -s err ]
}

# changed - another must have been built of what is in mine.v: no sed without effect.
changed() { ! cmp -s mine.v <(ours); }

# lockstep STATUS ARGUMENT... - with mine.so.
lockstep() { exits "$1" gpusched-unit lockstep claso N_CORE=3 N_KERNEL=2 --rtl=mine.so --cycles=20000 --report=report "${@:2}"; }

# wrong NAME SCRIPT LINE... - the module that a script makes is refused with these lines, and no others.
wrong() {
    mine "$2"
    check "$1: the script changes the module" changed
    ends 2 rtl build mine.v "${size[@]}" -o wrong.so
    check "$1: it says so" [ "$(< err)" = "$(printf '%s\n' "${@:3}")" ]
    check "$1: nothing on stdout" [ ! -s out ]
    check "$1: no file is left" [ -z "$(compgen -G 'wrong*')" ]
}

# in_order - the units that the sockets' rows give a GPU, in the order of their evaluation: the parts of one come before it. A
# unit that is in two places is in the later one without LaPerm.
in_order() {
    local unit
    sed -n 's/^SOCKET(\([a-z_]*\),.*/\1/p' "$CLI_SOURCE/cmodel/gpu/units/sockets.def" | while read -r unit; do
        sed -n 's/^PART([a-z_]*, \([a-z_]*\),.*/\1/p' "$CLI_SOURCE/cmodel/units/${unit}_ports.def"
        echo "$unit"
    done | tac | awk '!seen[$0]++' | tac
}

@test "the units of a GPU are listed with their sizes" {
    ends 0 rtl list --gpu c2050 --set icc.entries=48 --set claso.active_levels=1
    check 'each unit' [ "$(cut -d ' ' -f 1 out)" = "$(in_order)" ]
    check 'its size' grep -qx 'claso *N_CORE=14 N_POOL=14 N_KERNEL=16 CTA_W=20 LEVEL_W=4' out
    ends 0 rtl list --gpu c2050
    check 'what the GPU does not have' grep -qx 'cluster_port *with --set icc.entries=48' out
    check 'what the GPU does not use' grep -q '^claso .* in use with --set claso.active_levels=1$' out
}

@test "with what the list says of a unit it is in use" {
    local unit settings n=0
    ends 0 rtl list --gpu c2050
    sed -n 's/^\([a-z_]*\) .*with\( --set .*\)$/\1\2/p' out > needs
    while read -r unit settings; do
        # shellcheck disable=SC2086 # several words
        ends 0 rtl list --gpu c2050 $settings
        check "$unit is there" grep -q "^$unit  *[A-Z]" out
        check "and does something" [ -z "$(grep "^$unit .*--set" out)" ]
        n=$((n + 1))
    done < needs
    check 'some need a setting' [ "$n" -ge 3 ]
}

@test "a module with other registers is compared by its outputs and the registers it has" {
    mine 's/busy_q/working_q/g; s/local_q/mine_q/g'
    built "${size[@]}"
    check 'what is compared' says '(outputs 6 of 6, registers 15 of 16, memories 6 of 7)' out
    check 'and the command' says 'gpusched-unit lockstep claso N_CORE=3 N_POOL=1 N_KERNEL=2 CTA_W=20 LEVEL_W=4 --rtl=mine.so' out
    lockstep 0
    check 'lockstep says so too' says '(outputs 6 of 6, registers 15 of 16, memories 6 of 7)' out
    # A register of another shape is another register.
    mine 's/\blaunch_error_q\b/refused_q/g; s/^    wire  *refused_q;/&\n    reg [1:0] launch_error_q; always @(posedge clk) launch_error_q <= 2;/'
    built "${size[@]}"
    check 'of another shape' says '(outputs 6 of 6, registers 15 of 16, memories 7 of 7)' out
    lockstep 0
}

@test "a register that the module has is compared, unless only ports are" {
    mine 's/\bdivisor_q\b/number_q/g; s/^    wire .* number_q, .*/&\n    reg [COUNT_W-1:0] divisor_q; always @(posedge clk) divisor_q <= 1;/'
    check 'the script changes the module' grep -q 'divisor_q <= 1' mine.v
    built "${size[@]}"
    lockstep 1
    check 'the register is named' grep -q '^  divisor_q ' out
    built "${size[@]}" --ports-only
    check 'what is compared' says '(outputs 6 of 6, registers 0 of 16, memories 0 of 7)' out
}

@test "a defect is named by its port" {
    mine 's/launch_ready_o *= *!busy_q/launch_ready_o = 1/'
    check 'the script changes the module' changed
    built "${size[@]}" --ports-only
    lockstep 1
    check 'the port is named' grep -q '^  launch_ready_o  *0  *1$' out
    check 'what is compared' says '(outputs 6 of 6, registers 0 of 16, memories 0 of 7)' out
    check 'no other row' [ "$(sed -n '/^  port/,/^$/p' out | grep -c '_[oq]')" -eq 1 ]
    replay=$(sed -n 's/^  replay *//p' out)
    exits 1 bash -c "$replay"
    check 'its vectors name it too' grep -q '^  launch_ready_o  *0  *1$' out
}

@test "our own RTL keeps all registers" {
    mkdir -p folder
    sed 's/busy_q/working_q/g' "$CLI_SOURCE/rtl/units/claso.v" > folder/claso.v
    library=claso-N_CORE.3-N_POOL.1-N_KERNEL.2-CTA_W.20-LEVEL_W.4.so
    check 'a folder of RTL is built' make -s -C "$CLI_SOURCE" BUILD="$CLI_BUILD" OUT="$PWD/ours" RTL="$PWD/folder" UNIT=claso "$PWD/ours/rtl/$library"
    exits 2 gpusched-unit lockstep claso N_CORE=3 N_KERNEL=2 --rtl=ours/rtl
    check 'a register that is not there' says 'busy_q is not there' err
}

# shellcheck disable=SC2016 # Verilog's system tasks
@test "what is wrong with a module is named" {
    wrong 'a port of another name' 's/launch_pool_i/launch_pond_i/g' \
        'mine.v: port launch_pond_i: expected none, found an input of 1 bit' \
        'mine.v: port launch_pool_i: expected an input of 1 bit, found none'
    wrong 'a width' 's/\[LEVEL_W-1:0\]  *launch_loose_i,*/[LEVEL_W:0] launch_loose_i,/' \
        'mine.v: port launch_loose_i: expected an input of 4 bits, found an input of 5 bits'
    wrong 'a port too many' 's/^    input  wire  *rst_i,/&\n    output wire [3:0] debug_o,/' \
        'mine.v: port debug_o: expected none, found an output of 4 bits'
    wrong 'a direction' 's/output wire  *launch_error_o,/inout wire launch_error_o,/' \
        'mine.v: port launch_error_o: expected an output of 1 bit, found an inout of 1 bit'
    wrong 'no reset' 's/\brst_i\b/reset/g' \
        'mine.v: port reset: expected none, found an input of 1 bit' \
        'mine.v: port rst_i: expected an input of 1 bit, found none'
    wrong 'parameters' 's/N_POOL/M_POOL/g; s/LEVEL_W/LVL_W/g' \
        'mine.v: parameter LEVEL_W: expected, and not one of module claso' \
        'mine.v: parameter N_POOL: expected, and not one of module claso'
    wrong 'another module' 's/^module claso/module clasp/' 'mine.v: module claso: expected, and not in it'
    wrong 'a state that grows' '/^module claso /,/^endmodule/{s/^    \/\/ ---- State .*/&\n    integer waiting [$]; always @(posedge clk) waiting.push_back(1); assign launch_error_o = waiting.size() > 9;/; s/^    assign launch_error_o.*//}' \
        'mine.v: VlQueue<IData/*31:0*/> claso__DOT__waiting;: expected registers of a fixed size, which hold all of its state'
    wrong 'a task that ends the program' 's/^    \/\/ ---- State .*/&\n    always @(posedge clk) if (launch_ctas_i == 7) $finish;/' \
        'mine.v: $finish: expected no system task'
    wrong 'a task that writes' 's/^    \/\/ ---- State .*/&\n    always @(posedge clk) $display("%d", launch_ctas_i);/' \
        'mine.v: $display: expected no system task'
    mine 's/^endmodule/endmodul/'
    ends 2 rtl build mine.v "${size[@]}" -o wrong.so
    check 'no Verilog: it says where' grep -qE '^mine.v:[0-9]+:[0-9]+: syntax error' err
}

@test "bad command lines are refused" {
    mine ''
    refused 'a word is needed: build, list' rtl
    refused 'nothing: no such word; there are: build, list' rtl nothing
    refused 'a file of Verilog is needed' rtl build --unit=claso
    refused '--unit is needed' rtl build mine.v
    refused 'no unit nothing' rtl build mine.v --unit=nothing
    refused '--unit=sm_counter: on a GPU icc, coalesced_cache' rtl build mine.v --unit=sm_counter --gpu=c2050
    refused 'cluster_port: the GPU does not use it; allowed: with --set icc.entries=48' rtl build mine.v --unit=cluster_port --gpu=c2050
    refused 'N_CORE=3: the GPU has' rtl build mine.v --unit=claso N_CORE=3 --gpu=c2050
    refused 'no parameter N_COR=3' rtl build mine.v --unit=claso N_COR=3
    refused 'nothing.v: cannot be read' rtl build nothing.v --unit=claso
    refused 'no-folder/mine.so: cannot be written' rtl build mine.v --unit=claso -o no-folder/mine.so
    mkdir -p taken 'a b'
    refused 'taken: cannot be written' rtl build mine.v --unit=claso -o taken
    refused 'taken/: cannot be written' rtl build mine.v --unit=claso -o taken/
    check 'nothing is in it' [ -z "$(ls -A taken)" ]
    cp mine.v 'a b'
    refused 'make cannot take a path with a blank' rtl build 'a b/mine.v' --unit=claso -o mine.so
    refused 'list: only --gpu' rtl list mine.v
    mkdir -p tools
    ln -sf "$(type -P make)" "$(type -P g++)" tools
    exits 2 env PATH="$PWD/tools" "$(type -P gpusched)" rtl build mine.v --unit=claso
    check 'verilator is named' [ "$(< err)" = 'verilator: the program is needed, and not on the PATH' ]
}

# shellcheck disable=SC2016 # what must not be run
@test "no name of a folder is a command, and two builds of one library do not meet" {
    mine ''
    local name here=$PWD
    for name in "it's; touch made; #" '$(shell touch made)'; do
        mkdir -p "$name"
        cd "$name"
        ends 0 rtl build "$here/mine.v" "${size[@]}" -o mine.so
        cd "$here"
        check "$name: the library is there" [ -s "$name/mine.so" ]
        check "$name: and nothing else" [ "$(ls -A "$name")" = $'err\nmine.so\nout' ]
    done
    check 'nothing was run' [ -z "$(find "$here" "$CLI_SOURCE" -maxdepth 1 -name made)" ]
    gpusched rtl build mine.v "${size[@]}" -o both.so > first 2>&1 &
    ends 0 rtl build mine.v "${size[@]}" -o both.so
    wait $!
    check 'both have built it' grep -q RTL first
}

@test "several files and folders make one module" {
    mkdir -p parts
    sed -n '/^`default_nettype none/,/^    \/\/ ---- Parameter/p' "$CLI_SOURCE/rtl/units/claso.v" | sed '$d' > head.v
    {
        cat head.v
        printf '    `include "mine_ready.vh"\n    mine_error u_error (.launch_error_o(launch_error_o));\nendmodule\n'
    } > top.v
    echo 'module mine_error (output wire launch_error_o); mine_zero u_zero (.o(launch_error_o)); endmodule' > error.v
    echo 'module mine_zero (output wire o); assign o = 0; endmodule' > parts/mine_zero.v
    echo 'assign launch_ready_o = 1;' > parts/mine_ready.vh
    ends 0 rtl build top.v error.v -I parts "${size[@]}" -o several.so
    check 'all files are named' grep -qE 'RTL +error.v [0-9a-f]{12}, parts/mine_ready.vh [0-9a-f]{12}, parts/mine_zero.v [0-9a-f]{12}, top.v ' out
    ends 2 rtl build top.v error.v "${size[@]}" -o several.so
    check 'what is not found is named' grep -q "mine_ready.vh" err
}

@test "a module that hangs is what differs, though its registers are not compared" {
    local small=(--set sm.count=6 --set cluster.count=2 --set claso.active_levels=1)
    mine "s/step_d *= step_q + 1'b1;/step_d = step_q;/"
    check 'the script changes the module' changed
    ends 0 rtl build mine.v --unit=claso --gpu icc "${small[@]}" --ports-only -o hung.so
    ends 1 run --gpu icc "${small[@]}" --workload hotspot --rtl=shadow --units=claso --rtl-file=hung.so
    check 'the RTL, not the model' grep -qE '^  launch_ready_o +1 +0$' out
    check 'no model differs from a model' [ "$(grep -c 'against another' out)" = 0 ]
}

@test "it runs beside a kernel" {
    sm='--set sm.count=6 --set cluster.count=2 --set claso.active_levels=1'
    mine 's/busy_q/working_q/g; s/local_q/mine_q/g'
    # shellcheck disable=SC2086 # several options
    ends 0 rtl build mine.v --unit=claso --gpu icc $sm
    check 'the command is said' grep -qE "^  run  *gpusched run --gpu icc $sm --workload hotspot --rtl=shadow --units=claso --rtl-file=mine.so$" out
    command=$(sed -n 's/^  run *//p' out)
    compared='mine.v [0-9a-f]{12} \(outputs 6 of 6, registers 15 of 16, memories 6 of 7\)'
    for mode in shadow drive; do
        # shellcheck disable=SC2086 # a command
        exits 0 ${command/rtl=shadow/rtl=$mode}
        check "$mode: what was compared" grep -qE "^  claso +1 +[0-9,]+ +0  $compared$" out
    done
    cat > mine.yaml << 'END'
gpus: [icc]
workloads: [hotspot]
settings: {sm.count: 6, cluster.count: 2, claso.active_levels: 1}
rtl: shadow
units: [claso]
figures: [cycles]
END
    ends 0 experiment mine.yaml --rtl-file=mine.so -o results
    check 'results say so too' grep -qE "^$compared\$" <(sqlite3 results/mine.sqlite "SELECT value ->> '\$[0].verilog' FROM observed")
}

scheduler=(N_SM=6 N_CLUSTER=2 N_KERNEL=2)

# late SCRIPT - the scheduler of the example, whose dispatch comes a cycle later, in late.so; changed by a script of sed.
late() {
    sed 's/^module cta_scheduler/module other_scheduler/' "$CLI_SOURCE/rtl/units/cta_scheduler.v" > other.v
    sed "$1" "$CLI_SOURCE/docs/examples/third-party-rtl/cta_scheduler.v" > late.v
    [ -z "$1" ] || check "$1: the script changes the module" fails cmp -s late.v "$CLI_SOURCE/docs/examples/third-party-rtl/cta_scheduler.v"
    ends 0 rtl build late.v other.v -I "$CLI_SOURCE/rtl/lib" --unit=cta_scheduler "${scheduler[@]}" -o late.so
}

# transactions STATUS ARGUMENT... - with late.so.
transactions() {
    exits "$1" gpusched-unit lockstep cta_scheduler "${scheduler[@]}" --rtl=late.so --transactions --cycles=20000 "${@:2}"
}

# differs SCRIPT TEXT... - the module that a script makes is found, with lines that are matched.
differs() {
    late "$1"
    transactions 1
    for text in "${@:2}"; do
        check "$1: it says $text" grep -qE "$text" out
    done
}

@test "transactions: another latency is equal, and other decisions are not" {
    late ''
    exits 1 gpusched-unit lockstep cta_scheduler "${scheduler[@]}" --rtl=late.so --cycles=20000 --report=report
    for mode in idle bursty pressed; do
        transactions 0 --mode="$mode"
        check "$mode: all channels" grep -qE '^equal .* transactions launch [1-9][0-9]*, pool [1-9][0-9]*, dispatch [1-9][0-9]*,' out
    done
    cp out first
    transactions 0 --mode=pressed
    check 'the same bytes' cmp -s out first
    # Two cycles more, and a counter that never rests.
    late 's/^    reg  seen_q;.*/&\n    reg old_q; reg [31:0] idle; always @(posedge clk) begin idle <= idle + 1; old_q <= valid \&\& seen_q \&\& !dispatch_valid_o; end/; s/shows = valid && seen_q;/shows = valid \&\& seen_q \&\& old_q;/'
    transactions 0
    differs 's/assign dispatch_sm_o *= shows ? sm/& - (sm == N_SM - 1)/' \
        '^DIFFERENCE cta_scheduler .*, transaction [0-9]+ of channel dispatch$' '^  model +cycle [0-9]+$' '^  RTL +cycle [0-9]+$' \
        '^  dispatch_sm_o +5 +4$'
    # CTA 9 goes out again and again, and CTA 2 never.
    differs 's/(shows && dispatch_ready_i)/(shows \&\& dispatch_ready_i \&\& cta != 9)/' \
        'of channel dispatch$' '^  dispatch_cta_o +[0-9]+ +9$|^  dispatch_cta_o +9$'
    differs 's/shows = valid && seen_q;/shows = valid \&\& seen_q \&\& cta != 2;/' \
        'of channel dispatch$' '^  RTL +does not for 10000 cycles, up to cycle [0-9]+$' '^  dispatch_cta_o +2$'
    differs 's/launch_valid_i  *(launch_valid_i)/launch_valid_i (0)/; s/launch_ready_o  *(launch_ready_o)/launch_ready_o ()/; s/^    wire  *valid;/&\n    assign launch_ready_o = 0;/' \
        'of channel launch$' '^  model +takes the offer in this step$' '^  RTL +does not for 10000 cycles'
    differs 's/pool_blocks_o  *(pool_blocks_o)/pool_blocks_o ()/; s/^    wire  *valid;/&\n    assign pool_blocks_o = 1;/' \
        'of channel pool$' '^  pool_blocks_o +[0-9]+ +1$'
}

@test "transactions: a decision that nobody asked for is found" {
    # A dispatch shows while there is room for none: levels of a step without an answer.
    differs 's/shows = valid && seen_q;/shows = (valid \&\& seen_q) || (room_i == 0 \&\& limit_i != 0);/' \
        'of channel dispatch$' '^  model +none in this step, up to cycle [0-9]+$' '^  dispatch_valid_o|^  dispatch_sm_o +[0-5]$'
}

@test "transactions: units without them are named" {
    exits 2 gpusched-unit lockstep claso --transactions
    check 'claso has none' says 'claso: no output has a handshake' err
    exits 2 gpusched-unit lockstep cta_scheduler --transactions --mode=illegal
    check 'a mode without a protocol' says '--mode=illegal: idle, bursty or pressed is allowed' err
    exits 2 gpusched-unit vectors claso --transactions --output=some.txn
    check 'claso has none to write' says 'claso: no output has a handshake' err
    exits 2 gpusched-unit vectors cta_scheduler --transactions --mode=directed --output=some.txn
    check 'nor a mode' says '--mode=directed: idle, bursty or pressed is allowed' err
    check 'nothing is written' fails test -e some.txn
    exits 2 gpusched-unit replay some.vec --transactions
    check 'another command' says '--transactions: allowed with lockstep and vectors' err
    exits 2 gpusched-unit lockstep cta_scheduler --transactions --complete
    check 'a check that they do not have' says '--transactions: allowed with lockstep and vectors, without --complete' err
    exits 0 gpusched-unit vectors cta_scheduler --transactions --cycles=500 --output=some.txn
    exits 2 gpusched-unit replay --model some.txn
    check 'its own bench replays it' says 'some.txn:1: not a vector file of this version' err
}
