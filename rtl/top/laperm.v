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
//   N_KERNEL           slots of the kernel distributor, 1..32
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
            || N_LEVEL < 1 || N_LEVEL > 8 || PAYLOAD_W < 1 || PAYLOAD_W > 64 || N_KERNEL < 1 || N_KERNEL > 32
            || TB_W < 1 || TB_W > 32 || STAMP_W < 2 || STAMP_W > 28 || SPILL_W < 1 || SPILL_W > 32
            || SM_W != ((N_SM > 1) ? $clog2(N_SM) : 1) || LEVEL_W != $clog2(N_LEVEL + 1)
            || KERNEL_W != ((N_KERNEL > 1) ? $clog2(N_KERNEL) : 1) || N_GROUP != (N_SM + 6) / 6
            || KEY_W != LEVEL_W + STAMP_W) begin : g_check
            laperm_needs_N_SM_N_KERNEL_TB_W_SPILL_W_1_to_32_N_ENTRY_N_PARENT_1_to_128_N_LEVEL_1_to_8_PAYLOAD_W_1_to_64_STAMP_W_2_to_28
                u_stop ();
        end
    endgenerate

    localparam integer SET_LEVEL_W = (N_LEVEL > 1) ? $clog2(N_LEVEL) : 1;
    localparam integer N_HEAD      = N_SM + 1;  // queue 0, then the sets
    localparam [31:0]  TOP         = N_LEVEL - 1;
    localparam [31:0]  SLOTS       = N_KERNEL;
    localparam [LEVEL_W-1:0] LEVEL_1 = 1;
    localparam [STAMP_W-1:0] STAMP_1 = 1;

    // An entry in a register: SM, level, payload, slot, thread blocks, stamp.
    localparam integer AWAY_W = SM_W + LEVEL_W + PAYLOAD_W + KERNEL_W + TB_W + STAMP_W;

    // ---- State -------------------------------------------------------------

    reg  [1:0]           mode_q;
    reg  [N_SM-1:0]      turn_q;
    reg  [N_SM-1:0]      behind_q;
    (* mem2reg *)                            // registers, of which all are read
    reg  [SM_W-1:0]      backup_q [0:N_SM-1];
    reg  [N_SM-1:0]      recorded_q;
    reg  [STAMP_W-1:0]   stamp_q;
    reg                  launch_error_q;
    reg                  spill_valid_q;
    reg  [SM_W-1:0]      spill_sm_q;
    reg  [LEVEL_W-1:0]   spill_level_q;
    reg  [PAYLOAD_W-1:0] spill_payload_q;
    reg  [KERNEL_W-1:0]  spill_kernel_q;
    reg  [TB_W-1:0]      spill_tbs_q;
    reg  [STAMP_W-1:0]   spill_stamp_q;
    reg                  ask_valid_q;
    reg  [SM_W-1:0]      ask_sm_q;
    reg  [LEVEL_W-1:0]   ask_level_q;
    reg  [N_SM-1:0]      ask_behind_q;
    reg                  back_valid_q;
    reg  [SM_W-1:0]      back_sm_q;
    reg  [LEVEL_W-1:0]   back_level_q;
    reg  [PAYLOAD_W-1:0] back_payload_q;
    reg  [KERNEL_W-1:0]  back_kernel_q;
    reg  [TB_W-1:0]      back_tbs_q;
    reg  [STAMP_W-1:0]   back_stamp_q;
    reg                  going_q;
    reg  [SM_W-1:0]      to_q;
    reg  [PAYLOAD_W-1:0] payload_q;
    reg  [KERNEL_W-1:0]  kernel_q;
    reg  [TB_W-1:0]      tb_q;
    reg                  last_q;
    reg  [LEVEL_W-1:0]   level_q;
    reg  [SM_W-1:0]      from_q;
    reg  [N_GROUP-1:0]   lead_any_q;         // a derived register, as the next two
    reg  [N_HEAD-1:0]    lead_line_q;
    (* mem2reg *)
    reg  [KEY_W-1:0]     lead_key_q [0:N_GROUP-1];

    // ---- Queue 0 and the sets ----------------------------------------------
    // A lane each, queue 0 lowest. Levels are those of the scheduler, 0 for queue 0.

    wire [N_HEAD-1:0]           offer, steady, here, last, draw;
    wire [N_HEAD*LEVEL_W-1:0]   level;
    wire [N_HEAD*PAYLOAD_W-1:0] payload;
    wire [N_HEAD*KERNEL_W-1:0]  kernel;
    wire [N_HEAD*TB_W-1:0]      tb;
    wire [N_HEAD*STAMP_W-1:0]   stamp;
    wire [N_SM-1:0]             some, idle, want, asks, serves, fits, may_spill;
    wire [N_SM*LEVEL_W-1:0]     want_level;

    wire                   taken;         // a legal launch
    wire                   to_memory;     // that goes to memory
    wire [SET_LEVEL_W-1:0] launch_level;  // its level in a set
    wire [SET_LEVEL_W-1:0] back_level;    // that of what came back

    wire parents_idle, parents_full, parents_some;
    wire unused_stuck, unused_want, unused_want_level, unused_level;  // of one level, and never in memory

    laperm_set #(
        .N_ENTRY(N_PARENT),
        .N_LEVEL(1),
        .PAYLOAD_W(PAYLOAD_W),
        .N_KERNEL(N_KERNEL),
        .TB_W(TB_W),
        .STAMP_W(STAMP_W),
        .SPILL_W(1)
    ) u_parents (
        .clk(clk),
        .rst_i(rst_i),
        .insert_valid_i(taken && launch_host_i),
        .insert_back_i(1'b0),
        .insert_level_i(1'b0),
        .insert_payload_i(launch_payload_i),
        .insert_kernel_i(launch_kernel_i),
        .insert_tbs_i(launch_tbs_i),
        .insert_stamp_i(stamp_q),
        .spill_valid_i(1'b0),
        .spill_level_i(1'b0),
        .ask_i(1'b0),
        .draw_i(draw[0]),
        .idle_o(parents_idle),
        .spills_o(parents_full),
        .stuck_o(unused_stuck),
        .want_o(unused_want),
        .want_level_o(unused_want_level),
        .some_o(parents_some),
        .offer_o(offer[0]),
        .steady_o(steady[0]),
        .here_o(here[0]),
        .level_o(unused_level),
        .payload_o(payload[0 +: PAYLOAD_W]),
        .kernel_o(kernel[0 +: KERNEL_W]),
        .tb_o(tb[0 +: TB_W]),
        .last_o(last[0]),
        .stamp_o(stamp[0 +: STAMP_W])
    );
    assign level[0 +: LEVEL_W] = {LEVEL_W{1'b0}};

    genvar s;
    generate
        for (s = 0; s < N_SM; s = s + 1) begin : g_set
            localparam [31:0] SM = s;
            wire [N_LEVEL-1:0]     spills, stuck;
            wire [SET_LEVEL_W-1:0] head_level, wanted;
            wire mine  = !launch_host_i && launch_sm_i == SM[SM_W-1:0];
            wire comes = back_valid_q && back_sm_q == SM[SM_W-1:0];

            laperm_set #(
                .N_ENTRY(N_ENTRY),
                .N_LEVEL(N_LEVEL),
                .PAYLOAD_W(PAYLOAD_W),
                .N_KERNEL(N_KERNEL),
                .TB_W(TB_W),
                .STAMP_W(STAMP_W),
                .SPILL_W(SPILL_W)
            ) u_set (
                .clk(clk),
                .rst_i(rst_i),
                .insert_valid_i(comes || (mine && taken && !to_memory)),
                .insert_back_i(comes),
                .insert_level_i(comes ? back_level : launch_level),
                .insert_payload_i(comes ? back_payload_q : launch_payload_i),
                .insert_kernel_i(comes ? back_kernel_q : launch_kernel_i),
                .insert_tbs_i(comes ? back_tbs_q : launch_tbs_i),
                .insert_stamp_i(comes ? back_stamp_q : stamp_q),
                .spill_valid_i(mine && taken && to_memory),
                .spill_level_i(launch_level),
                .ask_i(asks[s]),
                .draw_i(draw[s+1]),
                .idle_o(idle[s]),
                .spills_o(spills),
                .stuck_o(stuck),
                .want_o(want[s]),
                .want_level_o(wanted),
                .some_o(some[s]),
                .offer_o(offer[s+1]),
                .steady_o(steady[s+1]),
                .here_o(here[s+1]),
                .level_o(head_level),
                .payload_o(payload[(s+1)*PAYLOAD_W +: PAYLOAD_W]),
                .kernel_o(kernel[(s+1)*KERNEL_W +: KERNEL_W]),
                .tb_o(tb[(s+1)*TB_W +: TB_W]),
                .last_o(last[s+1]),
                .stamp_o(stamp[(s+1)*STAMP_W +: STAMP_W])
            );

            assign level[(s+1)*LEVEL_W +: LEVEL_W] = above(head_level);
            assign want_level[s*LEVEL_W +: LEVEL_W] = above(wanted);

            // Whether a launch of its level goes to memory, and whether it can go where it goes.
            assign serves[s]    = mine;
            assign may_spill[s] = spills[launch_level];
            assign fits[s]      = spills[launch_level] ? !spill_valid_q && !stuck[launch_level]
                                                       : idle[s] && !comes;
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

    wire known = launch_host_i || |serves;
    wire legal = known && launch_tbs_i != {TB_W{1'b0}}
        && {{(32-KERNEL_W){1'b0}}, launch_kernel_i} < SLOTS;

    assign to_memory      = |(serves & may_spill);
    assign launch_ready_o = launch_host_i ? parents_idle && !parents_full : !known || |(serves & fits);
    assign taken          = launch_valid_i && launch_ready_o && legal;

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
            if (taken) stamp_q <= (&stamp_q) ? stamp_q : stamp_q + STAMP_1;
            else if (quiet) stamp_q <= {STAMP_W{1'b0}};
        end
    end

    // ---- To memory and back ------------------------------------------------

    assign back_level = (back_level_q == {LEVEL_W{1'b0}}) ? {SET_LEVEL_W{1'b0}} : clamp(back_level_q - LEVEL_1);

    wire [N_SM-1:0]    ask_behind;
    wire [SM_W-1:0]    ask_sm;
    wire [LEVEL_W-1:0] ask_level;
    wire               may_ask = !ask_valid_q && !spill_valid_q;

    pick_turn #(.N(N_SM)) u_ask (
        .set_i    (want & {N_SM{may_ask}}),
        .behind_i (ask_behind_q),
        .line_o   (asks),
        .behind_o (ask_behind)
    );
    line_number #(.N(N_SM)) u_ask_sm (
        .line_i   (asks),
        .number_o (ask_sm)
    );
    select_line #(.N(N_SM), .W(LEVEL_W)) u_ask_level (
        .words_i (want_level),
        .line_i  (asks),
        .word_o  (ask_level)
    );

    wire [31:0]     back_sm = {{(32-SM_W){1'b0}}, back_sm_i};
    wire            stays;  // the set it is for is busy
    wire [N_SM-1:0] back_line;
    generate
        for (s = 0; s < N_SM; s = s + 1) begin : g_back
            localparam [31:0] SM = s;
            assign back_line[s] = back_sm_q == SM[SM_W-1:0];
        end
    endgenerate
    assign stays = |(back_line & ~idle);

    always @(posedge clk) begin : p_memory
        if (rst_i) begin
            spill_valid_q <= 1'b0;
            ask_valid_q   <= 1'b0;
            back_valid_q  <= 1'b0;
            ask_sm_q      <= {SM_W{1'b0}};
            ask_level_q   <= {LEVEL_W{1'b0}};
            ask_behind_q  <= {N_SM{1'b0}};
            {spill_sm_q, spill_level_q, spill_payload_q, spill_kernel_q, spill_tbs_q, spill_stamp_q} <= {AWAY_W{1'b0}};
            {back_sm_q, back_level_q, back_payload_q, back_kernel_q, back_tbs_q, back_stamp_q} <= {AWAY_W{1'b0}};
        end else begin
            spill_valid_q <= (spill_valid_q && !spill_ready_i) || (taken && to_memory);
            if (taken && to_memory)
                {spill_sm_q, spill_level_q, spill_payload_q, spill_kernel_q, spill_tbs_q, spill_stamp_q}
                    <= {launch_sm_i, above(launch_level), launch_payload_i, launch_kernel_i, launch_tbs_i, stamp_q};
            ask_valid_q <= (ask_valid_q && !ask_ready_i) || |asks;
            if (|asks) begin
                ask_sm_q     <= ask_sm;
                ask_level_q  <= ask_level;
                ask_behind_q <= ask_behind;
            end
            if (back_valid_q) begin
                back_valid_q <= stays;
            end else if (back_valid_i && back_sm < N_SM) begin
                back_valid_q <= 1'b1;
                {back_sm_q, back_level_q, back_payload_q, back_kernel_q, back_tbs_q, back_stamp_q}
                    <= {back_sm_i, back_level_i, back_payload_i, back_kernel_i, back_tbs_i, back_stamp_i};
            end
        end
    end

    // ---- RR and TB-Pri: the first of all heads -----------------------------
    // In each group of six the first head is found in the cycle before; heads that have changed since are not steady. A
    // key is smaller for what goes first; of equal ones, that of the lower lane.

    wire [N_HEAD*KEY_W-1:0] keys;
    wire [N_HEAD-1:0]       lead_line;
    wire [N_GROUP*KEY_W-1:0] lead_keys, lead_keys_q;
    wire [N_GROUP-1:0]      lead_group;

    generate
        for (s = 0; s < N_HEAD; s = s + 1) begin : g_key
            assign keys[s*KEY_W +: KEY_W] = {~level[s*LEVEL_W +: LEVEL_W] | {LEVEL_W{mode_i == 2'd0}},
                                             stamp[s*STAMP_W +: STAMP_W]};
        end
        for (s = 0; s < N_GROUP; s = s + 1) begin : g_group
            localparam integer FIRST = 6 * s;
            localparam integer SIZE  = (N_HEAD - FIRST < 6) ? N_HEAD - FIRST : 6;
            first_of #(.N(SIZE), .W(KEY_W)) u_first (
                .keys_i  (keys[FIRST*KEY_W +: SIZE*KEY_W]),
                .valid_i (here[FIRST +: SIZE]),
                .line_o  (lead_line[FIRST +: SIZE])
            );
            select_line #(.N(SIZE), .W(KEY_W)) u_key (
                .words_i (keys[FIRST*KEY_W +: SIZE*KEY_W]),
                .line_i  (lead_line[FIRST +: SIZE]),
                .word_o  (lead_keys[s*KEY_W +: KEY_W])
            );
            assign lead_keys_q[s*KEY_W +: KEY_W] = lead_key_q[s];
            always @(posedge clk) begin
                lead_any_q[s] <= !rst_i && |here[FIRST +: SIZE];
                lead_key_q[s] <= rst_i ? {KEY_W{1'b0}} : lead_keys[s*KEY_W +: KEY_W];
            end
        end
    endgenerate
    always @(posedge clk) lead_line_q <= rst_i ? {N_HEAD{1'b0}} : lead_line;

    first_of #(.N(N_GROUP), .W(KEY_W)) u_lead (
        .keys_i  (lead_keys_q),
        .valid_i (lead_any_q),
        .line_o  (lead_group)
    );

    wire [N_HEAD-1:0] leads;
    generate
        for (s = 0; s < N_HEAD; s = s + 1) begin : g_leads
            assign leads[s] = lead_line_q[s] && lead_group[s/6];
        end
    endgenerate

    // ---- SMX-Bind and Adaptive-Bind: the three stages ----------------------

    wire [N_SM*SM_W-1:0] backups;
    wire [SM_W-1:0]      backup;       // of the SM that is visited
    wire [N_SM-1:0]      backup_line;
    wire [N_SM-1:0]      turn_upto;
    wire [N_SM-1:0]      other;        // the first set after the SM's that is not empty
    wire                 any_other;

    generate
        for (s = 0; s < N_SM; s = s + 1) begin : g_backup
            localparam [31:0] SM = s;
            assign backups[s*SM_W +: SM_W] = backup_q[s];
            assign backup_line[s] = backup == SM[SM_W-1:0];
        end
    endgenerate

    select_line #(.N(N_SM), .W(SM_W)) u_backup (
        .words_i (backups),
        .line_i  (turn_q),
        .word_o  (backup)
    );
    prefix_or #(.N(N_SM)) u_upto (
        .set_i  (turn_q),
        .upto_o (turn_upto)
    );
    pick_next #(.N(N_SM)) u_other (
        .set_i  (some & ~turn_q),
        .from_i (turn_upto),
        .line_o (other),
        .any_o  (any_other)
    );

    wire binds     = mode_q[1];
    wire own_some  = |(turn_q & some);
    wire third     = binds && mode_q[0] && !own_some && !parents_some;
    wire reuses    = |(turn_q & recorded_q) && |(backup_line & some);
    wire records   = third && !reuses && any_other;
    wire [N_SM-1:0] third_line = reuses ? backup_line : other;

    wire [N_HEAD-1:0] bound = {own_some ? turn_q : third_line & {N_SM{third}}, !own_some && parents_some};

    // ---- The candidate, and where it goes ----------------------------------

    wire [N_HEAD-1:0] source = binds ? bound & offer : leads & {N_HEAD{&steady}};
    wire              free   = !going_q || dispatch_ready_i;
    wire              visits = binds && (parents_some || |some);

    wire [N_SM-1:0]  shown;   // the SM to which a dispatch shows
    wire [N_SM-1:0]  next_line, next_behind, to_line;
    wire [SM_W-1:0]  to, from;
    generate
        for (s = 0; s < N_SM; s = s + 1) begin : g_shown
            localparam [31:0] SM = s;
            assign shown[s] = going_q && to_q == SM[SM_W-1:0];
        end
    endgenerate
    wire [N_SM-1:0] takers = room_i & limit_i & ~shown;

    pick_turn #(.N(N_SM)) u_next (
        .set_i    (takers),
        .behind_i (behind_q),
        .line_o   (next_line),
        .behind_o (next_behind)
    );

    assign to_line = binds ? turn_q & takers : next_line;
    wire   goes    = free && look_o && |to_line;
    assign draw    = source & {N_HEAD{goes}};

    line_number #(.N(N_SM)) u_to (
        .line_i   (to_line),
        .number_o (to)
    );
    line_number #(.N(N_SM)) u_from (
        .line_i   (source[N_SM:1]),
        .number_o (from)
    );

    wire [PAYLOAD_W-1:0] source_payload;
    wire [KERNEL_W-1:0]  source_kernel;
    wire [TB_W-1:0]      source_tb;
    wire [LEVEL_W-1:0]   source_level;
    wire                 source_last = |(source & last);
    select_line #(.N(N_HEAD), .W(PAYLOAD_W)) u_payload (.words_i(payload), .line_i(source), .word_o(source_payload));
    select_line #(.N(N_HEAD), .W(KERNEL_W)) u_kernel (.words_i(kernel), .line_i(source), .word_o(source_kernel));
    select_line #(.N(N_HEAD), .W(TB_W)) u_tb (.words_i(tb), .line_i(source), .word_o(source_tb));
    select_line #(.N(N_HEAD), .W(LEVEL_W)) u_level (.words_i(level), .line_i(source), .word_o(source_level));

    wire [N_SM-1:0] next_turn;
    generate
        if (N_SM > 1) begin : g_turn
            assign next_turn = {turn_q[N_SM-2:0], turn_q[N_SM-1]};
        end else begin : g_one
            assign next_turn = turn_q;
        end
    endgenerate

    wire [SM_W-1:0] other_sm;
    line_number #(.N(N_SM)) u_other_sm (
        .line_i   (other),
        .number_o (other_sm)
    );

    localparam [N_SM-1:0] SM_0 = 1;
    localparam integer SHOWN_W = 1 + 2 * SM_W + PAYLOAD_W + KERNEL_W + TB_W + 1 + LEVEL_W;

    always @(posedge clk) begin : p_dispatch
        if (rst_i) begin
            turn_q     <= SM_0;
            behind_q   <= {N_SM{1'b0}};
            recorded_q <= {N_SM{1'b0}};
            {going_q, to_q, payload_q, kernel_q, tb_q, last_q, level_q, from_q} <= {SHOWN_W{1'b0}};
        end else begin
            if (free) {going_q, to_q, payload_q, kernel_q, tb_q, last_q, level_q, from_q}
                <= {1'b1, to, source_payload, source_kernel, source_tb, source_last, source_level, from} & {SHOWN_W{goes}};
            if (goes && !binds) behind_q <= next_behind;
            if (free && visits) turn_q <= next_turn;
            if (free && records) recorded_q <= recorded_q | turn_q;
        end
    end

    generate
        for (s = 0; s < N_SM; s = s + 1) begin : g_record
            always @(posedge clk) begin
                if (rst_i) backup_q[s] <= {SM_W{1'b0}};
                else if (free && records && turn_q[s]) backup_q[s] <= other_sm;
            end
        end
    endgenerate

    // ---- Outputs -----------------------------------------------------------

    assign launch_error_o     = launch_error_q;
    assign spill_valid_o      = spill_valid_q;
    assign spill_sm_o         = spill_sm_q;
    assign spill_level_o      = spill_level_q;
    assign spill_payload_o    = spill_payload_q;
    assign spill_kernel_o     = spill_kernel_q;
    assign spill_tbs_o        = spill_tbs_q;
    assign spill_stamp_o      = spill_stamp_q;
    assign ask_valid_o        = ask_valid_q;
    assign ask_sm_o           = ask_sm_q;
    assign ask_level_o        = ask_level_q;
    assign back_ready_o       = !back_valid_q;
    assign waiting_o          = some;
    assign look_o             = |source;
    assign kernel_o           = source_kernel;
    assign dispatch_valid_o   = going_q;
    assign dispatch_sm_o      = to_q;
    assign dispatch_payload_o = payload_q;
    assign dispatch_kernel_o  = kernel_q;
    assign dispatch_tb_o      = tb_q;
    assign dispatch_last_o    = last_q;
    assign dispatch_level_o   = level_q;
    assign dispatch_from_o    = from_q;

    // ---- Formal ------------------------------------------------------------
    // Its properties, proved by induction, are in rtl/formal/laperm_properties.v.

`ifdef FORMAL
    laperm_properties #(.N_SM(N_SM), .N_LEVEL(N_LEVEL), .STAMP_W(STAMP_W)) f_properties (.*);
    (* anyconst *) reg [5:0] f_any;  // any head
    wire [LEVEL_W-1:0] f_level = level >> (f_any * LEVEL_W);
    wire [STAMP_W-1:0] f_stamp = stamp >> (f_any * STAMP_W);
    reg f_begun = 1'b0;
    always @(posedge clk) f_begun <= 1'b1;
    always @* assume (f_any < N_HEAD);
    always @(posedge clk) if (f_begun && &steady && lead_line_q[f_any])
        a_lead_key : assert (lead_key_q[f_any/6] == {~f_level | {LEVEL_W{mode_q == 2'd0}}, f_stamp});
`endif

endmodule

`default_nettype wire
