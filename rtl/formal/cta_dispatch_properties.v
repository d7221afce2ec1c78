// cta_dispatch_properties - what is proved of the dispatches of the CTA scheduler: who is a candidate, who is picked, which
// CTAs go, and that none is stranded. A part of cta_scheduler_properties, whose nets are its ports, under their names.

`default_nettype none

module cta_dispatch_properties #(
    parameter integer N_SM      = 15,
    parameter integer N_CLUSTER = 3,
    parameter integer N_KERNEL  = 4,
    parameter integer CTA_W     = 20,
    parameter integer SM_W      = (N_SM > 1) ? $clog2(N_SM) : 1,
    parameter integer CLUSTER_W = (N_CLUSTER > 1) ? $clog2(N_CLUSTER) : 1,
    parameter integer KERNEL_W  = (N_KERNEL > 1) ? $clog2(N_KERNEL) : 1,
    parameter integer W         = CTA_W + 2
) (
    input wire clk, rst_i, pool_valid_o, pool_ready_i, dispatch_valid_o, dispatch_stolen_o, dispatch_withdraw_i,
               dispatch_ready_i,
    input wire [KERNEL_W-1:0] launch_kernel_i, kernel_i, dispatch_kernel_o,
    input wire [N_CLUSTER-1:0] stolen_o,
    input wire [N_SM-1:0] room_i, limit_i,
    input wire [SM_W-1:0] dispatch_sm_o,
    input wire [CTA_W-1:0] dispatch_cta_o,
    input wire [2:0] dispatch_count_o,
    // Registers and nets.
    input wire [N_SM-1:0] candidates_q, to_q, candidates_d,
    input wire [KERNEL_W-1:0] looked_q, from_q,
    input wire going_q, launch, dealing, emptying, pick,
    input wire [CLUSTER_W-1:0] source_q,
    input wire [N_KERNEL-1:0] ready_q,
    // The slot that is watched, its words, and what cta_scheduler_properties knows of it.
    input wire [KERNEL_W-1:0] f_slot,
    input wire [CTA_W*N_CLUSTER-1:0] f_next, f_left,
    input wire [N_CLUSTER-1:0] f_some, f_more, f_people, f_own, f_lends,
    input wire f_started, f_held, f_launch, f_taken, f_shows, f_split, f_steal, f_found,
    input wire [1:0] f_block,
    input wire [SM_W-1:0] f_sm,
    input wire [CLUSTER_W-1:0] f_pool, f_cluster, f_source,
    input wire [N_SM-1:0] f_sms,
    input wire [W-1:0] f_size, f_cta_now, f_cta_end, f_n_cta, f_issued,
    input wire [W*(N_CLUSTER+1)-1:0] f_firsts
);

    localparam integer         CLUSTER_SM  = (N_SM + N_CLUSTER - 1) / N_CLUSTER;  // SMs of a cluster
    localparam [N_CLUSTER-1:0] F_CLUSTER_0 = 1;

    // CTAs of each pool that are not on their way.
    wire                       f_going = going_q && from_q == f_slot;
    reg  [CTA_W*N_CLUSTER-1:0] f_here;
    always @* begin
        f_here = f_left;
        if (f_going) f_here[source_q*CTA_W +: CTA_W] = f_left[source_q*CTA_W +: CTA_W]
                                                       - dispatch_count_o;
    end

    // Clusters that have a pool to draw on; and that of the watched one, less what is on its way.
    wire [N_CLUSTER-1:0] f_draws = f_own | {N_CLUSTER{(f_own & f_lends) != 0}};
    wire [CLUSTER_W-1:0] f_then;
    wire                 f_finds;

    cta_pools_ghost #(
        .N_CLUSTER (N_CLUSTER),
        .CTA_W     (CTA_W),
        .W         (W)
    ) f_in_here (
        .next_i    (f_next),
        .left_i    (f_here),
        .some_i    (f_some),
        .more_i    (f_more),
        .size_i    (f_size),
        .firsts_i  (f_firsts),
        .cluster_i (f_cluster),
        .lends_i   (f_lends),
        .split_i   (f_split),
        .tail_o    (),
        .full_o    (),
        .flags_o   (),
        .owns_o    (),
        .source_o  (f_then),
        .found_o   (f_finds)
    );

    wire [W-1:0] f_source_next = f_next[f_source*CTA_W +: CTA_W];
    wire [W-1:0] f_source_left = f_left[f_source*CTA_W +: CTA_W];
    wire [W-1:0] f_offer       = !f_found ? 0 : (f_size < f_source_left) ? f_size : f_source_left;

    // Bit s: the cluster of SM s is in the set.
    function [N_SM-1:0] f_sms_of;
        input [N_CLUSTER-1:0] set;
        integer k;
        for (k = 0; k < N_SM; k = k + 1) f_sms_of[k] = set[k / CLUSTER_SM];
    endfunction

    wire [W-1:0] f_dispatched = dispatch_sm_o / CLUSTER_SM;  // to this cluster

    always @(posedge clk) begin
        if (f_started) begin
            // Registers of the dispatch.
            a_going       : assert (dispatch_valid_o == (to_q != 0)
                                    && (to_q & (to_q - 1'b1)) == 0);
            if (dispatch_valid_o)
                a_exists  : assert (from_q < N_KERNEL && ready_q[from_q]
                                    && source_q < N_CLUSTER && to_q[dispatch_sm_o]
                                    && dispatch_sm_o < N_SM);
            else
                a_nothing : assert (dispatch_sm_o == 0 && dispatch_cta_o == 0
                                    && dispatch_count_o == 0 && dispatch_kernel_o == 0
                                    && !dispatch_stolen_o && source_q == 0);

            // A candidate had room and limit and was in the set when it was looked at, and no
            // block was on its way to it: no room is given twice.
            if (candidates_q[f_sm]) begin
                a_room    : assert ($past(!rst_i && room_i[f_sm] && limit_i[f_sm])
                                    && looked_q == $past(kernel_i));
                a_single  : assert (!$past(to_q[f_sm]) && !to_q[f_sm]);
            end
            if (f_held && looked_q == f_slot)
                a_set     : assert ((candidates_q & ~f_sms) == 0);
            if (to_q[f_sm] && $past(!to_q[f_sm] || dispatch_ready_i))
                a_picked  : assert ($past(candidates_q[f_sm] && !rst_i)
                                    && from_q == $past(looked_q));

            // A dispatch takes the next block of the pool that its cluster draws on.
            if (f_going) begin
                a_in_set  : assert (f_sms[dispatch_sm_o]);
                a_block   : assert (dispatch_count_o != 0 && dispatch_count_o <= f_size
                                    && f_cta_end <= f_n_cta);
                if (f_dispatched == f_cluster) begin
                    a_drawn  : assert (f_found && source_q == f_source);
                    a_source : assert (f_cta_now == f_source_next
                                       && dispatch_count_o == f_offer);
                    a_stolen : assert (dispatch_stolen_o
                                       == (f_split && f_source != f_cluster));
                end
            end
            if (looked_q == f_slot && f_held && !emptying)
                a_serves  : assert ((candidates_q & ~f_sms_of(f_draws)) == 0);
            if (kernel_i == f_slot && f_held)
                a_shows_stolen : assert (stolen_o[f_cluster]
                                         == (f_split && f_finds && f_then != f_cluster));
            if (kernel_i >= N_KERNEL || !ready_q[kernel_i])
                a_no_kernel : assert (stolen_o == 0 && candidates_d == 0);

            // It stays until it is taken or withdrawn, and goes then.
            if ($past(!rst_i && dispatch_valid_o && !dispatch_ready_i && !dispatch_withdraw_i
                      && !(launch && launch_kernel_i == from_q)))
                a_remains : assert (to_q == $past(to_q) && from_q == $past(from_q)
                                    && source_q == $past(source_q)
                                    && dispatch_cta_o == $past(dispatch_cta_o)
                                    && dispatch_count_o == $past(dispatch_count_o));

            // No CTA is stranded. While any is left that is not on its way, SMs of the launch
            // that have room and limit are candidates, but for those to which a block is on its
            // way, and with greedy clustering those behind it; candidates are picked in
            // the next cycle, unless one of four things happens.
            if (kernel_i == f_slot && f_held && f_here[f_pool*CTA_W +: CTA_W] != 0 && !going_q
                && !pick && (f_sms & ~(room_i & limit_i)) == 0) begin
                a_not_stranded : assert (candidates_d != 0);
                if (f_split && f_people[f_pool])
                    a_home     : assert ((candidates_d & f_sms_of(F_CLUSTER_0 << f_pool)) != 0);
            end
            if ($past(!rst_i && candidates_q != 0 && looked_q == f_slot && f_held
                      && (!going_q || dispatch_ready_i) && !f_launch
                      && !(f_going && f_here[source_q*CTA_W +: CTA_W] == 0)))
                a_goes         : assert (f_going && dispatch_valid_o);
        end
    end

    generate
        if (CTA_W == 2 && N_CLUSTER == 2 && N_KERNEL == 2) begin : f_small
            // What takes many cycles is shown where a proof is small. A grid goes to its
            // end, the last block short; a cluster's share is used up and it steals, or another
            // has lost its SMs and it adopts; one slot is dispatched while the pools of another
            // are being written.
            always @(posedge clk) if (f_started) begin
                c_all    : cover (f_held && f_left == 0 && f_n_cta == 3 && f_block == 1);
                c_steals : cover (f_taken && f_shows && dispatch_stolen_o && f_issued != 0
                                  && f_people[f_source] && f_dispatched == f_cluster);
                c_adopts : cover (f_taken && f_shows && dispatch_stolen_o && !f_steal
                                  && f_dispatched == f_cluster);
                c_both   : cover (f_taken && dealing && (!pool_valid_o || pool_ready_i));
            end
        end
    endgenerate

endmodule

`default_nettype wire
