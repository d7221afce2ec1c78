// sm_contexts_properties - what is proved of the recount of an SM's contexts, by induction, for the sizes in
// tb/units/sm_contexts.
//
// Ports: those of the unit, and nets of it, under their names; residents are the resident CTAs of each slot, slot 0 lowest.
// Assertions are a_, covers c_, other proof-only names f_.

`default_nettype none

module sm_contexts_properties #(
    parameter integer N_KERNEL   = 4,
    parameter integer REGISTER_W = 17,
    parameter integer SHARED_W   = 16,
    parameter integer WARP_W     = 7,
    parameter integer CTA_W      = 6,
    parameter integer KERNEL_W   = (N_KERNEL > 1) ? $clog2(N_KERNEL) : 1
) (
    input wire clk, rst_i, room_o,
    input wire [2:0] block_i, started_i, ended_i,
    input wire [REGISTER_W*N_KERNEL-1:0] need_registers_i,
    input wire [SHARED_W*N_KERNEL-1:0] need_shared_i,
    input wire [WARP_W*N_KERNEL-1:0] need_warps_i,
    input wire [REGISTER_W-1:0] have_registers_i,
    input wire [SHARED_W-1:0] have_shared_i,
    input wire [WARP_W-1:0] have_warps_i,
    input wire [CTA_W-1:0] have_ctas_i,
    // Registers and nets.
    input wire [N_KERNEL-1:0] occupied_q,
    input wire [KERNEL_W-1:0] kernel_q, at_q,
    input wire [CTA_W-1:0] contexts_q, taken_q, ctas_q,
    input wire begin_q, walk_q, crowded_q, unsure, own_start, own_end, late, fits,
    input wire [REGISTER_W-1:0] one_registers_q, registers_q,
    input wire [SHARED_W-1:0] one_shared_q, shared_q,
    input wire [WARP_W-1:0] one_warps_q, warps_q,
    input wire [CTA_W*N_KERNEL-1:0] residents
);

    reg f_started = 1'b0; // at least one rising edge has passed
    reg f_counted;        // a count has begun since the reset
    always @(posedge clk) begin
        f_started <= 1'b1;
        f_counted <= !rst_i && (f_counted || begin_q);
    end
    always @* if (!f_started) assume (rst_i);

    // Needs and haves are those of the cycle in which the count began, and have been since.
    reg [REGISTER_W*N_KERNEL-1:0] f_need_registers;
    reg [SHARED_W*N_KERNEL-1:0]   f_need_shared;
    reg [WARP_W*N_KERNEL-1:0]     f_need_warps;
    reg [REGISTER_W-1:0]          f_have_registers;
    reg [SHARED_W-1:0]            f_have_shared;
    reg [WARP_W-1:0]              f_have_warps;
    reg [CTA_W-1:0]               f_have_ctas;
    reg                           f_kept;
    wire f_sure = f_kept && need_registers_i == f_need_registers && need_shared_i == f_need_shared
                  && need_warps_i == f_need_warps && have_registers_i == f_have_registers
                  && have_shared_i == f_have_shared && have_warps_i == f_have_warps
                  && have_ctas_i == f_have_ctas;
    always @(posedge clk) begin
        f_kept <= !rst_i && (begin_q || f_sure);
        if (begin_q) begin
            f_need_registers <= need_registers_i;
            f_need_shared    <= need_shared_i;
            f_need_warps     <= need_warps_i;
            f_have_registers <= have_registers_i;
            f_have_shared    <= have_shared_i;
            f_have_warps     <= have_warps_i;
            f_have_ctas      <= have_ctas_i;
        end
    end

    wire [N_KERNEL-1:0]       f_occupied;
    genvar f_s;
    generate
        for (f_s = 0; f_s < N_KERNEL; f_s = f_s + 1) begin : g_formal
            assign f_occupied[f_s] = residents[CTA_W*f_s +: CTA_W] != 0;
        end
    endgenerate

    // Wide enough for all sums.
    localparam integer F_W = 2 * CTA_W + REGISTER_W + SHARED_W + WARP_W + 6;
    function [F_W-1:0] f_times;
        input [CTA_W+3:0] ctas;
        input [F_W-1:0]   need;
        integer           b;
        begin
            f_times = 0;
            for (b = 0; b < CTA_W + 4; b = b + 1) f_times = f_times + (ctas[b] ? need << b : 0);
        end
    endfunction

    reg [F_W-1:0] f_registers;      // that resident CTAs need
    reg [F_W-1:0] f_shared;
    reg [F_W-1:0] f_warps;
    reg [F_W-1:0] f_ctas;
    reg [F_W-1:0] f_off_registers;  // those of them that a walk has taken off
    reg [F_W-1:0] f_off_shared;
    reg [F_W-1:0] f_off_warps;
    reg [F_W-1:0] f_off_ctas;
    reg [F_W-1:0] f_one_registers;  // that a CTA of kernel_q needs
    reg [F_W-1:0] f_one_shared;
    reg [F_W-1:0] f_one_warps;
    reg             f_same;         // what is taken off is the need of at_q
    reg [CTA_W-1:0] f_at;           // CTAs of at_q
    reg [CTA_W-1:0] f_there;
    reg [CTA_W-1:0] f_off;
    integer         f_k;
    always @* begin
        f_registers = 0; f_shared = 0; f_warps = 0; f_ctas = 0;
        f_off_registers = 0; f_off_shared = 0; f_off_warps = 0; f_off_ctas = 0;
        f_one_registers = 0; f_one_shared = 0; f_one_warps = 0;
        f_at = 0; f_same = 1'b0;
        for (f_k = 0; f_k < N_KERNEL; f_k = f_k + 1) begin
            f_there     = residents[CTA_W*f_k +: CTA_W];
            f_off       = !walk_q || f_k < at_q ? f_there : f_k == at_q ? taken_q : 0;
            f_registers = f_registers + f_times(f_there, need_registers_i[REGISTER_W*f_k +: REGISTER_W]);
            f_shared    = f_shared + f_times(f_there, need_shared_i[SHARED_W*f_k +: SHARED_W]);
            f_warps     = f_warps + f_times(f_there, need_warps_i[WARP_W*f_k +: WARP_W]);
            f_ctas      = f_ctas + f_there;
            f_off_registers = f_off_registers + f_times(f_off, need_registers_i[REGISTER_W*f_k +: REGISTER_W]);
            f_off_shared    = f_off_shared + f_times(f_off, need_shared_i[SHARED_W*f_k +: SHARED_W]);
            f_off_warps     = f_off_warps + f_times(f_off, need_warps_i[WARP_W*f_k +: WARP_W]);
            f_off_ctas      = f_off_ctas + f_off;
            if (f_k == kernel_q) begin
                f_one_registers = need_registers_i[REGISTER_W*f_k +: REGISTER_W];
                f_one_shared    = need_shared_i[SHARED_W*f_k +: SHARED_W];
                f_one_warps     = need_warps_i[WARP_W*f_k +: WARP_W];
            end
            if (f_k == at_q) begin
                f_at = f_there;
                f_same = one_registers_q == need_registers_i[REGISTER_W*f_k +: REGISTER_W]
                         && one_shared_q == need_shared_i[SHARED_W*f_k +: SHARED_W]
                         && one_warps_q == need_warps_i[WARP_W*f_k +: WARP_W];
            end
        end
    end

    // With contexts more of kernel_q they need so much; and so much, should room be right.
    wire [CTA_W+3:0] f_all   = contexts_q;
    wire [CTA_W+3:0] f_extra = (own_start ? started_i : 0) + block_i;
    wire [CTA_W+3:0] f_gone  = own_end ? ended_i : 0;

    always @(posedge clk) begin
        if (f_started) begin
            a_occupied : assert (occupied_q == f_occupied);
            a_slots : assert (kernel_q < N_KERNEL && at_q < N_KERNEL);
            if (!f_counted && !begin_q)
                a_reset : assert (!walk_q && !crowded_q && contexts_q == 0 && ctas_q == 0 && f_ctas == 0);
            if (f_sure && !begin_q && !crowded_q) begin
                // Nothing is lost: what is left, taken off and counted is what the SM has.
                a_registers : assert (registers_q + f_off_registers + f_times(f_all, f_one_registers)
                                      == have_registers_i);
                a_shared    : assert (shared_q + f_off_shared + f_times(f_all, f_one_shared)
                                      == have_shared_i);
                a_warps     : assert (warps_q + f_off_warps + f_times(f_all, f_one_warps) == have_warps_i);
                a_ctas      : assert (ctas_q + f_off_ctas + contexts_q == have_ctas_i);
                a_one       : assert (f_same);
                a_walk      : assert (!walk_q || (taken_q <= f_at && contexts_q == 0));
                a_at        : assert (walk_q || at_q == kernel_q);
            end
            if (f_sure && !begin_q && crowded_q)
                a_crowded : assert (!walk_q && contexts_q == 0
                                    && (f_registers > have_registers_i || f_shared > have_shared_i
                                        || f_warps > have_warps_i || f_ctas > have_ctas_i));
            // A block that is shown room fits beside those that are there, come and go.
            if (room_o && !rst_i && (f_sure || !f_counted))
                a_room : assert (f_registers + f_times(f_extra, f_one_registers)
                                     <= have_registers_i + f_times(f_gone, f_one_registers)
                                 && f_shared + f_times(f_extra, f_one_shared)
                                     <= have_shared_i + f_times(f_gone, f_one_shared)
                                 && f_warps + f_times(f_extra, f_one_warps)
                                     <= have_warps_i + f_times(f_gone, f_one_warps)
                                 && f_ctas + f_extra <= have_ctas_i + f_gone);
            // When the count is done, one more would not fit.
            if (f_sure && !begin_q && !walk_q && (crowded_q || !fits))
                a_most : assert (f_registers + f_times(f_all + 1, f_one_registers) > have_registers_i
                                 || f_shared + f_times(f_all + 1, f_one_shared) > have_shared_i
                                 || f_warps + f_times(f_all + 1, f_one_warps) > have_warps_i
                                 || f_ctas + f_all + 1 > have_ctas_i);
            if (!rst_i) begin
                c_room    : cover (room_o && f_ctas != 0);
                c_crowded : cover (crowded_q);
                c_both    : cover (own_start && own_end && !late && !unsure);
            end
        end
    end

endmodule

`default_nettype wire
