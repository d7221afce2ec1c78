// claso_properties - what is proved of CLASO, without a bound by induction, for the sizes in tb/units/claso; of a launch
// under way in claso_divide_properties.
//
// Ports: those of CLASO, and nets of it, under their names. f_slot stands for any slot, f_pool for any pool, f_core for any
// core. What the launch of their group was given (claso_launch_ghost) is held against the paper's formulas, with / and %.
// Assertions are a_, covers c_, other proof-only names f_.

`default_nettype none

module claso_properties #(
    parameter integer N_CORE   = 15,
    parameter integer N_POOL   = 1,
    parameter integer N_KERNEL = 4,
    parameter integer CTA_W    = 20,
    parameter integer LEVEL_W  = 4,
    parameter integer CORE_W   = (N_CORE > 1) ? $clog2(N_CORE) : 1,
    parameter integer KERNEL_W = (N_KERNEL > 1) ? $clog2(N_KERNEL) : 1,
    parameter integer POOL_W   = (N_POOL > 1) ? $clog2(N_POOL) : 1,
    parameter integer COUNT_W  = $clog2(N_CORE + 1),
    parameter integer LOCAL_W  = (CTA_W > LEVEL_W) ? CTA_W : LEVEL_W + 1,
    parameter integer DIGIT_W  = (N_POOL > 1) ? 2 : 1,
    parameter integer N_STEP   = (CTA_W + DIGIT_W - 1) / DIGIT_W,
    parameter integer STEP_W   = $clog2(N_STEP + 3)
) (
    input wire clk, rst_i, launch_valid_i, launch_split_i, launch_ready_o, launch_error_o, consume_allowed_o,
               consume_valid_i, consume_error_o,
    input wire [KERNEL_W-1:0] launch_kernel_i, kernel_i, consume_kernel_i,
    input wire [CTA_W-1:0] launch_ctas_i,
    input wire [POOL_W-1:0] launch_pool_i,
    input wire [N_CORE-1:0] launch_cores_i, allow_o, allow_after_o,
    input wire [LEVEL_W-1:0] launch_active_i, launch_loose_i,
    input wire [CORE_W-1:0] consume_core_i,
    // Registers and nets.
    input wire [N_KERNEL-1:0] valid_q, split_q,
    input wire busy_q, others_q, same_q, less_q, allocated,
    input wire [STEP_W-1:0] step_q,
    input wire [KERNEL_W-1:0] slot_q,
    input wire [POOL_W-1:0] pool_q,
    input wire [N_CORE-1:0] cores_q,
    input wire [CTA_W-1:0] ctas_q,
    input wire [COUNT_W-1:0] divisor_q, remainder_q,
    input wire [DIGIT_W*N_STEP-1:0] dividend_q,
    // The slot that is watched, and its words.
    input wire [KERNEL_W-1:0] f_slot,
    input wire [N_CORE*LOCAL_W-1:0] f_word,
    input wire [N_CORE-1:0] f_some, f_above,
    input wire [N_POOL*LEVEL_W-1:0] f_layerss, f_looses,
    input wire [N_POOL*(LEVEL_W+COUNT_W)-1:0] f_globals,
    input wire [N_POOL-1:0] f_funds
);

    localparam integer GLOBAL_W = LEVEL_W + COUNT_W;
    localparam integer F_W      = COUNT_W + LOCAL_W + 2;  // holds any sum of credits

    reg f_started = 1'b0;  // at least one rising edge has passed
    always @(posedge clk) f_started <= 1'b1;

    (* anyconst *) reg [POOL_W-1:0]   f_pool;
    (* anyconst *) reg [CORE_W-1:0]   f_core;

    // Environment: reset first; f_slot, f_pool and f_core exist.
    always @* begin
        assume (f_slot < N_KERNEL);
        assume (f_pool < N_POOL);
        assume (f_core < N_CORE);
        if (!f_started) assume (rst_i);
    end

    wire [N_CORE-1:0]  f_pool_cores, f_members, f_cores;
    wire               f_launch_now, f_launch_bad, f_launch, f_group_now, f_recounted, f_known, f_launched, f_split,
                       f_group_last, f_held, f_group;
    wire [F_W-1:0]     f_core_block, f_block, f_last_n_core, f_age, f_latency, f_issued, f_core_issued;
    wire [CTA_W-1:0]   f_last_ctas, f_ctas;
    wire [LEVEL_W-1:0] f_active, f_loose;

    claso_launch_ghost #(
        .N_CORE   (N_CORE),
        .N_POOL   (N_POOL),
        .N_KERNEL (N_KERNEL),
        .CTA_W    (CTA_W),
        .LEVEL_W  (LEVEL_W),
        .W        (F_W)
    ) f_in_launches (.*);

    wire f_launch_any = launch_valid_i && launch_ready_o;
    wire f_member    = f_members[f_core];
    wire f_allocated = !rst_i && allocated && slot_q == f_slot;

    // What the paper gives it.
    reg     [F_W-1:0] f_n_core;
    integer           f_k;
    always @* begin
        f_n_core = 0;
        for (f_k = 0; f_k < N_CORE; f_k = f_k + 1) f_n_core = f_n_core + f_cores[f_k];
    end

    wire [F_W-1:0] f_n_cta   = f_ctas;
    wire [F_W-1:0] f_share   = (f_n_cta + f_n_core - 1) / f_n_core;
    wire [F_W-1:0] f_local   = f_share + f_loose;
    wire [F_W-1:0] f_modulo  = (f_n_cta - 1) % f_n_core;
    wire [F_W-1:0] f_global  = f_modulo + 1 + (f_active - 1) * f_n_core;
    wire [F_W-1:0] f_band    = f_active + f_loose;
    wire [F_W-1:0] f_in_band = (f_local < f_band) ? f_local : f_band;

    // What the slot's words say of it now, and how much of it each core has used.
    wire [N_CORE*F_W-1:0]      f_credits;
    wire [F_W-1:0]             f_local_now = f_credits[f_core*F_W +: F_W];
    wire [F_W-1:0]             f_global_now;
    wire [F_W-1:0]             f_band_now;
    wire                       f_flags_sound;
    wire                       f_local_sound;
    wire [F_W-1:0]             f_local_used;
    wire [F_W-1:0]             f_band_used;

    claso_ghost #(
        .N_CORE   (N_CORE),
        .N_POOL   (N_POOL),
        .LOCAL_W  (LOCAL_W),
        .LEVEL_W  (LEVEL_W),
        .GLOBAL_W (GLOBAL_W),
        .W        (F_W)
    ) f_in_credits (
        .local_i     (f_word),
        .some_i      (f_some),
        .above_i     (f_above),
        .layers_i    (f_layerss),
        .loose_i     (f_looses),
        .global_i    (f_globals),
        .funds_i     (f_funds),
        .pool_i      (f_pool),
        .members_i   (f_members),
        .cores_i     (f_cores),
        .local_new_i (f_local),
        .in_band_i   (f_in_band),
        .credits_o   (f_credits),
        .global_o    (f_global_now),
        .band_o      (f_band_now),
        .flags_o     (f_flags_sound),
        .share_o     (f_local_sound),
        .left_o      (),
        .free_o      (),
        .used_o      (f_local_used),
        .band_used_o (f_band_used)
    );

    // A CTA is allowed by these credits.
    wire f_allowed = f_local_now > 0 && (f_local_now - 1 >= f_band_now || f_global_now > 0);

    // What is proved of a launch under way.
    wire f_working = busy_q && slot_q == f_slot;
    wire f_at_work = f_working && f_group_last;

    claso_divide_properties #(
        .N_CORE   (N_CORE),
        .N_POOL   (N_POOL),
        .N_KERNEL (N_KERNEL),
        .CTA_W    (CTA_W),
        .LEVEL_W  (LEVEL_W),
        .F_W      (F_W)
    ) f_steps (.*);

    // The group has its credits, or the slot's other pools have theirs and it has none.
    wire f_standing = f_group && !f_at_work;
    wire f_without  = f_launched && !f_group && f_split && (f_held || others_q);

    always @(posedge clk) begin
        if (f_started) begin
            if (f_group)
                a_levels   : assert (f_layerss[f_pool*LEVEL_W +: LEVEL_W] == f_active - 1'b1
                                     && f_looses[f_pool*LEVEL_W +: LEVEL_W] == f_loose);
            if (f_at_work)
                a_no_issue : assert (f_issued == 0 && f_core_issued == 0);

            // The credits it gives.
            if ($past(f_allocated && f_group_last && !(f_launch && f_group_now))) begin
                if (f_member)
                    a_ceil : assert (f_local_now == (f_cores[f_core] ? f_local : 0));
                a_mod      : assert (f_global_now == f_global);
            end

            // Credits only fall in between, by what is consumed, and not by what other
            // pools are given; the local and the band credits used account for every
            // CTA and every global credit. A launch writes the levels by which they are kept.
            if ($past((f_standing || f_without) && f_member && !(f_launch && f_group_now))
                && (!$past(f_allocated) || $past(others_q && !f_group_last))) begin
                a_local_falls  : assert (f_local_now + $past(f_core_block)
                                         == $past(f_local_now));
                a_no_wrap      : assert ($past(f_core_block) <= $past(f_local_now));
            end
            if (!$past(f_allocated && f_group_last)) begin
                a_global_falls : assert (f_global_now <= $past(f_global_now)
                                         && f_global_now + $past(f_block)
                                            >= $past(f_global_now));
            end
            if (f_without)
                a_without      : assert (((f_some | f_above) & f_members) == 0);
            if (f_standing) begin
                a_local_sound  : assert (f_local_sound);
                a_flags        : assert (f_flags_sound);
                a_local_used   : assert (f_issued == f_local_used);
                if (f_member)
                    a_core_used: assert (f_core_issued + f_local_now
                                         == (f_cores[f_core] ? f_local : 0));
                a_global_used  : assert (f_band_used + f_global_now == f_global);
            end

            // What the credits are for.
            if (f_group) begin
                a_core_limit : assert (!f_member || f_core_issued <= f_local);
                a_only_set   : assert (!f_member || f_cores[f_core] || f_core_issued == 0);
                a_all_limit  : assert (f_share < f_active || f_issued <= f_n_cta);
            end
            if (f_group && f_held && kernel_i == f_slot && f_issued < f_n_cta)
                a_not_starved : assert ((allow_o & f_members) != 0);

            // The guaranteed minimum: a core of the set is allowed its first ceil(n_cta /
            // n_core) - p_A CTAs, whatever the others have taken.
            if (kernel_i == f_slot && f_held && f_group && f_member && f_cores[f_core])
                a_minimum : assert (f_core_issued + 1 + f_active > f_share
                                    || allow_o[f_core]);

            // The mask.
            if (kernel_i == f_slot && f_held && f_group && f_member)
                a_mask    : assert (allow_o[f_core] == f_allowed);
            if (kernel_i >= N_KERNEL || (kernel_i == f_slot && !f_held))
                a_no_slot : assert (allow_o == 0);
            if (kernel_i == f_slot && f_without && f_member)
                a_no_pool : assert (!allow_o[f_core]);

            // And what it will be of all cores but the one that consumes. A launch and an allocation may come between.
            if (kernel_i == $past(kernel_i) && !$past(rst_i || f_launch_any || allocated)
                && !$past(consume_valid_i && consume_core_i == f_core))
                a_after : assert (allow_o[f_core] == $past(allow_after_o[f_core]));

            // What is allowed of the slot and core that may consume, as the mask has it.
            if (consume_kernel_i == f_slot && consume_core_i == f_core && f_held && f_group
                && f_member)
                a_allowed : assert (consume_allowed_o == f_allowed);
            if (consume_kernel_i == kernel_i && consume_core_i < N_CORE)
                a_as_mask : assert (consume_allowed_o == allow_o[consume_core_i]);
            if (consume_kernel_i >= N_KERNEL || consume_core_i >= N_CORE
                || (consume_kernel_i == f_slot && !f_held))
                a_unknown : assert (!consume_allowed_o);

            // The two writes never meet in a word.
            a_apart : assert (rst_i || !consume_valid_i || !consume_allowed_o || !allocated || consume_kernel_i != slot_q);

            // A refusal is flagged, and changes nothing else; a consume refused is
            // in a_local_falls and a_global_falls.
            a_consume_error : assert (consume_error_o
                                      == $past(!rst_i && consume_valid_i && !consume_allowed_o));
            if ($past(!rst_i && !(f_launch_now && !f_launch_bad)))
                a_hold    : assert (f_layerss == $past(f_layerss) && f_looses == $past(f_looses));
            if ($past(rst_i))
                a_reset   : assert (!consume_error_o);

            // Reachable: a core with a credit waits for want of a global one; a slot is allocated anew, even while it issues.
            c_global_refusal : cover (f_group && f_held && consume_kernel_i == f_slot && f_member
                                      && consume_valid_i && consume_core_i == f_core
                                      && f_local_now != 0 && !consume_allowed_o);
            c_anew           : cover (f_held && f_launch && f_group_now && f_issued != 0
                                      && f_block != 0);
            c_launch_refused : cover (launch_error_o);
        end
    end

    generate
        if (N_KERNEL > 1) begin : f_slots
            // One slot issues while the credits of another are being written.
            always @(posedge clk)
                c_both_write : cover (f_started && f_block != 0 && !rst_i && allocated);
        end
        if (CTA_W > 1) begin : f_several
            // Cores have credits above the band, and a kernel's CTAs are all issued.
            always @(posedge clk) if (f_started) begin
                c_allocated  : cover (f_group && f_held && f_local > f_band);
                c_all_issued : cover (f_group && f_held && f_local > f_band
                                      && f_issued == f_n_cta);
            end
        end
        if (CTA_W > 1 && N_CORE > 1) begin : f_least
            // A core has its minimum to come when the others have used up the globals.
            always @(posedge clk)
                c_minimum : cover (f_started && f_group && f_held && kernel_i == f_slot
                                   && f_member && f_cores[f_core] && f_global_now == 0
                                   && f_core_issued + f_active < f_share);
        end
        if (N_CORE > 1) begin : f_others
            // The last global credit goes to another core.
            always @(posedge clk)
                c_last_global : cover (f_started && f_group && f_held && kernel_i == f_slot && f_member && !rst_i
                                       && allow_o[f_core] && !allow_after_o[f_core] && consume_core_i != f_core);
        end
        if (N_POOL > 1) begin : f_knowing
            always @(posedge clk)
                c_known : cover (f_started && f_held && f_known && f_group && f_last_ctas == 1);
        end
        if (N_POOL > 1 && N_CORE > 1) begin : f_pools
            // A pool that issues, and one that has been launched after it.
            always @(posedge clk)
                c_pools : cover (f_started && f_held && f_group && !f_group_last
                                 && f_issued != 0);
        end
    endgenerate

endmodule

`default_nettype wire
