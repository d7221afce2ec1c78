// kmu - the kernel management unit: kernels that wait for an entry of the distributor, in lists
// in memory.
//
// Purpose
//   Which kernel goes to the distributor next, of those of the host and those that thread blocks have launched.
//
//   arrive_* --> take --> find --> act --> link_*, to memory
//                 |        ^        |      answer_* --> head_q
//   room_i ------ look ----'        |
//               u_turn, waits_q     '----> grant_*
//                 head_q, tail_q, count_q
//
// Parameters, outside of whose ranges it does not elaborate
//   N_SM            SMs, or clusters of them: sets of queues, 1..32
//   N_LEVEL         L: levels of priority above that of queue 0, 1..8
//   HANDLE_W        bits of a handle, the number of a kernel's record in memory, 1..20
//   SM_W            bits of an SM's number; derived, never overridden
//   LEVEL_W         bits of a level; derived, never overridden
//   LINK_W          bits of a link: level, SM and handle of a kernel, the handle lowest; derived, never overridden
//
// Ports             width        meaning
//   clk             1            clock, rising edge
//   rst_i           1            reset, synchronous, active high
//   mode_i          2            0 RR, 1 TB-Pri, 2 SMX-Bind, 3 Adaptive-Bind: the queue of what is taken in this cycle
//   arrive_valid_i  1            a kernel is launched
//   arrive_host_i   1            by the host
//   arrive_sm_i     SM_W         otherwise, by a thread block on this SM
//   arrive_parent_i LEVEL_W      whose level is this; L and more give level L
//   arrive_handle_i HANDLE_W     its handle; no kernel that waits has it
//   arrive_ready_o  1            it is taken in this cycle
//   arrive_error_o  1            what was taken last was refused
//   link_valid_o    1            a request to memory, which has a link for each handle
//   link_write_o    1            the link is written; otherwise read
//   link_handle_o   HANDLE_W     that of this handle
//   link_data_o     LINK_W       what is written
//   link_ready_i    1            memory takes the request
//   answer_valid_i  1            memory answers a read that it has taken
//   answer_data_i   LINK_W       the link
//   room_i          1            the distributor has an entry for a kernel; otherwise none is picked
//   grant_valid_o   1            a kernel goes to the distributor
//   grant_handle_o  HANDLE_W     its handle
//   grant_sm_o      SM_W         the SM of the thread block that launched it; of the host's, 0
//   grant_level_o   LEVEL_W      its level; 0 are the host's
//   grant_host_o    1            it is the host's
//   grant_ready_i   1            the distributor takes it
//   waiting_o       N_SM         bit s: set s has kernels
//
// Paths
//   none: every output depends on state alone
//
// Timing
//   An arrival every 4 cycles. A kernel of queue 0 is granted 3 cycles after there is room, one of level l of a set
//   L - l + 3 cycles. If others wait behind it, the next is picked when memory has answered.
//
// Contract
//   Queues     queue 0, and of each SM a set of L queues, one for each level. A kernel is known by its handle, and has
//              a link in memory. A queue is a list: the unit has the link of its first kernel, the handle of its last
//              one, and their number; memory has for each handle the link of the kernel behind it.
//   Arrival    one at a time. The host's kernels go to queue 0. With mode 0 (RR) all others do too; with mode 1
//              (TB-Pri) they go to set 0; with modes 2 and 3 to the set of the SM, where the direct parent runs. There
//              they go to the level above the parent's, at most L. A grant has the SM and the level, whichever queue
//              it comes from.
//   Pick       with room, if no grant stands and no link is on its way. Sets that have kernels take turns. From the
//              highest level on the search takes a cycle for each level, and the first kernel of the first queue that
//              has one is picked. Queue 0 has its turn when no set has a kernel. So with mode 0 all kernels go first
//              come, first served; with mode 1 by level, and of one level first come, first served.
//   Memory     a kernel that comes behind others is written to the link of the last one. When one is picked from in
//              front of others its link is read. Memory does what it is asked in order, and answers a read in a later
//              cycle. The kernels of the other queues are not picked meanwhile, and arrivals go on.
//   Grant      shows from the cycle after the pick on, until it is taken. By then the handle may come again.
//   Turns      an arrival goes before a pick; after it a pick goes before the next arrival.
//   Mode       may change at any time. Kernels that wait stay where they are; those of sets go before those of queue
//              0.
//   Illegal    a kernel of SM n_sm and up is refused, and one that comes to a queue of 2^handle_w: arrive_error shows
//              for a cycle, before the next arrival is taken. An answer without a read is ignored. That a handle waits
//              already cannot be seen: what is granted from the queues that have it, and in which order, is not
//              defined. But from each queue as many kernels are granted as have come to it, and other queues keep
//              theirs.
//
// Reset
//   All registers are 0: no kernel waits. The memories keep what they hold. Outputs do not depend on rst_i, and
//   nothing is taken while it is high.
//
// Twin     kmu.c: equal outputs, registers and memories in every cycle after the first
//          reset edge.
//
// Source
//   Wang and others, "LaPerm: Locality Aware Scheduler for Dynamic Parallelism on GPUs", ISCA 2016, II.C, IV.A, IV.B
//   and IV.E.
//
// Deviations
//   - The source does not say how queues in memory are kept. Built: lists.
//   - The source has no time for the host's kernels beside bound ones. Built: they come last, as with TB-Pri.
//   - The source has one queue for each level with TB-Pri. Built: those of set 0.

`default_nettype none

module kmu #(
    parameter integer N_SM     = 13,
    parameter integer N_LEVEL  = 4,
    parameter integer HANDLE_W = 16,
    parameter integer SM_W     = (N_SM > 1) ? $clog2(N_SM) : 1, // derived, never overridden
    parameter integer LEVEL_W  = $clog2(N_LEVEL + 1),           // derived, never overridden
    parameter integer N_QUEUE  = N_SM * N_LEVEL + 1,            // derived, never overridden
    parameter integer QUEUE_W  = $clog2(N_QUEUE),               // derived, never overridden
    parameter integer LINK_W   = LEVEL_W + SM_W + HANDLE_W      // derived, never overridden
) (
    input  wire                clk,
    input  wire                rst_i,

    input  wire [1:0]          mode_i,
    input  wire                arrive_valid_i,
    input  wire                arrive_host_i,
    input  wire [SM_W-1:0]     arrive_sm_i,
    input  wire [LEVEL_W-1:0]  arrive_parent_i,
    input  wire [HANDLE_W-1:0] arrive_handle_i,
    output wire                arrive_ready_o,
    output wire                arrive_error_o,

    output wire                link_valid_o,
    output wire                link_write_o,
    output wire [HANDLE_W-1:0] link_handle_o,
    output wire [LINK_W-1:0]   link_data_o,
    input  wire                link_ready_i,
    input  wire                answer_valid_i,
    input  wire [LINK_W-1:0]   answer_data_i,

    input  wire                room_i,
    output wire                grant_valid_o,
    output wire [HANDLE_W-1:0] grant_handle_o,
    output wire [SM_W-1:0]     grant_sm_o,
    output wire [LEVEL_W-1:0]  grant_level_o,
    output wire                grant_host_o,
    input  wire                grant_ready_i,
    output wire [N_SM-1:0]     waiting_o
);

    // A bad value instantiates a module that does not exist; its name is the message.
    generate
        if (N_SM < 1 || N_SM > 32 || N_LEVEL < 1 || N_LEVEL > 8 || HANDLE_W < 1 || HANDLE_W > 20
            || SM_W != ((N_SM > 1) ? $clog2(N_SM) : 1) || LEVEL_W != $clog2(N_LEVEL + 1)
            || N_QUEUE != N_SM * N_LEVEL + 1 || QUEUE_W != $clog2(N_QUEUE)
            || LINK_W != LEVEL_W + SM_W + HANDLE_W) begin : g_check
            kmu_needs_N_SM_1_to_32_N_LEVEL_1_to_8_HANDLE_W_1_to_20 u_stop ();
        end
    endgenerate

    localparam [1:0] TAKE = 2'd0, LOOK = 2'd1, FIND = 2'd2, ACT = 2'd3;
    localparam [31:0] SMS    = N_SM;
    localparam [31:0] LEVELS = N_LEVEL;
    localparam [HANDLE_W-1:0] ONE     = 1;
    localparam [LEVEL_W-1:0]  LEVEL_1 = 1;

    // ---- State -------------------------------------------------------------

    reg  [1:0]          state_q;
    reg                 picks_q;
    reg  [LINK_W-1:0]   new_link_q;
    reg  [SM_W-1:0]     set_q;
    reg  [LEVEL_W-1:0]  level_q;
    reg  [N_SM-1:0]     behind_q;
    (* mem2reg *)                              // registers, of which all are read
    reg  [N_LEVEL-1:0]  waits_q [0:N_SM-1];
    reg                 first_waits_q;
    reg  [LINK_W-1:0]   read_head_q;
    reg  [HANDLE_W-1:0] read_tail_q;
    reg  [HANDLE_W-1:0] read_count_q;
    reg                 arrive_error_q;
    reg                 link_valid_q;
    reg                 link_write_q;
    reg  [HANDLE_W-1:0] link_handle_q;
    reg  [LINK_W-1:0]   link_data_q;
    reg                 reading_q;
    reg  [QUEUE_W-1:0]  home_q;
    reg                 grant_valid_q;
    reg  [LINK_W-1:0]   grant_q;

    reg  [LINK_W-1:0]   head_q  [0:N_QUEUE-1];
    reg  [HANDLE_W-1:0] tail_q  [0:N_QUEUE-1];
    reg  [HANDLE_W-1:0] count_q [0:N_QUEUE-1];

    wire take = state_q == TAKE;
    wire look = state_q == LOOK;
    wire find = state_q == FIND;
    wire act  = state_q == ACT;

    // ---- Arrivals ----------------------------------------------------------

    wire               taken     = take && arrive_valid_i;
    wire [31:0]        arrive_sm = {{(32-SM_W){1'b0}}, arrive_sm_i};
    wire               legal     = arrive_host_i || arrive_sm < SMS;
    wire [SM_W-1:0]    from      = arrive_sm_i & {SM_W{!arrive_host_i}};
    wire [LEVEL_W-1:0] child     = (arrive_parent_i < LEVELS[LEVEL_W-1:0]) ? arrive_parent_i + LEVEL_1
                                                                           : LEVELS[LEVEL_W-1:0];
    wire [LEVEL_W-1:0] level     = child & {LEVEL_W{!arrive_host_i}};

    // ---- Whose turn it is --------------------------------------------------

    wire [N_SM-1:0]         some_sets;
    wire [N_SM-1:0]         turn, turn_behind;
    wire [SM_W-1:0]         turn_set;
    wire [N_SM*N_LEVEL-1:0] waits;

    pick_turn #(.N(N_SM)) u_turn (
        .set_i    (some_sets),
        .behind_i (behind_q),
        .line_o   (turn),
        .behind_o (turn_behind)
    );
    line_number #(.N(N_SM)) u_turn_set (
        .line_i   (turn),
        .number_o (turn_set)
    );

    wire any_set = |some_sets;
    wire begins  = (look || (take && !arrive_valid_i)) && room_i && !grant_valid_q && !reading_q
        && (any_set || first_waits_q);

    // ---- The queue ---------------------------------------------------------
    // Its number is s * L + l; with set 0 and level 0 that is queue 0.

    wire [N_LEVEL-1:0] set_waits;  // levels of the set
    wire               some;       // the queue has kernels
    select_word #(.N(N_SM), .W(N_LEVEL)) u_set (
        .words_i  (waits),
        .number_i (set_q),
        .word_o   (set_waits)
    );
    select_word #(.N(N_LEVEL + 1), .W(1)) u_level (
        .words_i  ({set_waits, first_waits_q}),
        .number_i (level_q),
        .word_o   (some)
    );

    wire [QUEUE_W-1:0] wide_set, wide_level;
    generate
        if (QUEUE_W > SM_W) begin : g_wide_set
            assign wide_set = {{(QUEUE_W-SM_W){1'b0}}, set_q};
        end else begin : g_set
            assign wide_set = set_q;
        end
        if (QUEUE_W > LEVEL_W) begin : g_wide_level
            assign wide_level = {{(QUEUE_W-LEVEL_W){1'b0}}, level_q};
        end else begin : g_level
            assign wide_level = level_q;
        end
    endgenerate
    wire [QUEUE_W-1:0] queue = wide_set * LEVELS[QUEUE_W-1:0] + wide_level;

    // ---- What is done with it ----------------------------------------------

    wire full    = some && read_count_q == {HANDLE_W{1'b0}};
    wire single  = read_count_q == ONE;
    wire answer  = reading_q && answer_valid_i && (!link_valid_q || link_write_q);
    wire first   = act && !picks_q && !some && !answer;                             // put in an empty queue
    wire behind  = act && !picks_q && some && !full && !link_valid_q;               // or behind others
    wire refused = act && !picks_q && full;
    wire last    = act && picks_q && single;                                        // picked, and none is left
    wire front   = act && picks_q && !single && !link_valid_q;                      // picked before others
    wire picked  = last || front;
    wire put     = first || behind;

    always @(posedge clk) begin : p_state
        if (rst_i) begin
            state_q        <= TAKE;
            picks_q        <= 1'b0;
            new_link_q     <= {LINK_W{1'b0}};
            set_q          <= {SM_W{1'b0}};
            level_q        <= {LEVEL_W{1'b0}};
            behind_q       <= {N_SM{1'b0}};
            arrive_error_q <= 1'b0;
        end else begin
            arrive_error_q <= (taken && !legal) || refused;
            case (state_q)
            TAKE, LOOK:
                if (begins) begin
                    state_q <= FIND;
                    picks_q <= 1'b1;
                    set_q   <= turn_set;
                    level_q <= any_set ? LEVELS[LEVEL_W-1:0] : {LEVEL_W{1'b0}};
                    if (any_set) behind_q <= turn_behind;
                end else if (taken && legal) begin
                    state_q    <= FIND;
                    picks_q    <= 1'b0;
                    new_link_q <= {level, from, arrive_handle_i};
                    set_q      <= from & {SM_W{mode_i[1]}};
                    level_q    <= level & {LEVEL_W{mode_i != 2'd0}};
                end else begin
                    state_q <= taken ? LOOK : TAKE;
                end
            FIND:
                if (some || !picks_q) state_q <= ACT;
                else level_q <= level_q - LEVEL_1;
            default:
                if (picked) state_q <= TAKE;
                else if (put || refused) state_q <= LOOK;
            endcase
        end
    end

    // ---- Queues that have kernels ------------------------------------------

    genvar s, l;
    generate
        for (s = 0; s < N_SM; s = s + 1) begin : g_waits
            localparam [31:0] SET = s;
            wire here = set_q == SET[SM_W-1:0];
            for (l = 0; l < N_LEVEL; l = l + 1) begin : g_level
                localparam [31:0] LEVEL = l + 1;
                wire mine = here && level_q == LEVEL[LEVEL_W-1:0];
                always @(posedge clk) begin
                    if (rst_i || (mine && last)) waits_q[s][l] <= 1'b0;
                    else if (mine && first) waits_q[s][l] <= 1'b1;
                end
            end
            assign waits[s*N_LEVEL +: N_LEVEL] = waits_q[s];
            assign some_sets[s] = |waits_q[s];
        end
    endgenerate
    wire mine = level_q == {LEVEL_W{1'b0}};
    always @(posedge clk) begin : p_first_waits
        if (rst_i || (mine && last)) first_waits_q <= 1'b0;
        else if (mine && first) first_waits_q <= 1'b1;
    end

    // ---- First and last kernels, and how many ------------------------------

    always @(posedge clk) begin : p_heads
        if (!rst_i && (answer || first)) head_q[answer ? home_q : queue] <= answer ? answer_data_i : new_link_q;
    end
    always @(posedge clk) begin : p_tails
        if (!rst_i && put) tail_q[queue] <= new_link_q[HANDLE_W-1:0];
    end
    always @(posedge clk) begin : p_counts
        if (!rst_i && (put || front)) count_q[queue] <= first ? ONE : front ? read_count_q - ONE : read_count_q + ONE;
    end
    always @(posedge clk) begin : p_read
        if (rst_i) begin
            read_head_q  <= {LINK_W{1'b0}};
            read_tail_q  <= {HANDLE_W{1'b0}};
            read_count_q <= {HANDLE_W{1'b0}};
        end else if (find && some) begin
            read_head_q  <= head_q[queue];
            read_tail_q  <= tail_q[queue];
            read_count_q <= count_q[queue];
        end
    end

    // ---- Links in memory, and grants ---------------------------------------

    always @(posedge clk) begin : p_link
        if (rst_i) begin
            link_valid_q  <= 1'b0;
            link_write_q  <= 1'b0;
            link_handle_q <= {HANDLE_W{1'b0}};
            link_data_q   <= {LINK_W{1'b0}};
            reading_q     <= 1'b0;
            home_q        <= {QUEUE_W{1'b0}};
            grant_valid_q <= 1'b0;
            grant_q       <= {LINK_W{1'b0}};
        end else begin
            link_valid_q <= (link_valid_q && !link_ready_i) || front || behind;
            if (front || behind) begin
                link_write_q  <= behind;
                link_handle_q <= behind ? read_tail_q : read_head_q[HANDLE_W-1:0];
            end
            if (behind) link_data_q <= new_link_q;
            reading_q <= (reading_q && !answer) || front;
            if (front) home_q <= queue;
            grant_valid_q <= (grant_valid_q && !grant_ready_i) || picked;
            if (picked) grant_q <= read_head_q;
        end
    end

    // ---- Outputs -----------------------------------------------------------

    assign arrive_ready_o = take;
    assign arrive_error_o = arrive_error_q;
    assign link_valid_o   = link_valid_q;
    assign link_write_o   = link_write_q;
    assign link_handle_o  = link_handle_q;
    assign link_data_o    = link_data_q;
    assign grant_valid_o  = grant_valid_q;
    assign grant_host_o   = grant_level_o == {LEVEL_W{1'b0}};
    assign waiting_o      = some_sets;
    assign {grant_level_o, grant_sm_o, grant_handle_o} = grant_q;

    // ---- Formal ------------------------------------------------------------
    // Its properties, proved by induction, are in rtl/formal/kmu_properties.v.

`ifdef FORMAL
    wire [N_QUEUE*LINK_W-1:0]   f_heads;
    wire [N_QUEUE*HANDLE_W-1:0] f_tails, f_counts;
    generate
        for (s = 0; s < N_QUEUE; s = s + 1) begin : g_f_queue
            assign f_heads[s*LINK_W +: LINK_W]      = head_q[s];
            assign f_tails[s*HANDLE_W +: HANDLE_W]  = tail_q[s];
            assign f_counts[s*HANDLE_W +: HANDLE_W] = count_q[s];
        end
    endgenerate
    kmu_properties #(.N_SM(N_SM), .N_LEVEL(N_LEVEL), .HANDLE_W(HANDLE_W)) f_properties (.*);
`endif

endmodule

`default_nettype wire
