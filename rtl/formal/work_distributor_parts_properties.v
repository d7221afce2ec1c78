// work_distributor_parts_properties - what is proved of the parts of the work distributor together, in their registers. A
// part of work_distributor_properties, whose nets are its ports, under their names.
//
// What takes a kernel's whole state to prove is proved with one slot, which kernel_i names, so that what the parts read for
// kernel_i is all there is. f_pool stands for any pool.

`default_nettype none

module work_distributor_parts_properties #(
    parameter integer N_SM      = 15,
    parameter integer N_CLUSTER = 3,
    parameter integer N_KERNEL  = 4,
    parameter integer CTA_W     = 20,
    parameter integer LEVEL_W   = 4,
    parameter integer SM_W      = (N_SM > 1) ? $clog2(N_SM) : 1,
    parameter integer KERNEL_W  = (N_KERNEL > 1) ? $clog2(N_KERNEL) : 1,
    parameter integer CLUSTER_W = (N_CLUSTER > 1) ? $clog2(N_CLUSTER) : 1
) (
    input wire clk, rst_i, launch_valid_i, launch_keep_i, launch_ready_o, dispatch_valid_o,
    input wire [KERNEL_W-1:0] launch_kernel_i,
    input wire [CTA_W-1:0] launch_ctas_i,
    input wire [N_SM-1:0] launch_sms_i, room_i, limit_i,
    input wire [1:0] launch_block_i,
    input wire [SM_W-1:0] dispatch_sm_o,
    input wire [2:0] dispatch_count_o,
    // Registers and nets.
    input wire [N_KERNEL-1:0] credited_q,
    input wire credits_wanted, going, dispatch_stolen,
    input wire [CLUSTER_W-1:0] pool_number,
    input wire [CTA_W-1:0] pool_blocks,
    input wire [KERNEL_W-1:0] from,
    input wire [SM_W-1:0] to,
    // What work_distributor_properties knows, and what the parts hold.
    input wire f_started, f_dispatch, f_shown,
    input wire [1023:0] f_scheduler, f_claso
);

    localparam integer CLUSTER_SM      = (N_SM + N_CLUSTER - 1) / N_CLUSTER;  // SMs of a cluster
    localparam integer F_COUNT_W       = $clog2(N_SM + 1);
    localparam integer F_POOLS_W       = $clog2(N_CLUSTER + 1);
    localparam integer F_LOCAL_W       = (CTA_W > LEVEL_W) ? CTA_W : LEVEL_W + 1;
    localparam integer F_WORD_W        = CTA_W * N_CLUSTER;
    localparam integer F_STEPS         = (CTA_W + 1) / 2;
    localparam integer F_STEP_W        = $clog2(F_STEPS + 2);
    localparam integer F_DIGIT_W       = (N_CLUSTER > 1) ? 2 : 1;  // of claso
    localparam integer F_CREDIT_STEPS  = (CTA_W + F_DIGIT_W - 1) / F_DIGIT_W;
    localparam integer F_CREDIT_STEP_W = $clog2(F_CREDIT_STEPS + 3);
    localparam integer F_W             = F_COUNT_W + F_POOLS_W + F_LOCAL_W + 2;  // any sum
    localparam [N_CLUSTER-1:0] F_CLUSTER_0 = 1;

    (* anyconst *) reg [CLUSTER_W-1:0] f_pool;
    always @* assume (f_pool < N_CLUSTER);

    // What the parts hold, in the order of their f_view_o.
    wire scheduler_whole, credits_whole;
    wire [N_KERNEL-1:0] scheduler_ready_q;
    wire scheduler_busy_q, scheduler_keep_q, scheduler_emptying, scheduler_split_q, scheduler_split_now;
    wire [F_STEP_W-1:0] scheduler_step_q;
    wire [KERNEL_W-1:0] scheduler_slot_q, scheduler_looked_q;
    wire [N_SM-1:0] scheduler_candidates_q, scheduler_candidates_d, scheduler_slot_sms;
    wire [CLUSTER_W-1:0] scheduler_source_q, scheduler_pool_q;
    wire [N_CLUSTER-1:0] scheduler_lends_then, scheduler_from_some, scheduler_from_more, scheduler_pool_line_q,
                         scheduler_homeless_then;
    wire [F_POOLS_W-1:0] scheduler_divisor_q, scheduler_remainder_q;
    wire [2*F_STEPS-1:0] scheduler_dividend_q;
    wire [1:0] scheduler_from_block;
    wire [F_WORD_W-1:0] scheduler_from_left;
    wire credits_busy_q, credits_others_q, credits_same_q, credits_less_q;
    wire [F_CREDIT_STEP_W-1:0] credits_step_q;
    wire [KERNEL_W-1:0] credits_slot_q;
    wire [CLUSTER_W-1:0] credits_pool_q;
    wire [N_SM-1:0] credits_cores_q, credits_some_now, credits_above_now;
    wire [CTA_W-1:0] credits_ctas_q;
    wire [F_COUNT_W-1:0] credits_divisor_q, credits_remainder_q;
    wire [F_DIGIT_W*F_CREDIT_STEPS-1:0] credits_dividend_q;
    wire [N_KERNEL-1:0] credits_valid_q, credits_split_q;
    wire [N_SM*F_LOCAL_W-1:0] credits_local_now;
    wire [N_CLUSTER-1:0] credits_funds_now;
    wire [N_CLUSTER*(LEVEL_W+F_COUNT_W)-1:0] credits_global_now;
    wire [N_CLUSTER*LEVEL_W-1:0] credits_layers_now, credits_loose_now;
    assign {scheduler_whole, scheduler_ready_q, scheduler_busy_q, scheduler_step_q, scheduler_slot_q,
            scheduler_keep_q, scheduler_candidates_q, scheduler_candidates_d, scheduler_looked_q,
            scheduler_source_q, scheduler_lends_then, scheduler_emptying, scheduler_from_some,
            scheduler_from_more, scheduler_slot_sms, scheduler_split_q, scheduler_divisor_q,
            scheduler_dividend_q, scheduler_remainder_q, scheduler_pool_q, scheduler_pool_line_q,
            scheduler_split_now, scheduler_from_block, scheduler_from_left, scheduler_homeless_then} = f_scheduler;
    assign {credits_whole, credits_busy_q, credits_step_q, credits_slot_q, credits_pool_q, credits_others_q,
            credits_cores_q, credits_ctas_q, credits_same_q, credits_less_q, credits_divisor_q,
            credits_dividend_q, credits_remainder_q, credits_valid_q, credits_split_q, credits_local_now,
            credits_some_now, credits_above_now, credits_funds_now, credits_global_now, credits_layers_now,
            credits_loose_now} = f_claso;

    always @(posedge clk) begin
        if (f_started) begin
            a_views      : assert (scheduler_whole && credits_whole);

            // Who is looked at had room and no limiter against it.
            a_room       : assert ((scheduler_candidates_d & ~(room_i & limit_i)) == 0);

            // The credits have no reason to refuse.
            a_slot       : assert (!scheduler_busy_q || scheduler_slot_q < N_KERNEL);
            a_pool       : assert (scheduler_pool_q < N_CLUSTER);
            a_pool_line  : assert (scheduler_pool_line_q == F_CLUSTER_0 << scheduler_pool_q);
            a_sms        : assert (!scheduler_busy_q || scheduler_slot_sms != 0);
        end
    end

    // Bit s: the cluster of SM s is in the set.
    function [N_SM-1:0] sms_of;
        input [N_CLUSTER-1:0] set;
        integer k;
        for (k = 0; k < N_SM; k = k + 1) sms_of[k] = set[k / CLUSTER_SM];
    endfunction

    wire [2:0] f_block = 3'd1 << scheduler_from_block;

    // The last launch of the slot, and what its pools hold.
    wire                 f_launch, f_known, f_shared, f_dealing, f_ready, f_flags, f_stray;
    wire [N_SM-1:0]      f_set;
    wire [CTA_W-1:0]     f_grid, f_blocks;
    wire [N_CLUSTER-1:0] f_given, f_owns;
    wire [F_W-1:0]       f_sent, f_n_given, f_to_pass, f_left, f_left_passed;

    work_distributor_ghost #(
        .N_SM      (N_SM),
        .N_CLUSTER (N_CLUSTER),
        .N_KERNEL  (N_KERNEL),
        .CTA_W     (CTA_W),
        .W         (F_W)
    ) f_in_launch (.*);

    wire [F_W-1:0] f_fresh    = 2 * (F_STEPS - (scheduler_step_q - 1));  // bits not used
    wire [F_W-1:0] f_used     = 2 * (scheduler_step_q - 1);
    wire [F_W-1:0] f_dividend = scheduler_dividend_q;
    wire [F_W-1:0] f_quotient = f_dividend & ((1 << f_used) - 1);
    wire [F_W-1:0] f_total    = f_grid;

    // The watched pool: its blocks, and what its SMs have.
    localparam integer F_GLOBAL_W = LEVEL_W + F_COUNT_W;

    wire [CTA_W-1:0] f_pool_left = scheduler_from_left[f_pool*CTA_W +: CTA_W];
    wire [F_W-1:0]   f_remaining = ({{F_W{1'b0}}, f_pool_left} + f_block - 1)
                                   / f_block;
    wire             f_passed    = f_ready || (f_dealing && scheduler_pool_q > f_pool);

    // What follows holds as long as the slot's policy is the one launched, which the nets
    // show only while the slot is ready. That it is, cta_scheduler proves: a_rules.
    wire             f_agrees    = !f_ready || scheduler_split_now == scheduler_split_q;
    reg              f_differed;
    always @(posedge clk) f_differed <= !f_launch && !rst_i && (f_differed || !f_agrees);
    wire             f_sound     = f_agrees && !f_differed;
    wire             f_quotas    = f_passed && f_sound && credited_q[0] && f_given[f_pool]
                                   && f_pool_left != 0;
    wire             f_at_work   = credits_busy_q && credits_pool_q == f_pool;

    integer          f_k;
    reg  [N_SM-1:0]  f_sms;      // of the launch that draw on the pool
    reg  [N_SM-1:0]  f_members;  // SMs that may
    reg  [N_SM-1:0]  f_others;   // SMs of clusters whose credits are not being written
    reg  [F_W-1:0]   f_counted;  // SMs whose credits are made
    always @* begin
        f_counted = 0;
        for (f_k = 0; f_k < N_SM; f_k = f_k + 1) begin
            f_others[f_k]  = f_k / CLUSTER_SM != credits_pool_q;
            f_members[f_k] = !scheduler_split_q || f_k / CLUSTER_SM == f_pool;
            f_counted      = f_counted + credits_cores_q[f_k];
        end
        f_sms = f_members & scheduler_slot_sms;
    end

    wire [F_W-1:0]   f_global;
    wire [F_W-1:0]   f_free;     // credits above the band
    wire [F_W-1:0]   f_local;    // credits
    wire             f_only_sms; // others of the pool have none
    wire             f_marks;    // the flags of the pool's SMs are as their credits are
    wire [F_W-1:0]   f_usable = f_free + f_global;

    claso_ghost #(
        .N_CORE   (N_SM),
        .N_POOL   (N_CLUSTER),
        .LOCAL_W  (F_LOCAL_W),
        .LEVEL_W  (LEVEL_W),
        .GLOBAL_W (F_GLOBAL_W),
        .W        (F_W)
    ) f_in_credits (
        .local_i     (credits_local_now),
        .some_i      (credits_some_now),
        .above_i     (credits_above_now),
        .layers_i    (credits_layers_now),
        .loose_i     (credits_loose_now),
        .global_i    (credits_global_now),
        .funds_i     (credits_funds_now),
        .pool_i      (f_pool),
        .members_i   (f_members),
        .cores_i     (f_sms),
        .local_new_i ({F_W{1'b1}}),
        .in_band_i   ({F_W{1'b0}}),
        .credits_o   (),
        .global_o    (f_global),
        .band_o      (),
        .flags_o     (f_marks),
        .share_o     (f_only_sms),
        .left_o      (f_local),
        .free_o      (f_free),
        .used_o      (),
        .band_used_o ()
    );

    // The division of the credits, and what stands of it when it is done. With one pool the
    // credits keep no number of blocks beside it.
    wire [F_W-1:0]   f_to_share     = ((N_CLUSTER > 1) ? credits_ctas_q : f_blocks) - 1'b1;
    wire             f_credit_again = credits_same_q || credits_less_q;
    wire             f_credit_rest;
    wire             f_credit_division;
    wire [2*F_W-1:0] f_credit_whole;

    divide_ghost #(
        .WIDTH (F_DIGIT_W * F_CREDIT_STEPS),
        .W     (F_W)
    ) f_in_credit_division (
        .number_i    (f_to_share),
        .held_i      (credits_dividend_q),
        .remainder_i (credits_remainder_q),
        .divisor_i   (credits_divisor_q),
        .used_i      (F_DIGIT_W * (credits_step_q - 2)),
        .rest_o      (f_credit_rest),
        .division_o  (f_credit_division),
        .whole_o     (f_credit_whole)
    );

    wire [N_CLUSTER-1:0] f_draws
        = scheduler_from_some
          | {N_CLUSTER{(scheduler_from_some & scheduler_lends_then) != 0}};

    // A dispatch shows, or a candidate was seen, or is.
    wire f_moves = going || scheduler_candidates_q != 0 || scheduler_candidates_d != 0;
    wire f_open = (scheduler_slot_sms & ~(room_i & limit_i)) == 0;

    generate
        if (N_KERNEL == 1) begin : f_single
            always @(posedge clk) begin
                if (f_started) begin
                    // What the scheduler does, in its own registers.
                    a_slot_is    : assert (scheduler_slot_q == 0 && credits_slot_q == 0);
                    a_known      : assert (f_known == (f_ready || scheduler_busy_q)
                                           && !(f_ready && scheduler_busy_q));
                    a_idle       : assert (scheduler_busy_q || (scheduler_step_q == 0
                                           && scheduler_pool_q == 0));
                    a_step       : assert (scheduler_step_q <= F_STEPS + 1);
                    a_block      : assert (!f_known || scheduler_from_block != 3);
                    a_one_slot   : assert (scheduler_looked_q == 0 && from == 0);
                    a_has_sms    : assert (!f_known || scheduler_slot_sms != 0);
                    if (scheduler_busy_q && !scheduler_keep_q) begin
                        a_none_sent  : assert (f_sent == 0);
                        if (!f_dealing)
                            a_pool_first : assert (scheduler_pool_q == 0);
                        if (scheduler_step_q == 0)
                            a_loaded : assert (f_dividend == f_total
                                               && scheduler_remainder_q == 0);
                        if (scheduler_step_q != 0 && !f_dealing) begin
                            a_divisor  : assert (scheduler_divisor_q == f_n_given);
                            a_remainder: assert (scheduler_remainder_q < f_n_given);
                            a_rest     : assert (f_dividend >> f_used
                                                 == (f_total & ((1 << f_fresh) - 1)));
                            a_division : assert (f_total >> f_fresh
                                                 == f_quotient * f_n_given
                                                    + scheduler_remainder_q);
                        end
                        if (f_dealing) begin
                            a_extra  : assert (scheduler_remainder_q <= f_to_pass);
                            a_deal   : assert (f_left_passed + f_dividend * f_to_pass
                                               + scheduler_remainder_q == f_total);
                        end
                    end
                    if (scheduler_busy_q && scheduler_keep_q)
                        a_keep   : assert (f_dealing && f_dividend == 0
                                           && scheduler_remainder_q == 0);

                    if (dispatch_valid_o)
                        a_count   : assert (dispatch_count_o <= 4);
                    a_flags       : assert (f_flags);
                    if (f_ready)
                        a_seen    : assert ((scheduler_candidates_q & ~f_set) == 0);
                    a_on_its_way  : assert (!going || f_ready);
                    if (going && f_sound)
                        a_draws   : assert (scheduler_source_q < N_CLUSTER && to < N_SM
                                            && scheduler_from_some[scheduler_source_q]
                                            && dispatch_stolen
                                               == (scheduler_split_q
                                                   && scheduler_source_q != to / CLUSTER_SM)
                                            && (scheduler_split_q
                                                || scheduler_source_q == 0));
                    if (f_ready && f_sound && !scheduler_emptying)
                        a_serves  : assert ((scheduler_candidates_q & ~sms_of(f_draws)) == 0);

                    // To an SM that the kernel was launched for, stolen or not.
                    if (f_known)
                        a_set     : assert (f_set == scheduler_slot_sms);
                    if (dispatch_valid_o)
                        a_in_set  : assert (f_set[dispatch_sm_o]);

                    // No CTA of the grid is dispatched twice, and none beyond it.
                    if (f_ready || (scheduler_busy_q && scheduler_keep_q))
                        a_account : assert (f_left + f_sent == f_total);
                    if (f_known)
                        a_total   : assert (f_sent <= f_total);

                    // The credits know the blocks of the pool, and lack none for them.
                    a_vacant     : assert (!credits_busy_q || !credits_valid_q[0]);
                    a_credit_step: assert (credits_busy_q ? credits_step_q <= F_CREDIT_STEPS + 2
                                                             : credits_step_q == 0);
                    a_credit_none: assert (f_shared
                                           ? N_CLUSTER == 1 || credits_ctas_q != 0
                                           : (credits_ctas_q == 0 && !credits_busy_q
                                              && credits_divisor_q == 0));
                    if (N_CLUSTER == 1)
                        a_credit_fresh: assert (!f_credit_again && credits_step_q != 1
                                                && credits_ctas_q == 0);
                    if (N_CLUSTER == 1 && credits_busy_q && credits_step_q == 0)
                        a_credit_loaded: assert (credits_dividend_q == f_to_share
                                                 && credits_remainder_q == 0);
                    if (credits_busy_q)
                        a_credit_cores: assert (credits_cores_q != 0);
                    if (credits_busy_q && credits_step_q == 0 && f_credit_again)
                        a_credit_old  : assert (f_credit_whole
                                                == {{F_W{1'b0}}, f_to_share} + credits_less_q
                                                && credits_remainder_q
                                                   < credits_divisor_q
                                                && !(credits_same_q && credits_less_q));
                    if (credits_busy_q && credits_step_q != 0)
                        a_credit_divisor: assert (credits_divisor_q == f_counted);
                    if (credits_step_q > 1 && credits_step_q < F_CREDIT_STEPS + 2) begin
                        a_credit_remainder: assert (credits_remainder_q
                                                    < credits_divisor_q);
                        a_credit_rest     : assert (f_credit_rest);
                        a_credit_division : assert (f_credit_division);
                    end
                    if (credits_busy_q ? credits_step_q == F_CREDIT_STEPS + 2 : f_shared)
                        a_credit_whole    : assert (f_credit_whole == f_to_share
                                                    && credits_remainder_q
                                                       < credits_divisor_q);
                    if (credits_busy_q)
                        a_credit_pool: assert (credits_split_q[0]
                                               ? (credits_cores_q & f_others) == 0
                                               : credits_pool_q == 0 && !credits_others_q);
                    if (f_dealing && f_passed && f_given[f_pool] && f_pool_left != 0)
                        a_same   : assert (credited_q[0] == credits_wanted);
                    if (f_quotas) begin
                        a_split   : assert (credits_split_q[0] == scheduler_split_q
                                            && (scheduler_split_q || f_pool == 0));
                        a_blocks  : assert (f_remaining <= f_blocks);
                    end
                    if (f_quotas && f_at_work) begin
                        a_cores   : assert (credits_cores_q == f_sms
                                            && (N_CLUSTER == 1 || credits_ctas_q == f_blocks));
                    end
                    if (f_quotas && !f_at_work) begin
                        a_stands  : assert (credits_busy_q ? credits_others_q
                                                              : credits_valid_q[0]);
                        a_usable  : assert (f_usable >= f_remaining);
                        a_local   : assert (f_local >= f_remaining);
                        a_only    : assert (f_only_sms);
                        a_marks   : assert (f_marks);
                    end
                    if (f_known && f_sound && !scheduler_split_q)
                        a_one_pool: assert (!f_stray);
                    if (f_passed)
                        a_homeless: assert (scheduler_homeless_then[f_pool]
                                            == (scheduler_split_q && !f_given[f_pool]));

                    // No hang: with CTAs in the pool of a cluster that has SMs, and room
                    // and limit at the launch's SMs, there is a dispatch once the credits
                    // are written. So it is with CTAs in the pool of a cluster without
                    // SMs, unless all that have SMs have CTAs too.
                    if (f_ready && f_sound && f_open && !credits_busy_q
                        && f_given[f_pool] && f_pool_left != 0)
                        a_no_hang : assert (f_moves);
                    if (f_ready && f_sound && f_open && scheduler_split_q
                        && !f_given[f_pool] && f_pool_left != 0
                        && (f_given & ~f_owns) != 0)
                        a_homeless_no_hang : assert (f_moves);

                    // Reachable: all CTAs of a kernel with credits are dispatched; CTAs
                    // wait while the credits are made.
                    c_all_sent : cover (f_ready && credited_q[0] && f_total > 1
                                        && f_sent == f_total);
                    c_waiting  : cover (f_ready && f_open && f_left != 0
                                        && !dispatch_valid_o);
                end
            end
        end
    endgenerate

endmodule

`default_nettype wire
