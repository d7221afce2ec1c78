// claso_launch_properties - what is proved of a launch of CLASO, by induction, for the sizes in tb/lib/claso_launch.cfg; of
// its steps in claso_divide_properties.
//
// Ports: those of claso_launch, and its registers, under their names. What a launch was given is kept beside the design
// (claso_launch_ghost), so that the credits are held against the paper's formulas, with / and %. The levels of the slot are
// those of the launch. f_slot stands for any slot, f_pool for any pool. Assertions are a_, covers c_, other proof-only
// names f_.

`default_nettype none

module claso_launch_properties #(
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
    input wire clk, rst_i, launch_valid_i, launch_split_i, launch_ready_o, launch_error_o, launch_o, allocated_o,
               above_o, busy_o, others_o, same_o, less_o,
    input wire [KERNEL_W-1:0] launch_kernel_i, slot_o,
    input wire [CTA_W-1:0] launch_ctas_i, ctas_o,
    input wire [POOL_W-1:0] launch_pool_i, pool_o,
    input wire [N_CORE-1:0] launch_cores_i, kept_o, cores_o,
    input wire [LEVEL_W-1:0] launch_active_i,
    input wire [N_POOL-1:0] launch_line_o, pool_line_o,
    input wire [N_POOL*LEVEL_W-1:0] layers_i,
    input wire [LOCAL_W-1:0] local_o,
    input wire [LEVEL_W+COUNT_W-1:0] global_o,
    input wire [N_KERNEL-1:0] valid_o, split_o,
    input wire [STEP_W-1:0] step_o,
    input wire [COUNT_W-1:0] divisor_o, remainder_o,
    input wire [DIGIT_W*N_STEP-1:0] dividend_o,
    // Registers and nets.
    input wire [N_KERNEL-1:0] valid_q, split_q,
    input wire busy_q, others_q, same_q, less_q, allocated,
    input wire [STEP_W-1:0] step_q,
    input wire [KERNEL_W-1:0] slot_q,
    input wire [POOL_W-1:0] pool_q,
    input wire [N_CORE-1:0] cores_q,
    input wire [CTA_W-1:0] ctas_q,
    input wire [COUNT_W-1:0] divisor_q, remainder_q,
    input wire [DIGIT_W*N_STEP-1:0] dividend_q
);

    localparam integer F_W = COUNT_W + LOCAL_W + 2;  // holds any sum of credits
    localparam integer F_CORE_W = (N_CORE > 1) ? $clog2(N_CORE) : 1;
    localparam [N_POOL-1:0] POOL_0 = 1;

    reg f_started = 1'b0;  // at least one rising edge has passed
    always @(posedge clk) f_started <= 1'b1;

    (* anyconst *) reg [KERNEL_W-1:0] f_slot;
    (* anyconst *) reg [POOL_W-1:0]   f_pool;

    wire [N_CORE-1:0]  f_pool_cores, f_members, f_cores;
    wire               f_launch_now, f_launch_bad, f_launch, f_group_now, f_recounted, f_known, f_launched, f_split,
                       f_group_last, f_held, f_group;
    wire [F_W-1:0]     f_last_n_core, f_age, f_latency;
    wire [CTA_W-1:0]   f_last_ctas, f_ctas;
    wire [LEVEL_W-1:0] f_active;

    claso_launch_ghost #(
        .N_CORE   (N_CORE),
        .N_POOL   (N_POOL),
        .N_KERNEL (N_KERNEL),
        .CTA_W    (CTA_W),
        .LEVEL_W  (LEVEL_W),
        .W        (F_W)
    ) f_in_launches (
        .launch_loose_i    ({LEVEL_W{1'b0}}),
        .consume_valid_i   (1'b0),
        .consume_allowed_o (1'b0),
        .consume_kernel_i  ({KERNEL_W{1'b0}}),
        .consume_core_i    ({F_CORE_W{1'b0}}),
        .f_core            ({F_CORE_W{1'b0}}),
        .f_core_block      (),
        .f_block           (),
        .f_loose           (),
        .f_issued          (),
        .f_core_issued     (),
        .*
    );

    claso_divide_properties #(
        .N_CORE   (N_CORE),
        .N_POOL   (N_POOL),
        .N_KERNEL (N_KERNEL),
        .CTA_W    (CTA_W),
        .LEVEL_W  (LEVEL_W),
        .F_W      (F_W)
    ) f_steps (.*);

    // Environment: reset first; what is watched exists; the levels are those of the launch.
    always @* begin
        assume (f_slot < N_KERNEL);
        assume (f_pool < N_POOL);
        if (!f_started) assume (rst_i);
        if (f_group && slot_q == f_slot) assume (layers_i[f_pool*LEVEL_W +: LEVEL_W] == f_active - 1'b1);
    end

    // What the paper gives.
    reg     [F_W-1:0] f_n_core;
    integer           f_k;
    always @* begin
        f_n_core = 0;
        for (f_k = 0; f_k < N_CORE; f_k = f_k + 1) f_n_core = f_n_core + f_cores[f_k];
    end
    wire [F_W-1:0] f_n_cta  = f_ctas;
    wire [F_W-1:0] f_share  = (f_n_cta + f_n_core - 1) / f_n_core;
    wire [F_W-1:0] f_modulo = (f_n_cta - 1) % f_n_core;
    wire           f_writes = allocated_o && slot_q == f_slot && f_group_last;

    always @(posedge clk) begin
        if (f_started) begin
            a_outputs : assert (valid_o == valid_q && split_o == split_q && busy_o == busy_q && step_o == step_q
                                && slot_o == slot_q && pool_o == pool_q && others_o == others_q
                                && cores_o == cores_q && ctas_o == ctas_q && same_o == same_q && less_o == less_q
                                && divisor_o == divisor_q && dividend_o == dividend_q
                                && remainder_o == remainder_q);
            if (!rst_i)
                a_launch : assert (launch_o == (f_launch_now && !f_launch_bad));
            if (launch_o)
                a_line   : assert (launch_line_o[f_pool] == f_group_now
                                   && (launch_line_o & (launch_line_o - 1'b1)) == 0);
            a_allocated  : assert (allocated_o == (busy_q && step_q == N_STEP + 2));

            // The credits, when they are written: C_p is quotient + 1 + p_L.
            if (f_writes) begin
                a_local  : assert (local_o == f_share - 1 && above_o == (f_share > f_active));
                a_global : assert (global_o == f_modulo + 1 + (f_active - 1) * f_n_core);
                a_place  : assert (pool_line_o == POOL_0 << f_pool && cores_o == f_cores);
                a_kept   : assert (kept_o == ({N_CORE{others_q}} & ~f_pool_cores));
            end

            c_refused : cover (launch_error_o);
            c_above   : cover (CTA_W == 1 || (f_writes && above_o && f_active != 1));
            c_uneven  : cover (N_CORE == 1 || CTA_W == 1 || (f_writes && f_modulo != 0));
            c_known   : cover (N_POOL == 1 || (f_writes && f_known && others_q));
        end
    end

endmodule

`default_nettype wire
