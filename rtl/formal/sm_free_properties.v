// sm_free_properties - what is proved of what the SMs have left, by induction, for the sizes in tb/units/sm_free.
//
// Ports: those of the unit, and nets of it, under their names; needs is what CTAs of the slots need,
// and lefts what the SMs have left; slot 0 and SM 0 are lowest.
// Assertions are a_, covers c_, other proof-only names f_.

`default_nettype none

module sm_free_properties #(
    parameter integer N_SM       = 13,
    parameter integer N_KERNEL   = 32,
    parameter integer REGISTER_W = 17,
    parameter integer SHARED_W   = 16,
    parameter integer WARP_W     = 7,
    parameter integer CTA_W      = 6,
    parameter integer SM_W       = (N_SM > 1) ? $clog2(N_SM) : 1,
    parameter integer KERNEL_W   = (N_KERNEL > 1) ? $clog2(N_KERNEL) : 1
) (
    input wire clk, rst_i, launch_valid_i, started_i, begun_q,
    input wire [KERNEL_W-1:0] launch_kernel_i, kernel_i, started_kernel_i,
    input wire [REGISTER_W-1:0] launch_registers_i, have_registers_i,
    input wire [SHARED_W-1:0] launch_shared_i, have_shared_i,
    input wire [WARP_W-1:0] launch_warps_i, have_warps_i,
    input wire [CTA_W-1:0] have_ctas_i,
    input wire [SM_W-1:0] started_sm_i,
    input wire [N_SM-1:0] ended_i, room_o,
    input wire [KERNEL_W*N_SM-1:0] ended_kernel_i,
    // Nets.
    input wire [(REGISTER_W+SHARED_W+WARP_W)*N_KERNEL-1:0] needs,
    input wire [(REGISTER_W+SHARED_W+WARP_W+CTA_W)*N_SM-1:0] lefts
);

    localparam integer ROW_W = REGISTER_W + SHARED_W + WARP_W;
    localparam integer W     = REGISTER_W + SHARED_W;
    localparam integer F_W   = ROW_W + CTA_W + 6; // wide enough for all sums

    reg f_started = 1'b0; // at least one rising edge has passed
    always @(posedge clk) f_started <= 1'b1;
    always @* if (!f_started) assume (rst_i);

    // One SM and one slot, whichever they are.
    (* anyconst *) reg [SM_W-1:0]     f_sm;
    (* anyconst *) reg [KERNEL_W-1:0] f_slot;
    always @* assume (f_sm < N_SM && f_slot < N_KERNEL);

    // ---- The slot's row is that of its last launch since the reset ------------------------

    wire [ROW_W-1:0] f_launch_row = {launch_warps_i, launch_shared_i, launch_registers_i};
    reg  [ROW_W-1:0] f_row;
    always @(posedge clk) begin
        if (rst_i) f_row <= 0;
        else if (launch_valid_i && launch_kernel_i == f_slot) f_row <= f_launch_row;
    end

    // ---- The SM: what it has, and its CTAs of each slot -----------------------------------

    wire [REGISTER_W-1:0] f_registers;
    wire [SHARED_W-1:0]   f_shared;
    wire [WARP_W-1:0]     f_warps;
    wire [CTA_W-1:0]      f_ctas;
    assign {f_ctas, f_warps, f_shared, f_registers} = lefts[(ROW_W+CTA_W)*f_sm +: ROW_W+CTA_W];
    wire [KERNEL_W-1:0]   f_ended     = ended_kernel_i[KERNEL_W*f_sm +: KERNEL_W];
    wire f_start = begun_q && started_i && started_sm_i == f_sm && started_kernel_i < N_KERNEL;
    wire f_end   = begun_q && ended_i[f_sm] && f_ended < N_KERNEL;

    reg [REGISTER_W-1:0]   f_have_registers;
    reg [SHARED_W-1:0]     f_have_shared;
    reg [WARP_W-1:0]       f_have_warps;
    reg [CTA_W-1:0]        f_have_ctas;
    reg [F_W*N_KERNEL-1:0] f_there; // CTAs of each slot that started, less those that ended
    reg [F_W*N_KERNEL-1:0] f_then;
    integer                f_k;
    always @* begin
        f_then = f_there;
        for (f_k = 0; f_k < N_KERNEL; f_k = f_k + 1)
            f_then[F_W*f_k +: F_W] = f_there[F_W*f_k +: F_W] + (f_start && started_kernel_i == f_k)
                                     - (f_end && f_ended == f_k);
    end

    // What those CTAs need, and what one of a slot does.
    function [F_W-1:0] f_times;
        input [F_W-1:0] ctas;
        input [F_W-1:0] need;
        integer         b;
        begin
            f_times = 0;
            for (b = 0; b < F_W; b = b + 1) f_times = f_times + (ctas[b] ? need << b : 0);
        end
    endfunction

    reg [F_W-1:0] f_used_registers, f_used_shared, f_used_warps, f_used_ctas;
    reg           f_few; // no slot has more CTAs than the SM has CTA slots
    integer       f_j;
    always @* begin
        f_used_registers = 0; f_used_shared = 0; f_used_warps = 0; f_used_ctas = 0;
        f_few = 1'b1;
        for (f_j = 0; f_j < N_KERNEL; f_j = f_j + 1) begin
            f_used_registers = f_used_registers + f_times(f_there[F_W*f_j +: F_W], needs[ROW_W*f_j +: REGISTER_W]);
            f_used_shared    = f_used_shared
                               + f_times(f_there[F_W*f_j +: F_W], needs[ROW_W*f_j+REGISTER_W +: SHARED_W]);
            f_used_warps     = f_used_warps + f_times(f_there[F_W*f_j +: F_W], needs[ROW_W*f_j+W +: WARP_W]);
            f_used_ctas      = f_used_ctas + f_there[F_W*f_j +: F_W];
            f_few            = f_few && f_there[F_W*f_j +: F_W] <= f_have_ctas;
        end
    end

    function f_fits; // a CTA of a slot, in what the SM has left
        input [ROW_W-1:0] row;
        f_fits = f_registers >= row[0 +: REGISTER_W] && f_shared >= row[REGISTER_W +: SHARED_W]
                 && f_warps >= row[W +: WARP_W] && f_ctas != 0;
    endfunction

    // Slots are launched when they have no CTAs on the SM; and CTAs start where they fit, and end where they are.
    wire [ROW_W-1:0] f_need = needs[ROW_W*kernel_i +: ROW_W];
    wire f_launched = launch_valid_i && launch_kernel_i < N_KERNEL;
    wire f_free     = !f_launched || f_then[F_W*launch_kernel_i +: F_W] == 0;
    wire f_right    = f_free && (!f_start || f_fits(needs[ROW_W*started_kernel_i +: ROW_W]))
                      && (!f_end || f_there[F_W*f_ended +: F_W] != 0);
    reg  f_in_order; // all launches so far
    reg  f_legal;    // all traffic so far
    always @(posedge clk) begin
        f_in_order <= rst_i || (f_in_order && f_free);
        f_legal    <= rst_i || (f_legal && f_right);
        f_there    <= rst_i ? 0 : f_then;
        if (!begun_q) begin
            f_have_registers <= have_registers_i;
            f_have_shared    <= have_shared_i;
            f_have_warps     <= have_warps_i;
            f_have_ctas      <= have_ctas_i;
        end
    end

    wire f_masked = started_i && started_sm_i == f_sm;

    always @(posedge clk) begin
        if (f_started) begin
            a_row   : assert (needs[ROW_W*f_slot +: ROW_W] == f_row);
            a_begun : assert (begun_q == !$past(rst_i));
            a_order : assert (f_in_order || !f_legal);
            if (!begun_q)
                a_before : assert ({f_registers, f_shared, f_warps, f_ctas} == 0 && f_there == 0 && f_legal
                                   && room_o == 0);
            // What is left, and what the CTAs need, is what the SM has: modulo 2^W, whatever started and ended.
            if (begun_q && f_in_order)
                a_left : assert (f_registers == f_have_registers - f_used_registers[REGISTER_W-1:0]
                                 && f_shared == f_have_shared - f_used_shared[SHARED_W-1:0]
                                 && f_warps == f_have_warps - f_used_warps[WARP_W-1:0]);
            if (begun_q)
                a_ctas : assert (f_ctas == f_have_ctas - f_used_ctas[CTA_W-1:0]);
            // Nothing wraps if the traffic is legal.
            if (begun_q && f_legal)
                a_legal : assert (f_few && f_registers + f_used_registers == f_have_registers
                                  && f_shared + f_used_shared == f_have_shared
                                  && f_warps + f_used_warps == f_have_warps && f_ctas + f_used_ctas == f_have_ctas);
            // Room is what it says, and then the CTA fits beside those that are there.
            a_room   : assert (room_o[f_sm] == (kernel_i < N_KERNEL && f_fits(f_need) && !f_masked));
            a_masked : assert (!f_masked || !room_o[f_sm]);
            if (f_legal && room_o[f_sm])
                a_beside : assert (f_used_registers + f_need[0 +: REGISTER_W] <= f_have_registers
                                   && f_used_shared + f_need[REGISTER_W +: SHARED_W] <= f_have_shared
                                   && f_used_warps + f_need[W +: WARP_W] <= f_have_warps
                                   && f_used_ctas < f_have_ctas);
            if (!rst_i) begin
                c_room   : cover (f_legal && room_o[f_sm] && f_used_ctas != 0 && f_need != 0);
                c_full   : cover (f_legal && f_used_ctas != 0 && f_used_ctas == f_have_ctas && f_used_warps != 0);
                c_both   : cover (f_legal && f_start && f_end);
                c_masked : cover (f_legal && f_masked && f_fits(f_need));
                c_wraps  : cover (f_in_order && f_registers > f_have_registers);
            end
        end
    end

endmodule

`default_nettype wire
