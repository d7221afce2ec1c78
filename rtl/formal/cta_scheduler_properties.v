// cta_scheduler_properties - what is proved of the CTA scheduler, without a bound by induction, for the sizes in
// tb/units/cta_scheduler; of dispatches in cta_dispatch_properties, of pointers in cta_turn_properties.
//
// Ports: those of the scheduler, and nets of it, under their names. f_slot stands for any slot, f_pool for any pool, f_cta
// for any CTA, f_cluster for any cluster, f_sm for any SM. What a launch was given is kept beside the design
// (cta_slot_ghost), so that its pools are held against the formulas, with / and %, and its CTAs are counted as they are
// dispatched. Assertions are a_, covers c_, other proof-only names f_.

`default_nettype none

module cta_scheduler_properties #(
    parameter integer N_SM      = 15,
    parameter integer N_CLUSTER = 3,
    parameter integer N_KERNEL  = 4,
    parameter integer CTA_W     = 20,
    parameter integer SM_W      = (N_SM > 1) ? $clog2(N_SM) : 1,
    parameter integer CLUSTER_W = (N_CLUSTER > 1) ? $clog2(N_CLUSTER) : 1,
    parameter integer KERNEL_W  = (N_KERNEL > 1) ? $clog2(N_KERNEL) : 1,
    parameter integer COUNT_W   = $clog2(N_CLUSTER + 1),
    parameter integer N_STEP    = (CTA_W + 1) / 2,
    parameter integer STEP_W    = $clog2(N_STEP + 2),
    parameter integer N_SEAT    = (N_SM + N_CLUSTER - 1) / N_CLUSTER * N_CLUSTER
) (
    input wire clk, rst_i, launch_valid_i, launch_keep_i, launch_steal_i, launch_ready_o, launch_error_o,
               pool_valid_o, pool_split_o, pool_ready_i, dispatch_valid_o, dispatch_stolen_o,
               dispatch_withdraw_i, dispatch_ready_i,
    input wire [KERNEL_W-1:0] launch_kernel_i, pool_kernel_o, kernel_i, dispatch_kernel_o,
    input wire [CTA_W-1:0] launch_ctas_i, pool_blocks_o, dispatch_cta_o,
    input wire [N_SM-1:0] launch_sms_i, pool_sms_o, room_i, limit_i,
    input wire [1:0] launch_policy_i, launch_block_i,
    input wire [CLUSTER_W-1:0] pool_number_o,
    input wire [N_CLUSTER-1:0] stolen_o,
    input wire [SM_W-1:0] dispatch_sm_o,
    input wire [2:0] dispatch_count_o,
    // Registers and nets.
    input wire [N_SM-1:0] candidates_q, to_q, slot_sms, sm, candidates_d,
    input wire [KERNEL_W-1:0] looked_q, from_q, slot_q,
    input wire going_q, busy_q, keep_q, split_q, launch, dealing, emptying, pick,
    input wire [CLUSTER_W-1:0] source_q, pool_q,
    input wire [N_KERNEL-1:0] ready_q, known_q,
    input wire [STEP_W-1:0] step_q,
    input wire [COUNT_W-1:0] divisor_q, remainder_q,
    input wire [2*N_STEP-1:0] dividend_q,
    input wire [N_CLUSTER-1:0] pool_line_q, called,
    input wire [CTA_W-1:0] first_q,
    // The slot that is watched, and its words; f_blocks: the blocks of all.
    input wire [KERNEL_W-1:0] f_slot,
    input wire [CTA_W*N_CLUSTER-1:0] f_next, f_left,
    input wire [N_CLUSTER-1:0] f_some, f_more, f_homeless, f_clusters,
    input wire [1:0] f_slot_policy, f_slot_block,
    input wire [2*N_KERNEL-1:0] f_blocks,
    input wire f_slot_steal,
    input wire [N_SM-1:0] f_slot_sms, f_turns,
    input wire [N_SEAT-1:0] f_seats
);

    // F_W bits hold any sum of two numbers of CTAs, SMs or clusters, or a measure of wait.
    localparam integer F_LARGER = (CTA_W > SM_W) ? CTA_W : SM_W;
    localparam integer F_W      = ((F_LARGER > CLUSTER_W) ? F_LARGER : CLUSTER_W) + 2;
    localparam integer F_FIRST  = 2 + N_STEP;  // cycles from a launch to its first pool
    localparam [N_CLUSTER-1:0] F_CLUSTER_0 = 1;
    localparam [STEP_W-1:0]    F_POOLS     = N_STEP + 1;

    reg f_started = 1'b0;  // at least one rising edge has passed
    always @(posedge clk) f_started <= 1'b1;

    (* anyconst *) reg [CLUSTER_W-1:0] f_pool;
    (* anyconst *) reg [CTA_W-1:0]     f_cta;
    (* anyconst *) reg [CLUSTER_W-1:0] f_cluster;
    (* anyconst *) reg [SM_W-1:0]      f_sm;

    // Environment: reset first; what is watched exists.
    always @* begin
        assume (f_slot < N_KERNEL);
        assume (f_pool < N_CLUSTER);
        assume (f_cluster < N_CLUSTER);
        assume (f_sm < N_SM);
        if (!f_started) assume (rst_i);
    end

    // The last launch of the slot, the last that gave CTAs, and what became of them.
    wire             f_launch_now, f_launch_bad, f_launch, f_taken, f_shows, f_of_pool, f_launched, f_keep, f_steal;
    wire [F_W-1:0]   f_start, f_end, f_cta_now, f_cta_end, f_age, f_latency, f_issued;
    wire [N_SM-1:0]  f_sms, f_grid_sms;
    wire [CTA_W-1:0] f_ctas;
    wire [1:0]       f_policy, f_block, f_seen;

    cta_slot_ghost #(
        .N_SM      (N_SM),
        .N_CLUSTER (N_CLUSTER),
        .N_KERNEL  (N_KERNEL),
        .CTA_W     (CTA_W),
        .W         (F_W)
    ) f_in_slot (.*);

    // The grid divided.
    wire [N_CLUSTER-1:0]         f_people, f_sharing, f_fair;  // as cta_grid_ghost says
    wire [F_W-1:0]               f_divisor, f_floor, f_modulo;
    wire [F_W*(N_CLUSTER+1)-1:0] f_befores, f_firsts;
    wire                         f_split = f_policy == 3;
    wire [F_W-1:0]               f_n_cta = f_ctas;

    cta_grid_ghost #(
        .N_SM      (N_SM),
        .N_CLUSTER (N_CLUSTER),
        .CTA_W     (CTA_W),
        .W         (F_W)
    ) f_in_grid (
        .ctas_i     (f_ctas),
        .sms_i      (f_sms),
        .grid_sms_i (f_grid_sms),
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

    // What the slot holds.
    wire                 f_held     = ready_q[f_slot];
    wire                 f_known    = known_q[f_slot];
    wire                 f_working  = busy_q && slot_q == f_slot;
    wire                 f_dealing  = f_working && step_q == F_POOLS;
    wire [N_CLUSTER-1:0] f_orphans  = ~f_people & {N_CLUSTER{f_split}};

    // Every pool, for the induction: it has what it was given, less what was dispatched. And the
    // pool that the watched cluster draws on.
    wire [N_CLUSTER-1:0] f_tail;
    wire [N_CLUSTER-1:0] f_full;
    wire [N_CLUSTER-1:0] f_flags;
    wire [N_CLUSTER-1:0] f_own;
    wire [CLUSTER_W-1:0] f_source;
    wire                 f_found;
    wire [F_W-1:0]       f_size  = 1 << f_block;
    wire [N_CLUSTER-1:0] f_lends = f_orphans | {N_CLUSTER{f_steal || !f_split}};
    wire [N_CLUSTER-1:0] f_dealt = {N_CLUSTER{f_dealing}} & ~({N_CLUSTER{1'b1}} << pool_q);

    cta_pools_ghost #(
        .N_CLUSTER (N_CLUSTER),
        .CTA_W     (CTA_W),
        .W         (F_W)
    ) f_in_pools (
        .next_i    (f_next),
        .left_i    (f_left),
        .some_i    (f_some),
        .more_i    (f_more),
        .size_i    (f_size),
        .firsts_i  (f_firsts),
        .cluster_i (f_cluster),
        .lends_i   (f_lends),
        .split_i   (f_split),
        .tail_o    (f_tail),
        .full_o    (f_full),
        .flags_o   (f_flags),
        .owns_o    (f_own),
        .source_o  (f_source),
        .found_o   (f_found)
    );

    // The pool whose turn it is, and the one watched.
    wire [F_W-1:0] f_before = f_befores[F_W*pool_q +: F_W];
    wire [F_W-1:0] f_given  = f_firsts[F_W*pool_q +: F_W];
    wire [F_W-1:0] f_deal   = f_firsts[F_W*(pool_q + 1) +: F_W] - f_given;
    wire [F_W-1:0] f_kept   = f_left[pool_q*CTA_W +: CTA_W];
    wire [F_W-1:0] f_ration = f_keep ? f_kept : f_deal;
    wire           f_public = f_dealing && f_ration != 0 && (f_people[pool_q] || !f_split);

    assign f_start = f_firsts[F_W*f_pool +: F_W];
    assign f_end   = f_firsts[F_W*(f_pool + 1) +: F_W];
    wire [F_W-1:0] f_pool_next = f_next[f_pool*CTA_W +: CTA_W];
    wire [F_W-1:0] f_pool_left = f_left[f_pool*CTA_W +: CTA_W];

    // The division so far, for the watched slot.
    wire           f_divides  = f_working && !f_keep && step_q != 0;
    wire [F_W-1:0] f_used     = 2 * (step_q - 1);             // bits used
    wire [F_W-1:0] f_unused   = 2 * (N_STEP - (step_q - 1));  // and not used yet
    wire [F_W-1:0] f_quotient = dividend_q & ((1 << f_used) - 1);

    reg     f_legal;  // no slot has an illegal block
    integer f_k;
    always @* begin
        f_legal = 1'b1;
        for (f_k = 0; f_k < N_KERNEL; f_k = f_k + 1)
            if ((ready_q[f_k] || (busy_q && slot_q == f_k)) && f_blocks[2*f_k +: 2] == 3) f_legal = 1'b0;
    end

    wire f_accounts = f_held || (f_working && f_keep);  // it has CTAs, some dispatched
    wire f_in_pool  = f_cta >= f_start && f_cta < f_end;

    // What is proved of its dispatches, and of its pointers.
    cta_dispatch_properties #(
        .N_SM      (N_SM),
        .N_CLUSTER (N_CLUSTER),
        .N_KERNEL  (N_KERNEL),
        .CTA_W     (CTA_W),
        .W         (F_W)
    ) f_dispatch (.*);

    cta_turn_properties #(
        .N_SM      (N_SM),
        .N_CLUSTER (N_CLUSTER),
        .N_KERNEL  (N_KERNEL),
        .W         (F_W)
    ) f_pointers (.*);

    always @(posedge clk) begin
        if (f_started) begin
            // Launch: what it does is a matter of time, and of pools that wait.
            a_idle       : assert (busy_q || (step_q == 0 && pool_q == 0));
            a_step_range : assert (step_q <= F_POOLS && pool_q < N_CLUSTER);
            a_pool_line_q: assert (pool_line_q == F_CLUSTER_0 << pool_q);
            a_pool_zero  : assert (step_q == F_POOLS || pool_q == 0);
            a_slot_exists: assert (!busy_q || slot_q < N_KERNEL);
            a_vacant     : assert (!busy_q || !ready_q[slot_q]);
            a_working    : assert (f_working == (f_launched && f_age < f_latency));
            a_latency    : assert (f_held == (f_launched && f_age == f_latency));
            a_blocks     : assert (f_legal);
            if (f_launched) begin
                a_launched : assert (f_ctas != 0 && f_sms != 0 && f_grid_sms != 0
                                     && f_block != 3 && f_age != 0 && f_age <= f_latency
                                     && (f_keep || f_grid_sms == f_sms));
                a_rules    : assert (f_slot_policy == f_policy && f_slot_block == f_block
                                     && f_slot_steal == f_steal && f_slot_sms == f_sms);
                a_grid     : assert (f_firsts[F_W*N_CLUSTER +: F_W]
                                     == f_n_cta);
                a_fair     : assert (f_fair == {N_CLUSTER{1'b1}});
            end

            // Its operands are those of the launch, and at every step of the division the
            // bits used are quotient * divisor + remainder.
            if (f_working)
                a_operands : assert (slot_sms == f_sms && keep_q == f_keep
                                     && split_q == f_split);
            if (f_working && f_keep)
                a_keeps    : assert (step_q == F_POOLS && pool_q == f_age - 1 && first_q == 0
                                     && dividend_q == 0 && remainder_q == 0);
            if (f_working && !f_keep) begin
                a_step     : assert (f_age < F_FIRST ? step_q == f_age - 1
                                     : step_q == F_POOLS && pool_q == f_age - F_FIRST);
                a_no_issue : assert (f_seen == 0 && f_issued == 0);
            end
            if (f_working && step_q == 0)
                a_loaded   : assert (dividend_q == f_n_cta && remainder_q == 0
                                     && first_q == 0);
            if (f_divides)
                a_divisor  : assert (divisor_q == f_divisor);
            if (f_divides && (!f_dealing || pool_q == 0)) begin
                a_remainder: assert (remainder_q < divisor_q && first_q == 0);
                a_rest     : assert (dividend_q >> f_used
                                     == (f_n_cta & ((1 << f_unused) - 1)));
                a_division : assert (f_n_cta >> f_unused
                                     == f_quotient * f_divisor + remainder_q);
            end
            if (f_dealing && !f_keep) begin
                a_quotient : assert (dividend_q == f_floor);
                a_extra    : assert (remainder_q == (f_before < f_modulo ? f_modulo - f_before
                                                                         : 0));
                a_first    : assert (first_q == f_given);
            end

            // Pools hold what they should.
            a_tail         : assert ((f_tail | ~f_dealt) == {N_CLUSTER{1'b1}});
            if (f_accounts)
                a_tails    : assert (f_tail == {N_CLUSTER{1'b1}});
            if (f_dealing && !f_keep)
                a_full     : assert ((f_full | ~f_dealt) == {N_CLUSTER{1'b1}});
            if (f_held || f_dealing)
                a_homeless : assert (((f_homeless ^ f_orphans)
                                      & (f_dealt | {N_CLUSTER{f_held}})) == 0);

            // A pool with CTAs and an SM is shown until it is seen.
            if (f_working)
                a_shown    : assert (pool_valid_o == f_public);
            if (pool_valid_o && f_working)
                a_pool     : assert (pool_kernel_o == f_slot && pool_split_o == f_split
                                     && pool_number_o == pool_q && pool_sms_o == f_sms
                                     && pool_blocks_o == (f_ration + f_size - 1) / f_size);
            if (!pool_valid_o)
                a_no_pool  : assert (pool_kernel_o == 0 && !pool_split_o && pool_number_o == 0
                                     && pool_blocks_o == 0 && pool_sms_o == 0);
            if ($past(!rst_i && pool_valid_o && !pool_ready_i))
                a_pool_waits : assert (pool_valid_o && $past(pool_number_o) == pool_number_o
                                       && $past(pool_blocks_o) == pool_blocks_o);
            a_pool_launch  : assert (!pool_valid_o || busy_q);

            // Every CTA of the grid once, in order within its pool, and no other.
            if (f_accounts) begin
                a_in_order : assert (f_pool_next == f_start + f_issued);
                a_all_told : assert (f_pool_left + f_issued == f_end - f_start);
                if (f_in_pool)
                    a_once : assert (f_seen == (f_cta < f_pool_next));
                if (f_in_pool && f_left == 0)
                    a_all  : assert (f_seen == 1);
                if (f_cta >= f_n_cta)
                    a_alien: assert (f_seen == 0);
            end
            if (f_taken && f_shows && f_of_pool)
                a_next     : assert (f_cta_now == f_start + f_issued && f_cta_end <= f_end);

            // Flags are as the pools are.
            if (f_accounts)
                a_flags   : assert (f_flags == {N_CLUSTER{1'b1}});
            if (f_dealing)
                a_dealt_flags : assert ((f_flags | ~f_dealt) == {N_CLUSTER{1'b1}});

            // The two writes never meet in a word.
            a_apart : assert (!f_taken || !dealing || from_q != slot_q);

            // A refusal is flagged, and changes nothing else.
            a_ready : assert (launch_ready_o == !busy_q);
            a_error : assert (launch_error_o == $past(f_launch_now && f_launch_bad));
            if ($past(!rst_i && !busy_q && (!launch_valid_i || f_launch_bad)))
                a_refused : assert (!busy_q && ready_q == $past(ready_q)
                                    && slot_q == $past(slot_q) && keep_q == $past(keep_q)
                                    && known_q == $past(known_q)
                                    && split_q == $past(split_q)
                                    && divisor_q == $past(divisor_q)
                                    && dividend_q == $past(dividend_q)
                                    && remainder_q == $past(remainder_q)
                                    && first_q == $past(first_q));
            if ($past(!rst_i && !f_launch && !f_working))
                a_kept    : assert (f_launched == $past(f_launched)
                                    && f_held == $past(f_held)
                                    && f_homeless == $past(f_homeless)
                                    && f_slot_policy == $past(f_slot_policy)
                                    && f_slot_block == $past(f_slot_block)
                                    && f_slot_steal == $past(f_slot_steal)
                                    && f_slot_sms == $past(f_slot_sms));
            if ($past(!rst_i && !f_launch && !f_working && !(f_taken && f_shows)))
                a_still   : assert (f_next == $past(f_next) && f_left == $past(f_left)
                                    && f_some == $past(f_some) && f_more == $past(f_more));
            if ($past(rst_i))
                a_reset   : assert (!busy_q && ready_q == 0 && known_q == 0 && step_q == 0
                                    && slot_q == 0 && !keep_q && !split_q && divisor_q == 0
                                    && dividend_q == 0 && remainder_q == 0 && pool_q == 0
                                    && first_q == 0 && !launch_error_o && !going_q
                                    && candidates_q == 0 && looked_q == 0);

            // Reachable: a pool waits, a launch is refused.
            c_waits   : cover (f_public && $past(f_public && !pool_ready_i));
            c_refused : cover (launch_error_o);
        end
    end

endmodule

`default_nettype wire
