// claso_launch - the launches of CLASO: CTAs divided among cores, and the credits that these get.
//
// Purpose
//   The Credit Allocator of claso, from a launch until its credits are written, with the registers
//   for it: the contract there says which cycle does what. The credits stay with claso. It writes
//   the levels of pool launch_line_o while launch_o is high, and while allocated_o is high the
//   credits of slot_o: local_o and above_o of cores_o, global_o of pool pool_line_o. All registers
//   are shown, for who compares them.
//
// Parameters, outside of whose ranges it does not elaborate
//   N_CORE            cores, 1..192
//   N_POOL            pools, 1..64
//   N_KERNEL          kernel slots, 1..128
//   CTA_W             bits of a number of CTAs, 1..32
//   LEVEL_W           bits of p_A, 1..8
//   KERNEL_W          bits of a slot's number; derived, never overridden
//   POOL_W            bits of a pool's number; derived, never overridden
//   COUNT_W           bits of a number of cores; derived, never overridden
//   LOCAL_W           bits of local_o; derived, never overridden
//   DIGIT_W           bits of a quotient found in a cycle; derived, never overridden
//   N_STEP            cycles of a division; derived, never overridden
//   STEP_W            bits of step_o; derived, never overridden
//
// Ports               width        meaning
//   clk               1            clock, rising edge
//   rst_i             1            reset, synchronous, active high
//   launch_valid_i    1            as in claso, and so are the next eight
//   launch_kernel_i   KERNEL_W     its slot
//   launch_ctas_i     CTA_W        its CTAs
//   launch_split_i    1            they are those of one pool
//   launch_pool_i     POOL_W       of this one
//   launch_cores_i    N_CORE       cores that may run it
//   launch_active_i   LEVEL_W      p_A
//   launch_ready_o    1            a launch is taken in this cycle
//   launch_error_o    1            the launch taken in the last cycle was refused
//   launch_o          1            a legal launch is taken
//   launch_line_o     N_POOL       its pool alone
//   layers_i          N_POOL*LEVEL_W  p_A - 1 of each pool of slot_o
//   allocated_o       1            the credits of slot_o are written:
//   kept_o            N_CORE       cores that keep theirs
//   pool_line_o       N_POOL       the pool alone
//   local_o           LOCAL_W      C_p - p_L - 1 of each of cores_o
//   above_o           1            which is above the band
//   global_o          LEVEL_W+COUNT_W  C_g of the pool
//   valid_o           N_KERNEL     registers, as in claso: slots that hold credits, and so on
//   split_o           N_KERNEL     slots that use all their pools
//   busy_o            1            a launch is under way
//   step_o            STEP_W       0 count, 1 load, then divide, N_STEP + 2 write
//   slot_o            KERNEL_W     for this slot
//   pool_o            POOL_W       and this pool
//   others_o          1            whose other pools keep their credits
//   cores_o           N_CORE       over these cores
//   ctas_o            CTA_W        n_cta; this and the next two are 0 with one pool
//   same_o            1            as many as of the launch before
//   less_o            1            one less
//   divisor_o         COUNT_W      number of cores
//   dividend_o        DIGIT_W*N_STEP  n_cta - 1; then, the quotient
//   remainder_o       COUNT_W      of the division
//
// Timing
//   launch_o and launch_line_o depend on inputs of their cycle, and above_o and global_o on
//   layers_i. The others depend on registers alone.

`default_nettype none

module claso_launch #(
    parameter integer N_CORE   = 15,
    parameter integer N_POOL   = 1,
    parameter integer N_KERNEL = 4,
    parameter integer CTA_W    = 20,
    parameter integer LEVEL_W  = 4,
    parameter integer KERNEL_W = (N_KERNEL > 1) ? $clog2(N_KERNEL) : 1,
    parameter integer POOL_W   = (N_POOL > 1) ? $clog2(N_POOL) : 1,
    parameter integer COUNT_W  = $clog2(N_CORE + 1),
    parameter integer LOCAL_W  = (CTA_W > LEVEL_W) ? CTA_W : LEVEL_W + 1,
    parameter integer DIGIT_W  = (N_POOL > 1) ? 2 : 1,
    parameter integer N_STEP   = (CTA_W + DIGIT_W - 1) / DIGIT_W,
    parameter integer STEP_W   = $clog2(N_STEP + 3)
) (
    input  wire                       clk,
    input  wire                       rst_i,

    input  wire                       launch_valid_i,
    input  wire [KERNEL_W-1:0]        launch_kernel_i,
    input  wire [CTA_W-1:0]           launch_ctas_i,
    input  wire                       launch_split_i,
    input  wire [POOL_W-1:0]          launch_pool_i,
    input  wire [N_CORE-1:0]          launch_cores_i,
    input  wire [LEVEL_W-1:0]         launch_active_i,
    output wire                       launch_ready_o,
    output wire                       launch_error_o,
    output wire                       launch_o,
    output wire [N_POOL-1:0]          launch_line_o,

    input  wire [N_POOL*LEVEL_W-1:0]  layers_i,
    output wire                       allocated_o,
    output wire [N_CORE-1:0]          kept_o,
    output wire [N_POOL-1:0]          pool_line_o,
    output wire [LOCAL_W-1:0]         local_o,
    output wire                       above_o,
    output wire [LEVEL_W+COUNT_W-1:0] global_o,

    output wire [N_KERNEL-1:0]        valid_o,
    output wire [N_KERNEL-1:0]        split_o,
    output wire                       busy_o,
    output wire [STEP_W-1:0]          step_o,
    output wire [KERNEL_W-1:0]        slot_o,
    output wire [POOL_W-1:0]          pool_o,
    output wire                       others_o,
    output wire [N_CORE-1:0]          cores_o,
    output wire [CTA_W-1:0]           ctas_o,
    output wire                       same_o,
    output wire                       less_o,
    output wire [COUNT_W-1:0]         divisor_o,
    output wire [DIGIT_W*N_STEP-1:0]  dividend_o,
    output wire [COUNT_W-1:0]         remainder_o
);

    generate
        if (N_CORE < 1 || N_CORE > 192 || N_POOL < 1 || N_POOL > 64
            || N_KERNEL < 1 || N_KERNEL > 128
            || CTA_W < 1 || CTA_W > 32 || LEVEL_W < 1 || LEVEL_W > 8
            || KERNEL_W != ((N_KERNEL > 1) ? $clog2(N_KERNEL) : 1)
            || POOL_W != ((N_POOL > 1) ? $clog2(N_POOL) : 1) || COUNT_W != $clog2(N_CORE + 1)
            || LOCAL_W != ((CTA_W > LEVEL_W) ? CTA_W : LEVEL_W + 1)
            || DIGIT_W != ((N_POOL > 1) ? 2 : 1) || N_STEP != (CTA_W + DIGIT_W - 1) / DIGIT_W
            || STEP_W != $clog2(N_STEP + 3)) begin : g_check
            claso_launch_needs_N_CORE_1_to_192_N_POOL_1_to_64_N_KERNEL_1_to_128_CTA_W_1_to_32_LEVEL_W_1_to_8
                u_stop ();
        end
    endgenerate

    localparam integer LAST      = N_STEP + 2;
    localparam integer POOL_CORE = (N_CORE + N_POOL - 1) / N_POOL;  // cores of a pool
    localparam [N_POOL-1:0] POOL_0 = 1;

    // ---- State -------------------------------------------------------------

    localparam [STEP_W-1:0] COUNT = {STEP_W{1'b0}};              // count the cores
    localparam [STEP_W-1:0] LOAD  = {{(STEP_W-1){1'b0}}, 1'b1};
    localparam [STEP_W-1:0] FIRST = LOAD + LOAD;  // of the division
    localparam [STEP_W-1:0] WRITE = LAST[STEP_W-1:0];

    reg [N_KERNEL-1:0] valid_q;      // bit k: slot k holds credits
    reg [N_KERNEL-1:0] valid_d;
    reg [N_KERNEL-1:0] split_q;      // bit k: slot k uses all its pools, otherwise only pool 0
    reg [N_KERNEL-1:0] split_d;
    reg                busy_q;       // the allocator works
    reg                busy_d;
    reg [STEP_W-1:0]   step_q;       // COUNT, LOAD, FIRST..N_STEP + 1, WRITE
    reg [STEP_W-1:0]   step_d;
    reg [KERNEL_W-1:0] slot_q;       // for this slot
    reg [KERNEL_W-1:0] slot_d;
    reg [POOL_W-1:0]   pool_q;       // and this pool
    reg [POOL_W-1:0]   pool_d;
    reg                others_q;     // whose other pools keep their credits
    reg                others_d;
    reg [N_CORE-1:0]   cores_q;      // over these cores
    reg [N_CORE-1:0]   cores_d;
    reg [CTA_W-1:0]    ctas_q;       // n_cta; this and the next two are 0 with one pool
    reg [CTA_W-1:0]    ctas_d;
    reg                same_q;       // as many as of the launch before
    reg                same_d;
    reg                less_q;       // one less
    reg                less_d;
    reg [COUNT_W-1:0]  divisor_q;    // number of the cores, and until they are counted, of
    reg [COUNT_W-1:0]  divisor_d;    // those of the launch before; with several pools so are
    reg [COUNT_W-1:0]  remainder_q;  // the remainder of the bits of n_cta - 1 used so far, and
    reg [COUNT_W-1:0]  remainder_d;
    reg [DIGIT_W*N_STEP-1:0] dividend_q;  // n_cta - 1, which is used up from the top, while the
    reg [DIGIT_W*N_STEP-1:0] dividend_d;  // quotient comes in below
    reg                launch_error_q;

    assign valid_o     = valid_q;
    assign split_o     = split_q;
    assign busy_o      = busy_q;
    assign step_o      = step_q;
    assign slot_o      = slot_q;
    assign pool_o      = pool_q;
    assign others_o    = others_q;
    assign cores_o     = cores_q;
    assign ctas_o      = ctas_q;
    assign same_o      = same_q;
    assign less_o      = less_q;
    assign divisor_o   = divisor_q;
    assign dividend_o  = dividend_q;
    assign remainder_o = remainder_q;

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

    wire                allocated    = busy_q && step_q == WRITE;
    wire [N_KERNEL-1:0] allocates    = {N_KERNEL{allocated}} & (SLOT_0 << slot_q);
    wire [N_KERNEL-1:0] launch_slot  = SLOT_0 << launch_kernel_i;
    wire [N_CORE-1:0]   launch_set   = launch_split_i
                                       ? launch_cores_i & members(launch_pool_i)
                                       : launch_cores_i;
    wire [POOL_W-1:0]   launch_pool  = (N_POOL > 1 && launch_split_i) ? launch_pool_i
                                                                  : {POOL_W{1'b0}};
    wire                launch_legal = launch_slot != 0 && launch_ctas_i != 0
                                       && launch_set != 0 && launch_active_i != 0;
    wire                launch_taken = launch_valid_i && launch_ready_o;
    wire                launch       = launch_taken && launch_legal;

    // ctas - 1 is there before launch_ctas, which a scheduler makes in the same cycle.
    wire [CTA_W-1:0] upto_ctas;  // bit k: one of the lowest k + 1 is set
    wire [CTA_W-1:0] ctas_less = ctas_q ^ ~(upto_ctas << 1);
    wire             one_less  = upto_ctas[CTA_W-1] && launch_ctas_i == ctas_less;

    prefix_or #(.N(CTA_W)) u_ctas_less (.set_i(ctas_q), .upto_o(upto_ctas));

    assign launch_o       = launch;
    assign launch_line_o  = POOL_0 << launch_pool;
    assign launch_ready_o = !busy_q || allocated;
    assign launch_error_o = launch_error_q;

    // ---- Division ----------------------------------------------------------
    // n_cta - 1 = quotient * n_core + remainder is all the formulas need:
    // ceil(n_cta / n_core) = quotient + 1, and (n_cta - 1) mod n_core = remainder. Of the
    // last one the quotient and the remainder stand; if there is nothing to divide anew,
    // they are those of n_cta - 1, or of one more. With one pool every launch is divided: no
    // others follow for which it would be worth its area.

    wire [COUNT_W-1:0] n_core;
    wire [DIGIT_W-1:0] digit;
    wire [COUNT_W-1:0] rest;

    count_ones #(.N(N_CORE)) u_count (.set_i(cores_q), .count_o(n_core));

    divide_step #(.W(COUNT_W), .BITS(DIGIT_W)) u_divide (
        .remainder_i (remainder_q),
        .next_i      (dividend_q[DIGIT_W*N_STEP-1 -: DIGIT_W]),
        .divisor_i   (divisor_q),
        .quotient_o  (digit),
        .remainder_o (rest)
    );

    wire [CTA_W-1:0] to_share = ((N_POOL > 1) ? ctas_q : launch_ctas_i) - 1'b1;
    wire             fresh    = !same_q && !less_q;       // so divide, whatever n_core is
    wire             known    = n_core == divisor_q;
    wire             borrows  = remainder_q == {COUNT_W{1'b0}};

    // ---- Allocator ---------------------------------------------------------
    // With one pool, or one slot, its number is 0: no other is taken.

    always @* begin : p_allocate
        valid_d     = valid_q | allocates;
        split_d     = split_q;
        busy_d      = busy_q;
        step_d      = step_q;
        slot_d      = slot_q;
        pool_d      = pool_q;
        others_d    = others_q;
        cores_d     = cores_q;
        ctas_d      = ctas_q;
        same_d      = same_q;
        less_d      = less_q;
        divisor_d   = divisor_q;
        dividend_d  = dividend_q;
        remainder_d = remainder_q;

        if (allocated) begin
            busy_d = 1'b0;
            step_d = COUNT;
        end else if (busy_q && step_q == COUNT) begin
            // If n_core is not the divisor, what is made of the dividend means nothing.
            // What known says comes last: it makes WRITE of LOAD.
            step_d    = (fresh ? FIRST : LOAD) ^ ({STEP_W{known && !fresh}} & (LOAD ^ WRITE));
            divisor_d = n_core;
            if (less_q) begin
                if (borrows) dividend_d = dividend_q - 1'b1;
                remainder_d = (borrows ? divisor_q : remainder_q) - 1'b1;
            end
        end else if (busy_q && step_q == LOAD) begin
            step_d      = FIRST;
        end else if (busy_q) begin
            step_d      = step_q + 1'b1;
            dividend_d  = dividend_q << DIGIT_W;
            dividend_d[DIGIT_W-1:0] = digit;
            remainder_d = rest;
        end
        if ((N_POOL > 1) ? busy_q && (step_q == LOAD || (step_q == COUNT && fresh)) : launch) begin
            dividend_d  = {DIGIT_W*N_STEP{1'b0}};
            dividend_d[CTA_W-1:0] = to_share;
            remainder_d = {COUNT_W{1'b0}};
        end

        if (launch) begin
            valid_d  = valid_d & ~launch_slot;
            split_d  = launch_split_i ? split_q | launch_slot : split_q & ~launch_slot;
            busy_d   = 1'b1;
            slot_d   = (N_KERNEL > 1) ? launch_kernel_i : {KERNEL_W{1'b0}};
            pool_d   = launch_pool;
            others_d = launch_split_i
                       && ((valid_q | allocates) & split_q & launch_slot) != 0;
            cores_d  = (N_POOL > 1) ? launch_set : launch_cores_i;
            if (N_POOL > 1) begin
                ctas_d = launch_ctas_i;
                same_d = launch_ctas_i == ctas_q;
                less_d = one_less;
            end
        end
    end

    // ---- Credits -----------------------------------------------------------
    // What it writes; in the step WRITE the dividend has become the quotient. A core gets
    // ceil(n_cta / n_core) + p_L = quotient + 1 + p_L, which is kept as the quotient.

    wire [LEVEL_W-1:0] layers;

    select_line #(.N(N_POOL), .W(LEVEL_W)) u_layers (
        .words_i (layers_i),
        .line_i  (pool_line_o),
        .word_o  (layers)
    );

    assign allocated_o = allocated;
    assign pool_line_o = POOL_0 << pool_q;
    assign local_o     = {{(LOCAL_W-CTA_W){1'b0}}, dividend_q[CTA_W-1:0]};
    assign above_o     = local_o > {{(LOCAL_W-LEVEL_W){1'b0}}, layers};
    assign global_o    = {{LEVEL_W{1'b0}}, remainder_q} + 1'b1
                         + {{COUNT_W{1'b0}}, layers} * {{LEVEL_W{1'b0}}, divisor_q};

    // Only cores of other pools may keep their credits.
    assign kept_o = others_q ? ~members(pool_q) : {N_CORE{1'b0}};

    // ---- Clocked -----------------------------------------------------------

    always @(posedge clk) begin : p_state
        if (rst_i) begin
            valid_q        <= {N_KERNEL{1'b0}};
            split_q        <= {N_KERNEL{1'b0}};
            busy_q         <= 1'b0;
            step_q         <= COUNT;
            slot_q         <= {KERNEL_W{1'b0}};
            pool_q         <= {POOL_W{1'b0}};
            others_q       <= 1'b0;
            cores_q        <= {N_CORE{1'b0}};
            ctas_q         <= {CTA_W{1'b0}};
            same_q         <= 1'b0;
            less_q         <= 1'b0;
            divisor_q      <= {COUNT_W{1'b0}};
            dividend_q     <= {DIGIT_W*N_STEP{1'b0}};
            remainder_q    <= {COUNT_W{1'b0}};
            launch_error_q <= 1'b0;
        end else begin
            valid_q        <= valid_d;
            split_q        <= split_d;
            busy_q         <= busy_d;
            step_q         <= step_d;
            slot_q         <= slot_d;
            pool_q         <= pool_d;
            others_q       <= others_d;
            cores_q        <= cores_d;
            ctas_q         <= ctas_d;
            same_q         <= same_d;
            less_q         <= less_d;
            divisor_q      <= divisor_d;
            dividend_q     <= dividend_d;
            remainder_q    <= remainder_d;
            launch_error_q <= launch_taken && !launch_legal;
        end
    end

    // ---- Formal ------------------------------------------------------------
    // Its properties, proved by induction, are in rtl/formal/claso_launch_properties.v.

`ifdef FORMAL
    claso_launch_properties #(
        .N_CORE   (N_CORE),
        .N_POOL   (N_POOL),
        .N_KERNEL (N_KERNEL),
        .CTA_W    (CTA_W),
        .LEVEL_W  (LEVEL_W)
    ) f_properties (.*);
`endif

endmodule

`default_nettype wire
