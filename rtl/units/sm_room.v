// sm_room - which SMs have room for a block of CTAs of the kernel whose CTAs are issued.
//
// Purpose
//   The dispatcher's look at the SMs. Each SM has counters of its own; what a CTA of each slot
//   needs stands in one table for all.
//
//                                            N_SM of them
//   launch_*_i ---> need_*_q, recount_q ---> +-----------------------+
//   kernel_i, block_i, have_*_i -----------> |u_contexts: sm_contexts|---> room_o
//   started_i, to SM started_sm_i ---------> |                       |
//   ended_i -------------------------------> +-----------------------+
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
//   have_registers_i   REGISTER_W   what each SM has when it is empty: registers
//   have_shared_i      SHARED_W     bytes of shared memory
//   have_warps_i       WARP_W       warps: the fewer of its warp slots and its threads by the warp
//   have_ctas_i        CTA_W        CTA slots
//   kernel_i           KERNEL_W     slot whose CTAs are issued
//   block_i            3            contexts that a block of its CTAs takes
//   started_i          3            CTAs that start in this cycle
//   started_sm_i       SM_W         on this SM
//   started_kernel_i   KERNEL_W     and are of this slot
//   ended_i            3*N_SM       CTAs that end on each SM in this cycle
//   ended_kernel_i     KERNEL_W*N_SM their slot
//   room_o             N_SM         bit s: a block of the kernel fits on SM s
//
// Paths from inputs to outputs in one cycle; every other output depends on state alone
//   room_o             kernel_i, block_i, started_i, started_sm_i, started_kernel_i, ended_i, ended_kernel_i
//
// Timing
//   CTAs that start or end are in room_o in the same cycle. After a launch in cycle t an empty
//   SM has its first context in cycle t + 4, and then one more in each cycle; others, see
//   sm_contexts.
//
// Contract
//   Room       of each SM is that of its sm_contexts, and depends on no other SM.
//   Launch     a table holds what a CTA of each slot needs. A launch writes the slot's row, and in the next cycle all
//              SMs begin a recount.
//   Start      at most one SM gets CTAs in a cycle, a block of them; any number of SMs see CTAs end, and those of one
//              SM that end in a cycle are of one slot.
//   Order      the slot is launched before its number is at kernel. A launch in its own cycle is in no room yet.
//   Illegal    a launch of a slot there is not, and a start on an SM there is not, are ignored. All else is as in
//              sm_contexts.
//
// Reset
//   All registers are 0: all SMs are empty, and none has room before the first launch.
//
// Twin     sm_room.c: equal outputs, registers and memories in every cycle after the first
//          reset edge.
//
// Source
//   Those of sm_contexts. The slides and the status blocks of the dissertation, section 5.4, keep what a CTA needs
//   with its kernel, as the table here does.
//
// Deviations
//   - Those of its parts.

`default_nettype none

module sm_room #(
    parameter integer N_SM       = 15,
    parameter integer N_KERNEL   = 4,
    parameter integer REGISTER_W = 17,
    parameter integer SHARED_W   = 16,
    parameter integer WARP_W     = 7,
    parameter integer CTA_W      = 6,
    parameter integer SM_W       = (N_SM > 1) ? $clog2(N_SM) : 1,        // derived, never overridden
    parameter integer KERNEL_W   = (N_KERNEL > 1) ? $clog2(N_KERNEL) : 1 // derived, never overridden
) (
    input  wire                     clk,
    input  wire                     rst_i,

    input  wire                     launch_valid_i,
    input  wire [KERNEL_W-1:0]      launch_kernel_i,
    input  wire [REGISTER_W-1:0]    launch_registers_i,
    input  wire [SHARED_W-1:0]      launch_shared_i,
    input  wire [WARP_W-1:0]        launch_warps_i,
    input  wire [REGISTER_W-1:0]    have_registers_i,
    input  wire [SHARED_W-1:0]      have_shared_i,
    input  wire [WARP_W-1:0]        have_warps_i,
    input  wire [CTA_W-1:0]         have_ctas_i,

    input  wire [KERNEL_W-1:0]      kernel_i,
    input  wire [2:0]               block_i,
    input  wire [2:0]               started_i,
    input  wire [SM_W-1:0]          started_sm_i,
    input  wire [KERNEL_W-1:0]      started_kernel_i,
    input  wire [3*N_SM-1:0]        ended_i,
    input  wire [KERNEL_W*N_SM-1:0] ended_kernel_i,
    output wire [N_SM-1:0]          room_o
);

    // A bad value instantiates a module that does not exist; its name is the message.
    generate
        if (N_SM < 1 || N_SM > 192 || N_KERNEL < 1 || N_KERNEL > 32
            || REGISTER_W < 1 || REGISTER_W > 21 || SHARED_W < 1 || SHARED_W > 21
            || WARP_W < 1 || WARP_W > 7 || CTA_W < 1 || CTA_W > 6
            || SM_W != ((N_SM > 1) ? $clog2(N_SM) : 1)
            || KERNEL_W != ((N_KERNEL > 1) ? $clog2(N_KERNEL) : 1)) begin : g_check
            sm_room_needs_N_SM_1_to_192_N_KERNEL_1_to_32_REGISTER_W_SHARED_W_1_to_21_WARP_W_1_to_7_CTA_W_1_to_6
                u_stop ();
        end
    endgenerate

    // ---- What a CTA of each slot needs -------------------------------------

    (* mem2reg *)                        // registers, of which all are read
    reg [REGISTER_W-1:0] need_registers_q [0:N_KERNEL-1];
    (* mem2reg *)
    reg [SHARED_W-1:0]   need_shared_q [0:N_KERNEL-1];
    (* mem2reg *)
    reg [WARP_W-1:0]     need_warps_q [0:N_KERNEL-1];
    reg                  recount_q;

    wire [N_KERNEL-1:0]            launched;
    wire [REGISTER_W*N_KERNEL-1:0] need_registers;
    wire [SHARED_W*N_KERNEL-1:0]   need_shared;
    wire [WARP_W*N_KERNEL-1:0]     need_warps;

    genvar k;
    generate
        for (k = 0; k < N_KERNEL; k = k + 1) begin : g_slot
            localparam [31:0] SLOT = k;
            assign launched[k] = launch_valid_i && launch_kernel_i == SLOT[KERNEL_W-1:0];
            assign need_registers[REGISTER_W*k +: REGISTER_W] = need_registers_q[k];
            assign need_shared[SHARED_W*k +: SHARED_W]        = need_shared_q[k];
            assign need_warps[WARP_W*k +: WARP_W]             = need_warps_q[k];
            always @(posedge clk) begin
                if (rst_i) begin
                    need_registers_q[k] <= {REGISTER_W{1'b0}};
                    need_shared_q[k]    <= {SHARED_W{1'b0}};
                    need_warps_q[k]     <= {WARP_W{1'b0}};
                end else if (launched[k]) begin
                    need_registers_q[k] <= launch_registers_i;
                    need_shared_q[k]    <= launch_shared_i;
                    need_warps_q[k]     <= launch_warps_i;
                end
            end
        end
    endgenerate

    always @(posedge clk) recount_q <= !rst_i && |launched;

    // ---- Each SM -----------------------------------------------------------

    wire [N_SM-1:0] room;
    assign room_o = room;

    genvar s;
    generate
        for (s = 0; s < N_SM; s = s + 1) begin : g_contexts
            localparam [31:0] SM = s;
            wire here = started_sm_i == SM[SM_W-1:0];
            sm_contexts #(
                .N_KERNEL(N_KERNEL),
                .REGISTER_W(REGISTER_W),
                .SHARED_W(SHARED_W),
                .WARP_W(WARP_W),
                .CTA_W(CTA_W)
            ) u_contexts (
                .clk(clk),
                .rst_i(rst_i),
                .kernel_i(kernel_i),
                .block_i(block_i),
                .recount_i(recount_q),
                .need_registers_i(need_registers),
                .need_shared_i(need_shared),
                .need_warps_i(need_warps),
                .have_registers_i(have_registers_i),
                .have_shared_i(have_shared_i),
                .have_warps_i(have_warps_i),
                .have_ctas_i(have_ctas_i),
                .started_i(started_i & {3{here}}),
                .started_kernel_i(started_kernel_i),
                .ended_i(ended_i[3*s +: 3]),
                .ended_kernel_i(ended_kernel_i[KERNEL_W*s +: KERNEL_W]),
                .room_o(room[s])
            );
        end
    endgenerate

    // ---- Properties, proved by induction -----------------------------------

`ifdef FORMAL
    reg f_started = 1'b0; // at least one rising edge has passed
    always @(posedge clk) f_started <= 1'b1;
    always @* if (!f_started) assume (rst_i);

    // One slot, whichever it is, and what its last launch since the reset needs.
    (* anyconst *) reg [KERNEL_W-1:0] f_slot;
    always @* assume (f_slot < N_KERNEL);
    wire                 f_launch = launch_valid_i && launch_kernel_i == f_slot;
    reg [REGISTER_W-1:0] f_registers;
    reg [SHARED_W-1:0]   f_shared;
    reg [WARP_W-1:0]     f_warps;
    always @(posedge clk) begin
        if (rst_i) begin
            f_registers <= 0;
            f_shared    <= 0;
            f_warps     <= 0;
        end else if (f_launch) begin
            f_registers <= launch_registers_i;
            f_shared    <= launch_shared_i;
            f_warps     <= launch_warps_i;
        end
    end

    always @(posedge clk) begin
        if (f_started) begin
            a_registers : assert (need_registers[REGISTER_W*f_slot +: REGISTER_W] == f_registers);
            a_shared    : assert (need_shared[SHARED_W*f_slot +: SHARED_W] == f_shared);
            a_warps     : assert (need_warps[WARP_W*f_slot +: WARP_W] == f_warps);
            a_recount   : assert (recount_q == $past(!rst_i && launch_valid_i && launch_kernel_i < N_KERNEL));
            a_closed    : assert (!recount_q || room_o == 0);
            if (!rst_i) begin
                c_launch : cover (f_launch && f_registers != 0 && f_registers != launch_registers_i);
                c_room   : cover (room_o == {N_SM{1'b1}} && f_registers != 0);
            end
        end
    end
`endif

endmodule

`default_nettype wire
