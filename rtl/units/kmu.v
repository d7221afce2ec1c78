// kmu - the kernel management unit: kernels that wait for an entry of the distributor, in queues
// that go on in memory.
//
// Purpose
//   Which kernel goes to the distributor next, of those of the host and those that thread blocks have launched.
//
//   arrive_* --> take --> find --> act --> link_*, to memory
//                 |        ^        |      answer_* --> near_q
//   room_i ------ look ----'        |
//               u_turn, waits_q     '----> grant_*
//       put_q, taken_q, come_q               near_q
//
// Parameters, outside of whose ranges it does not elaborate
//   N_SM            SMs, or clusters of them: sets of queues, 1..32
//   N_LEVEL         L: levels of priority above that of queue 0, 1..8
//   HANDLE_W        bits of a handle, the number of a kernel's record in memory, 2..20
//   NEAR_W          of each queue the first 2^NEAR_W kernels are on chip, or on their way there, 1..3
//   SM_W            bits of an SM's number; derived, never overridden
//   LEVEL_W         bits of a level; derived, never overridden
//   QUEUE_W         bits of a queue's number; derived, never overridden
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
//   arrive_handle_i HANDLE_W     its handle
//   arrive_ready_o  1            it is taken in this cycle
//   arrive_error_o  1            what was taken last was refused
//   link_valid_o    1            a request to memory, which has a link for each queue and place
//   link_write_o    1            the link is written; otherwise read
//   link_queue_o    QUEUE_W      that of this queue
//   link_place_o    HANDLE_W     and place: the kernel's number in the queue
//   link_data_o     LINK_W       what is written
//   link_ready_i    1            memory takes the request
//   answer_valid_i  1            memory answers the first of the reads of a queue that it has taken and not answered
//   answer_queue_i  QUEUE_W      of this queue
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
//   L - l + 3 cycles. If the first kernel of the queue is on its way, none is granted, and the next search begins when
//   memory has answered.
//
// Contract
//   Queues     queue 0, and of each SM a set of L queues, one for each level. A kernel is known by its handle, level
//              and SM: its link. The kernels of a queue have numbers, in the order of arrival, that wrap. The first
//              2^near_w are on chip, or on their way there from memory. The others are in memory, which has for each
//              queue a link for each number: a ring. Of each queue the unit counts the kernels that have been put,
//              that have come on chip, and that have been picked.
//   Arrival    one at a time. The host's kernels go to queue 0. With mode 0 (RR) all others do too; with mode 1
//              (TB-Pri) they go to set 0; with modes 2 and 3 to the set of the SM, where the direct parent runs. There
//              they go to the level above the parent's, at most L. A grant has the SM and the level, whichever queue
//              it comes from.
//   Pick       with room, if no grant stands. Sets that have kernels take turns. From the highest level on the search
//              takes a cycle for each level, and the first kernel of the first queue that has one is picked. Queue 0
//              has its turn when no set has a kernel. So with mode 0 all kernels go first come, first served; with
//              mode 1 by level, and of one level first come, first served. A pick that finds the first kernel of the
//              queue on its way picks none: the set has had its turn, and the next pick begins when memory has
//              answered.
//   Memory     a kernel that comes is put on chip if its queue has less than 2^near_w kernels, and none of them is on
//              its way. Otherwise its link is written to memory, and read at once if there are less than 2^near_w in
//              front of it. A pick from a queue of more than 2^near_w kernels reads the link of the first that is in
//              memory only. Memory does what it is asked for a queue in order, and answers a read in a later cycle.
//              Arrivals and picks go on meanwhile.
//   Grant      shows from the cycle after the pick on, until it is taken. By then the handle may come again.
//   Turns      an arrival goes before a pick; after it a pick goes before the next arrival.
//   Mode       may change at any time. Kernels that wait stay where they are; those of sets go before those of queue
//              0.
//   Illegal    a kernel of SM n_sm and up is refused, and one that comes to a queue of 2^handle_w: arrive_error shows
//              for a cycle, before the next arrival is taken. An answer is ignored if no read has been taken and not
//              answered, and one of queue n_queue and up. If memory answers a queue that has not asked, or with
//              another link than was written, what is granted, and when, is not defined.
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
//   - The source has queues in memory, and does not say how they are read. Built: rings, of which the unit has the
//     first kernels on chip, and reads ahead. With one kernel on chip kernels of a queue would go one in each latency
//     of memory.
//   - The source has no time for the host's kernels beside bound ones. Built: they come last, as with TB-Pri.
//   - The source has one queue for each level with TB-Pri. Built: those of set 0.

`default_nettype none

module kmu #(
    parameter integer N_SM     = 13,
    parameter integer N_LEVEL  = 4,
    parameter integer HANDLE_W = 16,
    parameter integer NEAR_W   = 3,
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
    output wire [QUEUE_W-1:0]  link_queue_o,
    output wire [HANDLE_W-1:0] link_place_o,
    output wire [LINK_W-1:0]   link_data_o,
    input  wire                link_ready_i,
    input  wire                answer_valid_i,
    input  wire [QUEUE_W-1:0]  answer_queue_i,
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
        if (N_SM < 1 || N_SM > 32 || N_LEVEL < 1 || N_LEVEL > 8 || HANDLE_W < 2 || HANDLE_W > 20
            || NEAR_W < 1 || NEAR_W > 3 || SM_W != ((N_SM > 1) ? $clog2(N_SM) : 1) || LEVEL_W != $clog2(N_LEVEL + 1)
            || N_QUEUE != N_SM * N_LEVEL + 1 || QUEUE_W != $clog2(N_QUEUE)
            || LINK_W != LEVEL_W + SM_W + HANDLE_W) begin : g_check
            kmu_needs_N_SM_1_to_32_N_LEVEL_1_to_8_HANDLE_W_2_to_20_NEAR_W_1_to_3 u_stop ();
        end
    endgenerate

    localparam [1:0] TAKE = 2'd0, LOOK = 2'd1, FIND = 2'd2, ACT = 2'd3;
    localparam integer PLACE_W = HANDLE_W + 1;      // bits of the number of a kernel in its queue
    localparam integer N_SLOT  = N_QUEUE << NEAR_W; // places on chip
    localparam integer READS_W = $clog2(N_SLOT + 1);
    localparam [31:0] SMS    = N_SM;
    localparam [31:0] LEVELS = N_LEVEL;
    localparam [31:0] QUEUES = N_QUEUE;
    localparam [31:0] NEAR   = 32'd1 << NEAR_W;
    localparam [PLACE_W-1:0] ONE     = 1;
    localparam [LEVEL_W-1:0] LEVEL_1 = 1;
    localparam [READS_W-1:0] READ_1  = 1;

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
    reg  [QUEUE_W-1:0]  queue_q;
    reg  [PLACE_W-1:0]  read_put_q;
    reg  [PLACE_W-1:0]  read_taken_q;
    reg  [PLACE_W-1:0]  read_come_q;
    reg                 arrive_error_q;
    reg                 link_valid_q;
    reg                 link_write_q;
    reg  [QUEUE_W-1:0]  link_queue_q;
    reg  [HANDLE_W-1:0] link_place_q;
    reg  [LINK_W-1:0]   link_data_q;
    reg                 again_q;
    reg  [READS_W-1:0]  reads_q;
    reg                 absent_q;
    reg                 grant_valid_q;
    reg  [LINK_W-1:0]   grant_q;

    reg  [PLACE_W-1:0]  put_q   [0:N_QUEUE-1];
    reg  [PLACE_W-1:0]  taken_q [0:N_QUEUE-1];
    reg  [PLACE_W-1:0]  come_q  [0:N_QUEUE-1];
    reg  [LINK_W-1:0]   near_q  [0:N_SLOT-1];

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
    wire reading = reads_q != {READS_W{1'b0}};
    wire begins  = (look || (take && !arrive_valid_i)) && room_i && !grant_valid_q && !(absent_q && reading)
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

    // ---- Answers -----------------------------------------------------------
    // One is for a read that memory has taken: not for one that is in the link register, or follows what is there.

    wire                asked       = link_valid_q && (again_q || !link_write_q);
    wire [31:0]         wide_answer = {{(32-QUEUE_W){1'b0}}, answer_queue_i};
    wire                answer      = answer_valid_i && wide_answer < QUEUES && reading
        && !(asked && reads_q == READ_1);
    wire [PLACE_W-1:0]  answer_come = come_q[answer_queue_i];

    // ---- What is done with it ----------------------------------------------
    // A queue has 2^HANDLE_W kernels at most. So they need not be counted: numbers are compared in parts of 2^NEAR_W,
    // by whether they are in one part or in two that follow, and by their slots.

    // a is the number behind b: the sum of a and ~b is 0, which is seen without carries.
    function one_behind(input [PLACE_W-1:0] a, input [PLACE_W-1:0] b);
        one_behind = (a ^ ~b) == ((a | ~b) << 1);
    endfunction

    localparam [PLACE_W-1:0] REST = NEAR[PLACE_W-1:0] - ONE;

    wire [PLACE_W-1:0]  after_put   = read_put_q + ONE;
    wire [PLACE_W-1:0]  after_taken = read_taken_q + ONE;
    wire [HANDLE_W-1:0] ahead       = read_taken_q[HANDLE_W-1:0] + NEAR[HANDLE_W-1:0];  // what comes near by a pick
    wire [PLACE_W-1:0]  differ      = read_put_q ^ read_taken_q;
    wire                same        = (differ & ~REST) == {PLACE_W{1'b0}};
    wire                next        = one_behind(read_put_q & ~REST, read_taken_q | REST);
    wire [NEAR_W-1:0]   slot_put    = read_put_q[NEAR_W-1:0];
    wire [NEAR_W-1:0]   slot        = read_taken_q[NEAR_W-1:0];
    wire                full        = differ == {1'b1, {HANDLE_W{1'b0}}};
    wire                fits        = same || (next && slot_put < slot);      // what comes is among the first
    wire                over        = !same && !(next && slot_put <= slot);   // what came last is not
    wire                single      = one_behind(read_put_q, read_taken_q);
    wire                absent      = read_come_q == read_taken_q;            // the first is on its way
    wire                all_come    = read_come_q == read_put_q;
    wire [LINK_W-1:0]   first       = near_q[{queue_q, slot}];

    wire puts     = act && !picks_q && !full;
    wire refused  = act && !picks_q && full;
    wire direct   = puts && fits && all_come && !answer;           // put on chip
    wire linked   = puts && !(fits && all_come) && !link_valid_q;  // or in memory
    wire put      = direct || linked;
    wire again    = linked && fits;                                // and read next
    wire missed   = act && picks_q && absent;
    wire picked   = act && picks_q && !absent && !(over && link_valid_q);
    wire followed = picked && over;                                // and a link is read
    wire emptied  = picked && single;

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
                if (picked || missed) state_q <= TAKE;
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
                    if (rst_i || (mine && emptied)) waits_q[s][l] <= 1'b0;
                    else if (mine && put) waits_q[s][l] <= 1'b1;
                end
            end
            assign waits[s*N_LEVEL +: N_LEVEL] = waits_q[s];
            assign some_sets[s] = |waits_q[s];
        end
    endgenerate
    wire mine = level_q == {LEVEL_W{1'b0}};
    always @(posedge clk) begin : p_first_waits
        if (rst_i || (mine && emptied)) first_waits_q <= 1'b0;
        else if (mine && put) first_waits_q <= 1'b1;
    end

    // ---- Kernels of the queues ---------------------------------------------
    // Of a queue without kernels the numbers begin again with 0, whatever the memories hold. What has been picked is
    // written with each put too, so that it does so there.

    always @(posedge clk) begin : p_put
        if (!rst_i && put) put_q[queue_q] <= after_put;
    end
    always @(posedge clk) begin : p_taken
        if (!rst_i && (put || picked)) taken_q[queue_q] <= picks_q ? after_taken : read_taken_q;
    end
    always @(posedge clk) begin : p_come
        if (!rst_i && (answer || direct))
            come_q[answer ? answer_queue_i : queue_q] <= answer ? answer_come + ONE : after_put;
    end
    always @(posedge clk) begin : p_near
        if (!rst_i && (answer || direct))
            near_q[answer ? {answer_queue_i, answer_come[NEAR_W-1:0]} : {queue_q, slot_put}]
                <= answer ? answer_data_i : new_link_q;
    end
    always @(posedge clk) begin : p_read
        if (rst_i) begin
            queue_q      <= {QUEUE_W{1'b0}};
            read_put_q   <= {PLACE_W{1'b0}};
            read_taken_q <= {PLACE_W{1'b0}};
            read_come_q  <= {PLACE_W{1'b0}};
        end else if (find && (some || !picks_q)) begin
            queue_q      <= queue;
            read_put_q   <= put_q[queue] & {PLACE_W{some}};
            read_taken_q <= taken_q[queue] & {PLACE_W{some}};
            read_come_q  <= come_q[queue] & {PLACE_W{some}};
        end
    end

    // ---- Links in memory, and grants ---------------------------------------

    always @(posedge clk) begin : p_link
        if (rst_i) begin
            link_valid_q <= 1'b0;
            link_write_q <= 1'b0;
            link_queue_q <= {QUEUE_W{1'b0}};
            link_place_q <= {HANDLE_W{1'b0}};
            link_data_q  <= {LINK_W{1'b0}};
            again_q      <= 1'b0;
        end else if (linked || followed) begin
            link_valid_q <= 1'b1;
            link_write_q <= linked;
            link_queue_q <= queue_q;
            link_place_q <= linked ? read_put_q[HANDLE_W-1:0] : ahead;
            if (linked) link_data_q <= new_link_q;
            again_q      <= again;
        end else if (link_valid_q && link_ready_i) begin
            link_valid_q <= again_q;
            if (again_q) link_write_q <= 1'b0;
            again_q      <= 1'b0;
        end
    end
    always @(posedge clk) begin : p_reads
        if (rst_i) begin
            reads_q  <= {READS_W{1'b0}};
            absent_q <= 1'b0;
        end else begin
            if ((followed || again) && !answer) reads_q <= reads_q + READ_1;
            if (answer && !(followed || again)) reads_q <= reads_q - READ_1;
            absent_q <= !answer && (missed || (absent_q && !picked));
        end
    end
    always @(posedge clk) begin : p_grant
        if (rst_i) begin
            grant_valid_q <= 1'b0;
            grant_q       <= {LINK_W{1'b0}};
        end else begin
            grant_valid_q <= (grant_valid_q && !grant_ready_i) || picked;
            if (picked) grant_q <= first;
        end
    end

    // ---- Outputs -----------------------------------------------------------

    assign arrive_ready_o = take;
    assign arrive_error_o = arrive_error_q;
    assign link_valid_o   = link_valid_q;
    assign link_write_o   = link_write_q;
    assign link_queue_o   = link_queue_q;
    assign link_place_o   = link_place_q;
    assign link_data_o    = link_data_q;
    assign grant_valid_o  = grant_valid_q;
    assign grant_host_o   = grant_level_o == {LEVEL_W{1'b0}};
    assign waiting_o      = some_sets;
    assign {grant_level_o, grant_sm_o, grant_handle_o} = grant_q;

    // ---- Formal ------------------------------------------------------------
    // Its properties, proved by induction, are in rtl/formal/kmu_properties.v.

`ifdef FORMAL
    wire [N_QUEUE*PLACE_W-1:0] f_puts, f_takens, f_comes;
    wire [N_SLOT*LINK_W-1:0]   f_nears;
    generate
        for (s = 0; s < N_QUEUE; s = s + 1) begin : g_f_queue
            assign f_puts[s*PLACE_W +: PLACE_W]   = put_q[s];
            assign f_takens[s*PLACE_W +: PLACE_W] = taken_q[s];
            assign f_comes[s*PLACE_W +: PLACE_W]  = come_q[s];
        end
        for (s = 0; s < N_SLOT; s = s + 1) begin : g_f_slot
            assign f_nears[s*LINK_W +: LINK_W] = near_q[s];
        end
    endgenerate
    kmu_properties #(.N_SM(N_SM), .N_LEVEL(N_LEVEL), .HANDLE_W(HANDLE_W), .NEAR_W(NEAR_W)) f_properties (.*);
`endif

endmodule

`default_nettype wire
