// claso_divide_properties - what is proved of a launch of CLASO under way, in its proof and in that of claso_launch: which
// step it is at, and that what is divided so far is right.
//
// Ports: registers of claso_launch, under their names, and f_in_launches of claso_launch_ghost, under theirs. f_slot stands
// for any slot, f_pool for any pool.

`default_nettype none

module claso_divide_properties #(
    parameter integer N_CORE   = 15,
    parameter integer N_POOL   = 1,
    parameter integer N_KERNEL = 4,
    parameter integer CTA_W    = 20,
    parameter integer LEVEL_W  = 4,
    parameter integer KERNEL_W = (N_KERNEL > 1) ? $clog2(N_KERNEL) : 1,
    parameter integer POOL_W   = (N_POOL > 1) ? $clog2(N_POOL) : 1,
    parameter integer COUNT_W  = $clog2(N_CORE + 1),
    parameter integer DIGIT_W  = (N_POOL > 1) ? 2 : 1,
    parameter integer N_STEP   = (CTA_W + DIGIT_W - 1) / DIGIT_W,
    parameter integer STEP_W   = $clog2(N_STEP + 3),
    parameter integer F_W      = CTA_W + 8
) (
    input wire clk, rst_i, f_started, launch_ready_o, launch_error_o,
    // Registers.
    input wire [N_KERNEL-1:0] valid_q, split_q,
    input wire busy_q, others_q, same_q, less_q, allocated,
    input wire [STEP_W-1:0] step_q,
    input wire [KERNEL_W-1:0] slot_q,
    input wire [POOL_W-1:0] pool_q,
    input wire [N_CORE-1:0] cores_q,
    input wire [CTA_W-1:0] ctas_q,
    input wire [COUNT_W-1:0] divisor_q, remainder_q,
    input wire [DIGIT_W*N_STEP-1:0] dividend_q,
    // The launches.
    input wire [KERNEL_W-1:0] f_slot,
    input wire [POOL_W-1:0] f_pool,
    input wire [N_CORE-1:0] f_pool_cores, f_members, f_cores,
    input wire f_launch_now, f_launch_bad, f_recounted, f_known, f_launched, f_split, f_group_last, f_held, f_group,
    input wire [F_W-1:0] f_last_n_core, f_age, f_latency,
    input wire [CTA_W-1:0] f_last_ctas, f_ctas,
    input wire [LEVEL_W-1:0] f_active
);

    localparam integer COUNT = 0;  // steps of a launch
    localparam integer LOAD  = 1;
    localparam integer WRITE = N_STEP + 2;
    localparam         POOLS = N_POOL > 1;  // so a launch may be known
    localparam [N_KERNEL-1:0] SLOT_0 = 1;

    wire                fresh     = !same_q && !less_q;
    wire [N_KERNEL-1:0] allocates = {N_KERNEL{allocated}} & (SLOT_0 << slot_q);

    // The division so far, for the watched group.
    wire             f_working   = busy_q && slot_q == f_slot;
    wire [F_W-1:0]   f_dividend  = f_last_ctas - 1'b1;
    wire             f_rest;
    wire             f_division;
    wire [2*F_W-1:0] f_whole;  // what stands of one that is done

    divide_ghost #(
        .WIDTH (DIGIT_W * N_STEP),
        .W     (F_W)
    ) f_in_division (
        .number_i    (f_dividend),
        .held_i      (dividend_q),
        .remainder_i (remainder_q),
        .divisor_i   (divisor_q),
        .used_i      (DIGIT_W * (step_q - 2)),
        .rest_o      (f_rest),
        .division_o  (f_division),
        .whole_o     (f_whole)
    );

    // The cores that are counted.
    reg     [F_W-1:0] f_counted;
    integer           f_d;
    always @* begin
        f_counted = 0;
        for (f_d = 0; f_d < N_CORE; f_d = f_d + 1) f_counted = f_counted + cores_q[f_d];
    end

    always @(posedge clk) begin
        if (f_started) begin
            // What it does is a matter of time alone.
            a_idle_step    : assert (busy_q || step_q == COUNT);
            a_step_range   : assert (step_q <= WRITE && (POOLS || step_q != LOAD));
            a_slot_exists  : assert (!busy_q || slot_q < N_KERNEL);
            a_pool_exists  : assert (pool_q < N_POOL);
            a_vacant       : assert (!busy_q || !valid_q[slot_q]);
            a_working      : assert (f_working == (f_launched && f_age < f_latency));
            a_latency      : assert (valid_q[f_slot] == f_held);
            if (f_launched)
                a_launched : assert (f_age != 0 && f_age <= f_latency
                                     && split_q[f_slot] == f_split);
            if (f_group)
                a_group    : assert (f_launched && (f_split || f_pool == 0) && f_ctas != 0
                                     && f_cores != 0 && (f_cores & ~f_members) == 0
                                     && f_active != 0);
            if (f_launched && f_group_last)
                a_group_last : assert (f_group);

            // Its operands are those of the launch, and of a division at every step the bits
            // used are quotient * divisor + remainder.
            if (f_working) begin
                a_step     : assert (step_q == (f_age == 1 ? COUNT : f_known ? WRITE
                                                : f_recounted ? f_age - 1 : f_age));
                a_known    : assert (f_latency == (f_known ? 3 : 3 + f_recounted + N_STEP)
                                     && !(f_known && f_recounted));
                a_pool     : assert ((pool_q == f_pool) == f_group_last
                                     && (f_split || (pool_q == 0 && !others_q)));
            end
            if (f_working && f_group_last)
                a_operands : assert (cores_q == f_cores && f_last_ctas == f_ctas);
            if (f_working && !f_group_last)
                a_others   : assert ((cores_q & f_pool_cores) == 0 || !f_split);
            if (f_working && f_group && !f_group_last)
                a_keeps    : assert (others_q);
            a_last         : assert (ctas_q == (POOLS ? f_last_ctas : 0)
                                     && (f_last_ctas != 0) == (f_last_n_core != 0)
                                     && (POOLS || !(same_q || less_q || f_known || f_recounted)));
            if (f_launched && !f_split)
                a_whole    : assert (f_group == (f_pool == 0) && f_group_last == f_group);
            if (f_last_n_core == 0)
                a_none     : assert (!busy_q && divisor_q == 0);
            if (busy_q)
                a_counted  : assert (f_counted == f_last_n_core && f_counted != 0);
            if (busy_q && step_q == COUNT && !POOLS) begin
                a_loaded   : assert (dividend_q == f_dividend && remainder_q == 0);
            end else if (busy_q && step_q == COUNT) begin
                a_is_known : assert (f_known == (f_counted == divisor_q && !fresh)
                                     && f_recounted == (f_counted != divisor_q && !fresh));
                if (divisor_q != 0 && same_q)
                    a_same : assert (!less_q && f_whole == f_dividend);
                if (divisor_q != 0 && less_q)
                    a_less : assert (f_whole == f_dividend + 1);
                if (divisor_q != 0)
                    a_old  : assert (remainder_q < divisor_q);
            end else begin
                a_divisor  : assert (divisor_q == f_last_n_core);
                if (step_q != LOAD && f_last_n_core != 0)
                    a_remainder: assert (remainder_q < divisor_q);
                if (busy_q && step_q > LOAD && step_q < WRITE) begin
                    a_rest     : assert (f_rest);
                    a_division : assert (f_division);
                end
                if (f_last_n_core != 0 && (!busy_q || step_q == WRITE))
                    a_quotient : assert (f_whole == f_dividend);
            end

            // A refusal is flagged, and changes nothing else.
            a_ready         : assert (launch_ready_o == (!busy_q || allocated));
            a_launch_error  : assert (launch_error_o == $past(f_launch_now && f_launch_bad));
            if ($past(f_launch_now && f_launch_bad))
                a_refused : assert (!busy_q && ctas_q == $past(ctas_q)
                                    && valid_q == ($past(valid_q) | $past(allocates))
                                    && divisor_q == $past(divisor_q)
                                    && dividend_q == $past(dividend_q)
                                    && remainder_q == $past(remainder_q));
            if ($past(!rst_i && !(f_launch_now && !f_launch_bad)))
                a_hold    : assert (slot_q == $past(slot_q) && pool_q == $past(pool_q)
                                    && others_q == $past(others_q) && split_q == $past(split_q)
                                    && cores_q == $past(cores_q));
            if ($past(rst_i))
                a_reset   : assert (!busy_q && valid_q == 0 && split_q == 0 && step_q == COUNT
                                    && slot_q == 0 && pool_q == 0 && !others_q
                                    && cores_q == 0 && ctas_q == 0 && !same_q && !less_q
                                    && divisor_q == 0 && dividend_q == 0 && remainder_q == 0
                                    && !launch_error_o);
        end
    end

endmodule

`default_nettype wire
