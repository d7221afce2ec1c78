// laperm - the scheduler of LaPerm: which thread block goes to which SM next, of parents and of the
// kernels and groups that they launch.
//
// Purpose
//   LaPerm's extension of the SMX scheduler: RR, TB-Pri, SMX-Bind and Adaptive-Bind.
//
//   launch_* ---.--> u_parents, queue 0 ---.            room_i, limit_i
//               |                          |                 v
//               '--> g_set[s].u_set -------'--> candidate -> fits ---> dispatch_*
//               |       ^      |                 turn_q, backup_q
//               |       |      '--> ask_*        lead_*_q
//               |       '--------- back_*
//               '----------------> spill_*
//
// Parameters, outside of whose ranges it does not elaborate
//   N_SM               SMs, or clusters of them, 1..32
//   N_ENTRY            entries on chip of each SM's set, 1..128
//   N_PARENT           entries of queue 0, 1..128
//   N_LEVEL            L: levels of priority above that of queue 0, 1..8
//   PAYLOAD_W          bits of what an entry carries: PC, parameter address, thread configuration, 1..64
//   N_KERNEL           slots of the kernel distributor, 1..128
//   TB_W               bits of a number of thread blocks, 1..32
//   STAMP_W            bits of the stamp that tells the order of launches, 2..28
//   SPILL_W            bits of a number of entries in memory, 1..32
//   SM_W               bits of an SM's number; derived, never overridden
//   LEVEL_W            bits of a level; derived, never overridden
//   KERNEL_W           bits of a slot's number; derived, never overridden
//
// Ports                width        meaning
//   clk                1            clock, rising edge
//   rst_i              1            reset, synchronous, active high
//   mode_i             2            0 RR, 1 TB-Pri, 2 SMX-Bind, 3 Adaptive-Bind; it counts from the next cycle on
//   launch_valid_i     1            a kernel or a group of thread blocks is launched
//   launch_host_i      1            by the host: to queue 0
//   launch_sm_i        SM_W         otherwise, by a thread block on this SM
//   launch_parent_i    LEVEL_W      whose level is this; more than L counts as L
//   launch_payload_i   PAYLOAD_W    its payload
//   launch_kernel_i    KERNEL_W     its slot
//   launch_tbs_i       TB_W         its thread blocks
//   launch_ready_o     1            it is taken in this cycle
//   launch_error_o     1            the launch taken in the last cycle was refused
//   spill_valid_o      1            an entry goes to memory
//   spill_sm_o         SM_W         to the queue of this SM
//   spill_level_o      LEVEL_W      and this level, 1 to L
//   spill_payload_o    PAYLOAD_W    its payload
//   spill_kernel_o     KERNEL_W     its slot
//   spill_tbs_o        TB_W         its thread blocks
//   spill_stamp_o      STAMP_W      its stamp
//   spill_ready_i      1            memory takes it
//   ask_valid_o        1            the oldest entry of a queue in memory is to come back
//   ask_sm_o           SM_W         of this SM
//   ask_level_o        LEVEL_W      and this level
//   ask_ready_i        1            memory takes the request
//   back_valid_i       1            an entry comes back
//   back_sm_i          SM_W         of this SM
//   back_level_i       LEVEL_W      its level
//   back_payload_i     PAYLOAD_W    its payload
//   back_kernel_i      KERNEL_W     its slot
//   back_tbs_i         TB_W         its thread blocks
//   back_stamp_i       STAMP_W      its stamp
//   back_ready_o       1            it is taken in this cycle
//   waiting_o          N_SM         bit s: entries of SM s's set are on chip or in memory
//   look_o             1            there is a candidate in this cycle
//   kernel_o           KERNEL_W     its slot; 0 without look
//   room_i             N_SM         bit s: SM s has room for a thread block of this slot
//   limit_i            N_SM         bit s: every limiter allows SM s a thread block of it
//   credit_i           N_SM         bit s: SM s may take a thread block of it, if it is of queue 0; of what thread
//                                   blocks have launched, all may
//   dispatch_valid_o   1            a thread block goes to an SM
//   dispatch_sm_o      SM_W         to this one; this and the next are 0 without dispatch_valid
//   dispatch_payload_o PAYLOAD_W    its entry's payload
//   dispatch_kernel_o  KERNEL_W     its slot
//   dispatch_tb_o      TB_W         its number in its entry
//   dispatch_last_o    1            it is the last of its entry
//   dispatch_level_o   LEVEL_W      its level; 0 is queue 0
//   dispatch_from_o    SM_W         the SM whose set it comes from; of queue 0, 0
//   dispatch_ready_i   1            the dispatch is taken in this cycle
//
// Paths from inputs to outputs in one cycle; every other output depends on state alone
//   launch_ready_o     launch_host_i, launch_sm_i, launch_parent_i
//
// Timing
//   Throughput  a thread block in each cycle.
//   Latency     a launch that is taken in cycle t is a candidate in t + 2 at the earliest, with RR
//               and TB-Pri in t + 3; its first thread block shows one cycle later.
//
// Contract
//   Queue 0 has the kernels of the host, and each SM a set of queues, laperm_set, with what the thread blocks on it
//   have launched. An entry is drawn from until its last thread block.
//
//   Launch     by the host: to queue 0. By a thread block: to the set of its SM, one level above its own, or of level
//              L if that is L. With mode 0 all levels are 1. It waits while an insertion goes on in its set, or while
//              an entry from memory waits for this set; in queue 0 also while that is full. What cannot go on chip
//              (spills, in laperm_set) goes to memory, and waits only for the spill before it.
//   Stamp      of a launch: the number of those before it since nothing waited in any set. It stops at the highest
//              number: the order of those that have it is that of SMs.
//   Memory     takes spills, and keeps a queue for each SM and level, first come, first out. A request stands until it
//              is taken; the sets that want an entry take turns. None comes up while a spill waits. What comes back is
//              inserted before launches that wait for the same set.
//   Bind       modes 2 and 3 visit an SM in each cycle, in turn, if anything waits and no dispatch waits. The
//              candidate is, 1, the head of the SM's set; 2, if the set is empty, that of queue 0; 3, if that is empty
//              too, with mode 3, that of the SM's backup. If the recorded one is empty or there is none, the first set
//              after the SM's that is not empty is recorded. A head that is not offered is no candidate, and the visit
//              is lost.
//   RR         mode 0: the oldest head of all.
//   TB-Pri     mode 1: of the highest level, the oldest. Queue 0 is level 0. With both there is a candidate only if
//              all sets and queue 0 are steady.
//   Fit        the candidate's kernel is shown, and its room and limit are taken in the same cycle. With modes 2 and 3
//              it goes to the SM that is visited, or nothing does. With modes 0 and 1 it goes to the first SM that can
//              take it after the last one they picked. An SM to which a dispatch shows takes no other in this cycle.
//              One of queue 0 goes only to an SM with credit; those of the sets need none.
//   Dispatch   shows from the next cycle on until it is taken. Its thread block has left its entry by then. Nothing
//              else is picked before the cycle in which it is taken.
//   Illegal    a launch of no thread blocks, of slot n_kernel and up, or by a thread block on SM n_sm and up is
//              refused: launch_error. What comes back to a set for which nothing was asked, or of a level of which
//              memory has none, is dropped; level 0 counts as 1. A mode may change at any time: levels stay what they
//              were.
//
// Reset
//   Nothing waits, no SM has a backup, and SM 0 is visited first. All other registers are 0. Outputs do not depend on
//   rst_i, and nothing is taken while it is high.
//
// Twin     laperm.c: equal outputs, registers and memories in every cycle after the first
//          reset edge.
//
// Source
//   Wang and others, "LaPerm: Locality Aware Scheduler for Dynamic Parallelism on GPUs", ISCA 2016, III and IV.
//
// Deviations
//   - Fig 6, the flow chart, is not in the text. Built: the first backup is the first set that is not empty after the
//     SM's own, and it is recorded when it is chosen.
//   - The source has one queue per priority for TB-Pri. Built: the sets, and stamps.
//   - The source does not say what happens if a candidate does not fit. Built: nothing passes it.

`default_nettype none

module laperm #(
    parameter integer N_SM      = 13,
    parameter integer N_ENTRY   = 128,
    parameter integer N_PARENT  = 32,
    parameter integer N_LEVEL   = 4,
    parameter integer PAYLOAD_W = 64,
    parameter integer N_KERNEL  = 32,
    parameter integer TB_W      = 20,
    parameter integer STAMP_W   = 24,
    parameter integer SPILL_W   = 16,
    parameter integer SM_W      = (N_SM > 1) ? $clog2(N_SM) : 1,         // derived, never overridden
    parameter integer LEVEL_W   = $clog2(N_LEVEL + 1),                   // derived, never overridden
    parameter integer KERNEL_W  = (N_KERNEL > 1) ? $clog2(N_KERNEL) : 1, // derived, never overridden
    parameter integer N_GROUP   = (N_SM + 6) / 6,                        // derived, never overridden
    parameter integer KEY_W     = LEVEL_W + STAMP_W                      // derived, never overridden
) (
    input  wire                 clk,
    input  wire                 rst_i,

    input  wire [1:0]           mode_i,

    input  wire                 launch_valid_i,
    input  wire                 launch_host_i,
    input  wire [SM_W-1:0]      launch_sm_i,
    input  wire [LEVEL_W-1:0]   launch_parent_i,
    input  wire [PAYLOAD_W-1:0] launch_payload_i,
    input  wire [KERNEL_W-1:0]  launch_kernel_i,
    input  wire [TB_W-1:0]      launch_tbs_i,
    output wire                 launch_ready_o,
    output wire                 launch_error_o,

    output wire                 spill_valid_o,
    output wire [SM_W-1:0]      spill_sm_o,
    output wire [LEVEL_W-1:0]   spill_level_o,
    output wire [PAYLOAD_W-1:0] spill_payload_o,
    output wire [KERNEL_W-1:0]  spill_kernel_o,
    output wire [TB_W-1:0]      spill_tbs_o,
    output wire [STAMP_W-1:0]   spill_stamp_o,
    input  wire                 spill_ready_i,

    output wire                 ask_valid_o,
    output wire [SM_W-1:0]      ask_sm_o,
    output wire [LEVEL_W-1:0]   ask_level_o,
    input  wire                 ask_ready_i,

    input  wire                 back_valid_i,
    input  wire [SM_W-1:0]      back_sm_i,
    input  wire [LEVEL_W-1:0]   back_level_i,
    input  wire [PAYLOAD_W-1:0] back_payload_i,
    input  wire [KERNEL_W-1:0]  back_kernel_i,
    input  wire [TB_W-1:0]      back_tbs_i,
    input  wire [STAMP_W-1:0]   back_stamp_i,
    output wire                 back_ready_o,

    output wire [N_SM-1:0]      waiting_o,
    output wire                 look_o,
    output wire [KERNEL_W-1:0]  kernel_o,
    input  wire [N_SM-1:0]      room_i,
    input  wire [N_SM-1:0]      limit_i,
    input  wire [N_SM-1:0]      credit_i,
    output wire                 dispatch_valid_o,
    output wire [SM_W-1:0]      dispatch_sm_o,
    output wire [PAYLOAD_W-1:0] dispatch_payload_o,
    output wire [KERNEL_W-1:0]  dispatch_kernel_o,
    output wire [TB_W-1:0]      dispatch_tb_o,
    output wire                 dispatch_last_o,
    output wire [LEVEL_W-1:0]   dispatch_level_o,
    output wire [SM_W-1:0]      dispatch_from_o,
    input  wire                 dispatch_ready_i
);

    // A bad value instantiates a module that does not exist; its name is the message.
    generate
        if (N_SM < 1 || N_SM > 32 || N_ENTRY < 1 || N_ENTRY > 128 || N_PARENT < 1 || N_PARENT > 128
            || N_LEVEL < 1 || N_LEVEL > 8 || PAYLOAD_W < 1 || PAYLOAD_W > 64 || N_KERNEL < 1 || N_KERNEL > 128
            || TB_W < 1 || TB_W > 32 || STAMP_W < 2 || STAMP_W > 28 || SPILL_W < 1 || SPILL_W > 32
            || SM_W != ((N_SM > 1) ? $clog2(N_SM) : 1) || LEVEL_W != $clog2(N_LEVEL + 1)
            || KERNEL_W != ((N_KERNEL > 1) ? $clog2(N_KERNEL) : 1) || N_GROUP != (N_SM + 6) / 6
            || KEY_W != LEVEL_W + STAMP_W) begin : g_check
            laperm_needs_N_SM_TB_W_SPILL_W_1_to_32_N_ENTRY_N_PARENT_N_KERNEL_1_to_128_N_LEVEL_1_to_8_PAYLOAD_W_1_to_64_STAMP_W_2_to_28
                u_stop ();
        end
    endgenerate

    localparam integer SET_LEVEL_W = (N_LEVEL > 1) ? $clog2(N_LEVEL) : 1;
    localparam integer N_HEAD      = N_SM + 1;  // queue 0, then the sets
    localparam [31:0]  TOP         = N_LEVEL - 1;
    localparam [31:0]  SLOTS       = N_KERNEL;
    localparam [LEVEL_W-1:0] LEVEL_1 = 1;
    localparam [STAMP_W-1:0] STAMP_1 = 1;

    // ---- State -------------------------------------------------------------

    reg  [1:0]           mode_q;
    reg  [N_SM-1:0]      recorded_q;
    (* mem2reg *)                            // registers, of which all are read
    reg  [SM_W-1:0]      backup_q [0:N_SM-1];
    reg  [STAMP_W-1:0]   stamp_q;
    reg                  launch_error_q, going_q, last_q;
    reg  [SM_W-1:0]      to_q, from_q;
    reg  [LEVEL_W-1:0]   level_q;
    reg  [PAYLOAD_W-1:0] payload_q;
    reg  [KERNEL_W-1:0]  kernel_q;
    reg  [TB_W-1:0]      tb_q;

    // Registers that are in u_memory, u_bind, u_lead and u_target.
    wire                     spill_valid_q, ask_valid_q, back_valid_q;
    wire [SM_W-1:0]          spill_sm_q, ask_sm_q, back_sm_q;
    wire [LEVEL_W-1:0]       spill_level_q, ask_level_q, back_level_q;
    wire [PAYLOAD_W-1:0]     spill_payload_q, back_payload_q;
    wire [KERNEL_W-1:0]      spill_kernel_q, back_kernel_q;
    wire [TB_W-1:0]          spill_tbs_q, back_tbs_q;
    wire [STAMP_W-1:0]       spill_stamp_q, back_stamp_q;
    wire [N_SM-1:0]          turn_q;
    // verilator lint_off UNUSEDSIGNAL
    wire [N_SM-1:0]          behind_q, ask_behind_q, later_q, reserve_q;
    wire [N_GROUP-1:0]       lead_any_q;
    wire [N_HEAD-1:0]        lead_line_q;
    wire [N_GROUP*KEY_W-1:0] lead_key_q;
    // verilator lint_on UNUSEDSIGNAL

    // ---- Queue 0 and the sets ----------------------------------------------
    // A lane each, queue 0 lowest. Levels are those of the scheduler, 0 for queue 0.

    wire [N_HEAD-1:0]           offer, steady, here, last, draw;
    wire [N_HEAD*LEVEL_W-1:0]   level;
    wire [N_HEAD*PAYLOAD_W-1:0] payload;
    wire [N_HEAD*KERNEL_W-1:0]  kernel;
    wire [N_HEAD*TB_W-1:0]      tb;
    wire [N_HEAD*STAMP_W-1:0]   stamp;
    wire [N_SM-1:0]             some, idle, want, asks, serves, comes;
    wire [N_SM*N_LEVEL-1:0]     spills, stuck;  // of each set, levels of which launches go to memory, or cannot
    wire [N_SM*LEVEL_W-1:0]     want_level;

    wire                   hosted;        // a launch is taken: by the host,
    wire                   inserted;      // into a set,
    wire                   spilled;       // or it goes to memory
    wire [SET_LEVEL_W-1:0] launch_level;  // its level in a set
    wire [SET_LEVEL_W-1:0] back_level;    // that of what came back

    wire parents_idle, parents_full, parents_some;
    wire unused_stuck, unused_want, unused_want_level, unused_level;  // of one level, and never in memory

    laperm_set #(
        .N_ENTRY(N_PARENT), .N_LEVEL(1), .PAYLOAD_W(PAYLOAD_W), .N_KERNEL(N_KERNEL), .TB_W(TB_W), .STAMP_W(STAMP_W),
        .SPILL_W(1)
    ) u_parents (
        .clk(clk), .rst_i(rst_i), .insert_valid_i(hosted), .insert_back_i(1'b0), .insert_level_i(1'b0),
        .insert_payload_i(launch_payload_i), .insert_kernel_i(launch_kernel_i), .insert_tbs_i(launch_tbs_i),
        .insert_stamp_i(stamp_q), .spill_valid_i(1'b0), .spill_level_i(1'b0), .ask_i(1'b0), .draw_i(draw[0]),
        .idle_o(parents_idle), .spills_o(parents_full), .stuck_o(unused_stuck), .want_o(unused_want),
        .want_level_o(unused_want_level), .some_o(parents_some), .offer_o(offer[0]), .steady_o(steady[0]),
        .here_o(here[0]), .level_o(unused_level), .payload_o(payload[0 +: PAYLOAD_W]), .kernel_o(kernel[0 +: KERNEL_W]),
        .tb_o(tb[0 +: TB_W]), .last_o(last[0]), .stamp_o(stamp[0 +: STAMP_W])
    );
    assign level[0 +: LEVEL_W] = {LEVEL_W{1'b0}};

    genvar s;
    generate
        for (s = 0; s < N_SM; s = s + 1) begin : g_set
            localparam [31:0] SM = s;
            wire [SET_LEVEL_W-1:0] head_level, wanted;
            assign serves[s] = !launch_host_i && launch_sm_i == SM[SM_W-1:0];
            assign comes[s]  = back_valid_q && back_sm_q == SM[SM_W-1:0];

            laperm_set #(
                .N_ENTRY(N_ENTRY), .N_LEVEL(N_LEVEL), .PAYLOAD_W(PAYLOAD_W), .N_KERNEL(N_KERNEL), .TB_W(TB_W),
                .STAMP_W(STAMP_W), .SPILL_W(SPILL_W)
            ) u_set (
                .clk(clk), .rst_i(rst_i), .insert_valid_i(comes[s] || (serves[s] && inserted)),
                .insert_back_i(comes[s]), .insert_level_i(comes[s] ? back_level : launch_level),
                .insert_payload_i(comes[s] ? back_payload_q : launch_payload_i),
                .insert_kernel_i(comes[s] ? back_kernel_q : launch_kernel_i),
                .insert_tbs_i(comes[s] ? back_tbs_q : launch_tbs_i),
                .insert_stamp_i(comes[s] ? back_stamp_q : stamp_q),
                .spill_valid_i(serves[s] && spilled), .spill_level_i(launch_level),
                .ask_i(asks[s]), .draw_i(draw[s+1]), .idle_o(idle[s]), .spills_o(spills[s*N_LEVEL +: N_LEVEL]),
                .stuck_o(stuck[s*N_LEVEL +: N_LEVEL]), .want_o(want[s]), .want_level_o(wanted), .some_o(some[s]),
                .offer_o(offer[s+1]), .steady_o(steady[s+1]), .here_o(here[s+1]), .level_o(head_level),
                .payload_o(payload[(s+1)*PAYLOAD_W +: PAYLOAD_W]), .kernel_o(kernel[(s+1)*KERNEL_W +: KERNEL_W]),
                .tb_o(tb[(s+1)*TB_W +: TB_W]), .last_o(last[s+1]), .stamp_o(stamp[(s+1)*STAMP_W +: STAMP_W])
            );

            assign level[(s+1)*LEVEL_W +: LEVEL_W] = above(head_level);
            assign want_level[s*LEVEL_W +: LEVEL_W] = above(wanted);
        end
    endgenerate

    // From a level of a set to that of the scheduler.
    function [LEVEL_W-1:0] above(input [SET_LEVEL_W-1:0] in_set);
        begin
            above = {LEVEL_W{1'b0}};
            above[SET_LEVEL_W-1:0] = in_set;
            above = above + LEVEL_1;
        end
    endfunction

    // And the other way; the highest stays.
    function [SET_LEVEL_W-1:0] clamp(input [LEVEL_W-1:0] wide);
        clamp = (wide > TOP[LEVEL_W-1:0]) ? TOP[SET_LEVEL_W-1:0] : wide[SET_LEVEL_W-1:0];
    endfunction

    // ---- Launches ----------------------------------------------------------

    assign launch_level = (launch_host_i || mode_q == 2'd0) ? {SET_LEVEL_W{1'b0}} : clamp(launch_parent_i);

    // Of the set that it goes to: what each level would do, since its own is known later than the set.
    wire [N_LEVEL-1:0] set_spills, set_stuck;
    select_line #(.N(N_SM), .W(N_LEVEL)) u_spills (.words_i(spills), .line_i(serves), .word_o(set_spills));
    select_line #(.N(N_SM), .W(N_LEVEL)) u_stuck (.words_i(stuck), .line_i(serves), .word_o(set_stuck));
    wire [N_LEVEL-1:0] set_sends = set_spills & ~set_stuck & {N_LEVEL{!spill_valid_q}};
    wire [N_LEVEL-1:0] set_keeps = ~set_spills & {N_LEVEL{|(serves & idle & ~comes)}};

    wire known = launch_host_i || |serves;
    wire legal = known && launch_tbs_i != {TB_W{1'b0}} && {{(32-KERNEL_W){1'b0}}, launch_kernel_i} < SLOTS;
    wire valid = launch_valid_i && legal;

    assign hosted         = valid && launch_host_i && parents_idle && !parents_full;
    assign inserted       = valid && set_keeps[launch_level];
    assign spilled        = valid && set_sends[launch_level];
    assign launch_ready_o = launch_host_i ? parents_idle && !parents_full
                                          : !known || set_keeps[launch_level] || set_sends[launch_level];

    // The stamp begins again when nothing waits.
    wire quiet = parents_idle && !parents_some && &idle && !(|some);

    always @(posedge clk) begin : p_launch
        if (rst_i) begin
            mode_q         <= 2'd0;
            stamp_q        <= {STAMP_W{1'b0}};
            launch_error_q <= 1'b0;
        end else begin
            mode_q         <= mode_i;
            launch_error_q <= launch_valid_i && launch_ready_o && !legal;
            if (hosted || inserted || spilled) stamp_q <= (&stamp_q) ? stamp_q : stamp_q + STAMP_1;
            else if (quiet) stamp_q <= {STAMP_W{1'b0}};
        end
    end

    // ---- To memory and back ------------------------------------------------

    assign back_level = (back_level_q == {LEVEL_W{1'b0}}) ? {SET_LEVEL_W{1'b0}} : clamp(back_level_q - LEVEL_1);

    laperm_memory #(
        .N_SM(N_SM), .LEVEL_W(LEVEL_W), .PAYLOAD_W(PAYLOAD_W), .KERNEL_W(KERNEL_W), .TB_W(TB_W), .STAMP_W(STAMP_W)
    ) u_memory (
        .clk(clk), .rst_i(rst_i), .spill_i(spilled), .spill_ready_i(spill_ready_i),
        .entry_i({launch_sm_i, above(launch_level), launch_payload_i, launch_kernel_i, launch_tbs_i, stamp_q}),
        .spill_valid_o(spill_valid_q), .spill_sm_o(spill_sm_q), .spill_level_o(spill_level_q),
        .spill_payload_o(spill_payload_q), .spill_kernel_o(spill_kernel_q), .spill_tbs_o(spill_tbs_q),
        .spill_stamp_o(spill_stamp_q), .want_i(want), .want_level_i(want_level), .ask_ready_i(ask_ready_i),
        .asks_o(asks), .ask_valid_o(ask_valid_q), .ask_sm_o(ask_sm_q), .ask_level_o(ask_level_q),
        .ask_behind_o(ask_behind_q), .back_valid_i(back_valid_i), .back_stays_i(|(comes & ~idle)),
        .back_i({back_sm_i, back_level_i, back_payload_i, back_kernel_i, back_tbs_i, back_stamp_i}),
        .back_valid_o(back_valid_q), .back_sm_o(back_sm_q), .back_level_o(back_level_q),
        .back_payload_o(back_payload_q), .back_kernel_o(back_kernel_q), .back_tbs_o(back_tbs_q),
        .back_stamp_o(back_stamp_q)
    );

    // ---- The candidate -----------------------------------------------------
    // With RR and TB-Pri, the first of all heads as they were in the cycle before; heads that have changed since are
    // not steady. With SMX-Bind and Adaptive-Bind, of three stages.

    wire [N_HEAD-1:0]    leads;
    wire [N_HEAD-1:0]    bound;
    wire [N_SM*SM_W-1:0] backups;
    wire                 binds = mode_q[1];
    wire                 free  = !going_q || dispatch_ready_i;
    wire                 records;
    wire [SM_W-1:0]      record;

    laperm_lead #(.N_HEAD(N_HEAD), .LEVEL_W(LEVEL_W), .STAMP_W(STAMP_W)) u_lead (
        .clk(clk), .rst_i(rst_i), .here_i(here), .rr_i(mode_i == 2'd0), .level_i(level), .stamp_i(stamp),
        .leads_o(leads), .lead_any_o(lead_any_q), .lead_line_o(lead_line_q), .lead_key_o(lead_key_q)
    );
    laperm_bind #(.N_SM(N_SM)) u_bind (
        .clk(clk), .rst_i(rst_i), .binds_i(binds), .adaptive_i(mode_q == 2'd3), .free_i(free), .some_i(some),
        .parents_i(parents_some), .recorded_i(recorded_q), .backups_i(backups), .records_o(records), .record_o(record),
        .bound_o(bound), .turn_o(turn_q), .later_o(later_q), .reserve_o(reserve_q)
    );

    wire [N_HEAD-1:0]    source = binds ? bound & offer : leads & {N_HEAD{&steady}};
    wire                 oldest = !binds && &steady && |lead_any_q;  // there is one, with RR and TB-Pri

    // ---- Where it goes -----------------------------------------------------

    wire [SM_W-1:0] to, from;
    wire            takes;   // an SM takes it
    generate
        for (s = 0; s < N_SM; s = s + 1) begin : g_backup
            assign backups[s*SM_W +: SM_W] = backup_q[s];
            always @(posedge clk)
                if (rst_i || (records && turn_q[s])) backup_q[s] <= record & {SM_W{!rst_i}};
        end
    endgenerate

    laperm_target #(.N_SM(N_SM)) u_target (
        .clk(clk), .rst_i(rst_i), .binds_i(binds), .turn_i(turn_q), .room_i(room_i), .limit_i(limit_i),
        .credit_i(credit_i), .going_i(going_q), .going_to_i(to_q), .parent_i(source[0]), .serve_i(free && oldest),
        .takes_o(takes), .to_o(to), .behind_o(behind_q)
    );
    wire goes   = free && look_o && takes;
    assign draw = source & {N_HEAD{free && takes}};

    line_number #(.N(N_SM)) u_from (.line_i(source[N_SM:1]), .number_o(from));

    wire [PAYLOAD_W-1:0] source_payload;
    wire [KERNEL_W-1:0]  source_kernel;
    wire [TB_W-1:0]      source_tb;
    wire [LEVEL_W-1:0]   source_level;
    wire                 source_last = |(source & last);
    select_line #(.N(N_HEAD), .W(PAYLOAD_W)) u_payload (.words_i(payload), .line_i(source), .word_o(source_payload));
    select_line #(.N(N_HEAD), .W(KERNEL_W)) u_kernel (.words_i(kernel), .line_i(source), .word_o(source_kernel));
    select_line #(.N(N_HEAD), .W(TB_W)) u_tb (.words_i(tb), .line_i(source), .word_o(source_tb));
    select_line #(.N(N_HEAD), .W(LEVEL_W)) u_level (.words_i(level), .line_i(source), .word_o(source_level));

    localparam integer SHOWN_W = PAYLOAD_W + KERNEL_W + TB_W + 1 + LEVEL_W + SM_W;

    always @(posedge clk) begin : p_dispatch
        if (rst_i) begin
            recorded_q <= {N_SM{1'b0}};
            {going_q, to_q} <= {(1+SM_W){1'b0}};
            {payload_q, kernel_q, tb_q, last_q, level_q, from_q} <= {SHOWN_W{1'b0}};
        end else begin
            if (free) {going_q, to_q} <= {1'b1, to} & {(1+SM_W){goes}};
            if (free) {payload_q, kernel_q, tb_q, last_q, level_q, from_q}  // without a candidate they are 0
                <= {source_payload, source_kernel, source_tb, source_last, source_level, from} & {SHOWN_W{takes}};
            if (records) recorded_q <= recorded_q | turn_q;
        end
    end

    // ---- Outputs -----------------------------------------------------------

    assign launch_error_o = launch_error_q;
    assign {spill_valid_o, spill_sm_o, spill_level_o, spill_payload_o, spill_kernel_o, spill_tbs_o, spill_stamp_o}
        = {spill_valid_q, spill_sm_q, spill_level_q, spill_payload_q, spill_kernel_q, spill_tbs_q, spill_stamp_q};
    assign {ask_valid_o, ask_sm_o, ask_level_o} = {ask_valid_q, ask_sm_q, ask_level_q};
    assign back_ready_o   = !back_valid_q;
    assign waiting_o      = some;
    assign look_o         = oldest || (binds && |(bound & offer));
    assign kernel_o       = source_kernel;
    assign {dispatch_valid_o, dispatch_sm_o, dispatch_payload_o, dispatch_kernel_o, dispatch_tb_o, dispatch_last_o,
            dispatch_level_o, dispatch_from_o} = {going_q, to_q, payload_q, kernel_q, tb_q, last_q, level_q, from_q};

    // ---- Formal ------------------------------------------------------------
    // Its properties, proved by induction, are in rtl/formal/laperm_properties.v.

`ifdef FORMAL_REACH
    laperm_launch_properties #(
        .N_SM(N_SM), .N_LEVEL(N_LEVEL), .PAYLOAD_W(PAYLOAD_W), .TB_W(TB_W), .SPILL_W(SPILL_W), .KERNEL_W(KERNEL_W),
        .STAMP_W(STAMP_W)
    ) f_launches (.*);
`elsif FORMAL
    laperm_properties #(.N_SM(N_SM), .N_LEVEL(N_LEVEL), .STAMP_W(STAMP_W)) f_properties (.*);
`endif

endmodule

`default_nettype wire
