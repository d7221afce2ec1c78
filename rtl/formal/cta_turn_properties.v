// cta_turn_properties - what is proved of the pointers of a slot of the CTA scheduler: they move as the policy says, and no
// SM waits for longer than the contract says. A part of cta_scheduler_properties, whose nets are its ports, under their
// names.

`default_nettype none

module cta_turn_properties #(
    parameter integer N_SM      = 15,
    parameter integer N_CLUSTER = 3,
    parameter integer N_KERNEL  = 4,
    parameter integer SM_W      = (N_SM > 1) ? $clog2(N_SM) : 1,
    parameter integer KERNEL_W  = (N_KERNEL > 1) ? $clog2(N_KERNEL) : 1,
    parameter integer W         = SM_W + 2,
    parameter integer N_SEAT    = (N_SM + N_CLUSTER - 1) / N_CLUSTER * N_CLUSTER
) (
    input wire clk, rst_i, launch_keep_i,
    // Registers and nets.
    input wire [N_SM-1:0] candidates_q, sm,
    input wire [KERNEL_W-1:0] looked_q,
    input wire pick,
    input wire [N_CLUSTER-1:0] called,
    // The slot that is watched, its words, and what cta_scheduler_properties knows of it.
    input wire [KERNEL_W-1:0] f_slot,
    input wire [N_SM-1:0] f_turns,
    input wire [N_CLUSTER-1:0] f_clusters,
    input wire [N_SEAT-1:0] f_seats,
    input wire f_started, f_held, f_known, f_working, f_launched, f_launch,
    input wire [1:0] f_policy,
    input wire [SM_W-1:0] f_sm
);

    localparam integer CLUSTER_SM = (N_SM + N_CLUSTER - 1) / N_CLUSTER;  // SMs of a cluster

    wire f_mine = !rst_i && pick && looked_q == f_slot;  // a pick for the watched slot

    // The slot's pointers, and how many of its picks may pass the watched SM over, one after the
    // other, while it is a candidate in each: fewer than f_bound.
    wire [W-1:0] f_turn, f_cluster_turn, f_rank, f_sm_cluster, f_sm_rank, f_sm_place, f_measure, f_bound;
    wire         f_behinds, f_nearest;

    cta_turn_ghost #(
        .N_SM      (N_SM),
        .N_CLUSTER (N_CLUSTER),
        .W         (W)
    ) f_in_turns (
        .policy_i       (f_policy),
        .turns_i        (f_turns),
        .clusters_i     (f_clusters),
        .seats_i        (f_seats),
        .candidates_i   (candidates_q),
        .sm_i           (f_sm),
        .turn_o         (f_turn),
        .cluster_turn_o (f_cluster_turn),
        .rank_o         (f_rank),
        .behinds_o      (f_behinds),
        .cluster_o      (f_sm_cluster),
        .seat_o         (f_sm_rank),
        .place_o        (f_sm_place),
        .nearest_o      (f_nearest),
        .measure_o      (f_measure),
        .bound_o        (f_bound)
    );

    wire [W-1:0] f_rank_then = (f_sm + 1 < N_SM) ? (f_sm_rank + 1) % CLUSTER_SM : 0;
    wire         f_chosen    = sm[f_sm];
    wire         f_apart     = f_policy == 2 && !called[f_sm_cluster];
    reg  [W-1:0] f_wait;  // so many did, since the launch
    always @(posedge clk) begin
        if (rst_i || (f_launch && !launch_keep_i)) begin
            f_wait <= 0;
        end else if (f_mine && !f_apart) begin
            f_wait <= (candidates_q[f_sm] && !f_chosen) ? f_wait + 1 : 0;
        end
    end

    always @(posedge clk) begin
        if (f_started) begin
            if (f_mine && f_chosen)
                a_turn     : assert (f_nearest && candidates_q[f_sm]);
            a_known_pick : assert (!f_mine || f_known);

            // Pointers: in range, 0 at first, moved by the slot's dispatches alone; and no SM
            // waits longer than the contract says.
            if (f_known) begin
                a_pointers : assert (f_behinds);
                if (f_launched)
                    a_patience : assert (f_wait < f_bound && f_wait + f_measure < f_bound);
            end
            a_known        : assert (!(f_launched || f_held || f_working) || f_known);
            if ($past(f_launch && !f_known))
                a_at_zero  : assert (f_turn == 0 && f_cluster_turn == 0 && f_rank == 0);
            if ($past(!rst_i && f_known))
                a_stays    : assert (f_known);
            if ($past(f_mine && f_chosen)) begin
                case ($past(f_policy))
                    0: a_turn_all     : assert (f_turn == (f_sm + 1) % N_SM);
                    1: a_turn_ranks   : assert (f_turn == (f_sm_place + 1) % N_SM);
                    2: a_rank_greedy  : assert (f_rank == f_rank_then);
                    3: a_turn_cluster : assert (f_rank == f_rank_then
                                                && f_cluster_turn
                                                   == (f_sm_cluster + 1) % N_CLUSTER);
                endcase
            end
            if ($past(!rst_i && f_known && !(f_mine && !f_policy[1])))
                a_turn_holds    : assert (f_turns == $past(f_turns));
            if ($past(!rst_i && f_known && !(f_mine && f_policy == 3)))
                a_cluster_holds : assert (f_clusters == $past(f_clusters));
            if ($past(!rst_i && f_known
                      && !(f_mine && f_policy[1] && called[f_sm_cluster])))
                a_rank_holds    : assert (f_rank == $past(f_rank));
        end
    end

    generate
        if (N_CLUSTER == 2 && N_KERNEL == 2) begin : f_small
            // The watched SM is passed over.
            always @(posedge clk) c_passed : cover (f_started && f_wait != 0);
        end
    endgenerate

endmodule

`default_nettype wire
