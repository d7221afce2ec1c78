// work_distributor_properties - what is proved of the work distributor, without a bound by induction, for the sizes in
// tb/units/work_distributor; of its parts together in work_distributor_parts_properties.
//
// Ports: those of the module, and nets of it, under their names; f_scheduler and f_claso are what its parts hold.
// Assertions are a_, covers c_, other proof-only names f_.

`default_nettype none

module work_distributor_properties #(
    parameter integer N_SM      = 15,
    parameter integer N_CLUSTER = 3,
    parameter integer N_KERNEL  = 4,
    parameter integer CTA_W     = 20,
    parameter integer LEVEL_W   = 4,
    parameter integer SM_W      = (N_SM > 1) ? $clog2(N_SM) : 1,
    parameter integer KERNEL_W  = (N_KERNEL > 1) ? $clog2(N_KERNEL) : 1,
    parameter integer CLUSTER_W = (N_CLUSTER > 1) ? $clog2(N_CLUSTER) : 1
) (
    input wire clk, rst_i, launch_valid_i, launch_keep_i, launch_ready_o, dispatch_valid_o, dispatch_ready_i,
               credit_error_o,
    input wire [KERNEL_W-1:0] launch_kernel_i, kernel_i, dispatch_kernel_o,
    input wire [CTA_W-1:0] launch_ctas_i, dispatch_cta_o,
    input wire [N_SM-1:0] launch_sms_i, room_i, limit_i,
    input wire [1:0] launch_block_i,
    input wire [LEVEL_W-1:0] launch_active_i, launch_loose_i,
    input wire [SM_W-1:0] dispatch_sm_o,
    input wire [2:0] dispatch_count_o,
    // Registers and nets.
    input wire [N_KERNEL-1:0] credited_q,
    input wire [LEVEL_W-1:0] active_q, loose_q,
    input wire credits_wanted, pool_valid, pool_ready, going, dispatch_stolen, consume, credit,
    input wire [KERNEL_W-1:0] pool_kernel, from,
    input wire [CLUSTER_W-1:0] pool_number,
    input wire [CTA_W-1:0] pool_blocks,
    input wire [SM_W-1:0] to,
    input wire [N_SM-1:0] unused_to_line,
    input wire [1023:0] f_scheduler, f_claso
);

    reg f_started = 1'b0;  // at least one rising edge has passed
    always @(posedge clk) f_started <= 1'b1;

    // Environment: reset first; one slot is named.
    always @* begin
        if (!f_started) assume (rst_i);
        if (N_KERNEL == 1) assume (kernel_i == 0);
    end

    wire f_dispatch = !rst_i && dispatch_valid_o && dispatch_ready_i;
    wire f_paid     = !rst_i && consume;
    wire f_shown    = pool_valid && pool_ready && credits_wanted;
    wire f_stolen   = dispatch_stolen;
    wire f_credited = credited_q[dispatch_kernel_o];

    // What is proved of the parts together.
    work_distributor_parts_properties #(
        .N_SM      (N_SM),
        .N_CLUSTER (N_CLUSTER),
        .N_KERNEL  (N_KERNEL),
        .CTA_W     (CTA_W),
        .LEVEL_W   (LEVEL_W)
    ) f_parts (.*);

    always @(posedge clk) begin
        if (f_started) begin
            // A dispatch goes where there is room, no limiter is against it, and a credit
            // unless none is needed; it pays one exactly then.
            a_single     : assert ((unused_to_line & (unused_to_line - 1'b1)) == 0
                                   && going == (unused_to_line != 0) && (!going || from < N_KERNEL));
            if (dispatch_valid_o) begin
                a_exists : assert (dispatch_kernel_o < N_KERNEL && dispatch_sm_o < N_SM);
                a_credit : assert (!f_credited || f_stolen || credit);
            end else begin
                a_quiet  : assert (dispatch_sm_o == 0 && dispatch_cta_o == 0
                                   && dispatch_count_o == 0 && dispatch_kernel_o == 0);
            end
            a_pays       : assert (f_paid == (f_dispatch && f_credited && !f_stolen));

            // The credits have no reason to refuse.
            a_no_error   : assert (!credit_error_o);

            // Registers.
            if ($past(rst_i))
                a_reset  : assert (credited_q == 0 && active_q == 0 && loose_q == 0);
            if (!$past(rst_i)) begin
                if ($past(launch_valid_i && launch_ready_o)) begin
                    a_levels      : assert (active_q == $past(launch_active_i)
                                            && loose_q == $past(launch_loose_i));
                end else begin
                    a_levels_hold : assert (active_q == $past(active_q)
                                            && loose_q == $past(loose_q));
                end
                if ($past(pool_valid))
                    a_credited    : assert (credited_q[$past(pool_kernel)]
                                            == ($past(active_q) != 0));
                if (!$past(pool_valid))
                    a_credited_hold : assert (credited_q == $past(credited_q));
            end

            c_paid  : cover (f_paid);
            c_waits : cover (pool_valid && !pool_ready);
        end
    end

    generate
        if (N_CLUSTER > 1 && N_SM > 1) begin : f_clusters
            always @(posedge clk)
                c_stolen : cover (f_started && f_dispatch && f_credited && f_stolen);
        end
    endgenerate

endmodule

`default_nettype wire
