// cta_launch - the launches of the CTA scheduler: a grid divided, its pools given one by one.
//
// Purpose
//   What cta_scheduler does from a launch until the slot is ready, with the registers for it:
//   its contract says which cycle does what. The words of the slots stay with the scheduler. It
//   reads those of slot_o, and writes pool_line_o of them while deal_o is high. All
//   registers are shown, for who compares them.
//
// Parameters, outside of whose ranges it does not elaborate
//   N_SM              SMs, 1..192
//   N_CLUSTER         clusters, and pools, 1..64
//   N_KERNEL          kernel slots, 1..32
//   CTA_W             bits of a number of CTAs, 1..32
//   CLUSTER_W         bits of a cluster's number; derived, never overridden
//   KERNEL_W          bits of a slot's number; derived, never overridden
//   COUNT_W           bits of a number of clusters; derived, never overridden
//   N_STEP            cycles of a division; derived, never overridden
//   STEP_W            bits of step_o; derived, never overridden
//
// Ports               width        meaning
//   clk               1            clock, rising edge
//   rst_i             1            reset, synchronous, active high
//   launch_valid_i    1            as in cta_scheduler, and so are the next seven
//   launch_kernel_i   KERNEL_W     its slot
//   launch_keep_i     1            it keeps its CTAs
//   launch_ctas_i     CTA_W        CTAs of the grid
//   launch_sms_i      N_SM         SMs that may run it
//   launch_policy_i   2            its policy
//   launch_block_i    2            its block
//   launch_ready_o    1            no launch is under way
//   launch_error_o    1            the launch taken in the last cycle was refused
//   kept_policy_i     2            the policy of slot launch_kernel_i
//   launch_o          1            a legal launch is taken
//   anew_o            1            it is the slot's first since the reset
//   sms_i             N_SM         the SMs of slot_o
//   block_i           2            its block
//   next_i            N_CLUSTER*CTA_W  the next CTA of each of its pools
//   left_i            N_CLUSTER*CTA_W  CTAs they have left
//   pool_valid_o      1            as in cta_scheduler, and so are the next six
//   pool_kernel_o     KERNEL_W     its slot
//   pool_split_o      1            it is one cluster's share
//   pool_number_o     CLUSTER_W    of this cluster
//   pool_blocks_o     CTA_W        blocks in it
//   pool_sms_o        N_SM         the launch's SMs
//   pool_ready_i      1            the pool has been seen
//   deal_o            1            the pool pool_line_o of slot_o is written:
//   deal_next_o       CTA_W        its next CTA
//   deal_left_o       CTA_W        CTAs it has left
//   deal_some_o       1            it has CTAs
//   deal_more_o       1            more than a block
//   deal_homeless_o   1            it is split, and its cluster has no SM
//   ready_o           N_KERNEL     registers, as in cta_scheduler: this is ready, and so on
//   known_o           N_KERNEL     slots that have pointers
//   busy_o            1            a launch is under way
//   step_o            STEP_W       0 count, then divide, N_STEP + 1 pools
//   slot_o            KERNEL_W     of this slot
//   keep_o            1            that keeps its CTAs
//   split_o           1            by cluster
//   divisor_o         COUNT_W      pools that get CTAs
//   dividend_o        2*N_STEP     CTAs of the grid; then, the quotient
//   remainder_o       COUNT_W      of the division; then, pools that get one more
//   pool_o            CLUSTER_W    pool whose turn it is
//   pool_line_o       N_CLUSTER    that pool alone
//   first_o           CTA_W        its first CTA
//
// Timing
//   launch_o, anew_o and the outputs from deal_o on depend on inputs of their cycle, and so do
//   pool_valid_o and the next five. The others are registers.

`default_nettype none

module cta_launch #(
    parameter integer N_SM      = 15,
    parameter integer N_CLUSTER = 3,
    parameter integer N_KERNEL  = 4,
    parameter integer CTA_W     = 20,
    parameter integer CLUSTER_W = (N_CLUSTER > 1) ? $clog2(N_CLUSTER) : 1,
    parameter integer KERNEL_W  = (N_KERNEL > 1) ? $clog2(N_KERNEL) : 1,
    parameter integer COUNT_W   = $clog2(N_CLUSTER + 1),
    parameter integer N_STEP    = (CTA_W + 1) / 2,
    parameter integer STEP_W    = $clog2(N_STEP + 2)
) (
    input  wire                       clk,
    input  wire                       rst_i,

    input  wire                       launch_valid_i,
    input  wire [KERNEL_W-1:0]        launch_kernel_i,
    input  wire                       launch_keep_i,
    input  wire [CTA_W-1:0]           launch_ctas_i,
    input  wire [N_SM-1:0]            launch_sms_i,
    input  wire [1:0]                 launch_policy_i,
    input  wire [1:0]                 launch_block_i,
    output wire                       launch_ready_o,
    output wire                       launch_error_o,
    input  wire [1:0]                 kept_policy_i,
    output wire                       launch_o,
    output wire                       anew_o,

    input  wire [N_SM-1:0]            sms_i,
    input  wire [1:0]                 block_i,
    input  wire [N_CLUSTER*CTA_W-1:0] next_i,
    input  wire [N_CLUSTER*CTA_W-1:0] left_i,
    output wire                       pool_valid_o,
    output wire [KERNEL_W-1:0]        pool_kernel_o,
    output wire                       pool_split_o,
    output wire [CLUSTER_W-1:0]       pool_number_o,
    output wire [CTA_W-1:0]           pool_blocks_o,
    output wire [N_SM-1:0]            pool_sms_o,
    input  wire                       pool_ready_i,

    output wire                       deal_o,
    output wire [CTA_W-1:0]           deal_next_o,
    output wire [CTA_W-1:0]           deal_left_o,
    output wire                       deal_some_o,
    output wire                       deal_more_o,
    output wire                       deal_homeless_o,

    output wire [N_KERNEL-1:0]        ready_o,
    output wire [N_KERNEL-1:0]        known_o,
    output wire                       busy_o,
    output wire [STEP_W-1:0]          step_o,
    output wire [KERNEL_W-1:0]        slot_o,
    output wire                       keep_o,
    output wire                       split_o,
    output wire [COUNT_W-1:0]         divisor_o,
    output wire [2*N_STEP-1:0]        dividend_o,
    output wire [COUNT_W-1:0]         remainder_o,
    output wire [CLUSTER_W-1:0]       pool_o,
    output wire [N_CLUSTER-1:0]       pool_line_o,
    output wire [CTA_W-1:0]           first_o
);

    generate
        if (N_SM < 1 || N_SM > 192 || N_CLUSTER < 1 || N_CLUSTER > 64
            || N_KERNEL < 1 || N_KERNEL > 32 || CTA_W < 1 || CTA_W > 32
            || CLUSTER_W != ((N_CLUSTER > 1) ? $clog2(N_CLUSTER) : 1)
            || KERNEL_W != ((N_KERNEL > 1) ? $clog2(N_KERNEL) : 1)
            || COUNT_W != $clog2(N_CLUSTER + 1) || N_STEP != (CTA_W + 1) / 2
            || STEP_W != $clog2(N_STEP + 2)) begin : g_check
            cta_launch_needs_N_SM_1_to_192_N_CLUSTER_1_to_64_N_KERNEL_and_CTA_W_1_to_32
                u_stop ();
        end
    endgenerate

    localparam integer         CLUSTER_SM  = (N_SM + N_CLUSTER - 1) / N_CLUSTER;
    localparam integer         N_SEAT      = CLUSTER_SM * N_CLUSTER;
    localparam [N_CLUSTER-1:0] CLUSTER_0   = 1;
    localparam [N_KERNEL-1:0]  SLOT_0      = 1;
    localparam [COUNT_W-1:0]   COUNT_1     = 1;
    localparam [CTA_W-1:0]     CTA_1       = 1;
    localparam [STEP_W-1:0]    COUNT       = {STEP_W{1'b0}};             // count the clusters
    localparam [STEP_W-1:0]    POOLS       = N_STEP[STEP_W-1:0] + 1'b1;  // in between: divide
    localparam [CLUSTER_W-1:0] LAST        = N_CLUSTER[CLUSTER_W-1:0] - 1'b1;
    localparam [1:0]           DISTRIBUTED = 2'd3;                       // this policy splits

    // ---- State -------------------------------------------------------------

    reg [N_KERNEL-1:0]  ready_q;      // bit k: slot k may be dispatched
    reg [N_KERNEL-1:0]  known_q;      // bit k: slot k has pointers
    reg                 busy_q;       // a launch is under way
    reg [STEP_W-1:0]    step_q;       // COUNT, 1..N_STEP, POOLS
    reg [KERNEL_W-1:0]  slot_q;       // of this slot
    reg                 keep_q;       // that keeps its CTAs
    reg                 split_q;      // by cluster
    reg [COUNT_W-1:0]   divisor_q;    // number of pools that get CTAs
    reg [2*N_STEP-1:0]  dividend_q;   // CTAs of the grid; used up from the top, while the
                                      // quotient comes in below
    reg [COUNT_W-1:0]   remainder_q;  // of the bits used so far; then, pools that still get
                                      // one CTA more
    reg [CLUSTER_W-1:0] pool_q;       // pool whose turn it is
    reg [N_CLUSTER-1:0] pool_line_q;  // that pool alone
    reg [CTA_W-1:0]     first_q;      // its first CTA
    reg                 launch_error_q;

    assign ready_o     = ready_q;
    assign known_o     = known_q;
    assign busy_o      = busy_q;
    assign step_o      = step_q;
    assign slot_o      = slot_q;
    assign keep_o      = keep_q;
    assign split_o     = split_q;
    assign divisor_o   = divisor_q;
    assign dividend_o  = dividend_q;
    assign remainder_o = remainder_q;
    assign pool_o      = pool_q;
    assign pool_line_o = pool_line_q;
    assign first_o     = first_q;

    // ---- Launch ------------------------------------------------------------
    // One line a slot; a number without a slot shifts the one out of the vector.

    wire [N_KERNEL-1:0] launch_slot  = SLOT_0 << launch_kernel_i;
    wire                launch_new   = launch_ctas_i != 0 && launch_block_i != 2'd3;
    wire                launch_known = (launch_slot & ready_q) != 0;
    wire                launch_legal = launch_slot != 0 && launch_sms_i != 0
                                       && (launch_keep_i ? launch_known : launch_new);
    wire                launch_taken = launch_valid_i && launch_ready_o;
    wire [1:0]          launch_rule  = launch_keep_i ? kept_policy_i : launch_policy_i;

    assign launch_o       = launch_taken && launch_legal;
    assign anew_o         = (known_q & launch_slot) == 0;
    assign launch_ready_o = !busy_q;
    assign launch_error_o = launch_error_q;

    // ---- Division ----------------------------------------------------------

    reg  [N_CLUSTER-1:0] populated;  // bit c: a seat of cluster c is in the set
    reg  [N_SEAT-1:0]    seats;
    integer              c;
    wire [COUNT_W-1:0]   n_populated;
    wire [COUNT_W-1:0]   remainder_then;
    wire [1:0]           quotient;

    always @* begin : p_populated
        seats           = {N_SEAT{1'b0}};
        seats[N_SM-1:0] = sms_i;
        for (c = 0; c < N_CLUSTER; c = c + 1)
            populated[c] = |seats[c*CLUSTER_SM +: CLUSTER_SM];
    end

    count_ones #(
        .N (N_CLUSTER)
    ) u_populated (
        .set_i   (populated),
        .count_o (n_populated)
    );

    divide_step #(
        .W    (COUNT_W),
        .BITS (2)
    ) u_divide (
        .remainder_i (remainder_q),
        .next_i      (dividend_q[2*N_STEP-1 -: 2]),
        .divisor_i   (divisor_q),
        .quotient_o  (quotient),
        .remainder_o (remainder_then)
    );

    // ---- Pools -------------------------------------------------------------
    // In the step POOLS the dividend has become the quotient. A launch that keeps its
    // CTAs has a quotient and a remainder of 0, so nothing is given.

    wire             peopled  = (populated & pool_line_q) != 0;
    wire             given    = split_q ? peopled : pool_line_q[0];
    wire             one_more = given && remainder_q != 0;
    wire [CTA_W-1:0] floor    = dividend_q[CTA_W-1:0];
    wire [CTA_W-1:0] ceiling  = floor + CTA_1;
    wire [CTA_W-1:0] share    = (one_more ? ceiling : floor) & {CTA_W{given}};
    wire [CTA_W-1:0] kept_next;
    wire [CTA_W-1:0] kept_left;

    select_line #(.N(N_CLUSTER), .W(CTA_W)) u_next (
        .words_i (next_i),
        .line_i  (pool_line_q),
        .word_o  (kept_next)
    );
    select_line #(.N(N_CLUSTER), .W(CTA_W)) u_left (
        .words_i (left_i),
        .line_i  (pool_line_q),
        .word_o  (kept_left)
    );

    // That it has CTAs is known before their number is.
    wire dealing = busy_q && step_q == POOLS;
    wire some    = keep_q ? kept_left != 0
                          : given && (one_more ? floor != {CTA_W{1'b1}} : floor != 0);
    wire shown   = dealing && some && (peopled || !split_q);
    wire passes  = dealing && (!shown || pool_ready_i);
    wire dealt   = passes && pool_q == LAST;

    assign deal_o          = dealing;
    assign deal_next_o     = keep_q ? kept_next : first_q;
    assign deal_left_o     = keep_q ? kept_left : share;
    assign deal_some_o     = some;
    assign deal_homeless_o = split_q && !peopled;

    // Blocks, the last of which may be short.
    wire [CTA_W-1:0] whole  = deal_left_o >> block_i;
    wire             short  = (whole << block_i) != deal_left_o;
    wire [CTA_W-1:0] gaps;  // bit k: of the lowest k + 1 bits of whole one is 0, where a carry ends
    wire [CTA_W-1:0] blocks = whole ^ (~(gaps << 1) & {CTA_W{short}});  // whole + short
    wire [CTA_W+3:0] size   = {{(CTA_W+3){1'b0}}, 1'b1} << block_i;

    prefix_or #(.N(CTA_W)) u_gaps (.set_i(~whole), .upto_o(gaps));

    assign deal_more_o   = {4'd0, deal_left_o} > size;
    assign pool_valid_o  = shown;
    assign pool_kernel_o = shown ? slot_q : {KERNEL_W{1'b0}};
    assign pool_split_o  = shown && split_q;
    assign pool_number_o = shown ? pool_q : {CLUSTER_W{1'b0}};
    assign pool_blocks_o = shown ? blocks : {CTA_W{1'b0}};
    assign pool_sms_o    = shown ? sms_i : {N_SM{1'b0}};

    // ---- Clocked -----------------------------------------------------------

    always @(posedge clk) begin : p_state
        launch_error_q <= launch_taken && !launch_legal;
        if (launch_o) begin
            ready_q     <= ready_q & ~launch_slot;
            known_q     <= known_q | launch_slot;
            busy_q      <= 1'b1;
            step_q      <= launch_keep_i ? POOLS : COUNT;
            slot_q      <= launch_kernel_i;
            keep_q      <= launch_keep_i;
            split_q     <= launch_rule == DISTRIBUTED;
            dividend_q  <= {2*N_STEP{1'b0}};
            dividend_q[CTA_W-1:0] <= launch_ctas_i & {CTA_W{!launch_keep_i}};
            remainder_q <= {COUNT_W{1'b0}};
            pool_q      <= {CLUSTER_W{1'b0}};
            pool_line_q <= CLUSTER_0;
            first_q     <= {CTA_W{1'b0}};
        end else if (passes) begin
            remainder_q <= remainder_q - (COUNT_1 & {COUNT_W{one_more}});
            first_q     <= first_q + share;
            pool_q      <= pool_q + 1'b1;
            pool_line_q <= pool_line_q << 1;
            if (dealt) begin
                ready_q     <= ready_q | (SLOT_0 << slot_q);
                busy_q      <= 1'b0;
                step_q      <= COUNT;
                pool_q      <= {CLUSTER_W{1'b0}};
                pool_line_q <= CLUSTER_0;
            end
        end else if (busy_q && !dealing) begin
            step_q <= step_q + 1'b1;
            if (step_q == COUNT) begin
                divisor_q <= split_q ? n_populated : COUNT_1;
            end else begin
                dividend_q      <= dividend_q << 2;
                dividend_q[1:0] <= quotient;
                remainder_q     <= remainder_then;
            end
        end
        if (rst_i) begin
            ready_q        <= {N_KERNEL{1'b0}};
            known_q        <= {N_KERNEL{1'b0}};
            busy_q         <= 1'b0;
            step_q         <= COUNT;
            slot_q         <= {KERNEL_W{1'b0}};
            keep_q         <= 1'b0;
            split_q        <= 1'b0;
            divisor_q      <= {COUNT_W{1'b0}};
            dividend_q     <= {2*N_STEP{1'b0}};
            remainder_q    <= {COUNT_W{1'b0}};
            pool_q         <= {CLUSTER_W{1'b0}};
            pool_line_q    <= CLUSTER_0;
            first_q        <= {CTA_W{1'b0}};
            launch_error_q <= 1'b0;
        end
    end

    // ---- Formal ------------------------------------------------------------
    // Proved by induction. What a launch was given is kept beside the design, and its pools
    // are held against the formulas, with / and % (cta_grid_ghost). The words of the slot
    // are those of the launch, and stay as they are if it keeps them. f_slot stands for
    // any slot.

`ifdef FORMAL
    localparam integer F_LARGER = (CTA_W > CLUSTER_W) ? CTA_W : CLUSTER_W;
    localparam integer F_W      = F_LARGER + 2;  // holds any sum
    localparam integer F_FIRST  = 2 + N_STEP;    // cycles from a launch to its first pool

    reg f_started = 1'b0;  // at least one rising edge has passed
    always @(posedge clk) f_started <= 1'b1;

    (* anyconst *) reg [KERNEL_W-1:0] f_slot;

    // The launch, as the contract has it.
    wire f_now = !rst_i && launch_valid_i && !busy_q;
    wire f_bad = launch_kernel_i >= N_KERNEL || launch_sms_i == 0
                 || (launch_keep_i ? !ready_q[launch_kernel_i]
                                   : launch_ctas_i == 0 || launch_block_i == 3);
    wire f_launch = f_now && !f_bad;

    reg             f_keep;
    reg             f_split;
    reg [N_SM-1:0]  f_sms;
    reg [CTA_W-1:0] f_ctas;
    reg [1:0]       f_block;
    reg [F_W-1:0]   f_age;   // cycles since the launch, less those in which a pool waited
    reg             f_seen;  // the slot was launched since the reset
    always @(posedge clk) begin
        if (rst_i) begin
            f_seen <= 1'b0;
        end else if (f_launch) begin
            f_keep  <= launch_keep_i;
            f_split <= (launch_keep_i ? kept_policy_i : launch_policy_i) == 3;
            f_sms   <= launch_sms_i;
            f_ctas  <= launch_ctas_i;
            f_block <= launch_block_i;
            f_age   <= 1;
            if (launch_kernel_i == f_slot) f_seen <= 1'b1;
        end else if (!(pool_valid_o && !pool_ready_i)) begin
            f_age <= f_age + busy_q;
        end
    end

    // Environment: reset first; the words are those of the slot.
    always @* begin
        assume (f_slot < N_KERNEL);
        if (!f_started) assume (rst_i);
        if (busy_q) begin
            assume (sms_i == f_sms && block_i != 3);
            if (!keep_q) assume (block_i == f_block);
        end
    end
    always @(posedge clk)
        if (f_started && $past(!rst_i && busy_q && keep_q))
            assume (next_i == $past(next_i) && left_i == $past(left_i)
                    && block_i == $past(block_i));

    wire [N_CLUSTER-1:0]         f_people;
    wire [N_CLUSTER-1:0]         f_sharing;
    wire [F_W-1:0]               f_divisor;
    wire [F_W-1:0]               f_floor;
    wire [F_W-1:0]               f_modulo;
    wire [F_W*(N_CLUSTER+1)-1:0] f_befores;
    wire [F_W*(N_CLUSTER+1)-1:0] f_firsts;
    wire [N_CLUSTER-1:0]         f_fair;

    cta_grid_ghost #(
        .N_SM      (N_SM),
        .N_CLUSTER (N_CLUSTER),
        .CTA_W     (CTA_W),
        .W         (F_W)
    ) f_grid (
        .ctas_i     (f_ctas),
        .sms_i      (f_sms),
        .grid_sms_i (f_sms),
        .split_i    (f_split),
        .people_o   (f_people),
        .sharing_o  (f_sharing),
        .divisor_o  (f_divisor),
        .floor_o    (f_floor),
        .modulo_o   (f_modulo),
        .before_o   (f_befores),
        .firsts_o   (f_firsts),
        .fair_o     (f_fair)
    );

    // The pool whose turn it is.
    wire [F_W-1:0] f_before = f_befores[F_W*pool_q +: F_W];
    wire [F_W-1:0] f_first  = f_firsts[F_W*pool_q +: F_W];
    wire [F_W-1:0] f_deal   = f_firsts[F_W*(pool_q + 1) +: F_W] - f_first;
    wire [F_W-1:0] f_kept   = left_i[CTA_W*pool_q +: CTA_W];
    wire [F_W-1:0] f_next   = f_keep ? next_i[CTA_W*pool_q +: CTA_W] : f_first;
    wire [F_W-1:0] f_left   = f_keep ? f_kept : f_deal;
    wire [F_W-1:0] f_size   = 1 << block_i;
    wire           f_shown  = deal_o && f_left != 0 && (f_people[pool_q] || !f_split);

    // The division so far.
    wire [F_W-1:0] f_n_cta    = f_ctas;
    wire [F_W-1:0] f_used     = 2 * (step_q - 1);             // bits used
    wire [F_W-1:0] f_unused   = 2 * (N_STEP - (step_q - 1));  // and not used yet
    wire [F_W-1:0] f_quotient = dividend_q & ((1 << f_used) - 1);

    always @(posedge clk) begin
        if (f_started) begin
            a_idle       : assert (busy_q || (step_q == COUNT && pool_q == 0));
            a_range      : assert (step_q <= POOLS && pool_q < N_CLUSTER && slot_q < N_KERNEL);
            a_pool_line  : assert (pool_line_q == CLUSTER_0 << pool_q);
            a_pool_zero  : assert (step_q == POOLS || pool_q == 0);
            a_vacant     : assert (!busy_q || !ready_q[slot_q]);
            a_known      : assert (known_q[f_slot] == f_seen);
            a_were       : assert ((ready_q & ~known_q) == 0 && (!busy_q || known_q[slot_q]));
            a_outputs    : assert (ready_o == ready_q && known_o == known_q && busy_o == busy_q
                                   && step_o == step_q && slot_o == slot_q && keep_o == keep_q
                                   && split_o == split_q && divisor_o == divisor_q
                                   && dividend_o == dividend_q && remainder_o == remainder_q
                                   && pool_o == pool_q && pool_line_o == pool_line_q
                                   && first_o == first_q);

            // What is a launch, and what is refused and changes nothing.
            a_ready      : assert (launch_ready_o == !busy_q);
            if (!rst_i)
                a_launch : assert (launch_o == f_launch);
            if (launch_kernel_i == f_slot)
                a_anew   : assert (anew_o == !f_seen);
            a_error      : assert (launch_error_o == $past(f_now && f_bad));
            if ($past(!rst_i && !busy_q && !f_launch))
                a_refused : assert (!busy_q && ready_q == $past(ready_q)
                                    && known_q == $past(known_q) && slot_q == $past(slot_q)
                                    && dividend_q == $past(dividend_q));

            // At every step of the division the bits used are quotient * divisor + remainder.
            if (busy_q) begin
                a_operands : assert (keep_q == f_keep && split_q == f_split && f_sms != 0);
                if (f_keep)
                    a_keeps  : assert (step_q == POOLS && pool_q == f_age - 1 && first_q == 0
                                       && dividend_q == 0 && remainder_q == 0);
                if (!f_keep)
                    a_step   : assert (f_ctas != 0 && (f_age < F_FIRST ? step_q == f_age - 1
                                       : step_q == POOLS && pool_q == f_age - F_FIRST));
                if (step_q == COUNT)
                    a_loaded : assert (dividend_q == f_n_cta && remainder_q == 0 && first_q == 0);
                if (!f_keep && step_q != COUNT) begin
                    a_divisor : assert (divisor_q == f_divisor);
                    if (!deal_o || pool_q == 0) begin
                        a_remainder : assert (remainder_q < divisor_q && first_q == 0);
                        a_rest      : assert (dividend_q >> f_used
                                              == (f_n_cta & ((1 << f_unused) - 1)));
                        a_division  : assert (f_n_cta >> f_unused
                                              == f_quotient * f_divisor + remainder_q);
                    end
                    if (deal_o) begin
                        a_quotient  : assert (dividend_q == f_floor);
                        a_extra     : assert (remainder_q == (f_before < f_modulo
                                                              ? f_modulo - f_before : 0));
                        a_first     : assert (first_q == f_first);
                    end
                end
            end

            // The pools: together they are the grid, and no share is larger than it should be.
            if (busy_q && !f_keep)
                a_grid    : assert (f_firsts[F_W*N_CLUSTER +: F_W] == f_n_cta
                                    && f_fair == {N_CLUSTER{1'b1}});
            a_deal        : assert (deal_o == (busy_q && step_q == POOLS));
            if (deal_o)
                a_dealt   : assert (deal_next_o == f_next && deal_left_o == f_left
                                    && deal_some_o == (f_left != 0)
                                    && deal_more_o == (f_left > f_size)
                                    && deal_homeless_o == (f_split && !f_people[pool_q]));
            a_shown       : assert (pool_valid_o == f_shown);
            if (pool_valid_o)
                a_pool    : assert (pool_kernel_o == slot_q && pool_split_o == f_split
                                    && pool_number_o == pool_q && pool_sms_o == f_sms
                                    && pool_blocks_o == (f_left + f_size - 1) / f_size);
            else
                a_no_pool : assert (pool_kernel_o == 0 && !pool_split_o && pool_number_o == 0
                                    && pool_blocks_o == 0 && pool_sms_o == 0);
            if ($past(!rst_i && pool_valid_o && !pool_ready_i))
                a_waits   : assert (pool_valid_o && pool_q == $past(pool_q)
                                    && deal_left_o == $past(deal_left_o));
            if ($past(!rst_i && busy_q) && !busy_q)
                a_done    : assert (ready_q[slot_q] && $past(pool_q) == N_CLUSTER - 1);
            if ($past(rst_i))
                a_reset   : assert (!busy_q && ready_q == 0 && known_q == 0 && step_q == COUNT
                                    && slot_q == 0 && !keep_q && !split_q && divisor_q == 0
                                    && dividend_q == 0 && remainder_q == 0 && pool_q == 0
                                    && first_q == 0 && !launch_error_o);

            c_waits   : cover (pool_valid_o && $past(pool_valid_o && !pool_ready_i));
            c_refused : cover (launch_error_o);
            c_kept    : cover (pool_valid_o && f_keep && pool_q == N_CLUSTER - 1);
            c_uneven  : cover (N_CLUSTER == 1 || CTA_W == 1 || N_SM == 1
                               || (deal_o && f_split && pool_q == 0 && f_modulo == 1 && f_floor != 0));
        end
    end
`endif

endmodule

`default_nettype wire
