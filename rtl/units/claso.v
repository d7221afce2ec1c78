// claso - credits that keep the cores' shares of a kernel's CTAs alike.
//
// Purpose
//   Stands between any CTA scheduler and the cores. It picks neither CTAs nor
//   cores; it says to which cores one more CTA of a kernel may go. A launch gives
//   every core of a set its share of the kernel as local credits, and the cores
//   together a few global credits; each CTA issued consumes one local credit of
//   its core, and the last credits of a core need a global one each as well. So
//   no core runs far ahead of the others, whoever schedules.
//
//                 Credit Allocator         credits           Credit Consumer
//                +----------------+    +--------------+    +----------------+
//   launch_*_i ->| count, divide, |--->| C_p  of each |--->| each core:     |
//                | write          |    |      core    |    |   compare      |-> allow_*_o
//                +----------------+    | C_g          |    |   subtract     |<- consume_*_i
//                   word slot_q        | p_A + p_L    |<---|                |
//                                      +--------------+    +----------------+
//                                       a word a slot        word kernel_i
//
//   Allocator, n_core being the cores of the set:
//     C_p[c] = ceil(n_cta / n_core) + p_L    for a core of the set, else 0
//     C_g    = ((n_cta - 1) mod n_core) + 1 + (p_A - 1) * n_core
//   Consumer, for one CTA to core c: allowed if C_p[c] > 0, and either C_p[c] - 1
//   >= p_A + p_L, which takes one of C_p[c]; or C_g > 0, which takes one of both.
//   Two CTAs are allowed when the second would be after the first.
//
// Parameters, outside of whose ranges it does not elaborate
//   N_CORE           cores, 1..128
//   N_KERNEL         kernel slots, a credit set each, 1..32
//   CTA_W            bits of a number of CTAs, 1..32
//   LEVEL_W          bits of p_A and of p_L, 1..8
//   CORE_W           bits of a core's number; derived, never overridden
//   KERNEL_W         bits of a slot's number; derived, never overridden
//
// Ports              width      meaning
//   clk              1          clock, rising edge
//   rst_i            1          reset, synchronous, active high
//   launch_valid_i   1          a kernel is launched, or its credits are allocated
//                               anew
//   launch_kernel_i  KERNEL_W   its slot; N_KERNEL and up are refused
//   launch_ctas_i    CTA_W      n_cta, its CTAs not issued yet; 0 is refused
//   launch_cores_i   N_CORE     bit c: core c may run it; no core at all is refused
//   launch_active_i  LEVEL_W    p_A, active levels; 0 is refused
//   launch_loose_i   LEVEL_W    p_L, loose levels
//   launch_ready_o   1          the allocator is idle: a launch is taken in this
//                               cycle
//   launch_error_o   1          the launch taken in the last cycle was refused
//   kernel_i         KERNEL_W   slot whose allowances are shown, and whose credits
//                               are consumed
//   allow_one_o      N_CORE     bit c: one CTA of the kernel may go to core c now
//   allow_two_o      N_CORE     bit c: two CTAs may go to core c now, together
//   consume_valid_i  1          a CTA of the kernel is issued in this cycle
//   consume_core_i   CORE_W     to this core
//   consume_two_i    1          and with it the next CTA: a block of two
//   consume_error_o  1          the consume of the last cycle was not allowed, and
//                               took nothing
//
// Timing
//   Latency     a launch taken in cycle t shows in the masks from cycle
//               t + 3 + ceil(CTA_W / 2) on; from t + 1 until then its slot allows
//               nothing. A consume shows in the masks of the next cycle.
//   Throughput  one consume a cycle, of any slot, while the allocator works or not.
//   kernel_i reaches allow_one_o and allow_two_o in its own cycle; every other
//   output is a register, and no other input reaches any output.
//
// Reset
//   After a rising edge with rst_i high every register is 0: no slot holds credits
//   and the allocator is idle. The memories keep what they hold. Outputs are not
//   gated by rst_i, and nothing is taken in a cycle with rst_i high.
//
// Contract
//   Launch     taken when launch_valid_i, launch_ready_o and !rst_i. A launch of a
//              slot in use replaces its credits. Refused: a slot, a number of CTAs,
//              a set or a p_A as above; this sets launch_error_o and no more.
//   Consume    takes the credits of the block or nothing. What the mask does not
//              show - slot or core unknown, no kernel, too few credits - sets
//              consume_error_o and takes nothing.
//   Both       a consume in the cycle of its slot's launch counts as before it.
//   Promise    a core of the set gets at most ceil(n_cta / n_core) + p_L CTAs of a
//              launch; all cores together get n_cta if they keep asking, and no
//              more if ceil(n_cta / n_core) >= p_A.
//
// Twin     claso.c: equal outputs, registers and memories in every cycle after the
//          first reset edge; of the memories, the words written since.
// Source   Yu, He, Guo, Wang, Chen, "A Credit-Based Load-Balance-Aware CTA
//          Scheduling Optimization Scheme in GPGPU", IJPP 2014, section 3. The
//          division, two bits a cycle, is ours.
// Deviations
//   - Line 2 of Algorithm 1 shows a floor where section 3.1 and the case study have
//     a ceiling; the floor would strand CTAs. Built: the ceiling.
//   - Algorithm 1 takes credits before it tests. Here a refusal costs nothing, so a
//     request may stand as a level; the decisions are the same.
//   - The set of cores, allocation anew, and blocks of two are ours.
//   - The paper's cost is n_core + 1 registers a kernel. To these come p_A + p_L,
//     which the paper takes as constants, and a valid bit.

`default_nettype none

module claso #(
    parameter integer N_CORE   = 15,
    parameter integer N_KERNEL = 4,
    parameter integer CTA_W    = 32,
    parameter integer LEVEL_W  = 4,
    parameter integer CORE_W   = (N_CORE > 1) ? $clog2(N_CORE) : 1,
    parameter integer KERNEL_W = (N_KERNEL > 1) ? $clog2(N_KERNEL) : 1
) (
    input  wire                clk,
    input  wire                rst_i,

    input  wire                launch_valid_i,
    input  wire [KERNEL_W-1:0] launch_kernel_i,
    input  wire [CTA_W-1:0]    launch_ctas_i,
    input  wire [N_CORE-1:0]   launch_cores_i,
    input  wire [LEVEL_W-1:0]  launch_active_i,
    input  wire [LEVEL_W-1:0]  launch_loose_i,
    output wire                launch_ready_o,
    output wire                launch_error_o,

    input  wire [KERNEL_W-1:0] kernel_i,
    output wire [N_CORE-1:0]   allow_one_o,
    output wire [N_CORE-1:0]   allow_two_o,

    input  wire                consume_valid_i,
    input  wire [CORE_W-1:0]   consume_core_i,
    input  wire                consume_two_i,
    output wire                consume_error_o
);

    // ---- Parameter check ---------------------------------------------------
    // Verilog-2005 has no elaboration-time error, so a bad value instantiates a
    // module that does not exist; its name is the message.

    generate
        if (N_CORE < 1 || N_CORE > 128 || N_KERNEL < 1 || N_KERNEL > 32
            || CTA_W < 1 || CTA_W > 32 || LEVEL_W < 1 || LEVEL_W > 8
            || CORE_W != ((N_CORE > 1) ? $clog2(N_CORE) : 1)
            || KERNEL_W != ((N_KERNEL > 1) ? $clog2(N_KERNEL) : 1)) begin : g_check
            claso_needs_N_CORE_1_to_128_N_KERNEL_1_to_32_CTA_W_1_to_32_LEVEL_W_1_to_8
                u_stop ();
        end
    endgenerate

    // ---- Widths ------------------------------------------------------------

    localparam integer COUNT_W  = $clog2(N_CORE + 1);                        // 0..N_CORE
    localparam integer LOCAL_W  = ((CTA_W > LEVEL_W) ? CTA_W : LEVEL_W) + 1; // ceil + p_L
    localparam integer GLOBAL_W = LEVEL_W + COUNT_W;                         // p_A * n_core
    localparam integer N_STEP   = (CTA_W + 1) / 2;  // cycles of a division, two bits each
    localparam integer STEP_W   = $clog2(N_STEP + 2);

    // ---- State -------------------------------------------------------------

    // Credits: a word a slot, core 0 lowest.
    reg [N_CORE*LOCAL_W-1:0] local_q  [0:N_KERNEL-1];  // C_p
    reg [GLOBAL_W-1:0]       global_q [0:N_KERNEL-1];  // C_g
    reg [LEVEL_W:0]          band_q   [0:N_KERNEL-1];  // p_A + p_L
    reg [N_KERNEL-1:0]       valid_q;                  // bit k: slot k holds credits
    reg [N_KERNEL-1:0]       valid_d;

    // Allocator: what it does, and its operands.
    localparam [STEP_W-1:0] COUNT = {STEP_W{1'b0}};              // count the cores
    localparam [STEP_W-1:0] WRITE = N_STEP[STEP_W-1:0] + 1'b1;   // in between: divide

    reg                busy_q;       // the allocator works
    reg                busy_d;
    reg [STEP_W-1:0]   step_q;       // COUNT, 1..N_STEP, WRITE
    reg [STEP_W-1:0]   step_d;
    reg [KERNEL_W-1:0] slot_q;       // for this slot
    reg [KERNEL_W-1:0] slot_d;
    reg [N_CORE-1:0]   cores_q;      // over these cores
    reg [N_CORE-1:0]   cores_d;
    reg [LEVEL_W-1:0]  active_q;     // with this p_A
    reg [LEVEL_W-1:0]  active_d;
    reg [LEVEL_W-1:0]  loose_q;      // and this p_L
    reg [LEVEL_W-1:0]  loose_d;
    reg [COUNT_W-1:0]  divisor_q;    // number of these cores
    reg [COUNT_W-1:0]  divisor_d;
    reg [2*N_STEP-1:0] dividend_q;   // n_cta - 1; used up from the top, while the
    reg [2*N_STEP-1:0] dividend_d;   // quotient comes in below
    reg [COUNT_W-1:0]  remainder_q;  // of the bits of n_cta - 1 used so far
    reg [COUNT_W-1:0]  remainder_d;

    // Errors of the last cycle.
    reg launch_error_q;
    reg consume_error_q;

    // ---- Launch ------------------------------------------------------------
    // One line a slot; a number without a slot shifts the one out of the vector.

    localparam [N_KERNEL-1:0] SLOT_0 = 1;

    wire [N_KERNEL-1:0] launch_slot  = SLOT_0 << launch_kernel_i;
    wire                launch_legal = launch_slot != 0 && launch_ctas_i != 0
                                       && launch_cores_i != 0 && launch_active_i != 0;
    wire                launch_taken = launch_valid_i && launch_ready_o;
    wire                launch       = launch_taken && launch_legal;

    assign launch_ready_o = !busy_q;
    assign launch_error_o = launch_error_q;

    // ---- Division ----------------------------------------------------------
    // n_cta - 1 = quotient * n_core + remainder is all the formulas need:
    // ceil(n_cta / n_core) = quotient + 1, and (n_cta - 1) mod n_core = remainder.

    // Number of cores in a set.
    function [COUNT_W-1:0] count_ones;
        input [N_CORE-1:0] set;
        reg   [COUNT_W-1:0] one;
        integer k;
        begin
            count_ones = {COUNT_W{1'b0}};
            one        = {COUNT_W{1'b0}};
            for (k = 0; k < N_CORE; k = k + 1) begin
                one[0]     = set[k];
                count_ones = count_ones + one;
            end
        end
    endfunction

    // Restoring division by one bit: {bit of the quotient, remainder}. The partial
    // remainder is below 2 * divisor, so the top bit of the difference is a borrow.
    function [COUNT_W:0] divide_bit;
        input [COUNT_W-1:0] remainder;
        input               next;
        input [COUNT_W-1:0] divisor;
        reg   [COUNT_W:0]   partial;
        reg   [COUNT_W:0]   difference;
        begin
            partial    = {remainder, next};
            difference = partial - {1'b0, divisor};
            divide_bit = difference[COUNT_W] ? {1'b0, partial[COUNT_W-1:0]}
                                             : {1'b1, difference[COUNT_W-1:0]};
        end
    endfunction

    wire [COUNT_W:0] upper = divide_bit(remainder_q, dividend_q[2*N_STEP-1], divisor_q);
    wire [COUNT_W:0] lower = divide_bit(upper[COUNT_W-1:0], dividend_q[2*N_STEP-2],
                                        divisor_q);

    // ---- Allocator ---------------------------------------------------------

    wire allocated = busy_q && step_q == WRITE;

    always @* begin : p_allocate
        valid_d     = valid_q;
        busy_d      = busy_q;
        step_d      = step_q;
        slot_d      = slot_q;
        cores_d     = cores_q;
        active_d    = active_q;
        loose_d     = loose_q;
        divisor_d   = divisor_q;
        dividend_d  = dividend_q;
        remainder_d = remainder_q;

        if (launch) begin
            valid_d    = valid_q & ~launch_slot;
            busy_d     = 1'b1;
            step_d     = COUNT;
            slot_d     = launch_kernel_i;
            cores_d    = launch_cores_i;
            active_d   = launch_active_i;
            loose_d    = launch_loose_i;
            dividend_d = {2*N_STEP{1'b0}};
            dividend_d[CTA_W-1:0] = launch_ctas_i - 1'b1;
        end else if (allocated) begin
            valid_d = valid_q | (SLOT_0 << slot_q);
            busy_d  = 1'b0;
            step_d  = COUNT;
        end else if (busy_q) begin
            step_d = step_q + 1'b1;
            if (step_q == COUNT) begin
                divisor_d   = count_ones(cores_q);
                remainder_d = {COUNT_W{1'b0}};
            end else begin
                dividend_d      = dividend_q << 2;
                dividend_d[1:0] = {upper[COUNT_W], lower[COUNT_W]};
                remainder_d     = lower[COUNT_W-1:0];
            end
        end
    end

    // What it writes; in the step WRITE the dividend has become the quotient.
    localparam [LEVEL_W-1:0] LEVEL_1 = 1;

    wire [LOCAL_W-1:0]  share      = {{(LOCAL_W-CTA_W){1'b0}}, dividend_q[CTA_W-1:0]}
                                     + 1'b1 + {{(LOCAL_W-LEVEL_W){1'b0}}, loose_q};
    wire [GLOBAL_W-1:0] layers     = {{COUNT_W{1'b0}}, active_q - LEVEL_1};
    wire [GLOBAL_W-1:0] global_new = {{LEVEL_W{1'b0}}, remainder_q} + 1'b1
                                     + layers * {{LEVEL_W{1'b0}}, divisor_q};
    wire [LEVEL_W:0]    band_new   = {1'b0, active_q} + {1'b0, loose_q};

    // The word of local credits: a share for each core of the set.
    function [N_CORE*LOCAL_W-1:0] deal;
        input [N_CORE-1:0]  set;
        input [LOCAL_W-1:0] amount;
        integer k;
        begin
            deal = {N_CORE*LOCAL_W{1'b0}};
            for (k = 0; k < N_CORE; k = k + 1) begin
                if (set[k]) deal[k*LOCAL_W +: LOCAL_W] = amount;
            end
        end
    endfunction

    // ---- Consumer ----------------------------------------------------------
    // Words are read for any kernel_i; held tells whether they mean anything.

    wire [N_CORE*LOCAL_W-1:0] local_now  = local_q[kernel_i];
    wire [GLOBAL_W-1:0]       global_now = global_q[kernel_i];
    wire [LEVEL_W:0]          band_now   = band_q[kernel_i];
    wire                      held       = (valid_q & (SLOT_0 << kernel_i)) != 0;

    // A credit above the band is free; lowest_free is the lowest of these. One bit
    // wider than local credits, which makes room for both.
    wire [LOCAL_W:0] band        = {{(LOCAL_W-LEVEL_W){1'b0}}, band_now};
    wire [LOCAL_W:0] lowest_free = band + 1'b1;

    wire global_for_one = global_now != 0;
    wire global_for_two = global_now[GLOBAL_W-1:1] != 0;

    // One consumer a core.
    reg [N_CORE-1:0]  first_free;   // the next CTA needs no global credit
    reg [N_CORE-1:0]  second_free;  // nor does the one after it
    reg [N_CORE-1:0]  allow_one;
    reg [N_CORE-1:0]  allow_two;
    reg [LOCAL_W-1:0] credit;
    integer           c;

    always @* begin : p_compare
        {first_free, second_free, allow_one, allow_two} = {4*N_CORE{1'b0}};
        for (c = 0; c < N_CORE; c = c + 1) begin
            credit         = local_now[c*LOCAL_W +: LOCAL_W];
            first_free[c]  = {1'b0, credit} > band;
            second_free[c] = first_free[c] && {1'b0, credit} != lowest_free;
            allow_one[c]   = held && credit != 0
                             && (first_free[c] || global_for_one);
            allow_two[c]   = held && credit[LOCAL_W-1:1] != 0
                             && (second_free[c] || global_for_two
                                 || (first_free[c] && global_for_one));
        end
    end

    assign allow_one_o = allow_one;
    assign allow_two_o = allow_two;

    // ---- Consume -----------------------------------------------------------

    localparam [N_CORE-1:0] CORE_0 = 1;

    wire [N_CORE-1:0]  asked   = CORE_0 << consume_core_i;
    wire [N_CORE-1:0]  allowed = consume_two_i ? allow_two : allow_one;
    wire               consume = consume_valid_i && (asked & allowed) != 0;
    wire [LOCAL_W-1:0] block   = {{(LOCAL_W-1){1'b0}}, consume_two_i} + 1'b1;

    assign consume_error_o = consume_error_q;

    // The word of local credits, less a block's credits of the core asked.
    function [N_CORE*LOCAL_W-1:0] take;
        input [N_CORE*LOCAL_W-1:0] word;
        input [N_CORE-1:0]         from;
        input [LOCAL_W-1:0]        amount;
        integer k;
        begin
            take = word;
            for (k = 0; k < N_CORE; k = k + 1) begin
                if (from[k]) take[k*LOCAL_W +: LOCAL_W] = word[k*LOCAL_W +: LOCAL_W]
                                                          - amount;
            end
        end
    endfunction

    // One global credit for each CTA that is not free.
    wire first_owes  = (asked & first_free) == 0;
    wire second_owes = consume_two_i && (asked & second_free) == 0;

    wire [GLOBAL_W-1:0] global_left = global_now
                                      - {{(GLOBAL_W-1){1'b0}}, first_owes}
                                      - {{(GLOBAL_W-1){1'b0}}, second_owes};

    // ---- Clocked -----------------------------------------------------------
    // The two writes never meet in a word: a slot that is being allocated is not
    // valid, so nothing of it can be consumed. The words are made where they are
    // written, so that a simulator makes none in the other cycles.

    always @(posedge clk) begin : p_memories
        if (!rst_i && consume) begin
            local_q [kernel_i] <= take(local_now, asked, block);
            global_q[kernel_i] <= global_left;
        end
        if (!rst_i && allocated) begin
            local_q [slot_q] <= deal(cores_q, share);
            global_q[slot_q] <= global_new;
            band_q  [slot_q] <= band_new;
        end
    end

    always @(posedge clk) begin : p_state
        if (rst_i) begin
            valid_q         <= {N_KERNEL{1'b0}};
            busy_q          <= 1'b0;
            step_q          <= COUNT;
            slot_q          <= {KERNEL_W{1'b0}};
            cores_q         <= {N_CORE{1'b0}};
            active_q        <= {LEVEL_W{1'b0}};
            loose_q         <= {LEVEL_W{1'b0}};
            divisor_q       <= {COUNT_W{1'b0}};
            dividend_q      <= {2*N_STEP{1'b0}};
            remainder_q     <= {COUNT_W{1'b0}};
            launch_error_q  <= 1'b0;
            consume_error_q <= 1'b0;
        end else begin
            valid_q         <= valid_d;
            busy_q          <= busy_d;
            step_q          <= step_d;
            slot_q          <= slot_d;
            cores_q         <= cores_d;
            active_q        <= active_d;
            loose_q         <= loose_d;
            divisor_q       <= divisor_d;
            dividend_q      <= dividend_d;
            remainder_q     <= remainder_d;
            launch_error_q  <= launch_taken && !launch_legal;
            consume_error_q <= consume_valid_i && !consume;
        end
    end

    // ---- Formal ------------------------------------------------------------
    // Proved without a bound by induction, for the sizes in tb/formal. f_slot
    // stands for any slot, f_core for any core. What a launch was given is kept
    // beside the design, so that its credits are held against the paper's formulas,
    // with / and %, and its CTAs are counted as they are issued. Assertions are a_,
    // covers c_, other proof-only names f_.

`ifdef FORMAL
    localparam integer F_W       = COUNT_W + LOCAL_W + 1;  // holds any sum of credits
    localparam integer F_LATENCY = 3 + (CTA_W + 1) / 2;    // from launch to masks

    reg f_started = 1'b0;  // at least one rising edge has passed
    always @(posedge clk) f_started <= 1'b1;

    (* anyconst *) reg [KERNEL_W-1:0] f_slot;
    (* anyconst *) reg [CORE_W-1:0]   f_core;

    // Environment: reset first; f_slot and f_core exist.
    always @* begin
        assume (f_slot < N_KERNEL);
        assume (f_core < N_CORE);
        if (!f_started) assume (rst_i);
    end

    // What happens to the watched slot in this cycle. What a launch and a consume
    // need is spelled out once more, in the words of the contract.
    wire f_launch_bad = launch_kernel_i >= N_KERNEL || launch_ctas_i == 0
                        || launch_cores_i == 0 || launch_active_i == 0;
    wire f_launch_now = !rst_i && launch_valid_i && !busy_q;
    wire f_launch     = f_launch_now && !f_launch_bad && launch_kernel_i == f_slot;
    wire f_allocated  = !rst_i && allocated && slot_q == f_slot;

    wire f_shown      = consume_core_i < N_CORE
                        && (consume_two_i ? allow_two_o[consume_core_i]
                                          : allow_one_o[consume_core_i]);
    wire f_consume    = !rst_i && consume_valid_i && f_shown;

    wire [F_W-1:0] f_block      = (f_consume && kernel_i == f_slot) ? 1 + consume_two_i : 0;
    wire [F_W-1:0] f_core_block = (consume_core_i == f_core) ? f_block : 0;

    // The last launch of the watched slot, and the CTAs issued since.
    reg               f_launched;
    reg [CTA_W-1:0]   f_ctas;
    reg [N_CORE-1:0]  f_cores;
    reg [LEVEL_W-1:0] f_active;
    reg [LEVEL_W-1:0] f_loose;
    reg [F_W-1:0]     f_issued;       // to all cores
    reg [F_W-1:0]     f_core_issued;  // to the watched one
    reg [F_W-1:0]     f_age;          // cycles since the launch, up to F_LATENCY

    always @(posedge clk) begin
        if (rst_i) begin
            f_launched <= 1'b0;
        end else if (f_launch) begin
            f_launched    <= 1'b1;
            f_ctas        <= launch_ctas_i;
            f_cores       <= launch_cores_i;
            f_active      <= launch_active_i;
            f_loose       <= launch_loose_i;
            f_issued      <= 0;
            f_core_issued <= 0;
            f_age         <= 1;
        end else begin
            f_issued      <= f_issued + f_block;
            f_core_issued <= f_core_issued + f_core_block;
            if (f_age < F_LATENCY) f_age <= f_age + 1;
        end
    end

    // What the paper gives it.
    reg     [F_W-1:0] f_n_core;
    integer           f_k;
    always @* begin
        f_n_core = 0;
        for (f_k = 0; f_k < N_CORE; f_k = f_k + 1) f_n_core = f_n_core + f_cores[f_k];
    end

    wire [F_W-1:0] f_n_cta   = f_ctas;
    wire [F_W-1:0] f_share   = (f_n_cta + f_n_core - 1) / f_n_core;
    wire [F_W-1:0] f_local   = f_share + f_loose;
    wire [F_W-1:0] f_modulo  = (f_n_cta - 1) % f_n_core;
    wire [F_W-1:0] f_global  = f_modulo + 1 + (f_active - 1) * f_n_core;
    wire [F_W-1:0] f_band    = f_active + f_loose;
    wire [F_W-1:0] f_in_band = (f_local < f_band) ? f_local : f_band;

    // What it has now, and how much of it each core has used.
    wire [N_CORE*LOCAL_W-1:0] f_word       = local_q[f_slot];
    wire [F_W-1:0]            f_local_now  = f_word[f_core*LOCAL_W +: LOCAL_W];
    wire [F_W-1:0]            f_global_now = global_q[f_slot];
    wire [F_W-1:0]            f_band_now   = band_q[f_slot];
    wire                      f_held       = valid_q[f_slot];

    reg [F_W-1:0] f_local_used;   // local credits, all cores
    reg [F_W-1:0] f_band_used;    // those of them in the band
    reg           f_local_sound;  // a core has at most its share, others have nothing
    reg [F_W-1:0] f_credit;
    always @* begin
        f_local_used  = 0;
        f_band_used   = 0;
        f_local_sound = 1'b1;
        for (f_k = 0; f_k < N_CORE; f_k = f_k + 1) begin
            f_credit = f_word[f_k*LOCAL_W +: LOCAL_W];
            if (f_credit > (f_cores[f_k] ? f_local : 0)) f_local_sound = 1'b0;
            if (f_cores[f_k]) begin
                f_local_used = f_local_used + f_local - f_credit;
                if (f_credit < f_in_band) f_band_used = f_band_used + f_in_band - f_credit;
            end
        end
    end

    // One CTA is allowed, with these credits.
    function f_allowed;
        input [F_W-1:0] credits;
        input [F_W-1:0] band;
        input [F_W-1:0] globals;
        f_allowed = credits > 0 && (credits - 1 >= band || globals > 0);
    endfunction

    wire [F_W-1:0] f_local_next  = f_local_now - 1;
    wire [F_W-1:0] f_global_next = (f_local_next >= f_band_now) ? f_global_now
                                                                : f_global_now - 1;
    wire           f_one         = f_allowed(f_local_now, f_band_now, f_global_now);
    wire           f_two         = f_one && f_allowed(f_local_next, f_band_now,
                                                      f_global_next);

    // The division so far, for the watched slot.
    wire           f_working   = busy_q && slot_q == f_slot;
    wire [F_W-1:0] f_fresh     = 2 * (N_STEP - (step_q - 1));  // bits not used yet
    wire [F_W-1:0] f_used      = 2 * (step_q - 1);             // bits used
    wire [F_W-1:0] f_dividend  = f_n_cta - 1;
    wire [F_W-1:0] f_quotient  = dividend_q & ((1 << f_used) - 1);

    always @(posedge clk) begin
        if (f_started) begin
            // Allocator: what it does is a matter of time alone.
            a_idle_step    : assert (busy_q || step_q == COUNT);
            a_step_range   : assert (step_q <= WRITE);
            a_slot_exists  : assert (!busy_q || slot_q < N_KERNEL);
            a_vacant       : assert (!busy_q || !valid_q[slot_q]);
            a_working      : assert (f_working == (f_launched && f_age < F_LATENCY));
            a_latency      : assert (f_held == (f_launched && f_age == F_LATENCY));
            if (f_launched)
                a_launched : assert (f_ctas != 0 && f_cores != 0 && f_active != 0
                                     && f_age != 0 && f_age <= F_LATENCY);

            // Its operands are those of the launch, and at every step the bits used
            // are quotient * divisor + remainder.
            if (f_working) begin
                a_step     : assert (step_q == f_age - 1);
                a_operands : assert (cores_q == f_cores && active_q == f_active
                                     && loose_q == f_loose);
                a_no_issue : assert (f_issued == 0 && f_core_issued == 0);
            end
            if (f_working && step_q == COUNT)
                a_loaded   : assert (dividend_q == f_dividend);
            if (f_working && step_q != COUNT) begin
                a_divisor  : assert (divisor_q == f_n_core);
                a_remainder: assert (remainder_q < divisor_q);
                a_rest     : assert (dividend_q >> f_used
                                     == (f_dividend & ((1 << f_fresh) - 1)));
                a_division : assert (f_dividend >> f_fresh
                                     == f_quotient * f_n_core + remainder_q);
            end

            // The credits it gives.
            if ($past(f_allocated)) begin
                a_ceil     : assert (f_local_now == (f_cores[f_core] ? f_local : 0));
                a_mod      : assert (f_global_now == f_global);
                a_band     : assert (f_band_now == f_band);
            end

            // Credits only fall in between, by what is consumed; the local and the
            // band credits used account for every CTA and every global credit.
            if (!$past(f_allocated)) begin
                a_local_falls  : assert (f_local_now + $past(f_core_block)
                                         == $past(f_local_now));
                a_no_wrap      : assert ($past(f_core_block) <= $past(f_local_now));
                a_global_falls : assert (f_global_now <= $past(f_global_now)
                                         && f_global_now + $past(f_block)
                                            >= $past(f_global_now));
                a_band_holds   : assert (f_band_now == $past(f_band_now));
            end
            if (f_held) begin
                a_local_sound  : assert (f_local_sound);
                a_band_kept    : assert (f_band_now == f_band);
                a_local_used   : assert (f_issued == f_local_used);
                a_core_used    : assert (f_core_issued + f_local_now
                                         == (f_cores[f_core] ? f_local : 0));
                a_global_used  : assert (f_band_used + f_global_now == f_global);
            end

            // What the credits are for.
            if (f_launched) begin
                a_core_limit : assert (f_core_issued <= f_local);
                a_only_set   : assert (f_cores[f_core] || f_core_issued == 0);
                a_all_limit  : assert (f_share < f_active || f_issued <= f_n_cta);
            end
            if (f_held && kernel_i == f_slot && f_issued < f_n_cta)
                a_not_starved : assert (allow_one_o != 0);

            // Masks.
            if (kernel_i == f_slot) begin
                a_one : assert (allow_one_o[f_core] == (f_held && f_one));
                a_two : assert (allow_two_o[f_core] == (f_held && f_two));
            end
            if (kernel_i >= N_KERNEL)
                a_no_slot : assert (allow_one_o == 0 && allow_two_o == 0);

            // The two writes never meet in a word.
            a_apart : assert (!f_consume || !allocated || kernel_i != slot_q);

            // A refusal is flagged, and changes nothing else; a consume refused is
            // in a_local_falls and a_global_falls.
            a_ready         : assert (launch_ready_o == !busy_q);
            a_launch_error  : assert (launch_error_o
                                      == $past(f_launch_now && f_launch_bad));
            a_consume_error : assert (consume_error_o
                                      == $past(!rst_i && consume_valid_i && !f_shown));
            if ($past(f_launch_now && f_launch_bad))
                a_refused : assert (!busy_q && valid_q == $past(valid_q)
                                    && divisor_q == $past(divisor_q)
                                    && dividend_q == $past(dividend_q)
                                    && remainder_q == $past(remainder_q));
            if ($past(!rst_i && (busy_q || !launch_valid_i || f_launch_bad)))
                a_hold    : assert (slot_q == $past(slot_q)
                                    && cores_q == $past(cores_q)
                                    && active_q == $past(active_q)
                                    && loose_q == $past(loose_q));
            if ($past(rst_i))
                a_reset   : assert (!busy_q && valid_q == 0 && step_q == COUNT
                                    && slot_q == 0 && cores_q == 0 && active_q == 0
                                    && loose_q == 0 && divisor_q == 0
                                    && dividend_q == 0 && remainder_q == 0
                                    && !launch_error_o && !consume_error_o);

            // Reachable: every CTA of a kernel with free credits is issued; a core
            // with a credit waits for want of a global one; a block takes two
            // globals; a slot is allocated anew, even while it issues.
            c_allocated      : cover (f_held && f_local > f_band);
            c_all_issued     : cover (f_held && f_local > f_band && f_issued == f_n_cta);
            c_global_refusal : cover (f_held && kernel_i == f_slot && consume_valid_i
                                      && consume_core_i == f_core && f_local_now != 0
                                      && !allow_one_o[f_core]);
            c_two_globals    : cover (f_held && $past(f_held)
                                      && f_global_now + 2 == $past(f_global_now));
            c_one_of_two     : cover (f_held && $past(f_held && f_core_block == 2)
                                      && f_global_now + 1 == $past(f_global_now));
            c_anew           : cover (f_held && f_launch && f_issued != 0 && f_block != 0);
            c_launch_refused : cover (launch_error_o);
        end
    end

    generate
        if (N_KERNEL > 1) begin : f_slots
            // One slot issues while the credits of another are being written.
            always @(posedge clk)
                c_both_write : cover (f_started && f_block != 0 && !rst_i && allocated);
        end
    endgenerate
`endif

endmodule

`default_nettype wire
