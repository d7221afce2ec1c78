// sm_free - TODO: what it is, in a sentence.
//
// Purpose
//   TODO
//
// Parameters, outside of whose ranges it does not elaborate
//   N_SM               SMs, 1..192
//   N_KERNEL           kernel slots, 1..32
//   REGISTER_W         bits of a number of registers, 1..21
//   SHARED_W           bits of a number of bytes of shared memory, 1..21
//   WARP_W             bits of a number of warps, 1..7
//   CTA_W              bits of a number of CTAs, 1..6
//   SM_W               bits of an SM's number; derived, never overridden
//   KERNEL_W           bits of a slot's number; derived, never overridden
//
// Ports                width        meaning
//   clk                1            clock, rising edge
//   rst_i              1            reset, synchronous, active high
//   launch_valid_i     1            a kernel gets a slot
//   launch_kernel_i    KERNEL_W     this one
//   launch_registers_i REGISTER_W   what a CTA of it needs: registers
//   launch_shared_i    SHARED_W     bytes of shared memory
//   launch_warps_i     WARP_W       warps, whose threads come in whole warps
//   have_registers_i   REGISTER_W   what each SM has when it is empty, read in the first cycle after a reset:
//                                   registers
//   have_shared_i      SHARED_W     bytes of shared memory
//   have_warps_i       WARP_W       warps: the fewer of its warp slots and its threads by the warp
//   have_ctas_i        CTA_W        CTA slots
//   kernel_i           KERNEL_W     slot for whose CTA room is asked
//   started_i          1            a CTA starts in this cycle
//   started_sm_i       SM_W         on this SM
//   started_kernel_i   KERNEL_W     and is of this slot
//   ended_i            N_SM         bit s: a CTA ends on SM s in this cycle
//   ended_kernel_i     KERNEL_W*N_SM its slot
//   room_o             N_SM         bit s: a CTA of the kernel fits on SM s
//
// Paths from inputs to outputs in one cycle; every other output depends on state alone
//   room_o             kernel_i, started_i, started_sm_i
//
// Timing
//   TODO: latency in cycles; throughput.
//
// Contract
//   TODO: what the unit does in a cycle, and what it promises.
//   Illegal    TODO: what illegal stimulus does. It never corrupts the state.
//
// Reset
//   All registers are 0. The memories keep what they hold.
//
// Twin     sm_free.c: equal outputs, registers and memories in every cycle after the first
//          reset edge.
//
// Source
//   TODO: paper and section.
//
// Deviations
//   - TODO: what differs from the source, and each gap of the source with the reading built.

`default_nettype none

module sm_free #(
    parameter integer N_SM = 13,
    parameter integer N_KERNEL = 32,
    parameter integer REGISTER_W = 17,
    parameter integer SHARED_W = 16,
    parameter integer WARP_W = 7,
    parameter integer CTA_W = 6,
    parameter integer SM_W = ((N_SM) > 1 ? $clog2(N_SM) : 1), // derived, never overridden
    parameter integer KERNEL_W = ((N_KERNEL) > 1 ? $clog2(N_KERNEL) : 1) // derived, never overridden
) (
    input  wire clk,
    input  wire rst_i,
    input  wire launch_valid_i,
    input  wire [KERNEL_W-1:0] launch_kernel_i,
    input  wire [REGISTER_W-1:0] launch_registers_i,
    input  wire [SHARED_W-1:0] launch_shared_i,
    input  wire [WARP_W-1:0] launch_warps_i,
    input  wire [REGISTER_W-1:0] have_registers_i,
    input  wire [SHARED_W-1:0] have_shared_i,
    input  wire [WARP_W-1:0] have_warps_i,
    input  wire [CTA_W-1:0] have_ctas_i,
    input  wire [KERNEL_W-1:0] kernel_i,
    input  wire started_i,
    input  wire [SM_W-1:0] started_sm_i,
    input  wire [KERNEL_W-1:0] started_kernel_i,
    input  wire [N_SM-1:0] ended_i,
    input  wire [KERNEL_W * N_SM-1:0] ended_kernel_i,
    output wire [N_SM-1:0] room_o
);

    // A bad value instantiates a module that does not exist; its name is the message.
    generate
        if (N_SM < 1 || N_SM > 192
            || N_KERNEL < 1 || N_KERNEL > 32
            || REGISTER_W < 1 || REGISTER_W > 21
            || SHARED_W < 1 || SHARED_W > 21
            || WARP_W < 1 || WARP_W > 7
            || CTA_W < 1 || CTA_W > 6) begin : g_check
            sm_free_needs_N_SM_1_to_192_N_KERNEL_1_to_32_REGISTER_W_1_to_21_SHARED_W_1_to_21_WARP_W_1_to_7_CTA_W_1_to_6 u_stop ();
        end
    endgenerate

    // ---- State -------------------------------------------------------------

    reg [REGISTER_W-1:0] need_registers_q [0:N_KERNEL-1]; // what a CTA of each slot needs: registers
    reg [SHARED_W-1:0] need_shared_q [0:N_KERNEL-1]; // bytes of shared memory
    reg [WARP_W-1:0] need_warps_q [0:N_KERNEL-1]; // warps
    reg begun_q; // what the SMs have has been read
    reg [REGISTER_W-1:0] registers_q [0:N_SM-1]; // what each SM has left: registers
    reg [SHARED_W-1:0] shared_q [0:N_SM-1]; // bytes of shared memory
    reg [WARP_W-1:0] warps_q [0:N_SM-1]; // warps
    reg [CTA_W-1:0] ctas_q [0:N_SM-1]; // CTA slots

    integer k;
    always @(posedge clk) begin
        if (rst_i) begin
            for (k = 0; k < N_KERNEL; k = k + 1) need_registers_q[k] <= {REGISTER_W{1'b0}};
            for (k = 0; k < N_KERNEL; k = k + 1) need_shared_q[k] <= {SHARED_W{1'b0}};
            for (k = 0; k < N_KERNEL; k = k + 1) need_warps_q[k] <= {WARP_W{1'b0}};
            begun_q <= {1{1'b0}};
            for (k = 0; k < N_SM; k = k + 1) registers_q[k] <= {REGISTER_W{1'b0}};
            for (k = 0; k < N_SM; k = k + 1) shared_q[k] <= {SHARED_W{1'b0}};
            for (k = 0; k < N_SM; k = k + 1) warps_q[k] <= {WARP_W{1'b0}};
            for (k = 0; k < N_SM; k = k + 1) ctas_q[k] <= {CTA_W{1'b0}};
        end // TODO: else, what the edge does
    end

    // ---- Outputs -----------------------------------------------------------

    assign room_o = {(N_SM){1'b0}}; // TODO

    // TODO: what is used is taken out of this list, and at last the list.
    wire unused = &{1'b0,
        launch_valid_i,
        launch_kernel_i,
        launch_registers_i,
        launch_shared_i,
        launch_warps_i,
        have_registers_i,
        have_shared_i,
        have_warps_i,
        have_ctas_i,
        kernel_i,
        started_i,
        started_sm_i,
        started_kernel_i,
        ended_i,
        ended_kernel_i,
        need_registers_q[0],
        need_shared_q[0],
        need_warps_q[0],
        begun_q,
        registers_q[0],
        shared_q[0],
        warps_q[0],
        ctas_q[0]};

    // ---- Properties, proved by induction -----------------------------------

`ifdef FORMAL
    reg f_started = 1'b0; // at least one rising edge has passed
    reg f_reset   = 1'b0; // the last one was a reset
    always @(posedge clk) begin
        f_started <= 1'b1;
        f_reset   <= rst_i;
    end
    always @* begin
        if (!f_started) assume (rst_i);
        if (f_started && f_reset) begin
            a_reset_begun: assert (begun_q == 0);
        end
    end
`endif

endmodule

`default_nettype wire
