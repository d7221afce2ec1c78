// sm_contexts - how many more CTAs of a kernel one SM can take: what it has left of registers,
// shared memory, warps and CTA slots, counted in contexts.
//
// Purpose
//   The dispatcher asks each SM whether a block of CTAs fits. One subtraction per resource and
//   cycle answers it ahead of time: first it takes off what resident CTAs need, then it counts
//   how often what a CTA of the kernel needs goes into the rest.
//
//   need_*_i --> of slot at_q: one_*_q --> (-) ---> registers_q, shared_q, warps_q, ctas_q
//                                           |              ^
//                                       no borrow          '-- have_*_i, when a count begins
//                                           v
//   started_i, ended_i -----> (+ ended - started + 1) --> contexts_q --> (>= block_i) --> room_o
//          '--> resident_q
//
// Parameters, outside of whose ranges it does not elaborate
//   N_KERNEL         kernel slots, 1..32
//   REGISTER_W       bits of a number of registers, 1..21
//   SHARED_W         bits of a number of bytes of shared memory, 1..21
//   WARP_W           bits of a number of warps, 1..7
//   CTA_W            bits of a number of CTAs, 1..6
//   KERNEL_W         bits of a slot's number; derived, never overridden
//
// Ports              width        meaning
//   clk              1            clock, rising edge
//   rst_i            1            reset, synchronous, active high
//   kernel_i         KERNEL_W     slot whose CTAs are issued, and for which the SM counts its contexts
//   block_i          3            contexts that a block of its CTAs takes
//   recount_i        1            what a CTA of some slot needs has changed
//   need_registers_i REGISTER_W*N_KERNEL what a CTA of each slot needs: registers
//   need_shared_i    SHARED_W*N_KERNEL bytes of shared memory
//   need_warps_i     WARP_W*N_KERNEL warps, whose threads come in whole warps
//   have_registers_i REGISTER_W   what the SM has when it is empty: registers
//   have_shared_i    SHARED_W     bytes of shared memory
//   have_warps_i     WARP_W       warps: the fewer of its warp slots and its threads by the warp
//   have_ctas_i      CTA_W        CTA slots
//   started_i        3            CTAs that start on the SM in this cycle
//   started_kernel_i KERNEL_W     their slot
//   ended_i          3            CTAs that end on it
//   ended_kernel_i   KERNEL_W     their slot
//   room_o           1            a block of the kernel fits
//
// Paths from inputs to outputs in one cycle; every other output depends on state alone
//   room_o           kernel_i, block_i, recount_i, started_i, started_kernel_i, ended_i, ended_kernel_i
//
// Timing
//   Start, end  of CTAs of kernel are in room_o in the same cycle, and in the contexts in the
//               next one.
//   Recount     asked for in cycle t: an SM with R resident CTAs, of S slots, has its first
//               context in cycle t + 3 + R + S, and then one more in each cycle.
//
// Contract
//   Residents  for each slot of a kernel the SM counts its CTAs: those that start are added, those that end are taken
//              off. Nothing else says what the SM holds.
//   Contexts   are counted for one slot, kernel. When the count is done they are the most CTAs of kernel that fit
//              beside those resident: in registers, shared memory, warps and CTA slots. Before that they are fewer.
//   Room       the contexts, with CTAs of kernel that end in this cycle and without those that start, are a block's or
//              more. No room is shown in the cycle of a recount, of a change of kernel, or of a start of another
//              slot's CTAs.
//   Own CTAs   that start and end change kernel's contexts by as many.
//   Recount    begins with recount, with another kernel, with a start or an end of another slot's CTAs, with a start
//              of more CTAs than contexts, and with a start or an end during a recount. Until it is done there is no
//              room. First what resident CTAs need is taken off what the SM has, a CTA a cycle, and one cycle more for
//              each slot that has some. Then contexts are counted, one a cycle.
//   Illegal    kernel is no slot: no room, and it changes nothing. CTAs that start are ignored, all of them, if the
//              counter cannot hold them or their slot is none. So are CTAs that end, if fewer are resident. CTAs that
//              need more than the SM has count as others do, and there are no contexts until enough of them have
//              ended. Needs or haves that change without recount: contexts may be wrong until the next one.
//
// Reset
//   All registers are 0: the SM is empty, and has no contexts before the first recount.
//
// Twin     sm_contexts.c: equal outputs, registers and memories in every cycle after the first
//          reset edge.
//
// Source
//   Awatramani, "Workload-aware scheduling techniques for general purpose applications on graphics processing units",
//   dissertation, section 2.2.2: a CTA goes to an SM that has registers, shared memory, threads and CTA slots for it.
//   Wang and others, "Intra-Cluster Coalescing and Distributed-Block Scheduling to Reduce GPU NoC Pressure", IEEE
//   Transactions on Computers 2019, section 5: a block of two goes out when two contexts are free.
//
// Deviations
//   - The sources name the check and not the hardware. A comparison of what is free with what a block needs would be
//     an adder and a comparator in series, four times over. Here a kernel's contexts are counted one by one, with one
//     subtraction per resource and cycle, and CTAs of that kernel then come and go in units of contexts.
//   - Threads are counted in whole warps, of which an SM has a limited number for two reasons, its warp slots and its
//     threads. Whoever drives the unit gives the smaller one.

`default_nettype none

module sm_contexts #(
    parameter integer N_KERNEL   = 4,
    parameter integer REGISTER_W = 17,
    parameter integer SHARED_W   = 16,
    parameter integer WARP_W     = 7,
    parameter integer CTA_W      = 6,
    parameter integer KERNEL_W   = (N_KERNEL > 1) ? $clog2(N_KERNEL) : 1 // derived, never overridden
) (
    input  wire                           clk,
    input  wire                           rst_i,

    input  wire [KERNEL_W-1:0]            kernel_i,
    input  wire [2:0]                     block_i,
    input  wire                           recount_i,
    input  wire [REGISTER_W*N_KERNEL-1:0] need_registers_i,
    input  wire [SHARED_W*N_KERNEL-1:0]   need_shared_i,
    input  wire [WARP_W*N_KERNEL-1:0]     need_warps_i,
    input  wire [REGISTER_W-1:0]          have_registers_i,
    input  wire [SHARED_W-1:0]            have_shared_i,
    input  wire [WARP_W-1:0]              have_warps_i,
    input  wire [CTA_W-1:0]               have_ctas_i,

    input  wire [2:0]                     started_i,
    input  wire [KERNEL_W-1:0]            started_kernel_i,
    input  wire [2:0]                     ended_i,
    input  wire [KERNEL_W-1:0]            ended_kernel_i,
    output wire                           room_o
);

    // A bad value instantiates a module that does not exist; its name is the message.
    generate
        if (N_KERNEL < 1 || N_KERNEL > 32 || REGISTER_W < 1 || REGISTER_W > 21
            || SHARED_W < 1 || SHARED_W > 21 || WARP_W < 1 || WARP_W > 7
            || CTA_W < 1 || CTA_W > 6
            || KERNEL_W != ((N_KERNEL > 1) ? $clog2(N_KERNEL) : 1)) begin : g_check
            sm_contexts_needs_N_KERNEL_1_to_32_REGISTER_W_SHARED_W_1_to_21_WARP_W_1_to_7_CTA_W_1_to_6
                u_stop ();
        end
    endgenerate

    // ---- State -------------------------------------------------------------

    (* mem2reg *)                                  // registers, of which all are read
    reg [CTA_W-1:0]      resident_q [0:N_KERNEL-1];
    reg [N_KERNEL-1:0]   occupied_q;
    reg [KERNEL_W-1:0]   kernel_q;
    reg [CTA_W-1:0]      contexts_q;
    reg                  begin_q;
    reg                  walk_q;
    reg                  crowded_q;
    reg [KERNEL_W-1:0]   at_q;
    reg [CTA_W-1:0]      taken_q;
    reg [REGISTER_W-1:0] one_registers_q;
    reg [SHARED_W-1:0]   one_shared_q;
    reg [WARP_W-1:0]     one_warps_q;
    reg [REGISTER_W-1:0] registers_q;
    reg [SHARED_W-1:0]   shared_q;
    reg [WARP_W-1:0]     warps_q;
    reg [CTA_W-1:0]      ctas_q;

    // ---- CTAs that start and end -------------------------------------------

    localparam integer SUM_W = CTA_W + 3; // holds what a port of three bits may add twice

    localparam [KERNEL_W:0] SLOTS = N_KERNEL[KERNEL_W:0];
    localparam [N_KERNEL-1:0] FIRST = 1;

    wire             a_slot_s = {1'b0, started_kernel_i} < SLOTS;
    wire             a_slot_e = {1'b0, ended_kernel_i} < SLOTS;
    wire [CTA_W-1:0] there_s  = a_slot_s ? resident_q[started_kernel_i] : {CTA_W{1'b0}};
    wire [CTA_W-1:0] there_e  = a_slot_e ? resident_q[ended_kernel_i] : {CTA_W{1'b0}};
    wire [SUM_W-1:0] more     = {3'd0, there_s} + {{CTA_W{1'b0}}, started_i};
    wire [SUM_W-1:0] fewer    = {3'd0, there_e} - {{CTA_W{1'b0}}, ended_i};
    wire             starts   = a_slot_s && started_i != 3'd0 && more[SUM_W-1:CTA_W] == 3'd0;
    wire             ends     = ended_i != 3'd0 && !fewer[SUM_W-1];
    wire             same     = starts && ends && started_kernel_i == ended_kernel_i;
    wire [SUM_W-1:0] kept     = more - {{CTA_W{1'b0}}, ended_i};
    wire             unused   = &{1'b0, kept[SUM_W-1:CTA_W]};
    wire [CTA_W-1:0] left     = same ? kept[CTA_W-1:0] : fewer[CTA_W-1:0];

    // Slots with resident CTAs, kept beside the counters: a line of them is soon searched.
    wire [N_KERNEL-1:0] start_line = FIRST << started_kernel_i;
    wire [N_KERNEL-1:0] end_line   = FIRST << ended_kernel_i;

    integer r;
    always @(posedge clk) begin
        if (rst_i) begin
            for (r = 0; r < N_KERNEL; r = r + 1) resident_q[r] <= {CTA_W{1'b0}};
            occupied_q <= {N_KERNEL{1'b0}};
        end else begin
            if (starts) resident_q[started_kernel_i] <= more[CTA_W-1:0];
            if (ends)   resident_q[ended_kernel_i]   <= left;
            occupied_q <= (occupied_q | (start_line & {N_KERNEL{starts}}))
                          & ~(end_line & {N_KERNEL{ends && left == {CTA_W{1'b0}}}});
        end
    end

    // ---- Contexts ----------------------------------------------------------

    wire             unsure    = begin_q || walk_q || crowded_q;
    wire             own_start = starts && started_kernel_i == kernel_q;
    wire             own_end   = ends && ended_kernel_i == kernel_q;
    wire             other     = (starts && !own_start) || (ends && !own_end);
    wire [2:0]       take      = own_start ? started_i : 3'd0;
    wire [2:0]       give      = own_end ? ended_i : 3'd0;
    wire [SUM_W-1:0] now       = {3'd0, contexts_q} + {{CTA_W{1'b0}}, give};
    wire [SUM_W-1:0] rest      = now - {{CTA_W{1'b0}}, take};
    wire             late      = rest[SUM_W-1];
    wire             switched  = {1'b0, kernel_i} < SLOTS && kernel_i != kernel_q;
    wire             anew      = recount_i || switched || other || (unsure && (own_start || own_end)) || late;

    assign room_o = !recount_i && kernel_i == kernel_q && !(starts && !own_start) && !unsure
                    && !late && rest >= {{CTA_W{1'b0}}, block_i};

    // ---- One subtraction per resource --------------------------------------

    wire [REGISTER_W:0] registers = {1'b0, registers_q} - {1'b0, one_registers_q};
    wire [SHARED_W:0]   shared    = {1'b0, shared_q} - {1'b0, one_shared_q};
    wire [WARP_W:0]     warps     = {1'b0, warps_q} - {1'b0, one_warps_q};
    wire                fits      = !registers[REGISTER_W] && !shared[SHARED_W] && !warps[WARP_W] && |ctas_q;
    wire                all_taken = taken_q == resident_q[at_q];
    wire                subtract  = fits && (walk_q ? !all_taken : !crowded_q);

    always @(posedge clk) begin
        if (rst_i) begin
            registers_q <= {REGISTER_W{1'b0}};
            shared_q    <= {SHARED_W{1'b0}};
            warps_q     <= {WARP_W{1'b0}};
            ctas_q      <= {CTA_W{1'b0}};
        end else if (begin_q) begin
            registers_q <= have_registers_i;
            shared_q    <= have_shared_i;
            warps_q     <= have_warps_i;
            ctas_q      <= have_ctas_i;
        end else if (subtract) begin
            registers_q <= registers[REGISTER_W-1:0];
            shared_q    <= shared[SHARED_W-1:0];
            warps_q     <= warps[WARP_W-1:0];
            ctas_q      <= ctas_q - {{(CTA_W-1){1'b0}}, 1'b1};
        end
    end

    // ---- The walk through the slots with resident CTAs, then to kernel -----

    wire [N_KERNEL-1:0] after_at = ({N_KERNEL{1'b1}} << at_q) << 1;
    wire [N_KERNEL-1:0] next_line;
    wire                next_any;
    wire [KERNEL_W-1:0] next_number;
    wire [KERNEL_W-1:0] next_at = next_any ? next_number : kernel_q;
    wire                turn    = begin_q || (walk_q && all_taken);

    pick_first #(
        .N (N_KERNEL)
    ) u_next (
        .set_i  (occupied_q & (after_at | {N_KERNEL{begin_q}})),
        .line_o (next_line),
        .any_o  (next_any)
    );

    line_number #(
        .N (N_KERNEL)
    ) u_number (
        .line_i   (next_line),
        .number_o (next_number)
    );

    always @(posedge clk) begin
        if (rst_i) begin
            walk_q          <= 1'b0;
            crowded_q       <= 1'b0;
            at_q            <= {KERNEL_W{1'b0}};
            taken_q         <= {CTA_W{1'b0}};
            one_registers_q <= {REGISTER_W{1'b0}};
            one_shared_q    <= {SHARED_W{1'b0}};
            one_warps_q     <= {WARP_W{1'b0}};
        end else if (turn) begin
            walk_q          <= next_any;
            crowded_q       <= crowded_q && !begin_q;
            at_q            <= next_at;
            taken_q         <= {CTA_W{1'b0}};
            one_registers_q <= need_registers_i[REGISTER_W*next_at +: REGISTER_W];
            one_shared_q    <= need_shared_i[SHARED_W*next_at +: SHARED_W];
            one_warps_q     <= need_warps_i[WARP_W*next_at +: WARP_W];
        end else if (walk_q) begin
            walk_q          <= fits;
            crowded_q       <= !fits;
            taken_q         <= taken_q + {{(CTA_W-1){1'b0}}, fits};
        end
    end

    always @(posedge clk) begin
        if (rst_i) begin
            begin_q    <= 1'b0;
            kernel_q   <= {KERNEL_W{1'b0}};
            contexts_q <= {CTA_W{1'b0}};
        end else begin
            begin_q    <= anew;
            kernel_q   <= switched ? kernel_i : kernel_q;
            if (begin_q)
                contexts_q <= {CTA_W{1'b0}};
            else if (!walk_q)
                contexts_q <= rest[CTA_W-1:0] + {{(CTA_W-1){1'b0}}, fits && !crowded_q};
        end
    end

    // ---- Formal ------------------------------------------------------------
    // Its properties, proved by induction, are in rtl/formal/sm_contexts_properties.v.

`ifdef FORMAL
    wire [CTA_W*N_KERNEL-1:0] residents;
    genvar f_s;
    generate
        for (f_s = 0; f_s < N_KERNEL; f_s = f_s + 1) begin : g_formal
            assign residents[CTA_W*f_s +: CTA_W] = resident_q[f_s];
        end
    endgenerate

    sm_contexts_properties #(
        .N_KERNEL   (N_KERNEL),
        .REGISTER_W (REGISTER_W),
        .SHARED_W   (SHARED_W),
        .WARP_W     (WARP_W),
        .CTA_W      (CTA_W)
    ) f_properties (.*);
`endif

endmodule

`default_nettype wire
