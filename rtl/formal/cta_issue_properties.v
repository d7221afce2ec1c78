// cta_issue_properties - what is proved of looks, picks and dispatches of the CTA scheduler, by induction, for the sizes in
// tb/lib/cta_issue.cfg.
//
// Ports: those of cta_issue, and its registers, under their names. The words of the slots are any, but a slot has one
// policy, and the pool that a dispatch draws on has CTAs, and its marks are right. f_sm stands for any SM, f_cluster for any cluster, f_pool for any
// pool. Assertions are a_, covers c_, other proof-only names f_.

`default_nettype none

module cta_issue_properties #(
    parameter integer N_SM      = 15,
    parameter integer N_CLUSTER = 3,
    parameter integer N_KERNEL  = 4,
    parameter integer CTA_W     = 20,
    parameter integer SM_W      = (N_SM > 1) ? $clog2(N_SM) : 1,
    parameter integer CLUSTER_W = (N_CLUSTER > 1) ? $clog2(N_CLUSTER) : 1,
    parameter integer KERNEL_W  = (N_KERNEL > 1) ? $clog2(N_KERNEL) : 1,
    parameter integer N_SEAT    = (N_SM + N_CLUSTER - 1) / N_CLUSTER * N_CLUSTER
) (
    input wire clk, rst_i, launch_i, steal_i, looked_steal_i, pick_o, dispatch_withdraw_i, dispatch_ready_i, dispatch_o,
               last_o, going_o, stolen_o,
    input wire [N_KERNEL-1:0] ready_i,
    input wire [KERNEL_W-1:0] launch_kernel_i, kernel_i, looked_o, from_o,
    input wire [1:0] policy_i, looked_policy_i, from_block_i,
    input wire [N_SM-1:0] sms_i, room_i, limit_i, seen_o, looked_turn_i, sm_o, turn_o, candidates_o, to_o,
    input wire [N_CLUSTER-1:0] some_i, homeless_i, other_o, looked_some_i, looked_homeless_i, looked_cluster_turn_i,
                               cluster_o, cluster_turn_o, from_some_i, from_more_i, some_o, more_o,
    input wire [N_SEAT-1:0] looked_rank_i, rank_o,
    input wire [N_CLUSTER*CTA_W-1:0] from_next_i, from_left_i, next_o, left_o,
    input wire [SM_W-1:0] dispatch_sm_o,
    input wire [CTA_W-1:0] dispatch_cta_o,
    input wire [2:0] dispatch_count_o,
    input wire [CLUSTER_W-1:0] source_o,
    // Registers.
    input wire [N_SM-1:0] candidates_q, to_q,
    input wire [KERNEL_W-1:0] looked_q, from_q,
    input wire going_q, stolen_q,
    input wire [CLUSTER_W-1:0] source_q
);

    localparam integer CLUSTER_SM  = (N_SM + N_CLUSTER - 1) / N_CLUSTER;  // SMs of a cluster
    localparam integer F_W         = CTA_W + 4;
    localparam [1:0]   GREEDY      = 2'd2;
    localparam [1:0]   DISTRIBUTED = 2'd3;

    reg f_started = 1'b0;  // at least one rising edge has passed
    always @(posedge clk) f_started <= 1'b1;

    (* anyconst *) reg [SM_W-1:0]      f_sm;
    (* anyconst *) reg [CLUSTER_W-1:0] f_cluster;
    (* anyconst *) reg [CLUSTER_W-1:0] f_pool;

    // The pool that is drawn on.
    wire [F_W-1:0] f_block = 1 << from_block_i;
    wire [F_W-1:0] f_next  = from_next_i[source_q*CTA_W +: CTA_W];
    wire [F_W-1:0] f_left  = from_left_i[source_q*CTA_W +: CTA_W];
    wire [F_W-1:0] f_count = (f_left < f_block) ? f_left : f_block;

    // Environment: reset first; what is watched exists.
    always @* begin
        if (!f_started) assume (rst_i);
        assume (f_sm < N_SM && f_cluster < N_CLUSTER && f_pool < N_CLUSTER);
        assume (from_block_i != 3);
        if (kernel_i == looked_q) assume (policy_i == looked_policy_i);
        if (going_q)
            assume (f_left != 0 && from_some_i[source_q] && from_more_i[source_q] == (f_left > f_block)
                    && f_next + f_left < 1 << CTA_W);
    end

    // Of a slot without a kernel nothing is seen or picked.
    wire f_asked = kernel_i < N_KERNEL && ready_i[kernel_i];
    wire f_held  = looked_q < N_KERNEL && ready_i[looked_q];

    // The pools of the slot that is looked at, less one that is emptied; who has one to draw on.
    wire                 f_emptied = going_q && f_left <= f_block;
    wire [N_CLUSTER-1:0] f_gone    = (f_emptied && from_q == kernel_i) ? 1 << source_q : 0;
    wire [N_CLUSTER-1:0] f_has     = some_i & ~f_gone;
    wire [N_CLUSTER-1:0] f_lends   = f_has & (homeless_i | {N_CLUSTER{steal_i || policy_i != DISTRIBUTED}});
    wire [N_CLUSTER-1:0] f_looked_lends
        = looked_some_i & (looked_homeless_i | {N_CLUSTER{looked_steal_i}});

    // With greedy clustering, a block is on its way to a cluster before that of the watched SM.
    reg     f_before;
    integer f_k;
    always @* begin
        f_before = 1'b0;
        for (f_k = 0; f_k < N_SM; f_k = f_k + 1)
            if (f_k / CLUSTER_SM < f_sm / CLUSTER_SM
                && ((to_q[f_k] && from_q == kernel_i) || (pick_o && sm_o[f_k] && looked_q == kernel_i))) f_before = 1'b1;
    end

    wire f_waits = going_q && !dispatch_ready_i && !dispatch_withdraw_i;

    always @(posedge clk) begin
        if (f_started) begin
            a_outputs : assert (candidates_o == candidates_q && looked_o == looked_q && going_o == going_q && to_o == to_q
                                && from_o == from_q && source_o == source_q && stolen_o == stolen_q);

            // Look: a candidate has room, limit, a pool, and no block on its way to it.
            a_seen    : assert (seen_o[f_sm]
                                == (f_asked && sms_i[f_sm] && room_i[f_sm] && limit_i[f_sm] && !to_q[f_sm]
                                    && !(pick_o && sm_o[f_sm]) && (f_has[f_sm / CLUSTER_SM] || f_lends != 0)
                                    && !(policy_i == GREEDY && f_before)));
            a_other   : assert (other_o[f_cluster] == (f_asked && policy_i == DISTRIBUTED && !f_has[f_cluster]
                                                       && f_lends != 0));
            a_looked  : assert (candidates_q == ($past(rst_i) ? 0 : $past(seen_o))
                                && looked_q == ($past(rst_i) ? 0 : $past(kernel_i)));

            // Pick: one of them, unless one of four things stops it.
            a_pick    : assert (pick_o == (candidates_q != 0 && f_held && !f_waits
                                           && !(launch_i && launch_kernel_i == looked_q)
                                           && !(f_emptied && from_q == looked_q)));
            if (pick_o)
                a_one : assert (sm_o != 0 && (sm_o & (sm_o - 1'b1)) == 0 && (sm_o & ~candidates_q) == 0);
            if ($past(!rst_i && pick_o)) begin
                a_picked : assert (going_q && to_q == $past(sm_o) && from_q == $past(looked_q));
                if ($past(looked_policy_i != DISTRIBUTED))
                    a_whole  : assert (source_q == 0 && !stolen_q);
                if ($past(looked_policy_i == DISTRIBUTED && cluster_o[f_cluster])) begin
                    a_stolen : assert (stolen_q == !$past(looked_some_i[f_cluster]));
                    if (!stolen_q)
                        a_own  : assert (source_q == f_cluster);
                    else if ($past(f_looked_lends != 0) && source_q == f_pool)
                        a_lent : assert ($past(f_looked_lends[f_pool]));
                end
            end

            // Dispatch: it stays until it is taken or withdrawn, or its slot is launched.
            a_going   : assert (going_q == (to_q != 0) && (to_q & (to_q - 1'b1)) == 0 && source_q < N_CLUSTER);
            if ($past(!rst_i && f_waits && !(launch_i && launch_kernel_i == from_q)))
                a_stays : assert (going_q && to_q == $past(to_q) && from_q == $past(from_q)
                                  && source_q == $past(source_q) && stolen_q == $past(stolen_q));
            else if ($past(rst_i || !pick_o))
                a_gone  : assert (!going_q && from_q == 0 && source_q == 0 && !stolen_q);
            a_taken   : assert (dispatch_o == (going_q && dispatch_ready_i && !dispatch_withdraw_i));
            if (going_q)
                a_block : assert (to_q[dispatch_sm_o] && dispatch_cta_o == f_next && dispatch_count_o == f_count
                                  && last_o == (f_left <= f_block));
            else
                a_none  : assert (dispatch_sm_o == 0 && dispatch_cta_o == 0 && dispatch_count_o == 0);

            // The words after it.
            if (going_q && source_q == f_pool)
                a_drawn : assert (next_o[f_pool*CTA_W +: CTA_W] == f_next + f_count
                                  && left_o[f_pool*CTA_W +: CTA_W] == f_left - f_count
                                  && some_o[f_pool] == (f_left != f_count)
                                  && more_o[f_pool] == (f_left - f_count > f_block));
            else if (going_q)
                a_apart : assert (next_o[f_pool*CTA_W +: CTA_W] == from_next_i[f_pool*CTA_W +: CTA_W]
                                  && left_o[f_pool*CTA_W +: CTA_W] == from_left_i[f_pool*CTA_W +: CTA_W]
                                  && some_o[f_pool] == from_some_i[f_pool] && more_o[f_pool] == from_more_i[f_pool]);

            c_taken  : cover (dispatch_o && last_o && $past(f_waits));
            c_lent   : cover (N_CLUSTER == 1 || (dispatch_o && stolen_q && source_q == f_pool));
            c_behind : cover (N_CLUSTER == 1 || N_SM < N_CLUSTER
                              || (f_asked && policy_i == GREEDY && f_before && sms_i[f_sm] && room_i[f_sm] && limit_i[f_sm]));
        end
    end

endmodule

`default_nettype wire
