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
//                | write          |    |     core     |    |   any left?    |-> allow_o
//                +----------------+    | C_g of each  |    |   one less     |<- consume_*_i
//                   word slot_q,       |     pool     |<---|                |
//                   element pool_q     +--------------+    +----------------+
//                                       a word a slot        word kernel_i
//
//   Two flags say of each core whether it has credits, and whether it has more than
//   p_A + p_L, and one of each pool whether C_g is not 0; so the mask needs no comparison.
//
// Parameters, outside of whose ranges it does not elaborate
//   N_CORE            cores, 1..192
//   N_POOL            pools that a kernel's CTAs may be split into, 1..64
//   N_KERNEL          kernel slots, a credit set each, 1..128
//   CTA_W             bits of a number of CTAs, 1..32
//   LEVEL_W           bits of p_A and of p_L, 1..8
//   CORE_W            bits of a core's number; derived, never overridden
//   POOL_W            bits of a pool's number; derived, never overridden
//   KERNEL_W          bits of a slot's number; derived, never overridden
//
// Ports               width        meaning
//   clk               1            clock, rising edge
//   rst_i             1            reset, synchronous, active high
//   launch_valid_i    1            a kernel is launched, or its credits are allocated anew
//   launch_kernel_i   KERNEL_W     its slot; N_KERNEL and up are refused
//   launch_ctas_i     CTA_W        n_cta, its CTAs not issued yet; 0 is refused
//   launch_split_i    1            these are the CTAs of one pool, for its cores; otherwise, of the whole kernel
//   launch_pool_i     POOL_W       if split: the pool; N_POOL and up are refused
//   launch_cores_i    N_CORE       bit c: core c may run it; if split, cores of other pools do not count; none at all
//                                  is refused
//   launch_active_i   LEVEL_W      p_A, active levels; 0 is refused
//   launch_loose_i    LEVEL_W      p_L, loose levels
//   launch_ready_o    1            the allocator is idle, or writes: a launch is taken in this cycle
//   launch_error_o    1            the launch taken in the last cycle was refused
//   kernel_i          KERNEL_W     slot whose allowances are shown
//   allow_o           N_CORE       bit c: a CTA of the kernel may go to core c now
//   allow_after_o     N_CORE       bit c: and so it may when the global credit of what is issued in this cycle is gone
//   consume_kernel_i  KERNEL_W     slot that a CTA is, or would be, issued of
//   consume_core_i    CORE_W       to this core
//   consume_allowed_o 1            it may
//   consume_valid_i   1            it is issued in this cycle
//   consume_error_o   1            the consume of the last cycle was not allowed, and took nothing
//
// Paths from inputs to outputs in one cycle; every other output depends on state alone
//   allow_o           kernel_i
//   allow_after_o     kernel_i, consume_kernel_i, consume_core_i, consume_valid_i
//   consume_allowed_o consume_kernel_i, consume_core_i
//
// Timing
//   Latency     of a launch: see Known below. A consume shows in the mask of the next cycle.
//   Throughput  one consume a cycle, of any slot, while the allocator works or not. A known
//               launch every two cycles.
//
// Contract
//   For each kernel slot the unit holds local credits C_p[c] for each core c, and global credits C_g.
//
//   Launch     taken when launch_valid and launch_ready. n_cta CTAs over the n_core cores of a set get
//                C_p[c] = ceil(n_cta / n_core) + p_L             for each core c of the set
//                C_g    = ((n_cta - 1) mod n_core) + 1 + (p_A - 1) * n_core
//              and the other cores of the slot C_p[c] = 0. From the cycle after the launch until the credits are
//              there, the slot allows nothing. A launch that is taken in cycle t shows in the mask from cycle t + 3 +
//              n_step on, and launch_ready is high again from the cycle before that. n_step is ceil(cta_w / 2) with
//              several pools, and cta_w with one.
//   Known      with several pools, is a launch over as many cores as the last legal one, whatever its slot, pool and
//              levels, with as many CTAs or one less. It needs no division: it shows in the mask from cycle t + 3 on,
//              and launch_ready is high from t + 2. So pools whose CTAs differ by one at most, the larger first, are
//              divided once. The first launch after a reset is not known. A launch with as many CTAs or one less, but
//              over another number of cores, begins to divide when they are counted, and so takes a cycle more than
//              others.
//   Again      a launch of a slot in use replaces its credits. So credits are allocated again when the set of cores
//              changes: give the CTAs not issued yet, less those consumed in the same cycle, and the new set.
//   Pools      a CTA scheduler may split a kernel into pools, each for the cores of one cluster: core c is of pool c /
//              pool_core, pool_core = ceil(n_core / n_pool) with all cores of the unit. Each pool has quotas of its
//              own, of its CTAs over its cores, with its own C_g, p_A and p_L. A launch that is split is for one pool.
//              It leaves the other pools' credits alone, if the slot holds credits and its last launch was split as
//              well; otherwise the cores of the other pools get C_p[c] = 0. A launch that is not split is for all
//              cores, whose C_g is that of pool 0.
//   Mask       a CTA may go to core c if C_p[c] > p_A + p_L, or C_p[c] > 0 and C_g, that of its pool, is not 0. The
//              mask shows the answer for every core at once.
//   After      allow_after is the mask as this cycle's consume leaves it, but for the core that consumes, whose local
//              credit it still has: that of a CTA which is picked now for another core, and consumed in the next
//              cycle. Of this cycle's launch, and of credits that are written in it, it knows nothing.
//   Consume    is of any slot, whatever the mask shows; consume_allowed is the bit of the mask of that slot. It takes
//              a local credit of the core, and a global one of its pool if C_p[c] was not more than p_A + p_L; or
//              nothing.
//   Flags      some is set as long as C_p[c] > 0, above as long as C_p[c] > p_A + p_L, and funds as long as the pool's
//              C_g > 0.
//   Kept       layers and loose are p_A - 1 and p_L, from the cycle after the launch on. local is C_p - p_L - 1, of
//              which local_w bits are kept: what a core gets is the quotient as it stands, and with above the bits
//              tell C_p. A launch writes local of the cores of its set alone: those without credits are known by some.
//   Both       a consume in the cycle of its slot's launch counts as before it. A launch in the cycle in which
//              another's credits are written counts as behind it.
//   Illegal    is flagged for one cycle and changes nothing else. A launch of slot n_kernel or above, of no CTAs, over
//              no cores, with p_A = 0, or split for pool n_pool or above, sets launch_error; a launch while
//              launch_ready is low waits. A consume that is not allowed (slot or core unknown, no kernel, too few
//              credits) sets consume_error.
//   Promise    each core of the set may take the first ceil(n_cta / n_core) - p_A of its CTAs, if that is positive,
//              whatever the other cores have taken. Each one after that needs a global credit, and a core never gets
//              more than ceil(n_cta / n_core) + p_L. The cores together get n_cta if they keep asking, and no more if
//              ceil(n_cta / n_core) >= p_A. All this counts from the last allocation of the pool.
//
// Reset
//   Every register is 0, so no slot holds credits and the allocator is idle. The memories keep what they hold. Outputs
//   do not depend on rst_i, and nothing is taken while it is high.
//
// Twin     claso.c: equal outputs, registers and memories in every cycle after the
//          first reset edge; of the memories, the words written since.
//
// Source
//   Yu, He, Guo, Wang, Chen, "A Credit-Based Load-Balance-Aware CTA Scheduling Optimization Scheme in GPGPU", IJPP
//   2014, section 3.
//
// Deviations
//   - Line 2 of Algorithm 1 shows a floor where section 3.1 and the case study have a ceiling; the floor would strand
//     CTAs. Built: the ceiling.
//   - Algorithm 1 takes credits before it tests. Here a refusal costs nothing, so a request may stand as a level; the
//     decisions are the same.
//   - The set of cores, pools and allocation again are ours. Who issues CTAs in blocks takes credits for blocks: a
//     block is a CTA here.
//   - The paper's cost is n_core + 1 registers per kernel. To these come p_A + p_L, which the paper takes as
//     constants, flags that spare comparisons, and a valid bit.

`default_nettype none

module claso #(
    parameter integer N_CORE   = 15,
    parameter integer N_POOL   = 1,
    parameter integer N_KERNEL = 4,
    parameter integer CTA_W    = 20,
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
    output wire [N_CORE-1:0]   allow_o,
    output wire [N_CORE-1:0]   allow_after_o,

    input  wire [KERNEL_W-1:0] consume_kernel_i,
    input  wire [CORE_W-1:0]   consume_core_i,
    output wire                consume_allowed_o,
    input  wire                consume_valid_i,
    output wire                consume_error_o
`ifdef FORMAL
    // What the proof of a composition sees of it; above that, a 1.
    , output wire [1023:0]     f_view_o
`endif
);

    // ---- Parameter check ---------------------------------------------------
    // Verilog-2005 has no elaboration-time error, so a bad value instantiates a
    // module that does not exist; its name is the message.

    generate
        if (N_CORE < 1 || N_CORE > 192 || N_POOL < 1 || N_POOL > 64
            || N_KERNEL < 1 || N_KERNEL > 128
            || CTA_W < 1 || CTA_W > 32 || LEVEL_W < 1 || LEVEL_W > 8
            || CORE_W != ((N_CORE > 1) ? $clog2(N_CORE) : 1)
            || KERNEL_W != ((N_KERNEL > 1) ? $clog2(N_KERNEL) : 1)
            || POOL_W != ((N_POOL > 1) ? $clog2(N_POOL) : 1)) begin : g_check
            claso_needs_N_CORE_1_to_192_N_POOL_1_to_64_N_KERNEL_1_to_128_CTA_W_1_to_32_LEVEL_W_1_to_8
                u_stop ();
        end
    endgenerate

    // ---- Widths ------------------------------------------------------------

    localparam integer COUNT_W   = $clog2(N_CORE + 1);                        // 0..N_CORE
    localparam integer LOCAL_W   = (CTA_W > LEVEL_W) ? CTA_W : LEVEL_W + 1;   // of a quotient
    localparam integer GLOBAL_W  = LEVEL_W + COUNT_W;                         // p_A * n_core
    localparam integer DIGIT_W   = (N_POOL > 1) ? 2 : 1;  // bits of a quotient found in a cycle
    localparam integer N_STEP    = (CTA_W + DIGIT_W - 1) / DIGIT_W;  // cycles of a division
    localparam integer STEP_W    = $clog2(N_STEP + 3);
    localparam integer POOL_CORE = (N_CORE + N_POOL - 1) / N_POOL;  // cores of a pool

    // ---- State -------------------------------------------------------------

    // Credits: a word a slot, core 0 or pool 0 lowest.
    reg [N_CORE*LOCAL_W-1:0]  local_q  [0:N_KERNEL-1];  // C_p - p_L - 1 of each core that has some
    reg [N_CORE-1:0]          some_q   [0:N_KERNEL-1];  // C_p is not 0
    reg [N_CORE-1:0]          above_q  [0:N_KERNEL-1];  // and more than p_A + p_L
    reg [N_POOL*LEVEL_W-1:0]  layers_q [0:N_KERNEL-1];  // p_A - 1 of each pool
    reg [N_POOL*LEVEL_W-1:0]  loose_q  [0:N_KERNEL-1];  // p_L of each pool
    reg [N_POOL*GLOBAL_W-1:0] global_q [0:N_KERNEL-1];  // C_g of each pool
    reg [N_POOL-1:0]          funds_q  [0:N_KERNEL-1];  // which is not 0
    reg                       consume_error_q;

    // One line a slot; a number without a slot shifts the one out of the vector.
    localparam [N_KERNEL-1:0] SLOT_0  = 1;
    localparam [N_CORE-1:0]   CORE_0  = 1;
    localparam [LEVEL_W-1:0]  LEVEL_1 = 1;

    // ---- Launch ------------------------------------------------------------
    // Its registers; of most, nothing here is a function.

    // verilator lint_off UNUSEDSIGNAL
    wire [N_KERNEL-1:0]       valid_q, split_q;  // slots that hold credits, and use all their pools
    wire                      busy_q, others_q, same_q, less_q;
    wire [STEP_W-1:0]         step_q;
    wire [KERNEL_W-1:0]       slot_q;            // the slot of the launch under way
    wire [POOL_W-1:0]         pool_q;
    wire [N_CORE-1:0]         cores_q;           // and its cores
    wire [CTA_W-1:0]          ctas_q;
    wire [COUNT_W-1:0]        divisor_q, remainder_q;
    wire [DIGIT_W*N_STEP-1:0] dividend_q;
    // verilator lint_on UNUSEDSIGNAL
    wire                      launch_error_q;

    wire [N_POOL*LEVEL_W-1:0] slot_layers = layers_q[slot_q];
    wire                      launch;            // a legal one is taken,
    wire [N_POOL-1:0]         launch_line;       // for this pool
    wire                      allocated;         // the slot's credits are written:
    wire [N_CORE-1:0]         kept;              // of cores that keep theirs,
    wire [LOCAL_W-1:0]        local_new;         // of those that get some,
    wire                      above_new;
    wire [N_POOL-1:0]         allocatee;         // and of their pool
    wire [GLOBAL_W-1:0]       global_new;

    claso_launch #(
        .N_CORE(N_CORE), .N_POOL(N_POOL), .N_KERNEL(N_KERNEL), .CTA_W(CTA_W), .LEVEL_W(LEVEL_W)
    ) u_launch (
        .clk(clk), .rst_i(rst_i),
        .launch_valid_i(launch_valid_i), .launch_kernel_i(launch_kernel_i),
        .launch_ctas_i(launch_ctas_i), .launch_split_i(launch_split_i),
        .launch_pool_i(launch_pool_i), .launch_cores_i(launch_cores_i),
        .launch_active_i(launch_active_i), .launch_ready_o(launch_ready_o),
        .launch_error_o(launch_error_q), .launch_o(launch), .launch_line_o(launch_line),
        .layers_i(slot_layers), .allocated_o(allocated), .kept_o(kept), .pool_line_o(allocatee),
        .local_o(local_new), .above_o(above_new), .global_o(global_new),
        .valid_o(valid_q), .split_o(split_q), .busy_o(busy_q), .step_o(step_q), .slot_o(slot_q),
        .pool_o(pool_q), .others_o(others_q), .cores_o(cores_q), .ctas_o(ctas_q), .same_o(same_q),
        .less_o(less_q), .divisor_o(divisor_q), .dividend_o(dividend_q), .remainder_o(remainder_q)
    );

    assign launch_error_o = launch_error_q;

    // ---- Consumer ----------------------------------------------------------
    // Words are read for any kernel_i; held tells whether they mean anything.

    wire [N_CORE-1:0] shown_above = above_q[kernel_i], shown_some = some_q[kernel_i];
    wire [N_POOL-1:0] shown_funds = funds_q[kernel_i];
    wire              shown_held  = (valid_q & (SLOT_0 << kernel_i)) != 0;
    wire              shown_split = (split_q & (SLOT_0 << kernel_i)) != 0;

    // The cores whose pool has global credits.
    reg [N_CORE-1:0] funded;
    integer          c;

    always @* begin : p_funded
        for (c = 0; c < N_CORE; c = c + 1)
            funded[c] = shown_split ? shown_funds[c/POOL_CORE] : shown_funds[0];
    end

    assign allow_o = {N_CORE{shown_held}} & (shown_above | (shown_some & funded));

    // ---- Consume -----------------------------------------------------------
    // What is left is found of any core asked, without knowing whether it is allowed.

    wire [N_CORE*LOCAL_W-1:0]  local_now  = local_q[consume_kernel_i];
    wire [N_CORE-1:0]          above_now  = above_q[consume_kernel_i], some_now = some_q[consume_kernel_i];
    wire [N_POOL*LEVEL_W-1:0]  layers_now = layers_q[consume_kernel_i], loose_now = loose_q[consume_kernel_i];
    wire [N_POOL*GLOBAL_W-1:0] global_now = global_q[consume_kernel_i];
    wire [N_POOL-1:0]          funds_now  = funds_q[consume_kernel_i];
    wire                       held       = (valid_q & (SLOT_0 << consume_kernel_i)) != 0;
    wire                       split      = (split_q & (SLOT_0 << consume_kernel_i)) != 0;

    wire [N_CORE-1:0] asked   = CORE_0 << consume_core_i;
    wire              consume = consume_valid_i && consume_allowed_o;
    wire              pays    = (asked & above_now) == 0;  // a global credit too

    assign consume_allowed_o = held && (!pays || ((asked & some_now) != 0
                                                 && (payer & funds_now) != 0));
    assign consume_error_o   = consume_error_q;

    wire [N_POOL-1:0]   payer;        // the pool of the core asked
    wire [LOCAL_W-1:0]  local_left;   // what is left to the core,
    wire                last, last_above;
    wire [GLOBAL_W-1:0] global_left;  // and to the pool
    wire                last_global;

    claso_pay #(
        .N_CORE(N_CORE), .N_POOL(N_POOL), .LOCAL_W(LOCAL_W), .LEVEL_W(LEVEL_W), .GLOBAL_W(GLOBAL_W)
    ) u_pay (
        .core_i(consume_core_i), .line_i(asked), .split_i(split), .pays_i(pays),
        .local_i(local_now), .layers_i(layers_now), .loose_i(loose_now), .global_i(global_now),
        .payer_o(payer), .local_o(local_left), .last_o(last), .last_above_o(last_above),
        .global_o(global_left), .last_global_o(last_global)
    );

    // ---- What is allowed then ----------------------------------------------
    // The consume may take the last global credit of its pool: then only cores above the band are left of it.

    wire             spends = consume && consume_kernel_i == kernel_i && pays && last_global;
    reg [N_CORE-1:0] broke;
    integer          d;

    always @* begin : p_broke
        for (d = 0; d < N_CORE; d = d + 1) broke[d] = spends && (!shown_split || payer[d/POOL_CORE]);
    end

    assign allow_after_o = allow_o & (shown_above | ~broke);

    // ---- Words -------------------------------------------------------------
    // The two writes of credits never meet in a word: a slot that is being allocated is not
    // valid, so nothing of it can be consumed. With one slot, what is given and what is left take
    // one way into the word. The levels are written by the launch itself, whose slot nobody
    // consumes of until its credits are there.

    wire [N_CORE*LOCAL_W-1:0]  slot_local    = local_q[slot_q];
    wire [N_POOL*GLOBAL_W-1:0] slot_global   = global_q[slot_q];
    wire [N_POOL*LEVEL_W-1:0]  launch_layers = layers_q[launch_kernel_i];
    wire [N_POOL*LEVEL_W-1:0]  launch_loose  = loose_q[launch_kernel_i];
    wire [N_CORE-1:0]          given  = (N_KERNEL > 1 || allocated) ? cores_q : asked & {N_CORE{consume}};
    wire [LOCAL_W-1:0]         amount = (N_KERNEL > 1 || busy_q) ? local_new : local_left;
    wire [N_CORE*LOCAL_W-1:0]  local_given, local_paid;
    wire [N_POOL*GLOBAL_W-1:0] global_given, global_paid;
    wire [N_POOL*LEVEL_W-1:0]  layers_given, loose_given;

    put_line #(.N(N_CORE), .W(LOCAL_W)) u_local_given (
        .words_i(slot_local), .line_i(given), .word_i(amount), .words_o(local_given)
    );
    put_line #(.N(N_CORE), .W(LOCAL_W)) u_local_paid (
        .words_i(local_now), .line_i(asked), .word_i(local_left), .words_o(local_paid)
    );
    put_line #(.N(N_POOL), .W(GLOBAL_W)) u_global_given (
        .words_i(slot_global), .line_i(allocatee), .word_i(global_new), .words_o(global_given)
    );
    put_line #(.N(N_POOL), .W(GLOBAL_W)) u_global_paid (
        .words_i(global_now), .line_i(payer), .word_i(global_left), .words_o(global_paid)
    );
    put_line #(.N(N_POOL), .W(LEVEL_W)) u_layers_given (
        .words_i(launch_layers), .line_i(launch_line), .word_i(launch_active_i - LEVEL_1), .words_o(layers_given)
    );
    put_line #(.N(N_POOL), .W(LEVEL_W)) u_loose_given (
        .words_i(launch_loose), .line_i(launch_line), .word_i(launch_loose_i), .words_o(loose_given)
    );

    always @(posedge clk) begin : p_words
        if (!rst_i && consume) begin
            some_q [consume_kernel_i] <= some_now & ~(asked & {N_CORE{last}});
            above_q[consume_kernel_i] <= above_now & ~(asked & {N_CORE{last_above}});
            if (N_KERNEL > 1) local_q[consume_kernel_i] <= local_paid;
            if (pays) begin
                global_q[consume_kernel_i] <= global_paid;
                funds_q [consume_kernel_i] <= funds_now & ~(payer & {N_POOL{last_global}});
            end
        end
        if (!rst_i && (N_KERNEL == 1 || allocated)) local_q[slot_q] <= local_given;
        if (!rst_i && allocated) begin
            some_q  [slot_q] <= (some_q[slot_q] & kept) | cores_q;
            above_q [slot_q] <= (above_q[slot_q] & kept) | (cores_q & {N_CORE{above_new}});
            global_q[slot_q] <= global_given;
            funds_q [slot_q] <= funds_q[slot_q] | allocatee;
        end
        if (!rst_i && launch) begin
            layers_q[launch_kernel_i] <= layers_given;
            loose_q [launch_kernel_i] <= loose_given;
        end
        consume_error_q <= !rst_i && consume_valid_i && !consume;
    end

    // ---- Formal ------------------------------------------------------------
    // Its properties, proved by induction, are in rtl/formal/claso_properties.v. They look at
    // any slot's words.

`ifdef FORMAL
    assign f_view_o = {1'b1, busy_q, step_q, slot_q, pool_q, others_q, cores_q, ctas_q, same_q,
                       less_q, divisor_q, dividend_q, remainder_q, valid_q, split_q, local_now,
                       some_now, above_now, funds_now, global_now, layers_now, loose_now};

    (* anyconst *) reg [KERNEL_W-1:0] f_slot;
    wire [N_CORE*LOCAL_W-1:0]  f_word    = local_q[f_slot];
    wire [N_CORE-1:0]          f_some    = some_q[f_slot];
    wire [N_CORE-1:0]          f_above   = above_q[f_slot];
    wire [N_POOL*LEVEL_W-1:0]  f_layerss = layers_q[f_slot];
    wire [N_POOL*LEVEL_W-1:0]  f_looses  = loose_q[f_slot];
    wire [N_POOL*GLOBAL_W-1:0] f_globals = global_q[f_slot];
    wire [N_POOL-1:0]          f_funds   = funds_q[f_slot];

    claso_properties #(
        .N_CORE(N_CORE), .N_POOL(N_POOL), .N_KERNEL(N_KERNEL), .CTA_W(CTA_W), .LEVEL_W(LEVEL_W)
    ) f_properties (.*);
`endif

endmodule

`default_nettype wire
