// sm_free - what each SM has left, and which have room for a CTA of any kernel.
//
// Purpose
//   The room of LaPerm, whose candidate is of another kernel in each cycle. Of one SM, for all four resources alike:
//
//   started_kernel_i --> row --> (if it starts here) --.
//                                                      v
//                                                 (+ given - taken) --> left --> (>= need) --> room_o
//                                                      ^                            ^
//   ended_kernel_i ----> row --> (if it ends) ---------'     kernel_i --> row ------'
//
// Parameters, outside of whose ranges it does not elaborate
//   N_SM               SMs, 1..192
//   N_KERNEL           kernel slots, 1..128
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
//   Room        is answered in the cycle of kernel_i, for another slot in each cycle.
//   Start, end, launch  count from the next cycle on; one launch, one start, and one end on each SM in each cycle.
//
// Contract
//   Begin      in the first cycle after a reset each SM has left what it has. That cycle's CTAs are ignored.
//   Left       from then on a CTA that starts takes what one of its slot needs, of registers, shared memory, warps and
//              CTA slots, one of which each takes. A CTA that ends gives it back. Both count from the next cycle on.
//              At most one SM gets a CTA in a cycle, and of each SM one may end.
//   Launch     a table holds what a CTA of each slot needs. A launch writes the slot's row, which counts from the next
//              cycle on.
//   Room       SM s has left what a CTA of kernel needs. It shows none in the cycle in which a CTA starts on it, of
//              whatever slot.
//   Illegal    for a kernel that is no slot there is no room. A launch of no slot, a CTA of no slot, and a start on an
//              SM that there is not are ignored. A CTA that starts without room, or ends without having started,
//              counts all the same, modulo 2^W of each count: starts and ends in equal numbers bring it back to what
//              it was. So a slot is launched again only when its CTAs have ended.
//
// Reset
//   All registers are 0: no SM has room. Outputs do not depend on rst_i.
//
// Twin     sm_free.c: equal outputs, registers and memories in every cycle after the first
//          reset edge.
//
// Source
//   Wang and others, "LaPerm: Locality Aware Scheduler for Dynamic Parallelism on GPUs", ISCA 2016, IV.C: a thread
//   block goes to the SMX that is visited if that has the resources for it, and all stages take one cycle. Awatramani,
//   "Workload-aware scheduling techniques for general purpose applications on graphics processing units",
//   dissertation, section 2.2.2: which resources.
//
// Deviations
//   - The sources name the check and not the hardware. sm_room counts a kernel's contexts, and needs cycles to turn to
//     another kernel. Here any kernel is compared at once, at the cost of an adder and a comparator for each resource
//     of an SM.
//   - Threads are counted in whole warps, as in sm_room.

`default_nettype none

module sm_free #(
    parameter integer N_SM       = 13,
    parameter integer N_KERNEL   = 32,
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
    input  wire                     started_i,
    input  wire [SM_W-1:0]          started_sm_i,
    input  wire [KERNEL_W-1:0]      started_kernel_i,
    input  wire [N_SM-1:0]          ended_i,
    input  wire [KERNEL_W*N_SM-1:0] ended_kernel_i,
    output wire [N_SM-1:0]          room_o
);

    // A bad value instantiates a module that does not exist; its name is the message.
    generate
        if (N_SM < 1 || N_SM > 192 || N_KERNEL < 1 || N_KERNEL > 128
            || REGISTER_W < 1 || REGISTER_W > 21 || SHARED_W < 1 || SHARED_W > 21
            || WARP_W < 1 || WARP_W > 7 || CTA_W < 1 || CTA_W > 6
            || SM_W != ((N_SM > 1) ? $clog2(N_SM) : 1)
            || KERNEL_W != ((N_KERNEL > 1) ? $clog2(N_KERNEL) : 1)) begin : g_check
            sm_free_needs_N_SM_1_to_192_N_KERNEL_1_to_128_REGISTER_W_SHARED_W_1_to_21_WARP_W_1_to_7_CTA_W_1_to_6
                u_stop ();
        end
    endgenerate

    // ---- State -------------------------------------------------------------

    (* mem2reg *)                        // registers, of which all are read
    reg [REGISTER_W-1:0] need_registers_q [0:N_KERNEL-1];
    (* mem2reg *)
    reg [SHARED_W-1:0]   need_shared_q [0:N_KERNEL-1];
    (* mem2reg *)
    reg [WARP_W-1:0]     need_warps_q [0:N_KERNEL-1];
    reg                  begun_q;
    (* mem2reg *)
    reg [REGISTER_W-1:0] registers_q [0:N_SM-1];
    (* mem2reg *)
    reg [SHARED_W-1:0]   shared_q [0:N_SM-1];
    (* mem2reg *)
    reg [WARP_W-1:0]     warps_q [0:N_SM-1];
    (* mem2reg *)
    reg [CTA_W-1:0]      ctas_q [0:N_SM-1];

    always @(posedge clk) begun_q <= !rst_i;

    // ---- What a CTA of each slot needs: a row of four numbers, below a guard bit each --------------------

    localparam integer S     = REGISTER_W + 1; // where shared memory begins
    localparam integer W     = S + SHARED_W + 1;
    localparam integer C     = W + WARP_W + 1;
    localparam integer ROW_W = C + CTA_W + 1;
    localparam [ROW_W-1:0]  GUARD = {1'b1, {CTA_W{1'b0}}, 1'b1, {WARP_W{1'b0}}, 1'b1, {SHARED_W{1'b0}},
                                     1'b1, {REGISTER_W{1'b0}}};
    localparam [CTA_W-1:0]  ONE   = 1;
    localparam [KERNEL_W:0] SLOTS = N_KERNEL[KERNEL_W:0];

    wire [ROW_W*N_KERNEL-1:0] rows;

    genvar k;
    generate
        for (k = 0; k < N_KERNEL; k = k + 1) begin : g_slot
            localparam [31:0] SLOT = k;
            assign rows[ROW_W*k +: ROW_W] = {1'b0, ONE, 1'b0, need_warps_q[k], 1'b0, need_shared_q[k],
                                             1'b0, need_registers_q[k]};
            always @(posedge clk) begin
                if (rst_i) begin
                    need_registers_q[k] <= {REGISTER_W{1'b0}};
                    need_shared_q[k]    <= {SHARED_W{1'b0}};
                    need_warps_q[k]     <= {WARP_W{1'b0}};
                end else if (launch_valid_i && launch_kernel_i == SLOT[KERNEL_W-1:0]) begin
                    need_registers_q[k] <= launch_registers_i;
                    need_shared_q[k]    <= launch_shared_i;
                    need_warps_q[k]     <= launch_warps_i;
                end
            end
        end
    endgenerate

    // Room is asked for in the cycle in which the kernel comes. So of either half of the slots a row is picked and
    // compared, and the kernel's highest bit says of which.
    localparam integer HALF    = 1 << (KERNEL_W - 1);
    localparam integer PLACE_W = (KERNEL_W > 1) ? KERNEL_W - 1 : 1;

    reg  [2*HALF*ROW_W-1:0] padded;
    reg  [PLACE_W-1:0]      place;
    always @* begin : p_pad
        padded                     = {2*HALF*ROW_W{1'b0}};
        padded[N_KERNEL*ROW_W-1:0] = rows;
        place                      = kernel_i[PLACE_W-1:0];
        if (KERNEL_W == 1) place   = {PLACE_W{1'b0}};
    end
    wire [ROW_W-1:0] need_low;
    wire [ROW_W-1:0] need_high;
    wire             is_slot = {1'b0, kernel_i} < SLOTS;

    select_word #(.N(HALF), .W(ROW_W)) u_need_low (
        .words_i(padded[0 +: HALF*ROW_W]), .number_i(place), .word_o(need_low)
    );
    select_word #(.N(HALF), .W(ROW_W)) u_need_high (
        .words_i(padded[HALF*ROW_W +: HALF*ROW_W]), .number_i(place), .word_o(need_high)
    );

    // What the SMs have, before any CTA, and what the CTA that starts takes. A number that is no slot picks zeros.
    wire [ROW_W-1:0] have = {1'b0, have_ctas_i, 1'b0, have_warps_i, 1'b0, have_shared_i, 1'b0, have_registers_i};
    wire [ROW_W-1:0] taken;

    select_word #(.N(N_KERNEL), .W(ROW_W)) u_taken (
        .words_i(rows), .number_i(started_kernel_i), .word_o(taken)
    );

    // ---- Each SM -----------------------------------------------------------

    wire [N_SM-1:0] room;
    assign room_o = room;

    genvar s;
    generate
        for (s = 0; s < N_SM; s = s + 1) begin : g_sm
            localparam [31:0] SM = s;
            wire             starts = started_i && started_sm_i == SM[SM_W-1:0];
            wire [ROW_W-1:0] left   = {1'b0, ctas_q[s], 1'b0, warps_q[s], 1'b0, shared_q[s], 1'b0, registers_q[s]};
            wire [ROW_W-1:0] given;

            select_word #(.N(N_KERNEL), .W(ROW_W)) u_given (
                .words_i(rows), .number_i(ended_kernel_i[KERNEL_W*s +: KERNEL_W]), .word_o(given)
            );

            // left + given - taken: a row of bits that weigh twice as much, less a row of bits. A guard bit takes the
            // borrow of the number below it, and is dropped.
            wire [ROW_W-1:0] from  = begun_q ? left : have;
            wire [ROW_W-1:0] more  = given & {ROW_W{ended_i[s] && begun_q}};
            wire [ROW_W-1:0] less  = taken & {ROW_W{starts && begun_q}};
            wire [ROW_W-1:0] twice = (from & more) | ((from | more) & ~less);
            wire [ROW_W-1:0] after;
            wire             unused = &{1'b0, after & GUARD, twice[ROW_W-1]};

            subtract #(.W(ROW_W)) u_after (
                .from_i({twice[ROW_W-2:0], 1'b0} | GUARD), .less_i(from ^ more ^ less), .left_o(after)
            );

            always @(posedge clk) begin
                if (rst_i) begin
                    registers_q[s] <= {REGISTER_W{1'b0}};
                    shared_q[s]    <= {SHARED_W{1'b0}};
                    warps_q[s]     <= {WARP_W{1'b0}};
                    ctas_q[s]      <= {CTA_W{1'b0}};
                end else begin
                    registers_q[s] <= after[0 +: REGISTER_W];
                    shared_q[s]    <= after[S +: SHARED_W];
                    warps_q[s]     <= after[W +: WARP_W];
                    ctas_q[s]      <= after[C +: CTA_W];
                end
            end

            // Room: no guard bit is taken.
            wire [ROW_W-1:0] over_low;
            wire [ROW_W-1:0] over_high;

            subtract #(.W(ROW_W)) u_over_low (.from_i(left | GUARD), .less_i(need_low), .left_o(over_low));
            subtract #(.W(ROW_W)) u_over_high (.from_i(left | GUARD), .less_i(need_high), .left_o(over_high));

            assign room[s] = is_slot && !starts
                             && (kernel_i[KERNEL_W-1] ? &(over_high | ~GUARD) : &(over_low | ~GUARD));
        end
    endgenerate

    // ---- Formal ------------------------------------------------------------
    // Its properties, proved by induction, are in rtl/formal/sm_free_properties.v.

`ifdef FORMAL
    wire [(REGISTER_W+SHARED_W+WARP_W+CTA_W)*N_SM-1:0]    lefts;
    wire [(REGISTER_W+SHARED_W+WARP_W)*N_KERNEL-1:0]      needs;
    genvar f_i;
    generate
        for (f_i = 0; f_i < N_SM; f_i = f_i + 1) begin : g_lefts
            assign lefts[(REGISTER_W+SHARED_W+WARP_W+CTA_W)*f_i +: REGISTER_W+SHARED_W+WARP_W+CTA_W]
                = {ctas_q[f_i], warps_q[f_i], shared_q[f_i], registers_q[f_i]};
        end
        for (f_i = 0; f_i < N_KERNEL; f_i = f_i + 1) begin : g_needs
            assign needs[(REGISTER_W+SHARED_W+WARP_W)*f_i +: REGISTER_W+SHARED_W+WARP_W]
                = {need_warps_q[f_i], need_shared_q[f_i], need_registers_q[f_i]};
        end
    endgenerate

    sm_free_properties #(
        .N_SM       (N_SM),
        .N_KERNEL   (N_KERNEL),
        .REGISTER_W (REGISTER_W),
        .SHARED_W   (SHARED_W),
        .WARP_W     (WARP_W),
        .CTA_W      (CTA_W)
    ) f_properties (.*);
`endif

endmodule

`default_nettype wire
