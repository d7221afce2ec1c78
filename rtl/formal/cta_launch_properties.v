// cta_launch_properties - what is proved of a launch of the CTA scheduler, by induction, for the sizes in
// tb/lib/cta_launch.cfg.
//
// Ports: those of cta_launch, and its registers, under their names. What a launch was given is kept beside the design, and
// its pools are held against the formulas, with / and % (cta_grid_ghost). The words of the slot are those of the launch,
// and stay as they are if it keeps them. f_slot stands for any slot, f_pool for any pool. Assertions are a_, covers c_,
// other proof-only names f_.

`default_nettype none

module cta_launch_properties #(
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
    input wire clk, rst_i, launch_valid_i, launch_keep_i, launch_ready_o, launch_error_o, launch_o, anew_o,
               pool_valid_o, pool_split_o, pool_ready_i, deal_o,
               busy_o, keep_o, split_o,
    input wire [KERNEL_W-1:0] launch_kernel_i, pool_kernel_o, slot_o,
    input wire [CTA_W-1:0] launch_ctas_i, pool_blocks_o, first_o,
    input wire [N_SM-1:0] launch_sms_i, sms_i, pool_sms_o,
    input wire [1:0] launch_policy_i, launch_block_i, kept_policy_i, block_i,
    input wire [N_CLUSTER*CTA_W-1:0] next_i, left_i, next_o, left_o,
    input wire [N_CLUSTER-1:0] some_i, more_i, homeless_i, some_o, more_o, homeless_o,
    input wire [CLUSTER_W-1:0] pool_number_o, pool_o,
    input wire [N_KERNEL-1:0] ready_o, known_o,
    input wire [STEP_W-1:0] step_o,
    input wire [COUNT_W-1:0] divisor_o, remainder_o,
    input wire [2*N_STEP-1:0] dividend_o,
    input wire [N_CLUSTER-1:0] pool_line_o,
    // Registers and nets.
    input wire [N_KERNEL-1:0] ready_q, known_q,
    input wire busy_q, keep_q, split_q,
    input wire [STEP_W-1:0] step_q,
    input wire [KERNEL_W-1:0] slot_q,
    input wire [COUNT_W-1:0] divisor_q, remainder_q,
    input wire [2*N_STEP-1:0] dividend_q,
    input wire [CLUSTER_W-1:0] pool_q,
    input wire [N_CLUSTER-1:0] pool_line_q,
    input wire [CTA_W-1:0] first_q
);

    localparam integer         COUNT     = 0;           // steps of a launch
    localparam integer         POOLS     = N_STEP + 1;
    localparam [N_CLUSTER-1:0] CLUSTER_0 = 1;

    localparam integer F_LARGER = (CTA_W > CLUSTER_W) ? CTA_W : CLUSTER_W;
    localparam integer F_W      = F_LARGER + 2;  // holds any sum
    localparam integer F_FIRST  = 2 + N_STEP;    // cycles from a launch to its first pool

    reg f_started = 1'b0;  // at least one rising edge has passed
    always @(posedge clk) f_started <= 1'b1;

    (* anyconst *) reg [KERNEL_W-1:0]  f_slot;
    (* anyconst *) reg [CLUSTER_W-1:0] f_pool;
    wire [N_CLUSTER*CTA_W-1:0] f_word     = {CTA_W{1'b1}} << (CTA_W * f_pool);
    wire [CTA_W-1:0]           f_new_next = next_o[CTA_W*pool_q +: CTA_W];
    wire [CTA_W-1:0]           f_new_left = left_o[CTA_W*pool_q +: CTA_W];

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
        assume (f_slot < N_KERNEL && f_pool < N_CLUSTER);
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
                a_dealt   : assert (f_new_next == f_next && f_new_left == f_left
                                    && some_o[pool_q] == (f_left != 0)
                                    && more_o[pool_q] == (f_left > f_size)
                                    && homeless_o[pool_q] == (f_split && !f_people[pool_q]));
            if (f_pool != pool_q)
                a_others  : assert (((next_o ^ next_i) & f_word) == 0 && ((left_o ^ left_i) & f_word) == 0
                                    && some_o[f_pool] == some_i[f_pool] && more_o[f_pool] == more_i[f_pool]
                                    && homeless_o[f_pool] == homeless_i[f_pool]);
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
                                    && f_new_left == $past(f_new_left));
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

endmodule

`default_nettype wire
