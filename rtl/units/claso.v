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
//   launch_*_i ->| count, divide, |--->| C_p of each  |--->| each core:     |
//                | write          |    |     core     |    |   compare      |-> allow_*_o
//                +----------------+    | C_g of each  |    |   subtract     |<- consume_*_i
//                   word slot_q,       | p_A+p_L pool |<---|                |
//                   element pool_q     +--------------+    +----------------+
//                                       a word a slot        word kernel_i
//
// Parameters, outside of whose ranges it does not elaborate
//   N_CORE          cores, 1..192
//   N_POOL          pools that a kernel's CTAs may be split into, 1..64
//   N_KERNEL        kernel slots, a credit set each, 1..32
//   CTA_W           bits of a number of CTAs, 1..32
//   LEVEL_W         bits of p_A and of p_L, 1..8
//   CORE_W          bits of a core's number; derived, never overridden
//   POOL_W          bits of a pool's number; derived, never overridden
//   KERNEL_W        bits of a slot's number; derived, never overridden
//
// Ports             width        meaning
//   clk             1            clock, rising edge
//   rst_i           1            reset, synchronous, active high
//   launch_valid_i  1            a kernel is launched, or its credits are allocated anew
//   launch_kernel_i KERNEL_W     its slot; N_KERNEL and up are refused
//   launch_ctas_i   CTA_W        n_cta, its CTAs not issued yet; 0 is refused
//   launch_split_i  1            these are the CTAs of one pool, for its cores; otherwise, of
//                                the whole kernel
//   launch_pool_i   POOL_W       if split: the pool; N_POOL and up are refused
//   launch_cores_i  N_CORE       bit c: core c may run it; if split, cores of other pools do
//                                not count; none at all is refused
//   launch_active_i LEVEL_W      p_A, active levels; 0 is refused
//   launch_loose_i  LEVEL_W      p_L, loose levels
//   launch_ready_o  1            the allocator is idle: a launch is taken in this cycle
//   launch_error_o  1            the launch taken in the last cycle was refused
//   kernel_i        KERNEL_W     slot whose allowances are shown, and whose credits are
//                                consumed
//   allow_one_o     N_CORE       bit c: one CTA of the kernel may go to core c now
//   allow_two_o     N_CORE       bit c: two CTAs of the kernel may go to core c now, together
//   allow_three_o   N_CORE       bit c: three
//   allow_four_o    N_CORE       bit c: four
//   consume_valid_i 1            a CTA of the kernel is issued in this cycle
//   consume_core_i  CORE_W       to this core
//   consume_more_i  2            and with it so many more: a block of 1 to 4
//   consume_error_o 1            the consume of the last cycle was not allowed, and took
//                                nothing
//
// Paths from inputs to outputs in one cycle; every other output depends on state alone
//   allow_one_o     kernel_i
//   allow_two_o     kernel_i
//   allow_three_o   kernel_i
//   allow_four_o    kernel_i
//
// Timing
//   Latency     of a launch: see Launch below. A consume shows in the masks of the next
//               cycle.
//   Throughput  one consume a cycle, of any slot, while the allocator works or not.
//
// Contract
//   For each kernel slot the unit holds local credits C_p[c] for each core c, and global
//   credits C_g.
//
//   Launch     taken when launch_valid and launch_ready. n_cta CTAs over the n_core cores of a
//              set get
//                C_p[c] = ceil(n_cta / n_core) + p_L             for each core c of the set
//                C_g    = ((n_cta - 1) mod n_core) + 1 + (p_A - 1) * n_core
//              and the other cores of the slot C_p[c] = 0. From the cycle after the launch
//              until the credits are there, the slot allows nothing: a launch taken in cycle t
//              shows in the masks from cycle t + 3 + ceil(cta_w / 2) on.
//   Again      a launch of a slot in use replaces its credits. So credits are allocated again
//              when the set of cores changes: give the CTAs not issued yet, less those
//              consumed in the same cycle, and the new set.
//   Pools      a CTA scheduler may split a kernel into pools, each for the cores of one
//              cluster: core c is of pool c / pool_core, pool_core = ceil(n_core / n_pool)
//              with all cores of the unit. Each pool has quotas of its own, of its CTAs over
//              its cores, with its own C_g, p_A and p_L. A launch that is split is for one
//              pool. It leaves the other pools' credits alone, if the slot holds credits and
//              its last launch was split as well; otherwise the cores of the other pools get
//              C_p[c] = 0. A launch that is not split is for all cores, whose C_g is that of
//              pool 0.
//   Masks      a block of n CTAs, n from 1 to 4, may go to core c if C_p[c] >= n and C_g, that
//              of its pool, is at least the number of them that need a global credit. These
//              are those that leave C_p[c] below p_A + p_L: n - max(0, C_p[c] - p_A - p_L), if
//              that is positive. The masks show the answers for every core at once.
//   Consume    takes the n local credits of a block and the global ones that it needs, or
//              nothing.
//   Both       a consume in the cycle of its slot's launch counts as before it.
//   Illegal    is flagged for one cycle and changes nothing else. A launch of slot n_kernel or
//              above, of no CTAs, over no cores, with p_A = 0, or split for pool n_pool or
//              above, sets launch_error; a launch while launch_ready is low waits. A consume
//              that its mask does not show (slot or core unknown, no kernel, too few credits)
//              sets consume_error.
//   Promise    each core of the set may take the first ceil(n_cta / n_core) - p_A of its CTAs,
//              if that is positive, one by one or in blocks, whatever the other cores have
//              taken. Each one after that needs a global credit, and a core never gets more
//              than ceil(n_cta / n_core) + p_L. The cores together get n_cta if they keep
//              asking, and no more if ceil(n_cta / n_core) >= p_A. All this counts from the
//              last allocation of the pool.
//
// Reset
//   Every register is 0, so no slot holds credits and the allocator is idle. The memories keep
//   what they hold. Outputs do not depend on rst_i, and nothing is taken while it is high.
//
// Twin     claso.c: equal outputs, registers and memories in every cycle after the
//          first reset edge; of the memories, the words written since.
//
// Source
//   Yu, He, Guo, Wang, Chen, "A Credit-Based Load-Balance-Aware CTA Scheduling Optimization
//   Scheme in GPGPU", IJPP 2014, section 3.
//
// Deviations
//   - Line 2 of Algorithm 1 shows a floor where section 3.1 and the case study have a ceiling;
//     the floor would strand CTAs. Built: the ceiling.
//   - Algorithm 1 takes credits before it tests. Here a refusal costs nothing, so a request
//     may stand as a level; the decisions are the same.
//   - The set of cores, pools, allocation again, and blocks are ours; a block gets all its
//     credits or none.
//   - The paper's cost is n_core + 1 registers per kernel. To these come p_A + p_L, which the
//     paper takes as constants, and a valid bit.

`default_nettype none

module claso #(
    parameter integer N_CORE   = 15,
    parameter integer N_POOL   = 1,
    parameter integer N_KERNEL = 4,
    parameter integer CTA_W    = 32,
    parameter integer LEVEL_W  = 4,
    parameter integer CORE_W   = (N_CORE > 1) ? $clog2(N_CORE) : 1,
    parameter integer KERNEL_W = (N_KERNEL > 1) ? $clog2(N_KERNEL) : 1,
    parameter integer POOL_W   = (N_POOL > 1) ? $clog2(N_POOL) : 1
) (
    input  wire                clk,
    input  wire                rst_i,

    input  wire                launch_valid_i,
    input  wire [KERNEL_W-1:0] launch_kernel_i,
    input  wire [CTA_W-1:0]    launch_ctas_i,
    input  wire                launch_split_i,
    input  wire [POOL_W-1:0]   launch_pool_i,
    input  wire [N_CORE-1:0]   launch_cores_i,
    input  wire [LEVEL_W-1:0]  launch_active_i,
    input  wire [LEVEL_W-1:0]  launch_loose_i,
    output wire                launch_ready_o,
    output wire                launch_error_o,

    input  wire [KERNEL_W-1:0] kernel_i,
    output wire [N_CORE-1:0]   allow_one_o,
    output wire [N_CORE-1:0]   allow_two_o,
    output wire [N_CORE-1:0]   allow_three_o,
    output wire [N_CORE-1:0]   allow_four_o,

    input  wire                consume_valid_i,
    input  wire [CORE_W-1:0]   consume_core_i,
    input  wire [1:0]          consume_more_i,
    output wire                consume_error_o
);

    // ---- Parameter check ---------------------------------------------------
    // Verilog-2005 has no elaboration-time error, so a bad value instantiates a
    // module that does not exist; its name is the message.

    generate
        if (N_CORE < 1 || N_CORE > 192 || N_POOL < 1 || N_POOL > 64
            || N_KERNEL < 1 || N_KERNEL > 32
            || CTA_W < 1 || CTA_W > 32 || LEVEL_W < 1 || LEVEL_W > 8
            || CORE_W != ((N_CORE > 1) ? $clog2(N_CORE) : 1)
            || KERNEL_W != ((N_KERNEL > 1) ? $clog2(N_KERNEL) : 1)
            || POOL_W != ((N_POOL > 1) ? $clog2(N_POOL) : 1)) begin : g_check
            claso_needs_N_CORE_1_to_192_N_POOL_1_to_64_N_KERNEL_CTA_W_1_to_32_LEVEL_W_1_to_8
                u_stop ();
        end
    endgenerate

    // ---- Widths ------------------------------------------------------------

    localparam integer COUNT_W   = $clog2(N_CORE + 1);                        // 0..N_CORE
    localparam integer LOCAL_W   = ((CTA_W > LEVEL_W) ? CTA_W : LEVEL_W) + 1; // ceil + p_L
    localparam integer GLOBAL_W  = LEVEL_W + COUNT_W;                         // p_A * n_core
    localparam integer BAND_W    = LEVEL_W + 1;                               // p_A + p_L
    localparam integer N_STEP    = (CTA_W + 1) / 2;  // cycles of a division, two bits each
    localparam integer STEP_W    = $clog2(N_STEP + 2);
    localparam integer POOL_CORE = (N_CORE + N_POOL - 1) / N_POOL;  // cores of a pool

    // ---- State -------------------------------------------------------------

    // Credits: a word a slot, core 0 or pool 0 lowest.
    reg [N_CORE*LOCAL_W-1:0]  local_q  [0:N_KERNEL-1];  // C_p of each core
    reg [N_POOL*GLOBAL_W-1:0] global_q [0:N_KERNEL-1];  // C_g of each pool
    reg [N_POOL*BAND_W-1:0]   band_q   [0:N_KERNEL-1];  // p_A + p_L of each pool
    reg [N_KERNEL-1:0]        valid_q;                  // bit k: slot k holds credits
    reg [N_KERNEL-1:0]        valid_d;
    reg [N_KERNEL-1:0]        split_q;                  // bit k: slot k uses all its pools,
    reg [N_KERNEL-1:0]        split_d;                  // otherwise only pool 0

    // Allocator: what it does, and its operands.
    localparam [STEP_W-1:0] COUNT = {STEP_W{1'b0}};              // count the cores
    localparam [STEP_W-1:0] WRITE = N_STEP[STEP_W-1:0] + 1'b1;   // in between: divide

    reg                busy_q;       // the allocator works
    reg                busy_d;
    reg [STEP_W-1:0]   step_q;       // COUNT, 1..N_STEP, WRITE
    reg [STEP_W-1:0]   step_d;
    reg [KERNEL_W-1:0] slot_q;       // for this slot
    reg [KERNEL_W-1:0] slot_d;
    reg [POOL_W-1:0]   pool_q;       // and this pool
    reg [POOL_W-1:0]   pool_d;
    reg                others_q;     // whose other pools keep their credits
    reg                others_d;
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
    // One line a slot; a number without a slot shifts the one out of the vector. A
    // number without a pool is that of no core, so its set is empty.

    localparam [N_KERNEL-1:0] SLOT_0 = 1;

    // The cores of a pool.
    function [N_CORE-1:0] members;
        input [POOL_W-1:0] pool;
        integer k;
        begin
            for (k = 0; k < N_CORE; k = k + 1)
                members[k] = k / POOL_CORE == {{(32-POOL_W){1'b0}}, pool};
        end
    endfunction

    wire [N_KERNEL-1:0] launch_slot  = SLOT_0 << launch_kernel_i;
    wire [N_CORE-1:0]   launch_set   = launch_split_i
                                       ? launch_cores_i & members(launch_pool_i)
                                       : launch_cores_i;
    wire                launch_legal = launch_slot != 0 && launch_ctas_i != 0
                                       && launch_set != 0 && launch_active_i != 0;
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
        split_d     = split_q;
        busy_d      = busy_q;
        step_d      = step_q;
        slot_d      = slot_q;
        pool_d      = pool_q;
        others_d    = others_q;
        cores_d     = cores_q;
        active_d    = active_q;
        loose_d     = loose_q;
        divisor_d   = divisor_q;
        dividend_d  = dividend_q;
        remainder_d = remainder_q;

        if (launch) begin
            valid_d    = valid_q & ~launch_slot;
            split_d    = launch_split_i ? split_q | launch_slot : split_q & ~launch_slot;
            busy_d     = 1'b1;
            step_d     = COUNT;
            slot_d     = launch_kernel_i;
            pool_d     = launch_split_i ? launch_pool_i : {POOL_W{1'b0}};
            others_d   = launch_split_i && (valid_q & split_q & launch_slot) != 0;
            cores_d    = launch_set;
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
    wire [BAND_W-1:0]   band_new   = {1'b0, active_q} + {1'b0, loose_q};

    // Only cores of other pools may keep their credits.
    wire [N_CORE-1:0] kept = others_q ? ~members(pool_q) : {N_CORE{1'b0}};

    // The word of local credits: a share for each core of the set, and what it was for
    // the cores that keep theirs.
    function [N_CORE*LOCAL_W-1:0] deal;
        input [N_CORE*LOCAL_W-1:0] word;
        input [N_CORE-1:0]         keep;
        input [N_CORE-1:0]         set;
        input [LOCAL_W-1:0]        amount;
        integer k;
        begin
            deal = {N_CORE*LOCAL_W{1'b0}};
            for (k = 0; k < N_CORE; k = k + 1) begin
                if (set[k])
                    deal[k*LOCAL_W +: LOCAL_W] = amount;
                else if (keep[k])
                    deal[k*LOCAL_W +: LOCAL_W] = word[k*LOCAL_W +: LOCAL_W];
            end
        end
    endfunction

    // The words of global credits and of bands, of which one pool's is new.
    localparam [N_POOL-1:0] POOL_0 = 1;

    function [N_POOL*GLOBAL_W-1:0] set_global;
        input [N_POOL*GLOBAL_W-1:0] word;
        input [N_POOL-1:0]          pool;
        input [GLOBAL_W-1:0]        amount;
        integer k;
        begin
            set_global = word;
            for (k = 0; k < N_POOL; k = k + 1)
                if (pool[k]) set_global[k*GLOBAL_W +: GLOBAL_W] = amount;
        end
    endfunction

    function [N_POOL*BAND_W-1:0] set_band;
        input [N_POOL*BAND_W-1:0] word;
        input [N_POOL-1:0]        pool;
        input [BAND_W-1:0]        amount;
        integer k;
        begin
            set_band = word;
            for (k = 0; k < N_POOL; k = k + 1)
                if (pool[k]) set_band[k*BAND_W +: BAND_W] = amount;
        end
    endfunction

    // ---- Consumer ----------------------------------------------------------
    // Words are read for any kernel_i; held tells whether they mean anything.

    wire [N_CORE*LOCAL_W-1:0]  local_now  = local_q[kernel_i];
    wire [N_POOL*GLOBAL_W-1:0] global_now = global_q[kernel_i];
    wire [N_POOL*BAND_W-1:0]   band_now   = band_q[kernel_i];
    wire                       held       = (valid_q & (SLOT_0 << kernel_i)) != 0;
    wire                       split      = (split_q & (SLOT_0 << kernel_i)) != 0;

    // As far as a block goes, four credits are as good as more.
    localparam integer CREDIT_W = ((LOCAL_W > GLOBAL_W) ? LOCAL_W : GLOBAL_W) + 1;

    function [2:0] up_to_four;
        input [CREDIT_W-1:0] credits;
        up_to_four = (credits[CREDIT_W-1:2] != 0) ? 3'd4 : {1'b0, credits[1:0]};
    endfunction

    // One consumer a core. A block of n needs n local credits, and n that are free or
    // global.
    reg [3*N_CORE-1:0] free;         // local credits above the band, of each core
    reg [N_CORE-1:0]   allow_one;
    reg [N_CORE-1:0]   allow_two;
    reg [N_CORE-1:0]   allow_three;
    reg [N_CORE-1:0]   allow_four;
    reg [LOCAL_W-1:0]  credit;       // of the core
    reg [GLOBAL_W-1:0] common;       // global credits of its pool
    reg [LOCAL_W-1:0]  band;         // and p_A + p_L
    reg [2:0]          owned;
    reg [3:0]          usable;
    integer            c;

    always @* begin : p_compare
        free = {3*N_CORE{1'b0}};
        {allow_one, allow_two, allow_three, allow_four} = {4*N_CORE{1'b0}};
        for (c = 0; c < N_CORE; c = c + 1) begin
            credit = local_now[c*LOCAL_W +: LOCAL_W];
            common = split ? global_now[c/POOL_CORE*GLOBAL_W +: GLOBAL_W]
                           : global_now[GLOBAL_W-1:0];
            band   = {{(LOCAL_W-BAND_W){1'b0}},
                      split ? band_now[c/POOL_CORE*BAND_W +: BAND_W]
                            : band_now[BAND_W-1:0]};
            owned  = up_to_four({{(CREDIT_W-LOCAL_W){1'b0}}, credit});
            if (credit > band)
                free[3*c +: 3] = up_to_four({{(CREDIT_W-LOCAL_W){1'b0}}, credit - band});
            usable = {1'b0, free[3*c +: 3]}
                     + {1'b0, up_to_four({{(CREDIT_W-GLOBAL_W){1'b0}}, common})};
            allow_one[c]   = held && owned >= 3'd1 && usable >= 4'd1;
            allow_two[c]   = held && owned >= 3'd2 && usable >= 4'd2;
            allow_three[c] = held && owned >= 3'd3 && usable >= 4'd3;
            allow_four[c]  = held && owned >= 3'd4 && usable >= 4'd4;
        end
    end

    assign allow_one_o   = allow_one;
    assign allow_two_o   = allow_two;
    assign allow_three_o = allow_three;
    assign allow_four_o  = allow_four;

    // ---- Consume -----------------------------------------------------------

    localparam [N_CORE-1:0] CORE_0 = 1;

    wire [N_CORE-1:0]  asked   = CORE_0 << consume_core_i;
    wire [N_CORE-1:0]  allowed = consume_more_i[1]
                                 ? (consume_more_i[0] ? allow_four : allow_three)
                                 : (consume_more_i[0] ? allow_two : allow_one);
    wire               consume = consume_valid_i && (asked & allowed) != 0;
    wire [LOCAL_W-1:0] block   = {{(LOCAL_W-2){1'b0}}, consume_more_i} + 1'b1;

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

    // Which pool pays.
    reg [2:0]          asked_free;
    reg [N_POOL-1:0]   payer;
    reg [GLOBAL_W-1:0] payer_has;
    integer            a;

    always @* begin : p_payer
        asked_free = 3'd0;
        payer      = {N_POOL{1'b0}};
        payer_has  = {GLOBAL_W{1'b0}};
        for (a = 0; a < N_CORE; a = a + 1) begin
            if (asked[a]) begin
                asked_free         = free[3*a +: 3];
                payer[a/POOL_CORE] = 1'b1;
            end
        end
        if (!split) payer = POOL_0;
        for (a = 0; a < N_POOL; a = a + 1)
            if (payer[a]) payer_has = global_now[a*GLOBAL_W +: GLOBAL_W];
    end

    // And how much: with the CTAs of the block counted from 0, the first that is not
    // free is number asked_free, the last is number consume_more_i.
    wire                owes        = {1'b0, consume_more_i} >= asked_free;
    wire [1:0]          owes_more   = consume_more_i - asked_free[1:0];
    wire [GLOBAL_W-1:0] global_left = payer_has - {{(GLOBAL_W-2){1'b0}}, owes_more} - 1'b1;

    // ---- Clocked -----------------------------------------------------------
    // The two writes never meet in a word: a slot that is being allocated is not
    // valid, so nothing of it can be consumed. The words are made where they are
    // written, so that a simulator makes none in the other cycles.

    always @(posedge clk) begin : p_memories
        if (!rst_i && consume) begin
            local_q [kernel_i] <= take(local_now, asked, block);
            if (owes) global_q[kernel_i] <= set_global(global_now, payer, global_left);
        end
        if (!rst_i && allocated) begin
            local_q [slot_q] <= deal(local_q[slot_q], kept, cores_q, share);
            global_q[slot_q] <= set_global(global_q[slot_q], POOL_0 << pool_q, global_new);
            band_q  [slot_q] <= set_band(band_q[slot_q], POOL_0 << pool_q, band_new);
        end
    end

    always @(posedge clk) begin : p_state
        if (rst_i) begin
            valid_q         <= {N_KERNEL{1'b0}};
            split_q         <= {N_KERNEL{1'b0}};
            busy_q          <= 1'b0;
            step_q          <= COUNT;
            slot_q          <= {KERNEL_W{1'b0}};
            pool_q          <= {POOL_W{1'b0}};
            others_q        <= 1'b0;
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
            split_q         <= split_d;
            busy_q          <= busy_d;
            step_q          <= step_d;
            slot_q          <= slot_d;
            pool_q          <= pool_d;
            others_q        <= others_d;
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
    // Proved without a bound by induction, for the sizes in tb/formal. f_slot stands
    // for any slot, f_pool for any pool, f_core for any core. A group is the cores that
    // share global credits: those of a pool, or all if the launch is not split, and then
    // it is the group of pool 0. What the group's launch was given is kept beside the
    // design, so that its credits are held against the paper's formulas, with / and %,
    // and its CTAs are counted as they are issued. Assertions are a_, covers c_, other
    // proof-only names f_.

`ifdef FORMAL
    localparam integer F_W       = COUNT_W + LOCAL_W + 1;  // holds any sum of credits
    localparam integer F_LATENCY = 3 + (CTA_W + 1) / 2;    // from launch to masks

    reg f_started = 1'b0;  // at least one rising edge has passed
    always @(posedge clk) f_started <= 1'b1;

    (* anyconst *) reg [KERNEL_W-1:0] f_slot;
    (* anyconst *) reg [POOL_W-1:0]   f_pool;
    (* anyconst *) reg [CORE_W-1:0]   f_core;

    // Environment: reset first; f_slot, f_pool and f_core exist.
    always @* begin
        assume (f_slot < N_KERNEL);
        assume (f_pool < N_POOL);
        assume (f_core < N_CORE);
        if (!f_started) assume (rst_i);
    end

    // Bit c: core c is of the pool.
    reg     [N_CORE-1:0] f_pool_cores;
    reg     [N_CORE-1:0] f_launch_cores;  // of the pool of the launch
    integer              f_c;
    always @* begin
        for (f_c = 0; f_c < N_CORE; f_c = f_c + 1) begin
            f_pool_cores[f_c]   = f_c / POOL_CORE == f_pool;
            f_launch_cores[f_c] = !launch_split_i || f_c / POOL_CORE == launch_pool_i;
        end
    end

    // What happens to the watched slot in this cycle. What a launch and a consume
    // need is spelled out once more, in the words of the contract.
    wire f_launch_bad = launch_kernel_i >= N_KERNEL || launch_ctas_i == 0
                        || (launch_split_i && launch_pool_i >= N_POOL)
                        || (launch_cores_i & f_launch_cores) == 0 || launch_active_i == 0;
    wire f_launch_now = !rst_i && launch_valid_i && !busy_q;
    wire f_launch     = f_launch_now && !f_launch_bad && launch_kernel_i == f_slot;
    wire f_group_now  = (launch_split_i ? launch_pool_i : 0) == f_pool;
    wire f_allocated  = !rst_i && allocated && slot_q == f_slot;

    wire f_shown      = consume_core_i < N_CORE
                        && (consume_more_i == 0 ? allow_one_o  [consume_core_i]
                          : consume_more_i == 1 ? allow_two_o  [consume_core_i]
                          : consume_more_i == 2 ? allow_three_o[consume_core_i]
                                                : allow_four_o [consume_core_i]);
    wire f_consume    = !rst_i && consume_valid_i && f_shown;

    wire [F_W-1:0] f_slot_block = (f_consume && kernel_i == f_slot) ? 1 + consume_more_i : 0;
    wire [F_W-1:0] f_core_block = (consume_core_i == f_core) ? f_slot_block : 0;

    // The watched slot's last launch.
    reg           f_launched;
    reg           f_split;        // it was split
    reg           f_group_last;   // it was for the watched pool
    reg [F_W-1:0] f_age;          // cycles since then, up to F_LATENCY
    wire          f_held = f_launched && f_age == F_LATENCY;

    // The last launch of the watched group, if its credits stand; and the CTAs issued
    // since.
    reg               f_group;
    reg [CTA_W-1:0]   f_ctas;
    reg [N_CORE-1:0]  f_cores;
    reg [LEVEL_W-1:0] f_active;
    reg [LEVEL_W-1:0] f_loose;
    reg [F_W-1:0]     f_issued;       // to all cores of the group
    reg [F_W-1:0]     f_core_issued;  // to the watched one

    wire [N_CORE-1:0] f_members = f_split ? f_pool_cores : f_pool == 0 ? ~0 : 0;
    wire              f_member  = f_members[f_core];
    wire [F_W-1:0]    f_block   = (f_slot_block != 0 && f_members[consume_core_i])
                                  ? f_slot_block : 0;

    always @(posedge clk) begin
        if (rst_i) begin
            f_launched <= 1'b0;
            f_group    <= 1'b0;
        end else if (f_launch) begin
            f_launched   <= 1'b1;
            f_split      <= launch_split_i;
            f_group_last <= f_group_now;
            f_age        <= 1;
            if (f_group_now) begin
                f_group       <= 1'b1;
                f_ctas        <= launch_ctas_i;
                f_cores       <= launch_cores_i & f_launch_cores;
                f_active      <= launch_active_i;
                f_loose       <= launch_loose_i;
                f_issued      <= 0;
                f_core_issued <= 0;
            end else begin
                // Pools that are launched one after the other leave each other alone.
                f_group       <= f_group && f_held && f_split && launch_split_i;
                f_issued      <= f_issued + f_block;
                f_core_issued <= f_core_issued + f_core_block;
            end
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
    wire [N_CORE*LOCAL_W-1:0]  f_word       = local_q[f_slot];
    wire [N_POOL*GLOBAL_W-1:0] f_globals    = global_q[f_slot];
    wire [N_POOL*BAND_W-1:0]   f_bands      = band_q[f_slot];
    wire [F_W-1:0]             f_local_now  = f_word[f_core*LOCAL_W +: LOCAL_W];
    wire [F_W-1:0]             f_global_now = f_globals[f_pool*GLOBAL_W +: GLOBAL_W];
    wire [F_W-1:0]             f_band_now   = f_bands[f_pool*BAND_W +: BAND_W];

    reg [F_W-1:0] f_local_used;   // local credits, all cores of the group
    reg [F_W-1:0] f_band_used;    // those of them in the band
    reg           f_local_sound;  // a core has at most its share, others have nothing
    reg [F_W-1:0] f_credit;
    always @* begin
        f_local_used  = 0;
        f_band_used   = 0;
        f_local_sound = 1'b1;
        for (f_k = 0; f_k < N_CORE; f_k = f_k + 1) begin
            f_credit = f_word[f_k*LOCAL_W +: LOCAL_W];
            if (f_members[f_k] && f_credit > (f_cores[f_k] ? f_local : 0))
                f_local_sound = 1'b0;
            if (f_members[f_k] && f_cores[f_k]) begin
                f_local_used = f_local_used + f_local - f_credit;
                if (f_credit < f_in_band) f_band_used = f_band_used + f_in_band - f_credit;
            end
        end
    end

    // One CTA is allowed, with these credits; a block if each of its CTAs is allowed
    // after those before it.
    function f_allowed;
        input [F_W-1:0] credits;
        input [F_W-1:0] band;
        input [F_W-1:0] globals;
        f_allowed = credits > 0 && (credits - 1 >= band || globals > 0);
    endfunction

    // The global credits left after one.
    function [F_W-1:0] f_after;
        input [F_W-1:0] credits;
        input [F_W-1:0] band;
        input [F_W-1:0] globals;
        f_after = (credits - 1 >= band) ? globals : globals - 1;
    endfunction

    wire [F_W-1:0] f_global_b = f_after(f_local_now,     f_band_now, f_global_now);
    wire [F_W-1:0] f_global_c = f_after(f_local_now - 1, f_band_now, f_global_b);
    wire [F_W-1:0] f_global_d = f_after(f_local_now - 2, f_band_now, f_global_c);
    wire           f_one   = f_allowed(f_local_now, f_band_now, f_global_now);
    wire           f_two   = f_one   && f_allowed(f_local_now - 1, f_band_now, f_global_b);
    wire           f_three = f_two   && f_allowed(f_local_now - 2, f_band_now, f_global_c);
    wire           f_four  = f_three && f_allowed(f_local_now - 3, f_band_now, f_global_d);

    // The division so far, for the watched group.
    wire           f_working   = busy_q && slot_q == f_slot;
    wire           f_at_work   = f_working && f_group_last;
    wire [F_W-1:0] f_fresh     = 2 * (N_STEP - (step_q - 1));  // bits not used yet
    wire [F_W-1:0] f_used      = 2 * (step_q - 1);             // bits used
    wire [F_W-1:0] f_dividend  = f_n_cta - 1;
    wire [F_W-1:0] f_quotient  = dividend_q & ((1 << f_used) - 1);

    // The group has its credits, or the slot's other pools have theirs and it has none.
    wire           f_standing  = f_group && !f_at_work;
    wire           f_without   = f_launched && !f_group && f_split && (f_held || others_q);

    always @(posedge clk) begin
        if (f_started) begin
            // Allocator: what it does is a matter of time alone.
            a_idle_step    : assert (busy_q || step_q == COUNT);
            a_step_range   : assert (step_q <= WRITE);
            a_slot_exists  : assert (!busy_q || slot_q < N_KERNEL);
            a_pool_exists  : assert (pool_q < N_POOL);
            a_vacant       : assert (!busy_q || !valid_q[slot_q]);
            a_working      : assert (f_working == (f_launched && f_age < F_LATENCY));
            a_latency      : assert (valid_q[f_slot] == f_held);
            if (f_launched)
                a_launched : assert (f_age != 0 && f_age <= F_LATENCY
                                     && split_q[f_slot] == f_split);
            if (f_group)
                a_group    : assert (f_launched && (f_split || f_pool == 0) && f_ctas != 0
                                     && f_cores != 0 && (f_cores & ~f_members) == 0
                                     && f_active != 0);
            if (f_launched && f_group_last)
                a_group_last : assert (f_group);

            // Its operands are those of the launch, and at every step the bits used
            // are quotient * divisor + remainder.
            if (f_working)
                a_step     : assert (step_q == f_age - 1);
            if (f_working)
                a_pool     : assert ((pool_q == f_pool) == f_group_last
                                     && (f_split || (pool_q == 0 && !others_q)));
            if (f_at_work) begin
                a_operands : assert (cores_q == f_cores && active_q == f_active
                                     && loose_q == f_loose);
                a_no_issue : assert (f_issued == 0 && f_core_issued == 0);
            end
            if (f_working && !f_group_last)
                a_others   : assert ((cores_q & f_pool_cores) == 0 || !f_split);
            if (f_working && f_group && !f_group_last)
                a_keeps    : assert (others_q);
            if (f_at_work && step_q == COUNT)
                a_loaded   : assert (dividend_q == f_dividend);
            if (f_at_work && step_q != COUNT) begin
                a_divisor  : assert (divisor_q == f_n_core);
                a_remainder: assert (remainder_q < divisor_q);
                a_rest     : assert (dividend_q >> f_used
                                     == (f_dividend & ((1 << f_fresh) - 1)));
                a_division : assert (f_dividend >> f_fresh
                                     == f_quotient * f_n_core + remainder_q);
            end

            // The credits it gives.
            if ($past(f_allocated && f_group_last)) begin
                if (f_member)
                    a_ceil : assert (f_local_now == (f_cores[f_core] ? f_local : 0));
                a_mod      : assert (f_global_now == f_global);
                a_band     : assert (f_band_now == f_band);
            end

            // Credits only fall in between, by what is consumed, and not by what other
            // pools are given; the local and the band credits used account for every
            // CTA and every global credit.
            if (!$past(f_allocated) || ($past(others_q && !f_group_last) && f_member)) begin
                a_local_falls  : assert (f_local_now + $past(f_core_block)
                                         == $past(f_local_now));
                a_no_wrap      : assert ($past(f_core_block) <= $past(f_local_now));
            end
            if (!$past(f_allocated && f_group_last)) begin
                a_global_falls : assert (f_global_now <= $past(f_global_now)
                                         && f_global_now + $past(f_block)
                                            >= $past(f_global_now));
                a_band_holds   : assert (f_band_now == $past(f_band_now));
            end
            if (f_without && f_member)
                a_without      : assert (f_local_now == 0);
            if (f_standing) begin
                a_local_sound  : assert (f_local_sound);
                a_band_kept    : assert (f_band_now == f_band);
                a_local_used   : assert (f_issued == f_local_used);
                if (f_member)
                    a_core_used: assert (f_core_issued + f_local_now
                                         == (f_cores[f_core] ? f_local : 0));
                a_global_used  : assert (f_band_used + f_global_now == f_global);
            end

            // What the credits are for.
            if (f_group) begin
                a_core_limit : assert (!f_member || f_core_issued <= f_local);
                a_only_set   : assert (!f_member || f_cores[f_core] || f_core_issued == 0);
                a_all_limit  : assert (f_share < f_active || f_issued <= f_n_cta);
            end
            if (f_group && f_held && kernel_i == f_slot && f_issued < f_n_cta)
                a_not_starved : assert ((allow_one_o & f_members) != 0);

            // The guaranteed minimum: a core of the set is allowed its first ceil(n_cta /
            // n_core) - p_A CTAs, alone or in blocks, whatever the others have taken.
            if (kernel_i == f_slot && f_held && f_group && f_member && f_cores[f_core]) begin
                a_minimum       : assert (f_core_issued + 1 + f_active > f_share
                                          || allow_one_o  [f_core]);
                a_minimum_two   : assert (f_core_issued + 2 + f_active > f_share
                                          || allow_two_o  [f_core]);
                a_minimum_three : assert (f_core_issued + 3 + f_active > f_share
                                          || allow_three_o[f_core]);
                a_minimum_four  : assert (f_core_issued + 4 + f_active > f_share
                                          || allow_four_o [f_core]);
            end

            // Masks.
            if (kernel_i == f_slot && f_held && f_group && f_member) begin
                a_one   : assert (allow_one_o  [f_core] == f_one);
                a_two   : assert (allow_two_o  [f_core] == f_two);
                a_three : assert (allow_three_o[f_core] == f_three);
                a_four  : assert (allow_four_o [f_core] == f_four);
            end
            if (kernel_i >= N_KERNEL || (kernel_i == f_slot && !f_held))
                a_no_slot : assert ({allow_one_o, allow_two_o, allow_three_o, allow_four_o}
                                    == 0);
            if (kernel_i == f_slot && f_without && f_member)
                a_no_pool : assert (!allow_one_o[f_core] && !allow_two_o[f_core]
                                    && !allow_three_o[f_core] && !allow_four_o[f_core]);

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
                                    && pool_q == $past(pool_q)
                                    && others_q == $past(others_q)
                                    && split_q == $past(split_q)
                                    && cores_q == $past(cores_q)
                                    && active_q == $past(active_q)
                                    && loose_q == $past(loose_q));
            if ($past(rst_i))
                a_reset   : assert (!busy_q && valid_q == 0 && split_q == 0 && step_q == COUNT
                                    && slot_q == 0 && pool_q == 0 && !others_q
                                    && cores_q == 0 && active_q == 0
                                    && loose_q == 0 && divisor_q == 0
                                    && dividend_q == 0 && remainder_q == 0
                                    && !launch_error_o && !consume_error_o);

            // Reachable: a core with a credit waits for want of a global one; a block takes
            // two globals; a slot is allocated anew, even while it issues.
            c_global_refusal : cover (f_group && f_held && kernel_i == f_slot && f_member
                                      && consume_valid_i && consume_core_i == f_core
                                      && f_local_now != 0 && !allow_one_o[f_core]);
            c_two_globals    : cover (f_held && $past(f_held)
                                      && f_global_now + 2 == $past(f_global_now));
            c_anew           : cover (f_held && f_launch && f_group_now && f_issued != 0
                                      && f_block != 0);
            c_launch_refused : cover (launch_error_o);
        end
    end

    generate
        if (N_KERNEL > 1) begin : f_slots
            // One slot issues while the credits of another are being written.
            always @(posedge clk)
                c_both_write : cover (f_started && f_block != 0 && !rst_i && allocated);
        end
        if (CTA_W > 1) begin : f_several
            // Cores have credits above the band: a kernel's CTAs are all issued, and a block
            // of two takes one global.
            always @(posedge clk) if (f_started) begin
                c_allocated  : cover (f_group && f_held && f_local > f_band);
                c_all_issued : cover (f_group && f_held && f_local > f_band
                                      && f_issued == f_n_cta);
                c_one_of_two : cover (f_held && $past(f_held && f_core_block == 2)
                                      && f_global_now + 1 == $past(f_global_now));
            end
        end
        if (CTA_W > 1 && N_CORE > 1) begin : f_least
            // A core has its minimum to come when the others have used up the globals.
            always @(posedge clk)
                c_minimum : cover (f_started && f_group && f_held && kernel_i == f_slot
                                   && f_member && f_cores[f_core] && f_global_now == 0
                                   && f_core_issued + f_active < f_share);
        end
        if (CTA_W > 2) begin : f_blocks
            // A block of four takes two free credits and two globals.
            always @(posedge clk)
                c_two_of_four : cover (f_started && f_held
                                       && $past(f_held && f_core_block == 4)
                                       && f_global_now + 2 == $past(f_global_now));
        end
        if (N_POOL > 1 && N_CORE > 1) begin : f_pools
            // A pool that issues, and one that has been launched after it.
            always @(posedge clk)
                c_pools : cover (f_started && f_held && f_group && !f_group_last
                                 && f_issued != 0);
        end
    endgenerate
`endif

endmodule

`default_nettype wire
